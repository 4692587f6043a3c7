"""Algorithms that look for equilibria; each file holds one idea, with the states that it steps through.

Begin with `protocol`, what a solver is, and `dynamics`, the shortest ones. `memories` are sets of strategies
that grow, by a `search` and the mix of a `subgame`. `coevolution` is judged by a `worst_case`, or by matches.
`belief` is tree search against a fixed strategy. `sequence_form_lp` is the linear program, solved by `highs`.
"""

from pokerlab.solvers.coevolution.minimax_coevolution import MinimaxCoevolution
from pokerlab.solvers.coevolution.population_coevolution import PopulationCoevolution
from pokerlab.solvers.coevolution.population_state import PopulationState
from pokerlab.solvers.dynamics.bucketed_cfr import BucketedCFR
from pokerlab.solvers.dynamics.cfr import CFR, CFRPlus, DiscountedCFR, PredictiveCFRPlus
from pokerlab.solvers.dynamics.exploitability_descent import ExploitabilityDescent
from pokerlab.solvers.dynamics.finite_population import MoranProcess
from pokerlab.solvers.dynamics.replicator import ContinuousReplicator, ReplicatorDynamics
from pokerlab.solvers.dynamics.stability import RestPoint, RestPoints, rest_points
from pokerlab.solvers.dynamics.state import DynamicsState, FictitiousPlay, PolynomialWeights
from pokerlab.solvers.memories.double_oracle import DoubleOracle
from pokerlab.solvers.memories.memory_heuristic import Mutants, Replies, Searches
from pokerlab.solvers.memories.nash_memory import NashMemory, tournament
from pokerlab.solvers.memories.parallel_nash_memory import PSRO, ParallelNashMemory
from pokerlab.solvers.protocol import Solver
from pokerlab.solvers.search import BestResponse, EvolutionarySearch, RandomSearch
from pokerlab.solvers.sequence_form_lp import SequenceFormLP
from pokerlab.solvers.subgame.lemke_howson import LemkeHowson
from pokerlab.solvers.subgame.mixture import BestPurePair, UniformMixture
from pokerlab.solvers.subgame.projected_replicator import ProjectedReplicator
from pokerlab.solvers.subgame.zero_sum import InteriorPointProgram, ZeroSumProgram
from pokerlab.solvers.worst_case.inner_evolution import InnerEvolution
from pokerlab.solvers.worst_case.replies import ExactReply, SeatReplies, TreeSearch

__all__ = [
    "CFR",
    "PSRO",
    "BestPurePair",
    "BestResponse",
    "BucketedCFR",
    "CFRPlus",
    "ContinuousReplicator",
    "DiscountedCFR",
    "DoubleOracle",
    "DynamicsState",
    "EvolutionarySearch",
    "ExactReply",
    "ExploitabilityDescent",
    "FictitiousPlay",
    "InnerEvolution",
    "InteriorPointProgram",
    "LemkeHowson",
    "MinimaxCoevolution",
    "MoranProcess",
    "Mutants",
    "NashMemory",
    "ParallelNashMemory",
    "PolynomialWeights",
    "PopulationCoevolution",
    "PopulationState",
    "PredictiveCFRPlus",
    "ProjectedReplicator",
    "RandomSearch",
    "ReplicatorDynamics",
    "Replies",
    "RestPoint",
    "RestPoints",
    "Searches",
    "SeatReplies",
    "SequenceFormLP",
    "Solver",
    "TreeSearch",
    "UniformMixture",
    "ZeroSumProgram",
    "rest_points",
    "tournament",
]


def __dir__() -> list[str]:
    return sorted(__all__)
