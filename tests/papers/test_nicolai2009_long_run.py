"""Evolutions kept in a folder: killed, resumed, loaded again; champions and halls of generations gone by."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pokerlab.core import CheckpointError, FileFormatError, SettingError
from pokerlab.evolution.population.hall import EMPTY
from pokerlab.papers.nicolai2009 import Config, Evolution, recordings, solver
from pokerlab.papers.nicolai2009.experiment import CONFIGS
from pokerlab.runs import Run
from studies.nicolai2009 import long_run
from studies.nicolai2009.long_run import CHECKPOINT, EVOLUTION, evolve, main

SMALL = Config(
    agents=10,
    populations=2,
    hall="elites",
    hall_size=4,
    hall_start="empty",
    tournaments=3,
    hands_a_level=4,
    hidden=3,
    iterations=6,
    seed=3,
)
ARRAYS = recordings.ARRAYS


def kept(folder: Path, until: int = 6, config: Config = SMALL, **where: Any) -> Evolution:
    return evolve(config, folder, until=until, every=2, members=3, progress=False, **where)


def assert_same(one: Evolution, other: Evolution) -> None:
    for name in ARRAYS:
        assert getattr(one, name).tobytes() == getattr(other, name).tobytes(), name
    assert one.history.columns.keys() == other.history.columns.keys()
    for name, column in one.history.columns.items():
        assert column.tobytes() == other.history[name].tobytes(), name


def test_champions_and_halls_are_those_of_the_run(tmp_path: Path) -> None:
    evolution = kept(tmp_path)
    coevolution = solver(SMALL)
    state = coevolution.init()
    assert evolution.generations.tolist() == [1, 2, 3, 4, 5, 6]
    assert evolution.hall_generations.tolist() == [2, 4, 6]
    assert evolution.history["iteration"].tolist() == [0, 1, 2, 3, 4, 5, 6]
    for generation in range(1, 7):
        state = coevolution.step(state)
        assert (evolution.champions[generation - 1] == state.champions).all()
        if generation % 2 == 0:
            members, since = (
                evolution.halls[generation // 2 - 1],
                evolution.hall_since[generation // 2 - 1],
            )
            for p in range(2):
                scored = [(state.hall_score[p, h], h) for h in range(4) if state.hall.plays[p, h]]
                best = [h for _, h in sorted(scored, key=lambda one: (-one[0], one[1]))][:3]
                assert (members[p, : len(best)] == state.hall.genomes[p, best]).all()
                assert since[p].tolist() == [
                    *state.hall.since[p, best].tolist(),
                    *[EMPTY] * (3 - len(best)),
                ]
    assert evolution.champions.dtype == evolution.halls.dtype == np.float32
    assert_same(Evolution.load(tmp_path / EVOLUTION), evolution)


def test_a_pause_other_workers_and_a_kill_between_both_files_change_nothing(tmp_path: Path) -> None:
    straight = kept(tmp_path / "straight")
    folder = tmp_path / "paused"
    kept(folder, until=2)
    before = (folder / EVOLUTION).read_bytes()
    kept(folder, until=3, workers=2)
    (folder / EVOLUTION).write_bytes(before)  # as if killed after the checkpoint of generation 3
    (folder / f".{EVOLUTION}.0a1b2c3d4e5f.part").write_bytes(b"cut off")
    assert_same(kept(folder), straight)
    assert_same(kept(folder), straight)
    assert {path.name for path in folder.iterdir()} == {CHECKPOINT, EVOLUTION}


def test_a_kill_before_a_generation_is_measured_loses_no_row(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    # Late generations lie between the recordings of a run, as nearly all do with one a decade.
    sparse = replace(long_run.evolved_networks, per_decade=1)
    monkeypatch.setattr(long_run, "evolved_networks", sparse)
    record = Run.record

    def killed(run: Run) -> None:
        if run.iteration == 3:
            raise KeyboardInterrupt
        record(run)

    with monkeypatch.context() as patch:
        patch.setattr(Run, "record", killed)
        with pytest.raises(KeyboardInterrupt):
            kept(tmp_path)
    assert kept(tmp_path).history["iteration"].tolist() == [0, 1, 2, 3, 4, 5, 6]


def test_another_config_is_refused_and_leaves_the_folder_as_it_was(tmp_path: Path) -> None:
    kept(tmp_path, until=1)
    files = {path: path.read_bytes() for path in tmp_path.iterdir()}
    for other in (replace(SMALL, noise=0.2), replace(SMALL, seed=4)):
        with pytest.raises(CheckpointError, match="was written with parameters"):
            kept(tmp_path, config=other)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == files
    with pytest.raises(CheckpointError, match="keeps 3 members of each hall; asked for are 4"):
        evolve(SMALL, tmp_path, members=4, progress=False)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == files
    (tmp_path / CHECKPOINT).unlink()
    with pytest.raises(CheckpointError, match="was written with parameters"):
        kept(tmp_path, config=replace(SMALL, noise=0.2))


def test_bad_input_is_answered(tmp_path: Path) -> None:
    for given in ({"until": -1}, {"every": 0}, {"members": -1}, {"workers": 0}):
        with pytest.raises(SettingError, match=f"{next(iter(given))} is"):
            evolve(SMALL, tmp_path, progress=False, **given)
    kept(tmp_path, until=1)
    with pytest.raises(FileFormatError, match="is a 'pokerlab checkpoint"):
        Evolution.load(tmp_path / CHECKPOINT)
    with pytest.raises(FileFormatError, match="does not exist"):
        Evolution.load(tmp_path / "nowhere.npz")


def test_the_command_evolves_one_of_the_papers_experiments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = replace(CONFIGS["SmallHOF"], agents=20, hall_size=20, tournaments=2)
    monkeypatch.setitem(CONFIGS, "SmallHOF", small)
    monkeypatch.setattr("sys.argv", ["long_run", "SmallHOF", "3", str(tmp_path), "--until", "2"])
    main()
    kept = Evolution.load(tmp_path / "evolution.npz")
    settings = kept.history.provenance["settings"]
    assert kept.generations.tolist() == [1, 2]
    assert settings == vars(replace(small, seed=3))
