"""Show pictures on a page while a run goes on: numbers go over, and the page paints them.

`PictureWidget` lives in JupyterLab and Voila; `encode_picture` says what goes over. What the page does with it is in
`browser_painter.js`: it paints as `matplotlib_painter` does, names what the reader points at, and plays a run again.
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

MOST_EXACT = 400
"""Values of a heat map that go over as they are; of larger ones each takes one byte."""
CODES = 253  # values that a byte tells apart, beside 'below the scale' and 'no number'
BELOW, NONE = 0, 255
DASHES: dict[Any, tuple[float, ...]] = {
    "-": (),
    "--": (3.7, 1.6),
    "-.": (6.4, 1.6, 1.0, 1.6),
    ":": (1.0, 1.65),
}
"""Lengths of dashes and gaps, in widths of the line, as matplotlib has them."""


MOST_ON_THE_WAY = 10
"""Pictures that a page has not answered; it answers every fifth one."""
UNANSWERED_SECONDS = 1.0
"""Between two pictures while a page does not answer: it may be closed, or the kernel may be busy."""


class PictureWidget(anywidget.AnyWidget):
    """A picture on a page, replaced many times a second.

    A page that is slower than the run gets fewer pictures. Otherwise they would wait in the server's memory, more and
    more of them, and the page would show older and older ones.

    Attributes
    ----------
    picture : dict
        What `encode_picture` has returned, with the number of the picture that was sent last.
    is_run : bool
        Whether it shows a run, which can be played again and pinned.
    """

    _esm = Path(__file__).with_suffix(".js")
    _css = Path(__file__).with_suffix(".css")
    picture = Dict().tag(sync=True)
    is_run = Bool(True).tag(sync=True)

    def __init__(self, **kwargs: Any) -> None:
        self.sent = self.arrived = 0
        self.sent_at, self.is_held = 0.0, False
        self.sending = threading.RLock()
        super().__init__(**kwargs)

    def offer(self, picture: dict[str, Any]) -> None:
        """Replace the picture, and send it unless too many are on their way; then it waits for an answer."""
        with self.sending:
            now = time.monotonic()
            self.is_held = (
                self.sent - self.arrived >= MOST_ON_THE_WAY
                and now - self.sent_at < UNANSWERED_SECONDS
            )
            if not self.is_held:
                self.sent = self.sent + 1
                self.sent_at = now
            self.picture = picture | {"number": self.sent}

    def note_arrival(self, number: int) -> None:
        """Note that a page has got the picture of a number, and send the last one if it waits."""
        with self.sending:
            self.arrived = max(self.arrived, number)
            if self.is_held:
                self.offer(self.picture)

    def _should_send_property(self, key: str, value: Any) -> bool:
        """Return whether a change goes to the page, of which ipywidgets asks."""
        if key == "picture" and self.is_held:
            return False
        return bool(super()._should_send_property(key, value))


class Encoder:
    """Collects the arrays of a picture, each once; heat maps with more values than `most_exact` take a byte a value."""

    def __init__(self, most_exact: int) -> None:
        self.most_exact = most_exact
        self.arrays: list[dict[str, Any]] = []
        self.places: dict[int, int] = {}
        self.held: list[Floats] = []  # so that no other array gets the identity of one that is gone

    def put(self, array: Floats | None) -> dict[str, int] | None:
        """Add an array as 32-bit numbers, unless it is there; return its place."""
        if array is None:
            return None
        if id(array) not in self.places:
            self.places[id(array)] = len(self.arrays)
            self.held.append(array)
            numbers = np.ascontiguousarray(array, dtype="<f4")
            self.arrays.append({"kind": "f4", "data": memoryview(numbers.tobytes())})
        return {"a": self.places[id(array)]}

    def put_cells(self, values: Floats, scale: ColorScale) -> dict[str, int] | None:
        """Add the values of a heat map, in one byte each if there are many; return their place."""
        if values.size <= self.most_exact:
            return self.put(values)
        shares = np.clip((values - scale.low) / (scale.high - scale.low), 0.0, 1.0) ** scale.power
        with np.errstate(invalid="ignore"):
            codes = np.round(shares * CODES) + 1
        codes = np.where(values < scale.low, BELOW if scale.under else 1, codes)
        codes = np.where(np.isnan(values), NONE, codes).astype(np.uint8)
        data = memoryview(np.ascontiguousarray(codes).tobytes())
        about = {"low": scale.low, "high": scale.high, "power": scale.power}
        self.arrays.append({"kind": "u1", "data": data, **about})
        return {"a": len(self.arrays) - 1}


def encode_picture(picture: Picture, most_exact: int = MOST_EXACT) -> dict[str, Any]:
    """Return a picture as JSON and arrays.

    Parameters
    ----------
    picture : Picture
        What is to be painted.
    most_exact : int
        A heat map with more values goes over with one byte a value.

    Returns
    -------
    dict
        `picture`, whose arrays are `{"a": i}`, and `arrays`, a list of bytes with what they mean.
    """
    encoder = Encoder(most_exact)
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


def encode_panel(panel: Panel, encoder: Encoder) -> dict[str, Any]:
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


def encode_curve(curve: Curve, encoder: Encoder) -> dict[str, Any]:
    """Return a curve as JSON."""
    about: dict[str, Any] = {"x": encoder.put(curve.x), "y": encoder.put(curve.y)}
    about |= {"label": curve.label, "look": encode_look(curve.look)}
    about |= {"name": curve.label or curve.key.replace("_", " "), "unit": curve.unit}
    return about | {"upper": list(curve.upper_limits)} if curve.upper_limits else about


def encode_arrows(arrows: Arrows | None, encoder: Encoder) -> dict[str, Any] | None:
    """Return arrows as JSON."""
    if arrows is None:
        return None
    return {
        "places": encoder.put(arrows.places),
        "ways": encoder.put(arrows.ways),
        "strengths": encoder.put(arrows.strengths),
        "w": arrows.width,
    }


def encode_level(level: Level) -> dict[str, Any]:
    """Return a level as JSON."""
    return {"value": level.value, "label": level.label, "look": encode_look(level.look)}


def encode_curves(panel: Curves, encoder: Encoder) -> dict[str, Any]:
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
        "starts": panel.is_start_chosen,
    }


def encode_groups(groups: Sequence[Group]) -> list[dict[str, Any]]:
    """Return groups as JSON."""
    return [
        {"name": group.name, "first": float(group.first), "end": float(group.end)}
        for group in groups
    ]


def encode_heat_map(panel: HeatMap, encoder: Encoder) -> dict[str, Any]:
    """Return a heat map as JSON."""
    scale = panel.scale
    about: dict[str, Any] = {
        "kind": "heat",
        "values": encoder.put_cells(panel.values, scale),
        "shape": list(panel.values.shape),
        "x": encode_axis(panel.x),
        "y": encode_axis(panel.y),
        "x_edges": encoder.put(panel.x_edges),
        "y_edges": encoder.put(panel.y_edges),
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


def encode_triangle(panel: Triangle, encoder: Encoder) -> dict[str, Any]:
    """Return a triangle as JSON."""
    paths = [
        {
            "mixtures": encoder.put(path.mixtures),
            "look": encode_look(path.look),
            "label": path.label,
        }
        for path in panel.paths
    ]
    arrows = encode_arrows(panel.arrows, encoder)
    about = {"names": list(panel.names), "paths": paths, "starts": panel.is_start_chosen}
    return {"kind": "triangle", "arrows": arrows, "legend": panel.legend} | about


def encode_bars(panel: Bars, encoder: Encoder) -> dict[str, Any]:
    """Return bars as JSON."""
    return {
        "kind": "bars",
        "values": encoder.put(panel.values),
        "marks": encoder.put(panel.marks),
        "mark_label": panel.mark_label,
        "names": list(panel.names),
        "axis": encode_axis(panel.value_axis),
        "horizontal": panel.is_horizontal,
        "color": to_hex(panel.look.get("color", "#222222")),
    }
