"""What is said of a generation: the champion's rank, how large and how different weights are, who does what.

Ranks within a population cannot show progress: half of it is always above the median. Beside a champion's
rank stand its first places, the hands that it wins and what it does, since elimination rewards folding.
"""

from typing import Any

import numpy as np
from numpy.typing import NDArray

from pokerlab.evolution.population.parts import Genomes
from pokerlab.solvers import PopulationState


def of_champions(state: PopulationState, numbers: NDArray[Any]) -> NDArray[Any]:
    """Return what `numbers`, (P, N, ...), say of each population's champion, (P, ...)."""
    best = np.argmax(state.score, axis=1)
    said: NDArray[Any] = numbers[np.arange(len(best)), best]
    return said


def rank_of_champion(state: PopulationState) -> float:
    """Return the champion's mean rank among all entrants, 1 being best; the mean of the populations."""
    return float(of_champions(state, state.mean_rank).mean())


def first_places_of_champion(state: PopulationState) -> float:
    """Return the champion's share of first places; the mean of the populations."""
    return float(of_champions(state, state.first_places).mean())


def hands_won_by_champion(state: PopulationState) -> float:
    """Return the share of its hands in which the champion won chips; 0 before anybody has played."""
    won, played = (of_champions(state, numbers).sum() for numbers in (state.hands_won, state.hands))
    return float(won / max(played, 1))


def share_of_action(state: PopulationState, action: int) -> float:
    """Return the share of an action, 0 to 3 for fold, check, call and raise, among everybody's."""
    counts = state.actions.sum(axis=(0, 1))
    return float(counts[action] / max(counts.sum(), 1))


def champion_s_share(state: PopulationState, action: int) -> float:
    """Return the share of an action among the champions'."""
    counts = of_champions(state, state.actions).sum(axis=0)
    return float(counts[action] / max(counts.sum(), 1))


def root_mean_square(genomes: Genomes) -> float:
    """Return the root of the mean square of all weights."""
    return float(np.sqrt(np.mean(np.square(genomes, dtype=np.float64))))


def spread(populations: Genomes) -> float:
    """Return how networks of one population differ: the root of the mean variance of a weight.

    `populations`, (P, N, G). Sums of parents make it small, and noise alone keeps it from zero.
    """
    return float(np.sqrt(np.var(populations, axis=1, dtype=np.float64).mean()))


def mean_age_in_hall(state: PopulationState) -> float:
    """Return for how many generations those in the halls have been there, on average."""
    there = state.hall.since[state.hall.since >= 0]
    return float(state.iteration - there.mean()) if there.size else 0.0


def greatest_age_in_hall(state: PopulationState) -> float:
    """Return for how many generations the eldest in a hall has been there: how far memory goes back."""
    there = state.hall.since[state.hall.since >= 0]
    return float(state.iteration - there.min()) if there.size else 0.0
