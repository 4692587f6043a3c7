"""Lanctot (2014): sequence-form replicator dynamics in Kuhn poker for two to five players, and Leduc.

Begin with `experiment` (the settings and what is run). `theory` checks the theorems, `readings` the
ways to read printed numbers, `stability` the rest points; `relative_cost` times an iteration beside CFR's.
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
