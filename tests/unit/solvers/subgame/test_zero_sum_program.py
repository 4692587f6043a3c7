"""The linear program of a matrix game, started from bases that the simplex method cannot use as they are."""

import numpy as np
import pytest

from pokerlab.solvers.linear_program import BASIC, LOWER
from pokerlab.solvers.subgame import solve_matrix_game


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
