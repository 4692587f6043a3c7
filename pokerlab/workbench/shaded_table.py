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
        self.shades = axes.imshow(
            np.zeros(shape), cmap=SHADES, vmin=0.0, vmax=1.0, aspect="auto", origin="lower"
        )
        size = SMALL_SIZE if max(shape) <= 9 else SMALL_SIZE - 1.5
        self.numbers = [
            axes.text(column, row, "", ha="center", va="center", fontsize=size)
            for row in range(shape[0])
            for column in range(shape[1])
            if shape[0] * shape[1] <= MOST_NUMBERS
        ]
        lines = max(label.count("\n") for label in table.columns) + 1
        crowded = sum(map(len, table.columns)) > LONGEST_LABELS
        axes.set_xticks(
            range(shape[1]),
            table.columns,
            fontsize=size if lines == 1 else size - 0.5,
            rotation=90 if crowded and lines == 1 else 0,
        )
        axes.set_yticks(range(shape[0]), table.rows)
        axes.set_xticks(np.arange(1, shape[1]) - 0.5, minor=True)
        axes.set_yticks(np.arange(1, shape[0]) - 0.5, minor=True)
        axes.grid(False)
        axes.grid(True, which="minor", color=PAPER, linewidth=1.5)
        axes.tick_params(length=0)
        axes.spines[:].set_visible(False)
        self.artists: list[Artist] = [self.shades, *self.numbers]

    def paint(self, profile: Profile) -> Floats:
        """Show `profile`; return the numbers shown, (rows, columns), NaN in empty cells."""
        values = self.table.read(profile)
        self.shades.set_data(np.ma.masked_invalid(values))
        for text, value in zip(self.numbers, values.flat, strict=False):
            text.set_text("" if np.isnan(value) else f"{value:.2f}")
            text.set_color(PAPER if value > DARK else INK)
        return values
