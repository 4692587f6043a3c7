"""Oliehoek, de Jong & Vlassis (2006): the Parallel Nash Memory in one-card and two-round poker.

Begin with `experiment` (the settings and what is run). `compared` sets printed numbers beside ours,
`starts` asks what a random start changes, `open_number` looks for the one that is not met.
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
