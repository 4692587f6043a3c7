"""Ratings of players from a table of results.

A table of results has a row and a column for each of N players. A cell is the amount that the row's player wins from
the column's, or its probability of winning, which can be given in percent. Two numbers count as equal if they differ by
at most `EQUALITY_TOLERANCE` times the largest magnitude in the table. All functions here follow this rule, so that
rounding errors do not break ties. Begin with `rate_players`. It uses the antisymmetric matrix of winnings that
`convert_results_to_winnings` returns.

Four ratings of each player are computed from a table:

- *Mean*: the average winnings.
- *Elo* (Bradley & Terry 1952): points that explain the probabilities of winning. A difference of 400 points means odds
  of 10 to 1.
- *Nash* (Balduzzi et al. 2018): the player's probability in an equilibrium of the game in which both sides choose a
  player. If there are several equilibria, it is the one of maximum entropy, so that identical players share their
  probability equally.
- *Alpha-rank* (Omidshafiei et al. 2019): the share of time in which a population plays the player's strategy, if it
  switches to a strategy that wins against its present one.

The four ratings agree if the table is transitive. If it has cycles, no rating can show who beats whom, and the ratings
can differ.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import (
    Bools,
    ConvergenceError,
    Floats,
    Ints,
    SettingError,
    ShapeError,
    freeze,
    random_stream,
)
from pokerlab.core.arrays import validate_numbers
from pokerlab.core.old_names import explain_renamed_attributes
from pokerlab.metrics.paired_comparison import CONFIDENCE_LEVEL

EQUALITY_TOLERANCE = 1e-9
"""The largest difference between numbers that count as equal, relative to the largest magnitude in the table."""
PAIR_SUMS = (0.0, 1.0, 100.0)
"""The sum of the cells (i, j) and (j, i) in a table of winnings, of probabilities, and of percent."""
ROUNDED_DECIMALS = range(2, 9)
"""The numbers of decimals to which probabilities may be rounded; then two of them need not sum to exactly one."""


def set_rounding_errors_to_zero(values: Floats, largest_magnitude: float | None = None) -> Floats:
    """Return a copy of an array in which numbers that differ from zero only by rounding are exactly zero.

    Parameters
    ----------
    values : ndarray
        An array of numbers, of any shape.
    largest_magnitude : float, optional
        The magnitude to which rounding errors are relative; by default the largest magnitude of the values.

    Returns
    -------
    ndarray
        The numbers. Each number of at most `EQUALITY_TOLERANCE` times `largest_magnitude` in absolute value is replaced
        by zero.
    """
    if largest_magnitude is None:
        largest_magnitude = float(np.abs(values).max(initial=0.0))
    return np.where(np.abs(values) <= EQUALITY_TOLERANCE * largest_magnitude, 0.0, values)


def scale_largest_to_one(values: Floats) -> Floats:
    """Return numbers divided by their largest magnitude, which becomes 1.

    Parameters
    ----------
    values : ndarray
        An array of numbers, of any shape.

    Returns
    -------
    ndarray
        The scaled numbers. If all numbers are zero, they do not change.
    """
    largest_magnitude = float(np.abs(values).max(initial=0.0))
    return np.asarray(values / (largest_magnitude or 1.0))


def convert_results_to_winnings(table: ArrayLike) -> Floats:
    """Return the winnings in a table of results: what each row's player wins from each column's player.

    For a table of probabilities or percent, the winnings are the probability of winning minus that of losing.

    Parameters
    ----------
    table : array_like, shape (N, N)
        The results of N players against each other: winnings, probabilities or percent, as in `validate_results`.

    Returns
    -------
    ndarray of shape (N, N)
        The winnings, an exactly antisymmetric matrix. For probabilities they are from -1 to 1.

    Raises
    ------
    SettingError
        If the table is not of one of these three kinds, or if a cell off the diagonal is missing.
    ShapeError
        If the table is not square, or has fewer than two rows.
    """
    winnings, _ = validate_results(table)
    return winnings


def validate_results(table: ArrayLike) -> tuple[Floats, float]:
    """Return the winnings in a table of results, and whether the table has winnings, probabilities or percent.

    Parameters
    ----------
    table : array_like, shape (N, N)
        The results of N players against each other. The two results of a pair of players are in the cells (i, j) and
        (j, i). They sum to 0 in a table of winnings, to 1 in a table of probabilities, and to 100 in a table of
        percent. A probability may be rounded to two or more decimals. The diagonal, where a player plays against
        itself, may be missing (NaN or masked) or zero. In a table of probabilities or percent it may also be a half or
        the whole.

    Returns
    -------
    winnings : ndarray of shape (N, N)
        What the row wins from the column, exactly antisymmetric. Entries that are zero up to rounding are zero.
    pair_sum : float
        The sum of the two results of a pair: 0, 1 or 100.

    Raises
    ------
    SettingError
        If the table is not of one of these three kinds, or if a cell off the diagonal is missing.
    ShapeError
        If the table is not square, or has fewer than two rows.
    """
    results = validate_square_matrix(table, "table of results")
    diagonal = np.diag(results).copy()
    np.fill_diagonal(results, 0.0)

    possible_pair_sums = [
        pair_sum for pair_sum in PAIR_SUMS if is_constant_sum_table(results, pair_sum)
    ]
    if not possible_pair_sums:
        raise SettingError(
            "the table is neither antisymmetric, what the row wins from the column, nor one of chances to win that"
            " sum to one, or to 100 percent, with those that mirror them. Subtract its transpose and halve it, if seats"
            " differ."
        )
    pair_sum = possible_pair_sums[0]
    largest_magnitude = pair_sum if pair_sum else float(np.abs(results).max())
    check_diagonal(diagonal, pair_sum, largest_magnitude)

    # In a table of winnings the cells (i, j) and (j, i) show the same result, so half of their difference is taken. The
    # difference of two probabilities is already that of winning and losing.
    winnings = (results - results.T) / (pair_sum if pair_sum else 2.0)
    return set_rounding_errors_to_zero(winnings, 1.0 if pair_sum else None), pair_sum


def check_diagonal(diagonal: Floats, pair_sum: float, largest_magnitude: float) -> None:
    """Raise a SettingError unless each cell on the diagonal of a table of results has one of the allowed values.

    A player's result against itself may be missing (NaN), zero, half of `pair_sum`, or `pair_sum`.

    Parameters
    ----------
    diagonal : array of shape (N,)
        The cells on the diagonal, where a player plays against itself.
    pair_sum : float
        The sum of the two results of a pair of players: 0 for winnings, 1 for probabilities, 100 for percent.
    largest_magnitude : float
        The magnitude to which rounding errors are relative.

    Raises
    ------
    SettingError
        If a cell has another value.
    """
    allowed_values = sorted({0.0, pair_sum / 2.0, pair_sum})
    for value in diagonal[~np.isnan(diagonal)]:
        is_allowed = any(
            abs(value - number) <= EQUALITY_TOLERANCE * largest_magnitude
            for number in allowed_values
        )
        if not is_allowed:
            raise SettingError(
                f"the table has {value:g} on its diagonal, where a player meets itself. Give NaN or"
                f" {' or '.join(f'{number:g}' for number in allowed_values)}."
            )


def is_constant_sum_table(table: Floats, pair_sum: float) -> bool:
    """Return whether the two results of each pair of players sum to a given constant, as far as rounding allows.

    The two results are in the cells (i, j) and (j, i). In a table of winnings their sum may differ from zero by a
    rounding error. In a table of probabilities, whose cells must be from 0 to `pair_sum`, it may also differ by one
    unit of the last decimal to which they are rounded.

    Parameters
    ----------
    table : array of shape (N, N)
        The results, with zeros on the diagonal.
    pair_sum : float
        The constant: 0 for a table of winnings, 1 for one of probabilities, and 100 for one of percent.

    Returns
    -------
    bool
        Whether all pairs have this sum.
    """
    sums = (table + table.T)[~np.eye(len(table), dtype=np.bool_)]
    is_of_winnings = pair_sum == 0.0
    if is_of_winnings:
        return bool(np.abs(sums).max() <= EQUALITY_TOLERANCE * np.abs(table).max())

    probabilities = table / pair_sum
    are_probabilities = (
        probabilities.min() >= -EQUALITY_TOLERANCE
        and probabilities.max() <= 1.0 + EQUALITY_TOLERANCE
    )
    if not are_probabilities:
        return False
    tolerance = find_rounding_unit(probabilities) + EQUALITY_TOLERANCE
    return bool(np.abs(sums / pair_sum - 1.0).max() <= tolerance)


def find_rounding_unit(probabilities: Floats) -> float:
    """Return the unit of the last decimal to which all probabilities are rounded, such as 0.01 for two decimals.

    Parameters
    ----------
    probabilities : ndarray
        Probabilities, from 0 to 1.

    Returns
    -------
    float
        The unit; 0 if they have more decimals than all that are tried, `ROUNDED_DECIMALS`.
    """
    for digits in ROUNDED_DECIMALS:
        are_rounded = (
            np.abs(probabilities.round(digits) - probabilities).max() <= EQUALITY_TOLERANCE
        )
        if are_rounded:
            return float(10.0**-digits)
    return 0.0


def validate_square_matrix(values: ArrayLike, name: str) -> Floats:
    """Return values as a square matrix of floats, after checking them.

    Cells on the diagonal may be missing (NaN).

    Parameters
    ----------
    values : array_like, shape (N, N)
        The matrix.
    name : str
        What error messages call the matrix, such as 'table of results'.

    Returns
    -------
    ndarray of shape (N, N)
        The matrix, as a new array.

    Raises
    ------
    ShapeError
        If the matrix is not square, or has fewer than two rows.
    SettingError
        If a cell is infinite, or if a cell off the diagonal is missing.
    """
    matrix = validate_numbers(values, f"numbers of the {name}")
    if matrix.ndim != 2 or len(matrix) != matrix.shape[1] or len(matrix) < 2:
        raise ShapeError(f"the {name} has shape {matrix.shape}; give (N, N) with N at least 2.")
    is_diagonal = np.eye(len(matrix), dtype=np.bool_)
    is_wrong = np.where(is_diagonal, np.isinf(matrix), ~np.isfinite(matrix))
    if is_wrong.any():
        row, column = np.argwhere(is_wrong)[0]
        raise SettingError(
            f"the {name} has {matrix[row, column]} in row {row}, column {column}: the cell is missing or not finite."
            " Give a result for every pair of players; only the diagonal may be missing."
        )
    return matrix


ELO_POINTS = 400.0 / np.log(10.0)
"""The number of Elo points for odds of e to 1."""
LARGEST_WIN_PROBABILITY = 0.999
"""A larger probability of winning is replaced by this one, so that Elo is finite: it means a gap of 1,200 points."""
ALPHA_RANK_EPSILON = 0.01
"""The probability, in alpha-rank, that a population switches to a strategy that loses, as in OpenSpiel."""
NUM_DRAWN_TABLES = 200
"""The number of random tables from which confidence intervals are computed."""
NASH_TOLERANCE = 1e-6
"""The largest allowed gain from a best response to a Nash average, relative to the largest cell."""
ELO_STEP_TOLERANCE = 1e-9
"""Newton's method for Elo ends after a step of at most this size, in logarithms of odds."""
DUAL_OPTIONS: dict[str, Any] = {"ftol": 0.0, "gtol": 1e-12, "maxiter": 10_000, "maxfun": 20_000}


@explain_renamed_attributes
@dataclass(frozen=True, eq=False)
class Ratings:
    """Ratings of N players, which `rate_players` computes.

    Attributes
    ----------
    winnings : array of shape (N, N)
        What the row's player wins from the column's, or its probability of winning minus that of losing.
    mean : array of shape (N,)
        The average winnings of each player.
    elo : array of shape (N,)
        The Elo points of each player, whose mean is 0.
    nash : array of shape (N,)
        The probability of each player in the equilibrium of maximum entropy.
    alpha_rank : array of shape (N,)
        The share of time in which a population plays each player's strategy.
    transitivity : float
        The share of the sum of squares of the winnings that is explained by one number for each player, whose
        differences approximate the winnings. It is 1 for a transitive table and 0 for a purely cyclic one.
    cycles : int
        The number of triples of players in which the first beats the second, the second the third, and the third the
        first.
    intervals : mapping of str to array
        The lower and the upper bounds of each rating by its name, of shape (2, N), and those of `transitivity` and
        `cycles`, of shape (2,). It is empty if no errors were given.
    """

    winnings: Floats
    mean: Floats
    elo: Floats
    nash: Floats
    alpha_rank: Floats
    transitivity: float
    cycles: int
    intervals: Mapping[str, Floats]

    def __post_init__(self) -> None:
        freeze(*vars(self).values(), *self.intervals.values())


def rate_players(table: ArrayLike, *, errors: ArrayLike | None = None) -> Ratings:
    """Return four ratings of the players in a table of results, and a measure of how transitive the table is.

    Parameters
    ----------
    table : array_like, shape (N, N)
        The results of N players against each other. Either a cell is the amount that the row wins from the column, in
        any unit, and the table is antisymmetric. Instead, it may be the probability that the row wins, where a draw
        counts as half a win, and the cells (i, j) and (j, i) sum to one, or to 100 percent. Probabilities may be
        rounded to 0.01 or finer. The diagonal is not used: it may be missing (NaN or masked) or zero, or a half or one
        in a table of probabilities.
    errors : array_like, shape (N, N), optional
        The standard errors of the cells, in the same unit, symmetric. If they are given, intervals are computed, which
        contain 95% of the ratings of 200 tables that are drawn randomly around the given one. A random table is less
        transitive than the given table.

    Returns
    -------
    Ratings
        The ratings, the transitivity, and the intervals.

    Raises
    ------
    SettingError
        If the table is neither antisymmetric nor a table of probabilities, or if a cell off the diagonal is missing.
    ShapeError
        If the table is not square, or if errors have another shape, are negative, or are not symmetric.

    Notes
    -----
    Cells that differ by at most 1e-9 of the largest magnitude (of 1 for probabilities) count as equal, and cells with
    at most this magnitude count as draws. So rounding errors do not matter.

    Elo needs probabilities. In a table of winnings the largest cell counts as a certain win, and zero as a probability
    of a half. So these Elo points can only be compared within the same table.

    Examples
    --------
    >>> rated = rate_players([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])  # rock, paper, scissors
    >>> rated.nash.round(3).tolist(), rated.transitivity, rated.cycles
    ([0.333, 0.333, 0.333], 0.0, 1)
    >>> rated = rate_players([[0.5, 0.75], [0.25, 0.5]])
    >>> rated.elo.round(1).tolist(), rated.nash.tolist(), rated.transitivity  # odds of 3 to 1
    ([95.4, -95.4], [1.0, 0.0], 1.0)
    """
    winnings, pair_sum = validate_results(table)
    largest_winnings = float(np.abs(winnings).max())
    is_of_winnings = pair_sum == 0.0
    certain_win = (largest_winnings or 1.0) if is_of_winnings else 1.0
    ratings = compute_all_ratings(winnings, certain_win)
    if errors is None:
        return Ratings(winnings, **ratings, intervals={})

    # Wins minus losses have twice the error of a probability.
    error_factor = 1.0 if is_of_winnings else 2.0 / pair_sum
    standard_errors = validate_square_matrix(errors, "table of errors") * error_factor
    np.fill_diagonal(standard_errors, 0.0)
    asymmetry = set_rounding_errors_to_zero(
        standard_errors - standard_errors.T, standard_errors.max()
    )
    if standard_errors.shape != winnings.shape or standard_errors.min() < 0.0 or asymmetry.any():
        raise ShapeError(f"errors must be symmetric, at least 0, and have shape {winnings.shape}.")

    intervals = estimate_rating_intervals(winnings, standard_errors, certain_win)
    return Ratings(winnings, **ratings, intervals=intervals)


def estimate_rating_intervals(
    winnings: Floats, standard_errors: Floats, certain_win: float
) -> dict[str, Floats]:
    """Return confidence intervals of all ratings, which are estimated from random tables.

    The cells above the diagonal of each of `NUM_DRAWN_TABLES` tables are drawn from normal distributions. The cells
    below it are their negatives.

    Parameters
    ----------
    winnings : array of shape (N, N)
        The means: what each of N players wins from each other one, antisymmetric.
    standard_errors : array of shape (N, N)
        The standard deviations, symmetric, with zeros on the diagonal.
    certain_win : float
        The amount that counts as a certain win for the Elo points.

    Returns
    -------
    dict of str to array of shape (2, N) or (2,)
        The lower and the upper bounds, by the names of `compute_all_ratings`.
    """
    ratings_of_drawn_tables = []
    for index in range(NUM_DRAWN_TABLES):
        rng = random_stream(1, "tables of results", index)
        noise = np.triu(rng.normal(size=winnings.shape) * standard_errors, 1)  # above the diagonal
        drawn_table = winnings + noise - noise.T
        ratings_of_drawn_tables.append(compute_all_ratings(drawn_table, certain_win))

    bounds = [0.5 - CONFIDENCE_LEVEL / 2.0, 0.5 + CONFIDENCE_LEVEL / 2.0]
    intervals = {}
    for name in ratings_of_drawn_tables[0]:
        drawn_values = [ratings_of_table[name] for ratings_of_table in ratings_of_drawn_tables]
        intervals[name] = np.quantile(drawn_values, bounds, axis=0)
    return intervals


def compute_all_ratings(winnings: Floats, certain_win: float) -> dict[str, Any]:
    """Return four ratings of players, the transitivity of their results, and the number of cycles.

    Parameters
    ----------
    winnings : array of shape (N, N)
        What each of N players wins from each other one, antisymmetric.
    certain_win : float
        The amount that counts as a certain win for the Elo points.

    Returns
    -------
    dict of str to Any
        The values of the attributes of `Ratings` that have these names.
    """
    transitivity, num_cycles = measure_transitivity(winnings)
    return {
        "mean": winnings.sum(axis=1) / (len(winnings) - 1),
        "elo": compute_elo((1.0 + winnings / certain_win) / 2.0),
        "nash": compute_nash_average(scale_largest_to_one(winnings)),
        "alpha_rank": compute_alpha_rank(winnings),
        "transitivity": transitivity,
        "cycles": num_cycles,
    }


def measure_transitivity(winnings: Floats) -> tuple[float, int]:
    """Return how transitive a matrix of winnings is, from 0 to 1, and the number of its cycles.

    The transitivity is the share of the sum of squares of the winnings that is explained by one number for each player,
    whose differences approximate the winnings. A cycle is a triple of players in which the first beats the second, the
    second the third, and the third the first. Winnings that are zero up to rounding count as draws.

    Parameters
    ----------
    winnings : array of shape (N, N)
        What each of N players wins from each other one, antisymmetric.

    Returns
    -------
    transitivity : float
        The transitivity. It is 1 if all winnings are zero.
    num_cycles : int
        The number of cycles, each of which counts once.
    """
    # By least squares, the number of each player is its mean winnings, row_sums / N.
    row_sums = winnings.sum(axis=1)
    sum_of_squares = float((winnings**2).sum())
    explained_sum = float((np.subtract.outer(row_sums, row_sums) ** 2).sum()) / len(winnings) ** 2
    transitivity = explained_sum / sum_of_squares if sum_of_squares else 1.0

    # Entry (i, k) of the product is the number of players j such that i beats j and j beats k. Each cycle is found from
    # each of its three players.
    beats = (set_rounding_errors_to_zero(winnings) > 0.0).astype(np.float64)
    num_cycles = round(float(((beats @ beats) * beats.T).sum()) / 3)
    return transitivity, num_cycles


def compute_elo(win_probabilities: Floats) -> Floats:
    """Return the Elo points of each player by maximum likelihood in the Bradley-Terry model.

    In this model player i beats player j with probability 1 / (1 + exp(s_j - s_i)). The strengths s, which sum to 0,
    are computed by Newton's method, with the same weight for every pair of players. Probabilities are at most
    `LARGEST_WIN_PROBABILITY`, because the strength of a player who always wins would be infinite.

    Parameters
    ----------
    win_probabilities : array of shape (N, N)
        The probability that the row's player beats the column's, where a draw counts half. Cells (i, j) and (j, i) sum
        to 1, and the diagonal is 1/2.

    Returns
    -------
    array of shape (N,)
        The Elo points, which sum to 0.
    """
    win_shares = np.clip(win_probabilities, 1.0 - LARGEST_WIN_PROBABILITY, LARGEST_WIN_PROBABILITY)
    strength = np.zeros(len(win_shares))
    step = np.ones(1)
    while np.abs(step).max() > ELO_STEP_TOLERANCE:
        # Entry (i, j) is the probability in the model that i beats j, which depends on s_j - s_i.
        expected_shares = 1.0 / (1.0 + np.exp(np.subtract.outer(-strength, -strength)))
        gradient = (win_shares - expected_shares).sum(axis=1)
        # The negative of the Hessian of the log likelihood, whose rows sum to 0.
        curvature = -expected_shares * (1.0 - expected_shares)
        np.fill_diagonal(curvature, 0.0)
        np.fill_diagonal(curvature, -curvature.sum(axis=1))
        # The constant 1 / N makes the matrix invertible, and keeps the sum of the strengths at 0.
        step = np.linalg.solve(curvature + 1.0 / len(win_shares), gradient)
        strength += step / max(1.0, np.abs(step).max())  # no strength changes by more than 1
    return np.asarray(ELO_POINTS * strength)


def compute_nash_average(winnings: Floats) -> Floats:
    """Return the equilibrium of maximum entropy of a symmetric zero-sum game whose largest payoff is 1.

    First a linear program finds all players that have a positive probability in some equilibrium. It looks for
    nonnegative weights, of any sum, against which no player wins, and maximizes the number of weights that are at least
    1. Then the program of maximum entropy over these players is solved by its dual.

    Parameters
    ----------
    winnings : array of shape (N, N)
        The payoff of the row's player against the column's.

    Returns
    -------
    array of shape (N,)
        The probability of each player.

    Raises
    ------
    ConvergenceError
        If a player gains more than 1e-6 against the result.

    References
    ----------
    .. [1] Balduzzi et al. (2018), "Re-evaluating evaluation"
    """
    support = find_equilibrium_support(winnings)

    # Every equilibrium x fulfills equations @ x = 0 and inequalities @ x <= 0: players of the support win nothing, and
    # others at most nothing. The equations are the singular vectors with singular values above zero, which are
    # independent of each other.
    _, singular_values, singular_vectors = np.linalg.svd(winnings[np.ix_(support, support)])
    equations = singular_vectors[singular_values > EQUALITY_TOLERANCE * len(singular_vectors)]
    inequalities = winnings[np.ix_(~support, support)]
    is_unique = len(equations) == len(singular_vectors) - 1

    weights = np.zeros(len(winnings))
    if is_unique:
        weights[support] = singular_vectors[-1] / singular_vectors[-1].sum()
    else:
        weights[support] = maximize_entropy(equations, inequalities)

    largest_gain = (winnings @ weights).max()
    if not largest_gain < NASH_TOLERANCE:
        raise ConvergenceError(
            f"the Nash average of {len(winnings)} players leaves {largest_gain:.2g} of the largest cell to gain."
            " Cells may differ too much in size; round them."
        )
    return weights


def find_equilibrium_support(winnings: Floats) -> Bools:
    """Return which players have a positive probability in some equilibrium of a symmetric zero-sum game.

    Probabilities of an equilibrium are weights x >= 0 against which no player wins: winnings @ x <= 0. Their sum does
    not matter here, because x may be multiplied by any positive number. A linear program maximizes the sum of y, where
    0 <= y <= x and y <= 1. If a player can have a positive weight, that weight can be made 1 or more, so its y is 1.
    Otherwise its y is 0.

    Parameters
    ----------
    winnings : array of shape (N, N)
        The payoff of the row's player against the column's, antisymmetric.

    Returns
    -------
    array of bool, shape (N,)
        Whether each player has a positive probability in some equilibrium.
    """
    from scipy.optimize import linprog

    num_players = len(winnings)
    zeros, identity = np.zeros_like(winnings), np.eye(num_players)
    # The constraints are winnings @ x <= 0 and y - x <= 0.
    constraints = np.block([[winnings, zeros], [-identity, identity]])
    bounds = [(0, None)] * num_players + [(0, 1)] * num_players
    solution = linprog(
        np.repeat([0, -1], num_players), constraints, np.zeros(2 * num_players), bounds=bounds
    )
    bounded_weights = solution.x[num_players:]
    return np.asarray(bounded_weights > 0.5)  # each is 0 or 1, but for rounding


def maximize_entropy(equations: Floats, inequalities: Floats) -> Floats:
    """Return the distribution x of maximum entropy with equations @ x = 0 and inequalities @ x <= 0.

    The dual program is solved, which has a multiplier for each row of both matrices: of any sign for an equation, and
    nonnegative for an inequality. The distribution is the softmax of minus the multipliers times the rows.

    Parameters
    ----------
    equations : array of shape (E, N)
        The coefficients of E equations for N probabilities.
    inequalities : array of shape (L, N)
        The coefficients of L inequalities.

    Returns
    -------
    array of shape (N,)
        The probabilities.
    """
    from scipy.optimize import minimize
    from scipy.special import logsumexp, softmax

    rows = np.vstack([equations, inequalities])

    def compute_dual(multipliers: Floats) -> tuple[float, Floats]:
        """Return the dual objective of entropy maximization at given multipliers, and its gradient.

        Parameters
        ----------
        multipliers : array of shape (E + L,)
            A multiplier for each equation and each inequality.

        Returns
        -------
        objective : float
            The logarithm of the sum of exponentials, whose minimum is the largest entropy.
        gradient : array of shape (E + L,)
            The derivative of the objective by each multiplier.
        """
        exponents = -multipliers @ rows
        return float(logsumexp(exponents)), -rows @ softmax(exponents)

    multipliers = np.zeros(len(rows))
    if len(rows):
        bounds: Any = [(None, None)] * len(equations) + [(0, None)] * len(inequalities)
        solution = minimize(
            compute_dual,
            multipliers,
            jac=True,
            method="L-BFGS-B",
            bounds=bounds,
            options=DUAL_OPTIONS,
        )
        multipliers = solution.x
    return np.asarray(softmax(-multipliers @ rows))


def compute_alpha_rank(winnings: Floats) -> Floats:
    """Return the alpha-rank of each player for a large alpha: the share of time that a population plays its strategy.

    All members of the population play the same strategy. Each other strategy is tried equally often. The population
    switches to this strategy with probability 1 - epsilon if the strategy wins against the present one, epsilon if it
    loses, and 1/2 if it draws, where epsilon is `ALPHA_RANK_EPSILON`. Alpha-rank is the stationary distribution of this
    Markov chain.

    Parameters
    ----------
    winnings : array of shape (N, N)
        What the row's player wins from the column's.

    Returns
    -------
    array of shape (N,)
        The share of time of each player's strategy.

    References
    ----------
    .. [1] Omidshafiei et al. (2019), "Alpha-rank: multi-agent evaluation by evolution"
    """
    num_players = len(winnings)
    # The probability of a switch from the row to the column.
    switch_probability = np.where(winnings > 0.0, ALPHA_RANK_EPSILON, 0.5)
    switch_probability = np.where(winnings < 0.0, 1.0 - ALPHA_RANK_EPSILON, switch_probability)
    rates = switch_probability / (num_players - 1)
    np.fill_diagonal(rates, 0.0)
    np.fill_diagonal(rates, -rates.sum(axis=1))

    # The stationary shares x have rates.T @ x = 0 and sum to one.
    equations = np.vstack([rates.T, np.ones(num_players)])
    right_side = np.append(np.zeros(num_players), 1.0)
    shares, *_ = np.linalg.lstsq(equations, right_side)
    return np.asarray(shares)


def find_cycles(winnings: Floats) -> Ints:
    """Return all cycles: triples of players (i, j, k) in which i beats j, j beats k, and k beats i.

    Triples are ordered by the smallest of their three winnings, beginning with the triple in which it is largest.

    Parameters
    ----------
    winnings : array of shape (N, N)
        What the row's player wins from the column's, such as `Ratings.winnings`.

    Returns
    -------
    array of shape (number of cycles, 3)
        One triple of player indices in each row, in which the smallest index comes first.
    """
    # Entry (i, j, k) is the smallest of what i wins from j, j from k, and k from i.
    smallest = np.minimum(winnings[:, :, None], winnings[None, :, :])
    smallest = np.minimum(smallest, winnings.T[:, None, :])

    # Each cycle is found three times, from each of its players. The one with the smallest index first is kept.
    triples = np.argwhere(smallest > 0.0)
    triples = triples[triples[:, 0] == triples.min(axis=1)]
    margins = smallest[tuple(triples.T)]
    return np.asarray(triples[np.argsort(-margins, kind="stable")])
