"""The columns that runs of Nicolai & Hilderman (2009) record: champions, actions, weights and halls of fame.

G. Nicolai, R. J. Hilderman, "No-Limit Texas Hold'em Poker Agents Created with Evolutionary Neural Networks", IEEE
Symposium on Computational Intelligence and Games 2009.

The champion of a population is its fittest network. Ranks cannot show progress, and elimination rewards folding, so
what champions do is recorded beside their ranks. `pokerlab.papers.nicolai2009` has the experiment.
"""

from collections.abc import Callable
from functools import partial
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pokerlab.core.arrays import Ints
from pokerlab.evolution.population.hall import EMPTY
from pokerlab.evolution.population.protocol import KINDS_OF_ACTION
from pokerlab.runs import Column
from pokerlab.solvers import PopulationCoevolution
from pokerlab.solvers.population_coevolution import PopulationState

__all__ = ["compute_champion_rank", "make_columns"]


def make_columns(solver: PopulationCoevolution) -> tuple[Column, ...]:
    """Return the columns that a run of evolved networks records.

    - The mean rank, the first places and the hands won of the champion, the fittest network of its population.
    - The shares of the four kinds of action, for the champion and for all players.
    - The size of the weights and their spread between networks.
    - The number of hands of a tournament.
    - If there is a hall of fame, the mean and the largest age of its networks.

    Parameters
    ----------
    solver : PopulationCoevolution
        The solver of the run, whose pairings are tournaments.

    Returns
    -------
    tuple of Column
        The columns in this order.
    """
    columns = [
        Column("rank", "champion's mean rank", "", compute_champion_rank),
        Column("first", "champion's first places", "", compute_champion_first_places),
        Column("won", "champion's hands won", "of its hands", compute_champion_hands_won),
        *make_action_columns("champion", count_champion_actions),
        *make_action_columns("everybody", count_all_actions),
        Column("rms", "weights, root mean square", "", compute_weight_rms),
        Column("spread", "spread between agents", "", compute_weight_spread),
    ]

    num_tournaments = solver.pairings.count  # type: ignore[attr-defined]

    def compute_hands_per_tournament(state: PopulationState) -> float:
        """Return the mean number of hands of a tournament in the last generation."""
        return float(state.num_hands / num_tournaments)

    columns.append(Column("hands", "hands a tournament", "hands", compute_hands_per_tournament))
    if solver.hall_of_fame.size:
        columns += [
            Column("hall_age", "mean age in the hall", "generations", compute_mean_hall_age),
            Column("hall_eldest", "eldest in the hall", "generations", compute_largest_hall_age),
        ]
    return tuple(columns)


def make_action_columns(
    players: str, count_actions: Callable[[PopulationState], Ints]
) -> list[Column]:
    """Return four columns, which record the shares of the four kinds of action in all decisions of some players.

    Parameters
    ----------
    players : str
        The name of the players, such as 'champion', with which the names of the columns begin.
    count_actions : callable
        A function of a state that returns how often these players took each of the four kinds of action.

    Returns
    -------
    list of Column
        A column for each of `KINDS_OF_ACTION`.
    """

    def compute_action_share(state: PopulationState, action: int) -> float:
        """Return the share of all decisions in which the players took an action; 0 before the first decision."""
        counts = count_actions(state)
        return float(counts[action] / max(counts.sum(), 1))

    columns = []
    for action, kind in enumerate(KINDS_OF_ACTION):
        measure = partial(compute_action_share, action=action)
        columns.append(Column(f"{players}_{kind}", kind, "of decisions", measure))
    return columns


def select_champion_values(
    state: PopulationState, values_by_strategy: NDArray[Any]
) -> NDArray[Any]:
    """Return the values that belong to the champions, which are the fittest networks of their populations.

    Parameters
    ----------
    state : PopulationState
        The state of a run with P populations of N networks.
    values_by_strategy : array of shape (P, N, ...)
        One value, or an array of values, for each network.

    Returns
    -------
    array of shape (P, ...)
        The values of each population's champion.
    """
    champions = np.argmax(state.fitness, axis=1)
    populations = np.arange(len(champions))
    selected: NDArray[Any] = values_by_strategy[populations, champions]
    return selected


def compute_champion_rank(state: PopulationState) -> float:
    """Return the mean rank of the champions in the tournaments of the last generation, among all entrants.

    The winner of a tournament has rank 1. The champion of a population is its fittest network.

    Parameters
    ----------
    state : PopulationState
        The state of a run. Before the first generation the result is 0.
    """
    return float(select_champion_values(state, state.mean_rank).mean())


def compute_champion_first_places(state: PopulationState) -> float:
    """Return the share of tournaments that a champion wins, averaged over the populations.

    The champion of a population is its fittest network.

    Parameters
    ----------
    state : PopulationState
        The state of a run. Before the first generation the result is 0.
    """
    return float(select_champion_values(state, state.first_places).mean())


def compute_champion_hands_won(state: PopulationState) -> float:
    """Return the share of the champions' hands in which they won chips, or 0 before any hand has been played.

    The champion of a population is its fittest network.

    Parameters
    ----------
    state : PopulationState
        The state of a run. Hands of its last generation count.
    """
    hands_won = select_champion_values(state, state.hands_won).sum()
    hands_played = select_champion_values(state, state.hands).sum()
    return float(hands_won / max(hands_played, 1))


def count_champion_actions(state: PopulationState) -> Ints:
    """Return how often the champions of all populations took each of `KINDS_OF_ACTION`, array of shape (4,).

    Parameters
    ----------
    state : PopulationState
        The state of a run. Actions of its last generation count.

    Returns
    -------
    array of int, shape (4,)
        The number of actions of each kind, in the order of `KINDS_OF_ACTION`.
    """
    actions_by_champion = select_champion_values(state, state.actions)
    return np.asarray(actions_by_champion.sum(axis=0))


def count_all_actions(state: PopulationState) -> Ints:
    """Return how often the networks of all populations took each of `KINDS_OF_ACTION`, array of shape (4,).

    Parameters
    ----------
    state : PopulationState
        The state of a run. Actions of its last generation count.

    Returns
    -------
    array of int, shape (4,)
        The number of actions of each kind, in the order of `KINDS_OF_ACTION`.
    """
    return np.asarray(state.actions.sum(axis=(0, 1)))


def compute_weight_rms(state: PopulationState) -> float:
    """Return the root mean square of the weights of all networks.

    Parameters
    ----------
    state : PopulationState
        The state of a run. The weights of all its networks count equally.
    """
    return float(np.sqrt(np.mean(np.square(state.population, dtype=np.float64))))


def compute_weight_spread(state: PopulationState) -> float:
    """Return how much the networks of a population differ: the root of the mean variance of a weight.

    The variance of a weight is over the networks of a population. The mean is over the weights and the populations. If
    children are weighted sums of their parents, the spread becomes small, and only mutation keeps it from zero.

    Parameters
    ----------
    state : PopulationState
        The state of a run, whose `population` has shape (P, N, G): G weights of N networks in each of P populations.
    """
    variances = np.var(state.population, axis=1, dtype=np.float64)
    return float(np.sqrt(variances.mean()))


def list_generations_of_entry(state: PopulationState) -> Ints:
    """Return the generations in which the networks in the halls of fame have entered.

    The array has one entry for each network, and is empty while the halls are empty.

    Parameters
    ----------
    state : PopulationState
        The state of a run, with one hall of fame for each population.

    Returns
    -------
    array of int, shape (M,)
        The generations of the M networks in all halls, hall by hall.
    """
    is_occupied = state.hall.entered != EMPTY
    return np.asarray(state.hall.entered[is_occupied])


def compute_mean_hall_age(state: PopulationState) -> float:
    """Return the mean age of the networks in the halls of fame, in generations, or 0 while the halls are empty.

    Parameters
    ----------
    state : PopulationState
        The state of a run. A network's age is the number of generations since it entered the hall.
    """
    generations = list_generations_of_entry(state)
    return float(state.iteration - generations.mean()) if generations.size else 0.0


def compute_largest_hall_age(state: PopulationState) -> float:
    """Return the largest age of a network in the halls of fame, in generations, or 0 while the halls are empty.

    Parameters
    ----------
    state : PopulationState
        The state of a run. A network's age is the number of generations since it entered the hall.
    """
    generations = list_generations_of_entry(state)
    return float(state.iteration - generations.min()) if generations.size else 0.0
