"""Lanctot (2014): the theorems one by one, and the stability of rest points."""

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.games import Profile, SequenceForm
from pokerlab.papers import lanctot2014
from pokerlab.papers.lanctot2014.normal_form import (
    NormalFormReplicator,
    correlations,
    differences,
    divergence,
    plan_difference,
    product_mixture,
)
from pokerlab.solvers import (
    ContinuousReplicator,
    DynamicsState,
    ReplicatorDynamics,
)
from studies.lanctot2014.stability import coordinates, flow_jacobian, step_jacobian

ROUNDING = 1e-14
INTEGRATOR = 1e-8
"""Both flows are integrated with a relative tolerance of 1e-8 or less."""
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


def test_realization_equivalent_profiles_do_not_differ() -> None:
    game = pl.games.kuhn()
    table = game.uniform().table() | {(0, "K"): {"pass": 0.0, "bet": 1.0}}
    one = Profile.from_table(game, table)
    other = Profile.from_table(game, table | {(0, "K, pass-bet"): {"pass": 1.0, "bet": 0.0}})
    assert plan_difference(one, other) == 0.0  # the king never passes, so never faces a bet
    assert plan_difference(one, game.uniform()) == 0.5


@pytest.mark.parametrize(
    "game", [pl.games.kuhn(), pl.games.rock_paper_scissors()], ids=lambda g: g.name
)
@pytest.mark.parametrize("order", ["simultaneous", "alternating"])
def test_one_discrete_step_is_realization_equivalent(game: SequenceForm, order: str) -> None:
    mixed, plans = (
        NormalFormReplicator(game, payoff_shift=3.0, order=order),
        ReplicatorDynamics(game, payoff_shift=3.0, order=order),
    )
    assert (
        plan_difference(mixed.step(mixed.init()).current, plans.step(plans.init()).current)
        < ROUNDING
    )


def test_in_turn_the_second_player_sees_what_the_first_has_just_learned() -> None:
    rows, columns = np.array([[3.0, 0.0], [5.0, 1.0]]), np.array([[3.0, 5.0], [0.0, 2.0]])
    game = pl.games.bimatrix(rows, columns)
    replicator = NormalFormReplicator(game, payoff_shift=1.0, order="alternating")
    x, y = np.full(2, 0.5), np.full(2, 0.5)
    for _ in range(5):
        x = x * (rows @ y + 1.0) / (x @ rows @ y + 1.0)
        y = y * (x @ columns + 1.0) / (x @ columns @ y + 1.0)
    current = replicator.step(replicator.init(), 5).current
    assert current.probabilities == pytest.approx([*x, *y], abs=ROUNDING)


def test_two_discrete_steps_are_not() -> None:
    game = pl.games.kuhn()
    mixed, plans = (
        NormalFormReplicator(game, payoff_shift=3.0, order="simultaneous"),
        ReplicatorDynamics(game, payoff_shift=3.0, order="simultaneous"),
    )
    after = [
        plan_difference(mixed.step(mixed.init(), k).current, plans.step(plans.init(), k).current)
        for k in (2, 10, 500)
    ]
    assert after == pytest.approx([1.34e-4, 5.17e-3, 0.103], rel=0.01)


def test_the_flows_stay_realization_equivalent() -> None:
    game = pl.games.kuhn()
    mixed, plans = (
        NormalFormReplicator(game, time_step=0.5),
        ContinuousReplicator(game, time_step=0.5),
    )
    assert (
        plan_difference(mixed.step(mixed.init(), 40).current, plans.step(plans.init(), 40).current)
        < INTEGRATOR
    )


def test_a_product_mixture_has_the_realization_plan_of_its_profile() -> None:
    game = pl.games.kuhn()
    profile = (
        ReplicatorDynamics(game, payoff_shift=3.0, order="simultaneous")
        .step(ReplicatorDynamics(game, payoff_shift=3.0, order="simultaneous").init(), 7)
        .current
    )
    for player in range(2):
        plans = pl.strategies.pure_plans(game, player)
        mixture = product_mixture(profile, player)
        assert len(mixture) == 64
        assert np.abs(mixture @ plans - profile.plan(player)).max() < ROUNDING


def test_both_dynamics_are_one_where_nothing_can_be_correlated() -> None:
    game = pl.games.rock_paper_scissors()
    start = Profile(game, [0.5, 0.3, 0.2, 0.2, 0.3, 0.5])
    settings = {"payoff_shift": 3.0, "start": start}
    pair = ReplicatorDynamics(game, **settings), NormalFormReplicator(game, **settings)
    assert differences(*pair, [1, 10, 100]).max() < ROUNDING


def test_the_first_correlation_is_the_missing_product() -> None:
    # Two choices a, b at two cards: the share of both together is 1 + a + b, without the a b.
    game = pl.games.kuhn()
    dynamics = NormalFormReplicator(game, payoff_shift=3.0, order="simultaneous")
    state = dynamics.step(dynamics.init())
    table = correlations(state, 1)
    bet = game.infoset(1, "K, bet") - 6, game.infoset(1, "J, bet") - 6
    chances = [state.current.at(1, label)["bet"] for label in ("K, bet", "J, bet")]
    gains = [2 * chance - 1 for chance in chances]  # sigma = (1 + r / u) / 2
    spread = np.prod([np.sqrt(chance * (1 - chance)) for chance in chances])
    assert table[bet] * spread == pytest.approx(-np.prod(gains) / 4, abs=1e-5)


def test_the_flow_keeps_its_distance_from_an_equilibrium() -> None:
    game = pl.games.rock_paper_scissors()
    equilibrium = game.uniform()
    flow = ContinuousReplicator(game, time_step=1.0, start=lanctot2014.random_profile(game, 1))
    state = flow.init()
    before = divergence(equilibrium, state.current)
    assert before > 0.1
    assert divergence(equilibrium, flow.step(state, 30).current) == pytest.approx(before, rel=1e-5)
    assert divergence(equilibrium, equilibrium) == 0.0


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
