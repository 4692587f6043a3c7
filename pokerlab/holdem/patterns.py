"""The ranks that one suit received, round by round, as one number: combinations, counted.

Combinations are numbered in colexicographic order: {a < b < c} is the number
(a over 1) + (b over 2) + (c over 3). A suit's pattern is the combination of its first round among
13 ranks, then that of the next round among the ranks left, and so on, as digits of one number.
"""

from math import comb

import numpy as np
from numpy.typing import NDArray

from pokerlab.core.kernel import inlined
from pokerlab.holdem.cards import NUM_RANKS

Ints = NDArray[np.int64]

CHOOSE = np.array([[comb(n, k) for k in range(NUM_RANKS + 1)] for n in range(NUM_RANKS + 1)])
"""`CHOOSE[n, k]` is the number of ways to take k of n ranks."""


@inlined
def numbered(rounds: Ints, masks: Ints) -> tuple[np.int64, np.int64]:
    """Return the shape and the pattern of a suit that received the ranks in `masks`.

    The shape has a digit for each round, the number of its cards here; its base is one more than
    the number of all its cards.
    """
    shape = pattern = used = np.int64(0)
    for r in range(rounds.size):
        size = place = rank = np.int64(0)
        for bit in range(NUM_RANKS):
            if used >> bit & 1:
                continue
            if masks[r] >> bit & 1:
                size += 1
                rank += CHOOSE[place, size]
            place += 1
        pattern = pattern * CHOOSE[place, size] + rank
        shape = shape * (rounds[r] + 1) + size
        used |= masks[r]
    return shape, pattern


@inlined
def deal_pattern(sizes: Ints, pattern: np.int64, out_masks: Ints) -> None:
    """Write the ranks of a pattern, round by round, whose rounds have these sizes."""
    before = np.int64(0)
    for r in range(sizes.size):
        before += sizes[r]
    for r in range(sizes.size - 1, -1, -1):
        before -= sizes[r]
        ways = CHOOSE[NUM_RANKS - before, sizes[r]]
        out_masks[r] = pattern % ways
        pattern //= ways
    used = np.int64(0)
    for r in range(sizes.size):
        rank, left = out_masks[r], sizes[r]
        out_masks[r] = 0
        place = NUM_RANKS - 1 - before
        for bit in range(NUM_RANKS - 1, -1, -1):
            if used >> bit & 1:
                continue
            if left > 0 and CHOOSE[place, left] <= rank:
                rank -= CHOOSE[place, left]
                left -= 1
                out_masks[r] |= 1 << bit
            place -= 1
        used |= out_masks[r]
        before += sizes[r]


@inlined
def choose(n: np.int64, k: int) -> np.int64:
    """Return the number of ways to take k of n things, where k is small."""
    ways = np.int64(1)
    for i in range(k):
        ways = ways * (n - i) // (i + 1)
    return ways


@inlined
def highest(rank: np.int64, k: int, below: np.int64) -> np.int64:
    """Return the highest member of the combination of k things with this number."""
    low, high = np.int64(k - 1), np.int64(below)
    while high - low > 1:
        middle = (low + high) // 2
        if choose(middle, k) <= rank:
            low = middle
        else:
            high = middle
    return low
