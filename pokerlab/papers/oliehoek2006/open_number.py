"""What Oliehoek et al. (2006) leave open, tried out: rules, starts, programs and decks, and where time goes."""

import time
from collections.abc import Iterable
from dataclasses import replace
from itertools import product
from typing import NamedTuple

from pokerlab import solvers
from pokerlab.papers.oliehoek2006.experiment import PROGRAMS, UNREACHED, Config, solver
from pokerlab.solvers import MemoryState


class Tried(NamedTuple):
    """How one choice of what the paper leaves open turned out.

    Attributes
    ----------
    config : Config
        The choice.
    state : MemoryState
        Where the memory stood at the end.
    """

    config: Config
    state: MemoryState


def try_all(config: Config, seeds: Iterable[int] = (1,)) -> list[Tried]:
    """Return the end of `config` under every rule for unreached sets, start and program.

    Parameters
    ----------
    config : Config
        Decides game, heuristic and rounds.
    seeds : iterable of int
        A random start is drawn from each; the other starts are tried once, with the first.
    """
    seeds = tuple(seeds)
    starts = [("first action", seeds[0]), ("last action", seeds[0])]
    starts += [("random", seed) for seed in seeds]
    tried = []
    for unreached, program, (start, seed) in product(UNREACHED, PROGRAMS, starts):
        choice = replace(config, unreached=unreached, program=program, start=start, seed=seed)
        memory = solver(choice)
        tried.append(Tried(choice, memory.step(memory.init(), choice.iterations)))
    return tried


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
