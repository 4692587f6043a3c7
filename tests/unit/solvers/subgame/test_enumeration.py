"""All equilibria of games in matrices, against exact fractions and known games."""

from itertools import product
from typing import Any

import numpy as np
import pytest

from pokerlab.core import ConvergenceError, SettingError, ShapeError, stream
from pokerlab.solvers.subgame import enumeration
from pokerlab.solvers.subgame.enumeration import Equilibria, all_equilibria
from pokerlab.solvers.subgame.payoffs import largest_gain
from tests.unit.solvers.subgame.exact_equilibria import extreme_equilibria

EXACT = 1e-12
"""Mixes are solved for once their labels are known; what is left is rounding."""

# von Stengel (2007), games (3.5) and (3.7): the second is degenerate.
ROW = [[3, 3], [2, 5], [0, 6]]
COLUMN = [[3, 2], [2, 6], [3, 1]]
DEGENERATE_COLUMN = [[3, 3], [2, 6], [3, 1]]


def pairs(equilibria: Equilibria) -> list[tuple[float, ...]]:
    return [tuple(mix) for mix in np.hstack([equilibria.row_mixes, equilibria.column_mixes])]


def assert_exact(row: np.ndarray, column: np.ndarray) -> None:
    exact = [tuple(map(float, (*x, *y))) for x, y in extreme_equilibria(row, column)]
    found, expected = (
        np.array(sorted(mixes, key=lambda pair: np.round(pair, 6).tolist()))
        for mixes in (pairs(all_equilibria(row, column)), exact)
    )
    assert found.shape == expected.shape
    assert found == pytest.approx(expected, abs=EXACT)


def test_a_game_with_three_equilibria() -> None:
    found = all_equilibria(ROW, COLUMN)
    expected = [
        (1, 0, 0, 1, 0),
        (4 / 5, 1 / 5, 0, 2 / 3, 1 / 3),
        (0, 1 / 3, 2 / 3, 1 / 3, 2 / 3),
    ]
    assert pairs(found) == [pytest.approx(pair, abs=EXACT) for pair in expected]
    assert found.payoffs == pytest.approx(np.array([[3, 3], [3, 14 / 5], [4, 8 / 3]]), abs=EXACT)
    assert found.component.tolist() == [0, 1, 2]
    assert not found.continuum


def test_a_continuum_is_reported_as_such() -> None:
    found = all_equilibria(ROW, DEGENERATE_COLUMN)
    expected = [
        (1, 0, 0, 1, 0),
        (1, 0, 0, 2 / 3, 1 / 3),
        (0, 1 / 3, 2 / 3, 1 / 3, 2 / 3),
    ]
    assert pairs(found) == [pytest.approx(pair, abs=EXACT) for pair in expected]
    assert found.component.tolist() == [0, 0, 1]
    assert found.is_continuum.tolist() == [True, False]
    assert found.continuum


def test_every_two_by_two_game_of_zeros_and_ones() -> None:
    """Nearly all of them are degenerate."""
    for entries in product((0, 1), repeat=8):
        payoffs = np.array(entries).reshape(2, 2, 2)
        assert_exact(payoffs[0], payoffs[1])


@pytest.mark.parametrize("seed", range(8))
def test_small_degenerate_games(seed: int) -> None:
    source = stream(seed, "degenerate games")
    for _ in range(25):
        shape = source.integers(1, 4, size=2)
        row, column = source.integers(0, 3, size=(2, *shape))
        assert_exact(row, column)


@pytest.mark.parametrize("seed", range(3))
def test_larger_games(seed: int) -> None:
    source = stream(seed, "larger games")
    row, column = source.integers(-4, 5, size=(2, 4, 5))
    assert_exact(row, column)


def test_strategies_that_are_worth_the_same() -> None:
    """Matching pennies with heads twice: the two heads share their half in any way."""
    row = np.array([[1, -1], [1, -1], [-1, 1]])
    found = all_equilibria(row, -row)
    assert pairs(found) == [
        pytest.approx(pair, abs=EXACT)
        for pair in ((0.5, 0, 0.5, 0.5, 0.5), (0, 0.5, 0.5, 0.5, 0.5))
    ]
    assert found.component.tolist() == [0, 0]


def test_a_game_in_which_nothing_matters() -> None:
    found = all_equilibria(np.zeros((3, 4)), np.full((3, 4), -7.0))
    assert len(found) == 12
    assert found.component.tolist() == [0] * 12
    assert (found.payoffs == [0.0, -7.0]).all()


@pytest.mark.parametrize("factor", [1e-6, 1.0, 1e6])
@pytest.mark.parametrize("shift", [-1000.0, 0.0, 1000.0])
def test_the_unit_and_the_zero_of_payoffs_do_not_matter(factor: float, shift: float) -> None:
    found = all_equilibria(factor * np.array(ROW) + shift * factor, np.array(DEGENERATE_COLUMN))
    assert found.row_mixes == pytest.approx(
        all_equilibria(ROW, DEGENERATE_COLUMN).row_mixes, abs=1e-11
    )


def test_payoffs_of_very_different_sizes() -> None:
    """Differences below a billionth of the spread are ties; so nobody gains more than a few of them."""
    source = stream(7, "sizes")
    for _ in range(30):
        payoffs = source.normal(size=(2, 4, 4)) * 10.0 ** source.integers(-4, 5, size=(2, 4, 4))
        found = all_equilibria(payoffs[0], payoffs[1])
        spread = np.ptp(payoffs)
        for pair in zip(found.row_mixes, found.column_mixes, strict=True):
            assert largest_gain(payoffs, pair) <= 10.0 * enumeration.TIE * spread


def test_averages_of_equilibria_that_share_a_mix_are_equilibria() -> None:
    source = stream(8, "averages")
    shared = 0
    for _ in range(40):
        payoffs = source.integers(0, 2, size=(2, 4, 4)).astype(float)
        found = all_equilibria(payoffs[0], payoffs[1])
        for i, j in product(range(len(found)), repeat=2):
            if i < j and (found.row_mixes[i] == found.row_mixes[j]).all():
                between = 0.3 * found.column_mixes[i] + 0.7 * found.column_mixes[j]
                assert largest_gain(payoffs, (found.row_mixes[i], between)) <= EXACT
                assert found.component[i] == found.component[j]
                shared += 1
    assert shared > 100


def test_support_is_exact() -> None:
    source = stream(9, "support")
    payoffs = source.normal(size=(2, 8, 8))
    found = all_equilibria(payoffs[0], payoffs[1])
    assert len(found) % 2 == 1  # not degenerate: an odd number (Lemke & Howson)
    for mixes in (found.row_mixes, found.column_mixes):
        assert mixes.sum(axis=1) == pytest.approx(1.0, abs=1e-15)
        assert (mixes[mixes != 0.0] > 1e-9).all()
    sizes = [np.count_nonzero(m, axis=1) for m in (found.row_mixes, found.column_mixes)]
    assert (sizes[0] == sizes[1]).all()


def test_arrays_are_read_only() -> None:
    with pytest.raises(ValueError, match="read-only"):
        all_equilibria(ROW, COLUMN).row_mixes[0, 0] = 0.5


@pytest.mark.parametrize("column", [[[1, 2]], [1, 2], [], [[[1]]]])
def test_what_is_no_pair_of_matrices_is_refused(column: list) -> None:
    with pytest.raises(ShapeError, match=r"payoffs of the game have shapes \(1, 1\)"):
        all_equilibria([[1]], column)


@pytest.mark.parametrize("payoff", [np.nan, np.inf])
def test_what_is_no_number_is_refused(payoff: float) -> None:
    with pytest.raises(SettingError, match="payoffs of chicken must be finite"):
        all_equilibria([[1, payoff]], [[1, 2]], name="chicken")


@pytest.mark.parametrize("payoff", [[[1, 2], [3]], "chicken", [[1, "two"]]])
def test_what_is_no_matrix_of_numbers_is_refused(payoff: Any) -> None:
    with pytest.raises(SettingError, match="payoffs of chicken are not matrices of numbers"):
        all_equilibria(payoff, [[1, 2]], name="chicken")


def test_a_game_too_large_to_enumerate_is_refused() -> None:
    with pytest.raises(SettingError, match=r"big game is 14 x 14 .* Use solvers.LemkeHowson"):
        all_equilibria(np.eye(14), np.eye(14), name="big game")


def test_a_failing_qhull_is_reported(monkeypatch: pytest.MonkeyPatch) -> None:
    import scipy.spatial

    def fail(*_: object) -> None:
        raise scipy.spatial.QhullError("QH6154 no\nlong story")

    monkeypatch.setattr(scipy.spatial, "HalfspaceIntersection", fail)
    with pytest.raises(
        ConvergenceError, match="Qhull failed on 3 strategies against 2 in chess: QH"
    ):
        all_equilibria(ROW, COLUMN, name="chess")
