"""Pools of strategies that grow round by round, without copying the strategies that they have.

A pool is an array with a strategy in each row. Memories never change a pool, because earlier states still contain it: a
larger pool is a new array. But both arrays can share their rows. So a pool is a view of the first rows of a
`PoolBuffer`, an array with more rows than the pool. A strategy is added by writing it to the first free row of the
buffer, which belongs to no pool yet. The pool is copied only if another pool has already taken this row, or if no row
is free. Then the number of rows is doubled, so adding a strategy takes a time proportional to its length, and not to
the size of the pool.
"""

from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import kernel
from pokerlab.games.symmetric import Strategies

LEAST_ROWS = 16
"""The number of rows of the smallest buffer."""
RESERVATION_LOCK = Lock()
"""The lock that is held while free rows are given to a pool, because two threads may extend the same pool."""


class PoolBuffer(np.ndarray[Any, Any]):
    """An array with room for the strategies of growing pools, one in each row.

    Attributes
    ----------
    num_used : int
        The number of rows that belong to pools. They come first; all later rows are free.
    """

    num_used: int


def append_strategies(pool: Strategies, strategies: Strategies) -> Strategies:
    """Return a larger pool: the strategies of a pool, followed by some more.

    Parameters
    ----------
    pool : array of shape (K, d)
        The K strategies of the present pool, which are vectors of d numbers. The array is not changed.
    strategies : array of shape (m, d)
        The m strategies to add. They get the data type of the pool.

    Returns
    -------
    array of shape (K + m, d)
        The larger pool, whose rows may be shared with `pool`.
    """
    num_strategies = len(pool) + len(strategies)
    buffer = reserve_rows(pool, num_strategies)
    buffer[len(pool) : num_strategies] = strategies
    # A plain array, whose `base` is the buffer, so that `reserve_rows` finds the buffer again.
    return np.ndarray((num_strategies, pool.shape[1]), pool.dtype, buffer=buffer.data)


def reserve_rows(pool: Strategies, num_strategies: int) -> PoolBuffer:
    """Return a buffer that begins with the strategies of a pool, and whose next rows may be written for a larger pool.

    Parameters
    ----------
    pool : array of shape (K, d)
        The K strategies of the pool, which are vectors of d numbers. The array is not changed.
    num_strategies : int
        The number of strategies of the larger pool, which is at least K.

    Returns
    -------
    PoolBuffer
        An array with at least `num_strategies` rows. The rows from K to `num_strategies` - 1 belong to no other pool.
    """
    # A pool that `append_strategies` made is a view of its buffer. The free rows can be used unless another pool,
    # which began with the same strategies, has already taken them.
    buffer = pool.base
    if isinstance(buffer, PoolBuffer) and num_strategies <= len(buffer):
        with RESERVATION_LOCK:
            if buffer.num_used == len(pool):
                buffer.num_used = num_strategies
                return buffer

    # Otherwise copy the pool into a buffer with twice as many rows as are needed.
    num_rows = max(2 * num_strategies, LEAST_ROWS)
    larger_buffer = PoolBuffer((num_rows, pool.shape[1]), pool.dtype)
    larger_buffer.num_used = num_strategies
    larger_buffer[: len(pool)] = pool
    return larger_buffer


@kernel
def contains_strategy(pool: NDArray[Any], strategy: NDArray[Any]) -> bool:
    """Return whether a pool contains a strategy.

    Parameters
    ----------
    pool : array of shape (K, d)
        K strategies, which are vectors of d numbers.
    strategy : array of shape (d,)
        The strategy to look for.

    Returns
    -------
    bool
        Whether a row of the pool has exactly the same numbers.
    """
    # Most rows differ early, and the loop stops at the first difference. A comparison of whole arrays would not.
    for stored_strategy in pool:
        for index in range(len(strategy)):
            if stored_strategy[index] != strategy[index]:
                break
        else:  # no number differs
            return True
    return False
