"""A step that takes long: it is explained, a pause waits for it, and nothing comes of it once the run is replaced."""

import threading

import pytest

from pokerlab.workbench.live.bench import SLOW, Bench
from tests.unit.workbench.conftest import wait_until


def test_a_long_step_of_a_run_that_was_replaced_shows_and_refuses_nothing_when_it_ends(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    late, before = threading.Event(), bench.runner

    def long_step(goal: int) -> None:
        late.wait()
        raise RuntimeError("too late")

    monkeypatch.setattr(before, "advance", long_step)
    bench.start()
    bench.set(game="KP(3)")
    assert before.running
    frames = bench.frames
    late.set()
    assert before.thread is not None
    before.thread.join()
    assert (bench.error, bench.frames) == (None, frames)
    assert "game KP(3): reset to t = 0" in bench.screen.plain


def test_a_long_step_is_explained_and_a_pause_that_waits_for_it_is_acknowledged(
    bench: Bench, monkeypatch: pytest.MonkeyPatch
) -> None:
    late, advance = threading.Event(), bench.runner.advance

    def long_step(goal: int) -> None:
        late.wait()
        advance(goal)

    monkeypatch.setattr(bench.runner, "advance", long_step)
    bench.controls.run.click()
    wait_until(lambda: SLOW in bench.screen.plain)
    assert bench.controls.run.description == "Pause"
    bench.controls.run.click()
    assert (bench.controls.run.description, bench.controls.run.disabled) == ("Pausing…", True)
    late.set()
    wait_until(lambda: bench.controls.run.description == "Run")
    assert SLOW not in bench.screen.plain
    assert not bench.controls.run.disabled
