"""sval: the strength of seven cards from a mask, compiled by numba; here in a compiled loop.

Masks are made beforehand, uncounted.
"""

from functools import partial
from importlib.metadata import version

import numba
import numpy as np
from sval.hand_representation import ENCODED_CARD_VALUES
from sval.hand_strengths import calculate_index, rank_lookup

from benchmarks.hands import NUM_HANDS, order, random_hands
from benchmarks.stopwatch import Measure, per_call


@numba.njit
def fill(masks, out_strengths):
    for row in range(masks.size):
        out_strengths[row] = rank_lookup[calculate_index(masks[row])]


def strength(game: str, kind: type[np.generic]) -> Measure:
    masks = np.bitwise_or.reduce(ENCODED_CARD_VALUES[random_hands(NUM_HANDS[game])], axis=1)
    strengths = np.empty(masks.size, kind)

    fill(masks, strengths)
    return per_call(lambda: fill(masks, strengths), masks.size, order=order(strengths))


# The same work; the strengths are as wide as pokerlab writes them in that row.
KINDS = {"strength": np.int64, "strength_from_keys": np.uint16}
TASKS = {task: partial(strength, kind=kind) for task, kind in KINDS.items()}
VERSION = version("sval")
