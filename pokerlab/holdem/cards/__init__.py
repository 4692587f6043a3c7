"""Cards, the two-card holdings that a player may have, and deals.

Begin with `deck` (cards as numbers and as text, and the streets). `suits` finds boards and hands that differ only in
the names of the suits. `dealing` deals from a seed and a number, so that every hand can be dealt again.
"""
