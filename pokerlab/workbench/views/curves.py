"""The bench's curves: live columns, published numbers, and the run before as a ghost."""

import math
from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.figure import SubFigure

from pokerlab.core.arrays import Floats
from pokerlab.runs import Column
from pokerlab.workbench.live.view import Frame, Painted, leave_margins
from pokerlab.workbench.pictures.legends import legend
from pokerlab.workbench.pictures.plots import axis_label, published, spoken
from pokerlab.workbench.pictures.text import capitalized
from pokerlab.workbench.style import dress, logarithmic, look, nth_look


class ConvergenceView:
    """Columns against iterations on two log scales, with the published numbers and the last run.

    Parameters
    ----------
    profiles : sequence of str
        Ends of column names, such as 'average' and 'current': columns that measure the same of these
        profiles are shown together.
    together : Mapping[str, sequence of str], optional
        Other columns that share axes, by what they measure. Every other column is shown alone.
    legend_at : str
        The corner where curves leave room.
    linear : sequence of str
        Columns that are shown on a linear scale, from zero: shares, which may be zero.
    """

    name = "convergence"
    height = 2.9
    choice = "Show"
    caption = (
        "The curves are what has been recorded, up to the present iteration; open circles are"
        " published numbers."
    )

    def __init__(
        self,
        profiles: Sequence[str] = (),
        together: Mapping[str, Sequence[str]] | None = None,
        legend_at: str = "lower left",
        linear: Sequence[str] = (),
    ) -> None:
        self.profiles, self.legend_at, self.linear = profiles, legend_at, linear
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
        if profile:
            return f"of the {profile} profile", look(profile)
        return column.label, nth_look(index)

    def lay_out(self, figure: SubFigure, frame: Frame, chosen: Sequence[Column]) -> list[Artist]:
        """Make the axes and a curve for each column of the group `chosen`."""
        self.columns = list(chosen)
        self.axes = figure.subplots()
        leave_margins(figure, self.height, left=0.74, right=0.12, top=0.3, bottom=0.46)
        dress(self.axes)
        first = self.columns[0]
        self.axis_name = self.measured.get(first.name, first.name)
        self.axes.set_xlabel("iteration (log)")
        self.axes.set_ylabel(axis_label(self.axis_name, first.unit))
        logarithmic(self.axes, "x")
        self.lay_ghost(frame)
        self.curves = [
            self.axes.plot([], [], label=label, **{**style, "markersize": 3.5})[0]
            for label, style in map(self.look_of, range(len(self.columns)), self.columns)
        ]
        self.marked = [
            point
            for column in self.columns
            for point in published(self.axes, frame.published, column.name)
        ]
        self.frozen: tuple[Any, ...] = ()
        self.axes.set_xlim(0.8, max(frame.until, 10) * 1.5)
        self.axes.set_autoscaley_on(False)
        legend(self.axes, loc=self.legend_at)
        self.title = self.axes.set_title(" ", loc="left", y=1.0)
        return [*self.curves, self.title]

    def lay_ghost(self, frame: Frame) -> None:
        """Draw the curves of the run before, faintly."""
        self.ghost_values: list[float] = []
        if frame.ghost is None:
            return
        history = frame.ghost.history
        shown = [column.name for column in self.columns if column.name in history.columns]
        for index, name in enumerate(shown):
            across, up = from_the_first(history["iteration"], history[name])
            style = look("ghost") | {"linestyle": nth_look(index)["linestyle"]}
            label = frame.ghost.label if index == 0 else None
            self.axes.plot(across, up, label=label, **style)
            self.ghost_values += up.tolist()

    def paint(self, frame: Frame) -> tuple[Painted, bool]:
        """Draw the curves up to the present iteration."""
        curves = {column.name: from_the_first(*frame.curve(column)) for column in self.columns}
        values = [*self.ghost_values, *(value for _, value in self.marked)]
        values += [value for _, up in curves.values() for value in up.tolist()]
        from_zero = self.columns[0].name in self.linear
        scale = "linear" if from_zero or min(values, default=0.0) < 0 else "log"
        limits = nice_limits(values) if scale == "linear" else decades(values)
        if from_zero:
            limits = (0.0, limits[1])
        moved = (scale, limits) != self.frozen
        if moved:
            self.frozen = (scale, limits)
            self.axes.set_yscale(scale)
            if scale == "log":
                logarithmic(self.axes, "y")
            self.axes.set_ylim(*limits)
            first = self.columns[0]
            self.axes.set_ylabel(axis_label(self.axis_name, first.unit, logarithmic=scale == "log"))
        for line, points in zip(self.curves, curves.values(), strict=True):
            line.set_data(*points)
        self.title.set_text(self.finding(frame))
        lines = zip(self.columns, self.curves, strict=True)
        return {column.name: np.array(line.get_data()) for column, line in lines}, moved

    def finding(self, frame: Frame) -> str:
        """Return the title: what the first curve has come to."""
        first = self.columns[0]
        value = frame.curve(first)[1][-1]
        number = f"{value:,.0f}" if abs(value) >= 1000 else f"{value:.3g}"
        now = f"{number} {first.unit}".rstrip()
        when = "at the start"
        if frame.iteration:
            when = f"after {frame.iteration:,} iteration{'s' * (frame.iteration != 1)}"
        return f"{capitalized(first.label)}: {now} {when}"


def from_the_first(across: Floats, up: Floats) -> tuple[Floats, Floats]:
    """Return the points that a logarithmic axis of iterations can show."""
    shown = across >= 1
    return across[shown], up[shown]


def decades(values: Sequence[float]) -> tuple[float, float]:
    """Return limits of a log axis: whole decades around the positive ones of `values`."""
    positive = [value for value in values if value > 0]
    if not positive:
        return 0.1, 1.0
    low, high = math.log10(min(positive)), math.log10(max(positive))
    return 10.0 ** math.floor(low - 0.05), 10.0 ** math.ceil(high + 0.05)


def nice_limits(values: Sequence[float]) -> tuple[float, float]:
    """Return limits of a linear axis: round numbers around `values`."""
    low, high = min(values, default=0.0), max((*values, 0.0))
    if low == high:
        return low, low + 1.0
    unit = 10.0 ** math.floor(math.log10(high - low))
    return unit * math.floor(low / unit - 0.1), unit * math.ceil(high / unit + 0.1)
