"""Games given by payoff matrices."""

from decimal import Decimal
from fractions import Fraction

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.games import Profile, Terminal
from pokerlab.games.matrix import MatrixGame, biased_rps_rules, bimatrix_rules

ROUNDING = 1e-12


def test_values_are_the_bilinear_form() -> None:
    generator = np.random.default_rng(1)
    payoffs = generator.integers(-9, 10, size=(2, 3, 4))
    game = pl.games.bimatrix(*payoffs)
    row, column = generator.dirichlet(np.ones(3)), generator.dirichlet(np.ones(4))
    profile = Profile(game, [*row, *column])
    assert game.values(profile) == pytest.approx(row @ payoffs @ column, abs=ROUNDING)
    gains = [max(payoffs[0] @ column), max(row @ payoffs[1])] - row @ payoffs @ column
    assert game.gains(profile) == pytest.approx(gains, abs=ROUNDING)


@pytest.mark.parametrize(
    ("row", "column", "row_wins"),
    [
        ("rock", "scissors", 50),
        ("paper", "rock", 25),
        ("scissors", "paper", 5),
        ("rock", "paper", -25),
        ("rock", "rock", 0),
    ],
)
def test_biased_rock_paper_scissors(row: str, column: str, row_wins: int) -> None:
    rules = biased_rps_rules()
    history = rules.after(rules.after(rules.start(), row), column)
    assert rules.turn(history) == Terminal((row_wins, -row_wins))


def test_the_column_player_has_not_seen_the_row() -> None:
    rules = biased_rps_rules()
    seen = {rules.turn(rules.after(rules.start(), row)) for row in ("rock", "paper", "scissors")}
    assert len(seen) == 1


def test_fractions_and_large_integers_are_kept_as_they_are() -> None:
    """Neither 2**60 + 1/2 nor 2**53 + 1 is a float, and one float makes no floats of the others."""
    exact = (Fraction(2**61 + 1, 2), 2**53 + 1, Fraction(1, 2))
    assert bimatrix_rules([[*exact[:2], 0.5]], [[0, 0, 0]]).payoffs[0] == (exact,)
    assert pl.games.bimatrix([[exact[0]]], [[0]]).rules.turn(("row 1", "column 1")) == Terminal(
        (exact[0], 0)
    )
    assert bimatrix_rules([[Decimal("0.1"), 0.1]], [[1e20, 0]]).payoffs == (
        ((Fraction(1, 10),) * 2,),
        ((10**20, 0),),
    )


@pytest.mark.parametrize(
    ("row_payoff", "column_payoff", "zero_sum"),
    [
        ([[1, -1]], [[-1, 1]], True),
        ([[1, -1]], [[-1, 2]], False),
        ([[0.1, 0.7]], [[-0.1, -0.7]], True),
    ],
)
def test_zero_sum_is_found_from_the_payoffs(
    row_payoff: list[list[float]], column_payoff: list[list[float]], zero_sum: bool
) -> None:
    assert pl.games.bimatrix(row_payoff, column_payoff).zero_sum is zero_sum


def test_identical_payoffs_give_both_the_same() -> None:
    game = pl.games.identical_payoffs([[3, 0], [0, 1]])
    profile = Profile(game, [0.25, 0.75, 0.5, 0.5])
    assert game.values(profile) == pytest.approx([0.75, 0.75], abs=ROUNDING)
    assert not game.zero_sum


@pytest.mark.parametrize(
    ("row_payoff", "column_payoff", "message"),
    [
        ([[1, 2]], [[1], [2]], r"\(1, 2\) and \(2, 1\)"),
        ([1, 2], [1, 2], r"have shape \(2,\); give a matrix"),
        (3, 3, r"have shape \(\); give a matrix"),
        ([[]], [[]], r"0 column actions"),
    ],
)
def test_wrong_shapes_are_refused(row_payoff: object, column_payoff: object, message: str) -> None:
    with pytest.raises(pl.core.ShapeError, match=message):
        pl.games.bimatrix(row_payoff, column_payoff)  # type: ignore[arg-type]


@pytest.mark.parametrize(
    ("wrong", "message"),
    [
        (float("nan"), "finite numbers; they are .*nan"),
        (float("inf"), "finite numbers; they are .*inf"),
        ("two", "not a matrix of numbers .*'two'"),
        ("2", "not a matrix of numbers .*'2' is not a real number"),
        (1j, "not a matrix of numbers .*1j is not a real number"),
        (None, "not a matrix of numbers .*None is not a real number"),
        ([1, 2], "not a matrix of numbers .*Give rows of equal length"),
    ],
)
def test_payoffs_that_are_no_numbers_are_refused(wrong: object, message: str) -> None:
    with pytest.raises(pl.core.GameError, match=message):
        pl.games.bimatrix([[wrong, 0]], [[0, 0]])
    with pytest.raises(pl.core.GameError, match=message):
        pl.games.bimatrix([[0, 0]], [[wrong, 0]])


def test_payoffs_must_fit_the_named_actions() -> None:
    with pytest.raises(pl.core.ShapeError, match=r"with 2 row actions.*both must be \(2, 2\)"):
        MatrixGame("chicken", [[1, 2]], [[1, 2]], ("dare", "swerve"), ("dare", "swerve"))
