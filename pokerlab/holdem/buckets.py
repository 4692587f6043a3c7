"""Buckets: a card abstraction that groups hands of similar equity, with the probabilities of moving between them.

Before the flop, on the flop, on the turn and on the river, a player's hand belongs to one of a few buckets, according
to its probability of winning against one random hand. The abstraction describes the cards by three kinds of numbers:
the probability of each bucket before the flop, the probability of each bucket on the next street given the present
bucket, and the share of the pot that one bucket wins against another at the showdown. The buckets of the two players
are independent of each other, and the next bucket of a player depends only on its present bucket. These are the
assumptions of Samothrakis & Lucas (2011, section 4.2). In shapes, B_r is the number of buckets on street r.

Buckets are made by clustering. On each street all hands are put into a histogram of win probabilities, which k-means
(`pokerlab.holdem.kmeans`) divides into clusters. This assigns a bucket to every hand. All other numbers are counted
over all deals (`pokerlab.holdem.bucket_counts`): how often a hand in one bucket is in another bucket one street later,
and how often one bucket wins against another at the showdown. If the win probabilities are exact, all numbers are
exact, and only the random starts of k-means have an influence on the clusters.

Buckets for real cards are made once and stored in a file, whose name is a digest of the settings with which they are
made. `find_bucket` finds the buckets of many hands at once, and `look_up_bucket` that of one hand inside a kernel.
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
    Floats,
    Ints,
    ProbabilityError,
    SettingError,
    ShapeError,
    UnknownNameError,
    kernel,
    validate_integer,
)
from pokerlab.core.cache import Arrays, load_or_make_arrays
from pokerlab.core.errors import quote_value
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
from pokerlab.holdem.kmeans import find_clusters

MOST_BUCKETS = 250
"""A bucket is stored in a byte, and one more value is needed for hands that share a card with the board."""
SUM_TOLERANCE = 1e-9
"""The largest deviation of a sum of probabilities from one, above the rounding errors of some hundred additions."""


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
        """Check all fields, and replace the arrays by read-only copies.

        Raises
        ------
        SettingError
            If there are not four positive counts.
        ShapeError
            If an array does not fit the counts.
        ProbabilityError
            If a number is not a probability, a distribution does not sum to one, a bucket has probability zero, the
            shares of both players at a showdown do not sum to one, or the buckets are not in ascending order of win
            probability.
        """
        counts = validate_bucket_counts(self.counts)
        num_preflop, _, _, num_river = counts
        transition_shapes = list(pairwise(counts))
        bucket_shapes = [(num_buckets,) for num_buckets in counts]
        bound_shapes = [(num_buckets - 1,) for num_buckets in counts]
        checked_fields = {
            "counts": counts,
            "start": _validate_probabilities("start", self.start, (num_preflop,)),
            "transitions": _validate_probability_arrays(
                "transitions", self.transitions, transition_shapes
            ),
            "showdown": _validate_probabilities("showdown", self.showdown, (num_river, num_river)),
            "bounds": _validate_probability_arrays("bounds", self.bounds, bound_shapes),
            "lowest": _validate_probability_arrays("lowest", self.lowest, bucket_shapes),
            "highest": _validate_probability_arrays("highest", self.highest, bucket_shapes),
        }
        # A frozen dataclass forbids ordinary assignment.
        for name, value in checked_fields.items():
            object.__setattr__(self, name, value)
        _check_distributions(self)
        _check_showdown_shares(self.showdown)
        _check_bucket_order(self)

    @cached_property
    def frequencies(self) -> tuple[Floats, ...]:
        """The probability that a hand is in each bucket: one array for each street, with an entry for each bucket."""
        frequencies = self.start
        frequencies_by_street = [frequencies]
        for transition in self.transitions:
            frequencies = _copy_read_only(frequencies @ transition)
            frequencies_by_street.append(frequencies)
        return tuple(frequencies_by_street)

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
        win_probabilities = np.asarray(win_probability, np.float64)
        _check_probability_range("win_probability", win_probabilities)
        return np.searchsorted(self.bounds[street], win_probabilities, side="right")

    def __repr__(self) -> str:
        """Return the numbers of buckets and the source, such as '<Buckets 6, 6, 6, 6, exact>'."""
        return f"<Buckets {', '.join(map(str, self.counts))}, {self.source}>"


def validate_bucket_counts(counts: Any) -> tuple[int, int, int, int]:
    """Return the numbers of buckets on the four streets as four ints, after checking them.

    Parameters
    ----------
    counts : int or sequence of 4 int
        One number, which stands for all streets, or a number for each street.

    Returns
    -------
    tuple of 4 int
        The number of buckets before the flop, on the flop, on the turn and on the river.

    Raises
    ------
    SettingError
        If there are not one or four whole numbers from 1 to MOST_BUCKETS.
    """
    is_array = isinstance(counts, np.ndarray) and counts.ndim > 0
    is_list = isinstance(counts, Sequence) and not isinstance(counts, str | bytes)
    numbers = tuple(counts) if is_array or is_list else (counts,) * NUM_STREETS
    if len(numbers) != NUM_STREETS:
        raise SettingError(
            f"counts are {quote_value(counts)}; give one number of buckets, or four: {', '.join(STREET_PHRASES)}."
        )
    preflop, flop, turn, river = (
        validate_integer("the number of buckets on a street", number, 1, MOST_BUCKETS)
        for number in numbers
    )
    return preflop, flop, turn, river


def _copy_read_only(array: ArrayLike) -> Floats:
    """Return a read-only copy of an array as float64, in the same shape."""
    copy = np.array(array, np.float64)
    copy.flags.writeable = False
    return copy


def _validate_probability_arrays(
    name: str, arrays: Any, shapes: Sequence[tuple[int, ...]]
) -> tuple[Floats, ...]:
    """Return read-only copies of several arrays of probabilities, after checking their number and their shapes.

    Parameters
    ----------
    name : str
        The name of the arrays in errors, which is followed by the index of the wrong array.
    arrays : sequence of array_like
        The arrays.
    shapes : sequence of tuple of int
        The shape that each array must have.

    Returns
    -------
    tuple of ndarray
        One copy for each shape.

    Raises
    ------
    ShapeError
        If the number of arrays or a shape is wrong.
    ProbabilityError
        If a number is not between 0 and 1.
    """
    if not isinstance(arrays, Sequence | np.ndarray):
        raise ShapeError(f"{name} is {arrays!r}; it needs {len(shapes)} arrays.")
    if len(arrays) != len(shapes):
        raise ShapeError(f"{name} holds {len(arrays)} arrays; it needs {len(shapes)}.")
    copies = []
    for index, shape in enumerate(shapes):
        copies.append(_validate_probabilities(f"{name}[{index}]", arrays[index], shape))
    return tuple(copies)


def _validate_probabilities(name: str, array: ArrayLike, shape: tuple[int, ...]) -> Floats:
    """Return a read-only copy of an array of probabilities, after checking its shape and its numbers.

    Parameters
    ----------
    name : str
        The name of the array in errors.
    array : array_like
        The probabilities.
    shape : tuple of int
        The shape that the array must have.

    Returns
    -------
    ndarray of shape `shape`
        The copy, of type float64.

    Raises
    ------
    ShapeError
        If the shape is wrong.
    ProbabilityError
        If the array does not consist of numbers, or a number is not between 0 and 1.
    """
    try:
        copy = _copy_read_only(array)
    except (TypeError, ValueError):
        raise ProbabilityError(
            f"{name} is {array!r}; give probabilities of shape {shape}."
        ) from None
    if copy.shape != shape:
        raise ShapeError(f"{name} has shape {copy.shape}; these counts need {shape}.")
    _check_probability_range(name, copy)
    return copy


def _check_probability_range(name: str, probabilities: Floats) -> None:
    """Raise ProbabilityError if a number is not between 0 and 1.

    Parameters
    ----------
    name : str
        The name of the numbers in the error.
    probabilities : ndarray
        The numbers.

    Raises
    ------
    ProbabilityError
        If a number is below 0, above 1, or NaN.
    """
    # NaN fails both comparisons, so it is not in the range, either.
    is_in_range = (probabilities >= 0) & (probabilities <= 1)
    wrong_probabilities = probabilities[~is_in_range]
    if wrong_probabilities.size:
        raise ProbabilityError(
            f"{name} contains {wrong_probabilities[0]:g}; give numbers from 0 to 1."
        )


def _check_distributions(buckets: Buckets) -> None:
    """Raise ProbabilityError if a distribution of buckets does not sum to one, or if a bucket has probability zero.

    Parameters
    ----------
    buckets : Buckets
        The buckets, whose first probabilities and transitions are checked.

    Raises
    ------
    ProbabilityError
        If a sum differs from one by more than a rounding error, or a bucket has probability zero on its street.
    """
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
    """Raise ProbabilityError if a row of an array of probabilities does not sum to one.

    Parameters
    ----------
    name : str
        The name of the array in the error.
    rows : ndarray of shape (n, k)
        n distributions over k buckets.

    Raises
    ------
    ProbabilityError
        If a sum differs from one by more than a rounding error.
    """
    sums = rows.sum(axis=1)
    worst_row = int(np.argmax(np.abs(sums - 1)))
    if abs(sums[worst_row] - 1) > SUM_TOLERANCE:
        row_in_words = f"row {worst_row} of {name}" if len(rows) > 1 else name
        raise ProbabilityError(
            f"{row_in_words} sums to {sums[worst_row]:g}, not 1. Normalize it first."
        )


def _check_showdown_shares(showdown: Floats) -> None:
    """Raise ProbabilityError if the shares of the pot that two buckets win against each other do not sum to one.

    Parameters
    ----------
    showdown : ndarray of shape (B, B)
        The player's share of the pot, for the player's own bucket (rows) against the opponent's bucket (columns).

    Raises
    ------
    ProbabilityError
        If the share of a bucket against another and the other's share against it do not sum to one.
    """
    share_sums = showdown + showdown.T
    own_bucket, opponent_bucket = np.unravel_index(
        np.argmax(np.abs(share_sums - 1)), share_sums.shape
    )
    worst_sum = share_sums[own_bucket, opponent_bucket]
    if abs(worst_sum - 1) > SUM_TOLERANCE:
        raise ProbabilityError(
            f"shares of buckets {own_bucket} and {opponent_bucket} at the showdown sum to {worst_sum:g}, not"
            " 1. Make showdown + showdown.T one everywhere."
        )


def _check_bucket_order(buckets: Buckets) -> None:
    """Raise ProbabilityError if the buckets of a street are not in ascending order of win probability.

    Each bucket must lie between its bounds, and its lowest win probability must not be above its highest.

    Parameters
    ----------
    buckets : Buckets
        The buckets, whose bounds and extreme win probabilities are checked.

    Raises
    ------
    ProbabilityError
        If the order, or a bound, is wrong.
    """
    for street, bounds in enumerate(buckets.bounds):
        lowest, highest = buckets.lowest[street], buckets.highest[street]
        are_between_bounds = (lowest[1:] >= bounds).all() and (highest[:-1] < bounds).all()
        are_ascending = (lowest <= highest).all()
        if not (are_between_bounds and are_ascending):
            raise ProbabilityError(
                f"buckets {STREET_PHRASES[street]} are out of order: lowest {lowest}, highest {highest},"
                f" bounds {bounds}. Each bucket must lie between its bounds, from the weakest up."
            )


MOST_BINS = 10_000_000


class Histogram(NamedTuple):
    """The different numbers of half pots that the hands of a street win, and how many hands win each number.

    A hand wins two half pots for each showdown that it wins, and one for a tie.

    Attributes
    ----------
    half_pots : ndarray of int64, shape (n,)
        The n different numbers of half pots, in ascending order.
    hands : ndarray of float64, shape (n,)
        The number of hands that win each number; the same hole cards on two boards are two hands. These are whole
        numbers below 2**53, so their sums are exact.
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
    expectations : ExactExpectations or SampledExpectations
        The win probabilities of all hands on all streets.
    seed : int
        The seed of the random starts of k-means.

    Returns
    -------
    Buckets
        The clusters, with the probabilities of moving between them and the shares of the pot at the showdown.

    Raises
    ------
    SettingError
        If a street has fewer different win probabilities than buckets.
    ConvergenceError
        If k-means leaves a bucket without hands from all of its random starts.
    """
    clusters_of_streets: list[StreetClusters] = []
    labels: list[Labels] = []  # the bucket of each hand, street by street
    moves: list[Ints] = []  # how often hands move from bucket to bucket, deal by deal
    num_steps = len(counts) + NUM_STREETS - FLOP
    with tqdm(
        total=num_steps, desc="buckets", unit=" steps", delay=PROGRESS_AFTER, leave=False
    ) as bar:
        for street, num_buckets in enumerate(counts):
            half_pots = build_half_pot_table(expectations, street)
            max_half_pots = expectations.count_half_pots_of_sure_win(street)
            clusters = cluster_hands_of_street(half_pots, street, max_half_pots, num_buckets, seed)
            clusters_of_streets.append(clusters)
            labels.append(
                assign_buckets_to_half_pots(half_pots, street, max_half_pots, clusters.bounds)
            )
            bar.update()
        for street in range(FLOP, NUM_STREETS):
            moves.append(count_transitions(labels, street, counts))
            bar.update()

    # Convert the counts of moves to probabilities.
    moves_from_preflop = moves[0]
    return Buckets(
        counts,
        start=moves_from_preflop.sum(axis=1) / moves_from_preflop.sum(),
        transitions=tuple(
            moves_at_deal / moves_at_deal.sum(axis=1, keepdims=True) for moves_at_deal in moves
        ),
        showdown=compute_showdown_shares(labels[RIVER], counts[RIVER]),
        bounds=tuple(clusters.bounds for clusters in clusters_of_streets),
        lowest=tuple(clusters.lowest for clusters in clusters_of_streets),
        highest=tuple(clusters.highest for clusters in clusters_of_streets),
        source=expectations.source,
    )


def build_half_pot_histogram(half_pots: HalfPots, street: int, max_half_pots: int) -> Histogram:
    """Return the different numbers of half pots that the hands of a street win, and how many hands win each number.

    A hand wins two half pots for each showdown that it wins, and one for a tie.

    Parameters
    ----------
    half_pots : ndarray of uint32, shape (boards, 1326) or, on the river, (42783, 351)
        The number of half pots that each hand wins, from `build_half_pot_table`.
    street : int
        0 before the flop, 1 on the flop, 2 on the turn, 3 on the river.
    max_half_pots : int
        The number of half pots of a hand that wins all showdowns.

    Returns
    -------
    Histogram
        The numbers of half pots that occur, and the numbers of hands.
    """
    # With too many possible numbers for one bin each, the values themselves are sorted.
    if max_half_pots > MOST_BINS:
        hands_of_entries = count_hands_of_entries(street, np.arange(len(half_pots)))
        is_possible = hands_of_entries > 0
        distinct, indices = np.unique(half_pots[is_possible], return_inverse=True)
        hands = np.bincount(indices, hands_of_entries[is_possible]).astype(np.float64)
        return Histogram(distinct.astype(np.int64), hands)

    # Otherwise there is one bin for each number from 0 to `max_half_pots`.
    num_bins = max_half_pots + 1
    hands = np.zeros(num_bins)
    for rows in iterate_row_batches(street):
        hands_of_entries = count_hands_of_entries(street, rows)
        hands += np.bincount(half_pots[rows].ravel(), hands_of_entries.ravel(), num_bins)
    occurring = np.flatnonzero(hands)
    return Histogram(occurring, hands[occurring])


class StreetClusters(NamedTuple):
    """The clusters of a street's hands, described by their bounds and extreme values.

    Attributes
    ----------
    bounds : ndarray of shape (num_buckets - 1,)
        The win probabilities halfway between neighboring clusters.
    lowest, highest : ndarray of shape (num_buckets,)
        The smallest and the largest win probability of each cluster.
    """

    bounds: Floats
    lowest: Floats
    highest: Floats


def cluster_hands_of_street(
    half_pots: HalfPots, street: int, max_half_pots: int, num_buckets: int, seed: int
) -> StreetClusters:
    """Return the clusters into which k-means groups the hands of a street by their win probability.

    Win probabilities are given in half pots: a hand wins two half pots for each showdown that it wins, and one for a
    tie.

    Parameters
    ----------
    half_pots : ndarray of uint32, shape (boards, 1326) or, on the river, (42783, 351)
        The number of half pots that each hand wins, from `build_half_pot_table`.
    street : int
        0 before the flop, 1 on the flop, 2 on the turn, 3 on the river.
    max_half_pots : int
        The number of half pots of a hand that wins all showdowns.
    num_buckets : int
        The number of clusters to make.
    seed : int
        The seed of the random starts of k-means.

    Returns
    -------
    StreetClusters
        The win probabilities at which the clusters begin and end.

    Raises
    ------
    SettingError
        If there are fewer different win probabilities than clusters.
    ConvergenceError
        If k-means leaves a cluster without hands from all of its random starts.
    """
    histogram = build_half_pot_histogram(half_pots, street, max_half_pots)
    # `find_clusters` checks the same, but its error could not name the street.
    if len(histogram.half_pots) < num_buckets:
        raise SettingError(
            f"{len(histogram.half_pots)} different win probabilities {STREET_PHRASES[street]} cannot fill {num_buckets}"
            " buckets: some would be empty. Use at most that many."
        )
    win_probabilities = histogram.half_pots / max_half_pots
    edges = find_clusters(win_probabilities, histogram.hands, num_buckets, seed=seed, index=street)

    # Neighboring clusters are separated halfway between the last value of the one and the first value of the other.
    lowest = histogram.half_pots[edges[:-1]]
    highest = histogram.half_pots[edges[1:] - 1]
    bounds = (highest[:-1] + lowest[1:]) / (2 * max_half_pots)
    return StreetClusters(bounds, lowest / max_half_pots, highest / max_half_pots)


def assign_buckets_to_half_pots(
    half_pots: HalfPots, street: int, max_half_pots: int, bounds: Floats
) -> Labels:
    """Return the bucket of each hand of a street, given the number of half pots that it wins.

    A hand wins two half pots for each showdown that it wins, and one for a tie.

    Parameters
    ----------
    half_pots : ndarray of uint32, shape (boards, 1326) or, on the river, (42783, 351)
        The number of half pots that each hand wins, from `build_half_pot_table`.
    street : int
        0 before the flop, 1 on the flop, 2 on the turn, 3 on the river.
    max_half_pots : int
        The number of half pots of a hand that wins all showdowns.
    bounds : ndarray of shape (B - 1,)
        The win probabilities that separate the B buckets of the street.

    Returns
    -------
    ndarray of uint8, shape of `half_pots`
        A bucket from 0 to B - 1, or B for hole cards that share a card with the board.
    """
    num_buckets = len(bounds) + 1
    labels = np.empty(half_pots.shape, np.uint8)
    for rows in iterate_row_batches(street):
        win_probabilities = half_pots[rows] / max_half_pots
        buckets = np.searchsorted(bounds, win_probabilities, side="right")
        is_possible = count_hands_of_entries(street, rows) > 0
        labels[rows] = np.where(is_possible, buckets, num_buckets)
    return labels


def assign_buckets_on_street(bounds: Floats, expectations: Expectations, street: int) -> Labels:
    """Return the bucket of each hand of a street, given the win probabilities that separate the buckets.

    Parameters
    ----------
    bounds : ndarray of shape (B - 1,)
        The win probabilities that separate the B buckets of the street.
    expectations : ExactExpectations or SampledExpectations
        The win probabilities of all hands.
    street : int
        0 before the flop, 1 on the flop, 2 on the turn, 3 on the river.

    Returns
    -------
    ndarray of uint8, shape (boards, 1326) or, on the river, (42783, 351)
        A bucket from 0 to B - 1, or B for hole cards that share a card with the board. There is a row for each
        canonical board (one of the boards that a renaming of suits makes equal) and a column for each pair of hole
        cards. On the river there is a row for each kind of board and a column for each pair of types of hole cards.
    """
    half_pots = build_half_pot_table(expectations, street)
    max_half_pots = expectations.count_half_pots_of_sure_win(street)
    return assign_buckets_to_half_pots(half_pots, street, max_half_pots, bounds)


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
        The buckets of the four streets. They are stored in the user's cache folder, from which later calls with the
        same arguments load them. The first call takes some seconds, and more if the tables for exact counting do not
        exist yet (see `win_probability`).

    Raises
    ------
    SettingError
        If a number is out of range, or a street has fewer different win probabilities than buckets.
    UnknownNameError
        If `expectations` is neither 'exact' nor 'sampled'.
    ConvergenceError
        If k-means leaves a bucket without hands from all of its random starts.

    Examples
    --------
    >>> buckets = make_buckets(6, seed=1)
    >>> buckets
    <Buckets 6, 6, 6, 6, exact>
    >>> buckets.bounds[0].round(4).tolist()
    [0.4039, 0.4686, 0.5299, 0.5925, 0.7061]
    """
    bucket_counts = validate_bucket_counts(counts)
    win_probabilities = make_expectations(expectations, seed, samples)

    def make_bucket_arrays() -> Arrays:
        """Return the arrays of new buckets, by name."""
        return pack_buckets(cluster_hands(bucket_counts, win_probabilities, seed))

    file_name = name_cache_file("buckets", bucket_counts, win_probabilities, seed)
    return unpack_buckets(load_or_make_arrays(file_name, make_bucket_arrays))


def make_expectations(method: str, seed: int, samples: Sequence[int]) -> Expectations:
    """Return an object that computes the win probabilities of all hands, by counting or from random deals.

    Parameters
    ----------
    method : {'exact', 'sampled'}
        Whether win probabilities are counted exactly, or estimated from random deals.
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
        If `method` is neither 'exact' nor 'sampled'.
    """
    validate_integer("seed", seed, 0)
    UnknownNameError.check("way to compute win probabilities", method, EXPECTATION_KINDS)
    return ExactExpectations() if method == "exact" else SampledExpectations(samples, seed)


def name_cache_file(
    content: str, counts: tuple[int, ...], expectations: Expectations, seed: int
) -> str:
    """Return the name of a cache file about buckets, which differs if any setting of the buckets differs.

    Parameters
    ----------
    content : str
        What the file contains, such as 'buckets'; the name begins with it.
    counts : tuple of 4 int
        The number of buckets on each street.
    expectations : ExactExpectations or SampledExpectations
        The win probabilities of all hands.
    seed : int
        The seed of the random starts of k-means.

    Returns
    -------
    str
        The content, followed by 16 hexadecimal digits of a hash of the settings.
    """
    recipe = f"edition {EDITION}: {counts} buckets, {expectations.source}, clusters of seed {seed}"
    digest = hashlib.sha256(recipe.encode()).hexdigest()
    return f"{content}-{digest[:16]}"


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
    """Return buckets whose fields are given as named arrays, which were read from a cache file.

    This is the inverse of `pack_buckets`.

    Parameters
    ----------
    arrays : dict of str to ndarray
        An array that is a field of its own has the name of the field. An array in a tuple of arrays has the name of the
        field followed by its index in the tuple, such as 'bounds0'.

    Returns
    -------
    Buckets
        The buckets with these fields, which are checked again.
    """
    fields: dict[str, Any] = {name: arrays[name] for name in SINGLE_ARRAYS}
    for name, num_arrays in NUM_ARRAYS_OF_FIELD.items():
        fields[name] = tuple(arrays[f"{name}{index}"] for index in range(num_arrays))
    counts = validate_bucket_counts(arrays["counts"].tolist())
    return Buckets(counts=counts, source=str(arrays["source"]), **fields)


def find_bucket(buckets: Buckets, hole: ArrayLike, board: ArrayLike) -> Any:
    """Return the bucket of hole cards on a board, found by their exact win probability.

    Parameters
    ----------
    buckets : Buckets
        The buckets of all streets.
    hole : array_like of integers, shape (..., 2)
        The two hole cards of one hand or of many.
    board : array_like of integers, shape (..., k)
        The k cards of one board or of many: 0, 3, 4 or 5.

    Returns
    -------
    int64 or ndarray of int64, shape (...,)
        The bucket on the street of the board, from 0 for the smallest win probabilities.

    Raises
    ------
    CardError
        If a card is not valid or appears twice, or a shape does not fit.

    Examples
    --------
    >>> from pokerlab.holdem.cards import parse_cards
    >>> buckets, hole = make_buckets(6, seed=1), parse_cards("As 5s")
    >>> board = parse_cards("Kh 8d 4s 3s 2h")
    >>> [int(find_bucket(buckets, hole, board[:k])) for k in (0, 3, 4, 5)]
    [4, 2, 3, 5]
    """
    win_probabilities = win_probability(hole, board)
    board_size = np.shape(board)[-1]
    street = BOARD_SIZES.index(board_size)
    return buckets.assign_buckets(street, win_probabilities)


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
    """Return the tables from which kernels find the buckets of hands.

    Parameters
    ----------
    buckets : Buckets
        The buckets of all streets.

    Returns
    -------
    BucketTables
        The tables of win probabilities, and the win probabilities that separate the buckets.
    """
    bounds = np.full((len(BOARD_SIZES), max(buckets.counts)), np.inf)
    for street, street_bounds in enumerate(buckets.bounds):
        bounds[street, : len(street_bounds)] = street_bounds
    return BucketTables(load_win_probability_tables(), bounds)


@kernel
def look_up_bucket(tables: BucketTables, hole: Cards, board: Cards) -> int:
    """Return the bucket of two hole cards on a board, from 0 for the smallest win probabilities.

    It is found by the exact win probability against one random hand. This is the version of `find_bucket` for kernels.
    It does not check the cards.

    Parameters
    ----------
    tables : BucketTables
        The tables of win probabilities and of bounds, from `make_bucket_tables`.
    hole : ndarray of uint8, shape (2,)
        The two hole cards.
    board : ndarray of uint8, shape (k,)
        The k cards of the board: 0, 3, 4 or 5.
    """
    street = max(board.size - 2, 0)  # boards of 0, 3, 4 and 5 cards
    value = look_up_win_probability(tables.equity, hole, board, 0.5)
    bounds = tables.bounds[street]
    bucket = 0
    while bucket < bounds.size and bounds[bucket] <= value:
        bucket += 1
    return bucket
