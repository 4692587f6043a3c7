"""Algorithms that look for equilibria, one a file."""

from pokerlab.solvers.cfr import CFR
from pokerlab.solvers.cfr_plus import CFRPlus
from pokerlab.solvers.continuous_replicator import ContinuousReplicator
from pokerlab.solvers.discounted_cfr import DiscountedCFR
from pokerlab.solvers.dynamics import DynamicsState
from pokerlab.solvers.fictitious_play import FictitiousPlay
from pokerlab.solvers.normal_form_replicator import MixedState, NormalFormReplicator
from pokerlab.solvers.polynomial_weights import PolynomialWeights
from pokerlab.solvers.predictive_cfr_plus import PredictiveCFRPlus
from pokerlab.solvers.protocol import Solver
from pokerlab.solvers.regret import RegretState
from pokerlab.solvers.replicator import ReplicatorDynamics
from pokerlab.solvers.sequence_form_lp import SequenceFormLP, Solution

__all__ = [
    "CFR",
    "CFRPlus",
    "ContinuousReplicator",
    "DiscountedCFR",
    "DynamicsState",
    "FictitiousPlay",
    "MixedState",
    "NormalFormReplicator",
    "PolynomialWeights",
    "PredictiveCFRPlus",
    "RegretState",
    "ReplicatorDynamics",
    "SequenceFormLP",
    "Solution",
    "Solver",
]
