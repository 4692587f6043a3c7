"""The logit path: what lies on it, where it ends, and games of three players with known equilibria."""

from itertools import islice

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.core import ConvergenceError, SettingError, stream
from pokerlab.solvers.subgame.logit_path import LARGEST_CORRECTIONS, LogitPath, logit_path
from pokerlab.solvers.subgame.payoffs import largest_gain, own_payoffs, payoffs_of
from pokerlab.strategies.normal_form import pure_plans

EXACT = 1e-12
"""Newton's method ends at rounding."""


def mixes_of(payoffs: object) -> tuple[np.ndarray, ...]:
    return LogitPath()("a game", np.asarray(payoffs, dtype=float), ()).mixes


def test_players_on_the_path_respond_with_one_precision() -> None:
    """log pi(k) - log pi(l) = lambda (u(k) - u(l)), with one lambda for all players and strategies."""
    payoffs = stream(1, "path").random(size=(3, 4, 3, 2))
    seen = 0
    for mixes in islice(logit_path(payoffs, LARGEST_CORRECTIONS[0]), 12):
        logits, won = [], []
        for player, mix in enumerate(mixes):
            values = own_payoffs(payoffs[player], mixes, player)
            logits += (np.log(mix) - np.log(mix).mean()).tolist()
            won += (values - values.mean()).tolist()
        precision = np.dot(logits, won) / np.dot(won, won)
        assert logits == pytest.approx(precision * np.array(won), abs=1e-6 * max(1.0, precision))
        seen += 1
    assert seen == 12


def test_it_begins_with_uniform_mixes() -> None:
    first = next(logit_path(np.zeros((2, 3, 2)), LARGEST_CORRECTIONS[0]))
    assert [mix.tolist() for mix in first] == [[1 / 3] * 3, [1 / 2] * 2]


def test_matching_pennies() -> None:
    row = np.array([[2.0, -1.0], [-1.0, 1.0]])
    for mix in mixes_of([row, -row]):
        assert mix == pytest.approx([2 / 5, 3 / 5], abs=EXACT)


def test_the_safer_of_two_equilibria() -> None:
    """In a stag hunt hares are safer; at the start they win more."""
    row, column = [[3, 0], [2, 2]], [[3, 2], [0, 2]]
    assert [mix.tolist() for mix in mixes_of([row, column])] == [[0, 1], [0, 1]]


def test_three_players_who_would_rather_be_alone() -> None:
    """The safe action wins 1, the other 2 to who is alone with it: all play safe with 1/sqrt(2)."""
    payoffs = np.zeros((3, 2, 2, 2))
    for player in range(3):
        own = np.moveaxis(payoffs[player], player, 0)
        own[0] = 1.0
        own[1, 0, 0] = 2.0
    for mix in mixes_of(payoffs):
        assert mix[0] == pytest.approx(np.sqrt(0.5), abs=EXACT)


def test_nashs_three_player_poker_has_its_equilibrium() -> None:
    """Every player wins against one other and loses to the third: matching pennies in a ring.

    Player 1 wants to match 2, who wants to match 3, who wants to differ from 1: one half each.
    """
    payoffs = np.empty((3, 2, 2, 2))
    for a, b, c in np.ndindex(2, 2, 2):
        payoffs[:, a, b, c] = [a == b, b == c, c != a]
    for mix in mixes_of(payoffs):
        assert mix == pytest.approx([0.5, 0.5], abs=EXACT)


def test_four_players_with_dominant_strategies() -> None:
    payoffs = stream(2, "dominant").random(size=(4, 2, 3, 2, 3))
    for player, best in enumerate((1, 2, 0, 1)):
        np.moveaxis(payoffs[player], player, 0)[best] += 2.0
    for mix, best in zip(mixes_of(payoffs), (1, 2, 0, 1), strict=True):
        assert mix.tolist() == np.eye(1, len(mix), best)[0].tolist()


@pytest.mark.parametrize(
    "shape", [(7,), (10, 10), (1, 4, 3), (5, 5, 5), (8, 8, 8), (3, 3, 3, 3), (2,) * 6]
)
@pytest.mark.parametrize("whole", [False, True], ids=["normal", "whole"])
def test_random_games(shape: tuple[int, ...], whole: bool) -> None:
    source = stream(3, "random games")
    for _ in range(6):
        size = (len(shape), *shape)
        payoffs = (
            source.integers(0, 3, size=size).astype(float) if whole else source.normal(size=size)
        )
        mixes = mixes_of(payoffs)
        assert largest_gain(payoffs, mixes) <= 1e-9
        for mix in mixes:
            assert mix.sum() == pytest.approx(1.0, abs=1e-15)
            assert (mix[mix != 0.0] > 1e-12).all()


def test_strategies_that_are_worth_the_same() -> None:
    source = stream(4, "repeated")
    for _ in range(5):
        payoffs = source.normal(size=(3, 3, 3, 3))
        chosen = np.ix_(np.arange(3), *source.integers(0, 3, size=(3, 6)))
        repeated = payoffs[chosen]
        assert largest_gain(repeated, mixes_of(repeated)) <= EXACT


@pytest.mark.parametrize("factor", [1e-6, 1e6])
def test_the_unit_does_not_matter(factor: float) -> None:
    payoffs = stream(5, "unit").normal(size=(3, 4, 4, 4)) - 3.0
    for mix, same in zip(mixes_of(payoffs), mixes_of(factor * payoffs), strict=True):
        # In the smaller unit the tolerance is met earlier on the path.
        assert mix == pytest.approx(same, abs=1e-2 if factor < 1.0 else 1e-9)


@pytest.mark.parametrize("size", [10, 40])
def test_subgames_of_three_player_kuhn_poker(size: int) -> None:
    game = pl.games.kuhn(3)
    source = stream(6, "subgame")
    plans = [pure_plans(game, player) for player in range(3)]
    payoffs = payoffs_of(game, [own[source.choice(len(own), size, replace=False)] for own in plans])
    assert largest_gain(payoffs, mixes_of(payoffs)) <= EXACT


def test_a_path_that_is_too_long_names_the_game_and_the_way_out() -> None:
    payoffs = stream(7, "long").normal(size=(3, 3, 3, 3))
    message = r"the 3 x 3 x 3 subgame of skat leaves .* allowed is .* more than 2 steps"
    with pytest.raises(ConvergenceError, match=message):
        LogitPath(most_steps=2)("skat", payoffs, ())


def test_any_game_will_do() -> None:
    LogitPath().check(pl.games.kuhn(4))
    assert [mix.tolist() for mix in mixes_of(np.zeros((2, 1, 1)))] == [[1.0], [1.0]]


@pytest.mark.parametrize("settings", [{"tolerance": -1.0}, {"most_steps": 0}, {"most_steps": 1.5}])
def test_settings_outside_their_range_are_refused(settings: dict) -> None:
    with pytest.raises(SettingError, match=next(iter(settings))):
        LogitPath(**settings)
