"""Evolution strategies whose states are plain arrays: ask for offspring, tell how fit they are.

One seed is one evolution on one machine; on another processor linear algebra rounds differently.
"""

from pokerlab.evolution.cma_es import CMAES, CSAES
from pokerlab.evolution.gradient_es import GradientES
from pokerlab.evolution.protocol import EvolutionStrategy

__all__ = ["CMAES", "CSAES", "EvolutionStrategy", "GradientES"]


def __dir__() -> list[str]:
    return sorted(__all__)
