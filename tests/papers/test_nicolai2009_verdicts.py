"""What decides a printed number: champions evolved and evaluated at the paper's size, and no others."""

from collections.abc import Collection, Mapping
from dataclasses import replace
from functools import reduce
from operator import add

import numpy as np
import pytest

from pokerlab.papers.experiment import RUNS
from pokerlab.papers.nicolai2009.duplicate_tables import NUM_SEATS
from pokerlab.papers.nicolai2009.experiment import PAPER
from studies.audit import MET, READING, UNDECIDED, Audit, Number
from studies.nicolai2009.champions import EARLIER_TENTH, Champions
from studies.nicolai2009.comparison import CHAMPIONS
from studies.nicolai2009.evaluation import Evaluation
from studies.nicolai2009.verdicts import SETTINGS, decisions_in_a_pass, judge_numbers, whole
from tests.papers.test_nicolai2009_comparison import BASELINE, TRIALS, evaluation

ENOUGH = 100_000 // TRIALS


DECISIVE = "rounding and 99% interval"


def played(name: str, rank: float, times: int = ENOUGH) -> Evaluation:
    """Return an evaluation in which a thousand tables were seen so many times."""
    return reduce(add, [evaluation(name, rank, BASELINE)] * times)


def judged(
    evaluations: Mapping[str, Evaluation], evolved: Collection[str] = ()
) -> dict[str, Number]:
    audit = Audit(PAPER)
    judge_numbers(audit, evaluations, evolved)
    return {one.printed.key: one for one in (*audit.settings(), *audit.numbers())}


@pytest.fixture(scope="module")
def evaluations() -> dict[str, Evaluation]:
    return {name: played(name, 2.9 + 0.1 * k) for k, name in enumerate(CHAMPIONS)}


def test_only_champions_of_the_papers_size_decide(evaluations: dict[str, Evaluation]) -> None:
    found = judged(evaluations, ["Control", "SmallHOF"])
    for key in ("fig1-folder", "fig4-smallhof-change"):
        assert found[key].why.endswith(DECISIVE)
    for key in ("fig4-largehof-rank", "fig6-control", "confidence"):
        assert found[key][2:] == (UNDECIDED, "on our Old agents: ours has fewer generations")
    few = evaluations | {"Control": played("Control", 4.73, ENOUGH - 1)}
    assert whole(few, ["Control", "SmallHOF"]) == ["SmallHOF"]
    found = judged(few, ["Control", "SmallHOF"])
    for key in ("fig1-control", "sd-share", "fig4-smallhof-change"):
        assert found[key][2:] == (UNDECIDED, "on our Old agents: ours is evaluated at fewer tables")
    assert found["fig4-smallhof-rank"].why.endswith(DECISIVE)
    assert judged(evaluations, CHAMPIONS)["confidence"].why.endswith("by the test")


@pytest.mark.parametrize(
    ("rank", "verdict"), [(4.73, MET), (4.74, MET), (4.63, UNDECIDED), (4.83, UNDECIDED)]
)
def test_ranks_are_met_within_rounding_and_error(rank: float, verdict: str) -> None:
    one = played("Control", rank)
    found = judged({"Control": one}, ["Control"])["fig1-control"]
    mean, error = one.ranks.mean[0], one.ranks.standard_error[0]
    assert found.ours == f"{mean:.4g} ± {error:.2g}"
    apart = "apart by more than " * (verdict == UNDECIDED)
    assert found[2:] == (verdict, f"on our Old agents: {apart}{DECISIVE}")


def test_settings_stand_beside_ours_whatever_has_been_run(
    evaluations: dict[str, Evaluation],
) -> None:
    for ones in ({}, evaluations):
        found = judged(ones)
        settings = [one for one in found.values() if one.printed.column in SETTINGS]
        assert {one.verdict for one in settings} == {"as printed"}
        assert {one.printed.column for one in settings} == SETTINGS.keys()
        assert found["rank-first-out"][1:3] == ("9", "ours differs")
        assert found["rank-second-out"][1:3] == ("8", "ours differs")
        assert found["rank-winner"][1:3] == ("1", "as printed")


def test_decisions_are_rounded_as_they_are_printed() -> None:
    one = Champions.load(RUNS / f"{EARLIER_TENTH}.npz").evaluations["Control"]
    made = decisions_in_a_pass(one)
    assert made.shape == (NUM_SEATS,)
    assert made @ one.hands_dealt == pytest.approx(10 * one.actions.sum())
    least = judged({"Control": one})["recent-decisions-least"]
    assert least.ours == f"{np.median(made):.4g}"
    assert least.verdict == (READING if np.median(made) >= 14.5 else UNDECIDED)
    fewer = judged({"Control": replace(one, hands_dealt=2 * one.hands_dealt)})
    assert fewer["recent-decisions-least"].verdict == UNDECIDED
    assert fewer["recent-decisions-most"].verdict == READING


def test_numbers_about_agents_that_are_ours_stay_open(evaluations: dict[str, Evaluation]) -> None:
    found = judged(evaluations, CHAMPIONS)
    ours = {key for key, one in found.items() if one.why.endswith("the agents are ours")}
    assert ours == {key for key, one in found.items() if "Old" in one.printed.column}
    assert {"fig1-olds", "fig1-oldstart", "fig4-largehof-oldbest-change"} <= ours
    assert "fig1-folder" not in ours


def test_as_many_tables_as_the_paper_has_are_met_by_evaluations(
    evaluations: dict[str, Evaluation],
) -> None:
    assert judged(evaluations)["duplicates"][1:3] == ("100,000", "as printed")
    assert judged({"Control": played("Control", 4.73, 10)})["duplicates"][1:3] == (
        "10,000",
        "ours differs",
    )
    assert judged({})["duplicates"].ours == ""
