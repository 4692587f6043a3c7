"""Distances from equilibrium and performance, on numbers known from elsewhere."""

import pytest

import pokerlab as pl
from pokerlab.core import GameError

SIX_DIGITS = 5e-7
"""The numbers below are given to six decimals."""

UNIFORM = {
    2: ([1 / 8, -1 / 8], 11 / 12, 0.541667),
    3: ([0.234375, -0.046875, -0.1875], None, 0.822917),
    4: ([0.309896, 0.018229, -0.127604, -0.200521], None, 1.016146),
}


@pytest.mark.parametrize("players", UNIFORM)
def test_the_uniform_profile_of_kuhn_poker(players: int) -> None:
    utilities, distance, epsilon = UNIFORM[players]
    game = pl.games.kuhn(players)
    uniform = game.uniform()
    assert game.values(uniform) == pytest.approx(utilities, abs=SIX_DIGITS)
    assert pl.metrics.epsilon(game, uniform) == pytest.approx(epsilon, abs=SIX_DIGITS)
    if distance is not None:
        assert pl.metrics.nash_conv(game, uniform) == pytest.approx(distance, abs=SIX_DIGITS)
        assert pl.metrics.exploitability(game, uniform) == pl.metrics.nash_conv(game, uniform)
    assert pl.metrics.performance(game, uniform) == 0.0


def test_performance_is_the_sum_of_what_each_gains_alone() -> None:
    game = pl.games.kuhn(2)
    good = pl.solvers.SequenceFormLP(game).solve().profile
    base = game.uniform()
    gained = [
        game.values(base.replace(player, good))[player] - game.values(base)[player]
        for player in range(2)
    ]
    assert pl.metrics.performance(game, good) == pytest.approx(sum(gained))


def test_performance_is_for_compiled_games() -> None:
    with pytest.raises(GameError, match=r"such as games\.kuhn\(\); 'Kuhn' is not one"):
        pl.metrics.performance("Kuhn", pl.games.kuhn().uniform())  # type: ignore[arg-type]


def test_exploitability_is_for_two_players_only() -> None:
    game = pl.games.kuhn(3)
    with pytest.raises(GameError, match=r"KP\(3\) is a zero-sum game for 3\. Use nash_conv"):
        pl.metrics.exploitability(game, game.uniform())
