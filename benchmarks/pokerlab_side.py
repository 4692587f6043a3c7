"""pokerlab's own side of the benchmark: the peers' tasks, and some that only it is asked.

The comparison with LiteEFG's CFR is in simultaneous order, as its CFR is; CFR+ alternates
everywhere.
"""

import resource
import subprocess
import sys
from collections.abc import Callable, Mapping
from itertools import cycle, islice
from tempfile import TemporaryDirectory
from typing import Any

import pokerlab as pl
from benchmarks import contest_side, holdem_side, stopwatch
from benchmarks.contestant import Task
from benchmarks.rows import TARGETS

VERSION = pl.__version__
# Enough different profiles that none is still at hand from the call before.
NUM_PROFILES = 8
MEMORY_ROUNDS = 150
COMPILED = TemporaryDirectory()
"""A cache of compiled kernels apart from the user's, thrown away at the end."""
# ru_maxrss counts bytes on macOS and kilobytes elsewhere.
PEAK_UNIT = 1 if sys.platform == "darwin" else 1024

CLOCKED = """
from time import process_time
{before}
start = process_time()
{timed}
print(process_time() - start)
"""
IMPORT = CLOCKED.format(before="", timed="import pokerlab")
FIRST_SOLVE = CLOCKED.format(
    before="import pokerlab as pl",
    timed="""
kuhn = pl.games.kuhn(num_players=2)
dynamics = pl.solvers.ReplicatorDynamics(kuhn, payoff_shift=3.0, order="alternating")
pl.metrics.nash_conv(kuhn, dynamics.step(dynamics.init(), 100).average)
""",
)
WARM, WARM_HOLDEM = (
    CLOCKED.format(before="", timed=f"from pokerlab import warm\nfor each in {groups}: each()")
    for groups in ("warm.GROUPS", "[warm.warm_holdem]")
)


def fresh_interpreter(code: str, cache: str = "") -> stopwatch.Measure:
    """Return the measure of running `code`, which prints its seconds, in a new interpreter.

    Kernels come from the user's cache, or from the folder `cache`.
    """

    def measure(seconds: float) -> stopwatch.Answer:
        variables = ["env", f"POKERLAB_CACHE={cache}"] if cache else []
        printed = subprocess.check_output([*variables, sys.executable, "-c", code], text=True)
        return {"seconds": float(printed)}

    return measure


def compiling(code: str) -> stopwatch.Measure:
    def measure(seconds: float) -> stopwatch.Answer:
        with TemporaryDirectory() as cache:
            return fresh_interpreter(code, cache)(seconds)

    return measure


def loading(code: str) -> stopwatch.Measure:
    fresh_interpreter(code, COMPILED.name)(0.0)
    return fresh_interpreter(code, COMPILED.name)


class Running:
    """A solver together with its present state."""

    def __init__(self, solver: Any) -> None:
        self.solver, self.state = solver, solver.init()

    def advance(self, count: int) -> None:
        """Make `count` iterations with averaging."""
        self.state = self.solver.step(self.state, count)


def compiled(game: str) -> Any:
    if game.startswith("kp"):
        return pl.games.kuhn(num_players=int(game[2:]))
    if game.startswith("one_card_"):
        return pl.games.one_card_poker(int(game.removeprefix("one_card_")))
    if game.startswith("six_"):
        return pl.games.two_round_poker(game.removeprefix("six_"))
    return pl.games.leduc(num_players=3 if game == "leduc3" else 2)


def per_iteration(solver: Callable[[Any], Any]) -> Task:

    def task(game: str) -> stopwatch.Measure:
        tree = compiled(game)
        return stopwatch.per_count(
            Running(solver(tree)).advance, terminals=float(tree.num_histories_ended)
        )

    return task


def nash_conv(game: str) -> stopwatch.Measure:
    tree = compiled(game)
    running = Running(simultaneous_cfr(tree))
    profiles = []
    for _ in range(NUM_PROFILES):
        running.advance(stopwatch.SAME_PATH_ITERATIONS)
        profiles.append(running.state.average)

    def measure(count: int) -> None:
        value = pl.metrics.nash_conv
        for profile in islice(cycle(profiles), count):
            value(tree, profile)

    path = float(pl.metrics.nash_conv(tree, profiles[0]))
    return stopwatch.per_count(measure, uniform=uniform(tree), path=path)


def uniform(tree: Any) -> float:
    return float(pl.metrics.nash_conv(tree, tree.uniform()))


def contender(solver: Any, answer: str = "average") -> stopwatch.Contender:
    running = Running(solver)
    return stopwatch.Contender(
        running.advance,
        lambda: float(pl.metrics.nash_conv(solver.game, getattr(running.state, answer))),
        lambda: float(running.state.iteration),
    )


def target(nash_conv: float) -> Task:
    solvers = {
        "CFR+": pl.solvers.CFRPlus,
        "PCFR+": pl.solvers.PredictiveCFRPlus,
        "DCFR": pl.solvers.DiscountedCFR,
    }

    def task(game: str) -> stopwatch.Measure:
        tree = compiled(game)
        starts = {name: lambda of=of: contender(of(tree)) for name, of in solvers.items()}
        return stopwatch.to_targets([nash_conv], starts)

    return task


def way(name: str, start: Callable[[Any], stopwatch.Contender]) -> Task:

    def task(game: str) -> stopwatch.Measure:
        tree = compiled(game)
        return stopwatch.to_targets(TARGETS, {name: lambda: start(tree)}, uniform=uniform(tree))

    return task


def program(tree: Any) -> stopwatch.Contender:
    left: list[float] = []

    def solve(count: int) -> None:
        left.append(pl.solvers.SequenceFormLP(tree).solve().nash_conv)

    return stopwatch.Contender(solve, lambda: left[-1])


def memory_rounds(game: str) -> stopwatch.Measure:

    def work() -> None:
        memory = pl.solvers.ParallelNashMemory(compiled(game))
        memory.step(memory.init(), MEMORY_ROUNDS)

    return stopwatch.once(work)


def linear_program(game: str) -> stopwatch.Measure:
    tree = compiled(game)

    def solve() -> float:
        return float(pl.solvers.SequenceFormLP(tree).solve().value)

    return stopwatch.per_call(solve, value=solve())


def build(game: str) -> stopwatch.Measure:

    def measure(seconds: float) -> stopwatch.Answer:
        answer = stopwatch.once(lambda: compiled(game))(seconds)
        peak = resource.getrusage(resource.RUSAGE_SELF).ru_maxrss * PEAK_UNIT
        return answer | {"peak_bytes": float(peak)}

    return measure


def simultaneous_cfr(tree: Any) -> Any:
    return pl.solvers.CFR(tree, order="simultaneous")


def replicator(tree: Any) -> Any:
    """Return replicators; the shift is one more than the largest loss, 3 in KP(2)."""
    shift = 1.0 - tree.lowest_payoff
    return pl.solvers.ReplicatorDynamics(tree, payoff_shift=shift, order="simultaneous")


TASKS: Mapping[str, Task] = {
    **holdem_side.TASKS,
    **contest_side.TASKS,
    "cfr": per_iteration(simultaneous_cfr),
    "cfr_plus": per_iteration(pl.solvers.CFRPlus),
    "sfrd": per_iteration(replicator),
    "nash_conv": nash_conv,
    "to_1e-3": target(1e-3),
    "to_1e-4": target(1e-4),
    "linear_program": linear_program,
    "way_of_linear_program": way("linear program", program),
    "way_of_double_oracle": way(
        "double oracle", lambda tree: contender(pl.solvers.DoubleOracle(tree), "profile")
    ),
    "way_of_nash_memory": way(
        "parallel Nash memory",
        lambda tree: contender(pl.solvers.ParallelNashMemory(tree), "profile"),
    ),
    "way_of_cfr_plus": way("CFR+", lambda tree: contender(pl.solvers.CFRPlus(tree))),
    "way_of_fictitious_play": way(
        "fictitious play",
        lambda tree: contender(pl.solvers.FictitiousPlay(tree, order="simultaneous")),
    ),
    "memory_rounds": memory_rounds,
    "build": build,
    "import": lambda game: fresh_interpreter(IMPORT),
    "first_solve": lambda game: fresh_interpreter(FIRST_SOLVE),
    "first_solve_empty_cache": lambda game: compiling(FIRST_SOLVE),
    "compile_holdem": lambda game: compiling(WARM_HOLDEM),
    "compiled_holdem": lambda game: loading(WARM_HOLDEM),
    "compile_all": lambda game: compiling(WARM),
    "compiled_all": lambda game: loading(WARM),
}
