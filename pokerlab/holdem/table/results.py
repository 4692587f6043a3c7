"""What came of a cash game: chips, their standard errors, actions, and every hand again."""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokerlab.core import Ints, SettingError
from pokerlab.holdem.betting.hand import Hand
from pokerlab.holdem.betting.structure import Structure
from pokerlab.holdem.cards.dealing import dealt
from pokerlab.holdem.table.players import Rows
from pokerlab.holdem.table.view import Luck, Tables


@dataclass(frozen=True, eq=False)
class Record:
    """Actions in order: by match, then by hand, then as they were done; all arrays (actions,)."""

    match: Ints
    hand: Ints
    action: Ints

    def actions_of(self, match: int, hand: int) -> list[int]:
        """Return the actions of one hand; none where it was over once the blinds were posted."""
        low, high = np.searchsorted(self.match, [match, match + 1])
        begin, end = low + np.searchsorted(self.hand[low:high], [hand, hand + 1])
        return [int(action) for action in self.action[begin:end]]

    @classmethod
    def joined(cls, records: Sequence["Record"]) -> "Record":
        """Return one record of hands that were played apart."""
        match, hand, action = (
            np.concatenate([getattr(record, name) for record in records])
            for name in ("match", "hand", "action")
        )
        order = np.lexsort((hand, match))
        return cls(match[order], hand[order], action[order])


class Recorder:
    """A watcher that writes down all actions."""

    def __init__(self) -> None:
        self._steps: list[tuple[Ints, Ints, Luck]] = []

    def __call__(self, tables: Tables, asked: Rows) -> None:
        """Write down what is about to be done, if it is legal."""
        self._steps.append((tables.match[asked], tables.number[asked], tables.actions[asked]))

    def record(self) -> Record:
        """Return what was written down."""
        nothing = np.zeros(0, np.int64)
        return Record.joined(
            [
                Record(nothing, nothing, nothing),
                *(Record(match, hand, done.astype(np.int64)) for match, hand, done in self._steps),
            ]
        )


@dataclass(frozen=True, eq=False, kw_only=True)
class AtTables:
    """What results of cash games and of tournaments have in common."""

    names: tuple[str, ...]  # the players'
    stacks: tuple[int, ...]  # chips of each seat at the start
    seed: int
    first: int  # the number of the first deal, or of the first tournament
    lineups: Ints  # (T, n): who played at each table, or in each tournament
    actions: Ints  # (players, 4, 4): how often each, on each street, did each of `KINDS_OF_ACTION`
    record: Record | None = None  # every action, if that was asked for

    @property
    def tables_of(self) -> Ints:
        """How many seats in the line-ups each player has, shape (players,)."""
        return np.bincount(self.lineups.ravel(), minlength=len(self.names))

    def by_player(self, numbers: ArrayLike) -> NDArray[np.float64]:
        """Return the sum over the tables, for each player, of numbers of shape (T, n)."""
        given = np.asarray(numbers, np.float64).ravel()
        sums: NDArray[Any] = np.bincount(self.lineups.ravel(), given, minlength=len(self.names))
        return sums

    def seats_at(self, table: int, rotation: int) -> tuple[str, ...]:
        """Return the names of the players at a table in the order of the seats."""
        lineup = np.roll(self.lineups[table], rotation)
        return tuple(self.names[player] for player in lineup)

    def recorded(self) -> Record:
        """Return the actions."""
        if self.record is None:
            raise SettingError("no actions were kept; play with record=True.")
        return self.record


@dataclass(frozen=True, eq=False, kw_only=True)
class Played(AtTables):
    """What came of the hands of a cash game.

    Hands are numbered from `first` on, table by table. `chips`, (hands, rotations, n), are what each player of a
    hand's line-up won, once for each rotation of the seats; without line-ups, what each player won by each deal. Where
    stacks are carried who had none left bought in again; what that cost is no loss, so that chips won are net of it.
    `won_from`, (players, players), if it was counted, is what the player of the row won from the player of the column,
    less what it lost to that player; a row's sum is all that its player won.
    """

    structure: Structure  # what was played
    chips: Ints  # (hands, rotations, n)
    stacks_carried: bool = False  # whether a table's hands, in one rotation, were one game
    same_deals: bool = False  # whether all tables had the same deals
    won_from: Ints | None = None  # (players, players), antisymmetric

    @property
    def num_deals(self) -> int:
        """How many independent deals were played."""
        return self.deals_a_table if self.same_deals else len(self.chips)

    @property
    def deals_a_table(self) -> int:
        """How many deals each table had."""
        return len(self.chips) // len(self.lineups)

    @property
    def hands_of(self) -> Ints:
        """How many hands each player played, all rotations counted, shape (players,)."""
        hands: Ints = self.tables_of * self.deals_a_table * self.chips.shape[1]
        return hands

    @property
    def won(self) -> Ints:
        """Chips that each player won in all, shape (players,)."""
        tables, num_seats = self.lineups.shape
        won = np.zeros(len(self.names), np.int64)
        np.add.at(won, self.lineups, self.chips.reshape(tables, -1, num_seats).sum(axis=1))
        return won

    @property
    def mean(self) -> NDArray[np.float64]:
        """Chips that each player won a hand, shape (players,); NaN for one that did not play."""
        hands = self.hands_of
        mean: NDArray[np.float64] = self.won / np.where(hands > 0, hands, np.nan)
        return mean

    @property
    def standard_error(self) -> NDArray[np.float64]:
        """Of `mean`, shape (players,).

        Over deals, which are independent; the hands of one deal, in all rotations and at all tables
        that had it, are not, and count as one. If stacks are carried, over games, each of which counts
        as one deal does. NaN for a player with fewer than two of them.
        """
        tables, num_seats = self.lineups.shape
        by_deal = self.chips.mean(axis=1).reshape(tables, self.deals_a_table, num_seats)
        if self.stacks_carried:
            by_deal = by_deal.mean(axis=1, keepdims=True)
        deals_a_table = by_deal.shape[1]
        excess = by_deal - self.mean[self.lineups][:, None]
        count = self.tables_of
        if self.same_deals:
            together = np.array([self.by_player(of_deal) for of_deal in excess.swapaxes(0, 1)])
            squares, deals = (together**2).sum(axis=0), np.full(len(count), deals_a_table)
        else:
            squares, deals = self.by_player((excess**2).sum(axis=1)), count * deals_a_table
        # Over a mean of as many numbers as there are deals, or as there are tables at each deal.
        scale = deals * np.where((count > 0) & (deals > 1), deals - 1.0, np.nan)
        error: NDArray[np.float64] = np.sqrt(squares / scale)
        return error / count if self.same_deals else error

    def in_big_blinds(self, chips: ArrayLike) -> NDArray[np.float64]:
        """Return chips a hand as big blinds per 100 hands."""
        return np.asarray(chips, np.float64) * (100.0 / self.structure.big_blind)

    def __str__(self) -> str:
        """List the players with what they won, in big blinds per 100 hands."""
        means, errors = map(self.in_big_blinds, (self.mean, self.standard_error))
        won = zip(self.names, means, errors, strict=True)
        lines = [f"{name}: {mean:+.1f} ± {error:.1f}" for name, mean, error in won]
        rotations = self.chips.shape[1]
        each = f", each in {rotations} rotations" if rotations > 1 else ""
        head = f"big blinds per 100 hands, {self.num_deals} deals{each}, seed {self.seed}"
        return "\n".join([head, *lines])

    def seats(self, rotation: int = 0, table: int = 0) -> tuple[str, ...]:
        """Return the names of the players at a table in the order of the seats."""
        return self.seats_at(table, rotation)

    def stacks_at(self, number: int, rotation: int = 0) -> tuple[int, ...]:
        """Return the chips of each seat at the start of a hand, by its number."""
        rotations = self.chips.shape[1]
        last = self.first + len(self.chips) - 1
        if not self.first <= number <= last or not 0 <= rotation < rotations:
            raise SettingError(
                f"deal {number}, rotation {rotation} was not played; there are deals {self.first} to"
                f" {last}, rotations 0 to {rotations - 1}."
            )
        if not self.stacks_carried:
            return self.stacks
        hand, stacks = number - self.first, np.array(self.stacks)
        for won in self.chips[hand - hand % self.deals_a_table : hand, rotation]:
            stacks += np.roll(won, rotation)
            stacks = np.where(stacks > 0, stacks, self.stacks)
        return tuple(stacks.tolist())

    def hand(self, number: int, rotation: int = 0) -> Hand:
        """Return a hand as it was played, by its number; without line-ups that of its deal."""
        record, rotations = self.recorded(), self.chips.shape[1]
        stacks = self.stacks_at(number, rotation)
        table, of_table = divmod(number - self.first, self.deals_a_table)
        deal = self.first + of_table if self.same_deals else number
        cards = dealt(self.seed, 1, len(stacks), first=deal)[0]
        hand = Hand.begin(self.structure, stacks, deal % len(stacks), cards, number=number)
        for action in record.actions_of(table * rotations + rotation, number):
            hand = hand.after(action)
        return hand
