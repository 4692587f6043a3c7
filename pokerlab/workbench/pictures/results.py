"""A table of results as a picture: who wins what from whom, in cycles or in order, and four ratings beside it."""

from collections.abc import Sequence

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from pokerlab.core import Floats, Ints, ShapeError
from pokerlab.metrics import Ratings
from pokerlab.metrics.match_results import find_cycles
from pokerlab.workbench.pictures.text import signed
from pokerlab.workbench.style import (
    BLUE,
    INK,
    PAPER,
    SMALL_SIZE,
    TITLE_SIZE,
    WINNINGS,
    figure,
    ink_on,
    shortened,
)

NAMES = {"mean": "mean", "elo": "Elo", "nash": "Nash", "alpha_rank": "alpha-rank"}
SHARES = ("nash", "alpha_rank")
MOST_NUMBERS, MOST_CYCLES = 12, 3
"""Players up to whom cells are written out; cycles that are drawn, the clearest."""
ROOM, CHARACTER, GAP = 2.4, 0.064, 0.06
"""Inches for a row of numbers in a picture of the usual width, for a character, and between two numbers."""
FEW_LETTERS, MOST_LETTERS = 12, 24
"""Letters of names below the table in a picture of the usual height, and most letters for which it grows."""
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
    wider = max(0.0, longest_row(rated) - ROOM)
    ratios = {"width_ratios": [3.4 + wider, 0.9, 0.8, 0.8, 0.8, 0.8]}
    upright = min(max(map(len, names)), MOST_LETTERS) - FEW_LETTERS
    size = 7.2 + wider, 1.7 + 0.27 * count + CHARACTER * max(0, upright)
    picture, panels = figure(*size, columns=6, sharey=True, gridspec_kw=ratios)
    draw_cells(panels[0], rated, order, [names[player] for player in order])
    draw_cycles(panels[1], rated, np.argsort(order))
    for axes, name in zip(panels[2:], NAMES, strict=True):
        draw_rating(axes, rated, name, order)
    panels[0].set_xlabel(f"what the row wins from the column{f', {unit}' if unit else ''}")
    picture.suptitle(finding(rated, names), x=0.01, ha="left", fontsize=TITLE_SIZE, color=INK)
    return picture


def draw_cells(axes: Axes, rated: Ratings, order: Ints, names: Sequence[str]) -> None:
    """Draw the table, shaded and, if it is small, in numbers."""
    cells = rated.winnings[np.ix_(order, order)]
    most = float(np.abs(cells).max()) or 1.0
    shades = axes.imshow(cells, cmap=WINNINGS, vmin=-most, vmax=most, aspect="auto")
    for (row, column), text in np.ndenumerate(numbers_in(cells)):
        ink = ink_on(shades.to_rgba(cells[row, column]))
        axes.text(column, row, text, ha="center", va="center", fontsize=6.5, color=ink)
    axes.set_xticks(range(len(names)), names, rotation=90)
    axes.set_yticks(range(len(names)), names)
    axes.grid(visible=False)


def numbers_in(cells: Floats) -> NDArray[np.object_]:
    """Return what is written into the cells, (N, N); of a large table nothing, (0, N)."""
    most = float(np.abs(cells).max()) or 1.0
    digits = int(np.clip(1 - np.floor(np.log10(0.99 * most)), 0, 3)) if (cells % 1.0).any() else 0
    texts = np.empty(cells.shape, object)
    for (row, column), won in np.ndenumerate(cells):
        shown = signed(won, digits).replace("+0.", "+.").replace("−0.", "−.")
        texts[row, column] = shown if row != column else ""
    return texts if len(cells) <= MOST_NUMBERS else texts[:0]


def longest_row(rated: Ratings) -> float:
    """Return the inches that a row of numbers takes."""
    longest = max((len(text) for text in numbers_in(rated.winnings).ravel()), default=0)
    return len(rated.winnings) * (CHARACTER * longest + GAP) * (longest > 0)


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
    axes.plot(values[best := leaders(values)], rows[best], "o", color=BLUE, markersize=4.5)
    axes.set_title(NAMES[name], loc="center", fontsize=SMALL_SIZE)
    most = float(np.abs([values, *ends]).max()) or 1.0
    tick = float(f"{0.9 * most:.1g}")
    shares = {"xlim": (-0.2, 1.2), "xticks": [0, 1]}
    around = {"xlim": (-1.4 * most, 1.4 * most), "xticks": [-tick, tick]}
    axes.set(**(shares if name in SHARES else around))
    axes.axvline(0.0, color=INK, linewidth=0.6, zorder=0)
    axes.xaxis.set_major_formatter("{x:g}")


def leaders(values: Floats) -> Ints:
    """Return who is first, all of them if several are."""
    return np.flatnonzero(values >= values.max() - TIE * max(float(np.abs(values).max()), TIE))


def finding(rated: Ratings, names: Sequence[str]) -> str:
    """Return what the table says in a sentence."""
    first = {}
    for name, words in NAMES.items():
        ahead = leaders(getattr(rated, name))
        first[words] = (
            shortened(names[ahead[0]], MOST_LETTERS) if len(ahead) == 1 else f"{len(ahead)} alike"
        )
    each = ", ".join(f"{words}: {one}" for words, one in first.items())
    who = each if len({*first.values()}) > 1 else f"all four ratings: {first['mean']}"
    cycles = f"{rated.cycles or 'no'} cycle{'s' * (rated.cycles != 1)} of three"
    return f"First by {who};\na rating explains {rated.transitivity:.0%} of the table, {cycles}"
