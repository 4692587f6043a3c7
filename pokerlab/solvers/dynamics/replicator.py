"""Sequence-form replicator dynamics (Lanctot 2014): discrete by eqs. 3 and 5, in continuous time by eq. 4."""

from dataclasses import replace

import numpy as np

from pokerlab.core import Floats, inlined, kernel, number
from pokerlab.games import Profile, SequenceForm
from pokerlab.games.sequence_form.sweeps import (
    Workspace,
    counterfactual_values,
    players_to_update,
    realize,
    workspace,
)
from pokerlab.solvers.dynamics.flow import integrate_flow
from pokerlab.solvers.dynamics.state import Dynamics, DynamicsState
from pokerlab.solvers.protocol import LONGEST_TIME_STEP, check_interior, check_shift, check_start


class ReplicatorDynamics(Dynamics):
    """Discrete-time replicator dynamics over realization plans, eq. 3 of Lanctot (2014).

    Each sequence q is multiplied by u_i(x with g_q) / u_i(x): what the player would get by playing
    to make the choice q and otherwise x, over what x gets.

    Parameters
    ----------
    game : SequenceForm
        Any number of players.
    payoff_shift : float
        Added to all utilities, in the game's unit, so that the quotient is defined; the paper uses
        3 (p. 6). The larger the shift, the smaller the step.
    order : {'alternating', 'simultaneous'}
        Eq. 3 as printed is simultaneous; alternating, in which each player already sees what those
        before now do, gives the paper's numbers.
    floor : float
        Probabilities are kept from falling below it. 0 lets them underflow, after which an action
        is never played again.
    start : Profile, optional
        x(1), every action with positive probability; uniform if left out.

    Notes
    -----
    With v(I, a) the counterfactual value of a choice and V(I) that of the behavior at I, u_i(x with g_q) = u_i(x) +
    the sum over (I, a) on the path to q of v(I, a) - V(I). So an iteration is one backward and one forward pass for
    each player. Behavior is updated rather than plans: multiplying plans directly drifts off the constraints.
    Independent definition: `pokerlab.reference`.

    Examples
    --------
    >>> import pokerlab as pl
    >>> dynamics = pl.solvers.ReplicatorDynamics(pl.games.kuhn(), payoff_shift=3.0)
    >>> dynamics.step(dynamics.init(), 100).iteration
    100
    """

    def __init__(
        self,
        game: SequenceForm,
        *,
        payoff_shift: float,
        order: str = "alternating",
        floor: float = 1e-300,
        start: Profile | None = None,
    ) -> None:
        super().__init__(game, order=order, start=start)
        check_shift(game, payoff_shift, "eq. 3")
        number("floor", floor, 0.0, 1e-3)
        check_interior(start, "the replicator")
        self.payoff_shift, self.floor = float(payoff_shift), float(floor)

    def advance(self, done: int, count: int, behavior: Floats, plan_sum: Floats) -> None:
        """Do `count` iterations."""
        replicator_steps(
            self.game.block,
            behavior,
            plan_sum,
            count,
            self.payoff_shift,
            self.floor,
            self.alternating,
        )


@kernel
def replicator_steps(
    block: Floats,
    behavior: Floats,
    plan_sum: Floats,
    count: int,
    shift: float,
    floor: float,
    alternating: bool,
) -> None:
    """Do `count` iterations; overwrites `behavior` and `plan_sum`."""
    game = workspace(block)
    n = game.ids[0]
    fitness = np.empty(game.ids[1])
    for player in range(n):
        realize(game, player, behavior)
    for _ in range(count):
        for player in range(n):
            counterfactual_values(game, player, behavior)
            for updated in players_to_update(player, n, alternating):
                replicate(game, updated, shift, floor, behavior, plan_sum, fitness)


@inlined
def replicate(
    game: Workspace,
    player: int,
    shift: float,
    floor: float,
    behavior: Floats,
    plan_sum: Floats,
    fitness: Floats,
) -> None:
    """Add the plan to the average, and multiply behavior by the fitness of each choice."""
    fitness[player] = game.value[player] + shift  # u_i(x), shifted
    for infoset in range(game.infosets[player], game.infosets[player + 1]):
        begin = game.first[infoset]
        end = begin + game.size[infoset]
        parent = game.parent[infoset]
        reach = game.plan[parent]
        rest = fitness[parent] - game.infoset_value[infoset]
        # Where nothing is won at all eq. 3 reads 0 / 0: no choice is fitter than another.
        scale = 1.0 / fitness[parent] if fitness[parent] > 0.0 else 0.0
        total = 0.0
        for q in range(begin, end):
            plan_sum[q] += game.plan[q]
            fitness[q] = rest + game.value[q]  # u_i(x with g_q), eq. 5
            growth = fitness[q] * scale if scale > 0.0 else 1.0  # eq. 3, for q over for its parent
            behavior[q] = max(behavior[q] * growth, floor)
            total += behavior[q]
        for q in range(begin, end):
            behavior[q] /= total
            game.plan[q] = reach * behavior[q]


class ContinuousReplicator(Dynamics):
    """The flow x'(q) = x(q) u_i(x with (g_q - x)), integrated to a stated tolerance.

    In behavior form it reads sigma'(I, a) = sigma(I, a) (v(I, a) - V(I)), with v and V
    counterfactual values. The average is over time, up to the present: after t iterations from 0 to t * `time_step`.
    The last profile in it is the one at that time, so `last_iterate` and `current` are the same.

    Parameters
    ----------
    game : SequenceForm
        Any number of players.
    time_step : float
        Time that one iteration covers, in 1 / unit of utility. The integrator takes steps of its own within.
    rtol, atol : float
        How exact one iteration is: by `rtol` of each probability, and by `atol` plus `rtol` of each realization weight
        that it adds to the average.
    start : Profile, optional
        x(1), every action with positive probability; uniform if left out.

    Raises
    ------
    ConvergenceError
        By `step`, if the tolerance is out of reach: payoffs are too large for `time_step`, or the flow is chaotic over
        such a time.

    Notes
    -----
    `pokerlab.solvers.dynamics.flow` says how. An iteration begins from the state's probabilities alone, so it does not
    matter how iterations are divided among calls of `step`.
    """

    def __init__(
        self,
        game: SequenceForm,
        *,
        time_step: float,
        rtol: float = 1e-8,
        atol: float = 1e-10,
        start: Profile | None = None,
    ) -> None:
        number("time_step", time_step, 1e-9, LONGEST_TIME_STEP)
        number("rtol", rtol, 1e-12, 1e-2)
        number("atol", atol, 1e-14, 1e-2)
        check_start(game, start)
        check_interior(start, "the replicator")
        self.game, self.start, self.time_step = game, start, time_step
        self.rtol, self.atol = rtol, atol

    def step(self, state: DynamicsState, count: int = 1) -> DynamicsState:
        """Return the state `count` iterations after `state`."""
        after = super().step(state, count)
        return replace(after, last_behavior=after.behavior)

    def advance(self, done: int, count: int, behavior: Floats, plan_sum: Floats) -> None:
        """Do `count` iterations."""
        game = self.game
        for _ in range(count):
            behavior[:], passed = integrate_flow(
                lambda sigma: rates(game.block, sigma),
                behavior,
                np.append(np.arange(game.num_players), game.first_sequence),
                self.time_step,
                rtol=self.rtol,
                atol=self.atol,
                name=game.name,
            )
            plan_sum += passed


@kernel
def rates(block: Floats, behavior: Floats) -> Floats:
    """Return d log(sigma) / dt for every sequence, (S,), then its plan, (S,)."""
    game = workspace(block)
    n = game.ids[0]
    growth = np.zeros(2 * game.ids[1])
    for player in range(n):
        realize(game, player, behavior)
    for player in range(n):
        counterfactual_values(game, player, behavior)
    for infoset in range(game.first.size):
        for q in range(game.first[infoset], game.first[infoset] + game.size[infoset]):
            growth[q] = game.value[q] - game.infoset_value[infoset]
    growth[game.ids[1] :] = game.plan
    return growth
