"""The replicator at the edges: vanishing probabilities, large payoffs, long steps."""

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.solvers import ContinuousReplicator, ReplicatorDynamics

GAME = pl.games.kuhn()
INTEGRATOR = 1e-7
"""Runs with other pieces take other steps inside them, each right to a relative 1e-8."""


def least_probability(floor: float) -> float:
    dynamics = ReplicatorDynamics(GAME, payoff_shift=3.0, order="alternating", floor=floor)
    return float(dynamics.step(dynamics.init(), 20_000).current.probabilities.min())


@pytest.mark.parametrize("floor", [1e-3, 1e-12])
def test_replicator_keeps_probabilities_at_the_floor(floor: float) -> None:
    # Of two probabilities one may have been lifted to the floor before both were normalized.
    assert floor / (1.0 + floor) <= least_probability(floor) <= floor


def test_replicator_without_floor_underflows() -> None:
    assert least_probability(0.0) < 1e-310
    assert 0.0 < least_probability(1e-300) < 1e-200


def test_replicator_with_larger_shift_takes_smaller_steps() -> None:
    moved = []
    for shift in (3.0, 30.0, 300.0):
        dynamics = ReplicatorDynamics(GAME, payoff_shift=shift, order="simultaneous")
        after = dynamics.step(dynamics.init()).current
        moved.append(np.abs(after.probabilities - 0.5).max())
    # One step moves log-behavior by advantage / (utility + shift): utility is at most 1/8 here.
    assert moved[0] / moved[1] == pytest.approx(10.0, rel=0.05)
    assert moved[1] / moved[2] == pytest.approx(10.0, rel=0.005)


def test_replicator_of_zero_payoffs_stays() -> None:
    game = pl.games.bimatrix([[0, 0], [0, 0]], [[0, 1], [0, 1]])
    dynamics = ReplicatorDynamics(game, payoff_shift=0.0, order="simultaneous")
    after = dynamics.step(dynamics.init(), 1000).current
    assert after.action_probabilities(0, "row") == {"row 1": 0.5, "row 2": 0.5}
    assert after.action_probabilities(1, "column")["column 2"] == pytest.approx(1.0)


def test_continuous_replicator_depends_on_total_time_alone() -> None:
    coarse = ContinuousReplicator(GAME, time_step=2.0)
    fine = ContinuousReplicator(GAME, time_step=0.5)
    one, four = coarse.step(coarse.init(), 5), fine.step(fine.init(), 20)
    assert np.allclose(one.behavior, four.behavior, atol=INTEGRATOR)
    assert np.allclose(one.plan_sum / 5, four.plan_sum / 20, atol=INTEGRATOR)
    assert np.allclose(one.plan_sum[:2], 5.0)


def test_continuous_replicator_circles_interior_equilibria() -> None:
    # In rock-paper-scissors the product of the probabilities is a constant of the motion.
    game = pl.games.rock_paper_scissors()
    start = game.uniform().replace(0, [0.5, 0.3, 0.2]).replace(1, [0.2, 0.5, 0.3])
    flow = ContinuousReplicator(game, time_step=1.0, start=start)
    after = flow.step(flow.init(), 50).current
    assert np.prod(after.probabilities) == pytest.approx(np.prod(start.probabilities), rel=1e-5)
    assert game.nash_conv(flow.step(flow.init(), 50).average) < 0.1 < game.nash_conv(after)
