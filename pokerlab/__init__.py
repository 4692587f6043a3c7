"""pokerlab: a workbench for game-theoretic coevolution in poker.

Begin with the notebooks: `make lab` opens notebooks/00_start_here.ipynb. Or begin in Python:

>>> import pokerlab as pl
>>> kuhn = pl.games.kuhn()
>>> round(pl.solvers.SequenceFormLP(kuhn).solve().value, 6)  # what the first player wins, in chips
-0.055556

pl.games, pl.holdem            small games, compiled from their rules; Texas hold'em with real cards
pl.solvers, pl.metrics         what finds equilibria; how far a strategy is from one
pl.strategies, pl.evolution    what genomes mean; how they evolve
pl.runs, pl.papers             recording, stopping and resuming; the papers' experiments
pl.workbench, pl.classroom     pictures, explorers, and the bench; pl.check, pl.predict, pl.predictions
pl.reference, pl.core          textbook definitions, slow and plain; errors, units, random streams

`dir(pl.solvers)` lists what a package has, and `help(pl.solvers.CFR)` explains it.
"""

import importlib
import importlib.util
import sys
import warnings
from typing import TYPE_CHECKING, Any

from pokerlab import core, games
from pokerlab.core.compiler import MISSING

if TYPE_CHECKING:
    from pokerlab import (
        classroom,
        evolution,
        holdem,
        metrics,
        papers,
        reference,
        runs,
        solvers,
        strategies,
        workbench,
    )
    from pokerlab.classroom import check, predict, predictions

__version__ = "2.0.0.dev0"
__all__ = [
    "__version__",
    "check",
    "classroom",
    "core",
    "evolution",
    "games",
    "holdem",
    "metrics",
    "papers",
    "predict",
    "predictions",
    "reference",
    "runs",
    "solvers",
    "strategies",
    "workbench",
]

if MISSING:
    warnings.warn(f"{MISSING}: kernels run interpreted, hundreds of times slower.", stacklevel=2)


def __getattr__(name: str) -> Any:
    if name == "predict" and "ipykernel" in sys.modules and importlib.util.find_spec("ipywidgets"):
        return importlib.import_module("pokerlab.workbench.guess_controls").predict
    if name in ("check", "predict", "predictions"):
        return getattr(importlib.import_module("pokerlab.classroom"), name)
    if name in __all__:
        return importlib.import_module(f"pokerlab.{name}")
    raise AttributeError(f"module 'pokerlab' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted(__all__)
