"""Oliehoek et al. (2006) from many random starts, which the paper does not name; parallel against naive.

The naive symmetrization of section 4.1 is the symmetric memory on compound strategies; the paper has no
experiment on it.
"""

from collections.abc import Iterable, Mapping
from dataclasses import replace
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pokerlab.games import compound
from pokerlab.papers.oliehoek2006.experiment import GAMES, Config, solver, start_of
from pokerlab.runs import sweep
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

    Raises
    ------
    SettingError
        If there are no seeds.
    """
    table = sweep(rounds_of, {"game": [game], "most": [most]}, seeds=seeds, progress=False)
    return np.column_stack([table["parallel"], table["naive"]]).astype(np.int64)


def rounds_of(setting: Mapping[str, Any]) -> dict[str, int]:
    """Return the rounds of both memories from one start, or -1, by name."""
    rules = GAMES[setting["game"]]()
    pair = compound(rules)
    start = start_of(rules, Config(start="random", seed=setting["seed"]))
    memories: dict[str, Any] = {
        "parallel": ParallelNashMemory(rules, start=start),
        "naive": NashMemory(pair, start=pair.strategy(start)),
    }
    ends = {name: memory.step(memory.init(), setting["most"]) for name, memory in memories.items()}
    return {name: end.iteration if end.converged else -1 for name, end in ends.items()}
