"""Algorithms that look for equilibria; each file holds one idea, with the states that it steps through.

Begin with `protocol`, what a solver is, and `dynamics`, the plainest ones; `cfr` minimizes regret. `memories` and
`double_oracle` hold sets of strategies that grow, by a `search` and the mixture of a `subgame`.
`minimax_coevolution` is judged by a `worst_case`, `population_coevolution` by matches. `belief_search` is tree search
against a fixed strategy, and `linear_program` solves zero-sum games exactly. `finite_population` is the Moran process,
and `stability` finds the rest points of the replicator `flow` of a small symmetric game.
"""

from pokerlab.core.public_names import load_on_first_use

__getattr__, __dir__, __all__ = load_on_first_use(__name__, __file__)
