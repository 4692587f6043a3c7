"""pokerlab's own side of the benchmark: the peers' tasks, and some that only it is asked.

The comparison with LiteEFG's CFR is in simultaneous order, as its CFR is; CFR+ alternates
everywhere.
"""

import resource
import subprocess
import sys
from collections import Counter
from collections.abc import Callable, Mapping
from itertools import cycle, islice
from tempfile import TemporaryDirectory
from time import perf_counter
from typing import Any

from tests.benchmarks.contestant import Task, serve
from tests.benchmarks.rows import TARGETS
from tests.benchmarks.stopwatch import (
    SAME_PATH_ITERATIONS,
    Answer,
    Contender,
    Measure,
    Once,
    PerCall,
    TimeToTarget,
    WayToTargets,
)

# Enough different profiles that none is still at hand from the call before.
NUM_PROFILES = 8
MEMORY_ROUNDS = 150
# ru_maxrss counts bytes on macOS and kilobytes elsewhere.
PEAK_UNIT = 1 if sys.platform == "darwin" else 1024

IMPORT = """
from time import perf_counter
start = perf_counter()
import pokerlab
print(perf_counter() - start)
"""
FIRST_SOLVE = """
from time import perf_counter
import pokerlab as pl
start = perf_counter()
kuhn = pl.games.kuhn(num_players=2)
dynamics = pl.solvers.ReplicatorDynamics(kuhn, payoff_shift=3.0, order="alternating")
pl.metrics.nash_conv(kuhn, dynamics.step(dynamics.init(), 100).average)
print(perf_counter() - start)
"""
WARM = """
from time import perf_counter
start = perf_counter()
from pokerlab import warm
for group in {groups}:
    group()
print(perf_counter() - start)
"""


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


class Running:
    """A solver together with its present state."""

    def __init__(self, game: Any, solver: Any) -> None:
        self.game, self.solver, self.state = game, solver, solver.init()

    def advance(self, count: int) -> None:
        """Make `count` iterations with averaging."""
        self.state = self.solver.step(self.state, count)


def clocked(memory: type) -> type:
    """Return the memory with a clock on two of its phases: payoffs and the linear program."""

    class Clocked(memory):
        def __init__(self, game: Any) -> None:
            super().__init__(game)
            self.spent: Counter[str] = Counter()

        def enlarged(self, state: Any, tests: Any) -> Any:
            start = perf_counter()
            grown = super().enlarged(state, tests)
            self.spent["enlarged"] += perf_counter() - start
            return grown

        def solved(self, state: Any) -> Any:
            start = perf_counter()
            mixed = super().solved(state)
            self.spent["solved"] += perf_counter() - start
            return mixed

    return Clocked


def load() -> tuple[Mapping[str, Task], str]:
    """Import the library; return its tasks and version."""
    import pokerlab as pl
    from tests.benchmarks.holdem_side import TASKS

    def compiled(game: str) -> Any:
        if game.startswith("kp"):
            return pl.games.kuhn(num_players=int(game[2:]))
        if game.startswith("six_"):
            return pl.games.two_round_poker(game.removeprefix("six_"))
        return pl.games.leduc(num_players=3 if game == "leduc3" else 2)

    def per_iteration(solver: Callable[[Any], Any]) -> Task:
        def task(game: str) -> Measure:
            running = Running(compiled(game), solver(compiled(game)))
            ends = float(compiled(game).num_histories_ended)
            return PerCall(running.advance).telling(terminals=ends)

        return task

    def nash_conv(game: str) -> Measure:
        tree = compiled(game)
        running = Running(tree, pl.solvers.CFR(tree, order="simultaneous"))
        profiles = []
        for _ in range(NUM_PROFILES):
            running.advance(SAME_PATH_ITERATIONS)
            profiles.append(running.state.average)

        def measure(count: int) -> None:
            value = pl.metrics.nash_conv
            for profile in islice(cycle(profiles), count):
                value(tree, profile)

        return PerCall(measure).telling(
            uniform=float(pl.metrics.nash_conv(tree, tree.uniform())),
            path=float(pl.metrics.nash_conv(tree, profiles[0])),
        )

    def contender(tree: Any, solver: Callable[[Any], Any], answer: str = "average") -> Contender:
        running = Running(tree, solver(tree))
        return Contender(
            running.advance,
            lambda: float(pl.metrics.nash_conv(tree, getattr(running.state, answer))),
            lambda: int(running.state.iteration),
        )

    def contenders(game: str) -> Mapping[str, Callable[[], Contender]]:
        tree = compiled(game)
        return {
            "CFR+": lambda: contender(tree, pl.solvers.CFRPlus),
            "PCFR+": lambda: contender(tree, pl.solvers.PredictiveCFRPlus),
            "DCFR": lambda: contender(tree, pl.solvers.DiscountedCFR),
        }

    def program(tree: Any) -> Contender:
        left: list[float] = []

        def solve(count: int) -> None:
            left.append(pl.solvers.SequenceFormLP(tree).solve().nash_conv)

        return Contender(solve, lambda: left[-1])

    def way(start: Callable[[Any], Contender]) -> Task:
        def task(game: str) -> Measure:
            tree = compiled(game)
            timed = WayToTargets(TARGETS, lambda: start(tree))
            seen = {"uniform": float(pl.metrics.nash_conv(tree, tree.uniform()))}
            return lambda seconds: timed(seconds) | seen

        return task

    def memory_rounds(game: str) -> Measure:
        solver = clocked(pl.solvers.ParallelNashMemory)(compiled(game))

        def work() -> Answer:
            start = perf_counter()
            solver.spent.clear()
            solver.step(solver.init(), MEMORY_ROUNDS)
            whole = perf_counter() - start
            payoffs, programs = solver.spent["enlarged"] / whole, solver.spent["solved"] / whole
            return {
                "split": f"linear programs {programs:.0%}, payoffs {payoffs:.0%},"
                f" best responses and the rest {1 - programs - payoffs:.0%}"
            }

        return Once(work)

    def linear_program(game: str) -> Measure:
        tree = compiled(game)

        def solve() -> float:
            return float(pl.solvers.SequenceFormLP(tree).solve().value)

        return PerCall.of(solve, value=solve())

    def build(game: str) -> Measure:
        def work() -> Answer:
            ends = float(compiled(game).num_histories_ended)
            peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * PEAK_UNIT
            return {"terminals": ends, "peak_bytes": float(peak)}

        return Once(work)

    def replicator(tree: Any) -> Any:
        # One more than the largest loss, so that all shifted payoffs are positive; 3 in KP(2).
        shift = 1.0 - float(tree.payoff.min())
        return pl.solvers.ReplicatorDynamics(tree, payoff_shift=shift, order="simultaneous")

    warm, warm_holdem = (
        KernelCache(WARM.format(groups=name)) for name in ("warm.GROUPS", "[warm.warm_holdem]")
    )
    tasks: Mapping[str, Task] = {
        **TASKS,
        "cfr": per_iteration(lambda tree: pl.solvers.CFR(tree, order="simultaneous")),
        "cfr_plus": per_iteration(pl.solvers.CFRPlus),
        "sfrd": per_iteration(replicator),
        "nash_conv": nash_conv,
        "to_1e-3": lambda game: TimeToTarget(1e-3, contenders(game)),
        "to_1e-4": lambda game: TimeToTarget(1e-4, contenders(game)),
        "linear_program": linear_program,
        "way_of_linear_program": way(program),
        "way_of_double_oracle": way(
            lambda tree: contender(tree, pl.solvers.DoubleOracle, "profile")
        ),
        "way_of_nash_memory": way(
            lambda tree: contender(tree, pl.solvers.ParallelNashMemory, "profile")
        ),
        "way_of_cfr_plus": way(lambda tree: contender(tree, pl.solvers.CFRPlus)),
        "way_of_fictitious_play": way(lambda tree: contender(tree, pl.solvers.FictitiousPlay)),
        "memory_rounds": memory_rounds,
        "build": build,
        "import": lambda game: fresh_interpreter(IMPORT),
        "first_solve": lambda game: fresh_interpreter(FIRST_SOLVE),
        "first_solve_empty_cache": lambda game: KernelCache(FIRST_SOLVE).compiling,
        "compile_holdem": lambda game: warm_holdem.compiling,
        "compiled_holdem": lambda game: warm_holdem.loading,
        "compile_all": lambda game: warm.compiling,
        "compiled_all": lambda game: warm.loading,
    }
    return tasks, pl.__version__


if __name__ == "__main__":
    serve(load)
