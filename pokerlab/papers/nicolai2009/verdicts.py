"""What decides each number that the paper prints.

What the paper sets is met if our settings can be the same. What its champions reach can be decided only by
champions of the paper's size; smaller ones show what ours is, and decide nothing.
"""

from collections.abc import Callable, Collection, Mapping

import numpy as np

from pokerlab.papers.audit import MET, NOT_MET, READING, UNDECIDED, Audit
from pokerlab.papers.experiment import Published
from pokerlab.papers.nicolai2009.comparison import ANY, BASELINE, compare
from pokerlab.papers.nicolai2009.config import Config, entrants
from pokerlab.papers.nicolai2009.duplicate_tables import DuplicateTables
from pokerlab.papers.nicolai2009.evaluation import NUM_SEATS, Evaluation
from pokerlab.papers.nicolai2009.experiment import PAPER_EXPERIMENTS
from pokerlab.papers.nicolai2009.methods import CONFIGS
from pokerlab.strategies.players.network_decision import NUM_INPUTS, NUM_OUTPUTS

ERRORS = 2.6
"""Standard errors within which two means agree: 99% of them, as in the paper's tests."""
ROUNDING: Mapping[str, float] = {"ranks": 0.005, "%": 0.05, "decisions": 0.5}
"""By how much a printed number may be rounded."""
HANDS_OF_A_PASS = 10


def judge_numbers(
    audit: Audit, evaluations: Mapping[str, Evaluation], whole: Collection[str] = ()
) -> None:
    """Judge each number that the paper prints.

    Parameters
    ----------
    audit : Audit
        Of 'nicolai-2009', without a verdict on a number.
    evaluations : mapping of Evaluation
        By the paper's names of the champions; not all are needed.
    whole : collection of str
        Which of these champions were evolved and evaluated at the paper's size; only they decide.

    Raises
    ------
    UnknownNameError
        If a champion has none of the paper's names.
    """
    compared = {one.printed.key: one for one in compare(evaluations)}
    for key, printed in audit.printed.items():
        if key in compared:
            ours, error = compared[key].ours, compared[key].error
            decided = result(printed, ours, error, evaluations, whole)
            audit.number(key, in_words(ours, error), *decided)
        elif printed.column in SETTINGS:
            ours = SETTINGS[printed.column](experiment_of(printed))
            same = ours <= printed.value if printed.relation == "<" else ours == printed.value
            audit.number(key, in_words(ours), MET if same else NOT_MET, "one of our settings")
        elif printed.column == "first out":
            audit.number(key, in_words(NUM_SEATS), NOT_MET, "nine agents have nine ranks")
        else:
            audit.number(key, *decisions(printed, evaluations))


def in_words(ours: float, error: float = np.nan) -> str:
    """Return a number as the paper prints them, with its standard error; nothing if it is NaN."""
    if np.isnan(ours):
        return ""
    number = f"{ours:,.0f}" if ours > 999 else f"{ours:.4g}"
    return number if np.isnan(error) else f"{number} ± {error:.2g}"


def result(
    printed: Published,
    ours: float,
    error: float,
    evaluations: Mapping[str, Evaluation],
    whole: Collection[str],
) -> tuple[str, str]:
    """Return the verdict on what a champion reaches, and what decides it."""
    needed = {BASELINE, printed.game} if printed.column.startswith("change") else {printed.game}
    if printed.game == ANY or printed.column == "place":
        needed = set(evaluations)
    if np.isnan(ours):
        return UNDECIDED, "not evaluated"
    if not needed <= set(whole):
        return UNDECIDED, "ours is not recorded whole"
    if printed.relation == "<":
        return (MET if ours < printed.value else NOT_MET), "by the test"
    near = ROUNDING.get(printed.unit, 0.0) + ERRORS * np.nan_to_num(error)
    return (MET if abs(ours - printed.value) <= near else NOT_MET), "rounding and 99% interval"


def decisions(printed: Published, evaluations: Mapping[str, Evaluation]) -> tuple[str, str, str]:
    """Return how many decisions the median agent makes in ten hands, the verdict, and what decides it."""
    if not evaluations:
        return "", UNDECIDED, "not evaluated"
    ours = float(np.median(np.concatenate([*map(decisions_in_a_pass, evaluations.values())])))
    beyond = ours - printed.value if printed.relation == ">" else printed.value - ours
    inside = beyond > -ROUNDING["decisions"]
    return in_words(ours), READING if inside else NOT_MET, "median agent, nine seats"


def decisions_in_a_pass(evaluation: Evaluation) -> np.ndarray:
    """Return how many decisions each agent makes in ten hands, (9,)."""
    made = evaluation.actions.sum(axis=(1, 2))
    many: np.ndarray = HANDS_OF_A_PASS * made / np.maximum(evaluation.hands_dealt, 1)
    return many


def experiment_of(printed: Published) -> Config:
    """Return the paper's experiment that a number belongs to; Control where it belongs to all."""
    return CONFIGS[BASELINE if printed.game == ANY else printed.game]


SETTINGS: Mapping[str, Callable[[Config], float]] = {
    "inputs": lambda config: NUM_INPUTS,
    "hidden": lambda config: config.hidden,
    "outputs": lambda config: NUM_OUTPUTS,
    "entrants": lambda config: max(entrants(one) for one in PAPER_EXPERIMENTS.values()),
    "iterations": lambda config: config.iterations,
    "window": lambda config: config.window,
    "mutation": lambda config: config.mutation,
    "noise_mean": lambda config: config.noise_mean,
    "noise": lambda config: config.noise,
    "tournaments": lambda config: config.tournaments,
    "duplicates": lambda config: DuplicateTables(seed=config.seed).duplicates,
    "agents": lambda config: config.agents,
    "elites": lambda config: round(config.elites * config.agents),
    "hall_size": lambda config: config.hall_size,
}
"""What the paper sets, by the column of the published number."""
