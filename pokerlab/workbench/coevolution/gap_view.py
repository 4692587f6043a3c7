"""The bench's picture of a coevolution: what its worst case finds, and what exact best responses win."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.figure import SubFigure

from pokerlab.runs import History
from pokerlab.workbench.coevolution.evolution_plots import (
    EXACT,
    EXACT_LABEL,
    FOUND,
    FOUND_LABEL,
    curves_of,
    drawable,
)
from pokerlab.workbench.coevolution.evolved import evaluations_of
from pokerlab.workbench.live.convergence_view import decades
from pokerlab.workbench.live.frame import Frame
from pokerlab.workbench.live.view import Painted, leave_margins
from pokerlab.workbench.memory.mix_image import round_end
from pokerlab.workbench.plots import legend
from pokerlab.workbench.style import dress, logarithmic, look
from pokerlab.workbench.text import with_minus

COLUMNS = ("nash_conv", "worst_case")
"""Which columns a history has of the two curves; published numbers of them are lines across."""
NEGLIGIBLE = 1e-12
"""A smaller gap is rounding."""


class GapView:
    """Exploitability of the best genome against evaluations, as found and by exact best responses."""

    name = "gap"
    height = 2.35
    choice = "Exploitability"
    caption = (
        "Solid: what exact best responses win against the best genome; dashed: what the worst case has"
        " found of it. Between the two is where a genome can hide."
    )

    def choices(self, frame: Frame) -> Mapping[str, bool]:
        """Return how exploitability is scaled."""
        return {"log scale": True, "linear scale": False}

    def lay_out(self, figure: SubFigure, frame: Frame, chosen: bool) -> list[Artist]:
        """Make the axes and both curves."""
        self.is_log = chosen
        self.axes = figure.subplots()
        leave_margins(figure, self.height, left=0.8, right=0.22, top=0.3, bottom=0.46)
        dress(self.axes)
        self.axes.autoscale(False)
        self.unit = frame.state.game.unit.plural
        self.axes.set_xlabel("fitness evaluations")
        self.axes.set_ylabel(f"exploitability\n({self.unit}{', log' * self.is_log})")
        if self.is_log:
            logarithmic(self.axes, "y")
        self.ghost = ghost_of(frame)
        if self.ghost is not None:
            assert frame.ghost is not None
            self.axes.plot(*self.ghost, label=frame.ghost.label, **look("ghost"))
        self.exact = self.axes.plot([], [], label=EXACT_LABEL, **EXACT)[0]
        self.found = self.axes.plot([], [], label=FOUND_LABEL, **FOUND)[0]
        rows = [row for row in frame.published if row.column in COLUMNS and row.value > 0.0]
        for row in rows:
            words = f"published: {row.value:g} {row.unit}"
            self.axes.axhline(row.value, label=words, **look("bound"))
        self.marked = [row.value for row in rows]
        legend(
            self.axes, loc="lower left", ncols=2, frameon=True, edgecolor="none", framealpha=0.85
        )
        self.title = self.axes.set_title(" ", loc="left", y=1.0)
        self.frozen: tuple[Any, ...] = ()
        return [self.exact, self.found, self.title]

    def paint(self, frame: Frame) -> tuple[Painted, bool]:
        """Draw both curves up to the present generation."""
        across = evaluations_of(frame.kept)
        exact, found = curves_of(frame.kept)
        ghost = [] if self.ghost is None else self.ghost[1].tolist()
        values = [*exact.tolist(), *found.tolist(), *self.marked, *ghost]
        limits = decades(values) if self.is_log else (min(0.0, *values), 1.25 * max(values))
        frozen = (round_end(across[-1]), *(limits if self.is_log else map(coarse, limits)))
        moved = frozen != self.frozen
        if moved:
            self.frozen = frozen
            self.axes.set(xlim=(0, frozen[0]), ylim=frozen[1:])
        self.exact.set_data(across, drawable(exact, log=self.is_log))
        self.found.set_data(across, drawable(found, log=self.is_log))
        self.title.set_text(self.finding(frame))
        return {"exact": np.array([across, exact]), "found": np.array([across, found])}, moved

    def finding(self, frame: Frame) -> str:
        """Return the title: how exploitable the best genome is, and how much of that was found."""
        _, now = frame.kept[-1]
        spent = f"after {now.evaluations:,} evaluation{'s' * (now.evaluations != 1)}"
        whole = f"Exploitable by {now.exact:.3g} {self.unit}"
        if abs(now.exact - now.found) < NEGLIGIBLE:
            return f"{whole} {spent}"
        return f"{whole}, of which {with_minus(f'{now.found:.3g}')} found, {spent}"


def coarse(limit: float) -> float:
    """Return a limit with one digit, further out."""
    if limit == 0.0:
        return 0.0
    unit = 10.0 ** np.floor(np.log10(abs(limit)))
    return float(np.sign(limit) * np.ceil(abs(limit) / unit) * unit)


def ghost_of(frame: Frame) -> Any:
    """Return evaluations and exact exploitability of the run before, where its history has them."""
    if frame.ghost is None:
        return None
    history: History = frame.ghost.history
    names = [name for name in ("evaluations", COLUMNS[0]) if name in history.columns]
    return tuple(history[name] for name in names) if len(names) == 2 else None
