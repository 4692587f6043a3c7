"""Whole hands of random actions: the games that all engines play, and how a peer's are timed.

Whoever is to act folds, calls and raises with equal chance where it may; folds are left out where
nothing is owed. A raise is to any amount that the engine offers, with equal chance.
"""

import random
from collections.abc import Callable
from typing import NamedTuple

from tests.benchmarks.stopwatch import Measure, PerCall

SMALL_BLIND, BIG_BLIND, STACK = 1, 2, 200
SMALL_BET, BIG_BET, MOST_BETS = 2, 4, 4
SEED = 1
NUM_COUNTED = 2_000
"""Hands whose decisions are counted, beforehand."""
NUM_CHECKED = 300
"""Hands of rule genomes and networks that all engines play with the same cards, beforehand."""


class Table(NamedTuple):
    """Which game: seats, and whether bets are limited."""

    seats: int
    is_limit: bool


TABLES = {
    "six_seats": Table(6, False),
    "heads_up": Table(2, True),
    "ten_seats": Table(10, True),
}


def timed_hands(play: Callable[[], int]) -> Measure:
    """Return the measure of `play`, which plays one hand and returns how many decisions it took."""
    random.seed(SEED)
    decisions = sum(play() for _ in range(NUM_COUNTED)) / NUM_COUNTED
    return PerCall.of(play, decisions=decisions)
