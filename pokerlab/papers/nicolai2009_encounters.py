"""The results of champions of Nicolai & Hilderman (2009) against each other, and what they show about forgetting.

G. Nicolai, R. J. Hilderman, "No-Limit Texas Hold'em Poker Agents Created with Evolutionary Neural Networks", IEEE
Symposium on Computational Intelligence and Games 2009.

A champion that loses to its own ancestors has forgotten something. `pokerlab.papers.nicolai2009.compare_champions`
computes the results.
"""

from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pokerlab.core import ShapeError
from pokerlab.core.arrays import Bools, Floats, freeze
from pokerlab.metrics import apply_holm_correction

__all__ = ["Advantages", "Encounters"]

SIGNIFICANCE_LEVEL = 0.05  # the chance of any false finding of forgetting


@dataclass(frozen=True, eq=False)
class Advantages:
    """The advantage of each champion (rows) over each other champion (columns), by one measure."""

    advantage: Floats
    """The mean differences, (C, D), for C champions in rows and D in columns."""
    error: Floats
    """Their standard errors over pairs of tables with the same cards, (C, D)."""
    p: Floats
    """The p-values, (C, D), of two-tailed paired t-tests that there is no difference. They are 1 where a champion would
    play against itself."""

    def __post_init__(self) -> None:
        """Make all arrays read-only."""
        freeze(*vars(self).values())

    def find_losses_to_ancestors(self) -> Bools:
        """Return whether each champion loses significantly to each champion of an earlier generation.

        The champions must be of one line of descent, in the order of their generations. With Holm's correction over all
        pairs, the probability that any of these findings is false is at most `SIGNIFICANCE_LEVEL`.

        Returns
        -------
        array of shape (C, C)
            Whether the champion of the row loses to the champion of the column. It is False on and above the diagonal.

        Raises
        ------
        ShapeError
            If rows and columns are champions of two lines of descent.
        """
        if self.p.shape[0] != self.p.shape[1]:
            raise ShapeError(
                f"the advantages have shape {self.p.shape}, but losses to ancestors are between champions of one line,"
                " (C, C). Call compare_champions without `against`."
            )
        below_diagonal = np.tril_indices(len(self.p), k=-1)  # the row is later than the column
        is_significant = apply_holm_correction(self.p[below_diagonal]) < SIGNIFICANCE_LEVEL
        is_behind = self.advantage[below_diagonal] < 0.0

        losses = np.zeros(self.p.shape, np.bool_)
        losses[below_diagonal] = is_significant & is_behind
        return losses


class Encounters(NamedTuple):
    """Results of champions against each other, each pair at tables that the two share evenly, by two measures.

    The measures need not agree: a player who always folds ends ahead of many, but wins no table.
    """

    ranks: Advantages
    """The mean number of ranks by which the row's champion is ahead of the column's champion, from -5 to 5."""
    tables_won: Advantages
    """The share of tables that the row's champion wins, minus the share that the column's champion wins."""
