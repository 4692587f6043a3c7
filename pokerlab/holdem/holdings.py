"""The 1,326 holdings, two hole cards each, numbered: the higher card decides, then the lower."""

from typing import TypeAlias

import numpy as np
from numpy.typing import NDArray

from pokerlab.core.kernel import inlined
from pokerlab.holdem.cards import NUM_CARDS, Cards

Whole: TypeAlias = int | np.int64
"""A number in a kernel, where the two are one."""

NUM_HOLDINGS = NUM_CARDS * (NUM_CARDS - 1) // 2


def _holdings() -> Cards:
    """Return the cards of all holdings."""
    high, low = np.tril_indices(NUM_CARDS, -1)
    holdings = np.stack([high, low], axis=1).astype(np.uint8)
    holdings.flags.writeable = False
    return holdings


HOLDINGS = _holdings()
"""The cards of each holding, the higher first: shape (1326, 2)."""


HOLDS = (HOLDINGS[:, :, None] == np.arange(NUM_CARDS)).any(axis=1).T
"""Whether a card is in a holding: shape (52, 1326)."""


def numbered(holes: Cards | NDArray[np.int64]) -> NDArray[np.int64]:
    """Return the number of each pair of hole cards, in either order: (..., 2) to (...,)."""
    high, low = holes.max(axis=-1).astype(np.int64), holes.min(axis=-1)
    return np.asarray(high * (high - 1) // 2 + low)


@inlined
def holding(first: Whole, second: Whole) -> Whole:
    """Return the number of the holding of two different cards, in either order."""
    high, low = max(first, second), min(first, second)
    return high * (high - 1) // 2 + low
