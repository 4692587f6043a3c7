"""Evolutions handed from one sitting to the next: kept, taken up, and gone on with."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pokerlab.core import CheckpointError, FileFormatError, UnknownNameError
from pokerlab.papers.nicolai2009 import Config, Evolution, evolve
from pokerlab.papers.nicolai2009.champions import CONFIGS, WHOLE, Champions, keep, main, take_up
from pokerlab.papers.nicolai2009.config import ELITES
from pokerlab.papers.nicolai2009.duplicate_tables import DuplicateTables
from pokerlab.papers.nicolai2009.long_run import CHECKPOINT

SMALL = Config(agents=10, tournaments=2, hands_a_level=3, hidden=3, iterations=4, seed=3)
TABLES = DuplicateTables(duplicates=4, hands_a_level=3, seed=1)


def test_a_recording_goes_on_in_another_folder_as_if_it_had_not_stopped(tmp_path: Path) -> None:
    runs, first, second = tmp_path / "runs", tmp_path / "first", tmp_path / "second"
    runs.mkdir()
    evolve(SMALL, first, until=2, progress=False)
    keep("Control", first, runs=runs, config=SMALL, tables=TABLES, progress=False)
    assert take_up("Control", second, runs=runs) == second
    gone_on = evolve(SMALL, second, until=4, progress=False)
    straight = evolve(SMALL, tmp_path / "straight", until=4, progress=False)
    assert gone_on.champions.tobytes() == straight.champions.tobytes()
    assert gone_on.history["rank"].tolist() == straight.history["rank"].tolist()
    with pytest.raises(CheckpointError, match="give another folder"):
        take_up("Control", second, runs=runs)


def test_champions_are_added_to_those_of_other_experiments(tmp_path: Path) -> None:
    two = replace(SMALL, populations=2, hall=ELITES, hall_size=4)
    for method, config in (("HOF2Pop", two), ("Control", SMALL)):
        evolve(config, tmp_path / method, until=1, progress=False)
        given: dict[str, Any] = {
            "runs": tmp_path,
            "config": config,
            "tables": TABLES,
            "progress": False,
        }
        found = keep(method, tmp_path / method, **given)
    evolve(SMALL, tmp_path / "Control", until=3, progress=False)
    again = keep("Control", tmp_path / "Control", **given)
    assert [*found.genomes] == [*again.genomes] == ["HOF2Pop-1", "HOF2Pop-2", "Control"]
    assert again.histories["HOF2Pop"]["iteration"][-1] == 1
    assert again.histories["Control"]["iteration"][-1] == 3
    kept = Champions.load(tmp_path / f"{WHOLE}.npz")
    evolution = Evolution.load(tmp_path / "nicolai-2009-control.npz")
    assert kept.genomes["Control"].tobytes() == evolution.champions[-1, 0].tobytes()
    assert kept.provenance["experiments"].keys() == {"HOF2Pop", "Control"}
    assert kept.provenance["tables_of"].keys() == {"HOF2Pop", "Control"}
    np.testing.assert_array_equal(
        kept.evaluations["HOF2Pop-1"].ranks.sums, found.evaluations["HOF2Pop-1"].ranks.sums
    )


def test_what_is_not_the_experiment_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="holds no evolution"):
        keep("Control", tmp_path)
    evolve(SMALL, tmp_path, until=0, progress=False)
    with pytest.raises(FileFormatError, match="holds no evolution"):
        keep("Control", tmp_path, config=SMALL)
    evolve(SMALL, tmp_path, until=1, progress=False)
    with pytest.raises(CheckpointError, match="another evolution than Control"):
        keep("Control", tmp_path)
    with pytest.raises(UnknownNameError, match="Controls"):
        keep("Controls", tmp_path)
    with pytest.raises(FileFormatError, match="begins anew"):
        take_up("SmallHOF", tmp_path / "new", runs=tmp_path)


def test_the_command_keeps_and_takes_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    evolve(SMALL, tmp_path / "old", until=1, progress=False)
    monkeypatch.setitem(CONFIGS, "Control", SMALL)
    for function in (keep, take_up):
        defaults: Any = function.__kwdefaults__
        monkeypatch.setitem(defaults, "runs", tmp_path)
    old, new = str(tmp_path / "old"), str(tmp_path / "new")
    for words in (["keep", "Control", old, "--duplicates", "2"], ["take_up", "Control", new]):
        monkeypatch.setattr(sys, "argv", ["champions", *words])
        main()
    assert (tmp_path / "new" / CHECKPOINT).exists()
    assert Champions.load(tmp_path / f"{WHOLE}.npz").evaluations["Control"].duplicates == 2
