"""Algorithms that look for equilibria, one a file."""

from pokerlab.solvers.cfr import CFR
from pokerlab.solvers.cfr_plus import CFRPlus
from pokerlab.solvers.discounted_cfr import DiscountedCFR
from pokerlab.solvers.dynamics import DynamicsState
from pokerlab.solvers.fictitious_play import FictitiousPlay
from pokerlab.solvers.polynomial_weights import PolynomialWeights
from pokerlab.solvers.predictive_cfr_plus import PredictiveCFRPlus
from pokerlab.solvers.protocol import Solver
from pokerlab.solvers.regret import RegretState
from pokerlab.solvers.replicator import ReplicatorDynamics

__all__ = [
    "CFR",
    "CFRPlus",
    "DiscountedCFR",
    "DynamicsState",
    "FictitiousPlay",
    "PolynomialWeights",
    "PredictiveCFRPlus",
    "RegretState",
    "ReplicatorDynamics",
    "Solver",
]
