"""The paper's ranks beside ours: each printed number of Figures 1 to 6 with what our champions reach.

The paper compares agents of single runs, one for each name. Ranks have sampling errors only, so how
far two runs of one method differ is another question, for several seeds.
"""

from collections.abc import Callable, Mapping, Sequence
from typing import NamedTuple

import numpy as np

from pokerlab.core import UnknownNameError
from pokerlab.core.arrays import Floats
from pokerlab.metrics import PairedSums, apply_holm_correction
from pokerlab.papers.experiment import Published, read_published_numbers
from pokerlab.papers.nicolai2009_agents import CALL_OR_RAISE, CALLER, PANEL, RAISER, RANDOM
from studies.nicolai2009.evaluation import Evaluation

PAPER, THESIS = "nicolai-2009", "nicolai-2008"
"""The paper, and G. Nicolai's thesis about the same experiments."""
ANY, BASELINE = "any", "Control"
CHAMPIONS = (
    *(BASELINE, "2Pop-1", "2Pop-2", "4Pop-1", "4Pop-2", "4Pop-3", "4Pop-4"),
    *("LargeHOF", "SmallHOF", "HOF2Pop-1", "HOF2Pop-2"),
)
"""The eleven agents that the paper evaluates."""
POOREST = (RANDOM, RAISER, CALLER, CALL_OR_RAISE)
"""The four static agents that the paper finds last."""
THREE_POOREST = (RAISER, CALLER, CALL_OR_RAISE)
"""Those whose extremes and mean the paper prints; it names Random, too, which the thesis has ahead of them."""
PERCENT = 100.0
HANDS_OF_A_PASS = 10


class OwnNumber(NamedTuple):
    """One of our numbers and its standard error, in the printed one's unit; NaN where there is none, as of places."""

    value: float
    error: float


class ComparedNumber(NamedTuple):
    """A printed number; ours, NaN if that champion was not evaluated; its error over duplicate tables."""

    printed: Published
    ours: float
    error: float


def compare(evaluations: Mapping[str, Evaluation]) -> list[ComparedNumber]:
    """Return each number that the paper prints of its evaluations, with ours beside it."""
    for name in evaluations:
        UnknownNameError.check("champion", name, CHAMPIONS)
    compared = []
    for printed in read_published_numbers(PAPER):
        measure = MEASURES.get(printed.column.split(" ")[0])
        if measure is not None:
            is_known = printed.game in (*evaluations, ANY)
            ours = measure(printed, evaluations) if is_known and evaluations else NOTHING
            compared.append(ComparedNumber(printed, *ours))
    return compared


def load_thesis_ranks(champion: str) -> dict[str, float]:
    """Return the mean ranks of all nine at the tables of a champion, as G. Nicolai's thesis of 2008 has them.

    By agent, 'champion' for the champion itself; read off its figures within 0.01.
    """
    agents = (*PANEL, "champion")
    return {agent: value for agent, value in load_thesis_row(champion).items() if agent in agents}


def load_thesis_spreads(champion: str) -> dict[str, float]:
    """Return the standard deviations at the tables of a champion, by agent, of those that the thesis prints."""
    printed = load_thesis_row(champion).items()
    return {name.removeprefix("sd "): sd for name, sd in printed if name.startswith("sd ")}


def load_thesis_row(champion: str) -> dict[str, float]:
    """Return all that the thesis prints of a champion, by column."""
    UnknownNameError.check("champion", champion, CHAMPIONS)
    return {row.column: row.value for row in read_published_numbers(THESIS) if row.game == champion}


def load_thesis_fitness() -> dict[str, float]:
    """Return the mean ranks of champions that the thesis bred by other measures, by its names of them."""
    rows = read_published_numbers(THESIS)
    return {row.game: row.value for row in rows if row.game not in CHAMPIONS}


def check_ranks_alike(
    evaluations: Mapping[str, Evaluation],
    champions: Sequence[str],
    agents: Sequence[str],
    base: str,
    within: float,
) -> bool:
    """Return whether agents rank beside each of some champions as beside another, within less than so many percent."""
    usual = evaluations[base].mean_rank
    ranks = [evaluations[name].mean_rank for name in champions]
    return all(abs(of[a] / usual[a] - 1) < within / PERCENT for of in ranks for a in agents)


def check_all_ahead(
    evaluations: Mapping[str, Evaluation], parts: Sequence[tuple[str, str]]
) -> bool:
    """Return whether all champions of one method rank ahead of all of another, for each pair of methods."""
    of: dict[str, list[float]] = {}
    for name, one in evaluations.items():
        of.setdefault(name.split("-")[0], []).append(find_champion_rank(one))
    return all(max(of[better]) < min(of[worse]) for better, worse in parts)


def measure_lead_between_methods(
    evaluations: Mapping[str, Evaluation], first: str, second: str
) -> float:
    """Return by how many ranks the champions of two methods are apart on average."""
    means = [
        np.mean([find_champion_rank(one) for n, one in evaluations.items() if n.split("-")[0] == m])
        for m in (first, second)
    ]
    return float(abs(means[0] - means[1]))


def find_champion_rank(evaluation: Evaluation) -> float:
    """Return the champion's mean rank."""
    return float(evaluation.ranks.mean[0])


def compute_rank(printed: Published, evaluations: Mapping[str, Evaluation]) -> OwnNumber:
    """Return the mean rank of the agents that a column names, on average."""
    evaluation = evaluations[printed.game]
    weights = np.zeros(len(evaluation.names))
    weights[[place_of(agent, evaluation) for agent in list_agents(printed)]] = 1.0
    weights /= weights.sum()
    return OwnNumber(
        float(weights @ evaluation.ranks.mean), compute_standard_error(evaluation.ranks, weights)
    )


def compute_change(printed: Published, evaluations: Mapping[str, Evaluation]) -> OwnNumber:
    """Return by how many percent of its rank beside the baseline an agent is better here."""
    if BASELINE not in evaluations:
        return NOTHING
    (agent,) = list_agents(printed)
    (before, error_before), (now, error_now) = (
        (float(one.ranks.mean[place]), float(one.ranks.standard_error[place]))
        for one in (evaluations[BASELINE], evaluations[printed.game])
        for place in [place_of(agent, one)]
    )
    # Two evaluations are independent; to first order in both errors.
    error = np.hypot(error_now, error_before * now / before) / before
    return OwnNumber(PERCENT * (before - now) / before, PERCENT * float(error))


def compute_lead(printed: Published, evaluations: Mapping[str, Evaluation]) -> OwnNumber:
    """Return by how many percent of an agent's rank the champion's is better, at the same tables."""
    evaluation = evaluations[printed.game]
    (agent,) = list_agents(printed)
    places = [0, place_of(agent, evaluation)]
    own, other = evaluation.ranks.mean[places]
    weights = np.zeros(len(evaluation.names))
    weights[places] = -1.0 / other, own / other**2  # to first order in both errors
    error = PERCENT * compute_standard_error(evaluation.ranks, weights)
    return OwnNumber(float(PERCENT * (other - own) / other), error)


def summarize_group(printed: Published, evaluations: Mapping[str, Evaluation]) -> OwnNumber:
    """Return the smallest, largest, median or mean of all ranks, three of the poorest's, or deviations.

    The error is that of the agent whose number it is.
    """
    evaluation = evaluations[printed.game]
    which, *group = printed.column.split(" ")
    ranks = evaluation.ranks
    if group[0] == "sd":
        weights = compute_shares(which, ranks.standard_deviation)
        deviation = float(weights @ ranks.standard_deviation)
        return OwnNumber(deviation, compute_error_of_deviation(deviation, ranks.count))
    agents = THREE_POOREST if group[0] == "static" else evaluation.names
    places = [evaluation.names.index(agent) for agent in agents]
    weights = np.zeros(len(evaluation.names))
    weights[places] = compute_shares(which, ranks.mean[places])
    return OwnNumber(float(weights @ ranks.mean), compute_standard_error(ranks, weights))


def compute_relative_deviation(
    printed: Published, evaluations: Mapping[str, Evaluation]
) -> OwnNumber:
    """Return the median standard deviation in percent of the mean rank, on which all evaluations agree."""
    ranks = evaluations[printed.game].ranks
    deviation, error = summarize_group(printed._replace(column="median sd"), evaluations)
    per_rank = PERCENT / float(ranks.mean.mean())
    return OwnNumber(per_rank * deviation, per_rank * error)


def count_decisions(printed: Published, evaluations: Mapping[str, Evaluation]) -> OwnNumber:
    """Return how many decisions the median agent of all evaluations makes in ten hands."""
    made = np.concatenate([*map(count_decisions_in_a_pass, evaluations.values())])
    return OwnNumber(float(np.median(made)), np.nan)


def count_decisions_in_a_pass(evaluation: Evaluation) -> Floats:
    """Return how many decisions each agent makes in ten hands, (9,)."""
    made = evaluation.actions.sum(axis=(1, 2))
    many: Floats = HANDS_OF_A_PASS * made / np.maximum(evaluation.hands_dealt, 1)
    return many


def compute_shares(which: str, numbers: Floats) -> Floats:
    """Return the share of each of n numbers in the smallest, largest, median or mean of them, (n,)."""
    middle = (len(numbers) - 1) // 2
    chosen = {
        "smallest": slice(1),
        "largest": slice(-1, None),
        "median": slice(middle, len(numbers) - middle),
        "mean": slice(None),
    }[which]
    weights = np.zeros(len(numbers))
    weights[np.argsort(numbers)[chosen]] = 1.0
    weights /= weights.sum()
    return weights


def compute_standard_error(sums: PairedSums, weights: Floats) -> float:
    """Return the standard error of the sum of means with these weights; NaN for fewer than two trials."""
    if sums.count < 2:
        return np.nan
    squares = sums.count * sums.products - np.outer(sums.sums, sums.sums)
    covariance = squares / (sums.count * (sums.count - 1) * sums.parts**2)
    return float(np.sqrt(weights @ covariance @ weights / sums.count))


def compute_error_of_deviation(deviation: float, count: int) -> float:
    """Return the standard error of a standard deviation over `count` trials, as of normal numbers."""
    return deviation / np.sqrt(2.0 * (count - 1)) if count > 1 else np.nan


def place(printed: Published, evaluations: Mapping[str, Evaluation]) -> OwnNumber:
    """Return a champion's place among those of the paper's last figure, once all eleven were evaluated."""
    if len(CHAMPIONS) > len(evaluations):
        return NOTHING
    placed = [row.game for row in read_published_numbers(PAPER) if row.column == "place"]
    own = find_champion_rank(evaluations[printed.game])
    ahead = sum(find_champion_rank(evaluations[name]) < own for name in placed)
    return OwnNumber(1.0 + ahead, np.nan)


def find_largest_p(printed: Published, evaluations: Mapping[str, Evaluation]) -> OwnNumber:
    """Return the largest p of any two agents in any of the eleven evaluations, by Holm's correction over all."""
    if len(CHAMPIONS) > len(evaluations):
        return NOTHING
    p = np.concatenate([one.compute_t_tests().p for one in evaluations.values()])
    return OwnNumber(float(apply_holm_correction(p).max()), np.nan)


def list_agents(printed: Published) -> Sequence[str]:
    """Return the agents that a column names."""
    return printed.column.split(" ", 1)[1].split(" + ")


def place_of(agent: str, evaluation: Evaluation) -> int:
    """Return an agent's place in an evaluation; the champion has the first."""
    return 0 if agent == "champion" else evaluation.names.index(agent)


NOTHING = OwnNumber(np.nan, np.nan)
MEASURES: Mapping[str, Callable[[Published, Mapping[str, Evaluation]], OwnNumber]] = {
    "rank": compute_rank,
    "change": compute_change,
    "lead": compute_lead,
    "sd": compute_relative_deviation,
    "place": place,
    "p": find_largest_p,
    "decisions": count_decisions,
    **dict.fromkeys(("smallest", "largest", "median", "mean"), summarize_group),
}
"""What a column of printed numbers is called first, and how ours is found."""
