"""What decides each number that the paper prints, and claims about its champions: every recorded interpretation.

What the paper sets stands beside our settings. Three of the nine at each table of an evaluation are OldBest, OldScratch
and OldStart. The authors' are lost: no number of these tables is testable, and what comes out beside ours is recorded.
"""

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import NamedTuple

import numpy as np
from scipy import stats

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
from studies.audit import Audit, Finding, weigh_interpretations
from studies.nicolai2009.comparison import (
    ANY,
    BASELINE,
    ComparedNumber,
    compare,
    count_decisions_in_a_pass,
)
from studies.nicolai2009.evaluation import Evaluation

SUBSTITUTES = "our Old agents"
"""Three of the nine at every table: the authors' are lost."""
AT_TABLES = "the numbers at tables with the lost agents"
DECISIONS = "15 to 40 decisions"
"""Names of facts that several rows share."""
FEWEST, MOST = 15, 40
"""Betting decisions in ten hands, as the paper prints them."""
ERRORS = 2.6
"""Standard errors within which two means agree: 99% of them, as in the paper's tests."""
LEVEL = 0.05
"""Of tests whether one side has more of some cases."""
ROUNDING: Mapping[str, float] = {
    "ranks": 0.005,
    "%": 0.05,
    "% (approximately)": 0.5,
    "decisions (typically)": 0.5,
}
"""By how much a printed number may be rounded, by its unit."""
Recorded = Mapping[str, Mapping[str, Evaluation]]
"""By interpretation, the default one first, the evaluations of its whole champions by name."""


def judge_numbers(audit: Audit, recorded: Recorded) -> None:
    """Put each setting of the paper beside ours, and judge each of its results."""
    found = {
        name: {one.printed.key: one for one in compare(ones)} for name, ones in recorded.items()
    }
    default = next(iter(recorded.values()))
    order = weigh_order(found)
    for key, printed in audit.printed.items():
        if printed.column in SETTINGS:
            audit.setting(key, SETTINGS[printed.column](find_experiment(printed)))
        elif printed.column == "duplicates":
            audit.setting(key, default[printed.game].duplicates, "of our evaluation")
        elif printed.column in RANKS:
            audit.setting(key, RANKS[printed.column], "nine agents have nine ranks")
        else:
            ours = {name: by_key[key] for name, by_key in found.items()}
            known = {name: one for name, one in ours.items() if not np.isnan(one.ours)}
            if printed.column.startswith("decisions"):
                audit.number(key, format_range(known), weigh_decisions(default), fact=DECISIONS)
                continue
            finding = order if printed.column == "place" else weigh_numbers(known)
            audit.number(key, format_range(known), finding, substitutes=SUBSTITUTES, fact=AT_TABLES)


def format_range(known: Mapping[str, ComparedNumber]) -> str:
    """Return our number by the default interpretation as text, and its range over all."""
    first, *others = known.values()
    text = format_number(first.ours, first.error)
    if others:
        values = [one.ours for one in known.values()]
        text += f" ({min(values):.4g} to {max(values):.4g})"
    return text


def weigh_numbers(known: Mapping[str, ComparedNumber]) -> Finding:
    """Return what the recorded interpretations decide about a number: which ones give it within its error."""
    return weigh_interpretations({name: measure_excess(one) <= 0 for name, one in known.items()})


def weigh_order(found: Mapping[str, Mapping[str, ComparedNumber]]) -> Finding:
    """Return what they decide about the places of Figure 6, which are one order: it must come out whole."""
    places = {name: list_places(by_key) for name, by_key in found.items()}
    whole = {name: both for name, both in places.items() if not np.isnan(both).any()}
    finding = weigh_interpretations(
        {name: bool((printed == ours).all()) for name, (printed, ours) in whole.items()}
    )
    printed, ours = next(iter(whole.values()))
    why = (
        f"{finding.why}; all ten places must agree. By the default {(printed == ours).sum()} of {printed.size} do"
        " (a random order has one such place in expectation), and Spearman's correlation of printed and our"
        f" places is {correlate(printed, ours):.2f}"
    )
    return finding._replace(why=why)


def list_places(by_key: Mapping[str, ComparedNumber]) -> np.ndarray:
    """Return the printed places of Figure 6 and ours, (2, 10)."""
    placed = [one for one in by_key.values() if one.printed.column == "place"]
    return np.array([[one.printed.value for one in placed], [one.ours for one in placed]])


def correlate(one: Sequence[float], other: Sequence[float]) -> float:
    """Return Spearman's correlation."""
    return float(stats.spearmanr(one, other).statistic)


class Orders(NamedTuple):
    """How two orders of the same champions agree.

    Attributes
    ----------
    same : int
        How many have the same place.
    correlation : float
        Spearman's correlation of the places.
    named_alike, p : float
        The correlation if the populations of an evolution, which have no order, are named as in the second order, and
        its p.
    """

    same: int
    correlation: float
    named_alike: float
    p: float


def compare_orders(ours: Mapping[str, float], theirs: Mapping[str, float]) -> Orders:
    """Return how the orders of champions by two mean ranks agree; names such as '2Pop-1' begin with the method."""
    names = [*theirs]
    places = [stats.rankdata([of[name] for name in names]) for of in (ours, theirs)]
    alike: dict[str, float] = {}
    for method in dict.fromkeys(name.split("-")[0] for name in names):
        own = [name for name in names if name.split("-")[0] == method]
        ranks = sorted(ours[name] for name in own)
        alike |= dict(zip(sorted(own, key=lambda name: theirs[name]), ranks, strict=True))
    best = stats.spearmanr([alike[name] for name in names], places[1])
    same = int((places[0] == places[1]).sum())
    return Orders(same, correlate(*places), float(best.statistic), float(best.pvalue))


def weigh_decisions(ones: Mapping[str, Evaluation]) -> Finding:
    """Return what is decided about the decisions in ten hands, by whose decisions are meant."""
    made = np.array([count_decisions_in_a_pass(one) for one in ones.values()])
    together = [10 * one.actions.sum() / max(one.hands, 1) for one in ones.values()]
    within = {
        "of one agent, the median one": np.median(made),
        "of one agent, and of each": made,
        "of all nine together": together,
    }
    return weigh_interpretations(
        {
            name: bool(np.all((np.rint(n) >= FEWEST) & (np.rint(n) <= MOST)))
            for name, n in within.items()
        }
    )


def weigh_claim(
    recorded: Recorded, needed: Sequence[str], holds: Callable[[Mapping[str, Evaluation]], bool]
) -> Finding:
    """Return what is decided about a claim on champions by every recorded interpretation that has them."""
    there = {name: holds(ones) for name, ones in recorded.items() if {*needed} <= ones.keys()}
    return weigh_interpretations(there)


def weigh_majority(more: int, fewer: int) -> tuple[bool | None, int]:
    """Return whether one side has more of some cases, None if luck explains it, and how many would have been clear."""
    cases = more + fewer
    clear = next(k for k in range(cases // 2, cases + 2) if compute_tail(k, cases) < LEVEL)
    if max(more, fewer) < clear:
        return None, clear
    return more > fewer, clear


def compute_tail(count: int, cases: int) -> float:
    """Return the two-sided probability of at least so many of some cases on one side."""
    return float(2 * stats.binom.sf(count - 1, cases, 0.5))


def measure_excess(one: ComparedNumber) -> float:
    """Return by how much ours is farther from a printed number than its rounding and our error explain."""
    near = ROUNDING.get(one.printed.unit, 0.0) + ERRORS * float(np.nan_to_num(one.error))
    apart = one.ours - one.printed.value
    if one.printed.relation == "=":
        return abs(apart) - near
    return (-apart if one.printed.relation == ">=" else apart) - near


def format_number(ours: float, error: float = np.nan) -> str:
    """Return a number as the paper prints them, with its standard error."""
    number = f"{ours:,.0f}" if ours > 999 else f"{ours:.4g}"
    return number if np.isnan(error) else f"{number} ± {error:.2g}"


def find_experiment(printed: Published) -> Config:
    """Return the paper's experiment that a number belongs to; Control where it belongs to all."""
    return CONFIGS[BASELINE if printed.game == ANY else printed.game]


def count_elites(config: Config) -> int:
    """Return how many agents of a population stay, which is how many of its hall may be replaced."""
    return round(config.elites * config.agents)


def score_action(action: int, owed: int) -> float:
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
    "score fold": lambda config: score_action(FOLD, owed=1),
    "score call": lambda config: score_action(CALL, owed=1),
    "score check": lambda config: score_action(CALL, owed=0),
    "elites": count_elites,
    "children": lambda config: config.agents - count_elites(config),
    "lowest": count_elites,
    "seats": lambda config: NUM_SEATS,
    "others": lambda config: len(PANEL),
    "static": lambda config: len(SCRIPTS),
    "dynamic": lambda config: len(OLD),
}
"""What the paper sets, by the column of the published number."""
