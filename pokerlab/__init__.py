"""pokerlab: a workbench for game-theoretic coevolution in poker.

The games load at once; the other subpackages when they are first used.
"""

import importlib
from types import ModuleType
from typing import TYPE_CHECKING

from pokerlab import core, games

if TYPE_CHECKING:
    from pokerlab import (
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
    return sorted([*globals(), *__all__])
