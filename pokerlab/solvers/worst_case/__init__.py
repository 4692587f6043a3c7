"""How badly a genome can lose: what a coevolution minimizes.

Begin with `worst_case`: the protocol, exact best responses, and Algorithm 1's search in every seat.
`inner_evolution` evolves replies.
"""
