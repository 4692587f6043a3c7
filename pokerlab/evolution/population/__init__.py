"""The parts of a population's coevolution: who meets whom, worth, who stays, children, a hall of fame.

Begin with `parts` (what each part is and what it hands on); `matches`, `worth`, `selection`,
`variation` and `hall` have one choice or several of each. `pokerlab.solvers.PopulationCoevolution` is
the loop that they fill.
"""

from pokerlab.evolution.population.hall import NO_HALL, HallOfElites, HallOfFame, InfiniteHall
from pokerlab.evolution.population.matches import RingGames, Tournaments
from pokerlab.evolution.population.parts import (
    Children,
    Chosen,
    Hall,
    HallRule,
    Judged,
    JudgedGeneration,
    Matches,
    Met,
    PlayerEncoding,
    Selection,
    Variation,
    Worth,
)
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
    "Children",
    "Chosen",
    "Crossover",
    "DeterministicCrowding",
    "Elites",
    "EquilibriumMix",
    "Hall",
    "HallOfElites",
    "HallOfFame",
    "HallRule",
    "HandsWon",
    "InfiniteHall",
    "Judged",
    "JudgedGeneration",
    "Matches",
    "MeanRank",
    "Met",
    "NonDominatedRanks",
    "ParetoFront",
    "PlayerEncoding",
    "Profit",
    "RingGames",
    "Roulette",
    "Selection",
    "Tournaments",
    "Variation",
    "WeightedSum",
    "WinsAndLosses",
    "Worth",
]


def __dir__() -> list[str]:
    return sorted(__all__)
