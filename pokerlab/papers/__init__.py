"""The papers' experiments, a module for each paper; begin with `oliehoek2006`. `methods` compares them on equal games.

In each module `make_solver` makes a solver from a `Config` of settings, and `make_columns` makes what is recorded of
it; an `Experiment` runs both. Parts of a solver are made by `make_game`, `make_encoding`, `make_fitness` and others.
`normal_form_dynamics` has the dynamics of Lanctot's theorems, `samothrakis2011_holdem` the agents of section 4.2.
"""

import importlib
from typing import TYPE_CHECKING, Any

from pokerlab.core.old_names import explain_public_name
from pokerlab.papers.experiment import Experiment, Published, read_published_numbers

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
    "read_published_numbers",
    "samothrakis2011",
    "samothrakis2011_holdem",
]


def __getattr__(name: str) -> Any:
    if name in __all__:
        return importlib.import_module(f"pokerlab.papers.{name}")
    return explain_public_name(__name__, name)


def __dir__() -> list[str]:
    return sorted(__all__)
