"""The random cards that contestants are given: the same for all of them, numbered as pokerlab does.

A card is 4 * rank + suit; phevaluator and sval number cards so, too.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

SEED = 1
NUM_HANDS = {"in_cache": 8_192, "in_memory": 1_000_000}
"""By the name of the row's game. Of the smaller one, cards and strengths fit a core's cache."""
NUM_COMPARED = 4_096


def random_hands(num_hands: int) -> NDArray[np.uint8]:
    """Return hands of seven cards, shape (num_hands, 7); fewer are the first of more."""
    # Two thirds of seven draws with replacement are different cards.
    drawn = np.random.default_rng(SEED).integers(52, size=(2 * num_hands, 7), dtype=np.uint8)
    is_hand = (np.diff(np.sort(drawn, axis=1), axis=1) > 0).all(axis=1)
    return drawn[is_hand][:num_hands]


def order(strengths: NDArray[np.integer[Any]]) -> float:
    """Return a number that depends on how the first hands are ordered by strength, and on nothing else."""
    places = np.unique(strengths[:NUM_COMPARED], return_inverse=True)[1]
    return float(places @ np.arange(1, NUM_COMPARED + 1))
