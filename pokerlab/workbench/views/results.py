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

from pokerlab.core import Floats, Ints, SettingError, ShapeError
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
CLEAR = 2.0  # standard errors within which a result is written in parentheses
ROOM, CHARACTER, GAP = 2.4, 0.064, 0.06
"""Inches for a row of numbers in a picture of the usual width, for a character, and between two numbers."""
FEW_LETTERS, MOST_LETTERS = 12, 24
"""Letters of names below the table in a picture of the usual height, and most letters for which it grows."""
LEAST = 2.0**-30  # where the scale of winnings of a population begins
TIE = 1e-6  # by how much ratings of the same size may differ, relative to the largest


def table_of_results(
    rated: Ratings,
    names: Sequence[str],
    *,
    unit: str = "",
    title: str = "",
    errors: Floats | None = None,
    first_cycles: Sequence[Sequence[int]] = (),
) -> Figure:
    """Draw a table of results, its cycles, and everybody's four ratings.

    Rows and columns stand in the order of the means, the best first; the lighter a cell, the more the row wins.
    Arrows between rows are a cycle: each points from the winner to the loser. Filled marks are first, bars are
    intervals. Up to 12 players have their results in the cells and their means beside the marks.

    Parameters
    ----------
    rated : Ratings
        Of the table, as `metrics.rate_players` returns them.
    names : sequence of str
        The players, in the order of the table.
    unit : str
        What the cells count.
    title : str
        The title; by default it names the first by each rating, and the share of the table that one number for each
        player explains.
    errors : array of shape (N, N), optional
        Standard errors of the cells. A result within two of them is written in parentheses.
    first_cycles : sequence of sequences of int
        Cycles of any length that are drawn first, and in blue: the players, each of whom beats the next one, and the
        last the first. The clearest cycles of three follow until three cycles are drawn.

    Raises
    ------
    ShapeError
        If there are not as many names as players.
    SettingError
        If the players of a given cycle do not beat each other in this order.
    """
    count = len(rated.winnings)
    if len(names) != count:
        raise ShapeError(f"there are {len(names)} names; the table has {count} players.")
    for cycle in first_cycles:
        check_cycle(rated.winnings, cycle)
    order = np.argsort(-rated.mean, kind="stable")
    wider = max(0.0, measure_longest_row(rated) - ROOM)
    ratios = {"width_ratios": [3.4 + wider, 0.9, 1.2, 0.8, 0.8, 0.8]}
    upright = min(max(map(len, names)), MOST_LETTERS) - FEW_LETTERS
    size = 7.6 + wider, 1.7 + 0.27 * count + CHARACTER * max(0, upright)
    picture, panels = figure(*size, columns=6, sharey=True, gridspec_kw=ratios)
    cells = rated.winnings[np.ix_(order, order)]
    in_order = [names[player] for player in order]
    label = f"what the row wins from the column{f', {unit}' if unit else ''}"
    sizes = None if errors is None else errors[np.ix_(order, order)]
    paint_panel(panels[0], draw_winnings(cells, Axis(label), Axis(), in_order, errors=sizes))
    panels[0].tick_params(axis="x", labelrotation=90)
    draw_cycles(panels[1], rated, np.argsort(order), first_cycles)
    for axes, name in zip(panels[2:], NAMES, strict=True):
        draw_rating(axes, rated, name, order)
    if count <= MOST_NUMBERS:
        write_means(panels[2], rated, order)
    words = title or describe_ratings(rated, names)
    picture.suptitle(words, x=0.01, ha="left", fontsize=TITLE_SIZE, color=INK)
    return picture


def draw_winnings(
    cells: Floats,
    across: Axis,
    down: Axis,
    names: Sequence[str] = (),
    *,
    most: float = 0.0,
    errors: Floats | None = None,
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
    errors : array of shape (N, N), optional
        Standard errors of the cells. A number within two of them is written in parentheses.
    **about
        Further attributes of `HeatMap`.
    """
    count = len(cells)
    ticks = name_places(names, 0.0)
    limit = most or float(np.abs(cells).max()) or 1.0
    words = write_winnings(cells, errors) if 0 < len(names) <= MOST_NUMBERS else None
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


def write_winnings(cells: Floats, errors: Floats | None = None) -> NDArray[np.str_]:
    """Return what is written into the cells, (N, N); into the diagonal nothing.

    If standard errors are given, numbers within two of them are written in parentheses.
    """
    digits = count_digits(cells)
    texts = [[signed(won, digits) for won in row] for row in cells.tolist()]
    short = np.char.replace(np.char.replace(texts, "+0.", "+."), "−0.", "−.")
    if errors is not None:
        unclear = np.abs(cells) <= CLEAR * errors
        short = np.where(unclear, np.char.add(np.char.add("(", short), ")"), short)
    return np.where(np.eye(len(cells), dtype=bool), "", short)


def count_digits(values: Floats) -> int:
    """Return how many decimals numbers need so that the largest has two digits; none if all are whole."""
    most = float(np.abs(values).max()) or 1.0
    return int(np.clip(1 - np.floor(np.log10(0.99 * most)), 0, 3)) if (values % 1.0).any() else 0


def check_cycle(won: Floats, cycle: Sequence[int]) -> None:
    """Raise a SettingError unless each player of a cycle beats the next one, and the last one the first."""
    if len(cycle) < 3 or (won[[*cycle], np.roll(cycle, -1)] <= 0.0).any():
        raise SettingError(
            f"players {[*cycle]} are not a cycle of this table. Give three or more players, each of whom beats the"
            " next one, and the last one the first."
        )


def measure_longest_row(rated: Ratings) -> float:
    """Return the inches that a row of numbers takes; nothing in a large table."""
    count = len(rated.winnings)
    longest = int(np.char.str_len(write_winnings(rated.winnings)).max())
    return count * (CHARACTER * longest + GAP) * (longest > 0 and count <= MOST_NUMBERS)


def draw_cycles(
    axes: Axes, rated: Ratings, place: Ints, first_cycles: Sequence[Sequence[int]] = ()
) -> None:
    """Draw given cycles, and then the clearest of three players, each as arrows between rows."""
    given = {frozenset(cycle) for cycle in first_cycles}
    others = [cycle for cycle in find_cycles(rated.winnings).tolist() if {*cycle} not in given]
    shown = [*first_cycles, *others][: max(MOST_CYCLES, len(first_cycles))]
    for at, cycle in enumerate(shown):
        rows = place[[*cycle]]
        color = BLUE if at < len(first_cycles) else INK
        axes.plot([at] * len(rows), rows, "o", color=color, markersize=3)
        for winner, loser in zip(rows, np.roll(rows, -1), strict=True):
            bow = 0.7 / max(abs(winner - loser), 2)  # as wide for far rows as for near ones
            bent = {"arrowstyle": "-|>", "connectionstyle": f"arc3,rad={bow}", "color": color}
            axes.annotate("", (at, loser), (at, winner), arrowprops=bent)
    axes.set_xlim(-0.7, max(len(shown), 1) - 0.3)
    axes.set_xticks([])
    long = sum(len(cycle) > 3 for cycle in first_cycles)
    threes = f"{len(shown) - long} of {rated.cycles}" if rated.cycles else "no"
    words = f"{threes} cycle{'s' * (rated.cycles != 1)}\nof three"
    axes.set_xlabel(f"{words},\n{long} longer" if long else words, fontsize=SMALL_SIZE)


def draw_rating(axes: Axes, rated: Ratings, name: str, order: Ints) -> None:
    """Draw one rating of everybody, with intervals if there are any."""
    values = getattr(rated, name)[order]
    rows = np.arange(len(order))
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


def write_means(axes: Axes, rated: Ratings, order: Ints) -> None:
    """Write the means as numbers, each on the side of zero where its mark is not."""
    digits = count_digits(rated.winnings)
    for row, mean in enumerate(rated.mean[order].tolist()):
        side = "left" if mean < 0.0 else "right"
        gap = 6 if mean < 0.0 else -6  # points, beyond a mark at zero
        axes.annotate(
            signed(mean, digits),
            (0.0, row),
            (gap, 0),
            textcoords="offset points",
            ha=side,
            va="center",
            fontsize=SMALL_SIZE - 1,
        )


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
