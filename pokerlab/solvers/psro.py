"""Policy-space response oracles (Lanctot et al. 2017): the memory's loop with any mix of the subgame.

With Nash mixes it is the Parallel Nash Memory, which is the double oracle of McMahan, Gordon & Blum
(2003) in an extensive game; with uniform mixes it is fictitious play.
"""

import numpy as np

from pokerlab.games import Profile, SequenceForm
from pokerlab.games.sweeps import plans_of
from pokerlab.solvers.memory_state import MemoryState
from pokerlab.solvers.parallel_nash_memory import (
    check_pure,
    first_memory,
    least_gain,
    remixed,
    settled,
    split,
    with_strategies,
)
from pokerlab.solvers.protocol import check_game, check_step
from pokerlab.solvers.search.best_response import BestResponse
from pokerlab.solvers.search.heuristic import SearchHeuristic, check_heuristic, proposed
from pokerlab.solvers.subgame.mixture import SubgameSolver, check_subgame_solver


class PSRO:
    """In every round everybody adds a reply to the others' mixes, known or not, and all mix anew.

    Parameters
    ----------
    game : SequenceForm
        Any game that `subgame` can mix for.
    subgame : SubgameSolver
        The meta-strategy: how strategies are mixed, such as `UniformMixture()`, `ZeroSumProgram()` or
        `ProjectedReplicator()`.
    heuristic : SearchHeuristic, optional
        The oracle: where replies come from; `BestResponse()` if left out.
    start : Profile, optional
        The first pure strategies; everybody's first action if left out.
    """

    def __init__(
        self,
        game: SequenceForm,
        *,
        subgame: SubgameSolver,
        heuristic: SearchHeuristic | None = None,
        start: Profile | None = None,
    ) -> None:
        check_game(game)
        self.game, self.subgame, self.start = game, subgame, start
        self.heuristic: SearchHeuristic = BestResponse() if heuristic is None else heuristic
        check_heuristic(self.heuristic)
        check_subgame_solver(self.subgame, game)
        check_pure(game, start)

    def init(self) -> MemoryState:
        """Return the memory that holds the start."""
        return settled(first_memory(self.game, self.start), least_gain(self.game, self.subgame))

    def step(self, state: MemoryState, count: int = 1) -> MemoryState:
        """Return the memory `count` rounds after `state`, or where nobody could gain before."""
        for _ in range(check_step(self.game, state, count, MemoryState)):
            if state.converged:
                break
            state = self.round(state)
        return state

    def round(self, state: MemoryState) -> MemoryState:
        """Return the memory after one round."""
        replies = proposed(self.heuristic, state.game, state.plan, state.iteration)
        plans = split(state.game, plans_of(state.game.block, replies))
        pools = tuple(
            np.vstack([pool, reply]) for pool, reply in zip(state.strategies, plans, strict=True)
        )
        mixed = remixed(with_strategies(state, pools), self.subgame)
        return settled(mixed, least_gain(self.game, self.subgame))
