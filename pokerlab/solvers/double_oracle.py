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
    find_utility_scale,
    validate_count,
)
from pokerlab.solvers.search_heuristics import (
    BestResponse,
    SearchHeuristic,
    check_heuristic,
    compute_utilities,
    make_start_behavior,
    validate_proposed_behavior,
)

GAIN_TOLERANCE = 1e-11
"""Gains that are smaller than this, in units of the largest utility, are rounding errors of the linear program."""


@dataclass(frozen=True, eq=False)
class OracleState:
    """The state of a double oracle after `iteration` rounds.

    It contains an equilibrium of the restricted game, in which both players may use only some sequences, the *allowed*
    ones. At iteration 0 these are the sequences of the starting strategies. A double oracle that has converged does not
    change anymore.

    Attributes
    ----------
    game : SequenceForm
        The game that is played.
    iteration : int
        The number of rounds that have been played.
    allowed : array of shape (S,)
        Whether each of the game's S sequences is in the restricted game, beginning with the empty sequences of the n
        players.
    plan : array of shape (S,)
        The realization plans of both players in an equilibrium of the restricted game.
    value : float
        The expected payoff of player 1 in this equilibrium, in the game's unit.
    converged : bool
        Whether no player can gain by a best response in the whole game, apart from rounding.
    basis : array of shape (S + n + I,)
        The basis from which the linear program starts in the next round: a status for each of S sequences, n roots (one
        above the empty sequence of each player) and I information sets.
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
        """The profile of behavior strategies that is equivalent to the realization plans of both players.

        At an information set that a player's own plan never reaches, the behavior is uniform.
        """
        return Profile.from_unchecked(self.game, compute_behavior(self.game.block, self.plan))

    @cached_property
    def gains(self) -> Floats:
        """The gain of each player from a best response in the whole game, an array of shape (2,)."""
        return self.game.gains(self.profile)

    @property
    def num_sequences(self) -> tuple[int, int]:
        """The number of sequences of each player in the restricted game, including the empty sequence."""
        # The slices in `player_sequences` count from the first nonempty sequence.
        nonempty_allowed = self.allowed[self.game.num_players :]
        first_sequences, second_sequences = self.game.player_sequences
        num_first = 1 + int(np.count_nonzero(nonempty_allowed[first_sequences]))
        num_second = 1 + int(np.count_nonzero(nonempty_allowed[second_sequences]))
        return num_first, num_second

    @property
    def security_levels(self) -> tuple[float, float]:
        """The smallest expected payoff of each player's plan against any strategy of the opponent.

        It is a lower bound on the value of the game to this player.
        """
        # What the opponent gains by a best response is lost by the player, because the payoffs have a constant sum.
        first_value, second_value = self.values
        first_gain, second_gain = self.gains.tolist()
        return first_value - second_gain, second_value - first_gain

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
        """The linear program of the whole game. In each round it is solved for a restricted game."""
        return SequenceFormProgram(self.game)

    def init(self) -> OracleState:
        """Return the state before the first round, with an equilibrium of the first restricted game.

        This game has only the sequences of the starting strategies.

        Returns
        -------
        OracleState
            The state of round 0.
        """
        num_sequences = self.program.num_sequences
        state_without_sequences = OracleState(
            game=self.game,
            iteration=0,
            allowed=np.zeros(num_sequences, dtype=np.bool_),
            plan=np.zeros(num_sequences),
            value=0.0,
            converged=False,
            basis=self.program.make_statuses_of_new_items(),
        )
        start_behavior = make_start_behavior(self.game, self.start)
        first_state = self.allow_sequences(state_without_sequences, start_behavior)
        return self.solve_restricted_game(first_state)

    def step(self, state: OracleState, count: int = 1) -> OracleState:
        """Return the state some rounds after a given one, or the converged state if it converges earlier.

        Parameters
        ----------
        state : OracleState
            The state with which the first of these rounds begins. It is not changed.
        count : int
            The number of rounds.

        Returns
        -------
        OracleState
            The state after the last round.

        Raises
        ------
        SettingError
            If `count` is negative or not a whole number.
        GameError
            If the state belongs to another game or another solver.
        ConvergenceError
            If the linear program fails.
        """
        num_rounds = validate_count(self.game, state, count, OracleState)
        for _ in range(num_rounds):
            if state.converged:
                break
            state = self.play_round(state)
        return state

    def play_round(self, state: OracleState) -> OracleState:
        """Return the state after one more round, in which the heuristic proposes a pure strategy of each player.

        If these strategies have sequences that are not in the restricted game yet, they are added, and the larger game
        is solved.

        Parameters
        ----------
        state : OracleState
            The state before the round, which is not changed.

        Returns
        -------
        OracleState
            The state after the round.

        Raises
        ------
        ConvergenceError
            If the linear program fails.
        """
        behavior = self.propose_behavior(state)
        extended = self.allow_sequences(state, behavior)
        if (extended.allowed == state.allowed).all():
            return self.end_round_without_new_sequences(state, behavior)

        solved = self.solve_restricted_game(extended)
        return dataclasses.replace(solved, iteration=state.iteration + 1)

    def propose_behavior(self, state: OracleState) -> Floats:
        """Return a pure strategy of each player, which the search heuristic proposes, as action probabilities.

        Parameters
        ----------
        state : OracleState
            The state, against whose equilibrium the heuristic searches.

        Returns
        -------
        array of shape (S - n,)
            The probability of each action, 0 or 1, in a game of S sequences and n players.

        Raises
        ------
        ShapeError
            If the heuristic returns an array of another shape.
        SettingError
            If the heuristic returns something other than pure strategies.
        """
        return validate_proposed_behavior(self.heuristic, state.game, self.heuristic(state))

    def allow_sequences(self, state: OracleState, behavior: Floats) -> OracleState:
        """Return the state with a larger restricted game, in which the sequences of some strategies are allowed, too.

        Parameters
        ----------
        state : OracleState
            The state, which is not changed.
        behavior : array of shape (S - n,)
            A pure strategy of each player, as action probabilities in a game of S sequences and n players.

        Returns
        -------
        OracleState
            The state with the larger restricted game and a basis of its linear program. It still has the equilibrium of
            the smaller game.
        """
        is_in_strategies = compute_plans(state.game.block, behavior) > 0.0
        allowed = state.allowed | is_in_strategies
        basis = self.program.extend_basis(state.basis, state.allowed, allowed)
        return dataclasses.replace(state, allowed=allowed, basis=basis)

    def solve_restricted_game(self, state: OracleState) -> OracleState:
        """Return the state with an equilibrium of its restricted game.

        The state is marked as converged if this is also an equilibrium of the whole game.

        Parameters
        ----------
        state : OracleState
            The state. Its equilibrium may belong to a smaller restricted game. It is not changed.

        Returns
        -------
        OracleState
            The state of the same iteration with the new equilibrium.

        Raises
        ------
        ConvergenceError
            If the linear program fails.
        """
        optimum = self.program.solve_restricted_game(state.allowed, state.basis)
        solved = dataclasses.replace(
            state, plan=optimum.plan, value=optimum.value, basis=optimum.basis
        )
        if solved.gains.max() <= GAIN_TOLERANCE * find_utility_scale(state.game):
            return dataclasses.replace(solved, converged=True)
        return solved

    def end_round_without_new_sequences(self, state: OracleState, behavior: Floats) -> OracleState:
        """Return the state after a round in which the proposed strategies have no new sequence.

        It is marked as converged if no player gains more from a best response than the tolerance of the linear program.

        Parameters
        ----------
        state : OracleState
            The state before the round, which is not changed.
        behavior : array of shape (S - n,)
            The pure strategies that the heuristic proposed for both players, as action probabilities in a game of S
            sequences and n players.

        Returns
        -------
        OracleState
            The state after the round, with the same restricted game and equilibrium.

        Raises
        ------
        ConvergenceError
            If the proposed strategies gain more than the tolerance. All their sequences are allowed, so the solution of
            the linear program is then not an equilibrium of the restricted game.
        """
        game = state.game
        tolerance = EQUILIBRIUM_TOLERANCE * find_utility_scale(game)
        if state.gains.max() <= tolerance:
            return dataclasses.replace(state, converged=True)

        # The heuristic need not find a best response. But what it has found must not win against the equilibrium.
        plans = compute_plans(game.block, behavior)
        gradient = compute_gradients(game.block, state.plan)
        utilities = compute_utilities(game, plans, gradient)
        if (utilities - state.values).max() > tolerance:
            raise ConvergenceError(
                f"the linear program of {game.name}, restricted to {state.num_sequences} sequences, is"
                f" wrong by {state.gains.max():.3g} {game.unit}. Its payoffs may differ too much in"
                " size; scale them, or use solvers.CFRPlus."
            )
        return dataclasses.replace(state, iteration=state.iteration + 1)
