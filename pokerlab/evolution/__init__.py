"""How genomes evolve: evolution strategies around a mean, and the parts of a population's coevolution.

Begin with `evolution_strategies`: ask for offspring, tell how fit they are; states are plain arrays.
`gradient_strategy` has the strategy that follows an estimated gradient, by the steps of `adam`. `population` has the
pairings of players, their fitness, the selection of survivors and parents, and the variation that makes children; it
also defines the words genome, strategy, population, member, player and opponent. The parameter `population` of an
evolution strategy is the number of its offspring in a generation. One seed is one evolution on one machine; on another
processor linear algebra rounds differently.
"""

from pokerlab.core.public_names import make_lazy_attributes

__getattr__, __dir__, __all__ = make_lazy_attributes(__name__, __file__)
