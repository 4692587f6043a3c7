"""Linear algebra takes one thread as long as anybody asks for it, and as many as before afterward."""

from concurrent.futures import ThreadPoolExecutor

import numpy as np
import pytest

from pokerlab.evolution import CMAES
from pokerlab.evolution.pycma_adaptation import THREAD_POOLS, limit_to_one_thread

WORKERS, TIMES = 4, 200


def threads():
    return {lib["num_threads"] for lib in THREAD_POOLS.info() if lib["user_api"] == "blas"}


def test_on_one_thread_limits_a_function():
    before = threads()
    assert limit_to_one_thread()(threads)() == {1}
    assert threads() == before


def test_on_one_thread_after_error_lifts_the_limit():
    before = threads()
    with pytest.raises(KeyError), limit_to_one_thread():
        raise KeyError
    assert threads() == before


def test_on_one_thread_holds_for_all_workers():
    before = threads()

    @limit_to_one_thread()
    def seen():
        return threads()

    def work(worker):
        return [seen() for _ in range(TIMES)]

    with ThreadPoolExecutor(WORKERS) as workers:
        met = [each for many in workers.map(work, range(WORKERS)) for each in many]
    assert met == [{1}] * (WORKERS * TIMES)
    assert threads() == before


def test_parallel_evolutions_equal_serial_ones():
    """With genes enough for linear algebra to take several threads, where it may."""
    strategy = CMAES(population=8)

    def evolved(seed):
        state = strategy.init(np.linspace(-1.0, 2.0, 60), seed=seed)
        for _ in range(60):
            offspring = strategy.ask(state)
            state = strategy.tell(state, offspring, -(offspring**2).sum(axis=1))
        return state.mean

    alone = [evolved(seed) for seed in range(WORKERS)]
    with ThreadPoolExecutor(WORKERS) as workers:
        together = list(workers.map(evolved, range(WORKERS)))
    np.testing.assert_array_equal(together, alone)
