"""Cut numbers on a line into clusters: k-means, begun by k-means++.

How to read it. Clusters on a line are neighbours, so a clustering is where each begins among the
sorted values, and sums over a cluster are differences of sums up to a value. A round of Lloyd's
algorithm [1]_ takes the means of the clusters and gives each value to the nearest mean; it ends
when nothing changes. It starts from values picked one after the other, each with a chance in
proportion to its weight times its squared distance from the nearest so far (k-means++ [2]_).
The best of several starts is kept.

References
----------
.. [1] S. Lloyd, "Least squares quantization in PCM", IEEE Transactions on Information Theory 28,
   1982.
.. [2] D. Arthur, S. Vassilvitskii, "k-means++: the advantages of careful seeding", SODA 2007.
"""

from typing import NamedTuple

import numpy as np

from pokerlab.core.arrays import Floats, Ints
from pokerlab.core.errors import ConvergenceError, SettingError
from pokerlab.core.streams import stream

STARTS = 10
MOST_ROUNDS = 100_000


class Line(NamedTuple):
    """Weighted numbers in ascending order, and sums over those before each place.

    Attributes
    ----------
    values, weights : ndarray of shape (n,)
    weight, moment, square : ndarray of shape (n + 1,)
        Sums of the weights, of weights times values, of weights times squared values.
    """

    values: Floats
    weights: Floats
    weight: Floats
    moment: Floats
    square: Floats

    @classmethod
    def of(cls, values: Floats, weights: Floats) -> "Line":
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
    """Return where clusters begin and end: those that the best of several starts leads to.

    Parameters
    ----------
    values : ndarray of shape (n,)
        Different numbers in ascending order.
    weights : ndarray of shape (n,)
        How much each counts, positive.
    count : int
        Number of clusters.
    seed, index : int
        Of the random starts.

    Returns
    -------
    ndarray of int64, shape (count + 1,)
        Cluster c holds the values from `edges[c]` up to before `edges[c + 1]`; none is empty.

    Raises
    ------
    SettingError
        If there are fewer values than clusters.
    """
    if not 1 <= count <= len(values):
        raise SettingError(
            f"{len(values)} different values cannot fill {count} buckets; use at most that many."
        )
    line = Line.of(values, weights)
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


def first_means(line: Line, count: int, luck: np.random.Generator) -> Floats:
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


def settled(line: Line, means: Floats) -> Ints:
    """Return the clusters that Lloyd's algorithm ends with; those of an empty one as they stand."""
    edges = nearest(line, means)
    for _ in range(MOST_ROUNDS):
        before, edges = edges, nearest(line, line.means(edges))
        if (edges == before).all() or not np.diff(edges).all():
            break
    return edges


def nearest(line: Line, means: Floats) -> Ints:
    """Return where clusters begin and end if each value goes to the nearest mean."""
    between = np.searchsorted(line.values, (means[:-1] + means[1:]) / 2)
    return np.concatenate([[0], between, [len(line.values)]])
