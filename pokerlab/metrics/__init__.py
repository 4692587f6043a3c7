"""Numbers that say how good a profile is, or which of several players is better.

Begin with `equilibrium`: NashConv, exploitability, epsilon, and mistakes where play hardly ever comes. `paired`
compares players who met in the same trials.
"""

from pokerlab.metrics.equilibrium import (
    epsilon,
    exploitability,
    nash_conv,
    performance,
    sequential_gains,
)
from pokerlab.metrics.paired import PairedSums, holm

__all__ = [
    "PairedSums",
    "epsilon",
    "exploitability",
    "holm",
    "nash_conv",
    "performance",
    "sequential_gains",
]


def __dir__() -> list[str]:
    return sorted(__all__)
