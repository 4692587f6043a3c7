"""The four streets of hold'em: what they are called, and how many cards the board then has."""

STREETS = ("preflop", "flop", "turn", "river")
WHEN = ("before the flop", "on the flop", "on the turn", "on the river")
"""The streets inside a sentence."""
BOARD_SIZES = (0, 3, 4, 5)
NUM_STREETS = len(STREETS)
PREFLOP, FLOP, TURN, RIVER = range(NUM_STREETS)
