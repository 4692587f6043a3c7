"""The bucket of real cards, on any street: many at once, or one by one inside a kernel."""

from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core.arrays import Floats
from pokerlab.core.kernel import kernel
from pokerlab.holdem.bucketed.buckets import Buckets
from pokerlab.holdem.cards.cards import Cards
from pokerlab.holdem.cards.streets import BOARD_SIZES
from pokerlab.holdem.equity.equity import win_probability
from pokerlab.holdem.equity.lookup import EquityTables, lookup_tables, win_probability_on


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
    return buckets.bucket(BOARD_SIZES.index(np.shape(board)[-1]), values)


class CardTables(NamedTuple):
    """What `bucket_on` looks cards up in; made by `card_tables`.

    Attributes
    ----------
    equity : EquityTables
        The win probabilities.
    bounds : ndarray of float64, shape (4, most buckets)
        Bounds of the buckets on each street, then infinity.
    """

    equity: EquityTables
    bounds: Floats


def card_tables(buckets: Buckets) -> CardTables:
    """Return what `bucket_on` looks up the buckets of cards in."""
    bounds = np.full((len(BOARD_SIZES), max(buckets.counts)), np.inf)
    for street, of_street in enumerate(buckets.bounds):
        bounds[street, : len(of_street)] = of_street
    return CardTables(lookup_tables(), bounds)


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
    street = max(board.size - 2, 0)
    value = win_probability_on(tables.equity, hole, board, 0.5)
    bucket = 0
    while bucket < tables.bounds.shape[1] and tables.bounds[street, bucket] <= value:
        bucket += 1
    return bucket
