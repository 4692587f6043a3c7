"""Figure 2 of Samothrakis & Lucas from a real run: inner runs rise within each outer step, and the best falls."""

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.lines import Line2D

from pokerlab.papers.samothrakis2011.inner_runs import NestedRuns
from pokerlab.workbench.pictures.plots import legend
from pokerlab.workbench.pictures.text import with_minus
from pokerlab.workbench.style import EXACT, EXACT_LABEL, FOUND, FOUND_LABEL, GRAY

INNER_LABEL = "an inner run: what its best reply wins"


def plot_nested_runs(axes: Axes, runs: NestedRuns) -> list[Line2D]:
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
        From `papers.samothrakis2011.inner_runs.nested_runs`.

    Returns
    -------
    list of Line2D
        What was found about the best genome, and what exact best responses win against it.
    """
    for before, after in zip(runs.evaluations[:-1:2], runs.evaluations[1::2], strict=False):
        axes.axvspan(before, after, color="#f1f1f1", linewidth=0, zorder=0)
    rises = [list(zip(run.evaluations, run.won, strict=True)) for run in runs.inner]
    axes.add_collection(
        LineCollection(rises, colors=GRAY, linewidths=0.8, alpha=0.8, label=INNER_LABEL)
    )
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
    axes.set_title(
        f"{len(runs.evaluations) - 1} outer generations: found {with_minus(f'{runs.found[-1]:.2g}')},"
        f" exact {runs.exact[-1]:.2g} {unit}",
        loc="left",
    )
    return lines
