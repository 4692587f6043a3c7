"""The treeplex of a player: its sequences, and the constraints on realization plans over them.

In this module player i has S_i sequences and I_i information sets.
"""

from collections.abc import Sequence
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pokerlab.core import Floats, Ints, ProbabilityError

if TYPE_CHECKING:
    from scipy.sparse import csr_array

SUM_TOLERANCE = 1e-9
"""The largest error of a sum of probabilities. The rounding errors of a few hundred additions are smaller."""
PLAN_TOLERANCE = 1e-6
"""The largest error in the constraints of a realization plan. Linear programs satisfy them up to 1e-7."""


class Treeplex(NamedTuple):
    """One player's sequences and information sets.

    Sequence 0 is the player's empty sequence, and parents come before their children. I_i is the number of information
    sets of the player.

    Attributes
    ----------
    parent_sequence : array of shape (I_i,)
        The sequence that leads to each information set.
    first_sequence : array of shape (I_i,)
        The sequence that ends with the first action at each information set. The sequences of the other actions follow
        it directly.
    num_actions : array of shape (I_i,)
        The number of actions at each information set.
    """

    parent_sequence: Ints
    first_sequence: Ints
    num_actions: Ints

    @property
    def num_sequences(self) -> int:
        """The number of the player's sequences, S_i, including the empty sequence."""
        return 1 + int(self.num_actions.sum())

    def make_constraint_matrix(self) -> "csr_array":
        """Return the matrix of the linear constraints that make a vector of weights a realization plan.

        A vector x >= 0 is a realization plan if and only if E x = (1, 0, ..., 0). Row 0 of E means that the empty
        sequence has weight one. Each other row means that the weights of the sequences at an information set sum to the
        weight of its parent sequence (Koller, Megiddo & von Stengel 1994).

        Returns
        -------
        sparse array of shape (I_i + 1, S_i)
            The matrix E, where the player has I_i information sets and S_i sequences.
        """
        from scipy.sparse import csr_array

        num_infosets = len(self.num_actions)
        infoset_rows = 1 + np.arange(num_infosets)
        own_rows = np.repeat(infoset_rows, self.num_actions)
        own_columns = np.arange(1, self.num_sequences)

        # The 1 of the empty sequence, then 1 for each other sequence, then -1 for each parent sequence.
        rows = np.concatenate([[0], own_rows, infoset_rows])
        columns = np.concatenate([[0], own_columns, self.parent_sequence])
        entries = np.concatenate([[1.0], np.ones(len(own_columns)), -np.ones(num_infosets)])
        return csr_array((entries, (rows, columns)), shape=(num_infosets + 1, self.num_sequences))

    def check_plan(self, plan: Floats, owner: str, labels: Sequence[str]) -> None:
        """Raise a ProbabilityError unless the given weights of the player's sequences are a realization plan.

        Parameters
        ----------
        plan : array of shape (S_i,)
            The weight of each of the player's S_i sequences.
        owner : str
            The name of the player in error messages, such as 'player 1'.
        labels : sequence of str
            The label of each of the player's information sets.

        Raises
        ------
        ProbabilityError
            If a weight is negative or NaN, if the empty sequence does not have weight 1, or if the weights of the
            sequences at an information set do not sum to the weight of its parent sequence.
        """
        if not (plan >= -SUM_TOLERANCE).all():
            raise ProbabilityError(
                f"plan of {owner} has weights down to {np.min(plan)}; they must be from 0 to 1."
            )
        if abs(plan[0] - 1.0) > PLAN_TOLERANCE:
            raise ProbabilityError(
                f"plan of {owner} gives the empty sequence {plan[0]}, not 1. Divide the plan by it."
            )

        # The total weight of the actions at each information set.
        starts = self.first_sequence
        totals = np.add.reduceat(plan, starts) if starts.size else plan[:0]
        is_violated = np.abs(totals - plan[self.parent_sequence]) > PLAN_TOLERANCE
        if is_violated.any():
            infoset = int(np.argmax(is_violated))  # the first one
            raise ProbabilityError(
                f"plan of {owner} sums to {totals[infoset]:.12g} at '{labels[infoset]}', whose own"
                f" sequence has weight {plan[self.parent_sequence[infoset]]:.12g}; both must agree."
            )
