"""Subgame solvers, which compute a mixture for each player of a game restricted to the strategies found so far.

When a pool of strategies grows, only the payoffs of the new strategies are computed. There are these solvers:

- `UniformMixture` plays all strategies with equal probability.
- `BestPureProfile` plays the best profile of a game in which all players have identical payoffs.
- `ZeroSumProgram` and `InteriorPointProgram` compute an equilibrium of a two-player zero-sum game by linear
  programming. The row player's mixture x maximizes v subject to sum_i x_i A_ij >= v for every column j. The column
  player's mixture is the dual solution. Optimal mixtures need not be unique: the simplex method ends at a corner of the
  set of optimal mixtures, the interior point method near its middle. When a game has grown, the simplex method starts
  from the basis that was optimal before and needs only a few pivots. Its result depends only on the payoffs and that
  basis, not on where a run was paused (Oliehoek et al. 2006, section 3); `matrix_games` has the programs.
- `LemkeHowson` computes an equilibrium of any two-player game by pivoting (Lemke & Howson 1964; Oliehoek et al.,
  section 7).
- `ProjectedReplicator` runs learning dynamics for any number of players (Lanctot et al. 2017, section 3.1).
"""

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import (
    ConvergenceError,
    Floats,
    GameError,
    Ints,
    SettingError,
    inlined,
    kernel,
)
from pokerlab.core.old_names import reject_renamed_methods
from pokerlab.core.settings import (
    LARGEST_COUNT,
    check_attributes,
    validate_integer,
    validate_number,
)
from pokerlab.games import SequenceForm
from pokerlab.games.symmetric import Strategies, SymmetricGame
from pokerlab.solvers.linear_program import Statuses, make_highs, solve_program
from pokerlab.solvers.matrix_games import (
    normalize_mixture,
    pass_matrix_program,
    scale_tolerance,
    solve_matrix_game,
)
from pokerlab.solvers.protocol import check_zero_sum_pair

INEXACT = 1e-12
"""The relative difference up to which payoffs count as identical, because payoffs read from a file may be rounded."""


Plans: TypeAlias = Sequence[NDArray[Any]]
"""The realization plans of each player, one in each row of an array."""
Basis: TypeAlias = tuple[Statuses, ...]
"""The state of the last solution, from which a solver begins when the subgame has grown; empty before the first."""


class SubgameSolution(NamedTuple):
    """The solution of a subgame.

    Attributes
    ----------
    mixtures : tuple of arrays of shape (K_i,)
        The probability of each of the K_i strategies of player i.
    basis : tuple of arrays
        The arrays from which the solver begins when the subgame has grown; empty if the solver needs none.
    """

    mixtures: tuple[Floats, ...]
    basis: Basis = ()


class SubgameSolver(Protocol):
    """A rule that computes mixtures of strategies from their payoffs.

    The same payoffs and the same basis always give the same mixtures.
    """

    @property
    def tolerance(self) -> float:
        """The largest gain that a player may have from a deviation, in units of the largest utility (at least 1)."""

    def check_game(self, game: SequenceForm) -> None:
        """Raise a GameError if the rule is not defined for the game."""

    def solve(
        self, payoffs: Floats, basis: Basis = (), *, name: str = "a matrix game"
    ) -> SubgameSolution:
        """Return the mixtures for the payoffs of a subgame.

        Parameters
        ----------
        payoffs : array of shape (n, K_1, ..., K_n)
            The payoff of each of n players for each combination of strategies, where player i has K_i strategies.
        basis : tuple of arrays
            The basis of the last solution; empty if there is none.
        name : str
            The name of the game, which appears in error messages.
        """


def check_subgame_solver(solver: Any, game: Any) -> None:
    """Raise an error unless `solver` is a subgame solver that accepts the game.

    Raises
    ------
    SettingError
        If it lacks a method or an attribute of a `SubgameSolver`.
    GameError
        If it is not defined for the game.
    """
    instead = "a subgame solver such as solvers.ZeroSumProgram() or solvers.LemkeHowson()"
    check_attributes("subgame", solver, ("solve", "tolerance"), instead)
    if isinstance(game, SequenceForm):
        reject_renamed_methods("subgame", solver, ("check_game",))
        solver.check_game(game)
    elif isinstance(solver, BestPureProfile):
        raise GameError(
            f"the best pure strategies are for games with identical payoffs; in {game.name} one player wins what"
            " the other loses. Use subgame=solvers.ZeroSumProgram()."
        )


@dataclass(frozen=True, kw_only=True)
class SolverWithTolerance:
    """The base class of subgame solvers: a tolerance in units of the largest utility (at least 1)."""

    tolerance: float = 1e-9

    def __post_init__(self) -> None:
        validate_number("tolerance", self.tolerance, 0.0, 1e9)

    def check_game(self, game: SequenceForm) -> None:
        """Accept every game; solvers that need a special kind of game override this method."""


@dataclass(frozen=True, kw_only=True)
class UniformMixture(SolverWithTolerance):
    """The rule by which each player plays all its strategies with equal probability, in any game.

    If best responses are added to the pools even when they repeat, this rule gives fictitious play (Lanctot et al.
    2017, section 3). A memory adds a strategy only if it gains more than `tolerance`, in units of the largest utility
    (at least 1).
    """

    def solve(
        self, payoffs: Floats, basis: Basis = (), *, name: str = "a matrix game"
    ) -> SubgameSolution:
        """Return the uniform mixture of each player; `SubgameSolver.solve` describes the parameters."""
        return SubgameSolution(tuple(np.full(size, 1.0 / size) for size in payoffs.shape[1:]))


@dataclass(frozen=True, kw_only=True)
class BestPureProfile(SolverWithTolerance):
    """The pure profile with the largest payoff, in games in which all players have identical payoffs.

    The profile of the last round is played again unless the payoff of another profile is larger by more than
    `tolerance`, in units of the largest utility (at least 1). If several other profiles are equally good, the first is
    chosen, in the order of player 1's strategies, then player 2's and so on. A memory with this solver and best
    responses climbs one coordinate at a time, so it may end at an equilibrium that is not the best one.
    """

    def check_game(self, game: SequenceForm) -> None:
        """Raise a GameError unless all players have identical payoffs."""
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
        """Return the best pure profile; `SubgameSolver.solve` describes the parameters.

        The basis is the profile itself: each player's array is 1 for the strategy that is played and 0 elsewhere.
        """
        common_payoff = payoffs[0]
        shape = common_payoff.shape

        # The profile of the last round, as the index of each player's strategy; before the first round, the first one.
        if any(len(status) for status in basis):
            present = tuple(int(np.argmax(status)) for status in basis)
        else:
            present = (0,) * len(shape)

        best = tuple(int(index) for index in np.unravel_index(int(np.argmax(common_payoff)), shape))
        least_gain = scale_tolerance(payoffs, self.tolerance)
        if not common_payoff[best] > common_payoff[present] + least_gain:
            best = present

        mixtures = []
        for num_strategies, played in zip(shape, best, strict=True):
            mixture = np.zeros(num_strategies)
            mixture[played] = 1.0
            mixtures.append(mixture)
        next_basis = tuple(mixture.astype(np.int8) for mixture in mixtures)
        return SubgameSolution(tuple(mixtures), next_basis)


def extend_payoffs(game: Any, plans: Plans, known_payoffs: Floats | None = None) -> Floats:
    """Return the payoffs of all combinations of strategies, and compute only those that are not known yet.

    Parameters
    ----------
    game : SequenceForm or SymmetricGame
        The game that is played.
    plans : sequence of n arrays of shape (K_i, S_i)
        The K_i strategies of each of n players: realization plans of the player's S_i sequences. In a symmetric game
        they are vectors of S_i numbers.
    known_payoffs : array of shape (n, k_1, ..., k_n), optional
        The payoffs of all combinations of the first k_i strategies of each player. By default nothing is known.

    Returns
    -------
    array of shape (n, K_1, ..., K_n)
        The payoff of each player for each combination.
    """
    n = len(plans)
    sizes = tuple(len(pool) for pool in plans)
    known_sizes = (0,) * n if known_payoffs is None else tuple(known_payoffs.shape[1:])
    payoffs = np.empty((n, *sizes))
    if known_payoffs is not None:
        known_part: list[slice] = [slice(0, size) for size in known_sizes]
        payoffs[(slice(None), *known_part)] = known_payoffs

    # Each pass fills the combinations in which this player is the first one with a new strategy.
    for player in range(n):
        part: list[slice] = [slice(0, size) for size in known_sizes[:player]]
        part += [slice(known_sizes[player], sizes[player])]
        part += [slice(0, size) for size in sizes[player + 1 :]]
        plans_of_part = [pool[rows] for pool, rows in zip(plans, part, strict=True)]
        has_combinations = all(map(len, plans_of_part))
        if has_combinations:
            payoffs[(slice(None), *part)] = compute_payoffs(game, plans_of_part)

    return payoffs


def extend_symmetric_payoffs(
    game: SymmetricGame, strategies: Strategies, new_strategies: Strategies, known_payoffs: Floats
) -> Floats:
    """Return the payoff matrix of strategies of a symmetric game, and compute only the payoffs of new strategies.

    The matrix is antisymmetric, because the game is zero-sum.

    Parameters
    ----------
    game : SymmetricGame
        The game that is played.
    strategies : array of shape (K, d)
        All K strategies, which are vectors of d numbers; the new ones come last.
    new_strategies : array of shape (K - k, d)
        The new strategies.
    known_payoffs : array of shape (k, k)
        The payoffs of the first k strategies against each other.

    Returns
    -------
    array of shape (K, K)
        The payoff of the row's strategy against the column's.
    """
    num_known, size = len(known_payoffs), len(strategies)
    payoffs = np.zeros((size, size))
    payoffs[:num_known, :num_known] = known_payoffs
    new_against_all = game.payoffs(new_strategies, strategies)
    new_against_known = new_against_all[:, :num_known]
    new_against_new = new_against_all[:, num_known:]
    payoffs[num_known:, :num_known] = new_against_known
    payoffs[:num_known, num_known:] = -new_against_known.T
    # Rounding can make the payoffs of two new strategies slightly asymmetric, so both values are averaged.
    payoffs[num_known:, num_known:] = (new_against_new - new_against_new.T) / 2.0
    return payoffs


def compute_payoffs(game: Any, plans: Plans) -> Floats:
    """Return the payoffs of all combinations of strategies.

    Parameters
    ----------
    game : SequenceForm or SymmetricGame
        The game that is played.
    plans : sequence of n arrays of shape (K_i, S_i)
        The K_i strategies of each of n players: realization plans of the player's S_i sequences. In a symmetric game
        they are vectors of S_i numbers.

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
    # The reach probabilities of terminals get one axis for each player's strategies except the last player's, over
    # whose reach the matrix product sums.
    reach = game.chance
    for player, pool in enumerate(plans[:-1]):
        reach = reach[..., None, :] * compute_reach(game, player, pool)
    last = compute_reach(game, game.num_players - 1, plans[-1])
    return np.stack([(reach * utility) @ last.T for utility in game.payoff.T])


def compute_pair_payoffs(game: SequenceForm, first: NDArray[Any], second: NDArray[Any]) -> Floats:
    """Return the payoffs of two players for all pairs of their realization plans.

    With the players' plans in the rows of X and Y, and the payoff matrix U of the sequence form, they are X U Y^T. The
    smaller of the products X U and U Y^T is computed first. On every machine terms are summed in the order of
    sequences, because the last bit of a payoff can decide which of several optimal mixtures a linear program returns.

    Parameters
    ----------
    game : SequenceForm
        A game of two players.
    first, second : array of shape (K_i, S_i)
        The K_i realization plans of player 1 (X) and player 2 (Y), over the player's S_i sequences.

    Returns
    -------
    array of shape (2, K_1, K_2)
        The payoff of each player for each pair of plans.
    """
    payoffs = np.empty((2, len(first), len(second)))
    total = game.payoff_sum
    for player in range(2 if total is None else 1):
        utility = game.payoff_matrices[player]
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
    """Return the payoff of each realization plan against each strategy of the opponent.

    It is the matrix product of the plans and the gradients, in which zeros of the plans are skipped.

    Parameters
    ----------
    plans : array of shape (K, S)
        K realization plans of one player, over its S sequences.
    gradients : array of shape (M, S)
        The payoff of each of these sequences against each of M strategies of the opponent.

    Returns
    -------
    array of shape (K, M)
        The payoff of the row's plan against the column's strategy.
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
    """Return the probability with which a player's own actions allow each terminal to be reached.

    Parameters
    ----------
    game : SequenceForm
        The game that is played.
    player : int
        The player's index.
    plans : array of shape (K, S)
        K realization plans of the player, over its S sequences.

    Returns
    -------
    array of shape (K, Z)
        For each plan, the realization weight of the player's last sequence before each of Z terminals.
    """
    return np.asarray(plans[:, game.find_sequences_at_terminals(player)], dtype=np.float64)


def find_largest_gain(payoffs: Floats, mixtures: Sequence[Floats]) -> float:
    """Return epsilon: the largest gain of a single player from a deviation, which is 0 at an equilibrium.

    Parameters
    ----------
    payoffs : array of shape (n, K_1, ..., K_n)
        The payoff of each of n players for each combination of strategies, where player i has K_i strategies.
    mixtures : sequence of n arrays of shape (K_i,)
        The probability of each strategy.
    """
    gains = []
    for player, mixture in enumerate(mixtures):
        # The expected payoff of each of the player's strategies: sum over the strategies of one opponent after the
        # other, each weighted by its probability. The matrix product sums over the last axis.
        values = np.moveaxis(payoffs[player], player, 0)
        opponent_mixtures = (*mixtures[:player], *mixtures[player + 1 :])
        for opponent_mixture in reversed(opponent_mixtures):
            values = values @ opponent_mixture
        gains.append(float(values.max() - mixture @ values))
    return max(gains)


INTERIOR_POINT: dict[str, str | int | float] = {
    "presolve": "off",
    "solver": "ipm",
    "run_crossover": "off",
    "ipm_optimality_tolerance": 1e-10,
}
INTERIOR_ADVICE = "Use ZeroSumProgram(), the simplex method."
# Smaller weights converge to zero, and their strategies are not part of the support.
INTERIOR_SUPPORT = 1e-6


@dataclass(frozen=True, kw_only=True)
class ZeroSumProgram(SolverWithTolerance):
    """The linear program of a two-player zero-sum subgame, solved by the simplex method from the last round's basis.

    It finds a corner of the set of optimal mixtures, and which corner depends on the basis. The rounding error of the
    program is below `tolerance`, in units of the largest utility, so a memory adds only strategies that gain more.
    """

    tolerance: float = 1e-11

    def check_game(self, game: SequenceForm) -> None:
        """Raise a GameError unless the game is two-player zero-sum or constant-sum."""
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
        """Return optimal mixtures of both players; `SubgameSolver.solve` describes the parameters."""
        optimum = solve_matrix_game(name, payoffs[0], *basis)
        return SubgameSolution(
            (optimum.row_mixture, optimum.column_mixture),
            (optimum.column_status, optimum.row_status),
        )


@dataclass(frozen=True, kw_only=True)
class InteriorPointProgram(SolverWithTolerance):
    """The linear program of a two-player zero-sum subgame, solved by an interior point method.

    It ends near the middle of the set of optimal mixtures. There the support is as large as that of any optimal
    mixture, because the solution is strictly complementary (Goldman & Tucker 1956). Its error, and therefore its
    `tolerance`, is larger than that of the simplex method.
    """

    tolerance: float = 1e-8

    def check_game(self, game: SequenceForm) -> None:
        """Raise a GameError unless the game is two-player zero-sum or constant-sum."""
        ZeroSumProgram().check_game(game)

    def solve(
        self, payoffs: Floats, basis: Basis = (), *, name: str = "a matrix game"
    ) -> SubgameSolution:
        """Return optimal mixtures with the largest supports; `SubgameSolver.solve` describes the parameters.

        The basis is ignored, and the solution has none.
        """
        rows, columns = payoffs[0].shape
        highs = make_highs(**INTERIOR_POINT)
        pass_matrix_program(highs, payoffs[0])
        solve_program(highs, f"the {rows} x {columns} subgame of {name}", INTERIOR_ADVICE)

        # The first variable is the value of the game, and the first constraint is that probabilities sum to 1. The
        # column player's mixture is the dual solution.
        solution = highs.getSolution()
        row_weights = np.array(solution.col_value)[1:]
        column_weights = -np.array(solution.row_dual)[1:]
        row_mixture = normalize_mixture(row_weights, INTERIOR_SUPPORT)
        column_mixture = normalize_mixture(column_weights, INTERIOR_SUPPORT)
        return SubgameSolution((row_mixture, column_mixture))


ROUNDED_WEIGHT = 1e-12
"""Weights below this fraction of the largest weight are rounding errors, and not part of a support."""


@dataclass(frozen=True, kw_only=True)
class LemkeHowson(SolverWithTolerance):
    """The algorithm of Lemke & Howson with the lexicographic pivoting rule, as quantecon implements it.

    Subgames are nearly always degenerate, because several strategies can have the same payoffs. The lexicographic rule
    cannot cycle in a degenerate game, but rounding can break a tie in the wrong way. If the pivoting that drops one
    label first does not end in an equilibrium, the algorithm is run again with the next label. It needs quantecon,
    which is part of the extra `pokerlab[general-sum]`.

    Attributes
    ----------
    first_pivot : int
        The label that is dropped first. Labels count player 1's strategies from 0 and then player 2's; larger numbers
        begin again with 0. Another label can lead to another equilibrium.
    most_pivots : int
        The number of pivots from one label after which the next label is tried.
    tolerance : float
        The largest gain that a player may have from a deviation in the subgame, in units of the largest utility (at
        least 1).

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
        validate_integer("first_pivot", self.first_pivot, 0, LARGEST_COUNT)
        validate_integer("most_pivots", self.most_pivots, 1, LARGEST_COUNT)
        super().__post_init__()

    def check_game(self, game: SequenceForm) -> None:
        """Raise a GameError unless the game has two players."""
        if game.num_players != 2:
            raise GameError(
                f"the Lemke-Howson algorithm solves subgames of two players; {game.name} is a game for"
                f" {game.num_players}. Use solvers.PSRO with subgame=solvers.ProjectedReplicator()."
            )

    def solve(
        self, payoffs: Floats, basis: Basis = (), *, name: str = "a matrix game"
    ) -> SubgameSolution:
        """Return an equilibrium of both players; `SubgameSolver.solve` describes the parameters.

        The basis is ignored, and the solution has none.

        Raises
        ------
        ConvergenceError
            If no label leads to an equilibrium.
        SettingError
            If quantecon is not installed.
        """
        try:
            from quantecon.game_theory import NormalFormGame, Player, lemke_howson
        except ImportError as error:
            raise SettingError(
                f"LemkeHowson needs quantecon ({error}): pip install 'pokerlab[general-sum]'. Or use"
                " ProjectedReplicator()."
            ) from error
        num_labels = sum(payoffs.shape[1:])
        allowed = scale_tolerance(payoffs, self.tolerance)
        normal_form = NormalFormGame(
            (Player(scale_payoffs(payoffs[0])), Player(scale_payoffs(payoffs[1]).T.copy()))
        )
        for label in range(num_labels):
            first_pivot = (self.first_pivot + label) % num_labels
            try:
                pair = lemke_howson(normal_form, init_pivot=first_pivot, max_iter=self.most_pivots)
            except ZeroDivisionError:  # rounding has left a column without a pivot
                continue

            # Rounding may have led to something else than an equilibrium, so the pair is checked.
            if not all(np.isfinite(weights).all() and weights.max() > 0.0 for weights in pair):
                continue
            mixtures = tuple(
                normalize_mixture(weights, ROUNDED_WEIGHT * weights.max()) for weights in pair
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
    """Return payoffs scaled linearly to the range from 1 to 2, which does not change the equilibria."""
    low = payoff.min()
    spread = np.ptp(payoff)
    return np.asarray((payoff - low) / (spread if spread > 0.0 else 1.0) + 1.0)


@dataclass(frozen=True, kw_only=True)
class ProjectedReplicator(SolverWithTolerance):
    """Projected replicator dynamics from uniform mixtures, whose solution is the average mixture over all steps.

    In each step `step_size * pi_i(k) * (u_i(k, pi_-i) - u_i(pi))` is added to the probability pi_i(k) of each strategy
    k of each player i. The result is replaced by the nearest distribution in which every strategy has at least the
    probability `exploration` / K_i, where K_i is the player's number of strategies. The dynamics run for any number of
    players and any payoffs, but only in two-player zero-sum games are averages known to approach an equilibrium.

    Attributes
    ----------
    exploration : float
        The paper's gamma, 0 to 1: the probability that is divided equally among a player's strategies.
    step_size : float
        The paper's delta: the time that a step covers, in 1 / unit of the game.
    steps : int
        The number of steps.
    tolerance : float
        A memory adds only strategies that gain more than this, in units of the largest utility (at least 1).

    References
    ----------
    .. [1] M. Lanctot et al., "A unified game-theoretic approach to multiagent reinforcement learning",
       Advances in Neural Information Processing Systems 30, 2017
    """

    exploration: float = 1e-6
    step_size: float = 0.01
    steps: int = 10_000

    def __post_init__(self) -> None:
        validate_number("exploration", self.exploration, 0.0, 1.0)
        validate_number("step_size", self.step_size, 1e-12, 1e6)
        validate_integer("steps", self.steps, 1, LARGEST_COUNT)
        super().__post_init__()

    def solve(
        self, payoffs: Floats, basis: Basis = (), *, name: str = "a matrix game"
    ) -> SubgameSolution:
        """Return the average mixtures of the dynamics; `SubgameSolver.solve` describes the parameters.

        The basis is ignored, and the solution has none.
        """
        # A kernel takes arrays with a fixed number of axes, so the combinations of strategies become one axis.
        sizes = np.array(payoffs.shape[1:])
        flat = np.ascontiguousarray(payoffs.reshape(len(sizes), -1))
        sums = sum_replicator_steps(flat, sizes, self.exploration, self.step_size, self.steps)
        sums_by_player = np.split(sums, np.cumsum(sizes)[:-1])
        return SubgameSolution(tuple(own_sums / own_sums.sum() for own_sums in sums_by_player))


@kernel
def sum_replicator_steps(
    payoffs: Floats, sizes: Ints, exploration: float, step_size: float, steps: int
) -> Floats:
    """Return the sum of the mixtures of projected replicator dynamics over all steps, including the uniform start.

    Parameters
    ----------
    payoffs : array of shape (n, K_1 * ... * K_n)
        The payoff of each of n players for each combination of strategies; the last player's strategy changes fastest.
    sizes : array of shape (n,)
        The number of strategies of each player, K_1 to K_n.
    exploration : float
        The probability that is divided equally among a player's strategies.
    step_size : float
        The time that a step covers.
    steps : int
        The number of steps.

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
        # The payoffs are those against the mixtures before the step, so all players move at the same time.
        payoffs_of_all = compute_strategy_payoffs(payoffs, sizes, starts, mixtures)
        for player in range(n):
            strategies = slice(starts[player], starts[player] + sizes[player])
            mixture, values = mixtures[strategies], payoffs_of_all[strategies]
            moved_mixture = mixture + step_size * mixture * (values - (mixture * values).sum())
            mixtures[strategies] = find_nearest_distribution(
                moved_mixture, exploration / sizes[player]
            )
        totals += mixtures

    return totals


@kernel
def compute_strategy_payoffs(
    payoffs: Floats, sizes: Ints, starts: Ints, mixtures: Floats
) -> Floats:
    """Return the expected payoff of each strategy against the mixtures of the other players.

    Parameters
    ----------
    payoffs : array of shape (n, K_1 * ... * K_n)
        The payoff of each of n players for each combination of strategies; the last player's strategy changes fastest.
    sizes, starts : array of shape (n,)
        The number of strategies of each player, K_1 to K_n, and the index of its first strategy in `mixtures`.
    mixtures : array of shape (K_1 + ... + K_n,)
        The probability of each strategy, player after player.

    Returns
    -------
    array of shape (K_1 + ... + K_n,)
        The expected payoff of each strategy, player after player.
    """
    n = len(sizes)
    values = np.zeros_like(mixtures)
    # The index in `mixtures` of each player's strategy in the present combination.
    strategy_index = starts.copy()
    for combination in range(payoffs.shape[1]):
        for player in range(n):
            # Becomes the probability that the other players choose this combination.
            probability = 1.0
            for opponent in range(n):
                if opponent != player:
                    probability *= mixtures[strategy_index[opponent]]
            values[strategy_index[player]] += probability * payoffs[player, combination]
        advance_combination(strategy_index, sizes, starts)
    return values


@inlined
def advance_combination(strategy_index: Ints, sizes: Ints, starts: Ints) -> None:
    """Go on to the next combination of strategies, in which the last player's strategy changes fastest.

    Like an odometer: a player whose strategies are all used up begins again with the first one, and the player before
    goes on to the next one.

    Parameters
    ----------
    strategy_index : array of shape (n,)
        The index of each player's strategy, which is overwritten.
    sizes, starts : array of shape (n,)
        The number of strategies of each player, and the index of its first one.
    """
    player = len(sizes) - 1
    strategy_index[player] += 1
    while player > 0 and strategy_index[player] == starts[player] + sizes[player]:
        strategy_index[player] = starts[player]
        player -= 1
        strategy_index[player] += 1


@kernel
def find_nearest_distribution(point: Floats, least_probability: float) -> Floats:
    """Return the distribution nearest to a point among those in which every entry is at least `least_probability`.

    The same number is subtracted from all entries so that they sum to one, except that entries that would fall below
    `least_probability` are set to `least_probability` (Held, Wolfe & Crowder 1974).

    Parameters
    ----------
    point : array of shape (K,)
        Any K numbers.
    least_probability : float
        The smallest probability of an entry, at most 1 / K.

    Returns
    -------
    array of shape (K,)
        The distribution with the smallest Euclidean distance from the point.
    """
    # Starting with the largest entry alone, include smaller ones as long as they stay above `least_probability`.
    free_mass = 1.0 - len(point) * least_probability
    total, excess = 0.0, 0.0
    for num_larger, value in enumerate(np.sort(point)[::-1]):
        total += value - least_probability
        if num_larger > 0 and value - least_probability <= (total - free_mass) / (num_larger + 1):
            break
        excess = (total - free_mass) / (num_larger + 1)
    return np.maximum(point - excess, least_probability)
