"""Pareto dominance among strategies that met each other, and a front of limited size.

Noble & Watson (2001), section "A simple Pareto coevolution algorithm"; `pokerlab.evolution.population`
explains the readings.
"""

from collections.abc import Sequence
from typing import TypeAlias

WinMatrix: TypeAlias = Sequence[Sequence[float]]
"""What each player, a row, won from each other, a column; NaN where a pair does not count."""


def better_against(matrix: WinMatrix, a: int, b: int, *, third_parties: bool = False) -> int:
    """Return c(a, b), the number of opponents from whom `a` won more than `b` did."""
    opponents = [c for c in range(len(matrix[a])) if not (third_parties and c in (a, b))]
    return sum(matrix[a][c] > matrix[b][c] for c in opponents)


def dominates(matrix: WinMatrix, a: int, b: int, *, third_parties: bool = False) -> bool:
    """Return whether `a` does better than `b` against somebody, and `b` than `a` against nobody."""
    return (
        better_against(matrix, a, b, third_parties=third_parties) > 0
        and better_against(matrix, b, a, third_parties=third_parties) == 0
    )


def nearness(
    matrix: WinMatrix, a: int, others: Sequence[int], *, third_parties: bool = False
) -> int:
    """Return how near `a` is to being dominated: the least c(a, b) over the others b."""
    return min(better_against(matrix, a, b, third_parties=third_parties) for b in others if b != a)


def pareto_front(
    matrix: WinMatrix,
    members: Sequence[int],
    luck: Sequence[float],
    *,
    most: int,
    third_parties: bool = False,
    recount: bool = False,
) -> list[int]:
    """Return those of a population whom none of it dominates, at most `most` of them.

    Too many lose one after another the one that is nearest to being dominated. The `members`, at least two, are
    rows of what each player won from each other; all columns are opponents. Of equals the one with the largest luck,
    a number for each player, goes first. If `third_parties`, two are compared only by what they won from others than
    themselves; `recount`, nearness is to those who are left, not to everybody.
    """
    front = [
        a
        for a in members
        if not any(dominates(matrix, b, a, third_parties=third_parties) for b in members)
    ]
    front = front or [*members]

    def first_to_go(a: int) -> tuple[int, float]:
        others = front if recount else members
        return nearness(matrix, a, others, third_parties=third_parties), -luck[a]

    while len(front) > most:
        front.remove(min(front, key=first_to_go))
    return front
