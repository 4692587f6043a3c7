"""The kernels of tournaments: rounds of hands, eliminations, and moves of players between tables.

A *match* is a tournament that is played in one rotation of its seats, and an *entrant* is a player in it. Several
matches are played at the same time, each in a *slot*: a slot has one match until it is over, and then the next one.
The slots are numbered from 0, and an array with an entry for each slot describes the matches in play.
The tables of a match are rows of `Tables`. They are taken from a stack of free rows, and given back when the tables are
broken. A round is one hand at each table ("hand for hand", as tournaments are played near the money). Once all hands of
a round are over, `pay_round` pays them, `rank_eliminated_entrants` ranks the entrants that are out,
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
    compute_hand_payoffs,
    find_next_seat,
)
from pokerlab.holdem.cards import Cards, deal_cards
from pokerlab.holdem.players import Rows
from pokerlab.holdem.table_view import Tables

NO_MATCH = NO_TABLE = NO_ROW = -1
"""The values that stand for no match in a slot, for no table of a match, and for no row of `Tables`."""
WIDEST_GAP = 1  # the largest difference between the numbers of players at two tables


class Move(NamedTuple):
    """A player's move from a seat at one table to a seat at another; `table` is -1 if no player has to move."""

    table: int
    seat: int
    to_table: int
    to_seat: int


@kernel
def find_next_balancing_move(seats_taken: Ints, big_blinds: Ints, num_seats: int) -> Move:
    """Return the next move of a player between the tables of a tournament, by rules 1 to 3 of this module.

    The rules break the last table when the others have seats for its players, and otherwise keep tables equally full.
    The `table` of the move is -1 if all players may stay.

    Parameters
    ----------
    seats_taken : ndarray of int64, shape (tables,)
        The set of seats that are taken at each table, one bit for each seat; only the last tables may be empty.
    big_blinds : ndarray of int64, shape (tables,)
        The seat that had the big blind last at each table.
    num_seats : int
        The number of seats of a table.

    Examples
    --------
    Three players and one at tables of four: the last table is broken, and its player takes the
    seat on the left of the big blind.

    >>> find_next_balancing_move(np.array([0b0111, 0b0001]), np.array([2, 0]), 4)
    Move(table=1, seat=0, to_table=0, to_seat=3)
    >>> find_next_balancing_move(np.array([0b1111, 0b0000]), np.array([3, 0]), 4).table
    -1
    """
    last = seats_taken.size - 1
    while NUM_SEATS_IN[seats_taken[last]] == 0:
        last -= 1
    size_of_last = NUM_SEATS_IN[seats_taken[last]]

    # Count all players, and find the fullest and the emptiest of the tables before the last.
    num_players = size_of_last
    fullest = 0
    emptiest = 0
    for table in range(last):
        size = NUM_SEATS_IN[seats_taken[table]]
        num_players += size
        if size > NUM_SEATS_IN[seats_taken[fullest]]:
            fullest = table
        if size < NUM_SEATS_IN[seats_taken[emptiest]]:
            emptiest = table

    # Rule 1: if the other tables have seats for all players, a player leaves the last table.
    if num_players <= last * num_seats:
        return make_move_between_tables(seats_taken, big_blinds, num_seats, last, emptiest)

    # Rule 2 also applies to the last table.
    if size_of_last > NUM_SEATS_IN[seats_taken[fullest]]:
        fullest = last
    if size_of_last < NUM_SEATS_IN[seats_taken[emptiest]]:
        emptiest = last
    gap = NUM_SEATS_IN[seats_taken[fullest]] - NUM_SEATS_IN[seats_taken[emptiest]]
    if gap <= WIDEST_GAP:
        return Move(NO_TABLE, NOBODY, NO_TABLE, NOBODY)  # all players may stay
    return make_move_between_tables(seats_taken, big_blinds, num_seats, fullest, emptiest)


@kernel
def find_next_breaking_move(seats_taken: Ints, big_blinds: Ints, num_seats: int) -> Move:
    """Return the next move between the tables of a tournament if only the smallest table is broken.

    A player moves from the smallest table to the smallest of the others as soon as these have seats for all players. If
    several tables are the smallest, the last of them is broken. The `table` of the move is -1 if all players may stay.

    Parameters
    ----------
    seats_taken : ndarray of int64, shape (tables,)
        The set of seats that are taken at each table, one bit for each seat; any table may be empty.
    big_blinds : ndarray of int64, shape (tables,)
        The seat that had the big blind last at each table.
    num_seats : int
        The number of seats of a table.

    Examples
    --------
    >>> find_next_breaking_move(np.array([0b0011, 0b0000, 0b0001, 0b0111]), np.array([1, 0, 0, 2]), 4)
    Move(table=2, seat=0, to_table=0, to_seat=2)
    >>> find_next_breaking_move(np.array([0b1111, 0b0001]), np.array([3, 0]), 4).table
    -1
    """
    num_players, num_tables, smallest = 0, 0, NO_TABLE
    for table in range(seats_taken.size):
        size = NUM_SEATS_IN[seats_taken[table]]
        if size == 0:
            continue
        num_players += size
        num_tables += 1
        if smallest == NO_TABLE or size <= NUM_SEATS_IN[seats_taken[smallest]]:
            smallest = table
    if num_players > (num_tables - 1) * num_seats:
        return Move(NO_TABLE, NOBODY, NO_TABLE, NOBODY)  # all players may stay

    new_table = NO_TABLE  # the first of the smallest tables besides the one that is broken
    for table in range(seats_taken.size):
        size = NUM_SEATS_IN[seats_taken[table]]
        if table == smallest or size == 0:
            continue
        if new_table == NO_TABLE or size < NUM_SEATS_IN[seats_taken[new_table]]:
            new_table = table
    return make_move_between_tables(seats_taken, big_blinds, num_seats, smallest, new_table)


@inlined
def make_move_between_tables(
    seats_taken: Ints, big_blinds: Ints, num_seats: int, old_table: int, new_table: int
) -> Move:
    """Return the move of a player from one table to another, by rule 3 of this module.

    The player who is due for the big blind moves, and takes the empty seat that is due for it soonest.

    Parameters
    ----------
    seats_taken : ndarray of int64, shape (tables,)
        The set of seats that are taken at each table, one bit for each seat.
    big_blinds : ndarray of int64, shape (tables,)
        The seat that had the big blind last at each table.
    num_seats : int
        The number of seats of a table.
    old_table, new_table : int
        The tables between which the player moves.
    """
    all_seats = (1 << num_seats) - 1
    empty_seats = all_seats & ~seats_taken[new_table]
    return Move(
        old_table,
        int(find_next_seat(seats_taken[old_table], big_blinds[old_table])),
        new_table,
        int(find_next_seat(empty_seats, big_blinds[new_table])),
    )


def seat_players_evenly(num_players: int, num_seats: int) -> Ints:
    """Return the player in each seat when players are distributed as evenly as possible over the tables they need.

    Players are seated in their order, table by table.

    Parameters
    ----------
    num_players : int
        The number of players.
    num_seats : int
        The number of seats of a table.

    Returns
    -------
    ndarray of int64, shape (tables, seats)
        The index of the player in each seat, or -1 for an empty seat.

    Examples
    --------
    >>> seat_players_evenly(7, 4).tolist()
    [[0, 1, 2, -1], [3, 4, 5, 6]]
    """
    num_tables = -(-num_players // num_seats)  # rounded up
    # Table t has the players from edges[t] to edges[t + 1] - 1.
    edges = num_players * np.arange(num_tables + 1) // num_tables
    players = edges[:-1, None] + np.arange(min(num_seats, num_players))
    is_taken = players < edges[1:, None]
    return np.where(is_taken, players, NOBODY)


TABLE_BITS = 44
"""The random numbers of table t begin at the index t * 2**44 of a tournament's stream. No table plays more hands."""


class TournamentBatch(NamedTuple):
    """The settings, the state and the results of a batch of tournaments.

    There are T tournaments with E entrants each, at up to W tables each. They are played in K rows of `Tables`. A match
    is a tournament in one rotation of its seats, and match m is tournament m // rotations. An *entrant* is an index
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
    first : int
        The index of the first tournament.
    rotations : int
        How often each tournament is played.
    deck : ndarray of uint8, shape (52,)
        Overwritten by dealing.
    payoffs : ndarray of int64, shape (num_seats,)
        Overwritten by paying.
    num_begun : ndarray of int64, shape (1,)
        The number of matches that have begun.
    free_rows : ndarray of int64, shape (K + 1,)
        A stack of the rows that no match uses; the last entry is their number.
    match : ndarray of int64, shape (slots,)
        The match in each slot, or -1 (`NO_MATCH`) if there is none.
    tables : ndarray of int64, shape (slots,)
        The number of tables of the match in each slot.
    table_rows : ndarray of int64, shape (slots, W)
        The row of each table of the match in each slot, or -1 (`NO_ROW`) for a table that is broken.
    entrants : ndarray of int64, shape (K, num_seats)
        The entrant in each seat of each row.
    seats_taken : ndarray of int64, shape (W,)
        The set of seats that are taken at each table of one tournament.
    big_blinds : ndarray of int64, shape (W,)
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
    first: int
    rotations: int
    deck: Cards
    payoffs: Ints
    num_begun: Ints
    free_rows: Ints
    match: Ints
    tables: Ints
    table_rows: Ints
    entrants: Ints
    seats_taken: Ints
    big_blinds: Ints
    eliminated: Ints
    ranks: NDArray[np.float64]
    chips: Ints
    rounds_played: Ints
    won: Ints
    rounds: Ints
    hands: Ints


@kernel
def deal_next_rounds(
    tables: Tables, batch: TournamentBatch, observations: Observations, out_rows_to_act: Rows
) -> int:
    """Begin the next round in slots whose round is over, and the next match where a match is over.

    Parameters
    ----------
    tables : Tables
        The tables in play, which are changed.
    batch : TournamentBatch
        The batch, whose state and results are changed.
    observations : Observations
        What players have seen of each other; NO_OBSERVATIONS if the game does not keep it.
    out_rows_to_act : ndarray of int
        Its first entries are overwritten with the rows of the tables at which a seat is to act.

    Returns
    -------
    int
        The number of rows written to `out_rows_to_act`.
    """
    count = 0
    for slot in range(batch.match.size):
        count_before = count
        # Some rounds are over as soon as they are dealt, because all players are all-in by the blinds.
        while True:
            count = append_tables_to_act(tables, slot, batch, count, out_rows_to_act)
            round_is_in_play = count > count_before
            if round_is_in_play:
                break

            # Pay the round and rank those who are out; then end the match, or let players move.
            if batch.match[slot] != NO_MATCH:
                num_out, num_left = pay_round(tables, slot, batch)
                if num_out > 0:
                    rank_eliminated_entrants(batch, slot, num_out, num_left)
                if num_left == 1 or batch.rounds[batch.match[slot]] == batch.most_hands:
                    num_ranked = append_remaining_entrants(tables, slot, batch)
                    # A literal 0 would have `rank_eliminated_entrants` compiled once more.
                    rank_eliminated_entrants(batch, slot, num_ranked, int(np.int64(0)))
                    free_slot_and_tables(slot, batch)
                elif num_out > 0 and batch.tables[slot] > 1:
                    move_players_between_tables(tables, slot, batch, observations)

            # Begin the next match in a free slot, and the next round.
            if batch.match[slot] == NO_MATCH:
                seat_next_match(tables, slot, batch, observations)
            if batch.match[slot] == NO_MATCH:
                break  # no match is left
            deal_round(tables, slot, batch, observations)
    return count


@inlined
def append_tables_to_act(
    tables: Tables, slot: int, batch: TournamentBatch, count: int, out_rows_to_act: Rows
) -> int:
    """Append the rows of a match's tables at which a seat is to act, and return the new number of rows.

    Parameters
    ----------
    tables : Tables
        The tables in play.
    slot : int
        The slot of the match, its index among the matches in play.
    batch : TournamentBatch
        The batch, which has the rows of the match's tables.
    count : int
        The number of rows that `out_rows_to_act` contains already.
    out_rows_to_act : ndarray of int
        The entries from the index `count` on are overwritten.
    """
    for table in range(batch.tables[slot]):
        row = batch.table_rows[slot, table]
        if row != NO_ROW and tables.hands[row, betting_engine.ACTOR] != betting_engine.NOBODY:
            out_rows_to_act[count] = row
            count += 1
    return count


@inlined
def seat_next_match(
    tables: Tables, slot: int, batch: TournamentBatch, observations: Observations
) -> None:
    """Seat the entrants of the next match in a slot, if there is one and enough rows are free for its tables.

    If there is none, `batch.match[slot]` stays -1.

    Parameters
    ----------
    tables : Tables
        The tables in play; the rows of the match are changed.
    slot : int
        A slot without a match.
    batch : TournamentBatch
        The batch, whose state is changed.
    observations : Observations
        What players have seen of each other, which is cleared for the new match.
    """
    match = batch.num_begun[0]
    num_entrants = batch.lineups.shape[1]
    num_tables = batch.table_rows.shape[1]
    num_seats = batch.num_seats
    if match == batch.hands.size or batch.free_rows[-1] < num_tables:
        return

    batch.num_begun[0] += 1
    batch.match[slot] = match
    batch.tables[slot] = num_tables
    tournament = match // batch.rotations  # in this batch
    rotation = match % batch.rotations
    tournament_number = batch.first + tournament
    tables_before = batch.first * batch.rotations * num_tables  # those of earlier batches
    if has_observations(observations):
        observations.pair_keys[slot] = 0

    for table in range(num_tables):
        # Take a row from the stack of free rows, whose last entry is their number.
        batch.free_rows[-1] -= 1
        row = batch.free_rows[batch.free_rows[-1]]
        batch.table_rows[slot, table] = row

        # Entrants are distributed evenly: as in `seat_players_evenly`.
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
        tables.match[row] = tables_before + match * num_tables + table
        if has_observations(observations):
            clear_observations_at_table(observations, row)


@inlined
def deal_round(
    tables: Tables, slot: int, batch: TournamentBatch, observations: Observations
) -> None:
    """Deal the next hand at each table of a match, with the blinds of the present level and the button moved on.

    Parameters
    ----------
    tables : Tables
        The tables in play; the hands of the match are changed.
    slot : int
        The slot of the match, its index among the matches in play.
    batch : TournamentBatch
        The batch, whose number of hands is changed.
    observations : Observations
        What players have seen of each other; the sums at the start of the hand are stored.
    """
    match = batch.match[slot]
    tournament = match // batch.rotations
    number = batch.rounds[match]  # of the round
    level = min(number // batch.hands_a_level, batch.levels.shape[0] - 1)
    tournament_number = batch.first + tournament
    random_key = compute_random_bits(batch.random_key, tournament_number)
    deal_key = compute_random_bits(batch.deal_key, tournament_number)
    for table in range(batch.tables[slot]):
        row = batch.table_rows[slot, table]
        if row == NO_ROW:
            continue
        hand = tables.hands[row]
        dealt_in = find_seats_with_chips(tables.hands[row])
        tables.number[row] = number
        if has_observations(observations):
            store_sums_at_hand_start(observations, tables, row)

        if not betting_engine.has_at_least_two_seats(dealt_in):
            # At tables of two, one of an odd number of players has nobody to play with: its hand is over, unpaid.
            hand[betting_engine.LIVE] = dealt_in
            for seat in range(hand[betting_engine.SEATS]):
                hand[betting_engine.STACKS + seat] = hand[betting_engine.STARTING_STACKS + seat]
            continue

        # The words of the structure come before the word SEATS.
        for word in range(betting_engine.SEATS):
            hand[word] = batch.levels[level, word]
        batch.hands[match] += 1
        tables.decision[row] = 0
        hand_index = (table << TABLE_BITS) + number  # in the tournament's streams
        tables.random_key[row] = compute_random_bits(random_key, hand_index)
        key = compute_random_bits(deal_key, hand_index)
        deal_cards(key, batch.deck, tables.deals[row], 2 * batch.num_seats + 5)
        button = find_next_button(dealt_in, hand[betting_engine.BIG_BLIND_SEAT])
        betting_engine.begin_hand(hand, button)


@inlined
def find_seats_with_chips(hand: Ints) -> int:
    """Return the set of seats with chips at the start of the hand, an integer with one bit for each seat."""
    seats = 0
    for seat in range(hand[betting_engine.SEATS]):
        seats |= (hand[betting_engine.STARTING_STACKS + seat] > 0) << seat
    return seats


@inlined
def find_next_button(dealt_in: int, big_blind: int) -> int:
    """Return the seat of the button in the next hand, when the big blind moves on from the seat `big_blind`.

    The big blind moves to the next seat that is dealt in. The button is two such seats before it, or the other seat if
    there are only two. `dealt_in` is the set of seats that are dealt in, one bit for each seat.
    """
    new_big_blind = betting_engine.find_next_seat(dealt_in, big_blind)
    # Go around the table until the seat after `small_blind` is the big blind; `button` is the seat before.
    button = new_big_blind
    small_blind = betting_engine.find_next_seat(dealt_in, new_big_blind)
    while betting_engine.find_next_seat(dealt_in, small_blind) != new_big_blind:
        button = small_blind
        small_blind = betting_engine.find_next_seat(dealt_in, small_blind)
    # With two seats the loop does not run: the other seat has the small blind and the button.
    return small_blind if button == new_big_blind else button


@inlined
def pay_round(tables: Tables, slot: int, batch: TournamentBatch) -> tuple[int, int]:
    """Settle the hands of a round: pay each seat, set its stack for the next hand, and record who is out.

    Parameters
    ----------
    tables : Tables
        The tables in play, whose starting stacks are changed.
    slot : int
        The slot of the match, its index among the matches in play.
    batch : TournamentBatch
        The batch. Its numbers of rounds and of hands won, its results, and the scratch arrays `eliminated` and
        `payoffs` are changed.

    Returns
    -------
    num_out, num_left : int
        The number of entrants that are out after this round, and the number of those that are left.
    """
    match = batch.match[slot]
    num_out = 0
    num_left = 0
    batch.rounds[match] += 1
    for table in range(batch.tables[slot]):
        row = batch.table_rows[slot, table]
        if row == NO_ROW:
            continue
        hand = tables.hands[row]
        payoffs = batch.payoffs
        compute_hand_payoffs(hand, tables.deals[row], payoffs)
        for seat in range(batch.num_seats):
            chips_before = hand[betting_engine.STARTING_STACKS + seat]
            if chips_before == 0:
                continue
            entrant = batch.entrants[row, seat]
            chips_after = chips_before + payoffs[seat]
            hand[betting_engine.STARTING_STACKS + seat] = chips_after
            if chips_after > chips_before:
                batch.won[match, entrant] += 1
            if chips_after > 0:
                num_left += 1
            else:
                num_out = append_eliminated_entrant(batch, match, num_out, chips_before, entrant)
    return num_out, num_left


@inlined
def append_eliminated_entrant(
    batch: TournamentBatch, match: int, num_out: int, chips: int, entrant: int
) -> int:
    """Append an entrant to the entrants of `batch.out`, and return their new number.

    Parameters
    ----------
    batch : TournamentBatch
        Its `eliminated` and `rounds_played` are changed.
    match : int
        The index of the match.
    num_out : int
        The number of entrants that `batch.out` contains already.
    chips : int
        The chips that decide the entrant's rank: those before the round in which it lost them, or those at the end.
    entrant : int
        The entrant, an index into the line-up.
    """
    batch.rounds_played[match, entrant] = batch.rounds[match]
    batch.eliminated[0, num_out] = chips
    batch.eliminated[1, num_out] = entrant
    return num_out + 1


@kernel
def rank_eliminated_entrants(
    batch: TournamentBatch, slot: int, num_out: int, num_ahead: int
) -> None:
    """Write the ranks of the entrants in `batch.out`, by their chips; equal chips share the mean of their ranks.

    Parameters
    ----------
    batch : TournamentBatch
        The batch, whose `ranks` are changed.
    slot : int
        The slot of the match, its index among the matches in play.
    num_out : int
        The number of entrants of `batch.out` that are ranked.
    num_ahead : int
        The number of other entrants that rank above all of them.
    """
    ranks = batch.ranks[batch.match[slot]]
    sorted_chips = np.sort(batch.eliminated[0][:num_out])
    for column in range(num_out):
        chips, entrant = batch.eliminated[0, column], batch.eliminated[1, column]
        num_with_more = num_out - np.searchsorted(sorted_chips, chips, side="right")
        num_with_as_much = num_out - np.searchsorted(sorted_chips, chips, side="left")
        # The ranks of those with equal chips are num_with_more + 1 to num_with_as_much.
        ranks[entrant] = num_ahead + (num_with_more + num_with_as_much + 1) / 2


@inlined
def append_remaining_entrants(tables: Tables, slot: int, batch: TournamentBatch) -> int:
    """Write the chips of all entrants that are left at the end, and return their number.

    These entrants overwrite those in `batch.out`, so that they are ranked by their chips.

    Parameters
    ----------
    tables : Tables
        The tables in play.
    slot : int
        The slot of the match, its index among the matches in play.
    batch : TournamentBatch
        Its `chips` and `eliminated` are changed.
    """
    match = batch.match[slot]
    num_left = 0
    for table in range(batch.tables[slot]):
        row = batch.table_rows[slot, table]
        if row == NO_ROW:
            continue
        for seat in range(batch.num_seats):
            chips = tables.hands[row, betting_engine.STARTING_STACKS + seat]
            entrant = batch.entrants[row, seat]
            if chips > 0:
                batch.chips[match, entrant] = chips
                num_left = append_eliminated_entrant(batch, match, num_left, chips, entrant)
    return num_left


@inlined
def free_slot_and_tables(slot: int, batch: TournamentBatch) -> None:
    """End the match in a slot: free the slot, and the rows of the match's tables, for the next matches."""
    for table in range(batch.tables[slot]):
        if batch.table_rows[slot, table] != NO_ROW:
            free_row(batch, batch.table_rows[slot, table])
    batch.tables[slot] = 0
    batch.match[slot] = NO_MATCH


@inlined
def free_row(batch: TournamentBatch, row: int) -> None:
    """Put a row that is no longer needed back on the stack of free rows."""
    batch.free_rows[batch.free_rows[-1]] = row
    batch.free_rows[-1] += 1


@inlined
def move_players_between_tables(
    tables: Tables, slot: int, batch: TournamentBatch, observations: Observations
) -> None:
    """Move players of a match between its tables, one after the other, until no rule makes another player move.

    `find_next_move_of_batch` has the rules. The row of a table that the last player has left is freed. The notes of
    players on each other move, too, if the game keeps observations.

    Parameters
    ----------
    tables : Tables
        The tables in play. In the rows of the match, players and their chips change their seats.
    slot : int
        The slot of the match: its index among the matches in play.
    batch : TournamentBatch
        The batch. Its entrants, its free rows, and the rows and the number of the match's tables are changed.
    observations : Observations
        What players have seen of each other. The notes at the tables of the match are changed.
    """
    # Collect the seats taken and the big blinds of all tables.
    num_tables = batch.tables[slot]
    seats_taken, big_blinds = batch.seats_taken[:num_tables], batch.big_blinds[:num_tables]
    for table in range(num_tables):
        seats_taken[table] = 0
        if batch.table_rows[slot, table] == NO_ROW:
            continue
        hand = tables.hands[batch.table_rows[slot, table]]
        seats_taken[table] = find_seats_with_chips(hand)
        big_blinds[table] = hand[betting_engine.BIG_BLIND_SEAT]

    # Move one player after the other.
    move = find_next_move_of_batch(batch, seats_taken, big_blinds)
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
            free_row(batch, old_row)
            batch.table_rows[slot, move.table] = NO_ROW
        move = find_next_move_of_batch(batch, seats_taken, big_blinds)

    # Forget broken tables at the end, so that loops over tables become shorter. At least one table has players, so this
    # loop ends.
    while batch.table_rows[slot, batch.tables[slot] - 1] == NO_ROW:
        batch.tables[slot] -= 1


@inlined
def transfer_player_to_table(
    tables: Tables, batch: TournamentBatch, old_row: int, old_seat: int, new_row: int, new_seat: int
) -> None:
    """Move a player with its chips from a seat at one table to a free seat at another.

    Parameters
    ----------
    tables : Tables
        The tables in play, which are changed.
    batch : TournamentBatch
        Its `entrants` are changed.
    old_row, old_seat : int
        The row of the old table, and the player's seat there.
    new_row, new_seat : int
        The row of the new table, and the free seat there.
    """
    batch.entrants[new_row, new_seat] = batch.entrants[old_row, old_seat]
    tables.lineup[new_row, new_seat] = tables.lineup[old_row, old_seat]
    old_stack = betting_engine.STARTING_STACKS + old_seat
    new_stack = betting_engine.STARTING_STACKS + new_seat
    tables.hands[new_row, new_stack] = tables.hands[old_row, old_stack]
    tables.hands[old_row, old_stack] = 0


@inlined
def find_next_move_of_batch(batch: TournamentBatch, seats_taken: Ints, big_blinds: Ints) -> Move:
    """Return the next move of a player between tables, by the rule of the batch.

    If `batch.keeps_even` is True, tables are kept equally full; otherwise the smallest table is broken when the others
    have seats for its players. If all players may stay, the `table` of the move is -1.

    Parameters
    ----------
    batch : TournamentBatch
        The batch, which has the rule and the number of seats of a table.
    seats_taken : ndarray of int64, shape (tables,)
        The set of seats that are taken at each table, one bit for each seat.
    big_blinds : ndarray of int64, shape (tables,)
        The seat that had the big blind last at each table.
    """
    if batch.keeps_even:
        return find_next_balancing_move(seats_taken, big_blinds, batch.num_seats)
    return find_next_breaking_move(seats_taken, big_blinds, batch.num_seats)
