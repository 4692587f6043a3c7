"""Rest points and evolutionarily stable strategies of many small games, beside their definitions in fractions."""

from collections.abc import Iterator
from fractions import Fraction

import numpy as np
import pytest

from pokerlab.solvers import find_rest_points
from pokerlab.solvers.stability import RestPoint
from tests.oracles import rest_points as oracle

GAMES = {2: 150, 3: 350}


def drawn_games(size: int) -> Iterator[list[list[int]]]:
    """Yield games of whole numbers from -2 to 2, which have many ties."""
    for k in range(GAMES[size]):
        yield np.random.default_rng([9, size, k]).integers(-2, 3, (size, size)).tolist()


@pytest.mark.parametrize("size", GAMES)
def test_rest_points_of_random_games_are_those_by_supports(size: int) -> None:
    pure = {tuple(Fraction(i == k) for i in range(size)) for k in range(size)}
    kinds = set()
    for payoff in drawn_games(size):
        found = find_rest_points(payoff)
        points, continua = oracle.rest_points(payoff)
        shares = [point.shares for point in found.points]
        assert len(shares) == len({*shares}), payoff
        assert {*shares} == points | pure, payoff
        segments = [frozenset(ends) for ends in found.continua]
        assert len(segments) == len({*segments}), payoff
        assert {*segments} == continua, payoff
        kinds |= {(len(points), len(continua))}
    assert len(kinds) > size  # games of several sorts were drawn


@pytest.mark.parametrize("size", GAMES)
def test_stability_in_random_games_is_that_by_definition(size: int) -> None:
    supports = set()
    for payoff in drawn_games(size):
        for point in find_rest_points(payoff).points:
            stable = oracle.is_stable(payoff, point.shares)
            assert point.is_stable is stable, (payoff, point)
            best = max(oracle.earned(payoff, one, point.shares) for one in pure(size))
            at_home = oracle.earned(payoff, point.shares, point.shares)
            assert point.is_equilibrium is (at_home == best), (payoff, point)
            supports |= {(stable, sum(share > 0 for share in point.shares))}
    assert supports == {(stable, n + 1) for stable in (True, False) for n in range(size)}


def pure(size: int) -> list[tuple[Fraction, ...]]:
    return [tuple(Fraction(i == k) for i in range(size)) for k in range(size)]


@pytest.mark.parametrize("size", GAMES)
def test_kinds_in_random_games_follow_from_the_slopes(size: int) -> None:
    """By trace and determinant of the flow's derivative, in fractions, as central differences of a cubic have them."""
    for payoff in drawn_games(size):
        for point in find_rest_points(payoff).points:
            assert point.kind == kind_by_slopes(payoff, point), (payoff, point)


def kind_by_slopes(payoff: list[list[int]], point: RestPoint) -> str:
    if point.is_stable:
        return "attracting"
    slopes = derivative(payoff, point.shares)
    if len(slopes) == 1:
        (slope,) = slopes[0]
        return "undecided" if slope == 0 else "attracting" if slope < 0 else "repelling"
    (a, b), (c, d) = slopes
    if a * d == b * c:
        return "undecided"
    if a * d < b * c:
        return "saddle"
    return "center" if a + d == 0 else "attracting" if a + d < 0 else "repelling"


def derivative(payoff: list[list[int]], shares: tuple[Fraction, ...]) -> list[tuple[Fraction, ...]]:
    """Return the slopes of x_1', ... in x_1, ..., the last share making up for the others.

    Central differences with two steps, extrapolated, are exact for a cubic.
    """

    def flow(x: list[Fraction]) -> list[Fraction]:
        at = (*x, 1 - sum(x))
        mean = oracle.earned(payoff, at, at)
        fitness = [sum(u * share for u, share in zip(row, at, strict=True)) for row in payoff]
        return [share * (won - mean) for share, won in zip(at, fitness, strict=True)][:-1]

    def difference(along: int, step: int) -> list[Fraction]:
        moved = [[s + sign * step * (k == along) for k, s in enumerate(shares[:-1])] for sign in (1, -1)]  # fmt: skip
        return [(up - down) / (2 * step) for up, down in zip(*map(flow, moved), strict=True)]

    columns = [
        [(4 * near - far) / 3 for near, far in zip(difference(k, 1), difference(k, 2), strict=True)]
        for k in range(len(shares) - 1)
    ]
    return [*zip(*columns, strict=True)]
