"""phevaluator: the strength of seven cards by its C function, called in a loop; less is stronger."""

from importlib.metadata import version
from itertools import starmap

import numpy as np
from phevaluator._pheval import evaluate_7cards

from benchmarks.hands import NUM_HANDS, order, random_hands
from benchmarks.stopwatch import Measure, per_call

MOST_HANDS = 50_000


def strength(game: str) -> Measure:
    hands = random_hands(min(NUM_HANDS[game], MOST_HANDS)).tolist()

    def ranks() -> list[int]:
        return list(starmap(evaluate_7cards, hands))

    return per_call(ranks, len(hands), order=order(-np.array(ranks())))


TASKS, VERSION = {"strength": strength, "strength_checked": strength}, version("phevaluator")
