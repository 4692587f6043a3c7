"""What is measured, and how: seconds per call, and seconds on the way to an equilibrium.

A `Measure` is called again and again, a round each; what it learns in the first call (how many
calls fill a chunk, which algorithm is quickest) it keeps, so that the later rounds are pure
measurement.
"""

from collections.abc import Callable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import repeat
from time import perf_counter
from typing import Protocol

Answer = dict[str, float | str]

# A chunk may come out this much shorter than asked before it is enlarged: machines drift, and one
# that is a little short is as good.
ENOUGH = 0.8
# Exploitability is looked at whenever the iterations have grown by a tenth: no library overshoots
# by more than that.
CHECK_GROWTH = 1.1
FIRST_CHECK = 8
# A measurement that lasts longer than this is not repeated.
LONG_SECONDS = 5.0
# A contender that needs longer than this has lost.
PATIENCE_SECONDS = 120.0
# Nor does anyone go longer than this, checks apart, on the way to several targets.
WAY_SECONDS = 10.0


# NashConv after so many simultaneous CFR iterations shows whether two libraries do the same work.
SAME_PATH_ITERATIONS = 100


class Measure(Protocol):
    """Something that can be timed once more."""

    def __call__(self, seconds: float) -> Answer:
        """Measure for about `seconds`."""


@dataclass
class PerCall:
    """Seconds per call; `advance(count)` makes `count` calls, each of which does `size` things."""

    advance: Callable[[int], object]
    count: int = 1
    size: int = 1

    @classmethod
    def of(cls, work: Callable[[], object], size: int = 1, **told: float) -> Measure:
        """Return the measure of `work`, of which a call does `size` things; it also tells numbers."""

        def advance(count: int) -> None:
            for _ in repeat(None, count):
                work()

        return cls(advance, size=size).telling(**told)

    def telling(self, **told: float) -> Measure:
        """Return the measure that tells some numbers, too."""
        return lambda seconds: self(seconds) | told

    def __call__(self, seconds: float) -> Answer:
        """Time one chunk of calls."""
        while (elapsed := self.timed()) < ENOUGH * seconds:
            missing = seconds / max(elapsed, 1e-9)
            self.count = max(self.count + 1, round(self.count * min(missing, 10.0)))
        return {"seconds": elapsed / self.count / self.size, "calls": float(self.count)}

    def timed(self) -> float:
        """Return the seconds of one chunk."""
        start = perf_counter()
        self.advance(self.count)
        return perf_counter() - start


@dataclass(frozen=True)
class Once:
    """Seconds of a single call; `work` returns what else is to be told."""

    work: Callable[[], Answer]

    def __call__(self, seconds: float) -> Answer:
        """Time the call; however long it lasts."""
        start = perf_counter()
        told = self.work()
        return {"seconds": perf_counter() - start} | told


@dataclass(frozen=True)
class Contender:
    """One algorithm on its way to an equilibrium; `rounds` says how many it did, if it may end."""

    advance: Callable[[int], object]
    nash_conv: Callable[[], float]
    rounds: Callable[[], int] | None = None


@dataclass
class TimeToTarget:
    """Seconds until NashConv is at most `target`, by the quickest of a library's algorithms."""

    target: float
    contenders: Mapping[str, Callable[[], Contender]]
    winner: str = ""

    def __call__(self, seconds: float) -> Answer:
        """Run to the target from the start, as often as `seconds` allow; the first call races all."""
        if self.winner:
            repeated = [self.run(self.winner)]
            while sum(float(run["seconds_with_checks"]) for run in repeated) < ENOUGH * seconds:
                repeated.append(self.run(self.winner))
            return sorted(repeated, key=lambda run: float(run["seconds"]))[len(repeated) // 2]
        runs = [self.run(algorithm) for algorithm in self.contenders]
        best = min(runs, key=lambda run: float(run["seconds"]))
        if best["seconds"] == float("inf"):
            return {"note": f"not within {PATIENCE_SECONDS:g} s"}
        self.winner = str(best["algorithm"])
        return best

    def run(self, algorithm: str) -> Answer:
        """Time one algorithm, with and without the checks."""
        contender = self.contenders[algorithm]()
        done, solving, checking = 0, 0.0, 0.0
        nash_conv = float("inf")
        for iterations in check_points(FIRST_CHECK):
            start = perf_counter()
            contender.advance(iterations - done)
            between = perf_counter()
            nash_conv = contender.nash_conv()
            done, solving = iterations, solving + between - start
            checking += perf_counter() - between
            if nash_conv <= self.target or solving + checking > PATIENCE_SECONDS:
                break
        return {
            "seconds": solving if nash_conv <= self.target else float("inf"),
            "seconds_with_checks": solving + checking,
            "iterations": float(done),
            "algorithm": algorithm,
        }


@dataclass(frozen=True)
class WayToTargets:
    """Seconds until NashConv is at most each of `targets`, and where it stands at the end."""

    targets: Sequence[float]
    start: Callable[[], Contender]
    algorithm: str = ""

    def __call__(self, seconds: float) -> Answer:
        """Go the way once, however long it is, but not beyond `WAY_SECONDS`."""
        contender = self.start()
        answer: Answer = {"algorithm": self.algorithm} if self.algorithm else {}
        done, solving, checking = 0, 0.0, 0.0
        for iterations in check_points(1):
            begin = perf_counter()
            contender.advance(iterations - done)
            between = perf_counter()
            nash_conv = contender.nash_conv()
            done, solving = iterations, solving + between - begin
            checking += perf_counter() - between
            reached = {to(target): solving for target in self.targets if nash_conv <= target}
            answer = reached | answer
            if nash_conv <= min(self.targets) or solving > WAY_SECONDS:
                break
        return answer | {
            "seconds": solving,
            "seconds_with_checks": solving + checking,
            "iterations": float(contender.rounds() if contender.rounds else done),
            "nash_conv": nash_conv,
        }


def to(target: float) -> str:
    """Return the name of the time to a target in an answer."""
    return f"to {target:g}".replace("e-0", "e-")


def check_points(first: int) -> Iterator[int]:
    """Yield iterations that grow geometrically."""
    iterations = first
    while True:
        yield iterations
        iterations = max(iterations + 1, int(iterations * CHECK_GROWTH))
