"""Oliehoek, de Jong & Vlassis (2006): the Parallel Nash Memory in one-card and two-round poker.

Begin with `experiment` (the settings, what is run, and how the paper's iterations are counted). `studies` tries what
the paper leaves open or out, and payoffs that are estimated from hands.
"""

from pokerlab.papers.oliehoek2006.experiment import (
    FIGURE_3,
    GAMES,
    HEURISTICS,
    PAPER,
    PAPER_EXPERIMENTS,
    PROGRAMS,
    SCALES,
    STARTS,
    UNREACHED,
    Config,
    columns,
    heuristic_of,
    nash_memory,
    published,
    solver,
    start_of,
)

__all__ = [
    "FIGURE_3",
    "GAMES",
    "HEURISTICS",
    "PAPER",
    "PAPER_EXPERIMENTS",
    "PROGRAMS",
    "SCALES",
    "STARTS",
    "UNREACHED",
    "Config",
    "columns",
    "heuristic_of",
    "nash_memory",
    "published",
    "solver",
    "start_of",
]


def __dir__() -> list[str]:
    return sorted(__all__)
