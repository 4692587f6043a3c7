"""What the threads of a bench write: older words never replace newer ones, and no run answers for another."""

import threading
import time
from typing import Any

import pytest

from pokerlab.core.workers import Cancelled
from pokerlab.workbench.live.bench import Bench

LATE = 1.0
"""Seconds that a thread is kept waiting at most; those who must wait for it do so."""
LONG_ENOUGH = 60.0
"""Seconds after which a thread that should have come to a point has failed, even on a busy machine."""


def test_reset_while_a_stopped_run_still_writes_shows_the_new_run(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    show_run_state, drawn, replaced = bench.show_run_state, threading.Event(), threading.Event()
    ended = bench.runner

    def show_late() -> None:
        """Let the thread of the run that has ended come to its words after the reader's reset."""
        if threading.current_thread() is ended.thread:
            drawn.set()
            replaced.wait(LATE)
        show_run_state()

    monkeypatch.setattr(bench, "show_run_state", show_late)
    bench.controls.step_button.click()
    assert drawn.wait(LONG_ENOUGH)
    bench.controls.reset_button.click()
    replaced.set()
    assert ended.thread is not None
    ended.thread.join()
    assert "t = 0 of" in bench.screen.plain
    assert "Reset to t = 0" in bench.screen.plain


def test_run_after_a_stop_does_not_repeat_the_words_on_the_stop(bench: Bench) -> None:
    report, runner = bench.runner.on_stop, bench.runner
    is_waiting = threading.Event()

    def report_late(error: Any) -> None:
        is_waiting.set()
        time.sleep(0.1)
        report(error)

    def drop(state: Any, count: int = 1) -> Any:
        raise Cancelled

    step, bench.run.solver.step = bench.run.solver.step, drop
    runner.on_stop = report_late
    bench.controls.run_button.click()
    assert is_waiting.wait(LONG_ENOUGH)
    bench.run.solver.step = step
    bench.controls.run_button.click()
    assert bench.is_running
    assert "Stopped in the middle" not in bench.screen.plain
    bench.pause()


def test_error_of_a_run_that_is_replaced_does_not_stop_the_new_one(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    found, replaced, ended = threading.Event(), threading.Event(), bench.runner

    def describe_late(error: Exception) -> str:
        found.set()
        replaced.wait(LATE)
        return str(error)

    def fail(state: Any, count: int = 1) -> Any:
        raise ValueError("broken")

    monkeypatch.setattr("pokerlab.workbench.live.bench.describe_error", describe_late)
    monkeypatch.setattr(bench.run.solver, "step", fail)
    bench.controls.run_button.click()
    assert found.wait(LONG_ENOUGH)
    bench.controls.reset_button.click()
    replaced.set()
    assert ended.thread is not None
    ended.thread.join()
    assert bench.error is None
    assert "broken" not in bench.note
    assert not bench.controls.run_button.disabled


def test_interrupt_while_a_run_is_prepared_keeps_the_run_before(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    run, make_solver = bench.run, bench.experiment.make_solver

    def interrupt(config: Any) -> Any:
        raise KeyboardInterrupt

    object.__setattr__(bench.experiment, "make_solver", interrupt)
    try:
        with pytest.raises(KeyboardInterrupt):
            bench.panel.rows["game"].value = "KP(3)"
        with pytest.raises(KeyboardInterrupt):
            bench.controls.reset_button.click()
    finally:
        object.__setattr__(bench.experiment, "make_solver", make_solver)
    assert bench.run is run
    assert bench.panel.make_config() == bench.config
    assert "The kernel was interrupted" in bench.screen.plain
    assert "One moment" not in bench.screen.plain
    bench.set(game="KP(3)")
    assert "game KP(3): reset to t = 0" in bench.screen.plain


def test_press_in_another_thread_waits_until_a_run_is_prepared(bench: Bench) -> None:
    make_solver, done = bench.experiment.make_solver, []
    is_preparing, may_go_on = threading.Event(), threading.Event()

    def make_late(config: Any) -> Any:
        if config.game == "KP(3)":
            is_preparing.set()
            may_go_on.wait(LATE)
            done.append("prepared")
        return make_solver(config)

    def reset() -> None:
        bench.reset()
        done.append("reset")

    object.__setattr__(bench.experiment, "make_solver", make_late)
    try:
        setting = threading.Thread(target=lambda: bench.set(game="KP(3)"))
        setting.start()
        assert is_preparing.wait(LONG_ENOUGH)
        pressing = threading.Thread(target=reset)
        pressing.start()
        pressing.join(0.2)
        may_go_on.set()
        for thread in (setting, pressing):
            thread.join()
    finally:
        object.__setattr__(bench.experiment, "make_solver", make_solver)
    assert done[0] == "prepared"
    assert done[-1] == "reset"
    assert bench.run.solver.game.name == "KP(3)"
    assert "Reset to t = 0" in bench.note
