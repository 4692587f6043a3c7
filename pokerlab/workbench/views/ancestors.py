"""A champion beside its ancestors: by how many ranks it ends ahead of the champions of earlier generations."""

from collections.abc import Callable, Mapping

import numpy as np
from matplotlib.artist import Artist
from matplotlib.figure import SubFigure

from pokerlab.core.arrays import Bools, Floats
from pokerlab.evolution.population import PlayerEncoding
from pokerlab.evolution.population.parts import Genomes
from pokerlab.holdem.betting.seating import MOST_SEATS
from pokerlab.solvers import PopulationState
from pokerlab.workbench.live.view import Frame, Painted, leave_margins
from pokerlab.workbench.style import BLUE, GRAY, RED, dress, logarithmic, look

MARKS = (1, 2, 3, 5, 10, 20, 30, 50, 100, 200, 300, 500, 1000)
"""Generations whose champions are met."""
RANKS, MOST_RANKS = 2.5, MOST_SEATS / 2
"""How far the axis reaches up and down: at first, and once a champion is further ahead or behind."""


Meeting = Callable[[PlayerEncoding, Genomes, Genomes], tuple[Floats, Floats, Bools]]
"""From a champion, (G,), and K ancestors, (K, G): ranks ahead of each, standard errors, where it clearly loses."""


class AncestorsView:
    """The present champion against earlier ones: a mark for each, another one where it clearly loses.

    Parameters
    ----------
    meet : Callable
        Lets them meet, such as `papers.nicolai2009.met_ancestors`.
    """

    name = "ancestors"
    height = 2.7
    choice = "Champion of"
    caption = (
        "Two champions share the seats of each table, and play again with the seats exchanged. Above the line"
        " the later one ends ahead. Bars: two standard errors. Squares: a clear loss to an ancestor, by Holm's"
        " test at 5%."
    )

    def __init__(self, meet: Meeting) -> None:
        self.meet = meet

    def choices(self, frame: Frame) -> Mapping[str, int]:
        """Return the populations."""
        many = len(frame.state.champions)
        return {f"population {n + 1}" if many > 1 else "the population": n for n in range(many)}

    def lay_out(self, figure: SubFigure, frame: Frame, chosen: int) -> list[Artist]:
        """Make the axes, the line of equals, and marks without places."""
        self.chosen = chosen
        self.axes = figure.subplots()
        leave_margins(figure, self.height, left=0.66, right=0.22, top=0.3, bottom=0.46)
        dress(self.axes)
        logarithmic(self.axes, "x")
        self.axes.set(xlim=(0.8, 1.25 * max(frame.until, 2)), ylim=(-RANKS, RANKS))
        self.axes.set(xlabel="generation of the ancestor (log)", ylabel="ranks ahead of it")
        self.axes.axhline(0.0, **look("bound"))
        self.bars = self.axes.vlines([], [], [], color=GRAY, linewidth=1.2)
        (self.held,) = self.axes.plot([], [], "o", color=BLUE, markersize=6)
        (self.lost,) = self.axes.plot([], [], "s", color=RED, markersize=7)
        self.title = self.axes.set_title(" ", loc="left", y=1.0)
        return [self.bars, self.held, self.lost, self.title]

    def paint(self, frame: Frame) -> tuple[Painted, bool]:
        """Let the present champion play, and show what came of it."""
        state: PopulationState = frame.state
        earlier = {
            at: champions[self.chosen]
            for at, champions in frame.kept
            if at in MARKS and at < state.iteration
        }
        generations = np.array([*earlier], np.int64)
        ancestors = np.array([*earlier.values()])
        ahead, error, lost = self.meet(state.encoding, state.champions[self.chosen], ancestors)
        ends = [(generations, ahead + far * error) for far in (-2, 2)]
        self.bars.set_segments(list(np.array(ends).transpose(2, 0, 1)))
        self.held.set_data(generations[~lost], ahead[~lost])
        self.lost.set_data(generations[lost], ahead[lost])
        self.title.set_text(finding(state.iteration, lost))
        grown = float(np.abs(ahead).max(initial=0.0)) > self.axes.get_ylim()[1]
        if grown:
            self.axes.set_ylim(-MOST_RANKS, MOST_RANKS)
        return {"ahead": np.array([generations, ahead])}, grown


def finding(generation: int, lost: Bools) -> str:
    """Return the title: to how many of its ancestors the champion of a generation clearly loses."""
    if not lost.size:
        return "No ancestor yet"
    many = f"{lost.sum()} of {lost.size} ancestors" if lost.any() else "no ancestor"
    return f"The champion of generation {generation} clearly loses to {many}"
