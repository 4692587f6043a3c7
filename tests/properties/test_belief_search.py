"""Laws of the belief MDP and of the search on it."""

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.games import SequenceForm, compile_rules
from pokerlab.solvers.belief.tree import belief_tree
from pokerlab.solvers.belief.tree_search import SearchSettings, repeated_search, search
from tests.random_games import Played, games_with_behavior, random_profile, random_rules

ROUNDING = 1e-12  # sums of a few hundred products, utilities up to six
ERRORS = 4.0  # standard errors; one seed in 30,000 lies further out


@given(games_with_behavior())
def test_expectimax_over_all_levels_is_the_best_response(played: Played) -> None:
    game, profile = played.game, played.profile
    for player in range(game.num_players):
        beliefs = belief_tree(game, player).against(profile)
        best = game.best_response(profile, player).value
        assert beliefs.value == pytest.approx(best, abs=ROUNDING)
        assert search(beliefs, SearchSettings(depth=None), seed=1).value == beliefs.value


@given(games_with_behavior())
def test_each_information_set_is_one_node_and_its_histories_are_all_there(played: Played) -> None:
    game = played.game
    for player in range(game.num_players):
        tree = belief_tree(game, player)
        begin, end = game.infoset_start[player : player + 2]
        assert sorted(filter(None, tree.infoset)) == sorted(game.infoset_label[begin:end])
        nodes = tree.nodes
        ends = nodes.first_hypothesis[1:] - nodes.first_hypothesis[:-1]
        assert ends[nodes.kind == 0].sum() == game.num_histories_ended


@given(games_with_behavior())
def test_beliefs_and_natures_probabilities_sum_to_one_where_they_can_be_reached(
    played: Played,
) -> None:
    for player in range(played.game.num_players):
        beliefs = belief_tree(played.game, player).against(played.profile)
        reach = np.ones(beliefs.tree.num_nodes)
        for node in beliefs.root:
            reach[node.index] *= node.probability
            for child in node.children:
                reach[child.index] = reach[node.index]
            if reach[node.index] == 0.0:
                continue
            assert beliefs.belief[list(node.hypotheses)].sum() == pytest.approx(1.0)
            if node.kind in ("chance", "other"):
                assert sum(child.probability for child in node.children) == pytest.approx(1.0)


@given(games_with_behavior(), st.integers(0, 1000))
def test_the_repliers_own_part_changes_nothing(played: Played, seed: int) -> None:
    game, profile = played.game, played.profile
    settings = SearchSettings(depth=1, iterations=3)
    for player in range(game.num_players):
        tree = belief_tree(game, player)
        another = profile.replace(player, random_profile(game, seed))
        first, second = (search(tree.against(p), settings, seed=seed) for p in (profile, another))
        assert first == second


@given(games_with_behavior(), st.integers(1, 6), st.integers(1, 4))
def test_a_search_stays_within_the_payoffs(played: Played, depth: int, iterations: int) -> None:
    game = played.game
    for player in range(game.num_players):
        beliefs = belief_tree(game, player).against(played.profile)
        settings = SearchSettings(depth=depth, iterations=iterations)
        low, high = game.utility_range[player]
        assert low - ROUNDING <= search(beliefs, settings, seed=2).value <= high + ROUNDING


GROWN = [compile_rules(random_rules(seed, 2, depth=6, largest=10)) for seed in range(8)]


@pytest.mark.parametrize("game", GROWN, ids=lambda game: game.name)
@pytest.mark.parametrize("iterations", [1, 5, 40])
def test_playouts_fall_short_of_the_best_response(game: SequenceForm, iterations: int) -> None:
    profile = random_profile(game, 3)
    settings = SearchSettings(depth=1, iterations=iterations)
    for player in range(2):
        beliefs = belief_tree(game, player).against(profile)
        choices = [node for node in beliefs.root if node.kind == "decision"]
        if any(beliefs.tree.nodes.level[node.index] <= settings.depth for node in choices):
            continue  # the best of several averages may be too good
        estimate = repeated_search(beliefs, settings, 300, seed=4)
        assert estimate.value <= beliefs.value + ERRORS * estimate.standard_error + ROUNDING
