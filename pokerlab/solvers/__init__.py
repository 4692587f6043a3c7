"""Algorithms that look for equilibria; each file holds one idea, with the states that it steps through.

Begin with `protocol`, the form of a solver, and `dynamics`, the plainest ones; `cfr` minimizes regret. `memories`,
`parallel_memories` and `double_oracle` hold sets of strategies that grow: one of the `search_heuristics` proposes new
strategies, and a `subgame` computes the mixture from `subgame_payoffs`. Pools of a memory grow without being copied, as
`strategy_pools` explains. The fitness of `minimax_coevolution` is a `worst_case`, which may evaluate responses by
`response_gains`; that of `population_coevolution` comes from pairings. `beliefs` are the tree of one player against
fixed strategies, which `tree_search` searches, with `playouts` from its deepest states. `linear_program` solves
zero-sum games exactly, and `matrix_programs` a table of payoffs.
`disturbances` change a state from outside, for example by mutants that enter. `finite_population` is the Moran process,
and `stability` finds the rest points of the replicator `flow` of a small symmetric game.
"""

from pokerlab.core.public_names import make_lazy_attributes

__getattr__, __dir__, __all__ = make_lazy_attributes(__name__, __file__)
