"""Helpers for the plots that lessons draw by hand: convergence curves, and legends that do not cover data."""

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
    add_legend_below_figure,
    check_axes,
    list_legend_entries,
    look,
    nth_look,
    set_logarithmic,
)

COLUMN_WORDS = {"nash_conv": "NashConv"}  # the words for parts of column names
PROFILES = ("average", "current")
PUBLISHED_PREFIX = "published:"
"""The beginning of the `gid` of lines for published numbers. Their keys follow, joined by commas."""


def convergence(
    axes: Axes,
    history: History,
    column: str,
    label: str | None = None,
    *,
    against: str = "iteration",
    **style: Any,
) -> Line2D:
    """Draw a column of the history of a run over iterations or seconds, on two logarithmic axes.

    Parameters
    ----------
    axes : Axes
        Where to draw.
    history : History
        The history of the run.
    column : str
        The name of the column.
    label : str, optional
        The words in the legend. A label with a look of its own, such as 'CFR+', is drawn in this look.
    against : {'iteration', 'seconds'}
        The horizontal axis. Seconds are those of the solver alone, the same for each iteration.
    **style
        Keywords of `Axes.plot` that replace those of the look.

    Returns
    -------
    Line2D
        The curve, which has the positive values after iteration 0.

    Raises
    ------
    SettingError
        If an argument is of another type, or `against` is another text.
    """
    check_axes(axes)
    check_kind("history", history, History, "the history of a run, run.history")
    check_kind("label", label, str | None, "a text, or nothing")
    values = history[column]
    across = select_x_values(history, against)
    drawn = (history["iteration"] >= 1) & (values > 0)
    looks = look(label) if label in LOOKS else nth_look(len(axes.lines))
    (line,) = axes.plot(across[drawn], values[drawn], label=label, **{**looks, **style})
    set_logarithmic(axes, "x", "y")
    axes.set_xlabel(f"{against} (log)")
    axes.set_ylabel(write_axis_label(column, history.units[column]))
    return line


def select_x_values(history: History, against: str) -> Floats:
    """Return the iteration of each recording, or the seconds of the solver up to it."""
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
    texts = [gid.removeprefix(PUBLISHED_PREFIX) for gid in gids if gid.startswith(PUBLISHED_PREFIX)]
    return [key for text in texts for key in text.split(",")]


def write_axis_label(column: str, unit: str, *, logarithmic: bool = True) -> str:
    """Return the axis label of a column, such as 'NashConv (chips, log)' for 'nash_conv_average' in chips."""
    for profile in PROFILES:
        column = column.removesuffix(f"_{profile}")
    notes = ", ".join(filter(None, (unit, "log" if logarithmic else "")))
    return f"{spell_column(column)} ({notes})" if notes else spell_column(column)


def spell_column(column: str) -> str:
    """Return the name of a column as words, such as 'worst case'."""
    for name, word in COLUMN_WORDS.items():
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
"""The places of a legend inside the axes: shares of the room beside it from the left and from below."""


class CurveLegendHandler(HandlerLine2D):
    """Draws the handle of a curve in a legend without a marker if the curve has none."""

    def create_artists(self, legend: Legend, orig_handle: Artist, *where: Any) -> Any:
        """Return the artists that represent a curve in the legend."""
        made = super().create_artists(legend, orig_handle, *where)
        if isinstance(orig_handle, Line2D) and orig_handle.get_markevery() == []:
            for line in made:
                line.set(marker="")
        return made


LEGEND_LOOK: Any = {"frameon": False, "fontsize": SMALL_SIZE, "handlelength": 3.0}
LEGEND_LOOK["handler_map"] = {Line2D: CurveLegendHandler()}
"""The arguments that all legends share."""


def legend(axes: Axes, **kwargs: Any) -> None:
    """Add a legend in the style of all figures.

    Parameters
    ----------
    axes : Axes
        Where to add it.
    **kwargs
        Further arguments of `Axes.legend`, which replace those of the style.
    """
    axes.legend(**{**LEGEND_LOOK, **kwargs})


def move_legends(figure: Figure) -> None:
    """Move each legend that covers data to a corner of its axes where it covers none, or below the figure."""
    figure.draw_without_rendering()
    below: dict[str, Any] = {}
    looks: Legend | None = None
    for axes in figure.axes:
        like = axes.get_legend()
        if like is not None and not move_to_free_corner(axes):
            below |= list_legend_entries(like)
            like.remove()
            looks = like
    if looks is not None:
        add_legend_below_figure(figure, below, looks)


def move_to_free_corner(axes: Axes) -> bool:
    """Move the legend of axes to a corner where it covers no data, if it covers some now.

    Returns
    -------
    bool
        False if it covers data in every corner; then it stays where it is.
    """
    drawn = axes.get_legend()
    if drawn is None or not covers_data(axes, box := drawn.get_window_extent()):
        return True
    free = (
        corner for corner in CORNERS if not covers_data(axes, find_box_in_corner(axes, box, corner))
    )
    corner = next(free, None)
    if corner is not None:
        drawn.set_loc(corner)  # type: ignore[arg-type]
    return corner is not None


def find_box_in_corner(axes: Axes, box: Bbox, corner: str) -> Bbox:
    """Return the box that a legend of the size of `box` would have in a corner, in pixels."""
    room = axes.get_window_extent().padded(-PADDING)
    (x, y) = CORNERS[corner]
    left = room.x0 + x * (room.width - box.width)
    below = room.y0 + y * (room.height - box.height)
    return Bbox.from_bounds(left, below, box.width, box.height)


def covers_data(axes: Axes, box: Bbox) -> bool:
    """Return whether a box in pixels covers anything drawn: curves, points, bands, images or words."""
    if not axes.get_window_extent().overlaps(box):
        return False
    for line in axes.lines:
        path = line.get_path().transformed(line.get_transform())
        joined = line.get_linestyle() not in ("None", "none", "", " ")
        if joined and path.intersects_bbox(box, filled=False):
            return True
        if not joined and box.count_contains(select_finite_rows(path.vertices)):
            return True
    for drawn in axes.collections:
        if isinstance(drawn, PathCollection):
            places = drawn.get_offset_transform().transform(drawn.get_offsets())
            if box.count_contains(select_finite_rows(places)):
                return True
        elif covers_collection(drawn, box):
            return True
    boxes = [each.get_window_extent() for each in (*axes.patches, *axes.images, *axes.texts)]
    return any(box.overlaps(other) for other in boxes)


def covers_collection(drawn: Collection, box: Bbox) -> bool:
    """Return whether a box in pixels covers a part of a collection: bands, cells or error bars."""
    filled = len(drawn.get_facecolor()) > 0
    places = drawn.get_transform()
    pieces = (
        piece
        for path in drawn.get_paths()
        for piece in places.transform_path(path).to_polygons(closed_only=filled)
    )
    return any(Path(piece).intersects_bbox(box, filled=filled) for piece in pieces)


def select_finite_rows(places: Any) -> Any:
    """Return the rows of an array without NaN or infinity, of shape (rows, 2)."""
    return np.asarray(places)[np.isfinite(places).all(axis=1)]
