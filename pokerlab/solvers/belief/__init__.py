"""Search against a fixed strategy: a replier's beliefs as states, Algorithm 1 of Samothrakis & Lucas (2011).

Begin with `belief_tree`, what a replier knows in a compiled game, made from the histories that `grouping`
groups. `search` is Algorithm 1 on it, and on bucketed hold'em, whose tree is too large to keep, with `playouts` below
the depth.
"""
