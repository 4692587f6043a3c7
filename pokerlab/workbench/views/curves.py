"""Columns of a run as curves, with published numbers, and with other runs as ghosts."""

import math
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

import numpy as np
from matplotlib.axes import Axes

from pokerlab.core.arrays import Floats
from pokerlab.papers.experiment import Published
from pokerlab.runs import Column
from pokerlab.workbench.live.view import Frame, Ghost
from pokerlab.workbench.matplotlib_painter import paint_curve, paint_level
from pokerlab.workbench.picture import Axis, Callout, Curve, Curves, Level, Mark, Strip
from pokerlab.workbench.plots import spell_column, write_axis_label
from pokerlab.workbench.style import look, nth_look
from pokerlab.workbench.text import capitalize, count_in_words

LINEAR_AXIS_ROOM = (
    1.03  # the end of a linear axis over its last point, so that the whole point is visible
)
AXIS_ENDS = (10, 15, 25, 40, 60)
"""The possible ends of an axis, up to powers of ten. They are few, so that axes change seldom during a run."""
ACROSS_LABELS = {
    "iteration": "round",
    "evaluations": "fitness evaluations",
}  # the labels of a linear axis
UNPLAYED_TITLE = "Nothing has been played yet"  # the title before a run
SMALLEST_DIFFERENCE = 1e-12  # a smaller difference is a rounding error
Looks = Iterable[tuple[str, Mapping[str, Any]]]
"""For each curve its label in the legend, which may be empty, and keyword arguments of `Axes.plot`."""


@dataclass(frozen=True)
class Scales:
    """The settings of the axes of curves.

    Attributes
    ----------
    against : str
        The quantity on the horizontal axis: 'iteration', or the name of a column.
    words_across : str
        The label of the horizontal axis; by default a usual label of `against`.
    log_x : bool
        Whether the horizontal axis is logarithmic.
    log_y : bool, optional
        Whether the vertical axis is logarithmic. By default it is unless there are negative values.
    low : float, optional
        The lower end of the vertical axis. On a logarithmic scale, smaller values are drawn there.
    fixed : sequence of float
        Heights that the vertical axis always reaches.
    room : float
        The height of a linear axis as a multiple of the tallest value.
    parts : int
        A linear axis ends at a multiple of a power of ten over `parts`.
    """

    against: str = "iteration"
    words_across: str = ""
    log_x: bool = False
    log_y: bool | None = False
    low: float | None = None
    fixed: Sequence[float] = ()
    room: float = 1.0
    parts: int = 1


def draw_curves(
    frame: Frame,
    columns: Sequence[Column],
    looks: Looks,
    words: str,
    scales: Scales,
    *,
    title: str = "",
    levels: Sequence[Level] = (),
    callout: Callout | None = None,
    **about: Any,
) -> Curves:
    """Return columns of a run as curves up to the present iteration.

    Parameters
    ----------
    frame : Frame
        The run.
    columns : sequence of Column
        The columns.
    looks : iterable of (str, mapping)
        For each column its label in the legend, and keyword arguments of `Axes.plot`.
    words : str
        The quantity on the vertical axis; if it is empty, the axis has no label.
    scales : Scales
        The settings of the axes.
    title : str
        The finding.
    levels : sequence of Level
        Values that are drawn as horizontal lines.
    callout : Callout, optional
        Words with an arrow.
    **about
        Further attributes of `Curves`: the legend and the width.
    """
    # A logarithmic axis, or one in another unit than iterations, begins with 1: the first recording is left out.
    first_x = 1 if scales.log_x or scales.words_across else 0
    across = frame.read_by_name(scales.against)
    is_shown = across >= first_x
    x = across[is_shown]
    column_values = [frame.read_curve(column)[1][is_shown] for column in columns]
    own_curves = [
        Curve(x, select_drawable(y, scales), column.name, label, style, column.unit)
        for column, (label, style), y in zip(columns, looks, column_values, strict=True)
    ]
    ghosts = [curve for ghost in frame.ghosts for curve in draw_ghost(ghost, columns, scales)]
    points, published_levels = mark_published(frame, columns, scales)

    # The vertical axis has room for everything that is drawn.
    other_values = [*scales.fixed, *(level.value for level in published_levels)]
    for curve in (*ghosts, *points):
        other_values += curve.y[np.isfinite(curve.y)].tolist()
    values = np.array([*np.concatenate([*column_values, []]), *other_values])
    is_log, ends = choose_limits(values, scales)
    last_x = max([float(across[-1]), *(float(curve.x.max()) for curve in points)])
    end = (
        1.5 * max(frame.last_iteration, 10)
        if scales.log_x
        else LINEAR_AXIS_ROOM * round_end(last_x)
    )
    unit = columns[0].unit if columns else ""
    across_label = scales.words_across or (
        "iteration (log)" if scales.log_x else ACROSS_LABELS[scales.against]
    )
    return Curves(
        Axis(across_label, (0.8 if scales.log_x else 0.0, end), scales.log_x, not scales.log_x),
        Axis(write_axis_label(words, unit, logarithmic=is_log) if words else "", ends, is_log),
        (*ghosts, *own_curves, *points),
        title,
        (*levels, *published_levels),
        callout,
        mark_disturbances(frame, across, first_x),
        **about,
    )


def mark_disturbances(frame: Frame, across: Floats, first_x: float) -> tuple[Mark, ...]:
    """Return marks at which the run was changed from outside.

    A change at iteration 0 only chooses the start and gets no mark.

    Parameters
    ----------
    frame : Frame
        The run.
    across : array of shape (T,)
        The quantity on the horizontal axis at each recording.
    first_x : float
        The first value of this quantity that is shown.
    """
    iterations = frame.rows[:, 0]
    marks = (
        Mark(float(np.interp(iteration, iterations, across)), words)
        for iteration, words in frame.disturbances
        if iteration > 0
    )
    return tuple(mark for mark in marks if mark.x >= first_x)


def draw_ghost(ghost: Ghost, columns: Sequence[Column], scales: Scales) -> list[Curve]:
    """Return the curves of another run, faint or in its color; none if it lacks the quantity on the horizontal axis."""
    history, label = ghost.history, ghost.label
    if scales.against not in ("iteration", *history.columns):
        return []
    names = [column.name for column in columns if column.name in history.columns]
    curves = []
    for index, name in enumerate(names):
        style = look("ghost") | {"linestyle": nth_look(index)["linestyle"]}
        if ghost.color:
            style |= {"color": ghost.color, "linewidth": 1.6}
        y = select_drawable(history[name], scales)
        curves.append(
            Curve(history[scales.against], y, label=label if index == 0 else "", look=style)
        )
    return curves


def mark_published(
    frame: Frame, columns: Sequence[Column], scales: Scales
) -> tuple[list[Curve], list[Level]]:
    """Return published numbers as points and levels.

    A number is a level if it has no iteration, or if the horizontal axis does not show iterations.
    """
    rows = [row for row in frame.published if row.value > 0.0 or not scales.log_y]
    names = [column.name for column in columns]
    rows = [row for name in names for row in rows if row.column == name]
    if scales.against != "iteration":
        return [], [
            make_published_level(row, f"published: {row.value:g} {row.unit}") for row in rows
        ]
    return mark_rows(rows, "published")


def mark_rows(rows: Sequence[Published], label: str) -> tuple[list[Curve], list[Level]]:
    """Return published numbers as points, which share one label, and those without an iteration as levels."""
    rows_with_iteration = [row for row in rows if np.isfinite(row.iteration)]
    levels = [
        make_published_level(row, row.note or row.key)
        for row in rows
        if row not in rows_with_iteration
    ]
    if not rows_with_iteration:
        return [], levels
    x, y = np.transpose([(row.iteration, row.value) for row in rows_with_iteration])
    upper_limits = tuple(
        index for index, row in enumerate(rows_with_iteration) if row.relation == "<"
    )
    source = ",".join(row.key for row in rows_with_iteration)
    points = Curve(
        x, y, label=label, look=look("published"), upper_limits=upper_limits, source=source
    )
    return [points], levels


def plot_published(
    axes: Axes, rows: Iterable[Published], column: str, label: str | None = "published"
) -> list[tuple[float, float]]:
    """Mark the numbers that a paper prints for a column as open circles.

    An arrow points down from a number that the paper gives as an upper limit. A number without an iteration is a thin
    horizontal line.

    Parameters
    ----------
    axes : Axes
        The axes.
    rows : iterable of Published
        Published numbers, of any columns.
    column : str
        The column whose numbers are marked.
    label : str, optional
        The label of the circles in the legend.

    Returns
    -------
    list of (float, float)
        The iteration and the value of each number.
    """
    column_rows = [row for row in rows if row.column == column]
    points, levels = mark_rows(column_rows, label or "")
    for curve in points:
        paint_curve(axes, curve)
    for level in levels:
        paint_level(axes, level)
    return [(row.iteration, row.value) for row in column_rows]


def make_published_level(row: Published, label: str) -> Level:
    """Return a published number as a level with a label."""
    return Level(row.value, label, look("bound"), row.key)


def choose_limits(values: Floats, scales: Scales) -> tuple[bool, tuple[float, float]]:
    """Return whether the vertical axis is logarithmic, and its limits, which are round and enclose all values."""
    is_log = scales.log_y if scales.log_y is not None else bool(values.min(initial=0.0) >= 0.0)
    if is_log:
        return True, choose_decades(select_drawable(values, scales))
    low, high = choose_nice_limits([*values, scales.room * values.max(initial=0.0)], scales.parts)
    return False, (low if scales.low is None else scales.low, high)


def select_drawable(values: Floats, scales: Scales) -> Floats:
    """Return values for drawing. On a logarithmic scale, values that are too small are raised to `low`, or are NaN."""
    if not scales.log_y:
        return values
    if scales.low is not None:
        return np.maximum(values, scales.low)
    return np.where(values > 0.0, values, np.nan)


@dataclass(frozen=True)
class CurvesView:
    """Columns against iterations, with published numbers and other runs.

    Both scales are logarithmic. The generations of an evolution, which are few, have a linear one.

    Attributes
    ----------
    profiles : sequence of str
        The profiles, which are the ends of names of columns. Columns of the same quantity are shown together.
    together : mapping
        For each quantity the names of other columns that are shown together.
    legend_at : str
        The corner for the legend, where curves leave room.
    linear : sequence of str
        Columns that begin at zero on a linear scale.
    generations : bool
        Whether iterations are generations.
    """

    profiles: Sequence[str] = ()
    together: Mapping[str, Sequence[str]] = field(default_factory=dict)
    legend_at: str = "lower left"
    linear: Sequence[str] = ()
    generations: bool = False
    name = "convergence"
    height = 2.9
    choice_label = "Show"
    caption = "The curves are what has been recorded, up to the present iteration; open circles are published numbers."

    def list_choices(self, frame: Frame) -> Mapping[str, Sequence[Column]]:
        """Return groups of columns by the quantity that they measure."""
        groups: dict[str, list[Column]] = {}
        for column in frame.columns:
            profile = self.find_profile(column)
            name = (
                spell_column(column.name.removesuffix(f"_{profile}")) if profile else column.label
            )
            groups.setdefault(self.quantities.get(column.name, name), []).append(column)
        return groups

    @property
    def quantities(self) -> dict[str, str]:
        """The quantity of each column that is shown together with others, by the name of the column."""
        return {name: words for words, names in self.together.items() for name in names}

    def find_profile(self, column: Column) -> str:
        """Return the profile that a column measures, or an empty text if it is none of the declared ones."""
        return next((p for p in self.profiles if column.name.endswith(f"_{p}")), "")

    def make_look(self, index: int, column: Column) -> tuple[str, dict[str, Any]]:
        """Return the label of a column in the legend, and the keyword arguments of its curve."""
        profile = self.find_profile(column)
        label = f"of the {profile} profile" if profile else column.label
        return label, (look(profile) if profile else nth_look(index)) | {"markersize": 3.5}

    def draw(self, frame: Frame, chosen: Sequence[Column]) -> Strip:
        """Return the strip with the curves of a group, whose title is the last value of the first column."""
        first = chosen[0]
        unit = "generation" if self.generations else "iteration"
        from_zero = first.name in self.linear
        scales = Scales(
            words_across=unit if self.generations else "",
            log_x=not self.generations,
            log_y=False if from_zero else None,
            low=0.0 if from_zero else None,
        )
        value = frame.read_curve(first)[1][-1]
        number = f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
        when = (
            f"after {count_in_words(frame.iteration, unit)}" if frame.iteration else "at the start"
        )
        words = f"{capitalize(first.label)}: {number} {first.unit}".rstrip()
        title = f"{words} {when}" if frame.has_begun else UNPLAYED_TITLE
        looks = map(self.make_look, range(len(chosen)), chosen)
        quantity = self.quantities.get(first.name, first.name)
        curves = draw_curves(
            frame, chosen, looks, quantity, scales, title=title, legend=self.legend_at
        )
        return Strip(self.name, self.height, ((curves,),))


def choose_decades(values: Iterable[float]) -> tuple[float, float]:
    """Return the limits of a logarithmic axis: whole decades around the positive values."""
    positive = [value for value in values if value > 0]
    if not positive:
        return 0.1, 1.0
    low, high = math.log10(min(positive)), math.log10(max(positive))
    return 10.0 ** math.floor(low - 0.05), 10.0 ** math.ceil(high + 0.05)


def choose_nice_limits(values: Sequence[float], parts: int = 1) -> tuple[float, float]:
    """Return the limits of a linear axis around values: multiples of a power of ten divided by `parts`."""
    low = min(values, default=0.0)
    high = max((*values, 0.0))
    if high - low < SMALLEST_DIFFERENCE:
        return low, low + 1.0
    unit = 10.0 ** math.floor(math.log10(high - low)) / parts
    return unit * math.floor(low / unit - 0.1), unit * math.ceil(high / unit + 0.1)


def round_end(number: float) -> int:
    """Return the end of an axis: the least round number that is at least `number` and at least 10."""
    power = 1
    while number > AXIS_ENDS[-1] * power:
        power *= 10
    return next(size * power for size in AXIS_ENDS if size * power >= number)
