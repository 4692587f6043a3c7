"""Who changes tables between two hands of a tournament, by the rules of the trade.

Tournament directors [1]_ break tables and balance them:

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

from pokerlab.core import Ints, inlined, kernel
from pokerlab.holdem.betting.engine import NOBODY, NUM_TAKEN, next_seat

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
        int(np.int64(next_seat(taken[leaving], big_blinds[leaving]))),
        shortest,
        int(np.int64(next_seat(empty, big_blinds[shortest]))),
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
