"""Drive a run beside the notebook, so that it can be watched, paced and paused, by the stop button too.

The run is driven in a thread. Where no thread can be started, as in a browser, the event loop of the notebook drives
the run, and does its other work after each piece. The pieces and the numbers are the same. But a long step cannot be
stopped in the middle then, and the page has to wait for it.

A kernel is interrupted by SIGINT. While a cell runs, the signal raises KeyboardInterrupt in the cell, and a hook after
the cell pauses the runners. Between cells the kernel ignores the signal, so a handler of this module pauses them.
"""

import asyncio
import math
import threading
import time
from collections import deque
from collections.abc import Callable, Generator, Iterator
from inspect import GEN_RUNNING, getgeneratorstate
from typing import Any, NamedTuple
from weakref import WeakSet

from IPython.core.getipython import get_ipython

from pokerlab.core import SettingError
from pokerlab.core.workers import CANCEL_EVENTS, Cancelled, can_start_threads
from pokerlab.runs import Run

FRAMES_PER_SECOND = 32.0
"""The pictures that are scheduled for each second of a run. A machine without other work shows about thirty of them."""
FRAME_SECONDS = 1 / FRAMES_PER_SECOND
LEAST_WORK_SHARE = 0.5
"""The least time for work after a picture, as a share of the time that the picture took, so that a run also makes
progress on a busy machine."""
PAUSE_SECONDS = 0.5
"""The longest time that `Runner.pause` waits. Usually a piece of work and a picture are much shorter."""
SPEED_WINDOW = 1.0  # seconds over which the speed is averaged


class Pace(NamedTuple):
    """The speed at which a run is shown.

    Attributes
    ----------
    rate : float
        The least number of iterations a second; infinite for as many as possible.
    growth : float
        The iterations a second for each iteration done, if that is more than `rate`. Such a run moves evenly along a
        logarithmic axis.
    """

    rate: float
    growth: float = 0.0

    def compute_rate(self, iteration: int) -> float:
        """Return the number of iterations a second after `iteration` of them."""
        return max(self.rate, self.growth * iteration)


class Runner:
    """A run that is driven in a thread of its own, or by the event loop where no thread can be started.

    Parameters
    ----------
    run : Run
        The run.
    last_iteration : int
        The iteration at which the run ends.
    on_frame : callable
        It is called without arguments some thirty times a second while the run is under way.
    on_stop : callable
        It is called when the run has stopped: with None, or with the exception that stopped it, which is `Cancelled`
        if a step was cancelled.

    Attributes
    ----------
    pace : Pace
        The speed at which the run is driven, which may be changed at any time.
    speed : float
        The iterations a second of late; 0 while the run is paused.
    seconds_per_iteration : float or None
        The seconds that the last iteration took; None before the first one.
    has_converged : bool
        Whether the solver has converged, so that further iterations would change nothing.
    """

    def __init__(
        self,
        run: Run,
        last_iteration: int,
        *,
        on_frame: Callable[[], None],
        on_stop: Callable[[Exception | Cancelled | None], None],
    ) -> None:
        self.run, self.last_iteration, self.goal = run, last_iteration, last_iteration
        self.on_frame, self.on_stop = on_frame, on_stop
        self.pace = Pace(math.inf)
        self.speed = 0.0
        self.seconds_per_iteration: float | None = None
        self.piece_start: float | None = None
        self.has_converged = False
        self.is_running = False
        self.pause_event, self.cancel_event = threading.Event(), threading.Event()
        self.waiting_actions: list[Callable[[], None]] = []
        self.state_lock = threading.Lock()
        self.thread: threading.Thread | None = None
        self.pieces: Generator[float, None, None] | None = None
        self.task: asyncio.Task[None] | None = None
        open_runners.add(self)
        install_interrupt_hooks()

    @property
    def is_finished(self) -> bool:
        """Whether no iteration is left, because the last one is done or the solver has converged."""
        return self.run.iteration >= self.last_iteration or self.has_converged

    @property
    def is_pausing(self) -> bool:
        """Whether the run pauses as soon as the present piece of work is done."""
        return self.is_running and self.pause_event.is_set()

    @property
    def seconds_spent(self) -> float:
        """The seconds that the present piece of work has taken so far; 0 if there is none."""
        start = self.piece_start  # read once, because another thread may set it to None
        return 0.0 if start is None else time.perf_counter() - start

    def start(self, count: int | None = None) -> None:
        """Begin or continue the run in the background, unless it is under way or finished.

        Parameters
        ----------
        count : int, optional
            The number of iterations to do. By default the run continues to its last iteration.
        """
        if self.is_running or self.is_finished:
            return
        self.wait_for_end()
        self.pause_event.clear()
        self.cancel_event.clear()
        self.goal = (
            self.last_iteration
            if count is None
            else min(self.run.iteration + count, self.last_iteration)
        )
        if can_start_threads():
            self.pieces, self.is_running = None, True
            self.thread = threading.Thread(
                target=self.drive_in_thread, name="pokerlab runner", daemon=True
            )
            self.thread.start()
        else:
            loop = find_event_loop()
            self.pieces = self.drive_run()
            self.is_running = True
            self.task = loop.create_task(self.drive_in_event_loop(self.pieces))

    def wait_for_end(self) -> None:
        """Wait until a run that has stopped has called `on_stop`. Return at once if the run is under way."""
        if self.is_running or self.thread is None or self.thread is threading.current_thread():
            return
        self.thread.join(PAUSE_SECONDS)

    def set_last_iteration(self, last_iteration: int) -> None:
        """Let the run end at another iteration, also if it is under way to its end."""
        if self.goal == self.last_iteration:
            self.goal = last_iteration
        self.last_iteration = last_iteration

    def request_pause(self) -> None:
        """Make the run pause after its present piece of work, without waiting for that."""
        self.pause_event.set()

    def cancel_step(self) -> None:
        """Make the run pause in the middle of its present step, whose work is lost, without waiting for that."""
        self.cancel_event.set()
        self.request_pause()

    def pause(self) -> bool:
        """Make the run pause, wait at most `PAUSE_SECONDS`, and return whether it has paused.

        It has not if its present step takes longer.
        """
        self.request_pause()
        if self.pieces is not None:
            # If the generator is running, a picture that it shows has called this function.
            if getgeneratorstate(self.pieces) != GEN_RUNNING:
                deque(self.pieces, maxlen=0)
            return not self.is_running
        if self.thread is None or self.thread is threading.current_thread():
            return not self.is_running
        self.thread.join(PAUSE_SECONDS)
        return not self.thread.is_alive()

    def run_between_pieces(self, action: Callable[[], None]) -> None:
        """Call `action`: at once, or, if the run is under way, after its present piece of work."""
        with self.state_lock:
            if self.is_running:
                self.waiting_actions.append(action)
                return
        action()

    def run_waiting_actions(self) -> None:
        """Call the actions that came in during the last piece of work."""
        with self.state_lock:
            actions = self.waiting_actions
            self.waiting_actions = []
        for action in actions:
            action()

    def advance_to(self, goal: int) -> None:
        """Advance the run to iteration `goal` in the present thread, unless the solver converges before."""
        while self.run.iteration < goal and not self.has_converged:
            self.advance_one_piece(goal)

    def advance_one_piece(self, goal: int) -> None:
        """Do one piece of work toward iteration `goal`, and measure its time."""
        first_iteration = self.run.iteration
        self.piece_start = time.perf_counter()
        try:
            self.has_converged = next(self.run.advance_in_pieces(goal), None) is None
            if self.is_finished:
                self.run.record()
            self.seconds_per_iteration = self.seconds_spent / max(
                self.run.iteration - first_iteration, 1
            )
        finally:
            self.piece_start = None

    def drive_in_thread(self) -> None:
        """Drive the run, in the thread that `start` has started."""
        CANCEL_EVENTS.set((self.cancel_event,))
        for seconds in self.drive_run():
            self.pause_event.wait(seconds)

    async def drive_in_event_loop(self, pieces: Iterator[float]) -> None:
        """Drive the run, and let the event loop do its other work after each piece.

        Parameters
        ----------
        pieces : iterator of float
            It does a piece of work for each number, and yields the seconds to wait after the piece.
        """
        for seconds in pieces:
            await asyncio.sleep(seconds)

    def drive_run(self) -> Generator[float, None, None]:
        """Do pieces of work and show pictures until the goal or a pause, and then call `on_stop`.

        Yields
        ------
        float
            The seconds to wait after each piece.
        """
        error: Exception | Cancelled | None = None
        try:
            yield from self.alternate_pieces_and_pictures()
        except (Exception, Cancelled) as caught:  # whatever a solver raises is shown, not lost
            error = caught
        with self.state_lock:
            self.speed, self.is_running = 0.0, False
        self.run_waiting_actions()
        self.on_stop(error)

    def alternate_pieces_and_pictures(self) -> Generator[float, None, None]:
        """Do pieces of work at the rate of `pace`, and show a picture whenever the next one is due.

        Yields
        ------
        float
            The seconds to wait after each piece.
        """
        window_start = last_time = next_frame = time.perf_counter()
        window_iteration = (
            self.run.iteration
        )  # the iteration at which the window of the measured speed begins
        allowance = 1.0  # the number of iterations that the pace allows now
        while not (
            self.pause_event.is_set() or self.has_converged or self.run.iteration >= self.goal
        ):
            self.run_waiting_actions()
            rate = self.pace.compute_rate(self.run.iteration)
            now = time.perf_counter()
            if math.isinf(rate):
                allowance = rate
            else:
                most_allowed = max(1.0, rate / FRAMES_PER_SECOND)
                allowance = min(allowance + rate * (now - last_time), most_allowed)
            last_time, pause = now, 0.0
            if allowance >= 1.0:
                first_iteration = self.run.iteration
                end = math.inf if math.isinf(rate) else first_iteration + int(allowance)
                self.advance_one_piece(int(min(self.goal, end)))
                allowance -= self.run.iteration - first_iteration
            else:
                pause = min((1.0 - allowance) / rate, max(next_frame - now, 0.0))
            yield pause

            now = time.perf_counter()
            if now >= next_frame:
                if now - window_start >= SPEED_WINDOW / 4:
                    num_done = self.run.iteration - window_iteration
                    self.speed = num_done / (now - window_start)
                if now - window_start >= SPEED_WINDOW:
                    window_start = now
                    window_iteration = self.run.iteration
                self.on_frame()
                after_frame = time.perf_counter()

                # The next picture is due a fixed time after this one was due. If it were due a fixed time after this
                # one began, all delays would add up. Pictures that were missed are left out.
                due_time = next_frame if now - next_frame < FRAME_SECONDS else now
                least_work_seconds = LEAST_WORK_SHARE * (after_frame - now)
                next_frame = max(due_time + FRAME_SECONDS, after_frame + least_work_seconds)


def find_event_loop() -> asyncio.AbstractEventLoop:
    """Return the event loop that is running, as in a notebook, or raise a SettingError if there is none."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        raise SettingError(
            "no thread can be started, and no event loop runs here. Run this in a notebook, or advance the run in"
            " code, by bench.run.to(100)."
        ) from None


open_runners: WeakSet[Runner] = WeakSet()
"""The runners that exist, which the stop button pauses."""


def cancel_all_steps() -> None:
    """Make every runner pause in the middle of its present step."""
    for runner in list(open_runners):
        runner.cancel_step()


def install_interrupt_hooks() -> None:
    """Install in the present kernel, if there is one, the hooks that pause runners when the kernel is interrupted."""
    shell = get_ipython()
    if shell is None:
        return
    if pause_after_interrupted_cell not in shell.events.callbacks["post_run_cell"]:
        shell.events.register("post_run_cell", pause_after_interrupted_cell)
    kernel = getattr(shell, "kernel", None)
    if kernel is not None and threading.current_thread() is threading.main_thread():
        # The kernel puts this handler back when the present cell has ended.
        kernel.saved_sigint_handler = pause_between_cells


def pause_between_cells(signum: int, frame: Any) -> None:
    """Pause all runners when the kernel is interrupted while it waits for the next cell."""
    cancel_all_steps()


def pause_after_interrupted_cell(result: Any) -> None:
    """Pause all runners if the cell that has ended was interrupted."""
    if isinstance(getattr(result, "error_in_exec", None), KeyboardInterrupt):
        cancel_all_steps()
