"""A solver's state on disk: plain arrays, checked against the solver that wants to go on from it."""

import math
from pathlib import Path
from typing import Any, NamedTuple

import numpy as np

from pokerlab.core import CheckpointError, FileFormatError, ShapeError
from pokerlab.games.layout import Floats
from pokerlab.runs.history import read_arrays, write_arrays
from pokerlab.runs.leaves import check_leaves, leaves_of, with_leaves
from pokerlab.runs.provenance import parameters_of

FORMAT = "pokerlab checkpoint 2"
STATE = "state."
"""What the names of a state's arrays begin with in the file."""
CONTENTS = {"identity": dict, "names": list, "numbers": dict, "seconds": float}
"""What a file says beside its arrays: the names and their types."""


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
    """
    leaves = leaves_of(state)
    arrays = {STATE + k: v for k, v in leaves.items() if isinstance(v, np.ndarray)}
    about = {
        "format": FORMAT,
        "identity": identity(solver),
        "numbers": {k: v for k, v in leaves.items() if not isinstance(v, np.ndarray)},
        "names": list(names),
        "seconds": float(seconds),
    }
    table = np.array(rows, dtype=np.float64).reshape(len(rows), len(names))
    return write_arrays(Path(path), about, {**arrays, "rows": table})


def load_checkpoint(path: str | Path, solver: Any, names: tuple[str, ...] = ()) -> Checkpoint:
    """Return what `save_checkpoint` wrote.

    Raises
    ------
    CheckpointError
        If the file is damaged, or was written by another solver, game or setting.
    """
    try:
        about, arrays = read_arrays(Path(path), FORMAT)
    except FileFormatError as error:
        raise CheckpointError(str(error)) from error
    for key, kind in CONTENTS.items():
        if not isinstance(about.get(key), kind):
            raise CheckpointError(f"{path} holds no {key}. Delete it to begin again.")
    check_identity(path, about["identity"], identity(solver))
    if about["names"] != list(names):
        raise CheckpointError(
            f"{path} recorded {about['names']}; this run records {list(names)}."
            " Record the same columns, or delete the file to begin again."
        )
    blank = solver.init()
    leaves = {k.removeprefix(STATE): v for k, v in arrays.items() if k.startswith(STATE)}
    leaves |= about["numbers"]
    try:
        check_leaves(leaves, leaves_of(blank), grows=getattr(blank, "GROWS", False))
        for value in leaves.values():
            if isinstance(value, np.ndarray):
                value.setflags(write=False)
        state = with_leaves(blank, leaves)
        rows = checked_rows(arrays.get("rows"), len(names))
        if not 0.0 <= about["seconds"] < math.inf:
            raise CheckpointError(f"it took {about['seconds']} seconds.")
    except (CheckpointError, ShapeError) as error:
        raise CheckpointError(
            f"{path} does not fit this run: {error} Delete it to begin again."
        ) from None
    return Checkpoint(state, rows, about["seconds"])


def check_identity(path: str | Path, given: dict[str, Any], wanted: dict[str, Any]) -> None:
    """Refuse what another solver, game or setting has written."""
    for key, value in wanted.items():
        if given.get(key) != value:
            raise CheckpointError(
                f"{path} was written with {key} {given.get(key)!r}; this run has"
                f" {value!r}. Use the same settings, or delete the file to begin again."
            )


def checked_rows(rows: Any, width: int) -> Floats:
    """Return the rows if they are a table of numbers, `width` to a row."""
    if rows is None:
        raise CheckpointError("there are no rows.")
    if rows.dtype != np.float64 or rows.ndim != 2 or rows.shape[1] != width:
        raise CheckpointError(
            f"the rows are {rows.dtype} of shape {rows.shape}; they must be float64, {width} to a"
            " row."
        )
    return np.asarray(rows, dtype=np.float64)
