"""The bench of Oliehoek, de Jong & Vlassis (2006): security levels and set sizes by round, mixes, the strategy."""

from pokerlab.papers.oliehoek2006 import Config, nash_memory
from pokerlab.workbench.live.view import Declaration, View
from pokerlab.workbench.views.memory import MemoryView
from pokerlab.workbench.views.mixes import MixesView, mixes_of
from pokerlab.workbench.views.strategies import StrategyView


def views(config: Config) -> list[View]:
    """Return the rounds, the mixes, and what the mixes do."""
    return [MemoryView(), MixesView(), StrategyView({"profile": "by the mix"})]


NASH_MEMORY = Declaration(nash_memory, views, keep=mixes_of)
