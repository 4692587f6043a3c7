"""Drive solvers, record what they do, save it and resume it."""

from pokerlab.core.faces import shown
from pokerlab.runs.history import History as History
from pokerlab.runs.run import Column as Column
from pokerlab.runs.run import Run as Run
from pokerlab.runs.sweeps import SweepError as SweepError
from pokerlab.runs.sweeps import sweep as sweep

__all__, __dir__ = shown(globals())
