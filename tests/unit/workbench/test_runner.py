"""A runner drives a run in a thread of its own, at the pace asked for, and pauses at once."""

import time
from collections.abc import Iterator
from typing import Any
from unittest.mock import Mock

import numpy as np
import pytest

from pokerlab.papers.lanctot2014 import Config, replicator
from pokerlab.workbench.live.runner import (
    FRAMES_PER_SECOND,
    Pace,
    Runner,
    pause_after_interrupted_cell,
    pause_between_cells,
)
from tests.hangs import wait_until


class Watched:
    """A runner, and what it has reported."""

    def __init__(self, config: Config) -> None:
        self.frames: list[int] = []
        self.stops: list[Exception | None] = []
        run = replicator.run(config)
        then: Any = {
            "on_stop": self.stops.append,
            "on_frame": lambda: self.frames.append(run.iteration),
        }
        self.runner = Runner(run, config.iterations, **then)


@pytest.fixture
def watched(config: Config) -> Iterator[Watched]:
    made = Watched(config)
    yield made
    made.runner.pause()


def test_a_run_gets_on_in_the_background_and_pauses(watched: Watched) -> None:
    runner = watched.runner
    runner.start()
    wait_until(lambda: len(watched.frames) >= 3)
    runner.pause()
    wait_until(lambda: not runner.is_running, "the thread ends after its piece of work")
    stood = runner.run.iteration
    assert stood >= watched.frames[-1] > 0
    wait_until(lambda: watched.stops == [None])
    time.sleep(0.05)
    assert runner.run.iteration == stood


def test_pausing_changes_nothing_in_the_history() -> None:
    config = Config(iterations=20_000, seed=1)
    paused = Watched(config)
    runner = paused.runner
    while not runner.is_finished:
        runner.start()
        time.sleep(0.01)
        runner.pause()
    straight = replicator.run(config).to(config.iterations, progress=False)
    for name in straight.names:
        assert np.array_equal(runner.run.history[name], straight.history[name])
    assert np.array_equal(runner.run.state.plan_sum, straight.state.plan_sum)


def test_the_thread_ends_with_the_run() -> None:
    watched = Watched(Config(iterations=2_000, seed=1))
    watched.runner.start()
    wait_until(lambda: watched.stops == [None])
    wait_until(lambda: not watched.runner.thread.is_alive())
    assert watched.runner.is_finished
    assert watched.runner.run.history["iteration"][-1] == 2_000
    watched.runner.start()
    assert not watched.runner.is_running


def test_it_goes_as_many_iterations_as_asked_for_and_never_beyond_the_end() -> None:
    watched = Watched(Config(iterations=7, seed=1))
    for count, end in ((1, 1), (1, 2), (4, 6), (5, 7)):
        watched.runner.start(count)
        wait_until(lambda: not watched.runner.is_running)
        assert watched.runner.run.iteration == end


def test_the_speed_is_that_of_late(monkeypatch: pytest.MonkeyPatch) -> None:
    """By a clock on which a hundred iterations take a second, then a tenth of them."""

    class Clocked:
        """A run that has come far already."""

        iteration, now = 5_000, 0.0

        def advance_in_pieces(self, until: int) -> Iterator[int]:
            self.now += 0.01 if self.iteration < 5_500 else 0.1
            self.iteration += 1
            yield self.iteration

        def record(self) -> None:
            """Nothing is kept."""

    run, speeds = Clocked(), {}
    monkeypatch.setattr("pokerlab.workbench.live.runner.time.perf_counter", lambda: run.now)

    def frame() -> None:
        speeds[run.iteration] = runner.speed

    runner = Runner(run, 5_600, on_frame=frame, on_stop=lambda error: None)  # type: ignore[arg-type]
    for _ in runner.drive_run():
        pass
    fast = [speed for iteration, speed in speeds.items() if 5_100 <= iteration <= 5_500]
    assert fast == pytest.approx([100.0] * len(fast))
    assert speeds[max(speeds)] == pytest.approx(10.0)


def test_pictures_keep_their_beat_when_pieces_of_work_are_not_done_in_time(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    """By a clock on which a piece takes 10 ms, so that each picture waits for the end of one."""

    class Clocked:
        iteration, now = 0, 0.0

        def advance_in_pieces(self, until: int) -> Iterator[int]:
            self.now += 0.01
            self.iteration += 1
            yield self.iteration

        def record(self) -> None:
            """Nothing is kept."""

    run, painted = Clocked(), []
    monkeypatch.setattr("pokerlab.workbench.live.runner.time.perf_counter", lambda: run.now)
    runner = Runner(
        run,  # type: ignore[arg-type]
        1000,
        on_frame=lambda: painted.append(run.now),
        on_stop=lambda error: None,
    )
    for _ in runner.drive_run():
        pass
    assert len(painted) / run.now == pytest.approx(FRAMES_PER_SECOND, rel=0.02)
    assert max(np.diff(painted)) < 2 / FRAMES_PER_SECOND


def test_a_rate_is_kept_and_may_be_changed_under_way(watched: Watched) -> None:
    runner = watched.runner
    runner.pace = Pace(20.0)
    begin = time.perf_counter()
    runner.start()
    wait_until(lambda: runner.run.iteration >= 8)
    reached = runner.run.iteration
    spent = time.perf_counter() - begin
    assert reached <= 2 + 20.0 * (spent + 0.1)  # a burst of a tenth of a second
    runner.pace = Pace(float("inf"))
    wait_until(lambda: runner.run.iteration > 1_000)


def test_an_error_of_the_solver_ends_the_thread_and_is_reported(watched: Watched) -> None:
    watched.runner.run.solver.step = Mock(side_effect=(error := RuntimeError("broken")))
    watched.runner.start()
    wait_until(lambda: watched.stops == [error])
    assert not watched.runner.is_running


def test_a_solver_that_stays_where_it_is_has_finished(watched: Watched) -> None:
    watched.runner.run.solver.step = lambda state, count=1: state
    watched.runner.start()
    wait_until(lambda: watched.stops == [None])
    assert watched.runner.is_finished
    assert watched.runner.run.iteration == 0


def test_the_stop_button_pauses_every_runner(watched: Watched, config: Config) -> None:
    other = Watched(config)
    watched.runner.start()
    other.runner.start()
    pause_between_cells(2, None)
    wait_until(lambda: not watched.runner.is_running and not other.runner.is_running)


@pytest.mark.parametrize(("error", "pauses"), [(KeyboardInterrupt(), True), (None, False)])
def test_only_interrupted_cells_pause_runners(error: Any, pauses: bool, watched: Watched) -> None:
    watched.runner.start()
    pause_after_interrupted_cell(Mock(error_in_exec=error))
    assert watched.runner.pause_event.is_set() == pauses
