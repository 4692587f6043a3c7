"""Pools that grow share their rows, and no pool changes when another grows."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.solvers.strategy_pools import PoolBuffer, append_strategies, contains_strategy


def test_a_growing_pool_shares_its_rows_until_none_is_left() -> None:
    pool = np.arange(3.0)[None, :]
    buffers = set()
    for k in range(1, 200):
        larger = append_strategies(pool, np.full((1, 3), float(k)))
        larger.setflags(write=False)  # as states do
        assert type(larger) is np.ndarray
        assert isinstance(larger.base, PoolBuffer)
        assert larger.flags.c_contiguous
        assert np.array_equal(larger, np.vstack([pool, np.full((1, 3), float(k))]))
        buffers.add(id(larger.base))
        pool = larger
    assert len(buffers) <= 5  # of 16, 34, 70, 142 rows and so on


def test_pools_that_continue_the_same_pool_do_not_share_new_rows() -> None:
    start = append_strategies(np.zeros((1, 2)), np.ones((1, 2)))
    longer = append_strategies(start, np.full((2, 2), 2.0))
    others = [append_strategies(start, np.full((1, 2), value)) for value in (3.0, 4.0)]
    assert start.tolist() == [[0, 0], [1, 1]]
    assert longer.tolist() == [[0, 0], [1, 1], [2, 2], [2, 2]]
    assert [other[2].tolist() for other in others] == [[3, 3], [4, 4]]
    assert not np.shares_memory(others[0], others[1])


def test_threads_that_continue_the_same_pool_get_different_rows() -> None:
    start = append_strategies(np.zeros((1, 1)), np.zeros((1, 1)))

    def continue_pool(value: int) -> bool:
        pool = start
        for step in range(100):
            pool = append_strategies(pool, np.array([[float(value + step)]]))
        return pool[2:, 0].tolist() == [float(value + step) for step in range(100)]

    with ThreadPoolExecutor(8) as threads:
        assert all(threads.map(continue_pool, range(0, 80_000, 1000)))


def test_new_strategies_get_the_type_of_the_pool() -> None:
    pool = append_strategies(np.zeros((1, 2), np.int64), np.array([[1.0, 2.0]]))
    assert pool.dtype == np.int64
    assert pool.tolist() == [[0, 0], [1, 2]]


@pytest.mark.parametrize("place", [0, 4, 9, None])
def test_contains_strategy_finds_it_at_any_place(place: int | None) -> None:
    pool = np.random.default_rng(1).integers(0, 2, (10, 50)).astype(float)
    strategy = np.append(pool[place or 0][:-1], 5.0) if place is None else pool[place].copy()
    assert contains_strategy(pool, strategy) is (place is not None)
    assert not contains_strategy(pool[:0], strategy)


def test_memories_that_continue_the_same_state_do_not_disturb_each_other() -> None:
    game = pl.games.one_card_poker(8)
    uniform, first = (
        pl.solvers.ParallelNashMemory(game, heuristic=pl.solvers.BestResponse(unreached=rule))
        for rule in ("uniform", "first")
    )
    start = uniform.step(uniform.init(), 2)
    one, other = start, start
    for _ in range(3):
        one, other = uniform.step(one), first.step(other)
    assert not np.array_equal(one.pools[0], other.pools[0])
    for memory, state in ((uniform, one), (first, other)):
        alone = memory.step(uniform.step(uniform.init(), 2), 3)
        for mine, expected in zip(state.pools, alone.pools, strict=True):
            assert mine.tobytes() == expected.tobytes()
