"""The linear program of a zero-sum matrix game that grows by rows and columns.

The row player's mix x maximises v with sum_i x_i A_ij >= v for every column j; the column player's
mix is the dual. A grown game is solved from the basis that was optimal before, in a few pivots, and
from nothing else: the same payoffs and the same basis give the same answer, wherever a run was
paused.
"""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pokerlab.core.arrays import Floats
from pokerlab.solvers.highs import (
    BASIC,
    LOWER,
    NO_BASIS,
    Statuses,
    basis_of,
    begin_with,
    new_program,
    run,
)

if TYPE_CHECKING:
    import highspy

ADVICE = "Its payoffs may differ too much in size; scale them, or begin with other strategies."
SUPPORT = 1e-9
"""Weights below it are rounding and not part of a support."""


class Optimum(NamedTuple):
    """The solution of a matrix game.

    Attributes
    ----------
    value : float
        What the row player wins.
    row_mix, column_mix : ndarray of shape (rows,) and (columns,)
        Optimal mixed strategies.
    column_status, row_status : ndarray of int8
        The basis, as HiGHS numbers statuses: of v and the rows' weights, and of the constraints.
    pivots : int
        Iterations of the simplex method.
    """

    value: float
    row_mix: Floats
    column_mix: Floats
    column_status: Statuses
    row_status: Statuses
    pivots: int


def solve_matrix_game(
    name: str,
    payoff: Floats,
    column_status: Statuses = NO_BASIS,
    row_status: Statuses = NO_BASIS,
) -> Optimum:
    """Return the optimum of `payoff`, (rows, columns), what the row player wins.

    The simplex method starts from a basis that may be smaller than the program, new strategies
    outside the mix; from an empty basis it starts afresh.

    Raises
    ------
    ConvergenceError
        If HiGHS ends without an optimum; the message names the game.
    """
    rows, columns = payoff.shape
    highs = new_program(presolve="off")
    pass_program(highs, payoff)
    if len(column_status):
        begin_with(
            highs, grown(column_status, rows + 1, LOWER), grown(row_status, columns + 1, BASIC)
        )
    run(highs, f"the {rows} x {columns} subgame of {name}", ADVICE)
    solution, (column_status, row_status) = highs.getSolution(), basis_of(highs)
    weights, duals = np.array(solution.col_value), np.array(solution.row_dual)
    return Optimum(
        value=float(weights[0]),
        row_mix=normalised(weights[1:]),
        column_mix=normalised(-duals[1:]),
        column_status=column_status,
        row_status=row_status,
        pivots=int(highs.getInfo().simplex_iteration_count),
    )


def pass_program(highs: "highspy.Highs", payoff: Floats) -> None:
    """Give HiGHS max v such that x_1 + ... = 1, x^T A - v >= 0, x >= 0; v is the first variable."""
    import highspy

    rows, columns = payoff.shape
    whole = np.empty((rows + 1, columns + 1))  # variables by constraints
    whole[0, 0], whole[0, 1:], whole[1:, 0] = 0.0, -1.0, 1.0
    whole[1:, 1:] = payoff
    highs.passModel(
        rows + 1,
        columns + 1,
        whole.size,
        int(highspy.MatrixFormat.kColwise),
        int(highspy.ObjSense.kMaximize),
        0.0,
        np.eye(1, rows + 1)[0],
        np.append(-highspy.kHighsInf, np.zeros(rows)),
        np.full(rows + 1, highspy.kHighsInf),
        np.eye(1, columns + 1)[0],
        np.append(1.0, np.full(columns, highspy.kHighsInf)),
        np.arange(rows + 1, dtype=np.int32) * (columns + 1),
        np.tile(np.arange(columns + 1, dtype=np.int32), rows + 1),
        whole.ravel(),
        np.zeros(rows + 1, dtype=np.int32),
    )


def grown(known: Statuses, size: int, new: int) -> Statuses:
    """Return the statuses of `size` items, of which the last are `new`."""
    return np.append(known, np.full(size - len(known), new, dtype=np.int8))


def normalised(weights: Floats, least: float = SUPPORT) -> Floats:
    """Return weights that sum to one, without those up to `least`."""
    kept = np.where(weights > least, weights, 0.0)
    return np.asarray(kept / kept.sum())
