"""Lanctot (2014): are equilibria stable under the replicator? That is the paper's future work.

In behavior form the flow of eq. 4 is sigma'(I, a) = sigma(I, a) (v(I, a) - V(I)). Along each of the coordinates
below it is a polynomial of degree two at most, because with perfect recall a path meets an information set only
once. So central differences give the Jacobian exactly, up to rounding.

The coordinates are the probabilities of all actions but the last one of each information set, K in all.
An eigenvalue with a negative real part belongs to a disturbance that dies out, one with a positive real
part to a disturbance that grows; a purely imaginary pair belongs to an orbit.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pokerlab.core import GameError
from pokerlab.core.arrays import Floats, Ints
from pokerlab.games import Profile, SequenceForm
from pokerlab.solvers.dynamics import compute_growth
from pokerlab.solvers.protocol import check_payoff_shift, is_alternating

AT_REST = 1e-6
"""The fastest rate, per unit of time, that is taken for rest."""
HALF = 0.5
"""How far the differences reach: rounding is least with large steps."""
NO_RATE = 1e-7
"""The size up to which a part of an eigenvalue counts as zero."""


class Spectrum(NamedTuple):
    """How many disturbances of an equilibrium decay, circle, rest and grow in the flow; periods; radii of steps."""

    decay: int
    circle: int
    rest: int
    grow: int
    periods: str
    radii: list[float]


def compute_flow_jacobian(profile: Profile) -> Floats:
    """Return the Jacobian of the continuous replicator (eq. 4) at a rest point, (K, K)."""
    game = profile.game
    kept, last = list_coordinates(game)
    behavior = np.concatenate([np.ones(game.num_players), profile.probabilities])
    fastest = float(np.abs(compute_velocity(game, behavior)).max())
    if fastest > AT_REST:
        raise GameError(
            f"the profile moves by up to {fastest:.2g} per unit of time; a Jacobian tells about stability at a"
            " rest point, such as an equilibrium."
        )
    columns = []
    for q, counterweight in zip(kept.tolist(), last.tolist(), strict=True):
        direction = np.zeros_like(behavior)
        direction[q], direction[counterweight] = HALF, -HALF
        ahead, behind = (compute_velocity(game, behavior + sign * direction) for sign in (1, -1))
        columns.append((ahead - behind)[kept])  # over 2 HALF = 1
    return np.array(columns).T


def step_jacobian(profile: Profile, *, payoff_shift: float, order: str) -> Floats:
    """Return the Jacobian of one discrete step (eq. 3) at a rest point, (K, K).

    In behavior form a step adds sigma(I, a) (v(I, a) - V(I)) / u_i(x with g_q), where q leads to I.
    Disturbances grow if an eigenvalue is larger than one in absolute value.
    """
    game = profile.game
    check_payoff_shift(game, payoff_shift, "a step")
    alternating = is_alternating(order)
    flow, kept = compute_flow_jacobian(profile), list_coordinates(game)[0]
    behavior = np.concatenate([np.ones(game.num_players), profile.probabilities])
    fitness = np.zeros_like(behavior)
    fitness[: game.num_players] = game.values(profile) + payoff_shift
    gain = compute_growth(game.block, behavior)
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


def compute_velocity(game: SequenceForm, behavior: Floats) -> Floats:
    """Return d sigma / dt for every sequence, (S,)."""
    return np.asarray(behavior * compute_growth(game.block, behavior)[: behavior.size])


def list_coordinates(game: SequenceForm) -> tuple[Ints, Ints]:
    """Return all sequences but the last of each information set, (K,), and the last beside each."""
    ends = game.first_sequence + game.num_actions - 1
    last = np.repeat(ends, game.num_actions)
    every = np.arange(game.num_players, game.num_players + game.num_probabilities)
    return every[every != last], last[every != last]


def describe_equilibrium(profile: Profile, eigenvalues: Floats, orders: Sequence[str]) -> Spectrum:
    """Return how the flow's eigenvalues at an equilibrium divide, and the spectral radii of steps by order."""
    steps = [step_jacobian(profile, payoff_shift=3.0, order=order) for order in orders]
    still = np.abs(eigenvalues) < NO_RATE
    circling = (np.abs(eigenvalues.real) < NO_RATE) & ~still
    periods = sorted({f"{2 * np.pi / x:.0f}" for x in eigenvalues[circling].imag if x > 0})
    return Spectrum(
        int((eigenvalues.real < -NO_RATE).sum()),
        int(circling.sum()),
        int(still.sum()),
        int((eigenvalues.real > NO_RATE).sum()),
        ", ".join(periods),
        [float(np.abs(np.linalg.eigvals(step)).max()) for step in steps],
    )
