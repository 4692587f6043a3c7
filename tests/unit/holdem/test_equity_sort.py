"""Sorting by strength, few things or many, keeps each with its strength."""

import numpy as np
import pytest

from pokerlab.core import stream
from pokerlab.core.kernel import kernel
from pokerlab.holdem.strength.strength import FEW, NUM_ENDS, NUM_STRENGTHS, Small, sort_by_strength

BITS = 11


@kernel
def sort(things: Small, room: Small, ends: Small) -> None:
    sort_by_strength(things, things.size, BITS, room, ends)


@pytest.mark.parametrize("size", [0, 1, 2, FEW, FEW + 1, 351, 1326])
@pytest.mark.parametrize("num_strengths", [1, 3, NUM_STRENGTHS])
def test_things_are_sorted_by_strength(size: int, num_strengths: int) -> None:
    luck = stream(size, "strengths", num_strengths)
    strengths = luck.integers(NUM_STRENGTHS - num_strengths, NUM_STRENGTHS, size)
    things = (strengths << BITS | luck.permutation(1 << BITS)[:size]).astype(np.int32)
    given = things.copy()
    sort(things, np.empty(size, np.int32), np.empty(NUM_ENDS, np.int32))
    assert (np.diff(things >> BITS) >= 0).all()
    assert sorted(things) == sorted(given)
