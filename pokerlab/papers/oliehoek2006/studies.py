"""What Oliehoek et al. (2006) leave open or out, tried: choices, the naive memory, where the time goes."""

import time
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any, NamedTuple

from pokerlab import solvers
from pokerlab.games import compound
from pokerlab.papers.oliehoek2006.experiment import (
    GAMES,
    PROGRAMS,
    STARTS,
    UNREACHED,
    Config,
    nash_memory,
    solver,
    start_of,
)
from pokerlab.runs import History, sweep
from pokerlab.solvers import MemoryState, NashMemory, ParallelNashMemory

MEASURED = (149, 150)
"""Rounds after which a 6-card memory is measured: with the paper's 150 strategies, and one round later."""
OPEN: dict[str, tuple[tuple[str, ...], int]] = {
    "8-card poker": (PROGRAMS, 200),
    "6-card poker, ranks": (("simplex",), 30),
    "6-card poker, paired": (("simplex",), 30),
}
"""The programs by game, and how many random starts, with seeds from 0. With six cards programs do not differ."""


def open_configs() -> list[Config]:
    """Return every choice that the paper leaves open: rule for unreached sets, program, start."""
    others = [start for start in STARTS if start != "random"]
    return [
        Config(game=game, unreached=rule, program=program, start=start, seed=seed)
        for game, (programs, seeds) in OPEN.items()
        for rule, program in product(UNREACHED, programs)
        for start, seed in [*product(others, [0]), *product(["random"], range(seeds))]
    ]


def open_choices(configs: Iterable[Config] | None = None, *, workers: int = 1) -> History:
    """Return what a memory measures under each of the open choices, two rows each, in some minutes.

    A memory that has converged before `MEASURED` has the same two rows.
    """
    chosen = open_configs() if configs is None else list(configs)
    return sweep(partial(nash_memory.rows, at=MEASURED), chosen, workers=workers)


def parallel_and_naive(setting: Mapping[str, Any]) -> dict[str, int]:
    """Return the rounds that the parallel and the naive memory need from one random start.

    The naive symmetrization of section 4.1 is the symmetric memory on compound strategies; the paper has no
    experiment on it.

    Parameters
    ----------
    setting : mapping
        The 'game', one of `GAMES`, and the 'seed' of the start, which both memories share.
    """
    rules = GAMES[setting["game"]]()
    pair = compound(rules)
    start = start_of(rules, Config(start="random", seed=setting["seed"]))
    memories: dict[str, Any] = {
        "parallel": ParallelNashMemory(rules, start=start),
        "naive": NashMemory(pair, start=pair.strategy(start)),
    }
    ends = {name: memory.step(memory.init(), 1000) for name, memory in memories.items()}
    return {name: end.iteration for name, end in ends.items()}


class TimeSpent(NamedTuple):
    """Where the time of a memory went, in seconds.

    Attributes
    ----------
    best_responses : float
        Search, and what the tests win.
    payoffs : float
        Playing new strategies against all.
    linear_programs : float
        New mixes.
    sequence_form : float
        Solving the whole game's sequence form, for comparison.
    state : MemoryState
        Where the memory stood.
    """

    best_responses: float
    payoffs: float
    linear_programs: float
    sequence_form: float
    state: MemoryState


def time_spent(config: Config, *, trials: int = 3) -> TimeSpent:
    """Return where the time of one memory goes, each part's least of some `trials`.

    The paper's section 8 says: not into linear programs.
    """
    timed = [timed_once(config) for _ in range(max(trials, 1))]
    search, play, program, whole = (min(part) for part in zip(*(t[:4] for t in timed), strict=True))
    return TimeSpent(search, play, program, whole, timed[0].state)


def timed_once(config: Config) -> TimeSpent:
    """Return where the time of one memory goes, measured once."""
    memory = solver(config)
    memory.step(memory.init(), 2)  # loads libraries and compiles kernels
    state = memory.init()
    search = play = program = 0.0
    while state.iteration < config.iterations and not state.converged:
        begin = time.perf_counter()
        tests = memory.tests(state)
        won = memory.won(state, tests) > memory.least_gain
        searched = time.perf_counter()
        if not won:
            search += searched - begin
            state = replace(state, iteration=state.iteration + 1)
            continue
        enlarged = memory.enlarged(state, tests)
        played = time.perf_counter()
        state = memory.solved(enlarged)
        solved = time.perf_counter()
        search += searched - begin
        play += played - searched
        program += solved - played
    begin = time.perf_counter()
    solvers.SequenceFormLP(memory.game).solve()
    return TimeSpent(search, play, program, time.perf_counter() - begin, state)
