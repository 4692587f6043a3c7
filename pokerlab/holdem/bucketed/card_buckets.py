"""The bucket of real cards, on any street: many at once, or one by one inside a kernel."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokerlab.core.arrays import Floats
from pokerlab.core.kernel import kernel
from pokerlab.holdem.bucketed.buckets import Buckets
from pokerlab.holdem.bucketed.expectations import BOARD_CARDS, RIVER
from pokerlab.holdem.cards.cards import NUM_SUITS, Cards, holding
from pokerlab.holdem.cards.suit_layout import Layout, fill_classes
from pokerlab.holdem.cards.suits import hand_classes
from pokerlab.holdem.equity.equity import NUM_COMPARISONS, win_probability
from pokerlab.holdem.equity.river import TIES, WINS, Counts, river_counts, river_table
from pokerlab.holdem.equity.street_sums import WIDE_TIES, WideCounts
from pokerlab.holdem.equity.tables import equity_table

ON_FLOP, ON_TURN, ON_RIVER = BOARD_CARDS[1:]
WIDE_WINS = 2**WIDE_TIES - 1


def bucket_of(buckets: Buckets, hole: ArrayLike, board: ArrayLike) -> Any:
    """Return the bucket that hole cards fall into on a board, by their exact win probability.

    Parameters
    ----------
    buckets : Buckets
        Their bounds are used, however they were found.
    hole : array_like of integers, shape (2,) or (..., 2)
        Hole cards.
    board : array_like of integers, shape (k,) or (..., k), k in 0, 3, 4, 5
        The board; other axes are broadcast against those of `hole`.

    Returns
    -------
    int or ndarray of int64, shape (...,)

    Raises
    ------
    CardError
        If the cards are not two and a board of 0, 3, 4 or 5 from one deck.

    Examples
    --------
    >>> from pokerlab.holdem.bucketed.made_buckets import make_buckets
    >>> from pokerlab.holdem.cards.cards import parse_cards
    >>> buckets, hole = make_buckets(6), parse_cards("As 5s")
    >>> board = parse_cards("Kh 8d 4s 3s 2h")
    >>> [int(bucket_of(buckets, hole, board[:k])) for k in (0, 3, 4, 5)]
    [4, 2, 3, 5]
    """
    values = win_probability(hole, board)
    return buckets.bucket(BOARD_CARDS.index(np.shape(board)[-1]), values)


class CardTables(NamedTuple):
    """What `bucket_on` looks cards up in; made by `card_tables`.

    Attributes
    ----------
    before_flop : ndarray of uint64, shape (1, 1326)
    flop : ndarray of uint64, shape (1755, 1326)
    turn : ndarray of uint32, shape (16432, 1326)
    river : ndarray of uint32
        The counts of wins and ties, as in `pokerlab.holdem.equity.equity`.
    flops, turns : Layout
        Where canonical boards stand.
    bounds : ndarray of float64, shape (4, most buckets)
        Bounds of the buckets on each street, then infinity.
    most : ndarray of int64, shape (4,)
        Twice the comparisons on each street.
    """

    before_flop: WideCounts
    flop: WideCounts
    turn: Counts
    river: Counts
    flops: Layout
    turns: Layout
    bounds: Floats
    most: NDArray[np.int64]


def card_tables(buckets: Buckets) -> CardTables:
    """Return what `bucket_on` looks up the buckets of cards in."""
    bounds = np.full((len(BOARD_CARDS), max(buckets.counts)), np.inf)
    for street, of_street in enumerate(buckets.bounds):
        bounds[street, : len(of_street)] = of_street
    return CardTables(
        equity_table(0),
        equity_table(ON_FLOP),
        equity_table(ON_TURN),
        river_table(),
        hand_classes(ON_FLOP).layout,
        hand_classes(ON_TURN).layout,
        bounds,
        np.array([2 * NUM_COMPARISONS[cards] for cards in BOARD_CARDS]),
    )


@kernel
def bucket_on(tables: CardTables, hole: Cards, board: Cards) -> int:
    """Return the bucket of two hole cards on a board, as `bucket_of`, without checking the cards.

    Parameters
    ----------
    tables : CardTables
        Of the buckets.
    hole : ndarray of uint8, shape (2,)
    board : ndarray of uint8, shape (k,), k in 0, 3, 4, 5
    """
    street, first, second = 0, np.int64(hole[0]), np.int64(hole[1])
    if board.size == ON_RIVER:
        street = RIVER
        pair = river_counts(tables.river, board, first, second)
        halves = np.int64(2 * (pair & WINS) + (pair >> TIES))
    elif board.size == 0:
        wide = tables.before_flop[0, holding(first, second)]
        halves = np.int64(2 * (wide & WIDE_WINS) + (wide >> WIDE_TIES))
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
            street = 1
            wide = tables.flop[classes[0], place]
            halves = np.int64(2 * (wide & WIDE_WINS) + (wide >> WIDE_TIES))
        else:
            street = 2
            pair = tables.turn[classes[0], place]
            halves = np.int64(2 * (pair & WINS) + (pair >> TIES))
    value = halves / tables.most[street]
    bucket = 0
    while bucket < tables.bounds.shape[1] and tables.bounds[street, bucket] <= value:
        bucket += 1
    return bucket
