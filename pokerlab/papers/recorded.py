"""Runs that take too long for every reading of a notebook: recorded once, and made again on demand."""

import json
import time
from collections.abc import Callable, Collection, Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any

from pokerlab.core import CheckpointError
from pokerlab.core.files import DATA, is_installed
from pokerlab.runs import History, Run
from pokerlab.runs.kept import check_identity
from pokerlab.runs.provenance import made_with, plain_values

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

    Parameters
    ----------
    name : str
        The file's name, without its ending.
    make : Callable
        Returns the history.
    about : mapping
        Entries of its provenance that decide the numbers.
    columns : collection of str, optional
        The names of its columns.
    folder : path
        Where recorded runs are kept.

    Raises
    ------
    CheckpointError
        If the file was recorded with other settings or columns.
    FileFormatError
        If it is damaged, or an installed pokerlab lacks it.
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
    """Return what `run`, not yet begun, records up to iteration `until`, as `kept_history` does.

    Raises
    ------
    CheckpointError
        If the file was recorded with another solver, game, setting or columns, or ends elsewhere.
    FileFormatError
        If it is damaged.
    """
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


@dataclass(frozen=True)
class Recording:
    """A table that takes minutes to measure.

    Attributes
    ----------
    name : str
        The file's name, without its ending.
    columns : dict
        Names and units of the columns.
    settings : dict
        What decides the numbers.
    measure : Callable
        From the settings to the rows.
    """

    name: str
    columns: dict[str, str]
    settings: dict[str, Any]
    measure: Callable[..., list[Sequence[float]]]

    def history(self, folder: str | Path = RUNS) -> History:
        """Return the table, as `kept_history` does."""
        about = {"settings": plain_values(self.settings)}
        return kept_history(self.name, self.measured, about, self.columns, folder=folder)

    def measured(self) -> History:
        """Return the table, measured now."""
        begin = time.process_time()
        rows = self.measure(**self.settings)
        seconds = round(time.process_time() - begin, 1)
        about = {"settings": plain_values(self.settings), "seconds": seconds, **made_with()}
        return History.from_rows(tuple(self.columns), rows, self.columns, about)
