from .evolution_strategies import CMAES as CMAES
from .evolution_strategies import CSAES as CSAES
from .gradient_strategy import GradientES as GradientES
