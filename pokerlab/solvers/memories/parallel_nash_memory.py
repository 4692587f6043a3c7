"""Memories with a set of strategies for each player: the Parallel Nash Memory, and PSRO.

In the Parallel Nash Memory (Oliehoek, de Jong & Vlassis 2006, section 4.2) the proposals of a round, the tests,
join the sets if together they beat the mixes. N is the support of a player's mix, M the rest of its set.

Policy-space response oracles (Lanctot et al. 2017) take every reply, known or not. With Nash mixes they are
the Parallel Nash Memory, which is the double oracle of McMahan, Gordon & Blum (2003) in an extensive game;
with uniform mixes they are fictitious play.
"""

import dataclasses
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import ConvergenceError, Floats
from pokerlab.games import Contest, Profile, SequenceForm
from pokerlab.games.sequence_form.sweeps import plans_of
from pokerlab.games.sequence_form.worth import gradients
from pokerlab.games.symmetric import SymmetricGame
from pokerlab.solvers.memories.memory import Memory, MemoryState
from pokerlab.solvers.memories.memory_heuristic import MemoryHeuristic
from pokerlab.solvers.protocol import largest_utility
from pokerlab.solvers.search import SearchHeuristic, own_utilities
from pokerlab.solvers.subgame.equilibria import ZeroSumProgram
from pokerlab.solvers.subgame.mixture import SubgameSolver

ROUNDING = 1e-6
"""By how much known strategies may beat the mixes of a solved subgame, in units of the largest utility."""


class ParallelNashMemory(Memory):
    """The memory, with a search heuristic and a way to solve subgames.

    With the exact best response it finds an equilibrium in finitely many rounds.

    Parameters
    ----------
    game : SequenceForm, SymmetricGame or Contest
        Two players, zero-sum or constant-sum; others with a `subgame` solver that is made for them.
    encoding : RealVector, optional
        In a contest: what genomes are.
    heuristic : SearchHeuristic or MemoryHeuristic, optional
        Where tests come from; `BestResponse()` if left out. In a symmetric game or a contest as in `NashMemory`; the
        best of its tests for each player counts.
    subgame : SubgameSolver, optional
        How mixes are found; the paper's linear program, `ZeroSumProgram()`, if left out.
    start : Profile or array_like, optional
        The strategies in N at first; everybody's first action (in poker: pass, fold) if left out. In a symmetric game
        one strategy, (d,), for both.
    vanishing_weight : float
        What all strategies met share in the mixes that the heuristic sees, 0 to 0.1. A little decides what
        a reply does where the mixes never lead; a reply that would cost is sought again without it.

    Examples
    --------
    >>> import pokerlab as pl
    >>> memory = pl.solvers.ParallelNashMemory(pl.games.rock_paper_scissors())
    >>> state = memory.step(memory.init(), 10)
    >>> state.converged, state.support_sizes
    (True, (3, 3))
    """

    def __init__(
        self,
        game: SequenceForm | SymmetricGame | Contest,
        *,
        encoding: Any = None,
        heuristic: SearchHeuristic | MemoryHeuristic | None = None,
        subgame: SubgameSolver | None = None,
        start: Profile | ArrayLike | None = None,
        vanishing_weight: float = 0.0,
    ) -> None:
        super().__init__(
            game,
            subgame=ZeroSumProgram() if subgame is None else subgame,
            encoding=encoding,
            heuristic=heuristic,
            start=start,
            vanishing_weight=vanishing_weight,
        )

    def round(self, state: MemoryState) -> MemoryState:
        """Return the memory after one round.

        Raises
        ------
        ConvergenceError
            If strategies that the memory holds already beat its mixes.
        """
        tests = self.tests(state)
        won = self.won(state, tests)
        if not won > self.least_gain:
            return dataclasses.replace(state, iteration=state.iteration + 1)
        enlarged = self.enlarged(state, tests)
        if enlarged.pool_sizes == state.pool_sizes:
            if not self.exact:
                return dataclasses.replace(state, iteration=state.iteration + 1)
            self.check_rounding(won)
            return dataclasses.replace(state, converged=True)
        return self.solved(enlarged)

    def tests(self, state: MemoryState) -> Floats:
        """Return the heuristic's tests; if they do not win, those without the vanishing weight."""
        tests = super().tests(state)
        if not self.vanishing_weight or self.won(state, tests) > self.least_gain:
            return tests
        return self.proposed(state, state.mixes)

    def won(self, state: MemoryState, tests: Floats) -> float:
        """Return what the tests win together against the mixes, as one compound strategy.

        E(T, N) = sum over players of u_i(T_i, the others' mixes) - u_i(mixes) (section 4.2).
        """
        if not isinstance(self.game, SequenceForm):
            each = [state.won(player, test[None, :])[0] for player, test in enumerate(tests)]
            return float(sum(each))
        plan = plans_of(self.game.block, tests)
        won = own_utilities(self.game, plan, gradients(self.game.block, state.plan))
        return float((won - state.values).sum())

    def enlarged(self, state: MemoryState, tests: Floats) -> MemoryState:
        """Return the memory that holds `tests` too, with their payoffs; sets hold nothing twice."""
        pools = tuple(
            pool if (pool == test).all(axis=1).any() else np.vstack([pool, test])
            for pool, test in zip(state.strategies, self.strategies(tests), strict=True)
        )
        return self.with_strategies(state, pools)

    def check_rounding(self, won: float) -> None:
        """Check that known strategies beat the mixes by no more than rounding."""
        if won > ROUNDING * largest_utility(self.game):
            raise ConvergenceError(
                f"strategies that the memory holds already win {won:.3g} {self.game.unit} against its mixes in"
                f" {self.game.name}: {type(self.subgame).__name__} did not find an equilibrium of the subgame. If it"
                " is not meant to, use solvers.PSRO; otherwise payoffs may differ too much in size: scale them."
            )


class PSRO(Memory):
    """A memory in which every player adds a reply in every round, known or not, and all mix anew.

    Parameters
    ----------
    game : SequenceForm, SymmetricGame or Contest
        Any game that `subgame` can mix for.
    subgame : SubgameSolver
        The meta-strategy: how strategies are mixed, such as `UniformMixture()`, `ZeroSumProgram()` or
        `ProjectedReplicator()`.
    encoding, heuristic, start
        As in `ParallelNashMemory`; the heuristic is the oracle, where replies come from.
    vanishing_weight : float
        What all strategies met share in the mixes that the oracle sees, as in `ParallelNashMemory`.
    """

    def round(self, state: MemoryState) -> MemoryState:
        """Return the memory after one round."""
        replies = self.strategies(self.tests(state))
        pools = tuple(
            np.vstack([pool, reply]) for pool, reply in zip(state.strategies, replies, strict=True)
        )
        return self.solved(self.with_strategies(state, pools))
