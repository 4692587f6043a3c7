"""Nicolai & Hilderman (2009): the eleven champions, recorded, and evolutions handed from sitting to sitting."""

import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pokerlab.core import CheckpointError, FileFormatError, UnknownNameError
from pokerlab.papers.nicolai2009 import Config, Evolution, encoding, evaluate
from pokerlab.papers.nicolai2009.config import ELITES
from pokerlab.papers.nicolai2009.duplicate_tables import EARLIER_TABLES, DuplicateTables
from pokerlab.papers.nicolai2009.experiment import (
    CONFIGS,
    EARLIER_CONFIGS,
)
from pokerlab.papers.nicolai2009.opponents import PANEL
from pokerlab.papers.nicolai2009.recordings import (
    EARLIER_WHOLE,
    Champions,
    file_of,
    name_of,
    names_of,
)
from pokerlab.papers.recorded import RUNS
from studies.nicolai2009 import long_run
from studies.nicolai2009.long_run import evolve, keep, main
from studies.nicolai2009.readings import standings

SMALL = Config(agents=10, tournaments=2, hands_a_level=3, hidden=3, iterations=2, seed=3)
TWO = {
    "Control": SMALL,
    "HOF2Pop": replace(SMALL, populations=2, hall=ELITES, hall_size=4),
}
TABLES = DuplicateTables(duplicates=4, hands_a_level=3, seed=1)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("champions")


@pytest.fixture(scope="module")
def recorded(folder: Path) -> Champions:
    for method, config in TWO.items():
        evolve(config, folder / method, progress=False)
        given: dict[str, Any] = {"runs": folder, "config": config, "tables": TABLES}
        found = keep(method, folder / method, workers=2, progress=False, **given)
    return found


def test_champions_are_those_of_the_evolution_and_are_evaluated(
    recorded: Champions, tmp_path: Path
) -> None:
    assert [*recorded.genomes] == [*recorded.evaluations] == ["Control", "HOF2Pop-1", "HOF2Pop-2"]
    for method, config in TWO.items():
        straight = evolve(config, tmp_path / method, progress=False)
        of_method = names_of(method, config.populations)
        for name, genome in zip(of_method, straight.champions[1], strict=True):
            assert recorded.genomes[name].tobytes() == genome.tobytes()
            (player,) = encoding(config).players(genome[None], [name])
            found = evaluate(player, tables=TABLES, progress=False)
            assert found.mean_rank == recorded.evaluations[name].mean_rank
        history = recorded.histories[method]
        assert history["iteration"].tolist() == [0, 1, 2]
        np.testing.assert_array_equal(history["rank"], straight.history["rank"])


def test_what_is_kept_is_read_again(recorded: Champions, tmp_path: Path) -> None:
    path = recorded.save(tmp_path / "kept.npz")
    kept = Champions.load(path)
    assert kept.provenance["tables_of"]["Control"]["duplicates"] == 4
    assert kept.provenance["experiments"]["HOF2Pop"]["populations"] == 2
    for name, evaluation in recorded.evaluations.items():
        assert kept.genomes[name].tobytes() == recorded.genomes[name].tobytes()
        assert kept.evaluations[name].names == (name, *PANEL)
        assert kept.evaluations[name].mean_rank == evaluation.mean_rank
    for name, history in recorded.histories.items():
        assert kept.histories[name].units == history.units
        for column, numbers in history.columns.items():
            np.testing.assert_array_equal(kept.histories[name][column], numbers)
    replace(recorded, genomes={"Control": recorded.genomes["Control"]}).save(path)
    with pytest.raises(FileFormatError, match="1 champions and 3 evaluations"):
        Champions.load(path)


def test_a_kill_while_champions_are_evaluated_loses_nothing(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    evolution = evolve(SMALL, tmp_path / "home", progress=False)
    given: dict[str, Any] = {"runs": tmp_path, "config": SMALL, "progress": False}

    def killed(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    with monkeypatch.context() as patched:
        patched.setattr(long_run, "evaluate", killed)
        with pytest.raises(KeyboardInterrupt):
            keep("Control", tmp_path / "home", tables=TABLES, **given)
    kept = Evolution.load(tmp_path / f"{name_of('Control', 3)}.npz")
    assert kept.champions.tobytes() == evolution.champions.tobytes()
    found = keep("Control", tmp_path / "home", tables=TABLES, **given)
    assert found.genomes["Control"].tobytes() == evolution.champions[-1, 0].tobytes()


def test_champions_are_added_to_those_of_the_same_seed(tmp_path: Path) -> None:
    given: dict[str, Any] = {"runs": tmp_path, "tables": TABLES, "progress": False}
    other = replace(SMALL, seed=4)
    for method, config in (*TWO.items(), ("Control", other)):
        home = tmp_path / f"{method}-{config.seed}"
        evolve(config, home, progress=False)
        keep(method, home, config=config, **given)
    kept, alone = (Champions.load(file_of(seed, tmp_path)) for seed in (3, 4))
    assert [*kept.genomes] == ["Control", "HOF2Pop-1", "HOF2Pop-2"]
    assert kept.provenance["experiments"].keys() == kept.provenance["tables_of"].keys() == {*TWO}
    assert [*alone.genomes] == ["Control"]
    assert alone.genomes["Control"].tobytes() != kept.genomes["Control"].tobytes()


def test_what_is_not_the_experiment_is_refused(tmp_path: Path) -> None:
    with pytest.raises(FileFormatError, match="holds no evolution"):
        keep("Control", tmp_path)
    evolve(SMALL, tmp_path, until=1, progress=False)
    with pytest.raises(FileFormatError, match="holds 1 of 2 generations; let `evolve` go on"):
        keep("Control", tmp_path, config=SMALL)
    with pytest.raises(CheckpointError, match="another evolution than Control with seed 1"):
        keep("Control", tmp_path)
    with pytest.raises(UnknownNameError, match="Controls"):
        keep("Controls", tmp_path)


def test_the_command_keeps(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    evolve(SMALL, tmp_path / "home", progress=False)
    monkeypatch.setitem(CONFIGS, "Control", SMALL)
    defaults: Any = keep.__kwdefaults__
    monkeypatch.setitem(defaults, "runs", tmp_path)
    words = ["champions", "Control", "3", str(tmp_path / "home"), "--keep", "--duplicates", "2"]
    monkeypatch.setattr(sys, "argv", words)
    main()
    kept = Champions.load(file_of(3, tmp_path))
    assert kept.evaluations["Control"].duplicates == 2


def test_champions_stand_otherwise_where_tables_are_read_otherwise() -> None:
    found = standings(readings=["as it is", "raise all-in"], duplicates=4)
    genomes = Champions.load(RUNS / f"{EARLIER_WHOLE}.npz").genomes
    assert found["champion"].tolist() == [name for name in genomes for _ in range(2)]
    one = genomes["4Pop-2"]
    (player,) = encoding(EARLIER_CONFIGS["4Pop"]).players(one[None], ["4Pop-2"])
    tables = DuplicateTables(duplicates=4, seed=1, **{**EARLIER_TABLES, "raises": "all-in"})
    ranks = evaluate(player, tables=tables, progress=False).mean_rank
    row = 2 * [*genomes].index("4Pop-2") + 1
    assert found["rank"][row] == ranks["4Pop-2"] != found["rank"][row - 1]
    assert found["place"][row] == sum(rank <= ranks["4Pop-2"] for rank in ranks.values())
    assert found["folder_rank"][row] == ranks["Folder"]
    assert found["oldbest_rank"][row] == ranks["OldBest"]
    with pytest.raises(UnknownNameError, match="upside down"):
        standings(readings=["upside down"])
