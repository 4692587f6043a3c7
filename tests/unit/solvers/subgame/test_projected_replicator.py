"""Meta-strategies that are not equilibria: uniform mixes and projected replicator dynamics."""

import numpy as np
import pytest
from scipy.optimize import minimize

import pokerlab as pl
from pokerlab.core import random_stream
from pokerlab.solvers.subgame import (
    ProjectedReplicator,
    UniformMixture,
    find_nearest_distribution,
)
from pokerlab.solvers.subgame_payoffs import find_largest_gain
from tests.refusals import refused

SLSQP = 1e-6
"""How far scipy's sequential programs may be from the nearest point."""
PENNIES = np.array([[[2.0, -1.0], [-1.0, 1.0]], [[-2.0, 1.0], [1.0, -1.0]]])


def test_uniform_mixture_weighs_all_strategies_equally() -> None:
    mixture = UniformMixture().solve(np.zeros((3, 4, 1, 2)))
    assert [mix.tolist() for mix in mixture.mixtures] == [[0.25] * 4, [1.0], [0.5, 0.5]]
    UniformMixture().check_game(pl.games.kuhn(4))


@pytest.mark.parametrize("seed", range(10))
def test_nearest_distribution_minimizes_the_distance(seed: int) -> None:
    source = random_stream(seed, "projection")
    size = int(source.integers(1, 7))
    point, least = source.normal(size=size), float(source.random() / size)
    near = minimize(
        lambda x: ((x - point) ** 2).sum(),
        np.full(size, 1.0 / size),
        jac=lambda x: 2.0 * (x - point),
        bounds=[(least, 1.0)] * size,
        constraints={"type": "eq", "fun": lambda x: x.sum() - 1.0},
        options={"ftol": 1e-14, "maxiter": 500},
        method="SLSQP",
    )
    found = find_nearest_distribution(point, least)
    assert found == pytest.approx(near.x, abs=SLSQP)
    assert found.sum() == pytest.approx(1.0, abs=1e-14)
    assert found.min() >= least


def test_nearest_distribution_of_a_distribution_is_itself() -> None:
    mix = np.array([0.2, 0.5, 0.3])
    assert find_nearest_distribution(mix, 0.0) == pytest.approx(mix, abs=1e-15)
    assert find_nearest_distribution(np.array([0.4, 0.7, 0.6]), 0.2) == pytest.approx(
        [0.2, 0.45, 0.35]
    )
    assert find_nearest_distribution(np.array([9.0, -9.0]), 0.5) == pytest.approx([0.5, 0.5])


def test_projected_replicator_takes_one_step_as_by_hand() -> None:
    """From one half each, player 1's strategies win 1/2 and 0: the first gains 1/2 (1/2 - 1/4) delta."""
    mixes = ProjectedReplicator(steps=1, step_size=0.4, exploration=0.0).solve(PENNIES).mixtures
    assert mixes[0] == pytest.approx([0.525, 0.475], abs=1e-15)  # mean of start and step
    assert mixes[1] == pytest.approx([0.475, 0.525], abs=1e-15)


def test_projected_replicator_of_zero_sum_game_nears_equilibrium() -> None:
    """Payoffs 2, -1, -1, 1: both play 2/5, 3/5."""
    mixes = ProjectedReplicator(steps=20_000, step_size=0.01).solve(PENNIES).mixtures
    assert mixes[0] == pytest.approx([0.4, 0.6], abs=0.01)
    assert mixes[1] == pytest.approx([0.4, 0.6], abs=0.01)


def test_projected_replicator_explores_every_strategy() -> None:
    payoffs = np.zeros((3, 2, 3, 2))
    payoffs[0, 1] = payoffs[1, :, 2] = payoffs[2, ..., 0] = 1.0
    mixes = ProjectedReplicator(steps=5000, step_size=0.1, exploration=0.3).solve(payoffs).mixtures
    for mix, best in zip(mixes, (1, 2, 0), strict=True):
        assert np.argmax(mix) == best
        assert np.delete(mix, best) == pytest.approx(0.3 / len(mix), abs=0.005)
    for mix in ProjectedReplicator(steps=10, exploration=1.0).solve(payoffs).mixtures:
        assert mix == pytest.approx(1 / len(mix))


def test_projected_replicator_with_huge_steps_stays_a_distribution() -> None:
    mixes = ProjectedReplicator(steps=50, step_size=1e4).solve(1e4 * PENNIES).mixtures
    for mix in mixes:
        assert mix.sum() == pytest.approx(1.0, abs=1e-12)
        assert (mix >= 0.0).all()


@pytest.mark.external
def test_projected_replicator_takes_openspiels_steps() -> None:
    """Its exploration is a probability for each strategy, and its average leaves out nothing."""
    prd = pytest.importorskip("open_spiel.python.algorithms.projected_replicator_dynamics")
    payoffs = random_stream(2, "witness").normal(size=(3, 3, 2, 3))
    ours = ProjectedReplicator(steps=400, step_size=0.05, exploration=0.0).solve(payoffs).mixtures
    theirs = prd.projected_replicator_dynamics(
        list(payoffs), prd_iterations=400, prd_dt=0.05, prd_gamma=0.0
    )
    for mix, other in zip(ours, theirs, strict=True):
        assert mix == pytest.approx(other, abs=1e-12)


test_projected_replicator_rejects_bad_settings = refused(
    (lambda: ProjectedReplicator(exploration=-0.1), "exploration"),
    (lambda: ProjectedReplicator(exploration=1.1), "exploration"),
    (lambda: ProjectedReplicator(step_size=0.0), "step_size"),
    (lambda: ProjectedReplicator(steps=0), "steps"),
    (lambda: ProjectedReplicator(steps=2.0), "steps"),
    (lambda: ProjectedReplicator(tolerance=-1.0), "tolerance"),
)


def test_projected_replicator_accepts_games_of_any_size() -> None:
    ProjectedReplicator().check_game(pl.games.kuhn(3))
    mixes = ProjectedReplicator(steps=10).solve(np.ones((2, 1, 1))).mixtures
    assert find_largest_gain(np.ones((2, 1, 1)), mixes) == 0.0
