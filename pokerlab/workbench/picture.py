"""A picture as data: strips below each other, each of panels side by side, with every number that is drawn.

A view (`pokerlab.workbench.views`) makes the strip of a run, and a painter shows the picture: `matplotlib_painter` in
figures and saved notebooks, `browser_painter` on a page while the run goes on. A panel is one of four kinds: `Curves`,
`HeatMap`, `Triangle` and `Bars`.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from itertools import pairwise
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pokerlab.core.arrays import Bools, Floats

CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(3) / 2]])
"""The corners of a triangle of mixtures, x and y of each, of shape (3, 2)."""
BELOW = "below"
"""The place of a legend below its panel."""
LONGEST_LABELS = 48
"""The most letters side by side below a heat map."""


def would_names_touch(names: Sequence[str]) -> bool:
    """Return whether names side by side below a heat map would touch each other, or reach beyond its ends."""
    letters = [len(name) for name in names]
    widest = max(((one + other) / 2 for one, other in pairwise(letters)), default=0.0)
    return sum(letters) > LONGEST_LABELS or len(letters) * widest > LONGEST_LABELS


def make_named_ticks(names: Sequence[str], first: float = 0.5) -> tuple[tuple[float, str], ...]:
    """Return the ticks of named rows or columns: places one apart from `first` on, each with its name."""
    return tuple((first + index, name) for index, name in enumerate(names))


@dataclass(frozen=True)
class Axis:
    """An axis of a panel.

    Attributes
    ----------
    label : str
        The quantity with its unit.
    limits : tuple of float
        The values at the left and right ends, or at the bottom and top. The first may be the larger.
    is_log : bool
        Whether its scale is logarithmic.
    is_whole : bool
        Whether only whole numbers are labeled.
    ticks : tuple of (float, str), optional
        The labeled values and their names. By default a painter chooses round numbers.
    """

    label: str = ""
    limits: tuple[float, float] = (0.0, 1.0)
    is_log: bool = False
    is_whole: bool = False
    ticks: tuple[tuple[float, str], ...] | None = None


@dataclass(frozen=True, eq=False)
class Curve:
    """Points that may be joined by a line.

    Attributes
    ----------
    x, y : array of shape (T,)
        The points; NaN where there is none.
    key : str
        The name of the curve in `Strip.numbers`; empty if it is not a measurement of this run.
    label : str
        The words in the legend; empty for no entry.
    unit : str
        The unit of y.
    look : mapping
        The color, dashes and marker, as keywords of `Axes.plot`.
    upper_limits : tuple of int
        The indices of points that are upper limits: the value itself is smaller.
    source : str
        The keys of the published numbers that are shown, joined by commas.
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
    """A value that is drawn as a horizontal line across a panel."""

    value: float
    label: str = ""
    look: Mapping[str, Any] = field(default_factory=dict)
    source: str = ""


@dataclass(frozen=True)
class Mark:
    """An iteration at which a reader changed the run, drawn as a vertical line with words."""

    x: float
    words: str


@dataclass(frozen=True)
class Callout:
    """Words with an arrow to the point (x, y)."""

    words: str
    x: float
    y: float


@dataclass(frozen=True, eq=False)
class Arrows:
    """Arrows that show at some places in which direction something moves.

    Attributes
    ----------
    places : array of shape (A, 2) or (A, 3)
        The middles of the arrows: x and y, or mixtures of three actions.
    vectors : array of the same shape
        The differences between their heads and their tails.
    strengths : array of shape (A,)
        The darkness of the arrows, from 0 to 1.
    width : float
        The width of their lines, in points.
    """

    places: Floats
    vectors: Floats
    strengths: Floats
    width: float = 1.3


@dataclass(frozen=True, eq=False)
class Curves:
    """Curves over common axes.

    `legend` is the corner of the legend in the words of matplotlib, such as 'upper right', or 'below' for a legend
    below the panel; it is empty if there is no legend. A legend in a corner moves if it would cover a curve. If
    `can_choose_start` is True, a reader can click on a share from 0 to 1, and the run begins again from there.
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
    can_choose_start: bool = False
    width: float = 1.0
    arrows: Arrows | None = None

    @property
    def numbers(self) -> dict[str, Floats]:
        """The measurements of this run by key: x and y of each curve, of shape (2, T)."""
        return {curve.key: np.array([curve.x, curve.y]) for curve in self.curves if curve.key}


@dataclass(frozen=True)
class ColorScale:
    """The colors of values.

    Attributes
    ----------
    colors : tuple of str
        The colors from the lowest value to the highest, evenly spaced.
    low, high : float
        The values at the ends.
    power : float
        The exponent to which shares of the way from `low` to `high` are raised before they get a color.
    missing, under : str
        The colors of NaN, and of values below `low`. If `missing` is 'none', NaN is not drawn.
    """

    colors: tuple[str, ...]
    low: float = 0.0
    high: float = 1.0
    power: float = 1.0
    missing: str = "#ffffff"
    under: str = ""


@dataclass(frozen=True)
class Group:
    """Neighboring rows or columns with a common name, from `first` up to `end`, which is not part of the group."""

    name: str
    first: float
    end: float


@dataclass(frozen=True, eq=False)
class HeatMap:
    """Values as colored cells.

    Attributes
    ----------
    values : array of shape (R, C)
        The values; NaN where there is none.
    key : str
        The name of the values in `Strip.numbers`.
    x, y : Axis
        The axes, whose limits are the outer edges of the cells.
    x_edges, y_edges : array of shape (C + 1,) or (R + 1,), optional
        The edges of the cells. By default they are evenly spaced, and the first row is at the top.
    rows, columns : tuple of str
        The full names of rows and columns, for a reader who points at a cell. Without names they are numbered from 1.
    column_word : str
        The word before the number of a column without a name, such as 'card'. By default it is the label of the axis.
    scale_label : str
        The label of the scale of colors beside the panel; empty for no scale.
    scale_ticks : tuple of (float, str)
        The values that are labeled on this scale, and their labels.
    unit : str
        The unit of the values.
    value_word : str
        The word for a value, for a reader who points at a cell, such as 'probability'; empty if the unit is enough.
    has_numbers, has_narrow_cells : bool
        Whether cells have their values written in them, and whether these lack the zero before the point.
    words : array of str of shape (R, C), optional
        The words that are written in the cells instead of their values.
    text_size, digit_size : float
        The size of names along the axes and of numbers in cells, in points.
    hatched : array of bool of shape (R, C), optional
        The cells that are impossible, which are hatched.
    gap : float
        The gap between cells, in points.
    row_groups, column_groups : tuple of Group
        Groups whose names are beside the rows and above the columns. A line separates two groups of rows.
    curves : tuple of Curve
        The curves that are drawn over the cells.
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
        return would_names_touch(names) and not any("\n" in name for name in names)


@dataclass(frozen=True, eq=False)
class Path:
    """A path of T mixtures over three actions, of shape (T, 3). With a `key` they are measurements of this run."""

    mixtures: Floats
    look: Mapping[str, Any]
    key: str = ""
    label: str = ""


@dataclass(frozen=True, eq=False)
class Triangle:
    """The triangle of all mixtures of three actions, whose corners are the actions.

    If `can_choose_start` is True, a reader can click on a point, and the run begins again from there. `legend` is
    'below', or empty for no legend.
    """

    names: tuple[str, str, str]
    paths: tuple[Path, ...]
    title: str = ""
    legend: str = ""
    can_choose_start: bool = False
    width: float = 1.0
    arrows: Arrows | None = None

    @property
    def numbers(self) -> dict[str, Floats]:
        """The mixtures of this run by key, (T, 3)."""
        return {path.key: path.mixtures for path in self.paths if path.key}


@dataclass(frozen=True, eq=False)
class Bars:
    """Bars, each with a name or beside a row of a heat map.

    Attributes
    ----------
    values : array of shape (N,)
        The lengths of the bars.
    key : str
        The name of the values in `Strip.numbers`.
    names : tuple of str
        The names of the bars; empty beside a heat map.
    value_axis : Axis
        The axis along the bars.
    marks : array of shape (N,), optional
        Values to compare with, which are drawn as open circles.
    mark_label : str
        The words for the marks in the legend.
    is_horizontal : bool
        Whether the bars extend to the right, with the first one at the top.
    look : mapping
        The color, as a keyword of matplotlib.
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
    """The part of a picture that one view shows: rows of panels with the same number of panels.

    Attributes
    ----------
    name : str
        The name of the view.
    height : float
        The height in inches.
    rows : tuple of tuples of Panel
        The rows from top to bottom. The panels of a row are side by side, with widths in proportion to their `width`.
    title : str
        The title of all panels; empty if each has its own.
    numbers : mapping
        Every measurement of this run that is drawn, by its key.
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
        """Every measurement of this run that the panels show, by its key."""
        return {key: each for panel in self.panels for key, each in panel.numbers.items()}

    @property
    def headline(self) -> str:
        """The title of the strip, or that of the first panel with one; it states the finding."""
        return self.title or next((panel.title for panel in self.panels if panel.title), "")


@dataclass(frozen=True, eq=False)
class Picture:
    """The strips of a run at one iteration from top to bottom, and a description in words."""

    strips: tuple[Strip, ...]
    iteration: int = 0
    words: str = ""

    def __getitem__(self, name: str) -> dict[str, Floats]:
        """Return the measurements that the view of a name shows, by key."""
        return self.find_strip(name).numbers

    def find_strip(self, name: str) -> Strip:
        """Return the strip of the view of a name."""
        return next(strip for strip in self.strips if strip.name == name)

    @property
    def height(self) -> float:
        """The height of all strips in inches."""
        return sum(strip.height for strip in self.strips)
