"""Measurements of lineages: how champions of all generations fare against strangers, against each other, and blind.

Nicolai & Hilderman (2009, section III.B) say that evolution is normally progressive, that a hall of fame keeps
strategies from being lost, and that several populations are in an arms race. Are later champions of recorded evolutions
better, and at what do they look? Lineages and numbers of tables go in; tables of ranks with standard errors come out.

A *lineage* is the line of descent of one population in a recorded evolution: the champions of its first, second, ...,
last generation, in this order. It has the name of its last champion, such as '2Pop-1', and belongs to a source of
settings (see `interpretations`).

`MEASUREMENTS` lists what is measured. Every measurement is a function of a `LineageSetting` or a `CoevolutionSetting`,
which names recorded champions and the number of tables, and returns rows. `load_or_measure_lineages` returns all rows
of a measurement from its file in `data/runs`, so that the audit shows and judges the same numbers at every scale.
"""

from collections.abc import Callable, Mapping
from dataclasses import dataclass, replace
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
from studies.nicolai2009.champions import (
    Evolution,
    name_earlier_evolution_file,
    name_evolution_file,
)
from studies.nicolai2009.comparison import BASELINE
from studies.nicolai2009.evaluation import CHAMPION, evaluate_genomes
from studies.nicolai2009.interpretations import (
    EARLIER,
    SOURCES,
    THESIS,
    list_completed_champions,
    load_recorded_champions,
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

Rows: TypeAlias = list[dict[str, Any]]
"""A dictionary from columns to values for each row of a table."""
Lineage: TypeAlias = tuple[str, str]
"""A source of settings, and the name of the last champion."""


@dataclass(frozen=True)
class LineageSetting:
    """A recorded lineage, and how many games its champions play in a measurement.

    A *lineage* has the champion, the best agent, of each generation of one evolved population.

    Attributes
    ----------
    source : str
        `THESIS`, the settings of Nicolai's thesis (2008), or `EARLIER`, the settings that this project guessed before
        it had the thesis.
    champion : str
        The name of the champion of the last generation, which is the name of the lineage, too: the method, such as
        'Control', and if the method has several populations, a hyphen and the number of the population from 1, as in
        '2Pop-1'.
    duplicates : int
        The number of duplicate tables for each champion, or for each pair of champions. Measurements that play whole
        tournaments do not use it.
    tournaments : int
        The number of tournaments. Measurements that play duplicate tables do not use it.
    seed : int
        The seed of the cards, and of all other random numbers.
    """

    source: str = THESIS
    champion: str = "Control"
    duplicates: int = DUPLICATES
    tournaments: int = FIELD_TOURNAMENTS
    seed: int = SEED


@dataclass(frozen=True)
class CoevolutionSetting:
    """A recorded evolution of several populations, and how many tables a pair of their champions plays.

    Attributes
    ----------
    source : str
        `THESIS`, the settings of Nicolai's thesis (2008), or `EARLIER`, the settings that this project guessed before
        it had the thesis.
    method : str
        A method of the paper with several populations, such as '2Pop'.
    duplicates : int
        The number of duplicate tables for each pair of champions.
    seed : int
        The seed of the cards.
    """

    source: str = THESIS
    method: str = "2Pop"
    duplicates: int = DUPLICATES
    seed: int = SEED


@cache
def load_recorded_evolution(source: str, method: str) -> Evolution:
    """Return the recorded evolution of a method of the paper, by the settings of a source and with seed 1.

    Parameters
    ----------
    source : str
        `THESIS`, the settings of Nicolai's thesis (2008), or `EARLIER`, the settings that this project guessed before
        it had the thesis.
    method : str
        The method, such as 'Control' or '2Pop'.
    """
    is_thesis = source == THESIS
    file_name = name_evolution_file(method, 1) if is_thesis else name_earlier_evolution_file(method)
    return Evolution.load(RUNS / f"{file_name}.npz")


def load_encoding_and_lineage(source: str, champion: str) -> tuple[TableNetwork, Genomes]:
    """Return the genomes of all champions of an evolved population, and the encoding that makes players of them.

    The champion of a generation is its best agent. The champions of one population, generation by generation, are its
    *lineage*. It has the name of the champion of the last generation.

    Parameters
    ----------
    source : str
        `THESIS`, the settings of Nicolai's thesis (2008), or `EARLIER`, the settings that this project guessed before
        it had the thesis.
    champion : str
        The name of the champion of the last generation: the method, such as 'Control', and if the method has several
        populations, a hyphen and the number of the population from 1, as in '2Pop-1'.

    Returns
    -------
    encoding : TableNetwork
        The kind of network, which makes players of genomes.
    lineage : ndarray, shape (T, G)
        The genomes, of G genes each, of the champions of the generations 1 to T, in this order.

    Raises
    ------
    KeyError
        If there is no such source or method.
    """
    method, _, number = champion.partition("-")
    population_index = int(number) - 1 if number else 0

    encoding = make_encoding(SOURCES[source].configs[method])
    champions = load_recorded_evolution(source, method).champions  # shape (T, P, G)
    return encoding, champions[:, population_index]


def select_champions_of_generations(lineage: Genomes, generations: tuple[int, ...]) -> Genomes:
    """Return the champions of the given generations of a lineage, shape (generations, G); the first generation is 1."""
    champions: Genomes = lineage[np.array(generations) - 1]
    return champions


def make_duplicate_tables(setting: LineageSetting | CoevolutionSetting) -> DuplicateTables:
    """Return the duplicate tables at which a measurement plays, with the poker settings of the setting's source."""
    table_settings = SOURCES[setting.source].table_settings
    return DuplicateTables(duplicates=setting.duplicates, seed=setting.seed, **table_settings)


def measure_ranks_against_eight_opponents(setting: LineageSetting) -> Rows:
    """Return how champions of a lineage fare at tables with the eight opponents of the paper's evaluation.

    Parameters
    ----------
    setting : LineageSetting
        The lineage (a champion for each generation of one population), and the number of tables of each champion.

    Returns
    -------
    list of dict
        A row for the champion of each of `RATED_GENERATIONS`: its 'generation', its mean 'rank' from 1 (best) to 9 with
        the standard error ('rank_error'), and the share of tournaments that it won ('first').
    """
    encoding, lineage = load_encoding_and_lineage(setting.source, setting.champion)
    genomes = select_champions_of_generations(lineage, RATED_GENERATIONS)
    evaluations = evaluate_genomes(encoding, genomes, tables=make_duplicate_tables(setting))
    return [
        {
            "generation": generation,
            "rank": evaluation.champion_rank,
            "rank_error": float(evaluation.ranks.standard_error[CHAMPION]),
            "first": float(evaluation.wins.mean[CHAMPION]),
        }
        for generation, evaluation in zip(RATED_GENERATIONS, evaluations, strict=True)
    ]


def measure_rank_without_input_groups(setting: LineageSetting) -> Rows:
    """Return the mean rank of a champion if its network does not see one group of its inputs, for each group.

    An input that is not seen has always the same value, its mean at tables that the champion plays before. The
    opponents are the eight of the paper's evaluation.

    Parameters
    ----------
    setting : LineageSetting
        The lineage (a champion for each generation of one population), whose last champion plays, and the number of
        tables for each group of inputs.

    Returns
    -------
    list of dict
        A row for the champion with all of its inputs, and then one for each group in `INPUT_GROUPS`: the name of the
        group ('unseen'), and the mean 'rank' from 1 (best) to 9.
    """
    encoding, lineage = load_encoding_and_lineage(setting.source, setting.champion)
    champion, tables = lineage[-1], make_duplicate_tables(setting)
    few_tables = replace(tables, duplicates=INPUT_DUPLICATES)
    mean_inputs = collect_inputs(encoding, champion, tables=few_tables).mean(axis=0)

    genomes = [champion]
    for group in INPUT_GROUPS.values():
        input_indices = list(group)
        genomes.append(fix_inputs(encoding, champion, input_indices, mean_inputs[input_indices]))

    evaluations = evaluate_genomes(encoding, np.array(genomes), tables=tables)
    group_names = (NO_INPUTS, *INPUT_GROUPS)
    return [
        {"unseen": group_name, "rank": evaluation.champion_rank}
        for group_name, evaluation in zip(group_names, evaluations, strict=True)
    ]


def compare_champions_with_ancestors(setting: LineageSetting) -> Rows:
    """Return by how many ranks later champions of a lineage are ahead of earlier ones, at tables that two share.

    Parameters
    ----------
    setting : LineageSetting
        The lineage (a champion for each generation of one population), and the number of tables of each pair of
        champions.

    Returns
    -------
    list of dict
        A row for each pair from `COMPARED_GENERATIONS`: the 'generation' of the later champion and that of its
        'ancestor'; the ranks by which the later one is 'ahead', with the standard error ('error'); and 'lost', which is
        1 if the later one is significantly behind and otherwise 0.
    """
    encoding, lineage = load_encoding_and_lineage(setting.source, setting.champion)
    genomes = select_champions_of_generations(lineage, COMPARED_GENERATIONS)
    comparison = compare_champions(
        encoding, genomes, tables=make_duplicate_tables(setting), progress=False
    )
    by_ranks = comparison.ranks
    is_behind = by_ranks.find_losses_to_ancestors()
    return [
        {
            "generation": COMPARED_GENERATIONS[later],
            "ancestor": COMPARED_GENERATIONS[earlier],
            "ahead": float(by_ranks.advantage[later, earlier]),
            "error": float(by_ranks.error[later, earlier]),
            "lost": int(is_behind[later, earlier]),
        }
        for later, earlier in list_later_earlier_pairs(len(COMPARED_GENERATIONS))
    ]


def compare_successive_champions(setting: LineageSetting) -> Rows:
    """Return by how many ranks the champion of the next generation is ahead of the present one, in a lineage.

    Parameters
    ----------
    setting : LineageSetting
        The lineage (a champion for each generation of one population), and the number of tables of each pair of
        champions.

    Returns
    -------
    list of dict
        A row for each of `RATED_GENERATIONS` but the last: the present 'generation'; the ranks by which the champion of
        the next one is 'ahead', at tables that the two share; and 'p', the p-value of a two-tailed t-test of no
        difference.
    """
    encoding, lineage = load_encoding_and_lineage(setting.source, setting.champion)
    tables = make_duplicate_tables(setting)
    rows = []
    for generation in RATED_GENERATIONS[:-1]:  # there is no generation after the last
        pair = select_champions_of_generations(lineage, (generation, generation + 1))
        by_ranks = compare_champions(encoding, pair, tables=tables, progress=False).ranks
        rows.append(
            {
                "generation": generation,
                "ahead": float(by_ranks.advantage[1, 0]),
                "p": float(by_ranks.p[1, 0]),
            }
        )
    return rows


def measure_places_within_lineage(setting: LineageSetting) -> Rows:
    """Return the mean place of each champion of a lineage in tournaments that all champions of the lineage play.

    Parameters
    ----------
    setting : LineageSetting
        The lineage (a champion for each generation of one population), and the number of tournaments.

    Returns
    -------
    list of dict
        A row for each generation from 1 to T: the 'generation', and the mean 'place' of its champion, from 1 (best) to
        T.
    """
    encoding, lineage = load_encoding_and_lineage(setting.source, setting.champion)
    num_champions = len(lineage)
    game = make_game(Config(seed=0, agents=num_champions))
    lineups = draw_lineups(setting, num_champions)
    players = encoding.make_players(lineage)
    mean_places = game.play(players, lineups, seed=setting.seed).mean_rank
    return [
        {"generation": generation, "place": float(place)}
        for generation, place in enumerate(mean_places, 1)
    ]


def measure_leads_over_random_networks(setting: LineageSetting) -> Rows:
    """Return by how many places late champions of a lineage are ahead of random networks, in large tournaments.

    Each tournament has `CROWD_SIZE` entrants. `NUM_RANDOM_NETWORKS` of them are random networks. All others are the
    champions of the last `NUM_LATE_GENERATIONS` generations, repeated as often as there are places.

    Parameters
    ----------
    setting : LineageSetting
        The lineage (a champion for each generation of one population), and the number of tournaments.

    Returns
    -------
    list of dict
        A row for each random network: 'ahead', its mean place minus the mean place of all champions.
    """
    encoding, lineage = load_encoding_and_lineage(setting.source, setting.champion)
    generator = np.random.default_rng(setting.seed)
    random_networks = encoding.draw_genomes(generator, NUM_RANDOM_NETWORKS)

    num_champions = CROWD_SIZE - NUM_RANDOM_NETWORKS
    late_champions = lineage[-NUM_LATE_GENERATIONS:]
    champions = np.resize(late_champions, (num_champions, lineage.shape[1]))  # which repeats them

    # The line-ups are drawn after the networks, from the same generator.
    lineups = draw_random_permutations(generator, setting.tournaments, CROWD_SIZE)
    names = [str(number) for number in range(CROWD_SIZE)]
    players = encoding.make_players(np.concatenate([random_networks, champions]), names)
    game = make_game(SOURCES[setting.source].configs[BASELINE])
    mean_places = game.play(players, lineups, seed=setting.seed).mean_rank

    places_of_random_networks = mean_places[:NUM_RANDOM_NETWORKS]
    place_of_champions = mean_places[NUM_RANDOM_NETWORKS:].mean()
    leads = places_of_random_networks - place_of_champions
    return [{"ahead": float(lead)} for lead in leads]


def draw_lineups(setting: LineageSetting, num_entrants: int) -> Ints:
    """Draw the line-ups of the tournaments of a setting, shape (tournaments, num_entrants).

    Parameters
    ----------
    setting : LineageSetting
        The number of tournaments, and the seed that decides the line-ups.
    num_entrants : int
        The number of players in each tournament.
    """
    generator = np.random.default_rng(setting.seed)
    return draw_random_permutations(generator, setting.tournaments, num_entrants)


def draw_random_permutations(generator: np.random.Generator, count: int, size: int) -> Ints:
    """Draw `count` random permutations of the numbers 0 to size - 1, shape (count, size)."""
    return np.array([generator.permutation(size) for _ in range(count)])


def compare_populations_across_generations(setting: CoevolutionSetting) -> Rows:
    """Return by how many ranks later champions are ahead of earlier champions of another population.

    The two populations are the first two of a method. Two comparisons are averaged: a later champion of the first
    population with an earlier one of the second, and the reverse. If one of the populations is better than the other
    in all generations, this cancels out.

    Parameters
    ----------
    setting : CoevolutionSetting
        The evolution, and the number of tables of each pair of champions.

    Returns
    -------
    list of dict
        A row for each pair from `RACE_GENERATIONS` of the source: the 'generation' of the later champions and that of
        the earlier ones ('ancestor'), and the mean number of ranks 'ahead' with its standard error ('error').
    """
    source, method = setting.source, setting.method
    generations = RACE_GENERATIONS[source]
    encoding = make_encoding(SOURCES[source].configs[method])
    champions = load_recorded_evolution(source, method).champions  # shape (T, P, G)
    first_lineage = select_champions_of_generations(champions[:, 0], generations)
    second_lineage = select_champions_of_generations(champions[:, 1], generations)
    comparison = compare_champions(
        encoding,
        first_lineage,
        second_lineage,
        tables=make_duplicate_tables(setting),
        progress=False,
    )
    by_ranks = comparison.ranks

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
        for later, earlier in list_later_earlier_pairs(len(generations))
    ]


def list_later_earlier_pairs(count: int) -> Ints:
    """Return all pairs of indices (later, earlier) from 0 to count - 1 whose first is the larger, shape (pairs, 2).

    They are in the order of the first index, and then of the second.
    """
    is_later = np.tri(count, k=-1, dtype=bool)  # below the diagonal of a matrix
    return np.argwhere(is_later)


def list_completed_lineages() -> list[dict[str, Any]]:
    """Return the lineages of all evolutions that reached the paper's last generation, those of the thesis first.

    A *lineage* has the champion, the best agent, of each generation of one evolved population.
    Each is a dictionary with the 'source' of the settings and the name of the last 'champion'.
    """
    return [
        {"source": source, "champion": champion}
        for source in SOURCES
        for champion in list_completed_champions(load_recorded_champions(source))
    ]


def list_duplicate_table_settings() -> list[dict[str, Any]]:
    """Return all completed lineages, each with the number of duplicate tables that its champions play.

    Each is a dictionary with the 'source' of the settings, the name of the last 'champion', and 'duplicates'.
    """
    return [{**lineage, "duplicates": DUPLICATES} for lineage in list_completed_lineages()]


def list_thesis_tournament_settings() -> list[dict[str, Any]]:
    """Return the completed lineages by the settings of the thesis, each with the number of tournaments to play.

    Each is a dictionary with the 'source' of the settings, the name of the last 'champion', and 'tournaments'.
    """
    return [
        {**lineage, "tournaments": FIELD_TOURNAMENTS}
        for lineage in list_completed_lineages()
        if lineage["source"] == THESIS
    ]


def list_single_population_settings() -> list[dict[str, Any]]:
    """Return the completed lineages of methods with one population, each with the number of tournaments to play.

    Each is a dictionary with the 'source' of the settings, the name of the last 'champion', and 'tournaments'.
    """
    lineages = []
    for lineage in list_completed_lineages():
        # Champions of methods with several populations have a number at the end, as in '2Pop-1'.
        has_one_population = "-" not in lineage["champion"]
        if has_one_population:
            lineages.append({**lineage, "tournaments": CROWD_TOURNAMENTS})
    return lineages


def list_coevolution_settings() -> list[dict[str, Any]]:
    """Return the evolutions of methods with several populations, each with the number of duplicate tables to play.

    Each is a dictionary with the 'source' of the settings, the 'method', and 'duplicates'.
    """
    return [
        {"source": source, "method": method, "duplicates": DUPLICATES}
        for source in SOURCES
        for method in ("2Pop", "4Pop", "HOF2Pop")
    ]


class LineageMeasurement(NamedTuple):
    """A measurement of recorded champions, and the settings at which it is made.

    Attributes
    ----------
    measure : callable
        The function of a `LineageSetting` or a `CoevolutionSetting` that returns rows, each a dictionary from columns
        to values.
    default_setting : LineageSetting or CoevolutionSetting
        The setting whose values those of `list_settings` replace.
    list_settings : callable
        The function that returns the values of each setting that are columns of the recorded table. The seed is added
        to them.
    """

    measure: Callable[[Any], Rows]
    default_setting: LineageSetting | CoevolutionSetting
    list_settings: Callable[[], list[dict[str, Any]]]


MEASUREMENTS: Mapping[str, LineageMeasurement] = {
    "ratings": LineageMeasurement(
        measure_ranks_against_eight_opponents, LineageSetting(), list_duplicate_table_settings
    ),
    "blind": LineageMeasurement(
        measure_rank_without_input_groups, LineageSetting(), list_duplicate_table_settings
    ),
    "duels": LineageMeasurement(
        compare_champions_with_ancestors, LineageSetting(), list_duplicate_table_settings
    ),
    "steps": LineageMeasurement(
        compare_successive_champions, LineageSetting(), list_duplicate_table_settings
    ),
    "fields": LineageMeasurement(
        measure_places_within_lineage,
        LineageSetting(),
        list_thesis_tournament_settings,
    ),
    "crowds": LineageMeasurement(
        measure_leads_over_random_networks,
        LineageSetting(),
        list_single_population_settings,
    ),
    "races": LineageMeasurement(
        compare_populations_across_generations,
        CoevolutionSetting(),
        list_coevolution_settings,
    ),
}
"""What is recorded of lineages, by the end of the name of its file."""


def measure_all_settings(name: str, **options: Any) -> History:
    """Measure all settings of a measurement of lineages, and return the table of their rows; it takes ten minutes.

    Parameters
    ----------
    name : str
        The name of the measurement in `MEASUREMENTS`, such as 'duels'.
    **options
        Options of `sweep`, such as `workers`.

    Returns
    -------
    History
        The rows of all settings, each with the columns of its setting before its own.
    """
    measurement = MEASUREMENTS[name]
    return sweep(
        measurement.measure,
        measurement.list_settings(),
        config=measurement.default_setting,
        seeds=[SEED],
        **options,
    )


def load_or_measure_lineages(name: str) -> History:
    """Return the table of one of the `MEASUREMENTS` from its file. If there is no file, measure and write it first."""
    return load_or_make_history(f"{PAPER}-{name}", partial(measure_all_settings, name), {})


def split_table_by_lineage(table: History) -> dict[Lineage, dict[str, Any]]:
    """Return the columns of a table of measurements for each lineage in it, in the order of its rows.

    A *lineage* has the champion, the best agent, of each generation of one evolved population.

    Parameters
    ----------
    table : History
        A table with the columns 'source' and 'champion', which name the lineage of a row.

    Returns
    -------
    dict of (str, str) to dict of str to ndarray
        The columns with the rows of one lineage, by its source and the name of its last champion.
    """
    sources, champions = table["source"].tolist(), table["champion"].tolist()
    lineage_of_row = list(zip(sources, champions, strict=True))
    distinct_lineages = dict.fromkeys(lineage_of_row)

    columns_by_lineage = {}
    for lineage in distinct_lineages:
        is_own = np.array([row_lineage == lineage for row_lineage in lineage_of_row])
        columns_by_lineage[lineage] = {
            name: column[is_own] for name, column in table.columns.items()
        }
    return columns_by_lineage


class HallAge(NamedTuple):
    """The age of the members of a hall of fame at the end of an evolution.

    Attributes
    ----------
    generations : int
        The number of generations of the evolution.
    mean_age, largest_age : float
        The number of generations for which members have been in the hall, on average and at most.
    share_from_first_generation : float
        The share of its 20 best members that entered in the first generation.
    latest_entry : int
        The generation in which the latest of these 20 entered.
    """

    generations: int
    mean_age: float
    largest_age: float
    share_from_first_generation: float
    latest_entry: int


def measure_age_of_hall_of_fame(source: str, method: str) -> HallAge:
    """Return how long members have been in the halls of fame of a recorded evolution at its end, over all populations.

    Parameters
    ----------
    source : str
        `THESIS`, the settings of Nicolai's thesis (2008), or `EARLIER`, the settings that this project guessed before
        it had the thesis.
    method : str
        A method with a hall of fame, such as 'LargeHOF'.
    """
    evolution = load_recorded_evolution(source, method)
    entry_generations = evolution.hall_since[-1]  # of the best members of each hall
    return HallAge(
        generations=int(evolution.generations[-1]),
        mean_age=float(evolution.history["hall_age"][-1]),
        largest_age=float(evolution.history["hall_eldest"][-1]),
        share_from_first_generation=float((entry_generations <= 1).mean()),
        latest_entry=int(entry_generations.max()),
    )


def measure_weight_spread_of_generation(
    source: str, method: str, generation: int
) -> tuple[float, float]:
    """Return how far network weights are spread in a generation, within a population and over all populations.

    A spread is a root mean square over the weights of their standard deviations.

    Parameters
    ----------
    source, method : str
        The recorded evolution: the source of its settings, and the method of the paper.
    generation : int
        A generation that is recorded; the first is 1.

    Returns
    -------
    within : float
        The spread within a population, as the column 'spread' of the experiment has it.
    overall : float
        The spread over all populations together: the root of the sum of two mean squares, of `within`, and of the
        standard deviations of the champions' weights between populations.
    """
    evolution = load_recorded_evolution(source, method)
    is_generation = evolution.history["iteration"] == generation
    within = float(evolution.history["spread"][is_generation][0])

    champions = evolution.champions[generation - 1].astype(float)  # a row for each population
    deviations_between = np.std(champions, axis=0)
    overall = np.sqrt(np.mean(deviations_between**2) + within**2)
    return within, float(overall)
