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


def starting_hands() -> Cards:
    """Return one example of each of the 169 starting hands.

    Returns
    -------
    ndarray of uint8, shape (13, 13, 2)
        Ranks run from ace to two along both axes. Pairs on the diagonal, cards of one suit above
        it, of two suits below.

    Examples
    --------
    >>> from pokerlab.holdem import format_cards
    >>> hands = starting_hands()
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
        In the order of `starting_hands`.
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


WIDTH, FIRST, NEXT, BELOW = 7.6, 0.42, 1.3, 0.72
"""Inches: of the figure, from the top to the first round, from round to round, and below the last."""
TITLE_ROOM, RIM = 0.3, 0.05
ROUNDS_AT = 0.75  # inches on the left for the rounds' names
LARGEST, ROOM = 0.35, 0.44
"""Most inches of a circle's radius, and the part of a bucket's place that it may take."""
MOST_WRITTEN = 8  # more buckets than these have circles too small for numbers
WIDEST = 10.0  # points of a line that is certain to be taken
LEAST = 0.005  # less likely moves are left out
SCALE = (0.05, 0.25, 0.5, 1.0)


def plot_buckets(buckets: Buckets, title: str = "") -> Figure:
    """Draw the buckets of each round and how likely a hand moves from one to another.

    A circle holds the least and the largest win probability of its bucket, and the share of hands
    that are in it; buckets stand from weak to strong.

    Parameters
    ----------
    buckets : Buckets
        What `make_buckets` has made.
    title : str
        What the picture shows; if not given, how to read it.
    """
    check_kind("buckets", buckets, Buckets, "what make_buckets() returns")
    check_kind("title", title, str, "a text")
    height = place_row(len(STREETS) - 1) + LARGEST + RIM
    made, axes = figure(WIDTH, TITLE_ROOM + height + BELOW)
    axes.grid(False)
    axes.spines[:].set_visible(False)
    # The axes are in inches, so that circles are round and their numbers fit.
    axes.set(xlim=(0, WIDTH), ylim=(height, 0), aspect="equal")
    axes.set_xticks([])
    axes.set_yticks([])
    for round_, across in enumerate(places := place_circles(buckets)):
        axes.text(0, place_row(round_), STREETS[round_], va="center", fontsize=TEXT_SIZE)
        if round_ < len(buckets.transitions):
            draw_moves(axes, buckets.transitions[round_], across, places[round_ + 1], round_)
        draw_bucket_round(axes, buckets, round_, across)
    draw_scale(axes, is_written=max(buckets.counts) <= MOST_WRITTEN)
    told = "The likelier the move to a bucket of the next round, the thicker its line"
    axes.set_title(title or told, loc="left")
    return made


def place_circles(buckets: Buckets) -> list[Floats]:
    """Return where the circles of each round stand, in inches from the left."""
    room = WIDTH - ROUNDS_AT
    return [ROUNDS_AT + (np.arange(count) + 0.5) * room / count for count in buckets.counts]


def place_row(round_: int) -> float:
    """Return where a round stands, in inches from above."""
    return FIRST + NEXT * round_


def draw_moves(axes: Axes, moves: Floats, above: Floats, below: Floats, round_: int) -> None:
    """Draw the lines from a round's buckets to the next round's, the likeliest in front."""
    pairs = sorted(np.argwhere(moves >= LEAST).tolist(), key=lambda pair: float(moves[*pair]))
    likely = np.array([moves[*pair] for pair in pairs])
    first = place_row(round_)
    last = place_row(round_ + 1)
    ends = [[(above[one], first), (below[other], last)] for one, other in pairs]
    lines = LineCollection(
        ends, linewidths=WIDEST * likely, colors=[choose_gray(p) for p in likely]
    )
    lines.set(capstyle="butt", zorder=1, gid=f"moves {round_}")
    axes.add_collection(lines)


def choose_gray(probability: float) -> str:
    """Return a line's gray: the less likely, the paler, so that thin lines do not hide thick ones."""
    return f"{0.78 - 0.6 * probability:.3f}"


def draw_bucket_round(axes: Axes, buckets: Buckets, round_: int, across: Floats) -> None:
    """Draw a round's circles and their numbers."""
    radius = min(LARGEST, ROOM * (WIDTH - ROUNDS_AT) / len(across))
    share = buckets.frequencies[round_]
    for bucket, x in enumerate(across):
        y = place_row(round_)
        look: dict[str, Any] = {"facecolor": PAPER, "edgecolor": INK, "linewidth": 1.3, "zorder": 2}
        axes.add_patch(Ellipse((x, y), 2 * radius, 2 * radius, **look))
        if len(across) <= MOST_WRITTEN:
            low, high = buckets.lowest[round_][bucket], buckets.highest[round_][bucket]
            words = f"{low:.2f} to\n{high:.2f}"
            at: dict[str, Any] = {"ha": "center", "va": "center", "zorder": 3}
            axes.text(x, y - 0.07, words, fontsize=SMALL_SIZE, linespacing=1.0, **at)
            axes.text(x, y + 0.2, f"{100 * share[bucket]:.0f}%", fontsize=SMALL_SIZE - 1, **at)


def draw_scale(axes: Axes, *, is_written: bool) -> None:
    """Say below what the widths mean, and what the numbers are if they are written."""
    look: Any = {"solid_capstyle": "butt"}
    handles = [Line2D([], [], linewidth=WIDEST * p, color=choose_gray(p), **look) for p in SCALE]
    numbers = "In a circle: win probability, from the least to the largest; share of all hands. "
    axes.legend(
        handles, [f"{p:g}" for p in SCALE],
        title=f"{numbers * is_written}Weak buckets stand on the left.\nLines: probability of the move.",
        loc="upper left", bbox_to_anchor=(0, 0), ncols=len(SCALE), frameon=False, fontsize=SMALL_SIZE,
        title_fontsize=SMALL_SIZE, alignment="left", handlelength=3.5, borderpad=0,
    )  # fmt: skip
