"""The parts of a population's coevolution: who meets whom, worth, who stays, children, a hall of fame.

Begin with `parts`: what each part is, and what it hands on to the next. `matches`, `worth`, `selection`,
`variation` and `hall` have what can be chosen, which stands here, too. `pokerlab.solvers.PopulationCoevolution`
is the loop that they fill.
"""

from pokerlab.evolution.population.hall import NO_HALL, HallOfElites, HallOfFame, InfiniteHall
from pokerlab.evolution.population.matches import RingGames, Tournaments
from pokerlab.evolution.population.meetings import AllPairs, Sampled
from pokerlab.evolution.population.selection import (
    DeterministicCrowding,
    Elites,
    EquilibriumMix,
    NonDominatedRanks,
    ParetoFront,
    Roulette,
)
from pokerlab.evolution.population.variation import Crossover, WeightedSum
from pokerlab.evolution.population.worth import HandsWon, MeanRank, Profit, WinsAndLosses

__all__ = [
    "NO_HALL",
    "AllPairs",
    "Crossover",
    "DeterministicCrowding",
    "Elites",
    "EquilibriumMix",
    "HallOfElites",
    "HallOfFame",
    "HandsWon",
    "InfiniteHall",
    "MeanRank",
    "NonDominatedRanks",
    "ParetoFront",
    "Profit",
    "RingGames",
    "Roulette",
    "Sampled",
    "Tournaments",
    "WeightedSum",
    "WinsAndLosses",
]


def __dir__() -> list[str]:
    return sorted(__all__)
