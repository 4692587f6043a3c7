"""Verdicts on each number that the paper prints, and on claims about its champions, by every recorded interpretation.

The paper is Nicolai & Hilderman (2009). Printed settings stand beside ours. Printed results are judged by the
evaluations of our champions. But three of the nine agents at each of these tables, OldBest, OldScratch and OldStart of
an earlier paper, are lost. Therefore no result of these tables is testable, and what comes out with our substitutes is
recorded beside the verdict.
"""

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from pokerlab.core.arrays import Floats
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
from studies.nicolai2009.champions import get_method
from studies.nicolai2009.comparison import (
    ANY,
    BASELINE,
    COUNTED_HANDS,
    ComparedNumber,
    Evaluations,
    compare_with_printed,
    count_decisions_in_ten_hands,
)

SUBSTITUTES = "our Old agents"
"""What stands in for the three lost agents at every table."""
AT_TABLES = "the numbers at tables with the lost agents"
DECISIONS = "15 to 40 decisions"
"""The names of two facts, each of which several rows of the ledger share."""
FEWEST_DECISIONS, MOST_DECISIONS = 15, 40
"""The number of betting decisions in ten hands, as the paper prints it (section III.A)."""
MOST_ERRORS = 2.6
"""The number of standard errors within which two means agree: 99% of them do, as in the paper's tests."""
LEVEL = 0.05
"""The significance level of tests whether one side has more of some cases."""
LARGEST_WITH_DECIMALS = 999
"""The largest number that is printed with four digits; larger ones are printed as whole numbers."""
ROUNDING: Mapping[str, float] = {
    "ranks": 0.005,
    "%": 0.05,
    "% (approximately)": 0.5,
    "decisions (typically)": 0.5,
}
"""By how much a printed number may be rounded, by its unit."""
Recorded = Mapping[str, Evaluations]
"""The evaluations of completed champions, by interpretation (the default one first) and then by champion."""


def judge_numbers(audit: Audit, recorded: Recorded) -> None:
    """Judge all numbers that the paper prints: put each setting beside ours, and give each result a verdict.

    Parameters
    ----------
    audit : Audit
        The audit, to which the verdicts are added.
    recorded : mapping of str to mapping of str to Evaluation
        The evaluations by interpretation, the default one first, and by champion.
    """
    compared = {
        interpretation: {number.printed.key: number for number in compare_with_printed(evaluations)}
        for interpretation, evaluations in recorded.items()
    }
    default_evaluations = next(iter(recorded.values()))
    order_finding = weigh_order(compared)

    for key, printed in audit.printed.items():
        if printed.column in SETTINGS:
            audit.judge_setting(key, SETTINGS[printed.column](find_experiment(printed)))
        elif printed.column == "duplicates":
            duplicates = default_evaluations[printed.game].duplicates
            audit.judge_setting(key, duplicates, "of our evaluation")
        elif printed.column in RANKS:
            audit.judge_setting(key, RANKS[printed.column], "nine agents have nine ranks")
        else:
            known = select_known(compared, key)
            text = format_range(known)
            if printed.column.startswith("decisions"):
                audit.judge_number(key, text, weigh_decisions(default_evaluations), fact=DECISIONS)
            else:
                finding = order_finding if printed.column == "place" else weigh_numbers(known)
                audit.judge_number(key, text, finding, substitutes=SUBSTITUTES, fact=AT_TABLES)


def select_known(
    compared: Mapping[str, Mapping[str, ComparedNumber]], key: str
) -> dict[str, ComparedNumber]:
    """Return one compared number by each interpretation that has it: whose champions were evaluated.

    Parameters
    ----------
    compared : mapping of str to mapping of str to ComparedNumber
        All compared numbers, by interpretation and by key.
    key : str
        The key of the number in `data/published`.
    """
    numbers = {interpretation: by_key[key] for interpretation, by_key in compared.items()}
    return {name: number for name, number in numbers.items() if not np.isnan(number.ours)}


def format_range(known: Mapping[str, ComparedNumber]) -> str:
    """Return our number by the default interpretation as text, and its range if there are other interpretations.

    Parameters
    ----------
    known : mapping of str to ComparedNumber
        The number by interpretation, the default one first.
    """
    default, *others = known.values()
    text = format_number(default.ours, default.error)
    if others:
        values = [number.ours for number in known.values()]
        text += f" ({min(values):.4g} to {max(values):.4g})"
    return text


def weigh_numbers(known: Mapping[str, ComparedNumber]) -> Finding:
    """Return what the interpretations decide about a printed number: each confirms it if it agrees within its error.

    Parameters
    ----------
    known : mapping of str to ComparedNumber
        The number by interpretation, the default one first.
    """
    return weigh_interpretations(
        {interpretation: measure_excess(number) <= 0 for interpretation, number in known.items()}
    )


def weigh_order(compared: Mapping[str, Mapping[str, ComparedNumber]]) -> Finding:
    """Return what the interpretations decide about Figure 6, the order of ten champions.

    Its ten places are one order. Therefore an interpretation confirms it only if all ten places agree. Interpretations
    in which a champion has no place are left out.

    Parameters
    ----------
    compared : mapping of str to mapping of str to ComparedNumber
        The compared numbers by interpretation, the default one first, and by key.
    """
    places = {interpretation: list_places(by_key) for interpretation, by_key in compared.items()}
    complete = {name: both for name, both in places.items() if not np.isnan(both).any()}
    finding = weigh_interpretations(
        {name: bool((printed == ours).all()) for name, (printed, ours) in complete.items()}
    )

    printed, ours = next(iter(complete.values()))
    why = (
        f"{finding.why}; all ten places must agree. By the default {(printed == ours).sum()} of {printed.size} do"
        " (a random order has one such place in expectation), and Spearman's correlation of printed and our"
        f" places is {correlate_ranks(printed, ours):.2f}"
    )
    return finding._replace(why=why)


def list_places(by_key: Mapping[str, ComparedNumber]) -> Floats:
    """Return the printed places of Figure 6 in the first row and ours in the second, shape (2, 10).

    `by_key` has the compared numbers of one interpretation. Ours are NaN if a champion was not evaluated.
    """
    numbers = [number for number in by_key.values() if number.printed.column == "place"]
    printed = [number.printed.value for number in numbers]
    ours = [number.ours for number in numbers]
    return np.array([printed, ours])


def correlate_ranks(first: Sequence[float], second: Sequence[float]) -> float:
    """Return Spearman's rank correlation of two sequences of the same length."""
    return float(stats.spearmanr(first, second).statistic)


class OrderAgreement(NamedTuple):
    """How two orders of the same champions agree.

    Attributes
    ----------
    num_same : int
        The number of champions that have the same place in both.
    correlation : float
        Spearman's correlation of the places.
    best_correlation, p : float
        The same correlation, and its p-value, if the populations of each evolution are renamed so that the orders agree
        best. Such a renaming is allowed because populations have no order.
    """

    num_same: int
    correlation: float
    best_correlation: float
    p: float


def compare_orders(ours: Mapping[str, float], theirs: Mapping[str, float]) -> OrderAgreement:
    """Return how two orders of champions agree, as their mean ranks have them.

    Parameters
    ----------
    ours, theirs : mapping of str to float
        The mean ranks by champion. Names such as '2Pop-1' begin with the method. `ours` may have more champions.
    """
    names = list(theirs)
    our_places = stats.rankdata([ours[name] for name in names])
    their_places = stats.rankdata([theirs[name] for name in names])

    # Among the champions of a method, the best of ours gets the name of the best of theirs, and so on.
    renamed: dict[str, float] = {}
    for method in dict.fromkeys(get_method(name) for name in names):
        of_method = [name for name in names if get_method(name) == method]
        their_best_first = sorted(of_method, key=lambda name: theirs[name])
        our_best_first = sorted(ours[name] for name in of_method)
        renamed.update(zip(their_best_first, our_best_first, strict=True))

    best = stats.spearmanr([renamed[name] for name in names], their_places)
    return OrderAgreement(
        num_same=int((our_places == their_places).sum()),
        correlation=correlate_ranks(our_places, their_places),
        best_correlation=float(best.statistic),
        p=float(best.pvalue),
    )


def weigh_decisions(evaluations: Evaluations) -> Finding:
    """Return what is decided about the printed 15 to 40 decisions in ten hands, by whose decisions are counted.

    Three interpretations are weighed: the decisions of the median agent (the default), those of each agent, and those
    of all nine agents together.
    """
    by_agent = np.array(
        [count_decisions_in_ten_hands(evaluation) for evaluation in evaluations.values()]
    )
    together = [
        COUNTED_HANDS * evaluation.actions.sum() / max(evaluation.hands, 1)
        for evaluation in evaluations.values()
    ]
    counts = {
        "of one agent, the median one": np.median(by_agent),
        "of one agent, and of each": by_agent,
        "of all nine together": together,
    }
    return weigh_interpretations(
        {interpretation: is_decision_count(count) for interpretation, count in counts.items()}
    )


def is_decision_count(counts: ArrayLike) -> bool:
    """Return whether all counts, rounded to whole numbers, are from 15 to 40, as the paper prints."""
    rounded = np.rint(counts)
    return bool(np.all((rounded >= FEWEST_DECISIONS) & (rounded <= MOST_DECISIONS)))


def weigh_claim(
    recorded: Recorded, needed: Sequence[str], is_true: Callable[[Evaluations], bool]
) -> Finding:
    """Return what the interpretations decide about a claim on champions.

    Parameters
    ----------
    recorded : mapping of str to mapping of str to Evaluation
        The evaluations by interpretation, the default one first, and by champion.
    needed : sequence of str
        The champions that the claim is about. Interpretations that lack one of them are left out.
    is_true : callable
        The function of the evaluations by one interpretation that returns whether the claim is true.
    """
    outcomes = {}
    for interpretation, evaluations in recorded.items():
        if {*needed} <= evaluations.keys():
            outcomes[interpretation] = is_true(evaluations)
    return weigh_interpretations(outcomes)


class Majority(NamedTuple):
    """The result of a sign test.

    Attributes
    ----------
    is_more : bool or None
        Whether the first side has more cases than the second; None if chance explains the difference.
    clear : int
        The smallest number of cases on one side that chance would not explain.
    """

    is_more: bool | None
    clear: int


def weigh_majority(first: int, second: int) -> Majority:
    """Return whether one of two sides has clearly more cases than the other, by a two-sided sign test at 5%.

    Parameters
    ----------
    first, second : int
        The number of cases on each side.
    """
    cases = first + second
    # More than all cases are impossible, so the p of the last count is 0, and the search ends there at the latest.
    majorities = range(cases // 2, cases + 2)
    clear = next(count for count in majorities if compute_sign_test(count, cases) < LEVEL)
    if max(first, second) < clear:
        return Majority(None, clear)
    return Majority(first > second, clear)


def compute_sign_test(count: int, cases: int) -> float:
    """Return the two-sided p of a sign test: twice the probability of `count` or more of `cases` fair coin flips."""
    return float(2 * stats.binom.sf(count - 1, cases, 0.5))


def measure_excess(number: ComparedNumber) -> float:
    """Return by how much ours differs from a printed number beyond what rounding and our error explain.

    Zero or less means that the numbers agree. If the printed number is a bound, only a difference on the wrong side of
    it counts.
    """
    printed = number.printed
    error = float(np.nan_to_num(number.error))
    explained = ROUNDING.get(printed.unit, 0.0) + MOST_ERRORS * error
    difference = number.ours - printed.value
    if printed.relation == "=":
        return abs(difference) - explained
    if printed.relation == ">=":
        return -difference - explained
    return difference - explained


def format_number(ours: float, error: float = np.nan) -> str:
    """Return a number as text in the form of the paper's, with its standard error unless that is NaN."""
    number = f"{ours:,.0f}" if ours > LARGEST_WITH_DECIMALS else f"{ours:.4g}"
    return number if np.isnan(error) else f"{number} ± {error:.2g}"


def find_experiment(printed: Published) -> Config:
    """Return the settings of the paper's experiment that a number belongs to; Control's if it belongs to all."""
    return CONFIGS[BASELINE if printed.game == ANY else printed.game]


def count_elites(config: Config) -> int:
    """Return the number of elites in each population, which is also how many members of a hall may be replaced."""
    return round(config.elites * config.agents)


def score_action(action: int, owed: int) -> float:
    """Return the aggressiveness that our settings give to a fold or a call.

    Parameters
    ----------
    action : int
        `FOLD` or `CALL`. A call of 0 chips is a check.
    owed : int
        The number of chips that a call costs.
    """
    view = np.zeros(table_view.NUM_VIEW_WORDS, np.int64)
    view[table_view.TO_CALL] = owed
    return score_aggressiveness(view, action, Aggressiveness().scoring) / table_view.MILLIONTHS


RANKS = {"first out": NUM_SEATS, "second out": NUM_SEATS - 1, "winner": 1}
"""Our ranks of nine agents, by the column of the printed rank."""
CONFIG_COLUMNS = (
    *("hidden", "iterations", "window", "mutation", "noise_mean", "noise"),
    *("tournaments", "populations", "agents", "hall_size"),
)
"""The columns of printed settings that have the name of a setting in `Config`."""
SETTINGS: Mapping[str, Callable[[Config], float]] = {
    **{name: attrgetter(name) for name in CONFIG_COLUMNS},
    "inputs": lambda config: NUM_INPUTS,
    "outputs": lambda config: NUM_OUTPUTS,
    "entrants": lambda config: max(count_entrants(each) for each in PAPER_EXPERIMENTS.values()),
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
"""The function of an experiment that returns our setting, by the column of the printed one."""
