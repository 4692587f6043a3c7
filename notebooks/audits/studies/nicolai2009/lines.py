"""Champions of all generations of an evolution, its line: what they reach among strangers, among themselves, and blind.

All of it is recorded: the audit shows and judges the same numbers at every scale.
"""

from collections.abc import Callable, Mapping
from dataclasses import replace
from functools import cache, partial
from typing import Any, NamedTuple

import numpy as np

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
from studies.nicolai2009.champions import Evolution, find_earlier_name, name_of
from studies.nicolai2009.evaluation import rate_champions
from studies.nicolai2009.interpretations import (
    EARLIER,
    SOURCES,
    THESIS,
    find_evolved,
    load_whole_champions,
)

GENERATIONS = (1, 3, 10, 30, 100, 200, 300, 400, 500)
"""Whose champions play among the eight strangers, and against the champion of the next generation."""
AGES = (1, 10, 50, 100, 200, 500)
"""The generations of the champions that play against their ancestors."""
RACES: Mapping[str, tuple[int, ...]] = {THESIS: (1, 10, 100, 200, 500), EARLIER: (1, 5, 20, 100)}
"""The generations whose champions play against those of the other population, by whose settings they evolved."""
DUPLICATES = 1000
"""Tables for each champion, or for each pair of champions."""
TOURNAMENTS = 400
"""Of all champions of a line."""
CROWDS = 100
"""Tournaments of late champions and a few random networks."""
CROWD, FRESH, LATE = 1000, 20, 50
"""Entrants of a crowd, how many of them are random networks, and of how many last generations the others are."""
NOTHING = "nothing"
"""What a champion cannot see when it plays as it is."""
SEED = 1


@cache
def load_evolution(source: str, method: str) -> Evolution:
    """Return a recorded evolution of the paper's size."""
    name = name_of(method, 1) if source == THESIS else find_earlier_name(method)
    return Evolution.load(RUNS / f"{name}.npz")


def load_line(source: str, champion: str) -> tuple[TableNetwork, Genomes]:
    """Return what genomes mean, and the champions of all generations before one, (T, G), such as '2Pop-1'."""
    method, _, number = champion.partition("-")
    line = load_evolution(source, method).champions[:, int(number or 1) - 1]
    return make_encoding(SOURCES[source][1][method]), line


def make_tables(setting: Mapping[str, Any]) -> DuplicateTables:
    """Return the tables of a setting, as they are by the settings of its source."""
    usual = SOURCES[setting["source"]][2]
    return DuplicateTables(duplicates=setting["duplicates"], seed=setting["seed"], **usual)


def rate_line(setting: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return how champions of several generations fare among the eight strangers, a row for each."""
    meaning, line = load_line(setting["source"], setting["champion"])
    found = rate_champions(meaning, line[np.array(GENERATIONS) - 1], tables=make_tables(setting))
    return [
        {
            "generation": generation,
            "rank": float(one.ranks.mean[0]),
            "rank_error": float(one.ranks.standard_error[0]),
            "first": float(one.wins.mean[0]),
        }
        for generation, one in zip(GENERATIONS, found, strict=True)
    ]


def blind_line(setting: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return how the last champion fares when groups of its inputs are held at their means, a row for each group."""
    meaning, line = load_line(setting["source"], setting["champion"])
    genome, tables = line[-1], make_tables(setting)
    seen = collect_inputs(meaning, genome, tables=replace(tables, duplicates=20)).mean(axis=0)
    held = [fix_inputs(meaning, genome, group, seen[[*group]]) for group in INPUT_GROUPS.values()]
    found = rate_champions(meaning, np.array([genome, *held]), tables=tables)
    return [
        {"unseen": name, "rank": float(one.ranks.mean[0])}
        for name, one in zip((NOTHING, *INPUT_GROUPS), found, strict=True)
    ]


def duel_line(setting: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return by how many ranks later champions of a line are ahead of earlier ones, a row for each pair."""
    meaning, line = load_line(setting["source"], setting["champion"])
    found = compare_champions(
        meaning, line[np.array(AGES) - 1], tables=make_tables(setting), progress=False
    ).ranks
    lost = found.find_losses_to_ancestors()
    return [
        {
            "generation": AGES[later],
            "ancestor": AGES[earlier],
            "ahead": float(found.advantage[later, earlier]),
            "error": float(found.error[later, earlier]),
            "lost": int(lost[later, earlier]),
        }
        for later, earlier in np.argwhere(np.tri(len(AGES), k=-1, dtype=bool))
    ]


def step_line(setting: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return by how many ranks a champion is ahead of the one before it, a row for each of several generations."""
    meaning, line = load_line(setting["source"], setting["champion"])
    rows = []
    for generation in GENERATIONS[:-1]:
        pair = line[generation - 1 : generation + 1]
        one = compare_champions(meaning, pair, tables=make_tables(setting), progress=False).ranks
        ahead, p = float(one.advantage[1, 0]), float(one.p[1, 0])
        rows.append({"generation": generation, "ahead": ahead, "p": p})
    return rows


def place_line(setting: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return the mean place of each of a line's champions in one field of all of them, a row for each."""
    meaning, line = load_line(setting["source"], setting["champion"])
    generator = np.random.default_rng(setting["seed"])
    seats = np.array([generator.permutation(len(line)) for _ in range(setting["tournaments"])])
    field = make_game(Config(seed=0, agents=len(line)))
    places = field.play(meaning.make_players(line), seats, seed=setting["seed"]).mean_rank
    return [{"generation": k, "place": float(place)} for k, place in enumerate(places, 1)]


def crowd_line(setting: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return by how many places the late champions are ahead of random networks on average, a row for each of these."""
    meaning, line = load_line(setting["source"], setting["champion"])
    generator = np.random.default_rng(setting["seed"])
    fresh = meaning.draw_genomes(generator, FRESH)
    crowd = np.concatenate([fresh, np.resize(line[-LATE:], (CROWD - FRESH, line.shape[1]))])
    seats = np.array([generator.permutation(CROWD) for _ in range(setting["tournaments"])])
    players = meaning.make_players(crowd, [str(number) for number in range(CROWD)])
    field = make_game(SOURCES[setting["source"]][1]["Control"])
    places = field.play(players, seats, seed=setting["seed"]).mean_rank
    return [{"ahead": float(gap)} for gap in places[:FRESH] - places[FRESH:].mean()]


def race_populations(setting: Mapping[str, Any]) -> list[dict[str, Any]]:
    """Return by how many ranks later champions are ahead of earlier ones of the other population, a row for each pair.

    It is the mean of both directions, in which it cancels out that one of the two populations is better.
    """
    source, method = setting["source"], setting["method"]
    meaning, times = make_encoding(SOURCES[source][1][method]), RACES[source]
    ones = load_evolution(source, method).champions[np.array(times) - 1, :2].swapaxes(0, 1)
    found = compare_champions(meaning, *ones, tables=make_tables(setting), progress=False).ranks
    ahead = (found.advantage - found.advantage.T) / 2
    error = np.hypot(found.error, found.error.T) / 2
    return [
        {
            "generation": times[later],
            "ancestor": times[earlier],
            "ahead": float(ahead[later, earlier]),
            "error": float(error[later, earlier]),
        }
        for later, earlier in np.argwhere(np.tri(len(times), k=-1, dtype=bool))
    ]


def list_lines() -> list[dict[str, Any]]:
    """Return the lines of all champions of evolutions that are whole, by the thesis's settings first."""
    return [
        {"source": source, "champion": name}
        for source in SOURCES
        for name in find_evolved(load_whole_champions(source))
    ]


def list_races() -> list[dict[str, Any]]:
    """Return the evolutions of several populations, by the thesis's settings first."""
    methods = ("2Pop", "4Pop", "HOF2Pop")
    return [{"source": source, "method": method} for source in SOURCES for method in methods]


def add_tables(settings: list[dict[str, Any]]) -> list[dict[str, Any]]:
    """Return settings with the number of duplicate tables."""
    return [{**one, "duplicates": DUPLICATES} for one in settings]


Measure = Callable[[Mapping[str, Any]], list[dict[str, Any]]]
RECORDED: Mapping[str, tuple[Measure, Callable[[], list[dict[str, Any]]]]] = {
    "ratings": (rate_line, lambda: add_tables(list_lines())),
    "blind": (blind_line, lambda: add_tables(list_lines())),
    "duels": (duel_line, lambda: add_tables(list_lines())),
    "steps": (step_line, lambda: add_tables(list_lines())),
    "fields": (
        place_line,
        lambda: [
            {**one, "tournaments": TOURNAMENTS} for one in list_lines() if one["source"] == THESIS
        ],
    ),
    "crowds": (
        crowd_line,
        lambda: [
            {**one, "tournaments": CROWDS} for one in list_lines() if "-" not in one["champion"]
        ],
    ),
    "races": (race_populations, lambda: add_tables(list_races())),
}
"""What is recorded of lines: what measures each of its settings, and these settings."""


def record_lines(name: str, **options: Any) -> History:
    """Return one of `RECORDED`; each takes some ten minutes. Options as for `sweep`."""
    measure, settings = RECORDED[name]
    return sweep(measure, settings(), seeds=[SEED], **options)


def read_lines(name: str) -> History:
    """Return one of `RECORDED` from its file; record it if there is none."""
    return load_or_make_history(f"{PAPER}-{name}", partial(record_lines, name), {})


def split_by_line(table: History) -> dict[tuple[str, str], dict[str, Any]]:
    """Return the columns of each line in a table of several lines, by its source and champion."""
    of_rows = [*zip(table["source"].tolist(), table["champion"].tolist(), strict=True)]
    chosen = {line: np.array([row == line for row in of_rows]) for line in dict.fromkeys(of_rows)}
    return {
        line: {name: column[rows] for name, column in table.columns.items()}
        for line, rows in chosen.items()
    }


class HallAge(NamedTuple):
    """How old a hall of fame is at the end of an evolution.

    Attributes
    ----------
    generations : int
        Of the evolution.
    age, eldest : float
        For how many generations its members have been there, on average and at most.
    from_first : float
        The share of its 20 best that came in the first generation.
    latest : int
        When the last of these came.
    """

    generations: int
    age: float
    eldest: float
    from_first: float
    latest: int


def measure_hall(source: str, method: str) -> HallAge:
    """Return how old the hall of a recorded evolution is at its end."""
    one = load_evolution(source, method)
    age, eldest = (float(one.history[column][-1]) for column in ("hall_age", "hall_eldest"))
    since = one.hall_since[-1]
    return HallAge(
        int(one.generations[-1]), age, eldest, float((since <= 1).mean()), int(since.max())
    )


def measure_spread(source: str, method: str, generation: int) -> tuple[float, float]:
    """Return the spread of weights within a population of an evolution, and within and between its populations."""
    one = load_evolution(source, method)
    within = float(one.history["spread"][one.history["iteration"] == generation][0])
    between = np.std(one.champions[generation - 1].astype(float), axis=0)
    return within, float(np.sqrt(np.mean(between**2) + within**2))
