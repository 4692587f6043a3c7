"""How a figure keeps its room for what is drawn, whatever names it is given.

matplotlib makes room for every legend, name and title by shrinking the axes, down to nothing, and it reads a text
with two dollar signs as a formula. Here text is drawn as it is, long names are wrapped or shortened, and wide legends
stand below the figure.
"""

import math
import textwrap
import warnings
from collections.abc import Callable, Iterator
from itertools import pairwise
from typing import Any

from matplotlib.axes import Axes
from matplotlib.axis import Axis
from matplotlib.backends.backend_agg import RendererAgg
from matplotlib.figure import Figure
from matplotlib.layout_engine import ConstrainedLayoutEngine, LayoutEngine
from matplotlib.legend import Legend
from matplotlib.text import Text
from matplotlib.ticker import FixedFormatter, FixedLocator, FuncFormatter
from matplotlib.transforms import Bbox

ELLIPSIS = "…"
LEAST_LETTERS = 3  # of a shortened name: its first letter, the ellipsis, its last one
MOST_LINES = 3  # of a name or a title
MOST_IN_A_ROW = 4  # entries of a legend below a figure
MARGIN = 6.0  # pixels that stay free beside words
BESIDE = 0.4  # of the width of the axes: a legend that stands beside them is not wider
NAMES = 0.25  # of the figure's width or height, for the names along an axis
ROUGHLY = 1.4  # how much wider a place can be than it is before the axes are laid out
LEAST_SHARE = 0.5
"""Of a figure's width that its axes have at least together; a figure with less is reported."""


def shortened(words: str, most: int) -> str:
    """Return words of at most `most` letters, which keep their start and their end.

    Examples
    --------
    >>> shortened("network of generation 100", 12), shortened("network", 12)
    ('networ…n 100', 'network')
    """
    if len(words) <= most:
        return words
    kept = max(most, LEAST_LETTERS) - len(ELLIPSIS)
    return words[: kept - kept // 2].rstrip() + ELLIPSIS + words[len(words) - kept // 2 :].lstrip()


def wrapped(words: str, letters: int, lines: int = MOST_LINES) -> str:
    r"""Return words in at most `lines` lines of at most `letters` letters; what has no room is left out in the middle.

    Examples
    --------
    >>> wrapped("network after 100 generations", 16)
    'network after\n100 generations'
    """
    letters = max(letters, LEAST_LETTERS)
    for most in range(min(len(words), lines * letters), letters, -1):
        parts = textwrap.wrap(
            shortened(words, most), letters, break_long_words=False, break_on_hyphens=False
        )
        if len(parts) <= lines and max(map(len, parts)) <= letters:
            return "\n".join(parts)
    return shortened(words, letters)


def has_names(axis: Axis) -> bool:
    """Return whether names stand along an axis, not numbers that matplotlib has chosen."""
    return isinstance(axis.get_major_locator(), FixedLocator) and isinstance(
        axis.get_major_formatter(), FixedFormatter | FuncFormatter
    )


def draw_literally(figure: Figure) -> None:
    """Let all text of a figure be drawn as it is: no dollar sign begins a formula.

    Numbers along an axis stay as matplotlib writes them, some of them as formulas.
    """
    written = {
        id(text)
        for axes in figure.axes
        for axis in (axes.xaxis, axes.yaxis)
        if not has_names(axis)
        for text in axis.get_ticklabels(which="both")
    }
    for text in figure.findobj(Text):
        if id(text) not in written:
            text.set_parse_math(False)


def extent(words: Text | Legend) -> Bbox:
    """Return where a text or a legend stands, in pixels of its figure at its present resolution."""
    figure = words.get_figure(root=True)
    assert figure is not None
    return words.get_window_extent(RendererAgg(1, 1, figure.dpi))  # type: ignore[no-untyped-call]


def width_of(text: Text) -> float:
    """Return the pixels that a text takes across."""
    return float(extent(text).width)


def height_of(text: Text) -> float:
    """Return the pixels that a text takes from top to bottom."""
    return float(extent(text).height)


def fit(
    text: Text,
    limit: float,
    size: Callable[[Text], float] = width_of,
    lines: int = MOST_LINES,
) -> bool:
    """Wrap or shorten a text until its `size` is at most `limit` pixels; return whether it had to change."""
    words = text.get_text()
    longest = max(map(len, words.split("\n")), default=0)
    if longest <= LEAST_LETTERS or size(text) <= limit:
        return False
    for letters in range(min(longest, math.ceil(longest * limit / size(text)) + 2), 2, -1):
        text.set_text(wrapped(words.replace("\n", " "), letters, lines))
        if size(text) <= limit:
            break
    return True


def fit_names(axis: Axis, limit: float, size: Callable[[Text], float]) -> None:
    """Wrap or shorten the names along an axis."""
    labels = axis.get_ticklabels() if has_names(axis) else []
    changed = [fit(label, limit, size) for label in labels]
    if any(changed):
        axis.set_ticklabels([label.get_text() for label in labels])


def are_upright(axis: Axis) -> bool:
    """Return whether labels along an axis are turned."""
    return any(label.get_rotation() for label in axis.get_ticklabels())


def fit_names_side_by_side(axes: Axes, room: float = 1.0) -> None:
    """Wrap or shorten the names below axes where they are wider than their places times `room`."""
    labels = [label for label in axes.get_xticklabels() if label.get_text()]
    if are_upright(axes.xaxis):
        return
    places = [axes.transData.transform((label.get_position()[0], 0.0))[0] for label in labels]
    steps = [room * abs(after - before) for before, after in pairwise(places)]
    touching = any(
        (width_of(one) + width_of(other)) / 2 > step
        for (one, other), step in zip(pairwise(labels), steps, strict=True)
    )
    if touching:
        fit_names(axes.xaxis, min(steps) - MARGIN, width_of)


def headings(axes: Axes) -> Iterator[Text]:
    """Yield the titles of axes: on the left, in the middle, on the right."""
    texts = {id(text) for text in axes.texts}
    yield from (
        each
        for each in axes.get_children()
        if isinstance(each, Text) and id(each) not in texts and each.get_text().strip()
    )


def room_right_of(axes: Axes, left: float) -> float:
    """Return the pixels from `left` to the axes on the right of these, or to the end of the figure."""
    own, figure = axes.get_window_extent(), axes.get_figure(root=True)
    assert figure is not None
    boxes = [other.get_window_extent() for other in figure.axes]
    beside = [b.x0 for b in boxes if b.x0 >= own.x1 and b.y0 < own.y1 and b.y1 > own.y0]
    return float(min([*beside, figure.bbox.x1])) - left - MARGIN


def fit_titles(figure: Figure) -> None:
    """Wrap or shorten titles and labels of axes that reach beyond their place."""
    for text in figure.texts:
        if text.get_horizontalalignment() == "left":
            fit(text, figure.bbox.x1 - extent(text).x0 - MARGIN)
    for axes in figure.axes:
        for title in headings(axes):
            if title.get_horizontalalignment() == "left":
                fit(title, room_right_of(axes, extent(title).x0))
        center = axes.get_window_extent().x0 + axes.get_window_extent().width / 2
        nearer_end = min(center - figure.bbox.x0, figure.bbox.x1 - center)
        fit(axes.xaxis.label, 2 * nearer_end - MARGIN)


def entries(legend: Legend) -> dict[str, Any]:
    """Return what a legend explains, by its words."""
    words = [text.get_text() for text in legend.get_texts()]
    return dict(zip(words, legend.legend_handles, strict=True))


def fit_legend(legend: Legend, limit: float) -> None:
    """Shorten the words of a legend until it is at most `limit` pixels wide."""
    texts = legend.get_texts()
    words = [text.get_text() for text in texts]
    for most in range(max(map(len, words), default=0) - 1, LEAST_LETTERS - 1, -1):
        if extent(legend).width <= limit:
            return
        for text, said in zip(texts, words, strict=True):
            text.set_text(shortened(said, most))


def stand_below(figure: Figure, explained: dict[str, Any], like: Legend) -> None:
    """Put a legend that looks `like` another one below the figure, in as many columns as there is room for."""
    limit = figure.bbox.width - 2 * MARGIN
    look: dict[str, Any] = {
        "fontsize": like.get_texts()[0].get_fontsize(),
        "frameon": like.get_frame_on(),
        "handlelength": like.handlelength,
        "handler_map": like.get_legend_handler_map(),
    }
    for columns in range(min(len(explained), MOST_IN_A_ROW), 0, -1):
        legend = figure.legend(
            [*explained.values()], [*explained], loc="outside lower center", ncols=columns, **look
        )
        draw_literally(figure)
        if columns == 1 or extent(legend).width <= limit:
            fit_legend(legend, limit)
            return
        legend.remove()


def legends_of(figure: Figure) -> list[tuple[Legend, Axes | None]]:
    """Return the legends of a figure, each with its axes if it has any."""
    of_axes = [(axes.get_legend(), axes) for axes in figure.axes]
    own: list[tuple[Legend, Axes | None]] = [(legend, None) for legend in figure.legends]
    return own + [(legend, axes) for legend, axes in of_axes if legend is not None]


def is_too_wide(legend: Legend, axes: Axes | None, figure: Figure) -> bool:
    """Return whether a legend is wider than its place: its axes, a part of them beside them, or the figure."""
    box = extent(legend)
    if axes is None:
        return bool(box.width > figure.bbox.width)
    place = axes.get_window_extent()
    is_beside = not place.x0 <= box.x0 + box.width / 2 <= place.x1
    return bool(box.width > place.width * (BESIDE if is_beside else 1.0))


def share_of_width(figure: Figure) -> float:
    """Return how much of a figure's width its axes have together."""
    spans = sorted(tuple(axes.get_position(original=True).intervalx) for axes in figure.axes)
    covered, end = 0.0, 0.0
    for first, last in spans:
        covered += max(0.0, last - max(first, end))
        end = max(end, last)
    return covered


class RoomyLayout(ConstrainedLayoutEngine):
    """Constrained layout in which neither legends nor names nor titles take the room of the axes."""

    def execute(self, fig: Figure) -> None:
        """Fit all words, then place the axes; warn if these have under half of the figure's width."""
        draw_literally(fig)
        for axes in fig.axes:
            fit(axes.yaxis.label, axes.get_window_extent().height, height_of)
            fit_names(axes.yaxis, NAMES * fig.bbox.width, width_of)
            if are_upright(axes.xaxis):
                fit_names(axes.xaxis, NAMES * fig.bbox.height, height_of)
            fit_names_side_by_side(axes, ROUGHLY)
        legends = legends_of(fig)
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
            explained = {words: mark for legend in wide for words, mark in entries(legend).items()}
            for legend in wide:
                legend.remove()
            stand_below(fig, explained, wide[0])
        super().execute(fig)
        share = share_of_width(fig)
        if fig.axes and share < LEAST_SHARE:
            warnings.warn(
                f"the axes of a figure have {share:.0%} of its width. Use a wider figure, shorter names or fewer"
                " entries in its legend.",
                stacklevel=2,
            )


class LiteralText(LayoutEngine):
    """Axes stay where they were put; text is drawn as it is, and legends are not wider than their axes."""

    _adjust_compatible = True
    _colorbar_gridspec = False

    def execute(self, fig: Figure) -> None:
        """Fit the words of legends."""
        draw_literally(fig)
        for legend, axes in legends_of(fig):
            place = fig if axes is None else axes
            fit_legend(legend, place.get_window_extent().width)
