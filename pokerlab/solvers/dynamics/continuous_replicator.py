"""Sequence-form replicator dynamics in continuous time (Lanctot 2014, eq. 4)."""

import numpy as np

from pokerlab.core import ConvergenceError, UnknownNameError
from pokerlab.core.arrays import Floats
from pokerlab.core.kernel import kernel
from pokerlab.core.settings import number
from pokerlab.games import Profile, SequenceForm
from pokerlab.games.sequence_form.sweeps import counterfactual_values, realize, workspace
from pokerlab.solvers.dynamics.dynamics import DynamicsState
from pokerlab.solvers.protocol import LONGEST_TIME_STEP, check_interior, check_start, check_step

LEAST = 1e-300
"""Probabilities are taken to be at least this when an iteration begins."""
METHODS = ("RK23", "RK45", "DOP853", "Radau", "BDF", "LSODA")


class ContinuousReplicator:
    """The flow x'(q) = x(q) u_i(x with (g_q - x)), integrated piece by piece.

    In behavior form it reads sigma'(I, a) = sigma(I, a) (v(I, a) - V(I)), with v and V
    counterfactual values; integrated is the logarithm of sigma, which stays finite where
    probabilities vanish. The average is over time, by the same integrator.

    Parameters
    ----------
    game : SequenceForm
        Any number of players.
    time_step : float
        Time that one iteration covers, in 1 / unit of utility. The integrator takes steps of its
        own within.
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

    def init(self) -> DynamicsState:
        """Return the state in which nothing has been done."""
        return DynamicsState.begin(self.game, self.start)

    def step(self, state: DynamicsState, count: int = 1) -> DynamicsState:
        """Return the state `count` iterations after `state`."""
        count = check_step(self.game, state, count, DynamicsState)
        behavior, plan_sum = state.behavior, state.plan_sum
        for _ in range(count):
            behavior, passed = self.flow(behavior)
            plan_sum = plan_sum + passed
        return DynamicsState(self.game, state.iteration + count, behavior, plan_sum).frozen()

    def flow(self, behavior: Floats) -> tuple[Floats, Floats]:
        """Return behavior after `time_step`, and the mean of the plans on the way."""
        from scipy.integrate import solve_ivp

        size = behavior.size

        def growth(_: float, y: Floats) -> Floats:
            return rates(self.game.block, np.exp(y[:size]))

        start = np.concatenate([np.log(np.maximum(behavior, LEAST)), np.zeros(size)])
        path = solve_ivp(
            growth,
            (0.0, self.time_step),
            start,
            method=self.method,
            rtol=self.rtol,
            atol=self.atol,
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
