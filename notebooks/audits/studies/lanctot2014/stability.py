"""Lanctot (2014): are equilibria stable under the replicator? The paper leaves this to future work (section 5).

M. Lanctot, "Further Developments of Extensive-Form Replicator Dynamics using the Sequence-Form Representation",
AAMAS 2014. An equilibrium goes in, as a profile. The Jacobians of the flow and of a discrete step there come out, with
what their eigenvalues say.

In behavior form the flow of eq. 4 is sigma'(I, a) = sigma(I, a) (v(I, a) - V(I)). Along each of the coordinates
below it is a polynomial of degree two at most, because with perfect recall a path visits an information set only
once. So central differences give the Jacobian exactly, up to rounding.

The coordinates are the probabilities of all actions but the last one of each information set, K in all. Arrays of
shape (S,) have an entry for each sequence: first the players' empty sequences, then the actions of each information
set. An eigenvalue of the Jacobian with a negative real part belongs to a disturbance that dies out, one with a
positive real part to a disturbance that grows. A purely imaginary pair belongs to an orbit around the equilibrium.
"""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np

from pokerlab.core import GameError
from pokerlab.core.arrays import Floats, Ints
from pokerlab.games import Profile, SequenceForm
from pokerlab.solvers import DynamicsState, ReplicatorDynamics
from pokerlab.solvers.dynamics import compute_growth_and_plans
from pokerlab.solvers.protocol import check_payoff_shift, is_alternating

LARGEST_REST_RATE = 1e-6
"""The largest rate of change of a probability, per unit of time, at a profile that counts as a rest point."""
DIFFERENCE_STEP = 0.5
"""How far central differences reach to each side. They are exact for any step, and rounding is least with a large
one."""
ZERO_PART = 1e-7
"""The size up to which a real or imaginary part of an eigenvalue counts as zero."""
PAYOFF_SHIFT = 3.0
"""The paper's payoff shift."""
RECORD_INTERVAL = 50
"""The number of iterations from one record of a discrete run to the next."""
NUM_RECORDS = 200


class StabilitySummary(NamedTuple):
    """How disturbances of an equilibrium develop, by the eigenvalues of the flow and of discrete steps.

    Attributes
    ----------
    decay : int
        The number of eigenvalues of the flow with a negative real part.
    circle : int
        The number of purely imaginary eigenvalues.
    rest : int
        The number of eigenvalues that are zero.
    grow : int
        The number of eigenvalues with a positive real part.
    periods : str
        The periods of the purely imaginary pairs, in units of time, separated by commas.
    radii : list of float
        The spectral radius of a discrete step for each order of updates. Disturbances grow if it exceeds one.
    """

    decay: int
    circle: int
    rest: int
    grow: int
    periods: str
    radii: list[float]


def compute_flow_jacobian(profile: Profile) -> Floats:
    """Return the Jacobian of the replicator flow (Lanctot 2014, eq. 4) at a rest point, such as an equilibrium.

    Parameters
    ----------
    profile : Profile
        The rest point.

    Returns
    -------
    array of shape (K, K)
        The derivatives of the rates of change of the K free probabilities in these probabilities. All actions but the
        last one of each information set have a free probability.

    Raises
    ------
    GameError
        If the profile is not a rest point.
    """
    game = profile.game
    free_actions, last_actions = list_free_and_last_actions(game)
    behavior = add_empty_sequences_to_behavior(profile)
    largest_rate = float(np.abs(compute_flow_velocity(game, behavior)).max())
    if largest_rate > LARGEST_REST_RATE:
        raise GameError(
            f"the profile moves by up to {largest_rate:.2g} per unit of time; a Jacobian tells about stability at a"
            " rest point, such as an equilibrium."
        )

    columns = []
    for action, last_action in zip(free_actions.tolist(), last_actions.tolist(), strict=True):
        direction = np.zeros_like(behavior)
        direction[action] = DIFFERENCE_STEP
        direction[last_action] = -DIFFERENCE_STEP  # probabilities go on summing to one
        velocity_ahead = compute_flow_velocity(game, behavior + direction)
        velocity_behind = compute_flow_velocity(game, behavior - direction)
        # A central difference is divided by 2 DIFFERENCE_STEP, which is 1.
        columns.append((velocity_ahead - velocity_behind)[free_actions])
    return np.array(columns).T


def compute_discrete_step_jacobian(profile: Profile, *, payoff_shift: float, order: str) -> Floats:
    """Return the Jacobian of one discrete replicator step (Lanctot 2014, eq. 3) at a rest point, (K, K).

    It is taken in the K free probabilities of behavior, those of all actions but the last one of each information set.
    A step adds sigma(I, a) (v(I, a) - V(I)) / u_i(x with g_q) to the probability sigma(I, a). Here v(I, a) is the
    counterfactual value of action a at the information set I, V(I) their mean, and u_i(x with g_q) the shifted utility
    of playing to reach I by the sequence q. At a rest point the numerator is zero, so its derivative, divided by the
    denominator, is that of the quotient.

    Parameters
    ----------
    profile : Profile
        A rest point, such as an equilibrium.
    payoff_shift : float
        The constant that is added to all utilities to make them positive.
    order : {'simultaneous', 'alternating'}
        Whether all players update at the same time, or one after the other. The Jacobian of an alternating step is the
        product of those of the players' updates.

    Raises
    ------
    GameError
        If the profile is not a rest point.
    SettingError
        If the shift leaves a utility that is not positive.
    """
    game = profile.game
    check_payoff_shift(game, payoff_shift, "a step")
    alternating = is_alternating(order)
    flow = compute_flow_jacobian(profile)
    free_actions, _ = list_free_and_last_actions(game)
    behavior = add_empty_sequences_to_behavior(profile)

    # The shifted utility u_i(x with g_q) of each sequence q, by eq. 5.
    fitness = np.zeros_like(behavior)
    fitness[: game.num_players] = game.values(profile) + payoff_shift
    gain = compute_growth_and_plans(game.block, behavior)
    for parent, first, size in zip(
        game.parent_sequence, game.first_sequence, game.num_actions, strict=True
    ):
        fitness[first : first + size] = fitness[parent] + gain[first : first + size]

    # Of each free action: its number among all actions, and the fitness of the sequence that leads to it.
    action_numbers = free_actions - game.num_players
    parent_fitness = np.repeat(fitness[game.parent_sequence], game.num_actions)[action_numbers]

    # The actions of a group are updated together: those of one player, or all of them.
    derivatives_of_changes = flow / parent_fitness[:, None]
    jacobian = np.eye(len(flow))
    groups_of_actions = game.player_sequences if alternating else [slice(0, len(behavior))]
    for group in groups_of_actions:
        is_updated = (action_numbers >= group.start) & (action_numbers < group.stop)
        updates = np.where(is_updated[:, None], derivatives_of_changes, 0.0)
        jacobian = jacobian + updates @ jacobian
    return jacobian


def add_empty_sequences_to_behavior(profile: Profile) -> Floats:
    """Return the probability of each sequence's last action, (S,), with 1 at the players' empty sequences."""
    return np.concatenate([np.ones(profile.game.num_players), profile.probabilities])


def compute_flow_velocity(game: SequenceForm, behavior: Floats) -> Floats:
    """Return how fast the probability of each sequence's last action changes in the replicator flow, (S,).

    The flow is that of Lanctot (2014, eq. 4), and `behavior`, (S,), has these probabilities.
    """
    growth_rates = compute_growth_and_plans(game.block, behavior)[: behavior.size]
    return np.asarray(behavior * growth_rates)


def list_free_and_last_actions(game: SequenceForm) -> tuple[Ints, Ints]:
    """Return the actions whose probabilities are free, and for each the action that takes up the rest.

    At each information set the probability of the last action is 1 minus those of the others, so all actions but the
    last are free.

    Returns
    -------
    array of int of shape (K,)
        The number of each free action among all players' sequences.
    array of int of shape (K,)
        The number of the last action of its information set.
    """
    last_by_infoset = game.first_sequence + game.num_actions - 1
    last_actions = np.repeat(last_by_infoset, game.num_actions)
    actions = np.arange(game.num_players, game.num_players + game.num_probabilities)
    is_free = actions != last_actions
    return actions[is_free], last_actions[is_free]


def summarize_stability(
    profile: Profile, eigenvalues: Floats, orders: Sequence[str]
) -> StabilitySummary:
    """Return how many disturbances of an equilibrium decay, circle, rest or grow in the flow, and in discrete steps.

    Parameters
    ----------
    profile : Profile
        The equilibrium.
    eigenvalues : array of complex of shape (K,)
        The eigenvalues of `compute_flow_jacobian` at the equilibrium.
    orders : sequence of str
        The orders of updates, 'simultaneous' or 'alternating'. For each, the spectral radius of a discrete step with
        the payoff shift 3 is computed.
    """
    is_zero = np.abs(eigenvalues) < ZERO_PART
    is_imaginary = (np.abs(eigenvalues.real) < ZERO_PART) & ~is_zero
    frequencies = eigenvalues[is_imaginary].imag
    periods = sorted({f"{2 * np.pi / frequency:.0f}" for frequency in frequencies if frequency > 0})

    radii = []
    for order in orders:
        jacobian = compute_discrete_step_jacobian(profile, payoff_shift=PAYOFF_SHIFT, order=order)
        radii.append(float(np.abs(np.linalg.eigvals(jacobian)).max()))
    return StabilitySummary(
        decay=int((eigenvalues.real < -ZERO_PART).sum()),
        circle=int(is_imaginary.sum()),
        rest=int(is_zero.sum()),
        grow=int((eigenvalues.real > ZERO_PART).sum()),
        periods=", ".join(periods),
        radii=radii,
    )


def trace_distances_of_bluff_probability(
    start: Profile, orders: Sequence[str]
) -> dict[str, list[float]]:
    """Return how far player 2's probability to bluff is from its equilibrium value along runs of Kuhn poker.

    The bluff is a bet with a jack after a pass, and has the probability 1/3 in each equilibrium.

    Parameters
    ----------
    start : Profile
        The first profile of the replicator dynamics, whose payoff shift is 3.
    orders : sequence of str
        The orders of updates, 'simultaneous' or 'alternating'.

    Returns
    -------
    dict of str to list of float
        By the order, the absolute distance after each 50 iterations (`RECORD_INTERVAL`), 200 times.
    """
    game = start.game
    equilibrium_probability = 1 / 3
    distances: dict[str, list[float]] = {}
    for order in orders:
        solver = ReplicatorDynamics(game, payoff_shift=PAYOFF_SHIFT, order=order)
        state = DynamicsState.from_start(game, start)
        distances[order] = []
        for _ in range(NUM_RECORDS):
            state = solver.step(state, RECORD_INTERVAL)
            bluff_probability = state.last_iterate.action_probabilities(1, "J, pass")["bet"]
            distances[order].append(abs(bluff_probability - equilibrium_probability))
    return distances
