"""Ratings and mediators beside the same in fractions, where a tie is a tie."""

from fractions import Fraction
from itertools import product

import numpy as np
import pytest

from pokerlab.metrics import find_correlated_equilibrium, rate_players
from pokerlab.metrics.match_results import ALPHA_RANK_EPSILON
from tests.oracles import mediator, tables_of_results

ROCK_PAPER_SCISSORS = [[0, -1, 1], [1, 0, -1], [-1, 1, 0]]
WITH_STAKES = [[0, -1, 2], [1, 0, -1], [-2, 1, 0]]
PARTS = 12
"""Mixes of three have shares in twelfths, so that many pairs draw."""


def mixes(seed: int, many: int) -> list[list[Fraction]]:
    """Return mixes of three, equilibria and copies among them."""
    cuts = np.sort(np.random.default_rng(seed).integers(0, PARTS + 1, (many, 2)))
    drawn = [[Fraction(int(n), PARTS) for n in (a, b - a, PARTS - b)] for a, b in cuts]
    even, uneven = [Fraction(1, 3)] * 3, [Fraction(1, 4), Fraction(1, 2), Fraction(1, 4)]
    return [*drawn, even, uneven, drawn[0]]


def exact_table(members: list[list[Fraction]], payoff: list[list[int]]) -> list[list[Fraction]]:
    cells = [*product(range(3), repeat=2)]
    return [
        [sum((a[i] * payoff[i][j] * b[j] for i, j in cells), Fraction(0)) for b in members]
        for a in members
    ]


@pytest.mark.parametrize("payoff", [ROCK_PAPER_SCISSORS, WITH_STAKES])
@pytest.mark.parametrize("seed", range(6))
def test_ratings_of_mixes_by_floats_are_those_by_fractions(
    seed: int, payoff: list[list[int]]
) -> None:
    members = mixes(seed, 6)
    exact = exact_table(members, payoff)
    floats = np.array(members, dtype=float)
    table = floats @ np.array(payoff, dtype=float) @ floats.T
    table = (table - table.T) / 2
    rank = [
        float(share)
        for share in tables_of_results.alpha_rank(exact, Fraction(str(ALPHA_RANK_EPSILON)))
    ]
    for given in (table, (1 + table / 2) / 2, 50 * (1 + table / 2)):
        rated = rate_players(given)
        assert rated.cycles == tables_of_results.count_cycles(exact)
        assert rated.alpha_rank == pytest.approx(rank, abs=1e-9)
        draws = np.array([[cell == 0 for cell in row] for row in exact])
        assert ((rated.winnings == 0.0) == draws).all()


def drawn_game(seed: int, rows: int, columns: int) -> tuple[list[list[int]], list[list[int]]]:
    """Return a game of whole numbers in which neither player's payoffs mirror the other's."""
    drawn = np.random.default_rng([4, seed]).integers(-5, 6, (2, rows, columns))
    return drawn[0].tolist(), (3 * drawn[1]).tolist()


def flat(table: list[list[int]]) -> list[int]:
    return [cell for row in table for cell in row]


CHICKENS = [
    ([[6, 2], [7, 0]], [[9, 10], [3, 0]]),
    ([[8, 2], [9, 0]], [[7, 8], [3, 1]]),
]
"""Chicken with unequal payoffs: a mediator who cares for one player only never lets both give way."""


@pytest.mark.parametrize(
    ("first", "second"),
    [
        *CHICKENS,
        *(drawn_game(seed, 2, 2) for seed in range(12)),
        *(drawn_game(seed, 2, 3) for seed in range(3)),
    ],
)
def test_correlated_equilibrium_equals_best_corner(
    first: list[list[int]], second: list[list[int]]
) -> None:
    corners = mediator.corners(first, second)
    limits = mediator.limits(first, second)
    both = [a + b for a, b in zip(flat(first), flat(second), strict=True)]
    for wanted in (None, first, second):
        aim = both if wanted is None else flat(wanted)
        found = find_correlated_equilibrium(first, second, objective=wanted)
        assert found.sum() == pytest.approx(1.0)
        assert max(float(np.dot(row, found.ravel())) for row in limits) < 1e-6
        best = max(mediator.times(aim, corner) for corner in corners)
        assert float(np.dot(aim, found.ravel())) == pytest.approx(float(best), abs=1e-6)


@pytest.mark.parametrize(("first", "second"), CHICKENS)
def test_correlated_equilibrium_of_chicken(first: list[list[int]], second: list[list[int]]) -> None:
    assert find_correlated_equilibrium(first, second)[0, 0] > 0.4
    for wanted in (first, second):
        assert find_correlated_equilibrium(first, second, objective=wanted)[0, 0] < 1e-6
