"""Replicator dynamics over mixed strategies of the normal form, in discrete and continuous time.

Theorems 2 and 4 set it beside the sequence form's dynamics. It needs a row for every pure strategy, so it is for
small games. `differences`, `correlations` and `divergence` say how the two part.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from itertools import pairwise
from typing import Any

import numpy as np

from pokerlab.core import ConvergenceError, GameError, SettingError
from pokerlab.core.arrays import Floats, freeze
from pokerlab.core.settings import number
from pokerlab.games import Profile, SequenceForm
from pokerlab.games.sequence_form.sweeps import behavior_of
from pokerlab.games.sequence_form.worth import gradients
from pokerlab.solvers.dynamics.replicator import LEAST
from pokerlab.solvers.protocol import (
    LONGEST_TIME_STEP,
    check_interior,
    check_start,
    check_step,
    is_alternating,
)
from pokerlab.strategies.normal_form import pure_choices, pure_plans


def product_mixture(profile: Profile, player: int) -> Floats:
    """Return the mixed strategy that chooses independently at each information set, (K_i,).

    Pure strategy s has the product over information sets of sigma(I, s(I)). It is realization
    equivalent to the profile's behavior (Kuhn 1953); so are other mixtures, which correlate
    information sets.
    """
    game = profile.game
    first = game.treeplex(player).first_sequence - 1
    choices = pure_choices(game, player)
    return np.asarray(np.prod(profile.of(player)[first + choices], axis=1))


class NormalForm:
    """A small game's normal form, kept as one table of pure plans a player.

    Mixed strategies of all players are one flat vector, player after player.
    """

    def __init__(self, game: SequenceForm) -> None:
        self.game = game
        self.plans = [pure_plans(game, player) for player in range(game.num_players)]

    @cached_property
    def players(self) -> list[slice]:
        """Where each player's pure strategies lie in a mixed profile."""
        ends = np.cumsum([0, *(len(plans) for plans in self.plans)]).tolist()
        return [slice(a, b) for a, b in pairwise(ends)]

    def realization(self, mixed: Floats) -> Floats:
        """Return the realization plans of a mixed profile, (S,), the empty sequences first."""
        weights = [
            mixed[mine] @ plans for mine, plans in zip(self.players, self.plans, strict=True)
        ]
        return np.concatenate([np.ones(len(weights)), *(w[1:] for w in weights)])

    def utilities(self, realization: Floats, player: int) -> Floats:
        """Return what each pure strategy of a player wins against the others' plans, (K_i,)."""
        gradient = gradients(self.game.block, realization)
        n, mine = self.game.num_players, self.game.player_sequences[player]
        own = np.concatenate(
            [gradient[player : player + 1], gradient[mine.start + n : mine.stop + n]]
        )
        return np.asarray(self.plans[player] @ own)

    def mixture(self, profile: Profile) -> Floats:
        """Return the mixed profile, player after player, that chooses independently at each information set."""
        return np.concatenate([product_mixture(profile, p) for p in range(len(self.plans))])


@dataclass(frozen=True, eq=False)
class MixedState:
    """Where a dynamic over mixed strategies stands; time counts as in `DynamicsState`.

    `mixed`, (K,), has the present probability of every pure strategy, player after player; `plan` and
    `plan_sum`, (S,), its realization plans and their sum so far, the n empty sequences first.
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

    Give `payoff_shift`, for discrete time: rho(s) is multiplied by u_i(s) / u_i(rho), utilities shifted by this. Or
    `time_step`, for continuous time: an iteration integrates d rho(s)/dt = rho(s) (u_i(s) - u_i(rho)) over it, by
    scipy's DOP853. `start` is turned into the mixture that chooses at each information set by itself.
    """

    def __init__(
        self,
        game: SequenceForm,
        *,
        payoff_shift: float | None = None,
        time_step: float | None = None,
        order: str | None = None,
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
        self.alternating = time_step is None and is_alternating(order or "alternating")
        if time_step is not None and order is not None:
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


def plan_difference(one: Profile, other: Profile) -> float:
    """Return the largest difference between the realization weights of two profiles.

    Zero for realization equivalent ones (Definition 2).
    """
    players = range(one.game.num_players)
    return max(float(np.abs(one.plan(p) - other.plan(p)).max()) for p in players)


def differences(one: Any, other: Any, counts: Sequence[int]) -> Floats:
    """Return how far two solvers of a game are apart after each of `counts` iterations.

    `counts` rise; each entry is the `plan_difference` of the current profiles.
    """
    states, found = [one.init(), other.init()], []
    for count in counts:
        pairs = zip((one, other), states, strict=True)
        states = [solver.step(state, count - state.iteration) for solver, state in pairs]
        found.append(plan_difference(states[0].current, states[1].current))
    return np.array(found)


def correlations(state: MixedState, player: int) -> Floats:
    """Return how a mixed strategy correlates a player's information sets, (I_i, I_i).

    Entry (I, I') is the correlation, over the player's pure strategies, of choosing the second
    action at I and at I'; there must be two actions everywhere. A product of behaviors has zeros
    beside the diagonal.
    """
    game = state.game
    first, last = game.infoset_start[player : player + 2]
    if (game.num_actions[first:last] != 2).any():
        raise GameError(
            f"correlations are defined for two actions everywhere; player {player + 1} of"
            f" {game.name} has {sorted(set(game.num_actions[first:last].tolist()))}."
        )
    counts = [len(pure_choices(game, p)) for p in range(game.num_players)]
    begin = sum(counts[:player])
    weights = state.mixed[begin : begin + counts[player]]
    chosen = pure_choices(game, player) - weights @ pure_choices(game, player)
    covariance = chosen.T @ (weights[:, None] * chosen)
    deviation = np.sqrt(np.diag(covariance))
    return np.asarray(covariance / np.outer(deviation, deviation))


def divergence(equilibrium: Profile, profile: Profile) -> float:
    """Return how far a profile is from an equilibrium as the replicator measures it.

    The sum over players and sequences q of x*(q) log(sigma*(q) / sigma(q)). In continuous time it
    never grows in a two-player zero-sum game, and stays the same once only best responses to the
    equilibrium are left.
    """
    game = equilibrium.game
    weights = np.concatenate([equilibrium.plan(p)[1:] for p in range(game.num_players)])
    used = weights > 0.0
    ratio = equilibrium.probabilities[used] / profile.probabilities[used]
    return float(weights[used] @ np.log(ratio))
