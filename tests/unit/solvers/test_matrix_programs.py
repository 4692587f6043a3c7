"""The linear program of a matrix game: from bases that the simplex method cannot use, and of many strategies."""

import numpy as np
import pytest

from pokerlab.solvers import matrix_programs
from pokerlab.solvers.linear_program import BASIC, LOWER, NO_BASIS
from pokerlab.solvers.matrix_programs import MatrixSolution, solve_matrix_game, solve_whole_program


@pytest.mark.parametrize("seed", range(5))
@pytest.mark.parametrize("binding", [3, 6], ids=["singular", "too few"])
def test_matrix_game_from_unusable_basis_is_solved(seed: int, binding: int) -> None:
    """Two equal strategies in a basis make it singular, and six binding constraints leave it too small."""
    payoff = np.random.default_rng(seed).integers(-2, 3, (5, 5)).astype(float)
    payoff[1] = payoff[0]
    columns = np.array([BASIC] * 3 + [LOWER] * 3, dtype=np.int8)
    rows = np.array([LOWER] * binding + [BASIC] * (6 - binding), dtype=np.int8)
    solution = solve_matrix_game("a game", payoff, columns, rows)
    assert solution.value == pytest.approx(solve_matrix_game("a game", payoff).value, abs=1e-9)
    assert (solution.row_mixture @ payoff).min() == pytest.approx(solution.value, abs=1e-9)
    assert (payoff @ solution.column_mixture).max() == pytest.approx(solution.value, abs=1e-9)


def check_optimal(payoff: np.ndarray, solution: MatrixSolution) -> None:
    """Compare the value with that of one program of all strategies, and both mixtures with all pure strategies."""
    value = solve_whole_program("a game", payoff, NO_BASIS, NO_BASIS).value
    assert solution.value == pytest.approx(value, abs=1e-9)
    assert (solution.row_mixture @ payoff).min() == pytest.approx(value, abs=1e-9)
    assert (payoff @ solution.column_mixture).max() == pytest.approx(value, abs=1e-9)
    assert solution.row_mixture.sum() == pytest.approx(1.0)
    assert solution.column_mixture.sum() == pytest.approx(1.0)


@pytest.mark.parametrize("shape", [(161, 161), (300, 240), (170, 5), (3, 200)])
@pytest.mark.parametrize("kind", ["real", "whole"])
def test_matrix_game_of_many_strategies_has_value_of_whole_program(
    shape: tuple[int, int], kind: str
) -> None:
    """Whole numbers from -2 to 2 give many ties and many optimal mixtures."""
    random = np.random.default_rng(shape)
    payoff = random.normal(size=shape) if kind == "real" else random.integers(-2, 3, shape) * 1.0
    check_optimal(payoff, solve_matrix_game("a game", payoff))


@pytest.mark.parametrize("seed", range(20))
def test_small_working_sets_of_growing_game_end_at_optimum(
    seed: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """With one strategy added at a time, a game that grows by a row and a column is solved from its last basis."""
    monkeypatch.setattr(matrix_programs, "MOST_STRATEGIES_AT_ONCE", 1)
    monkeypatch.setattr(matrix_programs, "STRATEGIES_ADDED", 1)
    payoff = np.random.default_rng(seed).integers(-2, 3, (14, 12)).astype(float)
    columns, rows = NO_BASIS, NO_BASIS
    for size in range(2, 13):
        part = payoff[: size + 2, :size]
        solution = solve_matrix_game("a game", part, columns, rows)
        check_optimal(part, solution)
        columns, rows = solution.column_status, solution.row_status
        again = solve_matrix_game("a game", part, columns, rows)
        assert again.pivots == 0
        assert again.row_mixture == pytest.approx(solution.row_mixture, abs=1e-12)


@pytest.mark.parametrize("binding", [3, 6], ids=["singular", "too few"])
def test_working_sets_from_unusable_basis_end_at_optimum(
    binding: int, monkeypatch: pytest.MonkeyPatch
) -> None:
    """The same bases as above, when strategies are added one at a time."""
    monkeypatch.setattr(matrix_programs, "MOST_STRATEGIES_AT_ONCE", 1)
    monkeypatch.setattr(matrix_programs, "STRATEGIES_ADDED", 1)
    payoff = np.random.default_rng(0).integers(-2, 3, (8, 8)).astype(float)
    payoff[1] = payoff[0]
    columns = np.array([BASIC] * 3 + [LOWER] * 6, dtype=np.int8)
    rows = np.array([LOWER] * binding + [BASIC] * (9 - binding), dtype=np.int8)
    check_optimal(payoff, solve_matrix_game("a game", payoff, columns, rows))
