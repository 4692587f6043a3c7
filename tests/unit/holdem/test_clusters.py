"""K-means on a line against the best clustering, found by dynamic programming."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.core import SettingError
from pokerlab.core.arrays import Floats
from pokerlab.holdem.buckets import build_half_pot_histogram
from pokerlab.holdem.hand_expectations import ExactExpectations, build_half_pot_table
from pokerlab.holdem.kmeans import WeightedValues, find_clusters

ROUNDING = 1e-9


def least_spread(line: WeightedValues, count: int) -> float:
    """Return the spread of the best clusters: each prefix is best cut before its last cluster."""
    size = len(line.values)
    first, last = np.arange(size)[:, None], np.arange(size)[None, :]
    with np.errstate(divide="ignore", invalid="ignore"):
        moment = line.moment_sums[last + 1] - line.moment_sums[first]
        weight = line.weight_sums[last + 1] - line.weight_sums[first]
        spread = line.square_sums[last + 1] - line.square_sums[first] - moment**2 / weight
    spread[first > last] = np.inf
    best = spread[0]
    for _ in range(count - 1):
        best = np.min(np.concatenate([[np.inf], best[:-1]])[:, None] + spread, axis=0)
    return float(best[-1])


@st.composite
def lines(draw: st.DrawFn) -> tuple[Floats, Floats]:
    values = draw(st.lists(st.integers(0, 1000), min_size=1, max_size=30, unique=True))
    size = len(values)
    weights = draw(st.lists(st.integers(1, 50), min_size=size, max_size=size))
    return np.sort(np.array(values, np.float64)), np.array(weights, np.float64)


@given(lines(), st.integers(1, 6), st.integers(0, 100))
def test_find_clusters_gives_values_to_the_nearest_mean(
    given_line: tuple[Floats, Floats], count: int, seed: int
) -> None:
    values, weights = given_line
    count = min(count, len(values))
    edges = find_clusters(values, weights, count, seed=seed)
    line = WeightedValues.from_values(values, weights)
    assert (edges[0], edges[-1]) == (0, len(values))
    assert (np.diff(edges) > 0).all()
    distances = np.abs(values[:, None] - line.compute_cluster_means(edges))
    own = np.repeat(np.arange(count), np.diff(edges))
    assert distances[np.arange(len(values)), own] == pytest.approx(distances.min(axis=1))
    assert (
        line.sum_squared_distances(edges)
        >= least_spread(line, count) - ROUNDING * line.square_sums[-1]
    )


@pytest.mark.parametrize("street", [0, 3])
def test_find_clusters_of_hands_is_near_the_optimum(street: int) -> None:
    way = ExactExpectations()
    found = build_half_pot_histogram(
        build_half_pot_table(way, street), street, way.count_half_pots_of_sure_win(street)
    )
    line = WeightedValues.from_values(
        found.half_pots / way.count_half_pots_of_sure_win(street), found.hands
    )
    edges = find_clusters(line.values, line.weights, 6, seed=1, index=street)
    assert line.sum_squared_distances(edges) == pytest.approx(least_spread(line, 6), rel=1e-3)


def test_find_clusters_of_one_and_of_all_values() -> None:
    values, weights = np.array([1.0, 2.0, 7.0]), np.array([1.0, 5.0, 1.0])
    assert find_clusters(values, weights, 1, seed=1).tolist() == [0, 3]
    assert find_clusters(values, weights, 3, seed=1).tolist() == [0, 1, 2, 3]


@pytest.mark.parametrize("count", [0, 4])
def test_more_clusters_than_values_are_refused(count: int) -> None:
    with pytest.raises(SettingError, match=f"3 different values cannot fill {count} buckets"):
        find_clusters(np.arange(3.0), np.ones(3), count, seed=1)
