"""The experiments of the papers, in a module for each paper. Begin with `oliehoek2006`.

In each module `make_solver` makes a solver from a `Config` of settings, and `make_columns` makes the columns that are
recorded of its run. An `Experiment` uses both. Functions such as `make_game`, `make_encoding` and `make_fitness` make
the parts of a solver. `methods` compares the methods of all papers on the same games. `samothrakis2011_holdem` has the
agents of section 4.2 of that paper. `twelve_agents` has the hold'em agents that lessons 15 and 15b compare.
"""

import importlib
from typing import TYPE_CHECKING, Any

from pokerlab.core.old_names import reject_missing_name
from pokerlab.papers.experiment import Experiment, Published, read_published_numbers

if TYPE_CHECKING:
    from pokerlab.papers import (
        lanctot2014,
        methods,
        nicolai2009,
        nicolai2009_agents,
        noble2001,
        oliehoek2006,
        samothrakis2011,
        samothrakis2011_holdem,
        twelve_agents,
    )

__all__ = [
    "Experiment",
    "Published",
    "lanctot2014",
    "methods",
    "nicolai2009",
    "nicolai2009_agents",
    "noble2001",
    "oliehoek2006",
    "read_published_numbers",
    "samothrakis2011",
    "samothrakis2011_holdem",
    "twelve_agents",
]


def __getattr__(name: str) -> Any:
    if name in __all__:
        return importlib.import_module(f"pokerlab.papers.{name}")
    return reject_missing_name(__name__, name)


def __dir__() -> list[str]:
    return sorted(__all__)
