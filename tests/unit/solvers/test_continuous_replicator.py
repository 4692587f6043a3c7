"""The flow's average is over time, whatever piece of it an iteration covers."""

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.solvers import ContinuousReplicator

GAME = pl.games.kuhn()
INTEGRATOR = 1e-6
"""Runs with other pieces take other steps inside them, each right to a relative 1e-8."""


@pytest.mark.parametrize("method", ["RK45", "DOP853", "LSODA"])
def test_time_is_what_counts(method: str) -> None:
    coarse = ContinuousReplicator(GAME, time_step=2.0, method=method)
    fine = ContinuousReplicator(GAME, time_step=0.5, method=method)
    one, four = coarse.step(coarse.init(), 5), fine.step(fine.init(), 20)
    assert np.allclose(one.behavior, four.behavior, atol=INTEGRATOR)
    assert np.allclose(one.plan_sum / 5, four.plan_sum / 20, atol=INTEGRATOR)
    assert np.allclose(one.plan_sum[:2], 5.0)


def test_equilibria_of_an_interior_game_are_circled() -> None:
    # In rock-paper-scissors the product of the probabilities is a constant of the motion.
    game = pl.games.rock_paper_scissors()
    start = game.uniform().replace(0, [0.5, 0.3, 0.2]).replace(1, [0.2, 0.5, 0.3])
    flow = ContinuousReplicator(game, time_step=1.0, start=start)
    after = flow.step(flow.init(), 50).current
    assert np.prod(after.probabilities) == pytest.approx(np.prod(start.probabilities), rel=1e-5)
    assert game.nash_conv(flow.step(flow.init(), 50).average) < 0.1 < game.nash_conv(after)
