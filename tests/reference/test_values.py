"""Expected utilities of compiled games against the recursion on histories."""

from collections.abc import Callable
from fractions import Fraction

import numpy as np
import pytest
from hypothesis import given

from pokerlab import games, reference
from pokerlab.games import SequenceForm
from tests.random_games import Played, games_with_behavior, random_profile

ROUNDING = 1e-12  # a few thousand additions of numbers up to ten


@given(games_with_behavior())
def test_values_of_random_games(played: Played) -> None:
    exact = reference.expected_utilities(played.rules, played.table)
    values = played.game.values(played.profile)
    assert values == pytest.approx([float(u) for u in exact], abs=ROUNDING)


@pytest.mark.parametrize(
    "make",
    [
        lambda: games.kuhn(2),
        lambda: games.kuhn(3),
        lambda: games.kuhn(4),
        lambda: games.one_card_poker(8),
        lambda: games.biased_rps(),
        lambda: games.two_round_poker("paired", 2),
        lambda: games.leduc(2),
    ],
    ids=["KP(2)", "KP(3)", "KP(4)", "8-card", "biased RPS", "two-round", "Leduc"],
)
def test_values_of_known_games(make: Callable[[], SequenceForm]) -> None:
    game = make()
    profile = random_profile(game, seed=1)
    slow = reference.expected_utilities(game.rules, profile.table())
    assert game.values(profile) == pytest.approx(np.array(slow), abs=ROUNDING)


def test_fractions_give_exact_values() -> None:
    rules = games.kuhn(2).rules
    uniform = {
        infoset: {action: Fraction(1, len(sigma)) for action in sigma}
        for infoset, sigma in reference.uniform(rules).items()
    }
    assert reference.expected_utilities(rules, uniform) == (Fraction(1, 8), Fraction(-1, 8))
    assert reference.nash_conv(rules, uniform) == Fraction(11, 12)


@given(games_with_behavior())
def test_values_by_realization_plans(played: Played) -> None:
    plans = reference.realization_plans(played.rules, played.table)
    exact = reference.expected_utilities(played.rules, played.table)
    for player, utility in enumerate(exact):
        by_plans = reference.utility(played.rules, plans, player, payoff_shift=2.5)
        assert by_plans == pytest.approx(float(utility) + 2.5, abs=ROUNDING)
