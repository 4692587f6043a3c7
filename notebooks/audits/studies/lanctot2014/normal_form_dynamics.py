"""Replicator dynamics over mixed strategies of the normal form, in discrete and continuous time.

M. Lanctot, "Further Developments of Extensive-Form Replicator Dynamics using the Sequence-Form Representation", AAMAS
2014. Its Theorems 2 and 4 compare these dynamics with dynamics of the sequence form.

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
    """Return the mixed strategy of a player that chooses independently at each information set.

    The probability of a pure strategy s is the product of sigma(I, s(I)) over the player's information sets I, where
    sigma are the player's action probabilities. The mixed strategy is realization equivalent to these. So are other
    mixtures, which correlate information sets (Kuhn 1953).

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
    """The normal form of a small game, in which each pure strategy of a player is a realization plan.

    A mixed profile is one vector: the probabilities of the first player's pure strategies, then those of the second's,
    and so on. There are K of them in all.

    Parameters
    ----------
    game : SequenceForm
        A small game.

    Attributes
    ----------
    plans : list of arrays of shape (K_i, S_i)
        For each player i the realization plans of its K_i pure strategies over its S_i sequences, with a row for each
        strategy.
    strategy_slices : list of slice
        For each player the slice of its pure strategies in a mixed profile.
    """

    def __init__(self, game: SequenceForm) -> None:
        self.game = game
        self.plans = [list_pure_plans(game, player) for player in range(game.num_players)]
        boundaries = np.cumsum([0, *map(len, self.plans)]).tolist()
        self.strategy_slices = [slice(first, stop) for first, stop in pairwise(boundaries)]

    def compute_realization_plans(self, mixed_profile: Floats) -> Floats:
        """Return the realization plans of all players in a mixed profile.

        Parameters
        ----------
        mixed_profile : array of shape (K,)
            The probabilities of all players' pure strategies.

        Returns
        -------
        array of shape (S,)
            The realization weights of the game's S sequences, all players' empty sequences first.
        """
        mean_plans = [
            mixed_profile[strategies] @ plans
            for strategies, plans in zip(self.strategy_slices, self.plans, strict=True)
        ]
        empty_sequences = np.ones(len(mean_plans))
        other_sequences = [plan[1:] for plan in mean_plans]
        return np.concatenate([empty_sequences, *other_sequences])

    def compute_utilities(self, realization_plans: Floats) -> list[Floats]:
        """Return the utility of each player's pure strategies against the other players' realization plans.

        Parameters
        ----------
        realization_plans : array of shape (S,)
            The realization weights of the game's S sequences, all players' empty sequences first.

        Returns
        -------
        list of arrays of shape (K_i,)
            For each player i the expected payoff of each of its K_i pure strategies.
        """
        gradient = compute_gradients(self.game.block, realization_plans)
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
        The probabilities of all players' K pure strategies after these iterations.
    """

    game: SequenceForm
    iteration: int
    mixed: Floats

    def __post_init__(self) -> None:
        freeze(self.mixed)

    @property
    def current(self) -> Profile:
        """The behavior profile that is realization equivalent to `mixed`. After t iterations it is x(t + 1)."""
        plans = NormalForm(self.game).compute_realization_plans(self.mixed)
        return Profile.from_unchecked(self.game, compute_behavior(self.game.block, plans))


class NormalFormReplicator:
    """Replicator dynamics over the pure strategies of the normal form, in discrete or continuous time.

    All players update at the same time. Either `payoff_shift` or `time_step` must be given.

    Parameters
    ----------
    game : SequenceForm
        A small game.
    payoff_shift : float, optional
        A constant that is added to all utilities, for discrete time. An iteration multiplies the probability rho(s) of
        each pure strategy s by u_i(s) / u_i(rho). Here u_i(s) is the shifted utility of s, and u_i(rho) the player's
        mean.
    time_step : float, optional
        The time of an iteration, for continuous time. An iteration integrates d rho(s)/dt = rho(s) (u_i(s) - u_i(rho))
        over this time.
    start : Profile, optional
        The first profile, uniform by default. All probabilities must be positive. The dynamics begin with the mixed
        strategies that choose independently at each information set with these probabilities.

    Raises
    ------
    SettingError
        If both `payoff_shift` and `time_step` are given, or neither, if one of them is out of range, or if `start`
        gives an action the probability zero.
    GameError
        If `game` is not a compiled game, or `start` is a profile of another game.
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
        """Return the state before the first iteration, with the mixed strategies of the start.

        Returns
        -------
        MixedState
            The state of iteration 0. The mixed strategies give every pure strategy the product of the start's
            probabilities of its actions.
        """
        mixtures = [
            make_product_mixture(self.start, player) for player in range(self.game.num_players)
        ]
        return MixedState(self.game, 0, np.concatenate(mixtures))

    def step(self, state: MixedState, count: int = 1) -> MixedState:
        """Return the state after `count` more iterations.

        Parameters
        ----------
        state : MixedState
            The state with which the iterations begin. It is not changed.
        count : int
            The number of iterations, 0 or more.

        Returns
        -------
        MixedState
            A new state.

        Raises
        ------
        SettingError
            If `count` is negative or no integer.
        GameError
            If the state belongs to another game or another solver.
        ConvergenceError
            In continuous time, if the flow cannot be integrated with the required accuracy.
        """
        count = validate_count(self.game, state, count, MixedState)
        normal_form = NormalForm(self.game)
        mixed_profile = state.mixed
        for _ in range(count):
            if self.time_step is None:
                mixed_profile = self.replicate_mixtures(normal_form, mixed_profile)
            else:
                mixed_profile = self.integrate_mixtures(normal_form, mixed_profile)
        return MixedState(self.game, state.iteration + count, mixed_profile)

    def replicate_mixtures(self, normal_form: NormalForm, mixed_profile: Floats) -> Floats:
        """Return the mixed profile after one step in discrete time.

        The step multiplies the probability rho(s) of each pure strategy s by u_i(s) / u_i(rho). Here u_i(s) is the
        shifted utility of s, and u_i(rho) the player's mean.

        Parameters
        ----------
        normal_form : NormalForm
            The normal form of the game.
        mixed_profile : array of shape (K,)
            The probabilities of all players' pure strategies before the step.

        Returns
        -------
        array of shape (K,)
            The probabilities after the step.
        """
        assert self.payoff_shift is not None
        plans = normal_form.compute_realization_plans(mixed_profile)
        utilities_by_player = normal_form.compute_utilities(plans)
        next_profile = mixed_profile.copy()
        for strategies, utilities in zip(
            normal_form.strategy_slices, utilities_by_player, strict=True
        ):
            weights = mixed_profile[strategies] * (utilities + self.payoff_shift)
            if weights.sum() > 0.0:  # if all payoffs are zero, no strategy is fitter than another
                next_profile[strategies] = weights / weights.sum()
        return next_profile

    def integrate_mixtures(self, normal_form: NormalForm, mixed_profile: Floats) -> Floats:
        """Return the mixed profile after the time `time_step` in continuous time.

        Parameters
        ----------
        normal_form : NormalForm
            The normal form of the game.
        mixed_profile : array of shape (K,)
            The probabilities of all players' pure strategies before.

        Returns
        -------
        array of shape (K,)
            The probabilities after that time.

        Raises
        ------
        ConvergenceError
            If the flow cannot be integrated with the required accuracy.
        """
        assert self.time_step is not None

        def compute_growth_rates(mixed_profile: Floats) -> Floats:
            """Return the growth rate of each strategy, which is its payoff minus the mean payoff of the player."""
            plans = normal_form.compute_realization_plans(mixed_profile)
            utilities_by_player = normal_form.compute_utilities(plans)
            rates = [
                utilities - mixed_profile[strategies] @ utilities
                for strategies, utilities in zip(
                    normal_form.strategy_slices, utilities_by_player, strict=True
                )
            ]
            return np.concatenate(rates)

        first_strategies = np.array(
            [strategies.start for strategies in normal_form.strategy_slices]
        )
        next_profile, _ = integrate_flow(
            compute_growth_rates,
            mixed_profile,
            first_strategies,
            self.time_step,
            name=f"{self.game.name}'s normal form",
            rtol=1e-10,
            atol=1e-12,
        )
        return next_profile


def measure_plan_difference(first_profile: Profile, second_profile: Profile) -> float:
    """Return the largest absolute difference between the realization weights of two profiles of a game.

    It is zero if the profiles are realization equivalent (Lanctot 2014, Definition 2).

    Parameters
    ----------
    first_profile, second_profile : Profile
        The profiles.
    """
    differences = []
    for player in range(first_profile.game.num_players):
        difference = np.abs(first_profile.plan(player) - second_profile.plan(player))
        differences.append(float(difference.max()))
    return max(differences)


def trace_plan_differences(
    first_solver: Any, second_solver: Any, iterations: Sequence[int]
) -> Floats:
    """Run two solvers of a game, and return how far apart their current profiles are after given numbers of iterations.

    Parameters
    ----------
    first_solver, second_solver : solver
        The solvers, whose states have a `current` profile.
    iterations : sequence of int
        The numbers of iterations, in ascending order.

    Returns
    -------
    array of shape (len(iterations),)
        The largest absolute difference between their realization weights after each number of iterations.
    """
    first_state, second_state = first_solver.init(), second_solver.init()
    differences = []
    for iteration in iterations:
        first_state = first_solver.step(first_state, iteration - first_state.iteration)
        second_state = second_solver.step(second_state, iteration - second_state.iteration)
        differences.append(measure_plan_difference(first_state.current, second_state.current))
    return np.array(differences)


def compute_correlations(state: MixedState, player: int) -> Floats:
    """Return the matrix of correlations between a player's choices at all pairs of information sets.

    A choice is 1 if a pure strategy, drawn from the mixture, takes the second of two actions, and 0 if it takes the
    first. If the mixture chooses independently at each information set, all correlations off the diagonal are zero.

    Parameters
    ----------
    state : MixedState
        The state, with the mixture of each player.
    player : int
        The player.

    Returns
    -------
    array of shape (I_i, I_i)
        The correlations between the player's I_i information sets.

    Raises
    ------
    GameError
        If the player has an information set without exactly two actions.
    """
    game = state.game
    first, stop = game.infoset_start[player : player + 2]
    numbers_of_actions = game.num_actions[first:stop]
    if (numbers_of_actions != 2).any():
        raise GameError(
            f"correlations are defined for two actions everywhere; player {player + 1} of"
            f" {game.name} has {sorted(set(numbers_of_actions.tolist()))}."
        )

    # The mixture of the player's K_i pure strategies, and the choices of each, (K_i, I_i).
    probabilities = state.mixed[NormalForm(game).strategy_slices[player]]
    choices = list_pure_strategies(game, player)
    centered_choices = choices - probabilities @ choices
    covariances = centered_choices.T @ (probabilities[:, None] * centered_choices)
    deviations = np.sqrt(np.diag(covariances))
    return np.asarray(covariances / np.outer(deviations, deviations))


def compute_divergence(equilibrium: Profile, profile: Profile) -> float:
    """Return the divergence of a profile from an equilibrium.

        sum over q of x*(q) log(sigma*(q) / sigma(q))

    The sum is over all players' sequences q. The weights x*(q) are the equilibrium's realization plans, and sigma*(q)
    and sigma(q) are the probabilities of the last action of q in the equilibrium and in the profile. Proofs of
    convergence use the divergence. Along continuous-time replicator dynamics it never grows in a two-player zero-sum
    game, and it is constant once only best responses to the equilibrium are played.

    Parameters
    ----------
    equilibrium : Profile
        The equilibrium.
    profile : Profile
        The profile, in which all actions that the equilibrium plays have positive probabilities.

    Returns
    -------
    float
        The divergence, which is 0 or more. It is 0 if both profiles are realization equivalent.
    """
    game = equilibrium.game
    weights = np.concatenate([equilibrium.plan(player)[1:] for player in range(game.num_players)])
    is_used = weights > 0.0
    ratios = equilibrium.probabilities[is_used] / profile.probabilities[is_used]
    return float(weights[is_used] @ np.log(ratios))
