"""What decides a printed number or a claim on champions: every recorded interpretation; nothing beside lost agents."""

from collections.abc import Mapping
from dataclasses import replace
from functools import reduce
from operator import add

import numpy as np
import pytest

from pokerlab.papers.experiment import RUNS
from pokerlab.papers.nicolai2009 import NUM_SEATS, PAPER
from studies.audit import (
    INCONCLUSIVE,
    INTERPRETED,
    NOT_REPRODUCED,
    NOT_TESTABLE,
    REPRODUCED,
    Audit,
    count_verdicts,
)
from studies.ledger import LedgerRow
from studies.nicolai2009 import verdicts
from studies.nicolai2009.champions import EARLIER_SMALL_CHAMPIONS, Champions
from studies.nicolai2009.comparison import CHAMPIONS, count_decisions_in_ten_hands
from studies.nicolai2009.evaluation import Evaluation
from studies.nicolai2009.interpretations import THESIS, load_evaluations_by_interpretation
from studies.nicolai2009.verdicts import (
    SETTINGS,
    decide_majority_by_sign_test,
    decide_verdict_on_claim,
    judge_printed_numbers,
)
from tests.papers.test_nicolai2009_comparison import BASELINE, TRIALS, evaluation

ENOUGH = 100_000 // TRIALS


def played(name: str, rank: float, times: int = ENOUGH) -> Evaluation:
    """Return an evaluation in which a thousand tables were seen so many times."""
    return reduce(add, [evaluation(name, rank, BASELINE)] * times)


def judge(recorded: Mapping[str, Mapping[str, Evaluation]]) -> Audit:
    audit = Audit(PAPER)
    judge_printed_numbers(audit, recorded)
    return audit


def judged(recorded: Mapping[str, Mapping[str, Evaluation]]) -> dict[str, LedgerRow]:
    return {row.key: row for row in judge(recorded).list_rows()}


@pytest.fixture(scope="module")
def evaluations() -> dict[str, Evaluation]:
    return {name: played(name, 2.9 + 0.1 * k) for k, name in enumerate(CHAMPIONS)}


@pytest.fixture(scope="module")
def recorded() -> dict[str, dict[str, Evaluation]]:
    return load_evaluations_by_interpretation()


def outcome(row: LedgerRow) -> str:
    """Return what came out beside our Old agents."""
    assert row.verdict == NOT_TESTABLE
    return row.substitutes.removeprefix("our Old agents: ")


def test_number_is_weighed_by_every_recorded_interpretation(
    recorded: dict[str, dict[str, Evaluation]],
) -> None:
    """Whatever interpretation gives a printed rank, the outcome counts it; each third of them is tried."""
    assert next(iter(recorded)) == THESIS
    far = {name: {**ones, "Control": played("Control", 6.0, 1)} for name, ones in recorded.items()}
    assert outcome(judged(far)["fig1-control"]) == NOT_REPRODUCED
    for name in [*recorded][::3]:
        there = far | {name: {**recorded[name], "Control": played("Control", 4.73, 1)}}
        found = judged(there)["fig1-control"]
        assert outcome(found) == (REPRODUCED if name == THESIS else INCONCLUSIVE)
        assert int(found.confirming) == (name != THESIS)
        assert int(found.contradicting) == len(recorded) - 1 - (name != THESIS)


def test_claim_is_weighed_by_interpretations_with_its_champions(
    evaluations: dict[str, Evaluation],
) -> None:
    asked = []

    def holds(ones: Mapping[str, Evaluation]) -> bool:
        asked.append(sorted(ones))
        return bool(ones["Control"].ranks.mean[0] < 4)

    low = {"Control": played("Control", 3.0, 1), "LargeHOF": evaluations["LargeHOF"]}
    high = {"Control": played("Control", 5.0, 1)}
    assert (
        decide_verdict_on_claim({"a": low, "b": high, "c": {}}, ["Control"], holds).verdict
        == REPRODUCED
    )
    assert asked == [["Control", "LargeHOF"], ["Control"]]
    assert decide_verdict_on_claim({"a": high, "b": low}, ["Control"], holds).verdict == INTERPRETED
    assert decide_verdict_on_claim({"a": high}, ["Control"], holds).verdict == NOT_REPRODUCED
    both = decide_verdict_on_claim({"a": high, "b": low}, ["Control", "LargeHOF"], holds)
    assert (both.verdict, both.confirming, both.contradicting) == (REPRODUCED, (), ())


@pytest.mark.parametrize(
    ("rank", "verdict"),
    [(4.73, REPRODUCED), (4.74, REPRODUCED), (4.63, NOT_REPRODUCED), (4.83, NOT_REPRODUCED)],
)
def test_rank_agrees_within_rounding_and_error(
    evaluations: dict[str, Evaluation], rank: float, verdict: str
) -> None:
    one, other = played("Control", rank), played("Control", 6.0, 1)
    found = judged({"a": evaluations | {"Control": one}, "b": {"Control": other}})["fig1-control"]
    mean, error = one.ranks.mean[0], one.ranks.standard_error[0]
    assert found.ours == f"{mean:.4g} ± {error:.2g} ({mean:.4g} to {other.ranks.mean[0]:.4g})"
    assert outcome(found) == verdict


def test_numbers_at_tables_with_the_lost_agents_are_one_fact(
    recorded: dict[str, dict[str, Evaluation]],
) -> None:
    audit = judge(recorded)
    facts = {row.key: row.fact for row in audit.list_rows()}
    alone = [key for key, fact in facts.items() if fact != verdicts.AT_TABLES]
    assert alone == ["recent-decisions-least", "recent-decisions-most"]
    assert len(facts) - len(alone) == 59
    assert count_verdicts(audit.list_rows()) == {
        NOT_TESTABLE: 1,
        REPRODUCED: 1,
    }  # and the decisions


def test_figure_6_is_one_order_that_must_come_out_whole(
    evaluations: dict[str, Evaluation],
) -> None:
    places = {row.key: row for row in judged({"a": evaluations}).values() if row.key[:4] == "fig6"}
    assert len(places) == 10
    assert {outcome(row) for row in places.values()} == {NOT_REPRODUCED}
    printed = {
        name: Audit(PAPER).printed[f"fig6-{name.lower()}"].value
        for name in CHAMPIONS
        if name != "SmallHOF"
    }
    same = {name: played(name, 2.5 + 0.2 * place, 1) for name, place in printed.items()}
    row = judged({"a": {"SmallHOF": evaluations["SmallHOF"], **same}})["fig6-control"]
    assert outcome(row) == REPRODUCED
    assert "By the default 10 of 10 do" in row.why
    assert "places is 1.00" in row.why


def test_settings_stand_beside_ours(evaluations: dict[str, Evaluation]) -> None:
    audit = judge({"a": evaluations})
    table = {row[0]: (row[3], row[4]) for row in audit.tabulate_settings()[1]}
    columns = {audit.printed[key].column for key in table}
    assert columns > SETTINGS.keys()
    assert table["rank-first-out"] == ("9", "ours differs")
    assert table["rank-second-out"] == ("8", "ours differs")
    assert table["rank-winner"] == ("1", "as printed")
    assert table["duplicates"] == ("100,000", "as printed")
    assert [key for key, row in table.items() if row[1] != "as printed"] == [
        "rank-first-out",
        "rank-second-out",
    ]


def test_decisions_are_weighed_by_whose_are_meant(evaluations: dict[str, Evaluation]) -> None:
    one = Champions.load(RUNS / f"{EARLIER_SMALL_CHAMPIONS}.npz").evaluations["Control"]
    made = count_decisions_in_ten_hands(one)
    assert made.shape == (NUM_SEATS,)
    assert made @ one.hands_dealt == pytest.approx(10 * one.actions.sum())
    assert 15 <= np.median(made) <= 40
    found = verdicts.decide_verdict_on_decision_count({"Control": one})
    assert found.verdict == REPRODUCED
    assert "of all nine together" in found.contradicting
    fewer = replace(one, hands_dealt=3 * one.hands_dealt)
    assert verdicts.decide_verdict_on_decision_count({"Control": fewer}).verdict == NOT_REPRODUCED


def test_majority_is_clear_beyond_luck() -> None:
    assert decide_majority_by_sign_test(3, 8) == (None, 10)
    assert decide_majority_by_sign_test(10, 1) == (True, 10)
    assert decide_majority_by_sign_test(1, 10) == (False, 10)
    assert decide_majority_by_sign_test(21, 0)[0] is True
    assert decide_majority_by_sign_test(2, 2) == (None, 5)  # four cases decide nothing
