"""Memories with a set of strategies for each player: the Parallel Nash Memory, and PSRO.

Each player has a set of encountered strategies, as a rule pure ones, and a mix of them. In each round a
search heuristic proposes a strategy for each player, some of these join the sets, and a subgame solver mixes anew.
In a contest, or another symmetric game, strategies are vectors, and both players begin with the same one.

In the Parallel Nash Memory (Oliehoek, de Jong & Vlassis 2006, section 4.2) the proposals of a round, the tests,
join the sets if together they beat the mixes. N is the support of a player's mix, M the rest of its set.

Policy-space response oracles (Lanctot et al. 2017) take every reply, known or not. With Nash mixes they are
the Parallel Nash Memory, which is the double oracle of McMahan, Gordon & Blum (2003) in an extensive game;
with uniform mixes they are fictitious play.
"""

import dataclasses
from abc import ABC, abstractmethod
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import ConvergenceError, Floats, GameError, ShapeError, freeze, kernel, number
from pokerlab.games import Contest, Profile, SequenceForm
from pokerlab.games.symmetric import SymmetricGame
from pokerlab.games.tree_passes import behavior_of, gradients, plans_of
from pokerlab.solvers.linear_program import NO_BASIS, Statuses
from pokerlab.solvers.nash_memory import MemoryHeuristic, checked_start, no_encoding, searched
from pokerlab.solvers.protocol import check_game, check_start, check_step, largest_utility
from pokerlab.solvers.search import (
    LARGEST_TREMBLE,
    BestResponse,
    SearchHeuristic,
    check_heuristic,
    first_choices,
    own_utilities,
    proposal,
)
from pokerlab.solvers.subgame import (
    SubgameSolver,
    ZeroSumProgram,
    check_subgame_solver,
    grown_payoffs,
)

Strategies = Floats


@dataclass(frozen=True, eq=False)
class MemoryState:
    """Where a memory stands after `iteration` rounds.

    Round 0 holds the start. A memory that has converged takes no more rounds.
    """

    GROWS: ClassVar[tuple[str, ...]] = ("",)

    game: Any  # a SequenceForm or, where strategies are vectors, a SymmetricGame
    iteration: int
    strategies: tuple[Strategies, ...]  # (K_i, S_i): plans, as a rule of zeros and ones; or vectors
    payoffs: Floats  # (n, K_1, ..., K_n): what each player wins, strategy against strategy
    mixes: tuple[Floats, ...]  # (K_i,): N is where they are positive, M elsewhere
    converged: bool  # whether nobody gains by a best response, but for rounding
    basis: tuple[Statuses, ...]  # what the subgame's solver begins with

    def __post_init__(self) -> None:
        pools, mixed = self.pool_sizes, tuple(len(mix) for mix in self.mixes)
        plans = tuple(pool.shape[1] for pool in self.strategies)
        vectors = not isinstance(self.game, SequenceForm)
        widths = (self.game.start.size,) * 2 if vectors else self.game.num_sequences
        if (plans, mixed) != (widths, pools) or self.payoffs.shape[1:] != pools:
            raise ShapeError(
                f"a memory of {self.game.name} with {pools} strategies of {plans} sequences has mixes"
                f" of {mixed} and payoffs of shape {self.payoffs.shape}; all must fit."
            )
        freeze(self.payoffs, *self.strategies, *self.mixes, *self.basis)

    @cached_property
    def plan(self) -> Floats:
        """The mixes as realization plans, (S,), the empty sequences first.

        Averages weigh each strategy by its chance of having led to an information set (section 5).
        """
        plan = self.plan_of(self.mixes)
        freeze(plan)
        return plan

    def plan_of(self, mixes: tuple[Floats, ...]) -> Floats:
        """Return the realization plans, (S,), of other mixes, (K_i,) each, of the strategies met."""
        parts = [average(pool, mix)[1:] for pool, mix in zip(self.strategies, mixes, strict=True)]
        return np.concatenate([np.ones(len(parts)), *parts])

    @cached_property
    def profile(self) -> Profile:
        """The behavior of the mixes; uniform at information sets that they never reach."""
        check_game(self.game)
        return Profile.computed(self.game, behavior_of(self.game.block, self.plan))

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
        if isinstance(self.game, SequenceForm):
            return self.game.gains(self.profile)
        replies = [
            self.game.best_response(pool, mix)[None, :]
            for pool, mix in zip(self.strategies[::-1], self.mixes[::-1], strict=True)
        ]
        won = [self.won(player, reply)[0] for player, reply in enumerate(replies)]
        return np.array(won) - self.values

    def won(self, player: int, tests: Strategies) -> Floats:
        """Return what a player of a symmetric game wins by each of `tests`, (T, d), against the other's mix, (T,)."""
        mix = self.mixes[1 - player]
        used = self.strategies[1 - player][mix > 0.0]
        pair = (tests, used) if player == 0 else (used, tests)
        won = self.game.payoffs(*pair)
        return np.asarray((won if player == 0 else -won.T) @ mix[mix > 0.0])

    @property
    def security_levels(self) -> tuple[float, ...]:
        """What each player's mix wins at least, in a two-player zero-sum or constant-sum game: its worst case."""
        total = self.game.payoff_sum if isinstance(self.game, SequenceForm) else 0.0
        if len(self.mixes) != 2 or total is None:
            raise GameError(
                f"security levels are read off best responses in two-player zero-sum games only;"
                f" {self.game.name} is another. Use gains."
            )
        first, second = total - (self.values[::-1] + self.gains[::-1])
        return float(first), float(second)


class Memory(ABC):
    """The rounds of a memory; which strategies join is left to `round`."""

    def __init__(
        self,
        game: SequenceForm | SymmetricGame | Contest,
        *,
        subgame: SubgameSolver,
        encoding: Any = None,
        heuristic: SearchHeuristic | MemoryHeuristic | None = None,
        start: Profile | ArrayLike | None = None,
        vanishing_weight: float = 0.0,
    ) -> None:
        number("vanishing_weight", vanishing_weight, 0.0, LARGEST_TREMBLE)
        self.vanishing_weight, self.subgame = vanishing_weight, subgame
        self.game: Any = game
        self.heuristic: Any = heuristic
        self.start: Any = start
        if isinstance(game, SequenceForm):
            check_game(game)
            no_encoding(game, encoding)
            self.heuristic = BestResponse() if heuristic is None else heuristic
            check_heuristic(self.heuristic)
            check_start(game, start)  # type: ignore[arg-type]
        else:
            self.game, self.heuristic = searched(game, encoding, heuristic)  # type: ignore[arg-type]
            self.start = checked_start(self.game, start)  # type: ignore[arg-type]
        check_subgame_solver(self.subgame, self.game)

    @property
    def exact(self) -> bool:
        """Whether best responses can be computed."""
        return isinstance(self.game, SequenceForm) or self.game.exact_replies

    @property
    def least_gain(self) -> float:
        """What must be gained in a round, in the game's unit: more than the subgame's solver misses."""
        return float(self.subgame.tolerance * largest_utility(self.game))

    def init(self) -> MemoryState:
        """Return the memory that holds the start."""
        game, start = self.game, self.start
        if isinstance(game, SequenceForm):
            first = first_choices(game, start)
        else:
            first = np.stack([game.start if start is None else start] * 2)
        pools = tuple(plan[None, :] for plan in self.strategies(first))
        alone, basis = tuple(np.ones(1) for _ in pools), (NO_BASIS,) * len(pools)
        payoffs = grown_payoffs(game, pools)
        return self.with_convergence(MemoryState(game, 0, pools, payoffs, alone, False, basis))

    def step(self, state: MemoryState, count: int = 1) -> MemoryState:
        """Return the memory `count` rounds after `state`, or where it converged before."""
        for _ in range(check_step(self.game, state, count, MemoryState)):
            if state.converged:
                break
            state = self.round(state)
        return state

    @abstractmethod
    def round(self, state: MemoryState) -> MemoryState:
        """Return the memory after one round."""

    def tests(self, state: MemoryState) -> Floats:
        """Return the heuristic's tests, T: a strategy of every player, (S - n,), or, as vectors, (2, d).

        The heuristic sees the mixes, in which every strategy met shares the vanishing weight.
        """
        weight, mixes = self.vanishing_weight, state.mixes
        if weight:
            mixes = tuple((1.0 - weight) * mix + weight / len(mix) for mix in state.mixes)
        return self.proposed(state, mixes)

    def proposed(self, state: MemoryState, mixes: tuple[Floats, ...]) -> Floats:
        """Return what the heuristic proposes against `mixes`, (K_i,) each.

        Where strategies are vectors, each player has searches of its own, of which the one that wins most is the
        test.
        """
        if isinstance(self.game, SequenceForm):
            plan = state.plan if mixes is state.mixes else state.plan_of(mixes)
            return proposal(self.heuristic, state.game, plan, state.iteration, pure=False)
        tests = []
        for player, (pool, mix) in enumerate(zip(state.strategies[::-1], mixes[::-1], strict=True)):
            found = self.heuristic(self.game, pool, mix, 2 * state.iteration + player)
            found = np.atleast_2d(self.game.checked(found))
            tests.append(found[np.argmax(state.won(player, found))])
        return np.stack(tests)

    def strategies(self, behavior: Floats) -> tuple[Strategies, ...]:
        """Return each player's part of a behavior, (S - n,), as a plan, (S_i,); or of vectors, (2, d), a row."""
        if not isinstance(self.game, SequenceForm):
            return tuple(behavior)
        plan, n = plans_of(self.game.block, behavior), self.game.num_players
        return tuple(np.append(1.0, plan[n:][mine]) for mine in self.game.player_sequences)

    def with_strategies(self, state: MemoryState, pools: tuple[Strategies, ...]) -> MemoryState:
        """Return the memory with `pools`, which begin with the present ones; new strategies have weight 0."""
        mixes = tuple(
            np.append(mix, np.zeros(len(pool) - len(mix)))
            for mix, pool in zip(state.mixes, pools, strict=True)
        )
        payoffs = grown_payoffs(self.game, pools, state.payoffs)
        return dataclasses.replace(state, strategies=pools, mixes=mixes, payoffs=payoffs)

    def solved(self, state: MemoryState) -> MemoryState:
        """Return the memory one round on: with the mixes of the subgame's solver."""
        mixture = self.subgame.solve(state.payoffs, state.basis, name=self.game.name)
        return self.with_convergence(
            dataclasses.replace(
                state,
                iteration=state.iteration + 1,
                mixes=mixture.mixes,
                basis=mixture.basis or state.basis,
            )
        )

    def with_convergence(self, state: MemoryState) -> MemoryState:
        """Return the memory, converged if nobody gains more than `least_gain` by a best response."""
        converged = self.exact and state.gains.max() <= self.least_gain
        return dataclasses.replace(state, converged=True) if converged else state


@kernel
def average(pool: Strategies, mix: Floats) -> Floats:
    """Return the realization plan, (S_i,), of a mix, (K_i,), of a pool, (K_i, S_i)."""
    plan = np.zeros(pool.shape[1])
    for k in range(pool.shape[0]):
        if mix[k] > 0.0:
            for q in range(pool.shape[1]):
                plan[q] += mix[k] * pool[k, q]
    return plan


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
