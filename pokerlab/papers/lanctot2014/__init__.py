"""Lanctot (2014): sequence-form replicator dynamics in Kuhn poker for two to five players, and Leduc.

Begin with `experiment`: the settings, what is run, and the time of an iteration beside CFR's. `theory` checks
the theorems and the stability of rest points, `readings` the ways to read printed numbers.
"""

from pokerlab.papers.lanctot2014.experiment import (
    FIGURES,
    GAMES,
    LEAST_SHIFTS,
    PAPER,
    PAPER_EXPERIMENTS,
    SCALES,
    Config,
    columns,
    performance_difference,
    published,
    random_profile,
    replicator,
    solver,
)

__all__ = [
    "FIGURES",
    "GAMES",
    "LEAST_SHIFTS",
    "PAPER",
    "PAPER_EXPERIMENTS",
    "SCALES",
    "Config",
    "columns",
    "performance_difference",
    "published",
    "random_profile",
    "replicator",
    "solver",
]


def __dir__() -> list[str]:
    return sorted(__all__)
