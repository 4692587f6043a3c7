"""The declaration of a bench: its views, which draw a frame as strips of a picture, and its offers to change the run.

A frame is a run at one moment.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Protocol

import numpy as np

from pokerlab.core.arrays import Floats
from pokerlab.papers.experiment import Experiment, Published
from pokerlab.runs import Column, History, Run
from pokerlab.workbench.picture import HeatMap, Picture, Strip


@dataclass(frozen=True)
class Ghost:
    """Another run for comparison: the previous one, or one that is pinned.

    Attributes
    ----------
    label : str
        The difference from the present run, as in 'before (payoff shift 3)'.
    history : History
        The recordings of the run.
    color : str
        The color of its curves; empty for the previous run, which is gray.
    strips : tuple of Strip
        The strips of its picture when it was pinned, without other runs.
    """

    label: str
    history: History
    color: str = ""
    strips: tuple[Strip, ...] = ()


@dataclass(frozen=True, eq=False)
class Frame:
    """A run at one moment.

    Attributes
    ----------
    state : Any
        The state of the solver.
    columns : tuple of Column
        The columns that are recorded.
    rows : array of shape (T, 1 + columns)
        The iteration and the columns of each recording. The last row is that of `state`.
    last_iteration : int
        The iteration at which the run ends.
    published : sequence of Published
        The numbers that the paper prints about the run.
    ghosts : tuple of Ghost
        The previous run, and those that are pinned.
    kept_values : sequence of (int, Any)
        The value that the run keeps of each recorded state and of this one, with its iteration.
    disturbances : sequence of (int, str)
        The iteration and the words of each change of the run from outside.
    """

    state: Any
    columns: tuple[Column, ...]
    rows: Floats
    last_iteration: int
    published: Sequence[Published]
    ghosts: tuple[Ghost, ...] = ()
    kept_values: Sequence[tuple[int, Any]] = ()
    disturbances: Sequence[tuple[int, str]] = ()

    @property
    def iteration(self) -> int:
        """The number of iterations that are done."""
        return int(self.state.iteration)

    @property
    def has_begun(self) -> bool:
        """Whether any hand has been played; True in games that do not count hands."""
        return bool(getattr(self.state, "hands_played", True))

    def read_curve(self, column: Column) -> tuple[Floats, Floats]:
        """Return the iterations of all recordings, and the values of a column at them."""
        return self.rows[:, 0], self.rows[:, 1 + self.columns.index(column)]

    def read_by_name(self, name: str) -> Floats:
        """Return the values of the column `name`, or the iterations if it is 'iteration'."""
        names = ["iteration", *(column.name for column in self.columns)]
        return np.asarray(self.rows[:, names.index(name)])


def make_frame(
    run: Run,
    last_iteration: int,
    published: Sequence[Published] = (),
    ghosts: tuple[Ghost, ...] = (),
) -> Frame:
    """Return a run at the present moment, which is safe while another thread drives it.

    Parameters
    ----------
    run : Run
        The run.
    last_iteration : int
        The iteration at which it ends.
    published : sequence of Published
        The numbers that the paper prints about it.
    ghosts : tuple of Ghost
        The runs that it is compared with.
    """
    # The recordings are read before the state, which must not be older.
    rows, kept_values = list(run.rows), list(run.kept)
    state = run.state
    if not rows or rows[-1][0] < state.iteration:
        values = (float(column.measure(state)) for column in run.columns)
        rows.append((float(state.iteration), *values))
    if run.keep is not None and (not kept_values or kept_values[-1][0] < state.iteration):
        kept_values.append((int(state.iteration), run.keep(state)))
    table = np.array(rows, dtype=np.float64).reshape(len(rows), 1 + len(run.columns))
    disturbances = tuple(run.disturbances)
    return Frame(
        state,
        run.columns,
        table,
        last_iteration,
        tuple(published),
        ghosts,
        kept_values,
        disturbances,
    )


class View(Protocol):
    """A way to draw a frame as one strip of the bench's picture."""

    @property
    def name(self) -> str:
        """The name of the strip in the picture."""

    @property
    def height(self) -> float:
        """The height of the strip in inches."""

    @property
    def caption(self) -> str:
        """A sentence on how to read the strip."""

    @property
    def choice_label(self) -> str:
        """The label of the menu for the choice that the view offers."""

    def list_choices(self, frame: Frame) -> Mapping[str, Any]:
        """Return the options of the choice, by their words."""

    def draw(self, frame: Frame, chosen: Any) -> Strip:
        """Return the strip of a frame for an option of the choice. The same arguments give the same strip."""


def draw_picture(
    views: Sequence[View], frame: Frame, chosen: Mapping[str, Any], words: str = ""
) -> Picture:
    """Return the picture of a frame, with one strip for each view.

    Parameters
    ----------
    views : sequence of View
        The views, from the top to the bottom.
    frame : Frame
        The run at one moment.
    chosen : mapping of str to Any
        The chosen option of each view, by the name of the view.
    words : str
        The picture in words.
    """
    strips = [view.draw(frame, chosen[view.name]) for view in views]
    strips_with_pinned = tuple(add_pinned_heat_maps(strip, frame.ghosts) for strip in strips)
    return Picture(strips_with_pinned, frame.iteration, words)


def add_pinned_heat_maps(strip: Strip, ghosts: Sequence[Ghost]) -> Strip:
    """Return a strip of heat maps with those of pinned runs below it.

    A strip of a pinned run is added if it shows numbers with the same names. Other strips are returned as they are.
    """
    if not all(isinstance(panel, HeatMap) for panel in strip.panels):
        return strip
    rows, height = strip.rows, strip.height
    for ghost in ghosts:
        for pinned_strip in ghost.strips:
            if list(pinned_strip.numbers) == list(strip.numbers):
                rows += tuple(
                    tuple(
                        replace(panel, title=f"{ghost.label}: {panel.title}", key="")
                        for panel in row
                        if isinstance(panel, HeatMap)
                    )
                    for row in pinned_strip.rows
                )
                height += pinned_strip.height
    return replace(strip, rows=rows, height=height)


Change = tuple[Callable[[Any], Any], str]
"""A function from a state to the changed state, and words for the change."""
Values = Mapping[str, Any]
"""The values of an offer's choices, by name."""


@dataclass(frozen=True)
class Choice:
    """One of the choices of an offer, which has a menu.

    Attributes
    ----------
    name : str
        The name of the choice in `Values`.
    label : str
        The label of its menu.
    list_options : callable
        A function from the values of the choices before this one to the options of this one, by their words.
    default_label : str
        The words of the option that is chosen at first; empty for the first option.
    """

    name: str
    label: str
    list_options: Callable[[Values], Mapping[str, Any]]
    default_label: str = ""


@dataclass(frozen=True)
class Offer:
    """A way to disturb a run.

    Attributes
    ----------
    name : str
        The words of the offer in its menu.
    choices : tuple of Choice
        The choices of the reader.
    make_change : callable
        A function from the values of the choices to a change and its words.
    """

    name: str
    choices: tuple[Choice, ...]
    make_change: Callable[[Values], Change]


@dataclass(frozen=True)
class Declaration:
    """The way in which a bench shows an experiment.

    Attributes
    ----------
    experiment : Experiment
        The experiment.
    make_views : callable
        A function from a Config to the views of its run, from the top to the bottom.
    keep : callable, optional
        A function from a state to the value that views need of it later. The run keeps these values.
    first_speed : str
        The pace with which the bench begins. Short runs should be slow enough to watch.
    make_offers : callable
        A function from a solver to the offers to disturb its run.
    make_start_change : callable, optional
        A function of a solver, its first state, a player and a mixture of three actions. It returns the change by which
        the player begins with the mixture.
    knobs : tuple of str
        The settings that the experiment's question is about. Their rows are open on the bench, and all others are
        folded. If there are no knobs, all that are not rare are open.
    """

    experiment: Experiment
    make_views: Callable[[Any], Sequence[View]]
    keep: Callable[[Any], Any] | None = None
    first_speed: str = "×10 in 3 s"
    make_offers: Callable[[Any], Sequence[Offer]] = lambda solver: ()
    make_start_change: Callable[[Any, Any, int, Sequence[float]], Change] | None = None
    knobs: tuple[str, ...] = ()
