"""Runs that take too long for every reading of a notebook: recorded once, and made again on demand."""

import json
from collections.abc import Callable, Collection, Mapping
from pathlib import Path
from typing import Any

from pokerlab.core import CheckpointError
from pokerlab.core.files import DATA, is_installed
from pokerlab.runs import History, Run
from pokerlab.runs.kept import check_identity

RUNS = DATA / "runs"
UNFINISHED = "unfinished"
"""Its folder for what goes on where it was stopped; git ignores it."""
WHAT_DECIDES = ("solver", "parameters", "game", "game_fingerprint", "settings")
"""The entries of a provenance that decide the numbers."""


def kept_history(
    name: str,
    make: Callable[[], History],
    about: Mapping[str, Any],
    columns: Collection[str] | None = None,
    *,
    folder: str | Path = RUNS,
) -> History:
    """Return the history that is kept in `data/runs` under a name; if there is none, make and keep it.

    An installed pokerlab keeps nothing there: give another folder, or work in a clone of the repository.

    `name` has no ending; `about` are entries of the provenance that decide the numbers, `columns` the names of columns.
    """
    path = Path(folder) / f"{name}.npz"
    if not path.exists() and not is_installed(path):
        make().save(path)
    history = History.load(path)
    check_identity(path, history.provenance, json.loads(json.dumps(dict(about))))
    if columns is not None and list(history.columns) != list(columns):
        raise CheckpointError(
            f"{path.name} recorded {list(history.columns)}; asked for is {list(columns)}."
            " Delete the file to run again."
        )
    if not len(history):
        raise CheckpointError(f"{path.name} has no rows. Delete the file to run again.")
    return history


def recorded(name: str, run: Run, until: int, *, folder: str | Path = RUNS) -> History:
    """Return what `run`, not yet begun, records up to iteration `until`, as `kept_history` does."""
    # A Config's settings decide the solver, which may have had another name when the file was written.
    decisive = WHAT_DECIDES[2:] if run.provenance["settings"] else WHAT_DECIDES
    about = {key: run.provenance[key] for key in decisive}
    history = kept_history(name, lambda: run.to(until).history, about, run.names, folder=folder)
    if history["iteration"][-1] != until:
        raise CheckpointError(
            f"{name}.npz ends at iteration {history['iteration'][-1]:g}; asked for is {until}."
            " Delete the file to run again."
        )
    return history
