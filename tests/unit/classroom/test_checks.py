"""Answers are put to the test, and slips are told apart, whatever else an answer may be."""

import re
from pathlib import Path

import nbformat
import numpy as np
import pytest

import pokerlab as pl
from pokerlab.classroom.checks import NAMES_IN_1_0, WORDS
from pokerlab.classroom.exercises import CHECKS
from pokerlab.classroom.guesses import PREDICTIONS

NOTEBOOKS = Path(__file__).resolve().parents[3] / "notebooks"
SLIPS = [(name, number) for name, check in CHECKS.items() for number in range(len(check.slips))]
CALL = re.compile(r'\n# pl\.check\("(\d\d[b-z]?\.\d)", .+\)$')


@pytest.mark.parametrize(("name", "number"), SLIPS)
def test_a_slip_is_wrong_and_has_its_own_hint(name: str, number: int) -> None:
    check, hints = CHECKS[name], WORDS["exercises"][name]["hints"]
    found, right = (check.compute_results(each) for each in (check.slips[number], check.truth))
    assert not check.results_agree(found, right)
    assert check.find_hint(found, right, hints) == hints[number]


@pytest.mark.parametrize("name", CHECKS)
def test_words_and_programs_belong_together_and_other_numbers_are_wrong(name: str) -> None:
    check, words = CHECKS[name], WORDS["exercises"][name]
    right = check.compute_results(check.truth)
    assert len(words["hints"]) == len(check.slips) + 1
    for change in (lambda x: x * 1.01 + 0.01, lambda x: -x - 1):
        assert (
            not check.results_agree([change(each) for each in right], right)
            or check.tolerance > 0.01
        )


def test_every_exercise_ends_with_its_check_and_every_check_has_an_exercise() -> None:
    asked = [
        (path.name.partition("_")[0], CALL.search(cell.source))
        for path in sorted(NOTEBOOKS.glob("[0-9]*.ipynb"))
        for cell in nbformat.read(path, as_version=4).cells
        if "exercise" in cell.metadata.get("tags", [])
    ]
    names = sorted(found[1] for _, found in asked if found)  # 02.5 comes before 02.3
    assert names == list(CHECKS) == list(WORDS["exercises"])
    assert all(found and found[1].partition(".")[0] == lesson for lesson, found in asked)


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        ([1 / 9, 0], "Right."),
        ([0, 1 / 9], "point of view"),
        ([-1 / 9, 0], "sign"),
        ([1 / 18, 0], "half"),
        ([0.2, 0.1], "what it wins in the six deals"),
        ([1 / 9, 0, 0], "It has 3 numbers in place of 2 numbers."),
        ([[1 / 9, 0]], "It is an array of shape (1, 2) in place of 2 numbers"),
        ("1/9", "It has one number in place of 2 numbers."),
        (["1/9", "none"], "It is a list with the text 'none' in it, not numbers."),
        ([[0, "x"]], "It is a list with the text 'x' in it, not numbers."),
        ([[1, 2], [3]], "It is a list whose entries have different lengths, not numbers."),
        ([0.11, 0], "Right, but rounded."),
        ([0.1, 0], "what it wins in the six deals"),
        (..., "dots"),
        ([..., 0], "dots"),
        (np.array([..., 0]), "dots"),
        ([np.nan, 0], "not a number"),
    ],
)
def test_a_hint_fits_the_answer(answer: object, hint: str) -> None:
    note = pl.check("04c.2", answer)
    assert hint in note.text
    assert bool(note) == hint.startswith("Right")
    assert note or "Asked for: the gains of both players." in note.text


@pytest.mark.parametrize(
    ("members", "hint"),
    [
        (["network, Control"] * 3, "only the new ones: the twelve stay"),
        ([*map(str, range(11)), "network, Control", *"abc"], "Three copies come in"),
        ([*map(str, range(11)), *["network, Control"] * 4], "Right."),
    ],
)
def test_members_and_copies_are_counted_by_name(members: list[str], hint: str) -> None:
    assert hint in pl.check("15.2", members).text


def test_a_function_may_fail_or_spoil_its_arguments() -> None:
    def spoil(payoff, shares, shift, rounds):  # type: ignore[no-untyped-def]
        shares *= 0
        return np.zeros((rounds + 1, len(shares)))

    assert "It is the number 0.1, not a function." in pl.check("02.2", 0.1).text
    assert "dots" in pl.check("00.2", lambda rounds: (..., 0.5)).text
    assert not pl.check("02.2", spoil)
    assert pl.check("02.2", pl.classroom.exercises.truths_on_games.trace_replicator_shares)


@pytest.mark.parametrize(
    ("name", "words"),
    [
        ("5.2", "There is no exercise called '5.2'. Give lesson and number, such as '00.1'. Did you mean"),
        (3, "no exercise called the number 3"),
        ([], "no exercise called a list"),
        (None, "nothing (None)"),
    ],
)  # fmt: skip
def test_check_of_unknown_exercise_says_how_they_are_named(name: object, words: str) -> None:
    note = pl.check(name, 0)  # type: ignore[arg-type]
    assert words in note.text
    assert not note


def test_a_note_is_a_page_and_lets_no_mark_through() -> None:
    page = pl.check("04c.2", "<b>")._repr_html_()
    assert "&lt;b&gt;" in page
    assert "✗" in page
    assert repr(pl.check("04c.2", [1 / 9, 0])) == "✓ Right."


@pytest.mark.parametrize(("kind", "known"), [("exercises", CHECKS), ("predictions", PREDICTIONS)])
def test_each_name_of_1_0_leads_to_one_present_name(kind: str, known: dict[str, object]) -> None:
    names = NAMES_IN_1_0[kind]
    assert set(names.values()) <= set(known)
    assert len(set(names.values())) == len(names) == {"exercises": 36, "predictions": 31}[kind]
    assert not set(names) & set(known)


def test_check_of_a_name_of_1_0_asks_for_the_exercise_of_1_0() -> None:
    assert pl.check("01-3", [1 / 9, 0])
    assert pl.check("00-1", 50 / 3)
    assert "Asked for: the function at_once." in pl.check("03-2", ...).text


@pytest.mark.parametrize(
    ("answer", "hint"),
    [
        (["false", "true", "open", "open", "false", "true"], "Right."),
        (["False", "TRUE", "open", "opeen", "false", "true"], "Right."),
        (
            ["false", "proven"] * 3,
            "It has the text 'proven' in it. Choose among 'true', 'false', 'open'.",
        ),
        ([False, True] * 3, "It has the truth value False in it. Choose among 'true'"),
        (["true"], "It has a list of one entry in place of 6 entries."),
        ("open", "It is the text 'open', not a list."),
    ],
)
def test_check_of_phrases_names_the_entry_that_is_none(answer: object, hint: str) -> None:
    note = pl.check("12c.2", answer)
    assert hint in note.text
    assert bool(note) == hint.startswith("Right")
