"""Algorithms that look for equilibria; each file holds one idea, with the states that it steps through.

Begin with `protocol`, what a solver is, and `dynamics`, the plainest ones; `cfr` minimizes regret. `nash_memory`,
`parallel_nash_memory` and `double_oracle` are sets of strategies that grow, by a `search` and the mix of a `subgame`.
`minimax_coevolution` is judged by a `worst_case`, `population_coevolution` by matches. `belief_search` is tree search
against a fixed strategy, and `linear_program` solves zero-sum games exactly. `finite_population` lets chance breed,
and `stability` says where the `flow` of a small symmetric game rests.
"""

from pokerlab.core.public_names import load_on_first_use

__getattr__, __dir__, __all__ = load_on_first_use(__name__, __file__)
