"""UCT for one choice among sure payoffs, written out."""

import math


def average_of_playouts(payoffs: list[float], iterations: int, c: float) -> float:
    """Return the mean payoff when each choice is the first with the largest bound of eq. 4."""
    visits = [0] * len(payoffs)
    for n in range(iterations):
        bounds = [
            u + c * math.sqrt(math.log(n) / v) if v else math.inf
            for u, v in zip(payoffs, visits, strict=True)
        ]
        visits[bounds.index(max(bounds))] += 1
    return sum(u * v for u, v in zip(payoffs, visits, strict=True)) / iterations
