"""Hold'em's cards in numbers: the 169 starting hands as a heat map, and buckets as a graph.

In the graph a row is a round and a circle a bucket; the thicker a line, the likelier the move.
"""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.collections import LineCollection
from matplotlib.figure import Figure
from matplotlib.lines import Line2D
from matplotlib.patches import Ellipse
from numpy.typing import ArrayLike

from pokerlab.core import Floats, ShapeError
from pokerlab.core.arrays import validate_numbers
from pokerlab.core.settings import check_kind
from pokerlab.holdem.buckets import Buckets
from pokerlab.holdem.cards import NUM_RANKS, NUM_SUITS, RANKS, STREETS, Cards
from pokerlab.workbench.matplotlib_painter import paint_figure
from pokerlab.workbench.picture import Axis, ColorScale, HeatMap
from pokerlab.workbench.style import INK, PAPER, PROBABILITY_COLORS, SMALL_SIZE, TEXT_SIZE, figure

SIZE = (7.8, 5.4)
CLUBS, DIAMONDS = 0, 1


def list_starting_hands() -> Cards:
    """Return one example of each of the 169 starting hands.

    Returns
    -------
    ndarray of uint8, shape (13, 13, 2)
        Ranks run from ace to two along both axes. Pairs on the diagonal, cards of one suit above
        it, of two suits below.

    Examples
    --------
    >>> from pokerlab.holdem import format_cards
    >>> hands = list_starting_hands()
    >>> format_cards(hands[0, 0]), format_cards(hands[0, 1]), format_cards(hands[1, 0])
    ('Ac Ad', 'Ac Kc', 'Ac Kd')
    """
    hands = np.empty((NUM_RANKS, NUM_RANKS, 2), np.uint8)
    for row, column in np.ndindex(NUM_RANKS, NUM_RANKS):
        high, low = NUM_RANKS - 1 - min(row, column), NUM_RANKS - 1 - max(row, column)
        suit = CLUBS if column > row else DIAMONDS
        hands[row, column] = NUM_SUITS * high + CLUBS, NUM_SUITS * low + suit
    return hands


def plot_starting_hands(values: ArrayLike, title: str = "") -> Figure:
    """Return a figure with a number for each starting hand, the darker the larger.

    Parameters
    ----------
    values : array_like of shape (13, 13)
        In the order of `list_starting_hands`.
    title : str
        What the picture shows.
    """
    table = validate_numbers(values, "values")
    check_kind("title", title, str, "a text")
    if table.shape != (NUM_RANKS, NUM_RANKS):
        raise ShapeError(f"values have shape {table.shape}; starting hands are (13, 13).")
    return paint_figure(((draw_starting_hands(table, title),),), *SIZE)


def draw_starting_hands(table: Floats, title: str = "") -> HeatMap:
    """Return a number for each starting hand as a heat map, with the hand's name above the number."""
    words = [
        [f"{name_hand(row, column)}\n{write_number(value)}" for column, value in enumerate(values)]
        for row, values in enumerate(table.tolist())
    ]
    low, high = float(np.nanmin(table)), float(np.nanmax(table))
    return HeatMap(
        table,
        Axis(limits=(0.0, NUM_RANKS), ticks=()),
        Axis(limits=(NUM_RANKS, 0.0), ticks=()),
        ColorScale(PROBABILITY_COLORS, low, high),
        title=title,
        words=np.array(words),
        digit_size=SMALL_SIZE - 1,
        gap=1.2,
    )


def write_number(value: float) -> str:
    """Return a number with three digits, as '.852' if it is less than one."""
    number = f"{value:.3f}"
    return number.removeprefix("0") if value < 1 else number


def name_hand(row: int, column: int) -> str:
    """Return what players call a starting hand: 'AA', 'AKs' if suited, 'AKo' if not."""
    ranks = RANKS[::-1]
    name = ranks[min(row, column)] + ranks[max(row, column)]
    return name + ("" if row == column else "s" if column > row else "o")


WIDTH, FIRST_ROUND, ROUND_DISTANCE, LEGEND_ROOM = 7.6, 0.42, 1.3, 0.72
"""In inches: the width of the figure, the distance from the top to the first round, that from round to round, and the
room for the legend."""
TITLE_ROOM, BOTTOM_ROOM = 0.3, 0.05
NAME_WIDTH = 0.75  # inches for the names of the rounds
MOST_RADIUS, CIRCLE_SHARE = 0.35, 0.44
"""The largest radius of a circle in inches, and the share of a bucket's width that the radius may be."""
MOST_NUMBERED = 8  # the circles of more buckets are too small for numbers
MOST_LINE_WIDTH = 10.0  # the width in points of the line of a certain move
LEAST_PROBABILITY = 0.005  # less probable moves are left out
LEGEND_PROBABILITIES = (0.05, 0.25, 0.5, 1.0)


def plot_buckets(buckets: Buckets, title: str = "") -> Figure:
    """Return a figure with the buckets of each round, and with the probabilities of moves from one to another.

    A circle has the least and the largest win probability of its bucket, and the share of hands that are in it. Buckets
    are ordered from weak to strong.

    Parameters
    ----------
    buckets : Buckets
        The buckets, which `make_buckets` returns.
    title : str
        The title; by default it says how to read the picture.
    """
    check_kind("buckets", buckets, Buckets, "what make_buckets() returns")
    check_kind("title", title, str, "a text")
    height = compute_row_height(len(STREETS) - 1) + MOST_RADIUS + BOTTOM_ROOM
    bucket_figure, axes = figure(WIDTH, TITLE_ROOM + height + LEGEND_ROOM)
    axes.grid(False)
    axes.spines[:].set_visible(False)
    # The axes are in inches, so that circles are round and their numbers fit.
    axes.set(xlim=(0, WIDTH), ylim=(height, 0), aspect="equal")
    axes.set_xticks([])
    axes.set_yticks([])
    for round_, across in enumerate(places := compute_circle_positions(buckets)):
        axes.text(0, compute_row_height(round_), STREETS[round_], va="center", fontsize=TEXT_SIZE)
        if round_ < len(buckets.transitions):
            draw_moves(axes, buckets.transitions[round_], across, places[round_ + 1], round_)
        draw_bucket_round(axes, buckets, round_, across)
    draw_legend(axes, has_numbers=max(buckets.counts) <= MOST_NUMBERED)
    reading_hint = "The likelier the move to a bucket of the next round, the thicker its line"
    axes.set_title(title or reading_hint, loc="left")
    return bucket_figure


def compute_circle_positions(buckets: Buckets) -> list[Floats]:
    """Return the positions of the circles of each round, in inches from the left."""
    room = WIDTH - NAME_WIDTH
    return [NAME_WIDTH + (np.arange(count) + 0.5) * room / count for count in buckets.counts]


def compute_row_height(round_: int) -> float:
    """Return the position of a round, in inches from the top."""
    return FIRST_ROUND + ROUND_DISTANCE * round_


def draw_moves(axes: Axes, moves: Floats, above: Floats, below: Floats, round_: int) -> None:
    """Draw the lines from a round's buckets to those of the next round, the most probable in front."""
    pairs = sorted(
        np.argwhere(moves >= LEAST_PROBABILITY).tolist(), key=lambda pair: float(moves[*pair])
    )
    probabilities = np.array([moves[*pair] for pair in pairs])
    first = compute_row_height(round_)
    last = compute_row_height(round_ + 1)
    ends = [[(above[one], first), (below[other], last)] for one, other in pairs]
    lines = LineCollection(
        ends,
        linewidths=MOST_LINE_WIDTH * probabilities,
        colors=[choose_gray(p) for p in probabilities],
    )
    lines.set(capstyle="butt", zorder=1, gid=f"moves {round_}")
    axes.add_collection(lines)


def choose_gray(probability: float) -> str:
    """Return the gray of a line, paler for a smaller probability, so that thin lines do not hide thick ones."""
    return f"{0.78 - 0.6 * probability:.3f}"


def draw_bucket_round(axes: Axes, buckets: Buckets, round_: int, across: Floats) -> None:
    """Draw the circles of a round with their numbers."""
    radius = min(MOST_RADIUS, CIRCLE_SHARE * (WIDTH - NAME_WIDTH) / len(across))
    share = buckets.frequencies[round_]
    for bucket, x in enumerate(across):
        y = compute_row_height(round_)
        look: dict[str, Any] = {"facecolor": PAPER, "edgecolor": INK, "linewidth": 1.3, "zorder": 2}
        axes.add_patch(Ellipse((x, y), 2 * radius, 2 * radius, **look))
        if len(across) <= MOST_NUMBERED:
            low, high = buckets.lowest[round_][bucket], buckets.highest[round_][bucket]
            words = f"{low:.2f} to\n{high:.2f}"
            at: dict[str, Any] = {"ha": "center", "va": "center", "zorder": 3}
            axes.text(x, y - 0.07, words, fontsize=SMALL_SIZE, linespacing=1.0, **at)
            axes.text(x, y + 0.2, f"{100 * share[bucket]:.0f}%", fontsize=SMALL_SIZE - 1, **at)


def draw_legend(axes: Axes, *, has_numbers: bool) -> None:
    """Draw the legend of the widths of lines, which also explains the numbers in circles if there are any."""
    look: Any = {"solid_capstyle": "butt"}
    handles = [
        Line2D([], [], linewidth=MOST_LINE_WIDTH * p, color=choose_gray(p), **look)
        for p in LEGEND_PROBABILITIES
    ]
    numbers = "In a circle: win probability, from the least to the largest; share of all hands. "
    axes.legend(
        handles, [f"{p:g}" for p in LEGEND_PROBABILITIES],
        title=f"{numbers * has_numbers}Weak buckets stand on the left.\nLines: probability of the move.",
        loc="upper left", bbox_to_anchor=(0, 0), ncols=len(LEGEND_PROBABILITIES), frameon=False, fontsize=SMALL_SIZE,
        title_fontsize=SMALL_SIZE, alignment="left", handlelength=3.5, borderpad=0,
    )  # fmt: skip
