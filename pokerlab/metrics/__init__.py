"""Numbers that say how good a profile is, or which of several players is better.

Begin with `equilibrium`: NashConv, exploitability, epsilon, and mistakes where play hardly ever comes. `paired`
compares players who met in the same trials; `results` rates everybody in a table of who beat whom, and
`concepts` says whom a solution concept picks of it. `winnings` reads such tables, and says when two numbers are equal.
"""

from pokerlab.core.faces import shown
from pokerlab.metrics.concepts import correlated_equilibrium as correlated_equilibrium
from pokerlab.metrics.concepts import solution_concepts as solution_concepts
from pokerlab.metrics.equilibrium import epsilon as epsilon
from pokerlab.metrics.equilibrium import exploitability as exploitability
from pokerlab.metrics.equilibrium import nash_conv as nash_conv
from pokerlab.metrics.equilibrium import performance as performance
from pokerlab.metrics.equilibrium import sequential_gains as sequential_gains
from pokerlab.metrics.paired import PairedSums as PairedSums
from pokerlab.metrics.paired import holm as holm
from pokerlab.metrics.results import Ratings as Ratings
from pokerlab.metrics.results import ratings as ratings

__all__, __dir__ = shown(globals())
