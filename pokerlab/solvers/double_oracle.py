"""The double oracle in the sequence form (Bosansky, Kiekintveld, Lisy & Pechoucek 2014).

A Nash memory mixes whole strategies. The double oracle can combine parts of several strategies, because at each
information set it chooses among all actions that were added so far. In a *restricted game* each player may use only its
allowed sequences. In each round, the best responses of both players to an equilibrium of the restricted game are
computed in the whole game. Their sequences are added to the allowed ones. Then the linear program of the larger
restricted game gives the next equilibrium.

The paper adds only the part of a best response that the opponent's allowed sequences can reach, and it replaces the
rest by temporary leaves. Here whole pure plans are added. So each information set to which an allowed sequence leads
has an allowed action, and no leaves are needed.
"""

import dataclasses
from dataclasses import dataclass
from functools import cached_property

import numpy as np

from pokerlab.core import Bools, ConvergenceError, Floats, freeze
from pokerlab.games import Profile, SequenceForm
from pokerlab.games.tree_passes import compute_behavior, compute_gradients, compute_plans
from pokerlab.solvers.linear_program import EQUILIBRIUM_TOLERANCE, SequenceFormProgram, Statuses
from pokerlab.solvers.protocol import (
    check_pure_start,
    check_zero_sum_pair,
    find_largest_utility,
    validate_count,
)
from pokerlab.solvers.search import (
    BestResponse,
    SearchHeuristic,
    check_heuristic,
    compute_utilities,
    make_start_behavior,
    validate_proposed_behavior,
)

PROGRESS = 1e-11
"""Gains that are smaller than this, in units of the largest utility, are rounding errors of the linear program."""


@dataclass(frozen=True, eq=False)
class OracleState:
    """The state of a double oracle after `iteration` rounds.

    At iteration 0 only the sequences of the starting strategies are allowed. A double oracle that has converged does
    not change anymore.

    Attributes
    ----------
    game : SequenceForm
        The game that is played.
    iteration : int
        The number of rounds that have been played.
    allowed : array of shape (S,)
        Whether the restricted game has each of the S sequences, beginning with the empty sequences of the n players.
    plan : array of shape (S,)
        The realization plans of both players in an equilibrium of the restricted game.
    value : float
        The expected payoff of player 1 in this equilibrium, in the game's unit.
    converged : bool
        Whether no player can gain by a best response in the whole game, apart from rounding.
    basis : array of shape (S + n + I,)
        The basis from which the linear program starts in the next round, with a status for each sequence, root and
        information set.
    """

    game: SequenceForm
    iteration: int
    allowed: Bools
    plan: Floats
    value: float
    converged: bool
    basis: Statuses

    def __post_init__(self) -> None:
        freeze(self.allowed, self.plan, self.basis)

    @cached_property
    def profile(self) -> Profile:
        """The behavior of the plans; uniform at information sets that they never reach."""
        return Profile.from_unchecked(self.game, compute_behavior(self.game.block, self.plan))

    @cached_property
    def gains(self) -> Floats:
        """The gain of each player from a best response in the whole game."""
        return self.game.gains(self.profile)

    @property
    def num_sequences(self) -> tuple[int, int]:
        """The number of each player's allowed sequences, including the empty sequence."""
        allowed = self.allowed[self.game.num_players :]  # `player_sequences` counts from here, too
        first_sequences, second_sequences = self.game.player_sequences
        num_first = 1 + int(np.count_nonzero(allowed[first_sequences]))
        num_second = 1 + int(np.count_nonzero(allowed[second_sequences]))
        return num_first, num_second

    @property
    def security_levels(self) -> tuple[float, float]:
        """The smallest expected payoff of each player's plan against any strategy of the opponent.

        It is a lower bound on the value of the game to that player.
        """
        first, second = self.values
        return first - float(self.gains[1]), second - float(self.gains[0])

    @property
    def values(self) -> tuple[float, float]:
        """The expected payoff of each player in the equilibrium of the restricted game."""
        assert self.game.payoff_sum is not None
        return self.value, self.game.payoff_sum - self.value


class DoubleOracle:
    """The double oracle in the sequence form, with any search heuristic as its oracle.

    Parameters
    ----------
    game : SequenceForm
        A two-player zero-sum or constant-sum game.
    heuristic : SearchHeuristic, optional
        The heuristic that proposes new pure strategies; `BestResponse()` by default.
    start : Profile, optional
        The pure strategies whose sequences are allowed at first. By default each player takes the first action at each
        information set.

    Examples
    --------
    >>> import pokerlab as pl
    >>> oracle = DoubleOracle(pl.games.kuhn())
    >>> state = oracle.step(oracle.init(), 10)
    >>> state.converged, state.iteration, round(state.value * 18, 9)
    (True, 2, -1.0)
    """

    def __init__(
        self,
        game: SequenceForm,
        *,
        heuristic: SearchHeuristic | None = None,
        start: Profile | None = None,
    ) -> None:
        check_zero_sum_pair(
            game, "the double oracle", ("solvers.PSRO", "solvers.ReplicatorDynamics")
        )
        check_pure_start(game, start)
        self.game, self.start = game, start
        self.heuristic: SearchHeuristic = BestResponse() if heuristic is None else heuristic
        check_heuristic(self.heuristic, game)

    @cached_property
    def program(self) -> SequenceFormProgram:
        """The linear program of the whole game, of which each round solves a restriction."""
        return SequenceFormProgram(self.game)

    def init(self) -> OracleState:
        """Return the state before the first round, in which only the sequences of the start are allowed."""
        num_sequences = self.program.num_sequences
        nothing_allowed = OracleState(
            game=self.game,
            iteration=0,
            allowed=np.zeros(num_sequences, dtype=np.bool_),
            plan=np.zeros(num_sequences),
            value=0.0,
            converged=False,
            basis=self.program.make_statuses_of_new_items(),
        )
        start_behavior = make_start_behavior(self.game, self.start)
        return self.solve_restricted_game(self.allow_sequences(nothing_allowed, start_behavior))

    def step(self, state: OracleState, count: int = 1) -> OracleState:
        """Return the state `count` rounds after `state`, or the converged state if it converges earlier.

        Raises
        ------
        ConvergenceError
            If the linear program fails.
        """
        for _ in range(validate_count(self.game, state, count, OracleState)):
            if state.converged:
                break
            state = self.play_round(state)
        return state

    def play_round(self, state: OracleState) -> OracleState:
        """Return the state after one round, which solves a larger restricted game if the heuristic found one."""
        tests = self.propose_tests(state)
        extended = self.allow_sequences(state, tests)
        if (extended.allowed == state.allowed).all():
            return self.end_round_without_new_sequences(state, tests)
        return dataclasses.replace(
            self.solve_restricted_game(extended), iteration=state.iteration + 1
        )

    def propose_tests(self, state: OracleState) -> Floats:
        """Return the pure strategies that the heuristic proposes for both players, as action probabilities.

        The array has the shape (S - n,), for S sequences of the game and n players.
        """
        return validate_proposed_behavior(self.heuristic, state.game, self.heuristic(state))

    def allow_sequences(self, state: OracleState, tests: Floats) -> OracleState:
        """Return the state in which the sequences of the tests are allowed, too, and everything else is as before.

        Parameters
        ----------
        state : OracleState
            The state before.
        tests : array of shape (S - n,)
            The action probabilities of pure strategies of both players.
        """
        allowed = state.allowed | (compute_plans(state.game.block, tests) > 0.0)
        basis = self.program.extend_basis(state.basis, state.allowed, allowed)
        return dataclasses.replace(state, allowed=allowed, basis=basis)

    def solve_restricted_game(self, state: OracleState) -> OracleState:
        """Return the state with an equilibrium of its restricted game.

        It is marked as converged if this is also an equilibrium of the whole game.
        """
        optimum = self.program.solve_restricted_game(state.allowed, state.basis)
        solved = dataclasses.replace(
            state, plan=optimum.plan, value=optimum.value, basis=optimum.basis
        )
        converged = solved.gains.max() <= PROGRESS * find_largest_utility(state.game)
        return dataclasses.replace(solved, converged=True) if converged else solved

    def end_round_without_new_sequences(self, state: OracleState, tests: Floats) -> OracleState:
        """Return the state after a round in which the proposed strategies have no new sequence.

        It is marked as converged if no player gains more from a best response than the tolerance of the linear program.

        Parameters
        ----------
        state : OracleState
            The state before the round.
        tests : array of shape (S - n,)
            The action probabilities of the strategies that the heuristic proposed for both players.

        Raises
        ------
        ConvergenceError
            If the tests gain more than the tolerance. Since their sequences are all allowed, the solution of the linear
            program is then not an equilibrium of the restricted game.
        """
        game = state.game
        tolerance = EQUILIBRIUM_TOLERANCE * find_largest_utility(state.game)
        if state.gains.max() <= tolerance:
            return dataclasses.replace(state, converged=True)

        # The heuristic need not find a best response. But what it has found must not win against the equilibrium.
        test_plans = compute_plans(game.block, tests)
        gradient = compute_gradients(game.block, state.plan)
        utilities = compute_utilities(game, test_plans, gradient)
        if (utilities - state.values).max() > tolerance:
            raise ConvergenceError(
                f"the linear program of {game.name}, restricted to {state.num_sequences} sequences, is"
                f" wrong by {state.gains.max():.3g} {game.unit}. Its payoffs may differ too much in"
                " size; scale them, or use solvers.CFRPlus."
            )
        return dataclasses.replace(state, iteration=state.iteration + 1)
