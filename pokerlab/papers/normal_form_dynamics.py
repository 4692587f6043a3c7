"""Replicator dynamics over mixed strategies of the normal form, in discrete and continuous time.

M. Lanctot, "Further Developments of Extensive-Form Replicator Dynamics using the Sequence-Form Representation", AAMAS
2014. Its Theorems 2 and 4 compare these dynamics with those of the sequence form.

A mixed strategy has a probability for each pure strategy, and a game has very many of them, so these dynamics are for
small games. `trace_plan_differences` and `compute_correlations` measure where they differ from the sequence form's, and
`compute_divergence` measures how far a profile is from an equilibrium.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from itertools import pairwise
from typing import Any

import numpy as np

from pokerlab.core import Floats, GameError, SettingError, freeze, validate_number
from pokerlab.games import Profile, SequenceForm
from pokerlab.games.tree_passes import compute_behavior, compute_gradients
from pokerlab.solvers.flow import integrate_flow
from pokerlab.solvers.protocol import (
    LONGEST_TIME_STEP,
    check_interior_start,
    check_payoff_shift,
    check_start,
    validate_count,
)
from pokerlab.strategies.pure_strategies import list_pure_plans, list_pure_strategies


def make_product_mixture(profile: Profile, player: int) -> Floats:
    """Return the mixed strategy that chooses independently at each information set with the player's probabilities.

    The probability of the pure strategy s is the product over information sets I of sigma(I, s(I)), where sigma are the
    player's action probabilities. Other mixtures, which correlate information sets, are realization equivalent to it as
    well (Kuhn 1953).

    Parameters
    ----------
    profile : Profile
        The action probabilities of all players in a small game.
    player : int
        The player, counted from 0.

    Returns
    -------
    array of shape (K_i,)
        The probability of each of the player's K_i pure strategies.
    """
    game = profile.game
    first_actions = game.make_treeplex(player).first_sequence - 1
    choices = list_pure_strategies(game, player)  # an action at each information set, (K_i, I_i)
    action_probabilities = profile.get_behavior(player)[first_actions + choices]
    return np.asarray(np.prod(action_probabilities, axis=1))


class NormalForm:
    """The pure strategies of a small game as realization plans, a matrix for each player.

    A mixed profile is one vector of the probabilities of the first player's pure strategies, then of the second's, and
    so on, K in all.

    Parameters
    ----------
    game : SequenceForm
        A small game.

    Attributes
    ----------
    plans : list of arrays of shape (K_i, S_i)
        For each player i the realization plans of K_i pure strategies, a row each, over S_i sequences.
    players : list of slice
        For each player the slice of the player's pure strategies in a mixed profile.
    """

    def __init__(self, game: SequenceForm) -> None:
        self.game = game
        self.plans = [list_pure_plans(game, player) for player in range(game.num_players)]
        boundaries = np.cumsum([0, *map(len, self.plans)]).tolist()
        self.players = [slice(first, stop) for first, stop in pairwise(boundaries)]

    def compute_realization(self, mixed: Floats) -> Floats:
        """Return the realization plans of a mixed profile.

        Parameters
        ----------
        mixed : array of shape (K,)
            The probabilities of all players' pure strategies.

        Returns
        -------
        array of shape (S,)
            The realization weights of the game's S sequences, all players' empty sequences first.
        """
        mean_plans = [
            mixed[strategies] @ plans
            for strategies, plans in zip(self.players, self.plans, strict=True)
        ]
        empty_sequences = np.ones(len(mean_plans))
        other_sequences = [plan[1:] for plan in mean_plans]
        return np.concatenate([empty_sequences, *other_sequences])

    def compute_utilities(self, realization: Floats) -> list[Floats]:
        """Return the utilities of each player's pure strategies against the other players' realization plans.

        Parameters
        ----------
        realization : array of shape (S,)
            The realization weights of the game's S sequences, all players' empty sequences first.

        Returns
        -------
        list of arrays of shape (K_i,)
            For each player i the expected payoff of each of the K_i pure strategies.
        """
        gradient = compute_gradients(self.game.block, realization)
        num_players = self.game.num_players
        utilities = []
        for player, plans in enumerate(self.plans):
            # All players' empty sequences come first, and then each player's other sequences.
            own_sequences = self.game.player_sequences[player]
            of_empty_sequence = gradient[[player]]
            begin = own_sequences.start + num_players
            end = own_sequences.stop + num_players
            of_other_sequences = gradient[begin:end]
            utilities.append(plans @ np.concatenate([of_empty_sequence, of_other_sequences]))
        return utilities


@dataclass(frozen=True, eq=False)
class MixedState:
    """The state of `NormalFormReplicator`.

    Attributes
    ----------
    game : SequenceForm
        The game.
    iteration : int
        The number of iterations done.
    mixed : array of shape (K,)
        The present probabilities of all players' pure strategies.
    """

    game: SequenceForm
    iteration: int
    mixed: Floats

    def __post_init__(self) -> None:
        freeze(self.mixed)

    @property
    def current(self) -> Profile:
        """The behavior profile that is realization equivalent to the present mixture: x(t + 1) after t iterations."""
        plan = NormalForm(self.game).compute_realization(self.mixed)
        return Profile.from_unchecked(self.game, compute_behavior(self.game.block, plan))


class NormalFormReplicator:
    """Replicator dynamics in which every pure strategy is a replicator, and all players update at the same time.

    Either `payoff_shift` or `time_step` must be given. SettingError is raised if both are, or neither is.

    Parameters
    ----------
    game : SequenceForm
        A small game.
    payoff_shift : float, optional
        For discrete time. An iteration multiplies rho(s) by u_i(s) / u_i(rho), where this is added to all utilities.
    time_step : float, optional
        For continuous time. An iteration integrates d rho(s)/dt = rho(s) (u_i(s) - u_i(rho)) over this time.
    start : Profile, optional
        Where to start, as a mixture that chooses independently at each information set; the uniform profile if not
        given. All probabilities must be positive.
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
            validate_number("time_step", time_step, 1e-9, LONGEST_TIME_STEP)
        self.game, self.payoff_shift, self.time_step = game, payoff_shift, time_step
        self.start = start or game.uniform()

    def init(self) -> MixedState:
        """Return the state before the first iteration."""
        mixtures = [make_product_mixture(self.start, i) for i in range(self.game.num_players)]
        return MixedState(self.game, 0, np.concatenate(mixtures))

    def step(self, state: MixedState, count: int = 1) -> MixedState:
        """Return the state `count` iterations after `state`."""
        count = validate_count(self.game, state, count, MixedState)
        form = NormalForm(self.game)
        mixed = state.mixed.copy()
        for _ in range(count):
            if self.time_step is None:
                mixed = self.replicate_mixtures(form, mixed)
            else:
                mixed = self.integrate_mixtures(form, mixed)
        return MixedState(self.game, state.iteration + count, mixed)

    def replicate_mixtures(self, normal_form: NormalForm, mixed_profile: Floats) -> Floats:
        """Return the mixed profile after one step in discrete time, which multiplies rho(s) by u_i(s) / u_i(rho).

        `mixed_profile` has the probabilities rho(s) of all players' pure strategies s, before the step. The payoff
        shift is added to all utilities u_i.
        """
        assert self.payoff_shift is not None
        utilities = normal_form.compute_utilities(normal_form.compute_realization(mixed_profile))
        next_mixtures = mixed_profile.copy()
        for strategies, utility in zip(normal_form.players, utilities, strict=True):
            shares = mixed_profile[strategies] * (utility + self.payoff_shift)
            if shares.sum() > 0.0:  # if all payoffs are zero, no strategy is fitter than another
                next_mixtures[strategies] = shares / shares.sum()
        return next_mixtures

    def integrate_mixtures(self, normal_form: NormalForm, mixed_profile: Floats) -> Floats:
        """Return the mixed profile after `time_step` in continuous time.

        `mixed_profile` has the probabilities of all players' pure strategies before.
        """
        assert self.time_step is not None

        def compute_growth(mixed_profile: Floats) -> Floats:
            """Return the growth rate of each strategy, which is its payoff minus the mean payoff of the player."""
            utilities = normal_form.compute_utilities(
                normal_form.compute_realization(mixed_profile)
            )
            rates = [
                utility - mixed_profile[strategies] @ utility
                for strategies, utility in zip(normal_form.players, utilities, strict=True)
            ]
            return np.concatenate(rates)

        first = np.array([strategies.start for strategies in normal_form.players])
        next_mixtures, *_ = integrate_flow(
            compute_growth,
            mixed_profile,
            first,
            self.time_step,
            name=f"{self.game.name}'s normal form",
            rtol=1e-10,
            atol=1e-12,
        )
        return next_mixtures


def measure_plan_difference(first: Profile, second: Profile) -> float:
    """Return the largest absolute difference between the realization weights of two profiles of a game.

    It is zero if they are realization equivalent (Lanctot 2014, Definition 2).
    """
    differences = []
    for player in range(first.game.num_players):
        difference = np.abs(first.plan(player) - second.plan(player))
        differences.append(float(difference.max()))
    return max(differences)


def trace_plan_differences(first: Any, second: Any, counts: Sequence[int]) -> Floats:
    """Run two solvers, and return how far apart their current profiles are after some numbers of iterations.

    Parameters
    ----------
    first, second : solver
        Two solvers of the same game, whose states have a `current` profile.
    counts : sequence of int
        The numbers of iterations, in ascending order.

    Returns
    -------
    array of shape (len(counts),)
        The distance of `measure_plan_difference` after each number of iterations.
    """
    first_state, second_state = first.init(), second.init()
    differences = []
    for count in counts:
        first_state = first.step(first_state, count - first_state.iteration)
        second_state = second.step(second_state, count - second_state.iteration)
        differences.append(measure_plan_difference(first_state.current, second_state.current))
    return np.array(differences)


def compute_correlations(state: MixedState, player: int) -> Floats:
    """Return the matrix of correlations between a player's choices at all pairs of information sets.

    A choice is 1 if a pure strategy, drawn from the mixture, takes the second of two actions, and 0 if the first. If
    the mixture chooses independently at each information set, all correlations off the diagonal are zero.

    Parameters
    ----------
    state : MixedState
        The state whose mixture is examined.
    player : int
        The player.

    Returns
    -------
    array of shape (I_i, I_i)
        The correlations between the player's I_i information sets.

    Raises
    ------
    GameError
        If the player has more than two actions somewhere.
    """
    game = state.game
    first, last = game.infoset_start[player : player + 2]
    if (game.num_actions[first:last] != 2).any():
        raise GameError(
            f"correlations are defined for two actions everywhere; player {player + 1} of"
            f" {game.name} has {sorted(set(game.num_actions[first:last].tolist()))}."
        )

    # The mixture of the player's K_i pure strategies, and the choices of each, (K_i, I_i).
    probabilities = state.mixed[NormalForm(game).players[player]]
    choices = list_pure_strategies(game, player)
    centered = choices - probabilities @ choices
    covariances = centered.T @ (probabilities[:, None] * centered)
    deviations = np.sqrt(np.diag(covariances))
    return np.asarray(covariances / np.outer(deviations, deviations))


def compute_divergence(equilibrium: Profile, profile: Profile) -> float:
    """Return the divergence of a profile from an equilibrium, which is used to prove convergence.

        sum over q of x*(q) log(sigma*(q) / sigma(q))

    The sum is over all players' sequences q. x* is the equilibrium's realization plan, and sigma*(q) and sigma(q) are
    the probabilities of the last action of q in the equilibrium and in the profile. In continuous time the divergence
    never grows in a two-player zero-sum game. It stays the same once only best responses to the equilibrium are played.

    Parameters
    ----------
    equilibrium : Profile
        The equilibrium.
    profile : Profile
        The profile, in which all actions that the equilibrium plays have positive probabilities.
    """
    game = equilibrium.game
    weights = np.concatenate([equilibrium.plan(player)[1:] for player in range(game.num_players)])
    is_used = weights > 0.0
    ratios = equilibrium.probabilities[is_used] / profile.probabilities[is_used]
    return float(weights[is_used] @ np.log(ratios))
