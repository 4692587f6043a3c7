"""LiteEFG: update rules on a C++ tree. Its CFR is simultaneous, its CFR+ alternates.

An iteration is what its own training loop does: the baseline's `update_graph`, then
`update_strategy`, which averages. NashConv is the sum of `exploitability`, of the averaged
realization plan that the environment keeps.
"""

import os
from collections.abc import Mapping
from importlib.metadata import version
from tempfile import TemporaryDirectory
from typing import Any

import LiteEFG
import pyspiel
from LiteEFG.baselines import CFR, DCFR, PCFR, CFRplus

from benchmarks import stopwatch
from benchmarks.contestant import Task
from benchmarks.rows import OPENSPIEL_NAME, TARGETS

VERSION = version("LiteEFG")
UNIFORM, LINEAR, NONE = "avg-iterate", "linear-avg-iterate", "default"
BASELINES = {
    "CFR": (CFR, UNIFORM, ""),
    "CFR+": (CFRplus, LINEAR, ""),
    "PCFR+": (PCFR, LINEAR, ""),
    "DCFR": (DCFR, NONE, "average-iterate"),
}
HOME = TemporaryDirectory()
# LiteEFG keeps the trees it generates in the home folder: give it one that is thrown away.
os.environ["HOME"] = HOME.name
LiteEFG.set_threads(1)


class Dynamics:
    """A baseline on a game."""

    def __init__(self, game: str, name: str) -> None:
        baseline, self.averaging, answer = BASELINES[name]
        self.graph, self.environment = baseline.graph(), environment(game)
        self.environment.set_graph(self.graph)
        self.strategy = self.graph.current_strategy()
        self.answer = self.graph.current_strategy(answer) if answer else self.strategy
        self.advance = stopwatch.times(self.iterate)

    def iterate(self) -> None:
        self.graph.update_graph(self.environment)
        self.environment.update_strategy(self.strategy)

    def nash_conv(self) -> float:
        return float(sum(self.environment.exploitability(self.answer, self.averaging)))


def environment(game: str, *, regenerate: bool = False) -> Any:
    """Read the tree that LiteEFG writes for a game of OpenSpiel."""
    return LiteEFG.OpenSpielEnv(pyspiel.load_game(OPENSPIEL_NAME[game]), regenerate=regenerate)


def contender(game: str, name: str) -> stopwatch.Contender:
    dynamics = Dynamics(game, name)
    return stopwatch.Contender(dynamics.advance, dynamics.nash_conv)


def to_target(nash_conv: float) -> Task:
    names = [name for name in BASELINES if name != "CFR"]
    return lambda game: stopwatch.to_targets(
        [nash_conv], {name: lambda name=name: contender(game, name) for name in names}
    )


def way_of_cfr_plus(game: str) -> stopwatch.Measure:
    start = Dynamics(game, "CFR")
    start.environment.update_strategy(start.strategy)
    ways = {"CFR+": lambda: contender(game, "CFR+")}
    return stopwatch.to_targets(TARGETS, ways, uniform=start.nash_conv())


def nash_conv(game: str) -> stopwatch.Measure:
    dynamics = Dynamics(game, "CFR")
    dynamics.environment.update_strategy(dynamics.strategy)
    uniform = dynamics.nash_conv()
    # Averaging comes last here, so that the uniform start counts and the last update not.
    dynamics.advance(stopwatch.SAME_PATH_ITERATIONS - 1)
    return stopwatch.per_call(dynamics.nash_conv, uniform=uniform, path=dynamics.nash_conv())


TASKS: Mapping[str, Task] = {
    "cfr": lambda game: stopwatch.per_count(Dynamics(game, "CFR").advance),
    "cfr_plus": lambda game: stopwatch.per_count(Dynamics(game, "CFR+").advance),
    "nash_conv": nash_conv,
    "to_1e-3": to_target(1e-3),
    "to_1e-4": to_target(1e-4),
    "way_of_cfr_plus": way_of_cfr_plus,
    "build": lambda game: stopwatch.once_with_memory(
        lambda: environment(game, regenerate=True).set_graph(CFR.graph())
    ),
}
