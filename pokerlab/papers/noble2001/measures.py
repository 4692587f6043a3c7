"""What is said of a population: ages, diversity, the mean of a gene, and who is non-dominated, twice.

The paper limits the front because nearly everybody was non-dominated, in part by noise. So a population that
does not evolve is judged twice, with other cards and at other tables: how many seem non-dominated, and who
would be kept again.
"""

from collections.abc import Sequence
from dataclasses import replace
from functools import partial

import numpy as np

from pokerlab.core.arrays import Bools, Floats
from pokerlab.core.streams import stream
from pokerlab.core.workers import shared
from pokerlab.evolution.population import Judged, RingGames
from pokerlab.evolution.population.selection import dominates, non_dominated, times_better
from pokerlab.papers.noble2001.experiment import PARETO, Config, encoding, game, selection, worth
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


def judged_twice(
    config: Config, genomes: Floats, games: Sequence[int], *, workers: int = 1
) -> list[dict[str, float]]:
    """Judge a population twice, by each number of games.

    Parameters
    ----------
    config : Config
        What is played, and how the front is trimmed; its regime and number of games do not matter.
    genomes : ndarray of float64, shape (N, 42)
        The population.
    games : sequence of int
        How many games, of `config.hands` hands each.
    workers : int
        Threads; results do not depend on it.

    Returns
    -------
    list of dict
        For each number of games: 'hands' in all; 'undominated', the share of the population;
        'pairs', the share of ordered pairs of which the first dominates the second; 'upheld', the
        share of these that the other time upholds (NaN if there are none); 'kept again', the share
        of the trimmed front that is in the other front as well.

    Raises
    ------
    SettingError
        If a number of games is out of range, or the population does not fill a table.
    """
    everybody = slice(0, len(genomes))
    pairs = len(genomes) * (len(genomes) - 1)
    rows = []
    for count in games:
        twice = [judged(config, genomes, count, time, workers) for time in range(2)]
        first, second = (dominates(times_better(one.matrix, everybody)) for one in twice)
        fronts = [kept(config, genomes, one, time) for time, one in enumerate(twice)]
        claims = (first.sum() + second.sum()) / 2
        rows.append(
            {
                "hands": float(count * config.hands),
                "undominated": float(np.mean([~one.any(axis=0) for one in (first, second)])),
                "pairs": float(claims / pairs),
                "upheld": float((first & second).sum() / claims) if claims else np.nan,
                "kept again": float(2 * (fronts[0] & fronts[1]).sum() / np.sum(fronts)),
            }
        )
    return rows


def judged(config: Config, genomes: Floats, count: int, time: int, workers: int = 1) -> Judged:
    """Return what strategies are worth after `count` games; another `time` has other cards and tables."""
    matches = RingGames(games=count, hands=config.hands, draw=config.draw)
    ring_game = game(config)
    matches.check(ring_game, len(genomes), len(genomes))
    met = matches.play(
        ring_game,
        encoding(config),
        genomes,
        seed=config.seed,
        generation=time,
        share=partial(shared, workers=workers),
    )
    of_one = np.zeros(len(genomes), np.int64)
    return worth(replace(config, regime=PARETO)).judge(met, of_one)


def kept(config: Config, genomes: Floats, one: Judged, time: int) -> Bools:
    """Return who is kept, by the front and its trimming."""
    everybody = slice(0, len(genomes))
    generator = stream(config.seed, "kept again", time)
    ages = np.zeros(len(genomes), np.int64)
    chosen = selection(replace(config, regime=PARETO))
    return chosen.choose(one, everybody, genomes, ages, generator).kept
