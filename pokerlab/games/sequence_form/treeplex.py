"""A treeplex: one player's sequences and the constraints on realization plans over them."""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pokerlab.core import Floats, Ints, ProbabilityError

if TYPE_CHECKING:
    from scipy.sparse import csr_array

SUM_TOLERANCE = 1e-9  # rounding of a few hundred additions stays below it; a wrong number does not
PLAN_TOLERANCE = 1e-6  # plans may come from a linear program, which keeps its constraints to 1e-7


class Treeplex(NamedTuple):
    """A player's decision problem: sequence 0 is the empty one, parents come before children."""

    parent_sequence: Ints  # (I_i,): for each information set the sequence that leads to it
    first_sequence: Ints  # (I_i,): the first of its own
    num_actions: Ints  # (I_i,): how many it has

    @property
    def num_sequences(self) -> int:
        """Sequences, the empty one included."""
        return 1 + int(self.num_actions.sum())

    def constraints(self) -> "csr_array":
        """Return E, (I_i + 1, S_i): the realization plans are the x >= 0 with E x = (1, 0, ...).

        Row 0 says that the empty sequence has weight one; each other row that the weights of an
        information set's sequences sum to its parent's (Koller, Megiddo & von Stengel 1994).
        """
        from scipy.sparse import csr_array

        infosets = len(self.num_actions)
        row = 1 + np.repeat(np.arange(infosets), self.num_actions)
        column = np.arange(1, self.num_sequences)
        rows = np.concatenate([[0], row, 1 + np.arange(infosets)])
        columns = np.concatenate([[0], column, self.parent_sequence])
        values = np.concatenate([[1.0], np.ones(len(column)), -np.ones(infosets)])
        return csr_array((values, (rows, columns)), shape=(infosets + 1, self.num_sequences))

    def check_plan(self, plan: Floats, owner: str, labels: Sequence[str]) -> None:
        """Refuse weights that are not a realization plan of `owner`, whose information sets `labels` name."""
        if not (plan >= -SUM_TOLERANCE).all():
            raise ProbabilityError(
                f"plan of {owner} has weights down to {np.min(plan)}; they must be from 0 to 1."
            )
        if abs(plan[0] - 1.0) > PLAN_TOLERANCE:
            raise ProbabilityError(
                f"plan of {owner} gives the empty sequence {plan[0]}, not 1. Divide the plan by it."
            )
        starts = self.first_sequence
        totals = np.add.reduceat(plan, starts) if starts.size else plan[:0]
        off = np.abs(totals - plan[self.parent_sequence])
        for infoset in np.flatnonzero(off > PLAN_TOLERANCE)[:1]:
            raise ProbabilityError(
                f"plan of {owner} sums to {totals[infoset]:.12g} at '{labels[infoset]}', whose own"
                f" sequence has weight {plan[self.parent_sequence[infoset]]:.12g}; both must agree."
            )
