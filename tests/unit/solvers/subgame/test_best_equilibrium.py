"""The equilibrium with the largest sum of payoffs, against linear programs over all supports."""

from itertools import chain, combinations

import numpy as np
import pytest
from scipy.optimize import linprog

import pokerlab as pl
from pokerlab.core import ConvergenceError, GameError, SettingError, stream
from pokerlab.solvers.subgame.enumeration import BestEquilibrium
from pokerlab.solvers.subgame.payoffs import largest_gain

PROGRAMMED = 1e-7
"""scipy's HiGHS keeps constraints to 1e-7."""


def subsets(size: int) -> list[tuple[int, ...]]:
    return list(chain(*(combinations(range(size), k) for k in range(1, size + 1))))


def most_for_the_other(payoff: np.ndarray, played: tuple, best: tuple) -> float | None:
    """Return the most that `best` replies win against a mix of `played`; None if they never are best.

    `payoff` is (own, other), what the other wins.
    """
    own, other = payoff.shape
    leaves = np.hstack([payoff.T, -np.ones((other, 1))])
    rest = [c for c in range(other) if c not in best]
    bounds = [(0, None if k in played else 0) for k in range(own)] + [(None, None)]
    result = linprog(
        np.append(np.zeros(own), -1.0),
        A_ub=leaves[rest] if rest else None,
        b_ub=np.zeros(len(rest)) if rest else None,
        A_eq=np.vstack([leaves[list(best)], np.append(np.ones(own), 0.0)]),
        b_eq=np.append(np.zeros(len(best)), 1.0),
        bounds=bounds,
    )
    return -result.fun if result.status == 0 else None


def best_sum(row: np.ndarray, column: np.ndarray) -> float:
    found = -np.inf
    for mine in subsets(row.shape[0]):
        for theirs in subsets(row.shape[1]):
            for_column = most_for_the_other(column, mine, theirs)
            for_row = most_for_the_other(row.T, theirs, mine)
            if for_column is not None and for_row is not None:
                found = max(found, for_column + for_row)
    return found


@pytest.mark.parametrize("seed", range(12))
def test_no_equilibrium_wins_more(seed: int) -> None:
    source = stream(seed, "best equilibrium")
    payoffs = source.integers(-1, 3, size=(2, 3, 3)).astype(float)
    mixes = BestEquilibrium()("a game", payoffs, ()).mixes
    assert largest_gain(payoffs, mixes) <= 1e-12
    value = sum(mixes[0] @ payoff @ mixes[1] for payoff in payoffs)
    assert value == pytest.approx(best_sum(payoffs[0], payoffs[1]), abs=PROGRAMMED)


def test_of_equal_sums_the_earlier_strategies_play() -> None:
    """Two ways to meet, equally good."""
    mixture = BestEquilibrium()("meeting", np.array([np.eye(2), np.eye(2)]), ())
    assert [mix.tolist() for mix in mixture.mixes] == [[1.0, 0.0], [1.0, 0.0]]
    assert mixture.basis == ()


def test_the_best_is_played_where_it_is_not_the_first() -> None:
    mixture = BestEquilibrium()("meeting", np.array([np.diag([1.0, 2.0])] * 2), ())
    assert [mix.tolist() for mix in mixture.mixes] == [[0.0, 1.0], [0.0, 1.0]]


def test_a_game_for_three_is_refused() -> None:
    with pytest.raises(GameError, match=r"two players; .* is a game for 3\. Use .*LogitPath"):
        BestEquilibrium().check(pl.games.kuhn(3))
    BestEquilibrium().check(pl.games.bimatrix([[1, 2]], [[3, 4]]))


def test_a_subgame_too_large_names_the_game() -> None:
    with pytest.raises(SettingError, match="the subgame of whist is 20 x 20"):
        BestEquilibrium()("whist", np.zeros((2, 20, 20)), ())


def test_what_rounding_leaves_is_refused() -> None:
    """Payoffs from 1e-4 to 1e4: ties to the enumeration, gains to the players."""
    source = stream(7, "sizes")
    refused = 0
    for _ in range(30):
        payoffs = source.normal(size=(2, 4, 4)) * 10.0 ** source.integers(-4, 5, size=(2, 4, 4))
        solver = BestEquilibrium(tolerance=1e-16)
        try:
            mixes = solver("a game", payoffs, ()).mixes
        except ConvergenceError as error:
            refused += str(error).startswith("the best equilibrium of the subgame of a game leaves")
        else:
            assert largest_gain(payoffs, mixes) <= 1e-16 * np.abs(payoffs).max()
    assert 0 < refused < 30
