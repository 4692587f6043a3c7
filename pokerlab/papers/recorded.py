"""Runs that take too long for every reading of a notebook: recorded once, and made again on demand."""

import json
from pathlib import Path

from pokerlab.core import CheckpointError
from pokerlab.runs import History, Run

CHECKOUT = Path(__file__).resolve().parents[2]
HOME = CHECKOUT if (CHECKOUT / "pyproject.toml").exists() else Path.cwd()
RUNS = HOME / "data" / "runs"
"""In a checkout its own folder; for an installed package below the present one."""
WHAT_DECIDES = ("solver", "parameters", "game", "game_fingerprint", "settings")
"""The entries of a provenance that decide the numbers."""


def recorded(name: str, run: Run, until: int, *, folder: str | Path = RUNS) -> History:
    """Return what `run` records up to iteration `until`, from `data/runs` if it is there.

    If it is not, it is run now and kept.

    Parameters
    ----------
    name : str
        The file's name, without its ending.
    run : Run
        Not yet begun.
    until : int
        The last iteration.
    folder : path
        Where recorded runs are kept.

    Raises
    ------
    CheckpointError
        If the file was recorded with another solver, game, setting or columns, or ends elsewhere.
    FileFormatError
        If it is damaged.
    """
    path = Path(folder) / f"{name}.npz"
    if not path.exists():
        run.to(until).history.save(path)
    history = History.load(path)
    wanted = json.loads(json.dumps({key: run.provenance[key] for key in WHAT_DECIDES}))
    for key, value in wanted.items():
        if history.provenance.get(key) != value:
            raise CheckpointError(
                f"{path.name} was recorded with {key} {history.provenance.get(key)!r}; asked for is"
                f" {value!r}. Delete the file to run again."
            )
    if list(history.columns) != list(run.names):
        raise CheckpointError(
            f"{path.name} recorded {list(history.columns)}; asked for is {list(run.names)}."
            " Delete the file to run again."
        )
    if not len(history):
        raise CheckpointError(f"{path.name} has no rows. Delete the file to run again.")
    if history["iteration"][-1] != until:
        raise CheckpointError(
            f"{path.name} ends at iteration {history['iteration'][-1]:g}; asked for is {until}."
            " Delete the file to run again."
        )
    return history
