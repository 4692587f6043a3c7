"""OpenSpiel: its solvers in C++ (alternating), and its sequence-form linear program in Python.

`exploitability` divides NashConv by the number of players there, so that `nash_conv` is what is
measured.
"""

from collections.abc import Callable, Mapping
from importlib.metadata import version
from itertools import repeat
from typing import Any

from tests.benchmarks.contestant import Task, serve
from tests.benchmarks.peers.openspiel_hands import hands, player_tasks
from tests.benchmarks.peers.openspiel_ways import WAYS, rules
from tests.benchmarks.stopwatch import Answer, Contender, Measure, Once, PerCall, TimeToTarget


def load() -> tuple[Mapping[str, Task], str]:
    """Import the library; return its tasks and version."""
    import pyspiel

    def advance(solver: Any) -> Callable[[int], None]:
        def iterate(count: int) -> None:
            step = solver.evaluate_and_update_policy
            for _ in repeat(None, count):
                step()

        return iterate

    def cfr_plus(game: str) -> Callable[[], Contender]:
        def start() -> Contender:
            tree = rules(game)
            solver = pyspiel.CFRPlusSolver(tree)
            return Contender(
                advance(solver),
                lambda: pyspiel.nash_conv(tree, solver.tabular_average_policy()),
            )

        return start

    def nash_conv(game: str) -> Measure:
        tree = rules(game)
        uniform = pyspiel.nash_conv(tree, pyspiel.UniformRandomPolicy(tree))
        solver = pyspiel.CFRSolver(tree)
        advance(solver)(20)
        average = solver.tabular_average_policy()
        return PerCall.of(lambda: pyspiel.nash_conv(tree, average), uniform=uniform)

    def linear_program(game: str) -> Measure:
        from open_spiel.python.algorithms.sequence_form_lp import solve_zero_sum_game

        def solve() -> float:
            return float(solve_zero_sum_game(rules(game))[0])

        return PerCall.of(solve, value=solve())

    def build(game: str) -> Measure:
        def work() -> Answer:
            pyspiel.CFRSolver(rules(game))
            return {}

        return Once(work)

    tasks: Mapping[str, Task] = {
        **WAYS,
        "hands": hands,
        **player_tasks(),
        "cfr": lambda game: PerCall(advance(pyspiel.CFRSolver(rules(game)))),
        "cfr_plus": lambda game: PerCall(advance(pyspiel.CFRPlusSolver(rules(game)))),
        "nash_conv": nash_conv,
        "to_1e-3": lambda game: TimeToTarget(1e-3, {"CFR+": cfr_plus(game)}),
        "to_1e-4": lambda game: TimeToTarget(1e-4, {"CFR+": cfr_plus(game)}),
        "linear_program": linear_program,
        "build": build,
    }
    return tasks, version("open_spiel")


if __name__ == "__main__":
    serve(load)
