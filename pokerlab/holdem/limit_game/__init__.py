"""Limit hold'em for two with hands put into buckets: small enough to solve, near enough to play.

Begin with `betting_tree` (the betting) and `bucketed_holdem` (the tree and `holdem.abstraction` as an exact game, its
profiles, and the tuple table). `layouts`, `reach` and `worth` are how the tree is swept; `belief_search` searches it as
the paper does. `real_player` and `lbr` play with real cards, and `real_cards` has the worst case there: what is lost to
whoever sees them.
"""
