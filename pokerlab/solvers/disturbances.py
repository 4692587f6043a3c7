"""Disturbances: changes to a state from outside, such as mutants that enter, after which the solver goes on.

Each function takes a state and returns another one with the same iteration; the given state is not changed. They fit
the solvers whose next step follows from what is played now: replicator dynamics, and coevolution of a population. CFR
and fictitious play compute their behavior anew from regrets or averages, so a changed behavior would be lost at once.
"""

from dataclasses import replace

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import Floats, SettingError, ShapeError, UnknownNameError
from pokerlab.core.arrays import validate_numbers
from pokerlab.core.settings import check_kind, validate_integer, validate_number
from pokerlab.evolution.population.variation import NO_PARENT
from pokerlab.games import Profile
from pokerlab.games.sequence_form import check_profile_fits_game
from pokerlab.games.tree_passes import compute_plans
from pokerlab.solvers.dynamics import DynamicsState
from pokerlab.solvers.population_coevolution import PopulationState


def mix_in_profile(state: DynamicsState, profile: Profile, share: float) -> DynamicsState:
    """Return the state of a dynamic after a share of every player's population has been replaced by mutants.

    The mutants of player i play the strategy of player i in `profile`. The new realization plan of player i is
    (1 - share) x_i + share y_i, where x_i is the plan of the current behavior, and y_i is the plan of the mutants. At
    an information set the new behavior is a mean of both behaviors, weighted by how often each population reaches the
    set. If neither population reaches it, the current behavior stays.

    Parameters
    ----------
    state : DynamicsState
        A state of `ReplicatorDynamics` or `ContinuousReplicator`.
    profile : Profile
        The profile of the mutants, in the same game.
    share : float
        The share of mutants, 0 to 1.

    Returns
    -------
    DynamicsState
        The same iteration and averages, with another `current`. `last_iterate` is what was played before; at
        iteration 0 it is the new start, too.

    Raises
    ------
    SettingError
        If the state belongs to another solver, or if the share is not a number from 0 to 1.
    KindError
        If `profile` is not a `Profile`.
    GameError
        If the profile belongs to another game.

    Examples
    --------
    >>> import pokerlab as pl
    >>> game = pl.games.biased_rps()
    >>> replicator = pl.solvers.ReplicatorDynamics(game, payoff_shift=60.0)
    >>> rocks = pl.games.Profile(game, [1, 0, 0, 1, 0, 0])
    >>> disturbed = pl.solvers.mix_in_profile(replicator.init(), rocks, share=0.25)
    >>> disturbed.current.get_behavior(0).round(3).tolist()
    [0.5, 0.25, 0.25]
    """
    check_replicator_state(state)
    check_profile_fits_game(state.game, profile)
    validate_number("share", share, 0.0, 1.0)
    game = state.game
    current_behavior = state.behavior[game.num_players :].copy()

    # How often each population reaches each information set, repeated for each action there.
    current_plan = compute_plans(game.block, current_behavior)
    mutant_plan = compute_plans(game.block, profile.vector)
    current_reach = np.repeat(current_plan[game.parent_sequence], game.num_actions)
    mutant_reach = np.repeat(mutant_plan[game.parent_sequence], game.num_actions)

    # The new behavior is the weighted mean. Where no population arrives, it is the current behavior.
    current_weight = (1.0 - share) * current_reach
    mutant_weight = share * mutant_reach
    total_weight = current_weight + mutant_weight
    is_reached = total_weight > 0.0
    weighted_sum = current_weight * current_behavior + mutant_weight * profile.probabilities
    mean_behavior = weighted_sum / np.where(is_reached, total_weight, 1.0)
    return replace_behavior(state, np.where(is_reached, mean_behavior, current_behavior))


def set_action_probability(
    state: DynamicsState, player: int, infoset: str, action: str, probability: float
) -> DynamicsState:
    """Return the state of a dynamic after the probability of one action of a player has been set.

    The rest of the probability is divided among the other actions at the information set, in proportion to their
    present probabilities, or equally if all of these are 0. In replicator dynamics an action with probability 0 is
    extinct: it is never played again until its probability is set or mutants play it. So the probability 0 removes an
    action, 1 removes all other actions, and a small positive probability brings an extinct action back.

    Parameters
    ----------
    state : DynamicsState
        A state of `ReplicatorDynamics` or `ContinuousReplicator`.
    player : int
        The player, counted from 0.
    infoset : str
        The label of the information set, such as 'J, bet'.
    action : str
        The name of the action, such as 'fold'.
    probability : float
        Its probability from now on, 0 to 1.

    Returns
    -------
    DynamicsState
        The same iteration and averages, with another `current`.

    Raises
    ------
    SettingError
        If the state belongs to another solver, if there is no such player, or if the probability is not from 0 to 1.
    UnknownNameError
        If there is no such information set or action.

    Examples
    --------
    >>> import pokerlab as pl
    >>> kuhn = pl.games.kuhn()
    >>> replicator = pl.solvers.ReplicatorDynamics(kuhn, payoff_shift=3.0)
    >>> without_bluffs = set_action_probability(replicator.init(), 0, "J", "bet", 0.0)
    >>> replicator.step(without_bluffs, 100).current.action_probabilities(0, "J")["bet"]
    0.0
    """
    check_replicator_state(state)
    infoset_slice, actions = state.game.find_action_slice(player, infoset)
    UnknownNameError.check(f"action at '{infoset}'", action, actions)
    validate_number("probability", probability, 0.0, 1.0)
    if len(actions) == 1:
        return state  # the only action always has probability 1

    # The proportions of the other actions, which are equal if none of them is played.
    all_probabilities = state.behavior[state.game.num_players :].copy()
    chosen_action = actions.index(action)
    proportions = all_probabilities[infoset_slice].copy()
    proportions[chosen_action] = 0.0
    if proportions.sum() == 0.0:
        proportions[:] = 1.0
        proportions[chosen_action] = 0.0

    probabilities = proportions * ((1.0 - probability) / proportions.sum())
    probabilities[chosen_action] = probability
    all_probabilities[infoset_slice] = probabilities
    return replace_behavior(state, all_probabilities)


def replace_strategies(
    state: PopulationState, genomes: ArrayLike, *, population: int = 0
) -> PopulationState:
    """Return the state of a coevolution after the least fit strategies of a population have been replaced by new ones.

    The new strategies have age 0 and no parents. They count as survivors, so they play in the next generation, and
    their results decide whether they stay. They have not played yet, so they are not parents of the next children. The
    fields of results (profit, hands, fitness) keep the results of the replaced strategies until then.

    Parameters
    ----------
    state : PopulationState
        A state of `PopulationCoevolution`.
    genomes : array_like of shape (K, G)
        The genomes of K new strategies, of G genes each. K is at most the size of the population.
    population : int
        The index of the population.

    Returns
    -------
    PopulationState
        The same iteration, with other genomes.

    Raises
    ------
    ShapeError
        If `genomes` are not rows of G genes, or if there are more than the population has.
    SettingError
        If `state` is of another kind, or if the index of the population is out of range.
    """
    check_kind("state", state, PopulationState, "a state of PopulationCoevolution")
    num_populations, size, num_genes = state.population.shape
    index = validate_integer("population", population, 0, num_populations - 1)
    new_genomes = validate_numbers(genomes, "genomes", ShapeError)
    if new_genomes.ndim != 2 or new_genomes.shape[1] != num_genes or len(new_genomes) > size:
        raise ShapeError(
            f"genomes have shape {new_genomes.shape}; pass at most {size}, each with {num_genes} genes."
        )

    # The indices of the least fit strategies. The order is reversed, so that of equally fit ones the last come first.
    reversed_order = np.argsort(state.fitness[index, ::-1], kind="stable")
    replaced = size - 1 - reversed_order[: len(new_genomes)]

    all_genomes = state.population.copy()
    ages = state.ages.copy()
    parents = state.parents.copy()
    front = state.front.copy()
    all_genomes[index, replaced] = new_genomes
    ages[index, replaced] = 0
    parents[index, replaced] = NO_PARENT
    has_survivors = state.iteration > 0  # there are none before the first generation
    front[index, replaced] = has_survivors

    # The new strategies are not parents, so the probabilities of the other strategies are scaled to the sum 1. If all
    # strategies are replaced, they all become parents with equal probability.
    parent_probabilities = state.parent_probabilities.copy()
    parent_probabilities[index, replaced] = 0.0
    remaining = parent_probabilities[index].sum()
    if remaining > 0.0:
        parent_probabilities[index] = parent_probabilities[index] / remaining
    else:
        parent_probabilities[index] = 1.0 / size

    return replace(
        state,
        population=all_genomes,
        ages=ages,
        parents=parents,
        front=front,
        parent_probabilities=parent_probabilities,
    )


def check_replicator_state(state: DynamicsState) -> None:
    """Raise a SettingError unless a state is one of replicator dynamics, whose next iteration begins with its behavior.

    Other solvers compute their behavior anew in each iteration, so a changed behavior would be lost.

    Parameters
    ----------
    state : DynamicsState
        The state of a solver.

    Raises
    ------
    SettingError
        If it is a state of another solver.
    """
    if type(state) is not DynamicsState:
        raise SettingError(
            f"state is a {type(state).__name__}; pass one of ReplicatorDynamics or ContinuousReplicator. Other solvers"
            " compute their behavior anew in each iteration."
        )


def replace_behavior(state: DynamicsState, probabilities: Floats) -> DynamicsState:
    """Return the state of the same iteration with other probabilities of all actions.

    Before the first iteration they are the start x(1), which is also the last profile of the state.

    Parameters
    ----------
    state : DynamicsState
        The state, which is not changed.
    probabilities : array of shape (S - n,)
        The probability of each action at each information set, in a game of n players and S sequences.

    Returns
    -------
    DynamicsState
        The state with another `current`.
    """
    behavior = np.concatenate([np.ones(state.game.num_players), probabilities])
    last_behavior = behavior if state.iteration == 0 else state.last_behavior
    return replace(state, behavior=behavior, last_behavior=last_behavior).freeze_arrays()
