"""Buckets made once and kept in the user's cache, under a name that says how they were made."""

import hashlib
from collections.abc import Sequence
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pokerlab.core.cache import Arrays, kept_arrays
from pokerlab.core.errors import UnknownNameError
from pokerlab.core.settings import whole
from pokerlab.holdem.bucketed.abstraction import abstraction
from pokerlab.holdem.bucketed.buckets import Buckets, four_counts
from pokerlab.holdem.bucketed.expectations import Exact, Expectations
from pokerlab.holdem.bucketed.rollouts import PAPER_SAMPLES, Sampled

EDITION = 1
"""Of the way buckets are made; a change of numbers begins another."""
EXPECTATIONS = ("exact", "sampled")


def make_buckets(
    counts: int | Sequence[int] = 6,
    *,
    expectations: str = "exact",
    seed: int = 1,
    samples: Sequence[int] = PAPER_SAMPLES,
) -> Buckets:
    """Put all hands into buckets by their win probability, and count what follows what.

    On each street k-means cuts the win probabilities against one random hand, ties counting half,
    each weighted by the number of hands that have it. Chances are counted over all deals.

    Parameters
    ----------
    counts : int or sequence of 4 int
        Number of buckets on every street, or on each.
    expectations : {'exact', 'sampled'}
        Whether win probabilities are counted, or estimated from random deals as in the paper.
    seed : int
        Of the random starts of k-means, and of the deals.
    samples : sequence of 4 int
        If sampled: deals for each hand before the flop, on flop, turn and river.

    Returns
    -------
    Buckets
        Made in some seconds, after the tables that exact counting needs (see `win_probability`),
        and kept in the user's cache folder.

    Raises
    ------
    SettingError
        If a number is out of range, or there are more buckets than win probabilities.
    UnknownNameError
        If expectations are neither exact nor sampled.

    Examples
    --------
    >>> buckets = make_buckets(6)
    >>> buckets
    <Buckets 6, 6, 6, 6, exact>
    >>> buckets.bounds[0].round(4).tolist()
    [0.4039, 0.4686, 0.5299, 0.5925, 0.7061]
    """
    numbers, way = four_counts(counts), way_to_find(expectations, seed, samples)
    name = name_in_cache("buckets", numbers, way, seed)
    return from_arrays(kept_arrays(name, lambda: as_arrays(abstraction(numbers, way, seed))))


def way_to_find(expectations: str, seed: int, samples: Sequence[int]) -> Expectations:
    """Return exact or sampled expectations."""
    whole("seed", seed, 0)
    UnknownNameError.check("way to find expectations", expectations, EXPECTATIONS)
    return Exact() if expectations == "exact" else Sampled(samples, seed)


def name_in_cache(kind: str, counts: tuple[int, ...], way: Expectations, seed: int) -> str:
    """Return the name under which what was made in this way is kept."""
    recipe = f"edition {EDITION}: {counts} buckets, {way.source}, clusters of seed {seed}"
    return f"{kind}-{hashlib.sha256(recipe.encode()).hexdigest()[:16]}"


def as_arrays(buckets: Buckets) -> Arrays:
    """Return what a file holds, by name."""
    arrays: Arrays = {
        "source": np.array(buckets.source),
        "counts": np.array(buckets.counts),
        "start": buckets.start,
        "showdown": buckets.showdown,
    }
    for name in ("transitions", "bounds", "lowest", "highest"):
        for street, array in enumerate(getattr(buckets, name)):
            arrays[f"{name}{street}"] = array
    return arrays


def from_arrays(arrays: Arrays) -> Buckets:
    """Return the buckets that a file holds."""

    def several(name: str, number: int) -> tuple[NDArray[Any], ...]:
        return tuple(arrays[f"{name}{street}"] for street in range(number))

    before, flop, turn, river = arrays["counts"].tolist()
    return Buckets(
        (before, flop, turn, river),
        arrays["start"],
        several("transitions", 3),
        arrays["showdown"],
        several("bounds", 4),
        several("lowest", 4),
        several("highest", 4),
        str(arrays["source"]),
    )
