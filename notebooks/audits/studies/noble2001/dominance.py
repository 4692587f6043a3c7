"""Noble & Watson (2001): how reliable dominance and profit are, which are both measured by the hands of a generation.

The paper limits the size of the front, because nearly all strategies were non-dominated, in part by noise. Here a
population that does not evolve is judged twice, with other cards and at other tables. The two judgments show how many
dominations are confirmed and how many strategies would be kept again. What the strategies win from opponents outside
the population shows how good those are that a selection rule keeps.
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

POPULATION_SIZES = (20, 50, 100, 200)
HAND_COUNTS = (1_000, 10_000, 100_000, 1_000_000)
"""The numbers of hands of a generation by which populations are judged."""
POPULATIONS = ("random", "evolved")
"""The two populations of a run: the first one, and the one to which Pareto selection has led."""
RULES = {"front": PARETO, "best half": BEST_HALF}
"""The selection rules: the regime of each."""
PAPER_SIZE, PAPER_HANDS = Config(seed=0).size, Config(seed=0).games * Config(seed=0).hands
"""The size of the population and the number of hands of a generation in the paper's algorithm."""
OUTSIDE_HANDS, OUTSIDE_SEED = 2000, 4
"""The number of hands that each strategy plays against each group of outside opponents, and the seed of their deals."""


def measure_reliability(config: Config) -> list[dict[str, float | str]]:
    """Return how reliably two populations are judged by each number of hands: a random and an evolved one.

    The evolved population is the last one of a run of `config`.

    Returns
    -------
    list of dict
        A row for each population and each of `HAND_COUNTS`, with 'crowd' (one of `POPULATIONS`) and the columns that
        `measure_repeatability` returns.
    """
    coevolution = make_solver(config)
    initial = coevolution.init()
    states = initial, coevolution.step(initial, config.iterations)
    rows: list[dict[str, float | str]] = []
    for population, state in zip(POPULATIONS, states, strict=True):
        genomes = state.population[0]
        profits_by_group = [
            assess_strategies(
                make_game(config),
                make_encoding(config),
                genomes,
                group,
                hands=OUTSIDE_HANDS,
                seed=OUTSIDE_SEED,
            )
            for group in GROUPS.values()
        ]
        outside_profits = np.mean(profits_by_group, axis=(0, 1))
        for num_hands in HAND_COUNTS:
            num_games = num_hands // config.hands
            row = measure_repeatability(config, genomes, num_games, outside_profits)
            rows.append({"crowd": population, **row})
    return rows


def select_by_population(
    reliability: History,
    column: str,
    population: str,
    size: float = PAPER_SIZE,
    hands: float = PAPER_HANDS,
) -> Floats:
    """Return a column of the recorded rows of `measure_reliability`, a number for each run.

    Parameters
    ----------
    reliability : History
        The recording.
    column : str
        The name of the column.
    population : {'random', 'evolved'}
        The population that was judged.
    size, hands : float
        The size of the population, and the number of hands by which it was judged. By default those of the paper.
    """
    is_selected = (
        (reliability["crowd"] == population)
        & (reliability["size"] == size)
        & (reliability["hands"] == hands)
    )
    values: Floats = reliability[column][is_selected]
    return values


def compare_rules(
    reliability: History, population: str, size: float = PAPER_SIZE, hands: float = PAPER_HANDS
) -> Effect:
    """Return by how much more the front leads than the best half by profit does, over runs.

    The parameters are those of `select_by_population`.
    """
    front_lead, best_half_lead = (
        select_by_population(reliability, f"{rule} lead", population, size, hands) for rule in RULES
    )
    return measure_effect(front_lead - best_half_lead)


def measure_repeatability(
    config: Config, genomes: Floats, games: int, outside_profits: Floats
) -> dict[str, float]:
    """Judge a population twice by the hands of a generation, and return what the two judgments have in common.

    Parameters
    ----------
    config : Config
        The settings of the game, of fitness and of selection.
    genomes : array of shape (N, 42)
        The strategies of the population.
    games : int
        The number of tables of a generation. At each one `config.hands` hands are played.
    outside_profits : array of shape (N,)
        What each strategy wins from opponents outside the population, in chips per 1,000 hands.

    Returns
    -------
    dict
        'hands', the number of hands of a judgment. 'undominated', the share of strategies that are non-dominated.
        'pairs', the share of ordered pairs of which the first strategy dominates the second. 'upheld', the share of
        these that the other judgment confirms, or NaN if there are none. And for each of `RULES`: '<rule> again', the
        share of the kept strategies that are kept in both judgments, and '<rule> lead', by how much the outside profit
        of the kept strategies exceeds the mean of the population.
    """
    results = [replay_generation(config, genomes, games, replay) for replay in (0, 1)]
    fitness_by_rule = {
        rule: [compute_population_fitness(replace(config, regime=regime), r) for r in results]
        for rule, regime in RULES.items()
    }

    members = slice(0, len(genomes))
    first, second = (
        find_dominated(count_better(fitness.matrix, members))
        for fitness in fitness_by_rule["front"]
    )
    num_pairs = len(genomes) * (len(genomes) - 1)
    num_dominations = (first.sum() + second.sum()) / 2  # the mean of both judgments
    num_confirmed = (first & second).sum()
    row = {
        "hands": float(games * config.hands),
        "undominated": float(np.mean([~dominates.any(axis=0) for dominates in (first, second)])),
        "pairs": float(num_dominations / num_pairs),
        "upheld": float(num_confirmed / num_dominations) if num_dominations else np.nan,
    }

    for rule, regime in RULES.items():
        rule_config = replace(config, regime=regime)
        survivors = [
            find_survivors(rule_config, genomes, fitness, replay)
            for replay, fitness in enumerate(fitness_by_rule[rule])
        ]
        num_in_both = (survivors[0] & survivors[1]).sum()
        leads = [
            outside_profits[survives].mean() - outside_profits.mean() for survives in survivors
        ]
        row[f"{rule} again"] = float(2 * num_in_both / np.sum(survivors))
        row[f"{rule} lead"] = float(np.mean(leads))
    return row


def replay_generation(config: Config, genomes: Floats, games: int, replay: int) -> Results:
    """Return the results of a population in a number of games, at tables drawn as in a generation.

    Replays of other numbers have other cards and other tables.
    """
    pairings = RingGames(games=games, hands=config.hands, draw=config.draw)
    ring_game = make_game(config)
    pairings.check_game(ring_game, len(genomes), len(genomes))
    encoding = make_encoding(config)
    return pairings(ring_game, encoding, genomes, seed=config.seed, generation=replay)


def compute_population_fitness(config: Config, results: Results) -> Fitness:
    """Return the fitness of the strategies of a single population from their results."""
    population_numbers = np.zeros(config.size, np.int64)
    return make_fitness(config)(results, population_numbers)


def find_survivors(config: Config, genomes: Floats, fitness: Fitness, replay: int) -> Bools:
    """Return whether the selection of a Config keeps each strategy of a population, an array of bool of shape (N,).

    All strategies have the same age. Random choices depend on the seed of `config` and the number of the replay.
    """
    generator = random_stream(config.seed, "kept again", replay)
    ages = np.zeros(len(genomes), np.int64)
    members = slice(0, len(genomes))
    return make_selection(config)(fitness, members, genomes, ages, generator).survives
