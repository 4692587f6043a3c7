"""A coevolution on the bench and in still pictures: how exploitable the best genome is, the genome, inner runs."""

from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure, SubFigure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from pokerlab.core import Floats, SettingError
from pokerlab.games import Contest
from pokerlab.runs import Run
from pokerlab.solvers.minimax_coevolution import MinimaxState
from pokerlab.workbench.live.view import Frame, Painted, leave_margins, look_at
from pokerlab.workbench.pictures.plots import legend
from pokerlab.workbench.pictures.text import counted, with_minus
from pokerlab.workbench.style import (
    EXACT,
    EXACT_LABEL,
    FOUND,
    FOUND_LABEL,
    GRAY,
    INK,
    SMALL_SIZE,
    TITLE_SIZE,
    WINNINGS,
    color_scale,
    dress,
    figure,
    nth_look,
    place_beside,
)
from pokerlab.workbench.views.curves import LEAST, Curves, round_end

LOOKS = {"nash_conv": (EXACT_LABEL, EXACT), "worst_case": (FOUND_LABEL, FOUND)}
"""How the columns are drawn; a run whose fitness is exact has only the first."""
KEY = {"loc": "best", "frameon": True, "edgecolor": "none", "framealpha": 0.85}
FEW = 6  # genes that a legend can name
MOST_LINES, MANY = 30, 120
"""Genes that can be told apart as lines; of more than `MANY` only the spread can be seen."""
SPREAD = {
    "largest": 1.0,
    "nine in ten lie below": 0.9,
    "middle": 0.5,
    "one in ten": 0.1,
    "least": 0.0,
}
"""Quantiles of many genes that are drawn, by their names."""
MOMENTS = 240  # columns of the image of genes
SAME = 1e-9  # genes that lie closer together are shown as one, on a scale of their own size


class Evolved(NamedTuple):
    """What pictures need of a state of a coevolution once it is gone."""

    evaluations: int  # fitness values found by the outer evolution so far
    genome: Floats  # the best one, (G,)


Kept = Sequence[tuple[int, Evolved]]
"""Generations, and what was best after them: what a `Run` made with `keep=evolved_of` has kept."""


def evolved_of(state: Any) -> Evolved | None:
    """Return what is kept of a coevolution's state; of other states nothing."""
    if not isinstance(state, MinimaxState):
        return None
    in_contest = isinstance(state.game, Contest)  # where vectors stand for genomes within ranges
    return Evolved(state.evaluations, state.profile if in_contest else state.best)


def genomes_of(kept: Kept) -> Floats:
    """Return the best genomes as rows, (recordings, G)."""
    return np.array([each.genome for _, each in kept])


BELIEF = "what the judge believes"


class GapView:
    """Exploitability of the best genome against evaluations, as found and by exact best responses.

    What is believed can lie below zero, where no strategy is: then the axis is linear, and an arrow points there.
    """

    name = "gap"
    height = 2.35
    choice = "Exploitability"
    caption = (
        "Best responses win the solid curve from the best genome, and its judge believes the dashed one; a genome"
        " can hide between them."
    )

    def choices(self, frame: Frame) -> Mapping[str, bool | None]:
        """Return how exploitability is scaled."""
        return {"log if positive": None, "linear": False}

    def lay_out(self, figure: SubFigure, frame: Frame, chosen: bool | None) -> list[Artist]:
        """Make the axes, both curves, and the arrow."""
        leave_margins(figure, self.height, left=0.8, right=0.22, top=0.3, bottom=0.46)
        words, axes = "exploitability\n", figure.subplots()
        self.curves = gap_on(axes, frame, log=chosen, words=words, key=KEY)
        look: dict[str, Any] = {"textcoords": "offset points", "fontsize": SMALL_SIZE, "color": INK}
        look["arrowprops"] = {"arrowstyle": "-|>", "color": INK, "linewidth": 1.0}
        self.arrow = axes.annotate(BELIEF, (0.0, 0.0), (-160.0, 18.0), **look)
        return [*self.curves.artists, self.arrow]

    def paint(self, frame: Frame) -> tuple[Painted, bool]:
        """Draw both curves; the title is how exploitable the best genome is, and what its judge believes."""
        self.curves.title.set_text(gap_title(self.curves, frame))
        _, *found = (frame.curve(column)[1][-1] for column in self.curves.columns)
        self.arrow.set_visible(bool(found) and found[0] < 0.0)
        self.arrow.xy = (frame.across("evaluations")[-1], found[0] if found else 0.0)
        return self.curves.paint(frame)


def gap_on(
    axes: Axes, frame: Frame, *, log: bool | None, words: str, key: Mapping[str, Any] | None
) -> Curves:
    """Return the curves of exploitability."""
    columns = [column for column in frame.columns if column.name in LOOKS]
    return Curves(
        axes, frame, columns, [LOOKS[column.name] for column in columns], words,
        against="evaluations", log_y=log, room=1.25, parts=4, key=key,
    )  # fmt: skip


def gap_title(curves: Curves, frame: Frame) -> str:
    """Return how exploitable the best genome is, and what its judge believes."""
    exact, *found = (frame.curve(column)[1][-1] for column in curves.columns)
    words = f"Loses {exact:.3g} {curves.columns[0].unit} to best responses"
    spent = f"after {counted(int(frame.across('evaluations')[-1]), 'evaluation')}"
    if not found or abs(exact - found[0]) < LEAST:
        return f"{words} {spent}"
    return f"{words}; its judge believes {with_minus(f'{found[0]:.3g}')}"


class GenomeView:
    """Values of the best genome's genes, a line or a row of shades each; of many genes, how they spread."""

    name = "genome"
    height = 1.75
    choice = "Genome as"
    caption = (
        "The genes of the best, which jump where a better one is found; of many, the largest, the least, and between"
        " which values most lie."
    )

    def choices(self, frame: Frame) -> Mapping[str, bool]:
        """Return whether genes are lines, first what can be read."""
        count = frame.state.encoding.num_genes
        forms = {"lines": True, "shades": False}
        if count <= MOST_LINES:
            return forms
        return dict(reversed(forms.items())) if count <= MANY else {"spread": True}

    def lay_out(self, figure: SubFigure, frame: Frame, chosen: bool) -> list[Artist]:
        """Make the axes; an image has its scale beside it."""
        right = 0.22 if chosen else 0.9
        leave_margins(figure, self.height, left=0.8, right=right, top=0.3, bottom=0.46)
        axes = figure.subplots()
        dress(axes)
        self.picture = Genes(axes, frame.state.encoding.gene_labels, lines=chosen)
        if self.picture.image is not None:
            color_scale(self.picture.image, "value of the gene", cax=place_beside(axes, figure))
        self.title = axes.set_title(" ", loc="left", y=1.0)
        return [*self.picture.artists, self.title]

    def paint(self, frame: Frame) -> tuple[Painted, bool]:
        """Show the genomes up to the present generation."""
        genomes = genomes_of(frame.kept)
        evolving = frame.state.evolution
        evolutions = evolving if isinstance(evolving, tuple) else (evolving,)
        steps = " and ".join(dict.fromkeys(f"{each.step_size:.2g}" for each in evolutions))
        self.title.set_text(f"The {genomes.shape[1]} genes of the best; step size {steps}")
        return {"best": genomes}, self.picture.paint(frame.kept)


class Genes:
    """Axes on which each gene is a line, or a row of shades; few lines have a name in a legend.

    Of more than `MANY` genes the lines are quantiles.
    """

    def __init__(self, axes: Axes, labels: Sequence[str], *, lines: bool) -> None:
        self.is_spread = lines and len(labels) > MANY
        labels = tuple(SPREAD) if self.is_spread else labels
        self.axes, self.few = axes, len(labels) <= FEW
        self.lines: list[Any] = []
        self.image: Any = None
        self.artists: list[Artist] = self.lines
        self.frozen: tuple[float, ...] = ()
        axes.set_xlabel("fitness evaluations")
        if lines:
            for gene, name in enumerate(labels):
                look = nth_look(gene) | {"linewidth": 1.3}
                self.lines += axes.plot([], [], label=name, **look)
            axes.set_ylabel("value of a gene")
            if self.few:
                legend(axes, loc="upper left", ncols=3)
            return
        blank = np.zeros((len(labels), MOMENTS))
        self.image = axes.imshow(blank, cmap=WINNINGS, aspect="auto", interpolation="nearest")
        self.artists = [self.image]
        axes.grid(False)
        axes.set_ylabel("gene")
        axes.yaxis.set_major_locator(MaxNLocator(6, integer=True))

    def paint(self, kept: Kept) -> bool:
        """Show genomes; return whether the axes had to grow."""
        genomes = genomes_of(kept)
        if self.is_spread:
            genomes = np.quantile(genomes, list(SPREAD.values()), axis=1).T
        evaluations = np.array([float(each.evaluations) for _, each in kept])
        last, low, high = evaluations[-1], float(genomes.min()), float(genomes.max())
        for line, values in zip(self.lines, genomes.T, strict=False):
            line.set_data(evaluations, values)
        room = 0.0 if self.image is not None else 0.35 if self.few else 0.05
        limits = (*eighths(low, high, room), float(round_end(last)))
        grown, self.frozen = limits != self.frozen, limits
        if self.image is None:
            self.axes.set(ylim=limits[:2], xlim=(0, limits[2]))
            return grown
        shown = np.searchsorted(evaluations, np.linspace(0.0, last, MOMENTS), side="right") - 1
        self.image.set_data(genomes[np.maximum(shown, 0)].T)
        self.image.set_extent((0.0, last, genomes.shape[1] + 0.5, 0.5))
        self.image.set_clim(*limits[:2])
        self.axes.set(xlim=(0, limits[2]), ylim=(genomes.shape[1] + 0.5, 0.5))
        return grown


def eighths(low: float, high: float, room: float) -> tuple[float, float]:
    """Return limits around values that change seldom: eighths of a power of two, `room` above."""
    size = high - low if high - low > SAME else 1.0
    unit = 2.0 ** np.floor(np.log2(size)) / 4.0
    return unit * float(np.floor(low / unit)), unit * float(np.ceil((high + room * size) / unit))


def plot_evolution(run: Run, title: str = "", *, log: bool = True) -> Figure:
    """Draw an evolution as the paper's Figure 6: exploitability on the left, the genome on the right.

    Parameters
    ----------
    run : Run
        Made with `keep=evolved_of`, such as a bench's, with the columns of the paper's experiment.
    title : str
        What the picture shows.
    log : bool
        Whether exploitability is on a log scale.

    Raises
    ------
    SettingError
        If the run has not kept genomes, or not measured what is drawn.
    """
    frame = look_at(run, run.iteration)
    measured = {column.name for column in frame.columns}
    kept = frame.kept and isinstance(frame.kept[-1][1], Evolved)
    if not kept or not {"evaluations", "nash_conv"} <= measured:
        raise SettingError(
            "the run keeps no genomes or does not measure 'evaluations' and 'nash_conv'; make it as the paper's"
            " experiment does, with keep=pl.workbench.evolved_of."
        )
    made, (left, right) = figure(7.6, 3.2, columns=2)
    curves = gap_on(left, frame, log=log, words="exploitability", key={"loc": "upper right"})
    labels = frame.state.encoding.gene_labels
    genes = Genes(right, labels, lines=not MOST_LINES < len(labels) <= MANY)
    curves.paint(frame)
    genes.paint(frame.kept)
    for axes in (left, right):
        axes.set_xlim(0, frame.across("evaluations")[-1])
    if genes.image is not None:
        color_scale(genes.image, "value of the gene")
    curves.title.set_text("")
    words = title or gap_title(curves, frame)
    made.suptitle(words, x=0.01, ha="left", fontsize=TITLE_SIZE, color=INK)
    return made


def plot_nested_runs(axes: Axes, runs: Any) -> list[Line2D]:
    """Draw an outer run with all its inner runs, against the matches played.

    Each gray line is an inner run: replies evolve against one genome and win more and more. The end
    of the run is the genome's worst case as far as it was found; the outer run keeps the genome whose
    worst case is least, and so goes down toward zero, where nobody can be exploited. Every other outer
    generation is shaded; where the inner budget grows, they become wider.

    Parameters
    ----------
    axes : Axes
        Where to draw.
    runs : NestedRuns
        From `papers.samothrakis2011.record_nested_runs`.

    Returns
    -------
    list of Line2D
        What was found about the best genome, and what exact best responses win against it.
    """
    for before, after in zip(runs.evaluations[:-1:2], runs.evaluations[1::2], strict=False):
        axes.axvspan(before, after, color="#f1f1f1", linewidth=0, zorder=0)
    rises = [list(zip(run.evaluations, run.won, strict=True)) for run in runs.inner]
    words = "an inner run: what its best reply wins"
    axes.add_collection(LineCollection(rises, colors=GRAY, linewidths=0.8, alpha=0.8, label=words))
    ends = np.array([rise[-1] for rise in rises])
    axes.plot(*ends.T, linestyle="none", marker=".", markersize=3.0, color=GRAY)
    below = EXACT | {"linewidth": 6.0, "alpha": 0.4, "zorder": 2}
    above = FOUND | {"zorder": 3}
    lines = axes.step(runs.evaluations, runs.found, where="post", label=FOUND_LABEL, **above)
    lines += axes.step(runs.evaluations, runs.exact, where="post", label=EXACT_LABEL, **below)
    for line, (value, *_) in zip(lines, (runs.found[::-1], runs.exact[::-1]), strict=True):
        axes.plot(runs.evaluations[-1], value, marker="D", markersize=5.0, color=line.get_color())
    axes.axhline(0.0, color="#888888", linewidth=0.8)
    axes.autoscale_view()
    axes.set_xlim(0, 1.02 * runs.evaluations[-1])
    axes.set_xlabel("matches between a reply and a genome; bands: outer generations")
    unit = runs.states[0].game.unit.plural
    axes.set_ylabel(f"won against the genome ({unit})")
    legend(axes, loc="upper right")
    found, exact = with_minus(f"{runs.found[-1]:.2g}"), f"{runs.exact[-1]:.2g} {unit}"
    title = f"{len(runs.evaluations) - 1} outer generations: found {found}, exact {exact}"
    axes.set_title(title, loc="left")
    return lines
