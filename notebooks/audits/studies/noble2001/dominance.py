"""What a generation's hands tell of dominance and of profit: who would be kept again, and how much better they are.

The paper limits the front because nearly everybody was non-dominated, in part by noise. Here a
population that does not evolve is judged twice, with other cards and at other tables, and what its
strategies win from opponents they never met says how good those are whom a rule keeps.
"""

from dataclasses import replace

import numpy as np

from pokerlab.core.arrays import Bools, Floats
from pokerlab.core.random_numbers import random_stream
from pokerlab.evolution.population.protocol import Fitness, Results
from pokerlab.evolution.population.selection import count_better, find_dominated
from pokerlab.holdem import RingGames
from pokerlab.papers.noble2001 import (
    BEST_HALF,
    GROUPS,
    PARETO,
    Config,
    Effect,
    assess_strategies,
    make_encoding,
    make_fitness,
    make_game,
    make_selection,
    make_solver,
    measure_effect,
)
from pokerlab.runs import History

SIZES, HANDS = (20, 50, 100, 200), (1_000, 10_000, 100_000, 1_000_000)
CROWDS = ("random", "evolved")
RULES = {"front": PARETO, "best half": BEST_HALF}
SIZE, BUDGET = Config(seed=0).size, Config(seed=0).games * Config(seed=0).hands
"""Of the paper's algorithm: strategies, and hands of a generation."""
OUTSIDE_HANDS = 2000
"""Of each strategy with each group, when it is said how good it is."""


def measure_reliability(config: Config) -> list[dict[str, float | str]]:
    """Judge two populations of `config.size` twice, by each number of hands: a random one, and what Pareto makes of it.

    A row has 'crowd'; 'hands' in all; 'undominated', the share of the population; 'pairs', the share of ordered
    pairs of which the first dominates the second; 'upheld', the share of these that the other time upholds (NaN if
    there are none); and for the trimmed front and for the best half by profit: 'again', the share that is kept the
    other time as well, and 'lead', by how much they are above the mean of all in chips per 1,000 hands won from
    alpha and beta.
    """
    coevolution = make_solver(config)
    first = coevolution.init()
    rows: list[dict[str, float | str]] = []
    for crowd, state in zip(
        CROWDS, (first, coevolution.step(first, config.iterations)), strict=True
    ):
        genomes = state.population[0]
        outside = [
            assess_strategies(
                make_game(config),
                make_encoding(config),
                genomes,
                group,
                hands=OUTSIDE_HANDS,
                seed=4,
            )
            for group in GROUPS.values()
        ]
        good = np.mean(outside, axis=(0, 1))
        rows += [
            {"crowd": crowd, **judge_twice(config, genomes, hands // config.hands, good)}
            for hands in HANDS
        ]
    return rows


def select_by_population(
    recorded: History, column: str, crowd: str, size: float = SIZE, hands: float = BUDGET
) -> Floats:
    """Return a column of recorded rows of `reliability`, a number for each population of one kind."""
    mine = (recorded["crowd"] == crowd) & (recorded["size"] == size) & (recorded["hands"] == hands)
    values: Floats = recorded[column][mine]
    return values


def compare_rules(
    recorded: History, crowd: str, size: float = SIZE, hands: float = BUDGET
) -> Effect:
    """Return by how much the front leads by more than the best half by profit, over populations."""
    leads = [select_by_population(recorded, f"{rule} lead", crowd, size, hands) for rule in RULES]
    return measure_effect(leads[0] - leads[1])


def judge_twice(config: Config, genomes: Floats, games: int, good: Floats) -> dict[str, float]:
    """Return a row of `reliability` for a population, (N, 42), of known goodness, (N,)."""
    results = [play_again(config, genomes, games, time) for time in range(2)]
    twice = {
        name: [compute_fitness_again(replace(config, regime=regime), each) for each in results]
        for name, regime in RULES.items()
    }
    one, other = (
        find_dominated(count_better(each.matrix, slice(0, len(genomes)))) for each in twice["front"]
    )
    claims = (one.sum() + other.sum()) / 2
    row = {
        "hands": float(games * config.hands),
        "undominated": float(np.mean([~each.any(axis=0) for each in (one, other)])),
        "pairs": float(claims / (len(genomes) * (len(genomes) - 1))),
        "upheld": float((one & other).sum() / claims) if claims else np.nan,
    }
    for name, regime in RULES.items():
        rule = replace(config, regime=regime)
        both = [find_kept(rule, genomes, each, time) for time, each in enumerate(twice[name])]
        row[f"{name} again"] = float(2 * (both[0] & both[1]).sum() / np.sum(both))
        row[f"{name} lead"] = float(np.mean([good[who].mean() - good.mean() for who in both]))
    return row


def play_again(config: Config, genomes: Floats, games: int, time: int) -> Results:
    """Return the results of a population in so many games; another `time` has other cards and tables."""
    pairings = RingGames(games=games, hands=config.hands, draw=config.draw)
    ring_game = make_game(config)
    pairings.check_game(ring_game, len(genomes), len(genomes))
    return pairings(ring_game, make_encoding(config), genomes, seed=config.seed, generation=time)


def compute_fitness_again(config: Config, results: Results) -> Fitness:
    """Return the fitness of the strategies of one population by their results."""
    return make_fitness(config)(results, np.zeros(config.size, np.int64))


def find_kept(config: Config, genomes: Floats, one: Fitness, time: int) -> Bools:
    """Return who is kept, by the selection of `config`."""
    generator = random_stream(config.seed, "kept again", time)
    ages = np.zeros(len(genomes), np.int64)
    return make_selection(config)(one, slice(0, len(genomes)), genomes, ages, generator).survives
