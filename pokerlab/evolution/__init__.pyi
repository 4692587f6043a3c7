from .evolution_strategies import CMAES as CMAES
from .evolution_strategies import CSAES as CSAES
from .evolution_strategies import GradientES as GradientES
