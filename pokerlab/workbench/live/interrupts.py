"""The stop button stops background threads too: it pauses every runner of this kernel.

A kernel is interrupted by SIGINT. While a cell runs, that raises KeyboardInterrupt in the cell and
a hook after the cell pauses the runners; between cells the kernel ignores the signal, so a handler
of our own pauses them.
"""

import threading
from typing import Any, Protocol
from weakref import WeakSet

from IPython.core.getipython import get_ipython


class Pausable(Protocol):
    """What can be asked to pause without being waited for."""

    def ask_to_pause(self) -> None:
        """Return at once; the work ends soon after."""


watched: WeakSet[Any] = WeakSet()


def watch(runner: Pausable) -> None:
    """Let the stop button pause `runner` for as long as it exists."""
    watched.add(runner)
    install()


def pause_all() -> None:
    """Ask every runner to pause."""
    for runner in list(watched):
        runner.ask_to_pause()


def install() -> None:
    """Put the hooks into the kernel this code runs in; do nothing where there is none."""
    shell = get_ipython()
    if shell is None:
        return
    if after_cell not in shell.events.callbacks["post_run_cell"]:
        shell.events.register("post_run_cell", after_cell)
    kernel = getattr(shell, "kernel", None)
    if kernel is not None and threading.current_thread() is threading.main_thread():
        # The kernel puts this handler back when the present cell has ended.
        kernel.saved_sigint_handler = between_cells


def between_cells(signum: int, frame: Any) -> None:
    """Pause all when the kernel is interrupted while it waits for the next cell."""
    pause_all()


def after_cell(result: Any) -> None:
    """Pause all when a cell was interrupted."""
    if isinstance(getattr(result, "error_in_exec", None), KeyboardInterrupt):
        pause_all()
