"""Legends that cover no data: each stands in a free corner of its axes, or below the figure if there is none."""

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

from pokerlab.workbench.style import SMALL_SIZE

PADDING = 8.0
"""Pixels between a legend and the ends of its axes."""
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


QUIET: Any = {
    "frameon": False,
    "fontsize": SMALL_SIZE,
    "handlelength": 3.0,
    "handler_map": {Line2D: CurveHandler()},
}
"""The legend that all figures share."""
MOST_IN_A_ROW = 4
"""Entries of a legend below a figure."""


def legend(axes: Axes, **kwargs: Any) -> None:
    """Add the quiet legend that all figures share; keywords go to `Axes.legend`."""
    axes.legend(**{**QUIET, **kwargs})


def move_legends(figure: Figure) -> None:
    """Move each legend that covers data to a free corner of its axes.

    Where no corner is free, the entries stand below the figure, those of several axes in one
    legend. A legend that was put beside its axes stays.
    """
    figure.draw_without_rendering()
    below: dict[str, Any] = {}
    for axes in figure.axes:
        drawn = axes.get_legend()
        if drawn is None or not covers_data(axes, box := drawn.get_window_extent()):
            continue
        free = (corner for corner in CORNERS if not covers_data(axes, in_corner(axes, box, corner)))
        corner = next(free, None)
        if corner is not None:
            drawn.set_loc(corner)  # type: ignore[arg-type]
            continue
        texts = [text.get_text() for text in drawn.get_texts()]
        below |= dict(zip(texts, drawn.legend_handles, strict=True))
        drawn.remove()
    if below:
        columns = min(len(below), MOST_IN_A_ROW)
        where: Any = {"loc": "outside lower center", "ncols": columns}
        figure.legend(list(below.values()), list(below), **QUIET, **where)


def in_corner(axes: Axes, box: Bbox, corner: str) -> Bbox:
    """Return where a legend of this size stands in a corner, in pixels."""
    room, (x, y) = axes.get_window_extent().padded(-PADDING), CORNERS[corner]
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
        if not joined and box.count_contains(finite(path.vertices)):
            return True
    for drawn in axes.collections:
        if isinstance(drawn, PathCollection):
            places = drawn.get_offset_transform().transform(drawn.get_offsets())
            if box.count_contains(finite(places)):
                return True
        elif crosses(drawn, box):
            return True
    boxes = [each.get_window_extent() for each in (*axes.patches, *axes.images, *axes.texts)]
    return any(box.overlaps(other) for other in boxes)


def crosses(drawn: Collection, box: Bbox) -> bool:
    """Return whether a box, in pixels, lies over bands, cells or bars of errors."""
    filled = len(drawn.get_facecolor()) > 0
    places = drawn.get_transform()
    pieces = (
        piece
        for path in drawn.get_paths()
        for piece in places.transform_path(path).to_polygons(closed_only=filled)
    )
    return any(Path(piece).intersects_bbox(box, filled=filled) for piece in pieces)


def finite(places: Any) -> Any:
    """Return the rows of an array of places that are somewhere."""
    return np.asarray(places)[np.isfinite(places).all(axis=1)]
