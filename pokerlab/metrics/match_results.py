"""What a table of match results says: how good everybody is, and who solves the game, by several definitions.

A table (N, N) has in each row what one player wins from the others. Tables may hold winnings, chances or percent. Two
numbers of a table are equal if they differ by at most `EQUAL` of its largest magnitude; everything in `metrics` that
asks who wins, who is best, or who dominates whom asks by this rule, so that rounding breaks no tie.

Ratings. Four numbers a player come from a table. *Mean*: what it wins on average. *Elo* (Bradley & Terry 1952):
points that explain chances to win, 400 for odds of 10 to 1. *Nash* (Balduzzi et al. 2018): its weight in the
equilibrium of the game in which everybody chooses a player, of several the one of maximum entropy, so that copies of
a player share its weight. *Alpha-rank* (Omidshafiei et al. 2019): how much of the time a population plays it that
goes over to whatever beats it. They agree where a table is transitive. Where it has cycles, no rating says who beats
whom, and they need not agree.

Solution concepts. Each picks some members by what they win from the others, their *tests*. Oliehoek et al. (2006)
list the concepts of coevolution as S0 to S4, after de Jong (2005); the algorithms named in `solution_concepts` look
for the same members among strategies that they still have to find. Here everybody is known, so that the concepts
themselves are compared.
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
    stream,
)
from pokerlab.core.arrays import read_numbers
from pokerlab.metrics.paired_comparison import LEVEL

EQUAL = 1e-9
"""Numbers that differ by at most this share of the largest magnitude are equal."""
TOTALS = (0.0, 1.0, 100.0)
"""What two cells that mirror each other add up to: winnings, chances, percent."""
DIGITS = range(2, 9)
"""To how many decimals a chance may be rounded, so that two that mirror each other need not add up to one."""


def drop_rounding(values: Floats, largest: float | None = None) -> Floats:
    """Return numbers with zero in place of those that are equal to zero.

    Parameters
    ----------
    values : array of float
        Of any shape.
    largest : float, optional
        The magnitude that rounding is relative to; if not given, the largest of the values.
    """
    if largest is None:
        largest = float(np.abs(values).max(initial=0.0))
    return np.where(np.abs(values) <= EQUAL * largest, 0.0, values)


def scale_to_one(values: Floats) -> Floats:
    """Return numbers divided by their largest magnitude; zeros stay zeros."""
    return np.asarray(values / (np.abs(values).max(initial=0.0) or 1.0))


def winnings_in(table: ArrayLike) -> Floats:
    """Return what the row wins from the column, (N, N), exactly antisymmetric, where what is equal to zero is zero.

    Of chances and percent these are wins less losses, from -1 to 1; `read_results` says which tables are taken.
    """
    return read_results(table)[0]


def read_results(table: ArrayLike) -> tuple[Floats, float]:
    """Return what the row wins from the column, (N, N), and what two cells that mirror each other add up to.

    Parameters
    ----------
    table : array_like, shape (N, N)
        Winnings, where such cells add up to 0, chances to win (1) or percent (100), which may be rounded to two or more
        decimals of a chance. The diagonal, on which a player meets itself, may be missing (NaN or masked), zero, or of
        chances and percent a half or the whole.

    Raises
    ------
    SettingError
        If the table is none of these, or a cell off the diagonal is missing.
    ShapeError
        If it is not square, or has fewer than two rows.
    """
    given = read_square(table, "table of results")
    own = np.diag(given).copy()
    np.fill_diagonal(given, 0.0)
    total = next((total for total in TOTALS if adds_up(given, total)), None)
    if total is None:
        raise SettingError(
            "the table is neither antisymmetric, what the row wins from the column, nor one of chances to win that"
            " sum to one, or to 100 percent, with those that mirror them. Subtract its transpose and halve it, if seats"
            " differ."
        )
    largest = total or float(np.abs(given).max())
    known = own[~np.isnan(own)]
    allowed = np.array([0.0, total / 2.0, total])
    if strange := known[(np.abs(known[:, None] - allowed) > EQUAL * largest).all(axis=1)].tolist():
        raise SettingError(
            f"the table has {strange[0]:g} on its diagonal, where a player meets itself. Give NaN or"
            f" {' or '.join(f'{value:g}' for value in sorted({*allowed.tolist()}))}."
        )
    won = (given - given.T) / (total or 2.0)
    return drop_rounding(won, 1.0 if total else None), total


def adds_up(given: Floats, total: float) -> bool:
    """Return whether cells off the diagonal and those that mirror them add up to `total`, but for rounding."""
    sums = (given + given.T)[~np.eye(len(given), dtype=np.bool_)]
    if not total:
        return bool(np.abs(sums).max() <= EQUAL * np.abs(given).max())
    chances, off = given / total, np.abs(sums / total - 1.0).max()
    if chances.min() < -EQUAL or chances.max() > 1.0 + EQUAL:
        return False
    rounded = (10.0**-n for n in DIGITS if np.abs(chances.round(n) - chances).max() <= EQUAL)
    return bool(off <= next(rounded, 0.0) + EQUAL)


def read_square(values: ArrayLike, name: str) -> Floats:
    """Return a square matrix whose numbers off the diagonal are finite; refuse anything else."""
    matrix = read_numbers(values, f"numbers of the {name}")
    if matrix.ndim != 2 or len(matrix) != matrix.shape[1] or len(matrix) < 2:
        raise ShapeError(f"the {name} has shape {matrix.shape}; give (N, N) with N at least 2.")
    missing = ~np.isfinite(matrix) & ~np.eye(len(matrix), dtype=np.bool_)
    if missing.any() or np.isinf(np.diag(matrix)).any():
        row, column = np.argwhere(missing | np.isinf(matrix))[0]
        raise SettingError(
            f"the {name} has {matrix[row, column]} in row {row}, column {column}: the cell is missing or not finite."
            " All pairs must have met; only the diagonal may be missing."
        )
    return matrix


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


LEAST_CHANCE = 1e-6  # the least chance that a linear program tells from zero


def solution_concepts(table: ArrayLike) -> Mapping[str, Floats]:
    """Return whom each concept picks, by its name: weights (N,) that sum to one, or to zero if it picks nobody.

    Parameters
    ----------
    table : array_like, shape (N, N)
        What the row wins from the column, antisymmetric, or its chance to win; as `ratings` takes it. Results that
        differ by at most 1e-9 of the largest are equal.

    Returns
    -------
    Mapping
        'mean': who wins most on average (S1). 'tests solved': who beats most members; with tests that are solved or
        not, as in MaxSolve (de Jong 2005), the same thing. 'security': whose worst result is best, among single
        members. 'Nash': the equilibrium mix of maximum entropy (S2). 'Pareto front': whom nobody dominates, each
        opponent a dimension (S3; Noble & Watson 2001). 'IPCA': the same where only beaten or not counts, and of several
        members who beat the same ones the first (S4; the archive of de Jong 2004). 'ESS': who cannot be invaded, by
        whatever mix. 'correlated': everybody whom a mediator can tell to play so that nobody gains by disobeying, all
        alike.

    Notes
    -----
    Who mixes is in no ESS here: what an invader loses to the mix, the mix loses to it. So only a member who beats every
    other one is. In zero-sum games the strategies of correlated equilibria are those of Nash equilibria (Forges 1990).

    References
    ----------
    .. [1] E. D. de Jong, "The Incremental Pareto-Coevolution Archive", GECCO 2004
    .. [2] E. D. de Jong, "The MaxSolve algorithm for coevolution", GECCO 2005
    .. [3] F. Forges, "Correlated equilibrium in two-person zero-sum games", Econometrica 58, 1990

    Examples
    --------
    >>> hands = [[0, -1, 1, 0], [1, 0, -1, 1], [-1, 1, 0, 0], [0, -1, 0, 0]]  # rock, paper, scissors, glass
    >>> for name, weights in solution_concepts(hands).items():
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
    won = scale_to_one(winnings_in(table))
    others = ~np.eye(len(won), dtype=np.bool_)
    solved = won > EQUAL
    first = np.array([not (solved[:k] == row).all(axis=1).any() for k, row in enumerate(solved)])
    picked = {
        "mean": best(won.mean(axis=1)),
        "tests solved": best(solved.sum(axis=1)),
        "security": best(won.min(axis=1)),
        "Nash": nash_average(won),
        "Pareto front": undominated(won),
        "IPCA": undominated(solved.astype(np.float64)) & first,
        "ESS": (solved | ~others).all(axis=1),
        "correlated": correlated_support(won),
    }
    return {name: shares(one) for name, one in picked.items()}


def correlated_equilibrium(
    first: ArrayLike, second: ArrayLike, *, wanted: ArrayLike | None = None
) -> Floats:
    """Return how often a mediator draws each pair of actions, (N, M), so that nobody gains by disobeying.

    The mediator tells each player its own action and nothing else (Aumann 1974).

    Parameters
    ----------
    first, second : array_like, shape (N, M)
        What the row player and the column player win.
    wanted : array_like, shape (N, M), optional
        Of all such ways to draw, the one with the largest mean of this is returned; if not given, of what both win.

    Raises
    ------
    SettingError
        If a payoff is missing, not finite, or not a number.
    ConvergenceError
        If the linear program fails.

    Notes
    -----
    Each player's payoffs are scaled before they are compared: multiples, however large or small, have the same
    equilibrium. Payoffs of a player that differ by at most 1e-9 of the largest are equal.

    Examples
    --------
    >>> chicken = np.array([[6, 2], [7, 0]])  # what the row player wins: give way, or drive on
    >>> correlated_equilibrium(chicken, chicken.T).round(3).tolist()  # 10.5 together; mixed alone, 9.3
    [[0.5, 0.25], [0.25, 0.0]]
    """
    from scipy.optimize import linprog

    named: dict[str, Any] = {"first": first, "second": second, "wanted": wanted}
    tables = [
        read_payoffs(one, name)
        for name, one in named.items()
        if one is not None or name != "wanted"
    ]
    shapes = [one.shape for one in tables]
    if len({*shapes}) != 1 or len(shapes[0]) != 2 or 0 in shapes[0]:
        raise ShapeError(f"the tables have shapes {str(shapes)[1:-1]}; give (N, M) each.")
    mine, theirs = tables[:2]
    aim = scale_to_one(np.stack(tables[:2] if wanted is None else tables[2:])).sum(axis=0)
    aim = scale_to_one(drop_rounding(aim - aim.min(), 1.0))
    gains = [disobedience(mine), disobedience(theirs.T).transpose(0, 2, 1)]
    rows = np.concatenate(gains).reshape(-1, mine.size)
    found = linprog(
        -aim.ravel(), rows, np.zeros(len(rows)), np.ones((1, mine.size)), [1.0], bounds=(0, None)
    )
    if found.status != 0:
        raise ConvergenceError(
            f"the linear program of {mine.shape} payoffs failed: {found.message}"
        )
    return np.asarray(found.x.reshape(mine.shape))


def read_payoffs(values: ArrayLike, name: str) -> Floats:
    """Return a table of finite payoffs; refuse anything else."""
    payoff = read_numbers(values, f"payoffs of {name}")
    if not np.isfinite(payoff).all():
        where = ", ".join(map(str, np.argwhere(~np.isfinite(payoff))[0]))
        raise SettingError(
            f"payoffs of {name} have no finite number at [{where}]. Give a payoff for each pair of actions."
        )
    return payoff


def disobedience(payoff: Floats) -> Floats:
    """Return what the row player gains by each other action where it is told one, (N (N - 1), N, M), zero elsewhere.

    Gains are shares of the largest payoff, and zero where they are rounding.
    """
    scaled, actions = scale_to_one(payoff), np.arange(len(payoff))
    gains = np.zeros((len(payoff), len(payoff), *payoff.shape))
    gains[actions, :, actions] = drop_rounding(scaled[None] - scaled[:, None], 1.0)
    return np.asarray(gains[actions[:, None] != actions])


def correlated_support(won: Floats) -> Bools:
    """Return which strategies some correlated equilibrium plays, (N,), in a zero-sum game of largest payoff 1."""
    many = len(won)
    aims = [np.repeat(np.eye(many)[k][:, None], many, axis=1) for k in range(many)]
    chances = [(correlated_equilibrium(won, -won, wanted=aim) * aim).sum() for aim in aims]
    return np.asarray(np.array(chances) > LEAST_CHANCE)


def best(scores: Floats) -> Bools:
    """Return who has the largest score, all of them if several have; scores are at most about 1, or whole numbers."""
    return np.asarray(scores >= scores.max() - EQUAL)


def undominated(outcomes: Floats) -> Bools:
    """Return whom nobody dominates, (N,): at least as good against everybody, and better against somebody."""
    better = (outcomes[:, None] > outcomes[None] + EQUAL).any(
        axis=2
    )  # whether i is, against anybody
    return np.asarray(~(better & ~better.T).any(axis=0))


def shares(picked: ArrayLike) -> Floats:
    """Return weights that sum to one, or the zeros that they are."""
    weights = np.asarray(picked, np.float64)
    return np.asarray(weights / (weights.sum() or 1.0))
