"""Drive solvers, record what they do, save it and resume it."""

from pokerlab.runs.history import History
from pokerlab.runs.run import Column, Run
from pokerlab.runs.sweeps import SweepError, sweep

__all__ = ["Column", "History", "Run", "SweepError", "sweep"]


def __dir__() -> list[str]:
    return sorted(__all__)
