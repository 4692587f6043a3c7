"""What a player does in each profile of a state: as heat maps, or in a triangle where three actions are mixed."""

from collections.abc import Mapping

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import SubFigure

from pokerlab.core.arrays import Floats
from pokerlab.games import Profile, SequenceForm
from pokerlab.solvers import SequenceFormLP
from pokerlab.workbench.live.view import Frame, Painted, leave_margins
from pokerlab.workbench.pictures.flow_picture import CORNERS, draw_triangle
from pokerlab.workbench.pictures.plots import legend
from pokerlab.workbench.pictures.shaded_table import HeatMap, strategy_table
from pokerlab.workbench.style import BLUE, RED, dress, look
from pokerlab.workbench.views.evolution import genomes_of


class StrategyView:
    """A player's strategy as shades and numbers, one table for each of the state's profiles.

    These are named by their attribute, with when they are played: `{"current": "now", "average": "on average"}`.
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
        """Return the players, by the number that people use; without those who have nothing to choose."""
        players = np.flatnonzero(self.game(frame).num_infosets).tolist()
        return {f"player {p + 1}": p for p in players or range(self.game(frame).num_players)}

    def lay_out(self, figure: SubFigure, frame: Frame, chosen: int) -> list[Artist]:
        """Make a table for each profile."""
        table = strategy_table(self.game(frame), chosen)
        axes = np.atleast_1d(figure.subplots(1, len(self.profiles)))
        for each, words in zip(axes, self.profiles.values(), strict=True):
            dress(each)
            what = f"chance to {table.action}" if table.action else "all actions"
            each.set_title(f"Player {chosen + 1} {words}: {what}", loc="left", y=1.0)
        self.maps = [HeatMap(each, table) for each in axes]
        room = self.maps[0].room()
        leave_margins(figure, self.height, left=room.left, right=0.12, top=0.34, bottom=room.below)
        return [artist for heat_map in self.maps for artist in heat_map.shades.artists]

    def paint(self, frame: Frame) -> tuple[Painted, bool]:
        """Show the profiles of the state."""
        painted = {}
        for name, heat_map in zip(self.profiles, self.maps, strict=True):
            heat_map.paint(getattr(frame.state, name))
            painted[name] = heat_map.shades.drawn
        return painted, False


class SimplexView:
    """A triangle: each corner an action, each point a mix, and the path of the best genome."""

    name = "simplex"
    height = 2.3
    choice = "Mix of"
    caption = (
        "The triangle: each corner is an action, each point a mix of the three. The line is the path of the"
        " best genome, the dot its end, the open circle the equilibrium."
    )

    def choices(self, frame: Frame) -> Mapping[str, int]:
        """Return the players."""
        return {f"player {p + 1}": p for p in range(frame.state.game.num_players)}

    def lay_out(self, figure: SubFigure, frame: Frame, chosen: int) -> list[Artist]:
        """Draw the triangle, the actions' names and the equilibrium."""
        self.player, game = chosen, frame.state.game
        left, right = figure.subplots(1, 2, width_ratios=[1.0, 1.2])
        figure.subplots_adjust(left=0.08, right=0.985, top=0.88, bottom=0.19, wspace=0.25)
        self.names = game.action_label[int(game.infoset_start[chosen])]
        draw_triangle(left, self.names)
        nash = equilibrium(game, chosen)
        if nash is not None:
            left.plot(*(nash @ CORNERS), **look("published"))
        self.way = left.plot([], [], color=BLUE, linewidth=1.2)[0]
        self.here = left.plot([], [], color=RED, marker="o", markersize=5.0, linestyle="none")[0]
        moving = self.lay_bars(right, nash)
        self.title = left.set_title(" ", loc="left", y=1.0, fontsize=10.5)
        return [self.way, self.here, *moving, self.title]

    def lay_bars(self, axes: Axes, nash: Floats | None) -> list[Artist]:
        """Make the bars beside the triangle, and the equilibrium's probabilities in front of them."""
        dress(axes)
        at = np.arange(3)
        self.bars = list(axes.bar(at, np.zeros(3), width=0.55, color=BLUE))
        front = [] if nash is None else axes.plot(at, nash, **look("published"))
        if front:
            legend(axes, handles=front, labels=["equilibrium"], loc="upper right")
        axes.set(ylim=(0, 1), xlim=(-0.5, 2.5))
        axes.set_xticks(at, self.names)
        axes.set_ylabel("probability")
        return [*self.bars, *front]

    def paint(self, frame: Frame) -> tuple[Painted, bool]:
        """Draw the path up to the present generation."""
        own = frame.state.game.player_sequences[self.player]
        mixes = frame.state.encoding.behaviors(genomes_of(frame.kept))[:, own]
        self.way.set_data(*(mixes @ CORNERS).T)
        self.here.set_data(*(mixes[-1:] @ CORNERS).T)
        for bar, likely in zip(self.bars, mixes[-1], strict=True):
            bar.set_height(likely)
        words = ", ".join(f"{p:.4f}" for p in mixes[-1])
        self.title.set_text(f"Player {self.player + 1} mixes {words}")
        return {f"player {self.player + 1}": mixes}, False


def equilibrium(game: SequenceForm, player: int) -> Floats | None:
    """Return a player's equilibrium mix in a zero-sum game for two, otherwise nothing."""
    if game.num_players != 2 or not game.zero_sum:
        return None
    return np.asarray(SequenceFormLP(game).solve().profile.of(player))
