"""Plots for notebooks: convergence of one run or several, published numbers."""

from collections.abc import Iterable
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from matplotlib.lines import Line2D

from pokerlab.core import SettingError
from pokerlab.core.arrays import Floats
from pokerlab.papers.experiment import Published
from pokerlab.runs import History
from pokerlab.workbench.style import LOOKS, logarithmic, look, nth_look

WORDS = {"nash_conv": "NashConv"}
"""Column names whose parts are not plain words."""
PROFILES = ("average", "current")
KEYS = "published:"
"""How the names begin of what is drawn for printed numbers; their keys follow."""
UPPER_LIMIT = 0.45
"""Length of the arrow below a number of which a paper says only that ours lies under it."""


def convergence(
    axes: Axes,
    history: History,
    column: str,
    label: str | None = None,
    *,
    against: str = "iteration",
    **style: Any,
) -> Line2D:
    """Draw a column of a run on two log scales.

    Parameters
    ----------
    axes : Axes
        Where to draw.
    history : History
        What the run has measured.
    column : str
        Which column.
    label : str, optional
        What the legend calls it. A label that has a look of its own gets it.
    against : {'iteration', 'seconds'}
        What the horizontal axis counts; seconds are those of the solver alone, which spends equally
        on each iteration.
    **style
        Keywords of `Axes.plot` that overrule the look.

    Returns
    -------
    Line2D
        The curve: the recordings after iteration 0 that a log scale can show.
    """
    values = history[column]
    across = abscissa(history, against)
    drawn = (history["iteration"] >= 1) & (values > 0)
    looks = look(label) if label in LOOKS else nth_look(len(axes.lines))
    (line,) = axes.plot(across[drawn], values[drawn], label=label, **{**looks, **style})
    logarithmic(axes, "x", "y")
    axes.set_xlabel(f"{against} (log)")
    axes.set_ylabel(axis_label(column, history.units[column]))
    return line


def abscissa(history: History, against: str) -> Floats:
    """Return the horizontal coordinate of each recording."""
    iteration = history["iteration"]
    if against == "iteration":
        return iteration
    if against != "seconds":
        raise SettingError(f"against is '{against}'; it may be 'iteration' or 'seconds'.")
    seconds_each = float(history.provenance["seconds"]) / max(float(iteration[-1]), 1.0)
    return iteration * seconds_each


def published_keys(figure: Figure) -> list[str]:
    """Return the keys of the numbers that `published` has marked anywhere in a figure."""
    gids = [line.get_gid() or "" for axes in figure.axes for line in axes.lines]
    texts = [gid.removeprefix(KEYS) for gid in gids if gid.startswith(KEYS)]
    return [key for text in texts for key in text.split(",")]


def axis_label(column: str, unit: str, *, logarithmic: bool = True) -> str:
    """Return what an axis says about a column, such as 'NashConv (chips, log)'.

    Which profile was measured is the legend's to say.
    """
    for profile in PROFILES:
        column = column.removesuffix(f"_{profile}")
    notes = ", ".join(filter(None, (unit, "log" if logarithmic else "")))
    return f"{spoken(column)} ({notes})" if notes else spoken(column)


def spoken(column: str) -> str:
    """Return a column's name as words."""
    for name, word in WORDS.items():
        column = column.replace(name, word)
    return column.replace("_", " ")


def published(
    axes: Axes, rows: Iterable[Published], column: str, label: str | None = "published"
) -> list[tuple[float, float]]:
    """Mark the numbers that a paper prints for `column` as open circles.

    An arrow hangs below a number of which the paper says only that the result is smaller; a number
    without an iteration is a thin line across.

    Returns
    -------
    list of (iteration, value)
        What was marked.
    """
    marked = [row for row in rows if row.column == column]
    points = [(row.iteration, row.value) for row in marked]
    timed = [row for row in marked if np.isfinite(row.iteration)]
    if timed:
        at = [(row.iteration, row.value) for row in timed]
        gid = KEYS + ",".join(row.key for row in timed)
        axes.plot(*zip(*at, strict=True), label=label, gid=gid, **look("published"))
    for row in marked:
        if row not in timed:
            label, gid = row.note or row.key, KEYS + row.key
            axes.axhline(row.value, **look("bound"), label=label, gid=gid)
        elif row.relation == "<":
            axes.errorbar(
                row.iteration,
                row.value,
                yerr=UPPER_LIMIT * row.value,
                uplims=True,
                color=look("published")["color"],
                linewidth=1.2,
                capsize=3,
            )
    return points
