"""One file a paper: its settings and experiments. Published numbers are data; audits have studies of their own.

`methods` has every method of the series on the same games.
"""

import importlib
from types import ModuleType
from typing import TYPE_CHECKING

from pokerlab.papers.experiment import Experiment, Published, published_numbers

if TYPE_CHECKING:
    from pokerlab.papers import lanctot2014, nicolai2009, noble2001, oliehoek2006, samothrakis2011

__all__ = [
    "Experiment",
    "Published",
    "lanctot2014",
    "nicolai2009",
    "noble2001",
    "oliehoek2006",
    "published_numbers",
    "samothrakis2011",
]


def __getattr__(name: str) -> ModuleType:
    if name in __all__:
        return importlib.import_module(f"pokerlab.papers.{name}")
    raise AttributeError(f"module 'pokerlab.papers' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted(__all__)
