"""Rest points of the replicator flow of a symmetric game with two or three strategies, and their stability.

An entry of the payoff matrix A is the payoff of the row's strategy against the column's. In a population with shares x,
the share of strategy i changes by x_i' = x_i ((A x)_i - x.A x). All comparisons are made with exact fractions, so that
ties are recognized. Only eigenvalues are floats.
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
from pokerlab.games.matrix_games import checked_payoffs, convert_to_exact

Exact = NDArray[Any]  # fractions in an array of objects, on which `@` is exact
SIZES = (2, 3)


@dataclass(frozen=True)
class RestPoint:
    """An isolated rest point of the replicator flow.

    Attributes
    ----------
    shares : tuple of K fractions
        The share of each of the K strategies.
    eigenvalues : tuple of K - 1 complex numbers
        The eigenvalues of the linearized flow, the one with the larger real part first. With two strategies there is
        one eigenvalue, the derivative of x_1' by x_1.
    kind : str
        'attracting', 'repelling', 'saddle', 'center' (with closed orbits around it), or 'undecided' if an eigenvalue is
        zero and the point is not evolutionarily stable.
    is_equilibrium : bool
        Whether no strategy has a larger payoff here than the strategies with positive shares.
    is_stable : bool
        Whether the point is an evolutionarily stable strategy (ESS).
    """

    shares: tuple[Fraction, ...]
    eigenvalues: tuple[complex, ...]
    kind: str
    is_equilibrium: bool
    is_stable: bool


@dataclass(frozen=True)
class RestPoints:
    """All rest points of the replicator flow.

    Attributes
    ----------
    points : tuple of RestPoint
        The isolated rest points: first those with one strategy, then with two, then with three.
    continua : tuple
        The connected sets of rest points, each given by its corners: the two ends of a segment, or the three corners of
        the triangle of all populations.
    """

    points: tuple[RestPoint, ...]
    continua: tuple[tuple[tuple[Fraction, ...], ...], ...]

    @property
    def stable(self) -> tuple[RestPoint, ...]:
        """The evolutionarily stable points."""
        return tuple(point for point in self.points if point.is_stable)


def find_rest_points(payoff: ArrayLike) -> RestPoints:
    """Return the rest points of the replicator flow, and which of them are evolutionarily stable.

    Parameters
    ----------
    payoff : array_like of shape (K, K)
        The payoff of the row's strategy against the column's, for K = 2 or K = 3 strategies. Whole numbers and
        fractions are exact, and a decimal number is the fraction that its digits show.

    Raises
    ------
    GameError
        If a payoff is missing, masked or not finite.
    ShapeError
        If the matrix does not have two rows and two columns, or three of each.

    Notes
    -----
    A strategy p is evolutionarily stable if it does better than every mutant y in a population with a small share of
    y: either E(p, p) > E(y, p), or E(p, p) = E(y, p) and E(p, y) > E(y, y), where E(a, b) is the payoff of a against b
    [1]_. So z.A z < 0 must hold for every z = y - p in which y is a mixture of best responses to p. With three
    strategies this can be decided by the signs of three numbers [2]_. An evolutionarily stable strategy attracts the
    flow, but a rest point that attracts the flow need not be evolutionarily stable [3]_. The orbits around a center
    are really closed, because with three strategies the flow has no limit cycles [3]_.

    References
    ----------
    .. [1] J. Maynard Smith & G. R. Price, "The logic of animal conflict", Nature 246, 1973
    .. [2] J. Haigh, "Game theory and evolution", Advances in Applied Probability 7, 1975
    .. [3] E. C. Zeeman, "Population dynamics from game theory", Lecture Notes in Mathematics 819, 1980

    Examples
    --------
    >>> hawk_dove = find_rest_points([[-2, 2], [0, 1]])
    >>> [(point.shares[0], point.kind) for point in hawk_dove.points]
    [(Fraction(1, 1), 'repelling'), (Fraction(0, 1), 'repelling'), (Fraction(1, 3), 'attracting')]
    """
    matrix = checked_exact_payoff(payoff)
    size = len(matrix)
    points = list(make_pure_populations(size))
    continua = []
    for i, j in combinations(range(size), 2):
        # The payoff of i minus that of j, in a population in which all play i, and in one in which all play j.
        lead_among_i, lead_among_j = matrix[i, i] - matrix[j, i], matrix[i, j] - matrix[j, j]
        has_rest_between = lead_among_i * lead_among_j < 0
        if lead_among_i == lead_among_j == 0:
            continua.append([points[i], points[j]])
        elif has_rest_between:
            weighted = lead_among_j * points[i] - lead_among_i * points[j]
            points.append(weighted / (lead_among_j - lead_among_i))
    if size == 3:
        inside, ends = find_interior_rest(matrix)
        points += inside
        if ends:
            continua.append(ends)
    return RestPoints(
        tuple(describe_point(matrix, point) for point in points),
        tuple(tuple(tuple(end) for end in ends) for ends in continua),
    )


def checked_exact_payoff(payoff: ArrayLike) -> Exact:
    """Return a square payoff matrix of two or three strategies as fractions.

    Raises a ShapeError if the matrix has another shape.
    """
    given = checked_payoffs(fill_missing(payoff), "the game")
    if given.ndim != 2 or given.shape[0] != given.shape[1] or len(given) not in SIZES:
        raise ShapeError(
            f"payoffs have shape {given.shape}; give as many rows as columns, two or three of them."
        )
    return np.array(
        [[Fraction(convert_to_exact(u)) for u in row] for row in given.tolist()], dtype=object
    )


def make_pure_populations(size: int) -> Exact:
    """Return the populations in which all individuals play the same strategy, one population in each row."""
    return np.array([[Fraction(i == j) for j in range(size)] for i in range(size)])


def find_interior_rest(matrix: Exact) -> tuple[list[Exact], list[Exact]]:
    """Return the rest points in which all three strategies have positive shares.

    At such a rest point x all three strategies have the same payoff. So u.x = v.x = 0, where u and v are differences of
    rows of the payoff matrix.

    Returns
    -------
    points : list of arrays
        The isolated rest point, if there is one.
    corners : list of arrays
        The corners of the set of rest points, if there are infinitely many. At least one of the two lists is empty.
    """
    u, v = matrix[0] - matrix[2], matrix[1] - matrix[2]
    cross = np.array(
        [u[1] * v[2] - u[2] * v[1], u[2] * v[0] - u[0] * v[2], u[0] * v[1] - u[1] * v[0]]
    )
    if cross.any():  # u and v are independent, and x is in proportion to their cross product
        total = cross.sum()
        is_inside = total != 0 and (cross / total > 0).all()
        return ([cross / total] if is_inside else []), []

    pure = make_pure_populations(3)
    w = u if u.any() else v
    if not w.any():
        return [], list(pure)
    if w.min() >= 0 or w.max() <= 0:  # w.x = 0 has no solution in which all shares are positive
        return [], []
    ends = [pure[i] for i in range(3) if w[i] == 0]
    for i, j in combinations(range(3), 2):
        if w[i] * w[j] < 0:
            ends.append((w[j] * pure[i] - w[i] * pure[j]) / (w[j] - w[i]))
    return [], ends


def describe_point(matrix: Exact, shares: Exact) -> RestPoint:
    """Return the rest point with the given shares, after computing its eigenvalues, its kind and its stability."""
    fitness = matrix @ shares
    mean = shares @ fitness
    derivative = np.diag(fitness - mean) + shares[:, None] * (matrix - fitness - matrix.T @ shares)
    # The last share is 1 minus the sum of the other shares, so only K - 1 directions are free.
    jacobian = derivative[:-1, :-1] - derivative[:-1, -1:]
    half = jacobian.trace() / len(jacobian)
    square = Fraction(0)
    if len(jacobian) == 2:
        square = half**2 - jacobian[0, 0] * jacobian[1, 1] + jacobian[0, 1] * jacobian[1, 0]
    root = cmath.sqrt(float(square))
    eigenvalues = (float(half) + root, float(half) - root)[: len(jacobian)]
    is_equilibrium = bool(fitness.max() == mean)
    is_stable = is_equilibrium and resists_mutants(matrix, shares)
    kind = "attracting" if is_stable else classify_eigenvalues(half, square)
    return RestPoint(tuple(shares), eigenvalues, kind, is_equilibrium, is_stable)


def classify_eigenvalues(half: Fraction, square: Fraction) -> str:
    """Return the kind of a rest point whose eigenvalues are `half` plus and minus the square root of `square`.

    With a single eigenvalue, `square` is 0. The kind is 'undecided' if an eigenvalue is zero.
    """
    if square == half**2:
        return "undecided"
    if square > half**2:
        return "saddle"
    if half < 0:
        return "attracting"
    return "repelling" if half > 0 else "center"


def resists_mutants(matrix: Exact, shares: Exact) -> bool:
    """Return whether an equilibrium p resists every mutant y that is a best response to p.

    The condition is -z.A z > 0 for every such z = y - p that is not zero. The entries of z sum to zero. So the entry of
    the first strategy with a positive share in p follows from those of the other best responses, and -z.A z is a
    quadratic form in the latter.
    """
    fitness = matrix @ shares
    first, *other_played = np.flatnonzero(shares).tolist()
    others = [i for i in np.flatnonzero(fitness == fitness.max()).tolist() if i != first]
    both = matrix + matrix.T
    form = both[others][:, [first]] + both[first, others]
    form = form - both[np.ix_(others, others)] - both[first, first]
    if len(others) < 2:
        return bool((form > 0).all())
    p, q, r = form[0, 0], form[1, 1], form[0, 1]
    is_definite = r * r < p * q
    if not other_played:  # p is a single strategy, so both entries of z are nonnegative
        return bool(p > 0 and q > 0 and (r >= 0 or is_definite))
    return bool(p > 0 and q > 0 and is_definite)
