"""Tournaments at one table or at many, until one player has all chips.

Begin with `schedule` (the blinds) and `freezeout` (tables are broken and refilled as players go out). `rounds`
is what happens between two hands, and `balancing` says who changes tables. `results` is what came of it, round
by round if it was recorded.
"""
