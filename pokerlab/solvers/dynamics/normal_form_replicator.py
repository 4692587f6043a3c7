"""Replicator dynamics over mixed strategies of the normal form, in discrete and continuous time.

It is what Theorems 2 and 4 of Lanctot (2014) set beside the sequence form's dynamics, and needs a
row for every pure strategy; so it is for small games.
"""

from dataclasses import dataclass

import numpy as np

from pokerlab.core import ConvergenceError, SettingError
from pokerlab.core.arrays import Floats, freeze
from pokerlab.core.settings import number
from pokerlab.games import Profile, SequenceForm
from pokerlab.games.sequence_form.sweeps import behavior_of
from pokerlab.solvers.dynamics.replicator import LEAST
from pokerlab.solvers.protocol import (
    LONGEST_TIME_STEP,
    check_interior,
    check_start,
    check_step,
    is_alternating,
)
from pokerlab.strategies import NormalForm


@dataclass(frozen=True, eq=False)
class MixedState:
    """Where a dynamic over mixed strategies stands; time counts as in `DynamicsState`.

    Attributes
    ----------
    game : SequenceForm
        The game that is played.
    iteration : int
        Iterations done.
    mixed : ndarray of shape (K,)
        Present probability of every pure strategy, player after player.
    plan : ndarray of shape (S,)
        Its realization plans, the n empty sequences first.
    plan_sum : ndarray of shape (S,)
        Sum of the realization plans so far.
    """

    game: SequenceForm
    iteration: int
    mixed: Floats
    plan: Floats
    plan_sum: Floats

    def __post_init__(self) -> None:
        freeze(self.mixed, self.plan, self.plan_sum)

    @property
    def current(self) -> Profile:
        """The behavior that is realization equivalent to the present mixed strategies."""
        return Profile.computed(self.game, behavior_of(self.game.block, self.plan))

    @property
    def average(self) -> Profile:
        """The behavior of the averaged realization plans."""
        total = self.plan_sum if self.iteration else self.plan
        return Profile.computed(self.game, behavior_of(self.game.block, total))


class NormalFormReplicator:
    """Replicator dynamics in which every pure strategy is a replicator.

    Parameters
    ----------
    game : SequenceForm
        A small game.
    payoff_shift : float, optional
        Discrete time: rho(s) is multiplied by u_i(s) / u_i(rho), utilities shifted by this, in the
        game's unit.
    time_step : float, optional
        Continuous time, instead: an iteration integrates d rho(s)/dt = rho(s) (u_i(s) - u_i(rho))
        over this time, by scipy's integrator DOP853.
    order : {'simultaneous', 'alternating'}
        Discrete time only: whether a player sees what those before have just learned.
    start : Profile, optional
        x(1), turned into the mixture that chooses at each information set by itself; uniform if
        left out.
    """

    def __init__(
        self,
        game: SequenceForm,
        *,
        payoff_shift: float | None = None,
        time_step: float | None = None,
        order: str = "simultaneous",
        start: Profile | None = None,
    ) -> None:
        if (payoff_shift is None) == (time_step is None):
            raise SettingError(
                "give either payoff_shift (discrete time) or time_step (continuous)."
            )
        check_start(game, start)
        if payoff_shift is not None:
            game.check_shift(payoff_shift, "fitness")
        if time_step is not None:
            number("time_step", time_step, 1e-9, LONGEST_TIME_STEP)
        check_interior(start, "the replicator")
        self.game, self.payoff_shift, self.time_step, self.start = (
            game,
            payoff_shift,
            time_step,
            start,
        )
        self.alternating = is_alternating(order)
        if time_step is not None and self.alternating:
            raise SettingError("continuous time has no order of updates; leave order out.")

    def init(self) -> MixedState:
        """Return the state in which nothing has been done."""
        form = NormalForm(self.game)
        mixed = form.mixture(self.start or self.game.uniform())
        plan = form.realization(mixed)
        return MixedState(self.game, 0, mixed, plan, np.zeros_like(plan))

    def step(self, state: MixedState, count: int = 1) -> MixedState:
        """Return the state `count` iterations after `state`."""
        count = check_step(self.game, state, count, MixedState)
        form = NormalForm(self.game)
        mixed, plan, plan_sum = state.mixed.copy(), state.plan.copy(), state.plan_sum.copy()
        for _ in range(count):
            plan_sum += plan
            mixed = self.flow(form, mixed) if self.time_step else self.replicate(form, mixed, plan)
            plan = form.realization(mixed)
        return MixedState(self.game, state.iteration + count, mixed, plan, plan_sum)

    def replicate(self, form: NormalForm, mixed: Floats, plan: Floats) -> Floats:
        """Return the mixed strategies one discrete step on."""
        assert self.payoff_shift is not None
        new = mixed.copy()
        for player, mine in enumerate(form.players):
            against = form.realization(new) if self.alternating else plan
            grown = new[mine] * (form.utilities(against, player) + self.payoff_shift)
            if grown.sum() > 0.0:  # where nothing is won at all, nothing is fitter
                new[mine] = grown / grown.sum()
        return new

    def flow(self, form: NormalForm, mixed: Floats) -> Floats:
        """Return the mixed strategies after `time_step`; integrates logarithms, which stay finite."""
        from scipy.integrate import solve_ivp

        def growth(_: float, logarithm: Floats) -> Floats:
            rho = np.exp(logarithm)
            plan = form.realization(rho)
            rates = np.empty_like(rho)
            for player, mine in enumerate(form.players):
                utility = form.utilities(plan, player)
                rates[mine] = utility - rho[mine] @ utility
            return rates

        path = solve_ivp(
            growth,
            (0.0, self.time_step),
            np.log(np.maximum(mixed, LEAST)),
            method="DOP853",
            rtol=1e-10,
            atol=1e-12,
        )
        if not path.success:
            raise ConvergenceError(
                f"DOP853 stopped in {self.game.name}: {path.message} Use a smaller time_step."
            )
        new = np.exp(path.y[:, -1])
        for mine in form.players:
            new[mine] /= new[mine].sum()
        return np.asarray(new)
