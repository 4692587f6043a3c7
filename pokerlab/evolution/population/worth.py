"""What players are worth: what each won from each other, or what each won in all."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np

from pokerlab.core import SettingError, UnknownNameError
from pokerlab.evolution.population.parts import Judged, Met

COUNTED = ("pot by pot", "in games together")
PER = ("in all", "a hand")
UNMET = ("zero", "does not count")


@dataclass(frozen=True, kw_only=True)
class WinsAndLosses:
    """A matrix: what each player won from each other, and zero from itself.

    Parameters
    ----------
    counted : str
        'pot by pot': chips that went from one to the other, the losers of each pot to its winners;
        antisymmetric. 'in games together': all that a player won in games that the other played as
        well.
    per : str
        Chips 'in all', or 'a hand' played together.
    unmet : str
        Whether a pair that never met counts as 'zero', or 'does not count'.

    Notes
    -----
    Noble & Watson (2001) have a "win lose matrix"; which of these readings it is, the text does not say.
    """

    counted: str = "pot by pot"
    per: str = "in all"
    unmet: str = "zero"
    has_matrix: ClassVar[bool] = True

    def __post_init__(self) -> None:
        UnknownNameError.check("way of counting", self.counted, COUNTED)
        UnknownNameError.check("unit of the matrix", self.per, PER)
        UnknownNameError.check("reading of pairs that never met", self.unmet, UNMET)

    def judge(self, met: Met) -> Judged:
        """Return the matrix, with all chips won as the score."""
        won = met.won_from if self.counted == "pot by pot" else met.together
        if not won.size:
            raise SettingError(
                "these matches did not count who won from whom; play RingGames(pots=True), or judge by"
                " WinsAndLosses(counted='in games together') or Profit()."
            )
        matrix = won.astype(np.float64)
        np.fill_diagonal(matrix, 0.0)
        if self.per == "a hand":
            matrix /= np.maximum(met.shared_hands, 1)
        if self.unmet == "does not count":
            matrix[(met.shared_hands == 0) & ~np.eye(len(matrix), dtype=np.bool_)] = np.nan
        return Judged(met.profit.astype(np.float64), matrix)


@dataclass(frozen=True, kw_only=True)
class Profit:
    """One number: what a player won.

    Parameters
    ----------
    per : str
        Chips 'in all', or 'a hand'. They differ where some play more hands than others.
    """

    per: str = "in all"
    has_matrix: ClassVar[bool] = False

    def __post_init__(self) -> None:
        UnknownNameError.check("unit of profit", self.per, PER)

    def judge(self, met: Met) -> Judged:
        """Return the profits; who played no hand has won nothing."""
        score = met.profit.astype(np.float64)
        if self.per == "a hand":
            score /= np.maximum(met.hands, 1)
        return Judged(score, np.zeros((0, 0)))
