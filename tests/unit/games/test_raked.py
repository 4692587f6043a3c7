"""Poker with a rake: what is left of the pots, and what is refused."""

from fractions import Fraction

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.core import GameError, SettingError
from pokerlab.games import Profile


def always(game: pl.games.SequenceForm, action: int) -> Profile:
    behavior = np.zeros(game.num_probabilities)
    behavior[game.first_sequence - game.num_players + action] = 1.0
    return Profile(game, behavior)


def test_the_winner_leaves_a_share_of_the_pot() -> None:
    """Nobody bets: a pot of 2 chips, won by either half of the time. All bet: a pot of 4."""
    for action, pot in ((0, 2), (1, 4)):
        game = pl.games.raked(pl.games.kuhn(), 0.05)
        values = game.values(always(game, action))
        assert values.sum() == pytest.approx(-0.05 * pot, abs=1e-12)
        assert values[0] == pytest.approx(values[1], abs=1e-12)


def test_without_a_rake_it_is_the_game_itself() -> None:
    game = pl.games.raked(pl.games.kuhn(), 0)
    assert game.zero_sum
    assert pl.solvers.SequenceFormLP(game).solve().value == pytest.approx(-1 / 18, abs=1e-9)


def test_the_rules_are_rules() -> None:
    report = pl.games.check_rules(pl.games.raked(pl.games.kuhn(), Fraction(1, 20)).rules)
    assert (report.num_ends, report.zero_sum) == (30, False)
    assert (report.lowest, report.highest) == (-2, 2 - Fraction(4, 20))


def test_what_cannot_be_raked_is_refused() -> None:
    with pytest.raises(GameError, match=r"KP\(3\) is not a zero-sum game for two"):
        pl.games.raked(pl.games.kuhn(3), 0.05)
    for share in (-0.01, 0.5, float("nan"), True, "5%"):
        with pytest.raises(SettingError, match="the rake is"):
            pl.games.raked(pl.games.kuhn(), share)
