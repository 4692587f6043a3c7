"""How figures look: one grid, one look for each algorithm, and layouts with room for long names and legends.

Figures are made without pyplot, which is not safe in the threads that drive live plots.

matplotlib makes room for every legend, name and title by shrinking the axes, down to nothing, and it reads a text
with two dollar signs as a formula. Here text is drawn as it is, long names are wrapped or shortened, and wide legends
are moved below the figure.
"""

import base64
import io
import math
import textwrap
import warnings
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backends.backend_agg import FigureCanvasAgg, RendererAgg
from matplotlib.collections import QuadMesh
from matplotlib.colorbar import Colorbar
from matplotlib.colors import to_rgb
from matplotlib.figure import Figure, SubFigure
from matplotlib.image import AxesImage
from matplotlib.layout_engine import ConstrainedLayoutEngine, LayoutEngine
from matplotlib.legend import Legend
from matplotlib.text import Text
from matplotlib.ticker import (
    FixedFormatter,
    FixedLocator,
    Formatter,
    FuncFormatter,
    LogLocator,
    NullLocator,
)
from matplotlib.transforms import Bbox
from PIL import Image

from pokerlab.core import UnknownNameError
from pokerlab.core.settings import check_kind, validate_integer, validate_number

ELLIPSIS = "…"
LEAST_LETTERS = 3  # of a shortened name: its first letter, the ellipsis, and its last letter
MOST_LINES = 3  # the most lines of a name or a title
MOST_IN_A_ROW = 4  # the most entries in a row of a legend below a figure
MARGIN = 6.0  # pixels that stay free beside words
MOST_WIDTH_BESIDE = 0.4  # the most width of a legend beside axes, as a share of their width
MOST_ROOM_OF_NAMES = (
    0.25  # the most room of the names along an axis, as a share of the figure's width or height
)
FIRST_FIT_FACTOR = (
    1.4  # by how much the axes, and so the room for names, may grow when they are laid out
)
LEAST_SHARE = 0.5
"""The least share of a figure's width that its axes should have together. With less there is a warning."""


def shorten_words(words: str, most: int) -> str:
    """Return words, shortened to `most` letters (at least 3) with an ellipsis in the middle if they have more.

    Examples
    --------
    >>> shorten_words("network of generation 100", 12), shorten_words("network", 12)
    ('networ…n 100', 'network')
    """
    if len(words) <= most:
        return words
    kept = max(most, LEAST_LETTERS) - len(ELLIPSIS)
    return words[: kept - kept // 2].rstrip() + ELLIPSIS + words[len(words) - kept // 2 :].lstrip()


def wrap_words(words: str, letters: int, lines: int = MOST_LINES) -> str:
    r"""Return words wrapped into at most `lines` lines of at most `letters` letters, shortened in the middle if needed.

    Examples
    --------
    >>> wrap_words("network after 100 generations", 16)
    'network after\n100 generations'
    """
    letters = max(letters, LEAST_LETTERS)
    for most in range(min(len(words), lines * letters), letters, -1):
        parts = textwrap.wrap(
            shorten_words(words, most), letters, break_long_words=False, break_on_hyphens=False
        )
        if len(parts) <= lines and max(map(len, parts)) <= letters:
            return "\n".join(parts)
    return shorten_words(words, letters)


def has_names(axis: Axis) -> bool:
    """Return whether the ticks of an axis have given names, and not numbers that matplotlib has chosen."""
    return isinstance(axis.get_major_locator(), FixedLocator) and isinstance(
        axis.get_major_formatter(), FixedFormatter | FuncFormatter
    )


def disable_formulas(figure: Figure) -> None:
    """Change the texts of a figure so that they are drawn as they are: dollar signs do not begin formulas.

    The numbers along an axis stay, which matplotlib may write as formulas.
    """
    numbers = {
        id(text)
        for axes in figure.axes
        for axis in (axes.xaxis, axes.yaxis)
        if not has_names(axis)
        for text in axis.get_ticklabels(which="both")
    }
    for text in figure.findobj(Text):
        if id(text) not in numbers:
            text.set_parse_math(False)


def measure_extent(words: Text | Legend) -> Bbox:
    """Return the box of a text or a legend in pixels of its figure, at the present resolution."""
    figure = words.get_figure(root=True)
    assert figure is not None
    return words.get_window_extent(RendererAgg(1, 1, figure.dpi))  # type: ignore[no-untyped-call]


def measure_width(text: Text) -> float:
    """Return the width of a text in pixels."""
    return float(measure_extent(text).width)


def measure_height(text: Text) -> float:
    """Return the height of a text in pixels."""
    return float(measure_extent(text).height)


def fit_text(
    text: Text,
    limit: float,
    measure: Callable[[Text], float] = measure_width,
    lines: int = MOST_LINES,
) -> bool:
    """Wrap or shorten a text in place until it is small enough, and return whether it was too large.

    Parameters
    ----------
    text : Text
        The text.
    limit : float
        The most pixels.
    measure : callable
        Returns the pixels of a text: its width or its height.
    lines : int
        The most lines.
    """
    words = text.get_text()
    longest = max(map(len, words.split("\n")), default=0)
    if longest <= LEAST_LETTERS or measure(text) <= limit:
        return False
    for letters in range(min(longest, math.ceil(longest * limit / measure(text)) + 2), 2, -1):
        text.set_text(wrap_words(words.replace("\n", " "), letters, lines))
        if measure(text) <= limit:
            break
    return True


def fit_tick_names(axis: Axis, limit: float, measure: Callable[[Text], float]) -> None:
    """Wrap or shorten the names along an axis, so that each takes at most `limit` pixels by `measure`."""
    labels = axis.get_ticklabels() if has_names(axis) else []
    changed = [fit_text(label, limit, measure) for label in labels]
    if any(changed):
        axis.set_ticklabels([label.get_text() for label in labels])


def has_rotated_names(axis: Axis) -> bool:
    """Return whether labels along an axis are rotated."""
    return any(label.get_rotation() for label in axis.get_ticklabels())


def fit_names_side_by_side(axes: Axes, room: float = 1.0) -> None:
    """Wrap or shorten the names below axes if two would touch each other. Rotated names stay.

    Parameters
    ----------
    axes : Axes
        The axes.
    room : float
        The factor by which the distances of the names are enlarged before they are compared.
    """
    labels = [label for label in axes.get_xticklabels() if label.get_text()]
    if has_rotated_names(axes.xaxis):
        return
    places = [axes.transData.transform((label.get_position()[0], 0.0))[0] for label in labels]
    steps = [room * abs(after - before) for before, after in pairwise(places)]
    do_touch = any(
        (measure_width(one) + measure_width(other)) / 2 > step
        for (one, other), step in zip(pairwise(labels), steps, strict=True)
    )
    if do_touch:
        fit_tick_names(axes.xaxis, min(steps) - MARGIN, measure_width)


def iterate_titles(axes: Axes) -> Iterator[Text]:
    """Yield the titles of axes that are not empty: those on the left, in the middle and on the right."""
    texts = {id(text) for text in axes.texts}
    yield from (
        each
        for each in axes.get_children()
        if isinstance(each, Text) and id(each) not in texts and each.get_text().strip()
    )


def measure_room_right(axes: Axes, left: float) -> float:
    """Return the room to the right of the pixel `left`: up to the next axes, or to the end of the figure, in pixels."""
    own = axes.get_window_extent()
    figure = axes.get_figure(root=True)
    assert figure is not None
    boxes = [other.get_window_extent() for other in figure.axes]
    beside = [b.x0 for b in boxes if b.x0 >= own.x1 and b.y0 < own.y1 and b.y1 > own.y0]
    return float(min([*beside, figure.bbox.x1])) - left - MARGIN


def fit_titles(figure: Figure) -> None:
    """Wrap or shorten the titles and the labels below axes that would reach into other axes or out of the figure."""
    for text in figure.texts:
        if text.get_horizontalalignment() == "left":
            fit_text(text, figure.bbox.x1 - measure_extent(text).x0 - MARGIN)
    for axes in figure.axes:
        for title in iterate_titles(axes):
            if title.get_horizontalalignment() == "left":
                fit_text(title, measure_room_right(axes, measure_extent(title).x0))
        center = axes.get_window_extent().x0 + axes.get_window_extent().width / 2
        nearer_end = min(center - figure.bbox.x0, figure.bbox.x1 - center)
        fit_text(axes.xaxis.label, 2 * nearer_end - MARGIN)


def list_legend_entries(legend: Legend) -> dict[str, Any]:
    """Return the entries of a legend: their handles by their words."""
    words = [text.get_text() for text in legend.get_texts()]
    return dict(zip(words, legend.legend_handles, strict=True))


def fit_legend(legend: Legend, limit: float) -> None:
    """Shorten the words of a legend until it is at most `limit` pixels wide."""
    texts = legend.get_texts()
    words = [text.get_text() for text in texts]
    for most in range(max(map(len, words), default=0) - 1, LEAST_LETTERS - 1, -1):
        if measure_extent(legend).width <= limit:
            return
        for text, whole in zip(texts, words, strict=True):
            text.set_text(shorten_words(whole, most))


def add_legend_below_figure(figure: Figure, entries: dict[str, Any], model: Legend) -> None:
    """Add a legend below a figure, in as many columns as there is room for.

    Parameters
    ----------
    figure : Figure
        The figure.
    entries : dict of str to Any
        The handles of the entries by their words.
    model : Legend
        A legend whose font and frame it has.
    """
    limit = figure.bbox.width - 2 * MARGIN
    look: dict[str, Any] = {
        "fontsize": model.get_texts()[0].get_fontsize(),
        "frameon": model.get_frame_on(),
        "handlelength": model.handlelength,
        "handler_map": model.get_legend_handler_map(),
    }
    for columns in range(min(len(entries), MOST_IN_A_ROW), 0, -1):
        legend = figure.legend(
            [*entries.values()], [*entries], loc="outside lower center", ncols=columns, **look
        )
        disable_formulas(figure)
        if columns == 1 or measure_extent(legend).width <= limit:
            fit_legend(legend, limit)
            return
        legend.remove()


def list_legends(figure: Figure) -> list[tuple[Legend, Axes | None]]:
    """Return the legends of a figure, each with its axes, or None for a legend of the figure itself."""
    of_axes = [(axes.get_legend(), axes) for axes in figure.axes]
    own: list[tuple[Legend, Axes | None]] = [(legend, None) for legend in figure.legends]
    return own + [(legend, axes) for legend, axes in of_axes if legend is not None]


def is_too_wide(legend: Legend, axes: Axes | None, figure: Figure) -> bool:
    """Return whether a legend is too wide.

    The limit is the width of its axes, a share of this width for a legend beside them, or the width of the figure.
    """
    box = measure_extent(legend)
    if axes is None:
        return bool(box.width > figure.bbox.width)
    place = axes.get_window_extent()
    is_beside = not place.x0 <= box.x0 + box.width / 2 <= place.x1
    return bool(box.width > place.width * (MOST_WIDTH_BESIDE if is_beside else 1.0))


def measure_share_of_width(figure: Figure) -> float:
    """Return the share of a figure's width that is covered by axes."""
    spans = sorted(tuple(axes.get_position(original=True).intervalx) for axes in figure.axes)
    covered, end = 0.0, 0.0
    for first, last in spans:
        covered += max(0.0, last - max(first, end))
        end = max(end, last)
    return covered


class RoomyLayout(ConstrainedLayoutEngine):
    """A constrained layout in which legends, names and titles do not shrink the axes."""

    def execute(self, fig: Figure) -> None:
        """Fit all words, then place the axes; warn if these have under half of the figure's width."""
        disable_formulas(fig)
        for axes in fig.axes:
            fit_text(axes.yaxis.label, axes.get_window_extent().height, measure_height)
            fit_tick_names(axes.yaxis, MOST_ROOM_OF_NAMES * fig.bbox.width, measure_width)
            if has_rotated_names(axes.xaxis):
                fit_tick_names(axes.xaxis, MOST_ROOM_OF_NAMES * fig.bbox.height, measure_height)
            fit_names_side_by_side(axes, FIRST_FIT_FACTOR)
        legends = list_legends(fig)
        for legend, _ in legends:
            legend.set_in_layout(False)
        super().execute(fig)
        for axes in fig.axes:
            fit_names_side_by_side(axes)
        fit_titles(fig)
        wide = [legend for legend, axes in legends if is_too_wide(legend, axes, fig)]
        for legend, _ in legends:
            legend.set_in_layout(True)
        if wide:
            entries = {
                words: handle
                for legend in wide
                for words, handle in list_legend_entries(legend).items()
            }
            for legend in wide:
                legend.remove()
            add_legend_below_figure(fig, entries, wide[0])
        super().execute(fig)
        share = measure_share_of_width(fig)
        if fig.axes and share < LEAST_SHARE:
            warnings.warn(
                f"the axes of a figure have {share:.0%} of its width. Use a wider figure, shorter names or fewer"
                " entries in its legend.",
                stacklevel=2,
            )


class LiteralTextLayout(LayoutEngine):
    """A layout that does not move axes. Text is drawn as it is, and legends are not wider than their axes."""

    _adjust_compatible = True
    _colorbar_gridspec = False

    def execute(self, fig: Figure) -> None:
        """Draw text as it is, and shorten the words of legends that are too wide."""
        disable_formulas(fig)
        for legend, axes in list_legends(fig):
            place = fig if axes is None else axes
            fit_legend(legend, place.get_window_extent().width)


PIXELS_PER_INCH = 100
"""The pixels of a page that an inch of a figure takes. It is drawn with `DENSITY` times as many."""
DENSITY = 1.5
COMPRESSION = 6
LIVE_COMPRESSION = 1  # faster by some milliseconds a frame, for larger files
MOST_COLORS = 256
"""The most colors of a picture in a file, a third as large. Colors of areas change by at most 4 of 255 steps."""

# Okabe and Ito's colors, told apart without color vision; their yellow is too pale for lines.
BLACK, GRAY = "#000000", "#767676"
ORANGE, SKY, GREEN = "#e69f00", "#56b4e9", "#009e73"
BLUE, RED, PURPLE = "#0072b2", "#d55e00", "#cc79a7"
PALETTE = (BLUE, RED, GREEN, ORANGE, PURPLE, SKY, BLACK)
DASHES = ("-", "--", "-.", ":", (0, (6, 1, 1, 1, 1, 1)), (0, (3, 1)), (0, (8, 3)))
MARKERS = ("o", "s", "^", "D", "v", "P", "X")

INK, PAPER, GRID = "#222222", "#ffffff", "#d9d9d9"
MIDDLE_LUMINANCE = 0.179  # of a color on which black and white letters can be read equally well
SUPERSCRIPTS = str.maketrans("-0123456789", "⁻⁰¹²³⁴⁵⁶⁷⁸⁹")
TITLE_SIZE, TEXT_SIZE, SMALL_SIZE = 10.5, 9.0, 8.0
WINNING_COLORS = ("#23234a", "#55597f", "#948e9c", "#dcbb88", "#fdeab4")
"""The colors from the largest loss to the largest win."""
PROBABILITY_COLORS = ("#eef3f7", "#9cc8e6", BLUE, "#003c61")
"""The colors from 0 to 1. In both rows of colors a larger value can be seen by lightness alone."""

FOUND_LOOK: dict[str, Any] = {"color": RED, "linestyle": "--", "linewidth": 1.6}
EXACT_LOOK: dict[str, Any] = {"color": BLUE, "linestyle": "-", "linewidth": 1.8}
FOUND_LABEL, EXACT_LABEL = (
    "estimated: found by the fitness evaluation",
    "exact: won by best responses",
)
"""How worst-case losses are drawn beside each other: those found by evolution, and the exact ones."""


def nth_look(index: int) -> dict[str, Any]:
    """Return the look of a series without a look of its own: color, dashes and marker, as keywords of `Axes.plot`.

    Markers are not shown on a curve; `| {"markevery": 1}` shows one at each point. From the eighth series on colors
    repeat, and markers are hollow.

    Parameters
    ----------
    index : int
        The number of the series, from 0.
    """
    validate_integer("index", index, 0)
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
    """Return the look of a named series: color, dashes and marker, as keywords of `Axes.plot`.

    Parameters
    ----------
    name : str
        An algorithm ('SFRD', 'CFR', 'CFR+', 'DCFR', 'PCFR+', 'PW', 'XFP'), a profile ('average',
        'current', 'uniform'), an order of updates, a game, 'player 1' to 'player 6', 'bound',
        'ghost' or 'published'. `nth_look` has looks for other series.

    Raises
    ------
    UnknownNameError
        If there is no look of this name.
    """
    UnknownNameError.check("look", name, LOOKS)
    return dict(LOOKS[name])


MOST_INCHES, MOST_AXES = 200.0, 100
"""The largest width or height of a figure in inches, and the most axes in a row or a column."""


def check_axes(axes: Any) -> None:
    """Raise a SettingError if the argument `axes` is not an Axes of matplotlib."""
    check_kind(
        "axes", axes, Axes, "axes to draw in, such as the second value of workbench.figure()"
    )


def figure(
    width: float = 7.2, height: float = 3.6, rows: int = 1, columns: int = 1, **kwargs: Any
) -> tuple[Figure, Any]:
    """Return a figure and its axes in the style of all figures.

    Text is drawn as it is: a dollar sign is a dollar sign. For formulas, such as '$x^2$', choose another layout before
    anything is drawn: `made.set_layout_engine("constrained")`. Names and titles that are too long are wrapped or
    shortened, and a legend that is too wide for its axes is moved below the figure.

    Parameters
    ----------
    width, height : float
        The size in inches, each of which takes 100 pixels of a page.
    rows, columns : int
        The number of rows and columns of axes.
    **kwargs
        Further arguments of `Figure.subplots`, such as `sharey=True` or `width_ratios=[2, 1]`.

    Returns
    -------
    Figure
        The figure, which is drawn by the Agg canvas.
    Axes or ndarray
        A single `Axes`, or an array of them as `Figure.subplots` returns it.
    """
    for name, inches in (("width", width), ("height", height)):
        validate_number(name, inches, 0.1, MOST_INCHES)
    for name, count in (("rows", rows), ("columns", columns)):
        validate_integer(name, count, 1, MOST_AXES)
    look: Any = {"dpi": PIXELS_PER_INCH * DENSITY, "facecolor": PAPER}
    made = Figure((width, height), layout=RoomyLayout(), **look)
    FigureCanvasAgg(made)
    axes = made.subplots(rows, columns, **kwargs)
    for each in np.atleast_1d(axes).flat:
        style_axes(each)
    return made, axes


def style_axes(axes: Axes) -> None:
    """Give axes the pale grid, the small ticks and the left-aligned title of all figures."""
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


def add_color_scale(image: AxesImage | QuadMesh, label: str, **place: Any) -> Colorbar:
    """Add the scale of the colors of an image, and return it.

    Parameters
    ----------
    image : AxesImage or QuadMesh
        The image.
    label : str
        The label of the scale.
    **place
        Arguments of `Figure.colorbar` that say where it is. By default it is beside the axes of the image.
    """
    figure = image.get_figure()
    assert figure is not None
    bar = figure.colorbar(image, **place)
    bar.ax.tick_params(labelsize=SMALL_SIZE - 1, length=2)
    bar.outline.set_visible(False)
    bar.set_label(label, fontsize=SMALL_SIZE - 1)
    return bar


def add_axes_beside(axes: Axes, figure: SubFigure) -> Axes:
    """Add narrow axes to the right of others, such as for a scale of colors, and return them."""
    box = axes.get_position()
    return figure.add_axes((box.x1 + 0.012, box.y0, 0.012, box.height))


class RoundTickLocator(LogLocator):
    """Places ticks at powers of ten, and on less than two decades also at 2 and 5 times them."""

    def tick_values(self, vmin: float, vmax: float) -> Any:
        """Return the places of ticks for these limits of the axis."""
        few = min(vmin, vmax) > 0 and max(vmin, vmax) < 100 * min(vmin, vmax)
        self.set_params(subs=(1.0, 2.0, 5.0) if few else (1.0,))
        return super().tick_values(vmin, vmax)


class UniformTickFormatter(Formatter):
    """Writes all tick labels of an axis in the same way: as plain numbers or as powers of ten."""

    def format_ticks(self, values: Any) -> list[str]:
        """Return the labels of ticks: 10⁻¹, 10⁰, 10¹ if all are powers of ten, and plain numbers otherwise."""
        powers = [round(math.log10(value)) for value in values]
        if np.allclose(values, np.power(10.0, powers), atol=0.0):
            return [f"10{str(power).translate(SUPERSCRIPTS)}" for power in powers]
        return [f"{value:.12g}" for value in values]

    def __call__(self, value: float, position: int | None = None) -> str:
        """Return the text of one value, such as that at the pointer."""
        return f"{value:g}"


def set_logarithmic(axes: Axes, *names: str) -> None:
    """Make the axis 'x', 'y' or both logarithmic, with tick labels written in the same way and no minor ticks."""
    for name in names:
        axes.set(**{f"{name}scale": "log"})
        axis = {"x": axes.xaxis, "y": axes.yaxis}[name]
        axis.set_major_locator(RoundTickLocator())
        axis.set_minor_locator(NullLocator())
        axis.set_major_formatter(UniformTickFormatter())


def convert_to_png(figure: Figure, *, compression: int = LIVE_COMPRESSION) -> bytes:
    """Draw the figure and return it as PNG, the same bytes for the same figure."""
    canvas = figure.canvas
    if not isinstance(canvas, FigureCanvasAgg):
        canvas = FigureCanvasAgg(figure)
    canvas.draw()  # type: ignore[no-untyped-call]
    return encode_png(canvas, compression)


def choose_ink(color: Any) -> str:
    """Return black or white for words on a color, so that the contrast ratio is at least 4.5."""
    linear = [c / 12.92 if c <= 0.04045 else ((c + 0.055) / 1.055) ** 2.4 for c in to_rgb(color)]
    return PAPER if np.dot(linear, (0.2126, 0.7152, 0.0722)) < MIDDLE_LUMINANCE else BLACK


def encode_png(canvas: FigureCanvasAgg, compression: int = LIVE_COMPRESSION) -> bytes:
    """Return what has been drawn on a canvas as PNG.

    Parameters
    ----------
    canvas : FigureCanvasAgg
        The canvas.
    compression : int
        The level of compression, up to 9 for the smallest and slowest. Above `LIVE_COMPRESSION` the picture gets a
        palette of at most `MOST_COLORS` colors, in which white stays white.
    """
    pixels = np.asarray(canvas.buffer_rgba())[:, :, :3]  # type: ignore[no-untyped-call]
    image = Image.fromarray(np.ascontiguousarray(pixels))
    buffer = io.BytesIO()
    if compression > LIVE_COMPRESSION:
        image = reduce_colors(image)
    image.save(buffer, format="png", compress_level=compression)
    return buffer.getvalue()


def reduce_colors(image: Image.Image) -> Image.Image:
    """Return a picture with a palette of at most `MOST_COLORS` colors, or the picture itself if it has a palette."""
    if image.mode == "P":
        return image
    # One step of k-means keeps the colors of areas, as of the cells of a heat map, nearly as they are.
    return image.convert("RGB").quantize(MOST_COLORS, kmeans=1, dither=Image.Dither.NONE)


def make_display_data(
    png: bytes, figure: Figure, caption: str
) -> tuple[dict[str, str], dict[str, Any]]:
    """Return the output of a notebook for a picture of a figure: its contents by MIME type, and its metadata.

    The caption is the alternative text of the picture.
    """
    width, height = (round(inches * PIXELS_PER_INCH) for inches in figure.get_size_inches())
    data = {"image/png": base64.b64encode(png).decode(), "text/plain": caption}
    return data, {"image/png": {"width": width, "height": height, "alt": caption}}
