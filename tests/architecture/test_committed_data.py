"""Data that git holds are whole, and the history of verdicts is in order. (`test_printed` has its end.)"""

import csv
import json
from datetime import date
from itertools import pairwise
from pathlib import Path

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.papers.experiment import UNFINISHED_FOLDER, VERDICTS
from pokerlab.runs.checkpoint import FORMAT


def is_checkpoint(path: Path) -> bool:
    with np.load(path) as arrays:
        return "about" in arrays and json.loads(arrays["about"].tobytes())["format"] == FORMAT


def test_git_holds_no_checkpoint_of_a_run(root: Path, committed: list[Path]) -> None:
    names = [path.relative_to(root) for path in committed]
    arrays = [path for path in names if path.suffix == ".npz"]
    assert len(arrays) > 50
    assert [path for path in arrays if is_checkpoint(root / path)] == []
    runs = Path("data", "runs")
    assert [path for path in names if path.is_relative_to(runs / UNFINISHED_FOLDER)] == []
    assert {path.parent for path in names if path.is_relative_to(runs)} == {runs, runs / "longer"}


def test_is_checkpoint_distinguishes_a_run_that_goes_on(tmp_path: Path) -> None:
    run = pl.runs.Run(pl.solvers.CFR(pl.games.kuhn()), [], checkpoint=tmp_path / "run.npz").to(
        2, progress=False
    )
    run.history.save(tmp_path / "history.npz")
    assert is_checkpoint(tmp_path / "run.npz")
    assert not is_checkpoint(tmp_path / "history.npz")


AROUND = ("before", "after")
VERDICTS_BEFORE_2_0 = {
    "met",
    "met under a reading",
    "holds with an added condition",
    "not met",
    "cannot be decided",
}
KINDS = {"verdict", "rule", "published", "ours", "slip"}
NEW = ""


@pytest.fixture(scope="session")
def revisions(root: Path) -> list[dict[str, str]]:
    with (root / "data" / "verdicts" / "revisions.csv").open(encoding="utf-8") as lines:
        return list(csv.DictReader(lines))


def test_revisions_are_in_order_and_say_what_changed(
    root: Path, revisions: list[dict[str, str]]
) -> None:
    audits = {path.stem for path in (root / "notebooks" / "audits").glob("*.ipynb")}
    days = [date.fromisoformat(row["date"]) for row in revisions]
    assert all(earlier <= later for earlier, later in pairwise(days))
    assert {row["what"] for row in revisions} == KINDS
    assert {row["paper"] for row in revisions} == audits | {"all"}
    assert [row for row in revisions if row["before"] == row["after"]] == []
    given = {row[when] for row in revisions if row["what"] == "verdict" for when in AROUND}
    assert given <= {*VERDICTS, *VERDICTS_BEFORE_2_0, NEW}


def read_unique(pairs: list[tuple[str, object]]) -> dict[str, object]:
    """Return an object of JSON; stop if a key stands in it twice, of which only the last would count."""
    keys = [key for key, _ in pairs]
    assert len(keys) == len(set(keys)), sorted(key for key in keys if keys.count(key) > 1)
    return dict(pairs)


def test_no_key_stands_twice_in_an_object_of_committed_json(committed: list[Path]) -> None:
    files = [path for path in committed if path.suffix in {".json", ".ipynb"}]
    assert len(files) > 30
    for path in files:
        json.loads(path.read_text(encoding="utf-8"), object_pairs_hook=read_unique)


def test_a_key_that_stands_twice_is_found() -> None:
    with pytest.raises(AssertionError, match="07-3"):
        json.loads('{"07-3": "12.2", "07-3": "12b.1"}', object_pairs_hook=read_unique)
