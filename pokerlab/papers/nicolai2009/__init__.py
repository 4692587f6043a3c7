"""Nicolai & Hilderman (2009): networks for no-limit hold'em, evolved by the ranks of tournaments.

Begin with `config`, every number with its source, and `experiment`, with what is said of a generation.
`long_run` keeps evolutions that take hours. Champions meet the `opponents` at `duplicate_tables`, which give
an `evaluation`; `progress` sets generations against each other, `methods` whole evolutions. `champions` has
the paper's eleven. `comparison` sets their ranks beside the
paper's, and `verdicts` says what they decide of each printed number.
"""

from pokerlab.papers.nicolai2009.comparison import compare, order
from pokerlab.papers.nicolai2009.config import EARLIER, Config
from pokerlab.papers.nicolai2009.duplicate_tables import (
    EARLIER_TABLES,
    DuplicateTables,
    evaluate,
)
from pokerlab.papers.nicolai2009.evaluation import Evaluation
from pokerlab.papers.nicolai2009.experiment import (
    PAPER,
    PAPER_EXPERIMENTS,
    SCALES,
    columns,
    encoding,
    evolved_networks,
    game,
    hall,
    solver,
    worth,
)
from pokerlab.papers.nicolai2009.long_run import Evolution, evolve
from pokerlab.papers.nicolai2009.opponents import (
    old_agents,
    panel,
    record_old_agents,
    static_agents,
)
from pokerlab.papers.nicolai2009.progress import (
    Encounters,
    encounters,
    forgetting,
    met_ancestors,
    ratings,
)

__all__ = [
    "EARLIER",
    "EARLIER_TABLES",
    "PAPER",
    "PAPER_EXPERIMENTS",
    "SCALES",
    "Config",
    "DuplicateTables",
    "Encounters",
    "Evaluation",
    "Evolution",
    "columns",
    "compare",
    "encoding",
    "encounters",
    "evaluate",
    "evolve",
    "evolved_networks",
    "forgetting",
    "game",
    "hall",
    "met_ancestors",
    "old_agents",
    "order",
    "panel",
    "ratings",
    "record_old_agents",
    "solver",
    "static_agents",
    "worth",
]


def __dir__() -> list[str]:
    return sorted(__all__)
