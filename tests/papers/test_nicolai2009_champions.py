"""Nicolai & Hilderman (2009): the eleven champions, recorded, and evolutions handed from sitting to sitting."""

import shutil
import sys
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pokerlab.core import CheckpointError, FileFormatError, UnknownNameError
from pokerlab.papers.nicolai2009 import Config, Evolution, champions, encoding, evaluate, evolve
from pokerlab.papers.nicolai2009.champions import (
    CONFIGS,
    WHOLE,
    Champions,
    keep,
    main,
    names_of,
    standings,
    take_up,
)
from pokerlab.papers.nicolai2009.comparison import CHAMPIONS
from pokerlab.papers.nicolai2009.config import ELITES
from pokerlab.papers.nicolai2009.duplicate_tables import DuplicateTables
from pokerlab.papers.nicolai2009.experiment import PAPER_EXPERIMENTS
from pokerlab.papers.nicolai2009.long_run import CHECKPOINT, EVOLUTION
from pokerlab.papers.nicolai2009.methods import METHODS
from pokerlab.papers.nicolai2009.opponents import PANEL
from pokerlab.papers.recorded import RUNS

SMALL = Config(agents=10, tournaments=2, hands_a_level=3, hidden=3, iterations=3, seed=3)
TWO = {
    "Control": SMALL,
    "HOF2Pop": replace(SMALL, populations=2, hall=ELITES, hall_size=4),
}
TABLES = DuplicateTables(duplicates=4, hands_a_level=3, seed=1)
LONGER = Config(agents=10, tournaments=2, hands_a_level=3, hidden=3, iterations=4, seed=3)


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    return tmp_path_factory.mktemp("champions")


@pytest.fixture(scope="module")
def recorded(folder: Path) -> Champions:
    for method, config in TWO.items():
        for until in (1, 2):
            evolve(config, folder / method, until=until, progress=False)
            found = keep(
                method,
                folder / method,
                runs=folder,
                config=config,
                tables=TABLES,
                workers=2,
                progress=False,
            )
    return found


def test_experiments_have_the_paper_s_champions() -> None:
    experiments = zip(METHODS, PAPER_EXPERIMENTS.values(), strict=True)
    names = [name for method, one in experiments for name in names_of(method, one.populations)]
    assert tuple(names) == CHAMPIONS


def test_champions_are_those_of_the_evolution_and_are_evaluated(
    recorded: Champions, tmp_path: Path
) -> None:
    assert [*recorded.genomes] == [*recorded.evaluations] == ["Control", "HOF2Pop-1", "HOF2Pop-2"]
    for method, config in TWO.items():
        straight = evolve(config, tmp_path / method, until=2, progress=False)
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
        assert str(kept.evaluations[name]) == str(evaluation)
    for name, history in recorded.histories.items():
        assert kept.histories[name].units == history.units
        for column, numbers in history.columns.items():
            np.testing.assert_array_equal(kept.histories[name][column], numbers)
    replace(recorded, genomes={"Control": recorded.genomes["Control"]}).save(path)
    with pytest.raises(FileFormatError, match="1 champions and 3 evaluations"):
        Champions.load(path)


def test_a_recording_goes_on_in_another_folder_as_if_it_had_not_stopped(tmp_path: Path) -> None:
    runs, first, second = tmp_path / "runs", tmp_path / "first", tmp_path / "second"
    runs.mkdir()
    evolve(LONGER, first, until=2, progress=False)
    keep("Control", first, runs=runs, config=LONGER, tables=TABLES, progress=False)
    assert take_up("Control", second, runs=runs) == second
    gone_on = evolve(LONGER, second, until=4, progress=False)
    straight = evolve(LONGER, tmp_path / "straight", until=4, progress=False)
    assert gone_on.champions.tobytes() == straight.champions.tobytes()
    assert gone_on.history["rank"].tolist() == straight.history["rank"].tolist()
    with pytest.raises(CheckpointError, match="give another folder"):
        take_up("Control", second, runs=runs)


def test_a_kill_while_champions_are_evaluated_loses_no_generation(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    runs, first, second = tmp_path / "runs", tmp_path / "first", tmp_path / "second"
    runs.mkdir()
    given: dict[str, Any] = {"runs": runs, "config": LONGER, "progress": False}
    evolve(LONGER, first, until=1, progress=False)
    keep("Control", first, tables=TABLES, **given)
    evolve(LONGER, first, until=3, progress=False)

    def killed(*_: Any, **__: Any) -> None:
        raise KeyboardInterrupt

    monkeypatch.setattr(champions, "evaluate", killed)
    with pytest.raises(KeyboardInterrupt):
        keep("Control", first, tables=TABLES, **given)
    take_up("Control", second, runs=runs)
    assert evolve(LONGER, second, progress=False).generations.tolist() == [1, 2, 3, 4]
    shutil.copyfile(first / CHECKPOINT, second / CHECKPOINT)
    evolve(LONGER, tmp_path / "early", until=1, progress=False)
    shutil.copyfile(tmp_path / "early" / EVOLUTION, second / EVOLUTION)
    with pytest.raises(CheckpointError, match="of generation 3 and an evolution up to 1"):
        evolve(LONGER, second, progress=False)


def test_a_whole_evolution_is_kept_without_a_checkpoint(tmp_path: Path) -> None:
    two = replace(LONGER, iterations=2)
    for until in (1, 2):
        evolve(two, tmp_path / "evolution", until=until, progress=False)
        keep(
            "Control",
            tmp_path / "evolution",
            runs=tmp_path,
            config=two,
            tables=TABLES,
            progress=False,
        )
        assert champions.checkpoint_of("Control", tmp_path).exists() == (until < 2)
    with pytest.raises(FileFormatError, match="begins anew"):
        take_up("Control", tmp_path / "again", runs=tmp_path)


def test_champions_are_added_to_those_of_other_experiments(tmp_path: Path) -> None:
    two = replace(LONGER, populations=2, hall=ELITES, hall_size=4)
    for method, config in (("HOF2Pop", two), ("Control", LONGER)):
        evolve(config, tmp_path / method, until=1, progress=False)
        given: dict[str, Any] = {
            "runs": tmp_path,
            "config": config,
            "tables": TABLES,
            "progress": False,
        }
        found = keep(method, tmp_path / method, **given)
    evolve(LONGER, tmp_path / "Control", until=3, progress=False)
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
    evolve(LONGER, tmp_path, until=0, progress=False)
    with pytest.raises(FileFormatError, match="holds no evolution"):
        keep("Control", tmp_path, config=LONGER)
    evolve(LONGER, tmp_path, until=1, progress=False)
    with pytest.raises(CheckpointError, match="another evolution than Control"):
        keep("Control", tmp_path)
    with pytest.raises(UnknownNameError, match="Controls"):
        keep("Controls", tmp_path)
    with pytest.raises(FileFormatError, match="begins anew"):
        take_up("SmallHOF", tmp_path / "new", runs=tmp_path)


def test_the_command_keeps_and_takes_up(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    evolve(LONGER, tmp_path / "old", until=1, progress=False)
    monkeypatch.setitem(CONFIGS, "Control", LONGER)
    for function in (keep, take_up):
        defaults: Any = function.__kwdefaults__
        monkeypatch.setitem(defaults, "runs", tmp_path)
    old, new = str(tmp_path / "old"), str(tmp_path / "new")
    for words in (["keep", "Control", old, "--duplicates", "2"], ["take_up", "Control", new]):
        monkeypatch.setattr(sys, "argv", ["champions", *words])
        main()
    assert (tmp_path / "new" / CHECKPOINT).exists()
    assert Champions.load(tmp_path / f"{WHOLE}.npz").evaluations["Control"].duplicates == 2


def test_champions_stand_otherwise_where_tables_are_read_otherwise() -> None:
    found = standings(readings=["as it is", "raise all-in"], duplicates=4)
    genomes = Champions.load(RUNS / f"{WHOLE}.npz").genomes
    assert found["champion"].tolist() == [name for name in genomes for _ in range(2)]
    one = genomes["4Pop-2"]
    (player,) = encoding(CONFIGS["4Pop"]).players(one[None], ["4Pop-2"])
    tables = DuplicateTables(duplicates=4, seed=1, raises="all-in")
    ranks = evaluate(player, tables=tables, progress=False).mean_rank
    row = 2 * [*genomes].index("4Pop-2") + 1
    assert found["rank"][row] == ranks["4Pop-2"] != found["rank"][row - 1]
    assert found["place"][row] == sum(rank <= ranks["4Pop-2"] for rank in ranks.values())
    assert found["folder_rank"][row] == ranks["Folder"]
    assert found["oldbest_rank"][row] == ranks["OldBest"]
    with pytest.raises(UnknownNameError, match="upside down"):
        standings(readings=["upside down"])
