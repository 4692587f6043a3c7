"""Pictures of a coevolution: the exploitability of the best genome, the genome itself, and inner runs."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D

from pokerlab.core import Floats
from pokerlab.games.contests import Contest
from pokerlab.runs import Column
from pokerlab.solvers.minimax_coevolution import MinimaxState
from pokerlab.workbench.live.view import Frame
from pokerlab.workbench.picture import Axis, Callout, ColorScale, Curve, Curves, HeatMap, Strip
from pokerlab.workbench.plots import legend
from pokerlab.workbench.style import (
    EXACT_LABEL,
    EXACT_LOOK,
    FOUND_LABEL,
    FOUND_LOOK,
    GRAY,
    WINNING_COLORS,
    nth_look,
)
from pokerlab.workbench.text import count_in_words, put_true_minus
from pokerlab.workbench.views.curves import SMALLEST_DIFFERENCE, Scales, draw_curves, round_end

LOOKS = {"nash_conv": (EXACT_LABEL, EXACT_LOOK), "worst_case": (FOUND_LABEL, FOUND_LOOK)}
"""The labels and the looks of the columns. A run whose fitness is exact has only the first one."""
MOST_NAMED_GENES = 6  # the most genes that a legend names
MOST_LINES, MOST_SHADED_GENES = 30, 120
"""The most genes that are drawn as lines at first, and the most that are drawn one by one. Of more genes, quantiles are
drawn."""
SPREAD = {
    "largest": 1.0,
    "90th percentile": 0.9,
    "median": 0.5,
    "10th percentile": 0.1,
    "smallest": 0.0,
}
"""The quantiles that are drawn of many genes, by their names."""
LEAST_WIDTH = (
    1 / 240
)  # of the heat map of genes: how wide the last genome is, which has only been found
EQUAL_DISTANCE = (
    1e-9  # genes that lie closer together are shown as one, on a scale of their own size
)


class Evolved(NamedTuple):
    """The values of a coevolution's state that pictures need later.

    Attributes
    ----------
    evaluations : int
        The number of fitness values that the outer evolution has found so far.
    genome : array of shape (G,)
        The best genome.
    """

    evaluations: int
    genome: Floats


KeptGenomes = Sequence[tuple[int, Evolved]]
"""Generations and their best genomes, which a `Run` made with `keep=extract_evolved` has kept."""


def extract_evolved(state: Any) -> Evolved | None:
    """Return the values of a coevolution's state that pictures need later, or None for other states."""
    if not isinstance(state, MinimaxState):
        return None
    in_contest = isinstance(state.game, Contest)  # where vectors stand for genomes within ranges
    return Evolved(state.evaluations, state.profile if in_contest else state.best)


def stack_genomes(kept_genomes: KeptGenomes) -> Floats:
    """Return the best genome of each recording, as an array of shape (recordings, G)."""
    return np.array([each.genome for _, each in kept_genomes])


ESTIMATE_WORDS = "what the judge believes"


@dataclass(frozen=True)
class GapView:
    """Exploitability of the best genome against evaluations, as found and by exact best responses.

    An estimate can be negative, although no exploitability is. Then the axis is linear, and an arrow points there.
    """

    name = "gap"
    height = 2.35
    choice_label = "Exploitability"
    caption = "Solid: what best responses win from the best genome. Dashed: what its fitness evaluation estimates."

    def list_choices(self, frame: Frame) -> Mapping[str, bool | None]:
        """Return the scales of exploitability."""
        return {"log if positive": None, "linear": False}

    def draw(self, frame: Frame, chosen: bool | None) -> Strip:
        """Return the strip with both curves, whose title states the exact exploitability and the estimate."""
        columns = find_gap_columns(frame)
        _, *found = (frame.read_curve(column)[1][-1] for column in columns)
        callout = None
        if found and found[0] < 0.0:
            callout = Callout(ESTIMATE_WORDS, frame.read_by_name("evaluations")[-1], found[0])
        curves = draw_curves(
            frame,
            columns,
            [LOOKS[column.name] for column in columns],
            "exploitability\n",  # with the unit on a second line
            Scales("evaluations", log_y=chosen, room=1.25, parts=4),
            title=describe_gap(frame, columns),
            callout=callout,
            legend="best",
            legend_frame=True,
        )
        return Strip(self.name, self.height, ((curves,),))


def find_gap_columns(frame: Frame) -> list[Column]:
    """Return the column of the exact exploitability, and that of the estimate if it is recorded."""
    return [column for column in frame.columns if column.name in LOOKS]


def describe_gap(frame: Frame, columns: Sequence[Column]) -> str:
    """Return the exact exploitability of the best genome and the estimate of its judge in words."""
    exact, *found = (frame.read_curve(column)[1][-1] for column in columns)
    words = f"Exploitability of the best genome: {exact:.3g} {columns[0].unit}"
    when = f"after {count_in_words(int(frame.read_by_name('evaluations')[-1]), 'evaluation')}"
    if not found or abs(exact - found[0]) < SMALLEST_DIFFERENCE:
        return f"{words} {when}"
    return f"{words}; its judge believes {put_true_minus(f'{found[0]:.3g}')}"


@dataclass(frozen=True)
class GenomeView:
    """The best genome's genes, each as a line or a row of a heat map. Of many genes, quantiles are drawn."""

    name = "genome"
    height = 1.75
    choice_label = "Genome as"
    caption = "The genes of the best genome jump where a better one is found; of many genes, percentiles are shown."

    def list_choices(self, frame: Frame) -> Mapping[str, bool]:
        """Return whether genes are drawn as lines, with the form that is easier to read first."""
        count = frame.state.encoding.num_genes
        forms = {"lines": True, "shades": False}
        if count <= MOST_LINES:
            return forms
        return dict(reversed(forms.items())) if count <= MOST_SHADED_GENES else {"spread": True}

    def draw(self, frame: Frame, chosen: bool) -> Strip:
        """Return the strip with the genes of all generations so far."""
        evolving = frame.state.evolution
        evolutions = evolving if isinstance(evolving, tuple) else (evolving,)
        steps = " and ".join(dict.fromkeys(f"{each.step_size:.2g}" for each in evolutions))
        labels = frame.state.encoding.gene_labels
        title = f"The {len(labels)} genes of the best; step size {steps}"
        draw_genes = draw_genes_as_lines if chosen else draw_genes_as_heat_map
        return Strip(self.name, self.height, ((draw_genes(frame.kept_values, labels, title),),))


def draw_genes_as_lines(
    kept_genomes: KeptGenomes, labels: Sequence[str], title: str = ""
) -> Curves:
    """Return a curve for each gene, or for each quantile if there are more than `MOST_SHADED_GENES` genes.

    A few genes are named in a legend.
    """
    genomes = stack_genomes(kept_genomes)
    low, high = float(genomes.min()), float(genomes.max())
    if len(labels) > MOST_SHADED_GENES:
        labels = tuple(SPREAD)
        genomes = np.quantile(genomes, list(SPREAD.values()), axis=1).T
    evaluations = np.array([float(each.evaluations) for _, each in kept_genomes])
    are_few = len(labels) <= MOST_NAMED_GENES
    curves = tuple(
        Curve(
            evaluations,
            values,
            label,
            label if are_few else "",
            nth_look(gene) | {"linewidth": 1.3},
        )
        for gene, (label, values) in enumerate(zip(labels, genomes.T, strict=True))
    )
    limits = round_limits(low, high, 0.35 if are_few else 0.05)
    return Curves(
        Axis("fitness evaluations", (0.0, float(round_end(evaluations[-1])))),
        Axis("value of a gene", limits),
        curves,
        title,
        legend="upper left" if are_few else "",
        legend_columns=3,
    )


def draw_genes_as_heat_map(
    kept_genomes: KeptGenomes, labels: Sequence[str], title: str = ""
) -> HeatMap:
    """Return a heat map with a row for each gene, and with evaluations on the horizontal axis."""
    genomes = stack_genomes(kept_genomes)
    evaluations = np.array([float(each.evaluations) for _, each in kept_genomes])
    last = float(evaluations[-1])
    low, high = round_limits(float(genomes.min()), float(genomes.max()), 0.0)
    return HeatMap(
        genomes.T,
        Axis("fitness evaluations", (0.0, float(round_end(last)))),
        Axis("gene", (len(labels) + 0.5, 0.5), is_whole=True),
        ColorScale(WINNING_COLORS, low, high),
        key="best",
        title=title,
        x_edges=np.concatenate([[0.0], evaluations[1:], [last + max(last, 1.0) * LEAST_WIDTH]]),
        rows=tuple(labels),
        scale_label="value of the gene",
    )


def round_limits(low: float, high: float, room: float) -> tuple[float, float]:
    """Return limits of an axis that change seldom: multiples of a quarter of a power of two.

    The upper limit is above `high` by at least the share `room` of the range.
    """
    size = high - low if high - low > EQUAL_DISTANCE else 1.0
    unit = 2.0 ** np.floor(np.log2(size)) / 4.0
    return unit * float(np.floor(low / unit)), unit * float(np.ceil((high + room * size) / unit))


def plot_nested_runs(axes: Axes, runs: Any) -> list[Line2D]:
    """Draw an outer run with all its inner runs, against the matches played.

    Each gray line is an inner run: responses evolve against one genome and win more and more. The end
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
    rises = [list(zip(run.evaluations, run.response_winnings, strict=True)) for run in runs.inner]
    words = "an inner run: what its best response wins"
    axes.add_collection(LineCollection(rises, colors=GRAY, linewidths=0.8, alpha=0.8, label=words))
    ends = np.array([rise[-1] for rise in rises])
    axes.plot(*ends.T, linestyle="none", marker=".", markersize=3.0, color=GRAY)
    below = EXACT_LOOK | {"linewidth": 6.0, "alpha": 0.4, "zorder": 2}
    above = FOUND_LOOK | {"zorder": 3}
    lines = axes.step(
        runs.evaluations, runs.found_exploitability, where="post", label=FOUND_LABEL, **above
    )
    lines += axes.step(
        runs.evaluations, runs.exact_exploitability, where="post", label=EXACT_LABEL, **below
    )
    last_values = (runs.found_exploitability[-1], runs.exact_exploitability[-1])
    for line, value in zip(lines, last_values, strict=True):
        axes.plot(runs.evaluations[-1], value, marker="D", markersize=5.0, color=line.get_color())
    axes.axhline(0.0, color="#888888", linewidth=0.8)
    axes.autoscale_view()
    axes.set_xlim(0, 1.02 * runs.evaluations[-1])
    axes.set_xlabel("matches between a response and a genome; bands: outer generations")
    unit = runs.states[0].game.unit.plural
    axes.set_ylabel(f"won against the genome ({unit})")
    legend(axes, loc="upper right")
    found = put_true_minus(f"{runs.found_exploitability[-1]:.2g}")
    exact = f"{runs.exact_exploitability[-1]:.2g} {unit}"
    title = f"{len(runs.evaluations) - 1} outer generations: found {found}, exact {exact}"
    axes.set_title(title, loc="left")
    return lines
