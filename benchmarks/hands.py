"""The hands that all libraries get: random cards to compare, and whole hands of random actions.

Whoever is to act folds, calls and raises with equal chance where it may; folds are left out where
nothing is owed. A raise is to any amount that the engine offers, with equal chance. Cards are numbered
4 * rank + suit, as pokerlab, phevaluator and sval do.
"""

import random
from collections.abc import Callable
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import NDArray

from benchmarks.stopwatch import Measure, per_call

SEED = 1
NUM_HANDS = {"in_cache": 8_192, "in_memory": 1_000_000}
"""By the name of the row's game. Of the smaller one, cards and strengths fit a core's cache."""
NUM_COMPARED = 4_096
BLINDS, BETS, MOST_BETS, STACK = (1, 2), (2, 4), 4, 200
NUM_COUNTED = 2_000
"""Hands whose decisions are counted, beforehand."""
NUM_CHECKED = 300
"""Hands of rule genomes and networks that all engines play with the same cards, beforehand."""


class Table(NamedTuple):
    """Which game: seats, and whether bets are limited."""

    seats: int
    is_limit: bool


TABLES = {"six_seats": Table(6, False), "heads_up": Table(2, True), "ten_seats": Table(10, True)}


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


def timed_hands(play: Callable[[], int]) -> Measure:
    """Return the measure of `play`, which plays one hand and returns how many decisions it took."""
    random.seed(SEED)
    return per_call(play, decisions=sum(play() for _ in range(NUM_COUNTED)) / NUM_COUNTED)
