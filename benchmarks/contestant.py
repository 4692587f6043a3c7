"""A library in a process of its own, which is asked for one measurement at a time.

Every library lives as long as the benchmark, so that it is set up once and rounds alternate between
libraries: what the machine does meanwhile, it does to all of them. One that is missing or falls
over becomes a note in the table.

The wire: one JSON object a line. Questions go to the process's standard input; answers come from
the standard output it was born with, away from what the library prints. The asked side is
`python -m benchmarks.contestant MODULE`; the module has TASKS and VERSION.
"""

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Callable
from dataclasses import dataclass
from importlib import import_module
from pathlib import Path
from typing import Any, Self

from benchmarks.stopwatch import Answer, Measure

ROOT = Path(__file__).resolve().parents[1]
THREADS = [f"{name}_NUM_THREADS" for name in ("OMP", "OPENBLAS", "MKL", "NUMBA")]
THREADS += ["VECLIB_MAXIMUM_THREADS"]
Task = Callable[[str], Measure]


def serve(module: str) -> None:
    """Answer questions to the end."""
    wire = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    try:
        library = import_module(module)
    except ImportError as missing:
        print(json.dumps({"note": f"not installed ({missing.name})"}), file=wire)
        return
    print(json.dumps({"version": library.VERSION}), file=wire)
    measures: dict[tuple[str, str], Measure] = {}
    for line in sys.stdin:
        question = json.loads(line)
        key = (question["task"], question["game"])
        try:
            if key not in measures:
                measures[key] = library.TASKS[key[0]](key[1])
            answer = measures[key](question["seconds"])
        except Exception as failure:
            answer = {"note": f"{type(failure).__name__}: {failure}".splitlines()[0]}
        print(json.dumps(answer), file=wire)


@dataclass
class Contestant:
    """The asking side: starts the module with an interpreter, closes it at the end."""

    name: str
    module: str
    python: str = sys.executable
    version: str = ""
    note: str = ""

    def __enter__(self) -> Self:
        self.process = subprocess.Popen(
            [self.python, "-m", __name__, self.module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd=ROOT,
            env={**os.environ, **dict.fromkeys(THREADS, "1")},
        )
        greeting = self.hear()
        self.version, self.note = str(greeting.get("version", "")), str(greeting.get("note", ""))
        return self

    def __exit__(self, *error: Any) -> None:
        with contextlib.suppress(BrokenPipeError):
            self.process.communicate()

    def ask(self, task: str, game: str, seconds: float) -> Answer:
        """Return one measurement, or a note that says why there is none."""
        if self.note:
            return {"note": self.note}
        question = json.dumps({"task": task, "game": game, "seconds": seconds})
        try:
            print(question, file=self.process.stdin, flush=True)
        except BrokenPipeError:
            return {"note": self.note}
        return self.hear()

    def hear(self) -> Answer:
        """Read one line; an end of the conversation is remembered as a note."""
        line = self.process.stdout.readline()
        if not line:
            self.note = f"stopped with exit status {self.process.wait()}"
            return {"note": self.note}
        return json.loads(line)


if __name__ == "__main__":
    serve(sys.argv[1])
