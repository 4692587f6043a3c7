"""What came of tournaments: ranks, their standard errors, and every hand again."""

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import Ints, SettingError
from pokerlab.holdem.betting.engine import NOBODY
from pokerlab.holdem.betting.hand import Hand
from pokerlab.holdem.betting.structure import Structure
from pokerlab.holdem.cards.dealing import dealt_in_match
from pokerlab.holdem.table.results import AtTables
from pokerlab.holdem.tournaments.balancing import Move, even_tables, next_move, next_to_be_seated
from pokerlab.holdem.tournaments.rounds import TABLE_BITS
from pokerlab.holdem.tournaments.schedule import Schedule


@dataclass(frozen=True)
class AtTable:
    """One table in one round."""

    number: int  # of the table
    entrants: tuple[int, ...]  # who sits in each seat, by the place in the line-up; -1 for nobody
    stacks: tuple[int, ...]  # chips of each seat before the hand
    hand: Hand | None  # as it was played; None at a table of one player, who waits

    @property
    def stacks_after(self) -> tuple[int, ...]:
        """Chips of each seat after the hand."""
        return self.stacks if self.hand is None else stacks_after(self.hand)


def stacks_after(hand: Hand) -> tuple[int, ...]:
    """Return chips of each seat after a hand."""
    return tuple(np.add(hand.starting_stacks, hand.payoffs).tolist())


@dataclass(frozen=True)
class Round:
    """One hand at each table of a tournament."""

    number: int  # from 0
    structure: Structure  # the blinds
    tables: tuple[AtTable, ...]  # those that are left
    out: tuple[int, ...]  # who is out after it, by the place in the line-up
    moves: tuple[tuple[int, Move], ...]  # who then changes tables, in this order, and how


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


@dataclass(frozen=True, eq=False, kw_only=True)
class Placed(AtTables):
    """What came of a batch of T tournaments of E entrants.

    `ranks`, 1 for the winner, `chips` at the end, the rounds that each `lasted`, and how many of its hands it `won`
    are (T, rotations, E), by place in the line-up; `rounds`, and `hands` at all tables, are (T, rotations). At
    tables of two, one of an odd number of players waits for a round.
    """

    schedule: Schedule  # the blinds
    num_seats: int  # of a table
    ranks: NDArray[np.float64]  # (T, rotations, E): 1 for the winner; who is tied shares the mean
    chips: Ints  # (T, rotations, E): at the end
    lasted: Ints  # (T, rotations, E): rounds each took part in, and so hands it played
    won: Ints  # (T, rotations, E): after how many of these hands it had more chips than before
    rounds: Ints  # (T, rotations)
    hands: Ints  # (T, rotations): at all tables
    even: bool = True  # whether tables were kept even, or only the smallest broken

    @property
    def is_finished(self) -> NDArray[np.bool_]:
        """Where one player has won all chips, shape (T, rotations); elsewhere chips rank."""
        finished: NDArray[np.bool_] = (self.chips > 0).sum(axis=2) == 1
        return finished

    @property
    def mean_rank(self) -> NDArray[np.float64]:
        """Mean rank of each player, shape (players,); NaN for who did not play."""
        return self._mean(self.ranks.mean(axis=1))

    @property
    def standard_error(self) -> NDArray[np.float64]:
        """Of `mean_rank`, shape (players,).

        Over tournaments, which are independent; the rotations of one are not, and count as one.
        NaN for who played fewer than two.
        """
        ranks = self.ranks.mean(axis=1)
        squares = self._mean((ranks - self.mean_rank[self.lineups]) ** 2)
        count = self.tables_of
        degrees = np.where(count > 1, count - 1.0, np.nan)
        error: NDArray[np.float64] = np.sqrt(squares / degrees)
        return error

    def __str__(self) -> str:
        """List the players with their mean ranks."""
        num_tournaments, rotations = self.hands.shape
        each = f", each in {rotations} rotations" if rotations > 1 else ""
        ranks = zip(self.names, self.mean_rank, self.standard_error, strict=True)
        lines = [f"{name}: {mean:.3f} ± {error:.3f}" for name, mean, error in ranks]
        head = f"mean ranks, {num_tournaments} tournaments{each}, seed {self.seed}"
        if stopped := int((~self.is_finished).sum()):
            lines.append(f"stopped before the end and ranked by chips: {stopped}")
        return "\n".join([head, *lines])

    def played(self, tournament: int, rotation: int = 0) -> Iterator[Hand]:
        """Yield the hands of a tournament as they were played, by its number in this batch.

        They come round by round, and in a round table by table.
        """
        return (
            at_table.hand
            for played in self.rounds_of(tournament, rotation)
            for at_table in played.tables
            if at_table.hand is not None
        )

    def rounds_of(self, tournament: int, rotation: int = 0) -> Iterator[Round]:
        """Yield the rounds of a tournament: who sat where, the hands, who was out, who changed tables."""
        self.recorded()
        num_tournaments, rotations = self.hands.shape
        if not (0 <= tournament < num_tournaments and 0 <= rotation < rotations):
            raise SettingError(
                f"tournament {tournament}, rotation {rotation} was not played; there are"
                f" {num_tournaments} tournaments of {rotations} rotations."
            )
        return self._replayed(tournament, rotation)

    def _replayed(self, tournament: int, rotation: int) -> Iterator[Round]:
        """Play the rounds again by the same moves, action by action."""
        num_rounds, num_seats = int(self.rounds[tournament, rotation]), self.num_seats
        number, whose_move = self.first + tournament, next_move if self.even else next_to_be_seated
        layout = even_tables(len(self.stacks), num_seats)
        match = (number * self.hands.shape[1] + rotation) * len(layout)
        entrants = np.where(layout == NOBODY, NOBODY, (layout - rotation) % len(self.stacks))
        chips = np.where(layout == NOBODY, 0, np.asarray(self.stacks)[layout])
        big_blinds = np.full(len(layout), number % num_seats)
        bits = 1 << np.arange(num_seats)
        for of_round in range(num_rounds):
            structure, tables = self.schedule.at(of_round), []
            for table in np.flatnonzero((chips > 0).any(axis=1)).tolist():
                hand, seats = None, tuple(chips[table].tolist())
                if np.count_nonzero(seats) > 1:
                    big_blinds[table], button = moved_on(seats, int(big_blinds[table]))
                    of_table = (table << TABLE_BITS) + of_round
                    cards = dealt_in_match(self.seed, number, of_table, num_seats)
                    hand = Hand.begin(structure, seats, button, cards, number=of_round)
                    for action in self.recorded().actions_of(match + table, of_round):
                        hand = hand.after(action)
                tables.append(AtTable(table, tuple(entrants[table].tolist()), seats, hand))
                chips[table] = tables[-1].stacks_after
            out = (entrants != NOBODY) & (chips == 0)
            is_out = tuple(entrants[out].tolist())
            entrants[out] = NOBODY
            moves = []
            while of_round < num_rounds - 1:
                move = whose_move((chips > 0) @ bits, big_blinds, num_seats)
                if move.table == NOBODY:
                    break
                old, new = (move.table, move.seat), (move.to_table, move.to_seat)
                moves.append((int(entrants[old]), move))
                entrants[new], chips[new] = entrants[old], chips[old]
                entrants[old], chips[old] = NOBODY, 0
            yield Round(of_round, structure, tuple(tables), is_out, tuple(moves))

    def _mean(self, numbers: NDArray[np.float64]) -> NDArray[np.float64]:
        """Return means by player of numbers by tournament and place."""
        count = self.tables_of
        return self.by_player(numbers) / np.where(count > 0, count, np.nan)
