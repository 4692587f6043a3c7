"""sval: the strength of seven cards from a mask, compiled by numba; here in a compiled loop.

Masks are made beforehand, uncounted.
"""

from collections.abc import Mapping
from functools import partial
from importlib.metadata import version

import numpy as np

from tests.benchmarks.contestant import Task, serve
from tests.benchmarks.random_cards import NUM_HANDS, order, random_hands
from tests.benchmarks.stopwatch import Measure, PerCall


def load() -> tuple[Mapping[str, Task], str]:
    """Import the library; return its tasks and version."""
    import numba
    from sval.hand_representation import ENCODED_CARD_VALUES
    from sval.hand_strengths import calculate_index, rank_lookup

    @numba.njit
    def fill(masks, out_strengths):  # type: ignore[no-untyped-def]
        for row in range(masks.size):
            out_strengths[row] = rank_lookup[calculate_index(masks[row])]

    def strength(game: str, kind: type[np.generic]) -> Measure:
        masks = np.bitwise_or.reduce(ENCODED_CARD_VALUES[random_hands(NUM_HANDS[game])], axis=1)
        strengths = np.empty(masks.size, kind)

        fill(masks, strengths)
        return PerCall.of(lambda: fill(masks, strengths), masks.size, order=order(strengths))

    # The same work; the strengths are as wide as pokerlab writes them in that row.
    kinds = {"strength": np.int64, "strength_from_keys": np.uint16}
    return {task: partial(strength, kind=kind) for task, kind in kinds.items()}, version("sval")


if __name__ == "__main__":
    serve(load)
