"""Lanctot (2014): what is measured to look at the theorems of section 3 one by one, and at stability.

Are equilibria stable under the replicator? That is the paper's future work. In behavior form the flow of
eq. 4 is sigma'(I, a) = sigma(I, a) (v(I, a) - V(I)). Along each of the coordinates below it is a polynomial
of degree two at most, because with perfect recall a path meets an information set only once. So central
differences give the Jacobian exactly, up to rounding.

The coordinates are the probabilities of all actions but the last one of each information set, K in all.
An eigenvalue with a negative real part belongs to a disturbance that dies out, one with a positive real
part to a disturbance that grows; a purely imaginary pair belongs to an orbit.
"""

from collections.abc import Callable, Sequence
from functools import partial
from typing import Any

import numpy as np

from pokerlab.core import GameError
from pokerlab.core.arrays import Floats, Ints
from pokerlab.games import Profile, SequenceForm
from pokerlab.metrics import Watched, average_regret, loss_bound, theorem_five
from pokerlab.metrics.regret_ledger import WatchedState
from pokerlab.runs import Column
from pokerlab.solvers import MixedState
from pokerlab.solvers.dynamics.replicator import rates
from pokerlab.solvers.protocol import is_alternating
from pokerlab.strategies.normal_form import pure_choices

AT_REST = 1e-6
"""The fastest rate, per unit of time, that is taken for rest."""
HALF = 0.5
"""How far the differences reach: rounding is least with large steps."""


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


def flow_jacobian(profile: Profile) -> Floats:
    """Return the Jacobian of the continuous replicator (eq. 4) at a rest point, (K, K).

    Raises
    ------
    GameError
        If something moves at `profile`.

    Examples
    --------
    >>> import pokerlab as pl
    >>> pennies = pl.games.bimatrix([[1, -1], [-1, 1]], [[-1, 1], [1, -1]])
    >>> np.linalg.eigvals(flow_jacobian(pennies.uniform())).imag.round(6).tolist()
    [1.0, -1.0]
    """
    game = profile.game
    kept, last = coordinates(game)
    behavior = np.concatenate([np.ones(game.num_players), profile.probabilities])
    fastest = float(np.abs(velocity(game, behavior)).max())
    if fastest > AT_REST:
        raise GameError(
            f"the profile moves by up to {fastest:.2g} per unit of time; a Jacobian tells about stability at a"
            " rest point, such as an equilibrium."
        )
    columns = []
    for q, counterweight in zip(kept.tolist(), last.tolist(), strict=True):
        direction = np.zeros_like(behavior)
        direction[q], direction[counterweight] = HALF, -HALF
        ahead, behind = (velocity(game, behavior + sign * direction) for sign in (1, -1))
        columns.append((ahead - behind)[kept])  # over 2 HALF = 1
    return np.array(columns).T


def step_jacobian(profile: Profile, *, payoff_shift: float, order: str) -> Floats:
    """Return the Jacobian of one discrete step (eq. 3) at a rest point, (K, K).

    In behavior form a step adds sigma(I, a) (v(I, a) - V(I)) / u_i(x with g_q), where q leads to I.
    Disturbances grow if an eigenvalue is larger than one in absolute value.

    Raises
    ------
    GameError
        If something moves at `profile`.
    SettingError
        If utilities are negative after the shift, or there is no such order.
    """
    game = profile.game
    game.check_shift(payoff_shift, "a step")
    alternating = is_alternating(order)
    flow, kept = flow_jacobian(profile), coordinates(game)[0]
    behavior = np.concatenate([np.ones(game.num_players), profile.probabilities])
    fitness = np.zeros_like(behavior)
    fitness[: game.num_players] = game.values(profile) + payoff_shift
    gain = rates(game.block, behavior)
    for parent, first, size in zip(
        game.parent_sequence, game.first_sequence, game.num_actions, strict=True
    ):
        fitness[first : first + size] = fitness[parent] + gain[first : first + size]
    led = np.repeat(fitness[game.parent_sequence], game.num_actions)[kept - game.num_players]
    step, moves = np.eye(len(flow)), flow / led[:, None]
    for mine in game.player_sequences if alternating else [slice(0, len(behavior))]:
        moved = (kept - game.num_players >= mine.start) & (kept - game.num_players < mine.stop)
        step = step + np.where(moved[:, None], moves, 0.0) @ step
    return step


def velocity(game: SequenceForm, behavior: Floats) -> Floats:
    """Return d sigma / dt for every sequence, (S,)."""
    return np.asarray(behavior * rates(game.block, behavior)[: behavior.size])


def coordinates(game: SequenceForm) -> tuple[Ints, Ints]:
    """Return all sequences but the last of each information set, (K,), and the last beside each."""
    ends = game.first_sequence + game.num_actions - 1
    last = np.repeat(ends, game.num_actions)
    every = np.arange(game.num_players, game.num_players + game.num_probabilities)
    return every[every != last], last[every != last]
