"""LiteEFG: update rules on a C++ tree. Its CFR is simultaneous, its CFR+ alternates.

An iteration is what its own training loop does: the baseline's `update_graph`, then
`update_strategy`, which averages. NashConv is the sum of `exploitability`, of the averaged
realization plan that the environment keeps.
"""

import os
import tempfile
from collections.abc import Callable, Mapping
from importlib.metadata import version
from itertools import repeat
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

OPENSPIEL_NAME = {
    "kp2": "kuhn_poker(players=2)",
    "kp3": "kuhn_poker(players=3)",
    "kp4": "kuhn_poker(players=4)",
    "kp5": "kuhn_poker(players=5)",
    "leduc": "leduc_poker(players=2)",
    "leduc3": "leduc_poker(players=3)",
}
UNIFORM, LINEAR, NONE = "avg-iterate", "linear-avg-iterate", "default"


class Dynamics:
    """A baseline on a game."""

    def __init__(self, game: str, graph: Any, averaging: str, answer: str = "") -> None:
        self.environment, self.graph, self.averaging = environment(game), graph, averaging
        self.environment.set_graph(graph)
        self.strategy = graph.current_strategy()
        self.answer = graph.current_strategy(answer) if answer else self.strategy

    def advance(self, count: int) -> None:
        """Make `count` iterations with averaging."""
        environment, strategy = self.environment, self.strategy
        update, average = self.graph.update_graph, environment.update_strategy
        for _ in repeat(None, count):
            update(environment)
            average(strategy)

    def nash_conv(self) -> float:
        """Return NashConv of the average."""
        return float(sum(self.environment.exploitability(self.answer, self.averaging)))


def environment(game: str, *, regenerate: bool = False) -> Any:
    """Read the tree that LiteEFG writes for a game of OpenSpiel."""
    import LiteEFG
    import pyspiel

    return LiteEFG.OpenSpielEnv(pyspiel.load_game(OPENSPIEL_NAME[game]), regenerate=regenerate)


def load() -> tuple[Mapping[str, Task], str]:
    """Import the library; return its tasks and version."""
    import LiteEFG
    from LiteEFG.baselines import CFR, DCFR, PCFR, CFRplus

    LiteEFG.set_threads(1)

    def cfr(game: str) -> Dynamics:
        return Dynamics(game, CFR.graph(), UNIFORM)

    def cfr_plus(game: str) -> Dynamics:
        return Dynamics(game, CFRplus.graph(), LINEAR)

    def contenders(game: str) -> Mapping[str, Callable[[], Contender]]:
        def contender(make: Callable[[], Dynamics]) -> Callable[[], Contender]:
            def start() -> Contender:
                dynamics = make()
                return Contender(dynamics.advance, dynamics.nash_conv)

            return start

        return {
            "CFR+": contender(lambda: cfr_plus(game)),
            "PCFR+": contender(lambda: Dynamics(game, PCFR.graph(), LINEAR)),
            "DCFR": contender(lambda: Dynamics(game, DCFR.graph(), NONE, "average-iterate")),
        }

    def way_of_cfr_plus(game: str) -> Measure:
        timed = WayToTargets(TARGETS, contenders(game)["CFR+"], "CFR+")
        start = cfr(game)
        start.environment.update_strategy(start.strategy)
        seen = {"uniform": start.nash_conv()}
        return lambda seconds: timed(seconds) | seen

    def nash_conv(game: str) -> Measure:
        dynamics = cfr(game)
        dynamics.environment.update_strategy(dynamics.strategy)
        uniform = dynamics.nash_conv()
        for _ in range(1, SAME_PATH_ITERATIONS):
            # Averaging comes last here, so that the uniform start counts and the last update not.
            dynamics.advance(1)
        path = dynamics.nash_conv()
        return PerCall.of(dynamics.nash_conv, uniform=uniform, path=path)

    def build(game: str) -> Measure:
        def work() -> Answer:
            environment(game, regenerate=True).set_graph(CFR.graph())
            return {}

        return Once(work)

    tasks: Mapping[str, Task] = {
        "cfr": lambda game: PerCall(cfr(game).advance),
        "cfr_plus": lambda game: PerCall(cfr_plus(game).advance),
        "nash_conv": nash_conv,
        "to_1e-3": lambda game: TimeToTarget(1e-3, contenders(game)),
        "to_1e-4": lambda game: TimeToTarget(1e-4, contenders(game)),
        "way_of_cfr_plus": way_of_cfr_plus,
        "build": build,
    }
    return tasks, version("LiteEFG")


if __name__ == "__main__":
    # LiteEFG keeps the trees it generates in the home folder: give it one that is thrown away.
    with tempfile.TemporaryDirectory() as home:
        os.environ["HOME"] = home
        serve(load)
