"""Rest points of the replicator flow by supports, and evolutionarily stable strategies by their definition.

A population rests if all who are in it earn the same. So for each set of strategies, the *support*, equal payoffs and
shares that sum to one are linear equations: one solution with positive shares is a rest point, many are a continuum.
Payoffs are whole numbers or fractions, so that nothing is rounded.
"""

from collections.abc import Sequence
from fractions import Fraction
from itertools import combinations
from typing import TypeAlias

from tests.oracles.exact_algebra import solve_exactly

Shares: TypeAlias = tuple[Fraction, ...]
Table: TypeAlias = Sequence[Sequence[Fraction | int]]


def supports(strategies: Sequence[int]) -> list[tuple[int, ...]]:
    """Return all sets of one or more of some strategies, the smaller ones first."""
    return [s for n in range(len(strategies)) for s in combinations(strategies, n + 1)]


def rest_of_face(payoff: Table, support: Sequence[int]) -> set[Shares]:
    """Return the corners of where the strategies of a support all earn the same, others having no share.

    A corner has as few positive shares as possible: it is the only solution with these shares.
    """
    corners = set()
    for positive in supports(support):
        rows = [[payoff[i][j] - payoff[support[0]][j] for j in positive] for i in support[1:]]
        found = solve_exactly([*rows, [1] * len(positive)], [0] * len(rows) + [1])
        if found is not None and min(found) > 0:
            share = dict(zip(positive, found, strict=True))
            corners.add(tuple(share.get(i, Fraction(0)) for i in range(len(payoff))))
    return corners


def rest_points(payoff: Table) -> tuple[set[Shares], set[frozenset[Shares]]]:
    """Return the isolated points of each support, and the corners of each continuum that meets its interior."""
    points, continua = set(), set()
    for support in supports(range(len(payoff))):
        corners = rest_of_face(payoff, support)
        met = {i for corner in corners for i in support if corner[i] > 0}
        if met == {*support}:
            if len(corners) == 1:
                points |= corners
            else:
                continua.add(frozenset(corners))
    return points, continua


def earned(payoff: Table, player: Shares, other: Shares) -> Fraction:
    """Return what one mix earns from another, E(p, q)."""
    mixed = [(i, j) for i in range(len(player)) for j in range(len(other))]
    return sum((player[i] * payoff[i][j] * other[j] for i, j in mixed), Fraction(0))


def is_stable(payoff: Table, resident: Shares) -> bool:
    """Return whether a strategy p is evolutionarily stable, by the definition, of two or three strategies.

    E(p, p) > E(y, p), or E(p, p) = E(y, p) and E(p, y) > E(y, y), for all mutants y. In the second case the
    advantage E(p, y) - E(y, y) is quadratic along each segment between two mutants, so that its least value on the
    edges of the set of best responses decides: each direction from p leads to an edge, and along a direction from p
    the advantage grows or falls with the square of the distance.
    """
    count = len(payoff)
    pure = [tuple(Fraction(i == k) for i in range(count)) for k in range(count)]
    at_home = [earned(payoff, one, resident) for one in pure]
    if earned(payoff, resident, resident) < max(at_home):
        return False
    replies = [one for one, won in zip(pure, at_home, strict=True) if won == max(at_home)]
    if len(replies) == 1:
        return True
    return all(
        wins_along(payoff, resident, first, second) for first, second in combinations(replies, 2)
    )


def wins_along(payoff: Table, resident: Shares, first: Shares, second: Shares) -> bool:
    """Return whether a resident has an advantage over all mutants between two, but for itself."""

    def mutant(t: Fraction) -> Shares:
        return tuple((1 - t) * a + t * b for a, b in zip(first, second, strict=True))

    def advantage(t: Fraction) -> Fraction:
        y = mutant(t)
        return earned(payoff, resident, y) - earned(payoff, y, y)

    zero, half, one = Fraction(0), Fraction(1, 2), Fraction(1)
    bend = 2 * (advantage(zero) + advantage(one) - 2 * advantage(half))
    slope = advantage(one) - advantage(zero) - bend
    turns = [-slope / (2 * bend)] if bend else []
    least = [t for t in (zero, one, *turns) if 0 <= t <= 1 and mutant(t) != resident]
    return all(advantage(t) > 0 for t in least)
