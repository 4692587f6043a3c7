"""Subgame solvers, which compute a mixture for each player of a game restricted to the strategies found so far.

The module `subgame_payoffs` computes the payoffs of these strategies. There are these solvers:

- `UniformMixture` plays all strategies with equal probability.
- `BestPureProfile` plays the best profile of a game in which all players have identical payoffs.
- `ZeroSumProgram` and `InteriorPointProgram` compute an equilibrium of a two-player zero-sum game by linear
  programming. The row player's mixture x maximizes v subject to sum_i x_i A_ij >= v for every column j. The column
  player's mixture is the dual solution. Optimal mixtures need not be unique: the simplex method ends at a corner of the
  set of optimal mixtures, the interior point method near its middle. When a game has grown, the simplex method starts
  from the basis that was optimal before and needs only a few pivots. Its result depends only on the payoffs and that
  basis, not on where a run was paused (Oliehoek et al. 2006, section 3); `matrix_programs` has the linear programs.
- `LemkeHowson` computes an equilibrium of any two-player game by pivoting (Lemke & Howson 1964; Oliehoek et al.,
  section 7).
- `ProjectedReplicator` runs learning dynamics for any number of players (Lanctot et al. 2017, section 3.1).
"""

from dataclasses import dataclass
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np

from pokerlab.core import (
    ConvergenceError,
    Floats,
    GameError,
    Ints,
    SettingError,
    inlined,
    kernel,
)
from pokerlab.core.old_names import reject_object_with_old_methods
from pokerlab.core.settings import (
    LARGEST_COUNT,
    check_attributes,
    validate_integer,
    validate_number,
)
from pokerlab.games import SequenceForm
from pokerlab.solvers.linear_program import Statuses, make_highs, solve_program
from pokerlab.solvers.matrix_programs import (
    normalize_mixture,
    pass_matrix_program,
    scale_tolerance,
    solve_matrix_game,
)
from pokerlab.solvers.protocol import check_zero_sum_pair
from pokerlab.solvers.subgame_payoffs import find_largest_gain

PAYOFF_TOLERANCE = 1e-12
"""The relative difference up to which payoffs count as identical, because payoffs read from a file may be rounded."""


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
    """A method that computes a mixture of each player's strategies from the payoffs of all combinations of strategies.

    The same payoffs and the same basis always give the same mixtures.
    """

    @property
    def tolerance(self) -> float:
        """The largest gain from a deviation that the solver's mixtures may leave to a player.

        Its unit is the largest absolute utility of the game, or 1 if all utilities are smaller.
        """

    def check_game(self, game: SequenceForm) -> None:
        """Raise a GameError if the solver cannot be used for the game.

        Parameters
        ----------
        game : SequenceForm
            The whole game, whose subgames are to be solved.

        Raises
        ------
        GameError
            If the number of players or the payoffs do not fit the solver.
        """

    def solve(
        self, payoffs: Floats, basis: Basis = (), *, name: str = "a matrix game"
    ) -> SubgameSolution:
        """Return a mixture of each player's strategies in a subgame.

        Parameters
        ----------
        payoffs : array of shape (n, K_1, ..., K_n)
            The payoff of each of n players for each combination of strategies, where player i has K_i strategies.
        basis : tuple of arrays
            The basis of the last solution, from which the solver may begin; empty if there is none.
        name : str
            The name of the game, which appears in error messages.

        Returns
        -------
        SubgameSolution
            The mixture of each player, and the basis for the next solution.

        Raises
        ------
        ConvergenceError
            If the solver finds no solution.
        """


def check_subgame_solver(solver: Any, game: Any) -> None:
    """Raise an error unless an object is a subgame solver that accepts the game.

    Parameters
    ----------
    solver : object
        The object that was given as a `SubgameSolver`.
    game : SequenceForm or SymmetricGame
        The game whose subgames are to be solved.

    Raises
    ------
    SettingError
        If the object lacks a method or an attribute of a `SubgameSolver`.
    GameError
        If the solver cannot be used for the game.
    """
    expected = "a subgame solver such as solvers.ZeroSumProgram() or solvers.LemkeHowson()"
    check_attributes("subgame", solver, ("solve", "tolerance"), expected)
    if isinstance(game, SequenceForm):
        reject_object_with_old_methods("subgame", solver, ("check_game",))
        solver.check_game(game)
    elif isinstance(solver, BestPureProfile):
        raise GameError(
            f"the best pure strategies are for games with identical payoffs; in {game.name} one player wins what"
            " the other loses. Use subgame=solvers.ZeroSumProgram()."
        )


@dataclass(frozen=True, kw_only=True)
class SolverWithTolerance:
    """The base class of subgame solvers, which have a tolerance and by default accept every game.

    Attributes
    ----------
    tolerance : float
        The largest gain from a deviation that the solver's mixtures may leave to a player. Its unit is the largest
        absolute utility of the game, or 1 if all utilities are smaller.
    """

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
        """Return the uniform mixture of each player's strategies.

        Parameters
        ----------
        payoffs : array of shape (n, K_1, ..., K_n)
            The payoff of each of n players for each combination of strategies. Only its shape is used.
        basis : tuple of arrays
            Ignored, because the mixtures do not depend on an earlier solution.
        name : str
            The name of the game, which is ignored.

        Returns
        -------
        SubgameSolution
            The mixture of each player, without a basis.
        """
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
        """Raise a GameError unless all players have identical payoffs.

        Parameters
        ----------
        game : SequenceForm
            The whole game. Payoffs count as identical if they differ by rounding (`PAYOFF_TOLERANCE`).

        Raises
        ------
        GameError
            If two players have different payoffs.
        """
        largest_payoff = np.abs(game.payoff).max(initial=0.0)
        largest_difference = np.ptp(game.payoff, axis=1).max(initial=0.0)
        if largest_difference > PAYOFF_TOLERANCE * largest_payoff:
            alternative = "LemkeHowson" if game.num_players == 2 else "ProjectedReplicator"
            raise GameError(
                f"the best pure strategies are for games with identical payoffs; in {game.name} players"
                f" win different amounts. Use subgame=solvers.{alternative}()."
            )

    def solve(
        self, payoffs: Floats, basis: Basis = (), *, name: str = "a matrix game"
    ) -> SubgameSolution:
        """Return the pure profile with the largest payoff, or the last round's pure profile if it is nearly as good.

        The profile of the last round stays unless the largest payoff is higher by more than the tolerance.

        Parameters
        ----------
        payoffs : array of shape (n, K_1, ..., K_n)
            The payoff of each of n players for each combination of strategies. All players have the same payoffs, so
            only the first player's payoffs are read.
        basis : tuple of arrays
            The profile of the last round, if there was one: an array for each player, which is 1 for the strategy that
            is played and 0 elsewhere. It may have fewer strategies.
        name : str
            The name of the game, which is ignored.

        Returns
        -------
        SubgameSolution
            The mixture of each player, which plays one strategy with probability 1. The basis of the next round has the
            same numbers.
        """
        common_payoff = payoffs[0]
        num_strategies = common_payoff.shape

        # The profile of the last round, as the index of each player's strategy; before the first round, the first one.
        if any(len(last_mixture) for last_mixture in basis):
            last_profile = tuple(int(np.argmax(last_mixture)) for last_mixture in basis)
        else:
            last_profile = (0,) * len(num_strategies)

        best_combination = np.unravel_index(int(np.argmax(common_payoff)), num_strategies)
        profile = tuple(int(index) for index in best_combination)
        least_gain = scale_tolerance(payoffs, self.tolerance)
        if not common_payoff[profile] > common_payoff[last_profile] + least_gain:
            profile = last_profile

        mixtures = []
        for size, played in zip(num_strategies, profile, strict=True):
            mixture = np.zeros(size)
            mixture[played] = 1.0
            mixtures.append(mixture)
        next_basis = tuple(mixture.astype(np.int8) for mixture in mixtures)
        return SubgameSolution(tuple(mixtures), next_basis)


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
        """Return optimal mixtures of both players.

        Parameters
        ----------
        payoffs : array of shape (n, K_1, K_2)
            The payoffs for each pair of strategies. Only the payoffs of player 1 are used, which come first.
        basis : tuple of two arrays
            The basis of the last solution, from which the simplex method begins: the status of each column (variable)
            and of each row (constraint) of the linear program. It may be one of a smaller subgame, or empty.
        name : str
            The name of the game, which appears in error messages.

        Returns
        -------
        SubgameSolution
            The mixtures and the optimal basis.

        Raises
        ------
        ConvergenceError
            If HiGHS ends without an optimum.
        """
        optimum = solve_matrix_game(name, payoffs[0], *basis)
        return SubgameSolution(
            mixtures=(optimum.row_mixture, optimum.column_mixture),
            basis=(optimum.column_status, optimum.row_status),
        )


@dataclass(frozen=True, kw_only=True)
class InteriorPointProgram(SolverWithTolerance):
    """The linear program of a two-player zero-sum subgame, solved by an interior point method.

    It ends near the middle of the set of optimal mixtures. The support of this mixture is at least as large as the
    support of any other optimal mixture, because the solution is strictly complementary (Goldman & Tucker 1956). Its
    error, and therefore its `tolerance`, is larger than the error of the simplex method.
    """

    tolerance: float = 1e-8

    def check_game(self, game: SequenceForm) -> None:
        """Raise a GameError unless the game is two-player zero-sum or constant-sum."""
        ZeroSumProgram().check_game(game)

    def solve(
        self, payoffs: Floats, basis: Basis = (), *, name: str = "a matrix game"
    ) -> SubgameSolution:
        """Return optimal mixtures of both players with the largest supports.

        Parameters
        ----------
        payoffs : array of shape (n, K_1, K_2)
            The payoffs for each pair of strategies. Only the payoffs of player 1 are used, which come first.
        basis : tuple of arrays
            Ignored, because an interior point method cannot begin from a basis.
        name : str
            The name of the game, which appears in error messages.

        Returns
        -------
        SubgameSolution
            The mixtures, without a basis.

        Raises
        ------
        ConvergenceError
            If HiGHS ends without an optimum.
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
        """Raise a GameError unless the game has two players.

        Parameters
        ----------
        game : SequenceForm
            The whole game, whose subgames are to be solved.

        Raises
        ------
        GameError
            If it has another number of players.
        """
        if game.num_players != 2:
            raise GameError(
                f"the Lemke-Howson algorithm solves subgames of two players; {game.name} is a game for"
                f" {game.num_players}. Use solvers.PSRO with subgame=solvers.ProjectedReplicator()."
            )

    def solve(
        self, payoffs: Floats, basis: Basis = (), *, name: str = "a matrix game"
    ) -> SubgameSolution:
        """Return an equilibrium of a subgame of two players.

        Parameters
        ----------
        payoffs : array of shape (2, K_1, K_2)
            The payoff of each player for each pair of strategies.
        basis : tuple of arrays
            Ignored, because the algorithm always begins from a label.
        name : str
            The name of the game, which appears in error messages.

        Returns
        -------
        SubgameSolution
            The mixture of each player, without a basis.

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

        # In quantecon the payoffs of each player have its own strategies in the rows.
        row_player = Player(rescale_payoffs_to_1_to_2(payoffs[0]))
        column_player = Player(rescale_payoffs_to_1_to_2(payoffs[1]).T.copy())
        normal_form = NormalFormGame((row_player, column_player))

        # Labels count the strategies of both players.
        num_labels = sum(payoffs.shape[1:])
        largest_allowed_gain = scale_tolerance(payoffs, self.tolerance)
        for offset in range(num_labels):
            label = (self.first_pivot + offset) % num_labels
            try:
                pair = lemke_howson(normal_form, init_pivot=label, max_iter=self.most_pivots)
            except ZeroDivisionError:  # rounding has left a column without a pivot
                continue

            # Rounding may have led to something else than an equilibrium, so the pair is checked.
            if not all(np.isfinite(weights).all() and weights.max() > 0.0 for weights in pair):
                continue
            mixtures = tuple(
                normalize_mixture(weights, ROUNDED_WEIGHT * weights.max()) for weights in pair
            )
            if find_largest_gain(payoffs, mixtures) <= largest_allowed_gain:
                return SubgameSolution(mixtures)

        rows, columns = payoffs.shape[1:]
        raise ConvergenceError(
            f"the Lemke-Howson algorithm found no equilibrium to {largest_allowed_gain:.3g} of the {rows} x {columns}"
            f" subgame of {name}, with payoffs up to {np.abs(payoffs).max():g}, from any of its {num_labels} labels in"
            f" {self.most_pivots} pivots each. Allow more pivots or a larger tolerance."
        )


def rescale_payoffs_to_1_to_2(payoff: Floats) -> Floats:
    """Return payoffs scaled linearly to the range from 1 to 2, which does not change the equilibria.

    If all payoffs are equal, the result is 1 everywhere. The array can have any shape.

    Parameters
    ----------
    payoff : array of any shape
        The payoffs, at least one. They are not changed.

    Returns
    -------
    array
        The rescaled payoffs, in the same shape.
    """
    lowest = payoff.min()
    spread = float(np.ptp(payoff))
    if spread == 0.0:
        spread = 1.0
    return np.asarray((payoff - lowest) / spread + 1.0)


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
        """Return the average mixture of each player over all steps of the dynamics.

        Parameters
        ----------
        payoffs : array of shape (n, K_1, ..., K_n)
            The payoff of each of n players for each combination of strategies, where player i has K_i strategies.
        basis : tuple of arrays
            Ignored, because the dynamics always begin with uniform mixtures.
        name : str
            The name of the game, which is ignored.

        Returns
        -------
        SubgameSolution
            The average mixtures, without a basis.
        """
        # A kernel takes arrays with a fixed number of axes, so the combinations of strategies become one axis.
        sizes = np.array(payoffs.shape[1:])
        flat_payoffs = np.ascontiguousarray(payoffs.reshape(len(sizes), -1))
        sums = sum_replicator_mixtures(
            flat_payoffs, sizes, self.exploration, self.step_size, self.steps
        )

        # The sum of all probabilities of a player is the number of mixtures that were added.
        sums_by_player = np.split(sums, np.cumsum(sizes)[:-1])
        return SubgameSolution(tuple(own_sums / own_sums.sum() for own_sums in sums_by_player))


@kernel
def sum_replicator_mixtures(
    payoffs: Floats, sizes: Ints, exploration: float, step_size: float, steps: int
) -> Floats:
    """Return the sum of the mixtures of projected replicator dynamics over all steps, including the uniform start.

    Parameters
    ----------
    payoffs : array of shape (n, K_1 * ... * K_n)
        The payoff of each of n players for each combination of strategies, in C order: from one combination to the next
        the last player's strategy changes first.
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
    num_players = len(sizes)
    first_index = np.cumsum(sizes) - sizes
    mixtures = np.empty(sizes.sum())
    for player in range(num_players):
        begin = first_index[player]
        mixtures[begin : begin + sizes[player]] = 1.0 / sizes[player]

    sums = mixtures.copy()
    for _ in range(steps):
        # The payoffs are those against the mixtures before the step, so all players move at the same time.
        payoffs_of_all = compute_strategy_payoffs(payoffs, sizes, first_index, mixtures)
        for player in range(num_players):
            own_strategies = slice(first_index[player], first_index[player] + sizes[player])
            mixture, values = mixtures[own_strategies], payoffs_of_all[own_strategies]
            moved_mixture = mixture + step_size * mixture * (values - (mixture * values).sum())
            least_probability = exploration / sizes[player]
            mixtures[own_strategies] = find_nearest_distribution(moved_mixture, least_probability)
        sums += mixtures

    return sums


@kernel
def compute_strategy_payoffs(
    payoffs: Floats, sizes: Ints, first_index: Ints, mixtures: Floats
) -> Floats:
    """Return the expected payoff of each strategy against the mixtures of the other players.

    Parameters
    ----------
    payoffs : array of shape (n, K_1 * ... * K_n)
        The payoff of each of n players for each combination of strategies, in C order: from one combination to the next
        the last player's strategy changes first.
    sizes, first_index : array of shape (n,)
        The number of strategies of each player, K_1 to K_n, and the index of its first strategy in `mixtures`.
    mixtures : array of shape (K_1 + ... + K_n,)
        The probability of each strategy, player after player.

    Returns
    -------
    array of shape (K_1 + ... + K_n,)
        The expected payoff of each strategy, player after player.
    """
    num_players = len(sizes)
    values = np.zeros_like(mixtures)
    # The index in `mixtures` of each player's strategy in the present combination.
    strategy_indices = first_index.copy()
    for combination in range(payoffs.shape[1]):
        for player in range(num_players):
            # Becomes the probability that the other players choose this combination.
            probability = 1.0
            for opponent in range(num_players):
                if opponent != player:
                    probability *= mixtures[strategy_indices[opponent]]
            values[strategy_indices[player]] += probability * payoffs[player, combination]
        advance_strategy_indices(strategy_indices, sizes, first_index)
    return values


@inlined
def advance_strategy_indices(strategy_indices: Ints, sizes: Ints, first_index: Ints) -> None:
    """Overwrite the indices of the players' strategies by the indices of the next combination of strategies.

    The combinations are in C order, like the numbers of an odometer. The last player's strategy changes first. After
    the last strategy of a player comes its first one again, and the player before gets its next strategy.

    Parameters
    ----------
    strategy_indices : array of shape (n,)
        The index of the strategy of each of n players, which is overwritten.
    sizes, first_index : array of shape (n,)
        The number of strategies of each player, and the index of its first strategy.
    """
    player = len(sizes) - 1
    strategy_indices[player] += 1
    while player > 0 and strategy_indices[player] == first_index[player] + sizes[player]:
        strategy_indices[player] = first_index[player]
        player -= 1
        strategy_indices[player] += 1


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
    # The entries that are not set to `least_probability` are the largest ones. Starting with the largest entry alone,
    # include smaller ones as long as the subtraction leaves them above `least_probability`.
    free_probability = 1.0 - len(point) * least_probability
    total, subtracted = 0.0, 0.0
    for num_larger, entry in enumerate(np.sort(point)[::-1]):
        total += entry - least_probability
        next_subtracted = (total - free_probability) / (num_larger + 1)
        if num_larger > 0 and entry - least_probability <= next_subtracted:
            break
        subtracted = next_subtracted
    return np.maximum(point - subtracted, least_probability)
