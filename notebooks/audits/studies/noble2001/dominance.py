"""Noble & Watson (2001): how reliable dominance and profit are, which are both measured by the hands of a generation.

J. Noble, R. A. Watson, "Pareto Coevolution: Using Performance Against Coevolved Opponents in a Game as Dimensions for
Pareto Selection", GECCO 2001, pages 493-500. The settings of a run go in, and rows come out that say how far two
judgments of one population agree.

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
from pokerlab.evolution.population.selection import count_better_results, find_dominance
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


def measure_reliability_of_judgments(config: Config) -> list[dict[str, float | str]]:
    """Return how far two judgments of a population agree, for a random and an evolved one, by the number of hands.

    The random population is the first one of a run of `config`, and the evolved population is the last one.

    Returns
    -------
    list of dict
        A row for each population and each of `HAND_COUNTS`, with 'crowd' (one of `POPULATIONS`) and the columns that
        `compare_two_judgments_of_population` returns.
    """
    coevolution = make_solver(config)
    initial_state = coevolution.init()
    last_state = coevolution.step(initial_state, config.iterations)
    rows: list[dict[str, float | str]] = []
    for population, state in zip(POPULATIONS, (initial_state, last_state), strict=True):
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
        outside_profits = np.mean(profits_by_group, axis=(0, 1))  # of each strategy

        for num_hands in HAND_COUNTS:
            num_games = num_hands // config.hands
            row = compare_two_judgments_of_population(config, genomes, num_games, outside_profits)
            rows.append({"crowd": population, **row})
    return rows


def select_reliability_column(
    reliability: History,
    column: str,
    population: str,
    size: float = PAPER_SIZE,
    hands: float = PAPER_HANDS,
) -> Floats:
    """Return a column of the recording of `measure_reliability_of_judgments` for one kind of population, (runs,).

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


def measure_lead_of_front_over_best_half(
    reliability: History, population: str, size: float = PAPER_SIZE, hands: float = PAPER_HANDS
) -> Effect:
    """Return how much more the strategies on the front win from outside opponents than the best half by profit does.

    It is a mean over runs in chips per 1,000 hands, with its standard error.

    Parameters
    ----------
    reliability : History
        The recording of `measure_reliability_of_judgments`.
    population : {'random', 'evolved'}
        The population from which both rules keep strategies.
    size, hands : float
        The size of the population, and the number of hands by which it was judged. By default those of the paper.
    """
    front_lead = select_reliability_column(reliability, "front lead", population, size, hands)
    best_half_lead = select_reliability_column(
        reliability, "best half lead", population, size, hands
    )
    return measure_effect(front_lead - best_half_lead)


def compare_two_judgments_of_population(
    config: Config, genomes: Floats, num_tables: int, outside_profits: Floats
) -> dict[str, float]:
    """Judge a population twice by the hands of a generation, and return what the two judgments have in common.

    Parameters
    ----------
    config : Config
        The settings of the game, of fitness and of selection.
    genomes : array of shape (N, 42)
        The strategies of the population.
    num_tables : int
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
    results_by_replay = [
        replay_generation(config, genomes, num_tables, replay) for replay in (0, 1)
    ]
    fitness_by_rule = {}  # of both judgments
    for rule, regime in RULES.items():
        rule_config = replace(config, regime=regime)
        fitness_by_rule[rule] = [
            compute_population_fitness(rule_config, results_of_replay)
            for results_of_replay in results_by_replay
        ]

    # Who dominates whom in each judgment, (N, N): the row's strategy the column's.
    members = slice(0, len(genomes))
    first_dominations, second_dominations = (
        find_dominance(count_better_results(fitness.matrix, members))
        for fitness in fitness_by_rule["front"]
    )
    num_pairs = len(genomes) * (len(genomes) - 1)
    num_dominations = (first_dominations.sum() + second_dominations.sum()) / 2  # mean of both
    num_confirmed = (first_dominations & second_dominations).sum()
    is_undominated = [
        ~dominations.any(axis=0) for dominations in (first_dominations, second_dominations)
    ]
    row = {
        "hands": float(num_tables * config.hands),
        "undominated": float(np.mean(is_undominated)),
        "pairs": float(num_dominations / num_pairs),
        "upheld": float(num_confirmed / num_dominations) if num_dominations else np.nan,
    }

    for rule, regime in RULES.items():
        rule_config = replace(config, regime=regime)
        is_kept = [
            find_surviving_strategies(rule_config, genomes, fitness, replay)
            for replay, fitness in enumerate(fitness_by_rule[rule])
        ]
        num_kept_in_both = (is_kept[0] & is_kept[1]).sum()
        leads = [outside_profits[kept].mean() - outside_profits.mean() for kept in is_kept]
        row[f"{rule} again"] = float(2 * num_kept_in_both / np.sum(is_kept))
        row[f"{rule} lead"] = float(np.mean(leads))
    return row


def replay_generation(config: Config, genomes: Floats, num_tables: int, replay: int) -> Results:
    """Return the results of a population that plays the tables of a generation again.

    Parameters
    ----------
    config : Config
        The settings of the game and of the draw of tables.
    genomes : array of shape (N, 42)
        The strategies of the population.
    num_tables : int
        The number of tables.
    replay : int
        The number of the replay. Each has other cards and other tables.
    """
    pairings = RingGames(games=num_tables, hands=config.hands, draw=config.draw)
    ring_game = make_game(config)
    pairings.check_game(ring_game, len(genomes), len(genomes))
    encoding = make_encoding(config)
    return pairings(ring_game, encoding, genomes, seed=config.seed, generation=replay)


def compute_population_fitness(config: Config, results: Results) -> Fitness:
    """Return the fitness of the strategies of a single population from their results."""
    population_numbers = np.zeros(config.size, np.int64)
    return make_fitness(config)(results, population_numbers)


def find_surviving_strategies(
    config: Config, genomes: Floats, fitness: Fitness, replay: int
) -> Bools:
    """Return which strategies of a population a selection rule keeps for the next generation, (N,) of bool.

    Parameters
    ----------
    config : Config
        The settings, whose regime is the selection rule.
    genomes : array of shape (N, 42)
        The strategies of the population. All have the same age.
    fitness : Fitness
        The fitness of the strategies.
    replay : int
        The number of the replay, which decides random choices together with the seed of `config`.
    """
    generator = random_stream(config.seed, "kept again", replay)
    ages = np.zeros(len(genomes), np.int64)
    members = slice(0, len(genomes))
    return make_selection(config)(fitness, members, genomes, ages, generator).survives
