"""All extreme equilibria of a small game in matrices, by trying all bases in exact fractions.

An independent definition: the extreme points of {(x, v) : x >= 0, sum x = 1, x^T payoff <= v}, one for
each way of choosing K tight constraints, and the pairs in which every strategy is unplayed or a best
reply.
"""

from fractions import Fraction
from itertools import combinations

import numpy as np

Mix = tuple[Fraction, ...]
Labels = frozenset[tuple[str, int]]


def solve(rows: list[list[Fraction]], right: list[Fraction]) -> list[Fraction] | None:
    """Return the solution of a square system; None where it is not unique."""
    table = [[*row, value] for row, value in zip(rows, right, strict=True)]
    for column in range(len(table)):
        pivot = next((r for r in range(column, len(table)) if table[r][column]), None)
        if pivot is None:
            return None
        table[column], table[pivot] = table[pivot], table[column]
        table[column] = [value / table[column][column] for value in table[column]]
        for r in range(len(table)):
            if r != column:
                factor = table[r][column]
                table[r] = [a - factor * b for a, b in zip(table[r], table[column], strict=True)]
    return [row[-1] for row in table]


def extreme_mixes(payoff: np.ndarray, own: str, other: str) -> dict[Mix, Labels]:
    """Return the extreme mixes of a player; `payoff`, (K, L), is what the other wins."""
    entries = [[Fraction(int(u)) for u in row] for row in payoff]
    size, others = payoff.shape
    found = {}
    for tight in combinations(range(size + others), size):
        rows = [[Fraction(1)] * size + [Fraction(0)]]
        for t in tight:
            if t < size:
                rows.append([Fraction(k == t) for k in range(size + 1)])
            else:
                rows.append([*(entries[k][t - size] for k in range(size)), Fraction(-1)])
        solution = solve(rows, [Fraction(1)] + [Fraction(0)] * size)
        if solution is None:
            continue
        mix, bound = tuple(solution[:-1]), solution[-1]
        won = [sum(x * row[c] for x, row in zip(mix, entries, strict=True)) for c in range(others)]
        if min(mix) >= 0 and max(won) <= bound:
            unplayed = {(own, k) for k, x in enumerate(mix) if x == 0}
            found[mix] = frozenset(unplayed | {(other, c) for c, w in enumerate(won) if w == bound})
    return found


def extreme_equilibria(row_payoff: np.ndarray, column_payoff: np.ndarray) -> set[tuple[Mix, Mix]]:
    """Return the extreme equilibria of a game with integer payoffs, both (rows, columns)."""
    row = extreme_mixes(column_payoff, "row", "column")
    column = extreme_mixes(row_payoff.T, "column", "row")
    size = sum(row_payoff.shape)
    return {(x, y) for x, a in row.items() for y, b in column.items() if len(a | b) == size}
