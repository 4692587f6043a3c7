"""The kernels of tournaments: rounds of hands, eliminations, and moves of players between tables.

A *match* is a tournament that is played in one rotation of its seats, and an *entrant* is a player in it. Several
matches are played at the same time, each in a *slot*: a slot has one match until it is over, and then the next one.
The slots are numbered from 0, and an array with an entry for each slot describes the matches in play. Docstrings of
functions call a match a tournament, because only the seats differ between rotations. The tables of a match are rows of
`Tables`. They are taken from a stack of free rows, and given back when the tables are
broken. A round is one hand at each table ("hand for hand", as tournaments are played near the money). Once all hands of
a round are over, `settle_round` pays them, `rank_eliminated_entrants` ranks the entrants that are out,
`move_players_between_tables` lets players change tables, and `deal_round` deals the next hands.

Table t of a tournament deals hand h with the random number at the index t * 2**44 + h of the tournament's stream.

Players change tables between two hands. Tournament directors [1]_ break tables and balance them:

1. As soon as the other tables have seats for all its players, the last table is broken.
2. Otherwise, while one table has two players more than another, one player moves from the table with the most players
   to the one with the fewest.
3. The player who is due for the big blind moves. The player takes the empty seat of the new table that is due for it
   soonest.

So no player escapes a big blind by moving, and blinds are never more than one hand apart for players who stay. Where
directors draw lots, the table with the lowest number comes first.

For these rules a table is two numbers: the set of its seats that are taken, an integer whose bit s stands for seat s,
and the seat that had the big blind last. `find_next_balancing_move` returns one move; it is called again after that
move.

In the tournaments of Nicolai & Hilderman [2]_ the smallest table is broken as soon as the others have seats for its
players, and no other player moves: `find_next_breaking_move`.

`seat_players_evenly` returns the first seats.

References
----------
.. [1] Poker Tournament Directors Association, "Poker TDA Rules", 2022, rules 10 and 11.
.. [2] G. Nicolai, R. Hilderman, "Algorithms for evolving no-limit Texas hold'em poker playing agents",
   ICEC 2010, section 4.4.
"""

from typing import NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import Ints, inlined, kernel
from pokerlab.core.random_numbers import compute_random_bits
from pokerlab.holdem import betting_engine
from pokerlab.holdem.aggressiveness import (
    Observations,
    clear_observations_at_table,
    has_observations,
    move_player_observations,
    store_observations_of_leaving_player,
    store_sums_at_hand_start,
)
from pokerlab.holdem.betting_engine import (
    NOBODY,
    NUM_SEATS_IN,
    fill_hand_payoffs,
    find_next_seat,
)
from pokerlab.holdem.cards import Cards, deal_cards
from pokerlab.holdem.players import Rows
from pokerlab.holdem.table_view import Tables

NO_MATCH = NO_TABLE = NO_ROW = -1
"""The values that stand for no match in a slot, for no table of a match, and for no row of `Tables`."""
ELIMINATED_CHIPS, ELIMINATED_ENTRANTS = 0, 1  # the rows of `TournamentBatch.eliminated`
WIDEST_GAP = 1  # the largest difference between the numbers of players at two tables


class Move(NamedTuple):
    """A player's move from a seat at one table of a tournament to a seat at another table.

    Attributes
    ----------
    table, seat : int
        The table and the seat that the player leaves. The table is -1 (`NO_TABLE`) if no player has to move.
    to_table, to_seat : int
        The new table, and the player's seat there.
    """

    table: int
    seat: int
    to_table: int
    to_seat: int


@kernel
def find_next_balancing_move(seats_taken: Ints, big_blind_seats: Ints, num_seats: int) -> Move:
    """Return the next move of a player that keeps the tables of a tournament equally full, by the usual rules.

    If the other tables have seats for all players of the last table, one of these players moves. Otherwise a player
    moves from the fullest to the emptiest table if the difference is two players or more. The player who is due for the
    big blind moves, to the empty seat that is due for it soonest. The function is called again after each move.

    Parameters
    ----------
    seats_taken : ndarray of int64, shape (tables,)
        The set of seats that are taken at each table. Bit s is 1 if seat s is taken. At least one table has players,
        and only the last tables may be empty.
    big_blind_seats : ndarray of int64, shape (tables,)
        The seat that had the big blind last at each table.
    num_seats : int
        The number of seats of a table.

    Returns
    -------
    Move
        The move. Its `table` is -1 if all players may stay.

    Examples
    --------
    Three players and one at tables of four: the last table is broken, and its player takes the seat on the left of the
    big blind.

    >>> find_next_balancing_move(np.array([0b0111, 0b0001]), np.array([2, 0]), 4)
    Move(table=1, seat=0, to_table=0, to_seat=3)
    >>> find_next_balancing_move(np.array([0b1111, 0b0000]), np.array([3, 0]), 4).table
    -1
    """
    last_table = seats_taken.size - 1
    while NUM_SEATS_IN[seats_taken[last_table]] == 0:
        last_table -= 1
    size_of_last_table = NUM_SEATS_IN[seats_taken[last_table]]

    # Count all players, and find the fullest and the emptiest of the tables before the last.
    num_players = size_of_last_table
    fullest_table = 0
    emptiest_table = 0
    for table in range(last_table):
        size = NUM_SEATS_IN[seats_taken[table]]
        num_players += size
        if size > NUM_SEATS_IN[seats_taken[fullest_table]]:
            fullest_table = table
        if size < NUM_SEATS_IN[seats_taken[emptiest_table]]:
            emptiest_table = table

    # If the other tables have seats for all players, a player leaves the last table.
    if num_players <= last_table * num_seats:
        return choose_move_between_tables(
            seats_taken, big_blind_seats, num_seats, last_table, emptiest_table
        )

    # Otherwise tables are balanced, the last one too.
    if size_of_last_table > NUM_SEATS_IN[seats_taken[fullest_table]]:
        fullest_table = last_table
    if size_of_last_table < NUM_SEATS_IN[seats_taken[emptiest_table]]:
        emptiest_table = last_table
    gap = NUM_SEATS_IN[seats_taken[fullest_table]] - NUM_SEATS_IN[seats_taken[emptiest_table]]
    if gap <= WIDEST_GAP:
        return Move(NO_TABLE, NOBODY, NO_TABLE, NOBODY)  # all players may stay
    return choose_move_between_tables(
        seats_taken, big_blind_seats, num_seats, fullest_table, emptiest_table
    )


@kernel
def find_next_breaking_move(seats_taken: Ints, big_blind_seats: Ints, num_seats: int) -> Move:
    """Return the next move of a player in a tournament in which players move only to break the smallest table.

    As soon as the other tables have seats for all players, a player moves from the smallest table to the smallest of
    the others. If several tables are the smallest, the last of them is broken. The player who is due for the big blind
    moves, to the empty seat that is due for it soonest. The function is called again after each move.

    Parameters
    ----------
    seats_taken : ndarray of int64, shape (tables,)
        The set of seats that are taken at each table. Bit s is 1 if seat s is taken. Any table may be empty.
    big_blind_seats : ndarray of int64, shape (tables,)
        The seat that had the big blind last at each table.
    num_seats : int
        The number of seats of a table.

    Returns
    -------
    Move
        The move. Its `table` is -1 if all players may stay.

    Examples
    --------
    >>> find_next_breaking_move(np.array([0b0011, 0b0000, 0b0001, 0b0111]), np.array([1, 0, 0, 2]), 4)
    Move(table=2, seat=0, to_table=0, to_seat=2)
    >>> find_next_breaking_move(np.array([0b1111, 0b0001]), np.array([3, 0]), 4).table
    -1
    """
    num_players, num_tables, smallest_table = 0, 0, NO_TABLE
    for table in range(seats_taken.size):
        size = NUM_SEATS_IN[seats_taken[table]]
        if size == 0:
            continue
        num_players += size
        num_tables += 1
        # With <=, so that the last one of several smallest tables is broken.
        if smallest_table == NO_TABLE or size <= NUM_SEATS_IN[seats_taken[smallest_table]]:
            smallest_table = table
    if num_players > (num_tables - 1) * num_seats:
        return Move(NO_TABLE, NOBODY, NO_TABLE, NOBODY)  # all players may stay

    # With <, so that the first one of several smallest tables gets the player.
    new_table = NO_TABLE
    for table in range(seats_taken.size):
        size = NUM_SEATS_IN[seats_taken[table]]
        if table == smallest_table or size == 0:
            continue
        if new_table == NO_TABLE or size < NUM_SEATS_IN[seats_taken[new_table]]:
            new_table = table
    return choose_move_between_tables(
        seats_taken, big_blind_seats, num_seats, smallest_table, new_table
    )


@inlined
def choose_move_between_tables(
    seats_taken: Ints, big_blind_seats: Ints, num_seats: int, old_table: int, new_table: int
) -> Move:
    """Return the move of one player between two given tables.

    The player who is due for the big blind moves, to the empty seat that is due for it soonest. So no player escapes a
    big blind by moving.

    Parameters
    ----------
    seats_taken : ndarray of int64, shape (tables,)
        The set of seats that are taken at each table. Bit s is 1 if seat s is taken.
    big_blind_seats : ndarray of int64, shape (tables,)
        The seat that had the big blind last at each table.
    num_seats : int
        The number of seats of a table.
    old_table, new_table : int
        The table that the player leaves, and the table with an empty seat to which it moves.

    Returns
    -------
    Move
        The old table and seat of the player, and the new ones.
    """
    all_seats = (1 << num_seats) - 1
    empty_seats = all_seats & ~seats_taken[new_table]
    return Move(
        old_table,
        int(find_next_seat(seats_taken[old_table], big_blind_seats[old_table])),
        new_table,
        int(find_next_seat(empty_seats, big_blind_seats[new_table])),
    )


def seat_players_evenly(num_players: int, num_seats: int) -> Ints:
    """Return the player in each seat, for as few tables as possible whose numbers of players differ by at most one.

    Players are seated in their order, table by table.

    Parameters
    ----------
    num_players : int
        The number of players.
    num_seats : int
        The number of seats of a table.

    Returns
    -------
    ndarray of int64, shape (tables, min(num_seats, num_players))
        The index of the player in each seat, or -1 for an empty seat.

    Examples
    --------
    >>> seat_players_evenly(7, 4).tolist()
    [[0, 1, 2, -1], [3, 4, 5, 6]]
    """
    num_tables = -(-num_players // num_seats)  # rounded up
    # Table t has the players from first_players[t] to first_players[t + 1] - 1.
    first_players = num_players * np.arange(num_tables + 1) // num_tables
    players = first_players[:-1, None] + np.arange(min(num_seats, num_players))
    is_taken = players < first_players[1:, None]
    return np.where(is_taken, players, NOBODY)


TABLE_BITS = 44
"""The random numbers of table t begin at the index t * 2**44 of a tournament's stream. No table plays more hands."""


class TournamentBatch(NamedTuple):
    """The settings, the state and the results of a batch of tournaments.

    There are T tournaments with E entrants each, at up to W tables each. They are played in K rows of `Tables`. A match
    is a tournament in one rotation of its seats, and match m is tournament m // num_rotations. An *entrant* is an index
    into the line-up of a tournament. A *slot* holds a match until it is over, and then the next one.

    Attributes
    ----------
    levels : ndarray of int64, shape (levels, NUM_STRUCTURE_WORDS)
        The betting structures.
    hands_a_level : int
        The number of hands of each level.
    most_hands : int
        The number of rounds after which a tournament is stopped.
    num_seats : int
        The number of seats of a table.
    keeps_even : bool
        Whether players move to keep tables even. If False, only the smallest table is broken.
    lineups : ndarray of int64, shape (T, E)
        The players of each tournament, in the order of the seats.
    stacks : ndarray of int64, shape (E,)
        The chips of each entrant at the start.
    deal_key, random_key : uint64
        The keys of the random streams of the cards and of the players.
    first_tournament : int
        The index of the first tournament.
    num_rotations : int
        How often each tournament is played.
    deck : ndarray of uint8, shape (52,)
        Overwritten by dealing.
    payoffs : ndarray of int64, shape (num_seats,)
        Overwritten by paying.
    num_matches_begun : ndarray of int64, shape (1,)
        The number of matches that have begun.
    free_rows : ndarray of int64, shape (K + 1,)
        A stack of the rows that no match uses; the last entry is their number.
    match : ndarray of int64, shape (slots,)
        The match in each slot, or -1 (`NO_MATCH`) if there is none.
    num_tables : ndarray of int64, shape (slots,)
        The number of tables of the match in each slot.
    table_rows : ndarray of int64, shape (slots, W)
        The row of each table of the match in each slot, or -1 (`NO_ROW`) for a table that is broken.
    entrants : ndarray of int64, shape (K, num_seats)
        The entrant in each seat of each row.
    seats_taken : ndarray of int64, shape (W,)
        The set of seats that are taken at each table of one tournament.
    big_blind_seats : ndarray of int64, shape (W,)
        The seat that had the big blind at each of these tables.
    eliminated : ndarray of int64, shape (2, E)
        The entrants that are out in a round: their chips before the round, and their indices in the line-up.
    ranks : ndarray of shape (matches, E)
        A result: the rank of each entrant.
    chips : ndarray of int64, shape (matches, E)
        A result: the chips of each entrant at the end.
    rounds_played : ndarray of int64, shape (matches, E)
        A result: the number of rounds in which each entrant took part.
    won : ndarray of int64, shape (matches, E)
        A result: the number of hands after which each entrant had more chips than before.
    rounds, hands : ndarray of int64, shape (matches,)
        Results: the number of rounds, and the number of hands at all tables together.
    """

    levels: Ints
    hands_a_level: int
    most_hands: int
    num_seats: int
    keeps_even: bool
    lineups: Ints
    stacks: Ints
    deal_key: np.uint64
    random_key: np.uint64
    first_tournament: int
    num_rotations: int
    deck: Cards
    payoffs: Ints
    num_matches_begun: Ints
    free_rows: Ints
    match: Ints
    num_tables: Ints
    table_rows: Ints
    entrants: Ints
    seats_taken: Ints
    big_blind_seats: Ints
    eliminated: Ints
    ranks: NDArray[np.float64]
    chips: Ints
    rounds_played: Ints
    won: Ints
    rounds: Ints
    hands: Ints


@kernel
def pay_and_deal_rounds(
    tables: Tables, batch: TournamentBatch, observations: Observations, out_rows_to_act: Rows
) -> int:
    """Pay the rounds that are over and deal the next rounds, and begin a new tournament where one is over.

    A round is one hand at each table of a tournament. All parameters are changed in place.

    Parameters
    ----------
    tables : Tables
        The tables in play.
    batch : TournamentBatch
        The tournaments to be played, the state of those in play, and the results.
    observations : Observations
        What players have observed of each other; NO_OBSERVATIONS if the game does not keep it.
    out_rows_to_act : ndarray of int
        Its first entries are overwritten with the indices of the tables at which a seat is to act.

    Returns
    -------
    int
        The number of these tables.
    """
    num_to_act = 0
    for slot in range(batch.match.size):
        num_before = num_to_act
        # Some rounds are over as soon as they are dealt, because all players are all-in by the blinds.
        while True:
            num_to_act = append_tables_to_act(tables, slot, batch, num_to_act, out_rows_to_act)
            round_is_in_play = num_to_act > num_before
            if round_is_in_play:
                break

            if batch.match[slot] != NO_MATCH:
                finish_tournament_round(tables, slot, batch, observations)
            if batch.match[slot] == NO_MATCH:
                seat_next_match(tables, slot, batch, observations)
            if batch.match[slot] == NO_MATCH:
                break  # no tournament is left
            deal_round(tables, slot, batch, observations)
    return num_to_act


@kernel
def finish_tournament_round(
    tables: Tables, slot: int, batch: TournamentBatch, observations: Observations
) -> None:
    """Pay the round of a tournament, rank the players who are out, and end the tournament or let players change tables.

    All parameters but `slot` are changed in place.

    Parameters
    ----------
    tables : Tables
        The tables in play.
    slot : int
        The index of the tournament among those in play. It is free afterward if the tournament has ended.
    batch : TournamentBatch
        The state and the results of the tournaments.
    observations : Observations
        What players have observed of each other; NO_OBSERVATIONS if the game does not keep it.
    """
    num_out, num_left = settle_round(tables, slot, batch)
    if num_out > 0:
        rank_eliminated_entrants(batch, slot, num_out, num_left)

    has_winner = num_left == 1
    is_stopped = batch.rounds[batch.match[slot]] == batch.most_hands
    if has_winner or is_stopped:
        num_ranked = collect_remaining_entrants(tables, slot, batch)
        # A literal 0 would have `rank_eliminated_entrants` compiled once more.
        rank_eliminated_entrants(batch, slot, num_ranked, int(np.int64(0)))
        end_match(slot, batch)
    elif num_out > 0 and batch.num_tables[slot] > 1:
        move_players_between_tables(tables, slot, batch, observations)


@inlined
def append_tables_to_act(
    tables: Tables, slot: int, batch: TournamentBatch, num_to_act: int, out_rows_to_act: Rows
) -> int:
    """Append the tables of a tournament at which a seat is to act to a list, and return the new length of the list.

    Parameters
    ----------
    tables : Tables
        The tables in play.
    slot : int
        The index of the tournament among those in play.
    batch : TournamentBatch
        The state of the tournaments, with the index in `tables` of each of their tables.
    num_to_act : int
        The number of tables that `out_rows_to_act` contains already.
    out_rows_to_act : ndarray of int
        The list of indices in `tables`. Its entries from the index `num_to_act` on are overwritten.
    """
    for table in range(batch.num_tables[slot]):
        row_of_table = batch.table_rows[slot, table]
        if (
            row_of_table != NO_ROW
            and tables.hands[row_of_table, betting_engine.ACTOR] != betting_engine.NOBODY
        ):
            out_rows_to_act[num_to_act] = row_of_table
            num_to_act += 1
    return num_to_act


@inlined
def seat_next_match(
    tables: Tables, slot: int, batch: TournamentBatch, observations: Observations
) -> None:
    """Seat the players of the next tournament, if one is left and enough of the tables in play are free for it.

    If there is none, `batch.match[slot]` stays -1. All parameters but `slot` are changed in place.

    Parameters
    ----------
    tables : Tables
        The tables in play.
    slot : int
        The index at which the tournament is put among those in play. It must be free.
    batch : TournamentBatch
        The tournaments to be played, and the state of those in play.
    observations : Observations
        What players have observed of each other, which is cleared for the new tournament.
    """
    # This is an array of one number, so that kernels can change it.
    match_in_slot = batch.num_matches_begun[0]
    num_tables = batch.table_rows.shape[1]
    is_match_left = match_in_slot < batch.hands.size
    num_free_rows = batch.free_rows[-1]
    if not is_match_left or num_free_rows < num_tables:
        return

    batch.num_matches_begun[0] += 1
    batch.match[slot] = match_in_slot
    batch.num_tables[slot] = num_tables
    if has_observations(observations):
        observations.pair_keys[slot] = 0
    for table in range(num_tables):
        row_of_table = take_free_row(batch)
        batch.table_rows[slot, table] = row_of_table
        seat_entrants_at_table(tables, row_of_table, match_in_slot, table, batch)
        if has_observations(observations):
            clear_observations_at_table(observations, row_of_table)


@inlined
def seat_entrants_at_table(
    tables: Tables, row: int, match: int, table: int, batch: TournamentBatch
) -> None:
    """Seat the first players of one table of a tournament, with their chips. `tables` and `batch` are changed in place.

    Players are distributed over the tables as evenly as possible, as by `seat_players_evenly`.

    Parameters
    ----------
    tables : Tables
        The tables in play.
    row : int
        The index of the table among the tables in play.
    match : int
        The index of the tournament among all matches of the batch, in which each rotation of the seats counts as one.
    table : int
        The index of the table among those of the tournament.
    batch : TournamentBatch
        The tournaments to be played, with line-ups and stacks. Its array `entrants` is changed.
    """
    num_entrants = batch.lineups.shape[1]
    num_tables = batch.table_rows.shape[1]
    num_seats = batch.num_seats
    tournament = match // batch.num_rotations  # in this batch
    rotation = match % batch.num_rotations
    tournament_number = batch.first_tournament + tournament

    hand = tables.hands[row]
    first_seat = num_entrants * table // num_tables  # in the order of all seats
    end_seat = num_entrants * (table + 1) // num_tables
    for seat in range(num_seats):
        hand[betting_engine.STARTING_STACKS + seat] = 0
    for seat in range(end_seat - first_seat):
        # In rotation r each entrant sits r seats to the left. Only a single table has rotations.
        entrant = first_seat + seat - rotation + (num_entrants if seat < rotation else 0)
        batch.entrants[row, seat] = entrant
        tables.lineup[row, seat] = batch.lineups[tournament, entrant]
        # The chips belong to the seat, in every rotation.
        hand[betting_engine.STARTING_STACKS + seat] = batch.stacks[first_seat + seat]

    hand[betting_engine.SEATS] = num_seats
    hand[betting_engine.BIG_BLIND_SEAT] = tournament_number % num_seats
    # Tables are counted over all batches.
    num_earlier_tables = batch.first_tournament * batch.num_rotations * num_tables
    tables.match[row] = num_earlier_tables + match * num_tables + table


@inlined
def deal_round(
    tables: Tables, slot: int, batch: TournamentBatch, observations: Observations
) -> None:
    """Deal the next hand at each table of a tournament, with the blinds of the present level, and move the button on.

    All parameters but `slot` are changed in place.

    Parameters
    ----------
    tables : Tables
        The tables in play.
    slot : int
        The index of the tournament among those in play.
    batch : TournamentBatch
        The state of the tournaments, whose numbers of hands are increased.
    observations : Observations
        What players have observed of each other. Their sums at the beginning of the hand are stored.
    """
    match_in_slot = batch.match[slot]
    tournament = match_in_slot // batch.num_rotations
    round_number = batch.rounds[match_in_slot]
    level = min(round_number // batch.hands_a_level, batch.levels.shape[0] - 1)
    tournament_number = batch.first_tournament + tournament
    player_key = compute_random_bits(batch.random_key, tournament_number)
    tournament_card_key = compute_random_bits(batch.deal_key, tournament_number)
    for table in range(batch.num_tables[slot]):
        row_of_table = batch.table_rows[slot, table]
        if row_of_table == NO_ROW:
            continue
        hand = tables.hands[row_of_table]
        dealt_in = find_seats_with_chips(hand)
        tables.number[row_of_table] = round_number
        if has_observations(observations):
            store_sums_at_hand_start(observations, tables, row_of_table)

        if not betting_engine.has_at_least_two_seats(dealt_in):
            # At tables of two, one of an odd number of players has nobody to play with: its hand is over, unpaid.
            hand[betting_engine.LIVE] = dealt_in
            for seat in range(hand[betting_engine.SEATS]):
                hand[betting_engine.STACKS + seat] = hand[betting_engine.STARTING_STACKS + seat]
            continue

        # The entries of the betting structure are those before SEATS.
        for index in range(betting_engine.SEATS):
            hand[index] = batch.levels[level, index]
        batch.hands[match_in_slot] += 1
        tables.decision[row_of_table] = 0
        hand_index = (table << TABLE_BITS) + round_number  # in the tournament's random streams
        tables.random_key[row_of_table] = compute_random_bits(player_key, hand_index)
        card_key = compute_random_bits(tournament_card_key, hand_index)
        deal_cards(card_key, batch.deck, tables.deals[row_of_table], 2 * batch.num_seats + 5)
        button = find_next_button(dealt_in, hand[betting_engine.BIG_BLIND_SEAT])
        betting_engine.begin_hand(hand, button)


@inlined
def find_seats_with_chips(hand: Ints) -> int:
    """Return the set of seats that have chips at the beginning of a hand. Bit s is 1 if seat s is in the set.

    Parameters
    ----------
    hand : ndarray of int64, shape (NUM_WORDS,)
        The state of the hand, with the number of seats and the starting stacks.
    """
    seats = 0
    for seat in range(hand[betting_engine.SEATS]):
        seats |= (hand[betting_engine.STARTING_STACKS + seat] > 0) << seat
    return seats


@inlined
def find_next_button(dealt_in: int, big_blind_seat: int) -> int:
    """Return the seat of the button in the next hand, in which the big blind moves to the next seat with chips.

    The button is two seats with chips before the new big blind. If only two seats have chips, the button is the other
    one.

    Parameters
    ----------
    dealt_in : int
        The set of seats with chips, at least two. Bit s is 1 if seat s is in the set.
    big_blind_seat : int
        The seat that had the big blind in the last hand.

    Examples
    --------
    >>> find_next_button(0b1011, big_blind_seat=1)  # the blinds move on to seats 1 and 3
    0
    """
    new_big_blind = betting_engine.find_next_seat(dealt_in, big_blind_seat)
    # Go around the table until the seat after `small_blind` is the big blind; `button` is the seat before.
    button = new_big_blind
    small_blind = betting_engine.find_next_seat(dealt_in, new_big_blind)
    while betting_engine.find_next_seat(dealt_in, small_blind) != new_big_blind:
        button = small_blind
        small_blind = betting_engine.find_next_seat(dealt_in, small_blind)
    # With two seats the loop does not run: the other seat has the small blind and the button.
    is_heads_up = button == new_big_blind
    return small_blind if is_heads_up else button


@inlined
def settle_round(tables: Tables, slot: int, batch: TournamentBatch) -> tuple[int, int]:
    """Pay the hands of a round of a tournament, and store which players have lost all their chips.

    The stacks in `tables` are changed in place, which are then those of the next hand. In `batch` the numbers of rounds
    and of hands won, the list `eliminated` and the working array `payoffs` are changed.

    Parameters
    ----------
    tables : Tables
        The tables in play.
    slot : int
        The index of the tournament among those in play.
    batch : TournamentBatch
        The state and the results of the tournaments.

    Returns
    -------
    num_out : int
        The number of players who are out after this round. They are the first in `batch.eliminated`.
    num_left : int
        The number of players who are left.
    """
    match_in_slot = batch.match[slot]
    num_out = 0
    num_left = 0
    batch.rounds[match_in_slot] += 1
    for table in range(batch.num_tables[slot]):
        row_of_table = batch.table_rows[slot, table]
        if row_of_table == NO_ROW:
            continue
        hand = tables.hands[row_of_table]
        payoffs = batch.payoffs
        fill_hand_payoffs(hand, tables.deals[row_of_table], payoffs)
        for seat in range(batch.num_seats):
            chips_before = hand[betting_engine.STARTING_STACKS + seat]
            if chips_before == 0:
                continue
            entrant = batch.entrants[row_of_table, seat]
            chips_after = chips_before + payoffs[seat]
            hand[betting_engine.STARTING_STACKS + seat] = chips_after
            if chips_after > chips_before:
                batch.won[match_in_slot, entrant] += 1
            if chips_after > 0:
                num_left += 1
            else:
                num_out = append_eliminated_entrant(
                    batch, match_in_slot, num_out, chips_before, entrant
                )
    return num_out, num_left


@inlined
def append_eliminated_entrant(
    batch: TournamentBatch, match: int, num_out: int, chips: int, entrant: int
) -> int:
    """Append a player to the list `batch.eliminated` of players to be ranked, and return the length of the list.

    `batch.eliminated` and `batch.rounds_played` are changed in place.

    Parameters
    ----------
    batch : TournamentBatch
        The state and the results of the tournaments.
    match : int
        The index of the tournament among all matches of the batch.
    num_out : int
        The number of players that the list contains already.
    chips : int
        The chips that decide the player's rank: those before the round in which it lost them, or those at the end.
    entrant : int
        The player, an index into the line-up of the tournament.
    """
    batch.rounds_played[match, entrant] = batch.rounds[match]
    batch.eliminated[ELIMINATED_CHIPS, num_out] = chips
    batch.eliminated[ELIMINATED_ENTRANTS, num_out] = entrant
    return num_out + 1


@kernel
def rank_eliminated_entrants(
    batch: TournamentBatch, slot: int, num_out: int, num_ahead: int
) -> None:
    """Rank the players in the list `batch.eliminated` by their chips. Players with equal chips get their mean rank.

    `batch.ranks` is changed in place.

    Parameters
    ----------
    batch : TournamentBatch
        The state and the results of the tournaments.
    slot : int
        The index of the tournament among those in play.
    num_out : int
        The number of players in the list.
    num_ahead : int
        The number of other players of the tournament who rank above all of them.
    """
    ranks = batch.ranks[batch.match[slot]]
    sorted_chips = np.sort(batch.eliminated[ELIMINATED_CHIPS][:num_out])
    for index in range(num_out):
        chips = batch.eliminated[ELIMINATED_CHIPS, index]
        entrant = batch.eliminated[ELIMINATED_ENTRANTS, index]
        num_with_more = num_out - np.searchsorted(sorted_chips, chips, side="right")
        num_with_as_much = num_out - np.searchsorted(sorted_chips, chips, side="left")
        # The ranks of those with equal chips are num_with_more + 1 to num_with_as_much.
        ranks[entrant] = num_ahead + (num_with_more + num_with_as_much + 1) / 2


@inlined
def collect_remaining_entrants(tables: Tables, slot: int, batch: TournamentBatch) -> int:
    """Put the players who are left at the end into the list `batch.eliminated`, and return their number.

    The list is overwritten, so that these players can be ranked by their chips. `batch.chips` gets their chips.

    Parameters
    ----------
    tables : Tables
        The tables in play, with the stacks.
    slot : int
        The index of the tournament among those in play.
    batch : TournamentBatch
        The state and the results of the tournaments.
    """
    match_in_slot = batch.match[slot]
    num_left = 0
    for table in range(batch.num_tables[slot]):
        row_of_table = batch.table_rows[slot, table]
        if row_of_table == NO_ROW:
            continue
        for seat in range(batch.num_seats):
            chips = tables.hands[row_of_table, betting_engine.STARTING_STACKS + seat]
            entrant = batch.entrants[row_of_table, seat]
            if chips > 0:
                batch.chips[match_in_slot, entrant] = chips
                num_left = append_eliminated_entrant(batch, match_in_slot, num_left, chips, entrant)
    return num_left


@inlined
def end_match(slot: int, batch: TournamentBatch) -> None:
    """Make room for the next tournament: free the tables of one that is over, and its slot.

    `batch` is changed in place.

    Parameters
    ----------
    slot : int
        The index of the tournament among those in play.
    batch : TournamentBatch
        The state of the tournaments.
    """
    for table in range(batch.num_tables[slot]):
        if batch.table_rows[slot, table] != NO_ROW:
            free_table_row(batch, batch.table_rows[slot, table])
    batch.num_tables[slot] = 0
    batch.match[slot] = NO_MATCH


@inlined
def take_free_row(batch: TournamentBatch) -> int:
    """Take one of the tables in play that are free, and return its index. `batch.free_rows` is changed in place.

    Parameters
    ----------
    batch : TournamentBatch
        The state of the tournaments. At least one table must be free.
    """
    # The free rows are a stack whose last entry is their number.
    batch.free_rows[-1] -= 1
    top_of_stack = batch.free_rows[-1]
    return int(batch.free_rows[top_of_stack])


@inlined
def free_table_row(batch: TournamentBatch, row: int) -> None:
    """Mark one of the tables in play as free for another tournament. `batch.free_rows` is changed in place.

    Parameters
    ----------
    batch : TournamentBatch
        The state of the tournaments, with the stack of free tables.
    row : int
        The index of the table among the tables in play.
    """
    # The free rows are a stack whose last entry is their number.
    num_free_rows = batch.free_rows[-1]
    batch.free_rows[num_free_rows] = row
    batch.free_rows[-1] += 1


@inlined
def move_players_between_tables(
    tables: Tables, slot: int, batch: TournamentBatch, observations: Observations
) -> None:
    """Move players of a tournament between its tables until no rule makes another player move.

    A table that its last player has left is freed. All parameters but `slot` are changed in place.

    Parameters
    ----------
    tables : Tables
        The tables in play. Players and their chips change their seats.
    slot : int
        The index of the tournament among those in play.
    batch : TournamentBatch
        The state of the tournaments, with the rule by which players move.
    observations : Observations
        What players have observed of each other, which moves with them. NO_OBSERVATIONS if the game does not keep it.
    """
    # Collect the seats taken and the big blinds of all tables.
    num_tables = batch.num_tables[slot]
    seats_taken = batch.seats_taken[:num_tables]
    big_blind_seats = batch.big_blind_seats[:num_tables]
    for table in range(num_tables):
        seats_taken[table] = 0
        row_of_table = batch.table_rows[slot, table]
        if row_of_table == NO_ROW:
            continue
        hand = tables.hands[row_of_table]
        seats_taken[table] = find_seats_with_chips(hand)
        big_blind_seats[table] = hand[betting_engine.BIG_BLIND_SEAT]

    # Move one player after the other.
    move = find_next_move(batch, seats_taken, big_blind_seats)
    while move.table != NO_TABLE:
        old_row, new_row = batch.table_rows[slot, move.table], batch.table_rows[slot, move.to_table]
        seats_taken[move.table] &= ~(1 << move.seat)
        if has_observations(observations):
            store_observations_of_leaving_player(
                observations, slot, batch.entrants, old_row, move.seat, seats_taken[move.table]
            )
        transfer_player_to_table(tables, batch, old_row, move.seat, new_row, move.to_seat)
        if has_observations(observations):
            move_player_observations(
                observations,
                slot,
                batch.entrants,
                old_row,
                move.seat,
                new_row,
                move.to_seat,
                seats_taken[move.to_table],
            )
        seats_taken[move.to_table] |= 1 << move.to_seat

        table_is_broken = seats_taken[move.table] == 0
        if table_is_broken:
            free_table_row(batch, old_row)
            batch.table_rows[slot, move.table] = NO_ROW
        move = find_next_move(batch, seats_taken, big_blind_seats)

    # Forget broken tables at the end, so that loops over tables become shorter. At least one table has players, so this
    # loop ends.
    while batch.table_rows[slot, batch.num_tables[slot] - 1] == NO_ROW:
        batch.num_tables[slot] -= 1


@inlined
def transfer_player_to_table(
    tables: Tables, batch: TournamentBatch, old_row: int, old_seat: int, new_row: int, new_seat: int
) -> None:
    """Move a player with its chips from a seat at one table to a free seat at another table.

    `tables` and `batch.entrants` are changed in place.

    Parameters
    ----------
    tables : Tables
        The tables in play.
    batch : TournamentBatch
        The state of the tournaments.
    old_row, old_seat : int
        The index of the old table among the tables in play, and the player's seat there.
    new_row, new_seat : int
        The index of the new table among the tables in play, and the free seat there.
    """
    batch.entrants[new_row, new_seat] = batch.entrants[old_row, old_seat]
    tables.lineup[new_row, new_seat] = tables.lineup[old_row, old_seat]
    old_stack = betting_engine.STARTING_STACKS + old_seat
    new_stack = betting_engine.STARTING_STACKS + new_seat
    tables.hands[new_row, new_stack] = tables.hands[old_row, old_stack]
    tables.hands[old_row, old_stack] = 0


@inlined
def find_next_move(batch: TournamentBatch, seats_taken: Ints, big_blind_seats: Ints) -> Move:
    """Return the next move of a player between the tables of a tournament, by the rule of its batch.

    The rule either keeps all tables equally full, or only breaks the smallest table as soon as the other tables have
    seats for its players.

    Parameters
    ----------
    batch : TournamentBatch
        The tournaments, with the rule and the number of seats of a table.
    seats_taken : ndarray of int64, shape (tables,)
        The set of seats that are taken at each table of the tournament. Bit s is 1 if seat s is taken.
    big_blind_seats : ndarray of int64, shape (tables,)
        The seat that had the big blind last at each table.

    Returns
    -------
    Move
        The move. Its `table` is -1 if all players may stay.
    """
    if batch.keeps_even:
        return find_next_balancing_move(seats_taken, big_blind_seats, batch.num_seats)
    return find_next_breaking_move(seats_taken, big_blind_seats, batch.num_seats)
