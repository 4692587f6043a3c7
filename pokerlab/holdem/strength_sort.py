"""Sort things by strength: numbers that have a strength in their high bits."""

import numpy as np
from numpy.typing import NDArray

from pokerlab.core.kernel import inlined

NUM_LOW, NUM_HIGH = 128, 64
"""Strengths have 13 bits: many are sorted by the low seven, then by the high six."""
NUM_ENDS = NUM_LOW + NUM_HIGH
FEW = 24
"""So many are sorted by insertion."""

Small = NDArray[np.int32]


@inlined
def sort_by_strength(things: Small, size: int, bits: int, room: Small, ends: Small) -> None:
    """Sort the first things so that those of lower strength come first.

    Parameters
    ----------
    things : ndarray of int32
        Each a strength, 0 to 8191, times 2**bits, and what has it.
    size : int
        How many.
    bits : int
        Where the strengths begin.
    room : ndarray of int32
        As large as `things`; overwritten.
    ends : ndarray of int32, shape (192,)
        Overwritten: how many things have each value of the low bits and of the high bits, then
        where the next of them goes.
    """
    if size <= FEW:
        insert(things, size)
        return
    for value in range(NUM_ENDS):
        ends[value] = 0
    for place in range(size):
        strength = things[place] >> bits
        ends[strength % NUM_LOW] += 1
        ends[NUM_LOW + strength // NUM_LOW] += 1
    low = high = np.int32(0)
    for value in range(NUM_LOW):
        low, ends[value] = low + ends[value], low
    for value in range(NUM_LOW, NUM_ENDS):
        high, ends[value] = high + ends[value], high
    for place in range(size):
        value = (things[place] >> bits) % NUM_LOW
        room[ends[value]] = things[place]
        ends[value] += 1
    for place in range(size):
        value = NUM_LOW + (room[place] >> bits) // NUM_LOW
        things[ends[value]] = room[place]
        ends[value] += 1


@inlined
def insert(things: Small, size: int) -> None:
    """Sort a few things by putting each where it belongs among those before."""
    for place in range(1, size):
        moved = things[place]
        while place > 0 and things[place - 1] > moved:
            things[place] = things[place - 1]
            place -= 1
        things[place] = moved
