"""Judged populations and results of matches, made up for tests."""

from types import SimpleNamespace
from typing import Any

import numpy as np

from pokerlab.evolution.population.parts import Chosen, Hall, Judged, Met


def judged(matrix: Any, score: Any = None) -> Judged:
    """Return a judgment with this matrix; the score is the sum of each row unless it is given."""
    numbers = np.asarray(matrix, np.float64)
    return Judged(np.nansum(numbers, axis=1) if score is None else np.asarray(score), numbers)


def scored(score: Any) -> Judged:
    """Return a judgment by a score alone."""
    return Judged(np.asarray(score, np.float64), np.zeros((0, 0)))


def chosen(
    selection: Any,
    by: Judged,
    members: slice | None = None,
    *,
    seed: int = 1,
    genomes: Any = None,
    ages: Any = None,
) -> Chosen:
    """Return whom a selection chooses; everybody is of one population, new and alike by default."""
    of = slice(0, len(by.score)) if members is None else members
    size = len(by.score[of])
    answer: Chosen = selection.choose(
        by,
        of,
        np.zeros((size, 2)) if genomes is None else np.asarray(genomes, np.float64),
        np.zeros(size, np.int64) if ages is None else np.asarray(ages),
        np.random.default_rng(seed),
    )
    return answer


def met(**given: Any) -> Met:
    """Return results of three players who won 6, -6 and 0 chips in 10, 10 and 0 hands."""
    nothing = np.zeros((3, 3), np.int64)
    counts = {"won_from": nothing, "together": nothing, "shared_hands": nothing, **given}
    results = {
        "num_hands": 10,
        "profit": np.array([6, -6, 0]),
        "hands": np.array([10, 10, 0]),
        "hands_won": np.array([3, 7, 0]),
        "actions": np.zeros((3, 4), np.int64),
        "ranks": np.zeros((0, 3)),
    }
    return Met(**{**results, **counts})


def made_up(
    generation: int, genomes: Any, score: Any, hall: Hall, hall_score: Any = None, elites: int = 1
) -> Any:
    """Return a judged generation of populations, as a hall's rule sees it; the best `elites` of each stay."""
    population, scores = np.asarray(genomes), np.asarray(score, np.float64)
    places = np.argsort(np.argsort(-scores, axis=1), axis=1)
    best = population[np.arange(len(scores)), np.argmax(scores, axis=1)]
    of_hall = np.zeros(hall.since.shape) if hall_score is None else np.asarray(hall_score, float)
    return SimpleNamespace(
        iteration=generation,
        population=population,
        score=scores,
        front=places < elites,
        champions=best,
        hall=hall,
        hall_score=of_hall,
    )
