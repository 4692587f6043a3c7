"""Make buckets of all hands: cut win probabilities into clusters, then count what follows what.

How to read it. On each street all hands are put into a histogram of win probabilities, which is cut by k-means. Then
every hand has a bucket, and everything else is counted over all deals, see `card_counts`: how often a hand in one
bucket is in another a street later, and how often a bucket wins against another at the showdown. If the win
probabilities are exact, so is everything, but for k-means' random starts.

Clusters on a line are neighbors, so a clustering is where each begins among the sorted values, and sums
over a cluster are differences of sums up to a value. A round of Lloyd's algorithm [1]_ takes the means of
the clusters and gives each value to the nearest mean; it ends when nothing changes. It starts from values
picked one after the other, each with a chance in proportion to its weight times its squared distance from
the nearest so far (k-means++ [2]_). The best of several starts is kept.

References
----------
.. [1] S. Lloyd, "Least squares quantization in PCM", IEEE Transactions on Information Theory 28,
   1982.
.. [2] D. Arthur, S. Vassilvitskii, "k-means++: the advantages of careful seeding", SODA 2007.
"""

from typing import NamedTuple

import numpy as np
from tqdm import tqdm

from pokerlab.core import ConvergenceError, Floats, Ints, SettingError, stream
from pokerlab.core.workers import SHOWN_AFTER
from pokerlab.holdem.abstraction.buckets import Buckets
from pokerlab.holdem.abstraction.card_counts import Labels, count_steps, showdown_shares
from pokerlab.holdem.abstraction.expectations import (
    Expectations,
    Halves,
    all_halves,
    hands_of,
    pieces,
)
from pokerlab.holdem.cards.deck import RIVER, WHEN

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
    with tqdm(total=7, desc="buckets", unit=" steps", delay=SHOWN_AFTER, leave=False) as bar:
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
