"""One player's sequences and constraints."""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

if TYPE_CHECKING:
    from scipy.sparse import csr_array


class Treeplex(NamedTuple):
    """A player's decision problem: sequence 0 is the empty one, parents come before children.

    Attributes
    ----------
    parent_sequence, first_sequence, num_actions : ndarray of shape (I_i,)
        For each information set: the sequence that leads to it, the first of its own, how many it
        has.
    """

    parent_sequence: NDArray[np.int64]
    first_sequence: NDArray[np.int64]
    num_actions: NDArray[np.int64]

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
