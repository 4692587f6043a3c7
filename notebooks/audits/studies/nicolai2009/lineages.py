"""Measurements of lineages: whether later champions of an evolution play better than earlier ones, and what they see.

A *champion* is the agent with the best fitness of a population in one generation. A *lineage* is the sequence of the
champions of one evolved population, from the first generation to the last. It has the name of its last champion, such
as '2Pop-1'.

Nicolai & Hilderman (2009, section III.B) say that evolution is normally progressive, that a hall of fame keeps
strategies from being lost, and that several populations are in an arms race. Here champions of all generations play
against eight opponents, against each other, and without some of their inputs. Names of recorded lineages and numbers of
tables go in; tables of ranks with standard errors come out.

`MEASUREMENTS` lists what is measured. Every measurement is a function of a `LineageSetting` or a `CoevolutionSetting`,
and returns rows of a table. `load_or_measure_lineages` returns all rows of a measurement from its file in `data/runs`,
so that the audit shows and judges the same numbers at every scale.
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
"""The number of duplicate tables for each champion, or for each pair of champions."""
INPUT_DUPLICATES = 20
"""The number of duplicate tables at which the inputs of a champion are collected."""
FIELD_TOURNAMENTS = 400
"""The number of tournaments that all champions of a lineage play together."""
CROWD_TOURNAMENTS = 100
"""The number of tournaments that late champions play with a few random networks."""
CROWD_SIZE, NUM_RANDOM_NETWORKS = 1000, 20
"""The number of entrants in the tournaments with random networks, and how many entrants are random networks."""
NUM_LATE_GENERATIONS = 50
"""The other entrants of these tournaments are the champions of this number of last generations."""
NO_INPUTS = "nothing"
"""The name of the group of inputs that is hidden from a champion that sees all of them."""
SEED = 1

Rows: TypeAlias = list[dict[str, Any]]
"""A dictionary from columns to values for each row of a table."""
Lineage: TypeAlias = tuple[str, str]
"""The name of a lineage: the source of its settings, and the name of its last champion."""


@dataclass(frozen=True)
class MeasurementSetting:
    """Which recorded champions are measured, and at how many tables they play.

    Attributes
    ----------
    source : str
        The settings by which the champions evolved: `THESIS`, those of Nicolai's thesis (2008), or `EARLIER`, those
        that this project guessed before it had the thesis.
    duplicates : int
        The number of duplicate tables for each champion, or for each pair of champions. At a *duplicate table* the same
        cards are played several times with the seats exchanged.
    seed : int
        The seed of the cards, and of all other random numbers.
    """

    source: str = THESIS
    duplicates: int = DUPLICATES
    seed: int = SEED


@dataclass(frozen=True)
class LineageSetting(MeasurementSetting):
    """Which lineage is measured, and how many games its champions play.

    A *lineage* consists of the champions, the best agents, of all generations of one evolved population.
    `MeasurementSetting` has the other attributes. A measurement uses either `duplicates` or `tournaments`.

    Attributes
    ----------
    champion : str
        The name of the champion of the last generation, which is also the name of the lineage. It is the method of the
        paper, such as 'Control'. If the method has several populations, a hyphen and the number of the population
        follow, as in '2Pop-1'.
    tournaments : int
        The number of tournaments, in measurements that play whole tournaments.
    """

    champion: str = "Control"
    tournaments: int = FIELD_TOURNAMENTS


@dataclass(frozen=True)
class CoevolutionSetting(MeasurementSetting):
    """Which evolution of several populations is measured, and how many tables a pair of their champions plays.

    A *champion* is the best agent of a population in a generation. `MeasurementSetting` has the other attributes.

    Attributes
    ----------
    method : str
        A method of the paper with several populations, such as '2Pop'.
    """

    method: str = "2Pop"


@cache
def load_recorded_evolution(source: str, method: str) -> Evolution:
    """Return the record of an evolution with seed 1, by a method of the paper and the settings of a source.

    Parameters
    ----------
    source : str
        `THESIS`, the settings of Nicolai's thesis (2008), or `EARLIER`, the settings that this project guessed before
        it had the thesis.
    method : str
        One of the paper's six methods of evolution, such as 'Control' or '2Pop'.

    Returns
    -------
    Evolution
        The champions of all generations, and halls of fame.

    Raises
    ------
    UnknownNameError
        If the paper has no such method.
    """
    is_thesis = source == THESIS
    file_name = name_evolution_file(method, 1) if is_thesis else name_earlier_evolution_file(method)
    return Evolution.load(RUNS / f"{file_name}.npz")


def load_encoding_and_lineage(source: str, champion: str) -> tuple[TableNetwork, Genomes]:
    """Return the genomes of the champions of one evolved population, and the encoding that turns genomes into players.

    A *champion* is the best agent of a population in one generation. The champions of all generations are the *lineage*
    of the population.

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
        The network whose weights are a genome. It makes players of genomes.
    lineage : ndarray, shape (T, G)
        The champions' genomes of G numbers, from generation 1 to generation T.

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
    """Return the champions of some generations of a lineage.

    Parameters
    ----------
    lineage : ndarray, shape (T, G)
        The genomes of the champions of one population, from generation 1 to generation T.
    generations : tuple of int
        The numbers of n generations; the first generation is 1.

    Returns
    -------
    ndarray, shape (n, G)
        The genomes of their champions, in the order of `generations`.
    """
    champions: Genomes = lineage[np.array(generations) - 1]
    return champions


def make_duplicate_tables(setting: MeasurementSetting) -> DuplicateTables:
    """Return the duplicate tables of a measurement, which follow the poker rules of the setting's source.

    Parameters
    ----------
    setting : MeasurementSetting
        The number of tables, the seed of their cards, and the source of the rules.
    """
    table_settings = SOURCES[setting.source].table_settings
    return DuplicateTables(duplicates=setting.duplicates, seed=setting.seed, **table_settings)


def measure_ranks_against_eight_opponents(setting: LineageSetting) -> Rows:
    """Measure how champions of a lineage rank at tables with the eight opponents of the paper's evaluation.

    A *lineage* consists of the champions, the best agents, of all generations of one population.

    Parameters
    ----------
    setting : LineageSetting
        The lineage, and the number of duplicate tables of each champion.

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
    """Measure how a champion ranks if its network does not see a group of its inputs, for each group in turn.

    The champion is that of the last generation of a lineage. The inputs that it does not see always have the same
    values: their means at tables that it plays before with all inputs. The opponents are the eight of the paper's
    evaluation.

    Parameters
    ----------
    setting : LineageSetting
        The lineage, and the number of duplicate tables for each group of inputs.

    Returns
    -------
    list of dict
        A row for the champion with all of its inputs, and then one for each group in `INPUT_GROUPS`: the name of the
        group ('unseen'), and the mean 'rank' from 1 (best) to 9.
    """
    encoding, lineage = load_encoding_and_lineage(setting.source, setting.champion)
    champion = lineage[-1]
    tables = make_duplicate_tables(setting)
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
    """Measure by how many ranks later champions of a lineage lead over earlier ones, at tables with both of them.

    A *lineage* consists of the champions, the best agents, of all generations of one population.

    Parameters
    ----------
    setting : LineageSetting
        The lineage, and the number of duplicate tables of each pair of champions.

    Returns
    -------
    list of dict
        A row for each pair from `COMPARED_GENERATIONS`: the 'generation' of the later champion and that of its
        'ancestor'; by how many ranks the later champion is 'ahead', with the standard error ('error'); and 'lost',
        which is 1 if the later champion is significantly behind, and otherwise 0.
    """
    encoding, lineage = load_encoding_and_lineage(setting.source, setting.champion)
    genomes = select_champions_of_generations(lineage, COMPARED_GENERATIONS)
    tables = make_duplicate_tables(setting)
    leads = compare_champions(encoding, genomes, tables=tables, progress=False).ranks
    is_behind = leads.find_losses_to_ancestors()
    return [
        {
            "generation": COMPARED_GENERATIONS[later],
            "ancestor": COMPARED_GENERATIONS[earlier],
            "ahead": float(leads.advantage[later, earlier]),
            "error": float(leads.error[later, earlier]),
            "lost": int(is_behind[later, earlier]),
        }
        for later, earlier in list_later_earlier_pairs(len(COMPARED_GENERATIONS))
    ]


def compare_successive_champions(setting: LineageSetting) -> Rows:
    """Measure by how many ranks a champion leads over the champion of the generation before, in a lineage.

    A *lineage* consists of the champions, the best agents, of all generations of one population. The two champions play
    at the same tables.

    Parameters
    ----------
    setting : LineageSetting
        The lineage, and the number of duplicate tables of each pair of champions.

    Returns
    -------
    list of dict
        A row for each of `RATED_GENERATIONS` except the last: the number of the earlier 'generation'; by how many ranks
        the champion of the next generation is 'ahead'; and 'p', the p-value of a two-tailed t-test of no difference.
    """
    encoding, lineage = load_encoding_and_lineage(setting.source, setting.champion)
    tables = make_duplicate_tables(setting)
    rows = []
    for generation in RATED_GENERATIONS[:-1]:  # there is no generation after the last
        pair = select_champions_of_generations(lineage, (generation, generation + 1))
        leads = compare_champions(encoding, pair, tables=tables, progress=False).ranks
        rows.append(
            {
                "generation": generation,
                "ahead": float(leads.advantage[1, 0]),
                "p": float(leads.p[1, 0]),
            }
        )
    return rows


def measure_places_within_lineage(setting: LineageSetting) -> Rows:
    """Measure the mean place of each champion of a lineage in tournaments with all champions of the lineage.

    A *lineage* consists of the champions, the best agents, of all generations of one population.

    Parameters
    ----------
    setting : LineageSetting
        The lineage, and the number of tournaments. In each of them all champions play, at seats that are drawn at
        random.

    Returns
    -------
    list of dict
        A row for each generation from 1 to T: the 'generation', and the mean 'place' of its champion, from 1 (best) to
        T.
    """
    encoding, lineage = load_encoding_and_lineage(setting.source, setting.champion)
    num_champions = len(lineage)
    game = make_game(Config(seed=0, agents=num_champions))
    generator = np.random.default_rng(setting.seed)
    lineups = draw_random_permutations(generator, setting.tournaments, num_champions)

    players = encoding.make_players(lineage)
    mean_places = game.play(players, lineups, seed=setting.seed).mean_rank
    return [
        {"generation": generation, "place": float(place)}
        for generation, place in enumerate(mean_places, 1)
    ]


def measure_leads_over_random_networks(setting: LineageSetting) -> Rows:
    """Measure by how many places the late champions of a lineage lead over random networks, in large tournaments.

    Each tournament has `CROWD_SIZE` entrants, of which `NUM_RANDOM_NETWORKS` are random networks. All others are the
    champions of the last `NUM_LATE_GENERATIONS` generations, each of which enters several times.

    Parameters
    ----------
    setting : LineageSetting
        The lineage, which has the champion of each generation of one population, and the number of tournaments.

    Returns
    -------
    list of dict
        A row for each random network: 'ahead', its mean place minus the mean place of all champions. A positive number
        means that champions do better.
    """
    encoding, lineage = load_encoding_and_lineage(setting.source, setting.champion)
    generator = np.random.default_rng(setting.seed)
    random_networks = encoding.draw_genomes(generator, NUM_RANDOM_NETWORKS)

    # `np.resize` repeats the late champions until all other places are taken.
    num_champions = CROWD_SIZE - NUM_RANDOM_NETWORKS
    late_champions = lineage[-NUM_LATE_GENERATIONS:]
    num_genes = lineage.shape[1]
    champions = np.resize(late_champions, (num_champions, num_genes))

    # The line-ups are drawn after the networks, from the same generator.
    lineups = draw_random_permutations(generator, setting.tournaments, CROWD_SIZE)
    names = [str(number) for number in range(CROWD_SIZE)]
    players = encoding.make_players(np.concatenate([random_networks, champions]), names)
    game = make_game(SOURCES[setting.source].configs[BASELINE])
    mean_places = game.play(players, lineups, seed=setting.seed).mean_rank

    places_of_random_networks = mean_places[:NUM_RANDOM_NETWORKS]
    mean_place_of_champions = mean_places[NUM_RANDOM_NETWORKS:].mean()
    leads = places_of_random_networks - mean_place_of_champions
    return [{"ahead": float(lead)} for lead in leads]


def draw_random_permutations(generator: np.random.Generator, count: int, size: int) -> Ints:
    """Draw random permutations of the numbers from 0 to `size` - 1.

    Parameters
    ----------
    generator : Generator
        The random numbers.
    count : int
        The number of permutations.
    size : int
        The length of each permutation.

    Returns
    -------
    ndarray of int, shape (count, size)
        A permutation in each row.
    """
    return np.array([generator.permutation(size) for _ in range(count)])


def compare_populations_across_generations(setting: CoevolutionSetting) -> Rows:
    """Measure by how many ranks later champions lead over earlier champions of the other population.

    The two populations are the first two of a method. A later champion of the first plays against an earlier champion
    of the second, and the other way around. The two leads are averaged. If one population is better than the other in
    all generations, this cancels out.

    Parameters
    ----------
    setting : CoevolutionSetting
        The evolution, and the number of duplicate tables of each pair of champions.

    Returns
    -------
    list of dict
        A row for each pair from `RACE_GENERATIONS` of the source: the 'generation' of the later champions and that of
        the earlier ones ('ancestor'), and the mean number of ranks by which the later champions are 'ahead', with its
        standard error ('error').
    """
    source, method = setting.source, setting.method
    generations = RACE_GENERATIONS[source]
    encoding = make_encoding(SOURCES[source].configs[method])
    champions = load_recorded_evolution(source, method).champions  # shape (T, P, G)
    leads = compare_champions(
        encoding,
        select_champions_of_generations(champions[:, 0], generations),
        select_champions_of_generations(champions[:, 1], generations),
        tables=make_duplicate_tables(setting),
        progress=False,
    ).ranks

    # A row is a generation of the first population, a column one of the second. In the transpose an earlier champion
    # of the first population plays a later one of the second, so its lead has the opposite sign.
    mean_lead = (leads.advantage - leads.advantage.T) / 2
    error = np.hypot(leads.error, leads.error.T) / 2
    return [
        {
            "generation": generations[later],
            "ancestor": generations[earlier],
            "ahead": float(mean_lead[later, earlier]),
            "error": float(error[later, earlier]),
        }
        for later, earlier in list_later_earlier_pairs(len(generations))
    ]


def list_later_earlier_pairs(count: int) -> Ints:
    """Return all pairs of indices (later, earlier) from 0 to `count` - 1 in which the first is the larger.

    Parameters
    ----------
    count : int
        The number of indices, such as those of generations in increasing order.

    Returns
    -------
    ndarray of int, shape (pairs, 2)
        The pairs, in the order of the first index, and then of the second.

    Examples
    --------
    >>> list_later_earlier_pairs(3).tolist()
    [[1, 0], [2, 0], [2, 1]]
    """
    is_later = np.tri(count, k=-1, dtype=bool)  # below the diagonal of a matrix
    return np.argwhere(is_later)


def list_completed_lineages() -> list[dict[str, Any]]:
    """Return which recorded lineages reach the paper's last generation, those by the settings of the thesis first.

    A *lineage* consists of the champions, the best agents, of all generations of one evolved population.

    Returns
    -------
    list of dict
        For each lineage, the 'source' of the settings of its evolution, and the name of its last 'champion'.
    """
    return [
        {"source": source, "champion": champion}
        for source in SOURCES
        for champion in list_completed_champions(load_recorded_champions(source))
    ]


def list_duplicate_table_settings() -> list[dict[str, Any]]:
    """Return the settings of measurements that play duplicate tables: all completed lineages with the number of tables.

    Returns
    -------
    list of dict
        For each lineage, the values of the attributes 'source', 'champion' and 'duplicates' of a `LineageSetting`.
    """
    return [{**lineage, "duplicates": DUPLICATES} for lineage in list_completed_lineages()]


def list_thesis_tournament_settings() -> list[dict[str, Any]]:
    """Return the settings of tournaments with whole lineages: those that evolved by the thesis's settings.

    Returns
    -------
    list of dict
        For each completed lineage of that source, the values of the attributes 'source', 'champion' and 'tournaments'
        of a `LineageSetting`.
    """
    return [
        {**lineage, "tournaments": FIELD_TOURNAMENTS}
        for lineage in list_completed_lineages()
        if lineage["source"] == THESIS
    ]


def list_single_population_settings() -> list[dict[str, Any]]:
    """Return the settings of tournaments against random networks: lineages that evolved without other populations.

    Returns
    -------
    list of dict
        For each completed lineage of a method with one population, the values of the attributes 'source', 'champion'
        and 'tournaments' of a `LineageSetting`.
    """
    settings = []
    for lineage in list_completed_lineages():
        # Champions of methods with several populations have a number at the end, as in '2Pop-1'.
        has_one_population = "-" not in lineage["champion"]
        if has_one_population:
            settings.append({**lineage, "tournaments": CROWD_TOURNAMENTS})
    return settings


def list_coevolution_settings() -> list[dict[str, Any]]:
    """Return the settings of comparisons between populations: each evolution of several populations, by each source.

    Returns
    -------
    list of dict
        For each evolution, the values of the attributes 'source', 'method' and 'duplicates' of a `CoevolutionSetting`.
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
        The function that takes a setting of the type of `default_setting`, and returns rows of a table. A row is a
        dictionary from columns to values.
    default_setting : LineageSetting or CoevolutionSetting
        The setting from which all others are made by replacing values.
    list_settings : callable
        The function without parameters that returns these values for each setting. They become columns of the recorded
        table, together with the seed.
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
    """Make one of the `MEASUREMENTS` at all of its settings, and return the table of results; this takes ten minutes.

    Parameters
    ----------
    name : str
        The name of the measurement in `MEASUREMENTS`, such as 'duels'.
    **options
        Options of `pokerlab.runs.sweep`, such as `workers`.

    Returns
    -------
    History
        The rows of all settings. The columns of the setting come first.
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
    """Return the table of results of one of the `MEASUREMENTS` from its file in `data/runs`.

    If there is no file, the measurement is made and the file written first, which takes ten minutes.

    Parameters
    ----------
    name : str
        The name of the measurement in `MEASUREMENTS`, such as 'duels'.

    Returns
    -------
    History
        The rows of all settings of the measurement. The columns of the setting come first.
    """
    return load_or_make_history(f"{PAPER}-{name}", partial(measure_all_settings, name), {})


def split_table_by_lineage(table: History) -> dict[Lineage, dict[str, Any]]:
    """Return the rows of each lineage in a table of measurements, as columns, in the order of the table.

    A *lineage* consists of the champions, the best agents, of all generations of one evolved population.

    Parameters
    ----------
    table : History
        A table with the columns 'source' and 'champion', which name the lineage of a row.

    Returns
    -------
    dict of (str, str) to dict of str to ndarray
        The columns by name, for each lineage. A lineage is named by the source of its settings and its last champion.
    """
    sources, champions = table["source"].tolist(), table["champion"].tolist()
    lineage_of_rows = list(zip(sources, champions, strict=True))
    distinct_lineages = dict.fromkeys(lineage_of_rows)

    columns_by_lineage = {}
    for lineage in distinct_lineages:
        is_of_lineage = np.array([row_lineage == lineage for row_lineage in lineage_of_rows])
        columns_by_lineage[lineage] = {
            name: column[is_of_lineage] for name, column in table.columns.items()
        }
    return columns_by_lineage


class HallAge(NamedTuple):
    """How long members have been in the halls of fame at the end of an evolution.

    A *hall of fame* keeps former elites, so that agents also play against them.

    Attributes
    ----------
    generations : int
        The number of generations of the evolution.
    mean_age, largest_age : float
        The number of generations for which members have been in the hall, on average and at most.
    share_from_first_generation : float
        The share of the 20 best members that entered in the first generation.
    latest_entry : int
        The generation in which the newest of these 20 members entered.
    """

    generations: int
    mean_age: float
    largest_age: float
    share_from_first_generation: float
    latest_entry: int


def measure_age_of_hall_of_fame(source: str, method: str) -> HallAge:
    """Measure how long members have been in the halls of fame of a recorded evolution, at its end.

    A *hall of fame* keeps former elites, so that agents also play against them. If there are several populations, the
    halls of all of them are measured together.

    Parameters
    ----------
    source : str
        `THESIS`, the settings of Nicolai's thesis (2008), or `EARLIER`, the settings that this project guessed before
        it had the thesis.
    method : str
        A method of the paper with a hall of fame, such as 'LargeHOF'.

    Returns
    -------
    HallAge
        The ages of the members, and when the best 20 of them entered.
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
    """Measure how much the weights of networks vary in a generation, within a population and over all populations.

    The *spread* of a set of networks is the root mean square, over weights, of the standard deviation of each weight.

    Parameters
    ----------
    source : str
        `THESIS`, the settings of Nicolai's thesis (2008), or `EARLIER`, the settings that this project guessed before
        it had the thesis.
    method : str
        One of the paper's methods of evolution, such as '2Pop'.
    generation : int
        A recorded generation; the first is 1.

    Returns
    -------
    within : float
        The spread within a population, as the evolution recorded it in the column 'spread'.
    overall : float
        The spread over all populations together. Its square is the sum of two squares: the spread `within`, and the
        spread of the champions of all populations.
    """
    evolution = load_recorded_evolution(source, method)
    is_generation = evolution.history["iteration"] == generation
    within = float(evolution.history["spread"][is_generation][0])

    champions = evolution.champions[generation - 1].astype(float)  # a row for each population
    deviation_of_each_weight = np.std(champions, axis=0)
    overall = np.sqrt(np.mean(deviation_of_each_weight**2) + within**2)
    return within, float(overall)
