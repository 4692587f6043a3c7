"""The bench of Noble & Watson (2001): profit against groups never met, and the population, gene by gene."""

from pokerlab.papers.noble2001 import GROUPS, Config, pareto_coevolution
from pokerlab.workbench.live.view import Declaration, View
from pokerlab.workbench.views.curves import ConvergenceView
from pokerlab.workbench.views.population import PopulationView


def views(config: Config) -> list[View]:
    """Return the curves, and the population."""
    return [
        ConvergenceView(together={"profit": tuple(GROUPS)}, legend_at="lower right"),
        PopulationView(),
    ]


PARETO_COEVOLUTION = Declaration(pareto_coevolution, views)
