"""A memory's mixes as shades: strategies across, rounds down; one sees them come, go and come back."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, PowerNorm
from matplotlib.image import AxesImage
from matplotlib.ticker import MaxNLocator

from pokerlab.core.arrays import Floats
from pokerlab.runs import Run
from pokerlab.workbench.memory.mixes import come_back, kept_from, mix_table
from pokerlab.workbench.style import PAPER, SMALL_SIZE

IN_MEMORY = "#e9e6df"
SHADES = LinearSegmentedColormap.from_list(
    "mix", ["#8fc3e6", "#3f97cf", "#0072b2", "#00365a"]
).with_extremes(bad=PAPER, under=IN_MEMORY)
LEAST = 1e-12
"""A smaller probability is none."""
SIZES = (10, 15, 25, 40, 60)
"""Ends of axes that grow, up to powers of ten: few, since to grow is to draw everything again."""


class MixImage:
    """Axes that show how a mix has changed.

    Parameters
    ----------
    axes : Axes
        Where.

    Attributes
    ----------
    artists : list of Artist
        What `paint` changes; everything else stays until the axes have to grow.
    """

    def __init__(self, axes: Axes) -> None:
        self.axes = axes
        self.image: AxesImage = axes.imshow(
            np.full((1, 1), np.nan),
            cmap=SHADES,
            norm=PowerNorm(0.5, vmin=LEAST, vmax=1.0),
            aspect="auto",
            interpolation="nearest",
        )
        axes.grid(False)
        axes.set_xlabel("strategy, in the order met")
        axes.set_ylabel("round")
        for axis in (axes.xaxis, axes.yaxis):
            axis.set_major_locator(MaxNLocator(6, integer=True))
        self.limits = (0, 0)
        self.artists: list[Artist] = [self.image]

    def paint(self, table: Floats, first: int = 0) -> bool:
        """Show a table of mixes whose first row is round `first`; return whether the axes had to grow."""
        rounds, strategies = table.shape
        last = first + rounds - 1
        self.image.set_data(table)
        self.image.set_extent((0.5, strategies + 0.5, last + 0.5, first - 0.5))
        limits = (round_end(strategies), round_end(last))
        grown = limits != self.limits
        if grown:
            self.limits = limits
        self.axes.set_xlim(0.5, limits[0] + 0.5)
        self.axes.set_ylim(limits[1] + 0.5, first - 0.5)
        return grown

    def add_scale(self, **place: Any) -> None:
        """Add the scale of probabilities beside the axes."""
        figure = self.axes.get_figure()
        assert figure is not None
        bar = figure.colorbar(self.image, **({"ax": self.axes} | place))
        bar.set_ticks([0.01, 0.1, 0.25, 0.5, 1.0], labels=["0.01", "0.1", "0.25", "0.5", "1"])
        bar.ax.tick_params(labelsize=SMALL_SIZE - 1, length=2)
        bar.outline.set_visible(False)
        bar.set_label("probability", fontsize=SMALL_SIZE - 1)


def plot_mixes(axes: Axes, source: Run | Iterable[Any], player: int = 0) -> Floats:
    """Draw how a player's mix has changed: strategies across, rounds down, shade is probability.

    White is not yet met; the pale grey is met and without weight (M); the darker, the likelier.

    Parameters
    ----------
    axes : Axes
        Where.
    source : Run or iterable of states
        A run made with `keep=mixes_of`, such as a bench's; or the states of a memory, in the order of
        their rounds.
    player : int
        Whose mix, 0-based.

    Returns
    -------
    ndarray of shape (rounds, K)
        The probabilities shown; NaN where a strategy was not held.
    """
    kept = source.kept if isinstance(source, Run) else kept_from(source)
    table = mix_table(kept, player)
    image = MixImage(axes)
    image.paint(table, first=kept[0][0])
    axes.set_xlim(0.5, table.shape[1] + 0.5)
    axes.set_ylim(kept[-1][0] + 0.5, kept[0][0] - 0.5)
    image.add_scale()
    who = f"Player {player + 1}" if len(kept[-1][1]) > 1 else "The memory"
    axes.set_title(f"{who} {finding(table)}; {come_back(table)} came back", loc="left")
    return table


def finding(table: Floats) -> str:
    """Return how many strategies have weight in the end."""
    return f"mixes {in_short(table, 'of the')} met"


def in_short(table: Floats, of: str = "of") -> str:
    """Return how many strategies have weight in the end, of how many met."""
    return f"{np.count_nonzero(table[-1] > 0.0)} {of} {table.shape[1]}"


def round_end(number: float) -> int:
    """Return a round number, at least `number` and at least 10: where an axis ends."""
    power = 1
    while True:
        for size in (size * power for size in SIZES):
            if size >= number:
                return int(size)
        power *= 10
