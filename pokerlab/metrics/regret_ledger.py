"""What each player could have won, written down while a solver runs.

A `Watched` solver takes the same steps as the solver it watches and keeps a ledger beside: sums
over iterations, from which `pokerlab.metrics.regret` reads regrets and the bounds of Lanctot (2014),
section 3.2. With alternating updates a player is measured against what it saw: the new strategies of
those before it, the old ones of those after.
"""

from dataclasses import dataclass
from typing import NamedTuple, Protocol, Self

import numpy as np

from pokerlab.core import GameError, SettingError
from pokerlab.core.arrays import Floats, freeze
from pokerlab.core.kernel import inlined, kernel
from pokerlab.core.settings import LARGEST_COUNT, whole
from pokerlab.games import Profile, SequenceForm
from pokerlab.games.sequence_form.sweeps import Workspace, counterfactual_values, realize, workspace

NUM_POWERS = 24
"""Powers of the learners' losses that are summed: with rates up to 1/2 the rest is below 1e-8."""


class Ledger(NamedTuple):
    """Sums over iterations t.

    Attributes
    ----------
    utility : ndarray of shape (n,)
        Of u_i(x^t).
    gradient : ndarray of shape (S,)
        Of the gradient of u_i in the player's own plan.
    gain : ndarray of shape (S,)
        Of v(I, a) - V(I), eq. 9.
    loss, squared_loss : ndarray of shape (S,)
        Of l(I, a), eq. 8, and of its square.
    largest_rate : ndarray of shape (I,)
        Not a sum: the largest eta_I(t) so far, Theorem 5's condition.
    shrinkage : ndarray of shape (I,)
        Of log(1 - eta_I(t) F^t), where F^t is the learner's loss, the sum over a of sigma(I, a)
        l(I, a).
    learner_powers : ndarray of shape (NUM_POWERS, I)
        Of F^t, of its square, its cube, ...
    """

    utility: Floats
    gradient: Floats
    gain: Floats
    loss: Floats
    squared_loss: Floats
    largest_rate: Floats
    shrinkage: Floats
    learner_powers: Floats

    @classmethod
    def blank(cls, game: SequenceForm) -> Self:
        """Return the ledger in which nothing has been written."""
        players, infosets = game.num_players, sum(game.num_infosets)
        sequences = players + game.num_probabilities
        return cls(
            np.zeros(players),
            np.zeros(sequences),
            np.zeros(sequences),
            np.zeros(sequences),
            np.zeros(sequences),
            np.zeros(infosets),
            np.zeros(infosets),
            np.zeros((NUM_POWERS, infosets)),
        )


class Dynamics(Protocol):
    """What is needed of a solver's state."""

    @property
    def iteration(self) -> int:
        """Iterations done."""

    @property
    def behavior(self) -> Floats:
        """Present probabilities of all sequences, (S,), the n empty ones first."""

    @property
    def current(self) -> Profile:
        """What is played now."""

    @property
    def average(self) -> Profile:
        """The behavior of the averaged realization plans."""


class Watchable(Protocol):
    """What is needed of a solver."""

    game: SequenceForm
    alternating: bool

    def init(self) -> Dynamics:
        """Return the state in which nothing has been done."""

    def step(self, state: Dynamics, count: int = 1) -> Dynamics:
        """Return the state `count` iterations after `state`."""


@dataclass(frozen=True, eq=False)
class WatchedState:
    """A solver's state and the ledger of all iterations before it.

    Attributes
    ----------
    game : SequenceForm
        The game that is played.
    dynamics : DynamicsState
        Where the solver stands.
    ledger : Ledger
        What has been written down.
    """

    game: SequenceForm
    dynamics: Dynamics
    ledger: Ledger

    @property
    def iteration(self) -> int:
        """Iterations done."""
        return self.dynamics.iteration

    @property
    def current(self) -> Profile:
        """What is played now."""
        return self.dynamics.current

    @property
    def average(self) -> Profile:
        """The behavior of the averaged realization plans."""
        return self.dynamics.average


class Watched:
    """A solver that keeps a ledger of regrets and losses while it runs.

    Parameters
    ----------
    solver : Solver
        One whose states have `behavior`: the replicator, polynomial weights, the CFR family.
    payoff_shift : float, optional
        Added to utilities in the rates eta_I; the solver's own if left out.

    Examples
    --------
    >>> import pokerlab as pl
    >>> game = pl.games.kuhn()
    >>> watched = Watched(pl.solvers.ReplicatorDynamics(game, payoff_shift=3.0))
    >>> pl.metrics.average_regret(watched.step(watched.init(), 100)).round(3)
    array([0.077, 0.098])
    """

    def __init__(self, solver: Watchable, *, payoff_shift: float | None = None) -> None:
        shift = getattr(solver, "payoff_shift", None) if payoff_shift is None else payoff_shift
        if shift is None:
            raise SettingError(
                f"{type(solver).__name__} has no payoff_shift; give the one to use in the rates."
            )
        if not hasattr(solver, "alternating"):
            raise SettingError(
                f"{type(solver).__name__} takes no discrete steps in an order; watch another solver."
            )
        solver.game.check_shift(shift, "a rate")
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
        whole("count", count, 0, LARGEST_COUNT)
        ledger = Ledger(*(array.copy() for array in state.ledger))
        for _ in range(count):
            after = self.solver.step(dynamics)
            write(
                self.game.block,
                dynamics.behavior,
                after.behavior,
                self.solver.alternating,
                self.payoff_shift,
                ledger,
            )
            dynamics = after
        freeze(*ledger)
        return WatchedState(self.game, dynamics, ledger)


@kernel
def write(
    block: Floats,
    before: Floats,
    after: Floats,
    alternating: bool,
    shift: float,
    ledger: Ledger,
) -> None:
    """Add one iteration, which turned behavior `before` into `after`; overwrites `ledger`."""
    game = workspace(block)
    n = game.ids[0]
    fitness = np.empty(game.ids[1])
    for player in range(n):
        realize(game, player, before)
    for player in range(n):
        counterfactual_values(game, player, before)
        write_player(game, player, before, shift, ledger, fitness)
        if alternating:
            realize(game, player, after)


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
