"""What a player does in each profile of a state: as heat maps, or in a triangle where three actions are mixed.

A bucketed strategy is six plots: fold, call, raise; before and after a raise; the darker, the likelier.
"""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure
from matplotlib.patches import Rectangle

from pokerlab.core import Bools, Floats, Ints, SettingError
from pokerlab.games import Profile, SequenceForm
from pokerlab.holdem.betting_tree import DEAL, PublicTree, Situation
from pokerlab.holdem.bucketed_holdem import BucketedHoldem, BucketedProfile
from pokerlab.holdem.cards import STREETS
from pokerlab.holdem.hand import ACTIONS, CALLING
from pokerlab.solvers import SequenceFormLP
from pokerlab.workbench.live.view import Frame, Painted, leave_margins
from pokerlab.workbench.pictures.flow_picture import CORNERS, draw_triangle
from pokerlab.workbench.pictures.plots import legend
from pokerlab.workbench.pictures.shaded_table import SHADES, HeatMap, Shades, strategy_table
from pokerlab.workbench.style import (
    BLUE,
    GRAY,
    INK,
    RED,
    SMALL_SIZE,
    TITLE_SIZE,
    dress,
    figure,
    look,
)
from pokerlab.workbench.views.evolution import genomes_of


class StrategyView:
    """A player's strategy as shades and numbers, one table for each of the state's profiles.

    These are named by their attribute, with when they are played: `{"last_iterate": "now", "average": "on average"}`.
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
    height = 2.7
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
        figure.subplots_adjust(left=0.08, right=0.985, top=0.88, bottom=0.16, wspace=0.25)
        left.set_position((0.02, 0.02, 0.45, 0.86))  # it has no ticks that need room
        self.names = game.action_label[int(game.infoset_start[chosen])]
        draw_triangle(left, self.names)
        nash = equilibrium(game, chosen)
        if nash is not None:
            left.plot(*(nash @ CORNERS), **look("published") | {"markersize": 11.0})
        self.way = left.plot([], [], color=BLUE, linewidth=1.2)[0]
        self.here = left.plot([], [], color=RED, marker="o", markersize=4.5, linestyle="none")[0]
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
        mixes = frame.state.encoding.compute_behaviors(genomes_of(frame.kept))[:, own]
        self.way.set_data(*(mixes @ CORNERS).T)
        self.here.set_data(*(mixes[-1:] @ CORNERS).T)
        for bar, likely in zip(self.bars, mixes[-1], strict=True):
            bar.set_height(likely)
        words = ", ".join(f"{p:.4f}" for p in mixes[-1])
        self.title.set_text(f"Player {self.player + 1} mixes {words}")
        return {f"player {self.player + 1}": mixes}, False


def equilibrium(game: SequenceForm, player: int) -> Floats | None:
    """Return a player's equilibrium mix in a zero-sum or constant-sum game for two, otherwise nothing."""
    if game.num_players != 2 or game.payoff_sum is None:
        return None
    return np.asarray(SequenceFormLP(game).solve().profile.get_behavior(player))


SEATS = ("on the button", "in the big blind")
RAISES = (0, 1)  # how often the opponent has raised in this round, a row of plots each


@dataclass(frozen=True, eq=False)
class IntensityTable:
    """Where the numbers of Figure 4 stand in the profiles of a bucketed game."""

    decisions: Ints  # (2, 4): for each of `RAISES` and each round; 0 where there is none
    is_legal: Bools  # (2, 4, 3): whether fold, call and raise are possible there
    counts: tuple[int, ...]  # buckets of each round

    @classmethod
    def of(cls, game: BucketedHoldem, seat: int) -> "IntensityTable":
        """Return the table of `seat` in a bucketed game; situations that its betting does not have are empty."""
        if seat not in range(len(SEATS)):
            raise SettingError(f"seat is {seat!r}; give 0 for the button or 1 for the big blind.")
        tree = game.tree
        starts = called_down_to(tree)
        decisions = np.zeros((len(RAISES), len(STREETS)), np.int64)
        is_legal = np.zeros((*decisions.shape, len(ACTIONS)), dtype=bool)
        for row, raises in enumerate(RAISES):
            for street, start in enumerate(starts):
                situation = Situation(street, seat == 0, 0, raises)
                if (
                    situation not in tree.situations
                ):  # with one bet a street nobody raises the big blind
                    continue
                number = tree.situations.index(situation)
                is_here = (tree.situation == number) & (tree.start[tree.decision_node] == start)
                (decisions[row, street],) = np.flatnonzero(is_here)
                is_legal[row, street] = tree.legal[decisions[row, street]]
        return cls(decisions, is_legal, tuple(game.buckets.counts))

    def read(self, profile: BucketedProfile) -> Floats:
        """Return a profile's probabilities, (2, 3, 4, B), by raises, action, round, bucket; NaN if impossible."""
        most = max(self.counts)
        chances = np.full((len(RAISES), len(ACTIONS), len(STREETS), most), np.nan)
        for row, street in np.ndindex(self.decisions.shape):
            count = self.counts[street]
            at = profile.table[profile.pointer[self.decisions[row, street]], :count]
            chances[row, :, street, :count] = np.where(self.is_legal[row, street], at, np.nan).T
        return chances

    @property
    def is_impossible(self) -> Bools:
        """Which numbers are NaN because the action is not possible, of bool, shape (2, 3, 4, B)."""
        exists = np.arange(max(self.counts)) < np.array(self.counts)[:, None]
        return ~self.is_legal.transpose(0, 2, 1)[..., None] & exists


def called_down_to(tree: PublicTree) -> list[int]:
    """Return the start of each round's betting when nobody has raised in the rounds before."""
    starts, node = [], 0
    for street in range(len(STREETS)):
        starts.append(int(tree.start[node]))
        while street + 1 < len(STREETS) and tree.street[node] == street:
            node = node + 1 if tree.kind[node] == DEAL else int(tree.child[node, CALLING])
    return starts


COLUMNS = ("fold", "check or call", "bet or raise")
ROWS = ("no raise yet", "one raise")
SIZE = (7.6, 4.2)
UNHIDING = SHADES.with_extremes(bad="none")  # cells without a number let the hatching below be seen
HATCHED: Any = {"facecolor": "none", "edgecolor": GRAY, "hatch": "////", "linewidth": 0.0}
MOST_NUMBERS = 8 * len(STREETS)  # more cells than these are too narrow for numbers


class IntensityPicture:
    """Six axes, (2, 3): fold, call, raise at the start of each round's betting; below after a raise."""

    def __init__(self, axes: Any, table: IntensityTable, *, with_numbers: bool) -> None:
        self.table = table
        self.shades: list[Shades] = []
        shape = (len(STREETS), max(table.counts))
        most = MOST_NUMBERS if with_numbers else 0  # they take longer to draw than all the shades
        look: Any = {"size": SMALL_SIZE - 1, "most_numbers": most, "cmap": UNHIDING, "linewidth": 1}
        for (row, column), each in np.ndenumerate(axes):
            lay_out(each, table, row, column)
            self.shades.append(Shades(each, shape, **look))
            for y, x in np.argwhere(table.is_impossible[row, column]):
                each.add_patch(Rectangle((x + 0.04, y + 0.04), 0.92, 0.92, **HATCHED))
        self.artists = [artist for each in self.shades for artist in each.artists]

    def paint(self, profile: BucketedProfile) -> Floats:
        """Show `profile`; return the numbers shown, (2, 3, 4, B), NaN where there are none."""
        chances = self.table.read(profile)
        plots = chances.reshape(-1, *chances.shape[2:])
        for shades, values in zip(self.shades, plots, strict=True):
            shades.paint(values, narrow=True)
        return chances


def lay_out(axes: Axes, table: IntensityTable, row: int, column: int) -> None:
    """Name rounds and buckets of one of the six plots."""
    most = max(table.counts)
    axes.set(xlim=(0, most), ylim=(len(STREETS), 0))
    axes.grid(False)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0, labelsize=SMALL_SIZE)
    axes.set_yticks(np.arange(len(STREETS)) + 0.5, STREETS if column == 0 else [""] * len(STREETS))
    every = 1 + most // 10
    at = np.arange(0, most, every)
    axes.set_xticks(at + 0.5, [str(bucket + 1) for bucket in at] if row else [""] * len(at))
    if row:
        axes.set_xlabel("bucket (1 is the weakest)", fontsize=SMALL_SIZE)
    if column == 0:
        axes.set_ylabel(ROWS[row], fontsize=SMALL_SIZE)
    if row == 0:
        axes.set_title(COLUMNS[column], loc="left", fontsize=TITLE_SIZE - 1)


def plot_intensity(profile: BucketedProfile, seat: int = 0, title: str = "") -> Figure:
    """Draw how often a seat folds, calls and raises, round by round and bucket by bucket.

    Above nobody has raised in the round, below the opponent has once; in earlier rounds nobody had.
    Rows are rounds, columns buckets from weak to strong; the darker, the likelier; hatched cells are
    actions that the rules do not allow, such as a fold where nothing is owed.

    Parameters
    ----------
    profile : BucketedProfile
        Of bucketed hold'em: a tuple table, or any other.
    seat : int
        0 has the button, 1 the big blind.
    title : str
        What the picture shows; if not given, whose strategy it is.
    """
    table = IntensityTable.of(profile.game, seat)
    made, axes = figure(*SIZE, rows=2, columns=3)
    IntensityPicture(axes, table, with_numbers=True).paint(profile)
    words = title or f"What it does {SEATS[seat]}: the darker, the likelier; hatched is impossible"
    made.suptitle(words, x=0.01, ha="left", fontsize=TITLE_SIZE, color=INK)
    return made


class IntensityView:
    """Fold, call and raise by bucket and round, before and after one raise of the opponent."""

    name = "intensity"
    height = 2.65
    choice = "Seat"
    caption = (
        "Shades: rows are rounds, columns buckets from weak to strong; the darker, the likelier."
        " Hatched cells are actions that the rules do not allow."
    )

    def choices(self, frame: Frame) -> Mapping[str, int]:
        """Return the two seats."""
        return {words: seat for seat, words in enumerate(SEATS)}

    def lay_out(self, figure: SubFigure, frame: Frame, chosen: int) -> list[Artist]:
        """Make the six plots of the seat `chosen`."""
        axes = figure.subplots(2, 3)
        for each in axes.flat:
            dress(each)
        leave_margins(figure, self.height, left=0.86, right=0.12, top=0.56, bottom=0.42)
        figure.subplots_adjust(wspace=0.06, hspace=0.08)
        words = f"What it does {SEATS[chosen]}, at the start of each round's betting"
        figure.suptitle(words, x=0.012, y=0.985, ha="left", fontsize=TITLE_SIZE, color=INK)
        table = IntensityTable.of(frame.state.profile.game, chosen)
        self.picture = IntensityPicture(axes, table, with_numbers=False)
        return self.picture.artists

    def paint(self, frame: Frame) -> tuple[Painted, bool]:
        """Show the state's profile."""
        return {"profile": self.picture.paint(frame.state.profile)}, False
