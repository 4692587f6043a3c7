"""Runs record where they should, stop where they are told, and go on where they stopped."""

import dataclasses
import itertools
from functools import partial
from pathlib import Path
from types import SimpleNamespace
from typing import Any

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.core import CheckpointError, SettingError
from pokerlab.games import SequenceForm
from pokerlab.papers import lanctot2014
from pokerlab.papers.experiment import load_or_run
from pokerlab.runs import Column, History, Run
from pokerlab.runs.run import find_next_recording

CONFIG = lanctot2014.Config(iterations=500, seed=1)


def fresh(checkpoint: Path | None = None, **changes: Any) -> Run:
    config = dataclasses.replace(CONFIG, **changes)
    return lanctot2014.replicator.run(config, checkpoint=checkpoint)


def recordings(until: int, per_decade: int) -> list[int]:
    powers = {round(10 ** (k / per_decade)) for k in range(20 * per_decade)}
    return [0, *sorted(p for p in powers if p <= until)]


@pytest.mark.parametrize("per_decade", [1, 3, 20, 1000])
def test_the_next_recording_is_the_next_power_of_ten_or_between(per_decade: int) -> None:
    points = recordings(10**6, per_decade)
    for iteration in (0, 1, 2, 9, 10, 11, 99, 100, 999, 4321):
        assert find_next_recording(iteration, per_decade) == min(p for p in points if p > iteration)


def test_a_run_records_at_these_iterations_and_at_its_end() -> None:
    run = fresh().to(123, progress=False)
    assert [row[0] for row in run.rows] == [*recordings(123, 20), 123]


def test_an_experiment_says_how_often_its_runs_record() -> None:
    often = dataclasses.replace(lanctot2014.replicator, per_decade=1000)
    run = often.run(CONFIG).to(40, progress=False)
    assert [row[0] for row in run.rows] == list(range(41))
    assert often.run(CONFIG, per_decade=1).per_decade == 1


def test_a_run_keeps_what_is_asked_for_at_each_recording() -> None:
    run = lanctot2014.replicator.run(CONFIG, keep=lambda state: state.current)
    run.to(123, progress=False)
    assert [iteration for iteration, _ in run.kept] == [row[0] for row in run.rows]
    assert np.array_equal(run.kept[-1][1].probabilities, run.state.current.probabilities)
    assert fresh().to(10, progress=False).kept == []


def test_a_run_in_pieces_records_what_a_straight_run_does() -> None:
    straight = fresh().to(500, progress=False)
    pieces = fresh()
    for end in (1, 7, 8, 123, 500):
        pieces.to(end, progress=False)
    recorded = {row[0]: row for row in pieces.rows}
    assert all(recorded[row[0]] == row for row in straight.rows)
    assert np.array_equal(pieces.state.behavior, straight.state.behavior)


def test_columns_hold_what_the_metrics_say() -> None:
    run = fresh().to(100, progress=False)
    game = run.solver.game
    row = run.history.select_row(100)
    assert row["nash_conv_average"] == pl.metrics.nash_conv(game, run.state.average)
    assert row["epsilon_current"] == pl.metrics.epsilon(game, run.state.last_iterate)
    units = {"iteration": "iterations", **{each.name: each.unit for each in run.columns}}
    assert run.history.units == units
    assert units["nash_conv_average"] == "chips"


def test_a_long_run_is_saved_every_second(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock that is read after each piece, and by which a piece takes 0.4 seconds."""
    clock = itertools.count(step=0.4)
    monkeypatch.setattr("pokerlab.runs.run.time.monotonic", lambda: next(clock))
    run, pieces, saved = fresh(tmp_path / "run.npz"), 0, []

    def advance(count: int) -> None:
        nonlocal pieces
        pieces += 1
        Run.advance(run, 1)

    monkeypatch.setattr(run, "advance", advance)
    monkeypatch.setattr(run, "save", lambda: saved.append(pieces))
    run.to(30, progress=False)
    assert len(saved) > 5
    assert max(np.diff([0, *saved])) <= 5


def test_a_run_dropped_before_its_first_iteration_is_recorded_from_start(
    tmp_path: Path,
) -> None:
    path = tmp_path / "run.npz"
    fresh(path)
    assert fresh(path).to(10, progress=False).rows == fresh().to(10, progress=False).rows


def test_an_interrupted_run_keeps_what_it_has(tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    calls = []

    def interrupt(state: Any) -> float:
        calls.append(state.iteration)
        if state.iteration >= 100:
            raise KeyboardInterrupt
        return 0.0

    run = Run(fresh().solver, [Column("stop", "stop", "", interrupt)], checkpoint=path)
    with pytest.raises(KeyboardInterrupt):
        run.to(10_000, progress=False)
    assert run.iteration == 100
    again = Run(fresh().solver, [Column("stop", "stop", "", lambda _: 0.0)], checkpoint=path)
    assert again.iteration == again.rows[-1][0] == 100


def test_a_checkpoint_with_other_columns_is_refused(tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    fresh(path).to(10, progress=False)
    with pytest.raises(CheckpointError, match="this run records"):
        Run(fresh().solver, [], checkpoint=path)


def column(name: str) -> Column:
    return Column(name, name, "", lambda _: 0.0)


REFUSED: list[tuple[Any, str]] = [
    *(
        (lambda run, names=names: Run(run.solver, list(map(column, names))), f"'{wrong}' {reason}")
        for names, wrong, reason in (
            (["iteration"], "iteration", "is reserved"),
            (["about"], "about", "is reserved"),
            (["file"], "file", "is reserved"),
            (["a", "b", "a"], "a", "is given more than once"),
        )
    ),
    *(
        (lambda run, n=n: Run(run.solver, [], per_decade=n), f"per_decade is {n!r}; it must be an")
        for n in (0, 1001, 2.5, "20", True)
    ),
    *(
        (lambda run, n=n: run.to(n), f"until is {n!r}; it must be an integer from 0 to 1,0")
        for n in (-1, 10.0, "10", None, True, 10**13)
    ),
    *(
        (
            lambda run, name=name: Column(
                **{"name": "a", "label": "a", "unit": "", name: 3}, measure=len
            ),
            f"{name} of a column is 3; give a text",
        )
        for name in ("name", "label", "unit")
    ),
    (lambda run: run.save(), "make it with checkpoint="),
    (
        lambda run: Run(run.solver, [], settings={"game": object()}),
        "'game' is <object object.*which no file can hold",
    ),
]


@pytest.mark.parametrize(("asked", "message"), REFUSED)
def test_what_no_run_can_be_is_refused(asked: Any, message: str) -> None:
    with pytest.raises(SettingError, match=message):
        asked(fresh())


def test_numpy_settings_become_plain_ones(tmp_path: Path) -> None:
    settings = {"seed": np.int64(1), "shifts": (np.float64(3.0), np.inf), "fast": np.bool_(True)}
    run = Run(fresh().solver, [], settings=settings)
    kept = {"seed": 1, "shifts": [3.0, "inf"], "fast": True}
    assert run.provenance["settings"] == kept
    assert History.load(run.history.save(tmp_path / "h.npz")).provenance["settings"] == kept


def test_seconds_survive_a_resume(tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    spent = fresh(path).to(100, progress=False).seconds
    assert spent > 0.0
    resumed = fresh(path)
    assert resumed.seconds == spent
    assert resumed.to(200, progress=False).history.provenance["seconds"] > spent


def dilemma(pay: int = 1) -> SequenceForm:
    return pl.games.bimatrix([[3, 0], [5, pay]], [[3, 5], [0, 1]])


@pytest.mark.parametrize(
    ("solver", "columns", "until", "message"),
    [
        (pl.solvers.CFR(dilemma(2)), "a", 20, "was written with game_fingerprint"),
        (
            pl.solvers.CFRPlus(dilemma()),
            "a",
            20,
            "was written with solver 'CFR'; asked for is 'CFRPlus'",
        ),
        (pl.solvers.CFR(dilemma(), order="simultaneous"), "a", 20, "was written with parameters"),
        (pl.solvers.CFR(dilemma()), "b", 20, r"recorded \['iteration', 'a'\]; asked for is"),
        (pl.solvers.CFR(dilemma()), "a", 10, "ends at iteration 20; asked for is 10"),
    ],
)
def test_a_recording_of_another_run_with_the_same_settings_is_refused(
    tmp_path: Path, solver: Any, columns: str, until: int, message: str
) -> None:
    def kept(solver: Any, columns: str, until: int) -> History:
        run = Run(solver, list(map(column, columns)), settings={"seed": 1})
        return load_or_run("run", run, until, folder=tmp_path)

    kept(pl.solvers.CFR(dilemma()), "a", 20)
    with pytest.raises(CheckpointError, match=message):
        kept(solver, columns, until)


class SlowFromTheThousandth:
    """A solver by whose clock iterations take a millisecond, and from the thousandth on a second."""

    game = pl.games.kuhn()

    def __init__(self) -> None:
        self.now = 0.0

    def init(self) -> Any:
        return SimpleNamespace(iteration=0)

    def step(self, state: Any, count: int) -> Any:
        for iteration in range(state.iteration, state.iteration + count):
            self.now += 0.001 if iteration < 1000 else 1.0
        return SimpleNamespace(iteration=state.iteration + count)


def test_pieces_are_long_while_steps_are_quick_and_single_steps_where_they_are_slow(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    solver = SlowFromTheThousandth()
    monkeypatch.setattr("pokerlab.runs.run.time.perf_counter", lambda: solver.now)
    ends = [0, *Run(solver, [], per_decade=1).advance_in_pieces(1100)]
    pieces = np.diff(ends)
    assert max(pieces) >= 10
    assert (pieces[-50:] == 1).all()


def test_run_advanced_in_pieces_adds_their_seconds(monkeypatch: pytest.MonkeyPatch) -> None:
    ticks = itertools.count()
    monkeypatch.setattr("pokerlab.runs.run.time.perf_counter", lambda: float(next(ticks)))
    run = Run(pl.solvers.CFR(pl.games.kuhn()), [])
    for pieces in (1, 2, 3):
        run.advance(1)
        assert run.seconds == pieces


@pytest.mark.parametrize("measured", ["3", None, [1.0, 2.0], np.array([1.0])])
def test_run_with_column_that_measures_no_number_is_refused(measured: Any) -> None:
    column = Column("odd", "Odd", "", lambda state: measured)
    with pytest.raises(SettingError, match="the column odd measured"):
        Run(pl.solvers.CFR(pl.games.kuhn()), [column])


def test_disturb_changes_the_state_and_marks_the_history(tmp_path: Path) -> None:
    kuhn = pl.games.kuhn()
    replicator = pl.solvers.ReplicatorDynamics(kuhn, payoff_shift=3.0)
    nash_conv = pl.runs.Column(
        "nash_conv", "NashConv", "chips", lambda state: pl.metrics.nash_conv(kuhn, state.current)
    )
    path = tmp_path / "run.npz"
    run = pl.runs.Run(replicator, [nash_conv], checkpoint=path).to(500, progress=False)
    before, undisturbed = run.state, run.history
    assert "disturbances" not in undisturbed.provenance
    change = partial(pl.solvers.mix_in_profile, profile=kuhn.uniform(), share=0.5)
    run.disturb(change, "50% uniform")
    assert run.state.iteration == before.iteration == 500
    assert (run.state.current.probabilities != before.current.probabilities).any()
    run.to(505, progress=False)
    assert run.history["nash_conv"][-1] > undisturbed["nash_conv"][-1]
    resumed = pl.runs.Run(replicator, [nash_conv], checkpoint=path)
    assert resumed.history.provenance["disturbances"] == [[500, "50% uniform"]]
    saved = pl.runs.History.load(run.history.save(tmp_path / "history.npz"))
    assert saved.provenance["disturbances"] == [[500, "50% uniform"]]


@pytest.mark.parametrize(
    "change",
    [lambda state: None, lambda state: pl.games.kuhn().uniform(), 3],
    ids=["nothing", "a profile", "a number"],
)
def test_disturb_rejects_what_returns_no_state(change: Any) -> None:
    run = pl.runs.Run(pl.solvers.ReplicatorDynamics(pl.games.kuhn(), payoff_shift=3.0), [])
    with pytest.raises(SettingError):
        run.disturb(change, "nothing")
    assert run.disturbances == []


def test_disturbed_run_is_not_kept_as_one_of_its_settings(tmp_path: Path) -> None:
    kuhn = pl.games.kuhn()
    replicator = pl.solvers.ReplicatorDynamics(kuhn, payoff_shift=3.0)
    run = pl.runs.Run(replicator, [])
    run.disturb(
        partial(pl.solvers.mix_in_profile, profile=kuhn.uniform(), share=0.5), "50% uniform"
    )
    with pytest.raises(SettingError, match="disturbed at iteration 0"):
        load_or_run("mine", run, 10, folder=tmp_path)
    run.to(10, progress=False).history.save(tmp_path / "mine.npz")
    with pytest.raises(CheckpointError, match="was disturbed"):
        load_or_run("mine", pl.runs.Run(replicator, []), 10, folder=tmp_path)
