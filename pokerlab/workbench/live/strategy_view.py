"""The bench's heat maps: what a player does now, and on average, or by a memory's mix."""

import contextlib
from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.figure import SubFigure

from pokerlab.core import GameError
from pokerlab.games import Profile, SequenceForm
from pokerlab.workbench.coevolution.evolved import is_evolving
from pokerlab.workbench.live.frame import Frame
from pokerlab.workbench.live.view import Painted, leave_margins
from pokerlab.workbench.plots import heat_map_title
from pokerlab.workbench.shaded_table import HeatMap
from pokerlab.workbench.strategy_table import strategy_table
from pokerlab.workbench.style import dress

WORDS = {"current": "now", "average": "on average", "profile": "by the mix"}
"""What a title calls each profile that a state may have."""
BEST = "by the best genome"


class StrategyView:
    """A player's strategy as shades and numbers, a table for each profile that the state has."""

    name = "strategy"
    height = 2.1
    choice = "Strategy of"
    caption = "Each cell is a probability: rows are cards, columns what has happened."

    def choices(self, frame: Frame) -> Mapping[str, int]:
        """Return the players, by the number that people use."""
        return {f"player {p + 1}": p for p in range(game_of(frame.state).num_players)}

    def lay_out(self, figure: SubFigure, frame: Frame, chosen: int) -> list[Artist]:
        """Make a table for each profile that the state has."""
        table = strategy_table(game_of(frame.state), chosen)
        self.profiles = list(profiles_of(frame.state))
        axes = np.atleast_1d(figure.subplots(1, len(self.profiles)))
        for each, name in zip(axes, self.profiles, strict=True):
            dress(each)
            words = BEST if is_evolving(frame.state) else WORDS[name]
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


def profiles_of(state: Any) -> dict[str, Profile]:
    """Return the profiles that a solver's state has; of games that are not compiled there are none."""
    profiles = {}
    for name in WORDS:
        with contextlib.suppress(GameError):
            profile = getattr(state, name, None)
            if isinstance(profile, Profile):
                profiles[name] = profile
    return profiles


def game_of(state: Any) -> SequenceForm:
    """Return the game that a state's profiles belong to."""
    return next(iter(profiles_of(state).values())).game


def has_strategies(state: Any) -> bool:
    """Return whether a solver's state has profiles to show."""
    return bool(profiles_of(state))
