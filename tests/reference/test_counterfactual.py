"""Counterfactual values of compiled games against eq. 7 of Lanctot (2014)."""

import numpy as np
import pytest
from hypothesis import given

from pokerlab import games, reference
from pokerlab.games import Profile, Rules, SequenceForm
from pokerlab.games.tree_passes import compute_counterfactual_values
from pokerlab.reference.definitions import Behavior
from tests.random_games import Played, games_with_behavior, random_profile

ROUNDING = 1e-12  # a few thousand additions of numbers up to ten


def in_order(game: SequenceForm, rules: Rules, table: Behavior) -> tuple[list[float], list[float]]:
    """Return reference values of choices and of information sets in the order of the arrays."""
    by_player = [
        reference.compute_counterfactual_values(rules, table, p) for p in range(rules.num_players)
    ]
    choices: list[float] = []
    infosets: list[float] = []
    for player, label in game.infoset_index:
        value = by_player[player][label]
        choices += [float(v) for v in value.values()]
        sigma = table[player, label]
        infosets.append(float(sum(sigma[action] * v for action, v in value.items())))
    return choices, infosets


def check(game: SequenceForm, profile: Profile, table: Behavior) -> None:
    choices, infosets = in_order(game, game.rules, table)
    fast = compute_counterfactual_values(game.block, profile.probabilities)
    assert fast == pytest.approx(np.array(choices + infosets), abs=ROUNDING)


@given(games_with_behavior())
def test_counterfactual_values_of_random_games(played: Played) -> None:
    check(played.game, played.profile, played.table)


@pytest.mark.parametrize("game", [games.kuhn(2), games.kuhn(3), games.biased_rps()], ids=repr)
def test_counterfactual_values_of_known_games(game: SequenceForm) -> None:
    profile = random_profile(game, seed=4)
    check(game, profile, profile.to_table())
