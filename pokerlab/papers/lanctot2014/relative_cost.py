"""How long solvers take per iteration, relative to each other."""

import time
from collections.abc import Mapping
from typing import Any

ROUNDS = 5
ROUND_SECONDS = 0.03
"""Length of one solver's turn: long beside the clock's grain, short beside a machine's moods."""


def relative_costs(solvers: Mapping[str, Any]) -> dict[str, float]:
    """Return how long an iteration of each solver takes, in iterations of the first one.

    The solvers take turns, so that whatever else the machine does meets all of them alike, and of
    each the best turn counts.
    """
    best: dict[str, float] = {}
    counts = {name: turn_length(solver) for name, solver in solvers.items()}
    for _ in range(ROUNDS):
        for name, solver in solvers.items():
            seconds = timed(solver, counts[name]) / counts[name]
            best[name] = min(seconds, best.get(name, seconds))
    first = next(iter(best.values()))
    return {name: seconds / first for name, seconds in best.items()}


def turn_length(solver: Any) -> int:
    """Return how many iterations fill a turn; the first one, which may compile, is not counted."""
    timed(solver, 1)
    count = 1
    while timed(solver, count) < ROUND_SECONDS / 2:
        count *= 2
    return count


def timed(solver: Any, count: int) -> float:
    """Return the seconds that `count` iterations take."""
    state = solver.init()
    begin = time.perf_counter()
    solver.step(state, count)
    return time.perf_counter() - begin
