"""The paper's ranks beside ours: each number that Figures 1 to 6 print, with the same number of our champions.

Do our champions rank as the paper prints? Evaluations at duplicate tables go in, by champion; printed numbers beside
ours, with standard errors, come out. A *champion* is the best agent of an evolved population. At the *tables of a
champion* it plays against eight other agents.

The paper is Nicolai & Hilderman (2009); the thesis, Nicolai (2008), has the same experiments. Both compare agents of
single evolutions, one evolution for each method. The standard errors here are sampling errors of the tables at which an
agent was evaluated. How much two evolutions of one method differ is another question, for several seeds: see `methods`.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from pokerlab.core import UnknownNameError
from pokerlab.core.arrays import Floats, Ints
from pokerlab.metrics import PairedSums, apply_holm_correction
from pokerlab.papers.experiment import Published, read_published_numbers
from pokerlab.papers.nicolai2009_agents import CALL_OR_RAISE, CALLER, PANEL, RAISER, RANDOM
from studies.nicolai2009.champions import get_method_of_champion
from studies.nicolai2009.evaluation import CHAMPION, Evaluation

PAPER_FILE, THESIS_FILE = "nicolai-2009", "nicolai-2008"
"""The names of the files with the numbers that the paper and the thesis print."""
ANY, BASELINE = "any", "Control"
"""The `game` of a printed number that is about all champions, and the method that is the paper's baseline."""
CHAMPIONS = (
    BASELINE,
    "2Pop-1",
    "2Pop-2",
    "4Pop-1",
    "4Pop-2",
    "4Pop-3",
    "4Pop-4",
    "LargeHOF",
    "SmallHOF",
    "HOF2Pop-1",
    "HOF2Pop-2",
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
    """One of our numbers with its standard error, in the unit of the printed number that it is compared with.

    Attributes
    ----------
    value : float
        The number; NaN if a champion that it needs was not evaluated.
    error : float
        Its standard error over duplicate tables; NaN if it has none, such as a place in an order.
    """

    value: float
    error: float


class ComparedNumber(NamedTuple):
    """A number that the paper prints beside our own number, with the standard error of ours.

    Attributes
    ----------
    printed : Published
        The printed number.
    ours : float
        Our number; NaN if a champion that it needs was not evaluated.
    error : float
        The standard error of our number over duplicate tables; NaN if it has none.
    """

    printed: Published
    ours: float
    error: float


NOT_EVALUATED = OwnEstimate(np.nan, np.nan)
"""Our number if a champion that it needs was not evaluated."""


def compare_with_printed_numbers(evaluations: Evaluations) -> list[ComparedNumber]:
    """Return each result that the paper prints about its champions, with our own number beside it.

    Parameters
    ----------
    evaluations : mapping of str to Evaluation
        Our evaluations, by the name of the champion. If one is missing, our numbers that need it are NaN.

    Returns
    -------
    list of ComparedNumber
        The numbers in the order of the file of printed numbers. Printed settings are left out.

    Raises
    ------
    UnknownNameError
        If an evaluation is not of one of the `CHAMPIONS`.
    """
    for champion in evaluations:
        UnknownNameError.check("champion", champion, CHAMPIONS)

    compared = []
    for printed in read_published_numbers(PAPER_FILE):
        kind = printed.column.split(" ")[0]
        if kind not in ESTIMATORS:  # such as a setting
            continue

        champion = printed.game  # the champion that the number is about, or ANY
        is_evaluated = champion == ANY or champion in evaluations
        ours = NOT_EVALUATED
        if evaluations and is_evaluated:
            ours = ESTIMATORS[kind](printed, evaluations)
        compared.append(ComparedNumber(printed, ours.value, ours.error))
    return compared


def load_thesis_mean_ranks(champion: str) -> dict[str, float]:
    """Return the mean ranks of nine agents at the tables of a champion, as Nicolai's thesis (2008) prints them.

    They are the champion, which is the best agent of an evolution, and its eight opponents.

    Parameters
    ----------
    champion : str
        The name of one of the `CHAMPIONS`, such as '2Pop-1'.

    Returns
    -------
    dict of str to float
        The mean rank, from 1 (best) to 9, by agent. The champion itself is called 'champion'. Ranks were read off the
        figures of the thesis within 0.01.

    Raises
    ------
    UnknownNameError
        If there is no such champion.
    """
    agents = (*PANEL, CHAMPION_NAME)
    numbers = load_thesis_numbers(champion)
    return {agent: value for agent, value in numbers.items() if agent in agents}


def load_thesis_numbers(champion: str) -> dict[str, float]:
    """Return all numbers that Nicolai's thesis (2008) prints for a champion, the best agent of an evolution.

    Parameters
    ----------
    champion : str
        The name of one of the `CHAMPIONS`, such as '2Pop-1'.

    Returns
    -------
    dict of str to float
        Each number by the name of its column. If that is the name of an agent, the number is the agent's mean rank.

    Raises
    ------
    UnknownNameError
        If there is no such champion.
    """
    UnknownNameError.check("champion", champion, CHAMPIONS)
    numbers = read_published_numbers(THESIS_FILE)
    return {number.column: number.value for number in numbers if number.game == champion}


def load_thesis_ranks_by_fitness_measure() -> dict[str, float]:
    """Return the mean ranks of the champions that Nicolai's thesis (2008) bred by other fitness measures than the rank.

    Returns
    -------
    dict of str to float
        The mean rank of a champion, from 1 (best) to 9, by the thesis's name of the fitness measure.
    """
    numbers = read_published_numbers(THESIS_FILE)
    # In the file of the thesis, `game` is the name of a champion or else of a fitness measure.
    return {number.game: number.value for number in numbers if number.game not in CHAMPIONS}


def are_agent_ranks_similar(
    evaluations: Evaluations,
    champions: Sequence[str],
    agents: Sequence[str],
    base_champion: str,
    tolerance: float,
) -> bool:
    """Return whether agents rank similarly no matter which of several champions they play against.

    The mean rank of each agent at the tables of each champion is compared with its mean rank at the tables of a base
    champion. A *champion* is the best agent of an evolution.

    Parameters
    ----------
    evaluations : mapping of str to Evaluation
        The results at the tables of each champion, by its name.
    champions : sequence of str
        The champions whose tables are compared with those of the base champion.
    agents : sequence of str
        The agents whose mean ranks are compared.
    base_champion : str
        The champion with whose tables they are compared.
    tolerance : float
        The largest change that counts as similar, exclusive, in percent of the rank at the tables of the base champion.

    Returns
    -------
    bool
        True if no agent's rank changes by as much as the tolerance at the tables of any champion.
    """
    base_ranks = evaluations[base_champion].mean_rank
    for champion in champions:
        ranks = evaluations[champion].mean_rank
        for agent in agents:
            relative_change = abs(ranks[agent] / base_ranks[agent] - 1)
            if relative_change >= tolerance / PERCENT:
                return False
    return True


def list_champion_ranks_of_method(evaluations: Evaluations, method: str) -> list[float]:
    """Return the mean ranks of all champions of a method, which has one champion for each population.

    Parameters
    ----------
    evaluations : mapping of str to Evaluation
        The evaluations of champions, by the name of the champion.
    method : str
        The method by which the champions evolved, such as '2Pop'.

    Returns
    -------
    list of float
        The mean ranks, from 1 (best) to 9, in the order of `evaluations`.
    """
    return [
        evaluation.champion_rank
        for champion, evaluation in evaluations.items()
        if get_method_of_champion(champion) == method
    ]


def is_method_order_confirmed(evaluations: Evaluations, pairs: Sequence[tuple[str, str]]) -> bool:
    """Return whether the mean ranks of champions confirm a claimed order of methods.

    A *champion* is the best agent of an evolved population. A method is better than another if all of its champions
    have smaller mean ranks than all champions of the other.

    Parameters
    ----------
    evaluations : mapping of str to Evaluation
        The evaluations of champions, by the name of the champion.
    pairs : sequence of (str, str)
        The claimed order: in each pair, the method that is claimed to be better, and the other.
    """
    for better, worse in pairs:
        worst_of_better = max(list_champion_ranks_of_method(evaluations, better))
        best_of_worse = min(list_champion_ranks_of_method(evaluations, worse))
        if worst_of_better >= best_of_worse:
            return False
    return True


def compute_rank_distance_between_methods(
    evaluations: Evaluations, first: str, second: str
) -> float:
    """Return by how much the mean ranks of two methods differ, without the sign.

    The mean rank of a method is the mean over its champions, one for each population.

    Parameters
    ----------
    evaluations : mapping of str to Evaluation
        The evaluations of champions, by the name of the champion.
    first, second : str
        The two methods, in either order.
    """
    first_mean = np.mean(list_champion_ranks_of_method(evaluations, first))
    second_mean = np.mean(list_champion_ranks_of_method(evaluations, second))
    return float(abs(first_mean - second_mean))


def estimate_mean_rank(printed: Published, evaluations: Evaluations) -> OwnEstimate:
    """Return our mean rank of the agents that a printed number is about, with its standard error.

    Parameters
    ----------
    printed : Published
        The printed number. Its column names one or several agents, as in 'rank OldBest + OldScratch'; the ranks of
        several are averaged. Its `game` is the name of the champion at whose tables they play.
    evaluations : mapping of str to Evaluation
        Our evaluations, by the name of the champion.

    Returns
    -------
    OwnEstimate
        The mean rank, from 1 (best) to 9, with its standard error.
    """
    evaluation = evaluations[printed.game]
    indices = [find_agent_index(agent, evaluation) for agent in parse_agent_names(printed)]

    # The mean of several ranks is a weighted sum of all nine, which has a standard error.
    weights = np.zeros(len(evaluation.names))
    weights[indices] = 1.0
    weights /= weights.sum()
    return estimate_weighted_rank(evaluation, weights)


def estimate_rank_improvement(printed: Published, evaluations: Evaluations) -> OwnEstimate:
    """Return by how many percent an agent ranks better against a champion than against the paper's baseline, Control.

    Parameters
    ----------
    printed : Published
        The printed number. Its column is 'change' and the name of the agent, and its `game` the name of the champion at
        whose tables the agent plays.
    evaluations : mapping of str to Evaluation
        Our evaluations, by the name of the champion.

    Returns
    -------
    OwnEstimate
        The improvement with its standard error, in percent of the agent's mean rank at the tables of Control. A
        negative number means that the agent ranks worse. NaN if Control was not evaluated.
    """
    if BASELINE not in evaluations:
        return NOT_EVALUATED

    (agent,) = parse_agent_names(printed)
    base_rank, base_error = estimate_agent_rank(agent, evaluations[BASELINE])
    rank, error = estimate_agent_rank(agent, evaluations[printed.game])

    improvement = PERCENT * (base_rank - rank) / base_rank
    # The error of a quotient, to first order in both errors, which are independent.
    relative_error = np.hypot(error, base_error * rank / base_rank) / base_rank
    return OwnEstimate(improvement, PERCENT * float(relative_error))


def estimate_champion_lead(printed: Published, evaluations: Evaluations) -> OwnEstimate:
    """Return by how many percent a champion ranks better than another agent at the same tables.

    Parameters
    ----------
    printed : Published
        The printed number. Its column is 'lead' and the name of the other agent, and its `game` the name of the
        champion.
    evaluations : mapping of str to Evaluation
        Our evaluations, by the name of the champion.

    Returns
    -------
    OwnEstimate
        The lead with its standard error, in percent of the other agent's mean rank.
    """
    evaluation = evaluations[printed.game]
    (agent,) = parse_agent_names(printed)
    index = find_agent_index(agent, evaluation)
    own_rank = evaluation.ranks.mean[CHAMPION]
    other_rank = evaluation.ranks.mean[index]

    # The derivatives of 1 - own / other by the two ranks: the error is correct to first order in both.
    derivatives = np.zeros(len(evaluation.names))
    derivatives[CHAMPION] = -1.0 / other_rank
    derivatives[index] = own_rank / other_rank**2
    error = compute_error_of_weighted_sum(evaluation.ranks, derivatives)
    return OwnEstimate(float(PERCENT * (other_rank - own_rank) / other_rank), PERCENT * error)


def estimate_statistic_of_ranks_or_deviations(
    printed: Published, evaluations: Evaluations
) -> OwnEstimate:
    """Return our value of a statistic over agents that the paper prints, with its standard error.

    It is the smallest, largest, median or mean of the agents' mean ranks, or of the standard deviations of their ranks.

    Parameters
    ----------
    printed : Published
        The printed number. Its column is the statistic ('smallest', 'largest', 'median' or 'mean') and what it is of:
        'rank' for the mean ranks of all nine agents, 'static rank' for those of `THREE_POOREST`, 'sd' for the standard
        deviations of all nine. Its `game` is the name of the champion at whose tables they play.
    evaluations : mapping of str to Evaluation
        Our evaluations, by the name of the champion.

    Returns
    -------
    OwnEstimate
        The statistic in ranks, with its standard error.
    """
    evaluation = evaluations[printed.game]
    statistic, quantity = printed.column.split(" ", 1)
    if quantity.startswith("sd"):
        return estimate_statistic_of_deviations(evaluation, statistic)
    agents = THREE_POOREST if quantity.startswith("static") else evaluation.names
    return estimate_statistic_of_ranks(evaluation, statistic, agents)


def estimate_statistic_of_ranks(
    evaluation: Evaluation, statistic: str, agents: Sequence[str]
) -> OwnEstimate:
    """Return the smallest, largest, median or mean of several agents' mean ranks, with its standard error.

    Parameters
    ----------
    evaluation : Evaluation
        The results at the tables of a champion.
    statistic : str
        'smallest', 'largest', 'median' or 'mean'. The standard error of the first two is that of the agent whose rank
        it is. A median is treated in the same way, or as the mean of two ranks.
    agents : sequence of str
        The names of the agents.

    Returns
    -------
    OwnEstimate
        The statistic in ranks, from 1 (best) to 9, with its standard error.
    """
    indices = [evaluation.names.index(agent) for agent in agents]
    weights = np.zeros(len(evaluation.names))
    weights[indices] = compute_weights_of_statistic(statistic, evaluation.ranks.mean[indices])
    return estimate_weighted_rank(evaluation, weights)


def estimate_statistic_of_deviations(evaluation: Evaluation, statistic: str) -> OwnEstimate:
    """Return the smallest, largest, median or mean of the standard deviations of nine agents' ranks, with its error.

    The standard deviation of an agent's rank is over duplicate tables, each of which gives the agent's mean rank in
    nine tournaments.

    Parameters
    ----------
    evaluation : Evaluation
        The results at the tables of a champion.
    statistic : str
        'smallest', 'largest', 'median' or 'mean'.

    Returns
    -------
    OwnEstimate
        The statistic in ranks, with its standard error.
    """
    deviations = evaluation.ranks.standard_deviation
    weights = compute_weights_of_statistic(statistic, deviations)
    deviation = float(weights @ deviations)
    return OwnEstimate(
        deviation, compute_error_of_standard_deviation(deviation, evaluation.ranks.count)
    )


def estimate_relative_rank_deviation(printed: Published, evaluations: Evaluations) -> OwnEstimate:
    """Return the median standard deviation of nine agents' ranks, in percent of the mean rank, with its error.

    The mean rank of all nine agents is 5 at all tables.

    Parameters
    ----------
    printed : Published
        The printed number. Its `game` is the name of the champion at whose tables they play.
    evaluations : mapping of str to Evaluation
        Our evaluations, by the name of the champion.

    Returns
    -------
    OwnEstimate
        The median in percent, with its standard error.
    """
    evaluation = evaluations[printed.game]
    deviation, error = estimate_statistic_of_deviations(evaluation, "median")
    percent_per_rank = PERCENT / float(evaluation.ranks.mean.mean())
    return OwnEstimate(percent_per_rank * deviation, percent_per_rank * error)


def estimate_median_decision_count(printed: Published, evaluations: Evaluations) -> OwnEstimate:
    """Return how many betting decisions an agent makes in ten of its hands, as the median over all agents.

    Parameters
    ----------
    printed : Published
        The number that the paper prints. It is not used, because there is only one such number.
    evaluations : mapping of str to Evaluation
        Our evaluations, by the name of the champion. The median is over all nine agents of each.

    Returns
    -------
    OwnEstimate
        The number of decisions, with NaN as its error.
    """
    counts = [count_decisions_in_ten_hands(evaluation) for evaluation in evaluations.values()]
    return OwnEstimate(float(np.median(np.concatenate(counts))), np.nan)


def count_decisions_in_ten_hands(evaluation: Evaluation) -> Floats:
    """Return the mean number of betting decisions that each agent makes in ten of its hands, shape (9,).

    Parameters
    ----------
    evaluation : Evaluation
        The results of nine agents. The order of the agents is that of its names.
    """
    decisions = evaluation.actions.sum(axis=(1, 2))  # over streets and kinds of action
    hands_dealt = np.maximum(evaluation.hands_dealt, 1)  # no division by zero
    in_ten_hands: Floats = COUNTED_HANDS * decisions / hands_dealt
    return in_ten_hands


def estimate_champion_place(printed: Published, evaluations: Evaluations) -> OwnEstimate:
    """Return the place of a champion in the order of our mean ranks, from 1 (best) to 10.

    The order is of the ten champions that Figure 6 of the paper orders. The paper gives no place to SmallHOF, the
    eleventh of the `CHAMPIONS`, so SmallHOF is left out here, too.

    Parameters
    ----------
    printed : Published
        The place that the paper prints. Only its `game` is used, which is the name of the champion.
    evaluations : mapping of str to Evaluation
        Our evaluations, by the name of the champion.

    Returns
    -------
    OwnEstimate
        The place, with NaN as its error, because no error of a place is computed. Both are NaN unless all eleven
        champions were evaluated.
    """
    if len(evaluations) < len(CHAMPIONS):
        return NOT_EVALUATED

    ordered_champions = [
        number.game for number in read_published_numbers(PAPER_FILE) if number.column == "place"
    ]
    own_rank = evaluations[printed.game].champion_rank
    num_ahead = sum(
        evaluations[champion].champion_rank < own_rank for champion in ordered_champions
    )
    return OwnEstimate(1.0 + num_ahead, np.nan)


def compute_largest_p_value(printed: Published, evaluations: Evaluations) -> OwnEstimate:
    """Return the largest p-value of the t-tests between any two agents at the same tables, for all champions.

    P-values are corrected by Holm's method for all tests together.

    Parameters
    ----------
    printed : Published
        The p-value that the paper prints. It is not used, because there is only one such number.
    evaluations : mapping of str to Evaluation
        Our evaluations, by the name of the champion.

    Returns
    -------
    OwnEstimate
        The p-value, with NaN as its error. Both are NaN unless all eleven champions were evaluated.
    """
    if len(evaluations) < len(CHAMPIONS):
        return NOT_EVALUATED
    p = np.concatenate([evaluation.compute_t_tests().p for evaluation in evaluations.values()])
    return OwnEstimate(float(apply_holm_correction(p).max()), np.nan)


def parse_agent_names(printed: Published) -> Sequence[str]:
    """Return the names of the agents in the column of a printed number.

    Parameters
    ----------
    printed : Published
        The printed number. The first word of its column says what is measured, and names follow: 'rank OldBest +
        OldScratch' has two of them.
    """
    _, agents = printed.column.split(" ", 1)
    return agents.split(" + ")


def find_agent_index(agent: str, evaluation: Evaluation) -> int:
    """Return the index of an agent in the arrays of an evaluation.

    Parameters
    ----------
    agent : str
        The name of the agent, or 'champion' for the champion, whose own name need not be known.
    evaluation : Evaluation
        The results of nine agents.

    Raises
    ------
    ValueError
        If the agent does not play at these tables.
    """
    return CHAMPION if agent == CHAMPION_NAME else evaluation.names.index(agent)


def estimate_agent_rank(agent: str, evaluation: Evaluation) -> OwnEstimate:
    """Return the mean rank of an agent with its standard error.

    Parameters
    ----------
    agent : str
        The name of the agent, or 'champion' for the champion.
    evaluation : Evaluation
        The results of nine agents, one of which it is.

    Returns
    -------
    OwnEstimate
        The mean rank, from 1 (best) to 9, with its standard error.
    """
    index = find_agent_index(agent, evaluation)
    ranks = evaluation.ranks
    return OwnEstimate(float(ranks.mean[index]), float(ranks.standard_error[index]))


def estimate_weighted_rank(evaluation: Evaluation, weights: Floats) -> OwnEstimate:
    """Return a weighted sum of the mean ranks of nine agents, with its standard error.

    Parameters
    ----------
    evaluation : Evaluation
        The results of the agents.
    weights : ndarray, shape (9,)
        The weight of each agent's mean rank.

    Returns
    -------
    OwnEstimate
        The weighted sum, with its standard error.
    """
    value = float(weights @ evaluation.ranks.mean)
    return OwnEstimate(value, compute_error_of_weighted_sum(evaluation.ranks, weights))


def compute_weights_of_statistic(statistic: str, values: Floats) -> Floats:
    """Return the weights with which a weighted sum of n values equals a statistic of these values.

    For the smallest of the values, for example, its weight is 1 and all others are 0.

    Parameters
    ----------
    statistic : str
        'smallest', 'largest', 'median' or 'mean'.
    values : ndarray, shape (n,)
        The values. For an even n the median is the mean of the two middle values, each of which has the weight 1/2.

    Returns
    -------
    ndarray, shape (n,)
        The weight of each value. Weights sum to 1.
    """
    sorted_indices = np.argsort(values)
    weights = np.zeros(len(values))
    weights[select_indices_of_statistic(statistic, sorted_indices)] = 1.0
    weights /= weights.sum()
    return weights


def select_indices_of_statistic(statistic: str, sorted_indices: Ints) -> Ints:
    """Return the indices of the values that determine a statistic, which is their mean.

    These are one index for the smallest or largest value, one or two for a median, and all for a mean.

    Parameters
    ----------
    statistic : str
        'smallest', 'largest', 'median' or 'mean'.
    sorted_indices : ndarray of int, shape (n,)
        The indices of the n values, sorted from the smallest value to the largest.

    Returns
    -------
    ndarray of int, shape (k,)
        The indices of these k values, in the order of the values.
    """
    if statistic == "smallest":
        return sorted_indices[:1]
    if statistic == "largest":
        return sorted_indices[-1:]
    if statistic == "median":
        # As many values are left out at each end. For an odd n one value remains, for an even n two.
        num_left_out = (len(sorted_indices) - 1) // 2
        return sorted_indices[num_left_out : len(sorted_indices) - num_left_out]
    return sorted_indices


def compute_error_of_weighted_sum(sums: PairedSums, weights: Floats) -> float:
    """Return the standard error of a weighted sum of the means of n players, whose trials are paired.

    Parameters
    ----------
    sums : PairedSums
        The sum of each player's values over trials, and for each two players the sum of the products of their values in
        the same trial. The values are whole numbers, in units of 1 / `sums.parts`.
    weights : ndarray, shape (n,)
        The weight of each player's mean.

    Returns
    -------
    float
        The standard error; NaN for fewer than two trials.
    """
    if sums.count < 2:
        return np.nan

    # The unbiased covariance of two players' values x and y over T trials is (T sum xy - sum x sum y) / (T (T - 1)).
    numerators = sums.count * sums.products - np.outer(sums.sums, sums.sums)
    covariance = numerators / (sums.count * (sums.count - 1) * sums.parts**2)
    variance_of_sum = weights @ covariance @ weights
    return float(np.sqrt(variance_of_sum / sums.count))


def compute_error_of_standard_deviation(deviation: float, count: int) -> float:
    """Return the standard error of a standard deviation, for normally distributed values.

    Parameters
    ----------
    deviation : float
        The standard deviation.
    count : int
        The number of values from which it was computed.

    Returns
    -------
    float
        The standard error; NaN for fewer than two values.
    """
    if count < 2:
        return np.nan
    return float(deviation / np.sqrt(2.0 * (count - 1)))


ESTIMATORS: Mapping[str, Callable[[Published, Evaluations], OwnEstimate]] = {
    "rank": estimate_mean_rank,
    "change": estimate_rank_improvement,
    "lead": estimate_champion_lead,
    "sd": estimate_relative_rank_deviation,
    "place": estimate_champion_place,
    "p": compute_largest_p_value,
    "decisions": estimate_median_decision_count,
    "smallest": estimate_statistic_of_ranks_or_deviations,
    "largest": estimate_statistic_of_ranks_or_deviations,
    "median": estimate_statistic_of_ranks_or_deviations,
    "mean": estimate_statistic_of_ranks_or_deviations,
}
"""The function that estimates our number, by the first word of the column of the printed one."""
