"""What counts as a solution of a table of results: eight concepts, each with the members that it picks.

A table (N, N) has in each row what one member wins from the others, its *tests*. Oliehoek et al. (2006) list the
concepts of coevolution as S0 to S4, after de Jong (2005); the algorithms named below look for the same members among
strategies that they still have to find. Here everybody is known, so that the concepts themselves are compared.
"""

from collections.abc import Mapping
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import Bools, ConvergenceError, Floats, SettingError, ShapeError
from pokerlab.core.arrays import read_numbers
from pokerlab.metrics.results import nash_average
from pokerlab.metrics.winnings import EQUAL, drop_rounding, scale_to_one, winnings_in

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
