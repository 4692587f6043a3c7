"""Is one method better than another? Every experiment over seeds, made smaller, by several interpretations.

Populations, halls and numbers of tournaments are a tenth as large, and evolutions a fifth as long.
The paper compares agents of single evolutions. Two champions of one evolution differ, too, so what
is compared here are methods: several evolutions of each, paired by seed, with every champion at duplicate
tables against the same eight opponents and with the same cards. All of it by our earlier defaults.
"""

from collections.abc import Callable, Iterable, Mapping, Sequence
from dataclasses import replace
from typing import Any

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
from studies.nicolai2009.evaluation import evaluate

SMALLER = 10
"""How many times smaller populations, halls and numbers of tournaments are."""
INTERPRETATIONS: Mapping[str, Mapping[str, Any]] = {
    "as it is": {},
    "the largest output decides": {"read_out": "largest"},
    "one parent": {"parents": "one"},
    "normal biases": {"parent_biases": "normal"},
    "blinds double every 50 hands": {"hands_a_level": 50},
    "halls begin empty": {"hall_start": "empty"},
    "ten elites in each population": {"elites": 10},
}
"""Fillings of gaps in the text, each changed by itself; and as many elites as Control: a tenth of 4Pop has 2."""
FUTURE: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    "raises counted, not priced": ("Control", {"score": "raises"}),
    "raises with the call in them": ("Control", {"raised": "all put in"}),
    "10 hidden units": ("Control", {"hidden": 10}),
    "40 hidden units": ("Control", {"hidden": 40}),
    "half as many mutations": ("Control", {"mutation": 0.05}),
    "twice as many mutations": ("Control", {"mutation": 0.2}),
    "half the noise": ("Control", {"noise": 0.05}),
    "twice the noise": ("Control", {"noise": 0.2}),
    "noise with a mean": ("Control", {"noise_mean": 0.05}),
    "an infinite hall": ("LargeHOF", {"hall": INFINITE}),
    "a hall that breeds": ("LargeHOF", {"hall_breeds": True}),
}
"""The paper's future work (section V): what is changed of which method. All that is tried of each is ours."""
CHANGES: Mapping[str, Mapping[str, Any]] = {
    **INTERPRETATIONS,
    **{name: changes for name, (_, changes) in FUTURE.items()},
}
LINES: Mapping[str, tuple[str, Mapping[str, Any]]] = {
    **{name: (name, {}) for name in METHODS},
    "by hands won": ("Control", {"fitness": HANDS}),
    "by chips": ("Control", {"fitness": CHIPS}),
}
"""What evolves in `stages`: a method, and what is changed of it."""
FIFTH = 5
STAGES = (1, 10, 35, 85, 135, 200)
"""The generations whose champions `stages` evaluates."""
DUPLICATES = 1000
CARDS = 1
"""The seed of the cards, the same for all champions."""
HALL = {"hall": ELITES, "hall_size": 100}
BRED: Mapping[str, Mapping[str, Any]] = {
    "by mean rank": {},
    "by mean rank, with a hall": HALL,
    "by chips": {"fitness": CHIPS},
    "by chips, with a hall": {"fitness": CHIPS, **HALL},
}
"""Evolutions at lab scale, by our earlier defaults, whose champions meet their ancestors."""
MET_AT = (1, 2, 5, 10, 20, 50, 100)
"""The generations of these champions."""


def make_config(method: str, interpretation: str, seed: int, iterations: int) -> Config:
    """Return the settings of one evolution of the study."""
    UnknownNameError.check("method", method, METHODS)
    UnknownNameError.check("interpretation", interpretation, tuple(CHANGES))
    config = shrink_config(EARLIER_CONFIGS[method], SMALLER, iterations, seed)
    changes = dict(CHANGES[interpretation])
    if "elites" in changes:
        changes["elites"] /= config.agents
    return replace(config, **changes)


def shrink_config(config: Config, times: int, iterations: int, seed: int) -> Config:
    """Return an experiment with fewer agents, members of halls and tournaments."""
    hall = config.hall_size if config.hall == NONE else config.hall_size // times
    return replace(
        config,
        agents=config.agents // times,
        tournaments=config.tournaments // times,
        hall_size=hall,
        iterations=iterations,
        seed=seed,
    )


BRED_WITH = ("hands_a_level", "score", "raised", "window")
"""The settings of an evolution that its champions meet again at duplicate tables."""


def evaluate_champions(setting: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return how the champions of one evolution fare, a row for each population."""
    config = make_config(*(setting[name] for name in ("method", "reading", "seed", "iterations")))
    evolution = make_solver(config)
    state = evolution.step(evolution.init(), config.iterations)
    bred_with = {name: getattr(config, name) for name in BRED_WITH}
    tables = DuplicateTables(
        duplicates=setting["duplicates"], seed=CARDS, **{**EARLIER_TABLES, **bred_with}
    )
    return [
        {"population": number, **evaluate_against_panel(config, genome, tables)}
        for number, genome in enumerate(state.champions)
    ]


def evaluate_against_panel(
    config: Config, genome: Genomes, tables: DuplicateTables
) -> dict[str, Any]:
    """Return how a champion, (G,), fares against the panel."""
    (player,) = make_encoding(config).make_players(genome[None], ["champion"])
    found = evaluate(player, tables=tables, progress=False)
    fold, check, call, bet = found.action_shares["champion"]
    ranks = found.mean_rank
    return {
        "rank": ranks["champion"],
        "rank_error": float(found.ranks.compute_half_width()[0]),
        "first": found.first_places["champion"],
        "hands_won": found.hands_won_share["champion"],
        "folds": float(fold),
        "checks": float(check),
        "calls": float(call),
        "raises": float(bet),
        "folder_rank": ranks[FOLDER],
        "static_beaten": sum(ranks["champion"] < ranks[name] for name in POOREST),
    }


def evaluate_stages(setting: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return how the champions of the generations in `STAGES` fare, a row for each and each population."""
    method, changes = LINES[setting["line"]]
    small = shrink_config(CONFIGS[method], FIFTH, STAGES[-1], setting["seed"])
    config = replace(small, **changes)
    tables = DuplicateTables(duplicates=setting["duplicates"], seed=CARDS)
    evolution = make_solver(config)
    state, rows = evolution.init(), []
    for generation in STAGES:
        state = evolution.step(state, generation - state.iteration)
        for number, genome in enumerate(state.champions):
            about = {"generation": generation, "population": number}
            rows.append({**about, **evaluate_against_panel(config, genome, tables)})
    return rows


def sweep_stages(
    *,
    seeds: Iterable[int] = range(4),
    names: Sequence[str] = tuple(LINES),
    duplicates: int = DUPLICATES,
    **options: Any,
) -> History:
    """Return `stages_of` each line for each seed; one seed of all takes about an hour; options as for `sweep`."""
    for name in names:
        UnknownNameError.check("line", name, tuple(LINES))
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
    """Return `champions_of` each method by each interpretation, for each seed."""
    for name in names:
        UnknownNameError.check("method", name, METHODS)
    for interpretation in interpretations:
        UnknownNameError.check("interpretation", interpretation, tuple(CHANGES))
    settings: dict[str, Sequence[Any]] = {"method": list(names), "reading": list(interpretations)}
    settings |= {"iterations": [iterations], "duplicates": [duplicates]}
    return sweep(evaluate_champions, settings, seeds=seeds, **options)


def sweep_future_work(**options: Any) -> History:
    """Return `champions_of` each change of `FUTURE`, of the method that it is a change of."""
    changed = {method: [r for r, (m, _) in FUTURE.items() if m == method] for method in METHODS}
    tables = [
        sweep_methods(names=[m], interpretations=r, **options) for m, r in changed.items() if r
    ]
    columns = {name: np.concatenate([one[name] for one in tables]) for name in tables[0].columns}
    seconds = sum(one.provenance["seconds"] for one in tables)
    return History(columns, tables[0].units, {**tables[0].provenance, "seconds": seconds})


def measure_forgetting(setting: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return how the last champion of an evolution fares against its ancestors, a row for each measure."""
    changes = {**EARLIER, **BRED[setting["line"]]}
    config = replace(SCALES["lab"], seed=setting["seed"], **changes)
    evolution = make_solver(config)
    state, champions = evolution.init(), []
    for generation in MET_AT:
        state = evolution.step(state, generation - state.iteration)
        champions.append(state.champions[0])
    tables = DuplicateTables(duplicates=setting["duplicates"], seed=CARDS, **EARLIER_TABLES)
    met = compare_champions(
        make_encoding(config), np.array(champions), tables=tables, progress=False
    )
    return [
        {
            "measure": name,
            "losses": int(one.find_losses_to_ancestors().sum()),
            "ahead_of_first": float(one.advantage[-1, 0]),
            "error": float(one.error[-1, 0]),
        }
        for name, one in met._asdict().items()
    ]


def sweep_forgetting(
    *,
    seeds: Iterable[int] = range(10),
    names: Sequence[str] = tuple(BRED),
    duplicates: int = 300,
    **options: Any,
) -> History:
    """Return `losses_of` each line for each seed; at lab scale, some five minutes for each line."""
    for name in names:
        UnknownNameError.check("line", name, tuple(BRED))
    settings: dict[str, Sequence[Any]] = {"line": list(names), "duplicates": [duplicates]}
    return sweep(measure_forgetting, settings, seeds=seeds, **options)


BEST, MEAN = "the best champion", "the mean of the champions"
TAKEN: Mapping[str, Callable[[Floats], Any]] = {BEST: np.min, MEAN: np.mean}
"""Which rank an evolution of several populations has."""


def list_ranks_by_seed(
    table: Mapping[str, Any] | History, method: str, interpretation: str, taken: str = MEAN
) -> dict[int, float]:
    """Return by seed the mean rank of an evolution."""
    chosen = (table["method"] == method) & (table["reading"] == interpretation)
    seeds = np.unique(table["seed"][chosen]).tolist()
    which = TAKEN[taken]
    return {seed: float(which(table["rank"][chosen & (table["seed"] == seed)])) for seed in seeds}


def list_ranks_by_evolution(
    table: Mapping[str, Any] | History, method: str, interpretation: str, taken: str = MEAN
) -> Floats:
    """Return the mean rank of each evolution, in the order of the seeds."""
    return np.array([*list_ranks_by_seed(table, method, interpretation, taken).values()])


def compute_differences(
    table: Mapping[str, Any] | History,
    first: str,
    second: str,
    interpretation: str,
    taken: str = MEAN,
) -> Floats:
    """Return the mean rank of one method less that of another, for each seed that both have."""
    one, other = (
        list_ranks_by_seed(table, method, interpretation, taken) for method in (first, second)
    )
    return np.array([one[seed] - other[seed] for seed in one if seed in other])


def join_studies(study: History, stages: History, thesis: str) -> dict[str, Any]:
    """Return the ranks of `methods`, after those at the end of `stages` as if by one interpretation more."""
    last = stages["generation"] == STAGES[-1]
    interpretation = np.full(int(last.sum()), thesis)
    fifth = {"method": stages["line"][last], "reading": interpretation}
    fifth |= {name: stages[name][last] for name in ("seed", "rank")}
    return {name: np.concatenate([one, study[name]]) for name, one in fifth.items()}


def compute_interval(values: Floats) -> tuple[float, float]:
    """Return the mean of some values, and what its 95% interval reaches up and down; NaN for fewer than two."""
    if len(values) < 2:
        return float(np.mean(values)) if len(values) else np.nan, np.nan
    reach = stats.sem(values) * stats.t.ppf(0.975, len(values) - 1)
    return float(np.mean(values)), float(reach)


def find_smallest_lead(
    table: Mapping[str, Any], parts: Sequence[tuple[str, str]], interpretation: str, taken: str
) -> tuple[float, float, int]:
    """Return the smallest of several leads in ranks, its 95% reach, and whether the claim that all are leads holds.

    1 if each is clear by itself, at the level of the whole; -1 if one is clearly a lag; else 0.
    """
    found = [
        compute_interval(compute_differences(table, worse, better, interpretation, taken))
        for better, worse in parts
    ]
    clear = [np.sign(mean) if abs(mean) > reach else 0 for mean, reach in found]
    mean, reach = min(found)
    return mean, reach, -1 if -1 in clear else int(min(clear))


def weigh_difference(interval: tuple[float, float], margin: float) -> bool | None:
    """Return whether a mean difference is within a margin; None if its interval reaches from within to outside."""
    mean, reach = abs(interval[0]), interval[1]
    if mean + reach < margin:
        return True
    return False if mean - reach > margin else None


def measure_moves(runs: Mapping[str, Any], interpretations: Sequence[str]) -> dict[str, float]:
    """Return how far mean ranks are apart by what is changed: the largest less the smallest, averaged over all else."""
    cases = [(name, taken) for name in interpretations for taken in TAKEN]
    of_runs = [
        [list_ranks_by_evolution(runs, method, *case) for method in METHODS] for case in cases
    ]
    means = np.array([[ranks.mean() for ranks in of] for of in of_runs])
    by_taken = means.reshape(len(interpretations), len(TAKEN), len(METHODS))
    several = ["Pop" in method for method in METHODS]
    return {
        "interpretations": float(np.ptp(means.mean(axis=1))),
        "methods": float(np.ptp(means, axis=1).mean()),
        "which champion": float(np.abs(by_taken[:, 1] - by_taken[:, 0])[:, several].mean()),
        "seeds": float(np.mean([np.ptp(ranks) for of in of_runs for ranks in of])),
    }
