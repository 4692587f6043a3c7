"""The rule by which audits decide: it is the same for what confirms a paper and for what contradicts it."""

from collections.abc import Callable
from itertools import product
from pathlib import Path

import numpy as np
import pytest
from hypothesis import given
from hypothesis import strategies as st

from pokerlab.core import PokerlabError, UnknownNameError
from pokerlab.papers import read_published_numbers
from pokerlab.papers.experiment import SETTING, VERDICTS
from studies.audit import (
    ANSWERED,
    CONDITIONAL,
    INCONCLUSIVE,
    INTERPRETED,
    NOT_REPRODUCED,
    NOT_TESTABLE,
    REPRODUCED,
    WRITE_LEDGERS,
    Audit,
    Card,
    count_verdicts,
    decide_verdict_by_interpretations,
    decide_verdict_by_runs,
    decide_verdict_on_fitted_figure,
    describe_counts,
    find_weakest_verdict,
)
from studies.ledger import REVISIONS, read_ledger

OUTCOMES = [True, False, None]
CARD = Card(
    "**A. and B. (2006)**",
    claims="It is said to win.",
    takeaway="It wins.",
    guessed="Ties.",
    wrong="Nothing.",
    again="takes a minute.",
    figure="one",
    alt="A line.",
)


@pytest.fixture
def audit() -> Audit:
    return Audit("oliehoek-2006")


def judge_all(audit: Audit, verdict: str) -> list[str]:
    """Give all printed results the same verdict, and return their keys."""
    keys = [key for key, row in audit.printed.items() if row.kind != SETTING]
    for key in keys:
        audit.judge_number(key, "1", verdict)
    return keys


def weigh(*outcomes: bool | np.bool_ | None) -> str:
    """Return the verdict on a statement by the outcomes of its interpretations, the default one first."""
    return decide_verdict_by_interpretations(
        {str(k): outcome for k, outcome in enumerate(outcomes)}
    ).verdict


def test_default_interpretation_alone_decides_either_way() -> None:
    assert [weigh(outcome) for outcome in OUTCOMES] == [REPRODUCED, NOT_REPRODUCED, INCONCLUSIVE]


def test_other_interpretations_confirm_only_by_a_majority() -> None:
    assert weigh(False, True) == INTERPRETED
    assert weigh(False, True, None) == INTERPRETED
    assert weigh(False, True, False) == INCONCLUSIVE
    assert weigh(False, True, False, False) == INCONCLUSIVE
    assert weigh(None, True, False) == INCONCLUSIVE
    assert weigh(False, None) == NOT_REPRODUCED  # no recorded interpretation gives it
    assert weigh(True, False, False) == REPRODUCED


@given(st.lists(st.sampled_from(OUTCOMES), min_size=1, max_size=6))
def test_a_statement_and_its_opposite_are_not_both_reproduced_as_printed(
    outcomes: list[bool | None],
) -> None:
    opposite = [outcome if outcome is None else not outcome for outcome in outcomes]
    verdicts = weigh(*outcomes), weigh(*opposite)
    assert verdicts.count(REPRODUCED) <= 1
    assert verdicts != (INTERPRETED, INTERPRETED)
    if NOT_REPRODUCED in verdicts:
        assert set(verdicts) & {REPRODUCED, INTERPRETED}  # what fails, its opposite holds
    if None not in outcomes and len(set(outcomes)) == 1:
        assert set(verdicts) == {REPRODUCED, NOT_REPRODUCED}


def test_outcomes_may_be_truth_values_of_numpy() -> None:
    assert weigh(np.bool_(False), np.bool_(True)) == INTERPRETED
    assert weigh(np.bool_(False), np.bool_(True), np.bool_(False)) == INCONCLUSIVE


def test_words_of_a_finding_name_what_confirms() -> None:
    found = decide_verdict_by_interpretations({"as printed": False, "in chips": True})
    assert found.confirming == ("in chips",)
    assert found.why == (
        "The default interpretation (as printed) contradicts it; the other one (in chips) confirms it"
    )
    found = decide_verdict_by_interpretations(
        {"as printed": None, "in chips": True, "summed": None}
    )
    assert found.why == (
        "The default interpretation (as printed) leaves it open; of 2 others 1 confirm it and 0 contradict it"
        " (confirmed by: in chips)"
    )


def test_a_fitted_figure_must_come_out_whole_and_have_more_values_than_choices() -> None:
    assert decide_verdict_on_fitted_figure(22, 22, 5, 80, ["a", "b"]).verdict == INTERPRETED
    assert decide_verdict_on_fitted_figure(21, 22, 5, 80, ["a"]).verdict == NOT_REPRODUCED
    assert decide_verdict_on_fitted_figure(5, 5, 5, 80, ["a"]).verdict == NOT_REPRODUCED


def test_a_result_is_judged_by_the_runs_of_every_interpretation() -> None:
    printed = read_published_numbers("oliehoek-2006")[3]
    assert printed.value == -0.027
    runs = {"ours": [-0.5, -0.1], "ties evenly": [-0.2, -0.0268, 0.1]}
    found = decide_verdict_by_runs(printed, 0.0005, runs)
    assert found.verdict == INTERPRETED
    assert found.why.endswith("ties evenly: 1 of 3 runs give it, from -0.2 to 0.1")
    assert decide_verdict_by_runs(printed, 0.0005, {"ours": [-0.04, -0.01]}).verdict == REPRODUCED
    assert (
        decide_verdict_by_runs(printed, 0.0005, {"a": [-0.5], "b": [0.1]}).verdict == NOT_REPRODUCED
    )


def test_a_claim_on_several_groups_is_as_strong_as_its_weakest_part() -> None:
    assert find_weakest_verdict(REPRODUCED, INCONCLUSIVE) == INCONCLUSIVE
    assert find_weakest_verdict(REPRODUCED, CONDITIONAL, INTERPRETED) == INTERPRETED
    assert find_weakest_verdict(NOT_REPRODUCED, INCONCLUSIVE, REPRODUCED) == NOT_REPRODUCED
    assert find_weakest_verdict(REPRODUCED, REPRODUCED) == REPRODUCED


@pytest.mark.parametrize("verdict", [REPRODUCED, NOT_REPRODUCED, INCONCLUSIVE, CONDITIONAL])
def test_substitutes_decide_nothing_either_way(audit: Audit, verdict: str) -> None:
    line = audit.judge_claim("It wins.", "section 5", verdict, "+5 ± 9.", substitutes="our groups")
    assert line == "> It wins. (section 5): **not testable**. +5 ± 9."
    audit.judge_number("6-card-worst-case", "-0.5", verdict, substitutes="our deck")
    for key in audit.printed:
        if audit.printed[key].kind != SETTING and key != "6-card-worst-case":
            audit.judge_number(key, "1", REPRODUCED)
    rows = {row.key: row for row in audit.list_rows()}
    assert rows["6-card-worst-case"].verdict == NOT_TESTABLE
    assert rows["6-card-worst-case"].substitutes == f"our deck: {verdict}"
    assert rows["It wins. (section 5)"].substitutes == f"our groups: {verdict}"


def test_an_audit_forgets_no_number(audit: Audit) -> None:
    first, *others = (key for key, row in audit.printed.items() if row.kind != SETTING)
    audit.judge_number(first, "0", REPRODUCED)
    with pytest.raises(PokerlabError, match=f"no verdict on .*{others[-1]}"):
        audit.list_rows()
    with pytest.raises(PokerlabError, match=f"{first} has a verdict already: reproduced"):
        audit.judge_number(first, "1", NOT_REPRODUCED)


def test_settings_are_no_results(audit: Audit) -> None:
    audit.judge_setting("8-card-cards", 8)
    audit.judge_setting("8-card-coins", 3)
    with pytest.raises(UnknownNameError, match="no printed result '8-card-ante'"):
        audit.judge_number("8-card-ante", "1", REPRODUCED)
    with pytest.raises(UnknownNameError, match="no printed setting '8-card-pool'"):
        audit.judge_setting("8-card-pool", 12)
    assert [(row[0], row[4]) for row in audit.tabulate_settings()[1]] == [
        ("8-card-cards", "as printed"),
        ("8-card-coins", "ours differs"),
    ]


REFUSED: dict[str, tuple[Callable[[Audit], object], str]] = {
    "an interpretation without a name": (
        lambda audit: audit.judge_claim("It wins.", "section 5", INTERPRETED, "In chips."),
        "but no interpretation is named",
    ),
    "a question of ours with a verdict": (
        lambda audit: audit.judge_claim("Does it?", "ours", REPRODUCED, "It does."),
        "is a question of ours. Give 'answered'",
    ),
    "a number that is answered": (
        lambda audit: audit.judge_number("8-card-pool", "1", ANSWERED),
        "is a printed number, which is no question",
    ),
    "a word that is no verdict": (
        lambda audit: audit.judge_claim("It wins.", "section 5", "nearly met", ""),
        "nearly met",
    ),
    "a key that nobody printed": (
        lambda audit: audit.judge_number("no-such-key", "1", REPRODUCED),
        "no-such-key",
    ),
}


@pytest.mark.parametrize("what", REFUSED)
def test_what_breaks_the_rule_is_refused(audit: Audit, what: str) -> None:
    judge, words = REFUSED[what]
    with pytest.raises(PokerlabError, match=words):
        judge(audit)


def test_counts_have_the_papers_statements_only_and_each_fact_once(audit: Audit) -> None:
    keys = judge_all(audit, REPRODUCED)
    audit.judge_claim("Is it?", "ours", ANSWERED, "It is.")
    audit.judge_claim("It is.", "thesis, section 1", NOT_REPRODUCED, "It is not.")
    for k, verdict in enumerate([REPRODUCED, INCONCLUSIVE, ANSWERED]):
        audit.judge_claim(f"Part {k}.", "section 5", verdict, "Seen.", fact="the same")
    counted = count_verdicts(audit.list_rows())
    assert counted == {REPRODUCED: len(keys), INCONCLUSIVE: 1}
    assert describe_counts(counted).startswith(
        f"**{len(keys) + 1} statements**: {len(keys)} reproduced, 0"
    )
    assert all(verdict in describe_counts(counted) for verdict in VERDICTS)


def test_a_card_begins_with_what_fails_and_leads_to_the_evidence(audit: Audit) -> None:
    audit.set_heading("What wins (section 5)")
    first, *_ = judge_all(audit, REPRODUCED)
    audit.judge_claim("It |wins|.", "section 5", NOT_REPRODUCED, "It loses.")
    key = "It |wins|. (section 5)"
    with pytest.raises(UnknownNameError, match="row of the ledger"):
        audit.format_card(CARD, {"nobody": ""})
    with pytest.raises(PokerlabError, match="at most 8 headlines"):
        audit.format_card(CARD, dict.fromkeys("abcdefghi", ""))
    with pytest.raises(PokerlabError, match=r"at most 380 words; this one has \d+\. Leave out"):
        audit.format_card(CARD, {first: "word " * 381})
    card = audit.format_card(CARD, {first: "Ours.", key: "A loss."}, {first: "Nash at 12."})
    table = [line for line in card.splitlines() if line.startswith("| ")][1:]
    assert table == [
        r"| not reproduced | It \|wins\|. ([section 5](<#What-wins-(section-5)>)) | A loss. |",
        "| reproduced | Nash at 12. ([section 6.1](<#What-wins-(section-5)>)) | Ours. |",
    ]
    assert card.startswith('<img src="../../figures/one.png" alt="A line."')
    assert "**What a reader may take from it.** It wins." in card
    assert card.endswith(
        "--scale paper notebooks/audits/oliehoek_2006.ipynb` takes a minute. `make outputs` says how to compute"
        " those anew."
    )


def test_card_counts_what_other_interpretations_say_beside_a_verdict(audit: Audit) -> None:
    first, *_ = judge_all(audit, REPRODUCED)
    outcomes = {"as printed": False, "in chips": True, "summed": False, "by seat": None}
    audit.judge_claim(
        "It wins.", "section 5", decide_verdict_by_interpretations(outcomes), "In chips."
    )
    chosen = decide_verdict_on_fitted_figure(8, 8, 3, 80, ["in chips", "by seat"])
    audit.judge_claim("It rises.", "figure 1", chosen, "All of it.")
    found = decide_verdict_by_interpretations({"as printed": True, "in chips": False})
    audit.judge_claim("It leads.", "section 6", found, "With our deck.", substitutes="our deck")
    keys = ["It wins. (section 5)", "It rises. (figure 1)", "It leads. (section 6)", first]
    card = audit.format_card(CARD, dict.fromkeys(keys, "Ours."))
    verdicts = [line.split(" | ")[0] for line in card.splitlines() if line.startswith("| ")][1:]
    assert verdicts == [
        "| inconclusive (other readings: 1 confirms, 1 contradicts)",
        "| reproduced under an interpretation (2 of 80 readings give it)",
        "| reproduced",
        "| not testable (other readings, with our substitutes: 0 confirm, 1 contradicts)",
    ]


def test_a_ledger_is_written_once_and_then_compared(
    audit: Audit, tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / REVISIONS).write_text(
        "date,version,paper,what,key,before,after,why\n"
        "2026-11-25,1.0,oliehoek_2006,verdict,It wins. (section 5),,reproduced,New.\n",
        encoding="utf-8",
    )
    judge_all(audit, REPRODUCED)
    audit.judge_claim("It wins.", "section 5", REPRODUCED, "By 3.")
    with pytest.raises(PokerlabError, match=r"None in oliehoek-2006\.csv \(10 rows differ\)"):
        audit.compare_with_ledger(tmp_path)
    monkeypatch.setenv(WRITE_LEDGERS, "1")
    assert audit.compare_with_ledger(tmp_path).endswith("has the same 10 rows.")
    monkeypatch.delenv(WRITE_LEDGERS)
    rows = read_ledger(tmp_path / "oliehoek-2006.csv")
    assert [row._replace(revisions="") for row in rows] == audit.list_rows()
    assert rows[-1].revisions == "2026-11-25: new to reproduced. New."
    other = Audit("oliehoek-2006")
    judge_all(other, REPRODUCED)
    other.judge_claim("It wins.", "section 5", NOT_REPRODUCED, "By 3.")
    with pytest.raises(
        PokerlabError, match=r"verdict on 'It wins. \(section 5\)' is .*not reproduced"
    ):
        other.compare_with_ledger(tmp_path)


def test_what_comes_out_on_substitutes_may_differ_between_machines(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / REVISIONS).write_text("what,paper,key,before,after,why\n", encoding="utf-8")
    for verdict in (REPRODUCED, NOT_REPRODUCED):
        audit = Audit("oliehoek-2006")
        judge_all(audit, REPRODUCED)
        audit.judge_claim("It is fast.", "section 8", verdict, "3 ms.", substitutes="our program")
        if verdict == REPRODUCED:
            monkeypatch.setenv(WRITE_LEDGERS, "1")
        assert audit.compare_with_ledger(tmp_path).endswith("has the same 10 rows.")
        monkeypatch.delenv(WRITE_LEDGERS, raising=False)


def test_verdicts_are_in_one_order_of_strength() -> None:
    for one, other in product(VERDICTS[:-1], repeat=2):
        assert find_weakest_verdict(one, other) == find_weakest_verdict(other, one)
