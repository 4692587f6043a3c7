"""Laws of profiles: behavior, plans and tables say the same."""

import numpy as np
import pytest
from hypothesis import given

from pokerlab.games import Profile
from tests.random_games import Played, games_with_behavior

ROUNDING = 1e-12  # a few products and quotients of probabilities


def plans_of(profile: Profile) -> list[np.ndarray]:
    return [profile.plan(player) for player in range(profile.game.num_players)]


@given(games_with_behavior())
def test_behavior_to_plan_and_back_where_reached(played: Played) -> None:
    game, profile = played.game, played.profile
    back = Profile.from_plans(game, plans_of(profile))
    for player in range(game.num_players):
        treeplex, plan = game.treeplex(player), profile.plan(player)
        there, returned = profile.of(player), back.of(player)
        for parent, first, size in zip(*treeplex, strict=True):
            block = slice(first - 1, first - 1 + size)
            if plan[parent] > 0:
                assert returned[block] == pytest.approx(there[block], abs=ROUNDING)
            else:
                assert (returned[block] == 1.0 / size).all()


@given(games_with_behavior())
def test_plan_to_behavior_and_back(played: Played) -> None:
    plans = plans_of(played.profile)
    back = plans_of(Profile.from_plans(played.game, plans))
    for plan, returned in zip(plans, back, strict=True):
        assert returned == pytest.approx(plan, abs=ROUNDING)


@given(games_with_behavior())
def test_behavior_survives_the_table(played: Played) -> None:
    profile = played.profile
    again = Profile.from_table(played.game, profile.table())
    assert (again.probabilities == profile.probabilities).all()
    table = {key: {a: float(p) for a, p in s.items()} for key, s in played.table.items()}
    assert profile.table() == table


@given(games_with_behavior())
def test_replacing_a_player_changes_that_player_only(played: Played) -> None:
    uniform, profile = played.game.uniform(), played.profile
    for player in range(played.game.num_players):
        mixed = uniform.replace(player, profile)
        for other in range(played.game.num_players):
            source = profile if other == player else uniform
            assert (mixed.of(other) == source.of(other)).all()
