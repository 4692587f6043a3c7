"""Columns as curves: live on the bench or painted once, with published numbers and the run before as a ghost."""

import math
from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import SubFigure
from matplotlib.ticker import MaxNLocator

from pokerlab.core.arrays import Floats
from pokerlab.runs import Column
from pokerlab.workbench.live.view import Frame, Painted, leave_margins
from pokerlab.workbench.pictures.plots import KEYS, axis_label, legend, published, spoken
from pokerlab.workbench.pictures.text import capitalized, counted
from pokerlab.workbench.style import dress, logarithmic, look, nth_look

EDGE = 1.03  # where a linear axis ends over its last point, so that the point is whole
SIZES = (10, 15, 25, 40, 60)
"""Ends of axes that grow, up to powers of ten: few, since to grow is to draw everything again."""
ACROSS = {"iteration": "round", "evaluations": "fitness evaluations"}  # what a linear axis says
UNPLAYED = "Nothing has been played yet"  # the title before a run
LEAST = 1e-12  # a smaller difference is rounding
Looks = Iterable[tuple[str | None, dict[str, Any]]]
"""For each curve what the legend calls it, and keywords of `Axes.plot`."""


class Curves:
    """Axes on which some columns are curves, which can be painted again and again.

    `words`, if any, say what the vertical axis measures; `against` is 'iteration' or the column that is across, which
    the horizontal axis calls so unless there are `words_across`.
    Without `log_y` negative values decide for a linear axis. `low` is where the vertical axis begins; on a log
    scale what is smaller is drawn there. Axes reach `fixed` heights, and go beyond linear curves by `room`,
    in steps of a power of ten or of its `parts`. `key` goes to the legend, without which there is none.
    """

    def __init__(
        self,
        axes: Axes,
        frame: Frame,
        columns: Sequence[Column],
        looks: Looks,
        words: str,
        *,
        against: str = "iteration",
        words_across: str | None = None,
        log_x: bool = False,
        log_y: bool | None = False,
        low: float | None = None,
        fixed: Sequence[float] = (),
        room: float = 1.0,
        parts: int = 1,
        key: Mapping[str, Any] | None = None,
    ) -> None:
        self.axes, self.columns, self.words, self.against = axes, tuple(columns), words, against
        self.log_x, self.log_y, self.low, self.room, self.parts = log_x, log_y, low, room, parts
        self.still, self.last = list(fixed), 0.0
        self.limits: tuple[Any, ...] = ()
        self.first = 1 if log_x or words_across else 0  # what is measured before is no result
        dress(axes)
        axes.autoscale(False)
        axes.set_xlabel(words_across or ("iteration (log)" if log_x else ACROSS[against]))
        if log_x:
            logarithmic(axes, "x")
        else:
            axes.xaxis.set_major_locator(MaxNLocator(6, integer=True))
        self.lay_ghost(frame)
        self.lines = [axes.plot([], [], label=label, **style)[0] for label, style in looks]
        self.mark(frame)
        if key is not None:
            legend(axes, **key)
        self.marks = [(line.get_marker(), line.get_markevery()) for line in self.lines]
        self.title = axes.set_title(" ", loc="left", y=1.0)
        self.artists: list[Artist] = [*self.lines, self.title]

    def lay_ghost(self, frame: Frame) -> None:
        """Draw the curves of the run before, faintly."""
        if frame.ghost is None or self.against not in ("iteration", *frame.ghost.history.columns):
            return
        history, label = frame.ghost.history, frame.ghost.label
        shown = [column.name for column in self.columns if column.name in history.columns]
        for index, name in enumerate(shown):
            style = look("ghost") | {"linestyle": nth_look(index)["linestyle"]}
            up = self.drawable(history[name])
            self.axes.plot(history[self.against], up, label=label, **style)
            self.still += up[np.isfinite(up)].tolist()
            label = "_nolegend_"

    def mark(self, frame: Frame) -> None:
        """Mark published numbers; where iterations are not across, they are lines."""
        rows = [row for row in frame.published if row.value > 0.0 or not self.log_y]
        names = [column.name for column in self.columns]
        if self.against != "iteration":
            for row in (row for row in rows if row.column in names):
                label, gid = f"published: {row.value:g} {row.unit}", KEYS + row.key
                self.axes.axhline(row.value, label=label, gid=gid, **look("bound"))
                self.still.append(row.value)
            return
        points: list[tuple[float, float]] = []
        for name in names:
            points += published(self.axes, rows, name, None if points else "published")
        self.still += [value for _, value in points]
        self.last = max((at for at, _ in points if np.isfinite(at)), default=0.0)

    def paint(self, frame: Frame) -> tuple[Painted, bool]:
        """Draw the curves up to now; return them, and whether the axes had to move."""
        across = frame.across(self.against)
        begun = across >= self.first
        curves = [np.array([across, frame.curve(c)[1]])[:, begun] for c in self.columns]
        moved = self.limit(frame, np.concatenate([up for _, up in curves]), float(across[-1]))
        for line, (marker, every), (at, up) in zip(self.lines, self.marks, curves, strict=True):
            line.set_data(at, self.drawable(up))
            alone = len(at) == 1  # which a line cannot show
            line.set(marker="o" if alone else marker, markevery=None if alone else every)
        names = (column.name for column in self.columns)
        return dict(zip(names, curves, strict=True)), moved

    def limit(self, frame: Frame, values: Floats, last: float) -> bool:
        """Give the axes round ends beyond all curves; return whether they had to move."""
        values = np.array([*values, *self.still])
        log = self.log_y if self.log_y is not None else values.min(initial=0.0) >= 0.0
        if log:
            ends = decades(self.drawable(values))
        else:
            low, high = nice_limits([*values, self.room * values.max(initial=0.0)], self.parts)
            ends = (low if self.low is None else self.low, high)
        end = 1.5 * max(frame.until, 10) if self.log_x else EDGE * round_end(max(last, self.last))
        limits = (log, ends, end)
        if limits == self.limits:
            return False
        if not self.limits or self.limits[0] != log:
            self.axes.set_yscale("linear")
            if log:
                logarithmic(self.axes, "y")
            if self.words:
                unit = self.columns[0].unit
                self.axes.set_ylabel(axis_label(self.words, unit, logarithmic=bool(log)))
        self.limits = limits
        self.axes.set(ylim=ends, xlim=(0.8 if self.log_x else 0.0, end))
        return True

    def drawable(self, values: Floats) -> Floats:
        """Return values, on a log scale those that have a place there."""
        if not self.log_y:
            return values
        if self.low is not None:
            return np.maximum(values, self.low)
        return np.where(values > 0.0, values, np.nan)


class CurvesView:
    """Columns against iterations, with the published numbers and the last run; of an evolution against `generations`.

    Both scales are logarithmic; generations, which are few, stand on a linear one.

    Columns that measure the same of `profiles`, by the ends of their names, are shown `together`, and so are others
    by what they measure. `linear` ones begin at zero on a linear scale; `legend_at` is where curves leave room.
    """

    name = "convergence"
    height = 2.9
    choice = "Show"
    caption = "The curves are what has been recorded, up to the present iteration; open circles are published numbers."

    def __init__(
        self,
        profiles: Sequence[str] = (),
        together: Mapping[str, Sequence[str]] | None = None,
        legend_at: str = "lower left",
        linear: Sequence[str] = (),
        *,
        generations: bool = False,
    ) -> None:
        self.profiles, self.legend_at, self.linear = profiles, legend_at, linear
        self.unit = "generation" if generations else "iteration"
        self.measured = {name: words for words, names in (together or {}).items() for name in names}

    def choices(self, frame: Frame) -> Mapping[str, Sequence[Column]]:
        """Return groups of columns by what they measure."""
        groups: dict[str, list[Column]] = {}
        for column in frame.columns:
            profile = self.profile_of(column)
            name = spoken(column.name.removesuffix(f"_{profile}")) if profile else column.label
            groups.setdefault(self.measured.get(column.name, name), []).append(column)
        return groups

    def profile_of(self, column: Column) -> str:
        """Return the profile that a column measures; empty if it is none of those declared."""
        return next((p for p in self.profiles if column.name.endswith(f"_{p}")), "")

    def look_of(self, index: int, column: Column) -> tuple[str, dict[str, Any]]:
        """Return what the legend calls a column, and how its curve is drawn."""
        profile = self.profile_of(column)
        label = f"of the {profile} profile" if profile else column.label
        return label, (look(profile) if profile else nth_look(index)) | {"markersize": 3.5}

    def lay_out(self, figure: SubFigure, frame: Frame, chosen: Sequence[Column]) -> list[Artist]:
        """Make the axes and a curve for each column of the group `chosen`."""
        first = chosen[0].name
        from_zero = first in self.linear
        leave_margins(figure, self.height, left=0.74, right=0.12, top=0.3, bottom=0.46)
        looks = map(self.look_of, range(len(chosen)), chosen)
        words = self.measured.get(first, first)
        scale: dict[str, Any] = {"log_y": False, "low": 0.0} if from_zero else {"log_y": None}
        if self.unit == "iteration":
            scale |= {"log_x": True}
        else:
            scale |= {"words_across": self.unit}
        key = {"loc": self.legend_at}
        self.curves = Curves(figure.subplots(), frame, chosen, looks, words, **scale, key=key)
        return self.curves.artists

    def paint(self, frame: Frame) -> tuple[Painted, bool]:
        """Draw the curves up to the present iteration; the title is what the first has come to."""
        first = self.curves.columns[0]
        value = frame.curve(first)[1][-1]
        number = f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
        done = counted(frame.iteration, self.unit)
        when = f"after {done}" if frame.iteration else "at the start"
        words = f"{capitalized(first.label)}: {number} {first.unit}".rstrip()
        self.curves.title.set_text(f"{words} {when}" if frame.has_begun else UNPLAYED)
        return self.curves.paint(frame)


def decades(values: Iterable[float]) -> tuple[float, float]:
    """Return limits of a log axis: whole decades around the positive ones of `values`."""
    positive = [value for value in values if value > 0]
    if not positive:
        return 0.1, 1.0
    low, high = math.log10(min(positive)), math.log10(max(positive))
    return 10.0 ** math.floor(low - 0.05), 10.0 ** math.ceil(high + 0.05)


def nice_limits(values: Sequence[float], parts: int = 1) -> tuple[float, float]:
    """Return limits of a linear axis around `values`, in steps of a power of ten or of its `parts`."""
    low, high = min(values, default=0.0), max((*values, 0.0))
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
