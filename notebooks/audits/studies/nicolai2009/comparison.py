"""The paper's ranks beside ours: each number that Figures 1 to 6 print, with the same number of our champions.

The paper is Nicolai & Hilderman (2009); the thesis, Nicolai (2008), has the same experiments. Both compare agents of
single evolutions, one evolution for each method. The standard errors here are sampling errors of the tables at which
an agent was evaluated. How much two evolutions of one method differ is another question, for several seeds: see
`methods`.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from pokerlab.core import UnknownNameError
from pokerlab.core.arrays import Floats, Ints
from pokerlab.metrics import PairedSums, apply_holm_correction
from pokerlab.papers.experiment import Published, read_published_numbers
from pokerlab.papers.nicolai2009_agents import CALL_OR_RAISE, CALLER, PANEL, RAISER, RANDOM
from studies.nicolai2009.champions import get_method
from studies.nicolai2009.evaluation import CHAMPION, Evaluation

PAPER, THESIS = "nicolai-2009", "nicolai-2008"
"""The names of the files with the numbers that the paper and the thesis print."""
ANY, BASELINE = "any", "Control"
"""What a printed number belongs to if it belongs to all champions; and the paper's baseline."""
CHAMPIONS = (
    *(BASELINE, "2Pop-1", "2Pop-2", "4Pop-1", "4Pop-2", "4Pop-3", "4Pop-4"),
    *("LargeHOF", "SmallHOF", "HOF2Pop-1", "HOF2Pop-2"),
)
"""The eleven champions that the paper evaluates."""
POOREST = (RANDOM, RAISER, CALLER, CALL_OR_RAISE)
"""The four scripted agents of which the paper says that they perform poorest."""
THREE_POOREST = (RAISER, CALLER, CALL_OR_RAISE)
"""The three scripted agents whose extremes and mean the paper prints.

The paper names Random, too. But in the thesis the three numbers are those of the other agents, and Random ranks better.
"""
CHAMPION_NAME = "champion"
"""What printed numbers and ours call the champion itself, among the nine agents of its evaluation."""
PERCENT = 100.0
COUNTED_HANDS = 10
"""The number of hands in which decisions are counted, as in section III.A."""

Evaluations = Mapping[str, Evaluation]
"""Evaluations of champions, by the name of the champion."""


class OwnEstimate(NamedTuple):
    """One of our numbers, in the unit of the printed one.

    Attributes
    ----------
    value : float
        The number; NaN if a champion was not evaluated.
    error : float
        Its standard error; NaN if it has none, as a place in an order.
    """

    value: float
    error: float


class ComparedNumber(NamedTuple):
    """A printed number beside ours.

    Attributes
    ----------
    printed : Published
        The printed number.
    ours : float
        Our number; NaN if a champion was not evaluated.
    error : float
        The standard error of ours over duplicate tables; NaN if it has none.
    """

    printed: Published
    ours: float
    error: float


NOT_EVALUATED = OwnEstimate(np.nan, np.nan)


def compare_with_printed(evaluations: Evaluations) -> list[ComparedNumber]:
    """Return each number that the paper prints of its evaluations, with ours beside it.

    Raises
    ------
    UnknownNameError
        If an evaluation is not of one of the `CHAMPIONS`.
    """
    for champion in evaluations:
        UnknownNameError.check("champion", champion, CHAMPIONS)

    compared = []
    for printed in read_published_numbers(PAPER):
        kind = printed.column.split(" ")[0]
        if kind not in ESTIMATORS:  # such as a setting
            continue
        ours = NOT_EVALUATED
        if evaluations and (printed.game == ANY or printed.game in evaluations):
            ours = ESTIMATORS[kind](printed, evaluations)
        compared.append(ComparedNumber(printed, ours.value, ours.error))
    return compared


def load_thesis_ranks(champion: str) -> dict[str, float]:
    """Return the mean rank of each of the nine agents at the tables of a champion, as the thesis prints them.

    The ranks were read off the figures of the thesis within 0.01. They are by agent, and the champion itself is called
    'champion'.
    """
    agents = (*PANEL, CHAMPION_NAME)
    return {agent: value for agent, value in load_thesis_row(champion).items() if agent in agents}


def load_thesis_row(champion: str) -> dict[str, float]:
    """Return all numbers that the thesis prints for a champion, by column.

    UnknownNameError is raised if the champion is none of the `CHAMPIONS`.
    """
    UnknownNameError.check("champion", champion, CHAMPIONS)
    numbers = read_published_numbers(THESIS)
    return {number.column: number.value for number in numbers if number.game == champion}


def load_thesis_ranks_by_fitness() -> dict[str, float]:
    """Return the mean ranks of champions that the thesis bred by other measures, by its names of the measures."""
    numbers = read_published_numbers(THESIS)
    return {number.game: number.value for number in numbers if number.game not in CHAMPIONS}


def has_similar_ranks(
    evaluations: Evaluations,
    champions: Sequence[str],
    agents: Sequence[str],
    base: str,
    tolerance: float,
) -> bool:
    """Return whether agents rank against each of several champions as they rank against another champion.

    Parameters
    ----------
    evaluations : mapping of str to Evaluation
        By champion.
    champions : sequence of str
        The champions at whose tables the agents are compared.
    agents : sequence of str
        The agents whose mean ranks are compared.
    base : str
        The champion whose tables they are compared with.
    tolerance : float
        The percentage of the mean rank at the tables of `base` below which a difference counts as similar.
    """
    base_ranks = evaluations[base].mean_rank
    for champion in champions:
        ranks = evaluations[champion].mean_rank
        for agent in agents:
            relative_change = abs(ranks[agent] / base_ranks[agent] - 1)
            if relative_change >= tolerance / PERCENT:
                return False
    return True


def list_champion_ranks(evaluations: Evaluations, method: str) -> list[float]:
    """Return the mean ranks of all champions of a method, one for each population."""
    return [
        evaluation.champion_rank
        for champion, evaluation in evaluations.items()
        if get_method(champion) == method
    ]


def is_order_confirmed(evaluations: Evaluations, pairs: Sequence[tuple[str, str]]) -> bool:
    """Return whether methods have the claimed order, in every pair of a better and a worse method.

    A method is better than another if all of its champions have better ranks than all champions of the other.
    """
    return all(
        max(list_champion_ranks(evaluations, better)) < min(list_champion_ranks(evaluations, worse))
        for better, worse in pairs
    )


def measure_distance_between_methods(evaluations: Evaluations, first: str, second: str) -> float:
    """Return the absolute difference between the mean ranks of two methods, each the mean over its champions."""
    first_mean = np.mean(list_champion_ranks(evaluations, first))
    second_mean = np.mean(list_champion_ranks(evaluations, second))
    return float(abs(first_mean - second_mean))


def estimate_mean_rank(printed: Published, evaluations: Evaluations) -> OwnEstimate:
    """Return the mean rank of an agent, or the average over several agents, with its standard error.

    The column is 'rank' and the names of the agents, such as 'rank OldBest + OldScratch'.
    """
    evaluation = evaluations[printed.game]
    indices = [find_agent_index(agent, evaluation) for agent in parse_agents(printed)]

    weights = np.zeros(len(evaluation.names))
    weights[indices] = 1.0
    weights /= weights.sum()
    return estimate_weighted_rank(evaluation, weights)


def estimate_improvement(printed: Published, evaluations: Evaluations) -> OwnEstimate:
    """Return by how many percent of its rank in the baseline's evaluation an agent ranks better in another one.

    The column is 'change' and the name of the agent. A negative number means that the agent ranks worse.
    """
    if BASELINE not in evaluations:
        return NOT_EVALUATED

    (agent,) = parse_agents(printed)
    before, error_before = estimate_agent_rank(agent, evaluations[BASELINE])
    now, error_now = estimate_agent_rank(agent, evaluations[printed.game])

    improvement = PERCENT * (before - now) / before
    # Two evaluations are independent; to first order in both errors.
    relative_error = np.hypot(error_now, error_before * now / before) / before
    return OwnEstimate(improvement, PERCENT * float(relative_error))


def estimate_lead(printed: Published, evaluations: Evaluations) -> OwnEstimate:
    """Return by how many percent of another agent's rank the champion ranks better, at the same tables.

    The column is 'lead' and the name of the other agent.
    """
    evaluation = evaluations[printed.game]
    (agent,) = parse_agents(printed)
    index = find_agent_index(agent, evaluation)
    own_rank = evaluation.ranks.mean[CHAMPION]
    other_rank = evaluation.ranks.mean[index]

    # The derivatives of 1 - own / other by the two ranks: the error is correct to first order in both.
    derivatives = np.zeros(len(evaluation.names))
    derivatives[CHAMPION] = -1.0 / other_rank
    derivatives[index] = own_rank / other_rank**2
    error = compute_standard_error(evaluation.ranks, derivatives)
    return OwnEstimate(float(PERCENT * (other_rank - own_rank) / other_rank), PERCENT * error)


def estimate_summary(printed: Published, evaluations: Evaluations) -> OwnEstimate:
    """Return a statistic of the ranks, or of the standard deviations, of the agents in an evaluation, with its error.

    The column is the statistic ('smallest', 'largest', 'median' or 'mean') and a group: 'rank' for the mean ranks of
    all nine agents, 'static rank' for those of `THREE_POOREST`, 'sd' for the standard deviations of all nine.
    """
    evaluation = evaluations[printed.game]
    statistic, group = printed.column.split(" ", 1)
    if group.startswith("sd"):
        return summarize_deviations(evaluation, statistic)
    agents = THREE_POOREST if group.startswith("static") else evaluation.names
    return summarize_ranks(evaluation, statistic, agents)


def summarize_ranks(evaluation: Evaluation, statistic: str, agents: Sequence[str]) -> OwnEstimate:
    """Return a statistic of the mean ranks of some agents, with its standard error.

    The standard error of an extreme or a median is that of the agent whose rank it is.
    """
    indices = [evaluation.names.index(agent) for agent in agents]
    weights = np.zeros(len(evaluation.names))
    weights[indices] = compute_summary_weights(statistic, evaluation.ranks.mean[indices])
    return estimate_weighted_rank(evaluation, weights)


def summarize_deviations(evaluation: Evaluation, statistic: str) -> OwnEstimate:
    """Return a statistic of the standard deviations of ranks over duplicate tables, of all nine, with its error."""
    deviations = evaluation.ranks.standard_deviation
    weights = compute_summary_weights(statistic, deviations)
    deviation = float(weights @ deviations)
    return OwnEstimate(deviation, compute_error_of_deviation(deviation, evaluation.ranks.count))


def estimate_relative_deviation(printed: Published, evaluations: Evaluations) -> OwnEstimate:
    """Return the median standard deviation of ranks in percent of the mean rank of all nine, with its error.

    The mean rank of all nine is 5 in every evaluation.
    """
    evaluation = evaluations[printed.game]
    deviation, error = summarize_deviations(evaluation, "median")
    percent_per_rank = PERCENT / float(evaluation.ranks.mean.mean())
    return OwnEstimate(percent_per_rank * deviation, percent_per_rank * error)


def estimate_median_decisions(printed: Published, evaluations: Evaluations) -> OwnEstimate:
    """Return how many decisions the median agent of all evaluations makes in ten hands; it has no error.

    The same number is returned for every `printed` number.
    """
    counts = [count_decisions_in_ten_hands(evaluation) for evaluation in evaluations.values()]
    return OwnEstimate(float(np.median(np.concatenate(counts))), np.nan)


def count_decisions_in_ten_hands(evaluation: Evaluation) -> Floats:
    """Return the mean number of decisions that each agent makes in ten of its hands, shape (9,)."""
    decisions = evaluation.actions.sum(axis=(1, 2))
    in_ten_hands: Floats = COUNTED_HANDS * decisions / np.maximum(evaluation.hands_dealt, 1)
    return in_ten_hands


def find_place(printed: Published, evaluations: Evaluations) -> OwnEstimate:
    """Return the place of a champion, 1 to 10, in the order of the ten champions of Figure 6; it has no error.

    NaN if any of the eleven champions was not evaluated.
    """
    if len(evaluations) < len(CHAMPIONS):
        return NOT_EVALUATED
    ordered = [number.game for number in read_published_numbers(PAPER) if number.column == "place"]
    own_rank = evaluations[printed.game].champion_rank
    num_ahead = sum(evaluations[champion].champion_rank < own_rank for champion in ordered)
    return OwnEstimate(1.0 + num_ahead, np.nan)


def find_largest_p(printed: Published, evaluations: Evaluations) -> OwnEstimate:
    """Return the largest p of the t-tests of any two agents in the eleven evaluations, by Holm's correction over all.

    NaN if any of the eleven champions was not evaluated. The same number is returned for every `printed` number.
    """
    if len(evaluations) < len(CHAMPIONS):
        return NOT_EVALUATED
    p = np.concatenate([evaluation.compute_t_tests().p for evaluation in evaluations.values()])
    return OwnEstimate(float(apply_holm_correction(p).max()), np.nan)


def parse_agents(printed: Published) -> Sequence[str]:
    """Return the agents in the column of a printed number: those of 'rank OldBest + OldScratch' are two."""
    _, agents = printed.column.split(" ", 1)
    return agents.split(" + ")


def find_agent_index(agent: str, evaluation: Evaluation) -> int:
    """Return the index of an agent, or of 'champion', in the arrays of an evaluation."""
    return CHAMPION if agent == CHAMPION_NAME else evaluation.names.index(agent)


def estimate_agent_rank(agent: str, evaluation: Evaluation) -> OwnEstimate:
    """Return the mean rank of an agent, or of 'champion', with its standard error."""
    index = find_agent_index(agent, evaluation)
    ranks = evaluation.ranks
    return OwnEstimate(float(ranks.mean[index]), float(ranks.standard_error[index]))


def estimate_weighted_rank(evaluation: Evaluation, weights: Floats) -> OwnEstimate:
    """Return the sum of the mean ranks of the nine agents times their weights, shape (9,), with its standard error."""
    value = float(weights @ evaluation.ranks.mean)
    return OwnEstimate(value, compute_standard_error(evaluation.ranks, weights))


def compute_summary_weights(statistic: str, values: Floats) -> Floats:
    """Return the weights with which n values sum to a statistic of them, shape (n,).

    Parameters
    ----------
    statistic : str
        'smallest', 'largest', 'median' or 'mean'.
    values : ndarray, shape (n,)
        The values. For an even n the median has two values with the weight 1/2.
    """
    order = np.argsort(values)
    weights = np.zeros(len(values))
    weights[select_by_statistic(statistic, order)] = 1.0
    weights /= weights.sum()
    return weights


def select_by_statistic(statistic: str, order: Ints) -> Ints:
    """Return the indices of the values of which a statistic is the mean.

    Parameters
    ----------
    statistic : str
        'smallest', 'largest', 'median' or 'mean'.
    order : ndarray of int, shape (n,)
        The indices of n values, from the smallest value to the largest.
    """
    if statistic == "smallest":
        return order[:1]
    if statistic == "largest":
        return order[-1:]
    if statistic == "median":
        num_below = (len(order) - 1) // 2
        return order[num_below : len(order) - num_below]
    return order


def compute_standard_error(sums: PairedSums, weights: Floats) -> float:
    """Return the standard error of a weighted sum of the means of n players; NaN for fewer than two trials.

    Parameters
    ----------
    sums : PairedSums
        The sums over trials.
    weights : ndarray, shape (n,)
        The weight of each mean.
    """
    if sums.count < 2:
        return np.nan
    squares = sums.count * sums.products - np.outer(sums.sums, sums.sums)
    covariance = squares / (sums.count * (sums.count - 1) * sums.parts**2)
    return float(np.sqrt(weights @ covariance @ weights / sums.count))


def compute_error_of_deviation(deviation: float, count: int) -> float:
    """Return the standard error of a standard deviation over `count` trials, as if the numbers were normal.

    NaN for fewer than two trials.
    """
    return deviation / np.sqrt(2.0 * (count - 1)) if count > 1 else np.nan


ESTIMATORS: Mapping[str, Callable[[Published, Evaluations], OwnEstimate]] = {
    "rank": estimate_mean_rank,
    "change": estimate_improvement,
    "lead": estimate_lead,
    "sd": estimate_relative_deviation,
    "place": find_place,
    "p": find_largest_p,
    "decisions": estimate_median_decisions,
    "smallest": estimate_summary,
    "largest": estimate_summary,
    "median": estimate_summary,
    "mean": estimate_summary,
}
"""The function that estimates our number, by the first word of the column of the printed one."""
