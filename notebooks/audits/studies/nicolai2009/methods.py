"""Is one method better than another? The paper's six experiments over several seeds, made smaller.

The paper, Nicolai & Hilderman (2009), compares agents of single evolutions. But two champions of one evolution differ,
too. So here methods are compared: several evolutions of each method, paired by seed. Each champion plays duplicate
tables against the same eight opponents and with the same cards. There are four studies:

* `sweep_methods`: each method by several interpretations of what the text leaves open. Populations, halls of fame and
  numbers of tournaments are a tenth of the paper's, and evolutions a fifth as long. The settings are our earlier ones.
* `sweep_future_work`: what the paper proposes to try (section V), at the same size.
* `sweep_stages`: champions of several generations, by the settings of Nicolai's thesis (2008), at a fifth of the size.
* `sweep_forgetting`: whether a champion loses to its ancestors, at the scale 'lab', by our earlier settings.

Recorded tables call an interpretation 'reading' (`sweep_methods`) and an experiment 'line' (the last two).
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
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
"""How many times smaller than the paper's the experiments of `sweep_methods` and `sweep_stages` are."""
UNCHANGED = "as it is"
"""The interpretation with our earlier settings."""
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


class FutureWork(NamedTuple):
    """Something that the paper proposes to try.

    Attributes
    ----------
    method : str
        The method that is changed.
    changes : mapping of str to any
        The settings of `Config` that are changed.
    """

    method: str
    changes: Mapping[str, Any]


FUTURE: Mapping[str, FutureWork] = {
    "raises counted, not priced": FutureWork("Control", {"score": "raises"}),
    "raises with the call in them": FutureWork("Control", {"raised": "all put in"}),
    "10 hidden units": FutureWork("Control", {"hidden": 10}),
    "40 hidden units": FutureWork("Control", {"hidden": 40}),
    "half as many mutations": FutureWork("Control", {"mutation": 0.05}),
    "twice as many mutations": FutureWork("Control", {"mutation": 0.2}),
    "half the noise": FutureWork("Control", {"noise": 0.05}),
    "twice the noise": FutureWork("Control", {"noise": 0.2}),
    "noise with a mean": FutureWork("Control", {"noise_mean": 0.05}),
    "an infinite hall": FutureWork("LargeHOF", {"hall": INFINITE}),
    "a hall that breeds": FutureWork("LargeHOF", {"hall_breeds": True}),
}
"""The paper's future work (section V). The paper names what to change; the values are ours."""
CHANGES: Mapping[str, Mapping[str, Any]] = {
    **INTERPRETATIONS,
    **{name: work.changes for name, work in FUTURE.items()},
}
"""The settings that an interpretation or a proposal for future work changes, by its name."""


class StageExperiment(NamedTuple):
    """An experiment of `sweep_stages`.

    Attributes
    ----------
    method : str
        The method.
    changes : mapping of str to any
        The settings of `Config` that are changed.
    """

    method: str
    changes: Mapping[str, Any]


STAGE_EXPERIMENTS: Mapping[str, StageExperiment] = {
    **{method: StageExperiment(method, {}) for method in METHODS},
    "by hands won": StageExperiment("Control", {"fitness": HANDS}),
    "by chips": StageExperiment("Control", {"fitness": CHIPS}),
}
"""The experiments of `sweep_stages`: the six methods, and Control bred by two other measures."""
STAGES = (1, 10, 35, 85, 135, 200)
"""The generations whose champions `sweep_stages` evaluates."""
DUPLICATES, FORGETTING_DUPLICATES = 1000, 300
"""The number of duplicate tables of a champion, and of a pair of champions in `sweep_forgetting`."""
CARDS_SEED = 1
"""The seed of the cards, which are the same for all champions."""
SMALL_HALL: Mapping[str, Any] = {"hall": ELITES, "hall_size": 100}
FORGETTING_EXPERIMENTS: Mapping[str, Mapping[str, Any]] = {
    "by mean rank": {},
    "by mean rank, with a hall": SMALL_HALL,
    "by chips": {"fitness": CHIPS},
    "by chips, with a hall": {"fitness": CHIPS, **SMALL_HALL},
}
"""The experiments of `sweep_forgetting`, with the settings that each changes."""
ANCESTOR_GENERATIONS = (1, 2, 5, 10, 20, 50, 100)
"""The generations whose champions are compared in `sweep_forgetting`."""
SHARED_SETTINGS = ("hands_a_level", "score", "raised", "window")
"""The settings that an evaluation takes from the evolution, so that champions play as they were bred."""

BEST, MEAN = "the best champion", "the mean of the champions"
SUMMARIES: Mapping[str, Callable[[Floats], Any]] = {BEST: np.min, MEAN: np.mean}
"""Two ways to give an evolution with several populations one rank: that of its best champion, or the mean."""
LEVEL = 0.95
"""The confidence level of intervals."""

RankTable: TypeAlias = Mapping[str, Any] | History
"""A table with the columns 'method', 'reading' (the interpretation), 'seed' and 'rank', a row for each champion."""
Rows: TypeAlias = list[dict[str, Any]]


def make_config(method: str, interpretation: str, seed: int, iterations: int) -> Config:
    """Return the settings of an evolution of `sweep_methods`.

    Parameters
    ----------
    method : str
        One of the paper's methods.
    interpretation : str
        One of `CHANGES`.
    seed : int
        The seed of the evolution.
    iterations : int
        The number of generations.

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
        # A Config has the share of elites in the population.
        changes["elites"] /= config.agents
    return replace(config, **changes)


def shrink_config(config: Config, divisor: int, iterations: int, seed: int) -> Config:
    """Return the settings of an experiment with fewer agents, members of halls and tournaments.

    Parameters
    ----------
    config : Config
        The experiment.
    divisor : int
        How many times fewer of each the new experiment has.
    iterations : int
        Its number of generations.
    seed : int
        Its seed.
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


def evaluate_methods(setting: Mapping[str, Any]) -> Rows:
    """Run one evolution of `sweep_methods`, and return how its last champions fare, a row for each population.

    The setting has 'method', 'reading' (the interpretation), 'seed', 'iterations' and 'duplicates'.
    """
    config = make_config(
        setting["method"], setting["reading"], setting["seed"], setting["iterations"]
    )
    evolution = make_solver(config)
    state = evolution.step(evolution.init(), config.iterations)

    shared_settings = {name: getattr(config, name) for name in SHARED_SETTINGS}
    tables = DuplicateTables(
        duplicates=setting["duplicates"], seed=CARDS_SEED, **{**EARLIER_TABLES, **shared_settings}
    )
    return [
        {"population": number, **measure_champion(config, genome, tables)}
        for number, genome in enumerate(state.champions)
    ]


def measure_champion(config: Config, genome: Genomes, tables: DuplicateTables) -> dict[str, Any]:
    """Return how a champion fares against the paper's eight opponents, as columns of a row.

    Parameters
    ----------
    config : Config
        The settings by which it evolved.
    genome : ndarray, shape (G,)
        Its genome.
    tables : DuplicateTables
        The tables.

    Returns
    -------
    dict of str to number
        The mean rank and half of its 95% interval; the shares of tournaments ('first') and of hands that it won; the
        shares of its actions; Folder's mean rank; and how many of the four scripted agents in `POOREST` rank behind it.
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


def evaluate_stages(setting: Mapping[str, Any]) -> Rows:
    """Run one evolution of `sweep_stages`, and return how the champions of the generations in `STAGES` fare.

    The setting has 'line' (the experiment), 'seed' and 'duplicates'. There is a row for each generation and population.
    """
    method, changes = STAGE_EXPERIMENTS[setting["line"]]
    small = shrink_config(CONFIGS[method], STAGES_DIVISOR, STAGES[-1], setting["seed"])
    config = replace(small, **changes)
    tables = DuplicateTables(duplicates=setting["duplicates"], seed=CARDS_SEED)

    evolution = make_solver(config)
    state = evolution.init()
    rows = []
    for generation in STAGES:
        state = evolution.step(state, generation - state.iteration)
        for number, genome in enumerate(state.champions):
            measured = measure_champion(config, genome, tables)
            rows.append({"generation": generation, "population": number, **measured})
    return rows


def sweep_stages(
    *,
    seeds: Iterable[int] = range(4),
    names: Sequence[str] = tuple(STAGE_EXPERIMENTS),
    duplicates: int = DUPLICATES,
    **options: Any,
) -> History:
    """Return the rows of `evaluate_stages` for each experiment and each seed; one seed of all takes about an hour.

    Parameters
    ----------
    seeds : iterable of int
        The seeds of the evolutions.
    names : sequence of str
        Experiments from `STAGE_EXPERIMENTS`; UnknownNameError is raised for any other.
    duplicates : int
        The number of duplicate tables of each champion.
    **options
        Options of `sweep`, such as `workers`.
    """
    for name in names:
        UnknownNameError.check("experiment", name, tuple(STAGE_EXPERIMENTS))
    settings: dict[str, Sequence[Any]] = {"line": list(names), "duplicates": [duplicates]}
    return sweep(evaluate_stages, settings, seeds=seeds, **options)


def sweep_methods(
    *,
    seeds: Iterable[int] = range(10),
    names: Sequence[str] = METHODS,
    interpretations: Sequence[str] = tuple(INTERPRETATIONS),
    iterations: int = SCALES["lab"].iterations,
    duplicates: int = DUPLICATES,
    **options: Any,
) -> History:
    """Return the rows of `evaluate_methods` for each method, each interpretation and each seed.

    Parameters
    ----------
    seeds : iterable of int
        The seeds of the evolutions.
    names : sequence of str
        Methods of the paper; UnknownNameError is raised for any other.
    interpretations : sequence of str
        Interpretations or proposals for future work, from `CHANGES`; UnknownNameError is raised for any other.
    iterations : int
        The number of generations.
    duplicates : int
        The number of duplicate tables of each champion.
    **options
        Options of `sweep`, such as `workers`.
    """
    for name in names:
        UnknownNameError.check("method", name, METHODS)
    for interpretation in interpretations:
        UnknownNameError.check("interpretation", interpretation, tuple(CHANGES))
    settings: dict[str, Sequence[Any]] = {
        "method": list(names),
        "reading": list(interpretations),
        "iterations": [iterations],
        "duplicates": [duplicates],
    }
    return sweep(evaluate_methods, settings, seeds=seeds, **options)


def sweep_future_work(**options: Any) -> History:
    """Return the rows of `evaluate_methods` for each proposal in `FUTURE`, by the method that it changes.

    `options` are those of `sweep_methods` and `sweep`.
    """
    tables = []
    for method in METHODS:
        proposals = [name for name, work in FUTURE.items() if work.method == method]
        if proposals:
            tables.append(sweep_methods(names=[method], interpretations=proposals, **options))

    first = tables[0]
    columns = {name: np.concatenate([table[name] for table in tables]) for name in first.columns}
    seconds = sum(table.provenance["seconds"] for table in tables)
    return History(columns, first.units, {**first.provenance, "seconds": seconds})


def measure_forgetting(setting: Mapping[str, Any]) -> Rows:
    """Run one evolution of `sweep_forgetting`, and return how its champions fare against their ancestors.

    The setting has 'line' (the experiment), 'seed' and 'duplicates'. There is a row for each measure, ranks and tables
    won: the number of pairs in which the later champion is significantly behind ('losses'), and by how much the last
    champion is ahead of the first, with the standard error.
    """
    changes = {**EARLIER, **FORGETTING_EXPERIMENTS[setting["line"]]}
    config = replace(SCALES["lab"], seed=setting["seed"], **changes)
    evolution = make_solver(config)
    state = evolution.init()
    champions = []
    for generation in ANCESTOR_GENERATIONS:
        state = evolution.step(state, generation - state.iteration)
        champions.append(state.champions[0])

    tables = DuplicateTables(duplicates=setting["duplicates"], seed=CARDS_SEED, **EARLIER_TABLES)
    encounters = compare_champions(
        make_encoding(config), np.array(champions), tables=tables, progress=False
    )
    return [
        {
            "measure": measure,
            "losses": int(advantages.find_losses_to_ancestors().sum()),
            "ahead_of_first": float(advantages.advantage[-1, 0]),
            "error": float(advantages.error[-1, 0]),
        }
        for measure, advantages in encounters._asdict().items()
    ]


def sweep_forgetting(
    *,
    seeds: Iterable[int] = range(10),
    names: Sequence[str] = tuple(FORGETTING_EXPERIMENTS),
    duplicates: int = FORGETTING_DUPLICATES,
    **options: Any,
) -> History:
    """Return the rows of `measure_forgetting` for each experiment and each seed; an evolution takes some five minutes.

    Parameters
    ----------
    seeds : iterable of int
        The seeds of the evolutions.
    names : sequence of str
        Experiments from `FORGETTING_EXPERIMENTS`; UnknownNameError is raised for any other.
    duplicates : int
        The number of duplicate tables of each pair of champions.
    **options
        Options of `sweep`, such as `workers`.
    """
    for name in names:
        UnknownNameError.check("experiment", name, tuple(FORGETTING_EXPERIMENTS))
    settings: dict[str, Sequence[Any]] = {"line": list(names), "duplicates": [duplicates]}
    return sweep(measure_forgetting, settings, seeds=seeds, **options)


def summarize_ranks_by_seed(
    table: RankTable, method: str, interpretation: str, summary: str = MEAN
) -> dict[int, float]:
    """Return the rank of each evolution of a method by an interpretation, by its seed.

    Parameters
    ----------
    table : Mapping or History
        The ranks of champions.
    method, interpretation : str
        Which evolutions are selected.
    summary : str
        Which rank an evolution has: `BEST` or `MEAN` over its champions.
    """
    is_selected = (table["method"] == method) & (table["reading"] == interpretation)
    summarize = SUMMARIES[summary]
    seeds = np.unique(table["seed"][is_selected]).tolist()
    ranks = {}
    for seed in seeds:
        of_seed = table["rank"][is_selected & (table["seed"] == seed)]
        ranks[seed] = float(summarize(of_seed))
    return ranks


def list_ranks_of_evolutions(
    table: RankTable, method: str, interpretation: str, summary: str = MEAN
) -> Floats:
    """Return the rank of each evolution of a method by an interpretation, shape (S,), in the order of the S seeds.

    Parameters are those of `summarize_ranks_by_seed`.
    """
    return np.array(list(summarize_ranks_by_seed(table, method, interpretation, summary).values()))


def compute_differences(
    table: RankTable, first: str, second: str, interpretation: str, summary: str = MEAN
) -> Floats:
    """Return the rank of one method minus the rank of another, for each seed that both have, shape (S,).

    Parameters
    ----------
    table : Mapping or History
        The ranks of champions.
    first, second : str
        The methods.
    interpretation : str
        The interpretation by which both evolved.
    summary : str
        Which rank an evolution has: `BEST` or `MEAN` over its champions.
    """
    first_ranks = summarize_ranks_by_seed(table, first, interpretation, summary)
    second_ranks = summarize_ranks_by_seed(table, second, interpretation, summary)
    return np.array(
        [rank - second_ranks[seed] for seed, rank in first_ranks.items() if seed in second_ranks]
    )


def join_studies(methods: History, stages: History, stages_name: str) -> dict[str, Any]:
    """Return the ranks of two studies as one table, with the second study as one more interpretation.

    Parameters
    ----------
    methods : History
        The table of `sweep_methods`.
    stages : History
        The table of `sweep_stages`, of which the last generation is used.
    stages_name : str
        What the second study is called in the column 'reading', as an interpretation.

    Returns
    -------
    dict of str to ndarray
        The columns 'method', 'reading', 'seed' and 'rank'; rows of the second study come first.
    """
    is_last = stages["generation"] == STAGES[-1]
    ends = {
        "method": stages["line"][is_last],
        "reading": np.full(int(is_last.sum()), stages_name),
        "seed": stages["seed"][is_last],
        "rank": stages["rank"][is_last],
    }
    return {name: np.concatenate([column, methods[name]]) for name, column in ends.items()}


class Interval(NamedTuple):
    """A mean, and the half-width of its 95% confidence interval; NaN for fewer than two values."""

    mean: float
    half_width: float


def compute_interval(values: Floats) -> Interval:
    """Return the mean of some values, shape (n,), with its 95% confidence interval by Student's t distribution.

    The mean is NaN if there are no values, and the half-width if there are fewer than two.
    """
    if len(values) == 0:
        return Interval(np.nan, np.nan)
    mean = float(np.mean(values))
    if len(values) == 1:
        return Interval(mean, np.nan)
    quantile = stats.t.ppf((1 + LEVEL) / 2, len(values) - 1)
    return Interval(mean, float(stats.sem(values) * quantile))


class SmallestLead(NamedTuple):
    """The smallest lead among several pairs of methods.

    Attributes
    ----------
    mean : float
        The lead in ranks: how much smaller the rank of the better method is.
    half_width : float
        The half-width of its 95% interval.
    sign : int
        1 if the lead of each pair is clearly positive by itself, -1 if any is clearly negative, else 0.
    """

    mean: float
    half_width: float
    sign: int


def find_smallest_lead(
    table: RankTable, pairs: Sequence[tuple[str, str]], interpretation: str, summary: str
) -> SmallestLead:
    """Return the smallest lead among several pairs of methods, and whether the claim holds that all of them are leads.

    Each lead is tested at the level of the whole claim, because a claim that all are leads needs no correction.

    Parameters
    ----------
    table : Mapping or History
        The ranks of champions.
    pairs : sequence of (str, str)
        In each pair, the method that is claimed to be better, and the other.
    interpretation : str
        The interpretation by which all evolved.
    summary : str
        Which rank an evolution has: `BEST` or `MEAN` over its champions.
    """
    intervals = [
        compute_interval(compute_differences(table, worse, better, interpretation, summary))
        for better, worse in pairs
    ]
    signs = [int(np.sign(mean)) if abs(mean) > half_width else 0 for mean, half_width in intervals]
    mean, half_width = min(intervals)
    return SmallestLead(mean, half_width, -1 if -1 in signs else min(signs))


def is_within_margin(interval: tuple[float, float], margin: float) -> bool | None:
    """Return whether the absolute value of a mean difference is smaller than a margin.

    Parameters
    ----------
    interval : (float, float)
        The mean difference, and the half-width of its confidence interval.
    margin : float
        The margin.

    Returns
    -------
    bool or None
        True or False if the whole interval is on one side of the margin; None if the margin lies in it.
    """
    difference, half_width = abs(interval[0]), interval[1]
    if difference + half_width < margin:
        return True
    if difference - half_width > margin:
        return False
    return None


def measure_spread_by_source(table: RankTable, interpretations: Sequence[str]) -> dict[str, float]:
    """Return how far mean ranks are apart by each thing that is varied.

    Parameters
    ----------
    table : Mapping or History
        The ranks of champions.
    interpretations : sequence of str
        The interpretations that are compared; each must have evolutions of all methods.

    Returns
    -------
    dict of str to float
        'interpretations', 'methods' and 'seeds': the largest mean rank minus the smallest, over the interpretations
        (and the two summaries of an evolution), the methods, or the seeds, averaged over everything else. 'which
        champion': how far `BEST` and `MEAN` are apart, averaged over the methods with several populations.
    """
    ranks_of_seeds = [
        [list_ranks_of_evolutions(table, method, interpretation, summary) for method in METHODS]
        for interpretation in interpretations
        for summary in SUMMARIES
    ]
    # A row for each interpretation and summary, a column for each method.
    means = np.array([[ranks.mean() for ranks in of_case] for of_case in ranks_of_seeds])
    spreads_of_seeds = [np.ptp(ranks) for of_case in ranks_of_seeds for ranks in of_case]

    by_summary = means.reshape(len(interpretations), len(SUMMARIES), len(METHODS))
    best, mean = by_summary[:, 0], by_summary[:, 1]
    has_several_populations = ["Pop" in method for method in METHODS]
    return {
        "interpretations": float(np.ptp(means.mean(axis=1))),
        "methods": float(np.ptp(means, axis=1).mean()),
        "which champion": float(np.abs(mean - best)[:, has_several_populations].mean()),
        "seeds": float(np.mean(spreads_of_seeds)),
    }
