"""What decides each number that the paper prints.

What the paper sets stands beside our settings. What its champions reach can be met only by champions that
were evolved for as many generations and evaluated at as many tables as the paper's. Others show what ours is, and
decide nothing. Three of the nine at each table are OldBest, OldScratch and OldStart. The authors' are lost, and
ours are others, so a number that is apart from ours decides nothing either.
"""

from collections.abc import Callable, Collection, Mapping

import numpy as np

from pokerlab.holdem import Aggressiveness
from pokerlab.holdem.betting.actions import CALL, FOLD
from pokerlab.holdem.table import view
from pokerlab.holdem.table.aggressiveness import score_of
from pokerlab.papers.experiment import Published
from pokerlab.papers.nicolai2009.config import Config, entrants
from pokerlab.papers.nicolai2009.duplicate_tables import (
    NUM_SEATS,
    OLD,
    PANEL,
    SCRIPTS,
    DuplicateTables,
)
from pokerlab.papers.nicolai2009.experiment import CONFIGS, PAPER_EXPERIMENTS
from pokerlab.strategies.players.network_decision import NUM_INPUTS, NUM_OUTPUTS
from studies.audit import MET, NOT_MET, READING, UNDECIDED, Audit
from studies.nicolai2009.comparison import ANY, BASELINE, compare
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
HANDS_OF_A_PASS = 10
PAPER_TABLES = DuplicateTables(seed=0)
"""Its evaluation of Control, as many tables as all our champions need to decide."""


def whole(evaluations: Mapping[str, Evaluation], evolved: Collection[str]) -> list[str]:
    """Return which of the champions `evolved` to the paper's last generation were evaluated as it has it."""
    return [
        name
        for name, one in evaluations.items()
        if name in evolved and one.duplicates >= PAPER_TABLES.duplicates
    ]


def judge_numbers(
    audit: Audit, evaluations: Mapping[str, Evaluation], evolved: Collection[str] = ()
) -> None:
    """Put each setting of the paper beside ours, and judge each of its results."""
    compared = {one.printed.key: one for one in compare(evaluations)}
    for key, printed in audit.printed.items():
        if printed.column in SETTINGS:
            audit.setting(key, SETTINGS[printed.column](experiment_of(printed)))
        elif printed.column == "duplicates":
            played = evaluations.get(printed.game)
            audit.setting(key, played.duplicates if played else np.nan, "of our evaluation")
        elif printed.column in RANKS:
            audit.setting(key, RANKS[printed.column], "nine agents have nine ranks")
        else:
            if key in compared:
                ours, error = compared[key].ours, compared[key].error
                text = in_words(ours, error)
                verdict, why = result(printed, ours, error, evaluations, evolved)
            else:
                text, verdict, why = decisions(printed, evaluations)
            if verdict == NOT_MET:
                verdict, why = UNDECIDED, f"apart by more than {why}"
            audit.number(key, text, verdict, why, substitutes=SUBSTITUTES)


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
    evolved: Collection[str],
) -> tuple[str, str]:
    """Return the verdict on what a champion reaches, and what decides it."""
    needed = {BASELINE, printed.game} if printed.column.startswith("change") else {printed.game}
    if printed.game == ANY or printed.column == "place":
        needed = set(evaluations)
    if np.isnan(ours):
        return UNDECIDED, "not evaluated"
    if not set(OLD).isdisjoint(printed.column.split(" ")):
        return UNDECIDED, "the agents are ours"
    if not needed <= set(evolved):
        return UNDECIDED, "ours has fewer generations"
    if not needed <= set(whole(evaluations, evolved)):
        return UNDECIDED, "ours is evaluated at fewer tables"
    if printed.relation == "<":
        return (MET if ours < printed.value else NOT_MET), "by the test"
    why = "rounding alone" if np.isnan(error) else "rounding and 99% interval"
    near = ROUNDING.get(printed.unit, 0.0) + ERRORS * np.nan_to_num(error)
    return (MET if abs(ours - printed.value) <= near else NOT_MET), why


def decisions(printed: Published, evaluations: Mapping[str, Evaluation]) -> tuple[str, str, str]:
    """Return how many decisions the median agent makes in ten hands, the verdict, and what decides it."""
    if not evaluations:
        return "", UNDECIDED, "not evaluated"
    ours = float(np.median(np.concatenate([*map(decisions_in_a_pass, evaluations.values())])))
    beyond = ours - printed.value if printed.relation == ">=" else printed.value - ours
    inside = beyond >= -ROUNDING[printed.unit]
    return (
        in_words(ours),
        READING if inside else NOT_MET,
        "rounding; the median agent of nine",
    )


def decisions_in_a_pass(evaluation: Evaluation) -> np.ndarray:
    """Return how many decisions each agent makes in ten hands, (9,)."""
    made = evaluation.actions.sum(axis=(1, 2))
    many: np.ndarray = HANDS_OF_A_PASS * made / np.maximum(evaluation.hands_dealt, 1)
    return many


def experiment_of(printed: Published) -> Config:
    """Return the paper's experiment that a number belongs to; Control where it belongs to all."""
    return CONFIGS[BASELINE if printed.game == ANY else printed.game]


def elites(config: Config) -> int:
    """Return how many agents of a population stay, which is how many of its hall may be replaced."""
    return round(config.elites * config.agents)


def score(action: int, owed: int) -> float:
    """Return the aggressiveness of a fold or a call where so many chips are owed."""
    seen = np.zeros(view.NUM_VIEW_WORDS, np.int64)
    seen[view.TO_CALL] = owed
    by_price = Aggressiveness().scoring
    return score_of(seen, action, by_price) / view.MILLIONTHS


RANKS = {"first out": NUM_SEATS, "second out": NUM_SEATS - 1, "winner": 1}
"""The ranks of nine agents, by what the paper calls them."""
SETTINGS: Mapping[str, Callable[[Config], float]] = {
    "inputs": lambda config: NUM_INPUTS,
    "hidden": lambda config: config.hidden,
    "outputs": lambda config: NUM_OUTPUTS,
    "entrants": lambda config: max(entrants(one) for one in PAPER_EXPERIMENTS.values()),
    "competing": entrants,
    "iterations": lambda config: config.iterations,
    "window": lambda config: config.window,
    "score fold": lambda config: score(FOLD, owed=1),
    "score call": lambda config: score(CALL, owed=1),
    "score check": lambda config: score(CALL, owed=0),
    "mutation": lambda config: config.mutation,
    "noise_mean": lambda config: config.noise_mean,
    "noise": lambda config: config.noise,
    "tournaments": lambda config: config.tournaments,
    "populations": lambda config: config.populations,
    "agents": lambda config: config.agents,
    "elites": elites,
    "children": lambda config: config.agents - elites(config),
    "hall_size": lambda config: config.hall_size,
    "lowest": elites,
    "seats": lambda config: NUM_SEATS,
    "others": lambda config: len(PANEL),
    "static": lambda config: len(SCRIPTS),
    "dynamic": lambda config: len(OLD),
}
"""What the paper sets, by the column of the published number."""
