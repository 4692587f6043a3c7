"""What is said of a population: who is non-dominated, ages, diversity, and the mean of a gene."""

import numpy as np

from pokerlab.core.arrays import Bools, Floats
from pokerlab.evolution.population.selection import non_dominated, times_better
from pokerlab.solvers import PopulationState
from pokerlab.strategies import RuleEncoding


def num_undominated(state: PopulationState) -> int:
    """Return how many are dominated by nobody; all where wins were not counted one by one."""
    many: int = state.population.shape[1]
    if not state.matrix.size or not state.iteration:
        return many
    return int(non_dominated(times_better(state.matrix, slice(0, many))).sum())


def mean_age(state: PopulationState) -> float:
    """Return for how many generations those who stay have been kept so far; 0 where nobody stays."""
    return float(state.ages[state.front].mean()) if state.front.any() else 0.0


def diversity(genomes: Floats, loci: Bools | None = None) -> float:
    """Return by how much two strategies differ at a locus, on average, as a share of its range.

    Zero where all are alike; a third where genes are uniform and independent, a half for flags.
    `loci`, shape (G,), says which are counted; all if not given.
    """
    chosen = np.ones(genomes.shape[1], np.bool_) if loci is None else loci
    reach = RuleEncoding().high - RuleEncoding().low
    scaled = np.sort(genomes / reach, axis=0)[:, chosen]
    many = len(genomes)
    weights = 2.0 * np.arange(many) - many + 1.0
    return float((weights @ scaled).mean() * 2.0 / (many * (many - 1)))


def mean_gene(state: PopulationState, locus: int) -> float:
    """Return the mean of a gene over the first population."""
    return float(state.population[0, :, locus].mean())
