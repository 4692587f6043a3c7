"""Lanctot (2014): sequence-form replicator dynamics in Kuhn poker for two to five players, and Leduc.

Begin with `experiment`: the settings and what is run. `normal_form` has the dynamics over mixed strategies that the
paper's theorems set beside it.
"""

from pokerlab.papers.lanctot2014.experiment import (
    FIGURES,
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
