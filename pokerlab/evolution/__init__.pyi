from .cma_es import CMAES as CMAES
from .cma_es import CSAES as CSAES
from .gradient_es import GradientES as GradientES
from .protocol import EvolutionStrategy as EvolutionStrategy
