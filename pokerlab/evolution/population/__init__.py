"""The parts of a population's coevolution: who meets whom, worth, who stays, children, a hall of fame.

Begin with `parts`: what each part is, and what it hands on to the next. `meetings` of `contenders`, `worth`,
`selection`, `variation` and `hall` have what can be chosen, which stands here, too; ring games and tournaments are
hold'em's. `pokerlab.solvers.PopulationCoevolution` is the loop that they fill.
"""

from pokerlab.core.public_names import load_on_first_use

__getattr__, __dir__, __all__ = load_on_first_use(__name__, __file__)
