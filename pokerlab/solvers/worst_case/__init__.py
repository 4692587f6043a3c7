"""How badly a genome can lose: what a coevolution minimizes.

Begin with `worst_case`, the protocol, and exact best responses. `inner_evolution` evolves replies, and
`tree_search` runs Algorithm 1's search in every seat.
"""
