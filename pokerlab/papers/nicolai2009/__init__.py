"""Nicolai & Hilderman (2009): networks for no-limit hold'em, evolved by the ranks of tournaments.

Begin with `config`, every number with its source, and `experiment`; `measures` has what is said of a
generation, `long_run` keeps evolutions that take days.
"""

from pokerlab.papers.nicolai2009.config import Config
from pokerlab.papers.nicolai2009.experiment import (
    PAPER,
    PAPER_EXPERIMENTS,
    SCALES,
    columns,
    encoding,
    evolved_networks,
    game,
    hall,
    published,
    solver,
    worth,
)
from pokerlab.papers.nicolai2009.long_run import Evolution, evolve

__all__ = [
    "PAPER",
    "PAPER_EXPERIMENTS",
    "SCALES",
    "Config",
    "Evolution",
    "columns",
    "encoding",
    "evolve",
    "evolved_networks",
    "game",
    "hall",
    "published",
    "solver",
    "worth",
]
