"""Drive a run beside the notebook, so that it can be watched, paced and paused, by the stop button too.

The run is driven in a thread. Where none can be started, as in a browser, the event loop of the notebook drives it:
after each piece of work the loop gets its turn. The pieces and the numbers are the same; only a step that takes long
cannot be stopped in the middle, and keeps the page waiting.

A kernel is interrupted by SIGINT. While a cell runs, that raises KeyboardInterrupt in the cell and a hook after the
cell pauses the runners; between cells the kernel ignores the signal, so a handler of our own pauses them.
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
"""Pictures asked for while running, so that a calm machine shows thirty; sending one costs a part of the time."""
BETWEEN_FRAMES = 1 / FRAMES_PER_SECOND  # seconds
LEAST_WORK = 0.5
"""Time for work after each picture, as a share of the picture's: a busy machine makes progress too."""
PATIENCE = 0.5
"""Seconds within which a pause takes effect: a piece of work and a picture are much shorter."""
SPEED_WINDOW = 1.0  # seconds over which the speed is averaged


class Pace(NamedTuple):
    """How fast to go."""

    rate: float  # iterations a second; infinite for as many as possible
    # the same for each iteration done, if that is more: time on a logarithmic axis
    growth: float = 0.0

    def compute_rate(self, iteration: int) -> float:
        """Return the iterations a second after `iteration` of them."""
        return max(self.rate, self.growth * iteration)


class Runner:
    """A run under way in a thread of its own, or in turns of the event loop where no thread can be started.

    It calls `on_frame` some thirty times a second, and `on_stop` when it ends, with None or with the
    exception that ended it: Cancelled where a step was dropped. `pace` may be changed at any time; `speed` is in
    iterations a second, of late; `took` are the seconds of the last iteration, or nothing yet; `stays` says that
    the solver has converged.
    """

    def __init__(
        self,
        run: Run,
        until: int,
        *,
        on_frame: Callable[[], None],
        on_stop: Callable[[Exception | Cancelled | None], None],
    ) -> None:
        self.run, self.until, self.goal = run, until, until
        self.on_frame, self.on_stop = on_frame, on_stop
        self.pace = Pace(math.inf)
        self.speed = 0.0
        self.took: float | None = None
        self.begun: float | None = None
        self.stays = False
        self.running = False
        self.asked_to_pause, self.given_up = threading.Event(), threading.Event()
        self.waiting: list[Callable[[], None]] = []
        self.turn = threading.Lock()
        self.thread: threading.Thread | None = None
        self.turns: Generator[float, None, None] | None = None
        self.task: asyncio.Task[None] | None = None
        watched.add(self)
        install()

    @property
    def finished(self) -> bool:
        """Whether there is nothing left to do: the end is reached, or the solver stays put."""
        return self.run.iteration >= self.until or self.stays

    @property
    def pausing(self) -> bool:
        """Whether it ends with the present piece of work."""
        return self.running and self.asked_to_pause.is_set()

    @property
    def spent(self) -> float:
        """Seconds that the present piece of work has taken so far."""
        begun = self.begun
        return 0.0 if begun is None else time.perf_counter() - begun

    def start(self, count: int | None = None) -> None:
        """Begin or go on, by `count` iterations or to the end, unless it runs or is finished."""
        if self.running or self.finished:
            return
        self.wait_for_end()
        self.asked_to_pause.clear()
        self.given_up.clear()
        self.goal = self.until if count is None else min(self.run.iteration + count, self.until)
        if can_start_threads():
            self.turns, self.running = None, True
            self.thread = threading.Thread(target=self.work, name="pokerlab runner", daemon=True)
            self.thread.start()
        else:
            loop = find_event_loop()
            self.turns = self.drive()
            self.running = True
            self.task = loop.create_task(self.work_in_turns(self.turns))

    def wait_for_end(self) -> None:
        """Wait until a run that has stopped has called `on_stop`; return at once while it goes on."""
        if self.running or self.thread is None or self.thread is threading.current_thread():
            return
        self.thread.join(PATIENCE)

    def end_at(self, until: int) -> None:
        """Let the run end at another iteration; a run that is on its way there follows."""
        if self.goal == self.until:
            self.goal = until
        self.until = until

    def ask_to_pause(self) -> None:
        """Let the run pause after its present piece of work; return at once."""
        self.asked_to_pause.set()

    def give_up(self) -> None:
        """Let the run pause in the middle of its piece of work, which comes to nothing; return at once."""
        self.given_up.set()
        self.ask_to_pause()

    def pause(self) -> bool:
        """Pause and wait; return whether the run has paused, as it has unless one step takes long."""
        self.ask_to_pause()
        if self.turns is not None:
            if (
                getgeneratorstate(self.turns) != GEN_RUNNING
            ):  # else the run itself asks, from a picture
                deque(self.turns, maxlen=0)
            return not self.running
        if self.thread is None or self.thread is threading.current_thread():
            return not self.running
        self.thread.join(PATIENCE)
        return not self.thread.is_alive()

    def do_between_pieces(self, action: Callable[[], None]) -> None:
        """Do something with the run: at once, or if it is under way, after its present piece of work."""
        with self.turn:
            if self.running:
                self.waiting.append(action)
                return
        action()

    def do_waiting(self) -> None:
        """Do what has been asked for meanwhile."""
        with self.turn:
            actions = self.waiting
            self.waiting = []
        for action in actions:
            action()

    def to(self, goal: int) -> None:
        """Advance to iteration `goal` in the present thread."""
        while self.run.iteration < goal and not self.stays:
            self.advance(goal)

    def advance(self, goal: int) -> None:
        """Do one piece of work toward iteration `goal`."""
        done = self.run.iteration
        self.begun = time.perf_counter()
        try:
            self.stays = next(self.run.advance_in_pieces(goal), None) is None
            if self.finished:
                self.run.record()
            self.took = self.spent / max(self.run.iteration - done, 1)
        finally:
            self.begun = None

    def work(self) -> None:
        """Drive the run; the thread's body."""
        CANCEL_EVENTS.set((self.given_up,))
        for seconds in self.drive():
            self.asked_to_pause.wait(seconds)

    async def work_in_turns(self, turns: Iterator[float]) -> None:
        """Drive the run, and let the event loop do what else there is after each piece of work."""
        for seconds in turns:
            await asyncio.sleep(seconds)

    def drive(self) -> Generator[float, None, None]:
        """Do pieces of work at the rate asked for, and pictures between them; yield the seconds to wait after each."""
        error: Exception | Cancelled | None = None
        try:
            yield from self.alternate()
        except (Exception, Cancelled) as caught:  # whatever a solver raises is shown, not lost
            error = caught
        with self.turn:
            self.speed, self.running = 0.0, False
        self.do_waiting()
        self.on_stop(error)

    def alternate(self) -> Generator[float, None, None]:
        """Alternate pieces and pictures until the goal or a pause."""
        begin = before = next_frame = time.perf_counter()
        allowance = 1.0
        counted = self.run.iteration
        while not (self.asked_to_pause.is_set() or self.stays or self.run.iteration >= self.goal):
            self.do_waiting()
            rate = self.pace.compute_rate(self.run.iteration)
            now = time.perf_counter()
            if math.isinf(rate):
                allowance = rate
            else:
                burst = max(1.0, rate / FRAMES_PER_SECOND)
                allowance = min(allowance + rate * (now - before), burst)
            before, pause = now, 0.0
            if allowance >= 1.0:
                done = self.run.iteration
                end = math.inf if math.isinf(rate) else done + int(allowance)
                self.advance(int(min(self.goal, end)))
                allowance -= self.run.iteration - done
            else:
                pause = min((1.0 - allowance) / rate, max(next_frame - now, 0.0))
            yield pause
            now = time.perf_counter()
            if now >= next_frame:
                if now - begin >= SPEED_WINDOW / 4:
                    self.speed = (self.run.iteration - counted) / (now - begin)
                if now - begin >= SPEED_WINDOW:
                    begin = now
                    counted = self.run.iteration
                self.on_frame()
                after = time.perf_counter()
                # From when the picture was due, not from when the piece of work before it ended: else every
                # picture would be late by what all earlier ones were. Pictures that were missed stay missed.
                due = next_frame if now - next_frame < BETWEEN_FRAMES else now
                next_frame = max(due + BETWEEN_FRAMES, after + LEAST_WORK * (after - now))


def find_event_loop() -> asyncio.AbstractEventLoop:
    """Return the event loop that runs here, as it does in a notebook."""
    try:
        return asyncio.get_running_loop()
    except RuntimeError:
        raise SettingError(
            "no thread can be started, and no event loop runs here. Run this in a notebook, or advance the run in"
            " code, by bench.run.to(100)."
        ) from None


watched: WeakSet[Runner] = WeakSet()  # those that the stop button pauses, for as long as they exist


def pause_all() -> None:
    """Let every runner pause at once."""
    for runner in list(watched):
        runner.give_up()


def install() -> None:
    """Put the hooks into the kernel this code runs in; do nothing where there is none."""
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
    """Pause all when the kernel is interrupted while it waits for the next cell."""
    pause_all()


def pause_after_interrupted_cell(result: Any) -> None:
    """Pause all when a cell was interrupted."""
    if isinstance(getattr(result, "error_in_exec", None), KeyboardInterrupt):
        pause_all()
