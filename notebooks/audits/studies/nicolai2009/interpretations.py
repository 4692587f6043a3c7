"""All recorded interpretations of the paper's evaluations: by whose settings champions evolved, and at which tables.

An interpretation changes one thing at the tables. Champions of evolutions that are whole play at them again, fewer
times than at the tables as they are.
"""

from collections.abc import Mapping
from dataclasses import replace
from pathlib import Path
from typing import Any

from tqdm import tqdm

from pokerlab.holdem.players import RAISE_AMOUNTS
from pokerlab.papers.experiment import RUNS
from pokerlab.papers.nicolai2009 import (
    CONFIGS,
    EARLIER_CONFIGS,
    EARLIER_TABLES,
    PAPER,
    Config,
    DuplicateTables,
    make_encoding,
)
from pokerlab.papers.nicolai2009_agents import make_static_agents
from pokerlab.runs.history import convert_to_json_value, describe_versions
from studies.nicolai2009.champions import BY_THESIS, EARLIER_WHOLE, Champions
from studies.nicolai2009.evaluation import Evaluation, evaluate
from studies.nicolai2009.old_agents import LONGER, load_old_agents

STANDINGS = RUNS / f"{PAPER}-standings.npz"
THESIS, EARLIER = "the thesis's settings", "our earlier settings"
SOURCES: Mapping[str, tuple[str, Mapping[str, Config], Mapping[str, Any]]] = {
    THESIS: (BY_THESIS, CONFIGS, {}),
    EARLIER: (EARLIER_WHOLE, EARLIER_CONFIGS, EARLIER_TABLES),
}
"""By whose settings champions evolved: their file, their experiments, and the tables as they are there."""
TABLES: Mapping[str, tuple[Mapping[str, Any], Mapping[str, Any]]] = {
    **{f"raises: {amount}": ({"raises": amount}, {}) for amount in RAISE_AMOUNTS},
    "folds for free": ({"free_folds": True}, {}),
    "no folds for free": ({"free_folds": False}, {}),
    "seats as given": ({"seating": "as given"}, {}),
    "200 chips each": ({"stacks": 200}, {}),
    "200 chips, raises up to three times the least": (
        {"stacks": 200, "raises": "up to three times the least"},
        {},
    ),
    "Old agents of their first generation": ({}, {"first_generation": True}),
    "Old agents of a larger budget": ({}, {"folder": LONGER}),
}
"""Interpretations of an evaluation: what changes in its `DuplicateTables`, and in its `old_agents`."""


def list_interpretations(source: str) -> dict[str, tuple[DuplicateTables, Mapping[str, Any]]]:
    """Return the tables and the old agents of each interpretation that changes something of a source's."""
    usual = SOURCES[source][2]
    as_they_are = DuplicateTables(seed=1, **usual)
    changed = {
        name: (DuplicateTables(seed=1, **{**usual, **changes}), of_panel)
        for name, (changes, of_panel) in TABLES.items()
    }
    return {name: one for name, one in changed.items() if one[1] or one[0] != as_they_are}


def load_whole_champions(source: str) -> Champions:
    """Return the champions of a source."""
    return Champions.load(RUNS / f"{SOURCES[source][0]}.npz")


def find_evolved(kept: Champions) -> list[str]:
    """Return which champions come from evolutions that reached the paper's last generation."""
    last = {method: int(one["iteration"][-1]) for method, one in kept.histories.items()}
    return [n for n in kept.genomes if last[n.split("-")[0]] >= CONFIGS["Control"].iterations]


def evaluate_champion(
    source: str, interpretation: str, name: str, genome: Any, duplicates: int
) -> Evaluation:
    """Return how a champion fares by another interpretation of the evaluation."""
    tables, of_panel = list_interpretations(source)[interpretation]
    others = make_static_agents(tables.raises) | load_old_agents(**of_panel)
    meaning = make_encoding(SOURCES[source][1][name.split("-")[0]])
    (player,) = meaning.make_players(genome[None], [name])
    few = replace(tables, duplicates=duplicates)
    return evaluate(player, others, tables=few, progress=False)


def record_standings(path: str | Path = STANDINGS, duplicates: int = 10_000) -> Champions:
    """Add to the standings those of whole champions that they lack; half a minute for each and each interpretation."""
    old = Champions.load(path) if Path(path).exists() else Champions({}, {}, {}, {})
    genomes, found = dict(old.genomes), dict(old.evaluations)
    for source in SOURCES:
        kept = load_whole_champions(source)
        for interpretation in list_interpretations(source):
            for name in tqdm(find_evolved(kept), desc=f"{source}, {interpretation}"):
                key = f"{source}/{interpretation}/{name}"
                if key not in found:
                    genomes[key] = kept.genomes[name]
                    found[key] = evaluate_champion(
                        source, interpretation, name, genomes[key], duplicates
                    )
        tables = {
            name: convert_to_json_value(tables)
            for name, (tables, _) in list_interpretations(source).items()
        }
        about = {**old.provenance, source: tables, "made_with": describe_versions()}
        old = Champions(genomes, {}, found, about)
        old.save(path)
    return old


def load_interpretations() -> dict[str, dict[str, Evaluation]]:
    """Return the evaluations of whole champions by interpretation, the thesis's first, and by champion."""
    standings, found = Champions.load(STANDINGS).evaluations, {}
    for source in SOURCES:
        kept = load_whole_champions(source)
        names = find_evolved(kept)
        found[source] = {name: kept.evaluations[name] for name in names}
        for interpretation in list_interpretations(source):
            keys = {name: f"{source}/{interpretation}/{name}" for name in names}
            there = {name: standings[key] for name, key in keys.items() if key in standings}
            found[f"{source}, {interpretation}"] = there
    return found
