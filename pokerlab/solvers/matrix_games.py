"""Optimal mixtures of a matrix game, a table of payoffs of two players, by linear programs.

A game of few strategies is solved by one program of all strategies (`solve_whole_program`). In a game of many
strategies an optimal mixture uses few of them, so it is solved by programs of growing working sets
(`solve_by_working_sets`). Both start from the basis of an earlier solution, which may be one of a smaller game.
"""

from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pokerlab.core import Floats, Ints
from pokerlab.solvers.linear_program import (
    BASIC,
    LOWER,
    NO_BASIS,
    Statuses,
    get_basis,
    make_highs,
    set_basis,
    solve_program,
)

if TYPE_CHECKING:
    import highspy

ADVICE = "Its payoffs may differ too much in size; scale them, or begin with other strategies."
# Smaller weights are rounding errors, and their strategies are not part of the support.
SUPPORT = 1e-9


class MatrixSolution(NamedTuple):
    """The solution of a matrix game.

    Attributes
    ----------
    value : float
        The value of the game: the expected payoff of the row player.
    row_mixture, column_mixture : array of shape (rows,) and (columns,)
        Optimal mixtures of both players.
    column_status, row_status : array of shape (rows + 1,) and (columns + 1,)
        The optimal basis. The columns of the program are its variables, v and the weights of the row player's
        strategies. The rows of the program are its constraints, one for the sum of weights and one for each strategy
        of the column player.
    pivots : int
        The number of pivots of the simplex method.
    """

    value: float
    row_mixture: Floats
    column_mixture: Floats
    column_status: Statuses
    row_status: Statuses
    pivots: int


MOST_STRATEGIES_AT_ONCE = 160
"""The number of strategies of a player up to which a matrix game is solved by one linear program of all strategies.

From about 110 on working sets are faster. But they may end at another of several optimal mixtures, and the recorded
runs of 150 rounds are to be the same when they are repeated.
"""
STRATEGIES_ADDED = 20
"""The number of strategies of a player that are added to a working set at a time."""
WINNING = 1e-11
"""The gain, in units of the largest payoff (at least 1), that a strategy outside the working set must exceed."""


def solve_matrix_game(
    name: str, payoff: Floats, column_status: Statuses = NO_BASIS, row_status: Statuses = NO_BASIS
) -> MatrixSolution:
    """Return the solution of a matrix game by the simplex method.

    If a player has more than `MOST_STRATEGIES_AT_ONCE` strategies, `solve_by_working_sets` is used, otherwise
    `solve_whole_program`. The reason is that an optimal mixture uses few strategies of a large game, while the time of
    each pivot of the simplex method grows with the size of its program.

    Parameters
    ----------
    name : str
        The name of the game, which appears in error messages.
    payoff : array of shape (rows, columns)
        The payoff of the row player for each pair of strategies.
    column_status : array of shape (k,), k <= rows + 1, optional
        The basis from which the method starts: the status of each column of the linear program, which is a variable.
        The variables are the value v of the game and the weight of each strategy of the row player. They may be those
        of an earlier game with fewer rows. The weights of the new rows are then 0 at first.
    row_status : array of shape (m,), m <= columns + 1, optional
        The status, in the same basis, of each row of the linear program, which is a constraint. The constraints are the
        sum of the weights and one for each strategy of the column player. There may be fewer of them, too. Without a
        basis, which is the default, the method starts from scratch.

    Returns
    -------
    MatrixSolution
        The value, an optimal mixture of each player, and the optimal basis of the whole game.

    Raises
    ------
    ConvergenceError
        If HiGHS ends without an optimum.
    """
    rows, columns = payoff.shape
    if len(column_status):
        # The program has a variable more than the game has rows, and a constraint more than it has columns.
        column_status = append_statuses(column_status, rows + 1, LOWER)
        row_status = append_statuses(row_status, columns + 1, BASIC)
    if max(rows, columns) <= MOST_STRATEGIES_AT_ONCE:
        return solve_whole_program(name, payoff, column_status, row_status)
    return solve_by_working_sets(name, payoff, column_status, row_status)


def solve_by_working_sets(
    name: str, payoff: Floats, column_status: Statuses, row_status: Statuses
) -> MatrixSolution:
    """Return the solution of a matrix game by programs of a working set of strategies of each player.

    The first working sets are the strategies of the basis. Each pass solves the game of the working sets and finds the
    payoffs of all other strategies against its mixtures. If some of them win, the best `STRATEGIES_ADDED` of each
    player are added. When none wins, the mixtures are optimal in the whole game. It is the double oracle of McMahan,
    Gordon & Blum (2003) within a matrix.

    Parameters
    ----------
    name : str
        The name of the game, which appears in error messages.
    payoff : array of shape (rows, columns)
        The payoff of the row player for each pair of strategies.
    column_status : array of shape (rows + 1,), or empty
        The status of v and of the weight of each row in the basis from which the method starts.
    row_status : array of shape (columns + 1,), or empty
        The status of the sum of weights and of the constraint of each column.

    Returns
    -------
    MatrixSolution
        The value, an optimal mixture of each player, and the optimal basis of the whole game.

    Raises
    ------
    ConvergenceError
        If HiGHS ends without an optimum.
    """
    rows, columns = payoff.shape
    if len(column_status):
        row_set = np.flatnonzero(column_status[1:] == BASIC)
        column_set = np.flatnonzero(row_status[1:] != BASIC)
        sub_column_status = np.append(column_status[0], column_status[1:][row_set])
        sub_row_status = np.append(row_status[0], row_status[1:][column_set])
    else:
        row_set, column_set = np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)
        sub_column_status = sub_row_status = NO_BASIS
    least_gain = scale_tolerance(payoff, WINNING)
    pivots = 0
    while True:
        solution = solve_whole_program(
            name, payoff[np.ix_(row_set, column_set)], sub_column_status, sub_row_status
        )
        pivots += solution.pivots
        # Unlike a product of matrices, sums have the same rounding on every machine, and ties are broken alike.
        row_payoffs = (payoff[:, column_set] * solution.column_mixture).sum(axis=1)
        column_payoffs = (solution.row_mixture[:, None] * payoff[row_set]).sum(axis=0)
        row_gains = row_payoffs - solution.value
        column_gains = solution.value - column_payoffs
        row_gains[row_set] = column_gains[column_set] = -np.inf
        if max(row_gains.max(), column_gains.max()) <= least_gain:
            break
        row_set = np.append(row_set, find_largest_indices(row_gains, STRATEGIES_ADDED))
        column_set = np.append(column_set, find_largest_indices(column_gains, STRATEGIES_ADDED))
        sub_column_status = append_statuses(solution.column_status, len(row_set) + 1, LOWER)
        sub_row_status = append_statuses(solution.row_status, len(column_set) + 1, BASIC)

    # Strategies outside the working sets have weight 0, and their constraints are not binding.
    row_mixture, column_mixture = np.zeros(rows), np.zeros(columns)
    row_mixture[row_set] = solution.row_mixture
    column_mixture[column_set] = solution.column_mixture
    column_status = np.full(rows + 1, LOWER, dtype=np.int8)
    row_status = np.full(columns + 1, BASIC, dtype=np.int8)
    column_status[np.append(0, row_set + 1)] = solution.column_status
    row_status[np.append(0, column_set + 1)] = solution.row_status
    return MatrixSolution(
        solution.value, row_mixture, column_mixture, column_status, row_status, pivots
    )


def find_largest_indices(values: Floats, count: int) -> Ints:
    """Return the indices of the `count` largest finite values, or of all if there are fewer; the largest first."""
    order = np.argsort(-values, kind="stable")[:count]
    return order[np.isfinite(values[order])]


def solve_whole_program(
    name: str, payoff: Floats, column_status: Statuses, row_status: Statuses
) -> MatrixSolution:
    """Return the solution of a matrix game by one linear program of all strategies.

    Parameters
    ----------
    name : str
        The name of the game, which appears in error messages.
    payoff : array of shape (rows, columns)
        The payoff of the row player for each pair of strategies.
    column_status : array of shape (rows + 1,), or empty
        The status of v and of the weight of each row in the basis from which the method starts.
    row_status : array of shape (columns + 1,), or empty
        The status of the sum of weights and of the constraint of each column.

    Returns
    -------
    MatrixSolution
        The value, an optimal mixture of each player, and the optimal basis of the whole game.

    Raises
    ------
    ConvergenceError
        If HiGHS ends without an optimum.
    """
    rows, columns = payoff.shape
    highs = make_highs(presolve="off")
    pass_matrix_program(highs, payoff)
    if len(column_status):
        set_basis(highs, column_status, row_status)
    solve_program(highs, f"the {rows} x {columns} subgame of {name}", ADVICE)

    solution = highs.getSolution()
    column_status, row_status = get_basis(highs)
    weights, duals = np.array(solution.col_value), np.array(solution.row_dual)
    return MatrixSolution(
        value=float(weights[0]),
        row_mixture=normalize_mixture(weights[1:]),
        column_mixture=normalize_mixture(-duals[1:]),
        column_status=column_status,
        row_status=row_status,
        pivots=int(highs.getInfo().simplex_iteration_count),
    )


def pass_matrix_program(highs: "highspy.Highs", payoff: Floats) -> None:
    """Pass HiGHS the row player's program of a matrix game A.

    The program is: maximize v such that x_1 + ... = 1, x^T A - v >= 0 and x >= 0. Its first variable is v, and its
    first constraint is that on the sum.

    Parameters
    ----------
    highs : highspy.Highs
        The object to which the program is passed.
    payoff : array of shape (rows, columns)
        The payoff A of the row player for each pair of strategies.
    """
    import highspy

    rows, columns = payoff.shape
    num_variables, num_constraints = rows + 1, columns + 1
    infinity = highspy.kHighsInf

    # The coefficients, with variables in rows and constraints in columns. All of them are passed, also zeros.
    coefficients = np.empty((num_variables, num_constraints))
    coefficients[0, 0] = 0.0
    coefficients[0, 1:] = -1.0
    coefficients[1:, 0] = 1.0
    coefficients[1:, 1:] = payoff
    first_of_variable = np.arange(num_variables, dtype=np.int32) * num_constraints
    constraint_of_entry = np.tile(np.arange(num_constraints, dtype=np.int32), num_variables)

    objective = np.zeros(num_variables)
    objective[0] = 1.0
    lowest_values = np.zeros(num_variables)
    lowest_values[0] = -infinity
    left_bounds = np.zeros(num_constraints)
    right_bounds = np.full(num_constraints, infinity)
    left_bounds[0] = right_bounds[0] = 1.0
    highs.passModel(
        num_variables,
        num_constraints,
        coefficients.size,
        int(highspy.MatrixFormat.kColwise),
        int(highspy.ObjSense.kMaximize),
        0.0,  # the constant of the objective
        objective,
        lowest_values,
        np.full(num_variables, infinity),
        left_bounds,
        right_bounds,
        first_of_variable,
        constraint_of_entry,
        coefficients.ravel(),
        np.zeros(num_variables, dtype=np.int32),  # no variable must be an integer
    )


def append_statuses(known_statuses: Statuses, size: int, new_status: int) -> Statuses:
    """Return an array of `size` statuses: the known ones, followed by copies of `new_status`."""
    return np.append(known_statuses, np.full(size - len(known_statuses), new_status, dtype=np.int8))


def normalize_mixture(weights: Floats, threshold: float = SUPPORT) -> Floats:
    """Return weights scaled to the sum 1, after weights not larger than `threshold` are set to zero."""
    support_weights = np.where(weights > threshold, weights, 0.0)
    return np.asarray(support_weights / support_weights.sum())


def scale_tolerance(payoffs: Floats, tolerance: float) -> float:
    """Return a tolerance in the game's unit, from a tolerance in units of the largest absolute payoff (at least 1)."""
    return tolerance * max(1.0, float(np.abs(payoffs).max()))
