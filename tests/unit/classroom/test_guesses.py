"""Guesses are noted if they are allowed, and scored beside the truth."""

import errno
import json
import re
from fractions import Fraction
from pathlib import Path

import nbformat
import numpy as np
import pytest

import pokerlab as pl
from pokerlab.classroom import exercises
from pokerlab.classroom.checks import WORDS
from pokerlab.core import StorageError

NOTEBOOKS = Path(__file__).resolve().parents[3] / "notebooks"


@pytest.fixture(autouse=True)
def nothing_guessed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(exercises, "GUESSES", {})


def test_guesses_have_points_by_their_distance(tmp_path: Path) -> None:
    truth = {"01-1": 6, "01-2": 1 / 3, "01-3": "yes"}
    for name, guess in (("01-1", 12), ("01-2", 1 / 3), ("01-3", "no"), ("01-1", 6)):
        assert f"You say: {guess}." in pl.predict(name, guess).text
    note = pl.predictions("01", truth, file=tmp_path / "me.json")
    assert [row[-1] for row in note.rows] == ["points", "10", "10", "0"]
    assert "20 of 30 points" in note.text
    assert json.loads((tmp_path / "me.json").read_text(encoding="utf-8"))["01-3"] == {
        "guess": "no",
        "points": 0,
    }
    pl.predict("01-2", 0.35 + 1 / 3)
    assert pl.predictions("01", truth).rows[2][-2:] == ["0.35", "0"]


def test_who_guesses_nothing_sees_the_truth_alone() -> None:
    assert "Your guess: from 1 to 30?" in pl.predict("01-1", ...).text
    note = pl.predictions("01", {"01-1": 6, "01-3": "yes"})
    assert "no guess yet" in note.text
    assert [row[1:3] for row in note.rows[1:]] == [["none", "6"], ["none", "yes"]]


@pytest.mark.parametrize("guess", [1, 30, "30"])
def test_predict_notes_the_ends_of_the_range(guess: object) -> None:
    assert "from 1 to 30?" in pl.predict("01-1", ...).text
    assert f"You say: {guess}." in pl.predict("01-1", guess).text
    assert exercises.GUESSES["01-1"] == float(str(guess))


def test_predictions_that_cannot_be_written_leave_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    pl.predict("01-1", 12)
    pl.predictions("01", {"01-1": 6}, file=tmp_path / "me.json")
    before = (tmp_path / "me.json").read_bytes()
    pl.predict("01-1", 6)
    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(StorageError, match="No space left on device"):
        pl.predictions("01", {"01-1": 6}, file=tmp_path / "me.json")
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [before]


@pytest.mark.parametrize(
    ("name", "guess", "words"),
    [
        ("01-1", 31, "Not noted: the number 31. Your guess must be a number from 1 to 30."),
        ("01-1", "six", "Not noted: the text 'six'. Your guess must be a number from 1 to 30."),
        ("01-1", True, "Not noted: the truth value True."),
        ("01-1", float("nan"), "Not noted: the number nan."),
        ("01-1", 10**4000, "Not noted: a long number."),
        ("01-1", np.array([3, 4]), "Not noted: an array of shape (2,)."),
        ("01-3", "maybe", "Not noted: the text 'maybe'. Your guess must be 'yes' or 'no'."),
        ("01-3", True, "Not noted: the truth value True. Your guess must be 'yes' or 'no'."),
        ("00-1", "bluffing", "Your guess must be 'always bet' or 'never bet'."),
        ("09-3", "with a hall", "Your guess must be 'without a hall' or 'with the large hall'."),
        ("01-9", 1, "There is no prediction called '01-9'."),
        (1, 1, "There is no prediction called the number 1."),
        ([], 1, "There is no prediction called a list."),
    ],
)
def test_predict_says_what_is_asked_where_a_guess_is_none(
    name: str, guess: object, words: str
) -> None:
    note = pl.predict(name, guess)
    assert words in note.text
    assert not note
    assert exercises.GUESSES == {}


@pytest.mark.parametrize(
    ("name", "guess", "noted"),
    [
        ("00-1", "Never Bet", "never bet"),
        ("00-1", " nevr  bet", "never bet"),
        ("00-3", "Average", "average"),
        ("00-3", "currentt", "current"),
        ("03-3", "cfr", "CFR"),
        ("03-3", "PCFR", "PCFR+"),
        ("06-1", "two pairs", "two pair"),
        ("06-1", "Pair", "pair"),
        ("08-3", "Best Half", "best half"),
        ("01-1", "6", 6.0),
        ("01-2", "1/3", 1 / 3),
        ("01-2", Fraction(1, 3), 1 / 3),
        ("01-1", np.int64(6), 6.0),
        ("01-1", np.array(6), 6.0),
    ],
)
def test_predict_accepts_case_spelling_and_numbers_as_text(
    name: str, guess: object, noted: object
) -> None:
    said = noted if isinstance(noted, str) else guess
    assert pl.predict(name, guess).text.endswith(f"You say: {said}.")
    assert {name: noted} == exercises.GUESSES


def test_lessons_ask_every_prediction_and_score_it_at_the_end() -> None:
    sources = {
        path.name[:2]: [cell.source for cell in nbformat.read(path, as_version=4).cells]
        for path in sorted(NOTEBOOKS.glob("*.ipynb"))
    }
    asked = re.findall(r'pl\.predict\("(.+?)"', "".join(map("".join, sources.values())))
    assert asked == [*WORDS["predictions"]]
    for name in WORDS["predictions"]:
        lesson = sources[name[:2]]
        (asked,) = [k for k, text in enumerate(lesson) if f'pl.predict("{name}", ...)' in text]
        (scored,) = [k for k, text in enumerate(lesson) if f'pl.predictions("{name[:2]}"' in text]
        assert asked + 2 < scored == len(lesson) - 2
        assert f'"{name}":' in lesson[scored]
    assert {name[:2] for name in WORDS["predictions"]} == set(sources)
