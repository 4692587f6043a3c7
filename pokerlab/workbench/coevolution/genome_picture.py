"""The values of a genome against evaluations: a line a gene, or where genes are many a row of shades."""

from collections.abc import Sequence

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.ticker import MaxNLocator

from pokerlab.core.arrays import Floats
from pokerlab.workbench.memory.mix_image import round_end
from pokerlab.workbench.memory.payoff_picture import WINNINGS
from pokerlab.workbench.plots import legend
from pokerlab.workbench.style import DASHES, PALETTE, SMALL_SIZE

FEW = 6
"""Genes that a legend can name."""
MOST_LINES = 30
"""Genes that can be told apart as lines; more are shades."""
COLUMNS = 240
"""Moments across of an image."""


class GenomeLines:
    """Axes on which each gene is a line.

    Parameters
    ----------
    axes : Axes
        Where.
    labels : sequence of str
        What the genes are called; few are named in a legend.
    """

    def __init__(self, axes: Axes, labels: Sequence[str]) -> None:
        self.axes = axes
        self.lines = [
            axes.plot(
                [],
                [],
                color=PALETTE[gene % len(PALETTE)],
                linestyle=DASHES[gene % len(DASHES)],
                linewidth=1.3,
                label=label,
            )[0]
            for gene, label in enumerate(labels)
        ]
        axes.set_ylabel("value of a gene")
        if len(labels) <= FEW:
            legend(axes, loc="upper left", ncols=3)
        self.frozen: tuple[float, ...] = ()
        self.artists: list[Artist] = list(self.lines)

    def paint(self, evaluations: Floats, genomes: Floats) -> bool:
        """Show genomes, (recordings, G); return whether the axes had to grow."""
        for line, values in zip(self.lines, genomes.T, strict=True):
            line.set_data(evaluations, values)
        room = 0.35 if len(self.lines) <= FEW else 0.05
        low, high = float(genomes.min()), float(genomes.max())
        limits = (*coarse(low, high, room), round_end(evaluations[-1]))
        grown = limits != self.frozen
        if grown:
            self.frozen = limits
            self.axes.set(ylim=limits[:2], xlim=(0, limits[2]))
        return grown


class GenomeImage:
    """Axes on which each gene is a row of shades.

    Parameters
    ----------
    axes : Axes
        Where.
    num_genes : int
        How many rows.
    """

    def __init__(self, axes: Axes, num_genes: int) -> None:
        self.axes = axes
        self.image = axes.imshow(
            np.zeros((num_genes, COLUMNS)), cmap=WINNINGS, aspect="auto", interpolation="nearest"
        )
        axes.grid(False)
        axes.set_ylabel("gene")
        axes.yaxis.set_major_locator(MaxNLocator(6, integer=True))
        self.frozen: tuple[float, ...] = ()
        self.artists: list[Artist] = [self.image]

    def paint(self, evaluations: Floats, genomes: Floats) -> bool:
        """Show genomes, (recordings, G); return whether the axes had to grow."""
        end = round_end(evaluations[-1])
        at = np.linspace(0.0, evaluations[-1], COLUMNS)
        shown = np.searchsorted(evaluations, at, side="right") - 1
        self.image.set_data(genomes[np.maximum(shown, 0)].T)
        self.image.set_extent((0.0, float(evaluations[-1]), genomes.shape[1] + 0.5, 0.5))
        limits = (*coarse(float(genomes.min()), float(genomes.max()), 0.0), end)
        grown = limits != self.frozen
        if grown:
            self.frozen = limits
            self.image.set_clim(limits[0], limits[1])
        self.axes.set(xlim=(0, end), ylim=(genomes.shape[1] + 0.5, 0.5))
        return grown

    def add_scale(self, **place: object) -> None:
        """Add the scale of values beside the axes."""
        figure = self.axes.get_figure()
        assert figure is not None
        bar = figure.colorbar(self.image, **({"ax": self.axes} | place))  # type: ignore[arg-type]
        bar.ax.tick_params(labelsize=SMALL_SIZE - 1, length=2)
        bar.outline.set_visible(False)
        bar.set_label("value of the gene", fontsize=SMALL_SIZE - 1)


def coarse(low: float, high: float, room: float) -> tuple[float, float]:
    """Return limits around values that change seldom: eighths of a power of two, `room` above."""
    size = max(high - low, 1e-9)
    unit = 2.0 ** np.floor(np.log2(size)) / 4.0
    return unit * float(np.floor(low / unit)), unit * float(np.ceil((high + room * size) / unit))


def genome_picture(axes: Axes, labels: Sequence[str], form: str) -> GenomeLines | GenomeImage:
    """Return lines or an image, as `form` ('lines', 'shades' or 'auto') says."""
    lines = form == "lines" or (form == "auto" and len(labels) <= MOST_LINES)
    return GenomeLines(axes, labels) if lines else GenomeImage(axes, len(labels))
