"""Games given by payoff matrices."""

from decimal import Decimal
from fractions import Fraction
from functools import partial

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.core import GameError, ShapeError
from pokerlab.games import Profile, Terminal
from pokerlab.games.matrix import MatrixGame, biased_rps_rules, bimatrix_rules
from tests.refusals import refused

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


NO_NUMBERS = (
    (float("nan"), "finite numbers; they are [[nan"),
    (float("inf"), "finite numbers; they are [[inf"),
    ("two", "'two'"),
    ("2", "'2' is not a real number"),
    (1j, "1j is not a real number"),
    (None, "None is not a real number"),
    ([1, 2], "Give rows of equal length"),
)
ACTIONS = ("dare", "swerve")
test_what_is_no_matrix_is_refused = refused(
    (lambda: pl.games.bimatrix([[1, 2]], [[1], [2]]), ShapeError, "(1, 2) and (2, 1)"),
    (lambda: pl.games.bimatrix([1, 2], [1, 2]), ShapeError, "have shape (2,); give a matrix"),
    (lambda: pl.games.bimatrix(3, 3), ShapeError, "have shape (); give a matrix"),
    (lambda: pl.games.bimatrix([[]], [[]]), ShapeError, "0 column actions"),
    *((partial(pl.games.bimatrix, [[x, 0]], [[0, 0]]), GameError, said) for x, said in NO_NUMBERS),
    *((partial(pl.games.bimatrix, [[0, 0]], [[x, 0]]), GameError, said) for x, said in NO_NUMBERS),
    (
        lambda: MatrixGame("chicken", [[1, 2]], [[1, 2]], ACTIONS, ACTIONS),
        ShapeError,
        "2 row actions",
    ),
)
