"""Metrics: how far a profile is from an equilibrium, and which of several players is better.

Begin with `equilibrium`, which takes a game and a profile: NashConv, exploitability, epsilon. `paired_comparison`
compares players by their numbers in the same trials. `match_results` rates the players in a table of results, and
`player_selection` applies solution concepts, which select players.
"""

from pokerlab.core.public_names import make_lazy_attributes

__getattr__, __dir__, __all__ = make_lazy_attributes(__name__, __file__)
