"""Buckets: hands of like strength taken for one, and the chances between them.

How to read it. Before the flop, on the flop, on the turn and on the river a player's hand falls into one of a few
buckets by how likely it is to win against one random hand. What is kept of the cards is the chance of each bucket at
the start, the chance of each next bucket given the present one, and at the showdown the share of the pot between two
buckets. The two players' chains of buckets are independent of each other, and a chain remembers only its last bucket:
that is the abstraction of Samothrakis & Lucas (2011, section 4.2), and what it leaves out.

Buckets are made by clustering. On each street all hands are put into a histogram of win probabilities, which is cut
by k-means. Then every hand has a bucket, and everything else is counted over all deals, see `hand_expectations`: how
often a hand in one bucket is in another a street later, and how often a bucket wins against another at the showdown.
If the win probabilities are exact, so is everything, but for k-means' random starts.

Clusters on a line are neighbors, so a clustering is where each begins among the sorted values, and sums
over a cluster are differences of sums up to a value. A round of Lloyd's algorithm [1]_ takes the means of
the clusters and gives each value to the nearest mean; it ends when nothing changes. It starts from values
picked one after the other, each with a chance in proportion to its weight times its squared distance from
the nearest so far (k-means++ [2]_). The best of several starts is kept.

Buckets for real cards are made once and kept under a name that says how, and looked up by the cards, many at once, or
one by one inside a kernel.

References
----------
.. [1] S. Lloyd, "Least squares quantization in PCM", IEEE Transactions on Information Theory 28,
   1982.
.. [2] D. Arthur, S. Vassilvitskii, "k-means++: the advantages of careful seeding", SODA 2007.
"""

import hashlib
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from tqdm import tqdm

from pokerlab.core import (
    ConvergenceError,
    Floats,
    Ints,
    ProbabilityError,
    SettingError,
    ShapeError,
    UnknownNameError,
    kernel,
    stream,
    whole,
)
from pokerlab.core.cache import Arrays, load_or_make_arrays
from pokerlab.core.workers import PROGRESS_AFTER
from pokerlab.holdem.cards import BOARD_SIZES, NUM_STREETS, RIVER, WHEN, Cards
from pokerlab.holdem.equity import EquityTables, lookup_tables, win_probability, win_probability_on
from pokerlab.holdem.hand_expectations import (
    PAPER_SAMPLES,
    ExactExpectations,
    Expectations,
    Halves,
    Labels,
    SampledExpectations,
    all_halves,
    count_steps,
    hands_of,
    pieces,
    showdown_shares,
)

MOST_BUCKETS = 250
"""A bucket is kept in a byte, and one is for hands that share a card with the board."""
SUM_TOLERANCE = 1e-9  # rounding of a few hundred additions stays below it; a wrong number does not


@dataclass(frozen=True, eq=False, repr=False)
class Buckets:
    """Buckets of hands on four streets, and the chances between them.

    Arrays are copied, checked and made read-only.

    Attributes
    ----------
    counts : tuple of 4 int
        Number of buckets B_0 before the flop, B_1 on the flop, B_2 on the turn, B_3 on the river.
        Bucket 0 is the weakest.
    start : ndarray of shape (B_0,)
        Probability of each bucket before the flop.
    transitions : tuple of 3 ndarray, shapes (B_0, B_1), (B_1, B_2), (B_2, B_3)
        Probability of the next bucket in the columns, given the present one in the rows.
    showdown : ndarray of shape (B_3, B_3)
        Own share of the pot, P(win) + P(tie)/2: own bucket in rows, the opponent's in columns.
    bounds : tuple of 4 ndarray, shapes (B_r - 1,)
        Win probabilities that separate neighboring buckets; a bound belongs to the bucket above.
    lowest, highest : tuple of 4 ndarray, shapes (B_r,)
        Least and largest win probability of the hands in each bucket.
    source : str
        Where the numbers come from: 'exact', or how they were sampled.

    Raises
    ------
    SettingError
        If there are not four positive counts.
    ShapeError
        If an array does not fit the counts.
    ProbabilityError
        If a number is no probability, probabilities do not sum to one, a bucket is empty, or the
        two shares of a showdown are not all of the pot.
    """

    counts: tuple[int, int, int, int]
    start: Floats
    transitions: tuple[Floats, ...]
    showdown: Floats
    bounds: tuple[Floats, ...]
    lowest: tuple[Floats, ...]
    highest: tuple[Floats, ...]
    source: str = "given"

    def __post_init__(self) -> None:
        counts = four_counts(self.counts)
        first, _, _, last = counts
        neighbors = list(pairwise(counts))
        one_each = [(count,) for count in counts]
        between = [(count - 1,) for count in counts]
        checked = {
            "counts": counts,
            "start": _probabilities("start", self.start, (first,)),
            "transitions": _several("transitions", self.transitions, neighbors),
            "showdown": _probabilities("showdown", self.showdown, (last, last)),
            "bounds": _several("bounds", self.bounds, between),
            "lowest": _several("lowest", self.lowest, one_each),
            "highest": _several("highest", self.highest, one_each),
        }
        for name, value in checked.items():
            object.__setattr__(self, name, value)
        _check_distributions(self)
        _check_showdown(self.showdown)
        _check_order(self)

    @cached_property
    def frequencies(self) -> tuple[Floats, ...]:
        """The probability of each bucket on each street: 4 arrays of shapes (B_r,)."""
        chances = [self.start]
        for transition in self.transitions:
            chances.append(_read_only(chances[-1] @ transition))
        return tuple(chances)

    def bucket(self, street: int, win_probability: ArrayLike) -> Any:
        """Return the buckets of hands, (...,), by their win probabilities against one random hand.

        Parameters
        ----------
        street : int
            0 before the flop, 1 on the flop, 2 on the turn, 3 on the river.
        win_probability : array_like of shape (...,)
            Ties count half.
        """
        whole("street", street, 0, RIVER)
        values = np.asarray(win_probability, np.float64)
        _check_range("win_probability", values)
        return np.searchsorted(self.bounds[street], values, side="right")

    def __repr__(self) -> str:
        return f"<Buckets {', '.join(map(str, self.counts))}, {self.source}>"


def four_counts(counts: Any) -> tuple[int, int, int, int]:
    """Return numbers of buckets on four streets, given as such or as one number for all."""
    numbers = tuple(counts) if np.ndim(counts) else (counts,) * NUM_STREETS
    if len(numbers) != NUM_STREETS:
        raise SettingError(
            f"counts are {counts}; give one number of buckets, or four: {', '.join(WHEN)}."
        )
    before, flop, turn, river = (
        whole("the number of buckets on a street", number, 1, MOST_BUCKETS) for number in numbers
    )
    return before, flop, turn, river


def _read_only(array: ArrayLike) -> Floats:
    """Return a read-only copy."""
    copy = np.array(array, np.float64)
    copy.flags.writeable = False
    return copy


def _several(name: str, arrays: Any, shapes: Sequence[tuple[int, ...]]) -> tuple[Floats, ...]:
    """Return read-only copies of probabilities, one array a street or step, checked."""
    if not isinstance(arrays, Sequence | np.ndarray):
        raise ShapeError(f"{name} is {arrays!r}; it needs {len(shapes)} arrays.")
    if len(arrays) != len(shapes):
        raise ShapeError(f"{name} holds {len(arrays)} arrays; it needs {len(shapes)}.")
    return tuple(
        _probabilities(f"{name}[{i}]", array, shape)
        for i, (array, shape) in enumerate(zip(arrays, shapes, strict=True))
    )


def _probabilities(name: str, array: ArrayLike, shape: tuple[int, ...]) -> Floats:
    """Return a read-only copy of probabilities, checked."""
    try:
        copy = _read_only(array)
    except (TypeError, ValueError):
        raise ProbabilityError(
            f"{name} is {array!r}; give probabilities of shape {shape}."
        ) from None
    if copy.shape != shape:
        raise ShapeError(f"{name} has shape {copy.shape}; these counts need {shape}.")
    _check_range(name, copy)
    return copy


def _check_range(name: str, values: Floats) -> None:
    """Refuse what is not between 0 and 1, NaN included."""
    wrong = values[~((values >= 0) & (values <= 1))]
    if wrong.size:
        raise ProbabilityError(f"{name} contains {wrong.flat[0]:g}; give numbers from 0 to 1.")


def _check_distributions(buckets: Buckets) -> None:
    """Refuse probabilities that do not sum to one, and buckets that no hand falls into."""
    _check_sums("start", buckets.start[None])
    for street, transition in enumerate(buckets.transitions):
        _check_sums(f"transitions[{street}]", transition)
    for street, chances in enumerate(buckets.frequencies):
        if not chances.all():
            raise ProbabilityError(
                f"bucket {int(np.argmin(chances))} {WHEN[street]} is empty: no hand falls into"
                " it. Use fewer buckets, or give it a probability."
            )


def _check_sums(name: str, rows: Floats) -> None:
    """Refuse rows that do not sum to one."""
    sums = rows.sum(axis=1)
    worst = int(np.argmax(np.abs(sums - 1)))
    if abs(sums[worst] - 1) > SUM_TOLERANCE:
        where = f"row {worst} of {name}" if len(rows) > 1 else name
        raise ProbabilityError(f"{where} sums to {sums[worst]:g}, not 1. Normalize it first.")


def _check_showdown(showdown: Floats) -> None:
    """Refuse shares that do not add up to one pot."""
    both = showdown + showdown.T
    own, other = np.unravel_index(np.argmax(np.abs(both - 1)), both.shape)
    if abs(both[own, other] - 1) > SUM_TOLERANCE:
        raise ProbabilityError(
            f"shares of buckets {own} and {other} at the showdown sum to {both[own, other]:g}, not"
            " 1. Make showdown + showdown.T one everywhere."
        )


def _check_order(buckets: Buckets) -> None:
    """Refuse bounds that do not rise, and win probabilities on the wrong side of them."""
    for street, bounds in enumerate(buckets.bounds):
        lowest, highest = buckets.lowest[street], buckets.highest[street]
        inside = (lowest[1:] >= bounds).all() and (highest[:-1] < bounds).all()
        if not (lowest <= highest).all() or not inside:
            raise ProbabilityError(
                f"buckets {WHEN[street]} are out of order: lowest {lowest}, highest {highest},"
                f" bounds {bounds}. Each bucket must lie between its bounds, from the weakest up."
            )


MOST_BINS = 10_000_000
STARTS = 10
MOST_ROUNDS = 100_000


class Histogram(NamedTuple):
    """The different win probabilities on a street, ascending, and how many hands have each."""

    halves: Ints
    hands: Floats  # with boards: whole numbers below 2**53, whose sums are exact


def cut_into_buckets(
    counts: tuple[int, int, int, int], expectations: Expectations, seed: int
) -> Buckets:
    """Return buckets of hands by these win probabilities; the seed is of the starts of k-means."""
    cuts, labels, steps = [], [], []
    with tqdm(total=7, desc="buckets", unit=" steps", delay=PROGRESS_AFTER, leave=False) as bar:
        for street, count in enumerate(counts):
            halves = all_halves(expectations, street)
            cuts.append(cut(halves, street, expectations.most(street), count, seed))
            labels.append(labeled(halves, street, expectations.most(street), cuts[-1][0]))
            bar.update()
        for street in range(1, 4):
            steps.append(count_steps(labels, street, counts))
            bar.update()
    bounds, lowest, highest = zip(*cuts, strict=True)
    return Buckets(
        counts,
        steps[0].sum(axis=1) / steps[0].sum(),
        tuple(step / step.sum(axis=1, keepdims=True) for step in steps),
        showdown_shares(labels[RIVER], counts[RIVER]),
        bounds,
        lowest,
        highest,
        expectations.source,
    )


def histogram(halves: Halves, street: int, most: int) -> Histogram:
    """Return how many hands win how many halves, of so many at most."""
    if most > MOST_BINS:
        hands = hands_of(street, np.arange(len(halves)))
        different, places = np.unique(halves[hands > 0], return_inverse=True)
        counts = np.bincount(places, hands[hands > 0]).astype(np.float64)
        return Histogram(different.astype(np.int64), counts)
    counts = np.zeros(most + 1)
    for which in pieces(street):
        counts += np.bincount(halves[which].ravel(), hands_of(street, which).ravel(), most + 1)
    found = np.flatnonzero(counts)
    return Histogram(found, counts[found])


def cut(
    halves: Halves, street: int, most: int, count: int, seed: int
) -> tuple[Floats, Floats, Floats]:
    """Return the bounds, halfway, between so many clusters of a street, and the ends of each: `Buckets` has them."""
    found = histogram(halves, street, most)
    if len(found.halves) < count:
        raise SettingError(
            f"{len(found.halves)} different win probabilities {WHEN[street]} cannot fill {count}"
            " buckets: some would be empty. Use at most that many."
        )
    edges = clusters(found.halves / most, found.hands, count, seed=seed, index=street)
    first, last = found.halves[edges[:-1]], found.halves[edges[1:] - 1]
    return (last[:-1] + first[1:]) / (2 * most), first / most, last / most


def labeled(halves: Halves, street: int, most: int, bounds: Floats) -> Labels:
    """Return the bucket of each hand of a street, (boards, 1326) or (42783, 351); B_r where they share a card."""
    labels = np.empty(halves.shape, np.uint8)
    for which in pieces(street):
        found = np.searchsorted(bounds, halves[which] / most, side="right")
        labels[which] = np.where(hands_of(street, which) > 0, found, len(bounds) + 1)
    return labels


def labels_of(bounds: Floats, expectations: Expectations, street: int) -> Labels:
    """Return the bucket of each hand of a street between bounds, as `labeled` does."""
    return labeled(all_halves(expectations, street), street, expectations.most(street), bounds)


class WeightedValues(NamedTuple):
    """Weighted numbers in ascending order, (n,), and sums over those before each place, (n + 1,)."""

    values: Floats
    weights: Floats
    weight: Floats
    moment: Floats  # of weights times values
    square: Floats  # of weights times squared values

    @classmethod
    def of(cls, values: Floats, weights: Floats) -> "WeightedValues":
        """Add up."""
        powers = (weights, weights * values, weights * values**2)
        return cls(values, weights, *(np.concatenate([[0.0], np.cumsum(p)]) for p in powers))

    def means(self, edges: Ints) -> Floats:
        """Return the mean of each cluster; NaN for one without values."""
        with np.errstate(invalid="ignore"):
            return np.asarray(np.diff(self.moment[edges]) / np.diff(self.weight[edges]))

    def spread(self, edges: Ints) -> float:
        """Return the sum of weighted squared distances from the means of clusters."""
        around_zero = np.diff(self.square[edges])
        return float(np.sum(around_zero - np.diff(self.moment[edges]) * self.means(edges)))


def clusters(values: Floats, weights: Floats, count: int, *, seed: int, index: int = 0) -> Ints:
    """Return where clusters begin and end, (count + 1,): those that the best of several random starts leads to.

    The values, different and ascending, have positive weights. Cluster c holds those from `edges[c]` up to before
    `edges[c + 1]`; none is empty.
    """
    if not 1 <= count <= len(values):
        raise SettingError(
            f"{len(values)} different values cannot fill {count} buckets; use at most that many."
        )
    line = WeightedValues.of(values, weights)
    found = [
        settled(line, first_means(line, count, stream(seed, "k-means++", index, start)))
        for start in range(STARTS)
    ]
    whole = [edges for edges in found if np.diff(edges).all()]
    if not whole:
        raise ConvergenceError(
            f"k-means left a bucket without hands from all {STARTS} starts; use fewer buckets than"
            f" {count}, or another seed."
        )
    return min(whole, key=line.spread)


def first_means(line: WeightedValues, count: int, luck: np.random.Generator) -> Floats:
    """Return values to start from, ascending, picked by k-means++."""
    chances = line.weights
    distances = np.full(len(line.values), np.inf)
    picked: list[float] = []
    for draw in luck.random(count):
        sums = np.cumsum(chances)
        place = np.searchsorted(sums, draw * sums[-1], side="right")
        picked.append(line.values[min(place, len(sums) - 1)])
        distances = np.minimum(distances, (line.values - picked[-1]) ** 2)
        chances = line.weights * distances
    return np.sort(picked)


def settled(line: WeightedValues, means: Floats) -> Ints:
    """Return the clusters that Lloyd's algorithm ends with; those of an empty one as they stand."""
    edges = nearest(line, means)
    for _ in range(MOST_ROUNDS):
        before, edges = edges, nearest(line, line.means(edges))
        if (edges == before).all() or not np.diff(edges).all():
            break
    return edges


def nearest(line: WeightedValues, means: Floats) -> Ints:
    """Return where clusters begin and end if each value goes to the nearest mean."""
    between = np.searchsorted(line.values, (means[:-1] + means[1:]) / 2)
    return np.concatenate([[0], between, [len(line.values)]])


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
    return from_arrays(
        load_or_make_arrays(name, lambda: as_arrays(cut_into_buckets(numbers, way, seed)))
    )


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
    >>> from pokerlab.holdem.cards import parse_cards
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
