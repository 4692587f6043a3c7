"""Where the replicator flow of a symmetric game with two or three strategies rests, and what mutants do there.

`payoff` (K, K) says what the row's strategy earns from the column's; of the population x each strategy's share grows
by x_i' = x_i ((A x)_i - x.A x). Everything is decided with fractions, so that a tie is a tie; only eigenvalues are
floats.
"""

import cmath
from dataclasses import dataclass
from fractions import Fraction
from itertools import combinations
from typing import Any

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokerlab.core import ShapeError
from pokerlab.core.arrays import fill_missing
from pokerlab.games.matrix_games import exact, numbers

Exact = NDArray[Any]  # fractions in an array of objects, on which `@` is exact
SIZES = (2, 3)


@dataclass(frozen=True)
class RestPoint:
    """A population that the flow leaves as it is, with no other in its neighborhood.

    Its `kind` is 'attracting', 'repelling', 'saddle', 'center' (closed orbits around it), or 'undecided' where an
    eigenvalue is zero and the strategy is not evolutionarily stable. With two strategies the eigenvalue is the slope of
    x_1' in x_1.
    """

    shares: tuple[Fraction, ...]  # of the K strategies
    eigenvalues: tuple[complex, ...]  # of the flow in K - 1 directions, the larger first
    kind: str
    is_equilibrium: bool  # whether no strategy earns more here than those that are played
    is_stable: bool  # whether it is an evolutionarily stable strategy (ESS)


@dataclass(frozen=True)
class RestPoints:
    """Where the flow rests."""

    points: tuple[RestPoint, ...]  # corners, then points between two strategies, then between three
    continua: tuple[tuple[tuple[Fraction, ...], ...], ...]  # segments by ends, or the triangle

    @property
    def stable(self) -> tuple[RestPoint, ...]:
        """The evolutionarily stable ones."""
        return tuple(point for point in self.points if point.is_stable)


def rest_points(payoff: ArrayLike) -> RestPoints:
    """Return where the replicator flow rests, and which of these strategies are evolutionarily stable.

    Parameters
    ----------
    payoff : array_like, shape (K, K)
        What the row's strategy earns from the column's, of two or three strategies. Whole numbers, fractions and
        decimals, as they are written, stay exact.

    Raises
    ------
    GameError
        If a payoff is missing, masked or not finite.
    ShapeError
        If there are not as many rows as columns, two or three.

    Notes
    -----
    A strategy p is evolutionarily stable if it beats every mutant y in the population that a few of them invade:
    E(p, p) > E(y, p), or E(p, p) = E(y, p) and E(p, y) > E(y, y) [1]_. So z.A z < 0 is needed for each z = y - p
    that the best replies to p allow, which with three strategies takes three signs [2]_. A strategy that is
    evolutionarily stable attracts the flow, but not everything that attracts it is evolutionarily stable [3]_. A
    center of three strategies really has closed orbits: the flow has no limit cycles [3]_.

    References
    ----------
    .. [1] J. Maynard Smith & G. R. Price, "The logic of animal conflict", Nature 246, 1973
    .. [2] J. Haigh, "Game theory and evolution", Advances in Applied Probability 7, 1975
    .. [3] E. C. Zeeman, "Population dynamics from game theory", Lecture Notes in Mathematics 819, 1980

    Examples
    --------
    >>> hawk_dove = rest_points([[-2, 2], [0, 1]])
    >>> [(point.shares[0], point.kind) for point in hawk_dove.points]
    [(Fraction(1, 1), 'repelling'), (Fraction(0, 1), 'repelling'), (Fraction(1, 3), 'attracting')]
    """
    matrix = exact_payoff(payoff)
    size = len(matrix)
    found, continua = list(corners(size)), []
    for i, j in combinations(range(size), 2):
        first, second = matrix[i, i] - matrix[j, i], matrix[i, j] - matrix[j, j]
        if first == second == 0:
            continua.append([found[i], found[j]])
        elif first * second < 0:
            found.append((second * found[i] - first * found[j]) / (second - first))
    if size == 3:
        inside, ends = rest_within(matrix)
        found += inside
        continua += [ends] if ends else []
    return RestPoints(
        tuple(described(matrix, point) for point in found),
        tuple(tuple(tuple(end) for end in ends) for ends in continua),
    )


def exact_payoff(payoff: ArrayLike) -> Exact:
    """Return a payoff matrix in fractions, (K, K)."""
    given = numbers(fill_missing(payoff), "the game")
    if given.ndim != 2 or given.shape[0] != given.shape[1] or len(given) not in SIZES:
        raise ShapeError(
            f"payoffs have shape {given.shape}; give as many rows as columns, two or three of them."
        )
    return np.array([[Fraction(exact(u)) for u in row] for row in given.tolist()], dtype=object)


def corners(size: int) -> Exact:
    """Return the populations in which all play the same, a row each."""
    return np.array([[Fraction(i == j) for j in range(size)] for i in range(size)])


def rest_within(matrix: Exact) -> tuple[list[Exact], list[Exact]]:
    """Return the point where three strategies rest together, if there is one; else the ends of where they all do."""
    u, v = matrix[0] - matrix[2], matrix[1] - matrix[2]  # both zero on x where all earn the same
    across = np.array(
        [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
    )
    if across.any():
        total = across.sum()
        inside = total != 0 and (across / total > 0).all()
        return ([across / total] if inside else []), []
    w = u if u.any() else v
    if not w.any():
        return [], list(corners(3))
    if w.min() >= 0 or w.max() <= 0:
        return [], []
    pure = corners(3)
    ends = [pure[i] for i in range(3) if w[i] == 0]
    pairs = ((i, j) for i, j in combinations(range(3), 2) if w[i] * w[j] < 0)
    return [], ends + [(w[j] * pure[i] - w[i] * pure[j]) / (w[j] - w[i]) for i, j in pairs]


def described(matrix: Exact, shares: Exact) -> RestPoint:
    """Return a rest point with what can be said of it."""
    fitness = matrix @ shares
    mean = shares @ fitness
    slopes = np.diag(fitness - mean) + shares[:, None] * (matrix - fitness - matrix.T @ shares)
    along = slopes[:-1, :-1] - slopes[:-1, -1:]  # the last share makes up for the others
    half, square = along.trace() / len(along), Fraction(0)
    if len(along) == 2:
        square = half**2 - along[0, 0] * along[1, 1] + along[0, 1] * along[1, 0]
    root = cmath.sqrt(float(square))
    eigenvalues = (float(half) + root, float(half) - root)[: len(along)]
    is_equilibrium = bool(fitness.max() == mean)
    is_stable = is_equilibrium and resists_mutants(matrix, shares)
    kind = "attracting" if is_stable else kind_of(half, square)
    return RestPoint(tuple(shares), eigenvalues, kind, is_equilibrium, is_stable)


def kind_of(half: Fraction, square: Fraction) -> str:
    """Return what eigenvalues `half` plus and minus the root of `square` make of a rest point."""
    if square == half**2:
        return "undecided"
    if square > half**2:
        return "saddle"
    return "attracting" if half < 0 else "repelling" if half > 0 else "center"


def resists_mutants(matrix: Exact, shares: Exact) -> bool:
    """Return whether an equilibrium beats each mutant: -z.A z > 0 for z = y - p, as the best replies allow them."""
    fitness = matrix @ shares
    first, *rest = np.flatnonzero(shares).tolist()
    others = [i for i in np.flatnonzero(fitness == fitness.max()).tolist() if i != first]
    both = matrix + matrix.T
    form = both[others][:, [first]] + both[first, others]
    form = form - both[np.ix_(others, others)] - both[first, first]
    if len(others) < 2:
        return bool((form > 0).all())
    p, q, r = form[0, 0], form[1, 1], form[0, 1]
    # Where one strategy is played, two mutants can only grow; otherwise all directions count.
    return bool(p > 0 and q > 0 and ((not rest and r >= 0) or r * r < p * q))
