"""What each player's mix wins at least, by round, on linear axes: the paper's Figure 3."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.ticker import MaxNLocator

from pokerlab.papers.experiment import Published
from pokerlab.runs import History
from pokerlab.workbench.memory.measures import measured
from pokerlab.workbench.plots import legend, published, spoken
from pokerlab.workbench.style import GREY, INK, look
from pokerlab.workbench.text import signed

PLAYERS = ("worst_case_1", "worst_case_2", "worst_case")
"""Everybody's; the last is a symmetric memory's."""
DRAWN = (*PLAYERS, "value")
SUM = "worst_case_sum"
LOOKS: dict[str, dict[str, Any]] = {
    "value": {"color": GREY, "linestyle": (0, (5, 1.5)), "linewidth": 1.1},
    SUM: {"color": INK, "linestyle": "-", "linewidth": 1.0},
}
WORDS = {"value": "value of the subgame", SUM: "sum of the worst cases"}


def plot_worst_cases(
    axes: Axes,
    source: History | Iterable[Any],
    *,
    value: float | None = None,
    rows: Iterable[Published] = (),
    with_sum: bool = False,
) -> Mapping[str, Line2D]:
    """Draw what both players' mixes win at least, by round, and how the subgame's value moves.

    Parameters
    ----------
    axes : Axes
        Where.
    source : History or iterable of states
        A run's history with columns 'worst_case_1', 'worst_case_2' and 'value', or 'worst_case' of a
        symmetric memory; or the states of a memory.
    value : float, optional
        What player 1 wins in the whole game: dotted lines there for player 1, at its negative for
        player 2.
    rows : iterable of Published
        Published numbers; those of the columns drawn become open circles.
    with_sum : bool
        Whether to draw the sum of the worst cases too, the column 'worst_case_sum': what the compound
        game's worst case is.

    Returns
    -------
    Mapping[str, Line2D]
        The curves by column.
    """
    source = source if isinstance(source, History) else list(source)
    columns = measured(source, (*DRAWN, *([SUM] if with_sum else [])))
    across = columns["iteration"]
    draw_value(axes, value)
    mark_published(axes, rows, columns)
    lines = {name: line_of(axes, name) for name in columns if name != "iteration"}
    for name, line in lines.items():
        line.set_data(across, columns[name])
    axes.set_xlabel("round")
    axes.xaxis.set_major_locator(MaxNLocator(8, integer=True))
    axes.set_ylabel(f"worst case ({unit_of(source)})")
    axes.relim()
    axes.autoscale_view()
    axes.set_xlim(across[0], across[-1] + 0.02 * max(across[-1] - across[0], 1.0))
    legend(axes, loc="lower right", ncols=2)
    cases = [float(columns[name][-1]) for name in PLAYERS if name in columns]
    axes.set_title(sure_of(cases, int(across[-1])), loc="left")
    return lines


def sure_of(worst_cases: Sequence[float], rounds: int) -> str:
    """Return a title: what everybody's mix wins at least."""
    said = " and ".join(signed(each, 4) for each in worst_cases)
    return f"Sure of {said} after {rounds:,} round{'s' * (rounds != 1)}"


def line_of(axes: Axes, name: str) -> Line2D:
    """Add the line of a column, still empty, as that column always looks."""
    _, _, player = name.rpartition("_")
    if player.isdigit():
        style, label = look(f"player {player}") | {"markersize": 3.5}, f"player {player}"
    else:
        style, label = (
            LOOKS.get(name, {"color": INK, "linewidth": 1.6}),
            WORDS.get(name, spoken(name)),
        )
    (line,) = axes.plot([], [], label=label, **style)
    return line


def draw_value(axes: Axes, value: float | None) -> list[float]:
    """Draw what either player wins in the game, if it is known; return where."""
    heights = [] if value is None else [value, -value] if value else [value]
    for index, height in enumerate(heights):
        label = "value of the game" if index == 0 else None
        axes.axhline(height, label=label, **look("bound"))
    return heights


def mark_published(
    axes: Axes, rows: Iterable[Published], columns: Iterable[str], label: str | None = "published"
) -> list[tuple[float, float]]:
    """Mark the published numbers of `columns` that say when; return the points."""
    timed = [row for row in rows if np.isfinite(row.iteration)]
    points: list[tuple[float, float]] = []
    for name in columns:
        points += published(axes, timed, name, None if points else label)
    return points


def unit_of(source: History | list[Any]) -> str:
    """Return the unit of a history's worst cases, or of the states' game."""
    if isinstance(source, History):
        return next(source.units[name] for name in PLAYERS if name in source.units)
    return str(source[0].game.unit.plural)
