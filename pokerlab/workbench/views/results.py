"""A table of results: who wins what from whom, in cycles or in order.

Beside it stand four ratings of everybody; on the bench it shows the meetings of a population.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from pokerlab.core import Floats, Ints, ShapeError
from pokerlab.metrics import Ratings
from pokerlab.metrics.match_results import find_cycles, measure_transitivity
from pokerlab.solvers.population_coevolution import PopulationState
from pokerlab.workbench.live.view import Frame
from pokerlab.workbench.matplotlib_painter import paint_panel
from pokerlab.workbench.picture import Axis, ColorScale, HeatMap, Strip, name_places
from pokerlab.workbench.style import (
    BLUE,
    INK,
    PAPER,
    SMALL_SIZE,
    TITLE_SIZE,
    WINNING_COLORS,
    figure,
    shorten,
)
from pokerlab.workbench.text import signed

NAMES = {"mean": "mean", "elo": "Elo", "nash": "Nash", "alpha_rank": "alpha-rank"}
SHARES = ("nash", "alpha_rank")
MOST_NUMBERS, MOST_CYCLES = 12, 3
"""Players up to whom cells are written out; cycles that are drawn, the clearest."""
ROOM, CHARACTER, GAP = 2.4, 0.064, 0.06
"""Inches for a row of numbers in a picture of the usual width, for a character, and between two numbers."""
FEW_LETTERS, MOST_LETTERS = 12, 24
"""Letters of names below the table in a picture of the usual height, and most letters for which it grows."""
LEAST = 2.0**-30  # where the scale of winnings of a population begins
TIE = 1e-6  # by how much ratings of the same size may differ, relative to the largest


def table_of_results(rated: Ratings, names: Sequence[str], *, unit: str = "") -> Figure:
    """Draw a table of results, its cycles, and everybody's four ratings.

    Rows and columns stand in the order of the means, the best first; the lighter a cell, the more the row wins.
    Three arrows between rows are a cycle: each points from who wins to who loses. Filled marks are first, bars are
    intervals. The title says who is first, and how much of the table a rating can explain.

    Parameters
    ----------
    rated : Ratings
        Of the table, as `metrics.rate_players` returns them.
    names : sequence of str
        The players, in the order of the table.
    unit : str
        What the cells count.
    """
    count = len(rated.winnings)
    if len(names) != count:
        raise ShapeError(f"there are {len(names)} names; the table has {count} players.")
    order = np.argsort(-rated.mean, kind="stable")
    wider = max(0.0, measure_longest_row(rated) - ROOM)
    ratios = {"width_ratios": [3.4 + wider, 0.9, 0.8, 0.8, 0.8, 0.8]}
    upright = min(max(map(len, names)), MOST_LETTERS) - FEW_LETTERS
    size = 7.2 + wider, 1.7 + 0.27 * count + CHARACTER * max(0, upright)
    picture, panels = figure(*size, columns=6, sharey=True, gridspec_kw=ratios)
    cells, in_order = rated.winnings[np.ix_(order, order)], [names[player] for player in order]
    label = f"what the row wins from the column{f', {unit}' if unit else ''}"
    paint_panel(panels[0], draw_winnings(cells, Axis(label), Axis(), in_order))
    panels[0].tick_params(axis="x", labelrotation=90)
    draw_cycles(panels[1], rated, np.argsort(order))
    for axes, name in zip(panels[2:], NAMES, strict=True):
        draw_rating(axes, rated, name, order)
    picture.suptitle(
        describe_ratings(rated, names), x=0.01, ha="left", fontsize=TITLE_SIZE, color=INK
    )
    return picture


def draw_winnings(
    cells: Floats,
    across: Axis,
    down: Axis,
    names: Sequence[str] = (),
    *,
    most: float = 0.0,
    **about: Any,
) -> HeatMap:
    """Return what rows win from columns as a heat map, the lighter the more.

    Parameters
    ----------
    cells : array of shape (N, N)
        What they win.
    across, down : Axis
        What columns and rows are.
    names : sequence of str
        Of the players; if they are given, and are few, their winnings are written into the cells.
    most : float
        The winnings at the ends of the scale of colors; if not given, the largest ones.
    **about
        Further attributes of `HeatMap`.
    """
    count = len(cells)
    ticks = name_places(names, 0.0)
    limit = most or float(np.abs(cells).max()) or 1.0
    words = write_winnings(cells) if 0 < len(names) <= MOST_NUMBERS else None
    return HeatMap(
        cells,
        replace(across, limits=(-0.5, count - 0.5), ticks=ticks),
        replace(down, limits=(count - 0.5, -0.5), ticks=ticks),
        ColorScale(WINNING_COLORS, -limit, limit),
        rows=tuple(names),
        columns=tuple(names),
        words=words,
        digit_size=6.5,
        **about,
    )


def write_winnings(cells: Floats) -> NDArray[np.str_]:
    """Return what is written into the cells, (N, N); into the diagonal nothing."""
    most = float(np.abs(cells).max()) or 1.0
    digits = int(np.clip(1 - np.floor(np.log10(0.99 * most)), 0, 3)) if (cells % 1.0).any() else 0
    texts = [[signed(won, digits) for won in row] for row in cells.tolist()]
    short = np.char.replace(np.char.replace(texts, "+0.", "+."), "−0.", "−.")
    return np.where(np.eye(len(cells), dtype=bool), "", short)


def measure_longest_row(rated: Ratings) -> float:
    """Return the inches that a row of numbers takes; nothing in a large table."""
    count = len(rated.winnings)
    longest = int(np.char.str_len(write_winnings(rated.winnings)).max())
    return count * (CHARACTER * longest + GAP) * (longest > 0 and count <= MOST_NUMBERS)


def draw_cycles(axes: Axes, rated: Ratings, place: Ints) -> None:
    """Draw the clearest cycles, each as three arrows between rows."""
    shown = place[find_cycles(rated.winnings)[:MOST_CYCLES]]
    for at, rows in enumerate(shown):
        axes.plot([at] * 3, rows, "o", color=INK, markersize=3)
        for winner, loser in zip(rows, np.roll(rows, -1), strict=True):
            bow = 0.7 / max(abs(winner - loser), 2)  # as wide for far rows as for near ones
            bent = {"arrowstyle": "-|>", "connectionstyle": f"arc3,rad={bow}", "color": INK}
            axes.annotate("", (at, loser), (at, winner), arrowprops=bent)
    axes.set_xlim(-0.7, max(len(shown), 1) - 0.3)
    axes.set_xticks([])
    how_many = f"{len(shown)} of {rated.cycles}" if rated.cycles else "no"
    axes.set_xlabel(f"{how_many}\ncycles", fontsize=SMALL_SIZE)


def draw_rating(axes: Axes, rated: Ratings, name: str, order: Ints) -> None:
    """Draw one rating of everybody, with intervals if there are any."""
    values, rows = getattr(rated, name)[order], np.arange(len(order))
    ends = rated.intervals.get(name, np.array([getattr(rated, name)] * 2))[:, order]
    axes.hlines(rows, *ends, color=BLUE, linewidth=1.2)
    axes.plot(values, rows, "o", color=BLUE, markerfacecolor=PAPER, markersize=4.5)
    axes.plot(values[best := find_leaders(values)], rows[best], "o", color=BLUE, markersize=4.5)
    axes.set_title(NAMES[name], loc="center", fontsize=SMALL_SIZE)
    most = float(np.abs([values, *ends]).max()) or 1.0
    tick = float(f"{0.9 * most:.1g}")
    shares = {"xlim": (-0.2, 1.2), "xticks": [0, 1]}
    around = {"xlim": (-1.4 * most, 1.4 * most), "xticks": [-tick, tick]}
    axes.set(**(shares if name in SHARES else around))
    axes.axvline(0.0, color=INK, linewidth=0.6, zorder=0)
    axes.xaxis.set_major_formatter("{x:g}")


def find_leaders(values: Floats) -> Ints:
    """Return who is first, all of them if several are."""
    return np.flatnonzero(values >= values.max() - TIE * max(float(np.abs(values).max()), TIE))


def describe_ratings(rated: Ratings, names: Sequence[str]) -> str:
    """Return what the table says in a sentence."""
    first = {}
    for name, words in NAMES.items():
        ahead = find_leaders(getattr(rated, name))
        first[words] = (
            shorten(names[ahead[0]], MOST_LETTERS) if len(ahead) == 1 else f"{len(ahead)} alike"
        )
    each = ", ".join(f"{words}: {one}" for words, one in first.items())
    who = each if len({*first.values()}) > 1 else f"all four ratings: {first['mean']}"
    cycles = f"{rated.cycles or 'no'} cycle{'s' * (rated.cycles != 1)} of three"
    return f"First by {who};\na rating explains {rated.transitivity:.0%} of the table, {cycles}"


@dataclass(frozen=True)
class MeetingsView:
    """Who won what from whom in the first population, the best above; and how far an order says it."""

    name = "meetings"
    height = 2.6
    choice = "Meetings of"
    caption = (
        "Meetings: the lighter a cell, the more the row won from the column; rows and columns stand in the order of"
        " what each won in all. Where one number for each explains little, there is no best strategy."
    )

    def list_choices(self, frame: Frame) -> Mapping[str, bool]:
        """Return whether only those that stay are shown."""
        return {"everybody": False, "those that stay": True}

    def draw(self, frame: Frame, chosen: bool) -> Strip:
        """Return the results of the last generation."""
        state: PopulationState = frame.state
        won = order_winnings(state, only_kept=chosen)
        largest = max(float(np.abs(won).max(initial=0.0)), LEAST)
        most = float(2.0 ** np.ceil(np.log2(largest)))
        explained, cycles = measure_transitivity(won)
        threes = f"{f'{cycles:,}' if cycles else 'no'} cycle{'s' * (cycles != 1)} of three"
        words = f"One number for each explains {explained:.0%} of what was won; {threes}"
        unit = str(state.game.unit)
        heat_map = draw_winnings(
            won,
            Axis("from whom, the best on the left"),
            Axis("who won"),
            most=most,
            key="won",
            title=words if state.iteration else "Nobody has met yet",
            scale_label=f"won, {unit}",
            unit=unit,
        )
        return Strip(self.name, self.height, ((heat_map,),))


def order_winnings(state: PopulationState, *, only_kept: bool = False) -> Floats:
    """Return what members of the first population won from each other, those who won most first.

    Where nobody stays, everybody is shown.
    """
    front = state.front[0]
    rows = np.flatnonzero(front if only_kept and front.any() else np.ones_like(front))
    won = state.matrix[np.ix_(rows, rows)]
    order = np.argsort(-won.sum(axis=1), kind="stable")
    return np.asarray(won[np.ix_(order, order)])
