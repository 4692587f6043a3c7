"""Two states of whatever solver, compared bit for bit."""

from typing import Any

import numpy as np

from pokerlab.runs.checkpoint import leaves_of


def assert_identical(state: Any, other: Any) -> None:
    """Check that all arrays and numbers of two states agree to the last bit."""
    ours, theirs = leaves_of(state), leaves_of(other)
    assert ours.keys() == theirs.keys()
    for name, value in ours.items():
        if isinstance(value, np.ndarray):
            assert value.tobytes() == theirs[name].tobytes(), name
        else:
            assert value == theirs[name], name
