"""Run lessons in one process that starts no thread and no other process, as the Python of a browser does.

`python -m tests.as_in_a_browser 00_start_here` runs a lesson's cells on an event loop, as a notebook does. Then it
presses *Run* on each bench, lets the loop drive it for a while, pauses it, and compares its history with that of a run
in code. With `--without-numba` kernels are interpreted, too. The last line of errors says what was done.
"""

import _thread
import argparse
import asyncio
import gc
import sys
import threading
import time
from pathlib import Path
from typing import Any, NoReturn

import nbformat
import numpy as np

LESSONS = Path(__file__).resolve().parents[1] / "notebooks"
MISSING = ("numba", "llvmlite", "_multiprocessing", "resource")  # in Pyodide 314
BENCH_SECONDS = 1.0


def forbid_threads_and_processes() -> None:
    """Let each thread and each process that is started from now on fail, with the errors of Pyodide."""

    def refuse_thread(*arguments: Any, **options: Any) -> NoReturn:
        raise RuntimeError("can't start new thread")

    def refuse_process(event: str, arguments: Any) -> None:
        if event in ("subprocess.Popen", "os.fork", "os.forkpty", "os.posix_spawn", "os.system"):
            raise OSError(138, "emscripten does not support processes.")

    for module in (_thread, threading):
        for name in ("start_new_thread", "start_joinable_thread"):  # the second since Python 3.13
            for each in (name, f"_{name}"):
                if hasattr(module, each):
                    setattr(module, each, refuse_thread)
    sys.addaudithook(refuse_process)


def hide_modules(names: tuple[str, ...]) -> None:
    """Let the import of modules fail that a browser lacks."""
    for name in names:
        sys.modules[name] = None  # type: ignore[assignment]


async def run_lesson(name: str) -> str:
    """Run a lesson and all its benches; return what was done, in words."""
    from IPython.core.interactiveshell import InteractiveShell
    from traitlets.config import Config

    begin = time.perf_counter()
    quiet = Config({"HistoryManager": {"enabled": False}})  # it would write in a thread
    shell = InteractiveShell.instance(config=quiet)
    notebook: Any = nbformat.read(LESSONS / f"{name}.ipynb", as_version=4)  # type: ignore[no-untyped-call]
    for cell in notebook.cells:
        if cell.cell_type == "code":
            code = shell.transform_cell(cell.source)
            done = await shell.run_cell_async(code, transformed_cell=code)
            if "raises-exception" not in cell.metadata.get("tags", ()):
                done.raise_error()
    cells_took = time.perf_counter() - begin
    iterations = [await drive_bench(each) for each in find_benches()]
    took = time.perf_counter() - begin
    return f"{name}: cells {cells_took:.0f} s, all {took:.0f} s, iterations of benches {iterations}"


def find_benches() -> list[Any]:
    """Return the benches of this process."""
    from pokerlab.workbench.live.bench import Bench

    return [each for each in gc.get_objects() if isinstance(each, Bench)]


async def drive_bench(bench: Any) -> int:
    """Press Reset, Run, Pause; return how many iterations were driven, after comparing them with a run in code."""
    bench.reset()
    bench.toggle_run()
    assert bench.is_running
    until = time.monotonic() + BENCH_SECONDS
    while bench.is_running and (time.monotonic() < until or bench.run.iteration == 0):
        await asyncio.sleep(0.01)
    if bench.is_running:
        bench.toggle_run()
    assert not bench.is_running
    assert bench.error is None, bench.error
    straight = bench.experiment.run(bench.config).to(bench.run.iteration, progress=False)
    for column in straight.names:
        mine, theirs = bench.run.history[column], straight.history[column]
        assert np.array_equal(mine, theirs, equal_nan=True), column
    return int(bench.run.iteration)


def main() -> int:
    """Run the lesson that is named."""
    parser = argparse.ArgumentParser(prog="python -m tests.as_in_a_browser")
    parser.add_argument("lesson", help="such as 00_start_here")
    parser.add_argument("--without-numba", action="store_true", help="interpret the kernels")
    options = parser.parse_args()
    if options.without_numba:
        hide_modules(MISSING)
    forbid_threads_and_processes()
    print(asyncio.run(run_lesson(options.lesson)), file=sys.stderr)
    return 0


if __name__ == "__main__":
    sys.exit(main())
