"""The benches of Samothrakis & Lucas (2011): the gap, the genome, and what the best genome does."""

from typing import Any

from pokerlab.papers.samothrakis2011 import Config, minimax_coevolution
from pokerlab.papers.samothrakis2011.holdem import evolving_holdem
from pokerlab.workbench.live.view import Declaration, View
from pokerlab.workbench.views.exploitability import GapView
from pokerlab.workbench.views.genome import GenomeView, evolved_of
from pokerlab.workbench.views.intensity import IntensityView
from pokerlab.workbench.views.simplex import SimplexView
from pokerlab.workbench.views.strategies import StrategyView

TRIANGLES = ("biased rock-paper-scissors", "rock-paper-scissors")
"""Games in which everybody mixes three actions, once."""


def views(config: Config) -> list[View]:
    """Return the gap and the genome; for three actions the triangle, for a card game the strategy."""
    strategy: View = (
        SimplexView()
        if config.game in TRIANGLES
        else StrategyView({"profile": "by the best genome"})
    )
    return [GapView(), GenomeView(), strategy]


def holdem_views(config: Any) -> list[View]:
    """Return the gap, the genome, and the six intensity plots."""
    return [GapView(), GenomeView(), IntensityView()]


MINIMAX_COEVOLUTION = Declaration(minimax_coevolution, views, keep=evolved_of)
EVOLVING_HOLDEM = Declaration(evolving_holdem, holdem_views, keep=evolved_of)
