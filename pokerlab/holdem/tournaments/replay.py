"""A recorded tournament again, round by round: who sat where, every hand, who was out, who moved."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np

from pokerlab.holdem.betting.engine import NOBODY
from pokerlab.holdem.betting.hand import Hand
from pokerlab.holdem.betting.structure import Structure
from pokerlab.holdem.cards.dealing import dealt_in_match
from pokerlab.holdem.table.results import Record
from pokerlab.holdem.tournaments.balancing import Move, next_move
from pokerlab.holdem.tournaments.rounds import TABLE_BITS
from pokerlab.holdem.tournaments.schedule import Schedule


@dataclass(frozen=True)
class AtTable:
    """One table in one round.

    Attributes
    ----------
    number : int
        Of the table.
    entrants : tuple of int
        Who sits in each seat, by the place in the line-up; -1 where nobody does.
    stacks : tuple of int
        Chips of each seat before the hand.
    hand : Hand, optional
        As it was played; None at a table of one player, who waits.
    """

    number: int
    entrants: tuple[int, ...]
    stacks: tuple[int, ...]
    hand: Hand | None

    @property
    def stacks_after(self) -> tuple[int, ...]:
        """Chips of each seat after the hand."""
        if self.hand is None:
            return self.stacks
        return tuple(np.add(self.stacks, self.hand.payoffs).tolist())


@dataclass(frozen=True)
class Round:
    """One hand at each table of a tournament.

    Attributes
    ----------
    number : int
        From 0.
    structure : Structure
        The blinds.
    tables : tuple of AtTable
        Those that are left.
    out : tuple of int
        Who is out after it, by the place in the line-up.
    moves : tuple of (int, Move)
        Who then changes tables, by the place in the line-up, in this order.
    """

    number: int
    structure: Structure
    tables: tuple[AtTable, ...]
    out: tuple[int, ...]
    moves: tuple[tuple[int, Move], ...]


def replayed(
    record: Record,
    schedule: Schedule,
    stacks: Sequence[int],
    num_seats: int,
    *,
    seed: int,
    number: int,
    match: int,
    num_rounds: int,
    rotation: int,
) -> Iterator[Round]:
    """Yield the rounds of a tournament.

    Parameters
    ----------
    record : Record
        Its actions, at least.
    schedule : Schedule
        The blinds.
    stacks : sequence of int, length E
        Chips of each seat at the start.
    num_seats : int
        Seats of a table.
    seed, number : int
        Of the cards, and of the tournament.
    match : int
        The first of its tables in the record.
    num_rounds : int
        How many there were.
    rotation : int
        By how many seats the entrants have moved on.
    """
    num_tables = -(-len(stacks) // num_seats)
    edges = len(stacks) * np.arange(num_tables + 1) // num_tables
    entrants = np.full((num_tables, num_seats), NOBODY)
    chips = np.zeros((num_tables, num_seats), np.int64)
    for table in range(num_tables):
        places = np.arange(edges[table], edges[table + 1])
        entrants[table, : len(places)] = (places - rotation) % len(stacks)
        chips[table, : len(places)] = np.asarray(stacks)[places]
    big_blinds = np.full(num_tables, number % num_seats)
    bits = 1 << np.arange(num_seats)
    for of_round in range(num_rounds):
        structure, tables = schedule.at(of_round), []
        for table in np.flatnonzero((chips > 0).any(axis=1)).tolist():
            hand, seats = None, tuple(chips[table].tolist())
            if np.count_nonzero(seats) > 1:
                big_blinds[table], button = moved_on(seats, int(big_blinds[table]))
                cards = dealt_in_match(seed, number, (table << TABLE_BITS) + of_round, num_seats)
                hand = Hand.begin(structure, seats, button, cards, number=of_round)
                for action in record.actions_of(match + table, of_round):
                    hand = hand.after(action)
            tables.append(AtTable(table, tuple(entrants[table].tolist()), seats, hand))
            chips[table] = tables[-1].stacks_after
        out = (entrants != NOBODY) & (chips == 0)
        is_out = tuple(entrants[out].tolist())
        entrants[out] = NOBODY
        moves = []
        while of_round < num_rounds - 1:
            move = next_move((chips > 0) @ bits, big_blinds, num_seats)
            if move.table == NOBODY:
                break
            old, new = (move.table, move.seat), (move.to_table, move.to_seat)
            moves.append((int(entrants[old]), move))
            entrants[new], chips[new] = entrants[old], chips[old]
            entrants[old], chips[old] = NOBODY, 0
        yield Round(of_round, structure, tuple(tables), is_out, tuple(moves))


def moved_on(stacks: Sequence[int], big_blind: int) -> tuple[int, int]:
    """Return who has the big blind and who the button after `big_blind` had the big blind.

    Examples
    --------
    >>> moved_on([50, 50, 0, 50], 1)
    (3, 0)
    """
    after = [(big_blind + turn) % len(stacks) for turn in range(1, len(stacks) + 1)]
    players = [seat for seat in after if stacks[seat] > 0]
    return players[0], players[-1] if len(players) == 2 else players[-2]
