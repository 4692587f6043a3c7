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
from pokerlab.core.arrays import fill_masked_with_nan
from pokerlab.games.matrix_games import convert_to_exact_number, validate_payoffs

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
    matrix = validate_exact_payoff(payoff)
    size = len(matrix)
    points = list(make_pure_populations(size))
    continua = []
    for i, j in combinations(range(size), 2):
        # The payoff of i minus that of j, in a population in which all play i, and in one in which all play j. Between
        # the two populations it is linear, so it is zero at most once, or everywhere.
        lead_among_i = matrix[i, i] - matrix[j, i]
        lead_among_j = matrix[i, j] - matrix[j, j]
        if lead_among_i == lead_among_j == 0:
            continua.append([points[i], points[j]])
        elif lead_among_i * lead_among_j < 0:
            weighted = lead_among_j * points[i] - lead_among_i * points[j]
            points.append(weighted / (lead_among_j - lead_among_i))
    if size == 3:
        inside, ends = find_interior_rest_points(matrix)
        points += inside
        if ends:
            continua.append(ends)

    rest_points = [classify_rest_point(matrix, point) for point in points]
    continua_of_fractions = []
    for ends_of_continuum in continua:
        continua_of_fractions.append(tuple(tuple(end) for end in ends_of_continuum))
    return RestPoints(tuple(rest_points), tuple(continua_of_fractions))


def validate_exact_payoff(payoff: ArrayLike) -> Exact:
    """Return a payoff matrix of two or three strategies as exact fractions, after checking it.

    Parameters
    ----------
    payoff : array_like of shape (K, K)
        The payoff of the row's strategy against the column's.

    Raises
    ------
    GameError
        If a payoff is missing, masked or not finite.
    ShapeError
        If the matrix is not square, or has another number of rows than two or three.
    """
    checked_payoff = validate_payoffs(fill_masked_with_nan(payoff), "the game")
    if (
        checked_payoff.ndim != 2
        or checked_payoff.shape[0] != checked_payoff.shape[1]
        or len(checked_payoff) not in SIZES
    ):
        raise ShapeError(
            f"payoffs have shape {checked_payoff.shape}; give as many rows as columns, two or three of them."
        )

    return np.array(
        [[Fraction(convert_to_exact_number(u)) for u in row] for row in checked_payoff.tolist()],
        dtype=object,
    )


def make_pure_populations(num_strategies: int) -> Exact:
    """Return the populations in which all individuals play the same strategy, as fractions.

    The result is a square matrix with a population in each row, which has the share 1 of one strategy.
    """
    strategies = range(num_strategies)
    return np.array([[Fraction(i == j) for j in strategies] for i in strategies])


def find_interior_rest_points(matrix: Exact) -> tuple[list[Exact], list[Exact]]:
    """Return the rest points of a game of three strategies in which all of them have positive shares.

    At such a rest point x all three strategies have the same payoff. So u.x = v.x = 0, where u and v are differences of
    rows of the payoff matrix. If u and v are independent, x is the only solution. If both are multiples of one vector
    w, the rest points are the segment of the triangle of populations on which w.x = 0. If both are zero, all
    populations are rest points.

    Parameters
    ----------
    matrix : array of fractions, shape (3, 3)
        The payoff of the row's strategy against the column's.

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

    # The ends of the segment are a corner of the triangle where an entry of w is zero, and points on edges between two
    # strategies whose entries have opposite signs.
    ends = [pure[i] for i in range(3) if w[i] == 0]
    for i, j in combinations(range(3), 2):
        if w[i] * w[j] < 0:
            ends.append((w[j] * pure[i] - w[i] * pure[j]) / (w[j] - w[i]))
    return [], ends


def classify_rest_point(matrix: Exact, shares: Exact) -> RestPoint:
    """Return a rest point of the replicator flow with its eigenvalues, its kind and its stability.

    The flow is x_i' = x_i (f_i - m), where f = A x is the fitness of the strategies, and m = x.A x is the mean fitness.
    Its derivative by x_j is f_i - m, if i = j, plus x_i (A_ij - f_j - (A^T x)_j).

    Parameters
    ----------
    matrix : array of fractions, shape (K, K)
        The payoff matrix A of K = 2 or K = 3 strategies.
    shares : array of fractions, shape (K,)
        The shares x of the strategies at the rest point.
    """
    fitness = matrix @ shares
    mean = shares @ fitness
    derivative = np.diag(fitness - mean) + shares[:, None] * (matrix - fitness - matrix.T @ shares)

    # The last share is 1 minus the sum of the other shares, so only K - 1 directions are free.
    jacobian = derivative[:-1, :-1] - derivative[:-1, -1:]

    # The eigenvalues are center + sqrt(discriminant) and center - sqrt(discriminant), or center with two strategies.
    center = jacobian.trace() / len(jacobian)
    if len(jacobian) == 1:
        discriminant = Fraction(0)
        eigenvalues: tuple[complex, ...] = (complex(center),)
    else:
        determinant = jacobian[0, 0] * jacobian[1, 1] - jacobian[0, 1] * jacobian[1, 0]
        discriminant = center**2 - determinant
        root = cmath.sqrt(float(discriminant))
        eigenvalues = (float(center) + root, float(center) - root)

    is_equilibrium = bool(fitness.max() == mean)
    is_stable = is_equilibrium and is_evolutionarily_stable(matrix, shares)
    kind = "attracting" if is_stable else classify_eigenvalues(center, discriminant)
    return RestPoint(tuple(shares), eigenvalues, kind, is_equilibrium, is_stable)


def classify_eigenvalues(center: Fraction, discriminant: Fraction) -> str:
    """Return the kind of a rest point by its eigenvalues, center + sqrt(discriminant) and center - sqrt(discriminant).

    Parameters
    ----------
    center : Fraction
        The mean of the two eigenvalues, or the eigenvalue if there is only one.
    discriminant : Fraction
        The square of half their difference, which is negative for complex eigenvalues, and 0 if there is only one.

    Returns
    -------
    str
        'attracting' or 'repelling' if all real parts are negative or positive, 'saddle' if they have both signs,
        'center' if the eigenvalues are imaginary, and 'undecided' if one of them is zero.
    """
    if discriminant == center**2:  # their product, center^2 - discriminant, is zero
        return "undecided"
    if discriminant > center**2:  # their product is negative
        return "saddle"
    if center < 0:
        return "attracting"
    return "repelling" if center > 0 else "center"


def is_evolutionarily_stable(matrix: Exact, shares: Exact) -> bool:
    """Return whether an equilibrium p resists every mutant y that is a best response to p, so that p is an ESS.

    The condition is -z.A z > 0 for every z = y - p that is not zero (Haigh 1975). The entries of z sum to zero, so the
    entry of the first strategy with a positive share in p is minus the sum of the others. With this substitution
    -2 z.A z is a quadratic form in the entries of the other best responses k and l, whose coefficients are
    S_kf + S_fl - S_kl - S_ff, where f is the first strategy and S = A + A^T.

    Parameters
    ----------
    matrix : array of fractions, shape (K, K)
        The payoff matrix A of K = 2 or K = 3 strategies.
    shares : array of fractions, shape (K,)
        The shares p.
    """
    fitness = matrix @ shares
    best_responses = np.flatnonzero(fitness == fitness.max()).tolist()
    first, *other_played = np.flatnonzero(shares).tolist()
    other_best_responses = [strategy for strategy in best_responses if strategy != first]

    # The matrix of the quadratic form, with a row and a column for each other best response: none, one or two.
    symmetric = matrix + matrix.T
    form = symmetric[other_best_responses][:, [first]] + symmetric[first, other_best_responses]
    form = (
        form
        - symmetric[np.ix_(other_best_responses, other_best_responses)]
        - symmetric[first, first]
    )
    if len(other_best_responses) < 2:
        return bool((form > 0).all())

    first_square, second_square, product = form[0, 0], form[1, 1], form[0, 1]
    are_squares_positive = first_square > 0 and second_square > 0
    is_definite = product * product < first_square * second_square
    if not other_played:
        # p is a single strategy, so both entries of z are nonnegative, and a positive mixed term does no harm.
        return bool(are_squares_positive and (product >= 0 or is_definite))
    return bool(are_squares_positive and is_definite)
