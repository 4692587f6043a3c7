"""What a bench declares: views, which make a strip of a picture of a frame, and offers to change the run.

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
    """Another run to compare with: the one before this one, or one that is pinned.

    Attributes
    ----------
    label : str
        What is different, as in 'before (payoff shift 3)'.
    history : History
        What it has recorded.
    color : str
        Of its curves; empty for the run before, which is gray.
    strips : tuple of Strip
        What it showed when it was pinned, without what it was compared with.
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
    state
        The solver's.
    columns : tuple of Column
        What is recorded.
    rows : array of shape (T, 1 + columns)
        The iteration and the columns of each recording; the last row is the state itself.
    until : int
        The iteration at which the run ends.
    published : sequence of Published
        What the paper prints about it.
    ghosts : tuple of Ghost
        The run before, and those that are pinned.
    kept : sequence of (int, Any)
        What was kept of the states so far and of this one, by iteration.
    disturbances : sequence of (int, str)
        When the run was changed from outside, and how.
    """

    state: Any
    columns: tuple[Column, ...]
    rows: Floats
    until: int
    published: Sequence[Published]
    ghosts: tuple[Ghost, ...] = ()
    kept: Sequence[tuple[int, Any]] = ()
    disturbances: Sequence[tuple[int, str]] = ()

    @property
    def iteration(self) -> int:
        """Iterations done."""
        return int(self.state.iteration)

    @property
    def has_begun(self) -> bool:
        """Whether anything has been played; of games that count no hands always."""
        return bool(getattr(self.state, "hands_played", True))

    def read_curve(self, column: Column) -> tuple[Floats, Floats]:
        """Return iterations and values of a column."""
        return self.rows[:, 0], self.rows[:, 1 + self.columns.index(column)]

    def read_horizontal(self, against: str) -> Floats:
        """Return the iterations, or the values of a column by its name."""
        names = ["iteration", *(column.name for column in self.columns)]
        return np.asarray(self.rows[:, names.index(against)])


def look_at(
    run: Run, until: int, published: Sequence[Published] = (), ghosts: tuple[Ghost, ...] = ()
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
    disturbances = tuple(run.disturbances)
    return Frame(state, run.columns, table, until, tuple(published), ghosts, kept, disturbances)


class View(Protocol):
    """Makes a strip of the bench's picture."""

    @property
    def name(self) -> str:
        """Its key in the picture."""

    @property
    def height(self) -> float:
        """The inches that its strip wants."""

    @property
    def caption(self) -> str:
        """How to read it."""

    @property
    def choice(self) -> str:
        """What the panel calls the choice that it offers."""

    def list_choices(self, frame: Frame) -> Mapping[str, Any]:
        """Return what can be chosen, by the words for it."""

    def draw(self, frame: Frame, chosen: Any) -> Strip:
        """Return what there is to see of a run; a pure function."""


def draw_picture(
    views: Sequence[View], frame: Frame, chosen: Mapping[str, Any], words: str = ""
) -> Picture:
    """Return the strips of all views, from above, with what each user's choice is by the view's name."""
    strips = [view.draw(frame, chosen[view.name]) for view in views]
    compared = tuple(compare_with_pinned(strip, frame.ghosts) for strip in strips)
    return Picture(compared, frame.iteration, words)


def compare_with_pinned(strip: Strip, ghosts: Sequence[Ghost]) -> Strip:
    """Return a strip of heat maps with those of pinned runs below it, as far as they show the same."""
    if not all(isinstance(panel, HeatMap) for panel in strip.panels):
        return strip
    rows, height = strip.rows, strip.height
    for ghost in ghosts:
        for pinned in ghost.strips:
            if list(pinned.numbers) == list(strip.numbers):
                rows += tuple(
                    tuple(
                        replace(panel, title=f"{ghost.label}: {panel.title}", key="")
                        for panel in row
                        if isinstance(panel, HeatMap)
                    )
                    for row in pinned.rows
                )
                height += pinned.height
    return replace(strip, rows=rows, height=height)


Change = tuple[Callable[[Any], Any], str]
"""A function from a state to the changed state, and words for what it does."""
Values = Mapping[str, Any]


@dataclass(frozen=True)
class Choice:
    """One thing that an offer lets the reader choose.

    Attributes
    ----------
    name : str
        Its key in the values.
    label : str
        The label of its menu.
    list_options : callable
        From the values chosen so far to the options, by their words.
    usual : str
        The words of the option that is chosen at first; empty for the first one.
    """

    name: str
    label: str
    list_options: Callable[[Values], Mapping[str, Any]]
    usual: str = ""


@dataclass(frozen=True)
class Offer:
    """A way to disturb a run: what can be chosen, and the change that this makes."""

    name: str
    choices: tuple[Choice, ...]
    make_change: Callable[[Values], Change]


@dataclass(frozen=True)
class Declaration:
    """How the bench shows an experiment.

    Attributes
    ----------
    experiment : Experiment
        What is run.
    views : callable
        From a Config to the views of its run, from above.
    keep : callable, optional
        From a state to what views need of it once it is gone.
    speed : str
        Where the slider of speeds starts; short runs should be slow enough to watch.
    offers : callable
        From a solver to what a reader can do to its run.
    begin_at : callable, optional
        From a solver, its first state, a player and a mixture of three actions to the change that lets the player begin
        with it.
    knobs : tuple of str
        The settings that the experiment's question is about, which stand open on its bench; all others are folded.
        If there are none, all that are not rare stand open.
    """

    experiment: Experiment
    views: Callable[[Any], Sequence[View]]
    keep: Callable[[Any], Any] | None = None
    speed: str = "×10 in 3 s"
    offers: Callable[[Any], Sequence[Offer]] = lambda solver: ()
    begin_at: Callable[[Any, Any, int, Sequence[float]], Change] | None = None
    knobs: tuple[str, ...] = ()
