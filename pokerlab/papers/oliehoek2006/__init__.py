"""Oliehoek, de Jong & Vlassis (2006): the Parallel Nash Memory in one-card and two-round poker.

Begin with `experiment`: the settings, what is run, how the paper's iterations are counted, and the naive memory.
"""

from pokerlab.papers.oliehoek2006.experiment import (
    FIGURE_3,
    GAMES,
    HEURISTICS,
    PROGRAMS,
    STARTS,
    TIES,
    UNREACHED,
    Config,
    nash_memory,
    parallel_and_naive,
    published,
    solver,
)

__all__ = [
    "FIGURE_3",
    "GAMES",
    "HEURISTICS",
    "PROGRAMS",
    "STARTS",
    "TIES",
    "UNREACHED",
    "Config",
    "nash_memory",
    "parallel_and_naive",
    "published",
    "solver",
]


def __dir__() -> list[str]:
    return sorted(__all__)
