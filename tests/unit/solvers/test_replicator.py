"""What the replicator's parameters do."""

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.solvers import ReplicatorDynamics

GAME = pl.games.kuhn()


def least_probability(floor: float) -> float:
    dynamics = ReplicatorDynamics(GAME, payoff_shift=3.0, order="alternating", floor=floor)
    return float(dynamics.step(dynamics.init(), 20_000).current.probabilities.min())


@pytest.mark.parametrize("floor", [1e-3, 1e-12])
def test_probabilities_stay_at_the_floor(floor: float) -> None:
    # Of two probabilities one may have been lifted to the floor before both were normalized.
    assert floor / (1.0 + floor) <= least_probability(floor) <= floor


def test_without_a_floor_they_underflow() -> None:
    assert least_probability(0.0) < 1e-310
    assert 0.0 < least_probability(1e-300) < 1e-200


def test_a_larger_shift_takes_smaller_steps() -> None:
    moved = []
    for shift in (3.0, 30.0, 300.0):
        dynamics = ReplicatorDynamics(GAME, payoff_shift=shift)
        after = dynamics.step(dynamics.init()).current
        moved.append(np.abs(after.probabilities - 0.5).max())
    # One step moves log-behavior by advantage / (utility + shift): utility is at most 1/8 here.
    assert moved[0] / moved[1] == pytest.approx(10.0, rel=0.05)
    assert moved[1] / moved[2] == pytest.approx(10.0, rel=0.005)


def test_a_start_is_where_it_begins() -> None:
    start = GAME.uniform().replace(0, np.tile([0.9, 0.1], 6))
    dynamics = ReplicatorDynamics(GAME, payoff_shift=3.0, start=start)
    assert np.array_equal(dynamics.init().current.probabilities, start.probabilities)
    assert np.array_equal(dynamics.init().average.probabilities, start.probabilities)
    assert np.allclose(dynamics.step(dynamics.init()).average.probabilities, start.probabilities)


def test_where_nothing_is_won_nothing_changes() -> None:
    game = pl.games.bimatrix([[0, 0], [0, 0]], [[0, 1], [0, 1]])
    dynamics = ReplicatorDynamics(game, payoff_shift=0.0)
    after = dynamics.step(dynamics.init(), 1000).current
    assert after.at(0, "row") == {"row 1": 0.5, "row 2": 0.5}
    assert after.at(1, "column")["column 2"] == pytest.approx(1.0)
