"""The bench's heat maps: what a player does now, and on average."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.figure import SubFigure

from pokerlab.games import Profile, SequenceForm
from pokerlab.workbench.live.frame import Frame
from pokerlab.workbench.live.view import Painted, leave_margins
from pokerlab.workbench.plots import PROFILES, heat_map_title
from pokerlab.workbench.shaded_table import HeatMap
from pokerlab.workbench.strategy_table import strategy_table
from pokerlab.workbench.style import dress


class StrategyView:
    """A player's strategy as shades and numbers: what is played now, and on average."""

    name = "strategy"
    height = 2.1
    choice = "Strategy of"
    caption = "Each cell is a probability: rows are cards, columns what has happened."

    def choices(self, frame: Frame) -> Mapping[str, int]:
        """Return the players, by the number that people use."""
        return {f"player {p + 1}": p for p in range(frame.state.game.num_players)}

    def lay_out(self, figure: SubFigure, frame: Frame, chosen: int) -> list[Artist]:
        """Make a table for each profile that the state has."""
        game: SequenceForm = frame.state.game
        table = strategy_table(game, chosen)
        self.profiles = [name for name in reversed(PROFILES) if hasattr(frame.state, name)]
        axes = np.atleast_1d(figure.subplots(1, len(self.profiles)))
        for each, name in zip(axes, self.profiles, strict=True):
            dress(each)
            words = {"current": "now", "average": "on average"}[name]
            each.set_title(heat_map_title(chosen, table.action, words), loc="left", y=1.0)
        self.maps = [HeatMap(each, table) for each in axes]
        room = self.maps[0].room()
        leave_margins(figure, self.height, left=room.left, right=0.12, top=0.34, bottom=room.below)
        return [artist for heat_map in self.maps for artist in heat_map.artists]

    def paint(self, frame: Frame) -> tuple[Painted, bool]:
        """Show the profiles of the state."""
        for name, heat_map in zip(self.profiles, self.maps, strict=True):
            heat_map.paint(getattr(frame.state, name))
        maps = zip(self.profiles, self.maps, strict=True)
        return {name: heat_map.shown for name, heat_map in maps}, False


def has_strategies(state: Any) -> bool:
    """Return whether a solver's state has profiles to show."""
    return any(isinstance(getattr(state, name, None), Profile) for name in PROFILES)
