"""Evolution strategies whose states are plain arrays: ask for offspring, tell how fit they are.

One seed is one evolution on one machine; on another processor linear algebra rounds differently.
"""

from pokerlab.core.faces import shown
from pokerlab.evolution.cma_es import CMAES as CMAES
from pokerlab.evolution.cma_es import CSAES as CSAES
from pokerlab.evolution.gradient_es import GradientES as GradientES
from pokerlab.evolution.protocol import EvolutionStrategy as EvolutionStrategy

__all__, __dir__ = shown(globals())
