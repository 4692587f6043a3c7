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
from pokerlab.solvers import ReplicatorDynamics
from pokerlab.solvers.dynamics import DynamicsState, compute_growth_and_plans
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
"""The number of records of such a run."""


class StabilitySummary(NamedTuple):
    """How small disturbances of an equilibrium develop in continuous-time and in discrete replicator dynamics.

    The numbers of eigenvalues are those of the Jacobian of the continuous-time dynamics.

    Attributes
    ----------
    num_decaying : int
        The number of eigenvalues with a negative real part, whose disturbances die out.
    num_circling : int
        The number of purely imaginary eigenvalues, whose disturbances circle around the equilibrium.
    num_resting : int
        The number of eigenvalues that are zero, whose disturbances neither grow nor die out.
    num_growing : int
        The number of eigenvalues with a positive real part, whose disturbances grow.
    periods : str
        The periods of the purely imaginary pairs, in units of time, separated by commas.
    spectral_radii : list of float
        The spectral radius of the Jacobian of a discrete step, for each order of updates. Disturbances grow if it
        exceeds one.
    """

    num_decaying: int
    num_circling: int
    num_resting: int
    num_growing: int
    periods: str
    spectral_radii: list[float]


def compute_flow_jacobian(profile: Profile) -> Floats:
    """Return the Jacobian of continuous-time replicator dynamics (Lanctot 2014, eq. 4) at a rest point.

    The variables are the K free probabilities of behavior: at each information set those of all actions but the last
    one. The probability of the last action makes the sum 1.

    Parameters
    ----------
    profile : Profile
        A rest point of the dynamics, such as an equilibrium.

    Returns
    -------
    array of shape (K, K)
        The derivative of each free probability's rate of change (the row) with respect to each free probability (the
        column), per unit of time.

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
            f"the profile changes by up to {largest_rate:.2g} per unit of time. Pass a rest point, such as an"
            " equilibrium."
        )

    # Along each free probability the rates of change are polynomials of degree two at most, because a path visits an
    # information set only once. So central differences are exact, up to rounding.
    columns = []
    for action, last_action in zip(free_actions.tolist(), last_actions.tolist(), strict=True):
        direction = np.zeros_like(behavior)
        direction[action] = DIFFERENCE_STEP
        direction[last_action] = -DIFFERENCE_STEP  # so that the probabilities still sum to one
        velocity_ahead = compute_flow_velocity(game, behavior + direction)
        velocity_behind = compute_flow_velocity(game, behavior - direction)
        # A central difference is divided by 2 DIFFERENCE_STEP, which is 1.
        columns.append((velocity_ahead - velocity_behind)[free_actions])
    return np.array(columns).T


def compute_discrete_step_jacobian(profile: Profile, *, payoff_shift: float, order: str) -> Floats:
    """Return the Jacobian of one step of discrete replicator dynamics (Lanctot 2014, eq. 3) at a rest point.

    The variables are the K free probabilities of behavior, as in `compute_flow_jacobian`. A step adds
    sigma(I, a) (v(I, a) - V(I)) / u_i(x with g_q) to the probability sigma(I, a). Here v(I, a) is the counterfactual
    value of action a at the information set I, V(I) the mean of these values, and u_i(x with g_q) the shifted utility
    of playing to reach I by the sequence q.

    Parameters
    ----------
    profile : Profile
        A rest point of the dynamics, such as an equilibrium.
    payoff_shift : float
        The constant that is added to all utilities to make them positive.
    order : {'simultaneous', 'alternating'}
        Whether all players update at the same time, or one after the other. The Jacobian of an alternating step is the
        product of the Jacobians of the players' updates.

    Returns
    -------
    array of shape (K, K)
        The derivative of each new probability (the row) with respect to each old one (the column).

    Raises
    ------
    GameError
        If the profile is not a rest point.
    SettingError
        If the shift leaves a utility negative.
    UnknownNameError
        If `order` has another name.
    """
    game = profile.game
    check_payoff_shift(game, payoff_shift, "a step")
    alternating = is_alternating(order)
    flow_jacobian = compute_flow_jacobian(profile)
    free_actions, _ = list_free_and_last_actions(game)

    # The information set of each free action is reached by the player's sequence `parent_sequence`.
    fitness = compute_shifted_utilities_of_sequences(profile, payoff_shift)
    action_numbers = (
        free_actions - game.num_players
    )  # among all actions, without the empty sequences
    parent_fitness = np.repeat(fitness[game.parent_sequence], game.num_actions)[action_numbers]

    # At a rest point the numerator of a change is zero. So the derivative of the change is that of the numerator,
    # divided by the denominator.
    derivatives_of_changes = flow_jacobian / parent_fitness[:, None]

    # The actions of a group are updated together: those of one player, or those of all players.
    jacobian = np.eye(len(flow_jacobian))
    groups_of_actions = game.player_sequences if alternating else [slice(0, game.num_probabilities)]
    for group in groups_of_actions:
        is_updated = (action_numbers >= group.start) & (action_numbers < group.stop)
        updates = np.where(is_updated[:, None], derivatives_of_changes, 0.0)
        jacobian = jacobian + updates @ jacobian
    return jacobian


def compute_shifted_utilities_of_sequences(profile: Profile, payoff_shift: float) -> Floats:
    """Return the shifted expected utility of playing to reach each sequence, and following a profile elsewhere.

    It is u_i(x with g_q) of Lanctot (2014), computed by eq. 5.

    Parameters
    ----------
    profile : Profile
        The profile x.
    payoff_shift : float
        The constant that is added to all utilities.

    Returns
    -------
    array of shape (S,)
        The utility of the player to whom the sequence q belongs, for each of the S sequences of all players.
    """
    game = profile.game
    gains = compute_growth_and_plans(
        game.block, add_empty_sequences_to_behavior(profile)
    )  # v(I, a) - V(I)
    utilities = np.zeros(game.num_players + game.num_probabilities)
    utilities[: game.num_players] = game.values(profile) + payoff_shift  # of the empty sequences
    for parent, first, size in zip(
        game.parent_sequence, game.first_sequence, game.num_actions, strict=True
    ):
        utilities[first : first + size] = utilities[parent] + gains[first : first + size]
    return utilities


def add_empty_sequences_to_behavior(profile: Profile) -> Floats:
    """Return the probability of each sequence's last action, and 1 for the empty sequences.

    Parameters
    ----------
    profile : Profile
        The profile, which has the probabilities of all actions.

    Returns
    -------
    array of shape (S,)
        The probabilities, by the S sequences of all players. The players' empty sequences come first.
    """
    return np.concatenate([np.ones(profile.game.num_players), profile.probabilities])


def compute_flow_velocity(game: SequenceForm, behavior: Floats) -> Floats:
    """Return the rate of change of each action's probability in the replicator flow (Lanctot 2014, eq. 4).

    The replicator flow is the name of the dynamics in continuous time.

    Parameters
    ----------
    game : SequenceForm
        The compiled game.
    behavior : array of shape (S,)
        The probability of the last action of each of the S sequences of all players, and 1 at the empty sequences.

    Returns
    -------
    array of shape (S,)
        The rates of change of these probabilities, per unit of time.
    """
    growth_rates = compute_growth_and_plans(game.block, behavior)[: behavior.size]
    return np.asarray(behavior * growth_rates)


def list_free_and_last_actions(game: SequenceForm) -> tuple[Ints, Ints]:
    """Return all actions but the last one of each information set, and for each of them that last action.

    The probabilities of the former are free. The last action's probability is 1 minus their sum.

    Parameters
    ----------
    game : SequenceForm
        The compiled game.

    Returns
    -------
    array of int of shape (K,)
        The number of each free action among the sequences of all players.
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
    """Return how small disturbances of an equilibrium develop in replicator dynamics.

    The result is true to first order, that is for disturbances so small that their squares can be neglected.

    Parameters
    ----------
    profile : Profile
        The equilibrium.
    eigenvalues : array of complex of shape (K,)
        The eigenvalues of `compute_flow_jacobian` at the equilibrium.
    orders : sequence of str
        The orders of updates in discrete time, 'simultaneous' or 'alternating'. For each, the spectral radius of a step
        with the payoff shift 3 is computed.

    Returns
    -------
    StabilitySummary
        The number of disturbances of each kind in continuous time, and the spectral radii of discrete steps.
    """
    is_zero = np.abs(eigenvalues) < ZERO_PART
    is_imaginary = (np.abs(eigenvalues.real) < ZERO_PART) & ~is_zero
    frequencies = eigenvalues[is_imaginary].imag
    periods = sorted({f"{2 * np.pi / frequency:.0f}" for frequency in frequencies if frequency > 0})

    spectral_radii = []
    for order in orders:
        jacobian = compute_discrete_step_jacobian(profile, payoff_shift=PAYOFF_SHIFT, order=order)
        spectral_radii.append(float(np.abs(np.linalg.eigvals(jacobian)).max()))
    return StabilitySummary(
        num_decaying=int((eigenvalues.real < -ZERO_PART).sum()),
        num_circling=int(is_imaginary.sum()),
        num_resting=int(is_zero.sum()),
        num_growing=int((eigenvalues.real > ZERO_PART).sum()),
        periods=", ".join(periods),
        spectral_radii=spectral_radii,
    )


def trace_distances_of_bluff_probability(
    start: Profile, orders: Sequence[str]
) -> dict[str, list[float]]:
    """Run discrete replicator dynamics of Kuhn poker, and return how far player 2's bluffs are from equilibrium.

    The bluff is a bet with a jack after a pass. Its probability is 1/3 in every equilibrium. The payoff shift is 3.

    Parameters
    ----------
    start : Profile
        The first profile of the runs.
    orders : sequence of str
        The orders of updates, 'simultaneous' or 'alternating'. There is a run for each.

    Returns
    -------
    dict of str to list of float
        For each order the absolute difference of the bluff's probability from 1/3, after every 50 iterations
        (`RECORD_INTERVAL`) of 10,000.
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
