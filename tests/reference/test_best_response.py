"""Best responses of compiled games against the recursion, and the recursion against trying everything."""

from math import prod

import pytest
from hypothesis import assume, given

from pokerlab import games, reference
from pokerlab.games import SequenceForm
from tests.random_games import Played, games_with_behavior, random_profile

ROUNDING = 1e-12  # a few thousand additions of numbers up to ten
MOST_PURE_STRATEGIES = 200


@given(games_with_behavior())
def test_values_and_replies_in_random_games(played: Played) -> None:
    profile = played.profile
    for player in range(played.game.num_players):
        exact = float(reference.best_response(played.rules, played.table, player).value)
        reply = played.game.best_response(profile, player)
        assert reply.value == pytest.approx(exact, abs=ROUNDING)
        replying = profile.replace(player, reply.behavior).table()
        won = reference.expected_utilities(played.rules, replying)[player]
        assert won == pytest.approx(exact, abs=ROUNDING)
        assert set(reply.behavior.tolist()) <= {0.0, 1.0}


@given(games_with_behavior())
def test_gains_and_nash_conv_in_random_games(played: Played) -> None:
    exact = [float(gain) for gain in reference.gains(played.rules, played.table)]
    assert played.game.gains(played.profile) == pytest.approx(exact, abs=ROUNDING)
    assert played.game.nash_conv(played.profile) == pytest.approx(sum(exact), abs=ROUNDING)


@given(games_with_behavior())
def test_recursion_finds_what_trying_all_pure_strategies_finds(played: Played) -> None:
    for player in range(played.game.num_players):
        infosets = reference.information_sets(played.rules, player).values()
        assume(prod(len(reference.actions_at(i)) for i in infosets) <= MOST_PURE_STRATEGIES)
        tried = reference.best_pure_value(played.rules, played.table, player)
        exact = reference.best_response(played.rules, played.table, player).value
        assert exact == pytest.approx(float(tried), abs=ROUNDING)


@pytest.mark.parametrize(
    "game", [games.kuhn(2), games.kuhn(3), games.one_card_poker(8), games.biased_rps()], ids=repr
)
def test_gains_in_known_games(game: SequenceForm) -> None:
    profile = random_profile(game, seed=2)
    slow = reference.gains(game.rules, profile.table())
    assert game.gains(profile) == pytest.approx(slow, abs=ROUNDING)
    assert game.nash_conv(profile) == pytest.approx(sum(slow), abs=ROUNDING)


def test_kuhn_by_trying_all_pure_strategies() -> None:
    game = games.kuhn(2)
    profile = random_profile(game, seed=3)
    for player in range(2):
        tried = reference.best_pure_value(game.rules, profile.table(), player)
        assert game.best_response(profile, player).value == pytest.approx(tried, abs=ROUNDING)


def test_ties_go_to_the_first_action() -> None:
    rules = games.identical_payoffs([[1, 1], [1, 1]]).rules
    uniform = reference.uniform(rules)
    assert reference.best_response(rules, uniform, 0).actions == {"row": "row 1"}
    assert reference.best_response(rules, uniform, 1).actions == {"column": "column 1"}
