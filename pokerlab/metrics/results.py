"""What a table of results says: how good everybody is, by four ratings, and how far a rating can say it.

A table (N, N) has in each row what one player wins from the others. Four numbers a player come from it. *Mean*: what
it wins on average. *Elo* (Bradley & Terry 1952): points that explain chances to win, 400 for odds of 10 to 1. *Nash*
(Balduzzi et al. 2018): its weight in the equilibrium of the game in which everybody chooses a player, of several the
one of maximum entropy, so that copies of a player share its weight. *Alpha-rank* (Omidshafiei et al. 2019): how much
of the time a population plays it that goes over to whatever beats it. They agree where a table is transitive. Where
it has cycles, no rating says who beats whom, and they need not agree.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import ConvergenceError, Floats, Ints, ShapeError, freeze, stream
from pokerlab.metrics.paired import LEVEL
from pokerlab.metrics.winnings import EQUAL, drop_rounding, read_results, read_square, scale_to_one

POINTS_OF_ODDS = 400.0 / np.log(10.0)  # Elo points of odds of e to 1
CERTAIN = 0.999
"""No chance to win counts as more, so that Elo stays finite: between two players it is at most 1,200 points."""
SLIPS = 0.01  # how often in alpha-rank the loser of a pair takes over all the same, as in OpenSpiel
DRAWS = 200  # tables drawn for intervals
IN_EQUILIBRIUM = 1e-6
"""What a Nash average may leave to gain, relative to the largest cell."""
SETTLED = 1e-9
"""Newton's method for Elo ends with steps no larger, in logarithms of odds."""
EXACT: dict[str, Any] = {"ftol": 0.0, "gtol": 1e-12, "maxiter": 10_000, "maxfun": 20_000}


@dataclass(frozen=True, eq=False)
class Ratings:
    """What a table, (N, N), says of N players; `ratings` makes it.

    The ratings `mean`, `elo`, `nash` and `alpha_rank` are (N,), and the ends of their `intervals` (2, N).
    """

    table: Floats  # (N, N): what the row wins from the column, or wins less losses
    mean: Floats  # (N,), as the other three ratings
    elo: Floats  # points with mean 0
    nash: Floats  # shares
    alpha_rank: Floats  # shares
    transitivity: float  # the share, in squares, that differences of one number a player explain
    cycles: int  # threes of whom each beats the next
    intervals: Mapping[str, Floats]  # if there were errors: (2, N), or (2,) of a number

    def __post_init__(self) -> None:
        freeze(*vars(self).values(), *self.intervals.values())


def ratings(table: ArrayLike, *, errors: ArrayLike | None = None) -> Ratings:
    """Return four ratings of the players of a table of results, and how transitive it is.

    Parameters
    ----------
    table : array_like, shape (N, N)
        What the row wins from the column, in any unit, antisymmetric; or its chance to win, a draw being half a win,
        where two that mirror each other sum to one, or to 100 percent. Chances may be rounded, to 0.01 or finer. The
        diagonal may be missing (NaN or masked), zero, or of chances a half or one; it is not used. Elo takes chances.
        Of winnings it takes the largest for certain and none for a half, so that its points compare only within the
        table.
    errors : array_like, shape (N, N), optional
        Standard errors of the cells, symmetric, in their unit. Then there are intervals: what 95% say of 200 tables
        that are drawn around this one. What is drawn is less transitive than what it is drawn around.

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
    >>> of = ratings([[0, -1, 1], [1, 0, -1], [-1, 1, 0]])  # rock, paper, scissors
    >>> of.nash.round(3).tolist(), of.transitivity, of.cycles
    ([0.333, 0.333, 0.333], 0.0, 1)
    >>> of = ratings([[0.5, 0.75], [0.25, 0.5]])
    >>> of.elo.round(1).tolist(), of.nash.tolist(), of.transitivity  # odds of 3 to 1
    ([95.4, -95.4], [1.0, 0.0], 1.0)
    """
    won, total = read_results(table)
    certain = 1.0 if total else float(np.abs(won).max()) or 1.0
    found, drawn = said_by(won, certain), []
    if errors is not None:
        spread = read_square(errors, "table of errors") * (2.0 / total if total else 1.0)
        np.fill_diagonal(spread, 0.0)
        if (
            spread.shape != won.shape
            or spread.min() < 0.0
            or drop_rounding(spread - spread.T, spread.max()).any()
        ):
            raise ShapeError(f"errors must be symmetric, at least 0, and have shape {won.shape}.")
        for number in range(DRAWS):
            drawing = stream(1, "tables of results", number)
            noise = np.triu(drawing.normal(size=won.shape) * spread, 1)
            drawn.append(said_by(won + noise - noise.T, certain))
    ends, names = [0.5 - LEVEL / 2.0, 0.5 + LEVEL / 2.0], found if drawn else ()
    of_drawn = {name: np.quantile([one[name] for one in drawn], ends, axis=0) for name in names}
    return Ratings(won, **found, intervals=of_drawn)


def said_by(won: Floats, certain: float) -> dict[str, Any]:
    """Return what `Ratings` has of a table, in which `certain` is a certain win."""
    transitivity, cycles = order_in(won)
    return {
        "mean": won.sum(axis=1) / (len(won) - 1),
        "elo": elo_of((1.0 + won / certain) / 2.0),
        "nash": nash_average(scale_to_one(won)),
        "alpha_rank": alpha_rank_of(won),
        "transitivity": transitivity,
        "cycles": cycles,
    }


def order_in(won: Floats) -> tuple[float, int]:
    """Return the share that differences of one number a player explain, and how many threes beat each other in turn.

    Winnings may still have rounding, as those of a population have.
    """
    sums, total = won.sum(axis=1), float((won**2).sum())
    explained = float((np.subtract.outer(sums, sums) ** 2).sum()) / len(won) ** 2
    beats = (drop_rounding(won) > 0.0).astype(np.float64)
    return explained / total if total else 1.0, round(float(((beats @ beats) * beats.T).sum()) / 3)


def elo_of(chances: Floats) -> Floats:
    """Return Elo points, (N,), by the likeliest Bradley-Terry model of chances to win, (N, N); by Newton's method."""
    wins = np.clip(chances, 1.0 - CERTAIN, CERTAIN)
    strength, step = np.zeros(len(wins)), np.ones(1)
    while np.abs(step).max() > SETTLED:
        expected = 1.0 / (1.0 + np.exp(np.subtract.outer(-strength, -strength)))
        bend = -expected * (1.0 - expected)
        np.fill_diagonal(bend, 0.0)
        np.fill_diagonal(bend, -bend.sum(axis=1))
        slope = (wins - expected).sum(axis=1)
        step = np.linalg.solve(bend + 1.0 / len(wins), slope)  # strengths sum to 0
        strength += step / max(1.0, np.abs(step).max())
    return np.asarray(POINTS_OF_ODDS * strength)


def nash_average(won: Floats) -> Floats:
    """Return the equilibrium of maximum entropy, (N,), of a symmetric zero-sum game, (N, N), largest cell 1.

    A linear program says who has weight in some equilibrium: weights of any sum against which nobody wins, of which
    as many as possible are 1 or more. Among these players the program of maximum entropy is solved by its dual.
    """
    from scipy.optimize import linprog, minimize
    from scipy.special import logsumexp, softmax

    none, one = np.zeros_like(won), np.eye(len(won))
    rows = np.block([[won, none], [-one, one]])
    bounds = [(0, None)] * len(won) + [(0, 1)] * len(won)
    found = linprog(np.repeat([0, -1], len(won)), rows, np.zeros(len(rows)), bounds=bounds)
    inside = found.x[len(won) :] > 0.5
    _, sizes, axes = np.linalg.svd(won[np.ix_(inside, inside)])
    # What all equilibria fulfill: these times weights are 0.
    binding = axes[sizes > EQUAL * len(axes)]
    others = won[np.ix_(~inside, inside)]  # these are at most 0
    rows, prices = np.vstack([binding, others]), np.zeros(len(won) - len(axes) + len(binding))

    def dual(prices: Floats) -> tuple[float, Floats]:
        return float(logsumexp(-prices @ rows)), -rows @ softmax(-prices @ rows)

    weights = np.zeros(len(won))
    if len(binding) == len(axes) - 1:  # only one equilibrium
        weights[inside] = axes[-1] / axes[-1].sum()
    else:
        if len(rows):
            signs: Any = [(None, None)] * len(binding) + [(0, None)] * len(others)
            how: Any = {"jac": True, "method": "L-BFGS-B", "bounds": signs, "options": EXACT}
            prices = minimize(dual, prices, **how).x
        weights[inside] = softmax(-prices @ rows)
    if not (won @ weights).max() < IN_EQUILIBRIUM:
        raise ConvergenceError(
            f"the Nash average of {len(won)} players leaves {(won @ weights).max():.2g} of the largest cell to gain."
            " Cells may differ too much in size; round them."
        )
    return weights


def alpha_rank_of(won: Floats) -> Floats:
    """Return how much of the time a population plays each strategy, (N,), in the limit of a large alpha.

    It meets each other strategy equally often, and goes over to it if it wins, but for `SLIPS`; half of the time
    where they draw.
    """
    count = len(won)
    goes = np.where(won < 0.0, 1.0 - SLIPS, np.where(won > 0.0, SLIPS, 0.5)) / (count - 1)
    np.fill_diagonal(goes, 0.0)
    np.fill_diagonal(goes, -goes.sum(axis=1))
    return np.asarray(
        np.linalg.lstsq(np.vstack([goes.T, np.ones(count)]), np.eye(count + 1)[-1])[0]
    )


def cycles_of(won: Floats) -> Ints:
    """Return all threes (i, j, k) of whom i beats j, j beats k, and k beats i, (C, 3), in a `Ratings.table`.

    The clearest come first; a cycle is as clear as its closest result. i is the least number of the three.
    """
    least = np.minimum(np.minimum(won[:, :, None], won[None, :, :]), won.T[:, None, :])
    threes = np.argwhere(least > 0.0)
    threes = threes[threes[:, 0] == threes.min(axis=1)]
    return np.asarray(threes[np.argsort(-least[tuple(threes.T)], kind="stable")])
