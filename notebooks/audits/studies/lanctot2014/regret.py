"""Regret along a run, and the bounds on it of section 3.2 of Lanctot (2014).

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
from pokerlab.core.settings import LARGEST_COUNT, checked_integer
from pokerlab.games import Profile, SequenceForm, bimatrix
from pokerlab.games.game_block import ONE, Workspace, unpack_workspace
from pokerlab.games.tree_passes import (
    fill_counterfactual_values,
    fill_plan,
)
from pokerlab.runs import Column
from pokerlab.solvers import ReplicatorDynamics
from pokerlab.solvers.dynamics import compute_growth
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
        """Return the sums over no iteration."""
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
        self.solver, self.game, self.payoff_shift = solver, solver.game, float(shift)

    def init(self) -> RegretTrackerState:
        """Return the state before the first iteration."""
        return RegretTrackerState(self.game, self.solver.init(), RegretSums.make_zero(self.game))

    def step(self, state: RegretTrackerState, count: int = 1) -> RegretTrackerState:
        """Return the state `count` iterations after `state`."""
        if not isinstance(state, RegretTrackerState):
            raise GameError(
                f"the state is a {type(state).__name__} and has no sums of regrets. Begin with the tracker's own"
                " init()."
            )
        dynamics = self.solver.step(state.dynamics, 0)  # raises if the state is of another game
        checked_integer("count", count, 0, LARGEST_COUNT)
        sums = RegretSums(*(array.copy() for array in state.sums))
        for _ in range(count):
            following = self.solver.step(dynamics)
            add_iteration(
                self.game.block,
                dynamics.behavior,
                following.behavior,
                self.solver.alternating,
                self.payoff_shift,
                sums,
            )
            dynamics = following
        freeze(*sums)
        return RegretTrackerState(self.game, dynamics, sums)


@kernel
def add_iteration(
    block: Floats, before: Floats, after: Floats, alternating: bool, shift: float, sums: RegretSums
) -> None:
    """Add to the sums the iteration that changed the behavior `before` into `after`, both of shape (S,).

    The arrays in `sums` are overwritten. `block` holds the compiled game. In alternating order each player is measured
    against the new behavior of the players before it.
    """
    game = unpack_workspace(block)
    n = game.ids[0]
    fitness = np.empty(game.ids[1])
    for player in range(n):
        fill_plan(game, player, before)
    for player in range(n):
        fill_counterfactual_values(game, game.ends, player, before)
        add_player_iteration(game, player, before, shift, sums, fitness)
        if alternating:
            fill_plan(game, player, after)


@inlined
def add_player_iteration(
    game: Workspace, player: int, behavior: Floats, shift: float, sums: RegretSums, fitness: Floats
) -> None:
    """Add one iteration of one player to the sums.

    The counterfactual values of the player's actions must be in `game.value`. `behavior` is what the player plays. The
    entries of `fitness`, (S,), at the player's sequences are overwritten by u_i(x with g_q).
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
    SettingError is raised if no iteration has been done.
    """
    best = compute_best_fixed_values(state.game.block, state.sums.gradient)
    return np.asarray(best - state.sums.utility) / count_iterations(state)


def compute_lemma_three_bound(state: RegretTrackerState) -> Floats:
    """Return the right side of Lemma 3 for each player, (n,), in the game's unit per iteration.

    It is Delta_i / T times the sum of the positive regrets in losses over the player's information sets, where T is
    the number of iterations.
    """
    positive = np.maximum(compute_loss_regret(state), 0.0)
    return (
        compute_payoff_range(state.game)
        * sum_by_player(state.game, positive)
        / count_iterations(state)
    )


def compute_loss_regret(state: RegretTrackerState) -> Floats:
    """Return the regret in losses of the learner at each information set, (I,), a total over iterations.

    It is the learner's total expected loss minus the least total loss of an action.
    """
    least = np.minimum.reduceat(state.sums.loss, state.game.first_sequence)
    expected = state.sums.expected_loss_powers[0]
    return np.asarray(expected - least)


def compute_best_action_squared_loss(
    state: RegretTrackerState, *, by_utility: bool = False
) -> Floats:
    """Return Q_min of each information set, (I,): the total squared loss of its best action in hindsight.

    The text can be read in two ways. By default the best action is the one with the least total loss, as in the
    theorem on polynomial weights (section 2.2). With `by_utility` it is the one with the largest total gain, that is
    the action that maximizes the regret of eq. 6. In a tie the first action counts.
    """
    costs = -state.sums.gain if by_utility else state.sums.loss
    best_actions = []
    for first, size in zip(
        state.game.first_sequence.tolist(), state.game.num_actions.tolist(), strict=True
    ):
        costs_here = costs[first : first + size]
        best_actions.append(first + int(np.argmin(costs_here)))
    return state.sums.squared_loss[best_actions]


def compute_fixed_rate(state: RegretTrackerState) -> Floats:
    """Return eta* of each information set, (I,): the fixed rate by which Lemma 4 replaces the varying rates.

    It solves prod(1 - eta* F(t)) = prod(1 - eta_I(t) F(t)), two products over the iterations t, where F(t) is the
    learner's expected loss. It is zero for a learner without losses.

    Notes
    -----
    The logarithm of the left side is the power series -sum over k of (eta*)^k / k times the sum of F(t)^k. It is cut
    off after `NUM_POWERS` terms.
    """
    from scipy.optimize import brentq

    rates = np.zeros(len(state.sums.log_shrinkage))
    for infoset, log_shrinkage in enumerate(state.sums.log_shrinkage.tolist()):
        powers = state.sums.expected_loss_powers[:, infoset]
        coefficients = np.concatenate([[log_shrinkage], powers / np.arange(1, len(powers) + 1)])
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
    """Return Theorem 5's bound on each player's average regret.

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
    """
    game = state.game
    rates = compute_fixed_rate(state)
    squared_losses = compute_best_action_squared_loss(state, by_utility=by_utility)
    columns = []
    for player in range(game.num_players):
        first, stop = game.infoset_start[player : player + 2]
        if first == stop:  # a player without choices has no regret
            columns.append((0.0, 0.0, 0.0, 0.0))
            continue

        infoset = first + int(np.argmax(squared_losses[first:stop]))
        rate, squared_loss = rates[infoset], squared_losses[infoset]
        scale = (
            compute_payoff_range(game)[player] * game.num_infosets[player] / count_iterations(state)
        )
        learning = np.log(game.num_actions[first:stop].max()) + rate**2 * squared_loss
        bound = scale * learning / rate if rate > 0.0 else np.inf
        largest_rate = state.sums.largest_rate[first:stop].max()
        columns.append((bound, rate, squared_loss, largest_rate))
    return TheoremFiveBound(*np.array(columns).T)


def compute_payoff_range(game: SequenceForm) -> Floats:
    """Return Delta_i, the range of each player's utilities over the ends of the game, (n,)."""
    return np.asarray(np.diff(game.utility_range)[:, 0])


def sum_by_player(game: SequenceForm, infoset_values: Floats) -> Floats:
    """Return the sum of values of information sets, (I,), over those of each player, (n,)."""
    values_by_player = np.split(infoset_values, game.infoset_start[1:-1])
    return np.array([values.sum() for values in values_by_player])


def count_iterations(state: RegretTrackerState) -> int:
    """Return the number of iterations of a state, or raise SettingError if there was none."""
    if state.iteration == 0:
        raise SettingError("no iteration has been done; regret is an average over iterations.")
    return state.iteration


@kernel
def compute_best_fixed_values(block: Floats, gradient: Floats) -> Floats:
    """Return the largest value that each player's realization plan can have, (n,).

    The value of a plan is its scalar product with the player's part of `gradient`, (S,). `block` holds the compiled
    game. Information sets are visited backward, so each one sees the best values of those below it.
    """
    game = unpack_workspace(block)
    n = game.ids[0]
    value = gradient.copy()
    infoset = game.infosets[n]
    while infoset > 0:
        infoset -= ONE
        best = -np.inf
        for q in range(game.first[infoset], game.first[infoset] + game.size[infoset]):
            best = max(best, value[q])
        value[game.parent[infoset]] += best
    return value[:n]


def make_regret_columns(tracker: RegretTracker) -> tuple[Column, ...]:
    """Return the columns of a run that record each player's average regret and the bounds on it.

    For each player i = 1, 2, ... they are `regret_i`, `lemma_3_i` (Lemma 3's right side), `theorem_5_i` (Theorem 5's
    bound), `q_min_i` (its Q_min per iteration) and `largest_rate_i`. They are NaN before the first iteration.
    """
    unit = tracker.game.unit.plural
    measures: dict[str, Callable[[RegretTrackerState], Floats]] = {
        "regret": compute_average_regret,
        "lemma_3": compute_lemma_three_bound,
        "theorem_5": lambda state: compute_theorem_five_bound(state).bound,
        "q_min": lambda state: compute_theorem_five_bound(state).squared_loss / state.iteration,
        "largest_rate": lambda state: compute_theorem_five_bound(state).largest_rate,
    }

    def get_player_measure(
        player: int, measure: Callable[[RegretTrackerState], Floats], state: RegretTrackerState
    ) -> float:
        """Return what `measure` returns for one player, or NaN before the first iteration."""
        if state.iteration == 0:
            return np.nan
        return float(measure(state)[player])

    return tuple(
        Column(f"{name}_{player + 1}", name, unit, partial(get_player_measure, player, measure))
        for name, measure in measures.items()
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
    """Return player 1's regret and the bounds on it after simultaneous replicator steps in a zero-sum matrix game.

    Parameters
    ----------
    payoffs : sequence of sequences
        What player 1, who chooses the row, wins from player 2.
    shift : float
        The constant that is added to all payoffs to make them positive.
    steps : int
        The number of steps (eq. 3).
    """
    row_payoffs = np.asarray(payoffs, dtype=np.float64)
    game = bimatrix(row_payoffs, -row_payoffs)
    dynamics = ReplicatorDynamics(game, payoff_shift=shift, order="simultaneous")
    tracker = RegretTracker(dynamics)
    state = tracker.step(tracker.init(), steps)
    by_loss = compute_theorem_five_bound(state)
    by_utility = compute_theorem_five_bound(state, by_utility=True)
    return MatrixGameRegret(
        float(compute_average_regret(state)[0]),
        float(compute_lemma_three_bound(state)[0]),
        (float(by_loss.bound[0]), float(by_utility.bound[0])),
        float(by_loss.largest_rate.max()),
    )


def find_lemma_four_violations(state: RegretTrackerState) -> dict[str, tuple[float, float]]:
    """Return the information sets at which regret in losses exceeds the bound of Lemma 4.

    The bound is eta* Q_min + ln |A(I)| / eta*, with the eta* that the lemma's proof constructs.

    Returns
    -------
    dict
        By the label of the information set, the regret divided by the bound, which is above 1, and eta*.
    """
    rates = compute_fixed_rate(state)
    with np.errstate(divide="ignore"):  # a learner without losses has the rate 0
        bounds = rates * compute_best_action_squared_loss(state)
        bounds = bounds + np.log(state.game.num_actions) / rates
    ratios = compute_loss_regret(state) / bounds
    return {
        state.game.infoset_label[infoset]: (float(ratios[infoset]), float(rates[infoset]))
        for infoset in np.flatnonzero(ratios > 1)
    }


def sum_infoset_regrets(game: SequenceForm, payoff_shift: float, steps: int) -> Floats:
    """Return the total counterfactual regret of each information set, (I,), after alternating replicator steps.

    The regret of an information set is the largest total gain of an action there, summed over `steps` steps, in the
    game's unit.
    """
    dynamics = ReplicatorDynamics(game, payoff_shift=payoff_shift, order="alternating")
    state = dynamics.init()
    total_gains = np.zeros(game.num_players + game.num_probabilities)
    for _ in range(steps):
        following = dynamics.step(state)
        behavior = state.behavior.copy()  # to which the next player responds
        for sequences in game.player_sequences:
            # In arrays of shape (S,), the empty sequences of all players come first.
            own = slice(sequences.start + game.num_players, sequences.stop + game.num_players)
            gains = compute_growth(game.block, behavior)  # v(I, a) - V(I), eq. 9
            total_gains[own] += gains[own]
            behavior[own] = following.behavior[own]
        state = following
    return np.asarray(np.maximum.reduceat(total_gains, game.first_sequence))
