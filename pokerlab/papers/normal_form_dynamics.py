"""Replicator dynamics over mixed strategies of the normal form, in discrete and continuous time.

Theorems 2 and 4 of Lanctot (2014) compare it with the sequence form's dynamics. It needs a row for every pure
strategy, so it is for small games. `differences`, `correlations` and `divergence` say how the two part.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from pokerlab.core import Floats, GameError, SettingError, freeze, number
from pokerlab.games import Profile, SequenceForm
from pokerlab.games.tree_passes import compute_behavior, compute_gradients
from pokerlab.solvers.flow import integrate_flow
from pokerlab.solvers.protocol import (
    LONGEST_TIME_STEP,
    check_interior_start,
    check_payoff_shift,
    check_start,
    read_count,
)
from pokerlab.strategies.pure_strategies import list_pure_strategies, pure_plans


def product_mixture(profile: Profile, player: int) -> Floats:
    """Return the mixed strategy that chooses at each information set by itself, (K_i,), the product of sigma(I, s(I)).

    Other mixtures, which correlate information sets, are realization equivalent to it as well (Kuhn 1953).
    """
    game = profile.game
    first = game.treeplex(player).first_sequence - 1
    choices = list_pure_strategies(game, player)
    return np.asarray(np.prod(profile.of(player)[first + choices], axis=1))


class NormalForm:
    """A small game's pure plans, a table for each player; a mixed profile is one flat vector, player after player."""

    def __init__(self, game: SequenceForm) -> None:
        self.game = game
        self.plans = [pure_plans(game, player) for player in range(game.num_players)]
        ends = np.cumsum([0, *map(len, self.plans)]).tolist()
        self.players = [slice(a, b) for a, b in pairwise(ends)]

    def realization(self, mixed: Floats) -> Floats:
        """Return the realization plans of a mixed profile, (S,), the empty sequences first."""
        weights = [
            mixed[mine] @ plans for mine, plans in zip(self.players, self.plans, strict=True)
        ]
        return np.concatenate([np.ones(len(weights)), *(w[1:] for w in weights)])

    def utilities(self, realization: Floats) -> list[Floats]:
        """Return what each player's pure strategies win against the others' plans, (K_i,) each."""
        gradient, n = compute_gradients(self.game.block, realization), self.game.num_players
        return [
            plans @ np.concatenate([gradient[[i]], gradient[mine.start + n : mine.stop + n]])
            for i, (plans, mine) in enumerate(
                zip(self.plans, self.game.player_sequences, strict=True)
            )
        ]


@dataclass(frozen=True, eq=False)
class MixedState:
    """Where a dynamic over mixed strategies stands: the present probability of every pure strategy, (K,)."""

    game: SequenceForm
    iteration: int
    mixed: Floats

    def __post_init__(self) -> None:
        freeze(self.mixed)

    @property
    def current(self) -> Profile:
        """The behavior that is realization equivalent to the present mixed strategies: x(t + 1) after t iterations."""
        plan = NormalForm(self.game).realization(self.mixed)
        return Profile.computed(self.game, compute_behavior(self.game.block, plan))


class NormalFormReplicator:
    """Replicator dynamics in which every pure strategy is a replicator, all players at once.

    Give `payoff_shift`, for discrete time: rho(s) is multiplied by u_i(s) / u_i(rho), utilities shifted by this. Or
    `time_step`, for continuous time: an iteration integrates d rho(s)/dt = rho(s) (u_i(s) - u_i(rho)) over it, by
    `integrate_flow`. `start` is turned into the mixture that chooses at each information set by itself.
    """

    def __init__(
        self,
        game: SequenceForm,
        *,
        payoff_shift: float | None = None,
        time_step: float | None = None,
        start: Profile | None = None,
    ) -> None:
        if (payoff_shift is None) == (time_step is None):
            raise SettingError(
                "give either payoff_shift (discrete time) or time_step (continuous)."
            )
        check_start(game, start)
        check_interior_start(start, "the replicator")
        if payoff_shift is not None:
            check_payoff_shift(game, payoff_shift, "fitness")
        else:
            number("time_step", time_step, 1e-9, LONGEST_TIME_STEP)
        self.game, self.payoff_shift, self.time_step = game, payoff_shift, time_step
        self.start = start or game.uniform()

    def init(self) -> MixedState:
        """Return the state in which nothing has been done."""
        mixtures = [product_mixture(self.start, i) for i in range(self.game.num_players)]
        return MixedState(self.game, 0, np.concatenate(mixtures))

    def step(self, state: MixedState, count: int = 1) -> MixedState:
        """Return the state `count` iterations after `state`."""
        count = read_count(self.game, state, count, MixedState)
        form, mixed = NormalForm(self.game), state.mixed.copy()
        for _ in range(count):
            mixed = self.flow(form, mixed) if self.time_step else self.replicate(form, mixed)
        return MixedState(self.game, state.iteration + count, mixed)

    def replicate(self, form: NormalForm, mixed: Floats) -> Floats:
        """Return the mixed strategies one discrete step on."""
        assert self.payoff_shift is not None
        new, utilities = mixed.copy(), form.utilities(form.realization(mixed))
        for mine, utility in zip(form.players, utilities, strict=True):
            grown = mixed[mine] * (utility + self.payoff_shift)
            if grown.sum() > 0.0:  # where nothing is won at all, nothing is fitter
                new[mine] = grown / grown.sum()
        return new

    def flow(self, form: NormalForm, mixed: Floats) -> Floats:
        """Return the mixed strategies after `time_step`."""
        assert self.time_step is not None

        def growth(mixed: Floats) -> Floats:
            utilities = form.utilities(form.realization(mixed))
            return np.concatenate(
                [u - mixed[mine] @ u for mine, u in zip(form.players, utilities, strict=True)]
            )

        first = np.array([mine.start for mine in form.players])
        name, precision = f"{self.game.name}'s normal form", {"rtol": 1e-10, "atol": 1e-12}
        return integrate_flow(growth, mixed, first, self.time_step, name=name, **precision)[0]


def plan_difference(one: Profile, other: Profile) -> float:
    """Return the largest difference between realization weights of two profiles; zero if equivalent (Definition 2)."""
    players = range(one.game.num_players)
    return max(float(np.abs(one.plan(p) - other.plan(p)).max()) for p in players)


def differences(one: Any, other: Any, counts: Sequence[int]) -> Floats:
    """Return the `plan_difference` of two solvers' current profiles after each of `counts` iterations, which rise."""
    states, found = [one.init(), other.init()], []
    for count in counts:
        pairs = zip((one, other), states, strict=True)
        states = [solver.step(state, count - state.iteration) for solver, state in pairs]
        found.append(plan_difference(states[0].current, states[1].current))
    return np.array(found)


def correlations(state: MixedState, player: int) -> Floats:
    """Return the correlations, over a player's pure strategies, of the second actions at any two sets, (I_i, I_i).

    There must be two actions everywhere. A product of behaviors has zeros beside the diagonal.
    """
    game = state.game
    first, last = game.infoset_start[player : player + 2]
    if (game.num_actions[first:last] != 2).any():
        raise GameError(
            f"correlations are defined for two actions everywhere; player {player + 1} of"
            f" {game.name} has {sorted(set(game.num_actions[first:last].tolist()))}."
        )
    weights, choices = (
        state.mixed[NormalForm(game).players[player]],
        list_pure_strategies(game, player),
    )
    chosen = choices - weights @ choices
    covariance = chosen.T @ (weights[:, None] * chosen)
    deviation = np.sqrt(np.diag(covariance))
    return np.asarray(covariance / np.outer(deviation, deviation))


def divergence(equilibrium: Profile, profile: Profile) -> float:
    """Return the sum over players and sequences q of x*(q) log(sigma*(q) / sigma(q)).

    In continuous time it never grows in a two-player zero-sum game, and stays the same once only best
    responses to the equilibrium are left.
    """
    game = equilibrium.game
    weights = np.concatenate([equilibrium.plan(p)[1:] for p in range(game.num_players)])
    used = weights > 0.0
    ratio = equilibrium.probabilities[used] / profile.probabilities[used]
    return float(weights[used] @ np.log(ratio))
