"""Changes of a state from outside: mixtures against plans, extinct actions that stay extinct, newcomers that play."""

from collections.abc import Callable
from typing import Any

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.core import GameError, PokerlabError, SettingError, ShapeError, UnknownNameError
from pokerlab.papers.lanctot2014 import draw_profile
from pokerlab.solvers import mix_in_profile
from pokerlab.solvers.disturbances import replace_strategies, set_action_probability

KUHN = pl.games.kuhn()
REPLICATORS = {
    "discrete": pl.solvers.ReplicatorDynamics(KUHN, payoff_shift=3.0),
    "simultaneous": pl.solvers.ReplicatorDynamics(KUHN, payoff_shift=3.0, order="simultaneous"),
    "continuous": pl.solvers.ContinuousReplicator(KUHN, time_step=0.5),
}


@pytest.mark.parametrize(
    "game", [KUHN, pl.games.kuhn(3), pl.games.leduc()], ids=lambda game: game.name
)
def test_mix_in_profile_gives_the_mixture_of_realization_plans(game: pl.games.SequenceForm) -> None:
    replicator = pl.solvers.ReplicatorDynamics(game, payoff_shift=14.0)
    state = replicator.step(replicator.init(), 20)
    mutants = draw_profile(game, seed=3)
    mixed = mix_in_profile(state, mutants, 0.3).current
    for player in range(game.num_players):
        expected = 0.7 * state.current.plan(player) + 0.3 * mutants.plan(player)
        np.testing.assert_allclose(mixed.plan(player), expected, rtol=1e-13, atol=1e-300)


def test_mix_in_profile_keeps_what_is_played_where_nobody_gets() -> None:
    # Player 1 decides a second time after pass-bet, which nobody reaches who always bets at first.
    betting = {(0, card): {"bet": 1.0} for card in "JQK"}
    always_bets = pl.games.Profile.from_table(KUHN, betting)
    replicator = REPLICATORS["discrete"]
    state = mix_in_profile(replicator.step(replicator.init(), 5), always_bets, 1.0)
    second = next(label for player, label in KUHN.infoset_index if player == 0 and len(label) > 1)
    state = set_action_probability(state, 0, second, KUHN.find_action_slice(0, second)[1][0], 0.9)
    mixed = mix_in_profile(state, always_bets, 0.5)
    assert mixed.current.action_probabilities(0, second) == state.current.action_probabilities(
        0, second
    )
    assert min(state.current.action_probabilities(0, second).values()) == pytest.approx(0.1)


def test_mix_in_profile_of_share_0_or_1_gives_one_of_the_two() -> None:
    state = REPLICATORS["discrete"].step(REPLICATORS["discrete"].init(), 5)
    mutants = draw_profile(KUHN, seed=1)
    for share, profile in ((0.0, state.current), (1.0, mutants)):
        mixed = mix_in_profile(state, mutants, share).current
        np.testing.assert_allclose(mixed.probabilities, profile.probabilities, rtol=1e-14)


@pytest.mark.parametrize("dynamics", REPLICATORS.values(), ids=REPLICATORS)
def test_extinct_action_is_never_played_until_it_is_freed(dynamics: Any) -> None:
    before = dynamics.step(dynamics.init(), 10)
    state = set_action_probability(before, 0, "J", "bet", 0.0)
    assert before.current.action_probabilities(0, "J")["bet"] > 0.0, "the given state has changed"
    assert state.iteration == before.iteration
    later = dynamics.step(state, 30)
    assert later.current.action_probabilities(0, "J") == {"pass": 1.0, "bet": 0.0}
    freed = set_action_probability(later, 0, "J", "bet", 0.01)
    assert freed.current.action_probabilities(0, "J") == {"pass": 0.99, "bet": 0.01}
    assert dynamics.step(freed, 5).current.action_probabilities(0, "J")["bet"] > 0.0


SHIFTED = {"payoff_shift": 3.0, "order": "simultaneous"}


@pytest.mark.parametrize(
    ("kind", "settings"),
    [
        (pl.solvers.ReplicatorDynamics, SHIFTED),
        (pl.solvers.ContinuousReplicator, {"time_step": 0.5}),
    ],
)
def test_replicators_with_an_extinct_action_play_as_in_the_game_without_it(
    kind: Any, settings: Any
) -> None:
    payoffs = np.array([[0.0, -1.0, 1.0], [1.0, 0.0, -1.0], [-1.0, 1.0, 0.0]])
    game, smaller = (
        pl.games.bimatrix(payoffs, -payoffs),
        pl.games.bimatrix(payoffs[:2, :2], -payoffs[:2, :2]),
    )
    large, small = kind(game, **settings), kind(smaller, **settings)
    state = large.init()
    for player in range(2):
        scissors = game.action_label[player][2]
        state = set_action_probability(state, player, game.infoset_label[player], scissors, 0.0)
    played = large.step(state, 12).current.probabilities.reshape(2, 3)
    expected = small.step(small.init(), 12).current.probabilities.reshape(2, 2)
    np.testing.assert_allclose(played[:, :2], expected, rtol=1e-8)
    assert (played[:, 2] == 0.0).all()


def test_set_action_probability_leaves_the_others_in_proportion() -> None:
    game = pl.games.biased_rps()
    replicator = pl.solvers.ReplicatorDynamics(game, payoff_shift=60.0)
    start = mix_in_profile(replicator.init(), pl.games.Profile(game, [0, 1, 0, 0, 1, 0]), 0.5)
    label, actions = game.infoset_label[0], game.action_label[0]
    state = set_action_probability(start, 0, label, actions[0], 0.4)
    np.testing.assert_allclose(state.current.get_behavior(0), [0.4, 0.48, 0.12], rtol=1e-14)
    only = set_action_probability(state, 0, label, actions[0], 1.0)
    np.testing.assert_allclose(only.current.get_behavior(0), [1.0, 0.0, 0.0])
    freed = set_action_probability(only, 0, label, actions[0], 0.5)
    np.testing.assert_allclose(freed.current.get_behavior(0), [0.5, 0.25, 0.25])


@pytest.mark.parametrize(
    ("change", "error"),
    [
        (lambda s: mix_in_profile(s, KUHN.uniform(), 1.5), SettingError),
        (lambda s: mix_in_profile(s, pl.games.leduc().uniform(), 0.5), GameError),
        (lambda s: set_action_probability(s, 0, "J", "raise", 0.5), UnknownNameError),
        (lambda s: set_action_probability(s, 0, "X", "bet", 0.5), PokerlabError),
        (lambda s: set_action_probability(s, 5, "J", "bet", 0.5), PokerlabError),
        (lambda s: set_action_probability(s, 0, "J", "bet", float("nan")), SettingError),
        (lambda s: replace_strategies(s, np.zeros((1, 2))), SettingError),
    ],
)
def test_disturbances_reject_nonsense(change: Callable[[Any], Any], error: type[Exception]) -> None:
    with pytest.raises(error):
        change(REPLICATORS["discrete"].init())


def test_disturbances_of_cfr_are_refused_since_regrets_decide() -> None:
    cfr = pl.solvers.CFR(KUHN)
    with pytest.raises(SettingError, match="ReplicatorDynamics"):
        mix_in_profile(cfr.init(), KUHN.uniform(), 0.5)


def make_numbers() -> pl.solvers.PopulationCoevolution:
    game = pl.games.contest(
        lambda a, b, seed: float(np.sign(a.sum() - b.sum())), name="sums", unit=pl.core.POINTS
    )
    encoding = pl.strategies.RealVector(5, low=0, high=1)
    return pl.solvers.PopulationCoevolution(game, encoding, seed=1, size=12)


def test_replace_strategies_puts_newcomers_in_the_places_of_the_least_fit() -> None:
    solver = make_numbers()
    before = solver.step(solver.init(), 3)
    best = np.ones((3, 5))
    state = replace_strategies(before, best)
    changed = (state.population != before.population).any(axis=2)[0]
    assert changed.sum() == 3
    assert before.fitness[0, changed].max() <= before.fitness[0, ~changed].min()
    assert (state.ages[0, changed] == 0).all()
    assert state.front[0, changed].all()
    assert (state.parent_probabilities[0, changed] == 0.0).all()
    assert state.parent_probabilities.sum() == pytest.approx(1.0)
    later = solver.step(state)
    assert sorted(later.population[0].sum(axis=1))[-3:] == [5.0] * 3
    assert later.population[0, later.front[0]].sum(axis=1).max() == 5.0, (
        "the strongest newcomers do not survive"
    )


def test_replace_strategies_before_the_first_generation_changes_who_begins() -> None:
    solver = make_numbers()
    state = replace_strategies(solver.init(), np.ones((2, 5)))
    first = solver.step(state)
    assert (first.population[0] == 1.0).all(axis=1).sum() == 2


def test_replace_strategies_of_all_lets_all_of_them_play() -> None:
    solver = make_numbers()
    state = replace_strategies(solver.step(solver.init(), 2), np.full((12, 5), 0.5))
    assert (solver.step(state).population == 0.5).all()


@pytest.mark.parametrize("shape", [(13, 5), (2, 4), (5,)])
def test_replace_strategies_rejects_genomes_that_do_not_fit(shape: tuple[int, ...]) -> None:
    with pytest.raises(ShapeError, match="at most 12"):
        replace_strategies(make_numbers().init(), np.zeros(shape))
