"""Zero-sum subgames by linear programming, the simplex method or an interior point method.

The row player's mix x maximizes v with sum_i x_i A_ij >= v for every column j; the column player's
mix is the dual. Optimal mixes need not be unique: the simplex method ends in a corner of the set of
optimal mixes, the interior point method near its middle. The simplex method solves a grown game from
the basis that was optimal before, in a few pivots, and from nothing else: the same payoffs and the
same basis give the same answer, wherever a run was paused (Oliehoek et al. 2006, section 3).
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pokerlab.core.arrays import Floats
from pokerlab.games import SequenceForm
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
from pokerlab.solvers.protocol import check_zero_sum_pair
from pokerlab.solvers.subgame.mixture import Basis, Mixture, Tolerant

if TYPE_CHECKING:
    import highspy

ADVICE = "Its payoffs may differ too much in size; scale them, or begin with other strategies."
SUPPORT = 1e-9
"""Weights below it are rounding and not part of a support."""
INTERIOR_POINT: dict[str, str | int | float] = {
    "presolve": "off",
    "solver": "ipm",
    "run_crossover": "off",
    "ipm_optimality_tolerance": 1e-10,
}
INTERIOR_ADVICE = "Use ZeroSumProgram(), the simplex method."
INTERIOR_SUPPORT = 1e-6
"""Weights below it are on their way to zero and not part of a support."""


@dataclass(frozen=True, kw_only=True)
class ZeroSumProgram(Tolerant):
    """The linear program of a two-player zero-sum game, from the last round's basis.

    It returns a corner of the set of optimal mixes; which one depends on where it started. Below `tolerance`, in
    units of the largest utility, lies the program's rounding: in a memory a strategy must gain more.
    """

    tolerance: float = 1e-11

    def check(self, game: SequenceForm) -> None:
        """Refuse games that are not two-player zero-sum."""
        check_zero_sum_pair(
            game,
            "the zero-sum linear program",
            (
                "subgame=solvers.LemkeHowson() for two players",
                "solvers.PSRO with subgame=solvers.ProjectedReplicator() for more",
            ),
        )

    def solve(self, payoffs: Floats, basis: Basis = (), *, name: str = "a matrix game") -> Mixture:
        """Return optimal mixes for `payoffs`, (2, K_1, K_2)."""
        optimum = solve_matrix_game(name, payoffs[0], *basis)
        return Mixture(
            (optimum.row_mix, optimum.column_mix), (optimum.column_status, optimum.row_status)
        )


@dataclass(frozen=True, kw_only=True)
class InteriorPointProgram(Tolerant):
    """The linear program of a zero-sum subgame by an interior point method that stays inside.

    It ends near the middle of the set of optimal mixes, whose support is the largest there is (Goldman &
    Tucker 1956: a strictly complementary pair has the largest supports). Its own error is larger, and with it
    the `tolerance`.
    """

    tolerance: float = 1e-8

    def check(self, game: SequenceForm) -> None:
        """Refuse games that are not two-player zero-sum."""
        ZeroSumProgram().check(game)

    def solve(self, payoffs: Floats, basis: Basis = (), *, name: str = "a matrix game") -> Mixture:
        """Return central optimal mixes for `payoffs`, (2, K_1, K_2); keeps no basis."""
        rows, columns = payoffs[0].shape
        highs = new_program(**INTERIOR_POINT)
        pass_program(highs, payoffs[0])
        run(highs, f"the {rows} x {columns} subgame of {name}", INTERIOR_ADVICE)
        solution = highs.getSolution()
        weights = np.array(solution.col_value)[1:], -np.array(solution.row_dual)[1:]
        return Mixture(tuple(normalized_weights(each, INTERIOR_SUPPORT) for each in weights))


class MatrixSolution(NamedTuple):
    """The solution of a matrix game."""

    value: float  # what the row player wins
    row_mix: Floats  # (rows,): optimal
    column_mix: Floats  # (columns,)
    column_status: Statuses  # the basis: of v and the rows' weights
    row_status: Statuses
    pivots: int


def solve_matrix_game(
    name: str, payoff: Floats, column_status: Statuses = NO_BASIS, row_status: Statuses = NO_BASIS
) -> MatrixSolution:
    """Return the optimum of `payoff`, (rows, columns), what the row player wins.

    The simplex method starts from a basis that may be smaller than the program: new strategies are
    outside the mix. From an empty basis it starts afresh.
    """
    rows, columns = payoff.shape
    highs = new_program(presolve="off")
    pass_program(highs, payoff)
    if len(column_status):
        begin_with(
            highs,
            grown_statuses(column_status, rows + 1, LOWER),
            grown_statuses(row_status, columns + 1, BASIC),
        )
    run(highs, f"the {rows} x {columns} subgame of {name}", ADVICE)
    solution, (column_status, row_status) = highs.getSolution(), basis_of(highs)
    weights, duals = np.array(solution.col_value), np.array(solution.row_dual)
    return MatrixSolution(
        value=float(weights[0]),
        row_mix=normalized_weights(weights[1:]),
        column_mix=normalized_weights(-duals[1:]),
        column_status=column_status,
        row_status=row_status,
        pivots=int(highs.getInfo().simplex_iteration_count),
    )


def pass_program(highs: "highspy.Highs", payoff: Floats) -> None:
    """Give HiGHS: max v such that x_1 + ... = 1, x^T A - v >= 0, x >= 0; v is the first variable."""
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


def grown_statuses(known: Statuses, size: int, new: int) -> Statuses:
    """Return the statuses of `size` items: the known ones, then as many `new` as are missing."""
    return np.append(known, np.full(size - len(known), new, dtype=np.int8))


def normalized_weights(weights: Floats, least: float = SUPPORT) -> Floats:
    """Return weights that sum to one, without those up to `least`."""
    kept = np.where(weights > least, weights, 0.0)
    return np.asarray(kept / kept.sum())
