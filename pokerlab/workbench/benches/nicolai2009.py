"""The bench of Nicolai & Hilderman (2009): the champion, what champions and everybody do, weights, halls."""

from pokerlab.holdem.table.steps import KINDS_OF_ACTION
from pokerlab.papers.nicolai2009 import Config, evolved_networks
from pokerlab.workbench.live.view import Declaration, View
from pokerlab.workbench.views.curves import ConvergenceView


def views(config: Config) -> list[View]:
    """Return the curves."""
    return [
        ConvergenceView(
            together={
                "actions of champions": [f"champion_{kind}" for kind in KINDS_OF_ACTION],
                "actions of everybody": [f"everybody_{kind}" for kind in KINDS_OF_ACTION],
                "weights": ("rms", "spread"),
                "ages in the hall": ("hall_age", "hall_eldest"),
            }
        )
    ]


EVOLVED_NETWORKS = Declaration(evolved_networks, views)
