"""The eleven earlier champions at tables that are read in other ways."""

import hashlib
from collections.abc import Mapping, Sequence
from typing import Any

from pokerlab.core import UnknownNameError
from pokerlab.holdem.table.players import AMOUNTS, DRAWN
from pokerlab.papers.nicolai2009.duplicate_tables import (
    EARLIER_TABLES,
    FOLDER,
    DuplicateTables,
    static_agents,
)
from pokerlab.papers.nicolai2009.experiment import EARLIER_CONFIGS, encoding
from pokerlab.runs import History, sweep
from studies.nicolai2009.champions import EARLIER_WHOLE, recorded_champions
from studies.nicolai2009.evaluation import evaluate
from studies.nicolai2009.old_agents import LONGER, STARTS, old_agents

READINGS: Mapping[str, tuple[Mapping[str, Any], Mapping[str, Any]]] = {
    "as it is": ({}, {}),
    **{f"raise {amount}": ({"raises": amount}, {}) for amount in AMOUNTS[1:DRAWN]},
    "no folds for free": ({"free_folds": False}, {}),
    "seats as given": ({"seating": "as given"}, {}),
    "OldBest and OldScratch of their first generation": ({}, {"first_generation": True}),
    "OldBest and OldScratch of a larger budget": ({}, {"folder": LONGER}),
}
"""Readings of the earlier evaluation: what changes in its `DuplicateTables`, and in its `old_agents`."""


def standing(setting: Mapping[str, Any]) -> dict[str, Any]:
    """Return how one of the eleven earlier champions stands where the evaluation is read in another way."""
    champion = setting["champion"]
    genome = recorded_champions(EARLIER_WHOLE)[champion]
    changes, of_panel = READINGS[setting["reading"]]
    tables = DuplicateTables(
        duplicates=setting["duplicates"], seed=1, **{**EARLIER_TABLES, **changes}
    )
    others = static_agents(tables.raises) | old_agents(**of_panel)
    (player,) = encoding(EARLIER_CONFIGS[champion.split("-")[0]]).players(genome[None], [champion])
    found = evaluate(player, others, tables=tables, progress=False)
    ranks = found.mean_rank
    return {
        "rank": ranks[champion],
        "error": float(found.ranks.standard_error[0]),
        "first": found.first_places[champion],
        "place": sorted(ranks, key=ranks.__getitem__).index(champion) + 1,
        **{f"{agent.lower()}_rank": ranks[agent] for agent in (FOLDER, *STARTS)},
        "genome": hashlib.sha256(genome.tobytes()).hexdigest()[:16],
    }


def standings(
    *,
    readings: Sequence[str] = tuple(READINGS),
    duplicates: int = 2500,
    **options: Any,
) -> History:
    """Return the `standing` of each recorded champion under each reading of the tables."""
    for reading in readings:
        UnknownNameError.check("reading", reading, tuple(READINGS))
    names = [*recorded_champions(EARLIER_WHOLE)]
    settings: dict[str, Sequence[Any]] = {
        "champion": names,
        "reading": list(readings),
        "duplicates": [duplicates],
    }
    return sweep(standing, settings, **options)
