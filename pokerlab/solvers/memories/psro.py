"""Policy-space response oracles (Lanctot et al. 2017): a memory that takes every reply, known or not.

With Nash mixes it is the Parallel Nash Memory, which is the double oracle of McMahan, Gordon & Blum
(2003) in an extensive game; with uniform mixes it is fictitious play.
"""

import numpy as np

from pokerlab.games import Profile, SequenceForm
from pokerlab.solvers.memories.memory import Memory, MemoryState
from pokerlab.solvers.search.heuristic import SearchHeuristic
from pokerlab.solvers.subgame.mixture import SubgameSolver


class PSRO(Memory):
    """A memory in which every player adds a reply in every round, known or not, and all mix anew.

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
        super().__init__(game, heuristic, subgame, start)

    def round(self, state: MemoryState) -> MemoryState:
        """Return the memory after one round."""
        replies = self.strategies(self.tests(state))
        pools = tuple(
            np.vstack([pool, reply]) for pool, reply in zip(state.strategies, replies, strict=True)
        )
        return self.solved(self.with_strategies(state, pools))
