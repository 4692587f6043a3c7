"""The papers: a file for each with its settings and experiments, and a second one for two of them.

`normal_form_dynamics` has the dynamics of Lanctot's theorems, `samothrakis2011_holdem` the agents of section 4.2, and
`methods` every method of the series on the same games. Published numbers are data; audits have studies of their own.
"""

import importlib
from types import ModuleType
from typing import TYPE_CHECKING

from pokerlab.papers.experiment import Experiment, Published, published_numbers

if TYPE_CHECKING:
    from pokerlab.papers import (
        lanctot2014,
        methods,
        nicolai2009,
        noble2001,
        normal_form_dynamics,
        oliehoek2006,
        samothrakis2011,
        samothrakis2011_holdem,
    )

__all__ = [
    "Experiment",
    "Published",
    "lanctot2014",
    "methods",
    "nicolai2009",
    "noble2001",
    "normal_form_dynamics",
    "oliehoek2006",
    "published_numbers",
    "samothrakis2011",
    "samothrakis2011_holdem",
]


def __getattr__(name: str) -> ModuleType:
    if name in __all__:
        return importlib.import_module(f"pokerlab.papers.{name}")
    raise AttributeError(f"module 'pokerlab.papers' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted(__all__)
