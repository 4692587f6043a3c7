"""Lanctot (2014): whether regret along a run stays below the bounds of section 3.2.

M. Lanctot, "Further Developments of Extensive-Form Replicator Dynamics using the Sequence-Form Representation",
AAMAS 2014. A solver goes in, and the average regret of each player comes out, with the right side of Lemma 3 and the
bound of Theorem 5.

A `RegretTracker` runs another solver and adds up, besides, what the bounds need: utilities, gains and losses of each
iteration (`RegretSums`). Functions such as `compute_average_regret` compute regrets and bounds from these sums. With
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
from pokerlab.games.game_block import UINT_ONE, Workspace, unpack_workspace
from pokerlab.games.tree_passes import (
    fill_counterfactual_values,
    fill_plan,
)
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
    """Sums over the iterations t = 1, 2, ... of a run; only `largest_rate` is a maximum over them.

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
        log(1 - eta_I(t) F(t)), where F(t) is the learner's expected loss, the sum over a of sigma(I, a) l(I, a).
    expected_loss_powers : array of shape (NUM_POWERS, I)
        F(t), its square, its cube, and so on.
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
        """Return the sums before the first iteration of a game, all of which are zero."""
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
    """The state of a solver, and the sums over all iterations before it.

    Attributes
    ----------
    game : SequenceForm
        The game of the solver.
    dynamics : state of the solver
        The state of the tracked solver.
    sums : RegretSums
        What the iterations so far add up to.
    """

    game: SequenceForm
    dynamics: Any
    sums: RegretSums

    @property
    def iteration(self) -> int:
        """The number of iterations done."""
        return int(self.dynamics.iteration)

    @property
    def current(self) -> Profile:
        """The profile x(t + 1), which the next iteration plays."""
        current: Profile = self.dynamics.current
        return current

    @property
    def average(self) -> Profile:
        """The behavior profile of the averaged realization plans."""
        average: Profile = self.dynamics.average
        return average


class RegretTracker:
    """A solver that runs another solver and tracks the regrets and losses along its run.

    Parameters
    ----------
    solver : solver
        A solver with discrete steps in an order, whose states have a `behavior`: `ReplicatorDynamics`,
        `PolynomialWeights`, or a solver of the CFR family.
    payoff_shift : float, optional
        The constant that is added to utilities in the rates eta_I of Lemma 1. By default that of the solver.

    Raises
    ------
    SettingError
        If the solver has no `payoff_shift` and none is given, or if it takes no discrete steps in an order.
    """

    def __init__(self, solver: Any, *, payoff_shift: float | None = None) -> None:
        shift = getattr(solver, "payoff_shift", None) if payoff_shift is None else payoff_shift
        if shift is None:
            raise SettingError(
                f"{type(solver).__name__} has no payoff_shift; give the one to use in the rates."
            )
        if not hasattr(solver, "alternating"):
            raise SettingError(
                f"{type(solver).__name__} takes no discrete steps in an order; track another solver."
            )
        check_payoff_shift(solver.game, shift, "a rate")
        self.solver = solver
        self.game: SequenceForm = solver.game
        self.payoff_shift = float(shift)

    def init(self) -> RegretTrackerState:
        """Return the state of the tracked solver before its first iteration, with sums of regrets that are zero."""
        return RegretTrackerState(self.game, self.solver.init(), RegretSums.make_zero(self.game))

    def step(self, state: RegretTrackerState, count: int = 1) -> RegretTrackerState:
        """Return the tracked solver's state and the sums of regrets after `count` more iterations.

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
            If `state` has no sums of regrets, or is of another game. It is raised even if `count` is 0.
        SettingError
            If `count` is negative or no integer.
        """
        if not isinstance(state, RegretTrackerState):
            raise GameError(
                f"the state is a {type(state).__name__} and has no sums of regrets. Begin with the tracker's own"
                " init()."
            )
        # Zero iterations change nothing, but the solver raises a GameError if the state is of another game.
        dynamics = self.solver.step(state.dynamics, 0)
        validate_integer("count", count, 0, LARGEST_COUNT)
        sums = RegretSums(*(array.copy() for array in state.sums))
        for _ in range(count):
            next_dynamics = self.solver.step(dynamics)
            add_iteration_to_sums(
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
def add_iteration_to_sums(
    block: Floats, before: Floats, after: Floats, alternating: bool, shift: float, sums: RegretSums
) -> None:
    """Add the utilities, gains and losses of one iteration of a solver to the sums over iterations, in place.

    Parameters
    ----------
    block : array of float
        The compiled game, packed into one array.
    before, after : array of shape (S,)
        The probability of each sequence's last action before and after the iteration.
    alternating : bool
        Whether players update one after the other. Then each player is measured against the new behavior of the players
        before it.
    shift : float
        The constant that is added to utilities in the rates of Lemma 1.
    sums : RegretSums
        The sums, whose arrays are overwritten.
    """
    game = unpack_workspace(block)
    num_players = game.ids[0]
    num_sequences = game.ids[1]
    fitness = np.empty(num_sequences)
    for player in range(num_players):
        fill_plan(game, player, before)

    for player in range(num_players):
        fill_counterfactual_values(game, game.ends, player, before)
        add_player_to_sums(game, player, before, shift, sums, fitness)
        if alternating:
            fill_plan(game, player, after)  # the players after this one respond to its new plan


@inlined
def add_player_to_sums(
    game: Workspace, player: int, behavior: Floats, shift: float, sums: RegretSums, fitness: Floats
) -> None:
    """Add the utility, gains and losses of one player in one iteration to the sums over iterations, in place.

    Parameters
    ----------
    game : Workspace
        The compiled game, with the counterfactual values of the player's actions in `game.value`.
    player : int
        The player.
    behavior : array of shape (S,)
        The probabilities that the player plays in this iteration.
    shift : float
        The constant that is added to utilities.
    sums : RegretSums
        The sums, whose entries of the player are overwritten.
    fitness : array of shape (S,)
        Overwritten, at the player's sequences q, by u_i(x with g_q), the shifted utility of playing to reach q.
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


def compute_average_regret(state: RegretTrackerState) -> Floats:
    """Return each player's average overall regret, (n,), in the game's unit per iteration.

    It is the largest mean utility of a fixed realization plan over the iterations, minus the player's mean utility.

    Raises
    ------
    SettingError
        If no iteration has been done.
    """
    best_totals = compute_best_plan_values(state.game.block, state.sums.gradient)
    total_regrets = np.asarray(best_totals - state.sums.utility)
    return total_regrets / validate_iterations(state)


def compute_lemma_three_bound(state: RegretTrackerState) -> Floats:
    """Return the bound of Lanctot (2014, Lemma 3) on each player's average regret, (n,), in the game's unit.

    It is Delta_i / T times the sum of the positive regrets in losses over the player's information sets, where Delta_i
    is the range of the player's payoffs and T the number of iterations.

    Raises
    ------
    SettingError
        If no iteration has been done.
    """
    positive_regrets = np.maximum(compute_regret_in_losses(state), 0.0)
    sums_of_players = sum_infoset_values_by_player(state.game, positive_regrets)
    return compute_payoff_range(state.game) * sums_of_players / validate_iterations(state)


def compute_regret_in_losses(state: RegretTrackerState) -> Floats:
    """Return the regret in losses of the learner at each information set, (I,), a total over iterations.

    It is the learner's total expected loss minus the least total loss of an action there. Losses are those of Lanctot
    (2014, eq. 8), from 0 to 1.
    """
    least_losses = np.minimum.reduceat(state.sums.loss, state.game.first_sequence)
    expected_losses = state.sums.expected_loss_powers[0]
    return np.asarray(expected_losses - least_losses)


def compute_best_action_squared_loss(
    state: RegretTrackerState, *, by_utility: bool = False
) -> Floats:
    """Return the total squared loss of each information set's best action in hindsight, (I,).

    It is Q_min of Lanctot (2014), whose text can be read in two ways.

    Parameters
    ----------
    state : RegretTrackerState
        A state with sums over iterations.
    by_utility : bool
        By default the best action is the one with the least total loss, as in the theorem on polynomial weights
        (section 2.2). If true, it is the one with the largest total gain, which maximizes the regret of eq. 6. In a tie
        the first action counts.
    """
    costs = -state.sums.gain if by_utility else state.sums.loss
    first_actions = state.game.first_sequence.tolist()
    numbers_of_actions = state.game.num_actions.tolist()
    best_actions = []
    for first, num_actions in zip(first_actions, numbers_of_actions, strict=True):
        costs_of_infoset = costs[first : first + num_actions]
        best_actions.append(first + int(np.argmin(costs_of_infoset)))
    return state.sums.squared_loss[best_actions]


def compute_fixed_rate_of_lemma_four(state: RegretTrackerState) -> Floats:
    """Return the fixed learning rate of each information set by which Lemma 4 replaces its varying rates, (I,).

    It is eta* of Lanctot (2014, Lemma 4), which solves prod(1 - eta* F(t)) = prod(1 - eta_I(t) F(t)). The products are
    over the iterations t, eta_I(t) is the rate of Lemma 1 and F(t) the learner's expected loss. The rate is zero for a
    learner without losses.

    Notes
    -----
    The logarithm of the left side is the power series -sum over k of (eta*)^k / k times the sum of F(t)^k. It is cut
    off after `NUM_POWERS` terms.
    """
    from scipy.optimize import brentq

    rates = np.zeros(len(state.sums.log_shrinkage))
    for infoset, log_shrinkage in enumerate(state.sums.log_shrinkage.tolist()):
        # The difference of the logarithms of both sides, as a polynomial in eta*.
        sums_of_powers = state.sums.expected_loss_powers[:, infoset]
        exponents = np.arange(1, len(sums_of_powers) + 1)
        coefficients = np.concatenate([[log_shrinkage], sums_of_powers / exponents])
        series = np.polynomial.Polynomial(coefficients)

        if log_shrinkage == -np.inf:  # at some t both the rate and the expected loss were 1
            rates[infoset] = 1.0
        elif log_shrinkage < 0.0:
            rates[infoset] = brentq(series, 0.0, 1.0)
    return rates


class TheoremFiveBound(NamedTuple):
    """Theorem 5's bound on the average regret of each player, and its ingredients.

    Attributes
    ----------
    bound : array of shape (n,)
        The bound, in the game's unit per iteration.
    rate : array of shape (n,)
        eta* of the player's information set with the largest Q_min.
    squared_loss : array of shape (n,)
        That Q_min, a total over iterations.
    largest_rate : array of shape (n,)
        The largest rate eta_I(t) of the player.
    """

    bound: Floats
    rate: Floats
    squared_loss: Floats
    largest_rate: Floats

    @property
    def applies(self) -> bool:
        """Whether the theorem's condition holds: no rate of any player exceeds 1/2."""
        return bool(self.largest_rate.max() <= LARGEST_VALID_RATE)


def compute_theorem_five_bound(
    state: RegretTrackerState, *, by_utility: bool = False
) -> TheoremFiveBound:
    """Return the bound of Lanctot (2014, Theorem 5) on each player's average regret, with its ingredients.

        Delta_i |I_i| / (eta* T) (ln |A_i| + eta*^2 Q_min)

    Delta_i is the range of the player's payoffs, |I_i| the number of the player's information sets, |A_i| the largest
    number of actions there, and T the number of iterations. eta* and Q_min are those of the information set with the
    largest Q_min.

    Parameters
    ----------
    state : RegretTrackerState
        A state after at least one iteration.
    by_utility : bool
        Which action is the best one in Q_min, as in `compute_best_action_squared_loss`.

    Raises
    ------
    SettingError
        If no iteration has been done.
    """
    game = state.game
    rates = compute_fixed_rate_of_lemma_four(state)
    squared_losses = compute_best_action_squared_loss(state, by_utility=by_utility)
    bounds, rates_in_bound, squared_losses_in_bound, largest_rates = [], [], [], []
    for player in range(game.num_players):
        first, stop = game.infoset_start[player : player + 2]
        if first == stop:  # a player without choices has no regret
            bounds.append(0.0)
            rates_in_bound.append(0.0)
            squared_losses_in_bound.append(0.0)
            largest_rates.append(0.0)
            continue

        infoset = first + int(np.argmax(squared_losses[first:stop]))
        rate, squared_loss = rates[infoset], squared_losses[infoset]
        payoff_range = compute_payoff_range(game)[player]
        scale = payoff_range * game.num_infosets[player] / validate_iterations(state)
        learning = np.log(game.num_actions[first:stop].max()) + rate**2 * squared_loss
        bounds.append(scale * learning / rate if rate > 0.0 else np.inf)
        rates_in_bound.append(rate)
        squared_losses_in_bound.append(squared_loss)
        largest_rates.append(state.sums.largest_rate[first:stop].max())
    return TheoremFiveBound(
        bound=np.array(bounds),
        rate=np.array(rates_in_bound),
        squared_loss=np.array(squared_losses_in_bound),
        largest_rate=np.array(largest_rates),
    )


def compute_payoff_range(game: SequenceForm) -> Floats:
    """Return Delta_i, the range of each player's utilities over the ends of the game, (n,)."""
    return np.asarray(np.diff(game.utility_range)[:, 0])


def sum_infoset_values_by_player(game: SequenceForm, infoset_values: Floats) -> Floats:
    """Return the sum over each player's information sets of values of all information sets: from (I,) to (n,)."""
    values_by_player = np.split(infoset_values, game.infoset_start[1:-1])
    return np.array([values.sum() for values in values_by_player])


def validate_iterations(state: RegretTrackerState) -> int:
    """Return the number of iterations of a state; raise SettingError if there was none."""
    if state.iteration == 0:
        raise SettingError("no iteration has been done; regret is an average over iterations.")
    return state.iteration


@kernel
def compute_best_plan_values(block: Floats, gradient: Floats) -> Floats:
    """Return the largest value that a realization plan of each player can have, (n,).

    The value of a plan is its scalar product with the player's part of a gradient of utilities.

    Parameters
    ----------
    block : array of float
        The compiled game, packed into one array.
    gradient : array of shape (S,)
        The gradient of each player's utility at its own sequences.
    """
    game = unpack_workspace(block)
    num_players = game.ids[0]
    value = gradient.copy()
    # Backward, so that the best value of an information set includes the best values of those below it.
    infoset = game.infosets[num_players]
    while infoset > 0:
        infoset -= UINT_ONE
        best = -np.inf
        for q in range(game.first[infoset], game.first[infoset] + game.size[infoset]):
            best = max(best, value[q])
        value[game.parent[infoset]] += best
    return value[:num_players]  # at the players' empty sequences


def make_regret_columns(tracker: RegretTracker) -> tuple[Column, ...]:
    """Return the columns by which a run of a RegretTracker records each player's average regret and the bounds on it.

    For each player i = 1, 2, ... they are `regret_i`, `lemma_3_i` (the bound of Lanctot 2014, Lemma 3), `theorem_5_i`
    (that of Theorem 5), `q_min_i` (its Q_min per iteration) and `largest_rate_i` (the largest rate so far). They are
    NaN before the first iteration.
    """
    unit = tracker.game.unit.plural
    measures: dict[str, Callable[[RegretTrackerState], Floats]] = {
        "regret": compute_average_regret,
        "lemma_3": compute_lemma_three_bound,
        "theorem_5": lambda state: compute_theorem_five_bound(state).bound,
        "q_min": lambda state: compute_theorem_five_bound(state).squared_loss / state.iteration,
        "largest_rate": lambda state: compute_theorem_five_bound(state).largest_rate,
    }

    def select_player(
        player: int,
        measure_players: Callable[[RegretTrackerState], Floats],
        state: RegretTrackerState,
    ) -> float:
        """Return one player's entry of a measure of all players, or NaN before the first iteration."""
        if state.iteration == 0:
            return np.nan
        return float(measure_players(state)[player])

    return tuple(
        Column(f"{name}_{player + 1}", name, unit, partial(select_player, player, measure_players))
        for name, measure_players in measures.items()
        for player in range(tracker.game.num_players)
    )


class MatrixGameRegret(NamedTuple):
    """The regret of player 1 in a matrix game, per step, and the bounds of section 3.2 on it.

    Attributes
    ----------
    regret : float
        The average regret of player 1.
    lemma_3 : float
        The right side of Lemma 3.
    theorem_5 : tuple of two floats
        Theorem 5's bound, where the best action in Q_min is the one with the least loss, and where it is the one with
        the largest total payoff.
    largest_rate : float
        The largest learning rate of either player.
    """

    regret: float
    lemma_3: float
    theorem_5: tuple[float, float]
    largest_rate: float


def measure_matrix_game_regret(
    payoffs: Sequence[Sequence[float]], shift: float, steps: int
) -> MatrixGameRegret:
    """Return player 1's average regret in a zero-sum matrix game between replicators, and the bounds on it.

    Parameters
    ----------
    payoffs : sequence of sequences
        What player 1, who chooses the row, wins from player 2.
    shift : float
        The constant that is added to all payoffs to make them positive.
    steps : int
        The number of simultaneous replicator steps (Lanctot 2014, eq. 3), from equal shares.
    """
    row_payoffs = np.asarray(payoffs, dtype=np.float64)
    game = bimatrix(row_payoffs, -row_payoffs)
    dynamics = ReplicatorDynamics(game, payoff_shift=shift, order="simultaneous")
    tracker = RegretTracker(dynamics)
    state = tracker.step(tracker.init(), steps)
    by_loss = compute_theorem_five_bound(state)
    by_utility = compute_theorem_five_bound(state, by_utility=True)
    return MatrixGameRegret(
        regret=float(compute_average_regret(state)[0]),
        lemma_3=float(compute_lemma_three_bound(state)[0]),
        theorem_5=(float(by_loss.bound[0]), float(by_utility.bound[0])),
        largest_rate=float(by_loss.largest_rate.max()),
    )


def find_lemma_four_violations(state: RegretTrackerState) -> dict[str, tuple[float, float]]:
    """Return the information sets at which regret in losses exceeds the bound of Lanctot (2014, Lemma 4).

    The bound is eta* Q_min + ln |A(I)| / eta*. Here eta* is the fixed rate that the lemma's proof constructs, Q_min the
    total squared loss of the best action, and |A(I)| the number of actions.

    Returns
    -------
    dict of str to tuple of two floats
        By the label of the information set, the regret divided by the bound, which is above 1, and eta*.
    """
    rates = compute_fixed_rate_of_lemma_four(state)
    squared_losses = compute_best_action_squared_loss(state)
    with np.errstate(divide="ignore"):  # a learner without losses has the rate 0
        bounds = rates * squared_losses + np.log(state.game.num_actions) / rates
    ratios = compute_regret_in_losses(state) / bounds

    violations = {}
    for infoset in np.flatnonzero(ratios > 1):
        label = state.game.infoset_label[infoset]
        violations[label] = float(ratios[infoset]), float(rates[infoset])
    return violations


def compute_counterfactual_regrets(game: SequenceForm, payoff_shift: float, steps: int) -> Floats:
    """Return the total counterfactual regret of each information set after alternating replicator steps, (I,).

    The regret of an information set is the largest total over the steps of an action's gain v(I, a) - V(I) (Lanctot
    2014, eq. 9), in the game's unit.

    Parameters
    ----------
    game : SequenceForm
        A compiled game.
    payoff_shift : float
        The constant that is added to all utilities to make them positive.
    steps : int
        The number of steps, from the uniform profile.
    """
    dynamics = ReplicatorDynamics(game, payoff_shift=payoff_shift, order="alternating")
    state = dynamics.init()
    total_gains = np.zeros(game.num_players + game.num_probabilities)
    for _ in range(steps):
        next_state = dynamics.step(state)
        # A player responds to the new behavior of the players before it, and to the old behavior of all others.
        behavior = state.behavior.copy()
        for actions in game.player_sequences:
            # In arrays of shape (S,), the empty sequences of all players come first.
            own = slice(actions.start + game.num_players, actions.stop + game.num_players)
            gains = compute_growth_and_plans(game.block, behavior)  # v(I, a) - V(I), eq. 9
            total_gains[own] += gains[own]
            behavior[own] = next_state.behavior[own]
        state = next_state
    return np.asarray(np.maximum.reduceat(total_gains, game.first_sequence))
