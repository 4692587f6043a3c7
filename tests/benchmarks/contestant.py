"""A library in a process of its own, which is asked for one measurement at a time.

Every library lives as long as the benchmark, so that it is set up once and rounds alternate between
libraries: what the machine does meanwhile, it does to all of them. One that is missing or falls
over becomes a note in the table.

The wire: one JSON object a line. Questions go to the process's standard input; answers come from
the standard output it was born with, away from what the library prints.
"""

import contextlib
import json
import os
import subprocess
import sys
from collections.abc import Callable, Mapping
from dataclasses import dataclass, field
from pathlib import Path
from types import TracebackType
from typing import Self

from tests.benchmarks.stopwatch import Answer, Measure

ROOT = Path(__file__).resolve().parents[2]
THREADS = (
    "OMP_NUM_THREADS",
    "OPENBLAS_NUM_THREADS",
    "MKL_NUM_THREADS",
    "NUMBA_NUM_THREADS",
    "VECLIB_MAXIMUM_THREADS",
)
Task = Callable[[str], Measure]


def serve(tasks: Callable[[], tuple[Mapping[str, Task], str]]) -> None:
    """Answer questions to the end; `tasks` imports the library and says its version."""
    wire = os.fdopen(os.dup(1), "w", buffering=1)
    os.dup2(2, 1)
    try:
        known, version = tasks()
    except ImportError as missing:
        print(json.dumps({"note": f"not installed ({missing.name})"}), file=wire)
        return
    print(json.dumps({"version": version}), file=wire)
    measures: dict[tuple[str, str], Measure] = {}
    for line in sys.stdin:
        question = json.loads(line)
        key = (question["task"], question["game"])
        answer: Answer
        try:
            if key not in measures:
                measures[key] = known[key[0]](key[1])
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
    environment: Mapping[str, str] = field(default_factory=dict)
    version: str = ""
    note: str = ""

    def __enter__(self) -> Self:
        """Start the process and hear its version."""
        self.process = subprocess.Popen(
            [self.python, "-m", self.module],
            stdin=subprocess.PIPE,
            stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL,
            text=True,
            cwd=ROOT,
            env={**os.environ, **dict.fromkeys(THREADS, "1"), **self.environment},
        )
        greeting = self.hear()
        self.version, self.note = str(greeting.get("version", "")), str(greeting.get("note", ""))
        return self

    def __exit__(
        self,
        kind: type[BaseException] | None,
        error: BaseException | None,
        trace: TracebackType | None,
    ) -> None:
        """End the process."""
        with contextlib.suppress(BrokenPipeError):
            self.process.communicate()

    def ask(self, task: str, game: str, seconds: float) -> Answer:
        """Return one measurement, or a note that says why there is none."""
        if self.note:
            return {"note": self.note}
        assert self.process.stdin is not None
        try:
            print(
                json.dumps({"task": task, "game": game, "seconds": seconds}),
                file=self.process.stdin,
                flush=True,
            )
        except BrokenPipeError:
            return {"note": self.note}
        return self.hear()

    def hear(self) -> Answer:
        """Read one line; an end of the conversation is remembered as a note."""
        assert self.process.stdout is not None
        line = self.process.stdout.readline()
        if not line:
            self.note = f"stopped with exit status {self.process.wait()}"
            return {"note": self.note}
        answer: Answer = json.loads(line)
        return answer
