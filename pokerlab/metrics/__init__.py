"""Metrics: how far a profile is from an equilibrium, and which of several players is better.

Begin with `equilibrium`, which takes a game and a profile: NashConv, exploitability, epsilon. `paired_comparison`
compares players by their numbers in the same trials. `match_results` rates the players in a table of results, and says
which players a solution concept picks.
"""

from pokerlab.core.public_names import declare_public_names
from pokerlab.metrics.equilibrium import epsilon as epsilon
from pokerlab.metrics.equilibrium import exploitability as exploitability
from pokerlab.metrics.equilibrium import nash_conv as nash_conv
from pokerlab.metrics.equilibrium import performance as performance
from pokerlab.metrics.equilibrium import sequential_gains as sequential_gains
from pokerlab.metrics.match_results import Ratings as Ratings
from pokerlab.metrics.match_results import apply_solution_concepts as apply_solution_concepts
from pokerlab.metrics.match_results import (
    find_correlated_equilibrium as find_correlated_equilibrium,
)
from pokerlab.metrics.match_results import rate_players as rate_players
from pokerlab.metrics.paired_comparison import PairedSums as PairedSums
from pokerlab.metrics.paired_comparison import apply_holm_correction as apply_holm_correction

declare_public_names(globals())
