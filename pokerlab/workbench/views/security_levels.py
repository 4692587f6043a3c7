"""A memory by round: what each player's mix wins at least, and how many strategies that takes."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from pokerlab.papers.experiment import Published
from pokerlab.runs import History
from pokerlab.workbench.pictures.legends import legend
from pokerlab.workbench.pictures.plots import published, spoken
from pokerlab.workbench.pictures.text import signed
from pokerlab.workbench.style import GRAY, INK, look

PLAYERS = ("security_level_1", "security_level_2", "security_level")
"""Everybody's; the last is a symmetric memory's."""
DRAWN = (*PLAYERS, "value")
SUM = "security_level_sum"
LOOKS: dict[str, dict[str, Any]] = {
    "value": {"color": GRAY, "linestyle": (0, (5, 1.5)), "linewidth": 1.1},
    SUM: {"color": INK, "linestyle": "-", "linewidth": 1.0},
}
WORDS = {"value": "value of the subgame", SUM: "sum of the security levels"}


def guarantee_title(
    security_levels: Sequence[float], rounds: int, *, converged: bool = False
) -> str:
    """Return a title: what everybody's mix wins at least."""
    said = " and ".join(signed(each, 4) for each in security_levels)
    return f"{'Nash' if converged else 'Guaranteed'}: {said} after {rounds:,} round{'s' * (rounds != 1)}"


def line_of(axes: Axes, name: str) -> Line2D:
    """Add the line of a column, still empty, as that column always looks."""
    if player := player_of(name):
        style, label = look(f"player {player}") | {"markersize": 3.5}, f"player {player}"
    else:
        style, label = (
            LOOKS.get(name, {"color": INK, "linewidth": 1.6}),
            WORDS.get(name, spoken(name)),
        )
    (line,) = axes.plot([], [], label=label, **style)
    return line


def player_of(column: str) -> str:
    """Return whose a column is: '1' of 'security_level_1', '' of 'security_level'."""
    last = column.rpartition("_")[2]
    return last if last.isdigit() else ""


def draw_value(axes: Axes, value: float | None) -> list[float]:
    """Draw what either player wins in the game, if it is known; return where."""
    heights = [] if value is None else [value, -value] if value else [value]
    for index, height in enumerate(heights):
        label = "value of the game" if index == 0 else None
        axes.axhline(height, label=label, **look("bound"))
    return heights


def mark_published(
    axes: Axes, rows: Iterable[Published], columns: Iterable[str]
) -> list[tuple[float, float]]:
    """Mark the published numbers of `columns` that say when; return the points."""
    timed = [row for row in rows if np.isfinite(row.iteration)]
    points: list[tuple[float, float]] = []
    for name in columns:
        points += published(axes, timed, name, None if points else "published")
    return points


FLOOR = 1e-12
"""What lies below it on a log scale is rounding, and is drawn there."""
SIZES = {"pool": "met", "support": "with weight (N)"}


def plot_set_sizes(
    axes: Axes,
    history: History,
    *,
    rows: Iterable[Published] = (),
    num_players: int = 2,
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
    num_players : int
        Whose sets to look for.

    Returns
    -------
    Mapping[str, Line2D]
        The curves by column.
    """
    players = ["", *(f"_{player + 1}" for player in range(num_players))]
    names = {f"{what}{player}": what for what in SIZES for player in players}
    drawn = {name: what for name, what in names.items() if name in history.columns}
    mark_published(axes, rows, drawn)
    lines = {name: size_line(axes, name, what) for name, what in drawn.items()}
    for name, line in lines.items():
        line.set_data(history["iteration"], history[name])
    axes.set_xlabel("round")
    axes.set_ylabel("strategies")
    for axis in (axes.xaxis, axes.yaxis):
        axis.set_major_locator(MaxNLocator(6, integer=True))
    axes.relim()
    axes.autoscale_view()
    axes.set_ylim(bottom=0)
    supports = [history[name][-1] for name in lines if names[name] == "support"]
    axes.set_title(size_title(supports), loc="left")
    legend(axes, loc="upper left")
    return lines


def size_title(sizes: Sequence[float]) -> str:
    """Return a title: how many strategies of each player have weight."""
    *first, last = [f"{size:.0f}" for size in sizes]
    if first:
        return f"{', '.join(first)} and {last} have weight"
    return f"{last} have weight"


def size_line(axes: Axes, name: str, what: str) -> Line2D:
    """Add the line of a column that counts `what`, 'pool' or 'support': thin, or with marks."""
    player = player_of(name)
    style = look(f"player {player}") if player else {"color": INK, "marker": "o"}
    if what == "pool":
        style |= {"marker": "", "linewidth": 1.0}
    else:
        style |= {"markersize": 3.5}
    whose = f"player {player}: " if player else ""
    (line,) = axes.plot([], [], label=f"{whose}{SIZES[what]}", **style)
    return line
