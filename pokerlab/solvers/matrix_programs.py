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
SMALLEST_WEIGHT = 1e-9
"""Weights that are not larger are rounding errors, and their strategies are not part of the support."""


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
GAIN_TOLERANCE = 1e-11
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
        The variables are the value v of the game and the weight of each strategy of the row player. They may come from
        an earlier game with fewer rows. The weights of the new rows are then 0 at first.
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
    """Return the solution of a large matrix game, in which only a working set of each player's strategies is used.

    The first working sets are the strategies of the basis. Each pass solves the game of the working sets and computes
    the payoffs of all other strategies against its mixtures. If some of them gain something, the best
    `STRATEGIES_ADDED` strategies of each player are added. When no strategy gains anything, the mixtures are optimal in
    the whole game. It is the double oracle of McMahan, Gordon & Blum (2003) within a matrix.

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
    # The first working sets: strategies with a weight in the basis, or else the first strategy of each player.
    if len(column_status):
        row_set = np.flatnonzero(column_status[1:] == BASIC)
        column_set = np.flatnonzero(row_status[1:] != BASIC)
        small_column_status = np.append(column_status[0], column_status[1:][row_set])
        small_row_status = np.append(row_status[0], row_status[1:][column_set])
    else:
        row_set, column_set = np.zeros(1, dtype=np.int64), np.zeros(1, dtype=np.int64)
        small_column_status = small_row_status = NO_BASIS

    least_gain = scale_tolerance(payoff, GAIN_TOLERANCE)
    pivots = 0
    while True:
        small_payoff = payoff[np.ix_(row_set, column_set)]
        solution = solve_whole_program(name, small_payoff, small_column_status, small_row_status)
        pivots += solution.pivots

        # Unlike a product of matrices, sums have the same rounding on every machine, and ties are broken alike.
        row_payoffs = (payoff[:, column_set] * solution.column_mixture).sum(axis=1)
        column_payoffs = (solution.row_mixture[:, None] * payoff[row_set]).sum(axis=0)

        # The gain of each strategy outside the working sets. The payoff of the column player is minus that of the row
        # player.
        row_gains = row_payoffs - solution.value
        column_gains = solution.value - column_payoffs
        row_gains[row_set] = -np.inf
        column_gains[column_set] = -np.inf
        if max(row_gains.max(), column_gains.max()) <= least_gain:
            return expand_solution(
                solution._replace(pivots=pivots), row_set, column_set, payoff.shape
            )

        row_set = np.append(row_set, find_largest_indices(row_gains, STRATEGIES_ADDED))
        column_set = np.append(column_set, find_largest_indices(column_gains, STRATEGIES_ADDED))
        small_column_status = append_statuses(solution.column_status, len(row_set) + 1, LOWER)
        small_row_status = append_statuses(solution.row_status, len(column_set) + 1, BASIC)


def expand_solution(
    solution: MatrixSolution, row_set: Ints, column_set: Ints, shape: tuple[int, ...]
) -> MatrixSolution:
    """Return the solution of a matrix game, made from the solution of a smaller game with some of its strategies.

    The mixtures of the smaller game must be optimal in the whole game. The other strategies get the weight 0, and their
    constraints in the linear program are not binding.

    Parameters
    ----------
    solution : MatrixSolution
        The solution of the smaller game, with k rows and m columns.
    row_set, column_set : array of shape (k,) and (m,)
        The indices of the strategies of the smaller game in the whole game.
    shape : tuple (rows, columns)
        The number of strategies of each player in the whole game.

    Returns
    -------
    MatrixSolution
        The mixtures and the basis of the whole game.
    """
    rows, columns = shape
    row_mixture, column_mixture = np.zeros(rows), np.zeros(columns)
    row_mixture[row_set] = solution.row_mixture
    column_mixture[column_set] = solution.column_mixture

    # The first variable of the program is the value, and the first constraint is that weights sum to 1.
    column_status = np.full(rows + 1, LOWER, dtype=np.int8)
    row_status = np.full(columns + 1, BASIC, dtype=np.int8)
    column_status[np.append(0, row_set + 1)] = solution.column_status
    row_status[np.append(0, column_set + 1)] = solution.row_status
    return solution._replace(
        row_mixture=row_mixture,
        column_mixture=column_mixture,
        column_status=column_status,
        row_status=row_status,
    )


def find_largest_indices(values: Floats, count: int) -> Ints:
    """Return the indices of the largest finite values of an array, beginning with the largest one.

    Parameters
    ----------
    values : array of shape (K,)
        K values, some of which may be infinite.
    count : int
        The number of indices. There are fewer if there are not so many finite values.

    Returns
    -------
    array of int
        The indices. Of equal values the first comes first.
    """
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
    """Pass the linear program of a matrix game to HiGHS, whose solution is an optimal mixture of the row player.

    The program is: maximize v such that x_1 + x_2 + ... = 1, x^T A - v >= 0 and x >= 0. The first variable is v, and
    the first constraint is that the weights sum to 1.

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
    """Return an array of statuses in a basis: the known ones, followed by a new status for all others.

    Parameters
    ----------
    known_statuses : array of int8, shape (k,)
        The status of each of the first k variables or constraints.
    size : int
        The number of all variables or constraints.
    new_status : int
        The status of the other ones.

    Returns
    -------
    array of int8, shape (size,)
        The statuses.
    """
    num_new = size - len(known_statuses)
    return np.append(known_statuses, np.full(num_new, new_status, dtype=np.int8))


def normalize_mixture(weights: Floats, threshold: float = SMALLEST_WEIGHT) -> Floats:
    """Return the mixture that is proportional to the weights of strategies, without very small weights.

    Parameters
    ----------
    weights : array of shape (K,)
        The weight of each of K strategies.
    threshold : float
        The largest weight that counts as a rounding error and is set to zero.

    Returns
    -------
    array of shape (K,)
        The probability of each strategy.
    """
    support_weights = np.where(weights > threshold, weights, 0.0)
    return np.asarray(support_weights / support_weights.sum())


def scale_tolerance(payoffs: Floats, tolerance: float) -> float:
    """Return a tolerance in the game's unit, made from a relative tolerance.

    The relative tolerance is multiplied by the largest absolute payoff, or by 1 if all payoffs are smaller.

    Parameters
    ----------
    payoffs : array
        The payoffs of a game, in an array of any shape.
    tolerance : float
        The relative tolerance.

    Returns
    -------
    float
        The tolerance in the unit of payoffs.
    """
    return tolerance * max(1.0, float(np.abs(payoffs).max()))
