"""Lanctot (2014): the theorems one by one, and the stability of rest points."""

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.core import GameError, SettingError
from pokerlab.games import Profile, SequenceForm, compile_rules
from pokerlab.papers import lanctot2014
from pokerlab.papers.lanctot2014.normal_form import (
    NormalFormReplicator,
    correlations,
    differences,
    divergence,
    plan_difference,
)
from pokerlab.solvers import (
    ContinuousReplicator,
    DynamicsState,
    ReplicatorDynamics,
)
from studies.lanctot2014.regret import Watched, average_regret, regret_columns, theorem_five
from studies.lanctot2014.stability import coordinates, flow_jacobian, step_jacobian
from tests.random_games import random_rules

ROUNDING = 1e-14
INTEGRATOR = 1e-8
"""Both flows are integrated with a relative tolerance of 1e-8 or less."""
NEXT_TO_NOTHING = 1e-12
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


@pytest.mark.parametrize("seed", range(5))
def test_theorem_two_holds_for_one_step_from_a_product(seed: int) -> None:
    game = pl.games.kuhn()
    settings = {"payoff_shift": 3.0, "start": lanctot2014.random_profile(game, seed)}
    pair = ReplicatorDynamics(game, **settings), NormalFormReplicator(game, **settings)
    apart = differences(*pair, [1, 2])
    assert apart[0] < ROUNDING
    assert apart[1] > 1e-8


def test_the_drift_of_theorem_two_is_of_second_order_in_the_step() -> None:
    game = pl.games.kuhn()
    apart = [
        differences(
            ReplicatorDynamics(game, payoff_shift=shift, order="simultaneous"),
            NormalFormReplicator(game, payoff_shift=shift, order="simultaneous"),
            [steps],
        )[0]
        for shift, steps in ((3.0, 10), (30.0, 100))
    ]
    assert apart[0] / apart[1] == pytest.approx(10.0, rel=0.05)


def test_theorem_four_holds() -> None:
    game = pl.games.kuhn()
    flows = ContinuousReplicator(game, time_step=1.0), NormalFormReplicator(game, time_step=1.0)
    assert differences(*flows, [1, 10, 100]).max() < INTEGRATOR


@pytest.mark.parametrize("players", [3, 4, 5])
def test_theorems_two_and_four_hold_for_more_players_as_for_two(players: int) -> None:
    game = compile_rules(random_rules(1, players, largest=10))
    start = lanctot2014.random_profile(game, 1)
    shift = 1.0 - float(game.payoff.min())
    settings = {"payoff_shift": shift, "start": start}
    steps = ReplicatorDynamics(game, **settings), NormalFormReplicator(game, **settings)
    assert differences(*steps, [1])[0] < ROUNDING
    settings = {"time_step": 0.1, "start": start}
    flows = ContinuousReplicator(game, **settings), NormalFormReplicator(game, **settings)
    assert differences(*flows, [1, 10]).max() < INTEGRATOR


def test_three_players_drift_apart_like_two() -> None:
    game = compile_rules(random_rules(1, 3, largest=10))
    shift = 1.0 - float(game.payoff.min())
    pair = (
        ReplicatorDynamics(game, payoff_shift=shift, order="simultaneous"),
        NormalFormReplicator(game, payoff_shift=shift, order="simultaneous"),
    )
    assert differences(*pair, [10])[0] > 1e-4


def test_both_dynamics_are_one_where_nothing_can_be_correlated() -> None:
    game = pl.games.rock_paper_scissors()
    start = Profile(game, [0.5, 0.3, 0.2, 0.2, 0.3, 0.5])
    settings = {"payoff_shift": 3.0, "start": start}
    pair = ReplicatorDynamics(game, **settings), NormalFormReplicator(game, **settings)
    assert differences(*pair, [1, 10, 100]).max() < ROUNDING


def test_a_product_has_no_correlations_and_the_first_step_makes_some() -> None:
    game = pl.games.kuhn()
    dynamics = NormalFormReplicator(
        game, payoff_shift=3.0, start=lanctot2014.random_profile(game, 1), order="simultaneous"
    )
    start = dynamics.init()
    assert correlations(start, 1) == pytest.approx(np.eye(6), abs=ROUNDING)
    table = correlations(dynamics.step(start), 1)
    assert np.abs(table - np.eye(6)).max() > 1e-4


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


def test_correlations_need_two_actions() -> None:
    dynamics = NormalFormReplicator(
        pl.games.rock_paper_scissors(), payoff_shift=3.0, order="simultaneous"
    )
    with pytest.raises(GameError, match=r"player 1 of rock-paper-scissors has \[3\]"):
        correlations(dynamics.init(), 0)


def test_the_flow_keeps_its_distance_from_an_equilibrium() -> None:
    game = pl.games.rock_paper_scissors()
    equilibrium = game.uniform()
    flow = ContinuousReplicator(game, time_step=1.0, start=lanctot2014.random_profile(game, 1))
    state = flow.init()
    before = divergence(equilibrium, state.current)
    assert before > 0.1
    assert divergence(equilibrium, flow.step(state, 30).current) == pytest.approx(before, rel=1e-5)
    assert divergence(equilibrium, equilibrium) == 0.0


def test_the_flow_s_regret_is_at_most_log_two_an_information_set() -> None:
    game = pl.games.kuhn()
    flow = ContinuousReplicator(game, time_step=1.0)
    state = flow.step(flow.init(), 50)
    assert 50 * pl.metrics.nash_conv(game, state.average) < 12 * np.log(2)


def test_regrets_are_recorded_player_by_player() -> None:
    books = Watched(ReplicatorDynamics(pl.games.kuhn(), payoff_shift=3.0, order="simultaneous"))
    state = books.step(books.init(), 50)
    columns = {column.name: column for column in regret_columns(books)}
    assert np.isnan(columns["regret_1"].measure(books.init()))
    recorded = [columns[f"regret_{player}"].measure(state) for player in (1, 2)]
    assert recorded == average_regret(state).tolist()
    five = theorem_five(state)
    assert columns["theorem_5_2"].measure(state) == five.bound[1]
    assert columns["q_min_1"].measure(state) == five.squared_loss[0] / 50


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
    assert values.real.max() < NEXT_TO_NOTHING
    assert (np.abs(values.imag) > 0.05).any()
    largest = {
        order: np.abs(
            np.linalg.eigvals(step_jacobian(equilibrium, payoff_shift=3.0, order=order))
        ).max()
        for order in ORDERS
    }
    assert largest["alternating"] == pytest.approx(1.0, abs=NEXT_TO_NOTHING)
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
