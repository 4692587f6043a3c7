"""Data that git holds are whole: no run that goes on is among them."""

import json
from pathlib import Path

import numpy as np

import pokerlab as pl
from pokerlab.papers.experiment import UNFINISHED
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
    assert [path for path in names if path.is_relative_to(runs / UNFINISHED)] == []
    assert {path.parent for path in names if path.is_relative_to(runs)} == {runs, runs / "longer"}


def test_is_checkpoint_distinguishes_a_run_that_goes_on(tmp_path: Path) -> None:
    run = pl.runs.Run(pl.solvers.CFR(pl.games.kuhn()), [], checkpoint=tmp_path / "run.npz").to(
        2, progress=False
    )
    run.history.save(tmp_path / "history.npz")
    assert is_checkpoint(tmp_path / "run.npz")
    assert not is_checkpoint(tmp_path / "history.npz")
