"""The bucket of real cards, on any street."""

from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.holdem.bucketed.buckets import Buckets
from pokerlab.holdem.bucketed.expectations import BOARD_CARDS
from pokerlab.holdem.equity import win_probability


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
    >>> from pokerlab.holdem.cards import parse_cards
    >>> buckets, hole = make_buckets(6), parse_cards("As 5s")
    >>> board = parse_cards("Kh 8d 4s 3s 2h")
    >>> [int(bucket_of(buckets, hole, board[:k])) for k in (0, 3, 4, 5)]
    [4, 2, 3, 5]
    """
    values = win_probability(hole, board)
    return buckets.bucket(BOARD_CARDS.index(np.shape(board)[-1]), values)
