"""Every action of every hand, kept while tables are played."""

from collections.abc import Sequence
from dataclasses import dataclass

import numpy as np

from pokerlab.core.arrays import Ints
from pokerlab.holdem.table.players import Rows
from pokerlab.holdem.table.view import Luck, Tables


@dataclass(frozen=True, eq=False)
class Record:
    """Actions in order: by match, then by hand, then as they were done.

    Attributes
    ----------
    match, hand, action : ndarray of int64, shape (actions,)
        In which hand of which match what was done.
    """

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
