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
        UnknownNameError.check("way of counting", self.counted, COUNTED)
        UnknownNameError.check("unit of the matrix", self.per, PER)
        UnknownNameError.check("reading of pairs that never met", self.unmet, UNMET)

    @property
    def reads(self) -> str:
        """The field of `Results` from which the matrix is computed."""
        return "won_from" if self.counted == "pot by pot" else "won_in_shared_games"

    def __call__(self, results: Results, population_of: Ints) -> Fitness:
        """Return the profits, and the matrix with zeros on its diagonal; `FitnessFunction` describes the parameters."""
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
    """The number of chips that a player won, as its fitness.

    Parameters
    ----------
    per : {'in all', 'a hand'}
        Whether the fitness is the total number of chips, or the number for each hand played. This makes a difference if
        some players play more hands than others.
    """

    per: str = "in all"

    def __post_init__(self) -> None:
        UnknownNameError.check("unit of profit", self.per, PER)

    def __call__(self, results: Results, population_of: Ints) -> Fitness:
        """Return the profits, which are 0 for a player who did not play; `FitnessFunction` has the parameters."""
        return Fitness(divide_by_hands(results.profit, results, self.per))


@dataclass(frozen=True, kw_only=True)
class HandsWon:
    """The number of hands in which a player won chips, as its fitness.

    G. Nicolai's thesis (2008, section 4.2.1) combines it with the mean rank. A chapter of 2011 by Nicolai & Hilderman,
    of which we have only the abstract, compares it with survival and with chips per hand.

    Parameters
    ----------
    per : {'in all', 'a hand'}
        Whether the fitness is the total number of hands won, or the share of the hands played.
    """

    per: str = "in all"

    def __post_init__(self) -> None:
        UnknownNameError.check("unit of hands won", self.per, PER)

    def __call__(self, results: Results, population_of: Ints) -> Fitness:
        """Return the hands won, which are 0 for a player who did not play; `FitnessFunction` has the parameters."""
        return Fitness(divide_by_hands(results.hands_won, results, self.per))


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

    among: str = AMONG[0]
    reads: ClassVar[str] = "ranks"

    def __post_init__(self) -> None:
        UnknownNameError.check("group to be ranked in", self.among, AMONG)

    def __call__(self, results: Results, population_of: Ints) -> Fitness:
        """Return minus the mean rank of each player; `FitnessFunction` describes the parameters."""
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


def divide_by_hands(counts: Ints | Floats, results: Results, unit_of_counts: str) -> Floats:
    """Return the counts of all players, in all or for each hand that a player has played.

    If a player did not play, its count is divided by 1.

    Parameters
    ----------
    counts : array of shape (M,)
        A count for each of M players, such as the chips that it won.
    results : Results
        The results, which have the number of hands that each player played.
    unit_of_counts : {'in all', 'a hand'}
        Whether the counts are returned as they are, or for each hand.
    """
    totals = counts.astype(np.float64)
    if unit_of_counts != "a hand":
        return totals
    return totals / np.maximum(results.hands, 1)
