"""Fitness: the matrix of wins and losses, profit, hands won, or the mean rank in tournaments."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import scipy

from pokerlab.core import Floats, Ints, SettingError, UnknownNameError
from pokerlab.evolution.population.protocol import Fitness, Results

COUNTED = ("pot by pot", "in games together")
PER = ("in all", "a hand")
UNMET = ("zero", "does not count")
AMONG = ("everybody", "own population")


@dataclass(frozen=True, kw_only=True)
class WinsAndLosses:
    """Profit is the fitness, and beside it stands the matrix of what each player won from each other.

    Parameters
    ----------
    counted : {'pot by pot', 'in games together'}
        'pot by pot': chips that went from one to the other, the losers of each pot to its winners; antisymmetric. 'in
        games together': all that a player won in games that the other played as well.
    per : {'in all', 'a hand'}
        Chips won in all, or for each hand played together.
    unmet : {'zero', 'does not count'}
        The entry of a pair that never met.

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

    @property
    def reads(self) -> str:
        """The field of `Results` that is the matrix."""
        return "won_from" if self.counted == "pot by pot" else "won_in_shared_games"

    def __call__(self, results: Results, population_of: Ints) -> Fitness:
        """Return the profits and the matrix, with zeros on its diagonal."""
        winnings: Ints = getattr(results, self.reads)
        if not winnings.size:
            raise SettingError(
                "these pairings did not count who won from whom. Pass pairings=RingGames(pots=True), or"
                " fitness=WinsAndLosses(counted='in games together') or Profit()."
            )
        matrix = winnings.astype(np.float64)
        np.fill_diagonal(matrix, 0.0)
        if self.per == "a hand":
            matrix /= np.maximum(results.shared_hands, 1)
        if self.unmet == "does not count":
            is_other = ~np.eye(len(matrix), dtype=np.bool_)
            matrix[(results.shared_hands == 0) & is_other] = np.nan
        return Fitness(results.profit.astype(np.float64), matrix)


@dataclass(frozen=True, kw_only=True)
class Profit:
    """A player's fitness is the chips that it won.

    Parameters
    ----------
    per : {'in all', 'a hand'}
        Chips won in all, or for each hand played. They differ where some play more hands than others.
    """

    per: str = "in all"

    def __post_init__(self) -> None:
        UnknownNameError.check("unit of profit", self.per, PER)

    def __call__(self, results: Results, population_of: Ints) -> Fitness:
        """Return the profits; a player without a hand has won nothing."""
        return Fitness(divide_by_hands(results.profit, results, self.per))


@dataclass(frozen=True, kw_only=True)
class HandsWon:
    """A player's fitness is the number of hands in which it won chips.

    G. Nicolai's thesis (2008, section 4.2.1) mixes it with the mean rank; a chapter of 2011 by Nicolai &
    Hilderman, of which we have the abstract alone, compares it with survival and with chips a hand.

    Parameters
    ----------
    per : {'in all', 'a hand'}
        Hands won in all, or for each hand played.
    """

    per: str = "in all"

    def __post_init__(self) -> None:
        UnknownNameError.check("unit of hands won", self.per, PER)

    def __call__(self, results: Results, population_of: Ints) -> Fitness:
        """Return the hands won; a player without a hand has won none."""
        return Fitness(divide_by_hands(results.hands_won, results, self.per))


@dataclass(frozen=True, kw_only=True)
class MeanRank:
    """Minus the mean rank in tournaments, as in Nicolai & Hilderman (2009): the longer a player survives, the better.

    Parameters
    ----------
    among : {'everybody', 'own population'}
        The rank among all entrants, or the place among those of the player's own population and its
        hall: 1 for the last of them to be out. The paper's populations "are evolved separately";
        which of both it means, the text does not say. With one population they are the same.
    """

    among: str = AMONG[0]
    reads: ClassVar[str] = "ranks"

    def __post_init__(self) -> None:
        UnknownNameError.check("group to be ranked in", self.among, AMONG)

    def __call__(self, results: Results, population_of: Ints) -> Fitness:
        """Return minus the mean ranks."""
        if not results.ranks.size:
            raise SettingError(
                "these pairings have no ranks. Pass pairings=Tournaments(), or fitness=Profit()."
            )
        ranks = results.ranks
        if self.among == "own population":
            ranks = rank_within_populations(ranks, population_of)
        return Fitness(-ranks.mean(axis=0))


def rank_within_populations(ranks: Floats, population_of: Ints) -> Floats:
    """Return the ranks that players have among those of their own population.

    Parameters
    ----------
    ranks : array of shape (T, M)
        The rank of each of M players in each of T tournaments, 1 for the best.
    population_of : array of shape (M,)
        The index of each player's population.

    Returns
    -------
    array of shape (T, M)
        Equal ranks become their mean.
    """
    own_ranks = np.empty_like(ranks)
    for population in np.unique(population_of):
        own = population_of == population
        own_ranks[:, own] = scipy.stats.rankdata(ranks[:, own], axis=1)
    return own_ranks


def divide_by_hands(counts: Ints | Floats, results: Results, per: str) -> Floats:
    """Return each player's count, divided by the hands that it played if `per` is 'a hand'."""
    in_all = counts.astype(np.float64)
    return in_all / np.maximum(results.hands, 1) if per == "a hand" else in_all
