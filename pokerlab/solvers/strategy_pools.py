"""Pools of strategies that grow round by round, without copying the strategies that they have.

A pool is an array with a strategy in each row. Memories never change a pool, because earlier states still have it: a
larger pool is a new array. But both arrays can share their rows. So a pool is a view of the first rows of a `Reserve`,
an array with spare rows, and a strategy is added by writing it to the next spare row, which belongs to no pool yet. The
pool is copied only if the row has been given to another pool, or if no spare row is left. Then the number of rows is
doubled, so adding a strategy takes a time proportional to its length, and not to the size of the pool.
"""

from threading import Lock
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import kernel
from pokerlab.games.symmetric import Strategies

LEAST_ROWS = 16
"""The number of rows of the smallest reserve."""
CLAIMING = Lock()
"""The lock that is held while a spare row is given to a pool, because two threads may continue the same pool."""


class Reserve(np.ndarray[Any, Any]):
    """An array of rows, the first `num_used` of which belong to pools."""

    num_used: int


def append_strategies(pool: Strategies, strategies: Strategies) -> Strategies:
    """Return a pool with some strategies more.

    Parameters
    ----------
    pool : array of shape (K, d)
        The present pool, which is not changed.
    strategies : array of shape (m, d)
        The strategies to add. They get the data type of the pool.

    Returns
    -------
    array of shape (K + m, d)
        The larger pool, whose rows may be shared with `pool`.
    """
    size = len(pool) + len(strategies)
    reserve = claim_rows(pool, size)
    reserve[len(pool) : size] = strategies
    # A plain array with the memory of the reserve, which stays its `base`.
    return np.ndarray((size, pool.shape[1]), pool.dtype, buffer=reserve.data)


def claim_rows(pool: Strategies, size: int) -> Reserve:
    """Return a reserve that begins with the rows of a pool, and whose next rows may be written for a larger pool.

    Parameters
    ----------
    pool : array of shape (K, d)
        The pool, which is not changed.
    size : int
        The number of rows of the larger pool, which is at least K.

    Returns
    -------
    Reserve
        An array with at least `size` rows. The rows from K to `size` - 1 belong to no other pool.
    """
    # A pool that `append_strategies` made is a view of its reserve. The spare rows can be used unless another pool,
    # made from the same one, already has them.
    reserve = pool.base
    if isinstance(reserve, Reserve) and size <= len(reserve):
        with CLAIMING:
            if reserve.num_used == len(pool):
                reserve.num_used = size
                return reserve

    # Otherwise copy the pool into a reserve with twice as many rows as are needed.
    num_rows = max(2 * size, LEAST_ROWS)
    larger = Reserve((num_rows, pool.shape[1]), pool.dtype)
    larger.num_used = size
    larger[: len(pool)] = pool
    return larger


@kernel
def contains_strategy(pool: NDArray[Any], strategy: NDArray[Any]) -> bool:
    """Return whether a pool has a strategy.

    Parameters
    ----------
    pool : array of shape (K, d)
        K strategies.
    strategy : array of shape (d,)
        The strategy.
    """
    for stored_strategy in pool:
        for index in range(len(strategy)):
            if stored_strategy[index] != strategy[index]:
                break
        else:
            return True
    return False
