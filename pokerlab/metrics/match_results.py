"""Ratings of players, and solution concepts, from a table of results: who wins how much from whom.

A table of results has a row and a column for each of N players: what the row wins from the column, its chance to win,
or percent. Two numbers are equal if they differ by at most `EQUALITY_TOLERANCE` of the largest magnitude in the table.
Everything here that compares numbers follows this rule, so that rounding breaks no tie. Begin with `rate_players` and
`apply_solution_concepts`; both work on the antisymmetric winnings that `compute_winnings` returns.

Ratings. Four numbers a player are computed from a table. *Mean*: average winnings. *Elo* (Bradley & Terry 1952):
points that explain chances to win; 400 points are odds of 10 to 1. *Nash* (Balduzzi et al. 2018): the player's
probability in the equilibrium of the game in which both sides choose a player; if there are several, in the one of
maximum entropy, so that copies of a player share its probability. *Alpha-rank* (Omidshafiei et al. 2019): how much of
the time a population plays the player's strategy, if it always goes over to a strategy that wins against its own. The
four agree where a table is transitive. Where it has cycles, no rating tells who beats whom, and they need not agree.

Solution concepts. Each picks some players by their results against the others, their *tests*. Oliehoek et al. (2006)
list the concepts of coevolution as S0 to S4, after de Jong (2005). The algorithms named in `apply_solution_concepts`
look for the same players among strategies that they still have to find. Here all players are known, so that the
concepts themselves can be compared.
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
from pokerlab.core.arrays import checked_numbers
from pokerlab.core.old_names import explain_renamed_attributes
from pokerlab.metrics.paired_comparison import LEVEL

EQUALITY_TOLERANCE = 1e-9
"""By what share of the largest magnitude equal numbers may differ."""
MIRRORED_SUMS = (0.0, 1.0, 100.0)
"""The sums of two cells that mirror each other: in a table of winnings, of chances, of percent."""
CHANCE_DIGITS = range(2, 9)
"""The numbers of decimals to which chances may be rounded; mirrored ones then need not sum to one exactly."""


def drop_rounding(values: Floats, largest: float | None = None) -> Floats:
    """Return numbers with zeros in place of those that are zero up to rounding.

    Parameters
    ----------
    values : ndarray
        Numbers, in any shape.
    largest : float, optional
        The magnitude that rounding is relative to; by default the largest of the values.
    """
    if largest is None:
        largest = float(np.abs(values).max(initial=0.0))
    return np.where(np.abs(values) <= EQUALITY_TOLERANCE * largest, 0.0, values)


def scale_to_one(values: Floats) -> Floats:
    """Return numbers divided by their largest magnitude; zeros stay zeros."""
    largest = float(np.abs(values).max(initial=0.0))
    return np.asarray(values / (largest or 1.0))


def compute_winnings(table: ArrayLike) -> Floats:
    """Return a table of results as winnings: an exactly antisymmetric matrix of what the row wins from the column.

    From a table of chances or percent these are wins less losses, from -1 to 1. `checked_results` says which tables are
    allowed.
    """
    won, _ = checked_results(table)
    return won


def checked_results(table: ArrayLike) -> tuple[Floats, float]:
    """Return a table of results as winnings, and the sum of two cells that mirror each other, or raise.

    Parameters
    ----------
    table : array_like, shape (N, N)
        Winnings, where two such cells sum to 0, chances to win, where they sum to 1, or percent, where they sum to
        100. Chances and percent may be rounded to two or more decimals of a chance. The diagonal, where a player meets
        itself, may be missing (NaN or masked) or zero; in a table of chances or percent also a half or the whole.

    Returns
    -------
    won : ndarray of shape (N, N)
        What the row wins from the column, exactly antisymmetric; zero where it is zero up to rounding.
    total : float
        The sum of two cells that mirror each other: 0, 1 or 100.

    Raises
    ------
    SettingError
        If the table is none of these, or a cell off the diagonal is missing.
    ShapeError
        If it is not square, or has fewer than two rows.
    """
    given = checked_square_matrix(table, "table of results")
    diagonal = np.diag(given).copy()
    np.fill_diagonal(given, 0.0)
    sums = [total for total in MIRRORED_SUMS if mirrored_cells_sum_to(total, given)]
    if not sums:
        raise SettingError(
            "the table is neither antisymmetric, what the row wins from the column, nor one of chances to win that"
            " sum to one, or to 100 percent, with those that mirror them. Subtract its transpose and halve it, if seats"
            " differ."
        )
    total = sums[0]
    check_diagonal(diagonal, total, largest=total or float(np.abs(given).max()))
    won = (given - given.T) / (total or 2.0)
    return drop_rounding(won, 1.0 if total else None), total


def check_diagonal(diagonal: Floats, total: float, largest: float) -> None:
    """Raise SettingError unless the cells on a table's diagonal are missing, zero, half of `total` or `total`."""
    allowed = [0.0, total / 2.0, total]
    for value in diagonal[~np.isnan(diagonal)]:
        if all(abs(value - each) > EQUALITY_TOLERANCE * largest for each in allowed):
            raise SettingError(
                f"the table has {value:g} on its diagonal, where a player meets itself. Give NaN or"
                f" {' or '.join(f'{each:g}' for each in sorted({*allowed}))}."
            )


def mirrored_cells_sum_to(total: float, given: Floats) -> bool:
    """Return whether each cell off a table's diagonal and its mirrored cell have a given sum, up to rounding."""
    sums = (given + given.T)[~np.eye(len(given), dtype=np.bool_)]
    if not total:  # winnings
        return bool(np.abs(sums).max() <= EQUALITY_TOLERANCE * np.abs(given).max())

    chances = given / total
    if chances.min() < -EQUALITY_TOLERANCE or chances.max() > 1.0 + EQUALITY_TOLERANCE:
        return False
    rounding = 0.0
    for digits in CHANCE_DIGITS:
        if np.abs(chances.round(digits) - chances).max() <= EQUALITY_TOLERANCE:
            rounding = 10.0**-digits
            break
    largest_error = np.abs(sums / total - 1.0).max()
    return bool(largest_error <= rounding + EQUALITY_TOLERANCE)


def checked_square_matrix(values: ArrayLike, name: str) -> Floats:
    """Return values as a square matrix, or raise if they are not one of two rows or more.

    Cells off the diagonal must be finite; on the diagonal they may be missing. The errors call the matrix `name`.
    """
    matrix = checked_numbers(values, f"numbers of the {name}")
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
"""The Elo points of odds of e to 1."""
LARGEST_CHANCE = 0.999
"""A larger chance to win counts as this one, so that Elo is finite: two players differ by at most 1,200 points."""
ALPHA_RANK_EPSILON = 0.01
"""How often in alpha-rank the loser of a pair takes over nevertheless, as in OpenSpiel."""
NUM_DRAWN_TABLES = 200
"""The number of tables that are drawn for intervals."""
LARGEST_GAIN_LEFT = 1e-6
"""The largest gain from a best response to a Nash average, relative to the largest cell."""
ELO_STEP_TOLERANCE = 1e-9
"""Newton's method for Elo ends when a step, in logarithms of odds, is no larger."""
DUAL_OPTIONS: dict[str, Any] = {"ftol": 0.0, "gtol": 1e-12, "maxiter": 10_000, "maxfun": 20_000}


@explain_renamed_attributes
@dataclass(frozen=True, eq=False)
class Ratings:
    """Ratings of N players; `rate_players` computes them.

    Attributes
    ----------
    winnings : array of shape (N, N)
        What the row wins from the column, or wins less losses.
    mean : array of shape (N,)
        Average winnings.
    elo : array of shape (N,)
        Elo points, with mean 0.
    nash : array of shape (N,)
        Probabilities in the equilibrium of maximum entropy.
    alpha_rank : array of shape (N,)
        Shares of time of a population.
    transitivity : float
        The share of the table's sum of squares that differences of one number a player explain.
    cycles : int
        The number of triples in which each beats the next.
    intervals : mapping of str to array
        The two bounds of each rating, of shape (2, N), and of each number, (2,); empty if there were no errors.
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
    """Compute four ratings of the players in a table of results, and how transitive the table is.

    Parameters
    ----------
    table : array_like, shape (N, N)
        What the row wins from the column, in any unit, antisymmetric. Or its chance to win, where a draw is half a win
        and cells that mirror each other sum to one, or to 100 percent; chances may be rounded to 0.01 or finer. The
        diagonal is not used: it may be missing (NaN or masked), zero, or in a table of chances a half or one. Elo
        needs chances. In a table of winnings the largest counts as a certain win and zero as a chance of a half, so
        that its points are comparable only within the table.
    errors : array_like, shape (N, N), optional
        Standard errors of the cells, symmetric, in their unit. If given, there are intervals: 95% of the ratings of
        200 tables that are drawn around this one. A drawn table is less transitive than the table it is drawn around.

    Returns
    -------
    Ratings
        The ratings, how transitive the table is, and intervals.

    Raises
    ------
    SettingError
        If the table is neither antisymmetric nor one of chances, or a cell off the diagonal is missing.

    Notes
    -----
    Cells that differ by at most 1e-9 of the largest magnitude (of chances, of 1) are equal, and those that differ from
    zero by no more are draws: rounding decides nothing.

    Examples
    --------
    >>> rated = rate_players([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])  # rock, paper, scissors
    >>> rated.nash.round(3).tolist(), rated.transitivity, rated.cycles
    ([0.333, 0.333, 0.333], 0.0, 1)
    >>> rated = rate_players([[0.5, 0.75], [0.25, 0.5]])
    >>> rated.elo.round(1).tolist(), rated.nash.tolist(), rated.transitivity  # odds of 3 to 1
    ([95.4, -95.4], [1.0, 0.0], 1.0)
    """
    won, total = checked_results(table)
    certain_win = 1.0 if total else float(np.abs(won).max()) or 1.0
    rated = compute_ratings_by_name(won, certain_win)
    if errors is None:
        return Ratings(won, **rated, intervals={})

    unit = 2.0 / total if total else 1.0  # of chances, wins less losses have twice the error
    spread = checked_square_matrix(errors, "table of errors") * unit
    np.fill_diagonal(spread, 0.0)
    if (
        spread.shape != won.shape
        or spread.min() < 0.0
        or drop_rounding(spread - spread.T, spread.max()).any()
    ):
        raise ShapeError(f"errors must be symmetric, at least 0, and have shape {won.shape}.")

    drawn = []
    for index in range(NUM_DRAWN_TABLES):
        rng = random_stream(1, "tables of results", index)
        noise = np.triu(rng.normal(size=won.shape) * spread, 1)
        drawn.append(compute_ratings_by_name(won + noise - noise.T, certain_win))
    bounds = [0.5 - LEVEL / 2.0, 0.5 + LEVEL / 2.0]
    intervals = {
        name: np.quantile([each[name] for each in drawn], bounds, axis=0) for name in rated
    }
    return Ratings(won, **rated, intervals=intervals)


def compute_ratings_by_name(won: Floats, certain_win: float) -> dict[str, Any]:
    """Return the ratings, the transitivity and the number of cycles of winnings, by their names in `Ratings`.

    `certain_win` is the size of winnings that counts as a certain win.
    """
    transitivity, num_cycles = measure_transitivity(won)
    return {
        "mean": won.sum(axis=1) / (len(won) - 1),
        "elo": compute_elo((1.0 + won / certain_win) / 2.0),
        "nash": compute_nash_average(scale_to_one(won)),
        "alpha_rank": compute_alpha_rank(won),
        "transitivity": transitivity,
        "cycles": num_cycles,
    }


def measure_transitivity(won: Floats) -> tuple[float, int]:
    """Return how much of the winnings differences of one number a player explain, and the number of cycles.

    The first is a share of the winnings' sum of squares. A cycle is a triple of players in which each beats the next.
    The winnings may contain rounding.
    """
    row_sums = won.sum(axis=1)
    total = float((won**2).sum())
    explained = float((np.subtract.outer(row_sums, row_sums) ** 2).sum()) / len(won) ** 2
    beats = (drop_rounding(won) > 0.0).astype(np.float64)
    num_cycles = round(float(((beats @ beats) * beats.T).sum()) / 3)
    return explained / total if total else 1.0, num_cycles


def compute_elo(chances: Floats) -> Floats:
    """Return each player's Elo points in the most likely Bradley-Terry model of a table of chances to win.

    In the model i beats j with probability 1 / (1 + exp(s_j - s_i)). The strengths s, which sum to 0, are found by
    Newton's method.
    """
    wins = np.clip(chances, 1.0 - LARGEST_CHANCE, LARGEST_CHANCE)
    strength = np.zeros(len(wins))
    step = np.ones(1)
    while np.abs(step).max() > ELO_STEP_TOLERANCE:
        expected = 1.0 / (1.0 + np.exp(np.subtract.outer(-strength, -strength)))
        gradient = (wins - expected).sum(axis=1)
        hessian = -expected * (1.0 - expected)
        np.fill_diagonal(hessian, 0.0)
        np.fill_diagonal(hessian, -hessian.sum(axis=1))
        step = np.linalg.solve(hessian + 1.0 / len(wins), gradient)  # 1 / N keeps the sum at 0
        strength += step / max(1.0, np.abs(step).max())
    return np.asarray(ELO_POINTS * strength)


def compute_nash_average(won: Floats) -> Floats:
    """Return the equilibrium of maximum entropy of a symmetric zero-sum game with largest payoff 1.

    A linear program finds the players that some equilibrium plays: weights of any sum against which no player wins,
    with as many weights of 1 or more as possible. Among these players the program of maximum entropy is solved by its
    dual.

    References
    ----------
    .. [1] Balduzzi et al. (2018), "Re-evaluating evaluation"
    """
    from scipy.optimize import linprog, minimize
    from scipy.special import logsumexp, softmax

    # Variables are weights x and bounded ones y <= x, y <= 1, whose sum is maximized under won @ x <= 0.
    count = len(won)
    zeros, identity = np.zeros_like(won), np.eye(count)
    constraints = np.block([[won, zeros], [-identity, identity]])
    bounds = [(0, None)] * count + [(0, 1)] * count
    solution = linprog(np.repeat([0, -1], count), constraints, np.zeros(2 * count), bounds=bounds)
    support = solution.x[count:] > 0.5

    # Every equilibrium x fulfills equations @ x = 0 and inequalities @ x <= 0.
    _, sizes, axes = np.linalg.svd(won[np.ix_(support, support)])
    equations = axes[sizes > EQUALITY_TOLERANCE * len(axes)]
    inequalities = won[np.ix_(~support, support)]
    rows = np.vstack([equations, inequalities])

    def dual(multipliers: Floats) -> tuple[float, Floats]:
        exponents = -multipliers @ rows
        return float(logsumexp(exponents)), -rows @ softmax(exponents)

    weights = np.zeros(count)
    if len(equations) == len(axes) - 1:  # there is only one equilibrium
        weights[support] = axes[-1] / axes[-1].sum()
    else:
        multipliers = np.zeros(len(rows))
        if len(rows):
            signs: Any = [(None, None)] * len(equations) + [(0, None)] * len(inequalities)
            multipliers = minimize(
                dual, multipliers, jac=True, method="L-BFGS-B", bounds=signs, options=DUAL_OPTIONS
            ).x
        weights[support] = softmax(-multipliers @ rows)

    largest_gain = (won @ weights).max()
    if not largest_gain < LARGEST_GAIN_LEFT:
        raise ConvergenceError(
            f"the Nash average of {count} players leaves {largest_gain:.2g} of the largest cell to gain."
            " Cells may differ too much in size; round them."
        )
    return weights


def compute_alpha_rank(won: Floats) -> Floats:
    """Return the share of time in which a population plays each strategy: alpha-rank, for a large alpha.

    The population meets each other strategy equally often, and goes over to it with probability 1 - epsilon if it
    wins, epsilon if it loses, and 1/2 if the two draw. Alpha-rank is the stationary distribution of this chain.

    References
    ----------
    .. [1] Omidshafiei et al. (2019), "Alpha-rank: multi-agent evaluation by evolution"
    """
    count = len(won)
    goes_over = np.where(won > 0.0, ALPHA_RANK_EPSILON, 0.5)  # from the row to the column
    goes_over = np.where(won < 0.0, 1.0 - ALPHA_RANK_EPSILON, goes_over)
    rates = goes_over / (count - 1)
    np.fill_diagonal(rates, 0.0)
    np.fill_diagonal(rates, -rates.sum(axis=1))

    # The stationary shares x have rates.T @ x = 0 and sum to one.
    equations = np.vstack([rates.T, np.ones(count)])
    right_side = np.append(np.zeros(count), 1.0)
    shares, *_ = np.linalg.lstsq(equations, right_side)
    return np.asarray(shares)


def find_cycles(won: Floats) -> Ints:
    """Return all triples of players (i, j, k) in which i beats j, j beats k, and k beats i.

    The smallest of the three indices comes first. Cycles are ordered by their closest result, the clearest first.

    Parameters
    ----------
    won : array of shape (N, N)
        What the row wins from the column, such as `Ratings.winnings`.

    Returns
    -------
    array of shape (number of cycles, 3)
        The triples.
    """
    closest = np.minimum(won[:, :, None], won[None, :, :])
    closest = np.minimum(closest, won.T[:, None, :])
    triples = np.argwhere(closest > 0.0)
    triples = triples[triples[:, 0] == triples.min(axis=1)]
    margins = closest[tuple(triples.T)]
    return np.asarray(triples[np.argsort(-margins, kind="stable")])


LEAST_PROBABILITY = 1e-6
"""The least probability that a linear program distinguishes from zero."""


def apply_solution_concepts(table: ArrayLike) -> Mapping[str, Floats]:
    """Return the players that each solution concept picks from a table of results.

    Parameters
    ----------
    table : array_like, shape (N, N)
        What the row wins from the column, antisymmetric, or its chance to win, as in `rate_players`. Results that
        differ by at most 1e-9 of the largest are equal.

    Returns
    -------
    mapping of str to array of shape (N,)
        The players' weights by concept; they sum to one, or to zero if the concept picks no player:

        - 'mean': the players with the highest average (S1).
        - 'tests solved': those who beat the most players, as in MaxSolve, where a test is solved or not [2]_.
        - 'security': those whose worst result is best.
        - 'Nash': the equilibrium of maximum entropy, a mixture (S2).
        - 'Pareto front': those whom no player dominates weakly; each opponent is a dimension (S3; Noble & Watson 2001).
        - 'IPCA': the same if a test is solved or not, and of players who beat the same ones only the first (S4) [1]_.
        - 'ESS': those whom no mixture can invade.
        - 'correlated': those whom some correlated equilibrium plays, with equal weights.

    Notes
    -----
    No mixture is an ESS here, because an invader loses to it exactly what it loses to the invader. So only a player who
    beats every other one is an ESS. In zero-sum games correlated equilibria play the strategies of Nash equilibria
    [3]_.

    References
    ----------
    .. [1] E. D. de Jong, "The Incremental Pareto-Coevolution Archive", GECCO 2004
    .. [2] E. D. de Jong, "The MaxSolve algorithm for coevolution", GECCO 2005
    .. [3] F. Forges, "Correlated equilibrium in two-person zero-sum games", Econometrica 58, 1990

    Examples
    --------
    >>> hands = [[0, -1, 1, 0], [1, 0, -1, 1], [-1, 1, 0, 0], [0, -1, 0, 0]]  # rock, paper, scissors, glass
    >>> for name, weights in apply_solution_concepts(hands).items():
    ...     print(f"{name}: {np.flatnonzero(weights).tolist()}")
    mean: [1]
    tests solved: [1]
    security: [0, 1, 2, 3]
    Nash: [0, 1, 2]
    Pareto front: [0, 1, 2]
    IPCA: [0, 1, 2]
    ESS: []
    correlated: [0, 1, 2]
    """
    won = scale_to_one(compute_winnings(table))
    is_other = ~np.eye(len(won), dtype=np.bool_)
    beats = won > EQUALITY_TOLERANCE
    is_first = np.array([not (beats[:i] == row).all(axis=1).any() for i, row in enumerate(beats)])
    picked = {
        "mean": find_best(won.mean(axis=1)),
        "tests solved": find_best(beats.sum(axis=1)),
        "security": find_best(won.min(axis=1)),
        "Nash": compute_nash_average(won),
        "Pareto front": find_undominated(won),
        "IPCA": find_undominated(beats.astype(np.float64)) & is_first,
        "ESS": (beats | ~is_other).all(axis=1),
        "correlated": find_correlated_support(won),
    }
    return {name: normalize_weights(weights) for name, weights in picked.items()}


def find_correlated_equilibrium(
    first: ArrayLike, second: ArrayLike, *, wanted: ArrayLike | None = None
) -> Floats:
    """Return the correlated equilibrium of a two-player game with the largest sum of payoffs.

    A mediator draws a pair of actions and tells each player its own action and nothing else. In a correlated
    equilibrium no player gains by another action than the recommended one (Aumann 1974).

    Parameters
    ----------
    first, second : array_like, shape (N, M)
        The payoffs of the row player and of the column player.
    wanted : array_like, shape (N, M), optional
        If given, the correlated equilibrium with the largest mean of these numbers is returned instead.

    Returns
    -------
    ndarray of shape (N, M)
        The probability of each pair of actions.

    Raises
    ------
    SettingError
        If a payoff is missing, not finite, or not a number.
    ConvergenceError
        If the linear program fails.

    Notes
    -----
    Each player's payoffs are scaled before they are compared, so multiples of them have the same equilibrium. A
    player's payoffs that differ by at most 1e-9 of the largest are equal.

    Examples
    --------
    >>> chicken = np.array([[6, 2], [7, 0]])  # the row player gives way, or drives on
    >>> find_correlated_equilibrium(chicken, chicken.T).round(3).tolist()  # 10.5 together; mixed equilibrium: 9.3
    [[0.5, 0.25], [0.25, 0.0]]
    """
    from scipy.optimize import linprog

    row_payoff = checked_finite_payoffs(first, "first")
    column_payoff = checked_finite_payoffs(second, "second")
    if wanted is None:
        objectives = [row_payoff, column_payoff]
    else:
        objectives = [checked_finite_payoffs(wanted, "wanted")]
    shapes = [row_payoff.shape, column_payoff.shape]
    if wanted is not None:
        shapes.append(objectives[0].shape)
    if len({*shapes}) != 1 or len(shapes[0]) != 2 or 0 in shapes[0]:
        raise ShapeError(f"the tables have shapes {str(shapes)[1:-1]}; give (N, M) each.")

    objective = scale_to_one(np.stack(objectives)).sum(axis=0)
    objective = scale_to_one(drop_rounding(objective - objective.min(), 1.0))

    # Variables are the probabilities x of pairs. No deviation may gain: gains @ x <= 0.
    row_gains = compute_deviation_gains(row_payoff)
    column_gains = compute_deviation_gains(column_payoff.T).transpose(0, 2, 1)
    gains = np.concatenate([row_gains, column_gains]).reshape(-1, row_payoff.size)
    sum_to_one = np.ones((1, row_payoff.size))
    solution = linprog(
        -objective.ravel(), gains, np.zeros(len(gains)), sum_to_one, [1.0], bounds=(0, None)
    )
    if solution.status != 0:
        raise ConvergenceError(
            f"the linear program of {row_payoff.shape} payoffs failed: {solution.message}"
        )
    return np.asarray(solution.x.reshape(row_payoff.shape))


def checked_finite_payoffs(values: ArrayLike, name: str) -> Floats:
    """Return payoffs as an array of floats, or raise SettingError if one is not finite; the error calls them `name`."""
    payoff = checked_numbers(values, f"payoffs of {name}")
    if not np.isfinite(payoff).all():
        position = ", ".join(map(str, np.argwhere(~np.isfinite(payoff))[0]))
        raise SettingError(
            f"payoffs of {name} have no finite number at [{position}]. Give a payoff for each pair of actions."
        )
    return payoff


def compute_deviation_gains(payoff: Floats) -> Floats:
    """Return the row player's gain from each deviation, the choice of another action than the recommended one.

    Parameters
    ----------
    payoff : array of shape (N, M)
        The row player's payoffs.

    Returns
    -------
    array of shape (N (N - 1), N, M)
        Entry [d, i, j] is the gain of deviation d, a pair of a recommended and another action, when the pair of
        actions (i, j) is drawn. It is zero unless i is the recommended action. Gains are shares of the largest payoff,
        without rounding errors.
    """
    scaled = scale_to_one(payoff)
    actions = np.arange(len(payoff))
    gains = np.zeros((len(payoff), len(payoff), *payoff.shape))  # by recommended and other action
    gains[actions, :, actions] = drop_rounding(scaled[None] - scaled[:, None], 1.0)
    is_deviation = actions[:, None] != actions
    return np.asarray(gains[is_deviation])


def find_correlated_support(won: Floats) -> Bools:
    """Return which strategies some correlated equilibrium of a zero-sum game with largest payoff 1 plays."""
    probabilities = []
    for strategy in range(len(won)):
        objective = np.zeros_like(won)
        objective[strategy] = 1.0  # the probability that the row player is told this strategy
        equilibrium = find_correlated_equilibrium(won, -won, wanted=objective)
        probabilities.append((equilibrium * objective).sum())
    return np.asarray(np.array(probabilities) > LEAST_PROBABILITY)


def find_best(scores: Floats) -> Bools:
    """Return which scores equal the largest one; scores are at most about 1, or integers."""
    return np.asarray(scores >= scores.max() - EQUALITY_TOLERANCE)


def find_undominated(results: Floats) -> Bools:
    """Return which players no other player weakly dominates.

    A player weakly dominates another one if its results are nowhere worse, and better against some opponent.
    `results` has a row for each player and a column for each opponent.
    """
    is_better = results[:, None] > results[None] + EQUALITY_TOLERANCE
    is_better_somewhere = is_better.any(axis=2)
    dominates = is_better_somewhere & ~is_better_somewhere.T
    return np.asarray(~dominates.any(axis=0))


def normalize_weights(weights: ArrayLike) -> Floats:
    """Return weights divided by their sum; zeros stay zeros."""
    floats = np.asarray(weights, np.float64)
    return np.asarray(floats / (floats.sum() or 1.0))
