"""The 169 starting hands as a table of shades and numbers: pairs, suited above them, offsuit below."""

import numpy as np
from matplotlib.figure import Figure
from matplotlib.ticker import NullLocator
from numpy.typing import ArrayLike

from pokerlab.core import ShapeError
from pokerlab.holdem.cards.deck import NUM_RANKS, NUM_SUITS, RANKS, Cards
from pokerlab.workbench.pictures.shaded_table import DARK, SHADES
from pokerlab.workbench.style import INK, PAPER, TITLE_SIZE, figure

SIZE = (7.8, 5.4)
NAME_SIZE, NUMBER_SIZE = 6.0, 7.5
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
    >>> from pokerlab.holdem import card_text
    >>> hands = starting_hands()
    >>> card_text(hands[0, 0]), card_text(hands[0, 1]), card_text(hands[1, 0])
    ('Ac Ad', 'Ac Kc', 'Ac Kd')
    """
    hands = np.empty((NUM_RANKS, NUM_RANKS, 2), np.uint8)
    for row in range(NUM_RANKS):
        for column in range(NUM_RANKS):
            high, low = NUM_RANKS - 1 - min(row, column), NUM_RANKS - 1 - max(row, column)
            suit = CLUBS if column > row else DIAMONDS
            hands[row, column] = NUM_SUITS * high + CLUBS, NUM_SUITS * low + suit
    return hands


def plot_starting_hands(values: ArrayLike, title: str = "", *, digits: int = 3) -> Figure:
    """Return a figure with a number for each starting hand, the darker the larger.

    Parameters
    ----------
    values : array_like of shape (13, 13)
        In the order of `starting_hands`.
    title : str
        What the picture shows.
    digits : int
        Decimals of the numbers.

    Returns
    -------
    Figure
        For `show`.

    Raises
    ------
    ShapeError
        If the values are not 13 by 13.
    """
    table = np.asarray(values, dtype=np.float64)
    if table.shape != (NUM_RANKS, NUM_RANKS):
        raise ShapeError(f"values have shape {table.shape}; starting hands are (13, 13).")
    low, high = float(np.nanmin(table)), float(np.nanmax(table))
    made, axes = figure(*SIZE)
    axes.grid(False)
    axes.pcolormesh(table, cmap=SHADES, vmin=low, vmax=high, edgecolors=PAPER, linewidth=1.2)
    for row in range(NUM_RANKS):
        for column in range(NUM_RANKS):
            value = float(table[row, column])
            ink = PAPER if value - low > DARK * (high - low) else INK
            at = {"ha": "center", "va": "center", "color": ink}
            axes.text(column + 0.5, row + 0.28, name_of(row, column), fontsize=NAME_SIZE, **at)
            number = f"{value:.{digits}f}".removeprefix("0") if value < 1 else f"{value:.{digits}f}"
            axes.text(column + 0.5, row + 0.66, number, fontsize=NUMBER_SIZE, **at)
    axes.invert_yaxis()
    axes.xaxis.set_major_locator(NullLocator())
    axes.yaxis.set_major_locator(NullLocator())
    axes.spines[["left", "bottom"]].set_visible(False)
    axes.set_title(title, loc="left", fontsize=TITLE_SIZE)
    return made


def name_of(row: int, column: int) -> str:
    """Return what players call a starting hand: 'AA', 'AKs' if suited, 'AKo' if not."""
    ranks = RANKS[::-1]
    name = ranks[min(row, column)] + ranks[max(row, column)]
    return name + ("" if row == column else "s" if column > row else "o")
