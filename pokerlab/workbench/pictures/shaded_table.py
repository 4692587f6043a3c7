"""A strategy as a table of shades and numbers that can be painted again and again."""

from collections.abc import Sequence
from typing import NamedTuple

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap

from pokerlab.core.arrays import Floats
from pokerlab.games import Profile
from pokerlab.workbench.pictures.strategy_table import LONGEST_LABELS, StrategyTable
from pokerlab.workbench.style import BLUE, INK, PAPER, SMALL_SIZE

SHADES = LinearSegmentedColormap.from_list(
    "pokerlab", ["#eef3f7", "#9cc8e6", BLUE, "#003c61"]
).with_extremes(bad=PAPER)
DARK = 0.5
"""From this probability on the number is written in white."""
MOST_NUMBERS = 150
"""Cells with more numbers than these are shaded only."""


MOST_WIDE_COLUMNS, MOST_TALL_ROWS = 8, 9
"""Beyond these, numbers are written without the zero before the point, and small."""


LETTER, LINE = 0.075, 0.165
"""Inches of a letter across and of a line down, at the size of labels."""


class Room(NamedTuple):
    """Inches left for labels."""

    left: float
    below: float


class HeatMap:
    """Axes that show one player's strategy."""

    def __init__(self, axes: Axes, table: StrategyTable) -> None:
        self.table = table
        shape = (len(table.rows), len(table.columns))
        self.shades = axes.pcolormesh(
            np.zeros(shape), cmap=SHADES, vmin=0.0, vmax=1.0, edgecolors=PAPER, linewidth=1.5
        )
        self.narrow = shape[1] > MOST_WIDE_COLUMNS
        size = SMALL_SIZE - 1.5 if shape[0] > MOST_TALL_ROWS else SMALL_SIZE
        self.numbers = [
            axes.text(column + 0.5, row + 0.5, "", ha="center", va="center", fontsize=size)
            for row in range(shape[0])
            for column in range(shape[1])
            if shape[0] * shape[1] <= MOST_NUMBERS
        ]
        self.upright = crowded(table.columns)
        rotation = 90 if self.upright else 0
        axes.set_xticks(np.arange(shape[1]) + 0.5, table.columns, fontsize=size, rotation=rotation)
        axes.set_yticks(np.arange(shape[0]) + 0.5, table.rows)
        self.remark = remark(table)
        axes.set_xlabel(self.remark, fontsize=size)
        axes.grid(False)
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        self.artists: list[Artist] = [self.shades, *self.numbers]

    def paint(self, profile: Profile) -> None:
        """Show `profile`."""
        values = self.table.read(profile)
        self.shades.set_array(np.ma.masked_invalid(values))
        for text, value in zip(self.numbers, values.flat, strict=False):
            text.set_text(self.written(value))
            text.set_color(PAPER if value > DARK else INK)

    def room(self) -> Room:
        """Return the inches that labels need beside and below the table."""
        lines = max(label.count("\n") for label in self.table.columns) + 1
        longest = max(map(len, self.table.columns))
        below = LETTER * longest if self.upright else LINE * lines
        return Room(
            left=0.14 + LETTER * max(map(len, self.table.rows)),
            below=0.12 + below + LINE * bool(self.remark),
        )

    @property
    def drawn_numbers(self) -> Floats:
        """The numbers on show, (rows, columns), read back from what is drawn; NaN in empty cells."""
        drawn = self.shades.get_array()
        assert drawn is not None
        return np.ma.filled(drawn, np.nan)

    def written(self, value: float) -> str:
        """Return a probability as its cell shows it: '0.25', or '.25' in narrow cells."""
        if np.isnan(value):
            return ""
        text = f"{value:.2f}"
        return text.removeprefix("0") if self.narrow and value < 1 else text


def crowded(columns: Sequence[str]) -> bool:
    """Return whether column labels would touch each other side by side."""
    return sum(map(len, columns)) > LONGEST_LABELS and not any("\n" in label for label in columns)


def remark(table: StrategyTable) -> str:
    """Return what must be said below the columns."""
    left_out = f"{table.left_out} later situations are not shown" if table.left_out else ""
    return "; ".join(filter(None, (table.key, left_out)))
