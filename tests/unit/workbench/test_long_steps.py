"""A step that takes long: it is told beforehand and explained, a pause waits for it, and a stop drops it."""

import threading
import time
from contextvars import copy_context
from typing import Any

import numpy as np
import pytest

from pokerlab import games, papers, solvers, strategies
from pokerlab.core import POINTS
from pokerlab.core.workers import CANCEL_EVENTS, Cancelled, check_cancelled
from pokerlab.evolution import CSAES
from pokerlab.papers import samothrakis2011_holdem
from pokerlab.papers.nicolai2009 import Config, evolved_networks
from pokerlab.workbench.live.bench import Bench
from pokerlab.workbench.live.step_times import StepTimes
from tests.hangs import HANG_SECONDS, wait_until
from tests.unit.workbench.conftest import Maker


def points(a: Any, b: Any, seed: int) -> float:
    """Return who has more, slowly."""
    time.sleep(0.001)
    return float(np.sign(a.sum() - b.sum()))


KUHN = games.kuhn()
SOLVERS = {
    "tournaments": evolved_networks.make_solver(Config(agents=20, tournaments=2, seed=1)),
    "in two threads": evolved_networks.make_solver(Config(agents=20, tournaments=2, seed=1), workers=2),
    "ring games": papers.noble2001.make_solver(papers.noble2001.Config(games=2, hands=2, seed=1)),
    "exact replies": samothrakis2011_holdem.make_solver(samothrakis2011_holdem.Config(buckets=2, seed=1)),
    "searches": solvers.MinimaxCoevolution(
        KUHN, seed=1, evolution=CSAES(population=4), worst_case=solvers.TreeSearch(depth=None)
    ),
    "evolved replies": solvers.MinimaxCoevolution(
        KUHN, seed=1, evolution=CSAES(population=4), worst_case=solvers.InnerEvolution()
    ),
    "a contest": solvers.PopulationCoevolution(
        games.contest(points, name="points", unit=POINTS, seconds=HANG_SECONDS),
        strategies.RealVector(2, low=0, high=1), seed=1, size=20,
    ),
}  # fmt: skip


class Soon(threading.Event):
    """Is set once it has been asked so often."""

    def __init__(self, asks: int) -> None:
        super().__init__()
        self.asks = asks

    def is_set(self) -> bool:
        self.asks -= 1
        return self.asks < 0


@pytest.mark.parametrize("name", SOLVERS)
def test_a_stop_is_heard_in_the_middle_of_a_generation(
    name: str, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr("pokerlab.games.contests.LONGEST_WAIT", 0.02)  # a meeting is short here
    solver = SOLVERS[name]
    state = solver.init()
    heard: list[type[BaseException] | None] = []

    def step(asks: int) -> None:
        CANCEL_EVENTS.set((Soon(asks),))
        try:
            solver.step(state)
        except BaseException as error:
            heard.append(type(error))

    for asks in (1, 10**9):
        thread = threading.Thread(target=copy_context().run, args=[step, asks])
        thread.start()
        thread.join()
    assert heard == [Cancelled]
    assert solver.step(state).iteration == state.iteration + 1


@pytest.fixture
def late(bench: Bench, monkeypatch: pytest.MonkeyPatch) -> threading.Event:
    """Return what ends each step of a bench, unless it is stopped before."""
    ended, step = threading.Event(), bench.run.solver.step

    def long_step(state: Any, count: int = 1) -> Any:
        while not ended.wait(0.01):
            check_cancelled()
        return step(state, count)

    monkeypatch.setattr(bench.run.solver, "step", long_step)
    return ended


def test_it_is_explained_and_a_pause_that_waits_for_it_is_acknowledged(
    bench: Bench, late: threading.Event
) -> None:
    run = bench.controls.run_button
    run.click()
    wait_until(lambda: "Iteration 1 has taken some" in bench.screen.plain)
    assert run.description == "Pause"
    run.click()
    assert "Pausing: after iteration 1. Stop now drops" in bench.screen.plain
    wait_until(lambda: run.description == "Stop now")
    late.set()
    wait_until(lambda: run.description == "Run")
    wait_until(lambda: "iteration 1" not in bench.screen.plain)
    assert bench.run.iteration > 0


def test_asked_twice_it_is_dropped(bench: Bench, late: threading.Event) -> None:
    before = bench.state
    bench.controls.step_button.click()
    wait_until(lambda: bench.runner.piece_start is not None)
    bench.pause()
    bench.pause()
    wait_until(lambda: "Stopped in the middle of iteration 1" in bench.screen.plain)
    assert (bench.state is before, bench.is_running) == (True, False)
    late.set()
    bench.controls.step_button.click()
    wait_until(lambda: not bench.is_running)
    assert bench.run.iteration == 1


def test_words_read_before_a_stop_do_not_replace_those_after_it(
    bench: Bench, late: threading.Event, monkeypatch: pytest.MonkeyPatch
) -> None:
    say = bench.screen.write_words

    def say_late(html: str, plain: str | None = None) -> None:
        """Write the words of this thread, which have been read, after all that the run has to say meanwhile."""
        if (
            bench.runner.thread is not threading.current_thread()
            and bench.runner.cancel_event.is_set()
        ):
            assert bench.runner.thread is not None
            bench.runner.thread.join(1.0)  # seconds; the run's own words must wait for these
        say(html, plain)

    monkeypatch.setattr(bench.screen, "write_words", say_late)
    bench.controls.step_button.click()
    wait_until(lambda: bench.runner.piece_start is not None)
    bench.pause()
    bench.pause()
    wait_until(lambda: not bench.runner.thread.is_alive() if bench.runner.thread else False)
    assert "Stopped in the middle of iteration 1" in bench.screen.plain
    assert bench.controls.run_button.description == "Run"


def test_what_is_given_up_stops_and_shows_nothing(bench: Bench, late: threading.Event) -> None:
    before = bench.runner
    bench.start()
    bench.set(game="KP(3)")
    frames = bench.num_frames
    assert before.thread is not None
    before.thread.join()
    assert (before.run.iteration, bench.error, bench.num_frames) == (0, None, frames)
    assert "game KP(3): reset to t = 0" in bench.screen.plain


def test_other_sizes_cost_in_proportion_and_other_kinds_are_not_known() -> None:
    times, config = StepTimes(), Config(agents=100, tournaments=10, seed=1)
    assert times.estimate_seconds(config) == 0.0
    times.record_time(config, 0.5)
    assert times.estimate_seconds(Config(agents=200, tournaments=50, seed=3, mutation=0.5)) == 5.0
    assert (
        times.estimate_seconds(Config(agents=100, tournaments=10, seed=1, fitness="hands won"))
        == 0.0
    )


def test_a_bench_says_beforehand_what_its_settings_cost(make: Maker) -> None:
    bench = make(evolved_networks, Config(agents=20, tournaments=1, seed=1), first_iterations=1)
    bench.set(tournaments=10_000, agents=2000)
    assert "Each generation takes some" in bench.screen.plain
    assert "Each generation takes some" in bench.controls.legend_words.value
