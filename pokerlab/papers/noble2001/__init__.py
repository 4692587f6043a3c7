"""Noble & Watson (2001): Pareto coevolution of rule genomes at the limit table.

Begin with `experiment`; `assessment` has the strategies written by hand that evolved ones are judged by.
"""

from pokerlab.papers.noble2001.assessment import (
    BAD,
    GROUPS,
    PRINTED,
    REASONABLE,
    Opponent,
    assess,
    by_run,
    by_split,
    crossed,
    in_big_blinds,
    paired,
)
from pokerlab.papers.noble2001.experiment import (
    PAPER,
    SCALES,
    Config,
    columns,
    encoding,
    game,
    pareto_coevolution,
    solver,
)

__all__ = [
    "BAD",
    "GROUPS",
    "PAPER",
    "PRINTED",
    "REASONABLE",
    "SCALES",
    "Config",
    "Opponent",
    "assess",
    "by_run",
    "by_split",
    "columns",
    "crossed",
    "encoding",
    "game",
    "in_big_blinds",
    "paired",
    "pareto_coevolution",
    "solver",
]


def __dir__() -> list[str]:
    return sorted(__all__)
