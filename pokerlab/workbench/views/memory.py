"""The bench's picture of a memory: security levels by round, and how many strategies they take."""

import math
from collections.abc import Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import SubFigure
from matplotlib.ticker import MaxNLocator

from pokerlab.core.arrays import Floats
from pokerlab.games import SequenceForm
from pokerlab.runs import Column
from pokerlab.solvers import SequenceFormLP
from pokerlab.workbench.live.view import Frame, Painted, leave_margins
from pokerlab.workbench.pictures.legends import legend
from pokerlab.workbench.pictures.plots import axis_label, spoken
from pokerlab.workbench.pictures.text import capitalized
from pokerlab.workbench.style import dress, logarithmic, look
from pokerlab.workbench.views.curves import decades
from pokerlab.workbench.views.mixes import round_end
from pokerlab.workbench.views.security_levels import (
    DRAWN,
    FLOOR,
    PLAYERS,
    draw_value,
    guarantee_title,
    line_of,
    mark_published,
    size_line,
    size_title,
)

SECURITY, GAINS = "security levels", "gains"
HEADROOM, USUAL = 2.1, 4
"""Height of the axes over that of the tallest of four curves, so that the legend has room."""
EDGE = 1.03
"""Where axes end over their last round, so that a point there is whole."""


class MemoryView:
    """Worst cases, or other columns, by round; beside them the sizes of pools and supports.

    Parameters
    ----------
    security_levels, gains : sequence of str
        The columns that are drawn together: what players win at least, what best responses gain.
    pools, supports : sequence of str
        The columns that are drawn on the right: how many strategies each player has met, and how many
        have weight.
    """

    name = "memory"
    height = 2.35
    choice = "Show"
    caption = (
        "Left, by round: a security level is what a player's mix wins at least; dotted, the value of the"
        " game. Right, how many strategies have been met, and how many have weight. Open circles are"
        " published."
    )

    def __init__(
        self,
        *,
        security_levels: Sequence[str] = DRAWN,
        gains: Sequence[str] = (),
        pools: Sequence[str] = ("pool_1", "pool_2"),
        supports: Sequence[str] = ("support_1", "support_2"),
    ) -> None:
        self.group = dict.fromkeys(security_levels, SECURITY) | dict.fromkeys(gains, GAINS)
        self.shrinking, self.supports = (*gains, "nash_conv"), supports
        self.counted = dict.fromkeys(pools, "pool") | dict.fromkeys(supports, "support")

    def choices(self, frame: Frame) -> Mapping[str, Sequence[Column]]:
        """Return what can be drawn by round: security levels together, gains together, others alone."""
        groups: dict[str, list[Column]] = {SECURITY: [], GAINS: []}
        for column in frame.columns:
            if column.name not in self.counted:
                groups.setdefault(self.group_of(column), []).append(column)
        return {words: columns for words, columns in groups.items() if columns}

    def lay_out(self, figure: SubFigure, frame: Frame, chosen: Sequence[Column]) -> list[Artist]:
        """Make the axes, and a line for each column."""
        self.columns = list(chosen)
        by_name = {column.name: column for column in frame.columns}
        self.sizes = [by_name[name] for name in self.counted]
        shares = [2.0, 1.0][: 1 + bool(self.sizes)]
        axes = figure.subplots(1, len(shares), width_ratios=shares, squeeze=False)[0]
        leave_margins(figure, self.height, left=0.66, right=0.12, top=0.3, bottom=0.42)
        figure.subplots_adjust(wspace=0.22)
        for each in axes:
            dress(each)
            each.set_xlabel("round")
            each.xaxis.set_major_locator(MaxNLocator(6, integer=True))
        self.frozen: tuple[Any, ...] = ()
        moving = self.lay_curves(axes[0], frame)
        return [*moving, *self.lay_sizes(axes[1], frame)] if self.sizes else moving

    def lay_curves(self, axes: Axes, frame: Frame) -> list[Artist]:
        """Draw what stands still on the left; return what moves."""
        self.left, self.fixed, self.most = axes, list[float](), 0.0
        first = self.columns[0]
        self.is_log = first.name in self.shrinking
        name = "gain" if self.group_of(first) == GAINS else first.name
        axes.set_ylabel(axis_label(name, first.unit, logarithmic=self.is_log))
        if self.is_log:
            logarithmic(axes, "y")
        if self.group_of(first) == SECURITY:
            axes.set_ylabel(f"security level ({first.unit})")
            self.fixed += draw_value(axes, game_value(frame.state.game))
        self.lay_ghost(frame)
        rows = [row for row in frame.published if row.value > 0.0 or not self.is_log]
        marked = mark_published(axes, rows, [column.name for column in self.columns])
        self.fixed += [value for _, value in marked]
        self.last = max((round_ for round_, _ in marked), default=0.0)
        self.curves = [line_of(axes, column.name) for column in self.columns]
        if len(self.columns) > 1 or self.fixed:
            legend(axes, loc="lower left" if self.is_log else "lower right", ncols=2)
        self.title = axes.set_title(" ", loc="left", y=1.0)
        return [*self.curves, self.title]

    def lay_ghost(self, frame: Frame) -> None:
        """Draw the curves of the run before, faintly."""
        if frame.ghost is None:
            return
        history, label = frame.ghost.history, frame.ghost.label
        for name in (column.name for column in self.columns if column.name in history.columns):
            up = self.drawable(history[name])
            style = look("ghost") | {"linewidth": 1.8}
            self.left.plot(history["iteration"], up, label=label, **style)
            self.fixed += up.tolist()
            label = "_nolegend_"

    def lay_sizes(self, axes: Axes, frame: Frame) -> list[Artist]:
        """Make the lines on the right; return them."""
        self.right = axes
        axes.yaxis.set_major_locator(MaxNLocator(5, integer=True))
        marked = mark_published(axes, frame.published, [c.name for c in self.sizes])
        self.last = max([self.last, *(round_ for round_, _ in marked)])
        self.most = max((size for _, size in marked), default=0.0)
        self.size_lines = [size_line(axes, name, what) for name, what in self.counted.items()]
        legend(axes, loc="upper left")
        self.size_title = axes.set_title(" ", loc="left", y=1.0)
        return [*self.size_lines, self.size_title]

    def paint(self, frame: Frame) -> tuple[Painted, bool]:
        """Draw the curves up to the present round."""
        rounds = frame.rows[:, 0]
        curves = {c.name: self.drawable(frame.curve(c)[1]) for c in self.columns}
        sizes = {c.name: frame.curve(c)[1] for c in self.sizes}
        moved = self.limit(frame, [v for up in curves.values() for v in up.tolist()], sizes)
        for line, up in zip(self.curves, curves.values(), strict=True):
            line.set_data(rounds, up)
        for line, up in zip(self.size_lines if sizes else (), sizes.values(), strict=True):
            line.set_data(rounds, up)
        self.title.set_text(self.finding(frame))
        if sizes:
            self.size_title.set_text(size_title([sizes[name][-1] for name in self.supports]))
        return {name: np.array([rounds, up]) for name, up in {**curves, **sizes}.items()}, moved

    def limit(self, frame: Frame, values: Sequence[float], sizes: Mapping[str, Floats]) -> bool:
        """Give the axes round ends beyond all curves; return whether they had to move."""
        values = [*values, *self.fixed]
        across = round_end(max(frame.iteration, self.last))
        up = decades(values) if self.is_log else quarters(values)
        entries = len(sizes) + bool(self.last)
        room = HEADROOM * max(entries, USUAL) / USUAL
        tallest = round_end(room * max([self.most, *(up.max() for up in sizes.values())]))
        if (across, up, tallest) == self.frozen:
            return False
        self.frozen = (across, up, tallest)
        self.left.set(xlim=(0, across * EDGE), ylim=up)
        if sizes:
            self.right.set(xlim=(0, across * EDGE), ylim=(0, tallest))
        return True

    def drawable(self, values: Floats) -> Floats:
        """Return `values`, on a log scale nothing below what is rounding."""
        return np.maximum(values, FLOOR) if self.is_log else values

    def finding(self, frame: Frame) -> str:
        """Return the title: what everybody is sure of, or what the first curve has come to."""
        now = [float(frame.curve(column)[1][-1]) for column in self.columns]
        converged = getattr(frame.state, "converged", False)
        nash = ": Nash" if converged else ""
        first = self.columns[0]
        if self.group_of(first) == SECURITY:
            levels = [v for c, v in zip(self.columns, now, strict=True) if c.name in PLAYERS]
            return guarantee_title(levels, frame.iteration, converged=converged)
        rounds = f"{frame.iteration:,} round{'s' * (frame.iteration != 1)}"
        if self.group_of(first) == GAINS:
            return f"Gains up to {max(now):.3g} {first.unit} after {rounds}{nash}"
        return f"{capitalized(first.label)}: {now[0]:.3g} {first.unit} after {rounds}{nash}"

    def group_of(self, column: Column) -> str:
        """Return which columns a column is drawn with."""
        return self.group.get(column.name, spoken(column.name))


def quarters(values: Sequence[float]) -> tuple[float, float]:
    """Return limits of a linear axis: quarters of a power of ten around `values`."""
    low, high = min(values), max(values)
    unit = 10.0 ** math.floor(math.log10(max(high - low, FLOOR))) / 4.0
    return unit * math.floor(low / unit - 0.1), unit * math.ceil(high / unit + 0.1)


MOST_SEQUENCES = 10_000
"""In larger games the program takes seconds, too long for a line in a picture."""


@lru_cache(maxsize=32)
def game_value(game: Any) -> float | None:
    """Return the value of a game in its unit; None if it has none, or is too large to know quickly.

    A symmetric game, which is no `SequenceForm`, has the value 0.
    """
    if not isinstance(game, SequenceForm):
        return 0.0
    if game.num_players != 2 or not game.zero_sum or sum(game.num_sequences) > MOST_SEQUENCES:
        return None
    return SequenceFormLP(game).solve().value
