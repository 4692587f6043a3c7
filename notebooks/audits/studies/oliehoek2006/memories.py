"""What Oliehoek et al. (2006) leave open or out, tried: choices, where the time goes, estimates.

A memory whose payoffs are estimated is what section 8 proposes for future work. "Approximate methods could be
used for both solving the POMDP and evaluating the rewards." Approximate replies are search heuristics, such as
`EvolutionarySearch`; here the rewards are approximate: each entry of the memory's matrix is the mean of some
hands that the two strategies play. How safe the mixes then are is still measured exactly.
"""

import dataclasses
import time
from collections.abc import Iterable, Mapping
from dataclasses import replace
from functools import partial
from itertools import product
from typing import Any, NamedTuple

import numpy as np

from pokerlab import games, reference, solvers
from pokerlab.core import random_stream
from pokerlab.core.arrays import Floats
from pokerlab.core.settings import LARGEST_COUNT, checked_integer
from pokerlab.games import Profile, SequenceForm
from pokerlab.games.symmetric import Strategies
from pokerlab.papers.oliehoek2006 import (
    GAMES,
    PROGRAMS,
    STARTS,
    UNREACHED,
    Config,
    make_solver,
    nash_memory,
)
from pokerlab.runs import History, sweep
from pokerlab.solvers import ParallelNashMemory
from pokerlab.solvers.parallel_memories import ParallelMemoryState
from pokerlab.solvers.subgame import compute_reach

RULES = tuple(rule for rule in UNREACHED if rule != "memory")
PURE_STARTS = tuple(start for start in STARTS if start != "uniform")
"""What a memory of pure strategies can have; the text speaks of no other, Figure 3 shows one."""
MEASURED = (149, 150)
"""Rounds after which a 6-card memory is measured: with the paper's 150 strategies, and one round later."""
OPEN: dict[str, tuple[tuple[str, ...], int]] = {
    "8-card poker": (PROGRAMS, 200),
    "6-card poker, ranks": (("simplex",), 30),
    "6-card poker, paired": (("simplex",), 30),
}
"""The programs by game, and how many random starts, with seeds from 0. With six cards programs do not differ."""


def open_configs() -> list[Config]:
    """Return every choice that the text leaves open: rule for unreached sets, program, start."""
    others = [start for start in PURE_STARTS if start != "random"]
    return [
        Config(game=game, unreached=rule, program=program, start=start, seed=seed)
        for game, (programs, seeds) in OPEN.items()
        for rule, program in product(RULES, programs)
        for start, seed in [*product(others, [0]), *product(["random"], range(seeds))]
    ]


def open_choices(configs: Iterable[Config] | None = None, *, workers: int = 1) -> History:
    """Return what a memory measures under each of the open choices, two rows each, in some minutes.

    A memory that has converged before `MEASURED` has the same two rows.
    """
    chosen = open_configs() if configs is None else list(configs)
    return sweep(partial(nash_memory.record_rows, at=MEASURED), chosen, workers=workers)


class TimeSpent(NamedTuple):
    """Where the time of a memory went, in seconds, and where it stood; `sequence_form` solves the whole game."""

    best_responses: float
    payoffs: float
    linear_programs: float
    sequence_form: float
    state: ParallelMemoryState


def measure_time(config: Config, *, trials: int = 3) -> TimeSpent:
    """Return where the time of one memory goes, each part's least of some `trials`.

    The paper's section 8 says: not into linear programs.
    """
    timed = [measure_time_once(config) for _ in range(max(trials, 1))]
    search, play, program, total = (min(part) for part in zip(*(t[:4] for t in timed), strict=True))
    return TimeSpent(search, play, program, total, timed[0].state)


def measure_time_once(config: Config) -> TimeSpent:
    """Return where the time of one memory goes, measured once."""
    memory = make_solver(config)
    memory.step(memory.init(), 2)  # loads libraries and compiles kernels
    state = memory.init()
    search = play = program = 0.0
    while state.iteration < config.iterations and not state.converged:
        begin = time.perf_counter()
        tests = memory.propose_tests(state)
        won = memory.measure_gain(state, tests) > memory.least_gain
        searched = time.perf_counter()
        if not won:
            search += searched - begin
            state = replace(state, iteration=state.iteration + 1)
            continue
        enlarged = memory.add_tests(state, tests)
        played = time.perf_counter()
        state = memory.solve_subgame(enlarged)
        solved = time.perf_counter()
        search += searched - begin
        play += played - searched
        program += solved - played
    begin = time.perf_counter()
    solvers.SequenceFormLP(memory.game).solve()
    return TimeSpent(search, play, program, time.perf_counter() - begin, state)


def search_by_definition(spent: TimeSpent) -> float:
    """Return the seconds that a memory's best responses would take by their definition in Python."""
    begin = time.perf_counter()
    reference.best_response(spent.state.game.rules, spent.state.profile.to_table(), 0)
    return (time.perf_counter() - begin) * 2 * spent.state.iteration


def run_memory(payoff: Floats, row: int = 0, column: int = 0) -> float:
    """Return what a memory comes to from a pair of pure strategies, if both players win the same."""
    hills, size = games.identical_payoffs(payoff.tolist()), np.eye(len(payoff))
    start = Profile(hills, np.concatenate([size[row], size[column]]))
    memory = ParallelNashMemory(hills, subgame=solvers.BestPureProfile(), start=start)
    end = memory.step(memory.init(), 50)
    assert end.converged
    assert end.gains.max() <= 1e-9
    return end.value


def ascend_coordinates(payoff: Floats, row: int, column: int) -> float:
    """Return what two players come to who forget, and take the best of old and new strategies."""
    while True:
        rows, columns = (row, int(payoff[:, column].argmax())), (column, int(payoff[row].argmax()))
        best = max(product(rows, columns), key=lambda pair: float(payoff[pair]))
        if payoff[best] <= payoff[row, column]:
            return float(payoff[row, column])
        row, column = best


class SampledMemory(ParallelNashMemory):
    """The Parallel Nash Memory with best responses, and a matrix of sampled payoffs.

    It ends where the best responses are in memory already: only better payoffs would bring it on. Each pair of
    strategies plays `hands` hands, once; `seed` decides the cards.
    """

    def __init__(self, game: SequenceForm, *, hands: int, seed: int) -> None:
        super().__init__(game)
        self.hands, self.seed = checked_integer("hands", hands, 1, LARGEST_COUNT), seed

    def init(self) -> ParallelMemoryState:
        """Return the memory that holds the start."""
        state = super().init()
        return dataclasses.replace(state, payoffs=self.sampled(state.payoffs, state.pools, (0, 0)))

    def extend_pools(
        self, state: ParallelMemoryState, pools: tuple[Strategies, ...]
    ) -> ParallelMemoryState:
        """Return the memory with `pools`; what is new has played its hands."""
        grown = super().extend_pools(state, pools)
        payoffs = self.sampled(grown.payoffs, pools, state.pool_sizes)
        return dataclasses.replace(grown, payoffs=payoffs)

    def sampled(
        self, payoffs: Floats, pools: tuple[Strategies, ...], known: tuple[int, ...]
    ) -> Floats:
        """Return `payoffs`, (2, K_1, K_2), with means of hands in place of what is not `known`."""
        payoffs = payoffs.copy()
        first, second = (
            compute_reach(self.game, player, pool) for player, pool in enumerate(pools)
        )
        for row, column in np.ndindex(payoffs.shape[1:]):
            if row >= known[0] or column >= known[1]:
                reach = self.game.chance * first[row] * second[column]
                ends = np.flatnonzero(reach)
                deck = random_stream(self.seed, "hands", row, column)
                dealt = deck.multinomial(self.hands, reach[ends] / reach.sum())
                payoffs[:, row, column] = dealt @ self.game.payoff[ends] / self.hands
        return payoffs

    def check_rounding(self, won: float) -> None:
        """Accept that known strategies beat the mixes: payoffs are not exact."""


def run_sampled_memory(setting: Mapping[str, Any]) -> dict[str, float]:
    """Return where a sampled memory ends: the rounds, whether it rests, and the NashConv of its mixes in chips.

    `setting` has the 'game', one of `GAMES`, the 'hands' of each pair, and the 'seed'.
    """
    memory = SampledMemory(GAMES[setting["game"]](), hands=setting["hands"], seed=setting["seed"])
    end = memory.step(memory.init(), 200)
    return {
        "rounds": end.iteration,
        "at_rest": float(end.converged),
        "nash_conv": float(end.gains.sum()),
    }
