"""The parts of a population's coevolution: who meets whom, worth, who stays, children, a hall of fame.

Begin with `parts` (what each part is and what it hands on); `matches`, `worth`, `selection`,
`variation` and `hall` have one choice or several of each. `pokerlab.solvers.PopulationCoevolution` is
the loop that they fill.
"""

from pokerlab.core.kinds import front_door
from pokerlab.evolution.population.hall import NO_HALL, HallOfFame
from pokerlab.evolution.population.matches import RingGames
from pokerlab.evolution.population.parts import (
    Children,
    Chosen,
    Hall,
    Judged,
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
from pokerlab.evolution.population.variation import Crossover
from pokerlab.evolution.population.worth import Profit, WinsAndLosses

__all__ = [
    "NO_HALL",
    "Children",
    "Chosen",
    "Crossover",
    "DeterministicCrowding",
    "Elites",
    "EquilibriumMix",
    "Hall",
    "HallOfFame",
    "Judged",
    "Matches",
    "Met",
    "NonDominatedRanks",
    "ParetoFront",
    "PlayerEncoding",
    "Profit",
    "RingGames",
    "Roulette",
    "Selection",
    "Variation",
    "WinsAndLosses",
    "Worth",
]

__dir__ = front_door(globals())
