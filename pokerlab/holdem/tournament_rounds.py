"""The kernels of tournaments: rounds of hands, eliminations, and moves of players between tables.

A batch of tournaments is played in *places*: a place holds a tournament
until it is over, and then the next one. Its tables are rows of `Tables`, taken from a stack of free rows and
given back when they are broken. A round is one hand at each table: "hand for hand", as tournaments are played near
the money. Once all hands of a round are over, `pay_round` pays them, `rank_eliminated_entrants` ranks those who are
out, and `move_players_between_tables` lets players change tables; `deal_round` deals the next hands.

Table t of a tournament deals hand h from the number at t * 2**44 + h of the tournament's stream.

Players change tables between two hands. Tournament directors [1]_ break tables and balance them:

1. As soon as the other tables have seats for all its players, the last table is broken.
2. Else, while one table has two players more than another, one moves from the longest to the shortest.
3. The player moves who is due for the big blind. The player goes to the shortest table, and takes the
   empty seat there that is due soonest for it.

So no player escapes a big blind by moving, and blinds are never more than one hand apart for those who stay.
Where directors draw lots, the table with the lowest number comes first.

A table is two numbers: the set of seats that are taken, an integer whose bit s stands for seat s, and the
seat that had the big blind last. `find_next_balancing_move` returns one move; it is called again once that is done.

In the tournaments of Nicolai & Hilderman [2]_ the smallest table is broken as soon as the others
have seats for its players, and no other player moves: `find_next_breaking_move`.

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
from pokerlab.holdem.betting_engine import (
    NOBODY,
    NUM_SEATS_IN,
    compute_hand_payoffs,
    find_next_seat,
)
from pokerlab.holdem.cards import Cards, deal_cards
from pokerlab.holdem.impressions import (
    Impressions,
    clear_table_notes,
    keeps_impressions,
    move_player_notes,
    store_notes_of_parting_pairs,
    store_sums_at_hand_start,
)
from pokerlab.holdem.players import Rows
from pokerlab.holdem.table_view import Tables

WIDEST_GAP = 1  # by how many players tables may differ


class Move(NamedTuple):
    """A player's move from a seat at one table to a seat at another; `table` is -1 if no player has to move."""

    table: int
    seat: int
    to_table: int
    to_seat: int


@kernel
def find_next_balancing_move(taken: Ints, big_blinds: Ints, num_seats: int) -> Move:
    """Return the next move between the tables of a tournament, by rules 1 to 3 of this module.

    The `table` of the move is -1 if all players may stay.

    Parameters
    ----------
    taken : ndarray of int64, shape (tables,)
        The set of seats that are taken at each table; only the last tables may be empty.
    big_blinds : ndarray of int64, shape (tables,)
        The seat that had the big blind last at each table.
    num_seats : int
        Seats of a table.

    Examples
    --------
    Three players and one at tables of four: the last table is broken, and its player takes the
    seat on the left of the big blind.

    >>> find_next_balancing_move(np.array([0b0111, 0b0001]), np.array([2, 0]), 4)
    Move(table=1, seat=0, to_table=0, to_seat=3)
    >>> find_next_balancing_move(np.array([0b1111, 0b0000]), np.array([3, 0]), 4).table
    -1
    """
    last = taken.size - 1
    while NUM_SEATS_IN[taken[last]] == 0:
        last -= 1

    # How many players there are, and the longest and the shortest of the tables before the last.
    players = NUM_SEATS_IN[taken[last]]
    longest = 0
    shortest = 0
    for table in range(last):
        size = NUM_SEATS_IN[taken[table]]
        players += size
        if size > NUM_SEATS_IN[taken[longest]]:
            longest = table
        if size < NUM_SEATS_IN[taken[shortest]]:
            shortest = table
    if players <= last * num_seats:
        leaving = last  # rule 1: the other tables have seats for all
    else:  # rule 2
        leaving = last if NUM_SEATS_IN[taken[last]] > NUM_SEATS_IN[taken[longest]] else longest
        shortest = last if NUM_SEATS_IN[taken[last]] < NUM_SEATS_IN[taken[shortest]] else shortest
        if NUM_SEATS_IN[taken[leaving]] - NUM_SEATS_IN[taken[shortest]] <= WIDEST_GAP:
            return Move(NOBODY, NOBODY, NOBODY, NOBODY)
    return make_move_between_tables(taken, big_blinds, num_seats, leaving, shortest)


@kernel
def find_next_breaking_move(taken: Ints, big_blinds: Ints, num_seats: int) -> Move:
    """Return the next move between the tables of a tournament if only the smallest table is broken.

    If several tables are the smallest, the last of them is broken. The parameters and the result are those of
    `find_next_balancing_move`, but any table may be empty.

    Examples
    --------
    >>> find_next_breaking_move(np.array([0b0011, 0b0000, 0b0001, 0b0111]), np.array([1, 0, 0, 2]), 4)
    Move(table=2, seat=0, to_table=0, to_seat=2)
    >>> find_next_breaking_move(np.array([0b1111, 0b0001]), np.array([3, 0]), 4).table
    -1
    """
    players, num_tables, smallest, shortest = 0, 0, NOBODY, NOBODY
    for table in range(taken.size):
        size = NUM_SEATS_IN[taken[table]]
        if size == 0:
            continue
        players += size
        num_tables += 1
        if smallest == NOBODY or size <= NUM_SEATS_IN[taken[smallest]]:
            smallest = table
    if players > (num_tables - 1) * num_seats:
        return Move(NOBODY, NOBODY, NOBODY, NOBODY)
    for table in range(taken.size):
        size = NUM_SEATS_IN[taken[table]]
        if table == smallest or size == 0:
            continue
        if shortest == NOBODY or size < NUM_SEATS_IN[taken[shortest]]:
            shortest = table
    return make_move_between_tables(taken, big_blinds, num_seats, smallest, shortest)


@inlined
def make_move_between_tables(
    taken: Ints, big_blinds: Ints, num_seats: int, leaving: int, shortest: int
) -> Move:
    """Return the move from the table `leaving` to the table `shortest`, by rule 3 of this module.

    The player moves who is due for the big blind, and takes the empty seat that is due for it soonest.
    """
    empty = ~taken[shortest] & (1 << num_seats) - 1
    return Move(
        leaving,
        int(find_next_seat(taken[leaving], big_blinds[leaving])),
        shortest,
        int(find_next_seat(empty, big_blinds[shortest])),
    )


def seat_players_evenly(num_players: int, num_seats: int) -> Ints:
    """Return the player in each seat when players are distributed as evenly as possible over the tables they need.

    Returns
    -------
    ndarray of int64, shape (tables, seats)
        The index of the player in each seat, or -1 for an empty seat.

    Examples
    --------
    >>> seat_players_evenly(7, 4).tolist()
    [[0, 1, 2, -1], [3, 4, 5, 6]]
    """
    num_tables = -(-num_players // num_seats)
    edges = num_players * np.arange(num_tables + 1) // num_tables
    places = edges[:-1, None] + np.arange(min(num_seats, num_players))
    return np.where(places < edges[1:, None], places, NOBODY)


TABLE_BITS = 44
"""The random numbers of table t begin at the index t * 2**44 of a tournament's stream. No table plays more hands."""


class TournamentBatch(NamedTuple):
    """The settings, the state and the results of a batch of tournaments.

    There are T tournaments with E entrants each, at up to W tables each. They are played in K rows of `Tables`. A match
    is a tournament in one rotation of its seats, and match m is tournament m // rotations. An *entrant* is an index
    into the line-up of a tournament. A *place* holds a match until it is over, and then the next one.

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
    begun : ndarray of int64, shape (1,)
        The number of matches that have begun.
    free : ndarray of int64, shape (K + 1,)
        A stack of the rows that no match uses; the last entry is their number.
    match : ndarray of int64, shape (places,)
        The match in each place, or -1 if there is none.
    tables : ndarray of int64, shape (places,)
        The number of tables of the match in each place.
    row_of : ndarray of int64, shape (places, W)
        The row of each table of the match in each place, or -1 for a table that is broken.
    entrants : ndarray of int64, shape (K, num_seats)
        The entrant in each seat of each row.
    taken : ndarray of int64, shape (W,)
        The set of seats that are taken at each table of one tournament.
    big_blinds : ndarray of int64, shape (W,)
        The seat that had the big blind at each of these tables.
    out : ndarray of int64, shape (2, E)
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
    begun: Ints
    free: Ints
    match: Ints
    tables: Ints
    row_of: Ints
    entrants: Ints
    taken: Ints
    big_blinds: Ints
    out: Ints
    ranks: NDArray[np.float64]
    chips: Ints
    rounds_played: Ints
    won: Ints
    rounds: Ints
    hands: Ints


@kernel
def deal_next_rounds(
    tables: Tables, batch: TournamentBatch, impressions: Impressions, out_asked: Rows
) -> int:
    """Begin the next round in places whose round is over, and the next match where a match is over.

    Parameters
    ----------
    tables : Tables
    batch : TournamentBatch
    impressions : Impressions
        What players have seen of each other; NO_IMPRESSIONS if the game does not keep it.
    out_asked : ndarray of int
        Overwritten with the rows of the tables at which a seat is to act.

    Returns
    -------
    int
        How many such rows there are.
    """
    count = 0
    for place in range(batch.match.size):
        before = count
        while True:
            count = append_tables_to_act(tables, place, batch, count, out_asked)
            if count > before:
                break  # the round is not over

            # Pay the round and rank those who are out; then end the match, or let players move.
            if batch.match[place] != betting_engine.NOBODY:
                num_out, num_left = pay_round(tables, place, batch)
                if num_out > 0:
                    rank_eliminated_entrants(batch, place, num_out, num_left)
                if num_left == 1 or batch.rounds[batch.match[place]] == batch.most_hands:
                    num_ranked = append_remaining_entrants(tables, place, batch)
                    # A literal 0 would have `rank_eliminated_entrants` compiled once more.
                    rank_eliminated_entrants(batch, place, num_ranked, int(np.int64(0)))
                    free_place_and_tables(place, batch)
                elif num_out > 0 and batch.tables[place] > 1:
                    move_players_between_tables(tables, place, batch, impressions)

            # Begin the next match in a free place, and the next round.
            if batch.match[place] == betting_engine.NOBODY:
                seat_next_match(tables, place, batch, impressions)
            if batch.match[place] == betting_engine.NOBODY:
                break  # no match is left
            deal_round(tables, place, batch, impressions)
    return count


@inlined
def append_tables_to_act(
    tables: Tables, place: int, batch: TournamentBatch, count: int, out_asked: Rows
) -> int:
    """Add the tables of a place at which a seat is to act to those that were found before, and return their number.

    `count` is the number of rows that `out_asked` contains already.
    """
    for table in range(batch.tables[place]):
        row = batch.row_of[place, table]
        if (
            row != betting_engine.NOBODY
            and tables.hands[row, betting_engine.ACTOR] != betting_engine.NOBODY
        ):
            out_asked[count] = row
            count += 1
    return count


@inlined
def seat_next_match(
    tables: Tables, place: int, batch: TournamentBatch, impressions: Impressions
) -> None:
    """Seat the entrants of the next match in a place, if there is one and enough rows are free for its tables."""
    match = batch.begun[0]
    num_entrants = batch.lineups.shape[1]
    num_tables = batch.row_of.shape[1]
    num_seats = batch.num_seats
    if match == batch.hands.size or batch.free[-1] < num_tables:
        return
    batch.begun[0] += 1
    batch.match[place] = match
    batch.tables[place] = num_tables
    tournament = match // batch.rotations
    rotation = match % batch.rotations
    number = batch.first + tournament
    tables_before = batch.first * batch.rotations * num_tables  # those of earlier batches
    if keeps_impressions(impressions):
        impressions.keys[place] = 0
    for table in range(num_tables):
        batch.free[-1] -= 1
        row = batch.free[batch.free[-1]]
        batch.row_of[place, table] = row
        hand = tables.hands[row]
        first_seat = num_entrants * table // num_tables  # in the order of all seats
        end_seat = num_entrants * (table + 1) // num_tables
        for seat in range(num_seats):
            hand[betting_engine.STARTING_STACKS + seat] = 0
        for seat in range(end_seat - first_seat):
            # Only at a single table do players move on for a rotation.
            entrant = first_seat + seat - rotation + (num_entrants if seat < rotation else 0)
            batch.entrants[row, seat] = entrant
            tables.lineup[row, seat] = batch.lineups[tournament, entrant]
            # The chips belong to the seat, in every rotation.
            hand[betting_engine.STARTING_STACKS + seat] = batch.stacks[first_seat + seat]
        hand[betting_engine.SEATS] = num_seats
        hand[betting_engine.BIG_BLIND_SEAT] = number % num_seats
        tables.match[row] = tables_before + match * num_tables + table
        if keeps_impressions(impressions):
            clear_table_notes(impressions, row)


@inlined
def deal_round(
    tables: Tables, place: int, batch: TournamentBatch, impressions: Impressions
) -> None:
    """Deal the next hand at each table of a place, with the blinds of the present level and the button moved on."""
    match = batch.match[place]
    tournament = match // batch.rotations
    number = batch.rounds[match]
    level = min(number // batch.hands_a_level, batch.levels.shape[0] - 1)
    stream = batch.first + tournament
    random_key, deal_key = (
        compute_random_bits(batch.random_key, stream),
        compute_random_bits(batch.deal_key, stream),
    )
    for table in range(batch.tables[place]):
        row = batch.row_of[place, table]
        if row == betting_engine.NOBODY:
            continue
        hand = tables.hands[row]
        dealt_in = find_seats_with_chips(tables.hands[row])
        tables.number[row] = number
        if keeps_impressions(impressions):
            store_sums_at_hand_start(impressions, tables, row)
        if not betting_engine.has_two_seats(dealt_in):
            # At tables of two, one of an odd number of players has nobody to play with: its hand is over, unpaid.
            hand[betting_engine.LIVE] = dealt_in
            for seat in range(hand[betting_engine.SEATS]):
                hand[betting_engine.STACKS + seat] = hand[betting_engine.STARTING_STACKS + seat]
            continue
        for word in range(betting_engine.SEATS):
            hand[word] = batch.levels[level, word]
        of_table = table << TABLE_BITS
        batch.hands[match] += 1
        tables.decision[row] = 0
        tables.random_key[row] = compute_random_bits(random_key, of_table + number)
        key = compute_random_bits(deal_key, of_table + number)
        deal_cards(key, batch.deck, tables.deals[row], 2 * batch.num_seats + 5)
        betting_engine.begin_hand(
            hand, find_next_button(dealt_in, hand[betting_engine.BIG_BLIND_SEAT])
        )


@inlined
def find_seats_with_chips(hand: Ints) -> int:
    """Return the set of seats with chips at the start of the hand."""
    seats = 0
    for seat in range(hand[betting_engine.SEATS]):
        seats |= (hand[betting_engine.STARTING_STACKS + seat] > 0) << seat
    return seats


@inlined
def find_next_button(dealt_in: int, big_blind: int) -> int:
    """Return the seat of the button in the next hand, when the big blind moves on from the seat `big_blind`.

    `dealt_in` is the set of seats that are dealt in.
    """
    big = betting_engine.find_next_seat(dealt_in, big_blind)
    button = big
    small = betting_engine.find_next_seat(dealt_in, big)
    while betting_engine.find_next_seat(dealt_in, small) != big:
        button = small
        small = betting_engine.find_next_seat(dealt_in, small)
    # With two, the loop does not run: the other seat has small blind and button.
    return small if button == big else button


@inlined
def pay_round(tables: Tables, place: int, batch: TournamentBatch) -> tuple[int, int]:
    """Pay the hands of a round in a place.

    Returns
    -------
    num_out, num_left : int
        The number of entrants that are out after this round, and the number of those that are left.
    """
    match = batch.match[place]
    num_out = 0
    left = 0
    batch.rounds[match] += 1
    for table in range(batch.tables[place]):
        row = batch.row_of[place, table]
        if row == betting_engine.NOBODY:
            continue
        hand = tables.hands[row]
        payoffs = batch.payoffs
        compute_hand_payoffs(hand, tables.deals[row], payoffs)
        for seat in range(batch.num_seats):
            before = hand[betting_engine.STARTING_STACKS + seat]
            if before > 0:
                after = before + payoffs[seat]
                hand[betting_engine.STARTING_STACKS + seat] = after
                if after > before:
                    batch.won[match, batch.entrants[row, seat]] += 1
                if after > 0:
                    left += 1
                else:
                    num_out = append_eliminated_entrant(
                        batch, match, num_out, before, batch.entrants[row, seat]
                    )
    return num_out, left


@inlined
def append_eliminated_entrant(
    batch: TournamentBatch, match: int, num_out: int, chips: int, entrant: int
) -> int:
    """Add an entrant, with its chips before the round, to the entrants that are out, and return their new number."""
    batch.rounds_played[match, entrant] = batch.rounds[match]
    batch.out[0, num_out] = chips
    batch.out[1, num_out] = entrant
    return num_out + 1


@kernel
def rank_eliminated_entrants(batch: TournamentBatch, place: int, num_out: int, ahead: int) -> None:
    """Write the ranks of the entrants that are out, by their chips; equal chips share the mean of their ranks.

    Parameters
    ----------
    batch : TournamentBatch
    place : int
        The place of the match.
    num_out : int
        The number of entrants of `batch.out` that are ranked.
    ahead : int
        The number of other entrants that rank above all of them.
    """
    ranks = batch.ranks[batch.match[place]]
    chips = np.sort(batch.out[0][:num_out])
    for column in range(num_out):
        more = num_out - np.searchsorted(chips, batch.out[0, column], side="right")
        not_fewer = num_out - np.searchsorted(chips, batch.out[0, column], side="left")
        ranks[batch.out[1, column]] = ahead + (more + not_fewer + 1) / 2


@inlined
def append_remaining_entrants(tables: Tables, place: int, batch: TournamentBatch) -> int:
    """Write the chips of all entrants that are left at the end, and return their number.

    These entrants are also added to those that are out, so that they are ranked by their chips.
    """
    match = batch.match[place]
    num_left = 0
    for table in range(batch.tables[place]):
        row = batch.row_of[place, table]
        if row == betting_engine.NOBODY:
            continue
        for seat in range(batch.num_seats):
            chips = tables.hands[row, betting_engine.STARTING_STACKS + seat]
            entrant = batch.entrants[row, seat]
            if chips > 0:
                batch.chips[match, entrant] = chips
                num_left = append_eliminated_entrant(batch, match, num_left, chips, entrant)
    return num_left


@inlined
def free_place_and_tables(place: int, batch: TournamentBatch) -> None:
    """Free a place and the rows of its tables for the next match."""
    for table in range(batch.tables[place]):
        if batch.row_of[place, table] != betting_engine.NOBODY:
            free_row(batch, batch.row_of[place, table])
    batch.tables[place] = 0
    batch.match[place] = betting_engine.NOBODY


@inlined
def free_row(batch: TournamentBatch, row: int) -> None:
    """Put a row that is no longer needed back on the stack of free rows."""
    batch.free[batch.free[-1]] = row
    batch.free[-1] += 1


@inlined
def move_players_between_tables(
    tables: Tables, place: int, batch: TournamentBatch, impressions: Impressions
) -> None:
    """Move players of a place between its tables until all may stay, and free the rows of broken tables."""
    # The seats taken and the big blinds of all tables.
    num_tables = batch.tables[place]
    taken, big_blinds = batch.taken[:num_tables], batch.big_blinds[:num_tables]
    for table in range(num_tables):
        taken[table] = 0
        if batch.row_of[place, table] == betting_engine.NOBODY:
            continue
        hand = tables.hands[batch.row_of[place, table]]
        taken[table] = find_seats_with_chips(hand)
        big_blinds[table] = hand[betting_engine.BIG_BLIND_SEAT]
    move = find_next_move_of_batch(batch, taken, big_blinds)
    while move.table != betting_engine.NOBODY:
        old_row, new_row = batch.row_of[place, move.table], batch.row_of[place, move.to_table]
        taken[move.table] &= ~(1 << move.seat)
        if keeps_impressions(impressions):
            store_notes_of_parting_pairs(
                impressions, place, batch.entrants, old_row, move.seat, taken[move.table]
            )
        transfer_player_to_table(tables, batch, old_row, move.seat, new_row, move.to_seat)
        if keeps_impressions(impressions):
            others = taken[move.to_table]
            rows = (old_row, new_row)
            seats = (move.seat, move.to_seat)
            move_player_notes(impressions, place, batch.entrants, rows, seats, others)
        taken[move.to_table] |= 1 << move.to_seat
        if taken[move.table] == 0:
            free_row(batch, old_row)
            batch.row_of[place, move.table] = betting_engine.NOBODY
        move = find_next_move_of_batch(batch, taken, big_blinds)
    while batch.row_of[place, batch.tables[place] - 1] == betting_engine.NOBODY:
        batch.tables[place] -= 1


@inlined
def transfer_player_to_table(
    tables: Tables, batch: TournamentBatch, old_row: int, old_seat: int, new_row: int, new_seat: int
) -> None:
    """Let a player take its chips from a seat at one table to a free seat at another."""
    batch.entrants[new_row, new_seat] = batch.entrants[old_row, old_seat]
    tables.lineup[new_row, new_seat] = tables.lineup[old_row, old_seat]
    old_place = betting_engine.STARTING_STACKS + old_seat
    new_place = betting_engine.STARTING_STACKS + new_seat
    tables.hands[new_row, new_place] = tables.hands[old_row, old_place]
    tables.hands[old_row, old_place] = 0


@inlined
def find_next_move_of_batch(batch: TournamentBatch, taken: Ints, big_blinds: Ints) -> Move:
    """Return the next player who changes tables, by the batch's rule, and where the player goes.

    With `keeps_even` tables are kept at equal sizes; otherwise the smallest table is dissolved when its players have
    room at others. If all players may stay, `table` of the result is -1. `taken` has the seats that are taken, and
    `big_blinds` the seats of the big blinds.
    """
    if batch.keeps_even:
        return find_next_balancing_move(taken, big_blinds, batch.num_seats)
    return find_next_breaking_move(taken, big_blinds, batch.num_seats)
