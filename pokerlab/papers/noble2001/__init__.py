"""Noble & Watson (2001): Pareto coevolution of rule genomes at the limit table.

Begin with `experiment`; `opponents` are the strategies written by hand that evolved ones are judged by,
`assessment` judges them. `comparison` and `decline` are the studies behind the paper's two figures, with their
statistics; `dominance` asks how sure a generation's hands are. `measures` has what is said of a population,
and `sensitivity` changes one setting at a time.
"""

from pokerlab.papers.noble2001.assessment import GROUPS, assess, in_big_blinds
from pokerlab.papers.noble2001.comparison import by_run, mixed_analysis, paired
from pokerlab.papers.noble2001.experiment import (
    PAPER,
    PAPER_EXPERIMENTS,
    REGIMES,
    SCALES,
    Config,
    columns,
    encoding,
    game,
    pareto_coevolution,
    solver,
)
from pokerlab.papers.noble2001.opponents import BAD, PRINTED, REASONABLE, Opponent, split

__all__ = [
    "BAD",
    "GROUPS",
    "PAPER",
    "PAPER_EXPERIMENTS",
    "PRINTED",
    "REASONABLE",
    "REGIMES",
    "SCALES",
    "Config",
    "Opponent",
    "assess",
    "by_run",
    "columns",
    "encoding",
    "game",
    "in_big_blinds",
    "mixed_analysis",
    "paired",
    "pareto_coevolution",
    "solver",
    "split",
]


def __dir__() -> list[str]:
    return sorted(__all__)
