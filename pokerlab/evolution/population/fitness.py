"""Fitness: the matrix of wins and losses, profit, hands won, or the mean rank in tournaments."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
import scipy

from pokerlab.core import Floats, Ints, SettingError, UnknownNameError
from pokerlab.evolution.population.protocol import Fitness, Results

COUNTING_RULES = ("pot by pot", "in games together")
UNITS = ("in all", "a hand")
UNMET_PAIR_RULES = ("zero", "does not count")
RANKING_GROUPS = ("everybody", "own population")


@dataclass(frozen=True, kw_only=True)
class WinsAndLosses:
    """Profit as the fitness of a player, with a matrix of what each player won from each opponent.

    Parameters
    ----------
    counted : {'pot by pot', 'in games together'}
        The entries of the matrix. With 'pot by pot' an entry is the number of chips that went from the column's player
        to the row's player, from the losers of each pot to its winners. This matrix is antisymmetric. With 'in games
        together' an entry is everything that the row's player won in games in which the column's player also took part.
    per : {'in all', 'a hand'}
        Whether an entry is the total number of chips, or the number for each hand that both players played.
    unmet : {'zero', 'does not count'}
        The entry of a pair of players who never played together.

    Notes
    -----
    Noble & Watson (2001) use a "win lose matrix", but do not say how it is computed.
    """

    counted: str = "pot by pot"
    per: str = "in all"
    unmet: str = "zero"
    has_matrix: ClassVar[bool] = True

    def __post_init__(self) -> None:
        """Raise an UnknownNameError if a parameter is none of its allowed names."""
        UnknownNameError.check("way of counting", self.counted, COUNTING_RULES)
        UnknownNameError.check("unit of the matrix", self.per, UNITS)
        UnknownNameError.check("reading of pairs that never met", self.unmet, UNMET_PAIR_RULES)

    @property
    def reads(self) -> str:
        """The name of the field of `Results` that the matrix is computed from."""
        return "won_from" if self.counted == "pot by pot" else "won_in_shared_games"

    def __call__(self, results: Results, population_of: Ints) -> Fitness:
        """Return the profit of each player as its fitness, and the matrix of what it won from each opponent.

        Parameters
        ----------
        results : Results
            The results of M players in one generation.
        population_of : array of shape (M,)
            The index of each player's population, which is not used.

        Returns
        -------
        Fitness
            The profits, of shape (M,), and the matrix, of shape (M, M). Its diagonal is zero. The entry of a pair that
            does not count is NaN.

        Raises
        ------
        SettingError
            If the results do not have the field that the matrix is computed from.
        """
        winnings: Ints = getattr(results, self.reads)
        if not winnings.size:
            raise SettingError(
                "these pairings did not count who won from whom. Pass pairings=RingGames(pots=True), or"
                " fitness=WinsAndLosses(counted='in games together') or Profit()."
            )

        matrix = winnings.astype(np.float64)
        np.fill_diagonal(matrix, 0.0)
        if self.per == "a hand":
            matrix /= np.maximum(
                results.shared_hands, 1
            )  # a pair without hands has won 0, so 0 / 1
        if self.unmet == "does not count":
            is_other = ~np.eye(len(matrix), dtype=np.bool_)
            matrix[(results.shared_hands == 0) & is_other] = np.nan

        return Fitness(results.profit.astype(np.float64), matrix)


@dataclass(frozen=True, kw_only=True)
class Profit:
    """The number of chips that a player won, as its fitness.

    Parameters
    ----------
    per : {'in all', 'a hand'}
        Whether the fitness is the total number of chips, or the number for each hand played. This makes a difference if
        some players play more hands than others.
    """

    per: str = "in all"

    def __post_init__(self) -> None:
        """Raise an UnknownNameError if `per` is none of the allowed names."""
        UnknownNameError.check("unit of profit", self.per, UNITS)

    def __call__(self, results: Results, population_of: Ints) -> Fitness:
        """Return the number of chips that each player won, in all or for each hand that it played.

        Parameters
        ----------
        results : Results
            The results of M players in one generation.
        population_of : array of shape (M,)
            The index of each player's population, which is not used.

        Returns
        -------
        Fitness
            The profits, of shape (M,), without a matrix. They are 0 for a player who did not play.
        """
        return Fitness(convert_counts_to_unit(results.profit, results, self.per))


@dataclass(frozen=True, kw_only=True)
class HandsWon:
    """The number of hands in which a player won chips, as its fitness.

    G. Nicolai's thesis (2008, section 4.2.1) combines it with the mean rank. A chapter of 2011 by Nicolai & Hilderman
    compares it with survival and with chips per hand. We have only the abstract of that chapter.

    Parameters
    ----------
    per : {'in all', 'a hand'}
        Whether the fitness is the total number of hands won, or the share of the hands played.
    """

    per: str = "in all"

    def __post_init__(self) -> None:
        """Raise an UnknownNameError if `per` is none of the allowed names."""
        UnknownNameError.check("unit of hands won", self.per, UNITS)

    def __call__(self, results: Results, population_of: Ints) -> Fitness:
        """Return the number of hands in which each player won chips, or their share of the hands that it played.

        Parameters
        ----------
        results : Results
            The results of M players in one generation.
        population_of : array of shape (M,)
            The index of each player's population, which is not used.

        Returns
        -------
        Fitness
            The hands won, of shape (M,), without a matrix. They are 0 for a player who did not play.
        """
        return Fitness(convert_counts_to_unit(results.hands_won, results, self.per))


@dataclass(frozen=True, kw_only=True)
class MeanRank:
    """Minus the mean rank of a player in tournaments, as its fitness (Nicolai & Hilderman 2009).

    The longer a player survives in a tournament, the smaller is its rank and the larger its fitness.

    Parameters
    ----------
    among : {'everybody', 'own population'}
        Whether a player is ranked among all entrants, or only among those of its own population and its hall of fame.
        In the paper populations "are evolved separately", but the text does not say which rank is used. With a single
        population both are the same.
    """

    among: str = RANKING_GROUPS[0]
    reads: ClassVar[str] = "ranks"

    def __post_init__(self) -> None:
        """Raise an UnknownNameError if `among` is none of the allowed names."""
        UnknownNameError.check("group to be ranked in", self.among, RANKING_GROUPS)

    def __call__(self, results: Results, population_of: Ints) -> Fitness:
        """Return minus the mean rank of each player over all tournaments of the generation.

        Parameters
        ----------
        results : Results
            The results of M players in one generation.
        population_of : array of shape (M,)
            The index of each player's population. A member of a hall of fame belongs to the population of the hall.

        Returns
        -------
        Fitness
            The negative mean ranks, of shape (M,), without a matrix.

        Raises
        ------
        SettingError
            If the results have no ranks, because no tournaments were played.
        """
        if not results.ranks.size:
            raise SettingError(
                "these pairings have no ranks. Pass pairings=Tournaments(), or fitness=Profit()."
            )
        ranks = results.ranks
        if self.among == "own population":
            ranks = rank_within_populations(ranks, population_of)
        return Fitness(-ranks.mean(axis=0))


def rank_within_populations(ranks: Floats, population_of: Ints) -> Floats:
    """Return the rank of each player among the players of its own population.

    Parameters
    ----------
    ranks : array of shape (T, M)
        The rank of each of M players in each of T tournaments, where 1 is the best.
    population_of : array of shape (M,)
        The index of each player's population.

    Returns
    -------
    array of shape (T, M)
        The rank of each player in its population. Players with equal ranks get the mean of their new ranks.
    """
    own_ranks = np.empty_like(ranks)
    for population in np.unique(population_of):
        is_member = population_of == population
        own_ranks[:, is_member] = scipy.stats.rankdata(ranks[:, is_member], axis=1)
    return own_ranks


def convert_counts_to_unit(counts: Ints | Floats, results: Results, unit: str) -> Floats:
    """Return counts of players, such as chips won, either unchanged or divided by the hands that each player played.

    Parameters
    ----------
    counts : array of shape (M,)
        A count for each of M players, such as the chips that it won.
    results : Results
        The results of the same players, which have the number of hands that each player played.
    unit : {'in all', 'a hand'}
        Whether the counts are returned unchanged, or for each hand.

    Returns
    -------
    array of shape (M,)
        The counts in the unit. The count of a player who did not play is not divided.
    """
    totals = counts.astype(np.float64)
    if unit != "a hand":
        return totals
    return totals / np.maximum(results.hands, 1)
