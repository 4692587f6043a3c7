"""Nicolai & Hilderman (2009): networks for no-limit hold'em, evolved by the ranks of tournaments.

Begin with `config`, every number with its source, and `experiment`, with what is said of a generation. At
`duplicate_tables` champions meet eight others and each other, and one tells what they saw.
"""

from pokerlab.papers.nicolai2009.config import EARLIER, Config
from pokerlab.papers.nicolai2009.duplicate_tables import (
    EARLIER_TABLES,
    DuplicateTables,
    encounters,
    panel,
    static_agents,
)
from pokerlab.papers.nicolai2009.experiment import (
    PAPER,
    PAPER_EXPERIMENTS,
    SCALES,
    encoding,
    evolved_networks,
    game,
    solver,
)

__all__ = [
    "EARLIER",
    "EARLIER_TABLES",
    "PAPER",
    "PAPER_EXPERIMENTS",
    "SCALES",
    "Config",
    "DuplicateTables",
    "encoding",
    "encounters",
    "evolved_networks",
    "game",
    "panel",
    "solver",
    "static_agents",
]


def __dir__() -> list[str]:
    return sorted(__all__)
