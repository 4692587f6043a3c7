"""Laws of the belief MDP and of the search on it."""

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.solvers.beliefs import make_belief_tree
from pokerlab.solvers.tree_search import SearchSettings, search_best_response
from tests.random_games import Played, games_with_behavior, random_profile

ROUNDING = 1e-12  # sums of a few hundred products, utilities up to six


@given(games_with_behavior())
def test_expectimax_over_all_levels_equals_the_best_response(played: Played) -> None:
    game, profile = played.game, played.profile
    for player in range(game.num_players):
        beliefs = make_belief_tree(game, player).compute_beliefs(profile)
        best = game.best_response(profile, player).value
        assert beliefs.value == pytest.approx(best, abs=ROUNDING)
        assert (
            search_best_response(beliefs, SearchSettings(depth=None), seed=1).value == beliefs.value
        )


@given(games_with_behavior(), st.integers(0, 1000))
def test_search_ignores_the_responders_own_part(played: Played, seed: int) -> None:
    game, profile = played.game, played.profile
    settings = SearchSettings(depth=1, iterations=3)
    for player in range(game.num_players):
        tree = make_belief_tree(game, player)
        another = profile.replace(player, random_profile(game, seed))
        first, second = (
            search_best_response(tree.compute_beliefs(p), settings, seed=seed)
            for p in (profile, another)
        )
        assert first == second
