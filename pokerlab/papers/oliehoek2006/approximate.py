"""A memory whose payoffs are estimated, as Oliehoek et al. (2006, section 8) propose for future work.

"Approximate methods could be used for both solving the POMDP and evaluating the rewards." Approximate replies are
search heuristics, such as `EvolutionarySearch`; here the rewards are approximate: each entry of the memory's matrix
is the mean of some hands that the two strategies play. How safe the mixes then are is still measured exactly.
"""

import dataclasses
from collections.abc import Mapping
from typing import Any

import numpy as np

from pokerlab.core import stream
from pokerlab.core.arrays import Floats
from pokerlab.core.settings import LARGEST_COUNT, whole
from pokerlab.games import SequenceForm
from pokerlab.papers.oliehoek2006.experiment import GAMES
from pokerlab.solvers import MemoryState, ParallelNashMemory
from pokerlab.solvers.memories.memory import Strategies
from pokerlab.solvers.subgame.payoffs import reach_of


class SampledMemory(ParallelNashMemory):
    """The Parallel Nash Memory with best responses, and a matrix of sampled payoffs.

    It ends where the best responses are in memory already: only better payoffs would bring it on.

    Parameters
    ----------
    game : SequenceForm
        Two players, zero-sum.
    hands : int
        How many each pair of strategies plays, once.
    seed : int
        Decides the cards.
    """

    def __init__(self, game: SequenceForm, *, hands: int, seed: int) -> None:
        super().__init__(game)
        self.hands, self.seed = whole("hands", hands, 1, LARGEST_COUNT), seed

    def init(self) -> MemoryState:
        """Return the memory that holds the start."""
        state = super().init()
        return dataclasses.replace(
            state, payoffs=self.sampled(state.payoffs, state.strategies, (0, 0))
        )

    def with_strategies(self, state: MemoryState, pools: tuple[Strategies, ...]) -> MemoryState:
        """Return the memory with `pools`; what is new has played its hands."""
        grown = super().with_strategies(state, pools)
        payoffs = self.sampled(grown.payoffs, pools, state.pool_sizes)
        return dataclasses.replace(grown, payoffs=payoffs)

    def sampled(
        self, payoffs: Floats, pools: tuple[Strategies, ...], known: tuple[int, ...]
    ) -> Floats:
        """Return `payoffs`, (2, K_1, K_2), with means of hands in place of what is not `known`."""
        payoffs = payoffs.copy()
        first, second = (reach_of(self.game, player, pool) for player, pool in enumerate(pools))
        for row, column in np.ndindex(payoffs.shape[1:]):
            if row >= known[0] or column >= known[1]:
                reach = self.game.chance * first[row] * second[column]
                ends = np.flatnonzero(reach)
                deck = stream(self.seed, "hands", row, column)
                dealt = deck.multinomial(self.hands, reach[ends] / reach.sum())
                payoffs[:, row, column] = dealt @ self.game.payoff[ends] / self.hands
        return payoffs

    def check_rounding(self, won: float) -> None:
        """Accept that known strategies beat the mixes: payoffs are not exact."""


def sampled_end(setting: Mapping[str, Any]) -> dict[str, float]:
    """Return where a sampled memory ends: the rounds, whether it rests, and the NashConv of its mixes in chips.

    Parameters
    ----------
    setting : mapping
        The 'game', one of `GAMES`, the 'hands' of each pair, and the 'seed'.
    """
    memory = SampledMemory(GAMES[setting["game"]](), hands=setting["hands"], seed=setting["seed"])
    end = memory.step(memory.init(), 200)
    return {
        "rounds": end.iteration,
        "at_rest": float(end.converged),
        "nash_conv": float(end.gains.sum()),
    }
