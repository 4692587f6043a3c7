"""What a memory holds: for each player the strategies encountered, their payoffs and a mix of them."""

from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar, Self

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import GameError, ShapeError
from pokerlab.core.arrays import Floats
from pokerlab.core.kernel import kernel
from pokerlab.games import Profile, SequenceForm
from pokerlab.games.sweeps import behaviour_of
from pokerlab.solvers.highs import NO_BASIS, Statuses

Strategies = NDArray[np.int8]


@dataclass(frozen=True, eq=False)
class MemoryState:
    """Where a memory stands after `iteration` rounds.

    A round takes tests from the heuristic, adds winners and solves the subgame; round 0 holds the
    start. A memory that has converged takes no more rounds.

    Attributes
    ----------
    game : SequenceForm
        The game that is played.
    iteration : int
        Rounds done.
    strategies : tuple of ndarray of shape (K_i, S_i)
        Each player's encountered pure strategies as realization plans of zeros and ones, in the order
        met.
    payoffs : ndarray of shape (n, K_1, ..., K_n)
        What each player wins, strategy against strategy.
    mixes : tuple of ndarray of shape (K_i,)
        Each player's probabilities: N is where they are positive, M where they are zero.
    converged : bool
        Whether nobody gains more by a best response than the subgame's solver is exact to.
    basis : tuple of ndarray of int8
        What the subgame's solver begins with next time, an array for each player; empty at first.
    """

    GROWS: ClassVar[bool] = True

    game: SequenceForm
    iteration: int
    strategies: tuple[Strategies, ...]
    payoffs: Floats
    mixes: tuple[Floats, ...]
    converged: bool
    basis: tuple[Statuses, ...]

    def __post_init__(self) -> None:
        pools, mixed = self.pool_sizes, tuple(len(mix) for mix in self.mixes)
        plans = tuple(pool.shape[1] for pool in self.strategies)
        if (plans, mixed) != (self.game.num_sequences, pools) or self.payoffs.shape[1:] != pools:
            raise ShapeError(
                f"a memory of {self.game.name} with {pools} strategies of {plans} sequences has mixes"
                f" of {mixed} and payoffs of shape {self.payoffs.shape}; all must fit."
            )
        self.payoffs.setflags(write=False)
        for arrays in (self.strategies, self.mixes, self.basis):
            for array in arrays:
                array.setflags(write=False)

    @cached_property
    def plan(self) -> Floats:
        """The mixes as realization plans, (S,), the empty sequences first.

        A mix has the weighted average of its strategies' plans; that is the paper's weighing of each
        strategy by its chance of having led to an information set (section 5).
        """
        parts = [
            average(pool, mix)[1:] for pool, mix in zip(self.strategies, self.mixes, strict=True)
        ]
        plan = np.concatenate([np.ones(len(parts)), *parts])
        plan.setflags(write=False)
        return plan

    @cached_property
    def profile(self) -> Profile:
        """The behaviour of the mixes; uniform at information sets that they never reach."""
        return Profile.computed(self.game, behaviour_of(self.game.block, self.plan))

    @cached_property
    def values(self) -> Floats:
        """What each player wins when all play their mixes, (n,)."""
        won = self.payoffs
        for mix in reversed(self.mixes):
            won = won @ mix
        return np.asarray(won)

    @property
    def value(self) -> float:
        """What player 1 wins when all play their mixes; in a zero-sum game the subgame's value."""
        return float(self.values[0])

    @property
    def support_sizes(self) -> tuple[int, ...]:
        """How many strategies each player's mix uses: the size of N."""
        return tuple(int(np.count_nonzero(mix)) for mix in self.mixes)

    @property
    def pool_sizes(self) -> tuple[int, ...]:
        """How many strategies each player has encountered: N and M together."""
        return tuple(len(pool) for pool in self.strategies)

    @cached_property
    def gains(self) -> Floats:
        """What each player would gain by a best response in the whole game, (n,)."""
        return self.game.gains(self.profile)

    @property
    def worst_cases(self) -> tuple[float, ...]:
        """What each player's mix wins at least, in a two-player zero-sum game.

        The other's best response wins the other's value and gain.

        Raises
        ------
        GameError
            In other games, where a best response says nothing about what is left.
        """
        if self.game.num_players != 2 or not self.game.zero_sum:
            raise GameError(
                f"worst cases are read off best responses in two-player zero-sum games only;"
                f" {self.game.name} is another. Use gains."
            )
        first, second = -(self.values[::-1] + self.gains[::-1])
        return float(first), float(second)

    @classmethod
    def begin(cls, game: SequenceForm, plans: tuple[Strategies, ...], payoffs: Floats) -> Self:
        """Return the memory in which everybody holds one strategy, a row of `plans`, and plays it."""
        alone = tuple(np.ones(1) for _ in plans)
        return cls(game, 0, plans, payoffs, alone, False, (NO_BASIS,) * len(plans))


@kernel
def average(pool: Strategies, mix: Floats) -> Floats:
    """Return the realization plan, (S_i,), of a mix, (K_i,), of a pool, (K_i, S_i)."""
    plan = np.zeros(pool.shape[1])
    for k in range(pool.shape[0]):
        if mix[k] > 0.0:
            for q in range(pool.shape[1]):
                plan[q] += mix[k] * pool[k, q]
    return plan
