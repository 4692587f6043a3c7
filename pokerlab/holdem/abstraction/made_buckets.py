"""Buckets for real cards: made once and kept under a name that says how, and looked up by the cards.

Cards are looked up many at once, or one by one inside a kernel.
"""

import hashlib
from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import Floats, UnknownNameError, kernel, whole
from pokerlab.core.cache import Arrays, kept_arrays
from pokerlab.holdem.abstraction.buckets import Buckets, four_counts
from pokerlab.holdem.abstraction.clustering import cut_into_buckets
from pokerlab.holdem.abstraction.expectations import (
    PAPER_SAMPLES,
    ExactExpectations,
    Expectations,
    SampledExpectations,
)
from pokerlab.holdem.cards.deck import BOARD_SIZES, Cards
from pokerlab.holdem.equity.exact import win_probability
from pokerlab.holdem.equity.lookup import EquityTables, lookup_tables, win_probability_on

EDITION = 2  # of the way buckets are made; a change of numbers begins another
EXPECTATIONS = ("exact", "sampled")
ONE_ARRAY = ("start", "showdown")
ARRAYS_OF = {"transitions": 3, "bounds": 4, "lowest": 4, "highest": 4}
"""The parts of `Buckets` that are one array, and those that are several."""


def make_buckets(
    counts: int | Sequence[int] = 6,
    *,
    seed: int,
    expectations: str = "exact",
    samples: Sequence[int] = PAPER_SAMPLES,
) -> Buckets:
    """Put all hands into buckets by their win probability, and count what follows what.

    On each street k-means cuts the win probabilities against one random hand, ties counting half,
    each weighted by the number of hands that have it. Chances are counted over all deals.

    Parameters
    ----------
    counts : int or sequence of 4 int
        Number of buckets on every street, or on each.
    seed : int
        Of the random starts of k-means, and of the deals.
    expectations : {'exact', 'sampled'}
        Whether win probabilities are counted, or estimated from random deals as in the paper.
    samples : sequence of 4 int
        If sampled: deals for each hand before the flop, on flop, turn and river.

    Returns
    -------
    Buckets
        Made in some seconds, after the tables that exact counting needs (see `win_probability`),
        and kept in the user's cache folder.

    Examples
    --------
    >>> buckets = make_buckets(6, seed=1)
    >>> buckets
    <Buckets 6, 6, 6, 6, exact>
    >>> buckets.bounds[0].round(4).tolist()
    [0.4039, 0.4686, 0.5299, 0.5925, 0.7061]
    """
    numbers, way = four_counts(counts), way_to_find(expectations, seed, samples)
    name = name_in_cache("buckets", numbers, way, seed)
    return from_arrays(kept_arrays(name, lambda: as_arrays(cut_into_buckets(numbers, way, seed))))


def way_to_find(expectations: str, seed: int, samples: Sequence[int]) -> Expectations:
    """Return exact or sampled expectations."""
    whole("seed", seed, 0)
    UnknownNameError.check("way to find expectations", expectations, EXPECTATIONS)
    return ExactExpectations() if expectations == "exact" else SampledExpectations(samples, seed)


def name_in_cache(kind: str, counts: tuple[int, ...], way: Expectations, seed: int) -> str:
    """Return the name under which what was made in this way is kept."""
    recipe = f"edition {EDITION}: {counts} buckets, {way.source}, clusters of seed {seed}"
    return f"{kind}-{hashlib.sha256(recipe.encode()).hexdigest()[:16]}"


def as_arrays(buckets: Buckets) -> Arrays:
    """Return what a file holds, by name; of several arrays each with its number."""
    one = {name: np.array(getattr(buckets, name)) for name in ("source", "counts", *ONE_ARRAY)}
    several = {
        f"{name}{number}": array
        for name in ARRAYS_OF
        for number, array in enumerate(getattr(buckets, name))
    }
    return one | several


def from_arrays(arrays: Arrays) -> Buckets:
    """Return the buckets that a file holds."""
    parts: dict[str, Any] = {name: arrays[name] for name in ONE_ARRAY}
    for name, count in ARRAYS_OF.items():
        parts[name] = tuple(arrays[f"{name}{number}"] for number in range(count))
    counts = four_counts(arrays["counts"].tolist())
    return Buckets(counts=counts, source=str(arrays["source"]), **parts)


def bucket_of(buckets: Buckets, hole: ArrayLike, board: ArrayLike) -> Any:
    """Return the bucket that hole cards, (..., 2), fall into on a board, (..., k), by their exact win probability.

    Examples
    --------
    >>> from pokerlab.holdem.cards.deck import parse_cards
    >>> buckets, hole = make_buckets(6, seed=1), parse_cards("As 5s")
    >>> board = parse_cards("Kh 8d 4s 3s 2h")
    >>> [int(bucket_of(buckets, hole, board[:k])) for k in (0, 3, 4, 5)]
    [4, 2, 3, 5]
    """
    values = win_probability(hole, board)
    return buckets.bucket(BOARD_SIZES.index(np.shape(board)[-1]), values)


class CardTables(NamedTuple):
    """What `bucket_on` looks cards up in; made by `card_tables`."""

    equity: EquityTables
    bounds: Floats  # (4, most buckets): of the buckets on each street, then infinity


def card_tables(buckets: Buckets) -> CardTables:
    """Return what `bucket_on` looks up the buckets of cards in."""
    bounds = np.full((len(BOARD_SIZES), max(buckets.counts)), np.inf)
    for street, of_street in enumerate(buckets.bounds):
        bounds[street, : len(of_street)] = of_street
    return CardTables(lookup_tables(), bounds)


@kernel
def bucket_on(tables: CardTables, hole: Cards, board: Cards) -> int:
    """Return the bucket of two hole cards on a board, as `bucket_of`, without checking the cards."""
    street = max(board.size - 2, 0)
    value = win_probability_on(tables.equity, hole, board, 0.5)
    bucket = 0
    while bucket < tables.bounds.shape[1] and tables.bounds[street, bucket] <= value:
        bucket += 1
    return bucket
