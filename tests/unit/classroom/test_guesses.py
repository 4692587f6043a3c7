"""Guesses are noted if they are allowed and early enough, scored beside the truth, and collected for a class."""

import errno
import json
import re
from fractions import Fraction
from pathlib import Path

import nbformat
import numpy as np
import pytest

import pokerlab as pl
from pokerlab.classroom import guesses
from pokerlab.classroom.guesses import (
    CLASS_VARIABLE,
    MOST_BYTES,
    PREDICTIONS,
    read_class,
    record_first_guess,
)
from pokerlab.core import StorageError

NOTEBOOKS = Path(__file__).resolve().parents[3] / "notebooks"


@pytest.fixture(autouse=True)
def nothing_guessed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guesses, "GUESSES", {})
    monkeypatch.setattr(guesses, "ANSWERED", set())
    monkeypatch.delenv(CLASS_VARIABLE, raising=False)
    guesses.draw_session_name.cache_clear()


def test_guesses_have_points_by_their_distance(tmp_path: Path) -> None:
    truth = {"01b.1": 6, "01.1": 1 / 3, "01b.2": "yes"}
    for name, guess in (("01b.1", 12), ("01.1", 1 / 3), ("01b.2", "no"), ("01b.1", 6)):
        assert f"Your guess: {guess}." in pl.predict(name, guess).text
    note = pl.predictions("01", truth, file=tmp_path / "me.json")
    assert [row[-1] for row in note.rows] == ["points", "10", "10", "0"]
    assert "20 of 30 points" in note.text
    assert json.loads((tmp_path / "me.json").read_text(encoding="utf-8"))["01b.2"] == {
        "guess": "no",
        "points": 0,
    }


def test_points_are_zero_from_a_quarter_of_the_range_on() -> None:
    pl.predict("01.1", 0.35 + 1 / 3)
    assert pl.predictions("01", {"01.1": 1 / 3}).rows[1][-2:] == ["0.35", "0"]


@pytest.mark.parametrize("name", ["01.9", "1.1", ""])
def test_predictions_with_unknown_name_say_so(name: str) -> None:
    note = pl.predictions("01b", {"01b.1": 6, name: 6})
    assert note.text.startswith("There is no prediction called ")
    assert not guesses.ANSWERED


def test_predict_after_the_answer_is_refused_in_words() -> None:
    pl.predict("01b.1", 12)
    pl.predictions("01b", {"01b.1": 6, "01b.2": "yes"})
    assert "Your guess: 12." in pl.predict("01b.1", 12).text  # as when a notebook runs again
    late = pl.predict("01b.1", 6)
    assert late.text.endswith(
        "Not recorded: the answer has been shown. Your guess before it counts: 12."
    )
    assert late.mark == "✗"
    assert pl.predict("01b.2", "yes").text.endswith(
        "Not recorded: the answer has been shown. Only a guess before it counts."
    )
    assert "Your guess must be a number from 1 to 30." in pl.predict("01b.1", 60).text
    assert "Your guess: 'yes' or 'no'?" in pl.predict("01b.2", ...).text
    assert guesses.GUESSES == {"01b.1": 12.0}
    assert pl.predictions("01b", {"01b.1": 6}).rows[1][1:3] == ["12", "6"]


def test_predict_with_dots_again_says_the_guess() -> None:
    pl.predict("01.1", "1/3")
    assert (
        pl.predict("01.1", ...).text
        == "With the sponsor, how often should you show heads? Your guess: 0.333."
    )


def test_record_first_guess_keeps_the_first() -> None:
    assert not record_first_guess("01b.1", "many")
    assert guesses.GUESSES == {}
    assert record_first_guess("01b.1", "12").text.endswith("Your guess: 12.")
    assert record_first_guess("01b.1", 6).text.endswith("Your guess: 12. The first guess counts.")
    assert guesses.GUESSES == {"01b.1": 12.0}


@pytest.mark.parametrize("name", PREDICTIONS)
def test_predictions_declare_a_kind_and_what_it_allows(name: str) -> None:
    asked = PREDICTIONS[name]
    assert asked.kind in ("choice", "share", "number")
    if asked.kind == "choice":
        assert len(set(asked.allowed)) == len(asked.allowed) >= 2
        assert all(isinstance(each, str) for each in asked.allowed)
    else:
        low, high = asked.allowed
        assert low < high
    if asked.kind == "share":
        assert [*asked.allowed] == [0, 1]
    assert bool(asked.unit) == (asked.kind == "number")


def test_guesses_of_a_session_go_to_the_folder_of_the_class(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv(CLASS_VARIABLE, str(tmp_path / "class"))
    said = pl.predict("01b.1", 12).text
    assert said.endswith("Your guess: 12. It is kept for your class, without your name.")
    pl.predict("01b.2", "no")
    (file,) = (tmp_path / "class").iterdir()
    assert re.fullmatch(r"[0-9a-f]{16}\.json", file.name)
    written = json.loads(file.read_text(encoding="utf-8"))
    assert written == {"01b.1": {"guess": 12.0}, "01b.2": {"guess": "no"}}
    assert read_class(tmp_path / "class") == ({"01b.1": [12.0], "01b.2": ["no"]}, 1, [])


def test_guess_that_cannot_be_kept_for_the_class_counts_and_says_so(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    (tmp_path / "class").write_text("not a folder", encoding="utf-8")
    monkeypatch.setenv(CLASS_VARIABLE, str(tmp_path / "class"))
    said = pl.predict("01b.1", 12).text
    assert "Your guess: 12. It counts, but could not be kept for your class (" in said
    assert str(tmp_path) not in said
    assert guesses.GUESSES == {"01b.1": 12.0}


def test_read_class_counts_sessions_and_leaves_out_bad_files(tmp_path: Path) -> None:
    for name, text in {
        "a": '{"01b.1": {"guess": 12, "points": 2}, "01b.2": {"guess": "yes"}}',
        "b": '{"01b.1": {"guess": 6}, "01.1": {"guess": 7}, "77.7": {"guess": 1}, "01b.2": "NO"}',
        "c": '{"01b.1": {"guess": 6',
        "d": "[1, 2]",
        "e": '{"name": "a package"}',
        "f": "[" * 100_000,
        "g": '{"01b.1": ' + "9" * 5000 + "}",
        "h": " " * (MOST_BYTES + 1),
    }.items():
        (tmp_path / f"{name}.json").write_text(text, encoding="utf-8")
    (tmp_path / "i.json").write_bytes(b"\xff\xfe\x00")
    (tmp_path / "j.json").mkdir()
    (tmp_path / "notes.txt").write_text("not read", encoding="utf-8")
    found = read_class(tmp_path)
    assert found.guesses == {"01b.1": [12.0, 6.0], "01b.2": ["yes", "no"]}
    assert found.sessions == 2
    assert [words.split()[0] for words in found.left_out] == [
        *("b.json:", "b.json:"),
        *(f"{name}.json" for name in "cdefghij"),
    ]
    assert "b.json: the number 7 is no guess for 01.1." in found.left_out
    assert "d.json is left out: it holds no guesses." in found.left_out
    assert "c.json is left out: it is damaged, or not a file with guesses." in found.left_out


def test_read_class_of_a_missing_folder_or_one_file(tmp_path: Path) -> None:
    assert read_class(tmp_path / "nowhere") == ({}, 0, [])
    pl.predict("01b.1", 12)
    pl.predictions("01b", {"01b.1": 6}, file=tmp_path / "ada.json")
    assert read_class(str(tmp_path / "ada.json")) == ({"01b.1": [12.0]}, 1, [])


def test_who_guesses_nothing_sees_the_truth_alone() -> None:
    assert "Your guess: from 1 to 30?" in pl.predict("01b.1", ...).text
    note = pl.predictions("01b", {"01b.1": 6, "01b.2": "yes"})
    assert "no guess yet" in note.text
    assert [row[1:3] for row in note.rows[1:]] == [["none", "6"], ["none", "yes"]]


@pytest.mark.parametrize("guess", [1, 30, "30"])
def test_predict_notes_the_ends_of_the_range(guess: object) -> None:
    assert "from 1 to 30?" in pl.predict("01b.1", ...).text
    assert f"Your guess: {guess}." in pl.predict("01b.1", guess).text
    assert guesses.GUESSES["01b.1"] == float(str(guess))


def test_predictions_that_cannot_be_written_leave_the_old_file(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    def fail(_: int) -> None:
        raise OSError(errno.ENOSPC, "No space left on device")

    pl.predict("01b.1", 12)
    pl.predictions("01b", {"01b.1": 6}, file=tmp_path / "me.json")
    before = (tmp_path / "me.json").read_bytes()
    pl.predict("01b.1", 6)
    monkeypatch.setattr("os.fsync", fail)
    with pytest.raises(StorageError, match="No space left on device"):
        pl.predictions("01b", {"01b.1": 6}, file=tmp_path / "me.json")
    assert [path.read_bytes() for path in tmp_path.iterdir()] == [before]


@pytest.mark.parametrize(
    ("name", "guess", "words"),
    [
        ("01b.1", 31, "Not recorded: the number 31. Your guess must be a number from 1 to 30."),
        ("01b.1", "six", "Not recorded: the text 'six'. Your guess must be a number from 1 to 30."),
        ("01b.1", "60", "Not recorded: the number 60. Your guess must be a number from 1 to 30."),
        ("01b.1", True, "Not recorded: the truth value True."),
        ("01b.1", float("nan"), "Not recorded: the number nan."),
        ("01b.1", 10**4000, "Not recorded: a long number."),
        ("01b.1", np.array([3, 4]), "Not recorded: an array of shape (2,)."),
        ("01b.2", "maybe", "Not recorded: the text 'maybe'. Your guess must be 'yes' or 'no'."),
        ("01b.2", True, "Not recorded: the truth value True. Your guess must be 'yes' or 'no'."),
        ("00.1", "bluffing", "Your guess must be 'always bet' or 'never bet'."),
        ("13b.3", "elites", "Your guess must be 'roulette' or 'best half' or 'Pareto'."),
        ("01.9", 1, "There is no prediction called '01.9'."),
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
    assert guesses.GUESSES == {}


@pytest.mark.parametrize(
    ("name", "guess", "noted"),
    [
        ("00.1", "Never Bet", "never bet"),
        ("00.1", " nevr  bet", "never bet"),
        ("00.3", "Average", "average"),
        ("00.3", "currentt", "current"),
        ("06c.2", "cfr", "CFR"),
        ("06c.2", "PCFR", "PCFR+"),
        ("10.1", "two pairs", "two pair"),
        ("10.1", "Pair", "pair"),
        ("13b.2", "Best Half", "best half"),
        ("01b.1", "6", 6.0),
        ("01.1", "1/3", 1 / 3),
        ("01.1", Fraction(1, 3), 1 / 3),
        ("01b.1", np.int64(6), 6.0),
        ("01b.1", np.array(6), 6.0),
    ],
)
def test_predict_accepts_case_spelling_and_numbers_as_text(
    name: str, guess: object, noted: object
) -> None:
    said = noted if isinstance(noted, str) else guess
    assert pl.predict(name, guess).text.endswith(f"Your guess: {said}.")
    assert {name: noted} == guesses.GUESSES


def test_lessons_ask_every_prediction_and_score_it_at_the_end() -> None:
    sources = {
        path.name.partition("_")[0]: [
            cell.source for cell in nbformat.read(path, as_version=4).cells
        ]
        for path in sorted(NOTEBOOKS.glob("[0-9]*.ipynb"))
    }
    asked = re.findall(r'pl\.predict\("(.+?)"', "".join(map("".join, sources.values())))
    assert sorted(asked) == sorted(PREDICTIONS)
    for name in PREDICTIONS:
        number = name.partition(".")[0]
        lesson = sources[number]
        (asked,) = [k for k, text in enumerate(lesson) if f'pl.predict("{name}", ...)' in text]
        (scored,) = [k for k, text in enumerate(lesson) if f'pl.predictions("{number}"' in text]
        assert asked + 2 < scored
        assert f'"{name}":' in lesson[scored]
    assert {name.partition(".")[0] for name in PREDICTIONS} == set(sources)


def test_guesses_of_1_0_count_for_the_prediction_of_1_0(tmp_path: Path) -> None:
    pl.predict("05-1", 0.3)
    assert list(guesses.GUESSES) == ["09.1"]
    assert pl.predictions("05", {"05-1": 0.3}).rows[1][-1] == "10"
    (tmp_path / "ada.json").write_text('{"03-1": {"guess": "more"}}', encoding="utf-8")
    assert read_class(tmp_path) == ({"05.1": ["more"]}, 1, [])
