"""Histories keep columns, units and provenance through a file."""

from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pokerlab.core import FileFormatError, SettingError, ShapeError, UnknownNameError
from pokerlab.runs import History
from pokerlab.runs.history import FORMAT
from pokerlab.runs.kept import Kept

HISTORY = History.from_rows(
    ("iteration", "nash_conv"),
    [(0.0, 0.5), (1.0, 0.25)],
    {"iteration": "iterations", "nash_conv": "chips"},
    {"seed": 1},
)


def test_a_saved_history_comes_back(tmp_path: Path) -> None:
    back = History.load(HISTORY.save(tmp_path / "deep" / "history.npz"))
    assert np.array_equal(back["nash_conv"], [0.5, 0.25])
    assert back.units == HISTORY.units
    assert back.provenance == {"seed": 1}
    assert [p.name for p in (tmp_path / "deep").iterdir()] == ["history.npz"]


def test_columns_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        HISTORY["nash_conv"][0] = 1.0


def test_an_unknown_column_is_named_with_those_there_are() -> None:
    with pytest.raises(
        UnknownNameError, match=r"no column 'nashconv'; there are: iteration, nash_conv\. Did"
    ):
        HISTORY["nashconv"]


def test_a_row_that_was_not_recorded_names_the_nearest() -> None:
    with pytest.raises(UnknownNameError, match="iteration 7; the nearest recording is 1"):
        HISTORY.at(7)


def test_columns_of_different_lengths_are_refused() -> None:
    with pytest.raises(ShapeError, match="all must be equal"):
        History({"a": np.zeros(2), "b": np.zeros(3)}, {}, {})


def test_other_files_are_refused(tmp_path: Path) -> None:
    missing = tmp_path / "missing.npz"
    with pytest.raises(FileFormatError, match="does not exist"):
        History.load(missing)
    missing.write_text("no archive", encoding="utf-8")
    with pytest.raises(FileFormatError, match="damaged or not one of pokerlab's files"):
        History.load(missing)


@pytest.mark.parametrize(
    ("about", "columns", "message"),
    [
        ({"provenance": {}}, {"a": np.zeros(2)}, "holds no units"),
        ({"units": {}}, {"a": np.zeros(2)}, "holds no provenance"),
        ({"units": {}, "provenance": {}}, {"a": np.float64(1.0)}, r"shapes \{'a': \(\)\}"),
        ({"units": {}, "provenance": {}}, {"a": np.zeros(2), "b": np.zeros(3)}, "equal length"),
    ],
)
def test_a_whole_file_that_is_no_history_is_refused(
    tmp_path: Path, about: dict[str, Any], columns: dict[str, Any], message: str
) -> None:
    path = Kept({"format": FORMAT, **about}, columns).save(tmp_path / "odd.npz")
    with pytest.raises(FileFormatError, match=message):
        History.load(path)


@pytest.mark.parametrize(
    ("units", "provenance", "message"),
    [
        ({"iteration": 3}, {}, "units are {'iteration': 3}; give a dictionary from the columns"),
        ({"seconds": "s"}, {}, "units are {'seconds': 's'}"),
        (None, {}, "units are None"),
        ({}, "today", "provenance is 'today'; give a dictionary"),
        ({}, {"game": object()}, "'game' is <object .* which no file can hold"),
    ],
)
def test_units_and_provenance_without_meaning_are_refused(
    units: Any, provenance: Any, message: str
) -> None:
    with pytest.raises(SettingError, match=message):
        History.from_rows(("iteration",), [(0.0,)], units, provenance)


@pytest.mark.parametrize("rows", [[(0.0, 1.0)], [("zero",)], [(0.0,), (1.0, 2.0)]], ids=str)
def test_rows_that_are_not_a_table_are_refused(rows: Any) -> None:
    with pytest.raises(ShapeError, match="the columns iteration"):
        History.from_rows(("iteration",), rows, {}, {})
