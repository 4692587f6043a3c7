"""What happens once in a process: timed in a new interpreter."""

import subprocess
import sys
from tempfile import TemporaryDirectory

from tests.benchmarks.stopwatch import Answer, Measure


def fresh_interpreter(code: str, cache: str = "") -> Measure:
    """Return the measure of running `code`, which prints its seconds, in a new interpreter.

    Kernels come from the user's cache, or from the folder `cache`.
    """

    def measure(seconds: float) -> Answer:
        variables = ["env", f"POKERLAB_CACHE={cache}"] if cache else []
        printed = subprocess.check_output([*variables, sys.executable, "-c", code], text=True)
        return {"seconds": float(printed)}

    return measure


class KernelCache:
    """A cache of compiled kernels apart from the user's, thrown away at the end."""

    def __init__(self, code: str) -> None:
        self.code = code
        self.folder: TemporaryDirectory[str] | None = None

    def compiling(self, seconds: float) -> Answer:
        """Measure the code once, with nothing compiled."""
        self.folder = TemporaryDirectory()
        return fresh_interpreter(self.code, self.folder.name)(seconds)

    def loading(self, seconds: float) -> Answer:
        """Measure the code once, with everything compiled that it needs."""
        if self.folder is None:
            self.compiling(seconds)
        assert self.folder is not None
        return fresh_interpreter(self.code, self.folder.name)(seconds)
