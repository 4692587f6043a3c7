"""Evolutions kept in a folder: killed, resumed, loaded again; champions and halls of generations gone by."""

from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pokerlab.core import CheckpointError, FileFormatError, UnknownNameError
from pokerlab.evolution.population.hall import EMPTY
from pokerlab.papers.nicolai2009 import CONFIGS, Config, DuplicateTables, make_encoding, make_solver
from pokerlab.runs import Run
from studies.nicolai2009 import long_run
from studies.nicolai2009.champions import (
    EVOLUTION_ARRAYS,
    Champions,
    Evolution,
    build_champions_path,
    list_champion_names,
    name_evolution_file,
)
from studies.nicolai2009.evaluation import evaluate_champion
from studies.nicolai2009.long_run import (
    CHECKPOINT,
    EVOLUTION,
    main,
    record_evolution_and_champions,
    run_or_continue_evolution,
)

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


def kept(folder: Path, until: int = 6, config: Config = SMALL, **where: Any) -> Evolution:
    return run_or_continue_evolution(
        config, folder, until=until, hall_interval=2, num_hall_members=3, progress=False, **where
    )


def assert_same(one: Evolution, other: Evolution) -> None:
    for name in EVOLUTION_ARRAYS:
        assert getattr(one, name).tobytes() == getattr(other, name).tobytes(), name
    assert one.history.columns.keys() == other.history.columns.keys()
    for name, column in one.history.columns.items():
        assert column.tobytes() == other.history[name].tobytes(), name


def test_champions_and_halls_are_those_of_the_run(tmp_path: Path) -> None:
    evolution = kept(tmp_path)
    coevolution = make_solver(SMALL)
    state = coevolution.init()
    assert evolution.generations.tolist() == [1, 2, 3, 4, 5, 6]
    assert evolution.hall_generations.tolist() == [2, 4, 6]
    assert evolution.history["iteration"].tolist() == [0, 1, 2, 3, 4, 5, 6]
    for generation in range(1, 7):
        state = coevolution.step(state)
        assert (evolution.champions[generation - 1] == state.champions).all()
        if generation % 2 == 0:
            kept_at = generation // 2 - 1
            members, since = evolution.halls[kept_at], evolution.hall_since[kept_at]
            for p in range(2):
                scored = [
                    (state.hall_fitness[p, h], h) for h in range(4) if state.hall.is_playing[p, h]
                ]
                best = [h for _, h in sorted(scored, key=lambda one: (-one[0], one[1]))][:3]
                assert (members[p, : len(best)] == state.hall.genomes[p, best]).all()
                there = state.hall.entered[p, best].tolist()
                assert since[p].tolist() == there + [EMPTY] * (3 - len(best))
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
    with pytest.raises(CheckpointError, match="holds 3 members of each hall, but 4 were requested"):
        run_or_continue_evolution(SMALL, tmp_path, num_hall_members=4, progress=False)
    assert {path: path.read_bytes() for path in tmp_path.iterdir()} == files
    (tmp_path / CHECKPOINT).unlink()
    with pytest.raises(CheckpointError, match="was written with settings"):
        kept(tmp_path, config=replace(SMALL, noise=0.2))


KEPT = replace(SMALL, iterations=2)
TWO = {"HOF2Pop": KEPT, "Control": replace(KEPT, populations=1, hall="none")}
TABLES = DuplicateTables(duplicates=4, hands_a_level=3, seed=1)


def test_last_champions_are_evaluated_and_kept_with_those_of_the_same_seed(tmp_path: Path) -> None:
    other = replace(TWO["Control"], seed=4)
    for method, config in (*TWO.items(), ("Control", other)):
        home = tmp_path / f"{method}-{config.seed}"
        evolution = run_or_continue_evolution(config, home, progress=False)
        given: dict[str, Any] = {"records_folder": tmp_path, "config": config, "tables": TABLES}
        record_evolution_and_champions(method, home, workers=2, progress=False, **given)
        kept = Champions.load(build_champions_path(config.seed, tmp_path))
        assert_same(
            Evolution.load(tmp_path / f"{name_evolution_file(method, config.seed)}.npz"), evolution
        )
        best = zip(
            list_champion_names(method, config.populations), evolution.champions[-1], strict=True
        )
        for name, genome in best:
            assert kept.genomes[name].tobytes() == genome.tobytes()
            (player,) = make_encoding(config).make_players(genome[None], [name])
            found = evaluate_champion(player, tables=TABLES, progress=False)
            assert found.mean_rank == kept.evaluations[name].mean_rank
        history = kept.histories[method]
        assert history.units == evolution.history.units
        np.testing.assert_array_equal(history["rank"], evolution.history["rank"])
    assert [*kept.genomes] == ["Control"]
    kept = Champions.load(build_champions_path(3, tmp_path))
    assert [*kept.genomes] == [*kept.evaluations] == ["HOF2Pop-1", "HOF2Pop-2", "Control"]
    assert kept.provenance["experiments"].keys() == {*TWO}
    assert kept.provenance["tables_of"]["Control"]["duplicates"] == 4
    path = replace(kept, genomes={"Control": kept.genomes["Control"]}).save(tmp_path / "odd.npz")
    with pytest.raises(FileFormatError, match="1 champions and 3 evaluations"):
        Champions.load(path)


def test_what_is_not_a_whole_evolution_of_the_experiment_is_not_kept(tmp_path: Path) -> None:
    config = TWO["Control"]
    with pytest.raises(FileFormatError, match="holds no evolution"):
        record_evolution_and_champions("Control", tmp_path)
    run_or_continue_evolution(config, tmp_path, until=1, progress=False)
    with pytest.raises(
        FileFormatError, match="holds 1 of 2 generations; let `run_or_continue_evolution`"
    ):
        record_evolution_and_champions("Control", tmp_path, config=config)
    with pytest.raises(CheckpointError, match="another evolution than Control with seed 1"):
        record_evolution_and_champions("Control", tmp_path)
    with pytest.raises(UnknownNameError, match="Controls"):
        record_evolution_and_champions("Controls", tmp_path)


def test_an_evolution_that_has_a_setting_that_went_goes_on(tmp_path: Path) -> None:
    straight, path = kept(tmp_path / "straight", 3), tmp_path / "old" / EVOLUTION
    before = kept(path.parent, 2)
    settings = {**before.history.provenance["settings"], "winners_chips": "kept"}
    about = {**before.history.provenance, "settings": settings}
    replace(before, history=replace(before.history, provenance=about)).save(path)
    assert_same(kept(path.parent, 3), straight)


def test_the_command_evolves_and_keeps_one_of_the_papers_experiments(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    small = replace(TWO["Control"], seed=0)
    monkeypatch.setitem(CONFIGS, "Control", small)
    defaults: Any = record_evolution_and_champions.__kwdefaults__
    monkeypatch.setitem(defaults, "records_folder", tmp_path)
    command = ["long_run", "Control", "3", str(tmp_path / "home")]
    for words in (["--until", "2"], ["--keep", "--duplicates", "2"]):
        monkeypatch.setattr("sys.argv", [*command, *words])
        main()
    evolution = Evolution.load(tmp_path / "home" / EVOLUTION)
    assert evolution.generations.tolist() == [1, 2]
    assert evolution.history.provenance["settings"] == vars(replace(small, seed=3))
    assert Champions.load(build_champions_path(3, tmp_path)).evaluations["Control"].duplicates == 2
