"""Histories keep columns, units and provenance through a file."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pokerlab.core import FileFormatError, ShapeError, UnknownNameError
from pokerlab.core.saved_files import SavedFile
from pokerlab.runs import History
from pokerlab.runs.history import FORMAT
from tests.refusals import refused

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


def test_file_of_deeply_nested_lists_is_called_damaged(tmp_path: Path) -> None:
    path, text = tmp_path / "deep.npz", b"[" * 10**6
    np.savez(path, about=np.frombuffer(text, dtype=np.uint8))
    with pytest.raises(FileFormatError, match=r"deep\.npz is damaged \(RecursionError"):
        History.load(path)


def test_columns_cannot_be_changed() -> None:
    with pytest.raises(ValueError, match="read-only"):
        HISTORY["nash_conv"][0] = 1.0


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
    path = SavedFile({"format": FORMAT, **about}, columns).save(tmp_path / "odd.npz")
    with pytest.raises(FileFormatError, match=message):
        History.load(path)


def made(units: Any = (), provenance: Any = (), rows: Any = ((0.0,),)) -> Callable[[], Any]:
    return lambda: History.from_rows(("iteration",), rows, units or {}, provenance or {})


test_what_is_no_history_is_refused = refused(
    (lambda: HISTORY["nashconv"], UnknownNameError, "there are: iteration, nash_conv. Did you"),
    (lambda: HISTORY.select_row(7), UnknownNameError, "iteration 7; the nearest recording is 1"),
    (lambda: History({"a": np.zeros(2), "b": np.zeros(3)}, {}, {}), ShapeError, "must be equal"),
    (lambda: History({"a": np.array(1.0)}, {}, {}), ShapeError, "column a is array(1.)"),
    (
        lambda: History({"a": np.zeros((2, 1))}, {}, {}),
        ShapeError,
        "give an array of shape (rows,)",
    ),
    (made({"iteration": 3}), "units are {'iteration': 3}; give a dictionary from the columns"),
    (made({"seconds": "s"}), "units are {'seconds': 's'}"),
    (lambda: History({}, None, {}), "units are None"),  # type: ignore[arg-type]
    (made(provenance="today"), "provenance is 'today'; give a dictionary"),
    (made(provenance={"game": object()}), "which no file can hold"),
    *(
        (made(rows=rows), ShapeError, "the columns iteration")
        for rows in ([(0.0, 1.0)], [("zero",)], [(0.0,), (1.0, 2.0)])
    ),
)
