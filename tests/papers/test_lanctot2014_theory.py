"""Theorems 1 to 4 of Lanctot (2014), and the quantities that notebook 02 looks at them with."""

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.core import GameError
from pokerlab.games import Profile, compile_rules
from pokerlab.metrics import Watched
from pokerlab.papers import lanctot2014
from pokerlab.papers.lanctot2014.theory import (
    correlations,
    differences,
    divergence,
    plan_difference,
    regret_columns,
)
from pokerlab.solvers import ContinuousReplicator, NormalFormReplicator, ReplicatorDynamics
from tests.random_games import random_rules

ROUNDING = 1e-14
INTEGRATOR = 1e-8
"""Both flows are integrated with a relative tolerance of 1e-8 or less."""


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
            ReplicatorDynamics(game, payoff_shift=shift),
            NormalFormReplicator(game, payoff_shift=shift),
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
        ReplicatorDynamics(game, payoff_shift=shift),
        NormalFormReplicator(game, payoff_shift=shift),
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
        game, payoff_shift=3.0, start=lanctot2014.random_profile(game, 1)
    )
    start = dynamics.init()
    assert correlations(start, 1) == pytest.approx(np.eye(6), abs=ROUNDING)
    table = correlations(dynamics.step(start), 1)
    assert np.abs(table - np.eye(6)).max() > 1e-4


def test_the_first_correlation_is_the_missing_product() -> None:
    # Two choices a, b at two cards: the share of both together is 1 + a + b, without the a b.
    game = pl.games.kuhn()
    dynamics = NormalFormReplicator(game, payoff_shift=3.0)
    state = dynamics.step(dynamics.init())
    table = correlations(state, 1)
    bet = game.infoset(1, "K, bet") - 6, game.infoset(1, "J, bet") - 6
    chances = [state.current.at(1, label)["bet"] for label in ("K, bet", "J, bet")]
    gains = [2 * chance - 1 for chance in chances]  # sigma = (1 + r / u) / 2
    spread = np.prod([np.sqrt(chance * (1 - chance)) for chance in chances])
    assert table[bet] * spread == pytest.approx(-np.prod(gains) / 4, abs=1e-5)


def test_correlations_need_two_actions() -> None:
    dynamics = NormalFormReplicator(pl.games.rock_paper_scissors(), payoff_shift=3.0)
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
    books = Watched(ReplicatorDynamics(pl.games.kuhn(), payoff_shift=3.0))
    state = books.step(books.init(), 50)
    columns = {column.name: column for column in regret_columns(books)}
    assert np.isnan(columns["regret_1"].measure(books.init()))
    recorded = [columns[f"regret_{player}"].measure(state) for player in (1, 2)]
    assert recorded == pl.metrics.average_regret(state).tolist()
    five = pl.metrics.theorem_five(state)
    assert columns["theorem_5_2"].measure(state) == five.bound[1]
    assert columns["q_min_1"].measure(state) == five.squared_loss[0] / 50
