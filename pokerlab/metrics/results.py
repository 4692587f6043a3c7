"""What a table of results says: how good everybody is, by four ratings, and how far a rating can say it.

How to read it. A table (N, N) has in each row what one player wins from the others. Four numbers a player come from
it. *Mean*: what it wins on average. *Elo* (Bradley & Terry 1952): points that explain chances to win, 400 for odds
of 10 to 1. *Nash* (Balduzzi et al. 2018): its weight in the equilibrium of the game in which everybody chooses a
player, of several the one of maximum entropy, so that copies of a player share its weight. *Alpha-rank* (Omidshafiei
et al. 2019): how much of the time a population plays it that goes over to whatever beats it. They agree where a
table is transitive. Where it has cycles, no rating says who beats whom, and they need not agree.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core.arrays import Bools, Floats, Ints, freeze
from pokerlab.core.errors import ConvergenceError, SettingError, ShapeError
from pokerlab.core.streams import stream
from pokerlab.metrics.paired import LEVEL

POINTS_OF_ODDS = 400.0 / np.log(10.0)
"""Elo points of odds of e to 1."""
CERTAIN = 0.999
"""No chance to win counts as more, so that Elo stays finite: between two players it is at most 1,200 points."""
SLIPS = 0.01
"""How often in alpha-rank the loser of a pair takes over all the same, OpenSpiel's."""
INEQUILIBRIUM = 1e-6
"""What may be left to gain from a Nash average, relative to the largest cell: rounding stays below it."""
DRAWS = 200
"""Tables drawn for intervals."""
INEXACT = 1e-9
"""By how much cells that should cancel may differ, relative to the largest."""
EXACT: dict[str, Any] = {"ftol": 0.0, "gtol": 1e-12, "maxiter": 10_000, "maxfun": 20_000}


@dataclass(frozen=True, eq=False)
class Ratings:
    """What a table says of N players; `ratings` makes it.

    Attributes
    ----------
    table : ndarray, shape (N, N)
        What the row wins from the column; of a table of chances, wins less losses.
    mean, elo, nash, alpha_rank : ndarray, shape (N,)
        Four ratings. Elo points have mean 0; Nash and alpha-rank are shares.
    transitivity : float
        The share of the table, in squares, that differences of one number a player explain: 1 if all, 0 in
        rock-paper-scissors.
    cycles : int
        Threes of whom each beats the next.
    intervals : Mapping[str, ndarray]
        If there were errors: for each of the above the ends of its interval, shape (2, N) or (2,).
    """

    table: Floats
    mean: Floats
    elo: Floats
    nash: Floats
    alpha_rank: Floats
    transitivity: float
    cycles: int
    intervals: Mapping[str, Floats]

    def __post_init__(self) -> None:
        freeze(*vars(self).values(), *self.intervals.values())


def ratings(table: ArrayLike, *, errors: ArrayLike | None = None) -> Ratings:
    """Return four ratings of the players of a table of results, and how transitive it is.

    Parameters
    ----------
    table : array_like, shape (N, N)
        What the row wins from the column, in any unit, antisymmetric; or its chance to win, a draw being half a win,
        where two that mirror each other sum to one. Elo takes chances; of winnings it takes the largest for certain,
        and a draw for none, so that its points compare only within the table.
    errors : array_like, shape (N, N), optional
        Standard errors of the cells, symmetric.

    Returns
    -------
    Ratings
        With `errors` it has intervals: what 95% say of 200 tables that are drawn around this one.

    Raises
    ------
    ShapeError
        If the table is not square, or the errors have another shape.
    SettingError
        If it is neither antisymmetric nor a table of chances, or something is missing.

    References
    ----------
    .. [1] D. Balduzzi, K. Tuyls, J. Perolat and T. Graepel, "Re-evaluating evaluation", NeurIPS 2018.
    .. [2] S. Omidshafiei et al., "alpha-rank: multi-agent evaluation by evolution", Scientific Reports 9, 2019.

    Examples
    --------
    >>> of = ratings([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])  # rock, paper, scissors
    >>> of.nash.round(3).tolist(), of.transitivity, of.cycles
    ([0.333, 0.333, 0.333], 0.0, 1)
    >>> of = ratings([[0.5, 0.75], [0.25, 0.5]])
    >>> of.elo.round(1).tolist(), of.nash.tolist(), of.transitivity  # odds of 3 to 1
    ([95.4, -95.4], [1.0, 0.0], 1.0)
    """
    given = square(table, "table")
    largest = np.abs(given).max()
    chances = bool(np.allclose(given + given.T, 1.0, rtol=0.0, atol=INEXACT))
    won = 2.0 * given - 1.0 if chances else given
    if not np.allclose(won, -won.T, rtol=0.0, atol=INEXACT * largest):
        raise SettingError(
            "the table is neither antisymmetric, what the row wins from the column, nor one of chances to win that"
            " sum to one with those that mirror them. Subtract its transpose and halve it, if seats differ."
        )
    won = (won - won.T) / 2.0
    scale = 1.0 if chances else largest or 1.0
    found = said_by(won, scale)
    return Ratings(won, **found, intervals=intervals_of(won, scale, errors, 1 + chances))


def square(values: ArrayLike, name: str) -> Floats:
    """Return a square matrix of finite numbers; refuse anything else."""
    matrix = np.array(values, dtype=np.float64)
    if matrix.ndim != 2 or len(matrix) != matrix.shape[1] or len(matrix) < 2:
        raise ShapeError(
            f"the {name} has shape {matrix.shape}; give (N, N) for two players or more."
        )
    if not np.isfinite(matrix).all():
        row, column = np.argwhere(~np.isfinite(matrix))[0]
        raise SettingError(
            f"the {name} has {matrix[row, column]} in row {row}, column {column}; give a number for every pair."
        )
    return matrix


def said_by(won: Floats, scale: float) -> dict[str, Any]:
    """Return what `Ratings` has of a table of winnings, the largest of which may be `scale`."""
    sums = won.sum(axis=1)
    explained = np.subtract.outer(sums, sums) / len(won)
    total = float((won**2).sum())
    beats = won > 0.0
    return {
        "mean": sums / (len(won) - 1),
        "elo": elo_of((1.0 + won / scale) / 2.0),
        "nash": nash_average(won),
        "alpha_rank": alpha_rank_of(won),
        "transitivity": float((explained**2).sum()) / total if total else 1.0,
        "cycles": round(float(np.trace(np.linalg.matrix_power(beats.astype(np.float64), 3))) / 3),
    }


def intervals_of(
    won: Floats, scale: float, errors: ArrayLike | None, times: int
) -> dict[str, Floats]:
    """Return the intervals of all that tables say that are drawn around this one, by its `errors` times a number."""
    if errors is None:
        return {}
    spread = times * square(errors, "table of errors")
    if spread.shape != won.shape or not np.allclose(spread, spread.T) or spread.min() < 0.0:
        raise ShapeError(f"errors must be symmetric, at least 0, and have shape {won.shape}.")
    tables = []
    for number in range(DRAWS):
        noise = np.triu(stream(1, "tables of results", number).normal(size=won.shape) * spread, 1)
        tables.append(said_by(won + noise - noise.T, scale))
    ends = [0.5 - LEVEL / 2.0, 0.5 + LEVEL / 2.0]
    return {name: np.quantile([one[name] for one in tables], ends, axis=0) for name in tables[0]}


def elo_of(chances: Floats) -> Floats:
    """Return Elo points, (N,), by the likeliest Bradley-Terry model of chances to win, (N, N); by Newton's method."""
    wins = np.clip(chances, 1.0 - CERTAIN, CERTAIN)
    strength = np.zeros(len(wins))
    for _ in range(100):
        expected = 1.0 / (1.0 + np.exp(np.subtract.outer(-strength, -strength)))
        slope = (wins - expected).sum(axis=1)
        curvature = expected * (1.0 - expected)
        bend = np.diag(curvature.sum(axis=1)) - curvature
        step = np.linalg.solve(bend + 1.0 / len(wins), slope)  # the sum of strengths stays 0
        strength += step / max(1.0, np.abs(step).max())
        if np.abs(step).max() < INEXACT:
            break
    return np.asarray(POINTS_OF_ODDS * strength)


def nash_average(won: Floats) -> Floats:
    """Return the equilibrium of maximum entropy, (N,), of a symmetric zero-sum game, (N, N)."""
    won = won / (np.abs(won).max() or 1.0)
    inside = largest_support(won)
    inner = won[np.ix_(inside, inside)]
    _, sizes, rows = np.linalg.svd(inner)
    binding = rows[
        sizes > INEXACT * len(inner)
    ]  # all that equilibria fulfil there: these times the weights are 0
    weights = np.zeros(len(won))
    if len(binding) == len(inner) - 1:  # only one equilibrium
        weights[inside] = np.abs(rows[-1]) / np.abs(rows[-1]).sum()
    else:
        weights[inside] = most_even(binding, won[np.ix_(~inside, inside)])
    if not (won @ weights).max() < INEQUILIBRIUM:
        raise ConvergenceError(
            f"the Nash average of a table of {len(won)} leaves {(won @ weights).max():.2g} of its largest cell to"
            " gain. Its cells may differ too much in size; round them."
        )
    return weights


def largest_support(won: Floats) -> Bools:
    """Return who has weight in some equilibrium, (N,).

    A linear program: weights of any sum against which nobody wins; as many as possible that are 1 or more.
    """
    from scipy import sparse
    from scipy.optimize import linprog

    count = len(won)
    one = sparse.eye_array(count)
    nobody_wins = sparse.hstack([sparse.csr_array(won), sparse.csr_array((count, count))])
    rows = sparse.vstack([nobody_wins, sparse.hstack([-one, one])], format="csr")
    found = linprog(
        np.repeat([0.0, -1.0], count),
        A_ub=rows,
        b_ub=np.zeros(2 * count),
        bounds=[(0.0, None)] * count + [(0.0, 1.0)] * count,
    )
    return np.asarray(found.x[count:] > 0.5)


def most_even(binding: Floats, others: Floats) -> Floats:
    """Return the most even weights w, (K,), with `binding` w = 0 and `others` w <= 0: by the convex dual."""
    from scipy.optimize import minimize
    from scipy.special import logsumexp, softmax

    rows = np.vstack([binding, others])

    def dual(prices: Floats) -> tuple[float, Floats]:
        logits = -prices @ rows
        return float(logsumexp(logits)), -rows @ softmax(logits)

    bounds = [(None, None)] * len(binding) + [(0.0, None)] * len(others)
    prices = np.zeros(len(rows))
    if len(rows):
        prices = minimize(dual, prices, jac=True, method="L-BFGS-B", bounds=bounds, options=EXACT).x
    return np.asarray(softmax(-prices @ rows))


def alpha_rank_of(won: Floats) -> Floats:
    """Return how much of the time a population plays each strategy, (N,), in the limit of a large alpha.

    It meets each other strategy equally often, and goes over to it if it wins, but for `SLIPS`; half of the time
    where they draw.
    """
    count = len(won)
    goes = np.where(won < 0.0, 1.0 - SLIPS, np.where(won > 0.0, SLIPS, 0.5)) / (count - 1)
    np.fill_diagonal(goes, 0.0)
    np.fill_diagonal(goes, 1.0 - goes.sum(axis=1))
    stays = np.vstack([goes.T - np.eye(count), np.ones(count)])
    shares = np.linalg.lstsq(stays, np.eye(1, count + 1, count)[0], rcond=None)[0]
    return np.asarray(np.maximum(shares, 0.0) / np.maximum(shares, 0.0).sum())


def cycles_of(won: Floats) -> Ints:
    """Return all threes (i, j, k) of whom i beats j, j beats k, and k beats i, (C, 3); the clearest first.

    A cycle is as clear as its closest result; i is the least number of the three.
    """
    least = np.minimum(np.minimum(won[:, :, None], won[None, :, :]), won.T[:, None, :])
    threes = np.argwhere(least > 0.0)
    threes = threes[(threes[:, 0] < threes[:, 1]) & (threes[:, 0] < threes[:, 2])]
    return np.asarray(threes[np.argsort(-least[tuple(threes.T)], kind="stable")])
