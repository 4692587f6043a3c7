"""What a symmetric memory holds: one set of strategies for both players, their payoffs and a mix."""

from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import GameError, ShapeError
from pokerlab.core.arrays import Floats
from pokerlab.games import Profile
from pokerlab.games.symmetric import Strategies, SymmetricGame
from pokerlab.solvers.highs import Statuses
from pokerlab.solvers.search.memory_heuristic import compiled


@dataclass(frozen=True, eq=False)
class NashMemoryState:
    """Where a symmetric memory stands after `iteration` rounds.

    A round takes tests, and if some win adds these and solves the subgame; round 0 holds the start.

    Attributes
    ----------
    game : SymmetricGame
        The game that is played.
    iteration : int
        Rounds done.
    strategies : ndarray of shape (K, d)
        The strategies in memory, in the order met.
    payoffs : ndarray of shape (K, K)
        What each wins against each; antisymmetric.
    mix : ndarray of shape (K,)
        Probabilities: N is where they are positive, M where they are zero.
    last_used : ndarray of shape (K,)
        The last round in which each was in N, or else the round in which it was met.
    converged : bool
        Whether no strategy of the game beats the mix, where that can be told.
    basis : tuple of ndarray of int8
        What the linear program begins with next time.
    """

    game: SymmetricGame
    iteration: int
    strategies: Strategies
    payoffs: Floats
    mix: Floats
    last_used: NDArray[np.int64]
    converged: bool
    basis: tuple[Statuses, Statuses]
    GROWS: ClassVar[bool] = True  # in a checkpoint its arrays may be larger than at first

    def __post_init__(self) -> None:
        size = len(self.mix)
        if self.payoffs.shape != (size, size) or {len(self.strategies), len(self.last_used)} != {
            size
        }:
            raise ShapeError(
                f"a memory with a mix of {size} has {len(self.strategies)} strategies, payoffs of shape"
                f" {self.payoffs.shape} and {len(self.last_used)} rounds of last use; all must agree."
            )
        for array in (self.strategies, self.payoffs, self.mix, self.last_used, *self.basis):
            array.setflags(write=False)

    @property
    def support(self) -> NDArray[np.intp]:
        """N: which strategies the mix plays."""
        return np.flatnonzero(self.mix)

    @property
    def memory(self) -> NDArray[np.intp]:
        """M: which strategies are kept without being played."""
        return np.flatnonzero(self.mix == 0.0)

    @property
    def support_size(self) -> int:
        """How many strategies the mix plays."""
        return len(self.support)

    @property
    def pool_size(self) -> int:
        """How many strategies are in memory: N and M together."""
        return len(self.mix)

    @cached_property
    def best_response(self) -> Strategies:
        """A strategy, (d,), that wins most against the mix."""
        reply = self.game.best_response(self.strategies, self.mix)
        reply.setflags(write=False)
        return reply

    @cached_property
    def worst_case(self) -> float:
        """What the mix wins at least: zero at an equilibrium, else less."""
        return 0.0 - float(won_against(self, self.best_response[None, :])[0])

    @cached_property
    def profile(self) -> Profile:
        """The behaviour of the mix in both roles, in a game made from a compiled one."""
        return compiled(self.game).profile(self.strategies, self.mix)


def won_against(state: NashMemoryState, tests: Strategies) -> Floats:
    """Return what each of `tests`, (T, d), wins against the mix, (T,)."""
    used = state.support
    return state.game.payoffs(tests, state.strategies[used]) @ state.mix[used]


def tournament(states: Sequence[NashMemoryState]) -> Floats:
    """Return what the mix of each state wins against the mix of each other, (k, k).

    With the states of one run in order, what lies below the diagonal is the present against the past:
    for a memory without a bound it is never negative.

    Raises
    ------
    GameError
        If the states belong to different games.
    """
    if len(states) == 0:
        return np.zeros((0, 0))
    game = states[0].game
    for state in states:
        if state.game.fingerprint != game.fingerprint:
            raise GameError(
                f"a tournament is between states of one game; these belong to {game.name} and"
                f" {state.game.name}."
            )
    pools = [state.strategies[state.support] for state in states]
    mixes = [state.mix[state.support] for state in states]
    won = np.zeros((len(states), len(states)))
    for i in range(len(states)):
        for j in range(i):
            won[i, j] = mixes[i] @ game.payoffs(pools[i], pools[j]) @ mixes[j]
    return won - won.T
