"""Sequence-form replicator dynamics (Lanctot 2014): discrete by eqs. 3 and 5, in continuous time by eq. 4."""

import numpy as np

from pokerlab.core import ConvergenceError, Floats, UnknownNameError, inlined, kernel, number
from pokerlab.games import Profile, SequenceForm
from pokerlab.games.sequence_form.sweeps import (
    Workspace,
    counterfactual_values,
    players_to_update,
    realize,
    workspace,
)
from pokerlab.solvers.dynamics.state import Dynamics
from pokerlab.solvers.protocol import LONGEST_TIME_STEP, check_interior, check_shift, check_start

LEAST = 1e-300  # probabilities are taken to be at least this when an iteration begins
METHODS = ("RK23", "RK45", "DOP853", "Radau", "BDF", "LSODA")


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
    """The flow x'(q) = x(q) u_i(x with (g_q - x)), integrated piece by piece.

    In behavior form it reads sigma'(I, a) = sigma(I, a) (v(I, a) - V(I)), with v and V
    counterfactual values; integrated is the logarithm of sigma, which stays finite where
    probabilities vanish. The average is over time, by the same integrator.

    Parameters
    ----------
    game : SequenceForm
        Any number of players.
    time_step : float
        Time that one iteration covers, in 1 / unit of utility. The integrator takes steps of its own within.
    method : str
        One of scipy's integrators.
    rtol, atol : float
        Its relative and absolute tolerance.
    start : Profile, optional
        x(1), every action with positive probability; uniform if left out.
    """

    def __init__(
        self,
        game: SequenceForm,
        *,
        time_step: float,
        method: str = "RK45",
        rtol: float = 1e-8,
        atol: float = 1e-10,
        start: Profile | None = None,
    ) -> None:
        UnknownNameError.check("integrator", method, METHODS)
        number("time_step", time_step, 1e-9, LONGEST_TIME_STEP)
        number("rtol", rtol, 1e-14, 1e-2)
        number("atol", atol, 1e-14, 1e-2)
        check_start(game, start)
        check_interior(start, "the replicator")
        self.game, self.start, self.time_step = game, start, time_step
        self.method, self.rtol, self.atol = method, rtol, atol

    def advance(self, done: int, count: int, behavior: Floats, plan_sum: Floats) -> None:
        """Do `count` iterations."""
        for _ in range(count):
            behavior[:], passed = self.flow(behavior)
            plan_sum += passed

    def flow(self, behavior: Floats) -> tuple[Floats, Floats]:
        """Return behavior after `time_step`, and the mean of the plans on the way."""
        from scipy.integrate import solve_ivp

        size = behavior.size

        def growth(_: float, y: Floats) -> Floats:
            return rates(self.game.block, np.exp(y[:size]))

        start = np.concatenate([np.log(np.maximum(behavior, LEAST)), np.zeros(size)])
        path = solve_ivp(
            growth, (0.0, self.time_step), start, method=self.method, rtol=self.rtol, atol=self.atol
        )
        if not path.success:
            raise ConvergenceError(
                f"{self.method} stopped in {self.game.name}: {path.message} Use a smaller time_step"
                " or a method for stiff systems: Radau, BDF or LSODA."
            )
        end = path.y[:, -1]
        new = np.exp(end[:size])
        n, game = self.game.num_players, self.game
        totals = np.add.reduceat(new, game.first_sequence)
        new[n:] /= np.repeat(totals, game.num_actions)
        return new, end[size:] / self.time_step


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
