"""Values, best responses, and the belief MDP searched to the end: against each other and the compiled game."""

from fractions import Fraction
from math import prod
from typing import Any

import numpy as np
import pytest
from hypothesis import assume, given

from pokerlab import games, reference
from pokerlab.core import GameError, SettingError
from pokerlab.games import SequenceForm
from pokerlab.reference.definitions import compute_counterfactual_reach, list_actions
from pokerlab.solvers.beliefs import make_belief_tree
from tests.oracles import values
from tests.random_games import Played, games_with_behavior, random_profile
from tests.reference.agreement import RANDOM_GAMES, ROUNDING, name_of

MOST_PURE_STRATEGIES = 200
NAMED = [games.kuhn(2), games.kuhn(3), games.biased_rps(), games.leduc(isomorphic=True)]
every_game = pytest.mark.parametrize("game", [*NAMED, *RANDOM_GAMES], ids=name_of)


@given(games_with_behavior())
def test_values_of_random_games(played: Played) -> None:
    exact = reference.compute_expected_utilities(played.rules, played.table)
    values = played.game.values(played.profile)
    assert values == pytest.approx([float(u) for u in exact], abs=ROUNDING)


KNOWN = [
    *(games.kuhn(2), games.kuhn(3), games.one_card_poker(8), games.biased_rps()),
    *(games.kuhn(4), games.two_round_poker("paired", 2), games.leduc(2)),
]


@pytest.mark.parametrize("game", KNOWN, ids=repr)
def test_values_and_gains_in_known_games(game: SequenceForm) -> None:
    profile = random_profile(game, seed=1)
    slow = reference.compute_expected_utilities(game.rules, profile.to_table())
    assert game.values(profile) == pytest.approx(np.array(slow), abs=ROUNDING)
    if game in KNOWN[:4]:  # others take long
        gains = reference.gains(game.rules, profile.to_table())
        assert game.gains(profile) == pytest.approx(gains, abs=ROUNDING)
        assert game.nash_conv(profile) == pytest.approx(sum(gains), abs=ROUNDING)


def test_fractions_give_exact_values() -> None:
    rules = games.kuhn(2).rules
    uniform = {
        infoset: {action: Fraction(1, len(sigma)) for action in sigma}
        for infoset, sigma in reference.uniform(rules).items()
    }
    assert reference.compute_expected_utilities(rules, uniform) == (Fraction(1, 8), Fraction(-1, 8))
    assert reference.nash_conv(rules, uniform) == Fraction(11, 12)


@given(games_with_behavior())
def test_values_by_realization_plans(played: Played) -> None:
    plans = reference.compute_realization_plans(played.rules, played.table)
    exact = reference.compute_expected_utilities(played.rules, played.table)
    for player, utility in enumerate(exact):
        by_plans = reference.compute_utility(played.rules, plans, player, payoff_shift=2.5)
        assert by_plans == pytest.approx(float(utility) + 2.5, abs=ROUNDING)


@given(games_with_behavior())
def test_values_and_replies_in_random_games(played: Played) -> None:
    profile = played.profile
    for player in range(played.game.num_players):
        exact = float(reference.best_response(played.rules, played.table, player).value)
        reply = played.game.best_response(profile, player)
        assert reply.value == pytest.approx(exact, abs=ROUNDING)
        replying = profile.replace(player, reply.behavior).to_table()
        won = reference.compute_expected_utilities(played.rules, replying)[player]
        assert won == pytest.approx(exact, abs=ROUNDING)
        assert set(reply.behavior.tolist()) <= {0.0, 1.0}


@given(games_with_behavior())
def test_gains_and_nash_conv_in_random_games(played: Played) -> None:
    exact = [float(gain) for gain in reference.gains(played.rules, played.table)]
    assert played.game.gains(played.profile) == pytest.approx(exact, abs=ROUNDING)
    assert played.game.nash_conv(played.profile) == pytest.approx(sum(exact), abs=ROUNDING)


@given(games_with_behavior())
def test_best_response_equals_best_pure_strategy(played: Played) -> None:
    for player in range(played.game.num_players):
        infosets = reference.list_information_sets(played.rules, player).values()
        assume(prod(len(list_actions(i)) for i in infosets) <= MOST_PURE_STRATEGIES)
        tried = values.best_pure_value(played.rules, played.table, player)
        exact = reference.best_response(played.rules, played.table, player).value
        assert exact == pytest.approx(float(tried), abs=ROUNDING)


def test_ties_go_to_the_first_action() -> None:
    rules = games.identical_payoffs([[1, 1], [1, 1]]).rules
    uniform = reference.uniform(rules)
    assert reference.best_response(rules, uniform, 0).actions == {"row": "row 1"}
    assert reference.best_response(rules, uniform, 1).actions == {"column": "column 1"}


@every_game
def test_beliefs_are_the_others_reach_given_the_information_set(game: SequenceForm) -> None:
    profile = random_profile(game, 2)
    table = profile.to_table()
    for player in range(game.num_players):
        beliefs = make_belief_tree(game, player).compute_beliefs(profile)
        infosets = reference.list_information_sets(game.rules, player)
        nodes = {node.infoset: node for node in beliefs.root if node.kind == "decision"}
        assert nodes.keys() == infosets.keys()
        met = np.ones(beliefs.tree.num_nodes)
        for node in list(beliefs.root)[1:]:
            met[node.index] = met[beliefs.tree.parent[node.index]] * node.probability
        for label, histories in infosets.items():
            reach = [
                float(compute_counterfactual_reach(game.rules, table, player, h)) for h in histories
            ]
            assert met[nodes[label].index] == pytest.approx(sum(reach), abs=ROUNDING)
            believed = sorted(beliefs.belief[list(nodes[label].hypothesis_indices)].tolist())
            expected = sorted(r / sum(reach) for r in reach)
            assert believed == pytest.approx(expected, abs=ROUNDING)


def test_hidden_cards_are_believed_by_name() -> None:
    game = games.kuhn()
    profile = game.uniform().replace(
        0, [0.7, 0.3, 1.0, 0.0, 0.1, 0.9, *[0.5] * 6]
    )  # J bets 0.3, Q never, K 0.9
    beliefs = make_belief_tree(game, 1).compute_beliefs(profile)
    nodes = {node.infoset: node for node in beliefs.root if node.kind == "decision"}
    assert nodes["Q, bet"].beliefs == pytest.approx({"J": 0.25, "K": 0.75})
    assert nodes["Q, pass"].beliefs == pytest.approx({"J": 0.7 / 0.8, "K": 0.1 / 0.8})
    assert nodes["J, pass"].beliefs == pytest.approx({"Q": 1 / 1.1, "K": 0.1 / 1.1})
    assert nodes["J, bet"].beliefs == pytest.approx({"Q": 0.0, "K": 1.0})


@pytest.mark.parametrize("scale", [1e-3, 1e-9, 1e-200])
def test_beliefs_are_the_same_however_rare_what_was_seen(scale: float) -> None:
    game = games.kuhn()
    bets = [1.0 * scale, 0.0, 3.0 * scale]
    profile = game.uniform().replace(0, [*(p for bet in bets for p in (1 - bet, bet)), *[0.5] * 6])
    nodes = make_belief_tree(game, 1).compute_beliefs(profile).root
    seen = {node.infoset: node.beliefs for node in nodes if node.kind == "decision"}
    assert seen["Q, bet"] == pytest.approx({"J": 0.25, "K": 0.75})
    assert seen["K, bet"] == pytest.approx({"J": 1.0, "Q": 0.0})


KUHN = games.kuhn().rules
UNIFORM = reference.uniform(KUHN)


@pytest.mark.parametrize("player", [-1, 2, None, "x", 2.5, True])
@pytest.mark.parametrize(
    "ask",
    [
        lambda player: reference.best_response(KUHN, UNIFORM, player),
        lambda player: reference.list_information_sets(KUHN, player),
        lambda player: reference.compute_counterfactual_values(KUHN, UNIFORM, player),
        lambda player: reference.compute_realization_plan(KUHN, UNIFORM, player),
        lambda player: reference.iterate_pure_strategies(KUHN, player),
    ],
)
def test_reference_rejects_unknown_player(ask: Any, player: Any) -> None:
    with pytest.raises(SettingError, match=r"player index in KP\(2\) is .* from 0 to 1"):
        ask(player)


def test_reference_with_incomplete_behavior_names_what_it_lacks() -> None:
    some = {key: value for key, value in UNIFORM.items() if key != (1, "K, bet")}
    with pytest.raises(SettingError, match=r"behavior at \(1, 'K, bet'\) is None"):
        reference.nash_conv(KUHN, some)
    with pytest.raises(GameError, match=r"behavior at \(0, 'J'\) lacks 'pass'"):
        reference.nash_conv(KUHN, {**UNIFORM, (0, "J"): {"bet": 1.0}})
    alone = {key: value for key, value in UNIFORM.items() if key[0] == 0}
    assert reference.best_response(KUHN, alone, 1) == reference.best_response(KUHN, UNIFORM, 1)
    with pytest.raises(SettingError, match=r"behavior at \(1, '., pass'\) is None"):
        reference.compute_counterfactual_values(KUHN, alone, 1)


def test_replicated_with_shift_that_leaves_losses_is_refused() -> None:
    plans = reference.compute_realization_plans(KUHN, UNIFORM)
    with pytest.raises(SettingError, match=r"payoff_shift is -3\.0; it must make .* more than 2"):
        reference.replicate_plan(KUHN, plans, 0, -3.0)
    never = {q: 0.0 if q else 1.0 for q in plans[0]}
    with pytest.raises(SettingError, match="has no weight in the plan"):
        reference.compute_forced_plan(next(q for q in never if q), never)
