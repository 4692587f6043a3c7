"""An exact equilibrium of a two-player zero-sum game, computed by the linear program of its sequence form.

Player 1's realization plan x maximizes its payoff against a best response: maximize v_0 subject to F^T v <= U^T x,
E x = e and x >= 0. U is the payoff matrix, E and F are the constraint matrices of both players' plans, and v has an
entry for each information set of player 2. Player 2's plan is the dual solution (Koller, Megiddo & von Stengel 1994).
`SequenceFormLP` solves the whole game. `SequenceFormProgram` can also solve the game restricted to some sequences,
which `DoubleOracle` needs.

Every sequence and every information set is an *item* of the program. The sequences of player 1 and the information sets
of player 2 are variables; the sequences of player 2 and the information sets of player 1 are constraints. Items have
the order of the game: first the S sequences, then n roots, one above the empty sequence of each of n players, and then
the I information sets.

The solver HiGHS is used for this program and for subgames. It is always called with one thread and strict tolerances,
and bases are arrays of statuses.
"""

import ctypes
import os
from dataclasses import dataclass
from functools import cache
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import Bools, ConvergenceError, Floats, Ints
from pokerlab.games import Profile, SequenceForm
from pokerlab.games.tree_passes import compute_behavior, compute_plans
from pokerlab.solvers.protocol import check_zero_sum_pair, find_utility_scale

if TYPE_CHECKING:
    import highspy
    from scipy.sparse import csc_array

Statuses = NDArray[np.int8]
NO_BASIS: Statuses = np.empty(0, dtype=np.int8)
"""The basis before a program has been solved for the first time."""
LOWER, BASIC, UPPER = 0, 1, 2
"""The codes of HiGHS for the status of a variable or constraint: at a lower bound, in the basis, at an upper bound."""
DEFAULT_OPTIONS: dict[str, str | int | float] = {
    "solver": "simplex",
    "threads": 1,
    "primal_feasibility_tolerance": 1e-9,
    "dual_feasibility_tolerance": 1e-9,
}
"""The options of HiGHS. In tests on thousands of games, 1e-9 is the strictest tolerance at which it always ends."""


@cache
def silence_highs_banner() -> None:
    """Create a first HiGHS object, so that the banner of version 1.16 is printed once and is not seen.

    C code prints the banner before any option can be set, so standard output is discarded while the object is created.
    Python's `contextlib.redirect_stdout` does not affect C code, so the file descriptor itself is redirected.
    """
    import highspy

    # C code has a buffer of its own, which must be empty before and after the redirection.
    flush = ctypes.CDLL(None).fflush if os.name == "posix" else lambda _: None
    flush(None)
    standard_output = 1
    saved_output = os.dup(standard_output)
    nowhere = os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, standard_output)
        highspy.Highs()  # type: ignore[no-untyped-call]
        flush(None)
    finally:
        os.dup2(saved_output, standard_output)
        os.close(saved_output)
        os.close(nowhere)


def make_highs(**options: str | int | float) -> "highspy.Highs":
    """Return an empty object of the linear programming solver HiGHS: one without a program.

    Parameters
    ----------
    **options
        Options of HiGHS by their names. Other options have the values in `DEFAULT_OPTIONS`, such as a single thread
        and the simplex method, or else the defaults of HiGHS.

    Returns
    -------
    highspy.Highs
        The object, which prints nothing.
    """
    import highspy

    silence_highs_banner()
    highs = highspy.Highs()  # type: ignore[no-untyped-call]
    highs.silent()
    for option, value in {**DEFAULT_OPTIONS, **options}.items():
        highs.setOptionValue(option, value)
    return highs


def set_basis(
    highs: "highspy.Highs", variable_statuses: Statuses, constraint_statuses: Statuses
) -> None:
    """Set the basis at which the simplex method of HiGHS begins.

    Parameters
    ----------
    highs : highspy.Highs
        The object that has the program.
    variable_statuses : array of int8, shape (variables,)
        The status of each variable, which is a column of the program: `LOWER`, `BASIC` or `UPPER`.
    constraint_statuses : array of int8, shape (constraints,)
        The status of each constraint, which is a row of the program.
    """
    import highspy

    basis = highspy.HighsBasis()
    basis.col_status = [highspy.HighsBasisStatus(code) for code in variable_statuses.tolist()]
    basis.row_status = [highspy.HighsBasisStatus(code) for code in constraint_statuses.tolist()]
    basis.valid = True
    basis.alien = False  # else HiGHS would factorize its matrix here, and once more when it runs
    highs.setBasis(basis)


def get_basis(highs: "highspy.Highs") -> tuple[Statuses, Statuses]:
    """Return the optimal basis that HiGHS has found.

    Parameters
    ----------
    highs : highspy.Highs
        The object that has solved a program.

    Returns
    -------
    variable_statuses : array of int8, shape (variables,)
        The status of each variable, which is a column of the program: `LOWER`, `BASIC` or `UPPER`.
    constraint_statuses : array of int8, shape (constraints,)
        The status of each constraint, which is a row of the program.
    """
    basis = highs.getBasis()
    variable_statuses = np.array([int(status) for status in basis.col_status], dtype=np.int8)
    constraint_statuses = np.array([int(status) for status in basis.row_status], dtype=np.int8)
    return variable_statuses, constraint_statuses


def solve_program(highs: "highspy.Highs", program_name: str, advice: str) -> None:
    """Solve the linear program that was passed to HiGHS.

    Parameters
    ----------
    highs : highspy.Highs
        The object that has the program, and afterwards its solution.
    program_name : str
        The name of the program, for the error message.
    advice : str
        A sentence for the error message that says what can be done.

    Raises
    ------
    ConvergenceError
        If HiGHS ends without an optimum.
    """
    import highspy

    highs.run()
    status = highs.getModelStatus()
    if status != highspy.HighsModelStatus.kOptimal:
        raise ConvergenceError(
            f"HiGHS ended with '{highs.modelStatusToString(status)}' on {program_name}. {advice}"
        )


EQUILIBRIUM_TOLERANCE = 1e-8
"""The solution of HiGHS is a vertex, which is exact up to rounding. A larger NashConv means that HiGHS has failed."""
ROUNDED_WEIGHT = 1e-12  # smaller realization weights are rounding errors of the linear program
ADVICE = "Its payoffs may differ too much in size; scale them, or use solvers.CFRPlus."


@dataclass(frozen=True, eq=False)
class Solution:
    """An equilibrium of a two-player zero-sum game.

    Attributes
    ----------
    value : float
        The expected payoff of player 1, in the game's unit.
    profile : Profile
        The equilibrium.
    nash_conv : float
        The NashConv of the profile, which differs from 0 only by rounding.
    pivots : int
        The number of pivots of the simplex method.
    """

    value: float
    profile: Profile
    nash_conv: float
    pivots: int

    @property
    def values(self) -> tuple[float, float]:
        """The expected payoff of each player, in the game's unit. The sum is the constant of a constant-sum game."""
        total = self.profile.game.payoff_sum
        assert total is not None
        return self.value, total - self.value


class SequenceFormLP:
    """The sequence-form linear program of a two-player zero-sum game, solved by HiGHS' dual simplex method.

    Parameters
    ----------
    game : SequenceForm
        A two-player zero-sum or constant-sum game.

    Examples
    --------
    >>> import pokerlab as pl
    >>> round(SequenceFormLP(pl.games.kuhn()).solve().value * 18, 9)
    -1.0
    """

    def __init__(self, game: SequenceForm) -> None:
        check_zero_sum_pair(
            game,
            "the sequence-form linear program",
            ("solvers.CFRPlus", "solvers.ReplicatorDynamics"),
        )
        self.game = game

    def solve(self) -> Solution:
        """Return an equilibrium of the game.

        Returns
        -------
        Solution
            The profile, the value of the game, and how exact the profile is.

        Raises
        ------
        ConvergenceError
            If HiGHS ends without an optimum, or with a profile whose NashConv is not 0 up to rounding.
        """
        game = self.game
        program = SequenceFormProgram(game)
        all_sequences = np.ones(program.num_sequences, dtype=np.bool_)
        optimum = program.solve_restricted_game(all_sequences)
        profile = Profile.from_unchecked(game, compute_behavior(game.block, optimum.plan))
        nash_conv = game.nash_conv(profile)
        if not nash_conv <= EQUILIBRIUM_TOLERANCE * find_utility_scale(game):
            raise ConvergenceError(
                f"the linear program of {game.name} ended with NashConv {nash_conv:.3g} {game.unit}, not 0."
                " Its payoffs may differ too much in size; scale them, or use solvers.CFRPlus."
            )
        return Solution(optimum.value, profile, nash_conv, optimum.pivots)


class Optimum(NamedTuple):
    """An equilibrium of a restricted game, in which each player may use only some sequences.

    Attributes
    ----------
    value : float
        The expected payoff of player 1.
    plan : array of shape (S,)
        The realization weight of each of the game's S sequences, for both players.
    basis : array of shape (S + n + I,)
        The basis of the linear program: a status for each of the S sequences, n roots (one above the empty sequence of
        each player) and I information sets of the whole game. Where the restricted game does not have them, it is the
        status of `make_statuses_of_new_items`.
    pivots : int
        The number of pivots of the simplex method.
    """

    value: float
    plan: Floats
    basis: Statuses
    pivots: int


class SequenceFormProgram:
    """The linear program of a two-player zero-sum game, which can be restricted to a set of allowed sequences.

    Its *items* are the S sequences, the n roots, which are above the empty sequences of n players, and the I
    information sets. Variables are the sequences of player 1, and the root and information sets of player 2.
    Constraints are the sequences of player 2, and the root and information sets of player 1.

    Parameters
    ----------
    game : SequenceForm
        A two-player zero-sum or constant-sum game.

    Attributes
    ----------
    matrix : csc_array of shape (constraints, variables)
        The coefficients of the program of the whole game.
    roots : array of shape (n,)
        The index of the root of each player among the items.
    item_above : array of shape (S,)
        The index of the information set, or of the root, that is directly above each sequence, among the items.
    variables, constraints : arrays of int
        The indices of the items that are variables, and of those that are constraints, in the order of the columns and
        rows of `matrix`.
    is_of_first_player : array of shape (S + n + I,)
        Whether each item belongs to player 1.
    """

    def __init__(self, game: SequenceForm) -> None:
        from scipy.sparse import csr_array, hstack, vstack

        # The constraint matrices E and F of both players' plans, and the payoff matrix U of player 1. The variables are
        # player 1's plan x and the values v of player 2's information sets.
        first_matrix = game.make_treeplex(0).make_constraint_matrix()  # E
        second_matrix = game.make_treeplex(1).make_constraint_matrix()  # F
        no_values = csr_array((first_matrix.shape[0], second_matrix.shape[0]))
        responses = hstack([-game.payoff_matrix(0).T, second_matrix.T])  # F^T v - U^T x <= 0
        flows = hstack([first_matrix, no_values])  # E x = e
        self.game = game
        self.matrix: csc_array = vstack([responses, flows], format="csc")

        # The items are numbered in the order of the class's description: sequences, roots, information sets.
        n = game.num_players
        self.num_sequences = game.num_probabilities + n
        self.roots = self.num_sequences + np.arange(n)
        infosets = self.num_sequences + n + np.arange(game.num_actions.size)
        self.item_above = np.append(self.roots, np.repeat(infosets, game.num_actions))

        # The items of each player. The empty sequence of player i is sequence i, and the other sequences come after
        # the n empty ones.
        sequences_by_player = []
        infosets_by_player = []
        for player in range(n):
            sequences = game.player_sequences[player]
            begin, end = game.infoset_start[player : player + 2]
            nonempty_sequences = n + np.arange(sequences.start, sequences.stop)
            sequences_by_player.append(np.append(player, nonempty_sequences))
            infosets_by_player.append(np.append(self.roots[player], infosets[begin:end]))

        self.variables: Ints = np.append(sequences_by_player[0], infosets_by_player[1])
        self.constraints: Ints = np.append(sequences_by_player[1], infosets_by_player[0])
        num_items = self.num_sequences + n + infosets.size
        self.is_of_first_player: Bools = np.zeros(num_items, dtype=np.bool_)
        self.is_of_first_player[np.append(sequences_by_player[0], infosets_by_player[0])] = True

    def find_items_of_restricted_game(self, allowed: Bools) -> Bools:
        """Return which sequences, roots and information sets belong to a restricted game.

        They are the allowed sequences, and the roots and information sets directly above these.

        Parameters
        ----------
        allowed : array of shape (S,)
            Whether each of the game's S sequences is allowed.

        Returns
        -------
        array of shape (S + n + I,)
            Whether each item is in the restricted game: S sequences, n roots (one above the empty sequence of each
            player) and I information sets.
        """
        is_in_game = np.zeros(self.is_of_first_player.size, dtype=np.bool_)
        is_in_game[: self.num_sequences] = allowed
        is_in_game[self.item_above[allowed]] = True
        return is_in_game

    def make_statuses_of_new_items(self) -> Statuses:
        """Return the status that each sequence, root and information set gets when it is added to a restricted game.

        A basis of the simplex method gives a status to each variable and constraint. A new sequence of player 1 is a
        variable with the weight 0, so it is at its lower bound. A new sequence of player 2 is a constraint that does
        not bind, so it is in the basis.

        Returns
        -------
        array of int8, shape (S + n + I,)
            The statuses of S sequences, n roots (one above the empty sequence of each player) and I information sets.
            New items of player 1 are `LOWER`, and new items of player 2 are `BASIC`.
        """
        return np.where(self.is_of_first_player, LOWER, BASIC).astype(np.int8)

    def extend_basis(self, basis: Statuses, allowed_before: Bools, allowed: Bools) -> Statuses:
        """Return a basis of a restricted game, made from the basis of a smaller restricted game.

        At an information set that the smaller game does not have, the first new sequence takes the whole weight if it
        is one of player 1. If it is one of player 2, its constraint determines the value of the information set.

        Parameters
        ----------
        basis : array of shape (S + n + I,)
            The basis of the smaller game: a status for each of S sequences, n roots (one above the empty sequence of
            each player) and I information sets. It is not changed.
        allowed_before, allowed : array of shape (S,)
            Whether each sequence is allowed in the smaller game, and in the larger game.

        Returns
        -------
        array of shape (S + n + I,)
            The basis of the larger game, in the same order.
        """
        # The first new sequence at each information set that the smaller game does not have.
        new_sequences = np.flatnonzero(allowed & ~allowed_before)
        infosets, first_positions = np.unique(self.item_above[new_sequences], return_index=True)
        is_new_infoset = ~self.find_items_of_restricted_game(allowed_before)[infosets]
        first_at_new_infosets = new_sequences[first_positions[is_new_infoset]]

        extended = basis.copy()
        is_of_first_player = self.is_of_first_player[first_at_new_infosets]
        extended[first_at_new_infosets] = np.where(is_of_first_player, BASIC, UPPER)
        return extended

    def solve_restricted_game(self, allowed: Bools, basis: Statuses | None = None) -> Optimum:
        """Return an equilibrium of a restricted game, in which each player may use only allowed sequences.

        The same allowed sequences and the same basis always give the same equilibrium.

        Parameters
        ----------
        allowed : array of shape (S,)
            Whether each sequence is allowed. If a sequence is allowed, then so are the sequences before it, and at
            least one action at each information set to which it leads.
        basis : array of shape (S + n + I,), optional
            A basis from `extend_basis`. Without a basis HiGHS simplifies the program and starts from scratch.

        Returns
        -------
        Optimum
            The realization plans of both players, the value of the restricted game, and the optimal basis.

        Raises
        ------
        ConvergenceError
            If HiGHS ends without an optimum.
        """
        # The columns and rows of the whole program that are in the restricted game. The sequences, roots and
        # information sets that they belong to are `variables` and `constraints`.
        is_in_game = self.find_items_of_restricted_game(allowed)
        columns = np.flatnonzero(is_in_game[self.variables])
        rows = np.flatnonzero(is_in_game[self.constraints])
        variables, constraints = self.variables[columns], self.constraints[rows]

        highs = make_highs()
        self.pass_program_to_highs(highs, self.matrix[:, columns][rows, :], variables, constraints)
        if basis is not None:
            set_basis(highs, basis[variables], basis[constraints])
        restriction = f"{int(allowed.sum())} of {allowed.size} sequences allowed"
        solve_program(highs, f"{self.game.name}, {restriction}", ADVICE)

        # Player 1's plan is the primal solution, and player 2's plan the dual one. At the root of player 2 the primal
        # solution is v_0, the value of the game.
        solution = highs.getSolution()
        weights = np.zeros(is_in_game.size)
        weights[variables] = solution.col_value
        weights[constraints] = solution.row_dual
        statuses = self.make_statuses_of_new_items()
        statuses[variables], statuses[constraints] = get_basis(highs)
        return Optimum(
            value=float(weights[self.roots[1]]) + 0.0,  # adding 0.0 turns -0.0 into 0.0
            plan=self.make_valid_plans(weights[: self.num_sequences]),
            basis=statuses,
            pivots=int(highs.getInfo().simplex_iteration_count),
        )

    def pass_program_to_highs(
        self, highs: "highspy.Highs", matrix: "csc_array", variables: Ints, constraints: Ints
    ) -> None:
        """Pass the program of a restricted game to HiGHS.

        The program maximizes v_0, the variable of player 2's root. Weights of sequences are at least 0, and values of
        information sets are free. The constraint of a sequence of player 2 is F^T v - U^T x <= 0. The constraint of an
        information set of player 1 is E x = e, where e is 1 for the root and 0 for all others.

        Parameters
        ----------
        highs : highspy.Highs
            The object to which the program is passed.
        matrix : csc_array of shape (constraints, variables)
            The coefficients of the restricted game.
        variables, constraints : array of int
            The indices of the items (sequences, roots and information sets) that are the columns and the rows of
            `matrix`.
        """
        import highspy

        infinity = highspy.kHighsInf
        objective = (variables == self.roots[1]).astype(np.float64)  # v_0
        lowest_values = np.where(variables < self.num_sequences, 0.0, -infinity)
        right_sides = (constraints == self.roots[0]).astype(np.float64)  # e
        left_bounds = np.where(constraints < self.num_sequences, -infinity, right_sides)
        highs.passModel(
            variables.size,
            constraints.size,
            matrix.nnz,
            int(highspy.MatrixFormat.kColwise),
            int(highspy.ObjSense.kMaximize),
            0.0,  # the constant of the objective
            objective,
            lowest_values,
            np.full(variables.size, infinity),
            left_bounds,
            right_sides,
            matrix.indptr.astype(np.int32),
            matrix.indices.astype(np.int32),
            matrix.data,
            np.zeros(variables.size, dtype=np.int32),  # no variable must be an integer
        )

    def make_valid_plans(self, weights: Floats) -> Floats:
        """Return valid realization plans from the weights of HiGHS, which satisfy constraints only up to rounding.

        Weights of at most `ROUNDED_WEIGHT` are set to zero. Then the behavior is computed, and the plans from it.

        Parameters
        ----------
        weights : array of shape (S,)
            The weight of each of the game's S sequences, for both players.

        Returns
        -------
        array of shape (S,)
            The realization plans of both players.
        """
        game_block = self.game.block
        behavior = compute_behavior(game_block, np.where(weights > ROUNDED_WEIGHT, weights, 0.0))
        return compute_plans(game_block, behavior)
