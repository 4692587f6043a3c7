"""Verdicts on each number that the paper prints, and on claims about its champions, by every recorded interpretation.

The paper is Nicolai & Hilderman (2009). Do its ranks, orders and counts come out again? Evaluations of our champions go
in; verdicts with reasons, rows of the audit's ledger, come out. Printed settings stand beside ours. Printed results are
judged by the evaluations of our champions. But three of the nine agents at each of these tables, OldBest, OldScratch
and OldStart of an earlier paper, are lost. Therefore no result of these tables is testable, and what comes out with our
substitutes is recorded beside the verdict.
"""

from collections.abc import Callable, Mapping, Sequence
from operator import attrgetter
from typing import NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import stats

from pokerlab.core.arrays import Floats
from pokerlab.holdem import Aggressiveness, table_view
from pokerlab.holdem.aggressiveness import score_aggressiveness
from pokerlab.holdem.hand import CALL, FOLD
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
from studies.audit import Audit, Finding, decide_verdict_by_interpretations
from studies.nicolai2009.champions import get_method_of_champion
from studies.nicolai2009.comparison import (
    ANY,
    BASELINE,
    COUNTED_HANDS,
    ComparedNumber,
    Evaluations,
    compare_with_printed_numbers,
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
SIGNIFICANCE_LEVEL = 0.05
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
EvaluationsByInterpretation = Mapping[str, Evaluations]
"""The evaluations of completed champions, by interpretation (the default one first) and then by champion."""


def judge_printed_numbers(
    audit: Audit, evaluations_by_interpretation: EvaluationsByInterpretation
) -> None:
    """Add our setting or a verdict to an audit, for each number that the paper prints.

    Printed settings are put beside ours. Printed results get a verdict. Results at tables with agents that are lost
    become 'not testable', and what comes out with our substitutes is recorded.

    Parameters
    ----------
    audit : Audit
        The audit, to which settings and verdicts are added.
    evaluations_by_interpretation : mapping of str to mapping of str to Evaluation
        The evaluations by interpretation of the paper, the default one first, and by champion, the best agent of an
        evolution.
    """
    default_evaluations = next(iter(evaluations_by_interpretation.values()))
    results = {}
    for key, printed in audit.printed.items():
        if printed.column in SETTINGS:
            our_setting = SETTINGS[printed.column](get_config_of_number(printed))
            audit.judge_setting(key, our_setting)
        elif printed.column == "duplicates":
            duplicates = default_evaluations[printed.game].duplicates
            audit.judge_setting(key, duplicates, "of our evaluation")
        elif printed.column in RANKS:
            audit.judge_setting(key, RANKS[printed.column], "nine agents have nine ranks")
        else:
            results[key] = printed
    judge_printed_results(audit, results, evaluations_by_interpretation)


def judge_printed_results(
    audit: Audit,
    results: Mapping[str, Published],
    evaluations_by_interpretation: EvaluationsByInterpretation,
) -> None:
    """Add a verdict to an audit for each result that the paper prints about its champions.

    A *champion* is the best agent of an evolution. All results but the number of decisions depend on agents that are
    lost, so they become 'not testable'.

    Parameters
    ----------
    audit : Audit
        The audit, to which the verdicts are added.
    results : mapping of str to Published
        The printed results by key.
    evaluations_by_interpretation : mapping of str to mapping of str to Evaluation
        The evaluations by interpretation of the paper, the default one first, and by champion.
    """
    compared_numbers = {}
    for interpretation, evaluations in evaluations_by_interpretation.items():
        numbers = compare_with_printed_numbers(evaluations)
        compared_numbers[interpretation] = {number.printed.key: number for number in numbers}
    default_evaluations = next(iter(evaluations_by_interpretation.values()))
    finding_on_order = decide_verdict_on_order(compared_numbers)  # of all ten places together

    for key, printed in results.items():
        number_by_interpretation = select_number_by_interpretation(compared_numbers, key)
        ours = format_number_with_range(number_by_interpretation)
        if printed.column.startswith("decisions"):
            finding = decide_verdict_on_decision_count(default_evaluations)
            audit.judge_number(key, ours, finding, fact=DECISIONS)
            continue

        if printed.column == "place":
            finding = finding_on_order
        else:
            finding = decide_verdict_on_number(number_by_interpretation)
        audit.judge_number(key, ours, finding, substitutes=SUBSTITUTES, fact=AT_TABLES)


def select_number_by_interpretation(
    compared_numbers: Mapping[str, Mapping[str, ComparedNumber]], key: str
) -> dict[str, ComparedNumber]:
    """Return one printed number beside our number by each interpretation of the paper that has one.

    Parameters
    ----------
    compared_numbers : mapping of str to mapping of str to ComparedNumber
        All printed numbers beside ours, by interpretation and by key.
    key : str
        The key of the printed number in `data/published`.

    Returns
    -------
    dict of str to ComparedNumber
        The number by interpretation. An interpretation is left out if our number is NaN, because a champion was not
        evaluated.
    """
    number_by_interpretation = {}
    for interpretation, numbers_by_key in compared_numbers.items():
        number = numbers_by_key[key]
        if not np.isnan(number.ours):
            number_by_interpretation[interpretation] = number
    return number_by_interpretation


def format_number_with_range(number_by_interpretation: Mapping[str, ComparedNumber]) -> str:
    """Return our number as text, with its standard error and its range over interpretations of the paper.

    Parameters
    ----------
    number_by_interpretation : mapping of str to ComparedNumber
        Our number by interpretation, the default one first.

    Returns
    -------
    str
        The number by the default interpretation, such as '4.32 ± 0.01'. If there are others, the smallest and the
        largest number of all follow: '4.32 ± 0.01 (4.1 to 4.9)'.
    """
    default, *others = number_by_interpretation.values()
    text = format_number(default.ours, default.error)
    if others:
        values = [number.ours for number in number_by_interpretation.values()]
        text += f" ({min(values):.4g} to {max(values):.4g})"
    return text


def decide_verdict_on_number(number_by_interpretation: Mapping[str, ComparedNumber]) -> Finding:
    """Decide whether a printed number is reproduced, from our number by each interpretation of the paper.

    An interpretation confirms the printed number if ours agrees with it within rounding and sampling error. Otherwise
    it contradicts the number. `decide_verdict_by_interpretations` has the rule for the verdict.

    Parameters
    ----------
    number_by_interpretation : mapping of str to ComparedNumber
        Our number beside the printed one, by interpretation, the default one first.

    Returns
    -------
    Finding
        The verdict with its reason.
    """
    outcomes = {
        interpretation: compute_unexplained_difference(number) <= 0
        for interpretation, number in number_by_interpretation.items()
    }
    return decide_verdict_by_interpretations(outcomes)


def decide_verdict_on_order(
    compared_numbers: Mapping[str, Mapping[str, ComparedNumber]],
) -> Finding:
    """Decide whether the order of ten champions in Figure 6 of the paper is reproduced.

    A *champion* is the best agent of an evolution. The ten places are one order, so an interpretation of the paper
    confirms it only if all ten places agree. An interpretation by which a champion was not evaluated is left out.

    Parameters
    ----------
    compared_numbers : mapping of str to mapping of str to ComparedNumber
        The printed numbers beside ours, by interpretation, the default one first, and by key.

    Returns
    -------
    Finding
        The verdict. Its reason has the number of places that agree by the default interpretation, and the correlation.
    """
    places_by_interpretation = {}
    for interpretation, numbers_by_key in compared_numbers.items():
        places = get_printed_and_own_places(numbers_by_key)
        if not np.isnan(places).any():
            places_by_interpretation[interpretation] = places

    outcomes = {}
    for interpretation, (printed, ours) in places_by_interpretation.items():
        outcomes[interpretation] = bool((printed == ours).all())
    finding = decide_verdict_by_interpretations(outcomes)

    printed, ours = next(iter(places_by_interpretation.values()))  # by the default interpretation
    num_same = (printed == ours).sum()
    why = (
        f"{finding.why}; all ten places must agree. By the default {num_same} of {printed.size} do"
        " (a random order has one such place in expectation), and Spearman's correlation of printed and our"
        f" places is {compute_rank_correlation(printed, ours):.2f}"
    )
    return finding._replace(why=why)


def get_printed_and_own_places(numbers_by_key: Mapping[str, ComparedNumber]) -> Floats:
    """Return the places of ten champions in Figure 6 of the paper, and the places that we found.

    Parameters
    ----------
    numbers_by_key : mapping of str to ComparedNumber
        All printed numbers beside ours, by one interpretation of the paper.

    Returns
    -------
    ndarray, shape (2, 10)
        The printed places (first row) and ours (second row), from 1 (best) to 10. Ours are NaN if a champion was not
        evaluated.
    """
    places = [number for number in numbers_by_key.values() if number.printed.column == "place"]
    printed = [place.printed.value for place in places]
    ours = [place.ours for place in places]
    return np.array([printed, ours])


def compute_rank_correlation(first: Sequence[float], second: Sequence[float]) -> float:
    """Return Spearman's rank correlation of two sequences of the same length."""
    return float(stats.spearmanr(first, second).statistic)


class OrderAgreement(NamedTuple):
    """How far two orders of the same champions agree.

    Attributes
    ----------
    num_same : int
        The number of champions that have the same place in both orders.
    correlation : float
        Spearman's correlation of the places.
    best_correlation, p : float
        Spearman's correlation and its p-value, after the champions of each method exchanged their names so that the
        orders agree best. They may do so, because the populations of an evolution have no order.
    """

    num_same: int
    correlation: float
    best_correlation: float
    p: float


def compare_champion_orders(
    ours: Mapping[str, float], theirs: Mapping[str, float]
) -> OrderAgreement:
    """Return how far two orders of the same champions agree, each by mean rank from the best to the worst.

    A *champion* is the best agent of an evolved population. A method with several populations has several champions.

    Parameters
    ----------
    ours, theirs : mapping of str to float
        The mean ranks by the name of the champion, such as '2Pop-1', which begins with the method. Champions that only
        `ours` has do not count.

    Returns
    -------
    OrderAgreement
        How many places agree, and the correlation of places, also after renaming.
    """
    champions = list(theirs)
    our_places = stats.rankdata([ours[champion] for champion in champions])
    their_places = stats.rankdata([theirs[champion] for champion in champions])

    our_ranks_renamed = rename_champions_to_agree(ours, theirs)
    renamed_agreement = stats.spearmanr(
        [our_ranks_renamed[champion] for champion in champions], their_places
    )
    return OrderAgreement(
        num_same=int((our_places == their_places).sum()),
        correlation=compute_rank_correlation(our_places, their_places),
        best_correlation=float(renamed_agreement.statistic),
        p=float(renamed_agreement.pvalue),
    )


def rename_champions_to_agree(
    ours: Mapping[str, float], theirs: Mapping[str, float]
) -> dict[str, float]:
    """Return our mean ranks after the champions of each method exchanged names, so that two orders agree best.

    Among the champions of a method, the best of ours gets the name of the best of theirs, and so on.

    Parameters
    ----------
    ours, theirs : mapping of str to float
        The mean ranks by the name of the champion, such as '2Pop-1', which begins with the method. Champions that only
        `ours` has are left out.

    Returns
    -------
    dict of str to float
        Our mean ranks, by the new names.
    """
    methods = dict.fromkeys(get_method_of_champion(champion) for champion in theirs)
    renamed: dict[str, float] = {}
    for method in methods:
        champions = [name for name in theirs if get_method_of_champion(name) == method]
        their_best_first = sorted(champions, key=lambda champion: theirs[champion])
        our_ranks_best_first = sorted(ours[champion] for champion in champions)
        renamed.update(zip(their_best_first, our_ranks_best_first, strict=True))
    return renamed


def decide_verdict_on_decision_count(evaluations: Evaluations) -> Finding:
    """Decide whether ten hands have 15 to 40 betting decisions, as section III.A of the paper prints.

    The paper does not say whose decisions it counts. So there are three interpretations: the decisions of the median
    agent (the default), those of each agent, and those of all nine agents of a table together.

    Parameters
    ----------
    evaluations : mapping of str to Evaluation
        The results at tables of nine agents, by the name of the champion that plays there.

    Returns
    -------
    Finding
        The verdict with its reason, by the rule of `decide_verdict_by_interpretations`.
    """
    # A row for each evaluation, a column for each of its nine agents.
    counts_of_agents = np.array(
        [count_decisions_in_ten_hands(evaluation) for evaluation in evaluations.values()]
    )
    counts_of_tables = []
    for evaluation in evaluations.values():
        num_decisions, num_hands = evaluation.actions.sum(), max(evaluation.hands, 1)
        counts_of_tables.append(COUNTED_HANDS * num_decisions / num_hands)

    counts_by_interpretation = {
        "of one agent, the median one": np.median(counts_of_agents),
        "of one agent, and of each": counts_of_agents,
        "of all nine together": counts_of_tables,
    }
    return decide_verdict_by_interpretations(
        {
            interpretation: are_decision_counts_as_printed(counts)
            for interpretation, counts in counts_by_interpretation.items()
        }
    )


def are_decision_counts_as_printed(counts: ArrayLike) -> bool:
    """Return whether all counts of decisions, rounded to whole numbers, are from 15 to 40, as the paper prints."""
    rounded = np.rint(counts)
    return bool(np.all((rounded >= FEWEST_DECISIONS) & (rounded <= MOST_DECISIONS)))


def decide_verdict_on_claim(
    evaluations_by_interpretation: EvaluationsByInterpretation,
    needed_champions: Sequence[str],
    fulfills_claim: Callable[[Evaluations], bool],
) -> Finding:
    """Decide whether a claim about champions holds, from its truth by each interpretation of the paper.

    A *champion* is the best agent of an evolved population. `decide_verdict_by_interpretations` has the rule for the
    verdict.

    Parameters
    ----------
    evaluations_by_interpretation : mapping of str to mapping of str to Evaluation
        The evaluations by interpretation, the default one first, and by champion.
    needed_champions : sequence of str
        The champions that the claim is about. An interpretation is left out if it lacks one of them.
    fulfills_claim : callable
        The function that takes the evaluations by one interpretation, and returns whether they fulfill the claim.

    Returns
    -------
    Finding
        The verdict with its reason.
    """
    outcomes = {}
    for interpretation, evaluations in evaluations_by_interpretation.items():
        has_all_champions = {*needed_champions} <= evaluations.keys()
        if has_all_champions:
            outcomes[interpretation] = fulfills_claim(evaluations)
    return decide_verdict_by_interpretations(outcomes)


class Majority(NamedTuple):
    """The result of a sign test: which of two sides has clearly more cases.

    Attributes
    ----------
    is_more : bool or None
        Whether the first side has more cases than the second; None if chance may explain the difference.
    clear : int
        The smallest number of cases on one side that chance would not explain.
    """

    is_more: bool | None
    clear: int


def decide_majority_by_sign_test(first_count: int, second_count: int) -> Majority:
    """Return which of two sides has clearly more cases than the other, by a two-sided sign test at the level of 5%.

    Parameters
    ----------
    first_count, second_count : int
        The number of cases on each side.

    Returns
    -------
    Majority
        Whether the first side has more cases (None if chance may explain the difference), and the smallest number of
        cases on one side that chance would not explain. With few cases that number may be larger than their sum.
    """
    num_cases = first_count + second_count

    # One more than all cases cannot occur and has the p-value 0. So some count in the range is always clear.
    possible_counts = range(num_cases // 2, num_cases + 2)
    clear_count = next(
        count
        for count in possible_counts
        if compute_sign_test_p_value(count, num_cases) < SIGNIFICANCE_LEVEL
    )

    if max(first_count, second_count) < clear_count:
        return Majority(None, clear_count)
    return Majority(first_count > second_count, clear_count)


def compute_sign_test_p_value(count: int, num_cases: int) -> float:
    """Return the two-sided p-value of a sign test: twice the probability of at least so many heads in fair coin flips.

    Parameters
    ----------
    count : int
        The number of cases on the larger side, which are the heads.
    num_cases : int
        The number of all cases, which are the coin flips.
    """
    return float(2 * stats.binom.sf(count - 1, num_cases, 0.5))


def compute_unexplained_difference(number: ComparedNumber) -> float:
    """Return by how much our number differs from a printed one, beyond rounding and our sampling error.

    Parameters
    ----------
    number : ComparedNumber
        The printed number beside ours with its standard error. Without a standard error only rounding is allowed for.
        If the printed number is a bound, only a difference on its wrong side counts.

    Returns
    -------
    float
        The difference in the unit of the number. Zero or less means that the numbers agree.
    """
    printed = number.printed
    error = float(np.nan_to_num(number.error))  # 0 if there is no standard error
    explained = ROUNDING.get(printed.unit, 0.0) + MOST_ERRORS * error
    difference = number.ours - printed.value

    if printed.relation == "=":
        return abs(difference) - explained
    is_lower_bound = printed.relation == ">="
    return -difference - explained if is_lower_bound else difference - explained


def format_number(ours: float, error: float = np.nan) -> str:
    """Return a number of ours as text in the form in which the paper prints numbers.

    Parameters
    ----------
    ours : float
        The number. It has four digits, or no decimals above 999.
    error : float
        The standard error, which follows after '±' unless it is NaN.
    """
    number = f"{ours:,.0f}" if ours > LARGEST_WITH_DECIMALS else f"{ours:.4g}"
    return number if np.isnan(error) else f"{number} ± {error:.2g}"


def get_config_of_number(printed: Published) -> Config:
    """Return our settings of the experiment that a printed number belongs to.

    Parameters
    ----------
    printed : Published
        The printed number. Its `game` is the name of a method, or 'any' if it belongs to all methods; then the settings
        are those of the baseline, Control.
    """
    method = BASELINE if printed.game == ANY else printed.game
    return CONFIGS[method]


def count_elites(config: Config) -> int:
    """Return the number of elites in each population, which stay unchanged in the next generation.

    It is also the largest number of members that are replaced in a hall of fame.

    Parameters
    ----------
    config : Config
        The settings of the experiment, which have the share of elites.
    """
    return round(config.elites * config.agents)


def score_fold_or_call(action: int, owed: int) -> float:
    """Return the aggressiveness score that our settings give to a fold, a check or a call.

    Parameters
    ----------
    action : int
        `FOLD` or `CALL`. A call of 0 chips is a check.
    owed : int
        The number of chips that a call costs.
    """
    # What a player sees of the table; only the cost of a call matters here.
    view = np.zeros(table_view.NUM_VIEW_WORDS, np.int64)
    view[table_view.TO_CALL] = owed
    score_in_millionths = score_aggressiveness(view, action, Aggressiveness().scoring)
    return score_in_millionths / table_view.MILLIONTHS


RANKS = {"first out": NUM_SEATS, "second out": NUM_SEATS - 1, "winner": 1}
"""Our ranks of nine agents, by the column of the printed rank."""
CONFIG_COLUMNS = (
    "hidden",
    "iterations",
    "window",
    "mutation",
    "noise_mean",
    "noise",
    "tournaments",
    "populations",
    "agents",
    "hall_size",
)
"""The columns of printed settings that have the name of a setting in `Config`."""
SETTINGS: Mapping[str, Callable[[Config], float]] = {
    **{name: attrgetter(name) for name in CONFIG_COLUMNS},
    "inputs": lambda config: NUM_INPUTS,
    "outputs": lambda config: NUM_OUTPUTS,
    "entrants": lambda config: max(map(count_entrants, PAPER_EXPERIMENTS.values())),
    "competing": count_entrants,
    "score fold": lambda config: score_fold_or_call(FOLD, owed=1),
    "score call": lambda config: score_fold_or_call(CALL, owed=1),
    "score check": lambda config: score_fold_or_call(CALL, owed=0),
    "elites": count_elites,
    "children": lambda config: config.agents - count_elites(config),
    "lowest": count_elites,
    "seats": lambda config: NUM_SEATS,
    "others": lambda config: len(PANEL),
    "static": lambda config: len(SCRIPTS),
    "dynamic": lambda config: len(OLD),
}
"""The function of an experiment that returns our setting, by the column of the printed one."""
