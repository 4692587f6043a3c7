"""Learning dynamics: the behavior of all players changes a little at each step, and their average behavior converges.

A state has the behavior that was played last, the behavior that comes next, and the sum of realization plans so far.
Fictitious play is that of Heinrich, Lanctot & Silver (2015), section 3. Sequence-form replicator dynamics are those of
Lanctot (2014), discrete by eqs. 3 and 5, in continuous time by eq. 4.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Self

import numpy as np

from pokerlab.core import Floats, checked_number, freeze, inlined, kernel
from pokerlab.games import Profile, SequenceForm
from pokerlab.games.tree_passes import (
    Workspace,
    compute_behavior,
    fill_best_response,
    fill_counterfactual_values,
    fill_plan,
    select_players,
    unpack_workspace,
)
from pokerlab.solvers.flow import integrate_flow
from pokerlab.solvers.protocol import (
    LONGEST_TIME_STEP,
    check_interior_start,
    check_payoff_shift,
    check_start,
    checked_count,
    is_alternating,
)


@dataclass(frozen=True, eq=False)
class DynamicsState:
    """The state of a dynamic after `iteration` steps.

    x(1) is the start; iteration t adds x(t) to the average and then updates. So after t iterations the average covers
    x(1) to x(t), the last iterate is x(t), and `current` is x(t + 1); at iteration 0 all three are x(1). Figures and
    columns that show "the current profile" at t show x(t), as papers do: `last_iterate`.

    In alternating order, too, x(t) is the profile with which iteration t began, although the later players
    then learn against x(t + 1) of those before them.

    Attributes
    ----------
    game : SequenceForm
        The game that is played.
    iteration : int
        The number of steps.
    behavior, last_behavior : array of shape (S,)
        The probabilities of x(t + 1) and of x(t), the n empty sequences first.
    plan_sum : array of shape (S,)
        The weighted sum of the realization plans so far.
    """

    REPLACED: ClassVar[Mapping[str, str]] = {"last_behavior": "behavior"}
    """Arrays that older checkpoints lack, and those that take their place until the next iteration."""

    game: SequenceForm
    iteration: int
    behavior: Floats
    last_behavior: Floats
    plan_sum: Floats

    @property
    def current(self) -> Profile:
        """The profile x(t + 1) of the next iteration; `last_iterate` is x(t)."""
        return self.make_profile(self.behavior)

    @property
    def last_iterate(self) -> Profile:
        """The profile x(t) of the last iteration, which the average has already counted; x(1) before the first."""
        return self.make_profile(self.last_behavior)

    @property
    def average(self) -> Profile:
        """The behavior of the averaged realization plans; uniform where their reach is zero."""
        if self.iteration == 0:
            return self.current
        return Profile.from_unchecked(self.game, compute_behavior(self.game.block, self.plan_sum))

    def make_profile(self, behavior: Floats) -> Profile:
        """Return the profile of a behavior, an array that begins with the empty sequences."""
        return Profile.from_unchecked(self.game, behavior[self.game.num_players :].copy())

    @classmethod
    def begin(cls, game: SequenceForm, start: Profile | None) -> Self:
        """Return the state before the first iteration, at a start or at the uniform profile; its sums are zero."""
        profile = game.uniform() if start is None else start
        behavior = np.concatenate([np.ones(game.num_players), profile.probabilities])
        sums = [np.zeros_like(behavior) for _ in fields(cls)[4:]]
        return cls(game, 0, behavior, behavior, *sums).freeze_arrays()

    def freeze_arrays(self) -> Self:
        """Make all arrays read-only and return the state."""
        freeze(*vars(self).values())
        return self


class Dynamics(ABC):
    """The base of learning dynamics, whose states are of the class `STATE`. Subclasses define `advance`."""

    STATE: ClassVar[type[DynamicsState]] = DynamicsState

    def __init__(
        self, game: SequenceForm, *, order: str = "alternating", start: Profile | None = None
    ) -> None:
        check_start(game, start)
        self.game, self.start = game, start
        self.alternating = is_alternating(order)

    def init(self) -> DynamicsState:
        """Return the state before the first iteration."""
        return self.STATE.begin(self.game, self.start)

    def step(self, state: DynamicsState, count: int = 1) -> DynamicsState:
        """Return the state `count` iterations after `state`."""
        count = checked_count(self.game, state, count, self.STATE)
        arrays = {field.name: getattr(state, field.name).copy() for field in fields(self.STATE)[2:]}
        last_behavior = arrays.pop("last_behavior")
        iteration = state.iteration + count
        if count > 1:
            self.advance(state.iteration, count - 1, **arrays)
        if count > 0:
            last_behavior[:] = arrays["behavior"]
            self.advance(iteration - 1, 1, **arrays)
        after = self.STATE(self.game, iteration, last_behavior=last_behavior, **arrays)
        return after.freeze_arrays()

    @abstractmethod
    def advance(self, done: int, count: int, *args: Any, **arrays: Any) -> None:
        """Run iterations, and overwrite the arrays of the state except `last_behavior`.

        Parameters
        ----------
        done : int
            How many iterations were run before.
        count : int
            How many iterations are run now.
        **arrays
            The arrays of the state, by the names of its fields.
        """


class FictitiousPlay(Dynamics):
    """Fictitious play: in each iteration every player plays a best response to the other players' averages so far.

    Averages are taken over realization plans, which is the same as averaging mixed strategies.

    Parameters
    ----------
    game : SequenceForm
        Any number of players.
    order : {'alternating', 'simultaneous'}
        Whether a player's average already includes the best response of this iteration when the next player responds.
    start : Profile, optional
        x(1); uniform if left out.
    """

    def advance(self, done: int, count: int, behavior: Floats, plan_sum: Floats) -> None:
        """Run `count` iterations after the first `done`, as in `Dynamics.advance`."""
        run_fictitious_play(self.game.block, behavior, plan_sum, done, count, self.alternating)


@kernel
def run_fictitious_play(
    block: Floats, behavior: Floats, plan_sum: Floats, done: int, count: int, alternating: bool
) -> None:
    """Run iterations of fictitious play.

    Parameters
    ----------
    block : array
        The game's block, as in `pokerlab.games.tree_passes`.
    behavior, plan_sum : array of shape (S,)
        The behavior of all players, and the sum of their plans; overwritten.
    done, count : int
        How many iterations were run before, and how many are run now.
    alternating : bool
        Whether a player's average includes its new best response when the next player responds.
    """
    game = unpack_workspace(block)
    n = game.ids[0]
    for t in range(done + 1, done + count + 1):
        for player in range(n):
            fill_plan(game, player, behavior)
        for q in range(n, plan_sum.size):
            plan_sum[q] += game.plan[q]
            game.plan[q] = plan_sum[q] / t
        for player in range(n):
            fill_best_response(game, player, behavior)
            if alternating:
                fill_plan(game, player, behavior)
                for infoset in range(game.infosets[player], game.infosets[player + 1]):
                    for q in range(game.first[infoset], game.first[infoset] + game.size[infoset]):
                        game.plan[q] = (plan_sum[q] + game.plan[q]) / (t + 1)


class ReplicatorDynamics(Dynamics):
    """Discrete-time replicator dynamics over realization plans, eq. 3 of Lanctot (2014).

    The weight of each sequence q is multiplied by u_i(x with g_q) / u_i(x): the player's payoff from forcing q and
    following x elsewhere, over its payoff from x.

    Parameters
    ----------
    game : SequenceForm
        Any number of players.
    payoff_shift : float
        Added to all utilities, in the game's unit, so that the quotient is defined; the paper uses
        3 (p. 6). The larger the shift, the smaller the step.
    order : {'alternating', 'simultaneous'}
        Eq. 3 as printed is simultaneous; alternating, in which each player already sees the new behavior of
        the players before it, gives the paper's numbers.
    floor : float
        The least probability of an action. With 0 probabilities underflow, after which an action
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
        check_payoff_shift(game, payoff_shift, "eq. 3")
        checked_number("floor", floor, 0.0, 1e-3)
        check_interior_start(start, "the replicator")
        self.payoff_shift, self.floor = float(payoff_shift), float(floor)

    def advance(self, done: int, count: int, behavior: Floats, plan_sum: Floats) -> None:
        """Run `count` iterations, as in `Dynamics.advance`."""
        run_replicator(
            self.game.block,
            behavior,
            plan_sum,
            count,
            self.payoff_shift,
            self.floor,
            self.alternating,
        )


@kernel
def run_replicator(
    block: Floats,
    behavior: Floats,
    plan_sum: Floats,
    count: int,
    shift: float,
    floor: float,
    alternating: bool,
) -> None:
    """Run iterations of eq. 3.

    Parameters
    ----------
    block : array
        The game's block, as in `pokerlab.games.tree_passes`.
    behavior, plan_sum : array of shape (S,)
        The behavior of all players, and the sum of their plans; overwritten.
    count : int
        How many iterations are run.
    shift : float
        Added to all utilities.
    floor : float
        The least probability of an action.
    alternating : bool
        Whether players update one after the other.
    """
    game = unpack_workspace(block)
    n = game.ids[0]
    fitness = np.empty(game.ids[1])
    for player in range(n):
        fill_plan(game, player, behavior)
    for _ in range(count):
        for player in range(n):
            fill_counterfactual_values(game, player, behavior)
            for updated in select_players(player, n, alternating):
                replicate_player(game, updated, shift, floor, behavior, plan_sum, fitness)


@inlined
def replicate_player(
    game: Workspace,
    player: int,
    shift: float,
    floor: float,
    behavior: Floats,
    plan_sum: Floats,
    fitness: Floats,
) -> None:
    """Add a player's plan to the sum, and multiply its behavior by the relative fitness of each choice.

    Parameters
    ----------
    game : Workspace
        The game, with the player's counterfactual values.
    player : int
        The player's index.
    shift, floor : float
        As in `run_replicator`.
    behavior, plan_sum : array of shape (S,)
        The player's part is overwritten.
    fitness : array of shape (S,)
        Overwritten: u_i(x with g_q), shifted, of each sequence q of the player.
    """
    fitness[player] = game.value[player] + shift  # u_i(x), shifted
    for infoset in range(game.infosets[player], game.infosets[player + 1]):
        begin = game.first[infoset]
        end = begin + game.size[infoset]
        parent = game.parent[infoset]
        reach = game.plan[parent]
        rest = fitness[parent] - game.infoset_value[infoset]
        # Where all payoffs are zero, eq. 3 would be 0 / 0, and no choice is fitter than another.
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
    """The replicator flow x'(q) = x(q) u_i(x with (g_q - x)), eq. 4 of Lanctot (2014), integrated to a tolerance.

    In behavior form it reads sigma'(I, a) = sigma(I, a) (v(I, a) - V(I)), with v and V
    counterfactual values. The average is over time, up to the present: after t iterations from 0 to t * `time_step`.
    The last profile in it is the one at that time, so `last_iterate` and `current` are the same.

    Parameters
    ----------
    game : SequenceForm
        Any number of players.
    time_step : float
        The time that one iteration covers, in 1 / unit of utility. The integrator divides it into steps of its own.
    rtol, atol : float
        The tolerance of one iteration: `rtol` bounds the relative error of each probability, and `atol` plus `rtol`
        that of each realization weight that it adds to the average.
    start : Profile, optional
        x(1), every action with positive probability; uniform if left out.

    Raises
    ------
    ConvergenceError
        By `step`, if the tolerance is out of reach: payoffs are too large for `time_step`, or the flow is chaotic over
        such a time.

    Notes
    -----
    `pokerlab.solvers.flow` integrates. An iteration begins from the state's probabilities alone, so it does not
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
        checked_number("time_step", time_step, 1e-9, LONGEST_TIME_STEP)
        checked_number("rtol", rtol, 1e-12, 1e-2)
        checked_number("atol", atol, 1e-14, 1e-2)
        check_start(game, start)
        check_interior_start(start, "the replicator")
        self.game, self.start, self.time_step = game, start, time_step
        self.rtol, self.atol = rtol, atol

    def step(self, state: DynamicsState, count: int = 1) -> DynamicsState:
        """Return the state `count` iterations after `state`."""
        after = super().step(state, count)
        return replace(after, last_behavior=after.behavior)

    def advance(self, done: int, count: int, behavior: Floats, plan_sum: Floats) -> None:
        """Run `count` iterations, as in `Dynamics.advance`."""
        game = self.game
        for _ in range(count):
            behavior[:], mean_plan = integrate_flow(
                lambda sigma: compute_growth(game.block, sigma),
                behavior,
                np.append(np.arange(game.num_players), game.first_sequence),
                self.time_step,
                rtol=self.rtol,
                atol=self.atol,
                name=game.name,
            )
            plan_sum += mean_plan


@kernel
def compute_growth(block: Floats, behavior: Floats) -> Floats:
    """Return the growth rates of all probabilities in eq. 4, and behind them the realization plans.

    Parameters
    ----------
    block : array
        The game's block, as in `pokerlab.games.tree_passes`.
    behavior : array of shape (S,)
        The behavior of all players.

    Returns
    -------
    array of shape (2 S,)
        d log(sigma) / dt = v(I, a) - V(I) for each sequence, then the realization weight of each.
    """
    game = unpack_workspace(block)
    n = game.ids[0]
    growth = np.zeros(2 * game.ids[1])
    for player in range(n):
        fill_plan(game, player, behavior)
    for player in range(n):
        fill_counterfactual_values(game, player, behavior)
    for infoset in range(game.first.size):
        for q in range(game.first[infoset], game.first[infoset] + game.size[infoset]):
            growth[q] = game.value[q] - game.infoset_value[infoset]
    growth[game.ids[1] :] = game.plan
    return growth
