"""Guesses are noted if they are allowed, and scored beside the truth."""

import json
from pathlib import Path

import nbformat
import pytest

import pokerlab as pl
from pokerlab.classroom import exercises
from pokerlab.classroom.checks import WORDS
from pokerlab.core import PokerlabError

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


@pytest.mark.parametrize(
    ("name", "guess", "words"),
    [
        ("01-1", 31, "it must be a number from 1 to 30"),
        ("01-1", "six", "it must be a number"),
        ("01-3", "maybe", "there are: yes, no"),
        ("01-9", 1, "no prediction '01-9'"),
    ],
)
def test_what_is_not_allowed_is_refused(name: str, guess: object, words: str) -> None:
    with pytest.raises(PokerlabError, match=words):
        pl.predict(name, guess)
    assert exercises.GUESSES == {}


def test_lessons_ask_every_prediction_and_score_it_at_the_end() -> None:
    sources = {
        path.name[:2]: [cell.source for cell in nbformat.read(path, as_version=4).cells]
        for path in sorted(NOTEBOOKS.glob("*.ipynb"))
    }
    for name in WORDS["predictions"]:
        lesson = sources[name[:2]]
        (asked,) = [k for k, text in enumerate(lesson) if f'pl.predict("{name}", ...)' in text]
        (scored,) = [k for k, text in enumerate(lesson) if f'pl.predictions("{name[:2]}"' in text]
        assert asked + 2 < scored == len(lesson) - 2
        assert f'"{name}":' in lesson[scored]
    assert {name[:2] for name in WORDS["predictions"]} == set(sources)
