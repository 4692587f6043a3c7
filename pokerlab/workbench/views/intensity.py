"""A bucketed strategy as six plots: fold, call, raise; before and after a raise; the darker, the likelier."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure, SubFigure
from matplotlib.patches import Rectangle

from pokerlab.core import Bools, Floats, Ints, SettingError
from pokerlab.holdem.betting.actions import ACTIONS, CALLING
from pokerlab.holdem.cards.deck import STREETS
from pokerlab.holdem.limit_game.betting_tree import DEAL, PublicTree, Situation
from pokerlab.holdem.limit_game.bucketed_holdem import BucketedHoldem, BucketedProfile
from pokerlab.workbench.live.view import Frame, Painted, leave_margins
from pokerlab.workbench.pictures.shaded_table import SHADES, Shades
from pokerlab.workbench.style import GRAY, INK, SMALL_SIZE, TITLE_SIZE, dress, figure

SEATS = ("on the button", "in the big blind")
RAISES = (0, 1)  # how often the opponent has raised in this round, a row of plots each


@dataclass(frozen=True, eq=False)
class IntensityTable:
    """Where the numbers of Figure 4 stand in the profiles of a bucketed game."""

    decisions: Ints  # (2, 4): for each of `RAISES` and each round
    is_legal: Bools  # (2, 4, 3): whether fold, call and raise are possible there
    counts: tuple[int, ...]  # buckets of each round

    @classmethod
    def of(cls, game: BucketedHoldem, seat: int) -> "IntensityTable":
        """Return the table of `seat` in a bucketed game; nobody may be barred from raising the big blind."""
        if seat not in range(len(SEATS)):
            raise SettingError(f"seat is {seat!r}; give 0 for the button or 1 for the big blind.")
        tree = game.tree
        if tree.raise_cap < 2:
            raise SettingError(
                "with one bet a round nobody raises before the flop; cap at 2 or more."
            )
        starts = called_down_to(tree)
        decisions = np.empty((len(RAISES), len(STREETS)), np.int64)
        for row, raises in enumerate(RAISES):
            for street, start in enumerate(starts):
                number = tree.situations.index(Situation(street, seat == 0, 0, raises))
                is_here = (tree.situation == number) & (tree.start[tree.decision_node] == start)
                (decisions[row, street],) = np.flatnonzero(is_here)
        return cls(decisions, tree.legal[decisions], tuple(game.buckets.counts))

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
