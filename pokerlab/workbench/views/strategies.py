"""The bench's heat maps: what a player does in each profile of a state."""

from collections.abc import Mapping

import numpy as np
from matplotlib.artist import Artist
from matplotlib.figure import SubFigure

from pokerlab.games import Profile, SequenceForm
from pokerlab.workbench.live.view import Frame, Painted, leave_margins
from pokerlab.workbench.plots import heat_map_title
from pokerlab.workbench.shaded_table import HeatMap
from pokerlab.workbench.strategy_table import strategy_table
from pokerlab.workbench.style import dress


class StrategyView:
    """A player's strategy as shades and numbers, one table for each profile.

    Parameters
    ----------
    profiles : Mapping[str, str]
        The state's profiles by the name of their attribute, and when or by what they are played, in
        the words of a title: `{"current": "now", "average": "on average"}`.
    """

    name = "strategy"
    height = 2.1
    choice = "Strategy of"
    caption = "Each cell is a probability: rows are cards, columns what has happened."

    def __init__(self, profiles: Mapping[str, str]) -> None:
        self.profiles = profiles

    def game(self, frame: Frame) -> SequenceForm:
        """Return the game that the profiles belong to."""
        profile: Profile = getattr(frame.state, next(iter(self.profiles)))
        return profile.game

    def choices(self, frame: Frame) -> Mapping[str, int]:
        """Return the players, by the number that people use."""
        return {f"player {p + 1}": p for p in range(self.game(frame).num_players)}

    def lay_out(self, figure: SubFigure, frame: Frame, chosen: int) -> list[Artist]:
        """Make a table for each profile."""
        table = strategy_table(self.game(frame), chosen)
        axes = np.atleast_1d(figure.subplots(1, len(self.profiles)))
        for each, words in zip(axes, self.profiles.values(), strict=True):
            dress(each)
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
        return {name: heat_map.drawn_numbers for name, heat_map in maps}, False
