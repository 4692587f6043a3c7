"""What decides a printed number: every recorded reading of it, and never an agent of ours in the place of theirs."""

from collections.abc import Mapping
from dataclasses import replace
from functools import partial, reduce
from operator import add

import numpy as np
import pytest

from pokerlab.papers.experiment import RUNS
from pokerlab.papers.nicolai2009 import NUM_SEATS, PAPER
from studies.audit import MET, READING, UNDECIDED, Audit, Number
from studies.nicolai2009.champions import EARLIER_TENTH, Champions
from studies.nicolai2009.comparison import CHAMPIONS, decisions_in_a_pass
from studies.nicolai2009.evaluation import Evaluation
from studies.nicolai2009.readings import THESIS, recorded_readings
from studies.nicolai2009.verdicts import SETTINGS, judge_numbers, over_recorded
from tests.papers.test_nicolai2009_comparison import BASELINE, TRIALS, evaluation

ENOUGH = 100_000 // TRIALS


def played(name: str, rank: float, times: int = ENOUGH) -> Evaluation:
    """Return an evaluation in which a thousand tables were seen so many times."""
    return reduce(add, [evaluation(name, rank, BASELINE)] * times)


def judged(recorded: Mapping[str, Mapping[str, Evaluation]]) -> dict[str, Number]:
    audit = Audit(PAPER)
    judge_numbers(audit, recorded)
    return {one.printed.key: one for one in (*audit.settings(), *audit.numbers())}


@pytest.fixture(scope="module")
def evaluations() -> dict[str, Evaluation]:
    return {name: played(name, 2.9 + 0.1 * k) for k, name in enumerate(CHAMPIONS)}


@pytest.fixture(scope="module")
def recorded() -> dict[str, dict[str, Evaluation]]:
    return recorded_readings()


def test_a_verdict_consults_every_recorded_reading_of_its_number(
    recorded: dict[str, dict[str, Evaluation]],
) -> None:
    """Whatever reading gives a printed rank, the verdict says so; each third of them is tried."""
    assert next(iter(recorded)) == THESIS
    far = {name: {**ones, "Control": played("Control", 6.0, 1)} for name, ones in recorded.items()}
    assert judged(far)["fig1-control"].verdict == UNDECIDED
    for name in [*recorded][::3]:
        there = far | {name: {**recorded[name], "Control": played("Control", 4.73, 1)}}
        found = judged(there)["fig1-control"]
        assert found.verdict == (MET if name == THESIS else READING)
        assert f"1 of {len(recorded)} readings" in found.why
        assert name == THESIS or found.why.endswith(name)


def test_a_claim_is_asked_of_all_with_its_champions(evaluations: dict[str, Evaluation]) -> None:
    """What holds by the first reading is met, and by another one under that reading; else nothing is decided."""
    asked = []

    def holds(ones: Mapping[str, Evaluation]) -> bool:
        asked.append(sorted(ones))
        return ones["Control"].ranks.mean[0] < 4

    low = {"Control": played("Control", 3.0, 1), "LargeHOF": evaluations["LargeHOF"]}
    high = {"Control": played("Control", 5.0, 1)}
    ask = partial(over_recorded, needed=["Control"], holds=holds)
    assert ask({"a": low, "b": high, "c": {}}) == (
        MET,
        "Holds under 1 of 2 recorded readings, the thesis's among them.",
    )
    assert asked == [["Control", "LargeHOF"], ["Control"]]
    assert ask({"a": high, "b": low}) == (READING, "Holds under 1 of 2 recorded readings: b.")
    assert ask({"a": high})[0] == UNDECIDED
    both = over_recorded({"a": high, "b": low}, ["Control", "LargeHOF"], holds)
    assert both == (READING, "Holds under 1 of 1 recorded readings: b.")


@pytest.mark.parametrize(
    ("rank", "verdict"), [(4.73, MET), (4.74, MET), (4.63, UNDECIDED), (4.83, UNDECIDED)]
)
def test_ranks_are_met_within_rounding_and_error(rank: float, verdict: str) -> None:
    one = played("Control", rank)
    found = judged({"a": {"Control": one}, "b": {"Control": played("Control", 6.0, 1)}})
    mean, error = one.ranks.mean[0], one.ranks.standard_error[0]
    other = played("Control", 6.0, 1).ranks.mean[0]
    assert found["fig1-control"].ours == f"{mean:.4g} ± {error:.2g} ({mean:.4g} to {other:.4g})"
    share = f"on our Old agents: {int(verdict == MET)} of 2 readings give it"
    nearest = f"; nearest, {mean:.4g}, a" * (verdict == UNDECIDED)
    assert found["fig1-control"][2:] == (verdict, share + nearest)
    assert found["fig4-largehof-rank"][1:] == (
        "",
        UNDECIDED,
        "on our Old agents: an evolution that it needs is not finished",
    )


def test_what_is_said_of_all_waits_for_all(evaluations: dict[str, Evaluation]) -> None:
    assert judged({"a": evaluations})["confidence"].verdict == MET
    few = judged({"a": {"Control": evaluations["Control"]}})
    assert few["confidence"].verdict == few["fig6-control"].verdict == UNDECIDED
    assert few["confidence"].why.endswith("1 of 1 readings give it, of 1 of 11 champions")
    assert few["fig6-control"].why.endswith("an evolution that it needs is not finished")


def test_settings_stand_beside_ours_whatever_was_run(evaluations: dict[str, Evaluation]) -> None:
    for ones in ({}, {"a": {}}, {"a": evaluations}):
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
    least = judged({"a": {"Control": one}})["recent-decisions-least"]
    assert least.ours == f"{np.median(made):.4g}"
    assert least.verdict == (MET if np.median(made) >= 14.5 else UNDECIDED)
    fewer = judged({"a": {"Control": replace(one, hands_dealt=2 * one.hands_dealt)}})
    assert fewer["recent-decisions-least"].verdict == UNDECIDED
    assert fewer["recent-decisions-most"].verdict == MET


def test_numbers_about_agents_that_are_ours_stay_open(evaluations: dict[str, Evaluation]) -> None:
    found = judged({"a": evaluations})
    ours = {key for key, one in found.items() if one.why.endswith("the agents are ours")}
    assert ours >= {key for key, one in found.items() if "Old" in one.printed.column}
    assert {"fig1-olds", "fig1-oldstart", "fig4-largehof-oldbest-change"} <= ours
    assert "fig1-folder" not in ours


def test_the_median_is_ours_where_it_is_old(recorded: dict[str, dict[str, Evaluation]]) -> None:
    one = recorded[THESIS]["Control"]
    middle = one.names[int(np.argsort(one.ranks.mean)[NUM_SEATS // 2])]
    assert middle.startswith("Old")
    found = judged({THESIS: recorded[THESIS]})["fig1-median"]
    assert found[2:] == (UNDECIDED, "on our Old agents: the agents are ours")


def test_evaluations_meet_as_many_tables_as_the_paper(evaluations: dict[str, Evaluation]) -> None:
    assert judged({"a": evaluations})["duplicates"][1:3] == ("100,000", "as printed")
    assert judged({"a": {"Control": played("Control", 4.73, 10)}})["duplicates"][1:3] == (
        "10,000",
        "ours differs",
    )
    assert judged({})["duplicates"].ours == ""
