"""Plots that lessons draw by hand: convergence of a run, and legends that cover no data."""

from itertools import product
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.collections import Collection, PathCollection
from matplotlib.figure import Figure
from matplotlib.legend import Legend
from matplotlib.legend_handler import HandlerLine2D
from matplotlib.lines import Line2D
from matplotlib.path import Path
from matplotlib.transforms import Bbox

from pokerlab.core import Floats, SettingError
from pokerlab.core.settings import check_kind
from pokerlab.runs import History
from pokerlab.workbench.style import (
    LOOKS,
    SMALL_SIZE,
    check_axes,
    list_entries,
    look,
    nth_look,
    put_below,
    set_logarithmic,
)

WORDS = {"nash_conv": "NashConv"}  # column names whose parts are not plain words
PROFILES = ("average", "current")
KEYS = "published:"  # how the names begin of what is drawn for printed numbers; their keys follow


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
    check_axes(axes)
    check_kind("history", history, History, "the history of a run, run.history")
    check_kind("label", label, str | None, "a text, or nothing")
    values = history[column]
    across = read_abscissa(history, against)
    drawn = (history["iteration"] >= 1) & (values > 0)
    looks = look(label) if label in LOOKS else nth_look(len(axes.lines))
    (line,) = axes.plot(across[drawn], values[drawn], label=label, **{**looks, **style})
    set_logarithmic(axes, "x", "y")
    axes.set_xlabel(f"{against} (log)")
    axes.set_ylabel(write_axis_label(column, history.units[column]))
    return line


def read_abscissa(history: History, against: str) -> Floats:
    """Return the horizontal coordinate of each recording."""
    iteration = history["iteration"]
    check_kind("against", against, str, "'iteration' or 'seconds'")
    if against == "iteration":
        return iteration
    if against != "seconds":
        raise SettingError(f"against is '{against}'; it may be 'iteration' or 'seconds'.")
    seconds_each = float(history.provenance["seconds"]) / max(float(iteration[-1]), 1.0)
    return iteration * seconds_each


def find_published_keys(figure: Figure) -> list[str]:
    """Return the keys of the published numbers that are marked anywhere in a figure."""
    gids = [line.get_gid() or "" for axes in figure.axes for line in axes.lines]
    texts = [gid.removeprefix(KEYS) for gid in gids if gid.startswith(KEYS)]
    return [key for text in texts for key in text.split(",")]


def write_axis_label(column: str, unit: str, *, logarithmic: bool = True) -> str:
    """Return what an axis says about a column, such as 'NashConv (chips, log)', of whatever profile."""
    for profile in PROFILES:
        column = column.removesuffix(f"_{profile}")
    notes = ", ".join(filter(None, (unit, "log" if logarithmic else "")))
    return f"{spell_column(column)} ({notes})" if notes else spell_column(column)


def spell_column(column: str) -> str:
    """Return a column's name as words."""
    for name, word in WORDS.items():
        column = column.replace(name, word)
    return column.replace("_", " ")


PADDING = 8.0  # pixels between a legend and the ends of its axes
CORNERS = {
    f"{up} {across}": (x, y)
    for (up, y), (across, x) in product(
        {"upper": 1.0, "lower": 0.0, "center": 0.5}.items(),
        {"right": 1.0, "left": 0.0, "center": 0.5}.items(),
    )
    if (up, across) != ("center", "center")
}
"""Places inside the axes, as shares of the room that a legend leaves."""


class CurveHandler(HandlerLine2D):
    """Draws a curve in the legend as it is on the axes: without a marker if it has none there."""

    def create_artists(self, legend: Legend, orig_handle: Artist, *where: Any) -> Any:
        """Return what stands in the legend for a curve."""
        made = super().create_artists(legend, orig_handle, *where)
        if isinstance(orig_handle, Line2D) and orig_handle.get_markevery() == []:
            for line in made:
                line.set(marker="")
        return made


QUIET: Any = {"frameon": False, "fontsize": SMALL_SIZE, "handlelength": 3.0}
QUIET["handler_map"] = {Line2D: CurveHandler()}
"""The legend that all figures share."""


def legend(axes: Axes, **kwargs: Any) -> None:
    """Add the quiet legend that all figures share; keywords go to `Axes.legend`."""
    axes.legend(**{**QUIET, **kwargs})


def move_legends(figure: Figure) -> None:
    """Move each legend that covers data to a free corner of its axes; where there is none, below the figure."""
    figure.draw_without_rendering()
    below: dict[str, Any] = {}
    looks: Legend | None = None
    for axes in figure.axes:
        like = axes.get_legend()
        if like is not None and not move_to_free_corner(axes):
            below |= list_entries(like)
            like.remove()
            looks = like
    if looks is not None:
        put_below(figure, below, looks)


def move_to_free_corner(axes: Axes) -> bool:
    """Move the legend of axes, if it covers data, to a corner without; return whether no data is covered now."""
    drawn = axes.get_legend()
    if drawn is None or not covers_data(axes, box := drawn.get_window_extent()):
        return True
    free = (
        corner for corner in CORNERS if not covers_data(axes, place_in_corner(axes, box, corner))
    )
    corner = next(free, None)
    if corner is not None:
        drawn.set_loc(corner)  # type: ignore[arg-type]
    return corner is not None


def place_in_corner(axes: Axes, box: Bbox, corner: str) -> Bbox:
    """Return where a legend of this size stands in a corner, in pixels."""
    room = axes.get_window_extent().padded(-PADDING)
    (x, y) = CORNERS[corner]
    left = room.x0 + x * (room.width - box.width)
    below = room.y0 + y * (room.height - box.height)
    return Bbox.from_bounds(left, below, box.width, box.height)


def covers_data(axes: Axes, box: Bbox) -> bool:
    """Return whether a box, in pixels, lies over anything drawn: curves, points, bands, images, words."""
    if not axes.get_window_extent().overlaps(box):
        return False
    for line in axes.lines:
        path = line.get_path().transformed(line.get_transform())
        joined = line.get_linestyle() not in ("None", "none", "", " ")
        if joined and path.intersects_bbox(box, filled=False):
            return True
        if not joined and box.count_contains(select_finite(path.vertices)):
            return True
    for drawn in axes.collections:
        if isinstance(drawn, PathCollection):
            places = drawn.get_offset_transform().transform(drawn.get_offsets())
            if box.count_contains(select_finite(places)):
                return True
        elif lies_over_data(drawn, box):
            return True
    boxes = [each.get_window_extent() for each in (*axes.patches, *axes.images, *axes.texts)]
    return any(box.overlaps(other) for other in boxes)


def lies_over_data(drawn: Collection, box: Bbox) -> bool:
    """Return whether a box, in pixels, lies over bands, cells or bars of errors."""
    filled = len(drawn.get_facecolor()) > 0
    places = drawn.get_transform()
    pieces = (
        piece
        for path in drawn.get_paths()
        for piece in places.transform_path(path).to_polygons(closed_only=filled)
    )
    return any(Path(piece).intersects_bbox(box, filled=filled) for piece in pieces)


def select_finite(places: Any) -> Any:
    """Return the rows of an array of places that are somewhere."""
    return np.asarray(places)[np.isfinite(places).all(axis=1)]
