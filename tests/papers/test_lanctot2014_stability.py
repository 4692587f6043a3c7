"""Jacobians at rest points, against eigenvalues known by hand and against the dynamics themselves."""

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.core import GameError, SettingError
from pokerlab.games import Profile, SequenceForm
from pokerlab.papers.lanctot2014.theory import coordinates, flow_jacobian, step_jacobian
from pokerlab.solvers import ContinuousReplicator, DynamicsState, ReplicatorDynamics

ROUNDING = 1e-12
NUDGE = 1e-6
"""The nonlinear rest of a disturbance of this size is about its square."""
ORDERS = ("simultaneous", "alternating")
KUHN = pl.workbench.kuhn_equilibrium(0.2)
SKEWED = pl.games.bimatrix([[3, 0], [0, 1]], [[0, 2], [1, 0]])
REST = [
    KUHN,
    pl.games.rock_paper_scissors().uniform(),
    Profile(SKEWED, [1 / 3, 2 / 3, 1 / 4, 3 / 4]),  # each makes the other indifferent
]


def test_rock_paper_scissors_is_a_center() -> None:
    # A / 3 for both players, where A has the eigenvalues +-i sqrt(3) on the simplex
    values = np.linalg.eigvals(flow_jacobian(pl.games.rock_paper_scissors().uniform()))
    assert np.sort(values.imag) == pytest.approx(np.array([-1, -1, 1, 1]) / np.sqrt(3), abs=1e-9)
    assert values.real == pytest.approx(0.0, abs=1e-9)


def test_the_mixed_equilibrium_of_a_coordination_game_is_a_saddle() -> None:
    game = pl.games.bimatrix([[1, 0], [0, 1]], [[1, 0], [0, 1]])
    assert np.sort(np.linalg.eigvals(flow_jacobian(game.uniform())).real) == pytest.approx(
        [-0.5, 0.5]
    )


def test_a_strict_equilibrium_attracts_by_what_a_mistake_costs() -> None:
    game = pl.games.bimatrix([[3, 0], [5, 1]], [[3, 5], [0, 1]])
    values = np.linalg.eigvals(flow_jacobian(Profile(game, [0, 1, 0, 1])))
    assert values == pytest.approx([-1.0, -1.0])


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("rest", REST, ids=lambda rest: rest.game.name)
def test_a_step_moves_a_small_disturbance_as_its_jacobian_says(rest: Profile, order: str) -> None:
    game = rest.game
    dynamics = ReplicatorDynamics(game, payoff_shift=3.0, order=order)
    moved = disturbed(rest)
    after = dynamics.step(DynamicsState.begin(game, moved)).current
    predicted = step_jacobian(rest, payoff_shift=3.0, order=order) @ apart(moved, rest)
    assert apart(after, rest) == pytest.approx(predicted, abs=10 * NUDGE**2)


@pytest.mark.parametrize("rest", REST, ids=lambda rest: rest.game.name)
def test_the_flow_moves_a_small_disturbance_as_its_jacobian_says(rest: Profile) -> None:
    from scipy.linalg import expm

    flow = ContinuousReplicator(rest.game, time_step=2.0, rtol=1e-12, atol=1e-13)
    moved = disturbed(rest)
    after = flow.step(DynamicsState.begin(rest.game, moved)).current
    predicted = expm(2.0 * flow_jacobian(rest)) @ apart(moved, rest)
    assert apart(after, rest) == pytest.approx(predicted, abs=100 * NUDGE**2)


def disturbed(rest: Profile) -> Profile:
    """Return a profile near `rest` in which every action is possible."""
    away = pl.papers.lanctot2014.random_profile(rest.game, 1)
    return Profile(rest.game, (1 - NUDGE) * rest.probabilities + NUDGE * away.probabilities)


def apart(one: Profile, other: Profile) -> np.ndarray:
    """Return the difference of two profiles in the coordinates of the Jacobian."""
    kept = coordinates(one.game)[0] - one.game.num_players
    return np.asarray((one.probabilities - other.probabilities)[kept])


@pytest.mark.parametrize("alpha", [0.0, 0.1, 0.2, 1 / 3])
def test_equilibria_of_kuhn_poker_are_circled_and_simultaneous_steps_leave_them(
    alpha: float,
) -> None:
    equilibrium = pl.workbench.kuhn_equilibrium(alpha)
    values = np.linalg.eigvals(flow_jacobian(equilibrium))
    assert values.real.max() < ROUNDING
    assert (np.abs(values.imag) > 0.05).any()
    largest = {
        order: np.abs(
            np.linalg.eigvals(step_jacobian(equilibrium, payoff_shift=3.0, order=order))
        ).max()
        for order in ORDERS
    }
    assert largest["alternating"] == pytest.approx(1.0, abs=ROUNDING)
    assert largest["simultaneous"] > 1 + 5e-4


def test_only_a_rest_point_has_a_stability() -> None:
    with pytest.raises(GameError, match=r"the profile moves by up to 0\.\d+ per unit of time"):
        flow_jacobian(pl.games.kuhn().uniform())
    with pytest.raises(SettingError, match="leaves utilities of -1"):
        step_jacobian(KUHN, payoff_shift=1.0, order="alternating")


def test_coordinates_leave_out_the_last_action() -> None:
    game: SequenceForm = pl.games.rock_paper_scissors()
    kept, last = coordinates(game)
    assert (kept.tolist(), last.tolist()) == ([2, 3, 5, 6], [4, 4, 7, 7])
