"""Correlated equilibria in fractions: the corners of the set of all draws that nobody gains by disobeying."""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations, product
from typing import TypeAlias

from tests.oracles.exact_algebra import solve_exactly

Table: TypeAlias = Sequence[Sequence[Fraction | int]]


def limits(first: Table, second: Table) -> list[list[Fraction | int]]:
    """Return rows that no correlated equilibrium, as a flat list of chances, may make positive."""
    rows, columns = len(first), len(first[0])
    pairs = [*product(range(rows), range(columns))]
    found: list[list[Fraction | int]] = []
    for told, does in product(range(rows), repeat=2):
        if told != does:
            found.append([first[does][j] - first[told][j] if i == told else 0 for i, j in pairs])
    for told, does in product(range(columns), repeat=2):
        if told != does:
            found.append([second[i][does] - second[i][told] if j == told else 0 for i, j in pairs])
    return [*found, *([-(k == place) for k in range(len(pairs))] for place in range(len(pairs)))]


def corners(first: Table, second: Table) -> list[list[Fraction]]:
    """Return the corners of the set of correlated equilibria: limits that are met exactly leave one solution."""
    rows = limits(first, second)
    many, found = len(rows[0]), []
    for tight in combinations(rows, many - 1):
        chances = solve_exactly([*tight, [1] * many], [0] * (many - 1) + [1])
        if chances is not None and all(times(row, chances) <= 0 for row in rows):
            found.append(chances)
    return found


def times(row: Sequence[Fraction | int], chances: Sequence[Fraction]) -> Fraction:
    """Return the sum of products."""
    return sum((Fraction(a) * b for a, b in zip(row, chances, strict=True)), Fraction(0))
