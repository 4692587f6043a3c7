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
pl.workbench, pl.classroom     pictures, explorers, the bench with its settings and buttons; a contest for a class
pl.reference, pl.core          textbook definitions, slow and plain; errors, units, random streams

`dir(pl.solvers)` lists what a package has, and `help(pl.solvers.CFR)` explains it.
"""

import importlib
from types import ModuleType
from typing import TYPE_CHECKING

from pokerlab import core, games

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

__version__ = "0.1.0"
__all__ = [
    "__version__",
    "classroom",
    "core",
    "evolution",
    "games",
    "holdem",
    "metrics",
    "papers",
    "reference",
    "runs",
    "solvers",
    "strategies",
    "workbench",
]


def __getattr__(name: str) -> ModuleType:
    if name in __all__:
        return importlib.import_module(f"pokerlab.{name}")
    raise AttributeError(f"module 'pokerlab' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted(__all__)
