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
    assess_strategies,
    make_encoding,
    make_fitness,
    make_game,
    make_selection,
    make_solver,
)
from pokerlab.papers.noble2001_effects import Effect, measure_effect
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
    """Judge a random and an evolved population twice, and return how far the two judgments agree.

    A judgment is the dominance and the fitness of all strategies, by the hands of one generation. The random population
    is the first one of a run, and the evolved population is the last one.

    Parameters
    ----------
    config : Config
        The settings of the run.

    Returns
    -------
    list of dict
        A row for each population and each number of hands of `HAND_COUNTS`. The columns are 'crowd', which is the name
        of the population ('random' or 'evolved'), and those of `compare_two_judgments_of_population`.
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
            num_tables = num_hands // config.hands
            row = compare_two_judgments_of_population(config, genomes, num_tables, outside_profits)
            rows.append({"crowd": population, **row})
    return rows


def select_reliability_column(
    reliability: History,
    column: str,
    population: str,
    size: float = PAPER_SIZE,
    hands: float = PAPER_HANDS,
) -> Floats:
    """Return a column of the recording of `measure_reliability_of_judgments` for one kind of population.

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

    Returns
    -------
    array of shape (runs,)
        The value of each run with these settings.
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
    """Return how much more the strategies on the Pareto front win from outside opponents than the best half by profit.

    The front and the best half are kept from the same population. Outside opponents are not in the population.

    Parameters
    ----------
    reliability : History
        The recording of `measure_reliability_of_judgments`.
    population : {'random', 'evolved'}
        The population from which strategies are kept.
    size, hands : float
        The size of the population, and the number of hands by which it was judged. By default those of the paper.

    Returns
    -------
    Effect
        The mean difference of profits over runs in chips per 1,000 hands, with its standard error and tests.
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
        The genomes of the N strategies of the population.
    num_tables : int
        The number of tables of a generation. At each one `config.hands` hands are played.
    outside_profits : array of shape (N,)
        What each strategy wins from opponents outside the population, in chips per 1,000 hands.

    Returns
    -------
    dict of str to float
        'hands' is the number of hands of a judgment. 'undominated', 'pairs' and 'upheld' are those of
        `compare_dominations`. For each of `RULES` there are two more entries: '<rule> again' is the share of the kept
        strategies that are kept in both judgments, and '<rule> lead' is the mean outside profit of the kept strategies
        minus that of the whole population.
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

    row = {"hands": float(num_tables * config.hands)}
    row |= compare_dominations(*fitness_by_rule["front"])
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


def compare_dominations(first_fitness: Fitness, second_fitness: Fitness) -> dict[str, float]:
    """Return how far two judgments of a population agree on which strategy Pareto-dominates which other one.

    Parameters
    ----------
    first_fitness, second_fitness : Fitness
        The fitness of the same strategies in both judgments, with the matrix of what they won from each other.

    Returns
    -------
    dict of str to float
        'undominated' is the share of strategies that are non-dominated. 'pairs' is the share of ordered pairs of which
        the first strategy dominates the second. Both are means of the two judgments. 'upheld' is the share of these
        pairs that the other judgment confirms, or NaN if there are none.
    """
    num_strategies = len(first_fitness.matrix)
    members = slice(0, num_strategies)
    # Whether the strategy of the row dominates that of the column, (N, N).
    first_dominations = find_dominance(count_better_results(first_fitness.matrix, members))
    second_dominations = find_dominance(count_better_results(second_fitness.matrix, members))

    num_pairs = num_strategies * (num_strategies - 1)
    num_dominations = (first_dominations.sum() + second_dominations.sum()) / 2  # mean of both
    num_confirmed = (first_dominations & second_dominations).sum()
    is_undominated = [
        ~dominations.any(axis=0) for dominations in (first_dominations, second_dominations)
    ]
    return {
        "undominated": float(np.mean(is_undominated)),
        "pairs": float(num_dominations / num_pairs),
        "upheld": float(num_confirmed / num_dominations) if num_dominations else np.nan,
    }


def replay_generation(config: Config, genomes: Floats, num_tables: int, replay: int) -> Results:
    """Let the strategies of a population play the hands of a generation, and return the results.

    Parameters
    ----------
    config : Config
        The settings of the game and of the draw of tables.
    genomes : array of shape (N, 42)
        The genomes of the N strategies of the population.
    num_tables : int
        The number of tables.
    replay : int
        The number of the replay. Each replay has other cards and other tables.

    Returns
    -------
    Results
        The winnings of all strategies.
    """
    pairings = RingGames(games=num_tables, hands=config.hands, draw=config.draw)
    ring_game = make_game(config)
    pairings.check_game(ring_game, len(genomes), len(genomes))
    encoding = make_encoding(config)
    return pairings(ring_game, encoding, genomes, seed=config.seed, generation=replay)


def compute_population_fitness(config: Config, results: Results) -> Fitness:
    """Return the fitness of the strategies of a single population from the results of their hands.

    Parameters
    ----------
    config : Config
        The settings of the fitness function.
    results : Results
        The results of a generation, such as those of `replay_generation`.
    """
    population_numbers = np.zeros(config.size, np.int64)
    return make_fitness(config)(results, population_numbers)


def find_surviving_strategies(
    config: Config, genomes: Floats, fitness: Fitness, replay: int
) -> Bools:
    """Return which strategies of a population a selection rule keeps for the next generation.

    Parameters
    ----------
    config : Config
        The settings, whose regime is the selection rule.
    genomes : array of shape (N, 42)
        The genomes of the N strategies of the population. All have the same age.
    fitness : Fitness
        The fitness of the strategies.
    replay : int
        The number of the replay. Together with the seed of `config` it decides the random choices of the rule.

    Returns
    -------
    array of bool of shape (N,)
        Whether each strategy is kept.
    """
    generator = random_stream(config.seed, "kept again", replay)
    ages = np.zeros(len(genomes), np.int64)
    members = slice(0, len(genomes))
    return make_selection(config)(fitness, members, genomes, ages, generator).survives
