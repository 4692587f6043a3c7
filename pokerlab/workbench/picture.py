"""A picture as data: strips one above the other, each of panels side by side, with every number that is drawn.

A view (`pokerlab.workbench.views`) makes a picture of a run; a painter shows it: `matplotlib_painter` on paper and in
saved notebooks, `browser_painter` on a page while the run goes on. A panel is one of four kinds: `Curves`, `HeatMap`,
`Triangle` and `Bars`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pokerlab.core.arrays import Bools, Floats

CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(3) / 2]])
"""Where the corners of a triangle of mixtures stand, (3, 2)."""
BELOW = "below"
"""Where a legend stands that is in no corner."""
LONGEST_LABELS = 48
"""Letters that fit side by side below a heat map."""


def would_touch(names: Sequence[str]) -> bool:
    """Return whether names below a heat map would touch each other, or reach beyond its ends."""
    letters = [len(name) for name in names]
    widest = max(((one + other) / 2 for one, other in pairwise(letters)), default=0.0)
    return sum(letters) > LONGEST_LABELS or len(letters) * widest > LONGEST_LABELS


def name_places(names: Sequence[str], first: float = 0.5) -> tuple[tuple[float, str], ...]:
    """Return the ticks of named rows or columns, one apart, where the middle of the first one is at `first`."""
    return tuple((first + index, name) for index, name in enumerate(names))


@dataclass(frozen=True)
class Axis:
    """An axis of a panel.

    Attributes
    ----------
    label : str
        What it measures, with its unit.
    limits : tuple of float
        The values on the left and right, or at the bottom and top; the first may be the larger.
    is_log : bool
        Whether its scale is logarithmic.
    is_whole : bool
        Whether only whole numbers are labeled.
    ticks : tuple of (float, str), optional
        Places and their names; if not given, a painter chooses round numbers.
    """

    label: str = ""
    limits: tuple[float, float] = (0.0, 1.0)
    is_log: bool = False
    is_whole: bool = False
    ticks: tuple[tuple[float, str], ...] | None = None


@dataclass(frozen=True, eq=False)
class Curve:
    """Points, joined by a line or not.

    Attributes
    ----------
    x, y : array of shape (T,)
        Where they are; NaN where there is none.
    key : str
        Its name in `Strip.numbers`; empty for what is not a measurement of this run.
    label : str
        What the legend calls it; empty for nothing.
    unit : str
        Of the heights.
    look : mapping
        Color, dash and marker, as keywords of `Axes.plot`.
    upper_limits : tuple of int
        The points that say only that the value is smaller.
    source : str
        The keys of the published numbers that it shows, joined by commas.
    """

    x: Floats
    y: Floats
    key: str = ""
    label: str = ""
    look: Mapping[str, Any] = field(default_factory=dict)
    unit: str = ""
    upper_limits: tuple[int, ...] = ()
    source: str = ""


@dataclass(frozen=True)
class Level:
    """A value that goes all across a panel."""

    value: float
    label: str = ""
    look: Mapping[str, Any] = field(default_factory=dict)
    source: str = ""


@dataclass(frozen=True)
class Mark:
    """A moment at which something was done to the run, as a line over the whole height with words."""

    x: float
    words: str


@dataclass(frozen=True)
class Callout:
    """Words with an arrow to a point."""

    words: str
    x: float
    y: float


@dataclass(frozen=True, eq=False)
class Arrows:
    """Which way something moves, at some places.

    Attributes
    ----------
    places : array of shape (A, 2) or (A, 3)
        The middles of the arrows: across and up, or mixtures of three actions.
    ways : array of the same shape
        From their tails to their heads.
    strengths : array of shape (A,)
        From 0 to 1; the stronger, the darker.
    width : float
        Of their lines, in points.
    """

    places: Floats
    ways: Floats
    strengths: Floats
    width: float = 1.3


@dataclass(frozen=True, eq=False)
class Curves:
    """Curves over common axes.

    `legend` is the corner where the legend stands unless it would cover a curve, in the words of matplotlib, or
    'below' the panel; it is empty if there is no legend. Where `is_start_chosen`, the run begins anew with the share
    from 0 to 1 on which a reader clicks.
    """

    x: Axis
    y: Axis
    curves: tuple[Curve, ...]
    title: str = ""
    levels: tuple[Level, ...] = ()
    callout: Callout | None = None
    marks: tuple[Mark, ...] = ()
    legend: str = ""
    legend_columns: int = 1
    legend_frame: bool = False
    is_start_chosen: bool = False
    width: float = 1.0
    arrows: Arrows | None = None

    @property
    def numbers(self) -> dict[str, Floats]:
        """The measurements of this run, (2, T) by key: across and up."""
        return {curve.key: np.array([curve.x, curve.y]) for curve in self.curves if curve.key}


@dataclass(frozen=True)
class ColorScale:
    """Which color shows which value.

    Attributes
    ----------
    colors : tuple of str
        From the lowest value to the highest, evenly spaced.
    low, high : float
        The values at the ends.
    power : float
        Shares of the way from `low` to `high` are raised to this power.
    missing, under : str
        The colors of NaN, and of what is below `low`; nothing is drawn where `missing` is 'none'.
    """

    colors: tuple[str, ...]
    low: float = 0.0
    high: float = 1.0
    power: float = 1.0
    missing: str = "#ffffff"
    under: str = ""


@dataclass(frozen=True)
class Group:
    """Neighboring rows or columns with a common name, from `first` up to `end`, which is not in it."""

    name: str
    first: float
    end: float


@dataclass(frozen=True, eq=False)
class HeatMap:
    """Values as colored cells.

    Attributes
    ----------
    values : array of shape (R, C)
        NaN where there is none.
    key : str
        Their name in `Strip.numbers`.
    x, y : Axis
        Their limits are the edges of the cells.
    x_edges, y_edges : array of shape (C + 1,) or (R + 1,), optional
        Where cells begin and end; if not given, they are evenly spaced, the first row above.
    rows, columns : tuple of str
        Names in full of rows and columns, for who points at a cell; without names they are numbered from 1.
    column_word : str
        What a column without a name is called before its number, such as 'card'; if not given, the label of the axis.
    scale_label : str
        If given, the colors are explained beside the panel.
    scale_ticks : tuple of (float, str)
        Values that this explanation names.
    unit : str
        Of the values.
    value_word : str
        What a value is, for who points at a cell, such as 'probability'; empty where the unit says it.
    has_numbers, has_narrow_cells : bool
        Whether cells have their value written in them, and without the zero before the point.
    words : array of str of shape (R, C), optional
        What is written in the cells instead of their values.
    text_size, digit_size : float
        Of names along the axes and of numbers in cells, in points.
    hatched : array of bool of shape (R, C), optional
        Cells that cannot be, which are hatched.
    gap : float
        Between cells, in points.
    row_groups, column_groups : tuple of Group
        Named beside the rows and above the columns; a line stands between two groups of rows.
    curves : tuple of Curve
        Drawn over the cells.
    """

    values: Floats
    x: Axis
    y: Axis
    scale: ColorScale
    key: str = ""
    title: str = ""
    x_edges: Floats | None = None
    y_edges: Floats | None = None
    rows: tuple[str, ...] = ()
    columns: tuple[str, ...] = ()
    column_word: str = ""
    scale_label: str = ""
    scale_ticks: tuple[tuple[float, str], ...] = ()
    unit: str = ""
    value_word: str = ""
    has_numbers: bool = False
    has_narrow_cells: bool = False
    words: NDArray[np.str_] | None = None
    text_size: float = 8.0
    digit_size: float = 8.0
    hatched: Bools | None = None
    gap: float = 0.0
    row_groups: tuple[Group, ...] = ()
    column_groups: tuple[Group, ...] = ()
    curves: tuple[Curve, ...] = ()
    width: float = 1.0

    @property
    def numbers(self) -> dict[str, Floats]:
        """The values by key."""
        return {self.key: self.values} if self.key else {}

    @property
    def has_upright_names(self) -> bool:
        """Whether the names of columns would touch each other side by side."""
        names = [name for _, name in self.x.ticks or ()]
        return would_touch(names) and not any("\n" in name for name in names)


@dataclass(frozen=True, eq=False)
class Path:
    """Mixtures over three actions one after the other, (T, 3); with `key` they are measurements of this run."""

    mixtures: Floats
    look: Mapping[str, Any]
    key: str = ""
    label: str = ""


@dataclass(frozen=True, eq=False)
class Triangle:
    """All mixtures of three actions, each action a corner.

    Where `is_start_chosen`, the run begins anew at the point on which a reader clicks. `legend` is 'below', or empty.
    """

    names: tuple[str, str, str]
    paths: tuple[Path, ...]
    title: str = ""
    legend: str = ""
    is_start_chosen: bool = False
    width: float = 1.0
    arrows: Arrows | None = None

    @property
    def numbers(self) -> dict[str, Floats]:
        """The mixtures of this run by key, (T, 3)."""
        return {path.key: path.mixtures for path in self.paths if path.key}


@dataclass(frozen=True, eq=False)
class Bars:
    """A bar for each of some names, or for each row of the heat map beside it.

    Attributes
    ----------
    values : array of shape (N,)
        Their lengths.
    key : str
        Their name in `Strip.numbers`.
    names : tuple of str
        What each is, at most as many as can be read.
    value_axis : Axis
        Along the bars.
    marks : array of shape (N,), optional
        Values to compare with, as open circles.
    mark_label : str
        What the legend calls the marks.
    is_horizontal : bool
        Whether bars go to the right, the first above.
    look : mapping
        Their color.
    """

    values: Floats
    value_axis: Axis
    key: str = ""
    names: tuple[str, ...] = ()
    title: str = ""
    marks: Floats | None = None
    mark_label: str = ""
    is_horizontal: bool = False
    look: Mapping[str, Any] = field(default_factory=dict)
    width: float = 1.0

    @property
    def numbers(self) -> dict[str, Floats]:
        """The lengths by key."""
        return {self.key: self.values} if self.key else {}


Panel: TypeAlias = Curves | HeatMap | Triangle | Bars


@dataclass(frozen=True, eq=False)
class Strip:
    """What one view shows: panels in rows, all rows of one length.

    Attributes
    ----------
    name : str
        The view's.
    height : float
        Inches that it wants.
    rows : tuple of tuples of Panel
        From above; panels of a row stand side by side, as wide as their `width` says.
    title : str
        Above all panels, if they have one in common.
    numbers : mapping
        Every measurement that is drawn, by its key.
    """

    name: str
    height: float
    rows: tuple[tuple[Panel, ...], ...]
    title: str = ""

    @property
    def panels(self) -> tuple[Panel, ...]:
        """All panels, row by row."""
        return tuple(panel for row in self.rows for panel in row)

    @property
    def numbers(self) -> dict[str, Floats]:
        """What the panels show of this run, by key."""
        return {key: each for panel in self.panels for key, each in panel.numbers.items()}

    @property
    def headline(self) -> str:
        """The finding: its title, or that of the first panel that has one."""
        return self.title or next((panel.title for panel in self.panels if panel.title), "")


@dataclass(frozen=True, eq=False)
class Picture:
    """Strips of a run at one moment, from above, and what they show in words."""

    strips: tuple[Strip, ...]
    iteration: int = 0
    words: str = ""

    def __getitem__(self, name: str) -> dict[str, Floats]:
        """Return the numbers that a view shows, by key."""
        return self.find_strip(name).numbers

    def find_strip(self, name: str) -> Strip:
        """Return what the view of this name shows."""
        return next(strip for strip in self.strips if strip.name == name)

    @property
    def height(self) -> float:
        """Inches in all."""
        return sum(strip.height for strip in self.strips)
