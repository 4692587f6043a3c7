"""Whatever a student gives as an answer or as a guess, a sentence comes back and no traceback."""

from collections.abc import Iterator
from decimal import Decimal
from fractions import Fraction
from typing import Any

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.classroom import guesses
from pokerlab.classroom.answers import KINDS, are_equal_after_rounding, find_similar_phrase
from pokerlab.classroom.checks import WORDS
from pokerlab.classroom.exercises import CHECKS
from pokerlab.classroom.guesses import PREDICTIONS
from pokerlab.core import GameError

PYTHON = ("Error", "ellipsis", "object is not", "has no attribute", "__", "np.")
"""What Python says, and a student who has written no program need not read."""


class Unreadable:
    """An object that fails whatever is done with it."""

    def __repr__(self) -> str:
        raise RuntimeError("no words")

    def __array__(self, *_: object, **__: object) -> Any:
        raise RuntimeError("no array")

    def __float__(self) -> float:
        raise OverflowError

    def __bool__(self) -> bool:
        raise ValueError("neither")


class Wordless(Exception):
    """An error that cannot say what it is."""

    def __str__(self) -> str:
        raise RuntimeError("no words")


def fail(*_: object) -> None:
    raise GameError("this program fails")


def fail_without_words(*_: object) -> None:
    raise Wordless


def leave(*_: object) -> None:
    raise SystemExit(1)


def endless(*_: object) -> Any:
    return endless(*_)


def within_itself() -> list[Any]:
    inner: list[Any] = []
    inner.append(inner)
    return inner


def counting() -> Iterator[int]:
    yield from range(3)


THINGS: dict[str, Any] = {
    "None": None, "nothing": "", "banana": "banana", "other case": "BANANA", "number": "0.123",
    "ratio": "1/0", "large power": "1e999999999", "many letters": "x" * 10**6, "True": True, "false": np.bool_(False),
    "nan": float("nan"), "inf": float("inf"), "minus inf": -np.inf, "zero": 0,
    "huge": 10**5000, "huge ratio": Fraction(10**5000, 3),
    "complex": 1j, "decimal": Decimal("0.1"), "dots": ..., "list of dots": [...], "empty list": [], "empty tuple": (),
    "words": ["a", "b", "c"], "ragged": [[1, 2], [3]], "long list": [0.5] * 300_000, "within itself": within_itself(),
    "empty dictionary": {}, "dictionary": {"tests solved": 1},
    "dictionary of words": dict.fromkeys((4, 5, 6, 9), "many"),
    "set": {1, 2}, "bytes": b"x", "range": range(3), "object": object(), "Unreadable": Unreadable(),
    "list of Unreadable": [Unreadable()], "class": Unreadable, "int": int, "module": np, "generator": counting(),
    "empty array": np.array([]), "array": np.zeros((2, 3)), "array of objects": np.array([None, "x"], dtype=object),
    "array of texts": np.array(["a"]), "array of truth values": np.array([True, False]),
    "dates": np.array(["2026-01-01"], "M8"),
    "missing": np.ma.masked, "masked": np.ma.array([1, 2], mask=True), "complex array": np.array([1j, 2]),
    "profile": pl.games.rock_paper_scissors().uniform(), "game": pl.games.kuhn(),
}  # fmt: skip
PROGRAMS: dict[str, Any] = {
    "fail": fail, "fail without words": fail_without_words, "leave": leave, "endless": endless,
    "no arguments": lambda: 1,
    **{f"returns {name}": (lambda thing: lambda *_: thing)(THINGS[name]) for name in (
        "None", "banana", "True", "nan", "dots", "list of dots", "ragged", "empty dictionary", "Unreadable",
        "within itself",
        "array", "dates", "complex", "huge", "words",
    )},
}  # fmt: skip


@pytest.mark.parametrize("name", CHECKS)
@pytest.mark.filterwarnings("ignore::numpy.exceptions.ComplexWarning")
def test_check_of_a_strange_thing_says_what_is_asked(name: str) -> None:
    for called, thing in THINGS.items():
        note = pl.check(name, thing)
        assert note.mark == "✗", called
        assert note.text.startswith("Not yet. It ") or WORDS["open"] in note.text or any(
            hint in note.text for hint in WORDS["exercises"][name]["hints"]
        ), called  # fmt: skip
        assert note.text.endswith(f"Asked for: {WORDS['exercises'][name]['asks']}."), called
        assert len(note.text) < 600, called
        if not callable(thing):
            assert not any(words in note.text for words in PYTHON), (called, note.text)
        assert note._repr_html_()


@pytest.mark.parametrize("name", CHECKS)
def test_check_of_a_strange_program_says_what_is_asked(name: str) -> None:
    for called, program in PROGRAMS.items():
        note = pl.check(name, program)
        assert note.mark == "✗", called
        assert note.text.endswith(f"Asked for: {WORDS['exercises'][name]['asks']}."), called
        assert len(note.text) < 600, called


@pytest.mark.parametrize(("number", "name"), [*enumerate(PREDICTIONS)])
def test_predict_of_a_strange_guess_says_what_is_asked(
    monkeypatch: pytest.MonkeyPatch, number: int, name: str
) -> None:
    """Each question is given a third of all things: how one is read does not depend on the question."""
    monkeypatch.setattr(guesses, "GUESSES", {})
    monkeypatch.setattr(guesses, "ANSWERED", set())
    question, allowed = PREDICTIONS[name].question, PREDICTIONS[name].allowed
    for called, thing in [*THINGS.items(), *PROGRAMS.items()][number % 3 :: 3]:
        note = pl.predict(name, thing)
        if guesses.GUESSES:
            assert called in ("number", "zero"), called
            assert allowed[0] <= guesses.GUESSES.pop(name) <= allowed[1]
            continue
        assert note.text.startswith(question), called
        assert all(str(each) in note.text for each in allowed), called
        assert not any(words in note.text for words in PYTHON), called


@pytest.mark.parametrize(
    "name", [name for name in CHECKS if CHECKS[name].kind_of_answer == "function"]
)
def test_check_names_the_kind_that_functions_are_no_part_of(name: str) -> None:
    assert "It is the number 0.5, not a function." in pl.check(name, 0.5).text
    assert "It is a list, not a function." in pl.check(name, [0.5]).text


def test_check_says_how_many_arguments_a_function_gets() -> None:
    assert (
        "It is called with 4 arguments, and does not take that many." in pl.check("02.2", abs).text
    )
    assert "It is called with 1 argument, and" in pl.check("03.2", lambda: 1).text
    assert "It is the text 'banana', not a number." in pl.check("00.1", "banana").text
    assert "It returns nothing (None), not numbers." in pl.check("03.2", lambda shift: None).text
    assert "It ends with GameError: this program fails." in pl.check("03.2", fail).text
    assert "It ends with Wordless. It is" in pl.check("03.2", fail_without_words).text
    # A program calls this one, with arguments that are not the exercise's.
    assert "It ends with ZeroDivisionError: " in pl.check("10b.3", lambda view: 1 // 0).text


def test_check_names_the_entry_that_a_dictionary_lacks() -> None:
    assert "It has no entry 'ESS'." in pl.check("15b.2", {"tests solved": [1]}).text


def test_every_kind_is_asked_for() -> None:
    assert {check.kind_of_answer for check in CHECKS.values()} == {*KINDS}


@pytest.mark.parametrize("name", CHECKS)
def test_kinds_fit_the_truth(name: str) -> None:
    """The truth of what is a number or several is neither another kind nor of another size."""
    check = CHECKS[name]
    if check.compute_numbers is None:
        assert (check.kind_of_answer == "function") == bool(check.cases)
        sizes = {each.shape for each in check.compute_results(check.truth)}
        assert (check.kind_of_answer == "number") == (sizes == {()} and not check.cases)


@pytest.mark.parametrize(
    ("name", "answer", "words"),
    [
        ("00.1", 16.7, "Right, but rounded."),
        ("00.1", 17, "Right, but rounded."),
        ("00.1", "50/3", "Right."),
        ("00.1", 16.9, "Not yet."),
        ("00.1", 16.68, "Right."),
        ("00.1", 20, "Not yet."),
        ("04.1", [0.06, 0.31, 0.63], "another order"),
        ("04.1", [10 / 16, 5 / 16, 1 / 16], "another order"),
        ("09.1", [0.06, 0.63, 0.31], "Right, but rounded."),
        ("09.1", [0.0625, 0.62, 0.31], "Not yet. Two equations"),
        ("09.1", [0.1, 0.6, 0.3], "Not yet. Two equations"),
        ("09.1", [5 / 16, 10 / 16, 1 / 16], "another order"),
        ("09.1", [1, 10, 5], "leave out the 16"),
        ("09.1", [0.07, 0.62, 0.31], "Not yet. Two equations"),
    ],
)
def test_check_tells_rounded_and_reordered_answers_apart(
    name: str, answer: object, words: str
) -> None:
    note = pl.check(name, answer)
    assert words in note.text
    assert bool(note) == words.startswith("Right")


@pytest.mark.parametrize(
    "name", [name for name in CHECKS if CHECKS[name].kind_of_answer == "numbers"]
)
def test_slips_are_not_taken_for_rounding(name: str) -> None:
    check = CHECKS[name]
    right = check.compute_results(check.truth)
    for slip in check.slips:
        assert not all(map(are_equal_after_rounding, check.compute_results(slip), right))


def test_is_rounded_needs_two_digits_of_the_largest_number() -> None:
    right = np.array([1 / 16, 10 / 16, 5 / 16])
    assert are_equal_after_rounding(np.array([0.06, 0.62, 0.31]), right)
    assert are_equal_after_rounding(np.array([0.062, 0.625, 0.313]), right)
    assert not are_equal_after_rounding(np.array([0.1, 0.6, 0.3]), right)
    assert not are_equal_after_rounding(np.array([0.06, 0.64, 0.31]), right)
    assert not are_equal_after_rounding(np.array([0.06, 0.6231, 0.31]), right)
    assert are_equal_after_rounding(np.array(1200.0), np.array(1234.0))
    assert are_equal_after_rounding(np.array(-0.0012), np.array(-0.0012345))
    assert are_equal_after_rounding(np.zeros(2), np.zeros(2))
    assert not are_equal_after_rounding(np.array([0, 0.01]), np.zeros(2))


@pytest.mark.parametrize("name", PREDICTIONS)
def test_words_that_may_be_guessed_are_told_apart(name: str) -> None:
    allowed = PREDICTIONS[name].allowed
    if isinstance(allowed[0], str):
        for word in allowed:
            assert find_similar_phrase(f" {word.upper()} ", allowed) == word
            assert [other for other in allowed if find_similar_phrase(word, [other]) and other != word] in (
                [], ["CFR+"], ["PCFR+"], ["CFR", "PCFR+"],
            )  # fmt: skip
