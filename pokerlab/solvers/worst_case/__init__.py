"""How badly a genome can lose: what a coevolution minimizes.

Begin with `worst_case`, the protocol. `exact_reply` uses exact best responses, `inner_evolution` evolves
replies, which `matches` judges, and `tree_search` runs Algorithm 1's search in every seat.
"""
