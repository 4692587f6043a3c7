"""Numbers of a memory by round, from a run's history or from a list of states."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np

from pokerlab.core import SettingError
from pokerlab.core.arrays import Floats
from pokerlab.runs import History

SHRINKING = ("nash_conv", "exploitability", "epsilon", "gain")
"""Columns whose names begin so fall towards zero, and are shown on a log scale."""
FLOOR = 1e-12
"""What lies below it on a log scale is rounding, and is drawn there."""
PROPERTIES = {
    "worst_case": "worst_cases",
    "gain": "gains",
    "pool": "pool_sizes",
    "support": "support_sizes",
}
"""Where states hold what a column such as 'pool_1' has."""
ALONE = {"pool": "pool_size", "support": "support_size"}
"""Where a symmetric memory's states hold what a column without a player has."""


def measured(source: History | Iterable[Any], names: Sequence[str]) -> Mapping[str, Floats]:
    """Return the columns 'iteration' and `names`, as far as there are any.

    Parameters
    ----------
    source : History or iterable of states
        A run's history with columns such as 'worst_case_1', 'support_2' and 'value'; or the states of
        a memory themselves, in the order of their rounds.
    names : sequence of str
        Which columns.
    """
    if isinstance(source, History):
        return {name: source[name] for name in ("iteration", *names) if name in source.columns}
    states = list(source)
    if not states:
        raise SettingError("no states to draw; give a history, or a list of at least one state.")
    columns = {name: [measure(state, name) for state in states] for name in ("iteration", *names)}
    return {name: np.array(c) for name, c in columns.items() if not np.isnan(c).any()}


def measure(state: Any, name: str) -> float:
    """Return one column's number at `state`; NaN if the state has no such property."""
    if name == "worst_case_sum":
        return measure(state, "worst_case_1") + measure(state, "worst_case_2")
    what, _, player = name.rpartition("_")
    if not player.isdigit():
        return float(getattr(state, ALONE.get(name, name), np.nan))
    each = getattr(state, PROPERTIES[what], ())
    return float(each[int(player) - 1]) if int(player) <= len(each) else np.nan


def is_shrinking(name: str) -> bool:
    """Return whether a column is shown on a log scale."""
    return name.startswith(SHRINKING)
