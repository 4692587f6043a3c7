"""States of whatever solver: a run of them, and two compared bit for bit."""

from typing import Any

import numpy as np

from pokerlab.runs.checkpoint import collect_state_values


def states_of(solver: Any, most: int, count: int = 1) -> list[Any]:
    """Return the start and the `most` states after it, `count` iterations apart; fewer where it converges."""
    states = [solver.init()]
    while len(states) <= most and not getattr(states[-1], "converged", False):
        states.append(solver.step(states[-1], count))
    return states


def assert_identical(state: Any, other: Any) -> None:
    """Check that all arrays and numbers of two states agree to the last bit."""
    ours, theirs = collect_state_values(state), collect_state_values(other)
    assert ours.keys() == theirs.keys()
    for name, value in ours.items():
        assert np.asarray(value).tobytes() == np.asarray(theirs[name]).tobytes(), name
