"""What a profile gains against random players and best responses, and which games are refused."""

from collections.abc import Callable

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.core import GameError
from pokerlab.games import SequenceForm
from tests.random_games import random_profile


def test_metrics_equal_methods_of_the_game() -> None:
    game = pl.games.kuhn()
    profile = random_profile(game, 3)
    assert pl.metrics.epsilon(game, profile) == game.gains(profile).max()
    assert pl.metrics.exploitability(game, profile) == game.nash_conv(profile)
    assert pl.metrics.nash_conv(game, profile) == game.nash_conv(profile)
    assert pl.metrics.performance(game, game.uniform()) == 0.0


def test_performance_equals_sum_of_single_gains() -> None:
    game = pl.games.kuhn(2)
    good = pl.solvers.SequenceFormLP(game).solve().profile
    base = game.uniform()
    gained = [(game.values(base.replace(p, good)) - game.values(base))[p] for p in range(2)]
    assert pl.metrics.performance(game, good) == pytest.approx(sum(gained))


def test_performance_is_for_compiled_games() -> None:
    with pytest.raises(GameError, match="game is 'Kuhn'; give a compiled one"):
        pl.metrics.performance("Kuhn", pl.games.kuhn().uniform())  # type: ignore[arg-type]


@pytest.mark.parametrize(
    "metric", [pl.metrics.nash_conv, pl.metrics.exploitability, pl.metrics.epsilon]
)
def test_metrics_reject_contests(metric: Callable[..., float]) -> None:
    sums = pl.games.contest(lambda a, b, seed: float(a - b), name="sums", unit=pl.core.POINTS)
    with pytest.raises(
        GameError, match=r"best responses in sums cannot be computed; .*rate_players"
    ):
        metric(sums, np.zeros(3))


@pytest.mark.parametrize(
    "metric", [pl.metrics.nash_conv, pl.metrics.exploitability, pl.metrics.epsilon]
)
def test_metrics_of_a_class_of_games_are_refused(metric: Callable[..., float]) -> None:
    with pytest.raises(GameError, match=r"best responses in .* cannot be computed"):
        metric(SequenceForm, pl.games.kuhn().uniform())


def test_exploitability_is_for_two_players_only() -> None:
    game = pl.games.kuhn(3)
    with pytest.raises(GameError, match=r"KP\(3\) is a zero-sum game for 3\. Use nash_conv"):
        pl.metrics.exploitability(game, game.uniform())
