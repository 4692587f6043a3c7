"""The layout in which the kernels of bucketed hold'em read numbers for each decision, bucket and action.

A *table* has shape (D, B, 3) for D decisions, B buckets and the three actions. Kernels compute LANES = 64 decisions at
a time. So they read *rows of LANES numbers*: the decisions of a situation, which differ only in the betting of earlier
streets, are divided into blocks of 64, and there is a row of 64 numbers for each block, each action and each bucket.
The module `batched_tree` explains lanes and blocks.
"""

from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pokerlab.core import Floats, Ints
from pokerlab.holdem.batched_tree import (
    LANES,
    BatchedTree,
    index_table_entries_in_rows,
    make_batched_tree,
)
from pokerlab.holdem.betting_tree import PublicTree
from pokerlab.holdem.buckets import Buckets


@dataclass(frozen=True, eq=False)
class KernelLayout:
    """The layout in which kernels read numbers for each decision, bucket and action of a bucketed game.

    A table of such numbers has shape (D, B, 3) for D decisions and B buckets. Kernels read rows of LANES = 64 numbers
    instead: one for each block of 64 decisions with the same raises on their street, each action and each bucket.

    Attributes
    ----------
    tree : PublicTree
        The public tree of the game.
    buckets : Buckets
        The buckets. Only their numbers on each street matter.
    """

    tree: PublicTree
    buckets: Buckets

    @cached_property
    def batched_tree(self) -> BatchedTree:
        """The public tree in the form that kernels read, which has the indices of blocks and rows."""
        return make_batched_tree(self.tree, self.buckets)

    @cached_property
    def entry_positions(self) -> Ints:
        """The position of each entry of a table in the flattened rows, an array of shape (D, B, 3)."""
        return index_table_entries_in_rows(self.batched_tree)

    def allocate_rows(self) -> Floats:
        """Return zeros in the layout that kernels read, an array of shape (rows, LANES)."""
        return np.zeros((self.batched_tree.num_rows, LANES))

    def convert_table_to_rows(self, table: Floats) -> Floats:
        """Return the numbers of a table in the layout that kernels read.

        Parameters
        ----------
        table : ndarray of shape (D, B, 3)
            One number for each of D decisions, B buckets and three actions.

        Returns
        -------
        ndarray of shape (rows, LANES)
            The same numbers; 0 in lanes that belong to no decision.
        """
        # The extra last entry collects the buckets that a street does not have.
        flat_rows = np.zeros(self.batched_tree.num_rows * LANES + 1)
        flat_rows[self.entry_positions] = table
        return flat_rows[:-1].reshape(-1, LANES)

    def convert_rows_to_table(self, rows: Floats) -> Floats:
        """Return numbers from the layout that kernels read as a table: the inverse of `convert_table_to_rows`.

        Parameters
        ----------
        rows : ndarray of shape (rows, LANES)
            The numbers in the layout that kernels read.

        Returns
        -------
        ndarray of shape (D, B, 3)
            One number for each of D decisions, B buckets and three actions; 0 for buckets that a street does not have.
        """
        # The extra last entry is read for the buckets that a street does not have.
        flat_rows = np.append(rows, 0.0)
        return flat_rows[self.entry_positions]
