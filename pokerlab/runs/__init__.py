"""Drive solvers, record what they do, save it and resume it."""

from pokerlab.runs.checkpoint import load_checkpoint, save_checkpoint
from pokerlab.runs.history import History
from pokerlab.runs.run import Column, Run
from pokerlab.runs.sweeps import SweepError, sweep

__all__ = [
    "Column",
    "History",
    "Run",
    "SweepError",
    "load_checkpoint",
    "save_checkpoint",
    "sweep",
]


def __dir__() -> list[str]:
    return sorted(__all__)
