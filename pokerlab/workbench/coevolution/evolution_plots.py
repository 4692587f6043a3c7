"""Figure 6 of Samothrakis & Lucas: the best's exploitability, and its genome, against evaluations."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from pokerlab.core import UnknownNameError
from pokerlab.core.arrays import Floats
from pokerlab.runs import Run
from pokerlab.workbench.coevolution.evolved import (
    Kept,
    encoding_of,
    evaluations_of,
    genomes_of,
    kept_of,
)
from pokerlab.workbench.coevolution.genome_picture import GenomeImage, genome_picture
from pokerlab.workbench.live.convergence_view import decades
from pokerlab.workbench.plots import legend
from pokerlab.workbench.style import BLUE, INK, RED, TITLE_SIZE, figure, logarithmic

FORMS = ("auto", "lines", "shades")
FOUND: dict[str, Any] = {"color": RED, "linestyle": "--", "linewidth": 1.6}
EXACT: dict[str, Any] = {"color": BLUE, "linestyle": "-", "linewidth": 1.8}
FOUND_LABEL, EXACT_LABEL = "found by the worst case", "exact best response"


def plot_exploitability(
    axes: Axes, source: Run | Iterable[Any], *, log: bool = True
) -> list[Line2D]:
    """Draw the exploitability of the best genome against evaluations: as found, and exact.

    Parameters
    ----------
    axes : Axes
        Where.
    source : Run or iterable of states
        Run with `keep=evolved_of`, such as a bench's; or states in the order of their generations.
    log : bool
        Whether exploitability is on a log scale.

    Returns
    -------
    list of Line2D
        The exact curve, and that of what was found if it is another.
    """
    kept = kept_of(source)
    across = evaluations_of(kept)
    exact, found = curves_of(kept)
    lines = axes.plot(across, drawable(exact, log=log), label=EXACT_LABEL, **EXACT)
    if not np.array_equal(found, exact):
        lines += axes.plot(across, drawable(found, log=log), label=FOUND_LABEL, **FOUND)
        legend(axes)
    if log:
        logarithmic(axes, "y")
        axes.set_ylim(*decades([*exact.tolist(), *found.tolist()]))
    axes.set_xlabel("fitness evaluations")
    unit = encoding_of(source).game.unit.plural
    axes.set_ylabel(f"exploitability ({unit}{', log' * log})")
    return lines


def curves_of(kept: Kept) -> tuple[Floats, Floats]:
    """Return the exact exploitability at each recording, and the one found."""
    exact, found = ([each.exact for _, each in kept], [each.found for _, each in kept])
    return np.array(exact), np.array(found)


def drawable(values: Floats, *, log: bool) -> Floats:
    """Return values, on a log scale without those that have no place there."""
    return np.where(values > 0.0, values, np.nan) if log else values


def plot_genome(axes: Axes, source: Run | Iterable[Any], *, form: str = "auto") -> Floats:
    """Draw the values of the best genome against evaluations.

    Parameters
    ----------
    axes : Axes
        Where.
    source : Run or iterable of states
        As in `plot_exploitability`.
    form : {'auto', 'lines', 'shades'}
        A line for each gene, or a row of shades; lines up to 30 genes if not said.

    Returns
    -------
    ndarray of shape (recordings, G)
        The genomes shown.

    Raises
    ------
    UnknownNameError
        If there is no such form.
    """
    UnknownNameError.check("form", form, FORMS)
    kept = kept_of(source)
    genomes = genomes_of(kept)
    drawn = genome_picture(axes, encoding_of(source).gene_labels, form)
    drawn.paint(evaluations_of(kept), genomes)
    axes.set_xlim(0, evaluations_of(kept)[-1])
    if isinstance(drawn, GenomeImage):
        drawn.add_scale()
    axes.set_xlabel("fitness evaluations")
    return genomes


def plot_evolution(
    source: Run | Iterable[Any], title: str = "", *, form: str = "auto", log: bool = True
) -> Figure:
    """Draw an evolution as the paper's Figure 6: exploitability on the left, the genome on the right.

    Parameters
    ----------
    source, form, log
        As in `plot_exploitability` and `plot_genome`.
    title : str
        What there is to find.

    Returns
    -------
    Figure
        To be given to `show`.
    """
    source = source if isinstance(source, Run) else list(source)
    made, (left, right) = figure(7.6, 3.2, columns=2)
    plot_exploitability(left, source, log=log)
    plot_genome(right, source, form=form)
    _, last = kept_of(source)[-1]
    unit = encoding_of(source).game.unit.plural
    words = f"Exploitable by {last.exact:.3g} {unit} after {last.evaluations:,} evaluations"
    made.suptitle(title or words, x=0.01, ha="left", fontsize=TITLE_SIZE, color=INK)
    return made
