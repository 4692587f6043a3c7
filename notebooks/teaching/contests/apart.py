"""A submission in a process of its own, which is asked and answers in JSON: nothing that it gives is unpickled.

What it keeps out. The process begins in an empty folder with the submission's text. It has neither opponents nor hidden
cards, seeds, or the game that is scored: only what it is asked with. Wall-clock time is limited everywhere, memory
where the system can (Linux; macOS and Windows cannot). Python's audit events refuse other programs, signals, the
network, and files written elsewhere, and name whoever opens the folder of submissions.

What it does not keep out. A submission is a program that runs in your name, and who calls C, or knows of copies of the
other files, gets around audit events. Run files of strangers as a user, or in a container, that owns nothing else.
"""

import json
import math
import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import contextmanager, suppress
from pathlib import Path
from tempfile import TemporaryDirectory
from threading import Thread
from time import monotonic, sleep
from typing import Any

from contests import answering

ONE_THREAD = dict.fromkeys(
    ("MKL_NUM_THREADS", "NUMBA_NUM_THREADS", "OMP_NUM_THREADS", "OPENBLAS_NUM_THREADS"), "1"
)
"""So that memory does not depend on the number of cores."""
TEMPORARY = ("TMPDIR", "TEMP", "TMP")
MOST_BYTES, MOST_LETTERS = 2**20, 160
"""Of an answer; of what is wrong."""
A_LOOK = 0.02
"""Seconds between two looks at the clock."""


class Broken(Exception):
    """Which submission is broken, and why."""

    def __init__(self, name: str, why: str) -> None:
        text = " ".join("".join(sign if sign.isprintable() else " " for sign in why).split())
        self.name, self.why = (
            name,
            text if len(text) <= MOST_LETTERS else f"{text[:MOST_LETTERS]} ...",
        )
        super().__init__(f"{name}: {self.why}")


@contextmanager
def asking(path: Path, name: str, *, seconds: float, megabytes: int) -> Iterator["Apart"]:
    """Lend the function of the submission in a file, which calls it in a process that ends with the block.

    The folder that the file lies in is closed to it. Time is counted while it is loaded and while it answers. `Broken`
    comes from here or from any call.
    """
    text = path.read_bytes()
    task = {
        "name": name,
        "length": len(text),
        "bytes": megabytes * 2**20,
        "closed": [os.path.realpath(path.parent)],
    }
    with TemporaryDirectory(ignore_cleanup_errors=True) as room:
        process = subprocess.Popen(
            [sys.executable, "-P", answering.__file__], stdin=subprocess.PIPE, stdout=subprocess.PIPE,
            stderr=subprocess.DEVNULL, cwd=room, env=os.environ | ONE_THREAD | dict.fromkeys(TEMPORARY, room),
            start_new_session=True,
        )  # fmt: skip
        ask = Apart(process, name, seconds, megabytes)
        try:
            ask.told(json.dumps(task).encode() + b"\n" + text)
            yield ask
        finally:
            ask.stop()
            process.wait()
            for pipe in (process.stdin, process.stdout):
                with suppress(OSError):
                    pipe.close()  # type: ignore[union-attr]


class Apart:
    """A function in another process; `asking` makes it."""

    def __init__(self, process: Any, name: str, seconds: float, megabytes: int) -> None:
        self.process, self.name, self.seconds, self.megabytes = process, name, seconds, megabytes
        self.left, self.deadline, self.late = seconds, math.inf, False
        Thread(target=self.watch, daemon=True).start()

    def __call__(self, *arguments: Any) -> Any:
        """Return what the function says to numbers, texts, or lists of them."""
        return self.told(json.dumps(arguments, default=answering.plain).encode() + b"\n")

    def told(self, given: bytes) -> Any:
        """Return the answer to a line."""
        line = b""
        self.deadline = monotonic() + self.left
        with suppress(OSError):
            self.process.stdin.write(given)
            self.process.stdin.flush()
            line = self.process.stdout.readline(MOST_BYTES)
        self.left, self.deadline = self.deadline - monotonic(), math.inf
        if self.late:
            raise Broken(self.name, f"too slow: over {self.seconds:g} s")
        if not line:
            raise Broken(self.name, f"crashed: {self.last_words()}")
        try:
            answer = json.loads(line)
            if "wrong" not in answer:
                return answer["answer"]
            why = str(answer["wrong"])
        except (KeyError, RecursionError, TypeError, ValueError):
            why = f"broken: an answer is not JSON, or has more than {MOST_BYTES:,} bytes"
        raise Broken(self.name, f"memory: over {self.megabytes:,} MB" if why == "memory" else why)

    def last_words(self) -> str:
        """Return how the process ended."""
        try:
            code = self.process.wait(timeout=1.0)
        except subprocess.TimeoutExpired:
            return "it closed its output"
        return f"{signal.strsignal(-code)}" if code < 0 else f"its process ended with code {code}"

    def watch(self) -> None:
        """Stop the process once its time is over."""
        while self.process.poll() is None:
            if monotonic() > self.deadline:
                self.late = True
                self.stop()
            sleep(A_LOOK)

    def stop(self) -> None:
        """Stop the process, and what it has started, unless it has ended."""
        with suppress(OSError):
            if self.process.poll() is None and hasattr(os, "killpg"):
                os.killpg(self.process.pid, signal.SIGKILL)
            self.process.kill()
