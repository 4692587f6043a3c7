"""What is measured, and how: seconds per call, and seconds on the way to an equilibrium.

Seconds are those of the processor, in all threads of the process: a machine that does something else as well makes a
process wait, and its work no longer.

A `Measure` is called again and again, a round each; what it learns in the first call (how many
calls fill a chunk, which algorithm is quickest) it keeps, so that the later rounds are pure
measurement. What is `told` besides seconds goes to every answer.
"""

import resource
import sys
from collections.abc import Callable, Sequence
from dataclasses import dataclass
from itertools import repeat
from pathlib import Path
from time import process_time
from typing import Any, Protocol

Answer = dict[str, float | str]
Advance = Callable[[int], object]
"""Makes so many calls or iterations."""

# A chunk may come out this much shorter than asked before it is enlarged: machines drift, and one
# that is a little short is as good.
ENOUGH = 0.8
# Exploitability is looked at whenever the iterations have grown by a tenth: no library overshoots
# by more than that.
CHECK_GROWTH = 1.1
# A measurement that lasts longer than this is not repeated.
LONG_SECONDS = 5.0
# A contender that needs longer than this, checks apart, has lost; where several targets stand on the
# way, it ends sooner.
PATIENCE_SECONDS = 120.0
WAY_SECONDS = 10.0
# NashConv after so many simultaneous CFR iterations shows whether two libraries do the same work.
SAME_PATH_ITERATIONS = 100


class Measure(Protocol):
    """Something that can be timed once more."""

    def __call__(self, seconds: float) -> Answer:
        """Measure for about `seconds`."""


def times(work: Callable[[], object]) -> Advance:
    """Return what calls `work` so many times."""

    def advance(count: int) -> None:
        for _ in repeat(None, count):
            work()

    return advance


def per_call(work: Callable[[], object], size: int = 1, **told: float) -> Measure:
    """Return the measure of `work`, of which a call does `size` things."""
    return per_count(times(work), size, **told)


def per_count(advance: Advance, size: int = 1, **told: float) -> Measure:
    """Return the measure of a thing of `advance(count)`, which makes `count` calls of `size` things."""
    count = 1

    def measure(seconds: float) -> Answer:
        nonlocal count
        while (elapsed := seconds_of(advance, count)) < ENOUGH * seconds:
            missing = seconds / max(elapsed, 1e-9)
            count = max(count + 1, round(count * min(missing, 10.0)))
        return {"seconds": elapsed / count / size, "calls": float(count), **told}

    return measure


def once(work: Callable[[], object]) -> Measure:
    """Return the measure of a single call, however long it lasts."""
    return lambda seconds: {"seconds": seconds_of(work)}


def once_with_memory(work: Callable[[], object]) -> Measure:
    """Return the measure of a single call, and of the most memory that the process held, before it and in all."""

    def measure(seconds: float) -> Answer:
        before = peak_bytes()
        took = seconds_of(work)
        return {"seconds": took, "peak_bytes": peak_bytes(), "peak_bytes_before": before}

    return measure


def peak_bytes() -> float:
    """Return the most memory that this process has held so far.

    On Linux `ru_maxrss` of a child begins at its parent's, so that Linux's own high-water mark is read.
    """
    if sys.platform == "linux":
        status = Path("/proc/self/status").read_text(encoding="ascii")
        return float(status.partition("VmHWM:")[2].split()[0]) * 1024
    return float(resource.getrusage(resource.RUSAGE_SELF).ru_maxrss)  # bytes on macOS


def seconds_of(work: Callable[..., object], *given: int) -> float:
    start = process_time()
    work(*given)
    return process_time() - start


@dataclass(frozen=True)
class Contender:
    """One algorithm on its way to an equilibrium; `rounds` says how many it did, if it may end."""

    advance: Advance
    nash_conv: Callable[[], float]
    rounds: Callable[[], float] | None = None


def to_targets(
    targets: Sequence[float], contenders: dict[str, Callable[[], Contender]], **told: float
) -> Measure:
    """Return the measure of the way to each NashConv, by the quickest of a library's algorithms."""
    patience = WAY_SECONDS if len(targets) > 1 else PATIENCE_SECONDS
    left = dict(contenders)

    def go(name: str) -> dict[str, Any]:
        contender = left[name]()
        reached: dict[str, float] = {}
        done, iterations, solving, checking = 0, 1, 0.0, 0.0
        while True:
            solving += seconds_of(contender.advance, iterations - done)
            start = process_time()
            nash_conv = contender.nash_conv()
            checking += process_time() - start
            reached = {to(each): solving for each in targets if nash_conv <= each} | reached
            if nash_conv <= min(targets) or solving > patience:
                break
            done, iterations = iterations, max(iterations + 1, int(iterations * CHECK_GROWTH))
        return reached | {
            "seconds": solving,
            "seconds_with_checks": solving + checking,
            "iterations": float(contender.rounds() if contender.rounds else iterations),
            "nash_conv": nash_conv,
            "algorithm": name,
        }

    def measure(seconds: float) -> Answer:
        # The first call races all; the later ones repeat the winner.
        runs = [go(name) for name in left]
        best = min(runs, key=lambda run: float(run.get(to(min(targets)), "inf")))
        if len(targets) == 1 and to(*targets) not in best:
            return {"note": f"not within {PATIENCE_SECONDS:g} s"}
        if len(left) == 1:
            while sum(run["seconds_with_checks"] for run in runs) < ENOUGH * seconds:
                runs.append(go(best["algorithm"]))
            best = sorted(runs, key=lambda run: float(run["seconds"]))[len(runs) // 2]
        for name in set(left) - {best["algorithm"]}:
            del left[name]
        return best | told

    return measure


def to(target: float) -> str:
    """Return the name of the time to a target in an answer."""
    return f"to {target:g}".replace("e-0", "e-")
