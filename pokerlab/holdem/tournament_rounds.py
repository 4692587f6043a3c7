"""Tournaments round by round, in kernels: many side by side, each at as many tables as it needs.

How to read it. A batch of tournaments is played in places, `match.size` of them: a place holds a tournament
until it is over, and then the next one. Its tables are rows of `Tables`, taken from a stack of free rows and
given back when they are broken. A round is one hand at each table: "hand for hand", as the trade plays near
the money. Once all hands of a round are over, `pay_round` pays them out, `rank` ranks who is out, and
`change_tables` lets players move; `begin_round` deals the next hands.

Table t of a tournament deals hand h from the number at t * 2**44 + h of the tournament's stream.

Some change tables between two hands. Tournament directors [1]_ break tables and balance them:

1. As soon as the other tables have seats for all its players, the last table is broken.
2. Else, while one table has two players more than another, one moves from the longest to the shortest.
3. Who moves is the player who is due for the big blind. Who moves goes to the shortest table, and takes the
   empty seat there that is due soonest for it.

So nobody escapes a big blind by moving, and blinds are never more than one hand apart for those who stay.
Where directors draw lots, the table with the lowest number comes first.

A table is two numbers: the set of seats that are taken, an integer whose bit s stands for seat s, and the
seat that had the big blind last. `next_move` says who moves first; it is asked again once that is done.

In the tournaments of Nicolai & Hilderman [2]_ it is the smallest table that is broken as soon as the others
have seats for its players, and nobody else moves: so says `next_to_be_seated`.

`even_tables` says who sits where at first.

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
from pokerlab.core.random_numbers import number_at
from pokerlab.holdem import betting_engine
from pokerlab.holdem.betting_engine import NOBODY, NUM_TAKEN, next_seat, pay_out
from pokerlab.holdem.cards import Cards, deal_hand
from pokerlab.holdem.impressions import (
    Impressions,
    forget,
    is_kept,
    join,
    note_beginning,
    part,
)
from pokerlab.holdem.players import Rows
from pokerlab.holdem.table_view import Tables

WIDEST_GAP = 1  # by how many players tables may differ


class Move(NamedTuple):
    """A player's way from one seat to another; from table -1 if nobody is to move."""

    table: int
    seat: int
    to_table: int
    to_seat: int


@kernel
def next_move(taken: Ints, big_blinds: Ints, num_seats: int) -> Move:
    """Return who moves next between the tables of a tournament; of table -1 if all may stay.

    `taken` and `big_blinds`, (tables,), are for each table the set of its seats that are taken, and who had the big
    blind last. Only the last tables may be empty.

    Examples
    --------
    Three players and one at tables of four: the last table is broken, and its player sits down in the
    seat on the left of the big blind.

    >>> next_move(np.array([0b0111, 0b0001]), np.array([2, 0]), 4)
    Move(table=1, seat=0, to_table=0, to_seat=3)
    >>> next_move(np.array([0b1111, 0b0000]), np.array([3, 0]), 4).table
    -1
    """
    last = taken.size - 1
    while NUM_TAKEN[taken[last]] == 0:
        last -= 1
    players, longest, shortest = NUM_TAKEN[taken[last]], 0, 0
    for table in range(last):
        size = NUM_TAKEN[taken[table]]
        players += size
        if size > NUM_TAKEN[taken[longest]]:
            longest = table
        if size < NUM_TAKEN[taken[shortest]]:
            shortest = table
    if players <= last * num_seats:
        leaving = last
    else:
        leaving = last if NUM_TAKEN[taken[last]] > NUM_TAKEN[taken[longest]] else longest
        shortest = last if NUM_TAKEN[taken[last]] < NUM_TAKEN[taken[shortest]] else shortest
        if NUM_TAKEN[taken[leaving]] - NUM_TAKEN[taken[shortest]] <= WIDEST_GAP:
            return Move(NOBODY, NOBODY, NOBODY, NOBODY)
    return move_between(taken, big_blinds, num_seats, leaving, shortest)


@kernel
def next_to_be_seated(taken: Ints, big_blinds: Ints, num_seats: int) -> Move:
    """Return who moves next where only the smallest table, of several the last, is broken.

    Parameters and result are those of `next_move`, but any tables may be empty.

    Examples
    --------
    >>> next_to_be_seated(np.array([0b0011, 0b0000, 0b0001, 0b0111]), np.array([1, 0, 0, 2]), 4)
    Move(table=2, seat=0, to_table=0, to_seat=2)
    >>> next_to_be_seated(np.array([0b1111, 0b0001]), np.array([3, 0]), 4).table
    -1
    """
    players, num_tables, smallest, shortest = 0, 0, NOBODY, NOBODY
    for table in range(taken.size):
        size = NUM_TAKEN[taken[table]]
        if size == 0:
            continue
        players += size
        num_tables += 1
        if smallest == NOBODY or size <= NUM_TAKEN[taken[smallest]]:
            smallest = table
    if players > (num_tables - 1) * num_seats:
        return Move(NOBODY, NOBODY, NOBODY, NOBODY)
    for table in range(taken.size):
        size = NUM_TAKEN[taken[table]]
        if table == smallest or size == 0:
            continue
        if shortest == NOBODY or size < NUM_TAKEN[taken[shortest]]:
            shortest = table
    return move_between(taken, big_blinds, num_seats, smallest, shortest)


@inlined
def move_between(
    taken: Ints, big_blinds: Ints, num_seats: int, leaving: int, shortest: int
) -> Move:
    """Return the move by rule 3 from one table to another."""
    empty = ~taken[shortest] & (1 << num_seats) - 1
    return Move(
        leaving,
        int(next_seat(taken[leaving], big_blinds[leaving])),
        shortest,
        int(next_seat(empty, big_blinds[shortest])),
    )


def even_tables(num_players: int, num_seats: int) -> Ints:
    """Return who sits where at first, evenly at as many tables as are needed, (tables, seats).

    Examples
    --------
    >>> even_tables(7, 4).tolist()
    [[0, 1, 2, -1], [3, 4, 5, 6]]
    """
    num_tables = -(-num_players // num_seats)
    edges = num_players * np.arange(num_tables + 1) // num_tables
    places = edges[:-1, None] + np.arange(min(num_seats, num_players))
    return np.where(places < edges[1:, None], places, NOBODY)


TABLE_BITS = 44
"""Where the number of a table stands above that of a hand; more hands are never played."""


class TournamentBatch(NamedTuple):
    """What a batch of tournaments has in common, how it stands, and what comes of it.

    A match is one tournament in one rotation of its seats: match m is tournament m // rotations.
    """

    levels: Ints  # (levels, NUM_STRUCTURE_WORDS): structures
    hands_a_level: int
    most_hands: int  # after which a tournament ends
    num_seats: int  # of a table
    keeps_even: bool  # whether players move so that tables stay even, or the smallest is broken
    lineups: Ints  # (T, E): who plays, in the order of the seats
    stacks: Ints  # (E,): with how many chips
    deal_key: np.uint64  # where cards come from
    luck_key: np.uint64  # where the players' luck comes from
    first: int  # number of the first tournament
    rotations: int  # how often each is played
    deck: Cards  # (52,): to deal from
    payoffs: Ints  # (num_seats,): to pay out into
    begun: Ints  # (1,): how many matches have begun
    free: Ints  # (K + 1,): a stack of the rows that no match uses; last how many there are
    match: Ints  # (places,): which match is played in each place, -1 for none
    tables: Ints  # (places,): at how many tables by now
    row_of: Ints  # (places, W): the rows of its tables, -1 for one that is broken
    entrants: Ints  # (K, num_seats): who sits at each row, by the place in the line-up
    taken: Ints  # (W,): the seats taken at each table of one tournament
    big_blinds: Ints  # (W,): who had the big blind there
    out: Ints  # (2, E): who is out in a round: chips before it, and the place in the line-up
    ranks: NDArray[np.float64]  # (matches, E): written, as all below; by place in the line-up
    chips: Ints  # (matches, E): at the end
    lasted: Ints  # (matches, E): how many rounds each took part in
    won: Ints  # (matches, E): after how many hands it had more chips than before
    rounds: Ints  # (matches,): rounds played
    hands: Ints  # (matches,): hands at all tables


@kernel
def deal_next(
    tables: Tables, played: TournamentBatch, impressions: Impressions, out_asked: Rows
) -> int:
    """Go on to the next round where one is over, and to the next match where one is.

    The rows at which somebody is to act are written to `out_asked`; their number is returned.
    """
    count = 0
    for place in range(played.match.size):
        before = count
        while True:
            for table in range(played.tables[place]):
                row = played.row_of[place, table]
                if (
                    row != betting_engine.NOBODY
                    and tables.hands[row, betting_engine.ACTOR] != betting_engine.NOBODY
                ):
                    out_asked[count] = row
                    count += 1
            if count > before:
                break
            if played.match[place] != betting_engine.NOBODY:
                num_out, left = pay_round(tables, place, played)
                if num_out > 0:
                    rank(played, place, num_out, left)
                if left == 1 or played.rounds[played.match[place]] == played.most_hands:
                    # A literal 0 would have `rank` compiled once more.
                    rank(played, place, gather(tables, place, played), int(np.int64(0)))
                    leave(place, played)
                elif num_out > 0 and played.tables[place] > 1:
                    change_tables(tables, place, played, impressions)
            if played.match[place] == betting_engine.NOBODY:
                begin_match(tables, place, played, impressions)
            if played.match[place] == betting_engine.NOBODY:
                break
            begin_round(tables, place, played, impressions)
    return count


@inlined
def begin_match(
    tables: Tables, place: int, played: TournamentBatch, impressions: Impressions
) -> None:
    """Seat the entrants of the next match, if there is one, and tables for it are free."""
    match, num_entrants = played.begun[0], played.lineups.shape[1]
    num_tables, num_seats = played.row_of.shape[1], played.num_seats
    if match == played.hands.size or played.free[-1] < num_tables:
        return
    played.begun[0] += 1
    played.match[place] = match
    played.tables[place] = num_tables
    tournament, rotation = match // played.rotations, match % played.rotations
    number = played.first + tournament
    before = played.first * played.rotations * num_tables
    if is_kept(impressions):
        impressions.keys[place] = 0
    for table in range(num_tables):
        played.free[-1] -= 1
        row = played.free[played.free[-1]]
        played.row_of[place, table] = row
        hand = tables.hands[row]
        low = num_entrants * table // num_tables
        for seat in range(num_seats):
            hand[betting_engine.START + seat] = 0
        for seat in range(num_entrants * (table + 1) // num_tables - low):
            # Only at a single table do players move on for a rotation.
            entrant = low + seat - rotation + (num_entrants if seat < rotation else 0)
            played.entrants[row, seat] = entrant
            tables.lineup[row, seat] = played.lineups[tournament, entrant]
            # The chips belong to the seat, in every rotation.
            hand[betting_engine.START + seat] = played.stacks[low + seat]
        hand[betting_engine.SEATS] = num_seats
        hand[betting_engine.BIG_BLIND_SEAT] = number % num_seats
        tables.match[row] = before + match * num_tables + table
        if is_kept(impressions):
            forget(impressions, row)


@inlined
def begin_round(
    tables: Tables, place: int, played: TournamentBatch, impressions: Impressions
) -> None:
    """Move the blinds and the button at each table, raise the level where it is time, and deal."""
    match = played.match[place]
    tournament, number = match // played.rotations, played.rounds[match]
    level = min(number // played.hands_a_level, played.levels.shape[0] - 1)
    stream = played.first + tournament
    luck_key, deal_key = number_at(played.luck_key, stream), number_at(played.deal_key, stream)
    for table in range(played.tables[place]):
        row = played.row_of[place, table]
        if row == betting_engine.NOBODY:
            continue
        hand, dealt_in = tables.hands[row], with_chips(tables.hands[row])
        tables.number[row] = number
        if is_kept(impressions):
            note_beginning(impressions, tables, row)
        if not betting_engine.has_two(dealt_in):
            # At tables of two, one of an odd number of players has nobody to play with: its hand is over, unpaid.
            hand[betting_engine.LIVE] = dealt_in
            for seat in range(hand[betting_engine.SEATS]):
                hand[betting_engine.STACK + seat] = hand[betting_engine.START + seat]
            continue
        for word in range(betting_engine.SEATS):
            hand[word] = played.levels[level, word]
        of_table = table << TABLE_BITS
        played.hands[match] += 1
        tables.decision[row] = 0
        tables.luck_key[row] = number_at(luck_key, of_table + number)
        key = number_at(deal_key, of_table + number)
        deal_hand(key, played.deck, tables.deals[row], 2 * played.num_seats + 5)
        betting_engine.begin(hand, next_button(dealt_in, hand[betting_engine.BIG_BLIND_SEAT]))


@inlined
def with_chips(hand: Ints) -> int:
    """Return the set of seats that began the hand with chips."""
    seats = 0
    for seat in range(hand[betting_engine.SEATS]):
        seats |= (hand[betting_engine.START + seat] > 0) << seat
    return seats


@inlined
def next_button(dealt_in: int, big_blind: int) -> int:
    """Return who has the button when the big blind moves on from who had it."""
    big = betting_engine.next_seat(dealt_in, big_blind)
    button, small = big, betting_engine.next_seat(dealt_in, big)
    while betting_engine.next_seat(dealt_in, small) != big:
        button, small = small, betting_engine.next_seat(dealt_in, small)
    # With two, the loop does not run: the other seat has small blind and button.
    return small if button == big else button


@inlined
def pay_round(tables: Tables, place: int, played: TournamentBatch) -> tuple[int, int]:
    """Pay out the hands of a round; return how many are out with it, and how many are left."""
    match, num_out, left = played.match[place], 0, 0
    played.rounds[match] += 1
    for table in range(played.tables[place]):
        row = played.row_of[place, table]
        if row == betting_engine.NOBODY:
            continue
        hand, payoffs = tables.hands[row], played.payoffs
        pay_out(hand, tables.deals[row], payoffs)
        for seat in range(played.num_seats):
            before = hand[betting_engine.START + seat]
            if before > 0:
                after = before + payoffs[seat]
                hand[betting_engine.START + seat] = after
                if after > before:
                    played.won[match, played.entrants[row, seat]] += 1
                if after > 0:
                    left += 1
                else:
                    num_out = write_out(played, match, num_out, before, played.entrants[row, seat])
    return num_out, left


@inlined
def write_out(played: TournamentBatch, match: int, num_out: int, chips: int, entrant: int) -> int:
    """Write down one more whose tournament is over; return how many there are."""
    played.lasted[match, entrant] = played.rounds[match]
    played.out[0, num_out] = chips
    played.out[1, num_out] = entrant
    return num_out + 1


@kernel
def rank(played: TournamentBatch, place: int, num_out: int, ahead: int) -> None:
    """Rank the first `num_out` of `out` by their chips, below `ahead` others; equal chips share the mean."""
    ranks, chips = played.ranks[played.match[place]], np.sort(played.out[0][:num_out])
    for column in range(num_out):
        more = num_out - np.searchsorted(chips, played.out[0, column], side="right")
        not_fewer = num_out - np.searchsorted(chips, played.out[0, column], side="left")
        ranks[played.out[1, column]] = ahead + (more + not_fewer + 1) / 2


@inlined
def gather(tables: Tables, place: int, played: TournamentBatch) -> int:
    """Write down who is left at the end, with their chips; return how many they are."""
    match, num_left = played.match[place], 0
    for table in range(played.tables[place]):
        row = played.row_of[place, table]
        if row == betting_engine.NOBODY:
            continue
        for seat in range(played.num_seats):
            chips, entrant = (
                tables.hands[row, betting_engine.START + seat],
                played.entrants[row, seat],
            )
            if chips > 0:
                played.chips[match, entrant] = chips
                num_left = write_out(played, match, num_left, chips, entrant)
    return num_left


@inlined
def leave(place: int, played: TournamentBatch) -> None:
    """Let the next match have a place and its tables."""
    for table in range(played.tables[place]):
        if played.row_of[place, table] != betting_engine.NOBODY:
            give_back(played, played.row_of[place, table])
    played.tables[place] = 0
    played.match[place] = betting_engine.NOBODY


@inlined
def give_back(played: TournamentBatch, row: int) -> None:
    """Put a row that is not needed any more back on the stack."""
    played.free[played.free[-1]] = row
    played.free[-1] += 1


@inlined
def change_tables(
    tables: Tables, place: int, played: TournamentBatch, impressions: Impressions
) -> None:
    """Let players change tables by the rules of `pokerlab.holdem.tournament_rounds`."""
    num_tables = played.tables[place]
    taken, big_blinds = played.taken[:num_tables], played.big_blinds[:num_tables]
    for table in range(num_tables):
        taken[table] = 0
        if played.row_of[place, table] == betting_engine.NOBODY:
            continue
        hand = tables.hands[played.row_of[place, table]]
        taken[table] = with_chips(hand)
        big_blinds[table] = hand[betting_engine.BIG_BLIND_SEAT]
    move = whose_move(played, taken, big_blinds)
    while move.table != betting_engine.NOBODY:
        old, row = played.row_of[place, move.table], played.row_of[place, move.to_table]
        taken[move.table] &= ~(1 << move.seat)
        if is_kept(impressions):
            part(impressions, place, played.entrants, old, move.seat, taken[move.table])
        played.entrants[row, move.to_seat] = played.entrants[old, move.seat]
        tables.lineup[row, move.to_seat] = tables.lineup[old, move.seat]
        tables.hands[row, betting_engine.START + move.to_seat] = tables.hands[
            old, betting_engine.START + move.seat
        ]
        tables.hands[old, betting_engine.START + move.seat] = 0
        if is_kept(impressions):
            others = taken[move.to_table]
            rows, seats = (old, row), (move.seat, move.to_seat)
            join(impressions, place, played.entrants, rows, seats, others)
        taken[move.to_table] |= 1 << move.to_seat
        if taken[move.table] == 0:
            give_back(played, old)
            played.row_of[place, move.table] = betting_engine.NOBODY
        move = whose_move(played, taken, big_blinds)
    while played.row_of[place, played.tables[place] - 1] == betting_engine.NOBODY:
        played.tables[place] -= 1


@inlined
def whose_move(played: TournamentBatch, taken: Ints, big_blinds: Ints) -> Move:
    """Return who moves next."""
    if played.keeps_even:
        return next_move(taken, big_blinds, played.num_seats)
    return next_to_be_seated(taken, big_blinds, played.num_seats)
