"""What a search of one choice must find, and whether its standard errors are what they say."""

import math
from collections.abc import Iterable

import numpy as np

NEAR = (0.75, 1.35)
"""Where the ratio lies for some hundred seeds: the spread itself is known to 7 percent or so."""


def claimed_to_seen(estimates: Iterable[tuple[float, float]]) -> float:
    """Return the claimed standard errors of values, a pair a seed, over the standard deviation that is seen."""
    values, errors = np.array(list(estimates)).T
    return float(np.sqrt(np.mean(errors**2)) / np.std(values, ddof=1))


def average_of_playouts(payoffs: list[float], iterations: int, c: float) -> float:
    """Return the mean payoff of UCT when each choice is the first with the largest bound of eq. 4."""
    visits = [0] * len(payoffs)
    for n in range(iterations):
        bounds = [
            u + c * math.sqrt(math.log(n) / v) if v else math.inf
            for u, v in zip(payoffs, visits, strict=True)
        ]
        visits[bounds.index(max(bounds))] += 1
    return sum(u * v for u, v in zip(payoffs, visits, strict=True)) / iterations
