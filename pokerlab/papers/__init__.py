"""One file a paper: its Config, its experiment, its published numbers."""

import importlib
from types import ModuleType
from typing import TYPE_CHECKING

from pokerlab.core.kinds import front_door
from pokerlab.papers.experiment import Experiment, Published, published_numbers

if TYPE_CHECKING:
    from pokerlab.papers import (
        lanctot2014,
        oliehoek2006,
        samothrakis2011,
        samothrakis2011_holdem,
    )

__all__ = [
    "Experiment",
    "Published",
    "lanctot2014",
    "oliehoek2006",
    "published_numbers",
    "samothrakis2011",
    "samothrakis2011_holdem",
]


def __getattr__(name: str) -> ModuleType:
    if name in __all__:
        return importlib.import_module(f"pokerlab.papers.{name}")
    raise AttributeError(f"module 'pokerlab.papers' has no attribute '{name}'")


__dir__ = front_door(globals())
