"""Search against a fixed strategy: a replier's beliefs as states, Algorithm 1 of Samothrakis & Lucas (2011).

Begin with `belief_tree`, what a replier knows in a compiled game, made from the histories that `grouping`
groups; `search` is Algorithm 1 on it. The three `bucketed` files are the same for bucketed hold'em, whose
tree is too large to keep: its states, the playouts below the depth, the search above it.
"""
