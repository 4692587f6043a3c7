"""Numbers that say how good a profile is, or which of several players is better.

Begin with `equilibrium`: NashConv, exploitability, epsilon, and mistakes where play hardly ever comes. `paired`
compares players who met in the same trials; `results` rates everybody in a table of who beat whom.
"""

from pokerlab.metrics.equilibrium import (
    epsilon,
    exploitability,
    nash_conv,
    performance,
    sequential_gains,
)
from pokerlab.metrics.paired import PairedSums, holm
from pokerlab.metrics.results import Ratings, ratings

__all__ = [
    "PairedSums",
    "Ratings",
    "epsilon",
    "exploitability",
    "holm",
    "nash_conv",
    "performance",
    "ratings",
    "sequential_gains",
]


def __dir__() -> list[str]:
    return sorted(__all__)
