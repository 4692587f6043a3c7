"""Columns of a run as curves, with published numbers and the run before as a ghost."""

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

EDGE = 1.03  # where a linear axis ends over its last point, so that the point is whole
SIZES = (10, 15, 25, 40, 60)
"""Ends of axes that grow, up to powers of ten: few, so that axes change seldom while a run goes on."""
ACROSS = {"iteration": "round", "evaluations": "fitness evaluations"}  # what a linear axis says
UNPLAYED = "Nothing has been played yet"  # the title before a run
LEAST = 1e-12  # a smaller difference is rounding
Looks = Iterable[tuple[str, Mapping[str, Any]]]
"""For each curve what the legend calls it, if anything, and keywords of `Axes.plot`."""


@dataclass(frozen=True)
class Scales:
    """How the axes of curves are chosen.

    Attributes
    ----------
    against : str
        What is across: 'iteration', or a column's name.
    words_across : str
        What the horizontal axis says; if not given, what is usual for `against`.
    log_x : bool
        Whether the horizontal axis is logarithmic.
    log_y : bool, optional
        Whether the vertical axis is; if not given, it is unless there are negative values.
    low : float, optional
        Where the vertical axis begins; on a log scale what is smaller is drawn there.
    fixed : sequence of float
        Heights that the vertical axis always reaches.
    room : float
        How far a linear axis goes beyond the tallest value, as a multiple of it.
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
    """Return columns as curves up to the present iteration.

    Parameters
    ----------
    frame : Frame
        The run.
    columns : sequence of Column
        Which of its columns.
    looks : iterable of (str, mapping)
        For each column what the legend calls it, and keywords of `Axes.plot`.
    words : str
        What the vertical axis measures; empty for nothing.
    scales : Scales
        How the axes are chosen.
    title : str
        The finding.
    levels : sequence of Level
        Values that go all across.
    callout : Callout, optional
        Words with an arrow.
    **about
        Further attributes of `Curves`: the legend and the width.
    """
    # With a logarithmic axis or another unit than iterations, what was measured before the first one is no result.
    first = 1 if scales.log_x or scales.words_across else 0
    across = frame.read_horizontal(scales.against)
    begun = across >= first
    x = across[begun]
    measured = [frame.read_curve(column)[1][begun] for column in columns]
    own = [
        Curve(x, select_drawable(y, scales), column.name, label, style, column.unit)
        for column, (label, style), y in zip(columns, looks, measured, strict=True)
    ]
    ghosts = [curve for ghost in frame.ghosts for curve in draw_ghost(ghost, columns, scales)]
    points, across_all = mark_published(frame, columns, scales)

    still = [*scales.fixed, *(level.value for level in across_all)]
    for curve in (*ghosts, *points):
        still += curve.y[np.isfinite(curve.y)].tolist()
    values = np.array([*np.concatenate([*measured, []]), *still])
    is_log, ends = choose_limits(values, scales)
    last = max([float(across[-1]), *(float(curve.x.max()) for curve in points)])
    end = 1.5 * max(frame.until, 10) if scales.log_x else EDGE * round_end(last)
    unit = columns[0].unit if columns else ""
    across_label = scales.words_across or (
        "iteration (log)" if scales.log_x else ACROSS[scales.against]
    )
    return Curves(
        Axis(across_label, (0.8 if scales.log_x else 0.0, end), scales.log_x, not scales.log_x),
        Axis(write_axis_label(words, unit, logarithmic=is_log) if words else "", ends, is_log),
        (*ghosts, *own, *points),
        title,
        (*levels, *across_all),
        callout,
        mark_disturbances(frame, across, first),
        **about,
    )


def mark_disturbances(frame: Frame, across: Floats, first: float) -> tuple[Mark, ...]:
    """Return when the run was changed from outside, by what is across; a chosen start is no such moment."""
    iterations = frame.rows[:, 0]
    marks = (
        Mark(float(np.interp(when, iterations, across)), words)
        for when, words in frame.disturbances
        if when > 0
    )
    return tuple(mark for mark in marks if mark.x >= first)


def draw_ghost(ghost: Ghost, columns: Sequence[Column], scales: Scales) -> list[Curve]:
    """Return the curves of another run, faint or in its color; none if it did not measure what is across."""
    history, label = ghost.history, ghost.label
    if scales.against not in ("iteration", *history.columns):
        return []
    shown = [column.name for column in columns if column.name in history.columns]
    curves = []
    for index, name in enumerate(shown):
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
    """Return published numbers as points, and as levels where iterations are not across or none is given."""
    rows = [row for row in frame.published if row.value > 0.0 or not scales.log_y]
    names = [column.name for column in columns]
    rows = [row for name in names for row in rows if row.column == name]
    if scales.against != "iteration":
        return [], [publish_level(row, f"published: {row.value:g} {row.unit}") for row in rows]
    return mark_rows(rows, "published")


def mark_rows(rows: Sequence[Published], label: str) -> tuple[list[Curve], list[Level]]:
    """Return published numbers as points, with one name for all of them, and those without an iteration as levels."""
    timed = [row for row in rows if np.isfinite(row.iteration)]
    levels = [publish_level(row, row.note or row.key) for row in rows if row not in timed]
    if not timed:
        return [], levels
    x, y = np.transpose([(row.iteration, row.value) for row in timed])
    smaller = tuple(index for index, row in enumerate(timed) if row.relation == "<")
    source = ",".join(row.key for row in timed)
    points = Curve(x, y, label=label, look=look("published"), upper_limits=smaller, source=source)
    return [points], levels


def published(
    axes: Axes, rows: Iterable[Published], column: str, label: str | None = "published"
) -> list[tuple[float, float]]:
    """Mark the numbers that a paper prints for `column` as open circles.

    An arrow hangs below a number of which the paper says only that the result is smaller; a number
    without an iteration is a thin line across.
    """
    marked = [row for row in rows if row.column == column]
    points, levels = mark_rows(marked, label or "")
    for curve in points:
        paint_curve(axes, curve)
    for level in levels:
        paint_level(axes, level)
    return [(row.iteration, row.value) for row in marked]


def publish_level(row: Published, label: str) -> Level:
    """Return a published number as a level."""
    return Level(row.value, label, look("bound"), row.key)


def choose_limits(values: Floats, scales: Scales) -> tuple[bool, tuple[float, float]]:
    """Return whether the vertical axis is logarithmic, and its limits: round, and beyond all values."""
    is_log = scales.log_y if scales.log_y is not None else bool(values.min(initial=0.0) >= 0.0)
    if is_log:
        return True, choose_decades(select_drawable(values, scales))
    low, high = choose_nice_limits([*values, scales.room * values.max(initial=0.0)], scales.parts)
    return False, (low if scales.low is None else scales.low, high)


def select_drawable(values: Floats, scales: Scales) -> Floats:
    """Return values, on a log scale those that have a place there."""
    if not scales.log_y:
        return values
    if scales.low is not None:
        return np.maximum(values, scales.low)
    return np.where(values > 0.0, values, np.nan)


@dataclass(frozen=True)
class CurvesView:
    """Columns against iterations, with the published numbers and the last run.

    Both scales are logarithmic; generations of an evolution, which are few, have a linear one.

    Attributes
    ----------
    profiles : sequence of str
        Columns that measure the same of these profiles, by the ends of their names, are shown together.
    together : mapping
        Other columns that are shown together, by what they measure.
    legend_at : str
        The corner where curves leave room.
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
    choice = "Show"
    caption = "The curves are what has been recorded, up to the present iteration; open circles are published numbers."

    def list_choices(self, frame: Frame) -> Mapping[str, Sequence[Column]]:
        """Return groups of columns by what they measure."""
        groups: dict[str, list[Column]] = {}
        for column in frame.columns:
            profile = self.find_profile(column)
            name = (
                spell_column(column.name.removesuffix(f"_{profile}")) if profile else column.label
            )
            groups.setdefault(self.measured.get(column.name, name), []).append(column)
        return groups

    @property
    def measured(self) -> dict[str, str]:
        """What the columns that are shown together measure, by name."""
        return {name: words for words, names in self.together.items() for name in names}

    def find_profile(self, column: Column) -> str:
        """Return the profile that a column measures; empty if it is none of those declared."""
        return next((p for p in self.profiles if column.name.endswith(f"_{p}")), "")

    def look_of(self, index: int, column: Column) -> tuple[str, dict[str, Any]]:
        """Return what the legend calls a column, and how its curve is drawn."""
        profile = self.find_profile(column)
        label = f"of the {profile} profile" if profile else column.label
        return label, (look(profile) if profile else nth_look(index)) | {"markersize": 3.5}

    def draw(self, frame: Frame, chosen: Sequence[Column]) -> Strip:
        """Return the curves of a group; the title is what the first has come to."""
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
        title = f"{words} {when}" if frame.has_begun else UNPLAYED
        looks = map(self.look_of, range(len(chosen)), chosen)
        measures = self.measured.get(first.name, first.name)
        curves = draw_curves(
            frame, chosen, looks, measures, scales, title=title, legend=self.legend_at
        )
        return Strip(self.name, self.height, ((curves,),))


def choose_decades(values: Iterable[float]) -> tuple[float, float]:
    """Return limits of a log axis: whole decades around the positive ones of `values`."""
    positive = [value for value in values if value > 0]
    if not positive:
        return 0.1, 1.0
    low, high = math.log10(min(positive)), math.log10(max(positive))
    return 10.0 ** math.floor(low - 0.05), 10.0 ** math.ceil(high + 0.05)


def choose_nice_limits(values: Sequence[float], parts: int = 1) -> tuple[float, float]:
    """Return limits of a linear axis around `values`, in steps of a power of ten or of its `parts`."""
    low = min(values, default=0.0)
    high = max((*values, 0.0))
    if high - low < LEAST:
        return low, low + 1.0
    unit = 10.0 ** math.floor(math.log10(high - low)) / parts
    return unit * math.floor(low / unit - 0.1), unit * math.ceil(high / unit + 0.1)


def round_end(number: float) -> int:
    """Return a round number, at least `number` and at least 10: where an axis ends."""
    power = 1
    while number > SIZES[-1] * power:
        power *= 10
    return next(size * power for size in SIZES if size * power >= number)
