"""Comparisons of the paper's six methods over several seeds, by smaller experiments.

Is one method better than another? The paper, Nicolai & Hilderman (2009, section V), orders methods, but it compares
agents of single evolutions, and two champions of one evolution differ, too. (A *champion* is the best agent of an
evolved population.) So here methods are compared: several evolutions of each method, paired by seed. Each champion
plays duplicate tables against the same eight opponents and with the same cards. Methods, settings and seeds go in;
tables with a row for each champion come out, and from them intervals of the differences between methods. There are four
studies:

* `sweep_methods`: each method by several interpretations of what the text leaves open. Populations, halls of fame and
  numbers of tournaments are a tenth of the paper's, and evolutions a fifth as long. The settings are our earlier ones.
* `sweep_future_work`: what the paper proposes to try (section V), at the same size.
* `sweep_stages_of_evolution`: champions of several generations, by the settings of Nicolai's thesis (2008), at a fifth
  of the size.
* `sweep_losses_to_ancestors`: whether a champion loses to its ancestors, at the scale 'lab', by our earlier settings.

Recorded tables call an interpretation 'reading' (`sweep_methods`) and an experiment 'line' (the last two).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from itertools import product
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from scipy import stats

from pokerlab.core import UnknownNameError
from pokerlab.core.arrays import Floats
from pokerlab.evolution.population.protocol import Genomes
from pokerlab.papers.nicolai2009 import (
    CHIPS,
    CONFIGS,
    EARLIER,
    EARLIER_CONFIGS,
    EARLIER_TABLES,
    ELITES,
    HANDS,
    INFINITE,
    METHODS,
    NONE,
    SCALES,
    Config,
    DuplicateTables,
    compare_champions,
    make_encoding,
    make_solver,
)
from pokerlab.papers.nicolai2009_agents import FOLDER
from pokerlab.runs import History, sweep
from studies.nicolai2009.comparison import POOREST
from studies.nicolai2009.evaluation import CHAMPION, evaluate_champion

METHODS_DIVISOR, STAGES_DIVISOR = 10, 5
"""How many times smaller than the paper's the experiments of `sweep_methods` and `sweep_stages_of_evolution` are."""
UNCHANGED = "as it is"
"""The interpretation with our earlier settings, which we guessed before we had read the thesis."""
INTERPRETATIONS: Mapping[str, Mapping[str, Any]] = {
    UNCHANGED: {},
    "the largest output decides": {"read_out": "largest"},
    "one parent": {"parents": "one"},
    "normal biases": {"parent_biases": "normal"},
    "blinds double every 50 hands": {"hands_a_level": 50},
    "halls begin empty": {"hall_start": "empty"},
    "ten elites in each population": {"elites": 10},
}
"""By interpretation, the settings that it changes: one that the text leaves open, or the number of elites.

Elites are given by their number here, and not by their share of the population, so that every population has as many
as Control. A share of a tenth would be 2 elites in each population of 4Pop.
"""


class ChangedMethod(NamedTuple):
    """A method of the paper with some of its settings changed.

    Attributes
    ----------
    method : str
        The method, such as 'Control'.
    changes : mapping of str to any
        The new values of settings of `Config`, by name.
    """

    method: str
    changes: Mapping[str, Any]


FUTURE_WORK: Mapping[str, ChangedMethod] = {
    "raises counted, not priced": ChangedMethod("Control", {"score": "raises"}),
    "raises with the call in them": ChangedMethod("Control", {"raised": "all put in"}),
    "10 hidden units": ChangedMethod("Control", {"hidden": 10}),
    "40 hidden units": ChangedMethod("Control", {"hidden": 40}),
    "half as many mutations": ChangedMethod("Control", {"mutation": 0.05}),
    "twice as many mutations": ChangedMethod("Control", {"mutation": 0.2}),
    "half the noise": ChangedMethod("Control", {"noise": 0.05}),
    "twice the noise": ChangedMethod("Control", {"noise": 0.2}),
    "noise with a mean": ChangedMethod("Control", {"noise_mean": 0.05}),
    "an infinite hall": ChangedMethod("LargeHOF", {"hall": INFINITE}),
    "a hall that breeds": ChangedMethod("LargeHOF", {"hall_breeds": True}),
}
"""What the paper proposes to try (section V), by our names. The paper says what to change; the values are ours."""
CHANGES: Mapping[str, Mapping[str, Any]] = {
    **INTERPRETATIONS,
    **{name: work.changes for name, work in FUTURE_WORK.items()},
}
"""The settings that an interpretation or a proposal for future work changes, by its name."""
STAGE_EXPERIMENTS: Mapping[str, ChangedMethod] = {
    **{method: ChangedMethod(method, {}) for method in METHODS},
    "by hands won": ChangedMethod("Control", {"fitness": HANDS}),
    "by chips": ChangedMethod("Control", {"fitness": CHIPS}),
}
"""The experiments of `sweep_stages_of_evolution`: the six methods, and Control bred by two other measures."""
STAGES = (1, 10, 35, 85, 135, 200)
"""The generations whose champions `sweep_stages_of_evolution` evaluates."""
DUPLICATES, ANCESTOR_DUPLICATES = 1000, 300
"""The number of duplicate tables of a champion, and of a pair of champions in `sweep_losses_to_ancestors`."""
CARDS_SEED = 1
"""The seed of the cards, which are the same for all champions."""
SMALL_HALL: Mapping[str, Any] = {"hall": ELITES, "hall_size": 100}
ANCESTOR_EXPERIMENTS: Mapping[str, Mapping[str, Any]] = {
    "by mean rank": {},
    "by mean rank, with a hall": SMALL_HALL,
    "by chips": {"fitness": CHIPS},
    "by chips, with a hall": {"fitness": CHIPS, **SMALL_HALL},
}
"""The experiments of `sweep_losses_to_ancestors`, with the settings that each changes."""
ANCESTOR_GENERATIONS = (1, 2, 5, 10, 20, 50, 100)
"""The generations whose champions are compared in `sweep_losses_to_ancestors`."""
SHARED_SETTINGS = ("hands_a_level", "score", "raised", "window")
"""The settings that an evaluation takes from the evolution, so that champions play as they were bred."""

BEST, MEAN = "the best champion", "the mean of the champions"
SUMMARIES: Mapping[str, Callable[[Floats], Any]] = {BEST: np.min, MEAN: np.mean}
"""Two ways to give an evolution with several populations one rank: that of its best champion, or the mean."""
CONFIDENCE_LEVEL = 0.95
"""The confidence level of intervals."""

RankTable: TypeAlias = Mapping[str, Any] | History
"""A table of champions with the columns 'method', 'reading' (the interpretation), 'seed' and 'rank'."""
Rows: TypeAlias = list[dict[str, Any]]
"""A dictionary from columns to values for each row of a table."""


def make_config_by_interpretation(
    method: str, interpretation: str, seed: int, iterations: int
) -> Config:
    """Return the settings of a small evolution of a method, by one interpretation of what the paper leaves open.

    Parameters
    ----------
    method : str
        One of the paper's methods, such as '2Pop'.
    interpretation : str
        The name of an interpretation, or of a proposal for future work, in `CHANGES`.
    seed : int
        The seed of the evolution.
    iterations : int
        The number of generations.

    Returns
    -------
    Config
        The settings. Populations, halls of fame and numbers of tournaments are a tenth of the paper's.

    Raises
    ------
    UnknownNameError
        If there is no such method or interpretation.
    """
    UnknownNameError.check("method", method, METHODS)
    UnknownNameError.check("interpretation", interpretation, tuple(CHANGES))
    config = shrink_config(EARLIER_CONFIGS[method], METHODS_DIVISOR, iterations, seed)

    changes = dict(CHANGES[interpretation])
    if "elites" in changes:
        # `CHANGES` has the number of elites, but a Config has their share of the population.
        changes["elites"] /= config.agents
    return replace(config, **changes)


def shrink_config(config: Config, divisor: int, iterations: int, seed: int) -> Config:
    """Return the settings of an experiment of the paper with fewer agents, tournaments and members of halls of fame.

    Parameters
    ----------
    config : Config
        The settings of the experiment at its full size.
    divisor : int
        By what the numbers of agents, tournaments and members are divided. Quotients are rounded down.
    iterations : int
        The number of generations of the small experiment.
    seed : int
        The seed of the small experiment.

    Returns
    -------
    Config
        The settings of the small experiment.
    """
    has_hall = config.hall != NONE
    return replace(
        config,
        agents=config.agents // divisor,
        tournaments=config.tournaments // divisor,
        hall_size=config.hall_size // divisor if has_hall else config.hall_size,
        iterations=iterations,
        seed=seed,
    )


def evolve_and_evaluate_last_champions(setting: Mapping[str, Any]) -> Rows:
    """Run a small evolution of a method, and measure how the champions of its last generation play.

    A *champion* is the best agent of a population.

    Parameters
    ----------
    setting : mapping of str to any
        The 'method'; its interpretation ('reading'); the 'seed' and the number of generations ('iterations') of the
        evolution; and the number of duplicate tables at which each champion plays ('duplicates').

    Returns
    -------
    list of dict
        A row for each population: its index ('population'), and the columns of `measure_champion_against_opponents`.
    """
    config = make_config_by_interpretation(
        setting["method"], setting["reading"], setting["seed"], setting["iterations"]
    )
    evolution = make_solver(config)
    last_state = evolution.step(evolution.init(), config.iterations)

    # Champions play by the same rules as in their evolution.
    shared_settings = {name: getattr(config, name) for name in SHARED_SETTINGS}
    table_settings = {**EARLIER_TABLES, **shared_settings}
    tables = DuplicateTables(duplicates=setting["duplicates"], seed=CARDS_SEED, **table_settings)

    rows = []
    for index, genome in enumerate(last_state.champions):
        results = measure_champion_against_opponents(config, genome, tables)
        rows.append({"population": index, **results})
    return rows


def measure_champion_against_opponents(
    config: Config, genome: Genomes, tables: DuplicateTables
) -> dict[str, Any]:
    """Measure how a champion plays at tables with the eight opponents of the paper's evaluation.

    A *champion* is the best agent of an evolved population.

    Parameters
    ----------
    config : Config
        The settings by which the champion evolved. They determine the network whose weights are the genome.
    genome : ndarray, shape (G,)
        The genome of the champion.
    tables : DuplicateTables
        The settings of the tables, and how many are played.

    Returns
    -------
    dict of str to number
        The columns of a row. 'rank' is the mean rank from 1 (best) to 9, and 'rank_error' half the width of its 95%
        interval. 'first' and 'hands_won' are the shares of tournaments and of hands that the champion won. 'folds',
        'checks', 'calls' and 'raises' are the shares of its actions. 'folder_rank' is the mean rank of the scripted
        agent Folder, and 'static_beaten' the number of scripted agents in `POOREST` that rank behind the champion.
    """
    (player,) = make_encoding(config).make_players(genome[None], ["champion"])
    evaluation = evaluate_champion(player, tables=tables, progress=False)
    folds, checks, calls, raises = evaluation.action_shares["champion"]
    mean_rank = evaluation.mean_rank
    return {
        "rank": mean_rank["champion"],
        "rank_error": float(evaluation.ranks.compute_half_width()[CHAMPION]),
        "first": evaluation.first_places["champion"],
        "hands_won": evaluation.hands_won_share["champion"],
        "folds": float(folds),
        "checks": float(checks),
        "calls": float(calls),
        "raises": float(raises),
        "folder_rank": mean_rank[FOLDER],
        "static_beaten": sum(mean_rank["champion"] < mean_rank[agent] for agent in POOREST),
    }


def evolve_and_evaluate_champions_by_stage(setting: Mapping[str, Any]) -> Rows:
    """Run an evolution by the settings of Nicolai's thesis, and measure how champions of several generations play.

    A *champion* is the best agent of a population in a generation.

    Parameters
    ----------
    setting : mapping of str to any
        The name of the experiment in `STAGE_EXPERIMENTS` ('line'), the 'seed' of the evolution, and the number of
        duplicate tables at which each champion plays ('duplicates').

    Returns
    -------
    list of dict
        A row for each generation in `STAGES` and each population: the 'generation', the index of the 'population', and
        the columns of `measure_champion_against_opponents`.
    """
    method, changes = STAGE_EXPERIMENTS[setting["line"]]
    last_generation = STAGES[-1]
    small_config = shrink_config(CONFIGS[method], STAGES_DIVISOR, last_generation, setting["seed"])
    config = replace(small_config, **changes)
    tables = DuplicateTables(duplicates=setting["duplicates"], seed=CARDS_SEED)

    evolution = make_solver(config)
    state = evolution.init()
    rows = []
    for generation in STAGES:
        state = evolution.step(state, generation - state.iteration)
        for index, genome in enumerate(state.champions):
            results = measure_champion_against_opponents(config, genome, tables)
            rows.append({"generation": generation, "population": index, **results})
    return rows


def sweep_stages_of_evolution(
    *,
    seeds: Iterable[int] = range(4),
    experiments: Sequence[str] = tuple(STAGE_EXPERIMENTS),
    duplicates: int = DUPLICATES,
    **options: Any,
) -> History:
    """Measure how champions of several generations play, for each experiment and each seed.

    A *champion* is the best agent of a population in a generation. The experiments have the settings of Nicolai's
    thesis (2008). One seed of all experiments takes about an hour.

    Parameters
    ----------
    seeds : iterable of int
        The seeds of the evolutions.
    experiments : sequence of str
        The names of experiments in `STAGE_EXPERIMENTS`.
    duplicates : int
        The number of duplicate tables of each champion.
    **options
        Options of `pokerlab.runs.sweep`, such as `workers`.

    Returns
    -------
    History
        The table of results. The columns 'line' (the experiment), 'duplicates' and 'seed' come first, and then those of
        `evolve_and_evaluate_champions_by_stage`.

    Raises
    ------
    UnknownNameError
        If there is no such experiment.
    """
    for name in experiments:
        UnknownNameError.check("experiment", name, tuple(STAGE_EXPERIMENTS))
    settings: dict[str, Sequence[Any]] = {"line": list(experiments), "duplicates": [duplicates]}
    return sweep(evolve_and_evaluate_champions_by_stage, settings, seeds=seeds, **options)


def sweep_methods(
    *,
    seeds: Iterable[int] = range(10),
    methods: Sequence[str] = METHODS,
    interpretations: Sequence[str] = tuple(INTERPRETATIONS),
    iterations: int = SCALES["lab"].iterations,
    duplicates: int = DUPLICATES,
    **options: Any,
) -> History:
    """Measure how champions of small evolutions play, for each method, each interpretation of the paper and each seed.

    A *champion* is the best agent of the last generation of a population. An *interpretation* chooses settings that the
    paper leaves open.

    Parameters
    ----------
    seeds : iterable of int
        The seeds of the evolutions.
    methods : sequence of str
        The names of methods of the paper.
    interpretations : sequence of str
        The names of interpretations, or of proposals for future work, in `CHANGES`.
    iterations : int
        The number of generations.
    duplicates : int
        The number of duplicate tables of each champion.
    **options
        Options of `pokerlab.runs.sweep`, such as `workers`.

    Returns
    -------
    History
        The table of results. The columns 'method', 'reading' (the interpretation), 'iterations', 'duplicates' and
        'seed' come first, and then those of `evolve_and_evaluate_last_champions`.

    Raises
    ------
    UnknownNameError
        If there is no such method or interpretation.
    """
    for method in methods:
        UnknownNameError.check("method", method, METHODS)
    for interpretation in interpretations:
        UnknownNameError.check("interpretation", interpretation, tuple(CHANGES))
    settings: dict[str, Sequence[Any]] = {
        "method": list(methods),
        "reading": list(interpretations),
        "iterations": [iterations],
        "duplicates": [duplicates],
    }
    return sweep(evolve_and_evaluate_last_champions, settings, seeds=seeds, **options)


def sweep_future_work(**options: Any) -> History:
    """Measure how champions of small evolutions play if a method is changed as the paper proposes to try.

    A *champion* is the best agent of the last generation of a population.

    Parameters
    ----------
    **options
        Parameters of `sweep_methods`, such as `seeds`, and options of `pokerlab.runs.sweep`.

    Returns
    -------
    History
        The table of `sweep_methods` with rows for each proposal in `FUTURE_WORK`. The column 'reading' has the name of
        the proposal, which changes only one method.
    """
    tables = []
    for method in METHODS:
        proposals = [name for name, work in FUTURE_WORK.items() if work.method == method]
        if proposals:
            tables.append(sweep_methods(methods=[method], interpretations=proposals, **options))

    # The provenance is that of the first table, but with the computing time of all.
    first = tables[0]
    columns = {name: np.concatenate([table[name] for table in tables]) for name in first.columns}
    seconds = sum(table.provenance["seconds"] for table in tables)
    return History(columns, first.units, {**first.provenance, "seconds": seconds})


def measure_losses_to_ancestors(setting: Mapping[str, Any]) -> Rows:
    """Run an evolution, and count how often a later champion loses to an earlier one, at tables with both of them.

    A *champion* is the best agent of the population in a generation.

    Parameters
    ----------
    setting : mapping of str to any
        The name of the experiment in `ANCESTOR_EXPERIMENTS` ('line'), the 'seed' of the evolution, and the number of
        duplicate tables for each pair of champions ('duplicates').

    Returns
    -------
    list of dict
        A row for each 'measure', the ranks and the tables won: 'losses', the number of pairs from
        `ANCESTOR_GENERATIONS` in which the later champion is significantly behind; 'ahead_of_first', by how much the
        last champion is ahead of the first; and 'error', its standard error.
    """
    changes = {**EARLIER, **ANCESTOR_EXPERIMENTS[setting["line"]]}
    config = replace(SCALES["lab"], seed=setting["seed"], **changes)

    evolution = make_solver(config)
    state = evolution.init()
    champions = []
    for generation in ANCESTOR_GENERATIONS:
        state = evolution.step(state, generation - state.iteration)
        champions.append(state.champions[0])  # of the only population

    tables = DuplicateTables(duplicates=setting["duplicates"], seed=CARDS_SEED, **EARLIER_TABLES)
    comparison = compare_champions(
        make_encoding(config), np.array(champions), tables=tables, progress=False
    )
    rows = []
    for measure, advantages in comparison._asdict().items():
        is_behind = advantages.find_losses_to_ancestors()
        rows.append(
            {
                "measure": measure,
                "losses": int(is_behind.sum()),
                # The row of the last champion, and the column of the first.
                "ahead_of_first": float(advantages.advantage[-1, 0]),
                "error": float(advantages.error[-1, 0]),
            }
        )
    return rows


def sweep_losses_to_ancestors(
    *,
    seeds: Iterable[int] = range(10),
    experiments: Sequence[str] = tuple(ANCESTOR_EXPERIMENTS),
    duplicates: int = ANCESTOR_DUPLICATES,
    **options: Any,
) -> History:
    """Count how often later champions of an evolution lose to earlier ones, for each experiment and each seed.

    A *champion* is the best agent of the population in a generation. An evolution takes about five minutes.

    Parameters
    ----------
    seeds : iterable of int
        The seeds of the evolutions.
    experiments : sequence of str
        The names of experiments in `ANCESTOR_EXPERIMENTS`.
    duplicates : int
        The number of duplicate tables of each pair of champions.
    **options
        Options of `pokerlab.runs.sweep`, such as `workers`.

    Returns
    -------
    History
        The table of results. The columns 'line' (the experiment), 'duplicates' and 'seed' come first, and then those of
        `measure_losses_to_ancestors`.

    Raises
    ------
    UnknownNameError
        If there is no such experiment.
    """
    for name in experiments:
        UnknownNameError.check("experiment", name, tuple(ANCESTOR_EXPERIMENTS))
    settings: dict[str, Sequence[Any]] = {"line": list(experiments), "duplicates": [duplicates]}
    return sweep(measure_losses_to_ancestors, settings, seeds=seeds, **options)


def compute_evolution_rank_by_seed(
    table: RankTable, method: str, interpretation: str, summary: str = MEAN
) -> dict[int, float]:
    """Return how each evolution of a method ranks, by the seed of the evolution.

    The rank of an evolution is the mean rank of its champion, the best agent of its last generation. An evolution of
    several populations has several champions, so their ranks are summarized.

    Parameters
    ----------
    table : Mapping or History
        A table with a row for each champion: its 'method', the interpretation of the paper by which it evolved
        ('reading'), the 'seed' of its evolution, and its mean 'rank' from 1 (best) to 9.
    method, interpretation : str
        Which evolutions are selected from the table.
    summary : str
        How the ranks of several champions are summarized: `BEST` takes the best rank, `MEAN` the mean.

    Returns
    -------
    dict of int to float
        The rank, from 1 (best) to 9, by seed in increasing order.
    """
    is_selected = (table["method"] == method) & (table["reading"] == interpretation)
    seeds = np.unique(table["seed"][is_selected]).tolist()
    summarize = SUMMARIES[summary]

    rank_by_seed = {}
    for seed in seeds:
        is_of_evolution = is_selected & (table["seed"] == seed)
        champion_ranks = table["rank"][is_of_evolution]
        rank_by_seed[seed] = float(summarize(champion_ranks))
    return rank_by_seed


def compute_evolution_ranks(
    table: RankTable, method: str, interpretation: str, summary: str = MEAN
) -> Floats:
    """Return how all evolutions of a method rank, as an array in increasing order of their seeds.

    The rank of an evolution is the mean rank of its champion, the best agent of its last generation. An evolution of
    several populations has several champions, so their ranks are summarized.

    Parameters
    ----------
    table : Mapping or History
        A table with a row for each champion: its 'method', the interpretation of the paper by which it evolved
        ('reading'), the 'seed' of its evolution, and its mean 'rank' from 1 (best) to 9.
    method, interpretation : str
        Which evolutions are selected from the table.
    summary : str
        How the ranks of several champions are summarized: `BEST` takes the best rank, `MEAN` the mean.

    Returns
    -------
    ndarray, shape (seeds,)
        The ranks, from 1 (best) to 9.
    """
    rank_by_seed = compute_evolution_rank_by_seed(table, method, interpretation, summary)
    return np.array(list(rank_by_seed.values()))


def compute_rank_differences(
    table: RankTable, first: str, second: str, interpretation: str, summary: str = MEAN
) -> Floats:
    """Return by how much two methods differ in rank, for each seed with which both evolved.

    The rank of an evolution is the mean rank of its champion, the best agent of its last generation. An evolution of
    several populations has several champions, so their ranks are summarized.

    Parameters
    ----------
    table : Mapping or History
        A table with a row for each champion: its 'method', the interpretation of the paper by which it evolved
        ('reading'), the 'seed' of its evolution, and its mean 'rank' from 1 (best) to 9.
    first, second : str
        The two methods.
    interpretation : str
        The interpretation by which both evolved.
    summary : str
        How the ranks of several champions are summarized: `BEST` takes the best rank, `MEAN` the mean.

    Returns
    -------
    ndarray, shape (seeds,)
        The rank of the first method minus the rank of the second, in increasing order of seeds. A positive difference
        means that the second is better, because 1 is the best rank.
    """
    first_ranks = compute_evolution_rank_by_seed(table, first, interpretation, summary)
    second_ranks = compute_evolution_rank_by_seed(table, second, interpretation, summary)
    common_seeds = [seed for seed in first_ranks if seed in second_ranks]
    return np.array([first_ranks[seed] - second_ranks[seed] for seed in common_seeds])


def join_method_and_stage_studies(
    methods: History, stages: History, stages_name: str
) -> dict[str, Any]:
    """Join the ranks of champions from two studies in one table, so that all can be compared by interpretation.

    A *champion* is the best agent of an evolution. The study of stages becomes one more interpretation of the paper,
    because its settings are others.

    Parameters
    ----------
    methods : History
        The table of `sweep_methods`. All of its rows are used.
    stages : History
        The table of `sweep_stages_of_evolution`. Only rows of the last generation are used.
    stages_name : str
        The interpretation to which the rows of `stages` belong, in the column 'reading'.

    Returns
    -------
    dict of str to ndarray
        The columns 'method', 'reading' (the interpretation), 'seed' and 'rank'. The rows of `stages` come first.
    """
    is_last_generation = stages["generation"] == STAGES[-1]
    num_rows = int(is_last_generation.sum())
    last_stage = {
        "method": stages["line"][is_last_generation],
        "reading": np.full(num_rows, stages_name),
        "seed": stages["seed"][is_last_generation],
        "rank": stages["rank"][is_last_generation],
    }
    return {name: np.concatenate([column, methods[name]]) for name, column in last_stage.items()}


class Interval(NamedTuple):
    """A mean with the half-width of its 95% confidence interval.

    Attributes
    ----------
    mean : float
        The mean; NaN without values.
    half_width : float
        The half-width; NaN for fewer than two values.
    """

    mean: float
    half_width: float


def compute_confidence_interval(values: Floats) -> Interval:
    """Return the mean of n values with the half-width of its 95% confidence interval, by Student's t distribution.

    Parameters
    ----------
    values : ndarray, shape (n,)
        The values. Without any the mean is NaN, and with fewer than two the half-width is NaN.

    Returns
    -------
    Interval
        The mean and the half-width.
    """
    if len(values) == 0:
        return Interval(np.nan, np.nan)
    mean = float(np.mean(values))
    if len(values) == 1:
        return Interval(mean, np.nan)

    degrees_of_freedom = len(values) - 1
    quantile = stats.t.ppf((1 + CONFIDENCE_LEVEL) / 2, degrees_of_freedom)
    return Interval(mean, float(stats.sem(values) * quantile))


class SmallestLead(NamedTuple):
    """The smallest of the leads that a claim about several pairs of methods asserts.

    The *lead* of one method over another is by how much smaller, which is better, its rank is.

    Attributes
    ----------
    mean : float
        The smallest lead in ranks, on average over seeds.
    half_width : float
        The half-width of its 95% confidence interval.
    sign : int
        1 if all leads are clearly positive, so that the claim holds; -1 if any lead is clearly negative; otherwise 0.
    """

    mean: float
    half_width: float
    sign: int


def find_smallest_lead(
    table: RankTable, pairs: Sequence[tuple[str, str]], interpretation: str, summary: str
) -> SmallestLead:
    """Test the claim that, in each of several pairs of methods, the first method is better than the second.

    The *lead* of the first method is the rank of the second minus its own, on average over seeds. It is clearly
    positive or negative if its 95% interval does not contain 0. Each lead is tested at the level of the whole claim,
    which fails if any lead fails. Therefore no correction for several tests is needed.

    Parameters
    ----------
    table : Mapping or History
        A table with a row for each champion: its 'method', the interpretation of the paper by which it evolved
        ('reading'), the 'seed' of its evolution, and its mean 'rank' from 1 (best) to 9.
    pairs : sequence of (str, str)
        In each pair, the method that is claimed to be better, and the other.
    interpretation : str
        The interpretation by which all methods evolved.
    summary : str
        How the ranks of several champions of one evolution are summarized: `BEST` takes the best rank, `MEAN` the mean.

    Returns
    -------
    SmallestLead
        The smallest of all leads with its interval, and whether all leads are clearly positive.
    """
    leads = []
    for better, worse in pairs:
        differences = compute_rank_differences(table, worse, better, interpretation, summary)
        leads.append(compute_confidence_interval(differences))

    if any(lead.mean < -lead.half_width for lead in leads):
        sign = -1
    elif all(lead.mean > lead.half_width for lead in leads):
        sign = 1
    else:
        sign = 0

    smallest = min(leads)  # tuples, which are compared by their means
    return SmallestLead(smallest.mean, smallest.half_width, sign)


def is_within_margin(interval: tuple[float, float], margin: float) -> bool | None:
    """Return whether a mean difference is smaller than a margin in absolute value, judged by its confidence interval.

    Parameters
    ----------
    interval : (float, float)
        The mean difference, and the half-width of its confidence interval.
    margin : float
        The margin.

    Returns
    -------
    bool or None
        True if the whole interval lies within the margin, False if all of it lies beyond; None if it crosses the
        margin.
    """
    mean, half_width = interval
    distance = abs(mean)
    if distance + half_width < margin:
        return True
    if distance - half_width > margin:
        return False
    return None


def compute_rank_spread_by_cause(
    table: RankTable, interpretations: Sequence[str]
) -> dict[str, float]:
    """Return by how much mean ranks vary with the interpretation, the method, the seed, and the choice of champion.

    A *champion* is the best agent of an evolved population. An evolution of several populations has several champions.
    Its rank is that of the best one (`BEST`), or their mean (`MEAN`).

    Parameters
    ----------
    table : Mapping or History
        A table with a row for each champion: its 'method', the interpretation of the paper by which it evolved
        ('reading'), the 'seed' of its evolution, and its mean 'rank' from 1 (best) to 9.
    interpretations : sequence of str
        The interpretations that are compared. Each must have evolutions of all methods.

    Returns
    -------
    dict of str to float
        Each is the largest mean rank minus the smallest: over interpretations and summaries ('interpretations'), over
        'methods', and over 'seeds', averaged over everything else. 'which champion' is by how much `BEST` and `MEAN`
        differ, averaged over the methods with several populations.
    """
    mean_ranks, ranges_over_seeds = [], []
    for interpretation, summary, method in product(interpretations, SUMMARIES, METHODS):
        ranks = compute_evolution_ranks(table, method, interpretation, summary)
        mean_ranks.append(ranks.mean())
        ranges_over_seeds.append(np.ptp(ranks))
    means = np.reshape(mean_ranks, (len(interpretations), len(SUMMARIES), len(METHODS)))

    # Which champion counts makes a difference only where there are several.
    has_several_populations = ["Pop" in method for method in METHODS]
    means_by_best, means_by_mean = means[:, 0], means[:, 1]  # in the order of `SUMMARIES`
    differences = np.abs(means_by_mean - means_by_best)[:, has_several_populations]

    # A row for each interpretation with a summary, a column for each method.
    means_by_case = means.reshape(-1, len(METHODS))
    return {
        "interpretations": float(np.ptp(means_by_case.mean(axis=1))),
        "methods": float(np.ptp(means_by_case, axis=1).mean()),
        "which champion": float(differences.mean()),
        "seeds": float(np.mean(ranges_over_seeds)),
    }
