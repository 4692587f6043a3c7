"""A table of results: the winnings of each player from each other, with cycles and with four ratings of each player.

On the bench it shows the pairings of a population.
"""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import NDArray

from pokerlab.core import Floats, Ints, SettingError, ShapeError
from pokerlab.metrics.match_results import Ratings, find_cycles, measure_transitivity
from pokerlab.solvers.population_coevolution import PopulationState
from pokerlab.workbench.live.view import Frame
from pokerlab.workbench.matplotlib_painter import paint_panel
from pokerlab.workbench.picture import Axis, ColorScale, HeatMap, Strip, make_named_ticks
from pokerlab.workbench.style import (
    BLUE,
    INK,
    PAPER,
    SMALL_SIZE,
    TITLE_SIZE,
    WINNING_COLORS,
    figure,
    shorten_words,
)
from pokerlab.workbench.text import signed

RATING_LABELS = {"mean": "mean", "elo": "Elo", "nash": "Nash", "alpha_rank": "alpha-rank"}
SHARE_RATINGS = ("nash", "alpha_rank")
MOST_NUMBERS, MOST_CYCLES = 12, 3
"""The most players for whom numbers are written into the cells, and the most cycles that are drawn."""
CLEAR_ERRORS = 2.0  # a result of at most so many standard errors is written in parentheses
USUAL_ROW_WIDTH, CHARACTER_WIDTH, NUMBER_GAP = 2.4, 0.064, 0.06
"""In inches: the width of a row of numbers in a picture of the usual width, of a character, and of the gap between two
numbers."""
FEW_LETTERS, MOST_LETTERS = 12, 24
"""The most letters of names in a picture of the usual height, and the most letters for which the height grows."""
LEAST_LIMIT = 2.0**-30  # the least end of the scale of a population's winnings
RATING_TOLERANCE = 1e-6  # equal ratings may differ by this share of the largest one


def plot_results_table(
    ratings: Ratings,
    names: Sequence[str],
    *,
    unit: str = "",
    title: str = "",
    errors: Floats | None = None,
    first_cycles: Sequence[Sequence[int]] = (),
) -> Figure:
    """Return a figure with a table of results, its cycles, and four ratings of each player.

    Rows and columns stand in the order of the means, the best first; the lighter a cell, the more the row wins.
    Arrows between rows are a cycle: each points from the winner to the loser. Filled marks are first, bars are
    intervals. Up to 12 players have their results in the cells and their means beside the marks.

    Parameters
    ----------
    ratings : Ratings
        The ratings of the table, as `metrics.rate_players` returns them.
    names : sequence of str
        The names of the players, in the order of the table.
    unit : str
        The unit of the cells.
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
    count = len(ratings.winnings)
    if len(names) != count:
        raise ShapeError(f"there are {len(names)} names; the table has {count} players.")
    for cycle in first_cycles:
        check_cycle(ratings.winnings, cycle)
    order = np.argsort(-ratings.mean, kind="stable")
    wider = max(0.0, measure_longest_row(ratings) - USUAL_ROW_WIDTH)
    ratios = {"width_ratios": [3.4 + wider, 0.9, 1.2, 0.8, 0.8, 0.8]}
    upright = min(max(map(len, names)), MOST_LETTERS) - FEW_LETTERS
    size = 7.6 + wider, 1.7 + 0.27 * count + CHARACTER_WIDTH * max(0, upright)
    picture, panels = figure(*size, columns=6, sharey=True, gridspec_kw=ratios)
    cells = ratings.winnings[np.ix_(order, order)]
    in_order = [names[player] for player in order]
    label = f"what the row wins from the column{f', {unit}' if unit else ''}"
    sizes = None if errors is None else errors[np.ix_(order, order)]
    paint_panel(panels[0], draw_winnings(cells, Axis(label), Axis(), in_order, errors=sizes))
    panels[0].tick_params(axis="x", labelrotation=90)
    draw_cycles(panels[1], ratings, np.argsort(order), first_cycles)
    for axes, name in zip(panels[2:], RATING_LABELS, strict=True):
        draw_rating(axes, ratings, name, order)
    if count <= MOST_NUMBERS:
        write_means(panels[2], ratings, order)
    words = title or describe_ratings(ratings, names)
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
    """Return the winnings of rows from columns as a heat map, in which larger ones are lighter.

    Parameters
    ----------
    cells : array of shape (N, N)
        The winnings.
    across, down : Axis
        The axes of columns and of rows.
    names : sequence of str
        The names of the players. If they are given and are few, the winnings are written into the cells.
    most : float
        The winnings at the ends of the scale of colors; if not given, the largest ones.
    errors : array of shape (N, N), optional
        Standard errors of the cells. A number within two of them is written in parentheses.
    **about
        Further attributes of `HeatMap`.
    """
    count = len(cells)
    ticks = make_named_ticks(names, 0.0)
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
    """Return the texts of the cells, of shape (N, N); those of the diagonal are empty.

    If standard errors are given, numbers within two of them are written in parentheses.
    """
    digits = count_digits(cells)
    texts = [[signed(won, digits) for won in row] for row in cells.tolist()]
    short = np.char.replace(np.char.replace(texts, "+0.", "+."), "−0.", "−.")
    if errors is not None:
        unclear = np.abs(cells) <= CLEAR_ERRORS * errors
        short = np.where(unclear, np.char.add(np.char.add("(", short), ")"), short)
    return np.where(np.eye(len(cells), dtype=bool), "", short)


def count_digits(values: Floats) -> int:
    """Return the number of decimals with which the largest number has two digits; 0 if all are whole."""
    largest = float(np.abs(values).max()) or 1.0
    return int(np.clip(1 - np.floor(np.log10(0.99 * largest)), 0, 3)) if (values % 1.0).any() else 0


def check_cycle(winnings: Floats, cycle: Sequence[int]) -> None:
    """Raise a SettingError unless each player of a cycle beats the next one, and the last one the first."""
    if len(cycle) < 3 or (winnings[[*cycle], np.roll(cycle, -1)] <= 0.0).any():
        raise SettingError(
            f"players {[*cycle]} are not a cycle of this table. Give three or more players, each of whom beats the"
            " next one, and the last one the first."
        )


def measure_longest_row(ratings: Ratings) -> float:
    """Return the width of a row of numbers in inches; 0 in a large table, which has none."""
    count = len(ratings.winnings)
    longest = int(np.char.str_len(write_winnings(ratings.winnings)).max())
    return (
        count * (CHARACTER_WIDTH * longest + NUMBER_GAP) * (longest > 0 and count <= MOST_NUMBERS)
    )


def draw_cycles(
    axes: Axes, ratings: Ratings, row_of_player: Ints, first_cycles: Sequence[Sequence[int]] = ()
) -> None:
    """Draw cycles as arrows between rows: the given ones, and then the clearest of three players."""
    given_cycles = {frozenset(cycle) for cycle in first_cycles}
    other_cycles = [
        cycle for cycle in find_cycles(ratings.winnings).tolist() if {*cycle} not in given_cycles
    ]
    shown_cycles = [*first_cycles, *other_cycles][: max(MOST_CYCLES, len(first_cycles))]
    for x, cycle in enumerate(shown_cycles):
        rows = row_of_player[[*cycle]]
        color = BLUE if x < len(first_cycles) else INK
        axes.plot([x] * len(rows), rows, "o", color=color, markersize=3)
        for winner, loser in zip(rows, np.roll(rows, -1), strict=True):
            bow = 0.7 / max(abs(winner - loser), 2)  # as wide for far rows as for near ones
            arrow = {"arrowstyle": "-|>", "connectionstyle": f"arc3,rad={bow}", "color": color}
            axes.annotate("", (x, loser), (x, winner), arrowprops=arrow)
    axes.set_xlim(-0.7, max(len(shown_cycles), 1) - 0.3)
    axes.set_xticks([])
    num_long = sum(len(cycle) > 3 for cycle in first_cycles)
    threes = f"{len(shown_cycles) - num_long} of {ratings.cycles}" if ratings.cycles else "no"
    words = f"{threes} cycle{'s' * (ratings.cycles != 1)}\nof three"
    axes.set_xlabel(f"{words},\n{num_long} longer" if num_long else words, fontsize=SMALL_SIZE)


def draw_rating(axes: Axes, ratings: Ratings, name: str, order: Ints) -> None:
    """Draw one rating of each player, with intervals if there are any."""
    values = getattr(ratings, name)[order]
    rows = np.arange(len(order))
    ends = ratings.intervals.get(name, np.array([getattr(ratings, name)] * 2))[:, order]
    axes.hlines(rows, *ends, color=BLUE, linewidth=1.2)
    axes.plot(values, rows, "o", color=BLUE, markerfacecolor=PAPER, markersize=4.5)
    axes.plot(values[best := find_leaders(values)], rows[best], "o", color=BLUE, markersize=4.5)
    axes.set_title(RATING_LABELS[name], loc="center", fontsize=SMALL_SIZE)
    largest = float(np.abs([values, *ends]).max()) or 1.0
    tick = float(f"{0.9 * largest:.1g}")
    share_axis = {"xlim": (-0.2, 1.2), "xticks": [0, 1]}
    signed_axis = {"xlim": (-1.4 * largest, 1.4 * largest), "xticks": [-tick, tick]}
    axes.set(**(share_axis if name in SHARE_RATINGS else signed_axis))
    axes.axvline(0.0, color=INK, linewidth=0.6, zorder=0)
    axes.xaxis.set_major_formatter("{x:g}")


def write_means(axes: Axes, ratings: Ratings, order: Ints) -> None:
    """Write the means as numbers, each on the other side of zero than its mark."""
    digits = count_digits(ratings.winnings)
    for row, mean in enumerate(ratings.mean[order].tolist()):
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
    """Return the indices of the largest values, several if they are equal."""
    return np.flatnonzero(
        values
        >= values.max() - RATING_TOLERANCE * max(float(np.abs(values).max()), RATING_TOLERANCE)
    )


def describe_ratings(ratings: Ratings, names: Sequence[str]) -> str:
    """Return a sentence on the first players by each rating, the transitivity of the table, and its cycles."""
    leaders = {}
    for name, words in RATING_LABELS.items():
        indices = find_leaders(getattr(ratings, name))
        leaders[words] = (
            shorten_words(names[indices[0]], MOST_LETTERS)
            if len(indices) == 1
            else f"{len(indices)} alike"
        )
    who = ", ".join(f"{words}: {leader}" for words, leader in leaders.items())
    if len({*leaders.values()}) == 1:
        who = f"all four ratings: {leaders['mean']}"
    cycles = f"{ratings.cycles or 'no'} cycle{'s' * (ratings.cycles != 1)} of three"
    return f"First by {who};\na rating explains {ratings.transitivity:.0%} of the table, {cycles}"


@dataclass(frozen=True)
class PairingsView:
    """The winnings in the first population, with the best strategies above, and the share that an order explains."""

    name = "pairings"
    height = 2.6
    choice_label = "Meetings of"
    caption = (
        "Meetings: the lighter a cell, the more the row won from the column; rows and columns stand in the order of"
        " what each won in all. Where one number for each explains little, there is no best strategy."
    )

    def list_choices(self, frame: Frame) -> Mapping[str, bool]:
        """Return the choices of strategies: all of them, or only those that stay."""
        return {"everybody": False, "those that stay": True}

    def draw(self, frame: Frame, chosen: bool) -> Strip:
        """Return the strip with the results of the last generation."""
        state: PopulationState = frame.state
        won = order_winnings(state, only_kept=chosen)
        largest = max(float(np.abs(won).max(initial=0.0)), LEAST_LIMIT)
        limit = float(2.0 ** np.ceil(np.log2(largest)))
        explained, cycles = measure_transitivity(won)
        threes = f"{f'{cycles:,}' if cycles else 'no'} cycle{'s' * (cycles != 1)} of three"
        words = f"One number for each explains {explained:.0%} of what was won; {threes}"
        unit = str(state.game.unit)
        heat_map = draw_winnings(
            won,
            Axis("from whom, the best on the left"),
            Axis("who won"),
            most=limit,
            key="won",
            title=words if state.iteration else "Nobody has met yet",
            scale_label=f"won, {unit}",
            unit=unit,
        )
        return Strip(self.name, self.height, ((heat_map,),))


def order_winnings(state: PopulationState, *, only_kept: bool = False) -> Floats:
    """Return the winnings of members of the first population from each other, by decreasing total winnings.

    If `only_kept` is True, only the members that stay are included, unless none does.
    """
    front = state.front[0]
    rows = np.flatnonzero(front if only_kept and front.any() else np.ones_like(front))
    won = state.matrix[np.ix_(rows, rows)]
    order = np.argsort(-won.sum(axis=1), kind="stable")
    return np.asarray(won[np.ix_(order, order)])
