"""Random valid buckets, to hold laws of the bucketed game against."""

from itertools import pairwise

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import stream
from pokerlab.holdem.bucketed.buckets import Buckets, four_counts


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


def random_showdown(luck: np.random.Generator, size: int) -> NDArray[np.float64]:
    """Return shares of the pot: own bucket in rows, a half against the same."""
    ahead = np.tril(luck.uniform(0.5, 1.0, (size, size)), -1)
    return ahead + np.triu(1 - ahead.T, 1) + np.eye(size) / 2
