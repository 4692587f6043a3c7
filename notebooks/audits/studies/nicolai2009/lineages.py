"""Measurements of lineages: what champions of all generations reach among strangers, among themselves, and blind.

A *lineage* is the line of descent of one population in a recorded evolution: the champions of its first, second, ...,
last generation, in this order. It has the name of its last champion, such as '2Pop-1', and belongs to a source of
settings (see `interpretations`).

`MEASUREMENTS` lists what is measured. Every measurement is a function of a *setting*, a dictionary that names a
lineage and the number of tables, and returns rows. `load_measurement` returns all rows of a measurement from its file
in `data/runs`, so that the audit shows and judges the same numbers at every scale.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from pokerlab.core.arrays import Ints
from pokerlab.evolution.population.protocol import Genomes
from pokerlab.holdem import TableNetwork
from pokerlab.papers.experiment import RUNS, load_or_make_history
from pokerlab.papers.nicolai2009 import (
    INPUT_GROUPS,
    PAPER,
    Config,
    DuplicateTables,
    collect_inputs,
    compare_champions,
    fix_inputs,
    make_encoding,
    make_game,
)
from pokerlab.runs import History, sweep
from studies.nicolai2009.champions import Evolution, name_earlier_evolution, name_evolution
from studies.nicolai2009.comparison import BASELINE
from studies.nicolai2009.evaluation import CHAMPION, evaluate_genomes
from studies.nicolai2009.interpretations import (
    EARLIER,
    SOURCES,
    THESIS,
    list_completed_champions,
    load_champions,
)

RATED_GENERATIONS = (1, 3, 10, 30, 100, 200, 300, 400, 500)
"""The generations whose champions play among strangers, and against the champion of the next generation."""
COMPARED_GENERATIONS = (1, 10, 50, 100, 200, 500)
"""The generations whose champions play against their ancestors."""
RACE_GENERATIONS: Mapping[str, tuple[int, ...]] = {
    THESIS: (1, 10, 100, 200, 500),
    EARLIER: (1, 5, 20, 100),
}
"""By source, the generations whose champions play against those of the other population."""
DUPLICATES = 1000
"""The number of tables for each champion, or for each pair of champions."""
INPUT_DUPLICATES = 20
"""The number of duplicate tables at which the inputs of a champion are collected."""
FIELD_TOURNAMENTS = 400
"""The number of tournaments that all champions of a lineage play together."""
CROWD_TOURNAMENTS = 100
"""The number of tournaments that late champions play with a few random networks."""
CROWD_SIZE, NUM_RANDOM_NETWORKS = 1000, 20
"""The number of entrants in these tournaments, and how many of them are random networks."""
NUM_LATE_GENERATIONS = 50
"""The other entrants are champions of this number of last generations."""
NO_INPUTS = "nothing"
"""What a champion cannot see when it plays with all of its inputs."""
SEED = 1

Setting: TypeAlias = Mapping[str, Any]
"""What is measured: a lineage ('source' and 'champion') or a method ('source' and 'method'), 'seed', and the number of
tables ('duplicates') or tournaments ('tournaments')."""
Rows: TypeAlias = list[dict[str, Any]]
"""A dictionary from columns to values for each row of a table."""
Lineage: TypeAlias = tuple[str, str]
"""A source of settings, and the name of the last champion."""


@cache
def load_evolution(source: str, method: str) -> Evolution:
    """Return the recorded evolution of a method by the settings of a source, with seed 1."""
    is_thesis = source == THESIS
    name = name_evolution(method, 1) if is_thesis else name_earlier_evolution(method)
    return Evolution.load(RUNS / f"{name}.npz")


def load_lineage(source: str, champion: str) -> tuple[TableNetwork, Genomes]:
    """Return the encoding of a champion's genome, and the lineage that ends with it.

    Parameters
    ----------
    source : str
        The source of the settings.
    champion : str
        The name of the last champion, such as 'Control' or '2Pop-1'.

    Returns
    -------
    encoding : TableNetwork
        What genomes mean.
    lineage : ndarray, shape (T, G)
        The champions of the generations 1 to T.
    """
    method, _, number = champion.partition("-")
    population = int(number) - 1 if number else 0
    encoding = make_encoding(SOURCES[source].configs[method])
    return encoding, load_evolution(source, method).champions[:, population]


def select_generations(lineage: Genomes, generations: tuple[int, ...]) -> Genomes:
    """Return the champions of some generations, shape (len(generations), G); the first generation is 1."""
    champions: Genomes = lineage[np.array(generations) - 1]
    return champions


def make_tables(setting: Setting) -> DuplicateTables:
    """Return the duplicate tables of a setting: those of its source, with its number of tables and its seed."""
    table_settings = SOURCES[setting["source"]].table_settings
    return DuplicateTables(duplicates=setting["duplicates"], seed=setting["seed"], **table_settings)


def measure_ranks_among_strangers(setting: Setting) -> Rows:
    """Return how champions of `RATED_GENERATIONS` fare against the eight opponents of the paper's evaluation.

    A row for each generation: the mean rank with its standard error, and the share of tournaments won ('first').
    """
    encoding, lineage = load_lineage(setting["source"], setting["champion"])
    genomes = select_generations(lineage, RATED_GENERATIONS)
    evaluations = evaluate_genomes(encoding, genomes, tables=make_tables(setting))
    return [
        {
            "generation": generation,
            "rank": evaluation.champion_rank,
            "rank_error": float(evaluation.ranks.standard_error[CHAMPION]),
            "first": float(evaluation.wins.mean[CHAMPION]),
        }
        for generation, evaluation in zip(RATED_GENERATIONS, evaluations, strict=True)
    ]


def measure_ranks_without_inputs(setting: Setting) -> Rows:
    """Return the mean rank of the last champion if a group of its inputs is fixed at their means.

    A row for each group in `INPUT_GROUPS` ('unseen'), after one for the champion with all of its inputs. The opponents
    are those of the paper's evaluation.
    """
    encoding, lineage = load_lineage(setting["source"], setting["champion"])
    champion, tables = lineage[-1], make_tables(setting)
    few_tables = replace(tables, duplicates=INPUT_DUPLICATES)
    mean_inputs = collect_inputs(encoding, champion, tables=few_tables).mean(axis=0)

    genomes = [champion]
    for group in INPUT_GROUPS.values():
        inputs = list(group)
        genomes.append(fix_inputs(encoding, champion, inputs, mean_inputs[inputs]))
    evaluations = evaluate_genomes(encoding, np.array(genomes), tables=tables)
    return [
        {"unseen": group_name, "rank": evaluation.champion_rank}
        for group_name, evaluation in zip((NO_INPUTS, *INPUT_GROUPS), evaluations, strict=True)
    ]


def compare_with_ancestors(setting: Setting) -> Rows:
    """Return by how many ranks later champions of a lineage are ahead of earlier ones, at tables that two share.

    A row for each pair from `COMPARED_GENERATIONS`: the ranks ahead with their standard error, and 1 if the later
    champion is significantly behind ('lost').
    """
    encoding, lineage = load_lineage(setting["source"], setting["champion"])
    genomes = select_generations(lineage, COMPARED_GENERATIONS)
    by_ranks = compare_champions(
        encoding, genomes, tables=make_tables(setting), progress=False
    ).ranks
    losses = by_ranks.find_losses_to_ancestors()
    return [
        {
            "generation": COMPARED_GENERATIONS[later],
            "ancestor": COMPARED_GENERATIONS[earlier],
            "ahead": float(by_ranks.advantage[later, earlier]),
            "error": float(by_ranks.error[later, earlier]),
            "lost": int(losses[later, earlier]),
        }
        for later, earlier in list_pairs(len(COMPARED_GENERATIONS))
    ]


def compare_successive_champions(setting: Setting) -> Rows:
    """Return by how many ranks the champion of the next generation is ahead of the present one.

    A row for each generation of `RATED_GENERATIONS` but the last: the ranks ahead, at tables that the two share, and
    the p-value of a two-tailed t-test of no difference.
    """
    encoding, lineage = load_lineage(setting["source"], setting["champion"])
    rows = []
    for generation in RATED_GENERATIONS[:-1]:
        pair = select_generations(lineage, (generation, generation + 1))
        by_ranks = compare_champions(
            encoding, pair, tables=make_tables(setting), progress=False
        ).ranks
        rows.append(
            {
                "generation": generation,
                "ahead": float(by_ranks.advantage[1, 0]),
                "p": float(by_ranks.p[1, 0]),
            }
        )
    return rows


def measure_places_in_field(setting: Setting) -> Rows:
    """Return the mean place of each champion of a lineage in tournaments that all of its champions play together.

    A row for each generation, with the mean place over `setting["tournaments"]` tournaments; 1 is the best.
    """
    encoding, lineage = load_lineage(setting["source"], setting["champion"])
    game = make_game(Config(seed=0, agents=len(lineage)))
    lineups = draw_lineups(setting, len(lineage))
    players = encoding.make_players(lineage)
    mean_places = game.play(players, lineups, seed=setting["seed"]).mean_rank
    return [
        {"generation": generation, "place": float(place)}
        for generation, place in enumerate(mean_places, 1)
    ]


def measure_leads_over_random_networks(setting: Setting) -> Rows:
    """Return by how many places late champions are ahead of random networks, in tournaments of `CROWD_SIZE` entrants.

    A row for each random network: its mean place minus the mean place of all champions. The champions are those of the
    last `NUM_LATE_GENERATIONS` generations, repeated to fill the field.
    """
    encoding, lineage = load_lineage(setting["source"], setting["champion"])
    generator = np.random.default_rng(setting["seed"])
    random_networks = encoding.draw_genomes(generator, NUM_RANDOM_NETWORKS)
    num_champions = CROWD_SIZE - NUM_RANDOM_NETWORKS
    champions = np.resize(lineage[-NUM_LATE_GENERATIONS:], (num_champions, lineage.shape[1]))

    # The line-ups are drawn after the networks, from the same generator.
    lineups = draw_permutations(generator, setting["tournaments"], CROWD_SIZE)
    names = [str(number) for number in range(CROWD_SIZE)]
    players = encoding.make_players(np.concatenate([random_networks, champions]), names)
    game = make_game(SOURCES[setting["source"]].configs[BASELINE])
    mean_places = game.play(players, lineups, seed=setting["seed"]).mean_rank

    random_places = mean_places[:NUM_RANDOM_NETWORKS]
    champions_place = mean_places[NUM_RANDOM_NETWORKS:].mean()
    return [{"ahead": float(lead)} for lead in random_places - champions_place]


def draw_lineups(setting: Setting, num_entrants: int) -> Ints:
    """Return random line-ups for the tournaments of a setting, a row for each; the seed of the setting decides them."""
    generator = np.random.default_rng(setting["seed"])
    return draw_permutations(generator, setting["tournaments"], num_entrants)


def draw_permutations(generator: np.random.Generator, count: int, size: int) -> Ints:
    """Return random permutations of the numbers 0 to size - 1, shape (count, size)."""
    return np.array([generator.permutation(size) for _ in range(count)])


def compare_with_other_population(setting: Setting) -> Rows:
    """Return by how many ranks later champions are ahead of earlier ones of the other population.

    The two populations are the first two of a method. A row for each pair from `RACE_GENERATIONS`, with the ranks ahead
    and their standard error. Both are for the mean of two comparisons: a later champion of the first population with an
    earlier one of the second, and the reverse. If one of the populations is better than the other in all generations,
    this cancels out.
    """
    source, method = setting["source"], setting["method"]
    generations = RACE_GENERATIONS[source]
    encoding = make_encoding(SOURCES[source].configs[method])
    champions = load_evolution(source, method).champions
    first_lineage = select_generations(champions[:, 0], generations)
    second_lineage = select_generations(champions[:, 1], generations)
    by_ranks = compare_champions(
        encoding, first_lineage, second_lineage, tables=make_tables(setting), progress=False
    ).ranks

    # Rows of `advantage` are generations of the first population, columns of the second. In the transpose an earlier
    # champion of the first plays a later one of the second, so the signs are reversed.
    ahead = (by_ranks.advantage - by_ranks.advantage.T) / 2
    error = np.hypot(by_ranks.error, by_ranks.error.T) / 2
    return [
        {
            "generation": generations[later],
            "ancestor": generations[earlier],
            "ahead": float(ahead[later, earlier]),
            "error": float(error[later, earlier]),
        }
        for later, earlier in list_pairs(len(generations))
    ]


def list_pairs(count: int) -> Ints:
    """Return the pairs (later, earlier) of indices from 0 to count - 1, shape (pairs, 2), in the order of the later."""
    is_later = np.tri(count, k=-1, dtype=bool)
    return np.argwhere(is_later)


def list_lineages() -> list[dict[str, Any]]:
    """Return the source and the last champion of all lineages of completed evolutions, those of the thesis first."""
    return [
        {"source": source, "champion": champion}
        for source in SOURCES
        for champion in list_completed_champions(load_champions(source))
    ]


def list_lineage_settings() -> list[dict[str, Any]]:
    """Return all lineages, with the number of tables."""
    return [{**lineage, "duplicates": DUPLICATES} for lineage in list_lineages()]


def list_field_settings() -> list[dict[str, Any]]:
    """Return the lineages by the settings of the thesis, with the number of tournaments in one field."""
    return [
        {**lineage, "tournaments": FIELD_TOURNAMENTS}
        for lineage in list_lineages()
        if lineage["source"] == THESIS
    ]


def list_crowd_settings() -> list[dict[str, Any]]:
    """Return the lineages of methods with one population, with the number of tournaments against random networks."""
    return [
        {**lineage, "tournaments": CROWD_TOURNAMENTS}
        for lineage in list_lineages()
        if "-" not in lineage["champion"]
    ]


def list_race_settings() -> list[dict[str, Any]]:
    """Return the methods with several populations of both sources, with the number of tables."""
    return [
        {"source": source, "method": method, "duplicates": DUPLICATES}
        for source in SOURCES
        for method in ("2Pop", "4Pop", "HOF2Pop")
    ]


class LineageMeasurement(NamedTuple):
    """Something that is measured of lineages.

    Attributes
    ----------
    measure : callable
        The function of a setting that returns rows.
    list_settings : callable
        The function that returns all settings, without the seed.
    """

    measure: Callable[[Setting], Rows]
    list_settings: Callable[[], list[dict[str, Any]]]


MEASUREMENTS: Mapping[str, LineageMeasurement] = {
    "ratings": LineageMeasurement(measure_ranks_among_strangers, list_lineage_settings),
    "blind": LineageMeasurement(measure_ranks_without_inputs, list_lineage_settings),
    "duels": LineageMeasurement(compare_with_ancestors, list_lineage_settings),
    "steps": LineageMeasurement(compare_successive_champions, list_lineage_settings),
    "fields": LineageMeasurement(measure_places_in_field, list_field_settings),
    "crowds": LineageMeasurement(measure_leads_over_random_networks, list_crowd_settings),
    "races": LineageMeasurement(compare_with_other_population, list_race_settings),
}
"""What is recorded of lineages, by the end of the name of its file."""


def record_measurement(name: str, **options: Any) -> History:
    """Measure all settings of one of the `MEASUREMENTS`, and return a table of them; it takes some ten minutes.

    `options` are those of `sweep`.
    """
    measurement = MEASUREMENTS[name]
    return sweep(measurement.measure, measurement.list_settings(), seeds=[SEED], **options)


def load_measurement(name: str) -> History:
    """Return the table of one of the `MEASUREMENTS` from its file. If there is no file, record the table first."""
    return load_or_make_history(f"{PAPER}-{name}", partial(record_measurement, name), {})


def split_by_lineage(table: History) -> dict[Lineage, dict[str, Any]]:
    """Return the columns of a table of several lineages for each lineage, in the order of its rows."""
    sources, champions = table["source"].tolist(), table["champion"].tolist()
    lineage_of_row = list(zip(sources, champions, strict=True))

    by_lineage = {}
    for lineage in dict.fromkeys(lineage_of_row):
        is_own = np.array([row == lineage for row in lineage_of_row])
        by_lineage[lineage] = {name: column[is_own] for name, column in table.columns.items()}
    return by_lineage


class HallAge(NamedTuple):
    """The age of the members of a hall of fame at the end of an evolution.

    Attributes
    ----------
    generations : int
        The number of generations of the evolution.
    mean_age, largest_age : float
        The number of generations for which members have been in the hall, on average and at most.
    from_first : float
        The share of its 20 best members that entered in the first generation.
    latest : int
        The generation in which the latest of these 20 entered.
    """

    generations: int
    mean_age: float
    largest_age: float
    from_first: float
    latest: int


def measure_hall_age(source: str, method: str) -> HallAge:
    """Return the age of the hall of fame at the end of a recorded evolution, over all of its populations."""
    evolution = load_evolution(source, method)
    entered = evolution.hall_since[-1]
    return HallAge(
        generations=int(evolution.generations[-1]),
        mean_age=float(evolution.history["hall_age"][-1]),
        largest_age=float(evolution.history["hall_eldest"][-1]),
        from_first=float((entered <= 1).mean()),
        latest=int(entered.max()),
    )


def measure_weight_spread(source: str, method: str, generation: int) -> tuple[float, float]:
    """Return the spread of network weights in a generation, within one population and over all populations together.

    Parameters
    ----------
    source, method : str
        A recorded evolution.
    generation : int
        A generation that is recorded; the first is 1.

    Returns
    -------
    within : float
        The spread within a population, as the column 'spread' of the experiment has it.
    overall : float
        The root of the sum of two mean squares: of the standard deviations of the champions' weights between
        populations, and of `within`.
    """
    evolution = load_evolution(source, method)
    is_generation = evolution.history["iteration"] == generation
    within = float(evolution.history["spread"][is_generation][0])
    champions = evolution.champions[generation - 1].astype(float)
    between = np.std(champions, axis=0)
    return within, float(np.sqrt(np.mean(between**2) + within**2))
