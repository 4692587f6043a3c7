"""Made-up fitness, results and generations of populations."""

from types import SimpleNamespace
from typing import Any

import numpy as np

from pokerlab.evolution.population.protocol import Fitness, Hall, Results, Survivors


def matrix_fitness(matrix: Any, values: Any = None) -> Fitness:
    """Return a fitness with this matrix; its values are the sums of rows unless they are given."""
    numbers = np.asarray(matrix, np.float64)
    return Fitness(np.nansum(numbers, axis=1) if values is None else np.asarray(values), numbers)


def value_fitness(values: Any) -> Fitness:
    """Return a fitness without a matrix."""
    return Fitness(np.asarray(values, np.float64))


def select(
    selection: Any,
    fitness: Fitness,
    members: slice | None = None,
    *,
    seed: int = 1,
    genomes: Any = None,
    ages: Any = None,
) -> Survivors:
    """Return the survivors of a selection; all are of one population, new and alike by default."""
    of = slice(0, len(fitness.values)) if members is None else members
    size = len(fitness.values[of])
    survivors: Survivors = selection(
        fitness,
        of,
        np.zeros((size, 2)) if genomes is None else np.asarray(genomes, np.float64),
        np.zeros(size, np.int64) if ages is None else np.asarray(ages),
        np.random.default_rng(seed),
    )
    return survivors


def results_of_three(**given: Any) -> Results:
    """Return results of three players who won 6, -6 and 0 chips in 10, 10 and 0 hands."""
    nothing = np.zeros((3, 3), np.int64)
    counts = {"won_from": nothing, "won_in_shared_games": nothing, "shared_hands": nothing, **given}
    results = {
        "num_hands": 10,
        "profit": np.array([6, -6, 0]),
        "hands": np.array([10, 10, 0]),
        "hands_won": np.array([3, 7, 0]),
        "actions": np.zeros((3, 4), np.int64),
        "ranks": np.zeros((0, 3)),
    }
    return Results(**{**results, **counts})


def made_up(
    generation: int,
    genomes: Any,
    fitness: Any,
    hall: Hall,
    hall_fitness: Any = None,
    elites: int = 1,
) -> Any:
    """Return a generation as a hall's rule sees it; the fittest `elites` of each population survive."""
    population, values = np.asarray(genomes), np.asarray(fitness, np.float64)
    places = np.argsort(np.argsort(-values, axis=1), axis=1)
    best = population[np.arange(len(values)), np.argmax(values, axis=1)]
    of_hall = (
        np.zeros(hall.entered.shape) if hall_fitness is None else np.asarray(hall_fitness, float)
    )
    return SimpleNamespace(
        iteration=generation,
        population=population,
        fitness=values,
        front=places < elites,
        champions=best,
        hall=hall,
        hall_fitness=of_hall,
    )
