"""Lanctot (2014): the theorems one by one, and the stability of rest points."""

from typing import Any

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.games import Profile, SequenceForm
from pokerlab.papers import lanctot2014
from pokerlab.solvers import ContinuousReplicator, ReplicatorDynamics
from pokerlab.solvers.dynamics import DynamicsState
from pokerlab.strategies.pure_strategies import list_pure_plans
from studies.lanctot2014.normal_form_dynamics import (
    NormalFormReplicator,
    compute_correlations,
    compute_divergence,
    make_product_mixture,
    measure_plan_difference,
    trace_plan_differences,
)
from studies.lanctot2014.stability import (
    compute_discrete_step_jacobian,
    compute_flow_jacobian,
    list_free_and_last_actions,
)

ROUNDING = 1e-14
INTEGRATOR = 1e-8
"""Both flows are integrated with a relative tolerance of 1e-8 or less."""
PERTURBATION = 1e-6
"""The nonlinear rest of a disturbance of this size is about its square."""
ORDERS = ("simultaneous", "alternating")
KUHN = pl.workbench.kuhn_equilibrium(0.2)
SKEWED = pl.games.bimatrix([[3, 0], [0, 1]], [[0, 2], [1, 0]])
REST = [
    KUHN,
    pl.games.rock_paper_scissors().uniform(),
    Profile(SKEWED, [1 / 3, 2 / 3, 1 / 4, 3 / 4]),  # each makes the other indifferent
]


def test_realization_equivalent_profiles_do_not_differ() -> None:
    game = pl.games.kuhn()
    table = game.uniform().to_table() | {(0, "K"): {"pass": 0.0, "bet": 1.0}}
    one = Profile.from_table(game, table)
    other = Profile.from_table(game, table | {(0, "K, pass-bet"): {"pass": 1.0, "bet": 0.0}})
    assert measure_plan_difference(one, other) == 0.0  # the king never passes, so never faces a bet
    assert measure_plan_difference(one, game.uniform()) == 0.5


def both(game: SequenceForm, start: Profile | None = None, **time: float) -> list[Any]:
    """Return the replicators over sequences and over whole strategies."""
    if "time_step" in time:
        return [kind(game, **time) for kind in (ContinuousReplicator, NormalFormReplicator)]
    sequences = ReplicatorDynamics(game, payoff_shift=3.0, order="simultaneous", start=start)
    return [sequences, NormalFormReplicator(game, payoff_shift=3.0, start=start)]


def test_one_discrete_step_is_realization_equivalent_and_two_are_not() -> None:
    apart = trace_plan_differences(*both(pl.games.kuhn()), [1, 2, 10, 500])
    assert apart[0] < ROUNDING
    assert apart[1:] == pytest.approx([1.34e-4, 5.17e-3, 0.103], rel=0.01)


def test_the_flows_stay_realization_equivalent() -> None:
    assert trace_plan_differences(*both(pl.games.kuhn(), time_step=0.5), [40]) < INTEGRATOR


def test_both_dynamics_are_one_where_nothing_can_be_correlated() -> None:
    game = pl.games.rock_paper_scissors()
    pair = both(game, Profile(game, [0.5, 0.3, 0.2, 0.2, 0.3, 0.5]))
    assert trace_plan_differences(*pair, [1, 10, 100]).max() < ROUNDING


def test_steps_of_whole_strategies_add_up() -> None:
    for solver in (both(pl.games.kuhn())[1], both(pl.games.kuhn(), time_step=0.5)[1]):
        once, twice = solver.step(solver.init(), 3), solver.step(solver.step(solver.init(), 1), 2)
        assert np.array_equal(once.mixed, twice.mixed)


def test_a_product_mixture_has_the_realization_plan_of_its_profile() -> None:
    game = pl.games.kuhn()
    profile = lanctot2014.draw_profile(game, 1)
    for player in range(2):
        mixture = make_product_mixture(profile, player)
        plan = mixture @ list_pure_plans(game, player)
        assert plan == pytest.approx(profile.plan(player), abs=ROUNDING)


def test_the_first_correlation_is_the_missing_product() -> None:
    # Two choices a, b at two cards: the share of both together is 1 + a + b, without the a b.
    game = pl.games.kuhn()
    dynamics = NormalFormReplicator(game, payoff_shift=3.0)
    state = dynamics.step(dynamics.init())
    table = compute_correlations(state, 1)
    bet = game.find_infoset(1, "K, bet") - 6, game.find_infoset(1, "J, bet") - 6
    chances = [
        state.current.action_probabilities(1, label)["bet"] for label in ("K, bet", "J, bet")
    ]
    gains = [2 * chance - 1 for chance in chances]  # sigma = (1 + r / u) / 2
    spread = np.prod([np.sqrt(chance * (1 - chance)) for chance in chances])
    assert table[bet] * spread == pytest.approx(-np.prod(gains) / 4, abs=1e-5)


def test_the_flow_keeps_its_distance_from_an_equilibrium() -> None:
    game = pl.games.rock_paper_scissors()
    equilibrium = game.uniform()
    flow = ContinuousReplicator(game, time_step=1.0, start=lanctot2014.draw_profile(game, 1))
    state = flow.init()
    before = compute_divergence(equilibrium, state.current)
    assert before > 0.1
    assert compute_divergence(equilibrium, flow.step(state, 30).current) == pytest.approx(
        before, rel=1e-5
    )
    assert compute_divergence(equilibrium, equilibrium) == 0.0
    whole = NormalFormReplicator(game, time_step=30.0, start=flow.start)
    after = whole.step(whole.init()).current
    assert compute_divergence(equilibrium, after) == pytest.approx(before, rel=1e-10)


@pytest.mark.parametrize("order", ORDERS)
@pytest.mark.parametrize("rest", REST, ids=lambda rest: rest.game.name)
def test_a_step_moves_a_small_disturbance_as_its_jacobian_says(rest: Profile, order: str) -> None:
    game = rest.game
    dynamics = ReplicatorDynamics(game, payoff_shift=3.0, order=order)
    moved = disturbed(rest)
    after = dynamics.step(DynamicsState.from_start(game, moved)).current
    predicted = compute_discrete_step_jacobian(rest, payoff_shift=3.0, order=order) @ apart(
        moved, rest
    )
    assert apart(after, rest) == pytest.approx(predicted, abs=10 * PERTURBATION**2)


@pytest.mark.parametrize("rest", REST, ids=lambda rest: rest.game.name)
def test_the_flow_moves_a_small_disturbance_as_its_jacobian_says(rest: Profile) -> None:
    from scipy.linalg import expm

    flow = ContinuousReplicator(rest.game, time_step=2.0, rtol=1e-12, atol=1e-13)
    moved = disturbed(rest)
    after = flow.step(DynamicsState.from_start(rest.game, moved)).current
    predicted = expm(2.0 * compute_flow_jacobian(rest)) @ apart(moved, rest)
    assert apart(after, rest) == pytest.approx(predicted, abs=100 * PERTURBATION**2)


def disturbed(rest: Profile) -> Profile:
    """Return a profile near `rest` in which every action is possible."""
    away = pl.papers.lanctot2014.draw_profile(rest.game, 1)
    return Profile(
        rest.game, (1 - PERTURBATION) * rest.probabilities + PERTURBATION * away.probabilities
    )


def apart(one: Profile, other: Profile) -> np.ndarray:
    """Return the difference of two profiles in the coordinates of the Jacobian."""
    kept = list_free_and_last_actions(one.game)[0] - one.game.num_players
    return np.asarray((one.probabilities - other.probabilities)[kept])
