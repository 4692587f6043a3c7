"""The parts of a population's coevolution: pairings, fitness, selection, variation, a hall of fame.

Begin with `protocol`: what each part is, and what it hands on to the next. Each other module has what can be chosen
for one part; ring games and tournaments are hold'em's pairings. `pokerlab.solvers.PopulationCoevolution` is the loop
that calls them.
"""

from pokerlab.core.public_names import make_lazy_attributes

__getattr__, __dir__, __all__ = make_lazy_attributes(__name__, __file__)
