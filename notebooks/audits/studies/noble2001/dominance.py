"""What a generation's hands tell of dominance: how many seem non-dominated, and who would be kept again.

The paper limits the front because nearly everybody was non-dominated, in part by noise. Here a
population that does not evolve is judged twice, with other cards and at other tables.
"""

from collections.abc import Sequence
from dataclasses import replace

import numpy as np

from pokerlab.core.arrays import Bools, Floats
from pokerlab.core.streams import stream
from pokerlab.evolution.population import RingGames
from pokerlab.evolution.population.parts import Judged
from pokerlab.evolution.population.selection import dominates, times_better
from pokerlab.papers.noble2001.experiment import (
    PARETO,
    Config,
    encoding,
    game,
    selection,
    worth,
)


def judged_twice(config: Config, genomes: Floats, games: Sequence[int]) -> list[dict[str, float]]:
    """Judge a population, (N, 42), twice by each number of games; regime and games of `config` do not matter.

    A row has 'hands' in all; 'undominated', the share of the population; 'pairs', the share of ordered pairs of
    which the first dominates the second; 'upheld', the share of these that the other time upholds (NaN if there are
    none); 'kept again', the share of the trimmed front that is in the other front as well.
    """
    everybody = slice(0, len(genomes))
    pairs = len(genomes) * (len(genomes) - 1)
    rows = []
    for count in games:
        twice = [judged(config, genomes, count, time) for time in range(2)]
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


def judged(config: Config, genomes: Floats, count: int, time: int) -> Judged:
    """Return what strategies are worth after `count` games; another `time` has other cards and tables."""
    matches = RingGames(games=count, hands=config.hands, draw=config.draw)
    ring_game = game(config)
    matches.check(ring_game, len(genomes), len(genomes))
    met = matches.play(ring_game, encoding(config), genomes, seed=config.seed, generation=time)
    of_one = np.zeros(len(genomes), np.int64)
    return worth(replace(config, regime=PARETO)).judge(met, of_one)


def kept(config: Config, genomes: Floats, one: Judged, time: int) -> Bools:
    """Return who is kept, by the front and its trimming."""
    everybody = slice(0, len(genomes))
    generator = stream(config.seed, "kept again", time)
    ages = np.zeros(len(genomes), np.int64)
    chosen = selection(replace(config, regime=PARETO))
    return chosen.choose(one, everybody, genomes, ages, generator).kept
