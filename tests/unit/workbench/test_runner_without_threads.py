"""Where no thread can be started, as in a browser, the event loop drives a run, with the same numbers."""

import asyncio
import threading
from collections.abc import Callable
from typing import Any, NoReturn
from unittest.mock import Mock

import numpy as np
import pytest

from pokerlab.core import SettingError
from pokerlab.core.workers import can_start_threads, run_in_threads
from pokerlab.papers.lanctot2014 import Config, replicator
from pokerlab.workbench.live.bench import Bench
from pokerlab.workbench.live.runner import Pace, Runner


@pytest.fixture(autouse=True)
def threads_fail(monkeypatch: pytest.MonkeyPatch) -> None:
    """Let each start of a thread fail, as in Pyodide."""

    def refuse(thread: threading.Thread) -> NoReturn:
        raise RuntimeError("can't start new thread")

    monkeypatch.setattr(threading.Thread, "start", refuse)


pytestmark = pytest.mark.filterwarnings("ignore:tqdm")  # its bars are watched by a thread


def make_runner(config: Config, **then: Any) -> Runner:
    run = replicator.run(config)
    return Runner(run, config.iterations, **{"on_frame": Mock(), "on_stop": Mock()} | then)


async def wait_until(holds: Callable[[], bool]) -> None:
    async with asyncio.timeout(60):
        while not holds():
            await asyncio.sleep(0)


def test_runner_without_threads_gives_the_numbers_of_code() -> None:
    config = Config(iterations=300_000, seed=1)
    runner = make_runner(config)

    async def pause_often() -> int:
        pauses = 0
        while not runner.is_finished:
            runner.start()
            assert runner.is_running
            await asyncio.sleep(0.02)
            pauses += runner.is_running
            assert runner.pause()
            assert not runner.is_running
        return pauses

    assert asyncio.run(pause_often()) >= 2
    straight = replicator.run(config).to(config.iterations, progress=False)
    for name in straight.names:
        assert np.array_equal(runner.run.history[name], straight.history[name])
    assert np.array_equal(runner.run.state.plan_sum, straight.state.plan_sum)


def test_loop_gets_its_turn_after_each_piece(config: Config) -> None:
    runner = make_runner(config)

    async def look_between_pieces() -> list[int]:
        runner.start()
        seen: list[int] = []
        await wait_until(lambda: seen.append(runner.run.iteration) or len(set(seen)) >= 5)  # type: ignore[func-returns-value]
        runner.pause()
        return seen

    asyncio.run(look_between_pieces())
    runner.on_frame.assert_called()
    runner.on_stop.assert_called_once_with(None)


def test_loop_keeps_the_pace_and_the_count(config: Config) -> None:
    runner = make_runner(config)
    runner.pace = Pace(50.0)

    async def run_for_a_while() -> float:
        begin = asyncio.get_running_loop().time()
        runner.start(11)
        await wait_until(lambda: not runner.is_running)
        return asyncio.get_running_loop().time() - begin

    assert asyncio.run(run_for_a_while()) > 0.15  # 10 of them after the first, at 50 a second
    assert runner.run.iteration == 11


def test_pause_asked_by_a_picture_ends_the_run_after_it(config: Config) -> None:
    answers: list[bool] = []
    runner = make_runner(config, on_frame=lambda: answers.append(runner.pause()))

    async def run_until_paused() -> None:
        runner.start()
        await wait_until(lambda: not runner.is_running)

    asyncio.run(run_until_paused())
    assert answers[0] is False
    runner.on_stop.assert_called_once_with(None)


def test_error_of_the_solver_in_the_loop_is_reported(config: Config) -> None:
    runner = make_runner(config)
    runner.run.solver.step = Mock(side_effect=(error := RuntimeError("broken")))

    async def run_until_it_breaks() -> None:
        runner.start()
        await wait_until(lambda: not runner.is_running)

    asyncio.run(run_until_it_breaks())
    runner.on_stop.assert_called_once_with(error)


def test_action_between_pieces_of_the_loop_is_done(config: Config) -> None:
    runner, action = make_runner(config), Mock()

    async def ask_under_way() -> None:
        runner.start()
        runner.run_between_pieces(action)
        action.assert_not_called()
        await wait_until(lambda: action.called)
        runner.pause()

    asyncio.run(ask_under_way())
    action.assert_called_once_with()


def test_runner_without_threads_and_loop_says_what_to_do(config: Config) -> None:
    runner = make_runner(config)
    with pytest.raises(SettingError, match="no event loop runs here"):
        runner.start()
    assert not runner.is_running


def test_bench_without_threads_runs_and_begins_again(bench: Bench) -> None:
    async def press_run_and_change_a_setting() -> None:
        bench.toggle_run()
        await wait_until(lambda: bench.run.iteration > 100)
        bench.set(payoff_shift=30.0)
        assert not bench.is_running
        assert bench.run.iteration == 0
        bench.toggle_run()
        await wait_until(lambda: bench.run.iteration > 100)
        bench.toggle_run()

    asyncio.run(press_run_and_change_a_setting())
    assert not bench.is_running
    assert bench.error is None
    assert bench.picture.iteration == bench.run.iteration > 100


def test_run_in_threads_without_threads_gives_the_same_parts() -> None:
    assert not can_start_threads()
    assert run_in_threads(lambda low, high: list(range(low, high)), 0, 7, workers=3) == (
        [0, 1],
        [2, 3],
        [4, 5, 6],
    )
