"""What a player gains at each information set once it is reached."""

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.core import GameError
from pokerlab.games import Profile, SequenceForm, compile_rules
from pokerlab.reference.definitions import (
    compute_counterfactual_reach,
    compute_expected_utilities,
    list_actions,
    list_information_sets,
)
from studies.lanctot2014.sequential_gains import sequential_gains
from tests.oracles.values import value_of_belief
from tests.random_games import random_profile, random_rules

GAMES = [
    pl.games.kuhn(2),
    pl.games.kuhn(3),
    *(compile_rules(random_rules(k, 1 + k)) for k in range(4)),
]
ROUNDING = 1e-10
"""Relative to payoffs of up to 10,000."""


def gains_by_beliefs(game: SequenceForm, profile: Profile, player: int) -> dict[str, float]:
    """Return the gains from their definition: the best plan from a belief on, less what is played."""
    table, gains = profile.to_table(), {}
    for label, infoset in list_information_sets(game.rules, player).items():
        weights = [
            float(compute_counterfactual_reach(game.rules, table, player, h)) for h in infoset
        ]
        belief = [(w / sum(weights), h.history) for w, h in zip(weights, infoset, strict=True)]
        best = max(
            value_of_belief(
                game.rules, table, player, [(p, game.rules.after(h, a)) for p, h in belief]
            )
            for a in list_actions(infoset)
        )
        played = sum(
            p * compute_expected_utilities(game.rules, table, h)[player] for p, h in belief
        )
        gains[label] = float(best - played)
    return gains


@pytest.mark.parametrize("game", GAMES, ids=repr)
def test_sequential_gains_equal_belief_search(game: SequenceForm) -> None:
    profile = random_profile(game, 1)
    gains = sequential_gains(game, profile)
    scale = float(np.abs(game.payoff).max())
    for player in range(game.num_players):
        expected = gains_by_beliefs(game, profile, player)
        mine = [float(gains[game.find_infoset(player, label)]) for label in expected]
        assert mine == pytest.approx(list(expected.values()), abs=ROUNDING * scale)


def test_sequential_gains_count_rare_mistakes_in_full() -> None:
    game = pl.games.kuhn()
    table = pl.workbench.kuhn_equilibrium(1 / 3).to_table() | {
        (0, "Q"): {"pass": 1 - 1e-9, "bet": 1e-9},
        (1, "Q, pass"): {"pass": 1 - 1e-9, "bet": 1e-9},
    }
    rare = Profile.from_table(game, table | {(0, "K, pass-bet"): {"pass": 1.0, "bet": 0.0}})
    where = game.find_infoset(0, "K, pass-bet")
    assert sequential_gains(game, rare)[where] == pytest.approx(3.0)  # loses 1 instead of winning 2


def test_sequential_gains_reject_unreachable_infosets() -> None:
    game = pl.games.kuhn()
    table = game.uniform().to_table()
    nobody_bets = {key: {"pass": 1.0, "bet": 0.0} for key in table if key[0] == 0}
    with pytest.raises(
        GameError, match=r"the others never lead to '., bet' of player 2; give each"
    ):
        sequential_gains(game, Profile.from_table(game, table | nobody_bets))
