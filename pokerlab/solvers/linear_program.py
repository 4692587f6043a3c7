"""An exact equilibrium of a two-player zero-sum game, by the linear program of its sequence form.

Player 1's plan x maximizes what the best reply leaves: max v_0 such that F^T v <= U^T x, E x = e,
x >= 0, where v has an entry for each of player 2's information sets. Player 2's plan is the
program's dual (Koller, Megiddo & von Stengel 1994). `SequenceFormLP` solves the whole game;
`SequenceFormProgram` also solves it restricted to some sequences, for `DoubleOracle`.

Every sequence and every information set is one item of the program: player 1's sequences and player 2's information
sets are its variables, the other two kinds its constraints. Items are numbered like the game's: the S sequences, then
the n roots, one above each empty sequence, then the I information sets.

HiGHS solves it, as it solves subgames, always called in the same way: one thread, strict tolerances, bases as plain
numbers.
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
from pokerlab.games.tree_passes import behavior_of, plans_of
from pokerlab.solvers.protocol import check_zero_sum_pair, largest_utility

if TYPE_CHECKING:
    import highspy
    from scipy.sparse import csc_array

Statuses = NDArray[np.int8]
NO_BASIS: Statuses = np.empty(0, dtype=np.int8)
"""What stands for a basis before anything has been solved."""
LOWER, BASIC, UPPER = 0, 1, 2
"""How HiGHS numbers the status of a variable or constraint: at a bound, or in the basis."""
OPTIONS: dict[str, str | int | float] = {
    "solver": "simplex",
    "threads": 1,
    "primal_feasibility_tolerance": 1e-9,
    "dual_feasibility_tolerance": 1e-9,
}
"""1e-9 is the strictest tolerance at which HiGHS still ends on thousands of games."""


@cache
def silence_banner() -> None:
    """Make the first HiGHS of this process without the banner that version 1.16 prints as it is made.

    C code prints it, before any option can be set, so standard output leads nowhere for that moment.
    """
    import highspy

    flush = ctypes.CDLL(None).fflush if os.name == "posix" else lambda _: None
    flush(None)
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 1)
        highspy.Highs()  # type: ignore[no-untyped-call]
        flush(None)
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)


def new_highs(**options: str | int | float) -> "highspy.Highs":
    """Return HiGHS without a program; `options` beside, or instead of, the usual ones."""
    import highspy

    silence_banner()
    highs = highspy.Highs()  # type: ignore[no-untyped-call]
    highs.silent()
    for option, value in {**OPTIONS, **options}.items():
        highs.setOptionValue(option, value)
    return highs


def begin(highs: "highspy.Highs", columns: Statuses, rows: Statuses) -> None:
    """Let the simplex method begin at a basis: the statuses of variables and of constraints."""
    import highspy

    basis = highspy.HighsBasis()
    basis.col_status, basis.row_status = (
        [highspy.HighsBasisStatus(status) for status in statuses.tolist()]
        for statuses in (columns, rows)
    )
    basis.valid = True
    highs.setBasis(basis)


def basis_of(highs: "highspy.Highs") -> tuple[Statuses, Statuses]:
    """Return the statuses of variables and of constraints at the optimum."""
    basis = highs.getBasis()
    columns, rows = (
        np.array([int(status) for status in statuses], dtype=np.int8)
        for statuses in (basis.col_status, basis.row_status)
    )
    return columns, rows


def run(highs: "highspy.Highs", program: str, advice: str) -> None:
    """Find the optimum; where there is none the error names the `program` and gives the `advice`."""
    import highspy

    highs.run()
    status = highs.getModelStatus()
    if status != highspy.HighsModelStatus.kOptimal:
        raise ConvergenceError(
            f"HiGHS ended with '{highs.modelStatusToString(status)}' on {program}. {advice}"
        )


EQUILIBRIUM_TOLERANCE = 1e-8
"""HiGHS ends at a vertex, exact up to rounding; a larger NashConv means that it has failed."""
DUST = 1e-12  # weights of plans below it are the linear program's rounding
ADVICE = "Its payoffs may differ too much in size; scale them, or use solvers.CFRPlus."


@dataclass(frozen=True, eq=False)
class Solution:
    """An equilibrium of a two-player zero-sum game."""

    value: float  # what player 1 wins, in the game's unit
    profile: Profile
    nash_conv: float  # what is left to gain, which is rounding
    pivots: int

    @property
    def values(self) -> tuple[float, float]:
        """What each player wins, in the game's unit; in a constant-sum game both together win the constant."""
        total = self.profile.game.payoff_sum
        assert total is not None
        return self.value, total - self.value


class SequenceFormLP:
    """Solve a two-player zero-sum game exactly, by HiGHS' dual simplex method.

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
        optimum = program.optimum(np.ones(program.num_sequences, dtype=np.bool_))
        profile = Profile.computed(game, behavior_of(game.block, optimum.plan))
        left = game.nash_conv(profile)
        if not left <= EQUILIBRIUM_TOLERANCE * largest_utility(game):
            raise ConvergenceError(
                f"the linear program of {game.name} ended with NashConv {left:.3g} {game.unit}, not 0."
                " Its payoffs may differ too much in size; scale them, or use solvers.CFRPlus."
            )
        return Solution(optimum.value, profile, left, optimum.pivots)


class Optimum(NamedTuple):
    """An equilibrium of a restricted game."""

    value: float  # what player 1 wins there
    plan: Floats  # (S,): both players' realization plans
    basis: Statuses  # (S + n + I,): every item's; of those left out, that of `empty_basis`
    pivots: int


class SequenceFormProgram:
    """The program of a two-player zero-sum game, to be restricted to the sequences that are allowed."""

    def __init__(self, game: SequenceForm) -> None:
        from scipy.sparse import csr_array, hstack, vstack

        own, other = game.treeplex(0).constraints(), game.treeplex(1).constraints()
        replies = hstack([-game.payoff_matrix(0).T, other.T])  # F^T v - U^T x <= 0
        flows = hstack([own, csr_array((own.shape[0], other.shape[0]))])  # E x = e
        self.game = game
        self.matrix: csc_array = vstack([replies, flows], format="csc")
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

    def reached(self, allowed: Bools) -> Bools:
        """Return which items belong to the game restricted to the sequences `allowed`, (S,)."""
        items = np.zeros(self.first_player.size, dtype=np.bool_)
        items[: self.num_sequences] = allowed
        items[self.infoset_of[allowed]] = True
        return items

    def empty_basis(self) -> Statuses:
        """Return the statuses, (S + n + I,), of new items: of weight 0, or a reply that does not bind."""
        return np.where(self.first_player, LOWER, BASIC).astype(np.int8)

    def grown_basis(self, basis: Statuses, before: Bools, allowed: Bools) -> Statuses:
        """Return a basis of the game restricted to `allowed`, (S,), from that of `before`.

        At an information set that is reached for the first time one new sequence takes the whole
        weight, or decides the value.
        """
        new = np.flatnonzero(allowed & ~before)
        infosets, first = np.unique(self.infoset_of[new], return_index=True)
        opening = new[first[~self.reached(before)[infosets]]]
        grown = basis.copy()
        grown[opening] = np.where(self.first_player[opening], BASIC, UPPER)
        return grown

    def optimum(self, allowed: Bools, basis: Statuses | None = None) -> Optimum:
        """Return an equilibrium of the game restricted to `allowed`, (S,), from a grown basis if there is one.

        With a sequence those before it are allowed, and at each information set that it leads to another. The same
        sequences and the same basis give the same answer; without a basis HiGHS simplifies and starts afresh.
        """
        reached = self.reached(allowed)
        columns = np.flatnonzero(reached[self.variables])
        rows = np.flatnonzero(reached[self.constraints])
        variables, constraints = self.variables[columns], self.constraints[rows]
        highs = new_highs()
        self.hand_over(highs, self.matrix[:, columns][rows, :], variables, constraints)
        if basis is not None:
            begin(highs, basis[variables], basis[constraints])
        some = f"{int(allowed.sum())} of {allowed.size} sequences allowed"
        run(highs, f"{self.game.name}, {some}", ADVICE)
        solution, (columns_end, rows_end) = highs.getSolution(), basis_of(highs)
        weights, statuses = np.zeros(reached.size), self.empty_basis()
        weights[variables], weights[constraints] = solution.col_value, solution.row_dual
        statuses[variables], statuses[constraints] = columns_end, rows_end
        return Optimum(
            value=float(weights[self.roots[1]]) + 0.0,  # never -0
            plan=self.plans_from(weights[: self.num_sequences]),
            basis=statuses,
            pivots=int(highs.getInfo().simplex_iteration_count),
        )

    def hand_over(
        self, highs: "highspy.Highs", matrix: "csc_array", variables: Ints, constraints: Ints
    ) -> None:
        """Give HiGHS the items of a restricted game; `matrix` is (constraints, variables)."""
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

    def plans_from(self, weights: Floats) -> Floats:
        """Return realization plans, (S,), from what HiGHS returned: without its rounding."""
        block = self.game.block
        behavior = behavior_of(block, np.where(weights > DUST, weights, 0.0))
        return plans_of(block, behavior)
