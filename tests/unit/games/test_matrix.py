"""Games given by payoff matrices."""

import pickle
from decimal import Decimal
from fractions import Fraction
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.core import GameError, ShapeError, random_stream
from pokerlab.games import Profile, Terminal, compile_rules
from pokerlab.games.matrix_games import MatrixGame, make_biased_rps_rules, make_bimatrix_rules
from tests.random_games import random_profile
from tests.refusals import refused
from tests.same_arrays import assert_same_arrays

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
    rules = make_biased_rps_rules()
    history = rules.after(rules.after(rules.start(), row), column)
    assert rules.turn(history) == Terminal((row_wins, -row_wins))


def test_bimatrix_column_player_does_not_see_the_row() -> None:
    rules = make_biased_rps_rules()
    seen = {rules.turn(rules.after(rules.start(), row)) for row in ("rock", "paper", "scissors")}
    assert len(seen) == 1


def test_bimatrix_keeps_fractions_and_large_integers() -> None:
    """Neither 2**60 + 1/2 nor 2**53 + 1 is a float, and one float makes no floats of the others."""
    exact = (Fraction(2**61 + 1, 2), 2**53 + 1, Fraction(1, 2))
    assert make_bimatrix_rules([[*exact[:2], 0.5]], [[0, 0, 0]]).payoffs[0] == (exact,)
    # The float nearest to 2**53 + 1 is 2**53, the largest in this matrix.
    assert make_bimatrix_rules([[2**53 + 1, 1]], [[0, 0]]).payoffs[0] == ((2**53 + 1, 1),)
    thirds = (Fraction(1, 3), Fraction(2, 3))  # small, and no floats either
    assert make_bimatrix_rules([thirds], [[0, 0]]).payoffs[0] == (thirds,)
    assert pl.games.bimatrix([[exact[0]]], [[0]]).rules.turn(("row 1", "column 1")) == Terminal(
        (exact[0], 0)
    )
    assert make_bimatrix_rules([[Decimal("0.1"), 0.1]], [[1e20, 0]]).payoffs == (
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
def test_bimatrix_zero_sum_follows_from_payoffs(
    row_payoff: list[list[float]], column_payoff: list[list[float]], zero_sum: bool
) -> None:
    assert pl.games.bimatrix(row_payoff, column_payoff).zero_sum is zero_sum


def test_identical_payoffs_are_equal_for_both_players() -> None:
    game = pl.games.identical_payoffs([[3, 0], [0, 1]])
    profile = Profile(game, [0.25, 0.75, 0.5, 0.5])
    assert game.values(profile) == pytest.approx([0.75, 0.75], abs=ROUNDING)
    assert not game.zero_sum


class Walked(MatrixGame):
    """The same game, of which the compiler only knows that it has rules."""


def some_payoffs(kind: str, rows: int, columns: int) -> Any:
    rng = random_stream(rows, "payoffs", columns)
    if kind == "whole numbers":
        return rng.integers(-3, 4, (rows, columns))
    floats = rng.normal(size=(rows, columns)) * 10.0 ** rng.integers(-5, 6, (rows, columns))
    if kind == "floats":
        return floats
    if kind == "rounded floats":
        return np.round(floats.astype(np.float32), 1)
    numbers = [Fraction(1, 3), Decimal("-0.1"), -0.0, 2**60 + 1, True, np.float32(0.1), np.int8(-4)]
    return [[numbers[i] for i in row] for row in rng.integers(len(numbers), size=(rows, columns))]


@pytest.mark.parametrize("kind", ["whole numbers", "floats", "rounded floats", "any numbers"])
@pytest.mark.parametrize("shape", [(1, 1), (1, 7), (5, 1), (3, 3), (8, 13), (31, 20)])
def test_matrix_game_is_compiled_as_its_rules_are(kind: str, shape: tuple[int, int]) -> None:
    payoffs = [some_payoffs(kind, *shape), some_payoffs(kind, *shape[::-1])]
    second = np.array(payoffs[1], dtype=object).T
    actions = [[f"{word} {i}" for i in range(k)] for word, k in zip("ab", shape, strict=True)]
    game, walked = (
        compile_rules(make("some game", payoffs[0], second, *actions))
        for make in (MatrixGame, Walked)
    )
    assert_same_arrays(game, walked)
    assert game.rules.payoffs == walked.rules.payoffs  # type: ignore[attr-defined]


def test_matrix_game_compiles_without_visiting_cells(monkeypatch: pytest.MonkeyPatch) -> None:
    def never(*cell: int) -> None:
        raise AssertionError(f"asked for {cell}")

    monkeypatch.setattr("pokerlab.games.matrix_games.PayoffMatrix.get_exact_payoff", never)
    payoff = random_stream(1, "payoffs").normal(size=(200, 300))
    game = pl.games.bimatrix(payoff, -payoff)
    assert game.num_histories_ended == 60_000
    assert game.zero_sum


def test_matrix_game_keeps_what_it_was_given() -> None:
    payoff = np.array([[1.5, -2.0], [0.0, 1.0]])
    game = pl.games.bimatrix(payoff, -payoff)
    payoff[:] = 7.0
    assert game.rules.turn(("row 1", "column 1")) == Terminal((Fraction(3, 2), Fraction(-3, 2)))


def test_rules_of_a_large_matrix_serve_as_any_rules(tmp_path: Path) -> None:
    payoff = random_stream(1, "payoffs").integers(-9, 10, (12, 9)) / 10
    game = pl.games.bimatrix(payoff, -payoff)
    again = pickle.loads(pickle.dumps(game))
    assert again.fingerprint == game.fingerprint
    assert pl.games.check_rules(again.rules).num_ends == 108
    read = pl.games.read_efg(pl.games.write_efg(again, tmp_path / "game.efg"))
    assert read.payoff.tolist() == game.payoff.tolist()
    assert "gets" in pl.games.describe_playthrough(game.rules, ["row 12", "column 9"])
    profile = random_profile(game, 1)
    assert pl.reference.nash_conv(game.rules, profile.to_table()) == pytest.approx(
        game.nash_conv(profile), abs=ROUNDING
    )
    locked = pl.games.lock_infosets(game, profile, where=1)
    value = profile.probabilities[12:] @ payoff.T
    assert locked.best_response(locked.uniform(), 0).value == pytest.approx(value.max())


NO_NUMBERS = (
    (float("nan"), "finite numbers; at (1, 1), counted from 1, is nan"),
    (float("inf"), "finite numbers; at (1, 1), counted from 1, is inf"),
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
        lambda: pl.games.identical_payoffs(np.ma.masked_equal([[1, 2], [5, 3]], 5)),
        GameError,
        "masked at (2, 1), counted from 1. Give a number for every cell",
    ),
    (
        lambda: compile_rules(MatrixGame("chicken", *[np.eye(2)] * 2, ACTIONS, ("dare",) * 2)),
        GameError,
        "actions ('dare', 'dare') at history 'dare' of chicken; at least one is needed, each once",
    ),
    (
        lambda: MatrixGame("chicken", [[1, 2]], [[1, 2]], ACTIONS, ACTIONS),
        ShapeError,
        "2 row actions",
    ),
)
