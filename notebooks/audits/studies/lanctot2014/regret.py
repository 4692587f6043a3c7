"""Lanctot (2014): whether regret along a run stays below the bounds of section 3.2.

M. Lanctot, "Further Developments of Extensive-Form Replicator Dynamics using the Sequence-Form Representation",
AAMAS 2014. A solver goes in, and the average regret of each player comes out, with the right side of Lemma 3 and the
bound of Theorem 5.

A `RegretTracker` runs another solver and adds up, besides, what the bounds need: utilities, gains and losses of each
iteration (`RegretSums`). Functions such as `compute_average_regrets` compute regrets and bounds from these sums. With
alternating updates a player's regret is measured against the profile to which the player responded: the new strategies
of the players before it, and the old strategies of the players after it.

The average overall regret of a player is how much more the player would have won per iteration by the best fixed plan
against what the other players did. Section 3.2 bounds it by regrets in losses. There is a learner at each information
set, with the losses l(I, a) of eq. 8.

The shapes of arrays are written with n for the number of players, I for the number of all players' information sets,
and S for the number of all players' sequences, in the order of `SequenceForm`: first the n empty sequences, then the
actions of each information set.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from typing import Any, NamedTuple, Self

import numpy as np

from pokerlab.core import GameError, SettingError
from pokerlab.core.arrays import Floats, freeze
from pokerlab.core.compiler import inlined, kernel
from pokerlab.core.settings import LARGEST_COUNT, validate_integer
from pokerlab.games import Profile, SequenceForm, bimatrix
from pokerlab.games.game_block import (
    NUM_PLAYERS,
    NUM_SEQUENCES,
    UINT_ONE,
    Workspace,
    unpack_workspace,
)
from pokerlab.games.tree_passes import fill_counterfactual_values, fill_plan
from pokerlab.runs import Column
from pokerlab.solvers import ReplicatorDynamics
from pokerlab.solvers.dynamics import compute_growth_and_plans
from pokerlab.solvers.protocol import check_payoff_shift

NUM_POWERS = 24
"""The number of powers of the learners' expected losses that are summed. They are the terms of a power series; with
rates up to 1/2 the terms that are left out sum to less than 1e-8."""
LARGEST_VALID_RATE = 0.5
"""The learning rate up to which the bound of polynomial weights, and so Theorem 5, holds."""


class RegretSums(NamedTuple):
    """Sums over the iterations t = 1, 2, ... of a run, from which regrets and the bounds on them are computed.

    Only `largest_rate` is not a sum but a maximum over the iterations. There is a learner at each information set. The
    game has n players, I information sets of all players, and S sequences of all players.

    Attributes
    ----------
    utility : array of shape (n,)
        Each player's expected utility u_i(x(t)).
    gradient : array of shape (S,)
        The gradient of u_i(x(t)) in the player's own realization plan.
    gain : array of shape (S,)
        The counterfactual gain v(I, a) - V(I) of each action (eq. 9).
    loss : array of shape (S,)
        The loss l(I, a) of each action (eq. 8).
    squared_loss : array of shape (S,)
        The square of that loss.
    largest_rate : array of shape (I,)
        The largest rate eta_I(t) of Lemma 1 so far, which Theorem 5 requires to be at most 1/2.
    log_shrinkage : array of shape (I,)
        log(1 - eta_I(t) F(t)). Here F(t) is the learner's expected loss, which is the sum over actions a of
        sigma(I, a) l(I, a).
    expected_loss_powers : array of shape (NUM_POWERS, I)
        The powers of the learner's expected loss: F(t), its square, its cube, and so on.
    """

    utility: Floats
    gradient: Floats
    gain: Floats
    loss: Floats
    squared_loss: Floats
    largest_rate: Floats
    log_shrinkage: Floats
    expected_loss_powers: Floats

    @classmethod
    def make_zero(cls, game: SequenceForm) -> Self:
        """Return the sums before the first iteration of a run in a game: arrays of zeros."""
        num_infosets = sum(game.num_infosets)
        num_sequences = game.num_players + game.num_probabilities
        return cls(
            utility=np.zeros(game.num_players),
            gradient=np.zeros(num_sequences),
            gain=np.zeros(num_sequences),
            loss=np.zeros(num_sequences),
            squared_loss=np.zeros(num_sequences),
            largest_rate=np.zeros(num_infosets),
            log_shrinkage=np.zeros(num_infosets),
            expected_loss_powers=np.zeros((NUM_POWERS, num_infosets)),
        )


@dataclass(frozen=True, eq=False)
class RegretTrackerState:
    """The state of a `RegretTracker`: the state of the tracked solver, and sums over its iterations so far.

    Attributes
    ----------
    game : SequenceForm
        The game of the solver.
    dynamics : state of the solver
        The state of the tracked solver.
    sums : RegretSums
        Sums of utilities, gains and losses over the iterations so far.
    """

    game: SequenceForm
    dynamics: Any
    sums: RegretSums

    @property
    def iteration(self) -> int:
        """The number of iterations that the tracked solver has done."""
        return int(self.dynamics.iteration)

    @property
    def current(self) -> Profile:
        """The current profile of the tracked solver, x(t + 1), which the players use in the next iteration."""
        current: Profile = self.dynamics.current
        return current

    @property
    def average(self) -> Profile:
        """The average profile of the tracked solver: the behavior of the averaged realization plans."""
        average: Profile = self.dynamics.average
        return average


class RegretTracker:
    """A solver that runs another solver and adds up the players' utilities, gains and losses along its run.

    The players' regrets and the bounds of Lanctot (2014, section 3.2) are computed from these sums.

    Parameters
    ----------
    solver : solver
        The tracked solver. It must take discrete steps with an order of updates, and its states must have a `behavior`.
        Examples are `ReplicatorDynamics`, `PolynomialWeights` and solvers of the CFR family.
    payoff_shift : float, optional
        The constant that is added to utilities in the learning rates of Lemma 1. By default that of the solver.

    Raises
    ------
    SettingError
        If the solver has no `payoff_shift` and none is given, if the solver has no order of updates, or if the shift
        leaves a utility negative.
    """

    def __init__(self, solver: Any, *, payoff_shift: float | None = None) -> None:
        shift = getattr(solver, "payoff_shift", None) if payoff_shift is None else payoff_shift
        if shift is None:
            raise SettingError(
                f"{type(solver).__name__} has no payoff_shift. Pass payoff_shift= for the rates of Lemma 1."
            )
        if not hasattr(solver, "alternating"):
            raise SettingError(
                f"{type(solver).__name__} has no order of updates. Pass a solver with discrete steps, such as"
                " ReplicatorDynamics."
            )
        check_payoff_shift(solver.game, shift, "a rate")
        self.solver = solver
        self.game: SequenceForm = solver.game
        self.payoff_shift = float(shift)

    def init(self) -> RegretTrackerState:
        """Return the tracked solver's state before its first iteration, with sums that are all zero."""
        return RegretTrackerState(self.game, self.solver.init(), RegretSums.make_zero(self.game))

    def step(self, state: RegretTrackerState, count: int = 1) -> RegretTrackerState:
        """Run `count` more iterations of the tracked solver, and return its state with the sums over all iterations.

        Parameters
        ----------
        state : RegretTrackerState
            The state from which the iterations begin. It is not changed.
        count : int
            The number of iterations, 0 or more.

        Returns
        -------
        RegretTrackerState
            A new state.

        Raises
        ------
        GameError
            If `state` is not that of a `RegretTracker`, or belongs to another game. It is raised even if `count` is 0.
        SettingError
            If `count` is negative or no integer.
        """
        if not isinstance(state, RegretTrackerState):
            raise GameError(
                f"the state is a {type(state).__name__} and has no sums of regrets. Pass a state of the tracker, such"
                " as that of init()."
            )
        # Zero iterations change nothing, but the solver raises a GameError if the state is of another game.
        dynamics = self.solver.step(state.dynamics, 0)
        validate_integer("count", count, 0, LARGEST_COUNT)
        sums = RegretSums(*(array.copy() for array in state.sums))
        for _ in range(count):
            next_dynamics = self.solver.step(dynamics)
            add_iteration_to_regret_sums(
                self.game.block,
                dynamics.behavior,
                next_dynamics.behavior,
                self.solver.alternating,
                self.payoff_shift,
                sums,
            )
            dynamics = next_dynamics
        freeze(*sums)
        return RegretTrackerState(self.game, dynamics, sums)


@kernel
def add_iteration_to_regret_sums(
    game_block: Floats,
    old_behavior: Floats,
    new_behavior: Floats,
    alternating: bool,
    shift: float,
    sums: RegretSums,
) -> None:
    """Add the utilities, gains and losses of one iteration of a solver to the sums over iterations, in place.

    Parameters
    ----------
    game_block : array of float
        The compiled game of S sequences, packed into one array.
    old_behavior, new_behavior : array of shape (S,)
        The probability of each sequence's last action before and after the iteration.
    alternating : bool
        Whether players update one after the other. Then each player responds to the new behavior of the players before
        it, and its regret is measured against that.
    shift : float
        The constant that is added to utilities in the rates of Lemma 1.
    sums : RegretSums
        The sums, whose arrays are overwritten.
    """
    game = unpack_workspace(game_block)
    num_players = game.ids[NUM_PLAYERS]
    num_sequences = game.ids[NUM_SEQUENCES]
    fitness = np.empty(num_sequences)
    for player in range(num_players):
        fill_plan(game, player, old_behavior)

    for player in range(num_players):
        fill_counterfactual_values(game, game.betting_ends, player, old_behavior)
        add_player_to_regret_sums(game, player, old_behavior, shift, sums, fitness)
        if alternating:
            # The players after this one respond to its new plan.
            fill_plan(game, player, new_behavior)


@inlined
def add_player_to_regret_sums(
    game: Workspace, player: int, behavior: Floats, shift: float, sums: RegretSums, fitness: Floats
) -> None:
    """Add the utility, gains and losses of one player in one iteration to the sums over iterations, in place.

    Parameters
    ----------
    game : Workspace
        The compiled game of S sequences, with the counterfactual values of the player's actions in `game.value`.
    player : int
        The player.
    behavior : array of shape (S,)
        The probability of each sequence's last action in this iteration.
    shift : float
        The constant that is added to utilities in the rates of Lemma 1.
    sums : RegretSums
        The sums. The player's entries are increased.
    fitness : array of shape (S,)
        Scratch memory. The entries of the player's sequences q are overwritten by u_i(x with g_q), the shifted utility
        of playing to reach q.
    """
    sums.utility[player] += game.value[player]
    sums.gradient[player] += game.value[player]
    fitness[player] = game.value[player] + shift
    for infoset in range(game.infosets[player], game.infosets[player + 1]):
        begin = game.first[infoset]
        end = begin + game.size[infoset]
        parent = game.parent[infoset]
        expected = game.infoset_value[infoset]

        # The value of an action includes the information sets below it; its gradient does not.
        sums.gradient[parent] -= expected
        best, worst = -np.inf, np.inf
        for q in range(begin, end):
            gain = game.value[q] - expected  # eq. 9
            sums.gradient[q] += game.value[q]
            sums.gain[q] += gain
            fitness[q] = fitness[parent] + gain  # u_i(x with g_q), eq. 5
            best = max(best, fitness[q])
            worst = min(worst, fitness[q])

        spread = best - worst
        expected_loss = 0.0
        for q in range(begin, end):
            loss = (best - fitness[q]) / spread if spread > 0.0 else 0.0  # eq. 8
            sums.loss[q] += loss
            sums.squared_loss[q] += loss * loss
            expected_loss += behavior[q] * loss

        rate = spread / best if best > 0.0 else 0.0  # Lemma 1
        sums.largest_rate[infoset] = max(sums.largest_rate[infoset], rate)
        sums.log_shrinkage[infoset] += np.log1p(-rate * expected_loss)
        power = 1.0
        for k in range(NUM_POWERS):
            power *= expected_loss
            sums.expected_loss_powers[k, infoset] += power


def compute_average_regrets(state: RegretTrackerState) -> Floats:
    """Return each player's average overall regret per iteration.

    It is the player's mean utility by the best fixed realization plan over all iterations, minus its own mean utility.

    Parameters
    ----------
    state : RegretTrackerState
        A state after at least one iteration.

    Returns
    -------
    array of shape (n,)
        The regrets of the n players, in the game's unit.

    Raises
    ------
    SettingError
        If no iteration has been done.
    """
    best_totals = compute_best_plan_values(state.game.block, state.sums.gradient)
    total_regrets = np.asarray(best_totals - state.sums.utility)
    return total_regrets / validate_num_iterations(state)


def compute_lemma_three_bounds(state: RegretTrackerState) -> Floats:
    """Return the bound of Lanctot (2014, Lemma 3) on each player's average regret per iteration.

    Let Delta_i be the largest minus the smallest payoff of player i, and T the number of iterations. The bound is
    Delta_i / T times the sum of the positive regrets in losses of the player's information sets, which
    `compute_regrets_in_losses` defines.

    Parameters
    ----------
    state : RegretTrackerState
        A state after at least one iteration.

    Returns
    -------
    array of shape (n,)
        The bounds of the n players, in the game's unit.

    Raises
    ------
    SettingError
        If no iteration has been done.
    """
    positive_regrets = np.maximum(compute_regrets_in_losses(state), 0.0)
    sums_of_players = sum_infoset_values_by_player(state.game, positive_regrets)
    return compute_payoff_ranges(state.game) * sums_of_players / validate_num_iterations(state)


def compute_regrets_in_losses(state: RegretTrackerState) -> Floats:
    """Return the total regret of the learner at each information set, measured in losses.

    It is the learner's total expected loss minus the smallest total loss of a fixed action there. The losses are those
    of Lanctot (2014, eq. 8), which are between 0 and 1 and have no unit.

    Parameters
    ----------
    state : RegretTrackerState
        A state with sums over iterations.

    Returns
    -------
    array of shape (I,)
        The regrets at the I information sets of all players. Totals over the iterations.
    """
    least_losses = np.minimum.reduceat(state.sums.loss, state.game.first_sequence)
    expected_losses = state.sums.expected_loss_powers[0]
    return np.asarray(expected_losses - least_losses)


def compute_squared_losses_of_best_actions(
    state: RegretTrackerState, *, by_utility: bool = False
) -> Floats:
    """Return the total squared loss of the best action of each information set.

    It is Q_min of Lanctot (2014). The text can be read in two ways, because it does not say by what an action is the
    best one in hindsight.

    Parameters
    ----------
    state : RegretTrackerState
        A state with sums over iterations.
    by_utility : bool
        If false, the best action is the one with the smallest total loss, as in the theorem on polynomial weights
        (section 2.2). If true, it is the one with the largest total gain, as in the definition of regret (eq. 6). In a
        tie the first action counts.

    Returns
    -------
    array of shape (I,)
        The sum over the iterations of the squared loss (eq. 8) of the best action, at the I information sets of all
        players.
    """
    # The best action of an information set is the one with the smallest cost.
    costs = -state.sums.gain if by_utility else state.sums.loss
    first_actions = state.game.first_sequence.tolist()
    numbers_of_actions = state.game.num_actions.tolist()
    best_actions = []
    for first, num_actions in zip(first_actions, numbers_of_actions, strict=True):
        costs_of_infoset = costs[first : first + num_actions]
        best_actions.append(first + int(np.argmin(costs_of_infoset)))
    return state.sums.squared_loss[best_actions]


def compute_equivalent_fixed_rates(state: RegretTrackerState) -> Floats:
    """Return the fixed learning rate that shrinks weights as much as the varying rates did, at each information set.

    It is eta* of Lanctot (2014, Lemma 4), which solves prod(1 - eta* F(t)) = prod(1 - eta_I(t) F(t)). The products are
    over the iterations t. F(t) is the expected loss of the learner at the information set, and eta_I(t) is its rate of
    Lemma 1.

    Parameters
    ----------
    state : RegretTrackerState
        A state with sums over iterations.

    Returns
    -------
    array of shape (I,)
        The rates, from 0 to 1. A learner without losses has the rate 0.

    Notes
    -----
    The logarithm of the left side is minus the sum over k = 1, 2, ... of (eta*)^k / k times the sum of F(t)^k. This
    power series ends here after `NUM_POWERS` terms.
    """
    from scipy.optimize import brentq

    rates = np.zeros(len(state.sums.log_shrinkage))
    for infoset, log_shrinkage in enumerate(state.sums.log_shrinkage.tolist()):
        # The logarithm of the right side minus that of the left side, as a polynomial in eta*.
        sums_of_powers = state.sums.expected_loss_powers[:, infoset]
        exponents = np.arange(1, len(sums_of_powers) + 1)
        coefficients = np.concatenate([[log_shrinkage], sums_of_powers / exponents])
        difference_of_logarithms = np.polynomial.Polynomial(coefficients)

        if log_shrinkage == -np.inf:  # at some t both the rate and the expected loss were 1
            rates[infoset] = 1.0
        elif log_shrinkage < 0.0:
            rates[infoset] = brentq(difference_of_logarithms, 0.0, 1.0)
    return rates


class TheoremFiveBound(NamedTuple):
    """The bound of Lanctot (2014, Theorem 5) on the average regret of each of n players, and its ingredients.

    Attributes
    ----------
    bound : array of shape (n,)
        The bound, in the game's unit per iteration.
    rate : array of shape (n,)
        The fixed rate eta* of Lemma 4 at the player's information set with the largest Q_min.
    squared_loss : array of shape (n,)
        The value of Q_min at that information set: the squared losses of its best action, summed over the iterations.
    largest_rate : array of shape (n,)
        The largest rate eta_I(t) of Lemma 1 at any information set of the player and in any iteration.
    """

    bound: Floats
    rate: Floats
    squared_loss: Floats
    largest_rate: Floats

    @property
    def is_applicable(self) -> bool:
        """Whether the theorem's condition is satisfied, which is that no rate of any player exceeds 1/2."""
        return bool(self.largest_rate.max() <= LARGEST_VALID_RATE)


def compute_theorem_five_bound(
    state: RegretTrackerState, *, by_utility: bool = False
) -> TheoremFiveBound:
    """Return the bound of Lanctot (2014, Theorem 5) on each player's average regret per iteration.

        Delta_i |I_i| / (eta* T) (ln |A_i| + eta*^2 Q_min)

    Delta_i is the largest minus the smallest payoff of player i, |I_i| the number of the player's information sets,
    |A_i| the largest number of actions there, and T the number of iterations. Q_min is the total squared loss of the
    best action of an information set, and eta* the fixed rate of Lemma 4 there. Both are those of the player's
    information set with the largest Q_min.

    Parameters
    ----------
    state : RegretTrackerState
        A state after at least one iteration.
    by_utility : bool
        Whether the best action of an information set is the one with the largest total gain, and not the one with the
        smallest total loss.

    Returns
    -------
    TheoremFiveBound
        The bounds of all players and their ingredients. A player without information sets has zeros.

    Raises
    ------
    SettingError
        If no iteration has been done.
    """
    game = state.game
    fixed_rates = compute_equivalent_fixed_rates(state)
    squared_losses = compute_squared_losses_of_best_actions(state, by_utility=by_utility)

    # A player without information sets keeps the zeros, because it has no regret.
    bound, rate, squared_loss, largest_rate = np.zeros((4, game.num_players))
    for player in range(game.num_players):
        first, stop = game.infoset_start[player : player + 2]
        if first == stop:
            continue

        infoset = first + int(np.argmax(squared_losses[first:stop]))
        rate[player] = fixed_rates[infoset]
        squared_loss[player] = squared_losses[infoset]
        largest_rate[player] = state.sums.largest_rate[first:stop].max()

        payoff_range = compute_payoff_ranges(game)[player]
        scale = payoff_range * game.num_infosets[player] / validate_num_iterations(state)
        log_num_actions = np.log(game.num_actions[first:stop].max())
        sum_of_terms = log_num_actions + rate[player] ** 2 * squared_loss[player]
        bound[player] = scale * sum_of_terms / rate[player] if rate[player] > 0.0 else np.inf
    return TheoremFiveBound(bound, rate, squared_loss, largest_rate)


def compute_payoff_ranges(game: SequenceForm) -> Floats:
    """Return Delta_i, the largest minus the smallest payoff of each player at the ends of the game.

    Parameters
    ----------
    game : SequenceForm
        The compiled game of n players.

    Returns
    -------
    array of shape (n,)
        The ranges, in the game's unit.
    """
    return np.asarray(np.diff(game.utility_range)[:, 0])


def sum_infoset_values_by_player(game: SequenceForm, infoset_values: Floats) -> Floats:
    """Return, for each player, the sum of a quantity over the player's information sets.

    Parameters
    ----------
    game : SequenceForm
        The compiled game, with n players and I information sets.
    infoset_values : array of shape (I,)
        The quantity at each information set.

    Returns
    -------
    array of shape (n,)
        The sums.
    """
    values_by_player = np.split(infoset_values, game.infoset_start[1:-1])
    return np.array([values.sum() for values in values_by_player])


def validate_num_iterations(state: RegretTrackerState) -> int:
    """Return the number of iterations that a state has done.

    Parameters
    ----------
    state : RegretTrackerState
        A state.

    Raises
    ------
    SettingError
        If the number is zero, because then an average over iterations is not defined.
    """
    if state.iteration == 0:
        raise SettingError("no iteration has been done; regret is an average over iterations.")
    return state.iteration


@kernel
def compute_best_plan_values(game_block: Floats, gradient: Floats) -> Floats:
    """Return the value of each player's best realization plan.

    The value of a plan is its scalar product with the gradient of the player's utility.

    Parameters
    ----------
    game_block : array of float
        The compiled game of n players and S sequences, packed into one array.
    gradient : array of shape (S,)
        The derivative of each player's utility with respect to the weight of each of its own sequences.

    Returns
    -------
    array of shape (n,)
        The largest values.
    """
    game = unpack_workspace(game_block)
    num_players = game.ids[NUM_PLAYERS]
    value = gradient.copy()
    # Backward, so that the best value of an information set includes the best values of those below it. A `while` loop,
    # because `infoset` is an unsigned integer like the other ids.
    infoset = game.infosets[num_players]
    while infoset > 0:
        infoset -= UINT_ONE
        best = -np.inf
        for q in range(game.first[infoset], game.first[infoset] + game.size[infoset]):
            best = max(best, value[q])
        value[game.parent[infoset]] += best
    return value[:num_players]  # at the players' empty sequences


def make_regret_columns(tracker: RegretTracker) -> tuple[Column, ...]:
    """Return the columns by which a run of a `RegretTracker` records each player's average regret and bounds on it.

    Parameters
    ----------
    tracker : RegretTracker
        The tracker of the run.

    Returns
    -------
    tuple of Column
        For each player i = 1, 2, ... there is a column of each of these names. All are NaN before the first iteration.

        - `regret_i`, the average regret.
        - `lemma_3_i` and `theorem_5_i`, the bounds of Lanctot (2014, Lemma 3 and Theorem 5).
        - `q_min_i`, the Q_min of Theorem 5 divided by the number of iterations.
        - `largest_rate_i`, the largest learning rate so far. It has no unit, although the column carries the game's.
    """
    unit = tracker.game.unit.plural
    measures: dict[str, Callable[[RegretTrackerState], Floats]] = {
        "regret": compute_average_regrets,
        "lemma_3": compute_lemma_three_bounds,
        "theorem_5": lambda state: compute_theorem_five_bound(state).bound,
        "q_min": lambda state: compute_theorem_five_bound(state).squared_loss / state.iteration,
        "largest_rate": lambda state: compute_theorem_five_bound(state).largest_rate,
    }

    def measure_player(
        player: int,
        measure_all_players: Callable[[RegretTrackerState], Floats],
        state: RegretTrackerState,
    ) -> float:
        """Return the value of a measure for one player, or NaN before the first iteration."""
        if state.iteration == 0:
            return np.nan
        return float(measure_all_players(state)[player])

    columns = []
    for name, measure_all_players in measures.items():
        for player in range(tracker.game.num_players):
            measure = partial(measure_player, player, measure_all_players)
            columns.append(Column(f"{name}_{player + 1}", name, unit, measure))
    return tuple(columns)


class MatrixGameRegret(NamedTuple):
    """The average regret per step of player 1 in a matrix game, and the bounds of Lanctot (2014) on it.

    Attributes
    ----------
    regret : float
        The average regret of player 1, in the unit of the payoffs.
    lemma_3 : float
        The bound of Lemma 3.
    theorem_5 : tuple of two floats
        The bound of Theorem 5 for two definitions of the best action in Q_min: the action with the smallest total loss,
        and the action with the largest total payoff.
    largest_rate : float
        The largest learning rate of either player in any step.
    """

    regret: float
    lemma_3: float
    theorem_5: tuple[float, float]
    largest_rate: float


def measure_matrix_game_regret(
    payoffs: Sequence[Sequence[float]], shift: float, steps: int
) -> MatrixGameRegret:
    """Run replicator dynamics of both players in a zero-sum matrix game, and return player 1's average regret.

    Parameters
    ----------
    payoffs : sequence of sequences
        The payoffs of player 1, who chooses the row. Player 2, who chooses the column, loses as much.
    shift : float
        The constant that is added to all payoffs to make them positive.
    steps : int
        The number of simultaneous replicator steps (Lanctot 2014, eq. 3). At first all actions are equally likely.

    Returns
    -------
    MatrixGameRegret
        The regret and the bounds on it.
    """
    row_payoffs = np.asarray(payoffs, dtype=np.float64)
    game = bimatrix(row_payoffs, -row_payoffs)
    dynamics = ReplicatorDynamics(game, payoff_shift=shift, order="simultaneous")
    tracker = RegretTracker(dynamics)
    state = tracker.step(tracker.init(), steps)
    by_loss = compute_theorem_five_bound(state)
    by_utility = compute_theorem_five_bound(state, by_utility=True)
    return MatrixGameRegret(
        regret=float(compute_average_regrets(state)[0]),
        lemma_3=float(compute_lemma_three_bounds(state)[0]),
        theorem_5=(float(by_loss.bound[0]), float(by_utility.bound[0])),
        largest_rate=float(by_loss.largest_rate.max()),
    )


def find_lemma_four_violations(state: RegretTrackerState) -> dict[str, tuple[float, float]]:
    """Return the information sets at which the regret in losses exceeds the bound of Lanctot (2014, Lemma 4).

    The bound is eta* Q_min + ln |A(I)| / eta*. Here eta* is the fixed rate that the lemma's proof constructs, Q_min is
    the total squared loss of the best action, and |A(I)| is the number of actions.

    Parameters
    ----------
    state : RegretTrackerState
        A state with sums over iterations.

    Returns
    -------
    dict of str to tuple of two floats
        By the label of the information set, the regret divided by the bound, which is above 1, and eta*.
    """
    rates = compute_equivalent_fixed_rates(state)
    squared_losses = compute_squared_losses_of_best_actions(state)
    with np.errstate(divide="ignore"):  # a learner without losses has the rate 0
        bounds = rates * squared_losses + np.log(state.game.num_actions) / rates
    ratios = compute_regrets_in_losses(state) / bounds

    violations = {}
    for infoset in np.flatnonzero(ratios > 1):
        label = state.game.infoset_label[infoset]
        violations[label] = float(ratios[infoset]), float(rates[infoset])
    return violations


def compute_counterfactual_regrets(game: SequenceForm, payoff_shift: float, steps: int) -> Floats:
    """Run alternating replicator steps, and return the total counterfactual regret of each information set.

    An action a of the information set I has the gain v(I, a) - V(I), its counterfactual value minus that of I (Lanctot
    2014, eq. 9). The regret is the largest total gain of an action there.

    Parameters
    ----------
    game : SequenceForm
        A compiled game.
    payoff_shift : float
        The constant that is added to all utilities to make them positive.
    steps : int
        The number of steps, from the uniform profile.

    Returns
    -------
    array of shape (I,)
        The regrets of all players' I information sets, in the game's unit. Totals over the steps.
    """
    dynamics = ReplicatorDynamics(game, payoff_shift=payoff_shift, order="alternating")
    state = dynamics.init()
    total_gains = np.zeros(game.num_players + game.num_probabilities)
    for _ in range(steps):
        next_state = dynamics.step(state)
        # A player responds to the new behavior of the players before it, and to the old behavior of all others.
        behavior = state.behavior.copy()
        for actions in game.player_sequences:
            # In arrays by sequence, the empty sequences of all players come before the actions.
            own_sequences = slice(actions.start + game.num_players, actions.stop + game.num_players)
            gains = compute_growth_and_plans(game.block, behavior)  # v(I, a) - V(I), eq. 9
            total_gains[own_sequences] += gains[own_sequences]
            behavior[own_sequences] = next_state.behavior[own_sequences]
        state = next_state
    return np.asarray(np.maximum.reduceat(total_gains, game.first_sequence))
