"""A solver's state on disk: plain arrays, checked against the solver that resumes from it."""

import math
from pathlib import Path
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from pokerlab.core import CheckpointError, FileFormatError, PokerlabError
from pokerlab.core.arrays import Floats, freeze
from pokerlab.runs.kept import Kept, check_identity
from pokerlab.runs.leaves import check_leaves, leaves_of, with_leaves
from pokerlab.runs.provenance import parameters_of

FORMAT = "pokerlab checkpoint 2"
STATE = "state."
"""What the names of a state's arrays begin with in the file."""
FIRST_STATES: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()
"""The first state of each solver, made once: others must look like it."""


class Checkpoint(NamedTuple):
    """What a checkpoint holds.

    Attributes
    ----------
    state
        Where the solver stood.
    rows : ndarray of shape (rows, columns)
        What had been recorded.
    seconds : float
        How long the solver had been computing.
    """

    state: Any
    rows: Floats
    seconds: float


def identity(solver: Any) -> dict[str, Any]:
    """Return what must agree for a state to be continued."""
    return {
        "solver": type(solver).__name__,
        "game": solver.game.name,
        "fingerprint": solver.game.fingerprint,
        "parameters": parameters_of(solver),
    }


def save_checkpoint(
    path: str | Path,
    solver: Any,
    state: Any,
    names: tuple[str, ...] = (),
    rows: Any = (),
    seconds: float = 0.0,
) -> Path:
    """Write `state` of `solver`, the rows recorded so far and the time spent, whole or not at all.

    Raises
    ------
    SettingError
        If the state holds something other than arrays and numbers.
    CheckpointError
        If this is not a state of the solver, or the rows are not those of a run up to it.
    StorageError
        If the file cannot be written; one that was there stays as it was.
    """
    leaves = leaves_of(state)
    table = np.array(rows, np.float64).reshape(len(rows), len(names))
    checked(solver, leaves, names, table)
    arrays = {STATE + k: v for k, v in leaves.items() if isinstance(v, np.ndarray)}
    about = {
        "format": FORMAT,
        "identity": identity(solver),
        "numbers": {k: v for k, v in leaves.items() if not isinstance(v, np.ndarray)},
        "names": list(names),
        "seconds": float(seconds),
    }
    return Kept(about, {**arrays, "rows": table}).save(path)


def load_checkpoint(path: str | Path, solver: Any, names: tuple[str, ...] = ()) -> Checkpoint:
    """Return what `save_checkpoint` wrote.

    Raises
    ------
    CheckpointError
        If the file is damaged, or was written by another solver, game or setting.
    """
    try:
        kept = Kept.load(path, FORMAT, identity=dict, names=list, numbers=dict, seconds=float)
    except FileFormatError as error:
        raise CheckpointError(str(error)) from error
    about, leaves = kept.about, kept.part(STATE)
    check_identity(path, about["identity"], identity(solver))
    if about["names"] != list(names):
        raise CheckpointError(
            f"{path} recorded {about['names']}; this run records {list(names)}."
            " Record the same columns, or delete the file to begin again."
        )
    leaves |= about["numbers"]
    try:
        state, rows = checked(solver, leaves, names, kept.arrays.get("rows"))
        if not 0.0 <= about["seconds"] < math.inf:
            raise CheckpointError(f"it took {about['seconds']} seconds.")
    except PokerlabError as error:
        raise CheckpointError(
            f"{path} does not fit this run: {error} Delete it to begin again."
        ) from None
    return Checkpoint(state, rows, about["seconds"])


def checked(
    solver: Any, leaves: dict[str, Any], names: tuple[str, ...], rows: Any
) -> tuple[Any, Floats]:
    """Return the state with these leaves, and the rows, if they can be those of a run of `solver`."""
    if solver not in FIRST_STATES:
        FIRST_STATES[solver] = solver.init()
    blank = FIRST_STATES[solver]
    check_leaves(leaves, leaves_of(blank), grows=getattr(blank, "GROWS", ()))
    freeze(*leaves.values())
    state = with_leaves(blank, leaves)
    return state, checked_rows(rows, names, getattr(state, "iteration", math.inf))


def checked_rows(rows: Any, names: tuple[str, ...], iteration: float) -> Floats:
    """Return the rows if they are a table of numbers, recorded one after the other."""
    if rows is None:
        raise CheckpointError("there are no rows.")
    if rows.dtype != np.float64 or rows.ndim != 2 or rows.shape[1] != len(names):
        raise CheckpointError(
            f"the rows are {rows.dtype} of shape {rows.shape}; they must be float64, {len(names)}"
            " to a row."
        )
    if "iteration" in names:
        when = rows[:, names.index("iteration")]
        whole = np.isfinite(when) & (when == np.floor(when))
        if not whole.all() or (np.diff(when, prepend=-1.0) <= 0).any() or (when > iteration).any():
            raise CheckpointError(
                f"the rows were recorded at iterations {when.tolist()}; they must rise from 0 at"
                f" the earliest to {iteration} at the latest."
            )
    return np.asarray(rows, dtype=np.float64)
