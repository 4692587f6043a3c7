"""The bench of Lanctot (2014): curves of the average and the current profile, and both as tables."""

from pokerlab.papers.lanctot2014 import Config, replicator
from pokerlab.workbench.live.view import Declaration, View
from pokerlab.workbench.views.curves import ConvergenceView
from pokerlab.workbench.views.strategies import StrategyView


def views(config: Config) -> list[View]:
    """Return the curves, and what a player does."""
    return [
        ConvergenceView(profiles=("average", "current")),
        StrategyView({"current": "now", "average": "on average"}),
    ]


REPLICATOR = Declaration(replicator, views)
