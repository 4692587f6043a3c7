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
ALLOWED_SIZES = (2, 3)


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

    Returns
    -------
    RestPoints
        The isolated rest points with their stability, and the connected sets of rest points.

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

    # If all play the same strategy, no share changes.
    points = list(make_pure_populations(size))

    # A continuum is a connected set of rest points, given by its corners.
    continua = []
    for i, j in combinations(range(size), 2):
        # The payoff of i minus that of j, in a population in which all play i, and in one in which all play j. Between
        # the two populations it is linear, so it is zero at most once, or everywhere.
        difference_if_all_play_i = matrix[i, i] - matrix[j, i]
        difference_if_all_play_j = matrix[i, j] - matrix[j, j]
        if difference_if_all_play_i == difference_if_all_play_j == 0:
            continua.append([points[i], points[j]])
        elif difference_if_all_play_i * difference_if_all_play_j < 0:
            weighted_sum = (
                difference_if_all_play_j * points[i] - difference_if_all_play_i * points[j]
            )
            points.append(weighted_sum / (difference_if_all_play_j - difference_if_all_play_i))

    if size == 3:
        interior_points, corners = find_interior_rest_points(matrix)
        points += interior_points
        if corners:
            continua.append(corners)

    rest_points = tuple(classify_rest_point(matrix, point) for point in points)
    corners_by_continuum = []
    for corners in continua:
        corners_by_continuum.append(tuple(tuple(corner) for corner in corners))
    return RestPoints(rest_points, tuple(corners_by_continuum))


def validate_exact_payoff(payoff: ArrayLike) -> Exact:
    """Return a payoff matrix of two or three strategies as exact fractions, after checking it.

    Parameters
    ----------
    payoff : array_like of shape (K, K)
        The payoff of the row's strategy against the column's.

    Returns
    -------
    array of fractions, shape (K, K)
        The same payoffs.

    Raises
    ------
    GameError
        If a payoff is missing, masked or not finite.
    ShapeError
        If the matrix is not square, or has another number of rows than two or three.
    """
    matrix = validate_payoffs(fill_masked_with_nan(payoff), "the game")
    allowed_shapes = [(size, size) for size in ALLOWED_SIZES]
    if matrix.shape not in allowed_shapes:
        raise ShapeError(
            f"payoffs have shape {matrix.shape}; give as many rows as columns, two or three of them."
        )

    exact_rows = []
    for row in matrix.tolist():
        exact_rows.append([Fraction(convert_to_exact_number(number)) for number in row])
    return np.array(exact_rows, dtype=object)


def make_pure_populations(num_strategies: int) -> Exact:
    """Return the populations in which all individuals play the same strategy, for each of K strategies.

    Parameters
    ----------
    num_strategies : int
        The number of strategies, K.

    Returns
    -------
    array of fractions, shape (K, K)
        A population in each row: the share 1 of one strategy, and 0 of all others.
    """
    populations = np.full((num_strategies, num_strategies), Fraction(0))
    np.fill_diagonal(populations, Fraction(1))
    return populations


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

    cross = np.cross(u, v)
    if cross.any():  # u and v are independent, and x is in proportion to their cross product
        total = cross.sum()
        is_inside = total != 0 and (cross / total > 0).all()
        return ([cross / total] if is_inside else []), []

    pure_populations = make_pure_populations(3)
    w = u if u.any() else v
    if not w.any():
        return [], list(pure_populations)
    if w.min() >= 0 or w.max() <= 0:  # w.x = 0 has no solution in which all shares are positive
        return [], []

    # The ends of the segment are a corner of the triangle where an entry of w is zero, and points on edges between two
    # strategies whose entries have opposite signs.
    ends = [pure_populations[i] for i in range(3) if w[i] == 0]
    for i, j in combinations(range(3), 2):
        if w[i] * w[j] < 0:
            weighted_sum = w[j] * pure_populations[i] - w[i] * pure_populations[j]
            ends.append(weighted_sum / (w[j] - w[i]))
    return [], ends


def classify_rest_point(matrix: Exact, shares: Exact) -> RestPoint:
    """Return a rest point of the replicator flow with its eigenvalues, its kind and its stability.

    The flow is x_i' = x_i (f_i - m), where f = A x is the fitness of the strategies, and m = x.A x is the mean fitness.
    The derivative of x_i' by x_j is x_i (A_ij - f_j - (A^T x)_j), plus f_i - m if i = j.

    Parameters
    ----------
    matrix : array of fractions, shape (K, K)
        The payoff matrix A of K = 2 or K = 3 strategies.
    shares : array of fractions, shape (K,)
        The shares x of the strategies at the rest point.

    Returns
    -------
    RestPoint
        The description of the point.
    """
    fitness = matrix @ shares
    mean_fitness = shares @ fitness
    derivatives_of_growth = matrix - fitness - matrix.T @ shares
    derivatives = np.diag(fitness - mean_fitness) + shares[:, None] * derivatives_of_growth

    # The last share is 1 minus the sum of the other shares, so only K - 1 directions are free.
    jacobian = derivatives[:-1, :-1] - derivatives[:-1, -1:]

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

    # An evolutionarily stable point attracts the flow, even if an eigenvalue is zero.
    is_equilibrium = bool(fitness.max() == mean_fitness)
    is_stable = is_equilibrium and is_evolutionarily_stable(matrix, shares)
    kind = "attracting" if is_stable else classify_eigenvalues(center, discriminant)
    return RestPoint(tuple(shares), eigenvalues, kind, is_equilibrium, is_stable)


def classify_eigenvalues(center: Fraction, discriminant: Fraction) -> str:
    """Return the kind of a rest point of a flow in one or two dimensions, which its eigenvalues determine.

    The eigenvalues are center + sqrt(discriminant) and center - sqrt(discriminant).

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
    if center > 0:
        return "repelling"
    return "center"


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
        The shares p of the strategies at the equilibrium.

    Returns
    -------
    bool
        Whether p is an ESS.
    """
    fitness = matrix @ shares
    best_responses = np.flatnonzero(fitness == fitness.max()).tolist()
    played = np.flatnonzero(shares).tolist()
    first = played[0]
    others = [strategy for strategy in best_responses if strategy != first]

    # The matrix of the quadratic form, with a row k and a column l for each other best response: none, one or two.
    symmetric = matrix + matrix.T
    row_terms = symmetric[others][:, [first]]  # S_kf
    column_terms = symmetric[first, others]  # S_fl
    form = row_terms + column_terms - symmetric[np.ix_(others, others)] - symmetric[first, first]
    if len(others) < 2:
        return bool((form > 0).all())

    first_square, second_square, mixed_term = form[0, 0], form[1, 1], form[0, 1]
    are_squares_positive = first_square > 0 and second_square > 0
    is_definite = mixed_term * mixed_term < first_square * second_square
    is_pure = len(played) == 1
    if is_pure:
        # Both entries of z are nonnegative, so a positive mixed term does no harm.
        return bool(are_squares_positive and (mixed_term >= 0 or is_definite))
    return bool(are_squares_positive and is_definite)
