"""Algorithms that look for equilibria; each file holds one idea, with the states that it steps through.

Begin with `protocol`, what a solver is, and `dynamics`, the shortest ones. `memories` are sets of strategies
that grow, by a `search` and the mix of a `subgame`. `coevolution` is judged by a `worst_case`, or by matches.
`belief` is tree search against a fixed strategy. `sequence_form_lp` is the linear program, solved by `highs`.
"""

from pokerlab.core.faces import load_on_first_use

__getattr__, __dir__, __all__ = load_on_first_use(__name__, __file__)
