"""Numbers that say how good a profile is, or which of several players is better.

Begin with `equilibrium`: NashConv, exploitability, epsilon, and mistakes where play hardly ever comes. `paired`
compares players who met in the same trials; `results` rates everybody in a table of who beat whom, and
`concepts` says whom a solution concept picks of it.
"""

from pokerlab.metrics.concepts import correlated_equilibrium, solution_concepts
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
    "correlated_equilibrium",
    "epsilon",
    "exploitability",
    "holm",
    "nash_conv",
    "performance",
    "ratings",
    "sequential_gains",
    "solution_concepts",
]


def __dir__() -> list[str]:
    return sorted(__all__)
