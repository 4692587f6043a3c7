"""How figures look: one size of page, one quiet grid, one look for each algorithm everywhere.

Figures are made without pyplot, which is not safe in the threads that drive live plots.
"""

import base64
import io
import math
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.colorbar import Colorbar
from matplotlib.colors import LinearSegmentedColormap, to_rgb
from matplotlib.figure import Figure, SubFigure
from matplotlib.image import AxesImage
from matplotlib.ticker import Formatter, LogLocator, NullLocator
from PIL import Image

from pokerlab.core import UnknownNameError
from pokerlab.workbench.layout import RoomyLayout

PIXELS_PER_INCH = 100
"""How large a figure is shown; it is drawn with `DENSITY` times as many pixels."""
DENSITY = 1.5
COMPRESSION = 6
LIVE_COMPRESSION = 1  # a level that saves milliseconds a frame and costs bytes

# Okabe and Ito's colors, told apart without color vision; their yellow is too pale for lines.
BLACK, GRAY = "#000000", "#767676"
ORANGE, SKY, GREEN = "#e69f00", "#56b4e9", "#009e73"
BLUE, RED, PURPLE = "#0072b2", "#d55e00", "#cc79a7"
PALETTE = (BLUE, RED, GREEN, ORANGE, PURPLE, SKY, BLACK)
DASHES = ("-", "--", "-.", ":", (0, (6, 1, 1, 1, 1, 1)), (0, (3, 1)), (0, (8, 3)))
MARKERS = ("o", "s", "^", "D", "v", "P", "X")

INK, PAPER, GRID = "#222222", "#ffffff", "#d9d9d9"
LUMINANCE = 0.179  # of a color on which black and white can be read equally well
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
TITLE_SIZE, TEXT_SIZE, SMALL_SIZE = 10.5, 9.0, 8.0
WINNINGS = LinearSegmentedColormap.from_list(
    "winnings", ["#23234a", "#55597f", "#948e9c", "#dcbb88", "#fdeab4"]
)
"""Lightness alone tells more from less."""

FOUND: dict[str, Any] = {"color": RED, "linestyle": "--", "linewidth": 1.6}
EXACT: dict[str, Any] = {"color": BLUE, "linestyle": "-", "linewidth": 1.8}
FOUND_LABEL, EXACT_LABEL = "believed: found by its judge", "true: won by best responses"
"""How a worst case is drawn wherever both are: what was found, and what there is."""


def nth_look(index: int) -> dict[str, Any]:
    """Return the look of the series number `index` (0-based) among those that have no name.

    A curve has no markers; `| {"markevery": 1}` shows one at each point. They are hollow when colors come again.
    """
    style: dict[str, Any] = {
        "color": PALETTE[index % len(PALETTE)],
        "linestyle": DASHES[index % len(DASHES)],
        "marker": MARKERS[index % len(MARKERS)],
        "markersize": 4.0,
        "markevery": [],
        "linewidth": 1.6,
    }
    return style if index < len(PALETTE) else style | {"markerfacecolor": PAPER}


ALGORITHMS = ("SFRD", "CFR", "CFR+", "DCFR", "PCFR+", "PW", "XFP")
NUMBERED = (
    ALGORITHMS,
    ("average", "current"),
    ("alternating", "simultaneous", "continuous"),
    ("KP(2)", "KP(3)", "KP(4)", "KP(5)", "Leduc", "KP(6)"),
    tuple(f"player {number}" for number in range(1, 7)),
)
LOOKS: dict[str, dict[str, Any]] = {
    name: nth_look(index) for names in NUMBERED for index, name in enumerate(names)
} | {
    "uniform": {"color": GRAY, "linestyle": ":", "linewidth": 1.4},
    "bound": {"color": BLACK, "linestyle": (0, (1, 1)), "linewidth": 1.2},
    "ghost": {"color": "#b8b8b8", "linestyle": "-", "linewidth": 2.6, "zorder": 1.5},
    "published": {
        "color": INK,
        "linestyle": "none",
        "marker": "o",
        "markersize": 7.5,
        "markerfacecolor": "none",
        "markeredgewidth": 1.4,
        "zorder": 4,
    },
}


def look(name: str) -> dict[str, Any]:
    """Return how a series is drawn: color, dash, marker, as keywords of `Axes.plot`.

    Parameters
    ----------
    name : str
        An algorithm ('SFRD', 'CFR', 'CFR+', 'DCFR', 'PCFR+', 'PW', 'XFP'), a profile ('average',
        'current', 'uniform'), an order of updates, a game, 'player 1' to 'player 6', 'bound',
        'ghost' or 'published'; `nth_look` serves the others.
    """
    UnknownNameError.check("look", name, LOOKS)
    return dict(LOOKS[name])


def figure(
    width: float = 7.2, height: float = 3.6, rows: int = 1, columns: int = 1, **kwargs: Any
) -> tuple[Figure, Any]:
    """Return a figure and its axes, dressed alike.

    Text is drawn as it is: a dollar sign is a dollar sign. For formulas, such as '$x^2$', choose another layout before
    anything is drawn: `made.set_layout_engine("constrained")`. Names and titles that are too long are wrapped or
    shortened, and a legend that is too wide for its axes stands below the figure.

    Parameters
    ----------
    width, height : float
        Size in inches, of which 100 pixels are shown each.
    rows, columns : int
        How many axes.
    **kwargs
        Passed on to `Figure.subplots`, such as `sharey=True` or `width_ratios=[2, 1]`.

    Returns
    -------
    Figure
        Bound to the Agg canvas.
    Axes or ndarray
        A single `Axes`, or an array of them as `Figure.subplots` returns it.
    """
    look: Any = {"dpi": PIXELS_PER_INCH * DENSITY, "facecolor": PAPER}
    made = Figure((width, height), layout=RoomyLayout(), **look)
    FigureCanvasAgg(made)
    axes = made.subplots(rows, columns, **kwargs)
    for each in np.atleast_1d(axes).flat:
        dress(each)
    return made, axes


def dress(axes: Axes) -> None:
    """Give axes the quiet grid, the small ticks and the left-aligned title."""
    axes.grid(True, color=GRID, linewidth=0.6)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.spines[["left", "bottom"]].set_color("#888888")
    axes.tick_params(labelsize=SMALL_SIZE, color="#888888", labelcolor=INK, length=3)
    axes.tick_params(which="minor", length=0)
    axes.xaxis.label.set(size=TEXT_SIZE, color=INK)
    axes.yaxis.label.set(size=TEXT_SIZE, color=INK)
    axes.set_title("", loc="left", fontsize=TITLE_SIZE, color=INK)
    axes.title.set(size=TITLE_SIZE, color=INK)
    axes.yaxis.set_offset_position("right")  # a power of ten, where no title stands
    axes.yaxis.get_offset_text().set(size=SMALL_SIZE, color=INK)


def color_scale(image: AxesImage, label: str, **place: Any) -> Colorbar:
    """Add the scale of an image's colors beside its axes, or at a `place` as in `Figure.colorbar`; return it."""
    figure = image.get_figure()
    assert figure is not None
    bar = figure.colorbar(image, **place)
    bar.ax.tick_params(labelsize=SMALL_SIZE - 1, length=2)
    bar.outline.set_visible(False)
    bar.set_label(label, fontsize=SMALL_SIZE - 1)
    return bar


def place_beside(axes: Axes, figure: SubFigure) -> Axes:
    """Return new narrow axes on the right of others, such as for a scale."""
    box = axes.get_position()
    return figure.add_axes((box.x1 + 0.012, box.y0, 0.012, box.height))


class RoundSteps(LogLocator):
    """Puts ticks at powers of ten; where fewer than two decades are shown, at 2 and 5 times them too."""

    def tick_values(self, vmin: float, vmax: float) -> Any:
        """Return the places of ticks for these limits of the axis."""
        few = min(vmin, vmax) > 0 and max(vmin, vmax) < 100 * min(vmin, vmax)
        self.set_params(subs=(1.0, 2.0, 5.0) if few else (1.0,))
        return super().tick_values(vmin, vmax)


class OneKind(Formatter):
    """Writes all labels of an axis in one kind: as plain numbers or as powers of ten."""

    def format_ticks(self, values: Any) -> list[str]:
        """Return the labels: plain if there are other steps than powers of ten, else 10⁻¹, 10⁰, 10¹."""
        powers = [round(math.log10(value)) for value in values]
        if np.allclose(values, np.power(10.0, powers), atol=0.0):
            return [f"10{str(power).translate(SUPERSCRIPTS)}" for power in powers]
        return [f"{value:.12g}" for value in values]

    def __call__(self, value: float, position: int | None = None) -> str:
        """Return the text of one place, as where the mouse is."""
        return f"{value:g}"


def logarithmic(axes: Axes, *names: str) -> None:
    """Make the axes' 'x', 'y' or both logarithmic, with labels of one kind and no small ticks."""
    for name in names:
        axes.set(**{f"{name}scale": "log"})
        axis = {"x": axes.xaxis, "y": axes.yaxis}[name]
        axis.set_major_locator(RoundSteps())
        axis.set_minor_locator(NullLocator())
        axis.set_major_formatter(OneKind())


def to_png(figure: Figure, *, compression: int = LIVE_COMPRESSION) -> bytes:
    """Draw the figure and return it as PNG, the same bytes for the same figure."""
    canvas = figure.canvas
    if not isinstance(canvas, FigureCanvasAgg):
        canvas = FigureCanvasAgg(figure)
    canvas.draw()  # type: ignore[no-untyped-call]
    return encode(canvas, compression)


def ink_on(color: Any) -> str:
    """Return black or white, whichever stands out from a color: in any case 4.5 times as light or dark."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(color)]
    return PAPER if np.dot(linear, (0.2126, 0.7152, 0.0722)) < LUMINANCE else BLACK


def encode(canvas: FigureCanvasAgg, compression: int = LIVE_COMPRESSION) -> bytes:
    """Return what has been drawn on `canvas` as PNG; 9 is the smallest and slowest compression."""
    pixels = np.asarray(canvas.buffer_rgba())[:, :, :3]  # type: ignore[no-untyped-call]
    image, buffer = Image.fromarray(np.ascontiguousarray(pixels)), io.BytesIO()
    image.save(buffer, format="png", compress_level=compression)
    return buffer.getvalue()


def picture(png: bytes, figure: Figure, caption: str) -> tuple[dict[str, str], dict[str, Any]]:
    """Return what to display for a picture of `figure`, and its metadata; the caption is its other text."""
    width, height = (round(inches * PIXELS_PER_INCH) for inches in figure.get_size_inches())
    data = {"image/png": base64.b64encode(png).decode(), "text/plain": caption}
    return data, {"image/png": {"width": width, "height": height, "alt": caption}}
