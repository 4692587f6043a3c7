"""The exact win probability inside kernels, for players at a table: one hand, one board at a time.

The numbers are those of `pokerlab.holdem.equity.equity`; here the cards are not checked.
"""

from typing import NamedTuple

import numpy as np

from pokerlab.core.kernel import kernel
from pokerlab.holdem.cards.cards import NUM_SUITS, Cards, holding
from pokerlab.holdem.cards.suit_layout import Layout, fill_classes
from pokerlab.holdem.cards.suits import hand_classes
from pokerlab.holdem.equity.equity import NUM_COMPARISONS
from pokerlab.holdem.equity.river import TIES, WINS, Counts, river_counts, river_table
from pokerlab.holdem.equity.street_sums import WIDE_TIES, WideCounts
from pokerlab.holdem.equity.tables import equity_table

ON_FLOP, ON_TURN, ON_RIVER = 3, 4, 5
WIDE_WINS = 2**WIDE_TIES - 1
COMPARISONS_ON = np.array([NUM_COMPARISONS.get(cards, 0) for cards in range(ON_RIVER + 1)])
"""How many comparisons there are, by the number of cards on the board."""


class EquityTables(NamedTuple):
    """What `win_probability_on` looks cards up in; made by `lookup_tables`.

    Attributes
    ----------
    before_flop : ndarray of uint64, shape (1, 1326)
    flop : ndarray of uint64, shape (1755, 1326)
    turn : ndarray of uint32, shape (16432, 1326)
    river : ndarray of uint32
        The counts of wins and ties, as in `pokerlab.holdem.equity.equity`.
    flops, turns : Layout
        Where canonical boards stand.
    """

    before_flop: WideCounts
    flop: WideCounts
    turn: Counts
    river: Counts
    flops: Layout
    turns: Layout


def lookup_tables() -> EquityTables:
    """Return the tables of all streets; on first use they are made, in seconds, and kept."""
    return EquityTables(
        equity_table(0),
        equity_table(ON_FLOP),
        equity_table(ON_TURN),
        river_table(),
        hand_classes(ON_FLOP).layout,
        hand_classes(ON_TURN).layout,
    )


@kernel
def win_probability_on(tables: EquityTables, hole: Cards, board: Cards, tie: float) -> float:
    """Return the probability to win against one random hand, without checking the cards.

    Parameters
    ----------
    tables : EquityTables
        From `lookup_tables`.
    hole : ndarray of integers, shape (2,)
    board : ndarray of integers, shape (k,), k in 0, 3, 4, 5
    tie : float
        What a tie counts: 0.5 for half a win, 1.0 for a win, 0.0 for nothing.
    """
    first, second = np.int64(hole[0]), np.int64(hole[1])
    if board.size == ON_RIVER:
        pair = river_counts(tables.river, board, first, second)
        wins, ties = np.int64(pair & WINS), np.int64(pair >> TIES)
    elif board.size == 0:
        wide = tables.before_flop[0, holding(first, second)]
        wins, ties = np.int64(wide & WIDE_WINS), np.int64(wide >> WIDE_TIES)
    else:
        classes, names = np.empty(1, np.int64), np.empty((1, NUM_SUITS), np.uint8)
        layout = tables.flops if board.size == ON_FLOP else tables.turns
        one_board = np.empty((1, board.size), np.uint8)
        for shown in range(board.size):  # assigning the array itself compiles for seconds
            one_board[0, shown] = board[shown]
        fill_classes(layout, one_board, classes, names)
        first = first // NUM_SUITS * NUM_SUITS + names[0, first % NUM_SUITS]
        second = second // NUM_SUITS * NUM_SUITS + names[0, second % NUM_SUITS]
        place = holding(first, second)
        if board.size == ON_FLOP:
            wide = tables.flop[classes[0], place]
            wins, ties = np.int64(wide & WIDE_WINS), np.int64(wide >> WIDE_TIES)
        else:
            pair = tables.turn[classes[0], place]
            wins, ties = np.int64(pair & WINS), np.int64(pair >> TIES)
    return float((wins + tie * ties) / COMPARISONS_ON[board.size])
