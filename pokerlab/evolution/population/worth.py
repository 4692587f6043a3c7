"""What players are worth: what each won from each other, what each won in all, or its place in tournaments."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import scipy

from pokerlab.core import Floats, Ints, SettingError, UnknownNameError
from pokerlab.evolution.population.parts import Judged, Met

COUNTED = ("pot by pot", "in games together")
PER = ("in all", "a hand")
UNMET = ("zero", "does not count")
AMONG = ("everybody", "own population")
NO_MATRIX = np.zeros((0, 0))


@dataclass(frozen=True, kw_only=True)
class WinsAndLosses:
    """A matrix: what each player won from each other, and zero from itself.

    Parameters
    ----------
    counted : str
        'pot by pot': chips that went from one to the other, the losers of each pot to its winners; antisymmetric. 'in
        games together': all that a player won in games that the other played as well.
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

    @property
    def reads(self) -> str:
        """What of `Met` is the matrix."""
        return "won_from" if self.counted == "pot by pot" else "together"

    def __post_init__(self) -> None:
        UnknownNameError.check("way of counting", self.counted, COUNTED)
        UnknownNameError.check("unit of the matrix", self.per, PER)
        UnknownNameError.check("reading of pairs that never met", self.unmet, UNMET)

    def judge(self, met: Met, population_of: Ints) -> Judged:
        """Return the matrix, with all chips won as the score."""
        won: Ints = getattr(met, self.reads)
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

    def judge(self, met: Met, population_of: Ints) -> Judged:
        """Return the profits; who played no hand has won nothing."""
        return Judged(per_hand(met.profit, met, self.per), NO_MATRIX)


@dataclass(frozen=True, kw_only=True)
class HandsWon:
    """One number: in how many hands a player won chips.

    G. Nicolai's thesis (2008, section 4.2.1) mixes it with the mean rank; a chapter of 2011 by Nicolai &
    Hilderman, of which we have the abstract alone, compares it with survival and with chips a hand.

    Parameters
    ----------
    per : str
        Hands won 'in all', or 'a hand' that was played.
    """

    per: str = "in all"
    has_matrix: ClassVar[bool] = False

    def __post_init__(self) -> None:
        UnknownNameError.check("unit of hands won", self.per, PER)

    def judge(self, met: Met, population_of: Ints) -> Judged:
        """Return the hands won; who played none has won none."""
        return Judged(per_hand(met.hands_won, met, self.per), NO_MATRIX)


@dataclass(frozen=True, kw_only=True)
class MeanRank:
    """Minus the mean rank in tournaments, as in Nicolai & Hilderman (2009): who survives is good.

    Parameters
    ----------
    among : {'everybody', 'own population'}
        The rank among all entrants, or the place among those of the player's own population and its
        hall: 1 for the last of them to be out. The paper's populations "are evolved separately";
        which of both it means, the text does not say. With one population they are the same.
    """

    among: str = AMONG[0]
    has_matrix: ClassVar[bool] = False
    reads: ClassVar[str] = "ranks"

    def __post_init__(self) -> None:
        UnknownNameError.check("group to be ranked in", self.among, AMONG)

    def judge(self, met: Met, population_of: Ints) -> Judged:
        """Return minus the mean ranks."""
        if not met.ranks.size:
            raise SettingError(
                "these matches have no ranks; play Tournaments(), or judge by Profit()."
            )
        ranks = met.ranks
        if self.among == "own population":
            ranks = np.empty_like(met.ranks)
            for population in np.unique(population_of):
                own = population_of == population
                ranks[:, own] = scipy.stats.rankdata(met.ranks[:, own], axis=1)
        return Judged(-ranks.mean(axis=0), NO_MATRIX)


def per_hand(numbers: Ints | Floats, met: Met, per: str) -> Floats:
    """Return numbers of players, as they are or for each hand that the player took part in."""
    in_all = numbers.astype(np.float64)
    return in_all / np.maximum(met.hands, 1) if per == "a hand" else in_all
