"""All equilibria of a two-player game in matrices, and the one in which the players together win most.

Each player's mixes, with the bound on what the other then wins, form a polytope. A vertex has a label for
each strategy of the player that it does not play and for each strategy of the other that replies best to it; a
pair of vertices is an equilibrium if together they have all labels. In a degenerate game vertices have
more labels than dimensions; all are found, since labels are read off the vertices' own coordinates.
"""

from dataclasses import dataclass
from math import comb

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokerlab.core import ConvergenceError, SettingError, ShapeError
from pokerlab.core.arrays import Floats, Ints
from pokerlab.core.settings import number
from pokerlab.games import SequenceForm
from pokerlab.solvers.highs import Statuses
from pokerlab.solvers.subgame.mixture import Mixture, check_two_players
from pokerlab.solvers.subgame.payoffs import allowed_gain, largest_gain, scaled_payoffs, tidy_mix

TIE = 1e-9
"""Payoffs are equal, and weights zero, if they differ by less than this part of the payoffs' spread."""
MOST_VERTICES = 60_000
"""A polytope that can have more may take minutes: 13 x 13 strategies, 24 x 5, or 60 x 3 are allowed."""
BLOCK = 2_000
"""Vertices whose labels are compared at a time."""


@dataclass(frozen=True, kw_only=True)
class BestEquilibrium:
    """Enumerate all equilibria and play the one with the largest sum of payoffs.

    What Oliehoek et al. (2006, section 7) propose for the optimal solution within a subgame, which need
    not be optimal in the whole game. It is one of the extreme equilibria; of several that win the same
    sum it is the first in `Equilibria`'s order, which plays earlier strategies more.

    Attributes
    ----------
    tolerance : float
        Most that a player may gain in the subgame by leaving the mixes, in units of the largest
        utility (at least 1); sums of payoffs that differ by less count as the same.

    Examples
    --------
    >>> import numpy as np
    >>> row, column = np.array([[3, 0], [2, 2]]), np.array([[3, 2], [0, 2]])  # a stag hunt
    >>> BestEquilibrium()("stag hunt", np.array([row, column], dtype=float), ()).mixes[0]
    array([1., 0.])
    """

    tolerance: float = 1e-9

    def __post_init__(self) -> None:
        number("tolerance", self.tolerance, 0.0, 1e9)

    def check(self, game: SequenceForm) -> None:
        """Check that `game` has two players."""
        check_two_players(game, "the enumeration of equilibria")

    def __call__(self, name: str, payoffs: Floats, basis: tuple[Statuses, ...]) -> Mixture:
        """Return the equilibrium of `payoffs`, (2, K_1, K_2), with the largest sum of payoffs.

        Raises
        ------
        SettingError
            If the subgame is too large to enumerate.
        ConvergenceError
            If rounding leaves a player more to gain than the tolerance.
        """
        equilibria = all_equilibria(payoffs[0], payoffs[1], name=f"the subgame of {name}")
        allowed = allowed_gain(payoffs, self.tolerance)
        sums = equilibria.payoffs.sum(axis=1)
        best = int(np.argmax(sums >= sums.max() - allowed))
        mixes = equilibria.row_mixes[best].copy(), equilibria.column_mixes[best].copy()
        gain = largest_gain(payoffs, mixes)
        if not gain <= allowed:
            raise ConvergenceError(
                f"the best equilibrium of the subgame of {name} leaves {gain:.3g} to gain, with payoffs"
                f" up to {np.abs(payoffs).max():g}; allowed is {allowed:.3g}. Allow a larger"
                " tolerance, scale the payoffs, or use subgame=solvers.LemkeHowson()."
            )
        return Mixture(mixes)


@dataclass(frozen=True, eq=False)
class Equilibria:
    """All equilibria of a two-player game: the extreme ones, and which of them belong together.

    Every equilibrium is a pair of averages of extreme ones of one component.

    Attributes
    ----------
    row_mixes, column_mixes : ndarray of shape (E, rows) and (E, columns)
        The extreme equilibria, those that play earlier strategies more first.
    payoffs : ndarray of shape (E, 2)
        What each player wins.
    component : ndarray of shape (E,)
        Which connected set of equilibria each belongs to, numbered from 0: two that share a mix of one
        player are connected by all the averages of the other's.
    """

    row_mixes: Floats
    column_mixes: Floats
    payoffs: Floats
    component: Ints

    def __post_init__(self) -> None:
        for array in (self.row_mixes, self.column_mixes, self.payoffs, self.component):
            array.setflags(write=False)

    def __len__(self) -> int:
        return len(self.component)

    @property
    def is_continuum(self) -> NDArray[np.bool_]:
        """Which components, (C,), hold infinitely many equilibria: those with several extreme ones."""
        return np.bincount(self.component) > 1

    @property
    def continuum(self) -> bool:
        """Whether there are infinitely many equilibria."""
        return bool(self.is_continuum.any())


def all_equilibria(
    row_payoff: ArrayLike, column_payoff: ArrayLike, *, name: str = "the game"
) -> Equilibria:
    """Return all equilibria of a game in matrices.

    Parameters
    ----------
    row_payoff, column_payoff : array_like of shape (rows, columns)
        What the row player and the column player win.
    name : str
        What errors call the game.

    Raises
    ------
    ShapeError
        If the payoffs are not two matrices of the same shape.
    SettingError
        If the game is too large to enumerate, or payoffs are not finite.
    ConvergenceError
        If rounding lets no equilibrium be found.

    Notes
    -----
    The vertices come from Qhull. Which extreme equilibria are connected follows Avis et al. (2010).

    References
    ----------
    .. [1] D. Avis, G. Rosenberg, R. Savani and B. von Stengel, "Enumeration of Nash equilibria for
       two-player games", Economic Theory 42, 2010

    Examples
    --------
    >>> battle = all_equilibria([[2, 0], [0, 1]], [[1, 0], [0, 2]])
    >>> battle.payoffs.round(3).tolist()
    [[2.0, 1.0], [0.667, 0.667], [1.0, 2.0]]
    >>> battle.continuum
    False
    """
    first, second = matrices(row_payoff, column_payoff, name)
    rows, columns = first.shape
    check_size(rows, columns, name)
    against_row, against_column = scaled_payoffs(second), scaled_payoffs(first).T
    labels = vertex_labels(against_row, name), vertex_labels(against_column, name)
    pairs = complete_pairs(labels[0], np.roll(labels[1], rows, axis=1))
    if not len(pairs):
        raise ConvergenceError(
            f"rounding hides the equilibria of {name}, {rows} x {columns}. Its payoffs may differ too"
            " much in size: scale them, or use solvers.LemkeHowson()."
        )
    x = mixes_at(against_row, labels[0], pairs[:, 0])
    y = mixes_at(against_column, labels[1], pairs[:, 1])
    order = np.lexsort(-np.hstack([x, y]).round(9).T[::-1])
    x, y, pairs = x[order], y[order], pairs[order]
    payoffs = np.stack([((x @ payoff) * y).sum(axis=1) for payoff in (first, second)], axis=1)
    return Equilibria(x, y, payoffs, components(pairs, len(labels[0])))


def matrices(row_payoff: ArrayLike, column_payoff: ArrayLike, name: str) -> tuple[Floats, Floats]:
    """Return the payoffs as two matrices of finite numbers."""
    try:
        first, second = (np.asarray(u, dtype=np.float64) for u in (row_payoff, column_payoff))
    except (TypeError, ValueError) as error:
        raise SettingError(
            f"payoffs of {name} are not matrices of numbers: {error}. Give two lists of rows."
        ) from None
    if first.ndim != 2 or first.shape != second.shape or 0 in first.shape:
        raise ShapeError(
            f"payoffs of {name} have shapes {first.shape} and {second.shape}; give two matrices of"
            " the same shape (rows, columns), with at least one of each."
        )
    if not (np.isfinite(first).all() and np.isfinite(second).all()):
        raise SettingError(f"payoffs of {name} must be finite numbers; some are not.")
    return first, second


def check_size(rows: int, columns: int, name: str) -> None:
    """Check that the polytopes cannot have too many vertices (McMullen's upper bound)."""
    for own, other in ((rows, columns), (columns, rows)):
        upper, lower = other + own // 2, other + (own - 1) // 2
        bound = comb(upper, other) + comb(lower, other)
        if bound > MOST_VERTICES:
            raise SettingError(
                f"{name} is {rows} x {columns} and can have {bound:,} mixes to compare; all equilibria"
                f" are enumerated up to {MOST_VERTICES:,}, such as 13 x 13. Use solvers.LemkeHowson(),"
                " which finds one."
            )


def vertex_labels(payoff: Floats, name: str) -> NDArray[np.bool_]:
    """Return the labels, (V, K + L), of the vertices of {x >= 0, x^T payoff <= 1} but the origin.

    `payoff`, (K, L), is what the other wins, between 1 and 2; x is a mix divided by what the other's
    best reply wins, so that its sum lies between 1/2 and 1. Labels are the strategies that x does not
    play, then the other's best replies. A vertex is known by its labels.
    """
    points = corners(payoff, name)
    points = points[points.sum(axis=1) > 0.25]  # all but the origin
    labels = np.hstack([points <= TIE, points @ payoff >= 1.0 - TIE])
    return np.asarray(np.unique(labels, axis=0))


def corners(payoff: Floats, name: str) -> Floats:
    """Return the corners of {x >= 0, x^T payoff <= 1}, some of them perhaps several times."""
    from scipy.spatial import HalfspaceIntersection, QhullError

    own, other = payoff.shape
    if own == 1:
        return np.array([[1.0 / payoff.max()]])
    halfspaces = np.zeros((own + other, own + 1))
    halfspaces[:own, :own] = -np.eye(own)
    halfspaces[own:] = np.hstack([payoff.T, np.full((other, 1), -1.0)])
    inside = np.full(own, 0.25 / own)
    try:
        return np.asarray(HalfspaceIntersection(halfspaces, inside).intersections)
    except QhullError as error:
        raise ConvergenceError(
            f"Qhull failed on {own} strategies against {other} in {name}:"
            f" {str(error).splitlines()[0]}. Use solvers.LemkeHowson()."
        ) from None


def mixes_at(payoff: Floats, labels: NDArray[np.bool_], vertices: Ints) -> Floats:
    """Return the mixes, (E, K), at vertices with these labels, numbered by `vertices`, (E,)."""
    used, inverse = np.unique(vertices, return_inverse=True)
    own = len(payoff)
    mixes = [indifferent_mix(payoff, label[:own], label[own:]) for label in labels[used]]
    return np.array(mixes)[inverse]


def indifferent_mix(payoff: Floats, unplayed: NDArray[np.bool_], best: NDArray[np.bool_]) -> Floats:
    """Return the mix, (K,), against which the `best` replies win the same, to machine precision."""
    played = np.flatnonzero(~unplayed)
    equations = np.ones((int(best.sum()) + 1, len(played) + 1))
    equations[:-1, :-1] = payoff[np.ix_(played, best)].T
    equations[:-1, -1] = -1.0  # what they win
    equations[-1, -1] = 0.0
    sums = np.append(np.zeros(len(equations) - 1), 1.0)
    mix = np.zeros(len(payoff))
    mix[played] = np.linalg.lstsq(equations, sums)[0][:-1]
    return tidy_mix(mix)


def complete_pairs(labels: NDArray[np.bool_], others: NDArray[np.bool_]) -> Ints:
    """Return the pairs, (E, 2), of vertices that together have all labels."""
    missing, also = (~labels).astype(np.float32), (~others).astype(np.float32)
    found = []
    for begin in range(0, len(missing), BLOCK):
        pair = np.argwhere(missing[begin : begin + BLOCK] @ also.T == 0.0)
        pair[:, 0] += begin
        found.append(pair)
    return np.concatenate(found)


def components(pairs: Ints, num_rows: int) -> Ints:
    """Return which connected set each pair belongs to, numbered in the order of the pairs."""
    from scipy.sparse import coo_array
    from scipy.sparse.csgraph import connected_components

    first, second = pairs[:, 0], num_rows + pairs[:, 1]
    size = int(second.max()) + 1
    graph = coo_array((np.ones(len(pairs)), (first, second)), shape=(size, size))
    label = connected_components(graph, directed=False)[1][first]
    _, begin, inverse = np.unique(label, return_index=True, return_inverse=True)
    return np.argsort(np.argsort(begin))[inverse]
