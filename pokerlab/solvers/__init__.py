"""Algorithms that look for equilibria; each file holds one idea, with the states that it steps through.

Begin with `protocol`, what a solver is, and `dynamics`, the shortest ones. `memories` are sets of strategies
that grow, by a `search` and the mix of a `subgame`. `coevolution` is judged by a `worst_case`, or by matches.
`belief` is tree search against a fixed strategy. `sequence_form_lp` is the linear program, solved by `highs`.
"""

from pokerlab.core.faces import shown
from pokerlab.solvers.coevolution.minimax_coevolution import (
    MinimaxCoevolution as MinimaxCoevolution,
)
from pokerlab.solvers.coevolution.population_coevolution import (
    PopulationCoevolution as PopulationCoevolution,
)
from pokerlab.solvers.coevolution.population_coevolution import PopulationState as PopulationState
from pokerlab.solvers.dynamics.bucketed_cfr import BucketedCFR as BucketedCFR
from pokerlab.solvers.dynamics.cfr import CFR as CFR
from pokerlab.solvers.dynamics.cfr import CFRPlus as CFRPlus
from pokerlab.solvers.dynamics.cfr import DiscountedCFR as DiscountedCFR
from pokerlab.solvers.dynamics.cfr import PredictiveCFRPlus as PredictiveCFRPlus
from pokerlab.solvers.dynamics.exploitability_descent import (
    ExploitabilityDescent as ExploitabilityDescent,
)
from pokerlab.solvers.dynamics.finite_population import MoranProcess as MoranProcess
from pokerlab.solvers.dynamics.replicator import ContinuousReplicator as ContinuousReplicator
from pokerlab.solvers.dynamics.replicator import ReplicatorDynamics as ReplicatorDynamics
from pokerlab.solvers.dynamics.stability import RestPoint as RestPoint
from pokerlab.solvers.dynamics.stability import RestPoints as RestPoints
from pokerlab.solvers.dynamics.stability import rest_points as rest_points
from pokerlab.solvers.dynamics.state import DynamicsState as DynamicsState
from pokerlab.solvers.dynamics.state import FictitiousPlay as FictitiousPlay
from pokerlab.solvers.dynamics.state import PolynomialWeights as PolynomialWeights
from pokerlab.solvers.memories.double_oracle import DoubleOracle as DoubleOracle
from pokerlab.solvers.memories.memory_heuristic import Mutants as Mutants
from pokerlab.solvers.memories.memory_heuristic import Replies as Replies
from pokerlab.solvers.memories.memory_heuristic import Searches as Searches
from pokerlab.solvers.memories.nash_memory import NashMemory as NashMemory
from pokerlab.solvers.memories.nash_memory import tournament as tournament
from pokerlab.solvers.memories.parallel_nash_memory import PSRO as PSRO
from pokerlab.solvers.memories.parallel_nash_memory import ParallelNashMemory as ParallelNashMemory
from pokerlab.solvers.protocol import Solver as Solver
from pokerlab.solvers.search import BestResponse as BestResponse
from pokerlab.solvers.search import EvolutionarySearch as EvolutionarySearch
from pokerlab.solvers.search import RandomSearch as RandomSearch
from pokerlab.solvers.sequence_form_lp import SequenceFormLP as SequenceFormLP
from pokerlab.solvers.subgame.equilibria import InteriorPointProgram as InteriorPointProgram
from pokerlab.solvers.subgame.equilibria import LemkeHowson as LemkeHowson
from pokerlab.solvers.subgame.equilibria import ZeroSumProgram as ZeroSumProgram
from pokerlab.solvers.subgame.mixture import BestPurePair as BestPurePair
from pokerlab.solvers.subgame.mixture import UniformMixture as UniformMixture
from pokerlab.solvers.subgame.projected_replicator import ProjectedReplicator as ProjectedReplicator
from pokerlab.solvers.worst_case.inner_evolution import InnerEvolution as InnerEvolution
from pokerlab.solvers.worst_case.replies import ExactReply as ExactReply
from pokerlab.solvers.worst_case.replies import SeatReplies as SeatReplies
from pokerlab.solvers.worst_case.replies import TreeSearch as TreeSearch

__all__, __dir__ = shown(globals())
