"""Numbers that say how good a profile is, or which of several players is better.

Begin with `equilibrium`: NashConv, exploitability, epsilon, and mistakes where play hardly ever comes. `regret`
reads regrets and their bounds from the ledger that `regret_ledger` keeps while a solver runs; `kuhn3` has the
equilibria of three-player Kuhn poker; `paired` compares players who met in the same trials.
"""

from pokerlab.metrics.equilibrium import (
    epsilon,
    exploitability,
    nash_conv,
    performance,
    sequential_gains,
)
from pokerlab.metrics.kuhn3 import FamilyMember, family_distance, fixed_distance, nearest_member
from pokerlab.metrics.paired import PairedSums, holm
from pokerlab.metrics.regret import average_regret, counterfactual_bound, loss_bound, theorem_five
from pokerlab.metrics.regret_ledger import Watched

__all__ = [
    "FamilyMember",
    "PairedSums",
    "Watched",
    "average_regret",
    "counterfactual_bound",
    "epsilon",
    "exploitability",
    "family_distance",
    "fixed_distance",
    "holm",
    "loss_bound",
    "nash_conv",
    "nearest_member",
    "performance",
    "sequential_gains",
    "theorem_five",
]


def __dir__() -> list[str]:
    return sorted(__all__)
