"""Search against a fixed strategy: a replier's beliefs as states, Algorithm 1 of Samothrakis & Lucas (2011).

Begin with `belief_tree`, what a replier knows in a compiled game, made from the histories that `grouping`
groups; `bucketed_beliefs` says the same of bucketed hold'em, whose tree is too large to keep. `search` is
Algorithm 1 on both, with `playouts` below the depth.
"""
