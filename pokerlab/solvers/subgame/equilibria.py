"""Equilibria of two-player subgames: zero-sum ones by linear programming, any others by pivoting.

The row player's mix x maximizes v with sum_i x_i A_ij >= v for every column j; the column player's
mix is the dual. Optimal mixes need not be unique: the simplex method ends in a corner of the set of
optimal mixes, the interior point method near its middle. The simplex method solves a grown game from
the basis that was optimal before, in a few pivots, and from nothing else: the same payoffs and the
same basis give the same answer, wherever a run was paused (Oliehoek et al. 2006, section 3). Where
payoffs do not sum to zero, the pivoting of Lemke & Howson (1964) is in their place (section 7).
"""

from dataclasses import dataclass
from typing import TYPE_CHECKING, NamedTuple

import numpy as np

from pokerlab.core import ConvergenceError, Floats, GameError, SettingError
from pokerlab.core.settings import LARGEST_COUNT, whole
from pokerlab.games import SequenceForm
from pokerlab.solvers.highs import BASIC, LOWER, NO_BASIS, Statuses, basis_of, begin, new_highs, run
from pokerlab.solvers.protocol import check_zero_sum_pair
from pokerlab.solvers.subgame.mixture import Basis, Mixture, Tolerant, allowed_gain, largest_gain

if TYPE_CHECKING:
    import highspy

ADVICE = "Its payoffs may differ too much in size; scale them, or begin with other strategies."
SUPPORT = 1e-9  # weights below it are rounding and not part of a support
INTERIOR_POINT: dict[str, str | int | float] = {
    "presolve": "off",
    "solver": "ipm",
    "run_crossover": "off",
    "ipm_optimality_tolerance": 1e-10,
}
INTERIOR_ADVICE = "Use ZeroSumProgram(), the simplex method."
INTERIOR_SUPPORT = 1e-6  # weights below it are on their way to zero and not part of a support


@dataclass(frozen=True, kw_only=True)
class ZeroSumProgram(Tolerant):
    """The linear program of a two-player zero-sum game, from the last round's basis.

    It returns a corner of the set of optimal mixes; which one depends on where it started. Below `tolerance`, in
    units of the largest utility, lies the program's rounding: in a memory a strategy must gain more.
    """

    tolerance: float = 1e-11

    def check(self, game: SequenceForm) -> None:
        """Refuse games that are not two-player zero-sum or constant-sum."""
        check_zero_sum_pair(
            game,
            "the zero-sum linear program",
            (
                "subgame=solvers.LemkeHowson() for two players",
                "solvers.PSRO with subgame=solvers.ProjectedReplicator() for more",
            ),
        )

    def solve(self, payoffs: Floats, basis: Basis = (), *, name: str = "a matrix game") -> Mixture:
        """Return optimal mixes for `payoffs`, (2, K_1, K_2)."""
        optimum = solve_matrix_game(name, payoffs[0], *basis)
        return Mixture(
            (optimum.row_mix, optimum.column_mix), (optimum.column_status, optimum.row_status)
        )


@dataclass(frozen=True, kw_only=True)
class InteriorPointProgram(Tolerant):
    """The linear program of a zero-sum subgame by an interior point method that stays inside.

    It ends near the middle of the set of optimal mixes, whose support is the largest there is (Goldman & Tucker 1956:
    a strictly complementary pair has the largest supports). Its own error is larger, and with it the `tolerance`.
    """

    tolerance: float = 1e-8

    def check(self, game: SequenceForm) -> None:
        """Refuse games that are not two-player zero-sum or constant-sum."""
        ZeroSumProgram().check(game)

    def solve(self, payoffs: Floats, basis: Basis = (), *, name: str = "a matrix game") -> Mixture:
        """Return central optimal mixes for `payoffs`, (2, K_1, K_2); keeps no basis."""
        rows, columns = payoffs[0].shape
        highs = new_highs(**INTERIOR_POINT)
        pass_program(highs, payoffs[0])
        run(highs, f"the {rows} x {columns} subgame of {name}", INTERIOR_ADVICE)
        solution = highs.getSolution()
        weights = np.array(solution.col_value)[1:], -np.array(solution.row_dual)[1:]
        return Mixture(tuple(normalized_weights(each, INTERIOR_SUPPORT) for each in weights))


class MatrixSolution(NamedTuple):
    """The solution of a matrix game."""

    value: float  # what the row player wins
    row_mix: Floats  # (rows,): optimal
    column_mix: Floats  # (columns,)
    column_status: Statuses  # the basis: of v and the rows' weights
    row_status: Statuses
    pivots: int


def solve_matrix_game(
    name: str, payoff: Floats, column_status: Statuses = NO_BASIS, row_status: Statuses = NO_BASIS
) -> MatrixSolution:
    """Return the optimum of `payoff`, (rows, columns), what the row player wins.

    The simplex method starts from a basis that may be smaller than the program: new strategies are
    outside the mix. From an empty basis it starts afresh.
    """
    rows, columns = payoff.shape
    highs = new_highs(presolve="off")
    pass_program(highs, payoff)
    if len(column_status):
        of_columns = grown_statuses(column_status, rows + 1, LOWER)
        begin(highs, of_columns, grown_statuses(row_status, columns + 1, BASIC))
    run(highs, f"the {rows} x {columns} subgame of {name}", ADVICE)
    solution, (column_status, row_status) = highs.getSolution(), basis_of(highs)
    weights, duals = np.array(solution.col_value), np.array(solution.row_dual)
    return MatrixSolution(
        value=float(weights[0]),
        row_mix=normalized_weights(weights[1:]),
        column_mix=normalized_weights(-duals[1:]),
        column_status=column_status,
        row_status=row_status,
        pivots=int(highs.getInfo().simplex_iteration_count),
    )


def pass_program(highs: "highspy.Highs", payoff: Floats) -> None:
    """Give HiGHS: max v such that x_1 + ... = 1, x^T A - v >= 0, x >= 0; v is the first variable."""
    import highspy

    rows, columns = payoff.shape
    whole = np.empty((rows + 1, columns + 1))  # variables by constraints
    whole[0, 0], whole[0, 1:], whole[1:, 0] = 0.0, -1.0, 1.0
    whole[1:, 1:] = payoff
    highs.passModel(
        rows + 1,
        columns + 1,
        whole.size,
        int(highspy.MatrixFormat.kColwise),
        int(highspy.ObjSense.kMaximize),
        0.0,
        np.eye(1, rows + 1)[0],
        np.append(-highspy.kHighsInf, np.zeros(rows)),
        np.full(rows + 1, highspy.kHighsInf),
        np.eye(1, columns + 1)[0],
        np.append(1.0, np.full(columns, highspy.kHighsInf)),
        np.arange(rows + 1, dtype=np.int32) * (columns + 1),
        np.tile(np.arange(columns + 1, dtype=np.int32), rows + 1),
        whole.ravel(),
        np.zeros(rows + 1, dtype=np.int32),
    )


def grown_statuses(known: Statuses, size: int, new: int) -> Statuses:
    """Return the statuses of `size` items: the known ones, then as many `new` as are missing."""
    return np.append(known, np.full(size - len(known), new, dtype=np.int8))


def normalized_weights(weights: Floats, least: float = SUPPORT) -> Floats:
    """Return weights that sum to one, without those up to `least`."""
    kept = np.where(weights > least, weights, 0.0)
    return np.asarray(kept / kept.sum())


DUST = 1e-12  # weights below this part of the largest are rounding and not part of a support


@dataclass(frozen=True, kw_only=True)
class LemkeHowson(Tolerant):
    """Complementary pivoting with the lexicographic rule, as quantecon implements it.

    Subgames are nearly always degenerate, since strategies can be worth the same; the lexicographic
    rule cannot cycle there, but rounding can break its ties the wrong way. Where the pivoting from one
    label does not end in an equilibrium, it starts anew from the next.

    Attributes
    ----------
    first_pivot : int
        Whose label is dropped first: player 1's strategies count from 0, then player 2's, then from the
        beginning again. Another label can lead to another equilibrium.
    most_pivots : int
        Pivots from one label after which the next is tried.
    tolerance : float
        Most that a player may gain in the subgame by leaving the mixes, in units of the largest utility (at least 1).

    References
    ----------
    .. [1] B. von Stengel, "Equilibrium computation for two-player games in strategic and extensive
       form", chapter 3 of N. Nisan et al. (eds.), Algorithmic Game Theory, 2007

    Examples
    --------
    >>> import numpy as np
    >>> row, column = np.array([[3, 0], [2, 2]]), np.array([[3, 2], [0, 2]])  # a stag hunt
    >>> LemkeHowson().solve(np.array([row, column], dtype=float)).mixes[0]
    array([1., 0.])
    """

    first_pivot: int = 0
    most_pivots: int = 10_000

    def __post_init__(self) -> None:
        whole("first_pivot", self.first_pivot, 0, LARGEST_COUNT)
        whole("most_pivots", self.most_pivots, 1, LARGEST_COUNT)
        super().__post_init__()

    def check(self, game: SequenceForm) -> None:
        """Check that `game` has two players."""
        if game.num_players != 2:
            raise GameError(
                f"the Lemke-Howson algorithm solves subgames of two players; {game.name} is a game for"
                f" {game.num_players}. Use solvers.PSRO with subgame=solvers.ProjectedReplicator()."
            )

    def solve(self, payoffs: Floats, basis: Basis = (), *, name: str = "a matrix game") -> Mixture:
        """Return an equilibrium of `payoffs`, (2, K_1, K_2); raise a ConvergenceError if no label leads to one."""
        try:
            from quantecon.game_theory import NormalFormGame, Player, lemke_howson
        except ImportError as error:
            raise SettingError(
                f"LemkeHowson needs quantecon and its numba ({error}); else use ProjectedReplicator()."
            ) from error
        labels, allowed = sum(payoffs.shape[1:]), allowed_gain(payoffs, self.tolerance)
        pair = NormalFormGame(
            (Player(scaled_payoffs(payoffs[0])), Player(scaled_payoffs(payoffs[1]).T.copy()))
        )
        for label in range(labels):
            try:
                mixes = lemke_howson(
                    pair, init_pivot=(self.first_pivot + label) % labels, max_iter=self.most_pivots
                )
            except ZeroDivisionError:  # rounding has left a column without a pivot
                continue
            if all(np.isfinite(mix).all() and mix.max() > 0.0 for mix in mixes):
                tidy = tuple(normalized_weights(mix, DUST * mix.max()) for mix in mixes)
                if largest_gain(payoffs, tidy) <= allowed:
                    return Mixture(tidy)
        rows, columns = payoffs.shape[1:]
        raise ConvergenceError(
            f"the Lemke-Howson algorithm found no equilibrium to {allowed:.3g} of the {rows} x {columns} subgame of"
            f" {name}, with payoffs up to {np.abs(payoffs).max():g}, from any of its {labels} labels in"
            f" {self.most_pivots} pivots each. Allow more pivots or a larger tolerance."
        )


def scaled_payoffs(payoff: Floats) -> Floats:
    """Return the payoffs between 1 and 2, in the same proportions: equilibria stay what they are."""
    low, spread = payoff.min(), np.ptp(payoff)
    return np.asarray((payoff - low) / (spread if spread > 0.0 else 1.0) + 1.0)
