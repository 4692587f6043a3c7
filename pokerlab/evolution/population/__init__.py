"""The parts of a population's coevolution: who meets whom, worth, who stays, children, a hall of fame.

Begin with `parts`: what each part is, and what it hands on to the next. `matches`, `worth`, `selection`,
`variation` and `hall` have what can be chosen, which stands here, too. `pokerlab.solvers.PopulationCoevolution`
is the loop that they fill.
"""

from pokerlab.core.faces import shown
from pokerlab.evolution.population.hall import NO_HALL as NO_HALL
from pokerlab.evolution.population.hall import HallOfElites as HallOfElites
from pokerlab.evolution.population.hall import HallOfFame as HallOfFame
from pokerlab.evolution.population.hall import InfiniteHall as InfiniteHall
from pokerlab.evolution.population.matches import RingGames as RingGames
from pokerlab.evolution.population.matches import Tournaments as Tournaments
from pokerlab.evolution.population.meetings import AllPairs as AllPairs
from pokerlab.evolution.population.meetings import Sampled as Sampled
from pokerlab.evolution.population.selection import DeterministicCrowding as DeterministicCrowding
from pokerlab.evolution.population.selection import Elites as Elites
from pokerlab.evolution.population.selection import EquilibriumMix as EquilibriumMix
from pokerlab.evolution.population.selection import NonDominatedRanks as NonDominatedRanks
from pokerlab.evolution.population.selection import ParetoFront as ParetoFront
from pokerlab.evolution.population.selection import Roulette as Roulette
from pokerlab.evolution.population.variation import Crossover as Crossover
from pokerlab.evolution.population.variation import WeightedSum as WeightedSum
from pokerlab.evolution.population.worth import HandsWon as HandsWon
from pokerlab.evolution.population.worth import MeanRank as MeanRank
from pokerlab.evolution.population.worth import Profit as Profit
from pokerlab.evolution.population.worth import WinsAndLosses as WinsAndLosses

__all__, __dir__ = shown(globals())
