"""The bench's views: the protocol, a look at the run, and the picture of several, painted many times a second."""

from collections.abc import Callable, Iterator, Mapping, Sequence
from contextlib import contextmanager
from dataclasses import dataclass
from typing import Any, Protocol

import numpy as np
from matplotlib.artist import Artist
from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure, SubFigure

from pokerlab.core.arrays import Floats
from pokerlab.papers.experiment import Experiment, Published
from pokerlab.runs import Column, History, Run
from pokerlab.workbench.pictures.plots import move_to_free_corner
from pokerlab.workbench.style import (
    COMPRESSION,
    DENSITY,
    PAPER,
    PIXELS_PER_INCH,
    LiteralText,
    encode,
    extent,
    fit,
    headings,
    room_right_of,
)


@dataclass(frozen=True)
class Ghost:
    """The run before this one, to compare with."""

    label: str  # what was different, as in 'before (payoff shift 3)'
    history: History


@dataclass(frozen=True, eq=False)
class Frame:
    """A run at one moment."""

    state: Any
    columns: tuple[Column, ...]  # what is recorded
    rows: Floats  # (recordings, 1 + columns): the iteration and the columns; last, the state itself
    until: int  # the iteration at which the run ends
    published: Sequence[Published]
    ghost: Ghost | None
    kept: Sequence[tuple[int, Any]] = ()  # of the states so far and of this one, by iteration

    @property
    def iteration(self) -> int:
        """Iterations done."""
        return int(self.state.iteration)

    @property
    def has_begun(self) -> bool:
        """Whether anything has been played; of games that count no hands always."""
        return bool(getattr(self.state, "hands_played", True))

    def curve(self, column: Column) -> tuple[Floats, Floats]:
        """Return iterations and values of a column."""
        return self.rows[:, 0], self.rows[:, 1 + self.columns.index(column)]

    def across(self, against: str) -> Floats:
        """Return the iterations, or the values of a column by its name."""
        names = ["iteration", *(column.name for column in self.columns)]
        return np.asarray(self.rows[:, names.index(against)])


def look_at(
    run: Run, until: int, published: Sequence[Published] = (), ghost: Ghost | None = None
) -> Frame:
    """Return what there is to see of `run` now; safe while another thread drives it."""
    rows, kept = list(run.rows), list(run.kept)  # before the state, which may only be newer
    state = run.state
    if not rows or rows[-1][0] < state.iteration:
        measured = (float(column.measure(state)) for column in run.columns)
        rows.append((float(state.iteration), *measured))
    if run.keep is not None and (not kept or kept[-1][0] < state.iteration):
        kept.append((int(state.iteration), run.keep(state)))
    table = np.array(rows, dtype=np.float64).reshape(len(rows), 1 + len(run.columns))
    return Frame(state, run.columns, table, until, tuple(published), ghost, kept)


Painted = Mapping[str, Floats]


class View(Protocol):
    """A part of the bench's picture."""

    name: str  # its key in `bench.painted`
    height: float  # inches it wants
    caption: str  # what there is to see
    choice: str  # what the panel calls the choice that it offers

    def choices(self, frame: Frame) -> Mapping[str, Any]:
        """Return what can be chosen, by the words for it."""

    def lay_out(self, figure: SubFigure, frame: Frame, chosen: Any) -> list[Artist]:
        """Draw what stands still into `figure`; return what `paint` will change."""

    def paint(self, frame: Frame) -> tuple[Painted, bool]:
        """Show `frame`; return the numbers shown, and whether what stands still had to change."""


def leave_margins(
    figure: SubFigure, height: float, *, left: float, right: float, top: float, bottom: float
) -> None:
    """Leave room around the axes, in inches; laying out anew for each picture would be slow."""
    width = figure.bbox.width / figure.dpi
    across = {"left": left / width, "right": 1 - right / width, "wspace": 0.14}
    figure.subplots_adjust(top=1 - top / height, bottom=bottom / height, **across)


@dataclass(frozen=True)
class Declaration:
    """How the bench shows an experiment."""

    experiment: Experiment
    views: Callable[[Any], Sequence[View]]  # from a Config to the views of its run, from the top
    keep: Callable[[Any], Any] | None = None  # what views need of a state once it is gone
    speed: str = "×10 in 3 s"  # where its slider starts; short runs should be slow enough to watch


WIDTH = 7.6  # inches of the bench's picture


@dataclass(frozen=True)
class Shot:
    """What one painting shows."""

    iteration: int  # the iteration of the state that was painted
    # by view, what the artists hold: of curves (2, recordings) by column
    numbers: Mapping[str, Painted]
    png: bytes

    def __getitem__(self, view: str) -> Painted:
        return self.numbers[view]


class LivePicture:
    """The views of one run, one above the other."""

    def __init__(self, views: Sequence[View], frame: Frame, chosen: Mapping[str, Any]) -> None:
        self.views = tuple(views)
        heights = [view.height for view in views]
        look: Any = {"dpi": PIXELS_PER_INCH * DENSITY, "facecolor": PAPER}
        self.figure = Figure((WIDTH, sum(heights)), layout=LiteralText(), **look)
        self.canvas = FigureCanvasAgg(self.figure)
        parts = self.figure.subfigures(len(self.views), 1, height_ratios=heights, squeeze=False)
        self.moving: list[Artist] = [
            artist
            for view, part in zip(self.views, parts[:, 0], strict=True)
            for artist in view.lay_out(part, frame, chosen[view.name])
        ]
        for artist in self.moving:
            artist.set_animated(True)
        self.titles = [
            (axes, title)
            for axes in self.figure.axes
            for title in headings(axes)
            if any(title is artist for artist in self.moving)
        ]
        self.still: Any = None

    def paint(self, frame: Frame) -> Shot:
        """Paint `frame`; what stands still is drawn again only where an axis had to grow."""
        painted = {view.name: view.paint(frame) for view in self.views}
        for axes, title in self.titles:
            fit(title, room_right_of(axes, extent(title).x0), lines=1)
        if self.still is None or any(moved for _, moved in painted.values()):
            self.figure.draw_without_rendering()
            for axes in self.figure.axes:
                move_to_free_corner(axes)
            self.canvas.draw()  # type: ignore[no-untyped-call]
            self.still = self.canvas.copy_from_bbox(self.figure.bbox)  # type: ignore[no-untyped-call]
        else:
            self.canvas.restore_region(self.still)  # type: ignore[no-untyped-call]
        renderer = self.canvas.get_renderer()  # type: ignore[no-untyped-call]
        for artist in self.moving:
            artist.draw(renderer)
        numbers = {name: shown for name, (shown, _) in painted.items()}
        return Shot(frame.iteration, numbers, encode(self.canvas))

    @contextmanager
    def at_rest(self) -> Iterator[Figure]:
        """Lend the figure as one whole, in which what moves is drawn like the rest."""
        for artist in self.moving:
            artist.set_animated(False)
        try:
            yield self.figure
        finally:
            for artist in self.moving:
                artist.set_animated(True)

    def compressed(self) -> bytes:
        """Return the last painting as a smaller file, to be kept."""
        return encode(self.canvas, COMPRESSION)
