"""Linear equations in fractions, by Gauss and Jordan."""

from collections.abc import Sequence
from fractions import Fraction
from typing import TypeAlias

Row: TypeAlias = Sequence[Fraction | int]


def solve_exactly(rows: Sequence[Row], right: Row) -> list[Fraction] | None:
    """Return the only solution of rows times x = right; None if there is none, or more than one."""
    table = [[Fraction(u) for u in (*row, end)] for row, end in zip(rows, right, strict=True)]
    unknowns = len(table[0]) - 1
    for column in range(unknowns):
        pivots = [k for k in range(column, len(table)) if table[k][column]]
        if not pivots:
            return None
        table[column], table[pivots[0]] = table[pivots[0]], table[column]
        table[column] = [u / table[column][column] for u in table[column]]
        for k, row in enumerate(table):
            if k != column and row[column]:
                factor = row[column]
                table[k] = [u - factor * v for u, v in zip(row, table[column], strict=True)]
    if any(row[-1] for row in table[unknowns:]):
        return None
    return [row[-1] for row in table[:unknowns]]
