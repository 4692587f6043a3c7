"""Cards, the two-card holdings that a player may have, ranges of them, and deals.

Begin with `cards` (cards as numbers and as text) and `ranges`. `suits` tells which boards and hands
are the same but for the names of the suits; `suit_layout` and `patterns` are how. `dealing` deals
from a seed and a number, so that every hand can be dealt again.
"""
