"""Complementary pivoting, against exact equilibria, linear programs and best replies in the subgame."""

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.core import ConvergenceError, GameError, random_stream
from pokerlab.solvers.subgame import LemkeHowson
from pokerlab.solvers.subgame_payoffs import find_largest_gain
from tests.refusals import refused
from tests.unit.solvers.subgame.exact_equilibria import extreme_equilibria

# von Stengel (2007), game (3.5).
ROW = np.array([[3, 3], [2, 5], [0, 6]])
COLUMN = np.array([[3, 2], [2, 6], [3, 1]])

EXACT = 1e-12
"""Pivoting on payoffs between 1 and 2 leaves rounding of a few units in the last place."""


def extract_mixtures(payoffs: np.ndarray, **settings: int) -> tuple[np.ndarray, ...]:
    return LemkeHowson(**settings).solve(np.asarray(payoffs, dtype=float)).mixtures


def assert_tidy(mixes: tuple[np.ndarray, ...]) -> None:
    for mix in mixes:
        assert mix.dtype == np.float64
        assert mix.sum() == pytest.approx(1.0, abs=1e-15)
        assert (mix[mix != 0.0] > 1e-12).all()


def test_lemke_howson_first_pivot_selects_the_equilibrium() -> None:
    """von Stengel (2007), example 3.6: label 2 leads to the pure equilibrium's neighbor."""
    payoffs = np.array([ROW, COLUMN], dtype=float)
    ends = {
        tuple(np.concatenate(extract_mixtures(payoffs, first_pivot=k)).round(12)) for k in range(5)
    }
    known = {
        tuple(np.array((*x, *y), dtype=float).round(12)) for x, y in extreme_equilibria(ROW, COLUMN)
    }
    assert len(ends) > 1
    assert ends <= known
    assert extract_mixtures(payoffs, first_pivot=1)[0] == pytest.approx(
        [0, 1 / 3, 2 / 3], abs=EXACT
    )


def test_lemke_howson_labels_wrap_around() -> None:
    payoffs = np.array([ROW, COLUMN], dtype=float)
    for mix, same in zip(
        extract_mixtures(payoffs, first_pivot=1),
        extract_mixtures(payoffs, first_pivot=11),
        strict=True,
    ):
        assert (mix == same).all()


@pytest.mark.parametrize("size", [1, 2, 5, 16, 40])
def test_lemke_howson_solves_large_and_degenerate_games(size: int) -> None:
    """Among them are games on which the first label's pivots cycle, for want of exact numbers."""
    source = random_stream(size, "degenerate")
    for _ in range(10):
        payoffs = source.integers(0, 3, size=(2, size, size)).astype(float)
        mixes = extract_mixtures(payoffs)
        assert find_largest_gain(payoffs, mixes) <= EXACT * 100
        assert_tidy(mixes)


@pytest.mark.parametrize("factor", [1e-9, 1e-3, 1e3, 1e6])
def test_lemke_howson_does_not_depend_on_the_unit(factor: float) -> None:
    payoffs = random_stream(4, "unit").normal(size=(2, 6, 6)) - 5.0
    for mix, same in zip(
        extract_mixtures(payoffs), extract_mixtures(factor * payoffs), strict=True
    ):
        assert mix == pytest.approx(same, abs=EXACT)


def test_lemke_howson_solves_payoffs_of_very_different_sizes() -> None:
    source = random_stream(5, "sizes")
    for _ in range(50):
        sizes = 10.0 ** source.integers(-6, 7, size=(2, 6, 5))
        payoffs = source.integers(0, 3, size=(2, 6, 5)) * sizes
        assert find_largest_gain(payoffs, extract_mixtures(payoffs)) <= 1e-9 * max(
            1.0, payoffs.max()
        )


def test_lemke_howson_tries_the_next_label_where_pivoting_fails(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    import quantecon.game_theory

    payoffs = np.array([ROW, COLUMN], dtype=float)
    expected = extract_mixtures(payoffs, first_pivot=3)
    pivoting, tried = quantecon.game_theory.lemke_howson, []

    def sometimes(game: object, init_pivot: int, max_iter: int) -> object:
        tried.append(init_pivot)
        if init_pivot == 1:
            raise ZeroDivisionError
        if init_pivot == 2:
            return np.full(3, np.nan), np.full(2, 0.5)
        return pivoting(game, init_pivot=init_pivot, max_iter=max_iter)

    monkeypatch.setattr(quantecon.game_theory, "lemke_howson", sometimes)
    mixes = extract_mixtures(payoffs, first_pivot=1)
    assert tried == [1, 2, 3]
    assert all((mix == same).all() for mix, same in zip(mixes, expected, strict=True))


def test_lemke_howson_without_end_names_the_game_and_the_remedy() -> None:
    payoffs = random_stream(6, "hard").normal(size=(2, 12, 12))
    words = r"to 1e-09 of the 12 x 12 subgame of bridge.*1 pivots each.*larger tolerance"
    with pytest.raises(ConvergenceError, match=words):
        LemkeHowson(most_pivots=1).solve(payoffs / np.abs(payoffs).max(), name="bridge")


test_lemke_howson_rejects_other_games_and_bad_settings = refused(
    (
        lambda: LemkeHowson().check_game(pl.games.kuhn(3)),
        GameError,
        "is a game for 3. Use solvers.PSRO",
    ),
    (lambda: LemkeHowson(first_pivot=-1), "first_pivot"),
    (lambda: LemkeHowson(first_pivot=0.5), "first_pivot"),
    (lambda: LemkeHowson(most_pivots=0), "most_pivots"),
    (lambda: LemkeHowson(most_pivots=True), "most_pivots"),
    (lambda: LemkeHowson(tolerance=-1e-9), "tolerance"),
    (lambda: LemkeHowson(tolerance=float("nan")), "tolerance"),
)
