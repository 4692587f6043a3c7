"""Learning dynamics, in which all players change their behavior at each step: fictitious play and replicator dynamics.

A state contains the profile of the last iteration, the profile of the next one, and the sum of all realization plans,
from which the average profile is computed. Fictitious play is that of Heinrich, Lanctot & Silver (2015), section 3.
Sequence-form replicator dynamics are those of Lanctot (2014): eqs. 3 and 5 in discrete time, eq. 4 in continuous time.
"""

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass, fields, replace
from typing import Any, ClassVar, Self

import numpy as np

from pokerlab.core import Floats, freeze, inlined, kernel, validate_number
from pokerlab.games import Profile, SequenceForm
from pokerlab.games.game_block import NUM_PLAYERS, NUM_SEQUENCES, Workspace, unpack_workspace
from pokerlab.games.tree_passes import (
    compute_behavior,
    fill_best_response,
    fill_counterfactual_values,
    fill_plan,
    select_players_to_update,
)
from pokerlab.solvers.flow import integrate_flow
from pokerlab.solvers.protocol import (
    LONGEST_TIME_STEP,
    check_interior_start,
    check_payoff_shift,
    check_start,
    is_alternating,
    validate_count,
)


@dataclass(frozen=True, eq=False)
class DynamicsState:
    """The state of a learning dynamic after `iteration` steps.

    The profile x(1) is the start. Iteration t adds x(t) to the average and then computes x(t + 1). So after t
    iterations `average` covers x(1) to x(t), `last_iterate` is x(t), and `current` is x(t + 1). At iteration 0 all
    three are x(1). Papers that plot "the current profile" at iteration t plot x(t), which is `last_iterate`.

    The profile x(t) is always the one with which iteration t began. In alternating order, a player in iteration t
    learns against x(t + 1) of the players before it and x(t) of those after it.

    Attributes
    ----------
    game : SequenceForm
        The game that is played.
    iteration : int
        The number of steps, t.
    behavior, last_behavior : array of shape (S,)
        The probabilities of the game's S sequences in x(t + 1) and in x(t). Both begin with the n empty sequences of
        the n players, whose probability is 1.
    plan_sum : array of shape (S,)
        The weighted sum of the realization plans of all iterations so far.
    """

    REPLACED: ClassVar[Mapping[str, str]] = {"last_behavior": "behavior"}
    """Fields that older checkpoints lack, each with the field that takes its place until the next iteration."""

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
        """The profile x(t) of the last iteration, which the average includes; x(1) before the first iteration."""
        return self.make_profile(self.last_behavior)

    @property
    def average(self) -> Profile:
        """The behavior of the averaged realization plans; uniform at information sets that they do not reach."""
        if self.iteration == 0:
            return self.current
        return Profile.from_unchecked(self.game, compute_behavior(self.game.block, self.plan_sum))

    def make_profile(self, behavior: Floats) -> Profile:
        """Return the profile with given probabilities.

        Parameters
        ----------
        behavior : array of shape (S,)
            The probability of each of the game's S sequences. The empty sequences of the n players come first and are
            left out.

        Returns
        -------
        Profile
            The profile, which has a copy of the probabilities.
        """
        return Profile.from_unchecked(self.game, behavior[self.game.num_players :].copy())

    @classmethod
    def from_start(cls, game: SequenceForm, start: Profile | None) -> Self:
        """Return the state before the first iteration, in which all sums are zero.

        Parameters
        ----------
        game : SequenceForm
            The game that is played.
        start : Profile or None
            The profile of the first iteration; the uniform profile if it is None.

        Returns
        -------
        DynamicsState
            The state of iteration 0, an instance of the class on which the method is called.
        """
        profile = game.uniform() if start is None else start
        empty_sequences = np.ones(game.num_players)
        behavior = np.concatenate([empty_sequences, profile.probabilities])

        # All other fields are sums: of plans here, and of regrets, too, in a subclass.
        fields_without_sums = ("game", "iteration", "behavior", "last_behavior")
        sums = {
            field.name: np.zeros_like(behavior)
            for field in fields(cls)
            if field.name not in fields_without_sums
        }
        state = cls(game=game, iteration=0, behavior=behavior, last_behavior=behavior, **sums)
        return state.freeze_arrays()

    def freeze_arrays(self) -> Self:
        """Make all arrays read-only and return the state."""
        freeze(*vars(self).values())
        return self


class Dynamics(ABC):
    """The base class of learning dynamics, in which all players change their behavior in each iteration.

    A subclass defines `run_iterations`, and `STATE`, the class of its states.

    Parameters
    ----------
    game : SequenceForm
        A compiled game of any number of players.
    order : {'alternating', 'simultaneous'}
        Whether players update their behavior one after the other, or all at the same time.
    start : Profile, optional
        The profile of the first iteration; uniform by default.
    """

    STATE: ClassVar[type[DynamicsState]] = DynamicsState

    def __init__(
        self, game: SequenceForm, *, order: str = "alternating", start: Profile | None = None
    ) -> None:
        check_start(game, start)
        self.game, self.start = game, start
        self.alternating = is_alternating(order)

    def init(self, start: Profile | None = None) -> DynamicsState:
        """Return the state before the first iteration.

        Parameters
        ----------
        start : Profile, optional
            The profile of the first iteration. The default is the parameter `start` of the solver.

        Returns
        -------
        DynamicsState
            The state of iteration 0.

        Raises
        ------
        GameError
            If the profile belongs to another game.
        """
        check_start(self.game, start)
        return self.STATE.from_start(self.game, self.start if start is None else start)

    def step(self, state: DynamicsState, count: int = 1) -> DynamicsState:
        """Return the state some iterations after a given one.

        Parameters
        ----------
        state : DynamicsState
            The state with which the first of these iterations begins. It is not changed.
        count : int
            The number of iterations.

        Returns
        -------
        DynamicsState
            The state after the last iteration.

        Raises
        ------
        SettingError
            If `count` is negative or not a whole number.
        GameError
            If the state belongs to another game or another solver.
        """
        num_iterations = validate_count(self.game, state, count, self.STATE)
        arrays = {
            field.name: getattr(state, field.name).copy()
            for field in fields(self.STATE)
            if field.name not in ("game", "iteration")
        }
        last_behavior = arrays.pop("last_behavior")

        # The last iteration is run by itself, because the behavior before it becomes the last behavior.
        iteration = state.iteration + num_iterations
        if num_iterations > 1:
            self.run_iterations(state.iteration, num_iterations - 1, **arrays)
        if num_iterations > 0:
            last_behavior[:] = arrays["behavior"]
            self.run_iterations(iteration - 1, 1, **arrays)

        next_state = self.STATE(self.game, iteration, last_behavior=last_behavior, **arrays)
        return next_state.freeze_arrays()

    @abstractmethod
    def run_iterations(self, iterations_done: int, count: int, *args: Any, **arrays: Any) -> None:
        """Run some iterations of the dynamic, and overwrite the arrays of a state.

        Parameters
        ----------
        iterations_done : int
            The number of iterations that were run before.
        count : int
            The number of iterations to run.
        *args
            Not used. A subclass names the arrays that it needs.
        **arrays
            The arrays of the state by the names of its fields, except `last_behavior`, which `step` sets.
        """


class FictitiousPlay(Dynamics):
    """Fictitious play, in which every player plays a best response to the average strategies of the other players.

    The average is taken over realization plans, which is equivalent to averaging mixed strategies.

    Parameters
    ----------
    game : SequenceForm
        A compiled game of any number of players.
    order : {'alternating', 'simultaneous'}
        In alternating order a player responds to averages that already include the best responses of the players
        before it in this iteration. In simultaneous order the averages include only earlier iterations.
    start : Profile, optional
        The profile of the first iteration, x(1); uniform by default.
    """

    def run_iterations(
        self, iterations_done: int, count: int, behavior: Floats, plan_sum: Floats
    ) -> None:
        """Run some iterations of fictitious play, and overwrite the arrays of a state.

        Parameters
        ----------
        iterations_done : int
            The number of iterations that were run before, by which averages are taken.
        count : int
            The number of iterations to run.
        behavior, plan_sum : array of shape (S,)
            The probability of each of the game's S sequences, and the sum of its realization weights. Both arrays are
            overwritten.
        """
        run_fictitious_play(
            self.game.block, behavior, plan_sum, iterations_done, count, self.alternating
        )


@kernel
def run_fictitious_play(
    game_block: Floats,
    behavior: Floats,
    plan_sum: Floats,
    iterations_done: int,
    count: int,
    alternating: bool,
) -> None:
    """Run some iterations of fictitious play in a game of S sequences, and overwrite the arrays of a state.

    Parameters
    ----------
    game_block : array
        The arrays of the game, packed into one array (`SequenceForm.block`).
    behavior, plan_sum : array of shape (S,)
        The behavior of all players, and the sum of their realization plans. Both are overwritten.
    iterations_done : int
        The number of iterations that were run before, by which averages are taken.
    count : int
        The number of iterations to run.
    alternating : bool
        Whether a player's average includes its new best response when the next player responds.
    """
    game = unpack_workspace(game_block)
    n = game.ids[NUM_PLAYERS]
    for t in range(iterations_done + 1, iterations_done + count + 1):
        for player in range(n):
            fill_plan(game, player, behavior)

        # Replace the plans by the averages to which all players respond. The first n sequences are empty ones.
        for q in range(n, plan_sum.size):
            plan_sum[q] += game.plan[q]
            game.plan[q] = plan_sum[q] / t

        for player in range(n):
            fill_best_response(game, game.betting_ends, player, behavior)
            if alternating:
                # Players after this one respond to an average that already includes its new best response.
                fill_average_plan(game, player, behavior, plan_sum, t)


@inlined
def fill_average_plan(
    game: Workspace, player: int, behavior: Floats, plan_sum: Floats, num_plans: int
) -> None:
    """Overwrite a player's plan by the average of its earlier plans and the plan of its present behavior.

    Parameters
    ----------
    game : Workspace
        The game of S sequences, whose `plan` is overwritten at the player's sequences.
    player : int
        The player's index.
    behavior, plan_sum : array of shape (S,)
        The behavior of all players, and the sum of their earlier plans.
    num_plans : int
        The number of earlier plans.
    """
    fill_plan(game, player, behavior)
    for infoset in range(game.infosets[player], game.infosets[player + 1]):
        begin = game.first[infoset]
        for q in range(begin, begin + game.size[infoset]):
            game.plan[q] = (plan_sum[q] + game.plan[q]) / (num_plans + 1)


class ReplicatorDynamics(Dynamics):
    """Discrete-time replicator dynamics over realization plans, eq. 3 of Lanctot (2014).

    The realization weight of each sequence q is multiplied by u_i(x with g_q) / u_i(x). The numerator is the payoff of
    player i if it chooses the actions of q with certainty and follows x elsewhere. The denominator is its payoff
    from x.

    Parameters
    ----------
    game : SequenceForm
        A compiled game of any number of players.
    payoff_shift : float
        A constant, in the game's unit, which is added to all utilities to make them positive, so that the quotient is
        defined. The paper uses 3 (p. 6). The larger the constant, the smaller the steps.
    order : {'alternating', 'simultaneous'}
        In alternating order each player responds to the behavior that the players before it have just updated, which
        gives the paper's numbers. Eq. 3 as printed is simultaneous.
    floor : float
        The smallest probability of an action that is played at all. If it is 0, a probability can underflow to zero,
        after which its action is never played again.
    start : Profile, optional
        The profile of the first iteration, x(1), in which every action has positive probability; uniform by default.

    Notes
    -----
    Let v(I, a) be the counterfactual value of action a at information set I, and V(I) the counterfactual value of the
    behavior at I. Then u_i(x with g_q) is u_i(x) plus the sum of v(I, a) - V(I) over all (I, a) on the path to q. So an
    iteration needs one backward and one forward pass for each player. The code updates the behavior, because
    multiplying realization weights directly accumulates rounding errors until they violate the constraints of a plan.
    `pokerlab.reference` has an independent definition.

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
        validate_number("floor", floor, 0.0, 1e-3)
        check_interior_start(start, "the replicator")
        self.payoff_shift, self.floor = float(payoff_shift), float(floor)

    def run_iterations(
        self, iterations_done: int, count: int, behavior: Floats, plan_sum: Floats
    ) -> None:
        """Run some iterations of the replicator dynamics, and overwrite the arrays of a state.

        Parameters
        ----------
        iterations_done : int
            The number of iterations that were run before. The result does not depend on it.
        count : int
            The number of iterations to run.
        behavior, plan_sum : array of shape (S,)
            The probability of each of the game's S sequences, and the sum of its realization weights. Both arrays are
            overwritten.
        """
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
    game_block: Floats,
    behavior: Floats,
    plan_sum: Floats,
    count: int,
    shift: float,
    floor: float,
    alternating: bool,
) -> None:
    """Run some iterations of discrete-time replicator dynamics (eq. 3 of Lanctot 2014), and overwrite a state's arrays.

    Parameters
    ----------
    game_block : array
        The arrays of the game of S sequences, packed into one array (`SequenceForm.block`).
    behavior, plan_sum : array of shape (S,)
        The behavior of all players, and the sum of their realization plans. Both are overwritten.
    count : int
        The number of iterations to run.
    shift : float
        The constant that is added to all utilities.
    floor : float
        The smallest probability of an action that is played at all.
    alternating : bool
        Whether players update one after the other, rather than all at the same time.
    """
    game = unpack_workspace(game_block)
    n = game.ids[NUM_PLAYERS]
    fitness = np.empty(game.ids[NUM_SEQUENCES])  # memory that all updates share
    for player in range(n):
        fill_plan(game, player, behavior)

    for _ in range(count):
        for player in range(n):
            fill_counterfactual_values(game, game.betting_ends, player, behavior)
            # In alternating order the player itself is updated now. Otherwise no one is, until the values of the last
            # player are known, and then all players are.
            for updated in select_players_to_update(player, n, alternating):
                update_by_replicator(game, updated, shift, floor, behavior, plan_sum, fitness)


@inlined
def update_by_replicator(
    game: Workspace,
    player: int,
    shift: float,
    floor: float,
    behavior: Floats,
    plan_sum: Floats,
    fitness: Floats,
) -> None:
    """Update one player by a step of the replicator dynamics of Lanctot (2014), and overwrite its behavior.

    By eq. 3 the realization weight x(q) of each sequence q is multiplied by u_i(x with g_q) / u_i(x). The numerator is
    the payoff of player i if it chooses the actions of q with certainty. The probability of the last action of q is
    x(q) / x(p), where p is the parent of q. So this probability is multiplied by u_i(x with g_q) / u_i(x with g_p). The
    present realization plan is added to the sum of all plans, and is then replaced by the new one.

    Parameters
    ----------
    game : Workspace
        The game of S sequences, with the player's counterfactual values. The player's plan is replaced.
    player : int
        The player's index, i.
    shift : float
        The constant that is added to all utilities.
    floor : float
        The smallest probability of an action that is played at all, before probabilities are normalized.
    behavior : array of shape (S,)
        The behavior of all players. The player's part is overwritten.
    plan_sum : array of shape (S,)
        The sum of the plans of all players. The present plan of the player is added to its part.
    fitness : array of shape (S,)
        Overwritten, for each sequence q of the player, by the shifted payoff u_i(x with g_q).
    """
    fitness[player] = game.value[player] + shift  # of the player's empty sequence: u_i(x), shifted
    for infoset in range(game.infosets[player], game.infosets[player + 1]):
        begin = game.first[infoset]
        end = begin + game.size[infoset]
        parent = game.parent[infoset]
        reach = game.plan[parent]

        # u_i(x with g_p) without the payoff at this information set
        payoff_elsewhere = fitness[parent] - game.infoset_value[infoset]

        # Where all payoffs are zero, eq. 3 would be 0 / 0, and no action is fitter than another.
        scale = 1.0 / fitness[parent] if fitness[parent] > 0.0 else 0.0
        total = 0.0
        for q in range(begin, end):
            plan_sum[q] += game.plan[q]
            fitness[q] = payoff_elsewhere + game.value[q]  # u_i(x with g_q), eq. 5
            # Eq. 3 for q, divided by eq. 3 for its parent: a probability is a quotient of weights.
            growth = fitness[q] * scale if scale > 0.0 else 1.0
            least = floor if behavior[q] > 0.0 else 0.0  # an action that nobody plays stays extinct
            behavior[q] = max(behavior[q] * growth, least)
            total += behavior[q]

        for q in range(begin, end):
            behavior[q] /= total
            game.plan[q] = reach * behavior[q]


class ContinuousReplicator(Dynamics):
    """Continuous-time replicator dynamics, eq. 4 of Lanctot (2014), integrated to a given tolerance.

    The equation is x'(q) = x(q) u_i(x with (g_q - x)) for each sequence q of player i. As an equation of behavior it is
    sigma'(I, a) = sigma(I, a) (v(I, a) - V(I)), where v(I, a) is the counterfactual value of action a at information
    set I, and V(I) that of the behavior there. After t iterations the average is the mean over the time from 0 to
    t * `time_step`. It ends with the profile at that time, so `last_iterate` and `current` are equal.

    Parameters
    ----------
    game : SequenceForm
        A compiled game of any number of players.
    time_step : float
        The time that one iteration covers, in 1 / unit of utility. The integrator divides it into smaller steps.
    rtol, atol : float
        The tolerances of one iteration. `rtol` bounds the relative error of each probability. `atol` plus `rtol` bounds
        the error of each realization weight that the iteration adds to the average.
    start : Profile, optional
        The profile at time 0, in which every action has positive probability; uniform by default.

    Raises
    ------
    ConvergenceError
        Raised by `step` if the integrator cannot reach the tolerance, because payoffs are too large for `time_step` or
        the flow is chaotic over such a time.

    Notes
    -----
    `pokerlab.solvers.flow` has the integrator. An iteration depends only on the probabilities with which it begins, so
    the result does not depend on how iterations are divided among calls of `step`.
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
        validate_number("time_step", time_step, 1e-9, LONGEST_TIME_STEP)
        validate_number("rtol", rtol, 1e-12, 1e-2)
        validate_number("atol", atol, 1e-14, 1e-2)
        check_start(game, start)
        check_interior_start(start, "the replicator")

        # In continuous time there is no order of updates, so the base class is not initialized.
        self.game, self.start, self.time_step = game, start, time_step
        self.rtol, self.atol = rtol, atol

    def step(self, state: DynamicsState, count: int = 1) -> DynamicsState:
        """Return the state some iterations after a given one, in which `last_iterate` and `current` are equal.

        Parameters
        ----------
        state : DynamicsState
            The state with which the first of these iterations begins. It is not changed.
        count : int
            The number of iterations. Each iteration covers the time `time_step`.

        Returns
        -------
        DynamicsState
            The state after the last iteration.

        Raises
        ------
        SettingError
            If `count` is negative or not a whole number.
        GameError
            If the state belongs to another game or another solver.
        ConvergenceError
            If the integrator cannot reach the tolerance.
        """
        next_state = super().step(state, count)
        return replace(next_state, last_behavior=next_state.behavior)

    def run_iterations(
        self, iterations_done: int, count: int, behavior: Floats, plan_sum: Floats
    ) -> None:
        """Integrate the replicator flow over some iterations, and overwrite the arrays of a state.

        Parameters
        ----------
        iterations_done : int
            The number of iterations that were run before. The result does not depend on it.
        count : int
            The number of iterations to run.
        behavior, plan_sum : array of shape (S,)
            The probability of each of the game's S sequences, and the sum of the mean realization weights of all
            iterations. Both arrays are overwritten.
        """
        game = self.game

        # Each empty sequence, and the actions at each information set, are a distribution of their own.
        first_of_distributions = np.append(np.arange(game.num_players), game.first_sequence)
        for _ in range(count):
            behavior[:], mean_plan = integrate_flow(
                lambda probabilities: compute_growth_and_plans(game.block, probabilities),
                behavior,
                first_of_distributions,
                self.time_step,
                rtol=self.rtol,
                atol=self.atol,
                name=game.name,
            )
            plan_sum += mean_plan


@kernel
def compute_growth_and_plans(game_block: Floats, behavior: Floats) -> Floats:
    """Return the growth rates of all probabilities in eq. 4 of Lanctot (2014), followed by the realization plans.

    Parameters
    ----------
    game_block : array
        The arrays of the game, packed into one array (`SequenceForm.block`).
    behavior : array of shape (S,)
        The probabilities of the game's S sequences.

    Returns
    -------
    array of shape (2 S,)
        First the growth rate d log(sigma) / dt = v(I, a) - V(I) of each sequence. It is the counterfactual value of the
        last action minus the counterfactual value of the behavior, and 0 for the empty sequences. Then the realization
        weight of each sequence.
    """
    game = unpack_workspace(game_block)
    num_players = game.ids[NUM_PLAYERS]
    num_sequences = game.ids[NUM_SEQUENCES]
    # The values of a player depend on the plans of all other players, so all plans are computed first.
    for player in range(num_players):
        fill_plan(game, player, behavior)
    for player in range(num_players):
        fill_counterfactual_values(game, game.betting_ends, player, behavior)

    rates_and_plans = np.zeros(2 * num_sequences)
    for infoset in range(game.first.size):
        begin = game.first[infoset]
        for q in range(begin, begin + game.size[infoset]):
            rates_and_plans[q] = game.value[q] - game.infoset_value[infoset]
    rates_and_plans[num_sequences:] = game.plan
    return rates_and_plans
