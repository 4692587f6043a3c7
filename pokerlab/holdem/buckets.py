"""Buckets: a card abstraction that groups hands of similar equity, with the probabilities of moving between them.

Before the flop, on the flop, on the turn and on the river, a player's hand belongs to one of a few buckets, according
to its probability of winning against one random hand. The abstraction describes the cards by three kinds of numbers:
the probability of each bucket before the flop, the probability of each bucket on the next street given the present
bucket, and the share of the pot that one bucket wins against another at the showdown. The buckets of the two players
are independent of each other, and the next bucket of a player depends only on its present bucket. These are the
assumptions of Samothrakis & Lucas (2011, section 4.2). In shapes, B_r is the number of buckets on street r.

Buckets are made by clustering. On each street all hands are put into a histogram of win probabilities, which k-means
divides into clusters. This assigns a bucket to every hand. All other numbers are counted over all deals
(`hand_expectations`): how often a hand in one bucket is in another bucket one street later, and how often one bucket
wins against another at the showdown. If the win probabilities are exact, all numbers are exact, and only the random
starts of k-means have an influence on the clusters.

The values of a cluster on a line are neighbors. So a clustering is described by its *edges*, the positions among the
sorted values at which clusters begin, and sums over a cluster are differences of running sums. A round of Lloyd's
algorithm [1]_ computes the means of the clusters and assigns each value to the nearest mean. It ends when nothing
changes. The first means are values that are drawn one after the other, each with a probability in proportion to its
weight times its squared distance from the nearest value drawn before (k-means++ [2]_). The best result of several
starts is used.

Buckets for real cards are made once and stored in a file, whose name is a digest of the settings with which they are
made. `find_bucket` finds the buckets of many hands at once, and `look_up_bucket` that of one hand inside a kernel.

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
    random_stream,
    validate_integer,
)
from pokerlab.core.cache import Arrays, load_or_make_arrays
from pokerlab.core.workers import PROGRESS_AFTER
from pokerlab.holdem.bucket_counts import Labels, compute_showdown_shares, count_transitions
from pokerlab.holdem.cards import BOARD_SIZES, FLOP, NUM_STREETS, RIVER, STREET_PHRASES, Cards
from pokerlab.holdem.equity import (
    WinProbabilityTables,
    load_win_probability_tables,
    look_up_win_probability,
    win_probability,
)
from pokerlab.holdem.hand_expectations import (
    PAPER_SAMPLES,
    ExactExpectations,
    Expectations,
    HalfPots,
    SampledExpectations,
    build_half_pot_table,
    count_hands_of_entries,
    iterate_row_batches,
)

MOST_BUCKETS = 250
"""A bucket is stored in a byte, and one more value is needed for hands that share a card with the board."""
SUM_TOLERANCE = 1e-9  # larger than the rounding errors of a few hundred additions


@dataclass(frozen=True, eq=False, repr=False)
class Buckets:
    """The buckets of hands on each of the four streets, and the probabilities of moving between them.

    The given arrays are checked, copied and made read-only.

    Attributes
    ----------
    counts : tuple of 4 int
        The numbers of buckets: B_0 before the flop, B_1 on the flop, B_2 on the turn and B_3 on the river. On each
        street bucket 0 is the weakest.
    start : ndarray of shape (B_0,)
        The probability of each bucket before the flop.
    transitions : tuple of 3 ndarray, shapes (B_0, B_1), (B_1, B_2), (B_2, B_3)
        The probability of each bucket on the next street (columns) given the present bucket (rows).
    showdown : ndarray of shape (B_3, B_3)
        The player's expected share of the pot, P(win) + P(tie)/2, for the player's own bucket (rows) against the
        opponent's bucket (columns).
    bounds : tuple of 4 ndarray, shapes (B_r - 1,)
        The win probabilities that separate neighboring buckets on street r. A hand whose win probability equals a bound
        belongs to the bucket above it.
    lowest, highest : tuple of 4 ndarray, shapes (B_r,)
        The smallest and the largest win probability of the hands in each bucket on street r.
    source : str
        The source of the win probabilities: 'exact', a description of how they were sampled, or 'given'.

    Raises
    ------
    SettingError
        If there are not four positive counts.
    ShapeError
        If an array does not fit the counts.
    ProbabilityError
        If a number is not a probability, the probabilities of a distribution do not sum to one, a bucket has
        probability zero, the shares of both players at a showdown do not sum to one, or the buckets are not in
        ascending order of win probability.
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
        counts = validate_counts(self.counts)
        first, _, _, last = counts
        transition_shapes = list(pairwise(counts))
        bucket_shapes = [(count,) for count in counts]
        bound_shapes = [(count - 1,) for count in counts]
        checked_fields = {
            "counts": counts,
            "start": _validate_probabilities("start", self.start, (first,)),
            "transitions": _validate_probability_arrays(
                "transitions", self.transitions, transition_shapes
            ),
            "showdown": _validate_probabilities("showdown", self.showdown, (last, last)),
            "bounds": _validate_probability_arrays("bounds", self.bounds, bound_shapes),
            "lowest": _validate_probability_arrays("lowest", self.lowest, bucket_shapes),
            "highest": _validate_probability_arrays("highest", self.highest, bucket_shapes),
        }
        for name, value in checked_fields.items():
            object.__setattr__(self, name, value)
        _check_distributions(self)
        _check_showdown_shares(self.showdown)
        _check_bucket_order(self)

    @cached_property
    def frequencies(self) -> tuple[Floats, ...]:
        """The probability of each bucket, as one array for each of the four streets."""
        by_street = [self.start]
        for transition in self.transitions:
            by_street.append(_copy_read_only(by_street[-1] @ transition))
        return tuple(by_street)

    def assign_buckets(self, street: int, win_probability: ArrayLike) -> Any:
        """Return the bucket of each hand, given its win probability against one random hand.

        Parameters
        ----------
        street : int
            0 before the flop, 1 on the flop, 2 on the turn, 3 on the river.
        win_probability : array_like of shape (...,)
            The probability that the hand wins, plus half the probability of a tie.

        Returns
        -------
        int64 or ndarray of int64, shape (...,)
            The bucket of each hand, from 0 for the smallest win probabilities.

        Raises
        ------
        SettingError
            If the street is not 0, 1, 2 or 3.
        ProbabilityError
            If a number is not between 0 and 1.
        """
        validate_integer("street", street, 0, RIVER)
        values = np.asarray(win_probability, np.float64)
        _check_range("win_probability", values)
        return np.searchsorted(self.bounds[street], values, side="right")

    def __repr__(self) -> str:
        return f"<Buckets {', '.join(map(str, self.counts))}, {self.source}>"


def validate_counts(counts: Any) -> tuple[int, int, int, int]:
    """Return the numbers of buckets on the four streets as four ints, after checking them.

    Parameters
    ----------
    counts : int or sequence of 4 int
        One number, which stands for all streets, or a number for each street.

    Raises
    ------
    SettingError
        If there are not one or four whole numbers from 1 to MOST_BUCKETS.
    """
    numbers = tuple(counts) if np.ndim(counts) else (counts,) * NUM_STREETS
    if len(numbers) != NUM_STREETS:
        raise SettingError(
            f"counts are {counts}; give one number of buckets, or four: {', '.join(STREET_PHRASES)}."
        )
    before, flop, turn, river = (
        validate_integer("the number of buckets on a street", number, 1, MOST_BUCKETS)
        for number in numbers
    )
    return before, flop, turn, river


def _copy_read_only(array: ArrayLike) -> Floats:
    """Return a read-only copy of an array as float64."""
    copy = np.array(array, np.float64)
    copy.flags.writeable = False
    return copy


def _validate_probability_arrays(
    name: str, arrays: Any, shapes: Sequence[tuple[int, ...]]
) -> tuple[Floats, ...]:
    """Return read-only copies of several arrays of probabilities, one for each of the given shapes.

    Errors name the array by `name` and its index. ShapeError is raised if the number of arrays or a shape is wrong, and
    ProbabilityError if a number is not between 0 and 1.
    """
    if not isinstance(arrays, Sequence | np.ndarray):
        raise ShapeError(f"{name} is {arrays!r}; it needs {len(shapes)} arrays.")
    if len(arrays) != len(shapes):
        raise ShapeError(f"{name} holds {len(arrays)} arrays; it needs {len(shapes)}.")
    return tuple(
        _validate_probabilities(f"{name}[{i}]", array, shape)
        for i, (array, shape) in enumerate(zip(arrays, shapes, strict=True))
    )


def _validate_probabilities(name: str, array: ArrayLike, shape: tuple[int, ...]) -> Floats:
    """Return a read-only copy of an array of probabilities.

    Errors call the array `name`. ShapeError is raised if its shape is wrong, and ProbabilityError if a number is not
    between 0 and 1.
    """
    try:
        copy = _copy_read_only(array)
    except (TypeError, ValueError):
        raise ProbabilityError(
            f"{name} is {array!r}; give probabilities of shape {shape}."
        ) from None
    if copy.shape != shape:
        raise ShapeError(f"{name} has shape {copy.shape}; these counts need {shape}.")
    _check_range(name, copy)
    return copy


def _check_range(name: str, values: Floats) -> None:
    """Raise ProbabilityError about `name` if a number is not between 0 and 1."""
    wrong = values[~((values >= 0) & (values <= 1))]
    if wrong.size:
        raise ProbabilityError(f"{name} contains {wrong.flat[0]:g}; give numbers from 0 to 1.")


def _check_distributions(buckets: Buckets) -> None:
    """Raise ProbabilityError if the probabilities of a distribution do not sum to one, or that of a bucket is zero."""
    _check_rows_sum_to_one("start", buckets.start[None])
    for street, transition in enumerate(buckets.transitions):
        _check_rows_sum_to_one(f"transitions[{street}]", transition)
    for street, frequencies in enumerate(buckets.frequencies):
        if not frequencies.all():
            raise ProbabilityError(
                f"bucket {int(np.argmin(frequencies))} {STREET_PHRASES[street]} is empty: no hand falls into"
                " it. Use fewer buckets, or give it a probability."
            )


def _check_rows_sum_to_one(name: str, rows: Floats) -> None:
    """Raise ProbabilityError about `name` if a row of an array of probabilities does not sum to one."""
    sums = rows.sum(axis=1)
    worst = int(np.argmax(np.abs(sums - 1)))
    if abs(sums[worst] - 1) > SUM_TOLERANCE:
        where = f"row {worst} of {name}" if len(rows) > 1 else name
        raise ProbabilityError(f"{where} sums to {sums[worst]:g}, not 1. Normalize it first.")


def _check_showdown_shares(showdown: Floats) -> None:
    """Raise ProbabilityError if the shares of the pot that two buckets win at a showdown do not sum to one."""
    pots = showdown + showdown.T
    own, other = np.unravel_index(np.argmax(np.abs(pots - 1)), pots.shape)
    if abs(pots[own, other] - 1) > SUM_TOLERANCE:
        raise ProbabilityError(
            f"shares of buckets {own} and {other} at the showdown sum to {pots[own, other]:g}, not"
            " 1. Make showdown + showdown.T one everywhere."
        )


def _check_bucket_order(buckets: Buckets) -> None:
    """Raise ProbabilityError if a bucket does not lie between its bounds, or its lowest value is above its highest."""
    for street, bounds in enumerate(buckets.bounds):
        lowest, highest = buckets.lowest[street], buckets.highest[street]
        is_inside = (lowest[1:] >= bounds).all() and (highest[:-1] < bounds).all()
        if not (lowest <= highest).all() or not is_inside:
            raise ProbabilityError(
                f"buckets {STREET_PHRASES[street]} are out of order: lowest {lowest}, highest {highest},"
                f" bounds {bounds}. Each bucket must lie between its bounds, from the weakest up."
            )


MOST_BINS = 10_000_000
NUM_STARTS = 10
MOST_LLOYD_ROUNDS = 100_000


class Histogram(NamedTuple):
    """The different numbers of half pots that hands win on a street, and how many hands win each number.

    A hand wins two half pots for each deal that it wins, and one for a tie.

    Attributes
    ----------
    half_pots : ndarray of int64
        The different numbers of half pots, in ascending order.
    hands : ndarray of float64
        The number of hands with each; the same hole cards on two boards are two hands. These are whole numbers below
        2**53, so their sums are exact.
    """

    half_pots: Ints
    hands: Floats


def cluster_hands(
    counts: tuple[int, int, int, int], expectations: Expectations, seed: int
) -> Buckets:
    """Return buckets that k-means makes by clustering the win probabilities of all hands, street by street.

    Parameters
    ----------
    counts : tuple of 4 int
        The number of buckets on each street.
    expectations : Expectations
        The win probabilities of all hands on all streets.
    seed : int
        The seed of the random starts of k-means.
    """
    clusters: list[StreetClusters] = []
    labels, transitions = [], []
    with tqdm(total=7, desc="buckets", unit=" steps", delay=PROGRESS_AFTER, leave=False) as bar:
        for street, count in enumerate(counts):
            half_pots = build_half_pot_table(expectations, street)
            max_half_pots = expectations.count_half_pots_of_sure_win(street)
            cluster = cluster_street(half_pots, street, max_half_pots, count, seed)
            clusters.append(cluster)
            labels.append(
                find_buckets_of_half_pots(half_pots, street, max_half_pots, cluster.bounds)
            )
            bar.update()
        for street in range(FLOP, NUM_STREETS):
            transitions.append(count_transitions(labels, street, counts))
            bar.update()

    # Convert the counts of moves to probabilities.
    hands_before_flop = transitions[0].sum(axis=1)
    return Buckets(
        counts,
        start=hands_before_flop / transitions[0].sum(),
        transitions=tuple(moves / moves.sum(axis=1, keepdims=True) for moves in transitions),
        showdown=compute_showdown_shares(labels[RIVER], counts[RIVER]),
        bounds=tuple(cluster.bounds for cluster in clusters),
        lowest=tuple(cluster.lowest for cluster in clusters),
        highest=tuple(cluster.highest for cluster in clusters),
        source=expectations.source,
    )


def build_half_pot_histogram(half_pots: HalfPots, street: int, max_half_pots: int) -> Histogram:
    """Return the histogram of the numbers of half pots that the hands of a street win.

    Parameters
    ----------
    half_pots : ndarray of uint32, shape (boards, 1326) or, on the river, (42783, 351)
        The street's table of half pots.
    street : int
        0 before the flop, 1 on the flop, 2 on the turn, 3 on the river.
    max_half_pots : int
        The number of half pots that a hand wins if it always wins.
    """
    # With too many possible numbers for one bin each, the values themselves are sorted.
    if max_half_pots > MOST_BINS:
        hands = count_hands_of_entries(street, np.arange(len(half_pots)))
        is_possible = hands > 0
        distinct, indices = np.unique(half_pots[is_possible], return_inverse=True)
        counts = np.bincount(indices, hands[is_possible]).astype(np.float64)
        return Histogram(distinct.astype(np.int64), counts)

    # Otherwise there is one bin for each number from 0 to `max_half_pots`.
    counts = np.zeros(max_half_pots + 1)
    for rows in iterate_row_batches(street):
        hands = count_hands_of_entries(street, rows)
        counts += np.bincount(half_pots[rows].ravel(), hands.ravel(), max_half_pots + 1)
    occurring = np.flatnonzero(counts)
    return Histogram(occurring, counts[occurring])


class StreetClusters(NamedTuple):
    """The clusters of a street's hands, described by their bounds and extreme values.

    Attributes
    ----------
    bounds : ndarray of shape (count - 1,)
        The win probabilities halfway between neighboring clusters.
    lowest, highest : ndarray of shape (count,)
        The smallest and the largest win probability of each cluster.
    """

    bounds: Floats
    lowest: Floats
    highest: Floats


def cluster_street(
    half_pots: HalfPots, street: int, max_half_pots: int, count: int, seed: int
) -> StreetClusters:
    """Return the clusters into which k-means groups a street's hands by their win probability.

    Parameters
    ----------
    half_pots : ndarray of uint32
        The street's table of half pots.
    street : int
        0 before the flop, 1 on the flop, 2 on the turn, 3 on the river.
    max_half_pots : int
        The number of half pots of a hand that always wins.
    count : int
        The number of clusters to make.
    seed : int
        The seed of the random starts of k-means.

    Raises
    ------
    SettingError
        If there are fewer different win probabilities than clusters.
    """
    histogram = build_half_pot_histogram(half_pots, street, max_half_pots)
    if len(histogram.half_pots) < count:
        raise SettingError(
            f"{len(histogram.half_pots)} different win probabilities {STREET_PHRASES[street]} cannot fill {count}"
            " buckets: some would be empty. Use at most that many."
        )
    values = histogram.half_pots / max_half_pots
    edges = find_clusters(values, histogram.hands, count, seed=seed, index=street)

    # Neighboring clusters are separated halfway between the last value of the one and the first value of the other.
    lowest = histogram.half_pots[edges[:-1]]
    highest = histogram.half_pots[edges[1:] - 1]
    bounds = (highest[:-1] + lowest[1:]) / (2 * max_half_pots)
    return StreetClusters(bounds, lowest / max_half_pots, highest / max_half_pots)


def find_buckets_of_half_pots(
    half_pots: HalfPots, street: int, max_half_pots: int, bounds: Floats
) -> Labels:
    """Return the bucket of each entry of a street's table of half pots.

    Parameters
    ----------
    half_pots : ndarray of uint32, shape (boards, 1326) or, on the river, (42783, 351)
        The street's table of half pots.
    street : int
        0 before the flop, 1 on the flop, 2 on the turn, 3 on the river.
    max_half_pots : int
        The number of half pots of a hand that always wins.
    bounds : ndarray of shape (B - 1,)
        The win probabilities that separate the B buckets of the street.

    Returns
    -------
    ndarray of uint8, of the shape of the table
        A bucket from 0 to B - 1, or B for an entry that stands for no hand.
    """
    num_buckets = len(bounds) + 1
    labels = np.empty(half_pots.shape, np.uint8)
    for rows in iterate_row_batches(street):
        buckets = np.searchsorted(bounds, half_pots[rows] / max_half_pots, side="right")
        labels[rows] = np.where(count_hands_of_entries(street, rows) > 0, buckets, num_buckets)
    return labels


def find_buckets_of_street(bounds: Floats, expectations: Expectations, street: int) -> Labels:
    """Return the bucket of each entry of a street's table of half pots, which is computed from the expectations.

    Parameters
    ----------
    bounds : ndarray of shape (B - 1,)
        The win probabilities that separate the B buckets of the street.
    expectations : Expectations
        The win probabilities of all hands.
    street : int
        0 before the flop, 1 on the flop, 2 on the turn, 3 on the river.

    Returns
    -------
    ndarray of uint8, shape (boards, 1326) or, on the river, (42783, 351)
        A bucket from 0 to B - 1, or B for an entry that stands for no hand.
    """
    half_pots = build_half_pot_table(expectations, street)
    most = expectations.count_half_pots_of_sure_win(street)
    return find_buckets_of_half_pots(half_pots, street, most, bounds)


class WeightedValues(NamedTuple):
    """Weighted values in ascending order, with running sums.

    Entry i of a running sum is the sum over the values with an index below i. So there is one more sum than there are
    values, and a sum over the values from i to j - 1 is the difference of entries j and i.

    Attributes
    ----------
    values, weights : ndarray of shape (n,)
        The n values and their weights.
    weight : ndarray of shape (n + 1,)
        The running sums of the weights.
    moment : ndarray of shape (n + 1,)
        The running sums of weights times values.
    square : ndarray of shape (n + 1,)
        The running sums of weights times squared values.
    """

    values: Floats
    weights: Floats
    weight: Floats
    moment: Floats
    square: Floats

    @classmethod
    def from_values(cls, values: Floats, weights: Floats) -> "WeightedValues":
        """Return values, given in ascending order, with their weights and running sums."""

        def compute_running_sums(summands: Floats) -> Floats:
            """Return the sums of the first 0, 1, ..., n of n numbers."""
            return np.concatenate([[0.0], np.cumsum(summands)])

        return cls(
            values=values,
            weights=weights,
            weight=compute_running_sums(weights),
            moment=compute_running_sums(weights * values),
            square=compute_running_sums(weights * values**2),
        )

    def find_means(self, edges: Ints) -> Floats:
        """Return the weighted mean of each cluster, or NaN for a cluster without values.

        The edges of k clusters have shape (k + 1,), as `find_clusters` returns them, and their means have shape (k,).
        """
        with np.errstate(invalid="ignore"):
            return np.asarray(np.diff(self.moment[edges]) / np.diff(self.weight[edges]))

    def sum_squared_distances(self, edges: Ints) -> float:
        """Return the weighted sum of squared distances of values from the means of their clusters."""
        # For each cluster, sum w (x - mean)^2 = sum w x^2 - mean sum w x.
        sums_of_squares = np.diff(self.square[edges])
        moments = np.diff(self.moment[edges])
        return float(np.sum(sums_of_squares - moments * self.find_means(edges)))


def find_clusters(
    values: Floats, weights: Floats, count: int, *, seed: int, index: int = 0
) -> Ints:
    """Return the best clustering of values on a line that k-means finds from several random starts.

    The best clustering has the smallest weighted sum of squared distances from the means of the clusters.

    Parameters
    ----------
    values : ndarray of shape (n,)
        Different values in ascending order.
    weights : ndarray of shape (n,)
        The weights of the values, which must be positive.
    count : int
        The number of clusters, 1 to n.
    seed : int
        The seed of the random starts.
    index : int
        The index of this clustering among all clusterings with the same seed; each has its own random numbers.

    Returns
    -------
    ndarray of int64, shape (count + 1,)
        The edges of the clusters, `edges`: cluster c consists of `values[edges[c]:edges[c + 1]]`. No cluster is empty.

    Raises
    ------
    SettingError
        If there are fewer values than clusters, or `count` is below 1.
    ConvergenceError
        If all starts end with an empty cluster.
    """
    if not 1 <= count <= len(values):
        raise SettingError(
            f"{len(values)} different values cannot fill {count} buckets; use at most that many."
        )
    weighted = WeightedValues.from_values(values, weights)
    clusterings = []
    for start in range(NUM_STARTS):
        means = draw_first_means(weighted, count, random_stream(seed, "k-means++", index, start))
        clusterings.append(run_lloyds_algorithm(weighted, means))

    without_empty = [edges for edges in clusterings if np.diff(edges).all()]
    if not without_empty:
        raise ConvergenceError(
            f"k-means left a bucket without hands from all {NUM_STARTS} starts; use fewer buckets than"
            f" {count}, or another seed."
        )
    return min(without_empty, key=weighted.sum_squared_distances)


def draw_first_means(
    weighted: WeightedValues, count: int, generator: np.random.Generator
) -> Floats:
    """Return the first means of k-means, in ascending order: values that are drawn by k-means++.

    The first value is drawn in proportion to its weight. Each further value is drawn in proportion to its weight times
    its squared distance from the nearest value that was drawn before.

    Parameters
    ----------
    weighted : WeightedValues
        The values, with their weights.
    count : int
        The number of means to draw.
    generator : Generator
        The source of random numbers.

    Returns
    -------
    ndarray of shape (count,)
        The means.
    """
    weights = weighted.weights
    squared_distances = np.full(len(weighted.values), np.inf)  # from the nearest value drawn so far
    drawn: list[float] = []
    for uniform in generator.random(count):
        running_sums = np.cumsum(weights)
        place = np.searchsorted(running_sums, uniform * running_sums[-1], side="right")
        last_place = len(running_sums) - 1
        drawn.append(
            weighted.values[min(place, last_place)]
        )  # rounding may lead beyond the last value
        squared_distances = np.minimum(squared_distances, (weighted.values - drawn[-1]) ** 2)
        weights = weighted.weights * squared_distances
    return np.sort(drawn)


def run_lloyds_algorithm(weighted: WeightedValues, means: Floats) -> Ints:
    """Return the edges of the clusters that Lloyd's algorithm finds from the given first means.

    The algorithm alternates between computing means and assigning values to the nearest mean. It ends when the clusters
    do not change anymore, when a cluster becomes empty, or after MOST_LLOYD_ROUNDS rounds.

    Parameters
    ----------
    weighted : WeightedValues
        The values, with their weights.
    means : ndarray of shape (k,)
        The first means of k clusters, in ascending order.

    Returns
    -------
    ndarray of int64, shape (k + 1,)
        The edges, as `find_clusters` returns them.
    """
    edges = assign_to_nearest(weighted, means)
    for _ in range(MOST_LLOYD_ROUNDS):
        previous_edges = edges
        edges = assign_to_nearest(weighted, weighted.find_means(edges))
        is_unchanged = (edges == previous_edges).all()
        has_empty_cluster = not np.diff(edges).all()
        if is_unchanged or has_empty_cluster:
            break
    return edges


def assign_to_nearest(weighted: WeightedValues, means: Floats) -> Ints:
    """Return the edges of the clusters that result from assigning each value to the nearest mean.

    Parameters
    ----------
    weighted : WeightedValues
        The values, in ascending order.
    means : ndarray of shape (k,)
        The means of k clusters, in ascending order.

    Returns
    -------
    ndarray of int64, shape (k + 1,)
        The edges, as `find_clusters` returns them.
    """
    # Neighboring clusters meet halfway between their means.
    midpoints = (means[:-1] + means[1:]) / 2
    inner_edges = np.searchsorted(weighted.values, midpoints)
    return np.concatenate([[0], inner_edges, [len(weighted.values)]])


EDITION = 2  # part of the names of cache files; increase it if a change of the code changes buckets
EXPECTATION_KINDS = ("exact", "sampled")
SINGLE_ARRAYS = ("start", "showdown")
"""The fields of `Buckets` that are one array."""
NUM_ARRAYS_OF_FIELD = {"transitions": 3, "bounds": 4, "lowest": 4, "highest": 4}
"""The fields of `Buckets` that are tuples of arrays, and the length of each tuple."""


def make_buckets(
    counts: int | Sequence[int] = 6,
    *,
    seed: int,
    expectations: str = "exact",
    samples: Sequence[int] = PAPER_SAMPLES,
) -> Buckets:
    """Return buckets that group all hands by their win probability, with the probabilities of moving between buckets.

    On each street k-means clusters the win probabilities of hands against one random hand, where a tie counts half.
    Each win probability is weighted by the number of hands that have it. The transitions from one street to the next
    are counted over all deals.

    Parameters
    ----------
    counts : int or sequence of 4 int
        The number of buckets on every street, or a number for each of the four streets.
    seed : int
        The seed of the random starts of k-means, and of the random deals if win probabilities are sampled.
    expectations : {'exact', 'sampled'}
        Whether win probabilities are counted exactly, or estimated from random deals as in Samothrakis & Lucas (2011).
    samples : sequence of 4 int
        The number of random deals for each hand before the flop, on the flop, on the turn and on the river. It is used
        only if `expectations` is 'sampled'.

    Returns
    -------
    Buckets
        The buckets are stored in the user's cache folder. The first call takes some seconds, and more if the tables for
        exact counting do not exist yet (see `win_probability`).

    Raises
    ------
    SettingError
        If a number is out of range, or a street has fewer different win probabilities than buckets.
    UnknownNameError
        If `expectations` is neither 'exact' nor 'sampled'.

    Examples
    --------
    >>> buckets = make_buckets(6, seed=1)
    >>> buckets
    <Buckets 6, 6, 6, 6, exact>
    >>> buckets.bounds[0].round(4).tolist()
    [0.4039, 0.4686, 0.5299, 0.5925, 0.7061]
    """
    bucket_counts = validate_counts(counts)
    win_probabilities = make_win_probability_estimator(expectations, seed, samples)

    def make_arrays() -> Arrays:
        """Return the arrays of new buckets, by name."""
        return pack_buckets(cluster_hands(bucket_counts, win_probabilities, seed))

    file_name = name_cache_file("buckets", bucket_counts, win_probabilities, seed)
    return unpack_buckets(load_or_make_arrays(file_name, make_arrays))


def make_win_probability_estimator(kind: str, seed: int, samples: Sequence[int]) -> Expectations:
    """Return an object that computes the win probabilities of all hands, by counting or from random deals.

    Parameters
    ----------
    kind : {'exact', 'sampled'}
        Whether win probabilities are counted exactly, or estimated.
    seed : int
        The seed of the random deals, which only 'sampled' uses.
    samples : sequence of 4 int
        The number of random deals for each hand on each street, which only 'sampled' uses.

    Returns
    -------
    ExactExpectations or SampledExpectations
        The object. It computes the win probabilities of a street when it is asked for them.

    Raises
    ------
    SettingError
        If a number is out of range.
    UnknownNameError
        If `kind` is neither 'exact' nor 'sampled'.
    """
    validate_integer("seed", seed, 0)
    UnknownNameError.check("way to compute win probabilities", kind, EXPECTATION_KINDS)
    return ExactExpectations() if kind == "exact" else SampledExpectations(samples, seed)


def name_cache_file(
    kind: str, counts: tuple[int, ...], expectations: Expectations, seed: int
) -> str:
    """Return the name of the cache file of buckets: the kind of its content and a digest of all settings."""
    recipe = f"edition {EDITION}: {counts} buckets, {expectations.source}, clusters of seed {seed}"
    return f"{kind}-{hashlib.sha256(recipe.encode()).hexdigest()[:16]}"


def pack_buckets(buckets: Buckets) -> Arrays:
    """Return the fields of buckets as named arrays, which can be written to a cache file.

    The inverse is `unpack_buckets`.

    Parameters
    ----------
    buckets : Buckets
        The buckets.

    Returns
    -------
    dict of str to ndarray
        An array that is a field of its own has the name of the field. An array in a tuple of arrays has the name of the
        field followed by its index in the tuple, such as 'bounds0'.
    """
    arrays = {
        name: np.array(getattr(buckets, name)) for name in ("source", "counts", *SINGLE_ARRAYS)
    }
    for name in NUM_ARRAYS_OF_FIELD:
        for index, array in enumerate(getattr(buckets, name)):
            arrays[f"{name}{index}"] = array
    return arrays


def unpack_buckets(arrays: Arrays) -> Buckets:
    """Return the buckets with the given arrays, which `pack_buckets` has named: its inverse."""
    fields: dict[str, Any] = {name: arrays[name] for name in SINGLE_ARRAYS}
    for name, count in NUM_ARRAYS_OF_FIELD.items():
        fields[name] = tuple(arrays[f"{name}{index}"] for index in range(count))
    counts = validate_counts(arrays["counts"].tolist())
    return Buckets(counts=counts, source=str(arrays["source"]), **fields)


def find_bucket(buckets: Buckets, hole: ArrayLike, board: ArrayLike) -> Any:
    """Return the bucket of hole cards on a board, found by their exact win probability.

    Parameters
    ----------
    buckets : Buckets
        The buckets of all streets.
    hole : array_like of integers, shape (..., 2)
        The two hole cards.
    board : array_like of integers, shape (..., k)
        The k cards of the board: 0, 3, 4 or 5.

    Returns
    -------
    int64 or ndarray of int64, shape (...,)
        The bucket on the street of the board, from 0 for the smallest win probabilities.

    Examples
    --------
    >>> from pokerlab.holdem.cards import parse_cards
    >>> buckets, hole = make_buckets(6, seed=1), parse_cards("As 5s")
    >>> board = parse_cards("Kh 8d 4s 3s 2h")
    >>> [int(find_bucket(buckets, hole, board[:k])) for k in (0, 3, 4, 5)]
    [4, 2, 3, 5]
    """
    values = win_probability(hole, board)
    return buckets.assign_buckets(BOARD_SIZES.index(np.shape(board)[-1]), values)


class BucketTables(NamedTuple):
    """The tables from which `look_up_bucket` finds buckets; made by `make_bucket_tables`.

    Attributes
    ----------
    equity : WinProbabilityTables
        The tables of win probabilities.
    bounds : ndarray of shape (4, B)
        The win probabilities that separate the buckets on each street, padded with infinity. B is the largest number of
        buckets of a street.
    """

    equity: WinProbabilityTables
    bounds: Floats


def make_bucket_tables(buckets: Buckets) -> BucketTables:
    """Return the tables from which kernels find the buckets of cards."""
    bounds = np.full((len(BOARD_SIZES), max(buckets.counts)), np.inf)
    for street, street_bounds in enumerate(buckets.bounds):
        bounds[street, : len(street_bounds)] = street_bounds
    return BucketTables(load_win_probability_tables(), bounds)


@kernel
def look_up_bucket(tables: BucketTables, hole: Cards, board: Cards) -> int:
    """Return the bucket of two hole cards on a board, found by their exact win probability.

    This is the version of `find_bucket` for kernels. It does not check the cards.

    Parameters
    ----------
    tables : BucketTables
        From `make_bucket_tables`.
    hole : ndarray of uint8, shape (2,)
        The two hole cards.
    board : ndarray of uint8, shape (k,)
        The k cards of the board: 0, 3, 4 or 5.
    """
    street = max(board.size - 2, 0)
    value = look_up_win_probability(tables.equity, hole, board, 0.5)
    bounds = tables.bounds[street]
    bucket = 0
    while bucket < bounds.size and bounds[bucket] <= value:
        bucket += 1
    return bucket
