"""Oliehoek et al. (2006) from many random starts, which the paper does not name; parallel against naive.

The naive symmetrization of section 4.1 is the symmetric memory on compound strategies; the paper has no
experiment on it.
"""

from collections.abc import Iterable
from dataclasses import replace

import numpy as np
from numpy.typing import NDArray

from pokerlab.games import compound
from pokerlab.papers.oliehoek2006.experiment import GAMES, Config, solver, start_of
from pokerlab.solvers import MemoryState, NashMemory, ParallelNashMemory


def ends_from_random_starts(config: Config, seeds: Iterable[int]) -> list[MemoryState]:
    """Return where the memory of `config` ends from a random start for each of the `seeds`."""
    ends = []
    for seed in seeds:
        memory = solver(replace(config, start="random", seed=seed))
        ends.append(memory.step(memory.init(), config.iterations))
    return ends


def parallel_and_naive_rounds(
    game: str, seeds: Iterable[int], most: int = 1000
) -> NDArray[np.int64]:
    """Return after how many rounds the parallel and the naive memory are at an equilibrium.

    Parameters
    ----------
    game : str
        One of `oliehoek2006.GAMES`.
    seeds : iterable of int
        Both begin with the same strategies, drawn from each seed; both take best responses as tests.
    most : int
        Rounds after which to stop.

    Returns
    -------
    ndarray of int, shape (seeds, 2)
        Rounds of the parallel memory, then of the naive one; -1 where `most` were too few.
    """
    rules = GAMES[game]()
    pair = compound(rules)
    rounds = []
    for seed in seeds:
        start = start_of(rules, Config(start="random", seed=seed))
        parallel = ParallelNashMemory(rules, start=start)
        naive = NashMemory(pair, start=pair.strategy(start))
        one, other = parallel.step(parallel.init(), most), naive.step(naive.init(), most)
        rounds.append([end.iteration if end.converged else -1 for end in (one, other)])
    return np.array(rounds, dtype=np.int64).reshape(-1, 2)
