"""Buckets made once and kept in the user's cache.

A file's name says what it was made from, and its checksum what it must hold: a file that is cut
off, changed or from another version is noticed, and made again.
"""

import hashlib
import warnings
import zipfile
from collections.abc import Sequence
from contextlib import suppress
from pathlib import Path
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pokerlab.core.cache import user_cache
from pokerlab.core.errors import UnknownNameError
from pokerlab.core.files import whole_file
from pokerlab.core.settings import whole
from pokerlab.holdem.bucketed.abstraction import abstraction
from pokerlab.holdem.bucketed.buckets import Buckets, four_counts
from pokerlab.holdem.bucketed.expectations import Exact, Expectations
from pokerlab.holdem.bucketed.rollouts import PAPER_SAMPLES, Sampled

Arrays: TypeAlias = dict[str, NDArray[Any]]

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
    path = place("buckets", numbers, way, seed)
    arrays = read(path)
    if arrays is not None:
        return from_arrays(arrays)
    buckets = abstraction(numbers, way, seed)
    keep(path, as_arrays(buckets))
    return buckets


def way_to_find(expectations: str, seed: int, samples: Sequence[int]) -> Expectations:
    """Return exact or sampled expectations."""
    whole("seed", seed)
    if expectations not in EXPECTATIONS:
        raise UnknownNameError.among("way to find expectations", expectations, EXPECTATIONS)
    return Exact() if expectations == "exact" else Sampled(samples, seed)


def place(kind: str, counts: tuple[int, ...], way: Expectations, seed: int) -> Path:
    """Return where what was made so lies."""
    recipe = f"edition {EDITION}: {counts} buckets, {way.source}, clusters of seed {seed}"
    return user_cache() / f"{kind}-{hashlib.sha256(recipe.encode()).hexdigest()[:16]}.npz"


def read(path: Path) -> Arrays | None:
    """Return the arrays in a file, by name; None if there is none or it is damaged."""
    if not path.exists():
        return None
    try:
        with path.open("rb") as file, np.load(file, allow_pickle=False) as kept:
            arrays = {name: kept[name] for name in kept.files}
        if str(arrays.pop("checksum")) == checksum(arrays):
            with suppress(OSError):
                path.touch()  # What is in use is not swept from the cache.
            return arrays
    except (OSError, KeyError, ValueError, EOFError, zipfile.BadZipFile):
        pass
    warnings.warn(f"{path} is damaged; it is made again.", stacklevel=3)
    return None


def keep(path: Path, arrays: Arrays) -> None:
    """Write arrays, if that is possible; otherwise they will be made again the next time."""
    try:
        with whole_file(path) as file:
            np.savez(file, allow_pickle=False, checksum=np.array(checksum(arrays)), **arrays)
    except OSError:
        pass


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


def checksum(arrays: Arrays) -> str:
    """Return what tells these arrays from all others."""
    digest = hashlib.sha256()
    for name in sorted(arrays):
        digest.update(f"{name} {arrays[name].dtype} {arrays[name].shape}".encode())
        digest.update(np.ascontiguousarray(arrays[name]).tobytes())
    return digest.hexdigest()
