"""Samothrakis & Lucas (2011): minimax coevolution, in small games and in bucketed limit hold'em.

Begin with `experiment` (small games) and `holdem` (section 4.2, with what is recorded of it). `inner_runs` and
`seeds` look closer at the former, `beyond` and `cards_and_buckets` at the latter; `kuhn_code` is the paper's
short notation for strategies of Kuhn poker.
"""

from pokerlab.papers.samothrakis2011.experiment import (
    EVOLUTIONS,
    FOUND,
    GAMES,
    PAPER,
    PAPER_EXPERIMENTS,
    REPRESENTATIONS,
    RPS,
    SCALES,
    WORST_CASES,
    Config,
    Found,
    columns,
    distance_to_printed,
    encoding,
    minimax_coevolution,
    outer_evolution,
    printed_probabilities,
    published,
    solver,
    worst_case,
)
from pokerlab.papers.samothrakis2011.kuhn_code import KuhnCode

__all__ = [
    "EVOLUTIONS",
    "FOUND",
    "GAMES",
    "PAPER",
    "PAPER_EXPERIMENTS",
    "REPRESENTATIONS",
    "RPS",
    "SCALES",
    "WORST_CASES",
    "Config",
    "Found",
    "KuhnCode",
    "columns",
    "distance_to_printed",
    "encoding",
    "minimax_coevolution",
    "outer_evolution",
    "printed_probabilities",
    "published",
    "solver",
    "worst_case",
]


def __dir__() -> list[str]:
    return sorted(__all__)
