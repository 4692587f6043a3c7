"""The rules of betting, twice: a hand to read, and the same rules as kernels.

Begin with `structure` (blinds, antes, limits) and `hand`, where the rules of the house stand. `engine` and
`engine_showdown` play the same rules on flat integers, a thousand times as fast; tests play both side by side.
"""
