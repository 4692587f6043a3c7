"""An exact equilibrium of a two-player zero-sum game, by the linear program of its sequence form.

Player 1's realization plan x maximizes what a best response leaves: max v_0 such that F^T v <= U^T x, E x = e,
x >= 0, where v has an entry for each of player 2's information sets. Player 2's plan is the
program's dual (Koller, Megiddo & von Stengel 1994). `SequenceFormLP` solves the whole game;
`SequenceFormProgram` also solves it restricted to some sequences, for `DoubleOracle`.

Every sequence and every information set is one item of the program: player 1's sequences and player 2's information
sets are its variables, the other two kinds its constraints. Items are numbered like the game's: the S sequences, then
the n roots, one above each empty sequence, then the I information sets.

HiGHS solves it, as it solves subgames, always called in the same way: one thread, strict tolerances, bases as arrays
of statuses.
"""

import ctypes
import os
from dataclasses import dataclass
from functools import cache
from itertools import pairwise
from typing import TYPE_CHECKING, NamedTuple

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import Bools, ConvergenceError, Floats, Ints
from pokerlab.games import Profile, SequenceForm
from pokerlab.games.tree_passes import compute_behavior, compute_plans
from pokerlab.solvers.protocol import check_zero_sum_pair, find_largest_utility

if TYPE_CHECKING:
    import highspy
    from scipy.sparse import csc_array

Statuses = NDArray[np.int8]
NO_BASIS: Statuses = np.empty(0, dtype=np.int8)
"""The basis before anything has been solved."""
LOWER, BASIC, UPPER = 0, 1, 2
"""The codes of HiGHS for the status of a variable or constraint: at a bound, or in the basis."""
OPTIONS: dict[str, str | int | float] = {
    "solver": "simplex",
    "threads": 1,
    "primal_feasibility_tolerance": 1e-9,
    "dual_feasibility_tolerance": 1e-9,
}
"""1e-9 is the strictest tolerance at which HiGHS still ends on thousands of games."""


@cache
def silence_banner() -> None:
    """Make the first HiGHS object of this process, without the banner that version 1.16 prints.

    C code prints it before any option can be set, so standard output is discarded for that moment.
    """
    import highspy

    flush = ctypes.CDLL(None).fflush if os.name == "posix" else lambda _: None
    flush(None)
    saved_output, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 1)
        highspy.Highs()  # type: ignore[no-untyped-call]
        flush(None)
    finally:
        os.dup2(saved_output, 1)
        os.close(saved_output)
        os.close(nowhere)


def make_highs(**options: str | int | float) -> "highspy.Highs":
    """Return a HiGHS object without a program, with the options of `OPTIONS` and others, which have precedence."""
    import highspy

    silence_banner()
    highs = highspy.Highs()  # type: ignore[no-untyped-call]
    highs.silent()
    for option, value in {**OPTIONS, **options}.items():
        highs.setOptionValue(option, value)
    return highs


def set_basis(highs: "highspy.Highs", columns: Statuses, rows: Statuses) -> None:
    """Make the simplex method begin at a basis: the statuses of variables and of constraints."""
    import highspy

    basis = highspy.HighsBasis()
    basis.col_status = [highspy.HighsBasisStatus(status) for status in columns.tolist()]
    basis.row_status = [highspy.HighsBasisStatus(status) for status in rows.tolist()]
    basis.valid = True
    highs.setBasis(basis)


def get_basis(highs: "highspy.Highs") -> tuple[Statuses, Statuses]:
    """Return the statuses of variables and of constraints at the optimum."""
    basis = highs.getBasis()
    columns = np.array([int(status) for status in basis.col_status], dtype=np.int8)
    rows = np.array([int(status) for status in basis.row_status], dtype=np.int8)
    return columns, rows


def solve_program(highs: "highspy.Highs", program: str, advice: str) -> None:
    """Find the optimum of the program that HiGHS holds.

    Raises
    ------
    ConvergenceError
        If there is none: the message names the `program` and gives the `advice`.
    """
    import highspy

    highs.run()
    status = highs.getModelStatus()
    if status != highspy.HighsModelStatus.kOptimal:
        raise ConvergenceError(
            f"HiGHS ended with '{highs.modelStatusToString(status)}' on {program}. {advice}"
        )


EQUILIBRIUM_TOLERANCE = 1e-8
"""HiGHS ends at a vertex, exact up to rounding; a larger NashConv means that it has failed."""
ROUNDED_WEIGHT = 1e-12  # weights of plans below it are the linear program's rounding
ADVICE = "Its payoffs may differ too much in size; scale them, or use solvers.CFRPlus."


@dataclass(frozen=True, eq=False)
class Solution:
    """An equilibrium of a two-player zero-sum game.

    Attributes
    ----------
    value : float
        What player 1 wins, in the game's unit.
    profile : Profile
        The equilibrium.
    nash_conv : float
        NashConv of the profile, which is rounding.
    pivots : int
        The number of pivots of the simplex method.
    """

    value: float
    profile: Profile
    nash_conv: float
    pivots: int

    @property
    def values(self) -> tuple[float, float]:
        """The payoff of each player, in the game's unit; in a constant-sum game they sum to the constant."""
        total = self.profile.game.payoff_sum
        assert total is not None
        return self.value, total - self.value


class SequenceFormLP:
    """The sequence-form linear program of a two-player zero-sum game, solved by HiGHS' dual simplex method.

    Parameters
    ----------
    game : SequenceForm
        Two players, zero-sum or constant-sum.

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
        """Return an equilibrium; raise a ConvergenceError if HiGHS ends without one."""
        game, program = self.game, SequenceFormProgram(self.game)
        optimum = program.solve_restricted(np.ones(program.num_sequences, dtype=np.bool_))
        profile = Profile.from_unchecked(game, compute_behavior(game.block, optimum.plan))
        nash_conv = game.nash_conv(profile)
        if not nash_conv <= EQUILIBRIUM_TOLERANCE * find_largest_utility(game):
            raise ConvergenceError(
                f"the linear program of {game.name} ended with NashConv {nash_conv:.3g} {game.unit}, not 0."
                " Its payoffs may differ too much in size; scale them, or use solvers.CFRPlus."
            )
        return Solution(optimum.value, profile, nash_conv, optimum.pivots)


class Optimum(NamedTuple):
    """An equilibrium of a restricted game.

    Attributes
    ----------
    value : float
        What player 1 wins.
    plan : array of shape (S,)
        The realization plans of both players.
    basis : array of shape (S + n + I,)
        The status of every item; of those that are left out, that of `make_basis`.
    pivots : int
        The number of pivots of the simplex method.
    """

    value: float
    plan: Floats
    basis: Statuses
    pivots: int


class SequenceFormProgram:
    """The linear program of a two-player zero-sum game, which can be restricted to some allowed sequences.

    Its items are the S sequences, the n roots, which are above the empty sequences, and the I information sets. Those
    of one player are the program's variables, and those of the other its constraints, or the reverse.

    Attributes
    ----------
    matrix : csc_array of shape (constraints, variables)
        All coefficients.
    roots : array of shape (n,)
        The item above each player's empty sequence.
    infoset_of : array of shape (S,)
        The item of the information set, or of the root, above each sequence.
    variables, constraints : arrays of int
        The items that are the program's variables and its constraints, in the order of `matrix`.
    first_player : array of shape (S + n + I,)
        Whether an item is player 1's.
    """

    def __init__(self, game: SequenceForm) -> None:
        from scipy.sparse import csr_array, hstack, vstack

        own, other = (
            game.make_treeplex(0).make_constraint_matrix(),
            game.make_treeplex(1).make_constraint_matrix(),
        )
        responses = hstack([-game.payoff_matrix(0).T, other.T])  # F^T v - U^T x <= 0
        flows = hstack([own, csr_array((own.shape[0], other.shape[0]))])  # E x = e
        self.game = game
        self.matrix: csc_array = vstack([responses, flows], format="csc")
        n = game.num_players
        self.num_sequences = game.num_probabilities + n
        self.roots = self.num_sequences + np.arange(n)
        infoset = self.num_sequences + n + np.arange(game.num_actions.size)
        self.infoset_of = np.append(self.roots, np.repeat(infoset, game.num_actions))
        sequences = [
            np.append(player, np.arange(n + mine.start, n + mine.stop))
            for player, mine in enumerate(game.player_sequences)
        ]
        infosets = [
            np.append(root, infoset[begin:end])
            for root, (begin, end) in zip(self.roots, pairwise(game.infoset_start), strict=True)
        ]
        self.variables: Ints = np.append(sequences[0], infosets[1])
        self.constraints: Ints = np.append(sequences[1], infosets[0])
        self.first_player: Bools = np.zeros(self.num_sequences + n + infoset.size, dtype=np.bool_)
        self.first_player[np.append(sequences[0], infosets[0])] = True

    def find_items(self, allowed: Bools) -> Bools:
        """Return for each item whether the restricted game has it, given the same for each sequence."""
        items = np.zeros(self.first_player.size, dtype=np.bool_)
        items[: self.num_sequences] = allowed
        items[self.infoset_of[allowed]] = True
        return items

    def make_basis(self) -> Statuses:
        """Return the status of each item when it is new: it has weight 0, or its constraint does not bind."""
        return np.where(self.first_player, LOWER, BASIC).astype(np.int8)

    def extend_basis(self, basis: Statuses, before: Bools, allowed: Bools) -> Statuses:
        """Return a basis of a restricted game from the basis of a smaller one.

        At an information set that is reached for the first time one new sequence takes the whole
        weight, or decides the value.

        Parameters
        ----------
        basis : array of shape (S + n + I,)
            The basis of the smaller game.
        before, allowed : array of shape (S,)
            Whether the smaller and the larger game have each sequence.

        Returns
        -------
        array of shape (S + n + I,)
            The status of each item.
        """
        new = np.flatnonzero(allowed & ~before)
        infosets, first = np.unique(self.infoset_of[new], return_index=True)
        is_new_infoset = ~self.find_items(before)[infosets]
        first_at_new_infosets = new[first[is_new_infoset]]
        extended = basis.copy()
        extended[first_at_new_infosets] = np.where(
            self.first_player[first_at_new_infosets], BASIC, UPPER
        )
        return extended

    def solve_restricted(self, allowed: Bools, basis: Statuses | None = None) -> Optimum:
        """Return an equilibrium of a restricted game.

        The same sequences and the same basis give the same equilibrium.

        Parameters
        ----------
        allowed : array of shape (S,)
            Whether the restricted game has each sequence. With a sequence it has those before it, and at each
            information set that the sequence leads to at least one more.
        basis : array of shape (S + n + I,), optional
            A basis from `extend_basis`; without one HiGHS simplifies the program and starts afresh.
        """
        items = self.find_items(allowed)
        columns = np.flatnonzero(items[self.variables])
        rows = np.flatnonzero(items[self.constraints])
        variables, constraints = self.variables[columns], self.constraints[rows]

        highs = make_highs()
        self.pass_program(highs, self.matrix[:, columns][rows, :], variables, constraints)
        if basis is not None:
            set_basis(highs, basis[variables], basis[constraints])
        restriction = f"{int(allowed.sum())} of {allowed.size} sequences allowed"
        solve_program(highs, f"{self.game.name}, {restriction}", ADVICE)

        solution = highs.getSolution()
        weights = np.zeros(items.size)
        weights[variables] = solution.col_value
        weights[constraints] = solution.row_dual
        statuses = self.make_basis()
        statuses[variables], statuses[constraints] = get_basis(highs)
        return Optimum(
            value=float(weights[self.roots[1]]) + 0.0,  # never -0
            plan=self.round_plans(weights[: self.num_sequences]),
            basis=statuses,
            pivots=int(highs.getInfo().simplex_iteration_count),
        )

    def pass_program(
        self, highs: "highspy.Highs", matrix: "csc_array", variables: Ints, constraints: Ints
    ) -> None:
        """Pass HiGHS the program of a restricted game.

        Parameters
        ----------
        highs : highspy.Highs
            The object that takes the program.
        matrix : csc_array of shape (constraints, variables)
            The coefficients.
        variables, constraints : array of int
            The items that are the program's variables and its constraints.
        """
        import highspy

        free = highspy.kHighsInf
        to_root = (constraints == self.roots[0]).astype(np.float64)
        highs.passModel(
            variables.size,
            constraints.size,
            matrix.nnz,
            int(highspy.MatrixFormat.kColwise),
            int(highspy.ObjSense.kMaximize),
            0.0,
            (variables == self.roots[1]).astype(np.float64),
            np.where(variables < self.num_sequences, 0.0, -free),
            np.full(variables.size, free),
            np.where(constraints < self.num_sequences, -free, to_root),
            to_root,
            matrix.indptr.astype(np.int32),
            matrix.indices.astype(np.int32),
            matrix.data,
            np.zeros(variables.size, dtype=np.int32),
        )

    def round_plans(self, weights: Floats) -> Floats:
        """Return the realization plans of the weights that HiGHS returned, without their rounding."""
        block = self.game.block
        behavior = compute_behavior(block, np.where(weights > ROUNDED_WEIGHT, weights, 0.0))
        return compute_plans(block, behavior)
