"""Regret along a run, and the bounds on it of section 3.2, from a ledger that is kept while a solver runs.

A `Watched` solver takes the same steps as the solver it watches and keeps a ledger beside: sums over
iterations. With alternating updates a player is measured against what it saw: the new strategies of
those before it, the old ones of those after.

Regret here is divided by the number of iterations, as in the paper: how much more a player would have
won, per iteration, by the best fixed plan against what the others did. Each function returns one number a
player.
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
"""Powers of the learners' losses that are summed: with rates up to 1/2 the rest is below 1e-8."""
MOST_RATE = 0.5
"""The learning rate up to which the bound of polynomial weights holds."""


class Ledger(NamedTuple):
    """Sums over iterations t; all but `largest_rate`, the largest eta_I(t) so far, Theorem 5's condition."""

    utility: Floats  # (n,): u_i(x^t)
    gradient: Floats  # (S,): of u_i in the player's own plan
    gain: Floats  # (S,): v(I, a) - V(I), eq. 9
    loss: Floats  # (S,): l(I, a), eq. 8
    squared_loss: Floats  # (S,)
    largest_rate: Floats  # (I,)
    shrinkage: Floats  # (I,): log(1 - eta_I(t) F^t), F^t the sum over a of sigma(I, a) l(I, a)
    learner_powers: Floats  # (NUM_POWERS, I): F^t, its square, its cube, ...

    @classmethod
    def blank(cls, game: SequenceForm) -> Self:
        """Return the ledger in which nothing has been written."""
        players, infosets = game.num_players, sum(game.num_infosets)
        sequences = (players + game.num_probabilities,)
        shapes = (players,), *[sequences] * 4, (infosets,), (infosets,), (NUM_POWERS, infosets)
        return cls(*map(np.zeros, shapes))


@dataclass(frozen=True, eq=False)
class WatchedState:
    """A solver's state and the ledger of all iterations before it."""

    game: SequenceForm
    dynamics: Any
    ledger: Ledger

    @property
    def iteration(self) -> int:
        """Iterations done."""
        return int(self.dynamics.iteration)

    @property
    def current(self) -> Profile:
        """x(t + 1), what the next iteration plays."""
        current: Profile = self.dynamics.current
        return current

    @property
    def average(self) -> Profile:
        """The behavior of the averaged realization plans."""
        average: Profile = self.dynamics.average
        return average


class Watched:
    """A solver that keeps a ledger of regrets and losses while it runs.

    Its states need `behavior`, as those of the replicator, polynomial weights and the CFR family. `payoff_shift` is
    added to utilities in the rates eta_I; the solver's own if left out.
    """

    def __init__(self, solver: Any, *, payoff_shift: float | None = None) -> None:
        shift = getattr(solver, "payoff_shift", None) if payoff_shift is None else payoff_shift
        if shift is None:
            raise SettingError(
                f"{type(solver).__name__} has no payoff_shift; give the one to use in the rates."
            )
        if not hasattr(solver, "alternating"):
            raise SettingError(
                f"{type(solver).__name__} takes no discrete steps in an order; watch another solver."
            )
        check_payoff_shift(solver.game, shift, "a rate")
        self.solver, self.game, self.payoff_shift = solver, solver.game, float(shift)

    def init(self) -> WatchedState:
        """Return the state in which nothing has been done."""
        return WatchedState(self.game, self.solver.init(), Ledger.blank(self.game))

    def step(self, state: WatchedState, count: int = 1) -> WatchedState:
        """Return the state `count` iterations after `state`."""
        if not isinstance(state, WatchedState):
            raise GameError(
                f"the state is a {type(state).__name__} and keeps no ledger. Begin with the watched"
                " solver's own init()."
            )
        dynamics = self.solver.step(state.dynamics, 0)  # refuses the states of other games
        checked_integer("count", count, 0, LARGEST_COUNT)
        ledger = Ledger(*(array.copy() for array in state.ledger))
        alternating, shift = self.solver.alternating, self.payoff_shift
        for _ in range(count):
            after = self.solver.step(dynamics)
            write(self.game.block, dynamics.behavior, after.behavior, alternating, shift, ledger)
            dynamics = after
        freeze(*ledger)
        return WatchedState(self.game, dynamics, ledger)


@kernel
def write(
    block: Floats, before: Floats, after: Floats, alternating: bool, shift: float, ledger: Ledger
) -> None:
    """Add one iteration, which turned behavior `before` into `after`; overwrites `ledger`."""
    game = unpack_workspace(block)
    n = game.ids[0]
    fitness = np.empty(game.ids[1])
    for player in range(n):
        fill_plan(game, player, before)
    for player in range(n):
        fill_counterfactual_values(game, game.ends, player, before)
        write_player(game, player, before, shift, ledger, fitness)
        if alternating:
            fill_plan(game, player, after)


@inlined
def write_player(
    game: Workspace, player: int, behavior: Floats, shift: float, ledger: Ledger, fitness: Floats
) -> None:
    """Add what one player met, whose choices have just been valued."""
    ledger.utility[player] += game.value[player]
    ledger.gradient[player] += game.value[player]
    fitness[player] = game.value[player] + shift
    for infoset in range(game.infosets[player], game.infosets[player + 1]):
        begin = game.first[infoset]
        end = begin + game.size[infoset]
        parent = game.parent[infoset]
        expected = game.infoset_value[infoset]
        # A choice's value holds those of the information sets below it; its gradient does not.
        ledger.gradient[parent] -= expected
        best, worst = -np.inf, np.inf
        for q in range(begin, end):
            gain = game.value[q] - expected
            ledger.gradient[q] += game.value[q]
            ledger.gain[q] += gain
            fitness[q] = fitness[parent] + gain  # u_i(x with g_q), eq. 5
            best = max(best, fitness[q])
            worst = min(worst, fitness[q])
        spread = best - worst
        learner = 0.0
        for q in range(begin, end):
            loss = (best - fitness[q]) / spread if spread > 0.0 else 0.0  # eq. 8
            ledger.loss[q] += loss
            ledger.squared_loss[q] += loss * loss
            learner += behavior[q] * loss
        rate = spread / best if best > 0.0 else 0.0  # Lemma 1
        ledger.largest_rate[infoset] = max(ledger.largest_rate[infoset], rate)
        ledger.shrinkage[infoset] += np.log1p(-rate * learner)
        power = 1.0
        for k in range(NUM_POWERS):
            power *= learner
            ledger.learner_powers[k, infoset] += power


def average_regret(state: WatchedState) -> Floats:
    """Return each player's average overall regret, (n,).

    The largest, over fixed plans, of the mean over iterations of what the plan would have won,
    less what was won.
    """
    best = best_fixed_values(state.game.block, state.ledger.gradient)
    return np.asarray(best - state.ledger.utility) / iterations_of(state)


def loss_bound(state: WatchedState) -> Floats:
    """Return the right side of Lemma 3, (n,): Delta_i / T times the sum of positive loss regrets."""
    positive = np.maximum(loss_regret(state), 0.0)
    return payoff_range(state.game) * by_player(state.game, positive) / iterations_of(state)


def loss_regret(state: WatchedState) -> Floats:
    """Return each learner's regret in losses, (I,): the largest sum over t of l_sigma - l_a."""
    least = np.minimum.reduceat(state.ledger.loss, state.game.first_sequence)
    return np.asarray(state.ledger.learner_powers[0] - least)


def least_squared_loss(state: WatchedState, *, won: bool = False) -> Floats:
    """Return Q_min of each learner, (I,): the summed squares of the losses of its best action.

    The best has the least total loss, as in the theorem on polynomial weights, or `won` most (eq. 6).
    """
    ledger, game = state.ledger, state.game
    blocks = zip(game.first_sequence.tolist(), game.num_actions.tolist(), strict=True)
    cost = -ledger.gain if won else ledger.loss
    best = [q + int(np.argmin(cost[q : q + size])) for q, size in blocks]
    return ledger.squared_loss[best]


def fixed_rate(state: WatchedState) -> Floats:
    """Return eta* of each learner, (I,): the fixed rate that Lemma 4 puts in place of the varying ones.

    The eta for which the product over t of 1 - eta F^t is that of 1 - eta_I(t) F^t; zero for a
    learner without losses.
    """
    from scipy.optimize import brentq

    rates = np.zeros(len(state.ledger.shrinkage))
    for infoset, shrinkage in enumerate(state.ledger.shrinkage.tolist()):
        sums = state.ledger.learner_powers[:, infoset]
        coefficients = np.concatenate([[shrinkage], sums / np.arange(1, len(sums) + 1)])
        series = np.polynomial.Polynomial(coefficients)
        if shrinkage == -np.inf:  # a rate of 1 met a loss of 1
            rates[infoset] = 1.0
        elif shrinkage < 0.0:
            rates[infoset] = brentq(series, 0.0, 1.0)
    return rates


class TheoremFive(NamedTuple):
    """Theorem 5, player by player, (n,) each; eta* and Q_min are those of the learner with the largest Q_min."""

    bound: Floats
    rate: Floats
    squared_loss: Floats
    largest_rate: Floats

    @property
    def applies(self) -> bool:
        """Whether the theorem's condition holds."""
        return bool(self.largest_rate.max() <= MOST_RATE)


def theorem_five(state: WatchedState, *, won: bool = False) -> TheoremFive:
    """Return the bound Delta_i |I_i| / (eta* T) (ln |A_i| + eta*^2 Q_min) and what it is made of.

    `won`: Q_min belongs to what won most (see `least_squared_loss`).
    """
    game = state.game
    rates, squared = fixed_rate(state), least_squared_loss(state, won=won)
    columns = []
    for player in range(game.num_players):
        mine = slice(*game.infoset_start[player : player + 2])
        if mine.start == mine.stop:  # who never chooses has no regret
            columns.append((0.0, 0.0, 0.0, 0.0))
            continue
        chosen = mine.start + int(np.argmax(squared[mine]))
        rate, q_min = rates[chosen], squared[chosen]
        learning = np.log(game.num_actions[mine].max()) + rate**2 * q_min
        scale = payoff_range(game)[player] * game.num_infosets[player] / iterations_of(state)
        bound = scale * learning / rate if rate > 0.0 else np.inf
        columns.append((bound, rate, q_min, state.ledger.largest_rate[mine].max()))
    return TheoremFive(*np.array(columns).T)


def payoff_range(game: SequenceForm) -> Floats:
    """Return Delta_i, the range of each player's utilities over the ends of the game, (n,)."""
    return np.asarray(np.diff(game.utility_range)[:, 0])


def by_player(game: SequenceForm, at_infosets: Floats) -> Floats:
    """Return the sums over each player's information sets, (n,), of a vector (I,)."""
    return np.array([part.sum() for part in np.split(at_infosets, game.infoset_start[1:-1])])


def iterations_of(state: WatchedState) -> int:
    """Return how many iterations there were: at least one."""
    if state.iteration == 0:
        raise SettingError("no iteration has been done; regret is an average over iterations.")
    return state.iteration


@kernel
def best_fixed_values(block: Floats, gradient: Floats) -> Floats:
    """Return the most that each player's plans make of a `gradient`, (S,): values (n,)."""
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


def regret_columns(watched: Watched) -> tuple[Column, ...]:
    """Return each player's average regret, Lemma 3's right side and Theorem 5's bound."""
    unit = watched.game.unit.plural
    measures: dict[str, Callable[[WatchedState], Floats]] = {
        "regret": average_regret,
        "lemma_3": loss_bound,
        "theorem_5": lambda state: theorem_five(state).bound,
        "q_min": lambda state: theorem_five(state).squared_loss / state.iteration,
        "largest_rate": lambda state: theorem_five(state).largest_rate,
    }

    def value(player: int, measure: Callable[[WatchedState], Floats], state: WatchedState) -> float:
        return float(measure(state)[player]) if state.iteration else np.nan

    return tuple(
        Column(f"{name}_{player + 1}", name, unit, partial(value, player, measure))
        for name, measure in measures.items()
        for player in range(watched.game.num_players)
    )


class MatrixGameRegret(NamedTuple):
    """Regret of player 1 in a matrix game, a mean over steps, and the bounds of section 3.2 on it."""

    regret: float
    lemma_3: float
    theorem_5: tuple[
        float, float
    ]  # Q_min of the action with the least loss, and of the one that won most
    largest_rate: float


def measure_matrix_game(
    payoff: Sequence[Sequence[float]], shift: float, steps: int
) -> MatrixGameRegret:
    """Return player 1's regret and the bounds on it in a zero-sum matrix game, after simultaneous steps."""
    own = np.asarray(payoff, dtype=np.float64)
    game = bimatrix(own, -own)
    watched = Watched(ReplicatorDynamics(game, payoff_shift=shift, order="simultaneous"))
    state = watched.step(watched.init(), steps)
    fives = [theorem_five(state, won=won) for won in (False, True)]
    return MatrixGameRegret(
        float(average_regret(state)[0]),
        float(loss_bound(state)[0]),
        (float(fives[0].bound[0]), float(fives[1].bound[0])),
        float(fives[0].largest_rate.max()),
    )


def compare_lemma_four(state: WatchedState) -> dict[str, tuple[float, float]]:
    """Return regret in losses over Lemma 4's bound, and the eta* of its proof, where the bound is exceeded."""
    rate = fixed_rate(state)
    with np.errstate(divide="ignore"):
        bound = rate * least_squared_loss(state) + np.log(state.game.num_actions) / rate
    shares = loss_regret(state) / bound
    return {
        state.game.infoset_label[i]: (float(shares[i]), float(rate[i]))
        for i in np.flatnonzero(shares > 1)
    }


def sum_gains(game: SequenceForm, payoff_shift: float, steps: int) -> Floats:
    """Return the regret of each information set in chips, (I,), after alternating steps: a total over steps."""
    dynamics = ReplicatorDynamics(game, payoff_shift=payoff_shift, order="alternating")
    now, total = dynamics.init(), np.zeros(game.num_players + game.num_probabilities)
    for _ in range(steps):
        after, seen = dynamics.step(now), now.behavior.copy()
        for sequences in game.player_sequences:
            mine = slice(sequences.start + game.num_players, sequences.stop + game.num_players)
            total[mine] += compute_growth(game.block, seen)[mine]  # v(I, a) - V(I), eq. 9
            seen[mine] = after.behavior[mine]  # the players after it respond to this
        now = after
    return np.asarray(np.maximum.reduceat(total, game.first_sequence))
