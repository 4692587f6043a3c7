"""How long solvers take per iteration, relative to each other."""

import time
from collections.abc import Mapping
from typing import Any

ROUNDS = 5
ROUND_SECONDS = 0.03
"""Seconds of a solver's turn: long for the clock's resolution, short for changes of the machine's load."""


def relative_costs(solvers: Mapping[str, Any]) -> dict[str, float]:
    """Return how long an iteration of each solver takes, in iterations of the first one.

    The solvers take turns, so that other load on the machine affects all of them alike; the best
    turn of each counts.
    """
    best: dict[str, float] = {}
    counts = {name: turn_length(solver) for name, solver in solvers.items()}
    for _ in range(ROUNDS):
        for name, solver in solvers.items():
            seconds = seconds_for(solver, counts[name]) / counts[name]
            best[name] = min(seconds, best.get(name, seconds))
    first = next(iter(best.values()))
    return {name: seconds / first for name, seconds in best.items()}


def turn_length(solver: Any) -> int:
    """Return how many iterations fill a turn; the first one, which may compile, is not counted."""
    seconds_for(solver, 1)
    count = 1
    while seconds_for(solver, count) < ROUND_SECONDS / 2:
        count *= 2
    return count


def seconds_for(solver: Any, count: int) -> float:
    """Return the seconds that `count` iterations take."""
    state = solver.init()
    begin = time.perf_counter()
    solver.step(state, count)
    return time.perf_counter() - begin
