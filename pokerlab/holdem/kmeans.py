"""K-means clustering of weighted values on a line.

The values of a cluster on a line are neighbors. So a clustering is described by its *edges*, the positions among the
sorted values at which clusters begin, and sums over a cluster are differences of running sums. A round of Lloyd's
algorithm [1]_ computes the means of the clusters and assigns each value to the nearest mean. It ends when nothing
changes. The first means are values that are drawn one after the other, each with a probability in proportion to its
weight times its squared distance from the nearest value drawn before (k-means++ [2]_). The best result of several
starts is used.

References
----------
.. [1] S. Lloyd, "Least squares quantization in PCM", IEEE Transactions on Information Theory 28,
   1982.
.. [2] D. Arthur, S. Vassilvitskii, "k-means++: the advantages of careful seeding", SODA 2007.
"""

from typing import NamedTuple

import numpy as np

from pokerlab.core import ConvergenceError, Floats, Ints, SettingError, random_stream

NUM_STARTS = 10
MOST_LLOYD_ROUNDS = 100_000


class WeightedValues(NamedTuple):
    """Weighted values in ascending order, with running sums.

    Entry i of a running sum is the sum over the values with an index below i. So there is one more sum than there are
    values, and a sum over the values from i to j - 1 is the difference of entries j and i.

    Attributes
    ----------
    values, weights : ndarray of shape (n,)
        The n values and their weights.
    weight_sums : ndarray of shape (n + 1,)
        The running sums of the weights.
    moment_sums : ndarray of shape (n + 1,)
        The running sums of weights times values.
    square_sums : ndarray of shape (n + 1,)
        The running sums of weights times squared values.
    """

    values: Floats
    weights: Floats
    weight_sums: Floats
    moment_sums: Floats
    square_sums: Floats

    @classmethod
    def from_values(cls, values: Floats, weights: Floats) -> "WeightedValues":
        """Return values and their weights together with running sums of their weights, moments and squares.

        Parameters
        ----------
        values : ndarray of shape (n,)
            The values in ascending order.
        weights : ndarray of shape (n,)
            The weight of each value.

        Returns
        -------
        WeightedValues
            The given arrays themselves, with three new arrays of n + 1 running sums.
        """
        return cls(
            values=values,
            weights=weights,
            weight_sums=compute_running_sums(weights),
            moment_sums=compute_running_sums(weights * values),
            square_sums=compute_running_sums(weights * values**2),
        )

    def compute_cluster_means(self, edges: Ints) -> Floats:
        """Return the weighted mean of the values in each cluster, or NaN for a cluster without values.

        Parameters
        ----------
        edges : ndarray of int64, shape (k + 1,)
            The edges of k clusters: cluster c consists of the values with the indices from `edges[c]` to
            `edges[c + 1]` - 1.

        Returns
        -------
        ndarray of shape (k,)
            The means of the clusters.
        """
        weights = np.diff(self.weight_sums[edges])
        moments = np.diff(self.moment_sums[edges])
        with np.errstate(invalid="ignore"):
            return np.asarray(moments / weights)

    def sum_squared_distances(self, edges: Ints) -> float:
        """Return the weighted sum of the squared distances of all values from the means of their clusters.

        Parameters
        ----------
        edges : ndarray of int64, shape (k + 1,)
            The edges of k clusters: cluster c consists of the values with the indices from `edges[c]` to
            `edges[c + 1]` - 1.
        """
        # For each cluster, sum w (x - mean)^2 = sum w x^2 - mean sum w x.
        squares = np.diff(self.square_sums[edges])
        moments = np.diff(self.moment_sums[edges])
        return float(np.sum(squares - moments * self.compute_cluster_means(edges)))


def compute_running_sums(summands: Floats) -> Floats:
    """Return the sums of the first 0, 1, ..., n of n numbers.

    Parameters
    ----------
    summands : ndarray of shape (n,)
        The numbers.

    Returns
    -------
    ndarray of shape (n + 1,)
        The sums. The first one is 0.
    """
    return np.concatenate([[0.0], np.cumsum(summands)])


def find_clusters(
    values: Floats, weights: Floats, num_clusters: int, *, seed: int, index: int = 0
) -> Ints:
    """Return the best clustering of values on a line that k-means finds from several random starts.

    The best clustering has the smallest weighted sum of squared distances from the means of the clusters.

    Parameters
    ----------
    values : ndarray of shape (n,)
        Different values in ascending order.
    weights : ndarray of shape (n,)
        The weights of the values, which must be positive.
    num_clusters : int
        The number of clusters, 1 to n.
    seed : int
        The seed of the random starts.
    index : int
        The index of this clustering among all clusterings with the same seed; each has its own random numbers.

    Returns
    -------
    ndarray of int64, shape (num_clusters + 1,)
        The edges of the clusters: cluster c consists of `values[edges[c]:edges[c + 1]]`. No cluster is empty.

    Raises
    ------
    SettingError
        If there are fewer values than clusters, or `num_clusters` is below 1.
    ConvergenceError
        If all starts end with an empty cluster.

    Examples
    --------
    >>> import numpy as np
    >>> values = np.array([0.1, 0.2, 0.3, 0.8, 0.9])
    >>> find_clusters(values, np.ones(5), 2, seed=1).tolist()
    [0, 3, 5]
    """
    if not 1 <= num_clusters <= len(values):
        raise SettingError(
            f"{len(values)} different values cannot fill {num_clusters} buckets; use at most that many."
        )
    weighted = WeightedValues.from_values(values, weights)
    clusterings = []
    for start in range(NUM_STARTS):
        generator = random_stream(seed, "k-means++", index, start)
        first_means = draw_first_means(weighted, num_clusters, generator)
        clusterings.append(run_lloyds_algorithm(weighted, first_means))

    clusterings_without_empty_cluster = [edges for edges in clusterings if np.diff(edges).all()]
    if not clusterings_without_empty_cluster:
        raise ConvergenceError(
            f"k-means left a bucket without hands from all {NUM_STARTS} starts; use fewer buckets than"
            f" {num_clusters}, or another seed."
        )
    return min(clusterings_without_empty_cluster, key=weighted.sum_squared_distances)


def draw_first_means(
    weighted: WeightedValues, num_clusters: int, generator: np.random.Generator
) -> Floats:
    """Return the first means of k-means, in ascending order: values that are drawn by k-means++.

    The first value is drawn in proportion to its weight. Each further value is drawn in proportion to its weight times
    its squared distance from the nearest value that was drawn before.

    Parameters
    ----------
    weighted : WeightedValues
        The values, with their weights.
    num_clusters : int
        The number of means to draw.
    generator : Generator
        The source of random numbers.

    Returns
    -------
    ndarray of shape (num_clusters,)
        The means.
    """
    values = weighted.values
    draw_weights = weighted.weights
    squared_distances = np.full(len(values), np.inf)  # from the nearest value drawn so far
    drawn_means: list[float] = []
    for uniform in generator.random(num_clusters):
        # Invert the cumulative distribution. Rounding may lead beyond the last value.
        running_sums = np.cumsum(draw_weights)
        position = np.searchsorted(running_sums, uniform * running_sums[-1], side="right")
        value = values[min(position, len(values) - 1)]
        drawn_means.append(value)

        squared_distances = np.minimum(squared_distances, (values - value) ** 2)
        draw_weights = weighted.weights * squared_distances
    return np.sort(drawn_means)


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
        The edges of the clusters: cluster c consists of the values with the indices from `edges[c]` to
        `edges[c + 1]` - 1.
    """
    edges = assign_values_to_nearest_mean(weighted.values, means)
    for _ in range(MOST_LLOYD_ROUNDS):
        previous_edges = edges
        means = weighted.compute_cluster_means(edges)
        edges = assign_values_to_nearest_mean(weighted.values, means)
        is_unchanged = (edges == previous_edges).all()
        has_empty_cluster = not np.diff(edges).all()
        if is_unchanged or has_empty_cluster:
            break
    return edges


def assign_values_to_nearest_mean(values: Floats, means: Floats) -> Ints:
    """Return the edges of the clusters that result from assigning each value to the nearest mean.

    Parameters
    ----------
    values : ndarray of shape (n,)
        The values in ascending order.
    means : ndarray of shape (k,)
        The means of k clusters, in ascending order.

    Returns
    -------
    ndarray of int64, shape (k + 1,)
        The edges of the clusters: cluster c consists of the values with the indices from `edges[c]` to
        `edges[c + 1]` - 1.
    """
    # Neighboring clusters meet halfway between their means.
    midpoints = (means[:-1] + means[1:]) / 2
    inner_edges = np.searchsorted(values, midpoints)
    return np.concatenate([[0], inner_edges, [len(values)]])
