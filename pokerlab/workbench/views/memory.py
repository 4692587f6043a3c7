"""A memory by round: what each player's mix wins at least, and how many strategies that takes."""

from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import SubFigure
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from pokerlab.games import SequenceForm
from pokerlab.papers.experiment import Published
from pokerlab.runs import Column, History
from pokerlab.solvers import SequenceFormLP
from pokerlab.workbench.live.view import Frame, Painted, leave_margins
from pokerlab.workbench.pictures.plots import spoken
from pokerlab.workbench.pictures.text import capitalized, counted, signed
from pokerlab.workbench.style import GRAY, INK, look
from pokerlab.workbench.views.curves import LEAST, Curves

SECURITY = "security levels"
DRAWN = ("security_level_1", "security_level_2", "security_level", "value")
"""The columns that are drawn together: everybody's, the last but one of a symmetric memory."""
SIZES = {"pool": "met", "support": "with weight (N)"}
"""The columns on the right, such as 'pool_1' and 'support_2', by how their names begin."""
HEADROOM = 2.1
"""Height of the axes over that of the tallest curve, so that the legend has room."""
VALUE_LOOK = {"color": GRAY, "linestyle": (0, (5, 1.5)), "linewidth": 1.1}
MOST_SEQUENCES = 10_000
"""In larger games the linear program takes seconds, too long for a line in a picture."""


class MemoryView:
    """Security levels, or other columns, by round; beside them the sizes of pools and supports."""

    name = "memory"
    height = 2.35
    choice = "Show"
    caption = (
        "Left, by round: a security level is what a player's mix wins at least; dotted, the value of the"
        " game. Right, how many strategies have been met, and how many have weight. Open circles are"
        " published."
    )

    def choices(self, frame: Frame) -> Mapping[str, Sequence[Column]]:
        """Return what can be drawn by round: security levels together, others alone."""
        groups: dict[str, list[Column]] = {SECURITY: []}
        for column in frame.columns:
            if not counts(column.name):
                words = SECURITY if column.name in DRAWN else spoken(column.name)
                groups.setdefault(words, []).append(column)
        return groups

    def lay_out(self, figure: SubFigure, frame: Frame, chosen: Sequence[Column]) -> list[Artist]:
        """Make the axes, and a line for each column."""
        first = chosen[0].name
        self.secure, log = first in DRAWN, first == "nash_conv"
        left, right = figure.subplots(1, 2, width_ratios=[2.0, 1.0])
        leave_margins(figure, self.height, left=0.66, right=0.12, top=0.3, bottom=0.42)
        figure.subplots_adjust(wspace=0.22)
        value = draw_value(left, game_value(frame.state.game)) if self.secure else []
        self.left = Curves(
            left,
            frame,
            chosen,
            [look_of(column.name) for column in chosen],
            "security level" if self.secure else first,
            log_y=log,
            low=LEAST if log else None,
            fixed=value,
            parts=4,
            key={"loc": "lower right", "ncols": 2} if value else None,
        )
        self.right = sizes_on(right, frame)
        return [*self.left.artists, *self.right.artists]

    def paint(self, frame: Frame) -> tuple[Painted, bool]:
        """Draw the curves up to the present round; the titles are what everybody is sure of, and the sizes."""
        now = [(column, frame.curve(column)[1][-1]) for column in self.left.columns]
        converged, rounds = (
            getattr(frame.state, "converged", False),
            counted(frame.iteration, "round"),
        )
        if self.secure:
            said = " and ".join(signed(level, 4) for column, level in now if column.name != "value")
            words = f"{'Nash' if converged else 'Guaranteed'}: {said} after {rounds}"
        else:
            first, value = now[0]
            nash = ": Nash" if converged else ""
            words = f"{capitalized(first.label)}: {value:.3g} {first.unit} after {rounds}{nash}"
        self.left.title.set_text(words)
        self.right.title.set_text(size_title(self.right, frame))
        (left, left_moved), (right, right_moved) = self.left.paint(frame), self.right.paint(frame)
        return {**left, **right}, left_moved or right_moved


def plot_set_sizes(
    axes: Axes, history: History, *, rows: Iterable[Published] = ()
) -> Mapping[str, Line2D]:
    """Draw how many strategies have been met (N and M) and how many have weight (N), by round.

    Parameters
    ----------
    axes : Axes
        Where to draw.
    history : History
        With columns such as 'pool_1' and 'support_1', or 'pool' and 'support' of a symmetric memory.
    rows : iterable of Published
        Published numbers; those of the columns drawn become open circles.

    Returns
    -------
    Mapping[str, Line2D]
        The curves by column.
    """
    columns = tuple(
        Column(name, name, "strategies", float) for name in history.columns if counts(name)
    )
    table = np.column_stack([history[name] for name in ("iteration", *(c.name for c in columns))])
    frame = Frame(None, columns, table, int(table[-1, 0]), tuple(rows), None)
    sizes = sizes_on(axes, frame)
    sizes.paint(frame)
    sizes.title.set_text(size_title(sizes, frame))
    axes.set_ylabel("strategies")
    axes.autoscale(True)
    axes.relim()
    axes.set_ylim(bottom=0)
    return dict(zip((c.name for c in sizes.columns), sizes.lines, strict=True))


def counts(name: str) -> bool:
    """Return whether a column counts strategies."""
    return name.partition("_")[0] in SIZES


def sizes_on(axes: Axes, frame: Frame) -> Curves:
    """Return the curves of all columns that count strategies: thin, or with marks."""
    columns = sorted((c for c in frame.columns if counts(c.name)), key=lambda c: c.name)
    axes.yaxis.set_major_locator(MaxNLocator(5, integer=True))
    looks = []
    for what, _, player in (column.name.partition("_") for column in columns):
        style = look(f"player {player}") if player else {"color": INK, "marker": "o"}
        style |= {"marker": "", "linewidth": 1.0} if what == "pool" else {"markersize": 3.5}
        looks.append((f"player {player}: " * bool(player) + SIZES[what], style))
    key = {"loc": "upper left"}
    return Curves(axes, frame, columns, looks, "", low=0.0, room=HEADROOM, key=key)


def size_title(sizes: Curves, frame: Frame) -> str:
    """Return how many strategies of each player have weight."""
    supports = [c for c in sizes.columns if c.name.startswith("support")]
    return " and ".join(f"{frame.curve(c)[1][-1]:.0f}" for c in supports) + " have weight"


def look_of(name: str) -> tuple[str, dict[str, Any]]:
    """Return what the legend calls a column on the left, and how it is drawn."""
    player = name.rpartition("_")[2]
    if player.isdigit():
        return f"player {player}", look(f"player {player}") | {"markersize": 3.5}
    if name == "value":
        return "value of the subgame", VALUE_LOOK
    return spoken(name), {"color": INK, "linewidth": 1.6}


def draw_value(axes: Axes, value: float | None) -> list[float]:
    """Draw what either player wins in the game, if it is known; return where."""
    heights = [] if value is None else [value, -value] if value else [value]
    for index, height in enumerate(heights):
        axes.axhline(height, label="_nolegend_" if index else "value of the game", **look("bound"))
    return heights


@lru_cache(maxsize=32)
def game_value(game: Any) -> float | None:
    """Return the value of a game in its unit; None if it has none, or is too large to know quickly.

    A symmetric game, which is not a `SequenceForm`, has the value 0.
    """
    if not isinstance(game, SequenceForm):
        return 0.0
    if game.num_players != 2 or not game.zero_sum or sum(game.num_sequences) > MOST_SEQUENCES:
        return None
    return SequenceFormLP(game).solve().value
