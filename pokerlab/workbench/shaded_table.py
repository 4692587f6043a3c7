"""A strategy as a table of shades and numbers that can be painted again and again."""

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap

from pokerlab.games import Profile
from pokerlab.games.layout import Floats
from pokerlab.workbench.strategy_table import LONGEST_LABELS, StrategyTable
from pokerlab.workbench.style import BLUE, INK, PAPER, SMALL_SIZE

SHADES = LinearSegmentedColormap.from_list("pokerlab", ["#eef3f7", "#9cc8e6", BLUE, "#003c61"])
SHADES.set_bad(PAPER)
DARK = 0.5
"""From this probability on the number is written in white."""
MOST_NUMBERS = 150
"""Cells with more numbers than these are shaded only."""


MOST_WIDE_COLUMNS, MOST_TALL_ROWS = 8, 9
"""Beyond these, numbers are written small."""


class HeatMap:
    """Axes that show one player's strategy.

    Parameters
    ----------
    axes : Axes
        Where.
    table : StrategyTable
        What stands in which cell.

    Attributes
    ----------
    artists : list of Artist
        What `paint` changes; everything else stays.
    """

    def __init__(self, axes: Axes, table: StrategyTable) -> None:
        self.table = table
        shape = (len(table.rows), len(table.columns))
        self.shades = axes.pcolormesh(
            np.zeros(shape), cmap=SHADES, vmin=0.0, vmax=1.0, edgecolors=PAPER, linewidth=1.5
        )
        self.narrow = shape[1] > MOST_WIDE_COLUMNS
        size = SMALL_SIZE - 1.5 if self.narrow or shape[0] > MOST_TALL_ROWS else SMALL_SIZE
        self.numbers = [
            axes.text(column + 0.5, row + 0.5, "", ha="center", va="center", fontsize=size)
            for row in range(shape[0])
            for column in range(shape[1])
            if shape[0] * shape[1] <= MOST_NUMBERS
        ]
        lines = max(label.count("\n") for label in table.columns) + 1
        crowded = sum(map(len, table.columns)) > LONGEST_LABELS
        axes.set_xticks(
            np.arange(shape[1]) + 0.5,
            table.columns,
            fontsize=size if lines == 1 else size - 0.5,
            rotation=90 if crowded and lines == 1 else 0,
        )
        axes.set_yticks(np.arange(shape[0]) + 0.5, table.rows)
        axes.set_xlabel(table.key, fontsize=size)
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

    @property
    def shown(self) -> Floats:
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
