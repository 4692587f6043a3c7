"""Show pictures on a page while a run goes on: the kernel sends the numbers, and the page paints them.

`PictureWidget` is a widget for JupyterLab and Voila, and `encode_picture` returns what is sent. The program of the page
is `browser_painter.js`: it paints as `matplotlib_painter` does, names what the reader points at, and replays a run.
"""

import threading
import time
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any

import anywidget
import numpy as np
from matplotlib.colors import to_hex
from traitlets import Bool, Dict

from pokerlab.core.arrays import Floats
from pokerlab.core.workers import can_start_threads
from pokerlab.workbench.picture import (
    Arrows,
    Axis,
    Bars,
    ColorScale,
    Curve,
    Curves,
    Group,
    HeatMap,
    Level,
    Panel,
    Picture,
    Triangle,
)

MOST_EXACT_VALUES = 400
"""The most values of a heat map that are sent as 32-bit numbers. In larger heat maps each value is sent as one byte."""
NUM_CODES = 253  # the steps of the scale that a byte can have, besides the two codes below
BELOW_CODE, MISSING_CODE = 0, 255
DASHES: dict[Any, tuple[float, ...]] = {
    "-": (),
    "--": (3.7, 1.6),
    "-.": (6.4, 1.6, 1.0, 1.6),
    ":": (1.0, 1.65),
}
"""The lengths of dashes and gaps of matplotlib's line styles, as multiples of the line width."""
MOST_UNANSWERED = 10
"""The most pictures that are sent before the page confirms one. It confirms every fifth."""
UNANSWERED_SECONDS = 1.0
"""The time between two pictures while a page confirms none: it may be closed, or the kernel may be busy."""


class PictureWidget(anywidget.AnyWidget):
    """A picture on a page, which is replaced many times a second.

    A page that is slower than the run gets fewer pictures. Otherwise more and more of them would wait in the server's
    memory, and the page would show older and older ones.

    Attributes
    ----------
    picture : dict
        The result of `encode_picture`, with the number of the picture that was sent last.
    is_run : bool
        Whether it shows a run, which can be replayed and pinned.
    """

    _esm = Path(__file__).with_suffix(".js")
    _css = Path(__file__).with_suffix(".css")
    picture = Dict().tag(sync=True)
    is_run = Bool(True).tag(sync=True)

    def __init__(self, **kwargs: Any) -> None:
        self.num_sent = self.last_arrived = 0
        self.last_sent_at, self.is_waiting = 0.0, False
        self.timer: threading.Timer | None = None
        self.send_lock = threading.RLock()
        super().__init__(**kwargs)

    def offer(self, picture: dict[str, Any]) -> None:
        """Replace the picture, and send it unless too many are not confirmed.

        Then it waits for a confirmation, but not longer than `UNANSWERED_SECONDS`: confirmations can be lost, and the
        last picture of a run that pauses has none after it.
        """
        with self.send_lock:
            now = time.monotonic()
            self.is_waiting = (
                self.num_sent - self.last_arrived >= MOST_UNANSWERED
                and now - self.last_sent_at < UNANSWERED_SECONDS
            )
            if not self.is_waiting:
                self.num_sent = self.num_sent + 1
                self.last_sent_at = now
            self.picture = picture | {"number": self.num_sent}
            if self.is_waiting and self.timer is None and can_start_threads():
                self.timer = threading.Timer(UNANSWERED_SECONDS, self.end_waiting)
                self.timer.daemon = True
                self.timer.start()

    def end_waiting(self) -> None:
        """Send the picture that has waited for a confirmation in vain."""
        with self.send_lock:
            self.timer = None
            if self.is_waiting:
                self.offer(self.picture)

    def note_arrival(self, number: int) -> None:
        """Store the number of a picture that a page has confirmed, and send the last picture if it waits."""
        with self.send_lock:
            self.last_arrived = max(self.last_arrived, number)
            if self.is_waiting:
                self.offer(self.picture)

    def _should_send_property(self, key: str, value: Any) -> bool:
        """Return whether ipywidgets sends a change of a property to the page; not while the picture waits."""
        if key == "picture" and self.is_waiting:
            return False
        return bool(super()._should_send_property(key, value))


class PictureEncoder:
    """A collector of the arrays of a picture, each of them once.

    Parameters
    ----------
    most_exact : int
        The most values of a heat map that are collected as 32-bit numbers. A larger one takes a byte a value.
    """

    def __init__(self, most_exact: int) -> None:
        self.most_exact = most_exact
        self.arrays: list[dict[str, Any]] = []
        self.indices: dict[int, int] = {}
        # An array that is kept here cannot be deleted, so no other array gets its identity.
        self.kept_arrays: list[Floats] = []

    def add_array(self, array: Floats | None) -> dict[str, int] | None:
        """Add an array as 32-bit numbers unless it was added before, and return its index as `{"a": index}`."""
        if array is None:
            return None
        if id(array) not in self.indices:
            self.indices[id(array)] = len(self.arrays)
            self.kept_arrays.append(array)
            numbers = np.ascontiguousarray(array, dtype="<f4")
            self.arrays.append({"kind": "f4", "data": memoryview(numbers.tobytes())})
        return {"a": self.indices[id(array)]}

    def add_cells(self, values: Floats, scale: ColorScale) -> dict[str, int] | None:
        """Add the values of a heat map, in a byte each if there are many, and return their index as `{"a": index}`."""
        if values.size <= self.most_exact:
            return self.add_array(values)
        shares = np.clip((values - scale.low) / (scale.high - scale.low), 0.0, 1.0) ** scale.power
        with np.errstate(invalid="ignore"):
            codes = np.round(shares * NUM_CODES) + 1
        codes = np.where(values < scale.low, BELOW_CODE if scale.under else 1, codes)
        codes = np.where(np.isnan(values), MISSING_CODE, codes).astype(np.uint8)
        data = memoryview(np.ascontiguousarray(codes).tobytes())
        about = {"low": scale.low, "high": scale.high, "power": scale.power}
        self.arrays.append({"kind": "u1", "data": data, **about})
        return {"a": len(self.arrays) - 1}


def encode_picture(picture: Picture, most_exact: int = MOST_EXACT_VALUES) -> dict[str, Any]:
    """Return a picture as JSON and arrays, which are sent to a page.

    Parameters
    ----------
    picture : Picture
        The picture.
    most_exact : int
        The most values of a heat map that are sent as 32-bit numbers. A larger one takes a byte a value.

    Returns
    -------
    dict
        `picture`, in which `{"a": i}` stands for array i, and `arrays`, the bytes of the arrays with their kinds.
    """
    encoder = PictureEncoder(most_exact)
    strips = [
        {
            "name": strip.name,
            "height": strip.height,
            "title": strip.title,
            "rows": [[encode_panel(panel, encoder) for panel in row] for row in strip.rows],
        }
        for strip in picture.strips
    ]
    about = {"iteration": picture.iteration, "words": picture.words, "strips": strips}
    return {"picture": about, "arrays": encoder.arrays}


def encode_panel(panel: Panel, encoder: PictureEncoder) -> dict[str, Any]:
    """Return a panel as JSON."""
    encoders: dict[type, Any] = {
        Curves: encode_curves,
        HeatMap: encode_heat_map,
        Triangle: encode_triangle,
        Bars: encode_bars,
    }
    encoded: dict[str, Any] = encoders[type(panel)](panel, encoder)
    return {"title": panel.title, "width": panel.width} | encoded


def encode_axis(axis: Axis) -> dict[str, Any]:
    """Return an axis as JSON."""
    about: dict[str, Any] = {"label": axis.label, "limits": [float(end) for end in axis.limits]}
    if axis.ticks is not None:
        about["ticks"] = [[float(place), words] for place, words in axis.ticks]
    return about | {"log": axis.is_log, "whole": axis.is_whole}


def encode_look(look: Mapping[str, Any]) -> dict[str, Any]:
    """Return keywords of `Axes.plot` as a color, a width, dashes and a marker."""
    style = look.get("linestyle", "-")
    has_line = look.get("linestyle") != "none"
    dashes = DASHES[style] if isinstance(style, str) and has_line else ()
    if isinstance(style, tuple):
        dashes = style[1]
    marker = look.get("marker", "")
    if look.get("markevery") == []:
        marker = ""
    face = look.get("markerfacecolor", "")
    beyond = {"o": True} if look.get("clip_on") is False else {}  # marks on an edge are whole
    return beyond | {
        "c": to_hex(look.get("color", "#222222")),
        "w": look.get("linewidth", 1.5),
        "d": list(dashes),
        "l": has_line,
        "m": marker,
        "s": look.get("markersize", 6.0),
        "h": face if face in ("", "none") else to_hex(face),
    }


def encode_curve(curve: Curve, encoder: PictureEncoder) -> dict[str, Any]:
    """Return a curve as JSON."""
    about: dict[str, Any] = {"x": encoder.add_array(curve.x), "y": encoder.add_array(curve.y)}
    about |= {"label": curve.label, "look": encode_look(curve.look)}
    about |= {"name": curve.label or curve.key.replace("_", " "), "unit": curve.unit}
    return about | {"upper": list(curve.upper_limits)} if curve.upper_limits else about


def encode_arrows(arrows: Arrows | None, encoder: PictureEncoder) -> dict[str, Any] | None:
    """Return arrows as JSON."""
    if arrows is None:
        return None
    return {
        "places": encoder.add_array(arrows.places),
        "ways": encoder.add_array(arrows.vectors),
        "strengths": encoder.add_array(arrows.strengths),
        "w": arrows.width,
    }


def encode_level(level: Level) -> dict[str, Any]:
    """Return a level as JSON."""
    return {"value": level.value, "label": level.label, "look": encode_look(level.look)}


def encode_curves(panel: Curves, encoder: PictureEncoder) -> dict[str, Any]:
    """Return curves as JSON."""
    callout = panel.callout and {
        "words": panel.callout.words,
        "x": float(panel.callout.x),
        "y": float(panel.callout.y),
    }
    return {
        "kind": "curves",
        "x": encode_axis(panel.x),
        "y": encode_axis(panel.y),
        "curves": [encode_curve(curve, encoder) for curve in panel.curves],
        "levels": [encode_level(level) for level in panel.levels],
        "callout": callout,
        "marks": [{"x": mark.x, "words": mark.words} for mark in panel.marks],
        "arrows": encode_arrows(panel.arrows, encoder),
        "legend": panel.legend,
        "columns": panel.legend_columns,
        "starts": panel.can_choose_start,
    }


def encode_groups(groups: Sequence[Group]) -> list[dict[str, Any]]:
    """Return groups as JSON."""
    return [
        {"name": group.name, "first": float(group.first), "end": float(group.end)}
        for group in groups
    ]


def encode_heat_map(panel: HeatMap, encoder: PictureEncoder) -> dict[str, Any]:
    """Return a heat map as JSON."""
    scale = panel.scale
    about: dict[str, Any] = {
        "kind": "heat",
        "values": encoder.add_cells(panel.values, scale),
        "shape": list(panel.values.shape),
        "x": encode_axis(panel.x),
        "y": encode_axis(panel.y),
        "x_edges": encoder.add_array(panel.x_edges),
        "y_edges": encoder.add_array(panel.y_edges),
        "scale": {
            "colors": [to_hex(color) for color in scale.colors],
            "low": scale.low,
            "high": scale.high,
            "power": scale.power,
            "missing": scale.missing,
            "under": scale.under,
        },
        "scale_label": panel.scale_label,
        "scale_ticks": [[float(place), words] for place, words in panel.scale_ticks],
        "unit": panel.unit,
        "value_word": panel.value_word,
        "rows": list(panel.rows),
        "columns": list(panel.columns),
        "column_word": panel.column_word,
        "numbers": panel.has_numbers,
        "narrow": panel.has_narrow_cells,
        "words": None if panel.words is None else panel.words.ravel().tolist(),
        "digits": panel.digit_size,
        "gap": panel.gap,
        "row_groups": encode_groups(panel.row_groups),
        "column_groups": encode_groups(panel.column_groups),
        "curves": [encode_curve(curve, encoder) for curve in panel.curves],
        "upright": panel.has_upright_names,
    }
    if panel.hatched is not None:
        about["hatched"] = np.flatnonzero(panel.hatched).tolist()
    return about


def encode_triangle(panel: Triangle, encoder: PictureEncoder) -> dict[str, Any]:
    """Return a triangle as JSON."""
    paths = [
        {
            "mixtures": encoder.add_array(path.mixtures),
            "look": encode_look(path.look),
            "label": path.label,
        }
        for path in panel.paths
    ]
    arrows = encode_arrows(panel.arrows, encoder)
    about = {"names": list(panel.names), "paths": paths, "starts": panel.can_choose_start}
    return {"kind": "triangle", "arrows": arrows, "legend": panel.legend} | about


def encode_bars(panel: Bars, encoder: PictureEncoder) -> dict[str, Any]:
    """Return bars as JSON."""
    return {
        "kind": "bars",
        "values": encoder.add_array(panel.values),
        "marks": encoder.add_array(panel.marks),
        "mark_label": panel.mark_label,
        "names": list(panel.names),
        "axis": encode_axis(panel.value_axis),
        "horizontal": panel.is_horizontal,
        "color": to_hex(panel.look.get("color", "#222222")),
    }
