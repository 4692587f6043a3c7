"""Subgame solvers: a mixture for each player of a game restricted to the strategies encountered so far.

When a pool of strategies grows, only the payoffs of the new ones are computed. Of the solvers, `UniformMixture` plays
all strategies equally often, and `BestPureProfile` plays what together wins most where all players win the same.

Equilibria are found by linear programming where payoffs sum to zero. The row player's mixture x maximizes v with
sum_i x_i A_ij >= v for every column j; the column player's mixture is the dual. Optimal mixtures need not be unique:
the simplex method ends in a corner of the set of optimal mixtures, the interior point method near its middle. The
simplex method solves a grown game from the basis that was optimal before, in a few pivots, and from nothing else: the
same payoffs and the same basis give the same answer, wherever a run was paused (Oliehoek et al. 2006, section 3). Where
payoffs do not sum to zero, the pivoting of Lemke & Howson (1964) is in their place (Oliehoek et al., section 7).

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
Basis: TypeAlias = tuple[Statuses, ...]
"""Where a solver begins when the subgame has grown: its own arrays, at first empty."""


class SubgameSolution(NamedTuple):
    """What everybody plays in a subgame."""

    mixtures: tuple[Floats, ...]  # (K_i,): each player's probabilities of its strategies
    basis: Basis = ()  # where the solver begins when the subgame has grown


class SubgameSolver(Protocol):
    """A rule that mixes strategies by their payoffs. The same payoffs and basis give the same mixtures."""

    @property
    def tolerance(self) -> float:
        """How far mixtures may be from an equilibrium, in units of the largest utility (at least 1)."""

    def check(self, game: SequenceForm) -> None:
        """Raise an error if the rule is not meant for `game`."""

    def solve(
        self, payoffs: Floats, basis: Basis = (), *, name: str = "a matrix game"
    ) -> SubgameSolution:
        """Return the mixtures for `payoffs`, (n, K_1, ..., K_n), from the last `basis`; errors call the game `name`."""


def check_subgame_solver(solver: Any, game: Any) -> None:
    """Check that `solver` is a subgame solver and accepts `game`."""
    instead = "a subgame solver such as solvers.ZeroSumProgram() or solvers.LemkeHowson()"
    check_attributes("subgame", solver, ("solve", "tolerance"), instead)
    if isinstance(game, SequenceForm):
        solver.check(game)
    elif isinstance(solver, BestPureProfile):
        raise GameError(
            f"the best pure strategies are for games with identical payoffs; in {game.name} one wins what"
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
    """Everybody plays each strategy encountered with the same probability, in any game.

    With best responses that may repeat it is fictitious play (Lanctot et al. 2017, section 3). In a memory a
    strategy must gain more than `tolerance`, in units of the largest utility (at least 1).
    """

    def solve(
        self, payoffs: Floats, basis: Basis = (), *, name: str = "a matrix game"
    ) -> SubgameSolution:
        """Return the mixtures for `payoffs`, (n, K_1, ..., K_n): 1 / K_i each."""
        return SubgameSolution(tuple(np.full(size, 1.0 / size) for size in payoffs.shape[1:]))


@dataclass(frozen=True, kw_only=True)
class BestPureProfile(WithTolerance):
    """The pure strategies, one a player, that together win most.

    The strategies played so far stay unless others win more by `tolerance`, in units of the largest utility (at
    least 1); of others that win the same, those win that player 1, then player 2 and so on met first. So a memory
    with best responses climbs one coordinate at a time and may end at an equilibrium that is not the best.
    """

    def check(self, game: SequenceForm) -> None:
        """Check that all players win the same."""
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
        """Return the pure strategies for `payoffs`, (n, K_1, ..., K_n), and as basis who plays what.

        The basis holds, for each player, a 1 at the strategy played and 0 elsewhere.
        """
        common = payoffs[0]  # what every player wins
        if any(len(played) for played in basis):
            present = tuple(int(np.argmax(played)) for played in basis)
        else:
            present = (0,) * common.ndim
        best = tuple(int(k) for k in np.unravel_index(int(np.argmax(common)), common.shape))
        if not common[best] > common[present] + scale_tolerance(payoffs, self.tolerance):
            best = present
        mixtures = tuple(np.eye(1, size, k)[0] for size, k in zip(common.shape, best, strict=True))
        return SubgameSolution(mixtures, tuple(mixture.astype(np.int8) for mixture in mixtures))


def extend_payoffs(game: Any, plans: Plans, known: Floats | None = None) -> Floats:
    """Return the payoffs of all `plans`, one (K_i, S_i) a player, as (n, K_1, ..., K_n).

    Those of the first k_i plans of each player are `known`, (n, k_1, ..., k_n).
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
    """Return what each of `strategies`, (K, d), of a symmetric game wins against each: (K, K), antisymmetric.

    Those of the first k strategies are `known`, (k, k); the others are `new`, (K - k, d).
    """
    old, size = len(known), len(strategies)
    payoffs = np.zeros((size, size))
    payoffs[:old, :old] = known
    of_new = game.payoffs(new, strategies)
    payoffs[old:, :old] = of_new[:, :old]
    payoffs[:old, old:] = -of_new[:, :old].T
    payoffs[old:, old:] = (of_new[:, old:] - of_new[:, old:].T) / 2.0  # exactly antisymmetric
    return payoffs


def compute_payoffs(game: Any, plans: Plans) -> Floats:
    """Return the payoffs of all combinations of `plans`, (K_i, S_i) each, as (n, K_1, ..., K_n).

    In a symmetric game the two pools hold vectors, (K_i, d).
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
    """Return the payoffs of two players' plans X, (K_1, S_1), and Y, (K_2, S_2): X U Y^T, (2, K_1, K_2).

    The smaller product comes first. Sums are taken in the order of sequences on every machine: which of several optimal
    mixtures a linear program returns can depend on the last bit of a payoff.
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
    """Return what each of `plans`, (K, S_i), wins by each of `gradients`, (M, S_i), as (K, M)."""
    won = np.empty((plans.shape[0], gradients.shape[0]))
    for k in range(plans.shape[0]):
        for m in range(gradients.shape[0]):
            total = 0.0
            for q in range(plans.shape[1]):
                if plans[k, q] != 0:  # a pure plan has few sequences
                    total += plans[k, q] * gradients[m, q]
            won[k, m] = total
    return won


def compute_reach(game: SequenceForm, player: int, pool: NDArray[Any]) -> Floats:
    """Return a player's own reach of each terminal with each plan of a pool, (K_i, S_i): (K_i, Z)."""
    return np.asarray(pool[:, game.find_own_sequences(player)], dtype=np.float64)


def largest_gain(payoffs: Floats, mixtures: Sequence[Floats]) -> float:
    """Return the most that one player gains by deviating from `mixtures`, (K_i,) each: 0 at an equilibrium."""
    gains = []
    for player, mixture in enumerate(mixtures):
        values = np.moveaxis(payoffs[player], player, 0)
        for other in reversed((*mixtures[:player], *mixtures[player + 1 :])):
            values = values @ other
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
    """The linear program of a two-player zero-sum subgame, from the last round's basis.

    It returns a corner of the set of optimal mixtures; which one depends on where it started. Below `tolerance`, in
    units of the largest utility, lies the program's rounding: in a memory a strategy must gain more.
    """

    tolerance: float = 1e-11

    def check(self, game: SequenceForm) -> None:
        """Check that `game` is two-player zero-sum or constant-sum."""
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
        """Return optimal mixtures for `payoffs`, (2, K_1, K_2)."""
        optimum = solve_matrix_game(name, payoffs[0], *basis)
        return SubgameSolution(
            (optimum.row_mixture, optimum.column_mixture),
            (optimum.column_status, optimum.row_status),
        )


@dataclass(frozen=True, kw_only=True)
class InteriorPointProgram(WithTolerance):
    """The linear program of a zero-sum subgame by an interior point method that stays inside.

    It ends near the middle of the set of optimal mixtures, whose support is the largest there is (Goldman & Tucker
    1956: a strictly complementary pair has the largest supports). Its own error is larger, and with it the `tolerance`.
    """

    tolerance: float = 1e-8

    def check(self, game: SequenceForm) -> None:
        """Check that `game` is two-player zero-sum or constant-sum."""
        ZeroSumProgram().check(game)

    def solve(
        self, payoffs: Floats, basis: Basis = (), *, name: str = "a matrix game"
    ) -> SubgameSolution:
        """Return central optimal mixtures for `payoffs`, (2, K_1, K_2); keeps no basis."""
        rows, columns = payoffs[0].shape
        highs = make_highs(**INTERIOR_POINT)
        pass_program(highs, payoffs[0])
        solve_program(highs, f"the {rows} x {columns} subgame of {name}", INTERIOR_ADVICE)
        solution = highs.getSolution()
        weights = np.array(solution.col_value)[1:], -np.array(solution.row_dual)[1:]
        return SubgameSolution(tuple(normalize_mixture(each, INTERIOR_SUPPORT) for each in weights))


class MatrixSolution(NamedTuple):
    """The solution of a matrix game."""

    value: float  # what the row player wins
    row_mixture: Floats  # (rows,): optimal
    column_mixture: Floats  # (columns,)
    column_status: Statuses  # the basis: of v and the rows' weights
    row_status: Statuses
    pivots: int


def solve_matrix_game(
    name: str, payoff: Floats, column_status: Statuses = NO_BASIS, row_status: Statuses = NO_BASIS
) -> MatrixSolution:
    """Return the optimum of `payoff`, (rows, columns), what the row player wins.

    The simplex method starts from a basis that may be smaller than the program: new strategies have weight 0. From an
    empty basis it starts afresh.

    Raises
    ------
    ConvergenceError
        If HiGHS ends without an optimum; the message calls the game `name`.
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
    """Pass HiGHS the program: max v such that x_1 + ... = 1, x^T A - v >= 0, x >= 0; v is the first variable."""
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
    """Return the statuses of `size` items: the known ones, then `new` for each that is missing."""
    return np.append(known, np.full(size - len(known), new, dtype=np.int8))


def normalize_mixture(weights: Floats, least: float = SUPPORT) -> Floats:
    """Return `weights`, (K,), divided by their sum; those up to `least` become zero."""
    kept = np.where(weights > least, weights, 0.0)
    return np.asarray(kept / kept.sum())


DUST = 1e-12  # weights below this part of the largest are rounding and not part of a support


@dataclass(frozen=True, kw_only=True)
class LemkeHowson(WithTolerance):
    """Complementary pivoting with the lexicographic rule, as quantecon implements it.

    Subgames are nearly always degenerate, since strategies can have the same payoffs; the lexicographic
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
        Most that a player may gain in the subgame by deviating, in units of the largest utility (at least 1).

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
        """Check that `game` has two players."""
        if game.num_players != 2:
            raise GameError(
                f"the Lemke-Howson algorithm solves subgames of two players; {game.name} is a game for"
                f" {game.num_players}. Use solvers.PSRO with subgame=solvers.ProjectedReplicator()."
            )

    def solve(
        self, payoffs: Floats, basis: Basis = (), *, name: str = "a matrix game"
    ) -> SubgameSolution:
        """Return an equilibrium of `payoffs`, (2, K_1, K_2); raise a ConvergenceError if no label leads to one."""
        try:
            from quantecon.game_theory import NormalFormGame, Player, lemke_howson
        except ImportError as error:
            raise SettingError(
                f"LemkeHowson needs quantecon ({error}): pip install 'pokerlab[general-sum]'. Or use"
                " ProjectedReplicator()."
            ) from error
        labels, allowed = sum(payoffs.shape[1:]), scale_tolerance(payoffs, self.tolerance)
        pair = NormalFormGame(
            (Player(scale_payoffs(payoffs[0])), Player(scale_payoffs(payoffs[1]).T.copy()))
        )
        for label in range(labels):
            try:
                mixtures = lemke_howson(
                    pair, init_pivot=(self.first_pivot + label) % labels, max_iter=self.most_pivots
                )
            except ZeroDivisionError:  # rounding has left a column without a pivot
                continue
            if all(np.isfinite(each).all() and each.max() > 0.0 for each in mixtures):
                tidy = tuple(normalize_mixture(each, DUST * each.max()) for each in mixtures)
                if largest_gain(payoffs, tidy) <= allowed:
                    return SubgameSolution(tidy)
        rows, columns = payoffs.shape[1:]
        raise ConvergenceError(
            f"the Lemke-Howson algorithm found no equilibrium to {allowed:.3g} of the {rows} x {columns} subgame of"
            f" {name}, with payoffs up to {np.abs(payoffs).max():g}, from any of its {labels} labels in"
            f" {self.most_pivots} pivots each. Allow more pivots or a larger tolerance."
        )


def scale_payoffs(payoff: Floats) -> Floats:
    """Return the payoffs between 1 and 2, in the same proportions: equilibria stay what they are."""
    low, spread = payoff.min(), np.ptp(payoff)
    return np.asarray((payoff - low) / (spread if spread > 0.0 else 1.0) + 1.0)


@dataclass(frozen=True, kw_only=True)
class ProjectedReplicator(WithTolerance):
    """Replicator dynamics that keep exploring, from uniform mixtures; what is played is their average.

    A step adds `step_size * pi(k) * (u_i(k, pi_-i) - u_i(pi))` to every player's `pi(k)`, all at once, and takes
    the nearest distribution in which no strategy has less than `exploration` / K_i. Players may be many
    and payoffs any; only for two players and zero sum do averages come close to an equilibrium.

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
        """Return the average mixtures of the dynamics for `payoffs`, (n, K_1, ..., K_n)."""
        sizes = np.array(payoffs.shape[1:])
        flat = np.ascontiguousarray(payoffs.reshape(len(sizes), -1))
        totals = sum_replicator_steps(flat, sizes, self.exploration, self.step_size, self.steps)
        each = np.split(totals, np.cumsum(sizes)[:-1])
        return SubgameSolution(tuple(total / total.sum() for total in each))


@kernel
def sum_replicator_steps(
    payoffs: Floats, sizes: Ints, exploration: float, step_size: float, steps: int
) -> Floats:
    """Return the sum of all players' mixtures over the steps, the uniform start included, player after player.

    `payoffs` is (n, K_1 * ... * K_n), `sizes`, (n,), K_1 to K_n.
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
    """Return what each strategy wins against the others' mixtures, player after player."""
    n = len(sizes)
    values = np.zeros_like(mixtures)
    at = starts.copy()  # everybody's strategy in the present entry
    for entry in range(payoffs.shape[1]):
        for player in range(n):
            others = 1.0
            for other in range(n):
                if other != player:
                    others *= mixtures[at[other]]
            values[at[player]] += others * payoffs[player, entry]
        player = n - 1
        at[player] += 1
        while player > 0 and at[player] == starts[player] + sizes[player]:
            at[player] = starts[player]
            player -= 1
            at[player] += 1
    return values


@kernel
def find_nearest_distribution(point: Floats, least: float) -> Floats:
    """Return the distribution nearest to `point`, (K,), in which every entry is at least `least`.

    It is `point` less a number that makes the sum one, where that leaves more than `least`, and `least` elsewhere
    (Held, Wolfe & Crowder 1974).
    """
    room = 1.0 - len(point) * least
    total, excess = 0.0, 0.0
    for kept, value in enumerate(np.sort(point)[::-1]):
        total += value - least
        if kept > 0 and value - least <= (total - room) / (kept + 1):
            break
        excess = (total - room) / (kept + 1)
    return np.maximum(point - excess, least)
