"""Subgame solvers: a mixture for each player of a game restricted to the strategies encountered so far.

When a pool of strategies grows, only the payoffs of the new ones are computed. Of the solvers, `UniformMixture` plays
all strategies equally often, and `BestPureProfile` plays the best profile of games in which all players win the same.

Equilibria are found by linear programming where payoffs sum to zero. The row player's mixture x maximizes v with
sum_i x_i A_ij >= v for every column j; the column player's mixture is the dual. Optimal mixtures need not be unique:
the simplex method ends in a corner of the set of optimal mixtures, the interior point method near its middle. The
simplex method solves a grown game from the basis that was optimal before, in a few pivots. Its result depends on
nothing but the payoffs and that basis, wherever a run was paused (Oliehoek et al. 2006, section 3). Where
payoffs do not sum to zero, the pivoting of Lemke & Howson (1964) takes the program's place (Oliehoek et al.,
section 7).

Projected replicator dynamics (Lanctot et al. 2017, section 3.1) learn rather than solve, for any number of players.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import TYPE_CHECKING, Any, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import ConvergenceError, Floats, GameError, Ints, SettingError, kernel
from pokerlab.core.settings import LARGEST_COUNT, check_attributes, checked_integer, checked_number
from pokerlab.games import SequenceForm
from pokerlab.games.symmetric import Strategies, SymmetricGame
from pokerlab.solvers.linear_program import (
    BASIC,
    LOWER,
    NO_BASIS,
    Statuses,
    get_basis,
    make_highs,
    set_basis,
    solve_program,
)
from pokerlab.solvers.protocol import check_zero_sum_pair

if TYPE_CHECKING:
    import highspy

INEXACT = 1e-12
"""Relative difference up to which payoffs count as identical: those of a file may be rounded."""


Plans: TypeAlias = Sequence[NDArray[Any]]
"""The realization plans of each player, one in each row of an array."""
Basis: TypeAlias = tuple[Statuses, ...]
"""The arrays from which a solver begins when the subgame has grown; at first they are empty."""


class SubgameSolution(NamedTuple):
    """The solution of a subgame.

    Attributes
    ----------
    mixtures : tuple of arrays of shape (K_i,)
        Each player's probabilities of its K_i strategies.
    basis : tuple of arrays
        Where the solver begins when the subgame has grown.
    """

    mixtures: tuple[Floats, ...]
    basis: Basis = ()


class SubgameSolver(Protocol):
    """A rule that mixes strategies by their payoffs. The same payoffs and basis give the same mixtures."""

    @property
    def tolerance(self) -> float:
        """How far mixtures may be from an equilibrium, in units of the largest utility (at least 1)."""

    def check(self, game: SequenceForm) -> None:
        """Raise an error if the rule is not meant for the game."""

    def solve(
        self, payoffs: Floats, basis: Basis = (), *, name: str = "a matrix game"
    ) -> SubgameSolution:
        """Return the mixtures for the payoffs of a subgame.

        Parameters
        ----------
        payoffs : array of shape (n, K_1, ..., K_n)
            The payoff of each of n players for each choice of one of K_i strategies by every player i.
        basis : tuple of arrays
            The basis of the last solution.
        name : str
            The name of the game in errors.
        """


def check_subgame_solver(solver: Any, game: Any) -> None:
    """Raise unless `solver` is a subgame solver that accepts the game."""
    instead = "a subgame solver such as solvers.ZeroSumProgram() or solvers.LemkeHowson()"
    check_attributes("subgame", solver, ("solve", "tolerance"), instead)
    if isinstance(game, SequenceForm):
        solver.check(game)
    elif isinstance(solver, BestPureProfile):
        raise GameError(
            f"the best pure strategies are for games with identical payoffs; in {game.name} one player wins what"
            " the other loses. Use subgame=solvers.ZeroSumProgram()."
        )


@dataclass(frozen=True, kw_only=True)
class WithTolerance:
    """The tolerance that subgame solvers have in common, in units of the largest utility (at least 1)."""

    tolerance: float = 1e-9

    def __post_init__(self) -> None:
        checked_number("tolerance", self.tolerance, 0.0, 1e9)

    def check(self, game: SequenceForm) -> None:
        """Accept every game."""


@dataclass(frozen=True, kw_only=True)
class UniformMixture(WithTolerance):
    """The rule by which each player plays all its strategies with equal probability, in any game.

    With best responses that may repeat it is fictitious play (Lanctot et al. 2017, section 3). In a memory a
    strategy must gain more than `tolerance`, in units of the largest utility (at least 1).
    """

    def solve(
        self, payoffs: Floats, basis: Basis = (), *, name: str = "a matrix game"
    ) -> SubgameSolution:
        """Return the uniform mixtures of all players; parameters as in `SubgameSolver.solve`."""
        return SubgameSolution(tuple(np.full(size, 1.0 / size) for size in payoffs.shape[1:]))


@dataclass(frozen=True, kw_only=True)
class BestPureProfile(WithTolerance):
    """The pure profile with the largest payoff, in games in which all players win the same.

    The present profile stays unless another one wins more by `tolerance`, in units of the largest utility (at
    least 1). Of other profiles with equal payoffs the first is taken, by the order of player 1's strategies, then of
    player 2's and so on. So a memory with best responses climbs one coordinate at a time and may end at an equilibrium
    that is not the best.
    """

    def check(self, game: SequenceForm) -> None:
        """Raise unless all players win the same."""
        largest = np.abs(game.payoff).max(initial=0.0)
        if np.ptp(game.payoff, axis=1).max(initial=0.0) > INEXACT * largest:
            other = "LemkeHowson" if game.num_players == 2 else "ProjectedReplicator"
            raise GameError(
                f"the best pure strategies are for games with identical payoffs; in {game.name} players"
                f" win different amounts. Use subgame=solvers.{other}()."
            )

    def solve(
        self, payoffs: Floats, basis: Basis = (), *, name: str = "a matrix game"
    ) -> SubgameSolution:
        """Return the best pure profile; parameters as in `SubgameSolver.solve`.

        The basis has, for each player, a 1 at the strategy played and 0 elsewhere.
        """
        common_payoff = payoffs[0]
        shape = common_payoff.shape
        if any(len(status) for status in basis):
            present = tuple(int(np.argmax(status)) for status in basis)
        else:
            present = (0,) * len(shape)

        best = tuple(int(index) for index in np.unravel_index(int(np.argmax(common_payoff)), shape))
        least_gain = scale_tolerance(payoffs, self.tolerance)
        if not common_payoff[best] > common_payoff[present] + least_gain:
            best = present
        mixtures = tuple(np.eye(1, size, index)[0] for size, index in zip(shape, best, strict=True))
        return SubgameSolution(mixtures, tuple(mixture.astype(np.int8) for mixture in mixtures))


def extend_payoffs(game: Any, plans: Plans, known: Floats | None = None) -> Floats:
    """Return the payoffs of all combinations of strategies, of which some are known already.

    Parameters
    ----------
    game : SequenceForm or SymmetricGame
        The game that is played.
    plans : sequence of n arrays of shape (K_i, S_i)
        The realization plans of each player; in a symmetric game its vectors.
    known : array of shape (n, k_1, ..., k_n), optional
        The payoffs of the first k_i strategies of each player.

    Returns
    -------
    array of shape (n, K_1, ..., K_n)
        The payoff of each player for each combination.
    """
    n = len(plans)
    sizes = tuple(len(pool) for pool in plans)
    known_sizes = (0,) * n if known is None else tuple(known.shape[1:])
    payoffs = np.empty((n, *sizes))
    if known is not None:
        known_part: list[slice] = [slice(0, size) for size in known_sizes]
        payoffs[(slice(None), *known_part)] = known
    for player in range(n):  # entries whose first new strategy is this player's
        part: list[slice] = [slice(0, size) for size in known_sizes[:player]]
        part += [slice(known_sizes[player], sizes[player])]
        part += [slice(0, size) for size in sizes[player + 1 :]]
        if all(chosen.stop > chosen.start for chosen in part):
            chosen_plans = [pool[chosen] for pool, chosen in zip(plans, part, strict=True)]
            payoffs[(slice(None), *part)] = compute_payoffs(game, chosen_plans)
    return payoffs


def extend_symmetric_payoffs(
    game: SymmetricGame, strategies: Strategies, new: Strategies, known: Floats
) -> Floats:
    """Return the antisymmetric payoff matrix of strategies of a symmetric game, of which some are known already.

    Parameters
    ----------
    game : SymmetricGame
        The game that is played.
    strategies : array of shape (K, d)
        All strategies, the new ones last.
    new : array of shape (K - k, d)
        The new strategies.
    known : array of shape (k, k)
        The payoffs of the other strategies.

    Returns
    -------
    array of shape (K, K)
        The payoff of the row's strategy against the column's.
    """
    num_known, size = len(known), len(strategies)
    payoffs = np.zeros((size, size))
    payoffs[:num_known, :num_known] = known
    new_against_all = game.payoffs(new, strategies)
    new_against_known = new_against_all[:, :num_known]
    new_against_new = new_against_all[:, num_known:]
    payoffs[num_known:, :num_known] = new_against_known
    payoffs[:num_known, num_known:] = -new_against_known.T
    # By rounding alone the payoffs of two new strategies may fail to be exactly antisymmetric.
    payoffs[num_known:, num_known:] = (new_against_new - new_against_new.T) / 2.0
    return payoffs


def compute_payoffs(game: Any, plans: Plans) -> Floats:
    """Return the payoffs of all combinations of strategies.

    Parameters
    ----------
    game : SequenceForm or SymmetricGame
        The game that is played.
    plans : sequence of n arrays of shape (K_i, S_i)
        The realization plans of each player; in a symmetric game its vectors.

    Returns
    -------
    array of shape (n, K_1, ..., K_n)
        The payoff of each player for each combination.
    """
    if not isinstance(game, SequenceForm):
        payoffs = game.payoffs(*plans)
        return np.stack([payoffs, -payoffs])
    if game.num_players == 2:
        return compute_pair_payoffs(game, plans[0], plans[1])
    reach = game.chance
    for player, pool in enumerate(plans[:-1]):
        reach = reach[..., None, :] * compute_reach(game, player, pool)
    last = compute_reach(game, game.num_players - 1, plans[-1])
    return np.stack([(reach * utility) @ last.T for utility in game.payoff.T])


def compute_pair_payoffs(game: SequenceForm, first: NDArray[Any], second: NDArray[Any]) -> Floats:
    """Return the payoffs of two players for all pairs of their realization plans: X U Y^T with plans X and Y in rows.

    The smaller product comes first. Sums are taken in the order of sequences on every machine: which of several optimal
    mixtures a linear program returns can depend on the last bit of a payoff.

    Parameters
    ----------
    game : SequenceForm
        The game, for two players.
    first, second : array of shape (K_i, S_i)
        The plans X and Y of both players.

    Returns
    -------
    array of shape (2, K_1, K_2)
        The payoff of each player for each pair of plans.
    """
    payoffs = np.empty((2, len(first), len(second)))
    total = game.payoff_sum
    for player in range(2 if total is None else 1):
        utility = game.payoff_matrix(player)
        if len(first) <= len(second):
            payoffs[player] = multiply_plans(
                second, np.ascontiguousarray((utility.T @ first.T).T)
            ).T
        else:
            payoffs[player] = multiply_plans(first, np.ascontiguousarray((utility @ second.T).T))
    if total is not None:
        payoffs[1] = total - payoffs[0]
    return payoffs


@kernel
def multiply_plans(plans: NDArray[Any], gradients: Floats) -> Floats:
    """Return the payoff of each realization plan by each gradient: the matrix product of both, with zeros skipped.

    Parameters
    ----------
    plans : array of shape (K, S)
        The realization plans of one player.
    gradients : array of shape (M, S)
        The payoff of each of its sequences against each of M strategies of the opponent.

    Returns
    -------
    array of shape (K, M)
        The payoff of the row's plan by the column's gradient.
    """
    payoffs = np.empty((plans.shape[0], gradients.shape[0]))
    for k in range(plans.shape[0]):
        for m in range(gradients.shape[0]):
            total = 0.0
            for sequence in range(plans.shape[1]):
                if plans[k, sequence] != 0:  # a pure plan has few sequences
                    total += plans[k, sequence] * gradients[m, sequence]
            payoffs[k, m] = total
    return payoffs


def compute_reach(game: SequenceForm, player: int, plans: NDArray[Any]) -> Floats:
    """Return a player's own probability to reach each terminal, in columns, with each realization plan, in rows."""
    return np.asarray(plans[:, game.find_own_sequences(player)], dtype=np.float64)


def find_largest_gain(payoffs: Floats, mixtures: Sequence[Floats]) -> float:
    """Return the largest gain of one player by deviating from its mixture: epsilon, which is 0 at an equilibrium.

    Parameters
    ----------
    payoffs : array of shape (n, K_1, ..., K_n)
        The payoff of each player for each combination of strategies.
    mixtures : sequence of n arrays of shape (K_i,)
        The probabilities of each player's strategies.
    """
    gains = []
    for player, mixture in enumerate(mixtures):
        values = np.moveaxis(payoffs[player], player, 0)
        opponents = (*mixtures[:player], *mixtures[player + 1 :])
        for opponent in reversed(opponents):  # the last axis first
            values = values @ opponent
        gains.append(float(values.max() - mixture @ values))
    return max(gains)


def scale_tolerance(payoffs: Floats, tolerance: float) -> float:
    """Return a tolerance in the game's unit, given in units of the largest payoff (at least 1)."""
    return tolerance * max(1.0, float(np.abs(payoffs).max()))


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
class ZeroSumProgram(WithTolerance):
    """The linear program of a two-player zero-sum subgame, solved by the simplex method from the last round's basis.

    It finds a corner of the set of optimal mixtures; which one depends on the basis. The program's rounding is below
    `tolerance`, in units of the largest utility, so in a memory a strategy must gain more.
    """

    tolerance: float = 1e-11

    def check(self, game: SequenceForm) -> None:
        """Raise unless the game is two-player zero-sum or constant-sum."""
        check_zero_sum_pair(
            game,
            "the zero-sum linear program",
            (
                "subgame=solvers.LemkeHowson() for two players",
                "solvers.PSRO with subgame=solvers.ProjectedReplicator() for more",
            ),
        )

    def solve(
        self, payoffs: Floats, basis: Basis = (), *, name: str = "a matrix game"
    ) -> SubgameSolution:
        """Return optimal mixtures of both players; parameters as in `SubgameSolver.solve`."""
        optimum = solve_matrix_game(name, payoffs[0], *basis)
        return SubgameSolution(
            (optimum.row_mixture, optimum.column_mixture),
            (optimum.column_status, optimum.row_status),
        )


@dataclass(frozen=True, kw_only=True)
class InteriorPointProgram(WithTolerance):
    """The linear program of a two-player zero-sum subgame, solved by an interior point method.

    It ends near the middle of the set of optimal mixtures, whose support is the largest there is (Goldman & Tucker
    1956: a strictly complementary pair has the largest supports). Its error is larger than that of the simplex method,
    and so is its `tolerance`.
    """

    tolerance: float = 1e-8

    def check(self, game: SequenceForm) -> None:
        """Raise unless the game is two-player zero-sum or constant-sum."""
        ZeroSumProgram().check(game)

    def solve(
        self, payoffs: Floats, basis: Basis = (), *, name: str = "a matrix game"
    ) -> SubgameSolution:
        """Return central optimal mixtures, without a basis; parameters as in `SubgameSolver.solve`."""
        rows, columns = payoffs[0].shape
        highs = make_highs(**INTERIOR_POINT)
        pass_program(highs, payoffs[0])
        solve_program(highs, f"the {rows} x {columns} subgame of {name}", INTERIOR_ADVICE)
        solution = highs.getSolution()
        weights = np.array(solution.col_value)[1:], -np.array(solution.row_dual)[1:]
        return SubgameSolution(tuple(normalize_mixture(each, INTERIOR_SUPPORT) for each in weights))


class MatrixSolution(NamedTuple):
    """The solution of a matrix game.

    Attributes
    ----------
    value : float
        The value of the game, which the row player wins.
    row_mixture, column_mixture : array
        Optimal mixtures of both players.
    column_status, row_status : array
        The basis: the statuses of the program's variables, v and the rows' weights, and of its constraints.
    pivots : int
        The number of pivots.
    """

    value: float
    row_mixture: Floats
    column_mixture: Floats
    column_status: Statuses
    row_status: Statuses
    pivots: int


def solve_matrix_game(
    name: str, payoff: Floats, column_status: Statuses = NO_BASIS, row_status: Statuses = NO_BASIS
) -> MatrixSolution:
    """Return the solution of a matrix game by the simplex method.

    Parameters
    ----------
    name : str
        The name of the game in errors.
    payoff : array of shape (rows, columns)
        What the row player wins.
    column_status, row_status : array
        The basis from which the method starts. It may be smaller than the program, whose new strategies then have
        weight 0; an empty one means that the method starts afresh.

    Raises
    ------
    ConvergenceError
        If HiGHS ends without an optimum.
    """
    rows, columns = payoff.shape
    highs = make_highs(presolve="off")
    pass_program(highs, payoff)
    if len(column_status):
        set_basis(
            highs,
            extend_statuses(column_status, rows + 1, LOWER),
            extend_statuses(row_status, columns + 1, BASIC),
        )
    solve_program(highs, f"the {rows} x {columns} subgame of {name}", ADVICE)

    solution = highs.getSolution()
    column_status, row_status = get_basis(highs)
    weights, duals = np.array(solution.col_value), np.array(solution.row_dual)
    return MatrixSolution(
        value=float(weights[0]),
        row_mixture=normalize_mixture(weights[1:]),
        column_mixture=normalize_mixture(-duals[1:]),
        column_status=column_status,
        row_status=row_status,
        pivots=int(highs.getInfo().simplex_iteration_count),
    )


def pass_program(highs: "highspy.Highs", payoff: Floats) -> None:
    """Pass HiGHS the row player's program of a matrix game A.

    The program is: maximize v such that x_1 + ... = 1, x^T A - v >= 0 and x >= 0. Its first variable is v.
    """
    import highspy

    rows, columns = payoff.shape
    matrix = np.empty((rows + 1, columns + 1))  # variables by constraints
    matrix[0, 0] = 0.0
    matrix[0, 1:] = -1.0
    matrix[1:, 0] = 1.0
    matrix[1:, 1:] = payoff
    highs.passModel(
        rows + 1,
        columns + 1,
        matrix.size,
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
        matrix.ravel(),
        np.zeros(rows + 1, dtype=np.int32),
    )


def extend_statuses(known: Statuses, size: int, new: int) -> Statuses:
    """Return the known statuses, and behind them the status `new` until there are `size` of them."""
    return np.append(known, np.full(size - len(known), new, dtype=np.int8))


def normalize_mixture(weights: Floats, least: float = SUPPORT) -> Floats:
    """Return weights divided by their sum, after those up to `least` have become zero."""
    support_weights = np.where(weights > least, weights, 0.0)
    return np.asarray(support_weights / support_weights.sum())


ROUNDED_WEIGHT = (
    1e-12  # weights below this fraction of the largest are rounding, not part of a support
)


@dataclass(frozen=True, kw_only=True)
class LemkeHowson(WithTolerance):
    """The algorithm of Lemke & Howson with the lexicographic pivoting rule, as quantecon implements it.

    Subgames are nearly always degenerate, since strategies can have the same payoffs. The lexicographic
    rule cannot cycle there, but rounding can break its ties the wrong way. Where the pivoting from one
    label does not end in an equilibrium, it starts anew from the next. quantecon is part of the extra
    `pokerlab[general-sum]`.

    Attributes
    ----------
    first_pivot : int
        The label that is dropped first: player 1's strategies count from 0, then player 2's, then from the
        beginning again. Another label can lead to another equilibrium.
    most_pivots : int
        Pivots from one label after which the next is tried.
    tolerance : float
        The largest gain of a player by deviating in the subgame, in units of the largest utility (at least 1).

    References
    ----------
    .. [1] B. von Stengel, "Equilibrium computation for two-player games in strategic and extensive
       form", chapter 3 of N. Nisan et al. (eds.), Algorithmic Game Theory, 2007

    Examples
    --------
    >>> import numpy as np
    >>> row, column = np.array([[3, 0], [2, 2]]), np.array([[3, 2], [0, 2]])  # a stag hunt
    >>> LemkeHowson().solve(np.array([row, column], dtype=float)).mixtures[0]
    array([1., 0.])
    """

    first_pivot: int = 0
    most_pivots: int = 10_000

    def __post_init__(self) -> None:
        checked_integer("first_pivot", self.first_pivot, 0, LARGEST_COUNT)
        checked_integer("most_pivots", self.most_pivots, 1, LARGEST_COUNT)
        super().__post_init__()

    def check(self, game: SequenceForm) -> None:
        """Raise unless the game has two players."""
        if game.num_players != 2:
            raise GameError(
                f"the Lemke-Howson algorithm solves subgames of two players; {game.name} is a game for"
                f" {game.num_players}. Use solvers.PSRO with subgame=solvers.ProjectedReplicator()."
            )

    def solve(
        self, payoffs: Floats, basis: Basis = (), *, name: str = "a matrix game"
    ) -> SubgameSolution:
        """Return an equilibrium of both players; parameters as in `SubgameSolver.solve`.

        Raises
        ------
        ConvergenceError
            If the pivoting from no label leads to an equilibrium.
        """
        try:
            from quantecon.game_theory import NormalFormGame, Player, lemke_howson
        except ImportError as error:
            raise SettingError(
                f"LemkeHowson needs quantecon ({error}): pip install 'pokerlab[general-sum]'. Or use"
                " ProjectedReplicator()."
            ) from error
        num_labels, allowed = sum(payoffs.shape[1:]), scale_tolerance(payoffs, self.tolerance)
        normal_form = NormalFormGame(
            (Player(scale_payoffs(payoffs[0])), Player(scale_payoffs(payoffs[1]).T.copy()))
        )
        for label in range(num_labels):
            first_pivot = (self.first_pivot + label) % num_labels
            try:
                found = lemke_howson(normal_form, init_pivot=first_pivot, max_iter=self.most_pivots)
            except ZeroDivisionError:  # rounding has left a column without a pivot
                continue
            if all(np.isfinite(each).all() and each.max() > 0.0 for each in found):
                mixtures = tuple(
                    normalize_mixture(each, ROUNDED_WEIGHT * each.max()) for each in found
                )
                if find_largest_gain(payoffs, mixtures) <= allowed:
                    return SubgameSolution(mixtures)
        rows, columns = payoffs.shape[1:]
        raise ConvergenceError(
            f"the Lemke-Howson algorithm found no equilibrium to {allowed:.3g} of the {rows} x {columns} subgame of"
            f" {name}, with payoffs up to {np.abs(payoffs).max():g}, from any of its {num_labels} labels in"
            f" {self.most_pivots} pivots each. Allow more pivots or a larger tolerance."
        )


def scale_payoffs(payoff: Floats) -> Floats:
    """Return payoffs scaled linearly to the range from 1 to 2, which changes no equilibrium."""
    low, spread = payoff.min(), np.ptp(payoff)
    return np.asarray((payoff - low) / (spread if spread > 0.0 else 1.0) + 1.0)


@dataclass(frozen=True, kw_only=True)
class ProjectedReplicator(WithTolerance):
    """Projected replicator dynamics from uniform mixtures; the solution is the average of their mixtures.

    A step adds `step_size * pi(k) * (u_i(k, pi_-i) - u_i(pi))` to every player's `pi(k)`, for all players at once, and
    takes the nearest distribution in which no strategy has less than `exploration` / K_i. It runs for any number of
    players and any payoffs; only for two players and zero sum do averages come close to an equilibrium.

    Attributes
    ----------
    exploration : float
        gamma, 0 to 1: the probability that is divided equally among a player's strategies.
    step_size : float
        Time of a step, delta, in one over the game's unit.
    steps : int
        Number of steps.
    tolerance : float
        In a memory a strategy must gain more, in units of the largest utility (at least 1).

    References
    ----------
    .. [1] M. Lanctot et al., "A unified game-theoretic approach to multiagent reinforcement learning",
       Advances in Neural Information Processing Systems 30, 2017
    """

    exploration: float = 1e-6
    step_size: float = 0.01
    steps: int = 10_000

    def __post_init__(self) -> None:
        checked_number("exploration", self.exploration, 0.0, 1.0)
        checked_number("step_size", self.step_size, 1e-12, 1e6)
        checked_integer("steps", self.steps, 1, LARGEST_COUNT)
        super().__post_init__()

    def solve(
        self, payoffs: Floats, basis: Basis = (), *, name: str = "a matrix game"
    ) -> SubgameSolution:
        """Return the average mixtures of the dynamics; parameters as in `SubgameSolver.solve`."""
        sizes = np.array(payoffs.shape[1:])
        flat = np.ascontiguousarray(payoffs.reshape(len(sizes), -1))
        sums = sum_replicator_steps(flat, sizes, self.exploration, self.step_size, self.steps)
        sums_by_player = np.split(sums, np.cumsum(sizes)[:-1])
        return SubgameSolution(tuple(each / each.sum() for each in sums_by_player))


@kernel
def sum_replicator_steps(
    payoffs: Floats, sizes: Ints, exploration: float, step_size: float, steps: int
) -> Floats:
    """Return the sum of the mixtures of projected replicator dynamics over all steps, the uniform start included.

    Parameters
    ----------
    payoffs : array of shape (n, K_1 * ... * K_n)
        The payoff of each player for each combination of strategies.
    sizes : array of shape (n,)
        The number of strategies of each player, K_1 to K_n.
    exploration, step_size, steps
        As in `ProjectedReplicator`.

    Returns
    -------
    array of shape (K_1 + ... + K_n,)
        The sum of each strategy's probabilities, player after player.
    """
    n = len(sizes)
    starts = np.cumsum(sizes) - sizes
    mixtures = np.empty(sizes.sum())
    for player in range(n):
        mixtures[starts[player] : starts[player] + sizes[player]] = 1.0 / sizes[player]
    totals = mixtures.copy()
    for _ in range(steps):
        payoffs_of_all = compute_strategy_payoffs(payoffs, sizes, starts, mixtures)
        for player in range(n):
            own = slice(starts[player], starts[player] + sizes[player])
            mixture, values = mixtures[own], payoffs_of_all[own]
            moved = mixture + step_size * mixture * (values - (mixture * values).sum())
            mixtures[own] = find_nearest_distribution(moved, exploration / sizes[player])
        totals += mixtures
    return totals


@kernel
def compute_strategy_payoffs(
    payoffs: Floats, sizes: Ints, starts: Ints, mixtures: Floats
) -> Floats:
    """Return the expected payoff of each strategy against the mixtures of the other players, player after player.

    Parameters
    ----------
    payoffs : array of shape (n, K_1 * ... * K_n)
        The payoff of each player for each combination of strategies.
    sizes, starts : array of shape (n,)
        The number of strategies of each player, and the index of its first one among all.
    mixtures : array of shape (K_1 + ... + K_n,)
        The probability of each strategy.
    """
    n = len(sizes)
    values = np.zeros_like(mixtures)
    chosen = starts.copy()  # each player's strategy in the present combination
    for combination in range(payoffs.shape[1]):
        for player in range(n):
            probability = 1.0  # that the other players choose so
            for opponent in range(n):
                if opponent != player:
                    probability *= mixtures[chosen[opponent]]
            values[chosen[player]] += probability * payoffs[player, combination]

        # Go on to the next combination, in which the last player's strategy changes fastest.
        player = n - 1
        chosen[player] += 1
        while player > 0 and chosen[player] == starts[player] + sizes[player]:
            chosen[player] = starts[player]
            player -= 1
            chosen[player] += 1
    return values


@kernel
def find_nearest_distribution(point: Floats, least: float) -> Floats:
    """Return the distribution nearest to a point in which every entry is at least `least`.

    From all entries the same number is subtracted, so that the sum becomes one; entries that would fall below
    `least` are `least` (Held, Wolfe & Crowder 1974).
    """
    free_mass = 1.0 - len(point) * least
    total, excess = 0.0, 0.0
    for num_larger, value in enumerate(np.sort(point)[::-1]):
        total += value - least
        if num_larger > 0 and value - least <= (total - free_mass) / (num_larger + 1):
            break
        excess = (total - free_mass) / (num_larger + 1)
    return np.maximum(point - excess, least)
