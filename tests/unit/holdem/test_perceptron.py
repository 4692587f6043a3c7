"""Networks for players: rows with different weights, like numpy's."""

import numpy as np
import pytest
from numpy.typing import NDArray

from pokerlab.core.compiler import kernel
from pokerlab.holdem.network_passes import compute_network_outputs, count_network_weights, sigmoid
from tests.oracles.players import network_outputs

INPUTS, HIDDEN, OUTPUTS = 35, 20, 5
ROUNDING = 2e-6
"""Of float32 sums of 35 products, after two sigmoids."""
CLAIMED = 2e-7
"""How far a sigmoid may be wrong, relative to its value."""


def test_every_row_goes_through_its_own_network() -> None:
    rng = np.random.default_rng(1)
    weights = rng.normal(size=(7, count_network_weights(INPUTS, HIDDEN, OUTPUTS))).astype(
        np.float32
    )
    networks, inputs = rng.integers(0, 7, 40), rng.normal(size=(40, INPUTS)).astype(np.float32)
    found = compute_network_outputs(
        weights, networks, inputs, num_hidden=HIDDEN, num_outputs=OUTPUTS
    )
    assert found.dtype == np.float32
    for row, network in enumerate(networks):
        expected = network_outputs(weights[network].tolist(), inputs[row].tolist(), HIDDEN)
        assert found[row] == pytest.approx(expected, abs=ROUNDING)


def test_saturated_hidden_units_equal_double_precision() -> None:
    rng = np.random.default_rng(2)
    weights = rng.normal(0.0, 0.5, (3, count_network_weights(INPUTS, HIDDEN, OUTPUTS))).astype(
        np.float32
    )
    networks = rng.integers(0, 3, 60)
    inputs = rng.uniform(0.0, 10_000.0, (60, INPUTS)).astype(np.float32)
    found = compute_network_outputs(
        weights, networks, inputs, num_hidden=HIDDEN, num_outputs=OUTPUTS
    )
    saturated = 0
    for row, network in enumerate(networks):
        own = weights[network].astype(float)
        into, biases, _ = np.split(own, [INPUTS * HIDDEN, (INPUTS + 1) * HIDDEN])
        sums = inputs[row].astype(float) @ into.reshape(INPUTS, HIDDEN) + biases
        if np.abs(sums).min() > 20:
            saturated += 1
            expected = network_outputs(own.tolist(), inputs[row].tolist(), HIDDEN)
            assert found[row] == pytest.approx(expected, abs=ROUNDING)
    assert saturated > 40


def test_network_outputs_of_no_rows_is_empty() -> None:
    weights = np.zeros((0, count_network_weights(INPUTS, HIDDEN, OUTPUTS)), np.float32)
    no_rows = np.zeros((0, INPUTS), np.float32)
    found = compute_network_outputs(
        weights, np.zeros(0, np.int64), no_rows, num_hidden=HIDDEN, num_outputs=OUTPUTS
    )
    assert found.shape == (0, OUTPUTS)


def test_large_sums_end_next_to_zero_and_at_one() -> None:
    weights = np.array([[1e30, 0.0, -1e30, 1e30, 0.0, 0.0]], np.float32)
    inputs = np.ones((1, 1), np.float32)
    found = compute_network_outputs(weights, np.array([0]), inputs, num_hidden=1, num_outputs=2)
    assert count_network_weights(1, 1, 2) == 6
    assert found.tolist() == [[pytest.approx(np.exp(-87.0)), 1.0]]


@kernel
def fill_sigmoids(sums: NDArray[np.float32], out_values: NDArray[np.float32]) -> None:
    """Write sigmoids; a processor may compute many at once."""
    for place in range(sums.size):
        out_values[place] = sigmoid(sums[place])


def test_the_sigmoid_is_right_to_seven_digits_wherever_it_is_asked() -> None:
    # One in 997 of all float32, from the smallest to the largest.
    bits = np.arange(0, 2**32, 997, dtype=np.uint64).astype(np.uint32)
    sums = bits.view(np.float32)[np.isfinite(bits.view(np.float32))]
    found = np.empty_like(sums)
    fill_sigmoids(sums, found)
    with np.errstate(under="ignore"):
        exact = 1.0 / (1.0 + np.exp(-np.clip(sums.astype(float), -87.0, 87.0)))
    assert len(sums) > 4_000_000
    assert (abs(found - exact) / exact).max() < CLAIMED
    rising = found[np.argsort(sums, kind="stable")]
    assert (np.diff(rising) >= -CLAIMED * rising[1:]).all()
    assert (found > 0).all()
    assert [sigmoid(x) for x in sums[:2_000_000:1_001]] == found[:2_000_000:1_001].tolist()
