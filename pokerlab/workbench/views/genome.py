"""The best genome of an evolution: what a run keeps of it, its picture, and its view on the bench."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import SubFigure
from matplotlib.ticker import MaxNLocator

from pokerlab.core import SettingError
from pokerlab.core.arrays import Floats
from pokerlab.runs import Run
from pokerlab.solvers import MinimaxState, SeatwiseState
from pokerlab.workbench.live.view import Frame, Painted, leave_margins
from pokerlab.workbench.pictures.legends import legend
from pokerlab.workbench.pictures.round_drawing import WINNINGS
from pokerlab.workbench.style import DASHES, PALETTE, color_scale, dress
from pokerlab.workbench.views.mixes import round_end

MANY = 120
"""More lines than these are a thicket, and take longer to draw than there is between two pictures."""


class GenomeView:
    """Values of the best genome's genes, a line or a row of shades each."""

    name = "genome"
    height = 1.75
    choice = "Genome as"
    caption = "The genome: a line or a row for each gene of the best, which jumps where a better one is found."

    def choices(self, frame: Frame) -> Mapping[str, str]:
        """Return lines and shades, first what can be read."""
        count = frame.state.encoding.num_genes
        if count > MANY:
            return {"shades": "shades"}
        few = count <= MOST_LINES
        return {name: name for name in (("lines", "shades") if few else ("shades", "lines"))}

    def lay_out(self, figure: SubFigure, frame: Frame, chosen: str) -> list[Artist]:
        """Make the axes; an image has its scale beside it."""
        axes = figure.subplots()
        shades = chosen == "shades"
        leave_margins(
            figure, self.height, left=0.8, right=0.9 if shades else 0.22, top=0.3, bottom=0.46
        )
        dress(axes)
        labels = frame.state.encoding.gene_labels
        self.picture: GenomeLines | GenomeImage = genome_picture(axes, labels, chosen)
        axes.set_xlabel("fitness evaluations")
        if isinstance(self.picture, GenomeImage):
            box = axes.get_position()
            self.picture.add_scale(cax=figure.add_axes((box.x1 + 0.012, box.y0, 0.012, box.height)))
        self.title = axes.set_title(" ", loc="left", y=1.0)
        return [*self.picture.artists, self.title]

    def paint(self, frame: Frame) -> tuple[Painted, bool]:
        """Show the genomes up to the present generation."""
        genomes = genomes_of(frame.kept)
        moved = self.picture.paint(evaluations_of(frame.kept), genomes)
        steps = " and ".join(dict.fromkeys(f"{size:.2g}" for size in step_sizes(frame.state)))
        self.title.set_text(f"The {genomes.shape[1]} genes of the best; step size {steps}")
        return {"best": genomes}, moved


def step_sizes(state: Any) -> list[float]:
    """Return the step size of a coevolution, or of each of its evolutions."""
    evolving = state.evolution if isinstance(state.evolution, tuple) else (state.evolution,)
    return [each.step_size for each in evolving]


class Evolved(NamedTuple):
    """What pictures need of a state of a coevolution once it is gone.

    Attributes
    ----------
    evaluations : int
        Fitness values found by the outer evolution so far.
    found : float
        Exploitability of the best genome as its fitness has it: what the worst case has found.
    exact : float
        The same by exact best responses.
    genome : ndarray of shape (G,)
        The best genome.
    """

    evaluations: int
    found: float
    exact: float
    genome: Floats


Kept = Sequence[tuple[int, Evolved]]
"""Generations, and what was best after them: what a `Run` made with `keep=evolved_of` has kept."""


def evolved_of(state: Any) -> Evolved | None:
    """Return what is kept of a coevolution's state; of other states nothing."""
    if not isinstance(state, MinimaxState | SeatwiseState):
        return None
    return Evolved(state.evaluations, state.best_value, state.exact_value, state.best)


def kept_of(source: Run | Iterable[Any]) -> Kept:
    """Return what was kept of a run, or of states in the order of their generations.

    Raises
    ------
    SettingError
        If nothing was.
    """
    kept: Sequence[tuple[int, Any]] = (
        source.kept if isinstance(source, Run) else [(s.iteration, evolved_of(s)) for s in source]
    )
    if not kept or not all(isinstance(each, Evolved) for _, each in kept):
        raise SettingError(
            "nothing of an evolution was kept; run it with keep=pl.workbench.evolved_of, or give a"
            " list of its states."
        )
    return kept


def encoding_of(source: Run | Iterable[Any]) -> Any:
    """Return what the genomes of a run, or of a list of states, mean."""
    state = source.state if isinstance(source, Run) else list(source)[-1]
    return state.encoding


def evaluations_of(kept: Kept) -> Floats:
    """Return the evaluations at each recording."""
    return np.array([each.evaluations for _, each in kept], dtype=np.float64)


def genomes_of(kept: Kept) -> Floats:
    """Return the best genomes as rows, (recordings, G)."""
    return np.array([each.genome for _, each in kept])


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
        Where to draw.
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
        Where to draw.
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

    def add_scale(self, **place: Any) -> None:
        """Add the scale of values, as `color_scale` does."""
        color_scale(self.image, "value of the gene", **place)


SAME = 1e-9
"""Genes that lie closer together are shown as one, on a scale of their own size."""


def coarse(low: float, high: float, room: float) -> tuple[float, float]:
    """Return limits around values that change seldom: eighths of a power of two, `room` above."""
    size = high - low if high - low > SAME else 1.0
    unit = 2.0 ** np.floor(np.log2(size)) / 4.0
    return unit * float(np.floor(low / unit)), unit * float(np.ceil((high + room * size) / unit))


def genome_picture(axes: Axes, labels: Sequence[str], form: str) -> GenomeLines | GenomeImage:
    """Return lines or an image, as `form` ('lines', 'shades' or 'auto') says."""
    lines = form == "lines" or (form == "auto" and len(labels) <= MOST_LINES)
    return GenomeLines(axes, labels) if lines else GenomeImage(axes, len(labels))
