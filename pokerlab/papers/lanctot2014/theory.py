"""Lanctot (2014), section 3: what is measured to look at its theorems one by one."""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from pokerlab.core import GameError
from pokerlab.core.arrays import Floats
from pokerlab.games import Profile
from pokerlab.metrics import Watched, WatchedState, average_regret, loss_bound, theorem_five
from pokerlab.runs import Column
from pokerlab.solvers import MixedState
from pokerlab.strategies.normal_form import pure_choices


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
