"""Random valid buckets, to hold laws of the bucketed game against."""

from dataclasses import replace
from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import stream
from pokerlab.holdem.abstraction.buckets import Buckets, four_counts


def random_buckets(counts: int | tuple[int, int, int, int] = 6, *, seed: int = 1) -> Buckets:
    """Return the random buckets of `seed`: all chances positive, the higher bucket ahead."""
    luck = stream(seed, "random buckets")
    sizes = four_counts(counts)
    edges = [np.sort(luck.random(2 * size)) for size in sizes]
    lowest, highest = [edge[0::2] for edge in edges], [edge[1::2] for edge in edges]
    return Buckets(
        sizes,
        luck.dirichlet(np.full(sizes[0], 2.0)),
        tuple(luck.dirichlet(np.full(then, 2.0), size=now) for now, then in pairwise(sizes)),
        random_showdown(luck, sizes[-1]),
        tuple((up[:-1] + low[1:]) / 2 for low, up in zip(lowest, highest, strict=True)),
        tuple(lowest),
        tuple(highest),
        f"random, seed {seed}",
    )


def evenly_cut(counts: int | tuple[int, int, int, int], *, seed: int = 1) -> Buckets:
    """Return the same buckets with bounds evenly where most win probabilities of real cards lie."""
    buckets = random_buckets(counts, seed=seed)
    bounds = tuple(np.linspace(0.3, 0.7, count + 1)[1:-1] for count in buckets.counts)
    lowest = tuple(np.append(0.0, cuts) for cuts in bounds)
    highest = tuple(np.append(cuts - 1e-9, 1.0) for cuts in bounds)
    return replace(buckets, bounds=bounds, lowest=lowest, highest=highest)


def random_showdown(luck: np.random.Generator, size: int) -> NDArray[np.float64]:
    """Return shares of the pot: own bucket in rows, a half against the same."""
    ahead = np.tril(luck.uniform(0.5, 1.0, (size, size)), -1)
    return ahead + np.triu(1 - ahead.T, 1) + np.eye(size) / 2
