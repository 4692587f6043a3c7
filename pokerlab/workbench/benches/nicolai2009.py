"""The bench of Nicolai & Hilderman (2009): the champion, who does what, weights and halls; habits as shades."""

from pokerlab.holdem.table.steps import KINDS_OF_ACTION
from pokerlab.papers.nicolai2009 import Config, evolved_networks
from pokerlab.workbench.live.view import Declaration, View
from pokerlab.workbench.views.ancestors import champions_of
from pokerlab.workbench.views.curves import ConvergenceView
from pokerlab.workbench.views.habits import HabitsView


def views(config: Config) -> list[View]:
    """Return the curves, and the habits."""
    by_champions, by_everybody = (
        [f"{whose}_{kind}" for kind in KINDS_OF_ACTION] for whose in ("champion", "everybody")
    )
    return [
        ConvergenceView(
            together={
                "actions of champions": by_champions,
                "actions of everybody": by_everybody,
                "weights": ("rms", "spread"),
                "ages in the hall": ("hall_age", "hall_eldest"),
            },
            legend_at="upper right",
            linear=(
                "rank",
                "first",
                "won",
                *by_champions,
                *by_everybody,
                "hall_age",
                "hall_eldest",
            ),
        ),
        HabitsView(),
    ]


EVOLVED_NETWORKS = Declaration(evolved_networks, views, keep=champions_of)
