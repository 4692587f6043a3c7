"""What decides each number that the paper prints: every recorded reading of it.

What the paper sets stands beside our settings. What its champions reach can be met only by champions of evolutions that
are as long as the paper's. Three of the nine at each table are OldBest, OldScratch and OldStart. The authors' are
lost, and ours are others: a number that is apart from ours decides nothing, and one that is theirs is never met.
"""

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter

import numpy as np

from pokerlab.holdem import Aggressiveness, table_view
from pokerlab.holdem.hand import CALL, FOLD
from pokerlab.holdem.impressions import score_aggressiveness
from pokerlab.holdem.network_genome import NUM_INPUTS, NUM_OUTPUTS
from pokerlab.papers.experiment import Published
from pokerlab.papers.nicolai2009 import (
    CONFIGS,
    NUM_SEATS,
    PAPER_EXPERIMENTS,
    Config,
    count_entrants,
)
from pokerlab.papers.nicolai2009_agents import OLD, PANEL, SCRIPTS
from studies.audit import MET, READING, UNDECIDED, Audit
from studies.nicolai2009.comparison import ANY, BASELINE, CHAMPIONS, ComparedNumber, compare
from studies.nicolai2009.evaluation import Evaluation

SUBSTITUTES = "our Old agents"
"""Three of the nine at every table: the authors' are lost."""
ERRORS = 2.6
"""Standard errors within which two means agree: 99% of them, as in the paper's tests."""
ROUNDING: Mapping[str, float] = {
    "ranks": 0.005,
    "%": 0.05,
    "% (approximately)": 0.5,
    "decisions (typically)": 0.5,
}
"""By how much a printed number may be rounded, by its unit."""


def judge_numbers(audit: Audit, recorded: Mapping[str, Mapping[str, Evaluation]]) -> None:
    """Put each setting of the paper beside ours, and judge each of its results.

    `recorded` has every reading with the evaluations of its whole champions, the default reading first.
    """
    found = {
        reading: {one.printed.key: one for one in compare(ones)}
        for reading, ones in recorded.items()
    }
    default: Mapping[str, Evaluation] = next(iter(recorded.values()), {})
    for key, printed in audit.printed.items():
        if printed.column in SETTINGS:
            audit.setting(key, SETTINGS[printed.column](experiment_of(printed)))
        elif printed.column == "duplicates":
            played = default.get(printed.game)
            audit.setting(key, played.duplicates if played else np.nan, "of our evaluation")
        elif printed.column in RANKS:
            audit.setting(key, RANKS[printed.column], "nine agents have nine ranks")
        else:
            readings = {name: of_keys[key] for name, of_keys in found.items()}
            text, verdict, why = over_readings(readings)
            if printed.column.startswith("p ") and len(default) < len(CHAMPIONS):
                verdict, why = UNDECIDED, f"{why}, of {len(default)} of {len(CHAMPIONS)} champions"
            audit.number(key, text, verdict, why, substitutes=SUBSTITUTES)


def over_readings(readings: Mapping[str, ComparedNumber]) -> tuple[str, str, str]:
    """Return our numbers as text, the verdict on a printed one by all readings, and what decides it.

    It is met if the first reading gives it, and met under a reading if another does. Who is apart under all of them
    has other agents at its tables, so nothing is decided.
    """
    known = {name: one for name, one in readings.items() if not np.isnan(one.ours)}
    if not known:
        return "", UNDECIDED, "an evolution that it needs is not finished"
    first, *_ = known.values()
    text = in_words(first.ours, first.error)
    if len(known) > 1:
        text += f" ({min(o.ours for o in known.values()):.4g} to {max(o.ours for o in known.values()):.4g})"
    theirs = {name: one for name, one in known.items() if set(OLD).isdisjoint(one.whose)}
    within = [name for name, one in theirs.items() if beyond(one) <= 0]
    share = f"{len(within)} of {len(theirs)} readings give it"
    if not theirs:
        return text, UNDECIDED, "the agents are ours"
    if next(iter(readings)) in within:
        return text, MET, share
    if within:
        return text, READING, f"{share}: {', '.join(within)}"
    nearest = min(theirs, key=lambda name: beyond(theirs[name]))
    return text, UNDECIDED, f"{share}; nearest, {theirs[nearest].ours:.4g}, {nearest}"


def over_recorded(
    recorded: Mapping[str, Mapping[str, Evaluation]],
    needed: Sequence[str],
    holds: Callable[[Mapping[str, Evaluation]], bool],
) -> tuple[str, str]:
    """Return the verdict on a claim about champions by every recorded reading that has them, and how many agree."""
    there = {name: holds(ones) for name, ones in recorded.items() if {*needed} <= ones.keys()}
    holding = [name for name, one in there.items() if one]
    share = f"Holds under {len(holding)} of {len(there)} recorded readings"
    if next(iter(recorded)) in holding:
        return MET, f"{share}, the thesis's among them."
    if not holding:
        return UNDECIDED, f"{share}."
    return READING, f"{share}: {'; '.join(holding)}."


def beyond(one: ComparedNumber) -> float:
    """Return by how much ours is farther from a printed number than its rounding and our error explain."""
    near = ROUNDING.get(one.printed.unit, 0.0) + ERRORS * float(np.nan_to_num(one.error))
    apart = one.ours - one.printed.value
    if one.printed.relation == "=":
        return abs(apart) - near
    return (-apart if one.printed.relation == ">=" else apart) - near


def in_words(ours: float, error: float = np.nan) -> str:
    """Return a number as the paper prints them, with its standard error."""
    number = f"{ours:,.0f}" if ours > 999 else f"{ours:.4g}"
    return number if np.isnan(error) else f"{number} ± {error:.2g}"


def experiment_of(printed: Published) -> Config:
    """Return the paper's experiment that a number belongs to; Control where it belongs to all."""
    return CONFIGS[BASELINE if printed.game == ANY else printed.game]


def elites(config: Config) -> int:
    """Return how many agents of a population stay, which is how many of its hall may be replaced."""
    return round(config.elites * config.agents)


def score(action: int, owed: int) -> float:
    """Return the aggressiveness of a fold or a call where so many chips are owed."""
    seen = np.zeros(table_view.NUM_VIEW_WORDS, np.int64)
    seen[table_view.TO_CALL] = owed
    by_price = Aggressiveness().scoring
    return score_aggressiveness(seen, action, by_price) / table_view.MILLIONTHS


RANKS = {"first out": NUM_SEATS, "second out": NUM_SEATS - 1, "winner": 1}
"""The ranks of nine agents, by what the paper calls them."""
NAMED_ALIKE = (
    *("hidden", "iterations", "window", "mutation", "noise_mean", "noise"),
    *("tournaments", "populations", "agents", "hall_size"),
)
SETTINGS: Mapping[str, Callable[[Config], float]] = {
    **{name: attrgetter(name) for name in NAMED_ALIKE},
    "inputs": lambda config: NUM_INPUTS,
    "outputs": lambda config: NUM_OUTPUTS,
    "entrants": lambda config: max(count_entrants(one) for one in PAPER_EXPERIMENTS.values()),
    "competing": count_entrants,
    "score fold": lambda config: score(FOLD, owed=1),
    "score call": lambda config: score(CALL, owed=1),
    "score check": lambda config: score(CALL, owed=0),
    "elites": elites,
    "children": lambda config: config.agents - elites(config),
    "lowest": elites,
    "seats": lambda config: NUM_SEATS,
    "others": lambda config: len(PANEL),
    "static": lambda config: len(SCRIPTS),
    "dynamic": lambda config: len(OLD),
}
"""What the paper sets, by the column of the published number."""
