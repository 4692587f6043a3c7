"""A solver's state on disk: plain arrays, checked against the solver that wants to go on from it."""

import dataclasses
from pathlib import Path
from typing import Any

import numpy as np

from pokerlab.core import CheckpointError, FileFormatError
from pokerlab.games.layout import Floats
from pokerlab.runs.history import read_arrays, write_arrays
from pokerlab.runs.provenance import parameters_of

FORMAT = "pokerlab checkpoint 1"


def identity(solver: Any) -> dict[str, Any]:
    """Return what must agree for a state to be continued."""
    return {
        "solver": type(solver).__name__,
        "game": solver.game.name,
        "fingerprint": solver.game.fingerprint,
        "parameters": parameters_of(solver),
    }


def save_checkpoint(
    path: str | Path, solver: Any, state: Any, names: tuple[str, ...] = (), rows: Any = ()
) -> Path:
    """Write `state` of `solver`, and the rows recorded so far, whole or not at all."""
    fields = {f.name: getattr(state, f.name) for f in dataclasses.fields(state) if f.name != "game"}
    arrays = {f"state.{k}": v for k, v in fields.items() if isinstance(v, np.ndarray)}
    about = {
        "format": FORMAT,
        "identity": identity(solver),
        "numbers": {k: v for k, v in fields.items() if not isinstance(v, np.ndarray)},
        "names": list(names),
    }
    table = np.array(rows, dtype=np.float64).reshape(len(rows), len(names))
    return write_arrays(Path(path), about, {**arrays, "rows": table})


def load_checkpoint(
    path: str | Path, solver: Any, names: tuple[str, ...] = ()
) -> tuple[Any, Floats]:
    """Return the state on disk and the rows recorded with it.

    Raises
    ------
    CheckpointError
        If the file is damaged, or was written by another solver, game or setting.
    """
    try:
        about, arrays = read_arrays(Path(path), FORMAT)
    except FileFormatError as error:
        raise CheckpointError(str(error)) from error
    wanted = identity(solver)
    for key, value in wanted.items():
        if about["identity"].get(key) != value:
            raise CheckpointError(
                f"{path} was written with {key} {about['identity'].get(key)!r}; this run has"
                f" {value!r}. Use the same settings, or delete the file to begin again."
            )
    if about["names"] != list(names):
        raise CheckpointError(
            f"{path} recorded {about['names']}; this run records {list(names)}."
            " Record the same columns, or delete the file to begin again."
        )
    blank = solver.init()
    fields = {k.removeprefix("state."): v for k, v in arrays.items() if k.startswith("state.")}
    for name, value in fields.items():
        expected = getattr(blank, name, None)
        if not isinstance(expected, np.ndarray) or expected.shape != value.shape:
            raise CheckpointError(f"{path} holds a state that does not fit: '{name}'. Delete it.")
        value.setflags(write=False)
    return dataclasses.replace(blank, **fields, **about["numbers"]), arrays["rows"]
