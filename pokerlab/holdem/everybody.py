"""The win probability of all 1,326 holdings on a board at once."""

from math import prod

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokerlab.core.kernel import inlined, kernel
from pokerlab.holdem.cards import NUM_CARDS, NUM_RANKS, NUM_SUITS, Cards, check_cards
from pokerlab.holdem.equity import NUM_COMPARISONS, check_size, placed, ties_won
from pokerlab.holdem.equity_tables import KINDS, Table, equity_table
from pokerlab.holdem.holdings import NUM_HOLDINGS, holding
from pokerlab.holdem.river_classes import (
    NUM_TYPES,
    TIES,
    WINS,
    Counts,
    flush_suit,
    num_types,
    type_of,
)
from pokerlab.holdem.river_table import river_row, river_table

Values = NDArray[np.float64]


def everybody(board: ArrayLike, ties: str = "half") -> Values:
    """Return the win probability of every holding on a board, against one random hand.

    Parameters
    ----------
    board : array_like of integers, shape (k,) or (..., k), k in 0, 3, 4, 5
        The board.
    ties : {'half', 'win', 'lose'}
        What a tie counts.

    Returns
    -------
    ndarray of float64, shape (1326,) or (..., 1326)
        In the order of `HOLDINGS`; NaN where a holding shares a card with the board.

    Raises
    ------
    CardError, UnknownNameError
        As `win_probability`.

    Examples
    --------
    >>> import numpy as np
    >>> from pokerlab.holdem import HOLDINGS, card_text, parse_cards
    >>> values = everybody(parse_cards("Ts Js Qs 2h 2d"))
    >>> card_text(HOLDINGS[np.nanargmax(values)]), round(float(np.nanmean(values)), 12)
    ('Ks 9s', 0.5)
    """
    tie_won = ties_won(ties)
    cards = check_cards(board)
    check_size(cards)
    shape, num_board = cards.shape[:-1], cards.shape[-1]
    boards = cards.reshape(prod(shape), num_board)
    values = np.empty((len(boards), NUM_HOLDINGS))
    if num_board == 5:
        fill_rivers(river_table(), boards, tie_won, values)
    else:
        classes, renamings = placed(boards)
        table, bit = equity_table(num_board), KINDS[num_board].ties
        all_comparisons = NUM_COMPARISONS[num_board]
        fill_before(table, bit, all_comparisons, boards, classes, renamings, tie_won, values)
    return values.reshape(*shape, NUM_HOLDINGS)


@kernel
def fill_rivers(table: Counts, boards: Cards, tie_won: float, out_values: Values) -> None:
    """Write the value of each holding on each board of five."""
    square = np.empty((NUM_TYPES, NUM_TYPES))
    for row in range(boards.shape[0]):
        board = boards[row]
        suit = flush_suit(board)
        counts, kind = table[river_row(board, suit)], 0
        for one in range(num_types(suit)):
            for two in range(one + 1):
                value = ((counts[kind] & WINS) + tie_won * (counts[kind] >> TIES)) / 990
                square[one, two] = square[two, one] = value
                kind += 1
        first = 0
        for high in range(NUM_CARDS):
            of_high = square[type_of(high, suit)]
            for low in range(high):
                out_values[row, first + low] = of_high[low // NUM_SUITS]
            if suit >= 0:
                for low in range(suit, high, NUM_SUITS):
                    out_values[row, first + low] = of_high[NUM_RANKS + low // NUM_SUITS]
            first += high
        blank(board, out_values[row])


@kernel
def fill_before(
    table: Table,
    ties: int,
    num_comparisons: int,
    boards: Cards,
    classes: NDArray[np.int64],
    renamings: NDArray[np.uint8],
    tie_won: float,
    out_values: Values,
) -> None:
    """Write the value of each holding on each board, looked up on the canonical board like it."""
    renamed = np.empty(NUM_CARDS, np.int64)
    wins = np.uint64((1 << ties) - 1)
    for row in range(boards.shape[0]):
        counts = table[classes[row]]
        for card in range(NUM_CARDS):
            renamed[card] = card // NUM_SUITS * NUM_SUITS + renamings[row, card % NUM_SUITS]
        number = 0
        for high in range(NUM_CARDS):
            for low in range(high):
                pair = np.uint64(counts[holding(renamed[high], renamed[low])])
                won = np.int64(pair & wins) + tie_won * np.int64(pair >> np.uint64(ties))
                out_values[row, number] = won / num_comparisons
                number += 1
        blank(boards[row], out_values[row])


@inlined
def blank(board: Cards, out_values: Values) -> None:
    """Write NaN for the holdings that share a card with the board."""
    for place in range(board.size):
        card = np.int64(board[place])
        for other in range(NUM_CARDS):
            if other != card:
                out_values[holding(card, other)] = np.nan
