"""The histogram of a class counts each guess once, marks the truth, and says the same in words."""

import json
from pathlib import Path

import numpy as np
import pytest
from matplotlib.figure import Figure

from pokerlab.classroom.guesses import PREDICTIONS, ClassGuesses, read_class
from pokerlab.core import UnknownNameError
from pokerlab.workbench import show_guesses
from pokerlab.workbench.views import class_guesses
from pokerlab.workbench.views.class_guesses import count_guesses, plot_class

SHARES = [0.0, 0.05, 0.1, 0.3, 0.3, 0.35, 0.69999, 0.7, 1.0]
BY_HAND = [2, 1, 0, 3, 0, 0, 1, 1, 0, 1]


def test_count_guesses_of_shares_agrees_with_a_count_by_hand() -> None:
    counts = count_guesses(PREDICTIONS["09.1"], SHARES)
    assert [*counts.values()] == BY_HAND
    assert [*counts][:2] == ["0 to 0.1", "0.1 to 0.2"]


def test_count_guesses_of_numbers_and_phrases_agrees_with_a_count_by_hand() -> None:
    numbers = count_guesses(PREDICTIONS["12b.1"], [0, 9.9, 10, 99, 100])
    assert {name: count for name, count in numbers.items() if count} == {
        "0 to 10": 2,
        "10 to 20": 1,
        "90 to 100": 2,
    }
    phrases = count_guesses(PREDICTIONS["02.2"], ["doves", "hawks", "doves"])
    assert phrases == {"hawks": 1, "doves": 2, "bullies": 0, "nobody": 0}


@pytest.mark.parametrize("name", PREDICTIONS)
def test_count_guesses_has_a_place_for_each_allowed_guess(name: str) -> None:
    asked = PREDICTIONS[name]
    few = asked.allowed if asked.kind == "choice" else np.linspace(*asked.allowed, 31).tolist()
    assert sum(count_guesses(asked, few).values()) == len(few)


def test_plot_class_draws_the_counts_and_marks_the_truth() -> None:
    found = ClassGuesses({"09.1": SHARES, "09.2": ["nowhere", "at the tip", "nowhere"]}, 9, [])
    drawn, caption = plot_class(found, "09", {"09.1": 0.0625, "09.2": "nowhere"})
    shares, phrases = drawn.axes
    assert [bar.get_height() for bar in shares.patches] == BY_HAND
    (line,) = shares.lines
    assert [*line.get_xdata()] == [0.0625, 0.0625]
    assert line.get_linestyle() == "--"
    assert [bar.get_height() for bar in phrases.patches] == [1, 0, 2]
    assert [bool(bar.get_hatch()) for bar in phrases.patches] == [False, False, True]
    assert [label.get_text() for label in phrases.get_xticklabels()][2] == "nowhere (true)"
    assert "9 guesses, median 0.3; truth 0.0625." in caption
    assert "2 of 3 guesses right: nowhere. Guesses: at the tip: 1, nowhere: 2." in caption


def test_plot_class_without_truth_marks_nothing() -> None:
    drawn, caption = plot_class(ClassGuesses({"09.1": [0.5]}, 1, []), "09", {})
    (axes,) = drawn.axes
    assert not axes.lines
    assert "truth" not in caption
    assert "1 guess, median 0.5" in caption


@pytest.fixture
def shown(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    """Return the captions and sentences that are displayed."""
    said: list[str] = []

    def keep(figure: Figure, caption: str) -> None:
        said.append(caption)

    monkeypatch.setattr(class_guesses, "show", keep)
    monkeypatch.setattr(class_guesses, "say", said.append)
    return said


def test_show_guesses_reads_a_folder_and_names_bad_files(tmp_path: Path, shown: list[str]) -> None:
    for name, guess in {"a": 0.1, "b": 0.2, "c": 2}.items():
        text = json.dumps({"09.1": {"guess": guess}})
        (tmp_path / f"{name}.json").write_text(text, encoding="utf-8")
    for number in range(7):
        (tmp_path / f"z{number}.json").write_text("{", encoding="utf-8")
    show_guesses(tmp_path, "09", {"09.1": 1 / 16})
    caption, left_out = shown
    assert "2 guesses, median 0.15; truth 0.0625" in caption
    assert left_out.startswith("c.json: the number 2 is no guess for 09.1. z0.json is left out: ")
    assert left_out.endswith("And 3 more.")
    assert read_class(tmp_path).sessions == 2


def test_show_guesses_without_any_says_so(tmp_path: Path, shown: list[str]) -> None:
    show_guesses(tmp_path / "nowhere", "09")
    assert shown == [f"There are no guesses for lesson 09 in `{tmp_path / 'nowhere'}` yet."]


def test_show_guesses_of_unknown_lesson_is_refused(tmp_path: Path) -> None:
    with pytest.raises(UnknownNameError, match="lesson"):
        show_guesses(tmp_path, "5")
