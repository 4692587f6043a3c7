"""A bucketed strategy as six plots: fold, call, raise; before and after a raise; the darker, the likelier."""

from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.patches import Rectangle

from pokerlab.core.arrays import Bools, Floats
from pokerlab.holdem.betting.structure import STREETS
from pokerlab.holdem.bucketed.bucketed_profile import BucketedProfile
from pokerlab.workbench.coevolution.intensity_table import SEATS, IntensityTable
from pokerlab.workbench.shaded_table import DARK, SHADES
from pokerlab.workbench.style import GREY, INK, PAPER, SMALL_SIZE, TITLE_SIZE, figure

COLUMNS = ("fold", "check or call", "bet or raise")
ROWS = ("no raise so far", "facing one raise")
SIZE = (7.6, 4.2)
UNHIDING = SHADES.with_extremes(bad="none")
"""Cells without a number let the hatching below be seen."""
MOST_NUMBERS = 8
"""More buckets than these have cells too narrow for numbers."""


class IntensityPicture:
    """Six axes that show what a seat does at the start of each round's betting.

    Parameters
    ----------
    axes : ndarray of Axes, shape (2, 3)
        Where: above before anybody has raised, below after the opponent has; fold, call, raise.
    table : IntensityTable
        Which numbers.
    with_numbers : bool
        Whether to write them into the cells, which takes longer than all the shades.

    Attributes
    ----------
    artists : list of Artist
        What `paint` changes; everything else stays.
    """

    def __init__(self, axes: Any, table: IntensityTable, *, with_numbers: bool) -> None:
        self.table = table
        self.meshes, self.numbers = [], []
        for (row, column), each in np.ndenumerate(axes):
            lay_out(each, table, row, column)
            shape = (len(STREETS), max(table.counts))
            self.meshes.append(
                each.pcolormesh(
                    np.zeros(shape),
                    cmap=UNHIDING,
                    vmin=0.0,
                    vmax=1.0,
                    edgecolors=PAPER,
                    linewidth=1,
                )
            )
            hatch(each, table.is_impossible[row, column])
            self.numbers.append(
                [
                    each.text(
                        x + 0.5, y + 0.5, "", ha="center", va="center", fontsize=SMALL_SIZE - 1
                    )
                    for y, x in np.ndindex(shape)
                    if with_numbers and shape[1] <= MOST_NUMBERS
                ]
            )
        self.artists: list[Artist] = [*self.meshes, *(t for each in self.numbers for t in each)]

    def paint(self, profile: BucketedProfile) -> Floats:
        """Show `profile`; return the numbers shown, (2, 3, 4, B), NaN where there are none."""
        chances = self.table.read(profile)
        plots = chances.reshape(-1, *chances.shape[2:])
        for mesh, numbers, values in zip(self.meshes, self.numbers, plots, strict=True):
            mesh.set_array(np.ma.masked_invalid(values))
            for text, value in zip(numbers, values.flat, strict=False):
                text.set_text("" if np.isnan(value) else f"{value:.2f}".removeprefix("0"))
                text.set_color(PAPER if value > DARK else INK)
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


def hatch(axes: Axes, is_impossible: Bools) -> None:
    """Hatch the cells of an action that is not possible."""
    for y, x in np.argwhere(is_impossible):
        look: dict[str, Any] = {
            "facecolor": "none",
            "edgecolor": GREY,
            "hatch": "////",
            "linewidth": 0.0,
        }
        axes.add_patch(Rectangle((x + 0.04, y + 0.04), 0.92, 0.92, **look))


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
        What there is to find; if not given, whose strategy it is.

    Returns
    -------
    Figure
        To be given to `show`.

    Raises
    ------
    SettingError
        If there is no such seat.
    """
    table = IntensityTable.of(profile.game, seat)
    made, axes = figure(*SIZE, rows=2, columns=3)
    IntensityPicture(axes, table, with_numbers=True).paint(profile)
    words = title or f"What it does {SEATS[seat]}: the darker, the likelier; hatched is impossible"
    made.suptitle(words, x=0.01, ha="left", fontsize=TITLE_SIZE, color=INK)
    return made
