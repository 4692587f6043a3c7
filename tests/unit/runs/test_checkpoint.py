"""A checkpoint is whole and of this solver, or refused before anything runs."""

import json
import subprocess
import sys
from collections.abc import Callable
from functools import partial
from pathlib import Path
from typing import Any

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.core import CheckpointError, SettingError, StorageError
from pokerlab.core.saved_files import SavedFile, acquire_file_lock
from pokerlab.runs import Column, History, Run
from pokerlab.runs.checkpoint import FORMAT, load_checkpoint, save_checkpoint
from studies.lanctot2014.regret import RegretTracker
from tests.unit.solvers.any_state import assert_identical

GAME = pl.games.kuhn()
SOLVER = pl.solvers.CFR(GAME)
STATE = SOLVER.step(SOLVER.init(), 5)
NAMES = ("iteration", "nash_conv")
ROWS = [(0.0, 0.5), (5.0, 0.25)]

Damage = Callable[[dict[str, Any], dict[str, Any]], Any]


def filled(key: str, value: float) -> Damage:
    return lambda about, arrays: arrays[key].__setitem__(0, value)


def test_a_checkpoint_gives_back_state_rows_and_seconds(tmp_path: Path) -> None:
    path = save_checkpoint(tmp_path / "run.npz", SOLVER, STATE, NAMES, ROWS, 1.5)
    kept = load_checkpoint(path, SOLVER, NAMES)
    assert kept.state.iteration == 5
    assert np.array_equal(kept.state.regret, STATE.regret)
    assert not kept.state.regret.flags.writeable
    assert kept.rows.tolist() == [list(row) for row in ROWS]
    assert kept.seconds == 1.5


@pytest.mark.parametrize(
    ("damage", "message"),
    [
        (lambda about, _: about.pop("identity"), "holds no identity"),
        (lambda about, _: about.update(identity=["CFR"]), "holds no identity"),
        (lambda about, _: about.pop("names"), "holds no names"),
        (lambda about, _: about.pop("numbers"), "holds no numbers"),
        (lambda about, _: about.pop("seconds"), "holds no seconds"),
        (lambda about, _: about.update(seconds=-1.0), "it took -1.0 seconds"),
        (lambda _, arrays: arrays.pop("rows"), "there are no rows"),
        (lambda _, arrays: arrays.update(rows=np.zeros((2, 3))), r"shape \(2, 3\).*2 to a row"),
        (lambda _, arrays: arrays.update(rows=np.zeros(2)), r"shape \(2,\)"),
        (lambda _, arrays: arrays.pop("state.regret"), r"lacks \['regret'\]"),
        (
            lambda _, arrays: arrays.update({"state.odd": np.zeros(1)}),
            r"has \['odd'\], which no state",
        ),
        (
            lambda _, arrays: arrays.update({"state.regret": np.zeros(1)}),
            r"'regret' is float64 of shape \(1,\); it must be float64 of shape",
        ),
        (
            lambda _, arrays: arrays.update(
                {"state.regret": arrays["state.regret"].astype(np.float32)}
            ),
            "'regret' is float32",
        ),
        (filled("state.regret", np.nan), "'regret' holds numbers that are not finite"),
        (filled("state.plan_sum", np.inf), "'plan_sum' holds numbers that are not finite"),
        (filled("state.behavior", -0.1), r"'behavior' holds probabilities outside \[0, 1\]"),
        (filled("state.behavior", 1.1), r"'behavior' holds probabilities outside \[0, 1\]"),
        (filled("state.last_behavior", 1.1), r"'last_behavior' holds probabilities outside"),
        (lambda about, _: about["numbers"].update(regret=1.0), "'regret' is 1.0; it must be an"),
        (lambda about, _: about["numbers"].update(iteration=5.0), "'iteration' is 5.0; .* int"),
        (lambda about, _: about["numbers"].update(iteration=True), "'iteration' is True"),
        (lambda about, _: about["numbers"].update(iteration=-1), "'iteration' is -1"),
        (lambda about, _: about["numbers"].update(iteration=10**30), "'iteration' is 1000"),
        (lambda _, arrays: arrays.update(rows=arrays["rows"][::-1]), "must rise from 0"),
        (lambda _, arrays: arrays.update(rows=arrays["rows"][[0, 0]]), "must rise from 0"),
        (lambda _, arrays: arrays.update(rows=arrays["rows"] + 0.5), "must rise from 0"),
        (lambda _, arrays: arrays.update(rows=arrays["rows"] - 1.0), "must rise from 0"),
        (lambda _, arrays: arrays.update(rows=arrays["rows"] * [2, 1]), "to 5 at the latest"),
        (lambda _, arrays: arrays.update(rows=arrays["rows"] * np.nan), "must rise from 0"),
        (lambda about, _: about["numbers"].clear(), r"lacks \['iteration'\]"),
    ],
)
def test_a_file_with_wrong_content_is_refused(tmp_path: Path, damage: Damage, message: str) -> None:
    path = save_checkpoint(tmp_path / "run.npz", SOLVER, STATE, NAMES, ROWS)
    about, arrays = SavedFile.load(path, FORMAT)
    damage(about, arrays)
    SavedFile(about, arrays).save(path)
    with pytest.raises(CheckpointError, match=message):
        load_checkpoint(path, SOLVER, NAMES)


@pytest.mark.parametrize(
    "solver",
    [
        SOLVER,
        pl.solvers.ReplicatorDynamics(GAME, payoff_shift=3.0, order="simultaneous"),
        RegretTracker(pl.solvers.ReplicatorDynamics(GAME, payoff_shift=3.0)),
    ],
    ids=lambda solver: type(solver).__name__,
)
def test_a_checkpoint_without_last_iterate_is_read_with_a_warning(
    tmp_path: Path, solver: Any
) -> None:
    """Versions before kept x(t + 1) alone: it takes the place of x(t) until the next iteration."""
    before = solver.step(solver.init(), 5)
    path = save_checkpoint(tmp_path / "run.npz", solver, before, NAMES, ROWS)
    about, arrays = SavedFile.load(path, FORMAT)
    (name,) = [name for name in arrays if name.endswith("last_behavior")]
    del arrays[name]
    SavedFile(about, arrays).save(path)
    with pytest.warns(UserWarning, match="earlier version.*behavior is taken for .*last_behavior"):
        state = load_checkpoint(path, solver, NAMES).state
    read = getattr(state, "dynamics", state)
    assert (read.last_iterate.probabilities == read.current.probabilities).all()
    assert (state.current.probabilities == before.current.probabilities).all()
    assert_identical(solver.step(state), solver.step(before))


@pytest.mark.parametrize(
    ("state", "rows"),
    [
        (np.nan, ROWS),
        ("xyz", ROWS),
        ([], ROWS),
        (pl.solvers.ReplicatorDynamics(GAME, payoff_shift=3.0, order="simultaneous").init(), ROWS),
        (pl.solvers.CFR(pl.games.leduc()).init(), [(0.0, 0.5)]),
        (STATE, [(0.0, 0.5), (6.0, 0.25)]),
    ],
)
def test_what_could_not_be_loaded_does_not_take_the_place_of_what_can(
    tmp_path: Path, state: Any, rows: Any
) -> None:
    path = save_checkpoint(tmp_path / "run.npz", SOLVER, STATE, NAMES, ROWS)
    before = path.read_bytes()
    with pytest.raises(CheckpointError):
        save_checkpoint(path, SOLVER, state, NAMES, rows)
    assert path.read_bytes() == before


def test_another_game_s_checkpoint_of_the_same_name_is_refused(tmp_path: Path) -> None:
    one, two = (
        pl.games.bimatrix([[1, 0], [0, 1]], [[0, 1], [1, 0]]),
        pl.games.bimatrix([[2, 0], [0, 1]], [[0, 1], [1, 0]]),
    )
    assert one.name == two.name
    cfr = pl.solvers.CFR(one)
    path = save_checkpoint(tmp_path / "run.npz", cfr, cfr.init())
    with pytest.raises(CheckpointError, match="was written with fingerprint"):
        load_checkpoint(path, pl.solvers.CFR(two))


RUN = """
import sys, time
import pokerlab as pl
run = pl.runs.Run(pl.solvers.CFR(pl.games.kuhn()), [], checkpoint=sys.argv[1])
print("running", flush=True)
time.sleep(600)
"""


def test_a_second_process_is_told_and_what_a_kill_leaves_is_swept(tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    with subprocess.Popen([sys.executable, "-c", RUN, str(path)], stdout=subprocess.PIPE) as other:
        assert other.stdout is not None
        assert other.stdout.readline() == b"running\n"
        with pytest.raises(CheckpointError, match="a run in another process keeps its state"):
            Run(SOLVER, [], checkpoint=path)
        other.kill()
    unfinished = tmp_path / ".run.npz.0a1b2c3d4e5f.part"
    unfinished.write_bytes(b"cut off")
    Run(SOLVER, [], checkpoint=path).to(3, progress=False)
    assert list(tmp_path.iterdir()) == [path]


def test_runs_in_one_process_may_follow_each_other_on_one_path(tmp_path: Path) -> None:
    run = Run(SOLVER, [], checkpoint=tmp_path / "run.npz").to(3, progress=False)
    again = Run(SOLVER, [], checkpoint=tmp_path / "run.npz")
    assert run.iteration == again.iteration == 3
    again.to(9, progress=False)
    del again
    for overwrite in (run.save, partial(run.to, 5)):
        with pytest.raises(CheckpointError, match="another run has saved its state"):
            overwrite()
    del run, overwrite
    last = Run(SOLVER, [], checkpoint=tmp_path / "run.npz")
    Run(SOLVER, [], checkpoint=tmp_path / "run.npz")  # only looks
    assert last.to(12, progress=False).iteration == 12
    del last
    assert [path.name for path in tmp_path.iterdir()] == ["run.npz"]


def test_a_lock_lies_beside_what_it_locks_for_all_users(tmp_path: Path) -> None:
    (tmp_path / "links").mkdir()
    (tmp_path / "links" / "other.npz").symlink_to(tmp_path / "run.npz")
    lock = acquire_file_lock(tmp_path / "links" / "other.npz")
    (file,) = tmp_path.glob(".*")
    assert (file.name, file.stat().st_mode & 0o666) == (".run.npz.lock", 0o666)
    lock.release()
    assert not list(tmp_path.glob(".*"))


def test_a_folder_that_cannot_be_written_is_said_before_the_run() -> None:
    with pytest.raises(StorageError, match="Make room there, or allow writing to the folder"):
        Run(SOLVER, [], checkpoint="/proc/run.npz")


@pytest.mark.parametrize("value", [np.nan, np.inf])
def test_a_state_with_a_number_that_is_not_finite_is_refused(tmp_path: Path, value: float) -> None:
    solver = pl.solvers.MinimaxCoevolution(pl.games.biased_rps(), seed=1)
    path = save_checkpoint(tmp_path / "run.npz", solver, solver.init())
    about, arrays = SavedFile.load(path, FORMAT)
    about["numbers"]["best_error"] = value
    SavedFile(about, arrays).save(path)
    with pytest.raises(CheckpointError, match=f"'best_error' is {value}; it must be finite"):
        load_checkpoint(path, solver)


def watched(checkpoint: Path | None = None) -> Run:
    solver = RegretTracker(
        pl.solvers.ReplicatorDynamics(GAME, payoff_shift=3.0, order="simultaneous")
    )
    utility = Column("utility", "sum of utilities", "chips", lambda s: float(s.sums.utility[0]))
    return Run(solver, [utility], checkpoint=checkpoint)


def test_a_watched_run_says_whom_it_watches(tmp_path: Path) -> None:
    history = watched().to(10, progress=False).history
    back = History.load(history.save(tmp_path / "watched.npz"))
    assert back.provenance["parameters"] == {
        "solver": {
            "solver": "ReplicatorDynamics",
            "payoff_shift": 3.0,
            "floor": 1e-300,
            "start": None,
            "alternating": False,
        },
        "payoff_shift": 3.0,
    }


def test_a_watched_checkpoint_of_another_solver_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "watched.npz"
    watched(path).to(10, progress=False)
    other = RegretTracker(
        pl.solvers.ReplicatorDynamics(GAME, payoff_shift=4.0, order="simultaneous"),
        payoff_shift=3.0,
    )
    with pytest.raises(CheckpointError, match="was written with parameters"):
        load_checkpoint(path, other, ("iteration", "utility"))


def test_a_state_that_cannot_be_kept_is_refused_before_the_run(tmp_path: Path) -> None:
    class Remembering(RegretTracker):
        def init(self) -> Any:
            state = super().init()
            object.__setattr__(state, "dynamics", [state.dynamics])
            return state

    solver = Remembering(
        pl.solvers.ReplicatorDynamics(GAME, payoff_shift=3.0, order="simultaneous")
    )
    with pytest.raises(SettingError, match="holds a list as 'dynamics', which no checkpoint"):
        Run(solver, [], checkpoint=tmp_path / "run.npz")


def test_load_checkpoint_edited_after_saving_is_refused(tmp_path: Path) -> None:
    path = save_checkpoint(tmp_path / "run.npz", SOLVER, STATE, NAMES, ROWS)
    held = dict(np.load(path))
    held["state.plan_sum"] = -held["state.plan_sum"]
    np.savez_compressed(path, **held)
    with pytest.raises(CheckpointError, match=r"do not match its digest\. Delete it and run again"):
        load_checkpoint(path, SOLVER, NAMES)


def test_load_checkpoint_with_edited_text_is_refused(tmp_path: Path) -> None:
    path = save_checkpoint(tmp_path / "run.npz", SOLVER, STATE, NAMES, ROWS)
    held = dict(np.load(path))
    text = held["about"].tobytes().replace(b'"iteration": 5', b'"iteration": 6')
    np.savez_compressed(path, **{**held, "about": np.frombuffer(text, dtype=np.uint8)})
    with pytest.raises(CheckpointError, match="do not match its digest"):
        load_checkpoint(path, SOLVER, NAMES)


def test_load_checkpoint_without_digest_reads_older_files(tmp_path: Path) -> None:
    path = save_checkpoint(tmp_path / "run.npz", SOLVER, STATE, NAMES, ROWS)
    held = dict(np.load(path))
    about = json.loads(held["about"].tobytes())
    del about["digest"]
    text = json.dumps(about).encode()
    np.savez_compressed(path, **{**held, "about": np.frombuffer(text, dtype=np.uint8)})
    assert load_checkpoint(path, SOLVER, NAMES).state.iteration == 5


@pytest.mark.parametrize("key", ["solver", "game", "fingerprint", "parameters"])
def test_load_checkpoint_that_lacks_a_key_of_its_identity_is_refused(
    tmp_path: Path, key: str
) -> None:
    path = save_checkpoint(tmp_path / "run.npz", SOLVER, STATE, NAMES, ROWS)
    about, arrays = SavedFile.load(path, FORMAT)
    del about["identity"][key]
    SavedFile(about, arrays).save(path)
    with pytest.raises(CheckpointError, match=f"was written with {key} None"):
        load_checkpoint(path, SOLVER, NAMES)
