"""Samothrakis & Lucas (2011): minimax coevolution, in small games and in bucketed limit hold'em.

Begin with `experiment` (small games) and `holdem` (section 4.2, with what is recorded of it and the agents that are
compared). `small_games` looks closer at the former.
"""

from pokerlab.papers.samothrakis2011.experiment import (
    EVOLUTIONS,
    GAMES,
    PAPER,
    RPS,
    Config,
    columns,
    encoding,
    minimax_coevolution,
    solver,
)
from pokerlab.papers.samothrakis2011.small_games import KuhnCode

__all__ = [
    "EVOLUTIONS",
    "GAMES",
    "PAPER",
    "RPS",
    "Config",
    "KuhnCode",
    "columns",
    "encoding",
    "minimax_coevolution",
    "solver",
]


def __dir__() -> list[str]:
    return sorted(__all__)
