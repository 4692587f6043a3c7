"""Where a lesson stands: one place on the map of the field, and the rows of the scoreboard so far."""

import csv

import pytest

from benchmarks.standings import FILE, METHODS
from pokerlab.core import UnknownNameError
from pokerlab.workbench.drawings import field
from pokerlab.workbench.style import figure


@pytest.mark.parametrize("here", field.LESSONS)
def test_you_are_at_one_place(here: str) -> None:
    labels = field.draw_map(figure()[1], here)
    marked = [lesson for lesson, label in labels.items() if "you are here" in label.get_text()]
    assert marked == [here]


def test_a_lesson_that_is_not_on_the_map_is_refused() -> None:
    with pytest.raises(UnknownNameError, match=r"'16'.*10"):
        field.field_map("16")


ROUNDING = 1e-9  # relative: other processors add in another order


@pytest.fixture
def displayed(monkeypatch: pytest.MonkeyPatch) -> list[str]:
    texts: list[str] = []
    monkeypatch.setattr(field, "say", texts.append)
    return texts


@pytest.mark.parametrize("name", METHODS)
def test_the_file_holds_what_the_method_reaches(name: str, displayed: list[str]) -> None:
    nash_conv, evaluations = METHODS[name]()
    score = field.scoreboard("15")[name]
    assert score.evaluations == evaluations
    assert score.nash_conv == pytest.approx(nash_conv, rel=ROUNDING, abs=field.ROUNDING)


def test_the_file_has_these_methods_and_no_others() -> None:
    with FILE.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    assert sorted(row["method"] for row in rows) == sorted(METHODS)


def test_a_lesson_shows_the_rows_so_far(displayed: list[str]) -> None:
    methods = ["replicator, whole strategies", "linear program", "replicator dynamics"]
    assert list(field.scoreboard("05")) == methods
    table, note = displayed
    assert len(table.splitlines()) == 2 + len(methods)
    assert "| 04 | linear program (Koller et al. 1994) | Kuhn poker | 0 chips | 1 |" in table
    assert "payoff evaluation" in note


def test_scoreboard_of_unknown_lesson_is_refused(displayed: list[str]) -> None:
    with pytest.raises(UnknownNameError, match=r"lesson.*'16'.*01"):
        field.scoreboard("16")
