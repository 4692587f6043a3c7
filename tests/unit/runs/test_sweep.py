"""A sweep gives the same table however it is worked off, and says what it was given wrong."""

import os
import signal
import subprocess
import sys
import time
from dataclasses import replace
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from threadpoolctl import threadpool_info, threadpool_limits

from pokerlab.core import random_stream
from pokerlab.papers import lanctot2014, oliehoek2006
from pokerlab.runs import History, sweep
from tests.hangs import HANG_SECONDS

quiet = partial(sweep, progress=False)
IDLE_SECONDS = 5.0
"""Seconds without a sign of a worker after which it has ended; one that lives gives five a second."""
START = oliehoek2006.Config(start="random", iterations=30, seed=1)
GRID = {"size": [3, 80], "kind": ["sum", "norm"]}


def drawn(setting: dict[str, Any]) -> dict[str, float]:
    """Return a number that depends on the linear algebra's order of summation."""
    if setting["kind"] not in {"sum", "norm"}:
        raise ValueError("no such kind")
    matrix = random_stream(setting["seed"], "matrix").normal(size=(setting["size"],) * 2)
    product = matrix @ matrix
    return {"found": product.sum() if setting["kind"] == "sum" else np.linalg.norm(product)}


def same(one: History, other: History) -> bool:
    """Return whether two tables have the same columns, bit for bit."""
    return list(one.columns) == list(other.columns) and all(
        one[name].tobytes() == other[name].tobytes() for name in one.columns
    )


def test_rows_are_in_the_order_of_the_settings_and_then_of_the_seeds() -> None:
    table = quiet(drawn, GRID, seeds=(5, 2))
    assert table["size"].tolist() == [3, 3, 3, 3, 80, 80, 80, 80]
    assert table["kind"].tolist() == ["sum", "sum", "norm", "norm"] * 2
    assert table["seed"].tolist() == [5, 2] * 4
    for row in range(8):
        setting = {name: table[name][row].item() for name in ("size", "kind", "seed")}
        assert table["found"][row] == drawn(setting)["found"]


def test_a_list_of_settings_is_taken_as_it_is_and_several_rows_stay_together() -> None:
    def twice(setting: dict[str, Any]) -> list[dict[str, float]]:
        return [{"time": t, "value": setting["a"] ** t} for t in (1, 2)]

    table = quiet(twice, [{"a": 3}, {"a": 2}], units={"time": "steps"})
    assert table["a"].tolist() == [3, 3, 2, 2]
    assert table["value"].tolist() == [3, 9, 2, 4]
    assert table.units == {"time": "steps"}


def test_configs_are_measured_with_the_settings_in_them() -> None:
    def seen(config: oliehoek2006.Config) -> dict[str, Any]:
        return {"what": f"{config.program} {config.iterations} {config.seed}"}

    table = quiet(seen, {"program": ["simplex", "interior point"]}, config=START, seeds=[3])
    assert table["what"].tolist() == ["simplex 30 3", "interior point 30 3"]
    assert table.provenance["config"]["iterations"] == 30
    listed = quiet(seen, [START, replace(START, iterations=7)])
    assert list(listed.columns) == ["iterations", "what"]
    assert listed["what"].tolist() == ["simplex 30 1", "simplex 7 1"]


def test_an_experiment_is_swept_by_its_rows() -> None:
    experiment, config = lanctot2014.replicator, lanctot2014.Config(iterations=20, seed=1)
    table = quiet(
        partial(experiment.record_rows, at=(5, 20)), {"payoff_shift": [3.0, 9.0]}, config=config
    )
    assert table["payoff_shift"].tolist() == [3.0, 3.0, 9.0, 9.0]
    assert table["iteration"].tolist() == [5, 20, 5, 20]
    straight = experiment.run(replace(config, payoff_shift=9.0)).to(20, progress=False).history
    assert {name: table[name][3] for name in straight.columns} == straight.select_row(20)
    assert quiet(experiment.record_rows, {}, config=config, seeds=[1])["iteration"].tolist() == [20]


def test_two_processes_find_what_one_finds() -> None:
    """With a function that only this module has: it is sent as it is."""
    inside = partial(lambda offset, setting: {"more": drawn(setting)["found"] + offset}, 1)
    assert same(quiet(inside, GRID, seeds=range(3), workers=2), quiet(inside, GRID, seeds=range(3)))


@pytest.mark.parametrize("workers", [1, 2])
def test_linear_algebra_has_one_thread_in_a_sweep_and_as_many_as_before_it(workers: int) -> None:
    with threadpool_limits(2, "blas"):
        before = threads()
        table = quiet(lambda setting: {"threads": max(threads())}, GRID, workers=workers)
        assert table["threads"].tolist() == [1] * 4
        assert threads() == before


def test_a_table_says_how_long_all_of_it_took_however_much_was_kept(tmp_path: Path) -> None:
    def slow(setting: dict[str, Any]) -> dict[str, float]:
        time.sleep(0.02)
        return {"x": 1.0}

    quiet(slow, {"a": [1, 2]}, folder=tmp_path)
    assert 0.06 <= quiet(slow, {"a": [1, 2, 3]}, folder=tmp_path).provenance["seconds"] < 60


def threads() -> set[int]:
    return {one["num_threads"] for one in threadpool_info() if one["user_api"] == "blas"}


def test_the_table_is_saved_and_loaded_with_its_texts(tmp_path: Path) -> None:
    table = quiet(drawn, GRID, seeds=[1])
    loaded = History.load(table.save(tmp_path / "table.npz"))
    assert same(loaded, table)
    assert loaded.provenance == table.provenance
    assert loaded.provenance["measure"] == f"{__name__}.drawn"


def counted(log: Path, stop: int, setting: dict[str, Any]) -> dict[str, float]:
    """Return what was drawn, and count the calls; be interrupted at one of them."""
    with log.open("a", encoding="utf-8") as file:
        file.write("x")
    if log.stat().st_size == stop:
        raise KeyboardInterrupt
    return drawn({"size": 3, "kind": "sum", **setting}) | {"again": 0.0}


def test_an_interrupted_sweep_goes_on_where_it_was(tmp_path: Path) -> None:
    log, kept = tmp_path / "log", tmp_path / "kept"
    measure, again = partial(counted, log, 4), partial(quiet, folder=kept)
    with pytest.raises(KeyboardInterrupt) as caught:
        again(measure, {}, seeds=range(6))
    assert caught.value.__notes__ == [
        f"3 of 6 are finished and kept in {kept}; the same call goes on from there."
    ]
    table = again(measure, {}, seeds=range(6))
    assert log.stat().st_size == 4 + 3
    straight = quiet(drawn, {"size": [3], "kind": ["sum"]}, seeds=range(6))
    assert table["found"].tobytes() == straight["found"].tobytes()
    assert list(table.columns) == ["seed", "found", "again"]
    again(measure, {}, seeds=range(7))  # more settings find what the others have left
    assert log.stat().st_size == 4 + 3 + 1


KILLED = """
import sys
from tests.unit.runs.test_sweep import drawn, quiet
quiet(drawn, {"size": [3], "kind": ["sum"]}, seeds=range(20_000), folder=sys.argv[1])
"""


def test_a_killed_sweep_goes_on_in_another_process(tmp_path: Path) -> None:
    """The function is known again there, although sets have another order in each process."""
    root = Path(__file__).parents[3]
    process = subprocess.Popen([sys.executable, "-c", KILLED, str(tmp_path)], cwd=root)
    until = time.monotonic() + HANG_SECONDS
    while len(list(tmp_path.glob("*.npz"))) < 20 and time.monotonic() < until:
        time.sleep(0.005)
    process.send_signal(signal.SIGKILL)
    process.wait()
    before = {path: path.stat().st_mtime_ns for path in tmp_path.glob("*.npz")}
    assert len(before) >= 20
    small = {"size": [3], "kind": ["sum"]}
    assert same(
        quiet(drawn, small, seeds=range(30), folder=tmp_path), quiet(drawn, small, seeds=range(30))
    )
    assert {path: path.stat().st_mtime_ns for path in before} == before


ORPHANED = """
import sys
from functools import partial
from pathlib import Path
from tests.unit.runs.test_sweep import asleep, quiet
quiet(partial(asleep, Path(sys.argv[1])), {"a": [1, 2, 3, 4]}, workers=2)
"""


def asleep(log: Path, setting: dict[str, Any]) -> dict[str, float]:
    for _ in range(3000):
        (log / str(os.getpid())).touch()
        time.sleep(0.2)
    return {"slept": 600.0}


def test_the_workers_of_a_killed_sweep_end_with_it(tmp_path: Path) -> None:
    """In the middle of a setting: those could take hours."""
    root, until = Path(__file__).parents[3], time.monotonic() + HANG_SECONDS
    command = [sys.executable, "-c", ORPHANED, str(tmp_path)]
    with subprocess.Popen(command, cwd=root, stderr=subprocess.DEVNULL) as process:
        while len(list(tmp_path.iterdir())) < 2 and time.monotonic() < until:
            time.sleep(0.01)
        process.kill()
    until, idle = time.monotonic() + HANG_SECONDS, 0.0
    while idle < IDLE_SECONDS and time.monotonic() < until:
        time.sleep(0.05)
        idle = time.time() - max(path.stat().st_mtime for path in tmp_path.iterdir())
    assert len(list(tmp_path.iterdir())) == 2
    assert idle >= IDLE_SECONDS
