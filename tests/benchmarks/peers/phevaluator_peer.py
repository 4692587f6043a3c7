"""phevaluator: the strength of seven cards by its C function, called in a loop; less is stronger."""

from collections.abc import Mapping
from importlib.metadata import version
from itertools import starmap

import numpy as np

from tests.benchmarks.contestant import Task, serve
from tests.benchmarks.random_cards import NUM_HANDS, order, random_hands
from tests.benchmarks.stopwatch import Measure, PerCall

MOST_HANDS = 50_000


def load() -> tuple[Mapping[str, Task], str]:
    """Import the library; return its tasks and version."""
    from phevaluator._pheval import evaluate_7cards

    def strength(game: str) -> Measure:
        hands = random_hands(min(NUM_HANDS[game], MOST_HANDS)).tolist()

        def ranks() -> list[int]:
            return list(starmap(evaluate_7cards, hands))

        return PerCall.of(ranks, len(hands), order=order(-np.array(ranks())))

    return {"strength": strength, "strength_checked": strength}, version("phevaluator")


if __name__ == "__main__":
    serve(load)
