"""The Parallel Nash Memory (Oliehoek, de Jong & Vlassis 2006, section 4.2).

Each player has a set of encountered pure strategies: N, the support of the player's mix, and M, the
rest. In each round a search heuristic proposes a test for each player; if the tests together beat the
mixes they join the sets, and the game restricted to the sets gives new mixes.
"""

import dataclasses

import numpy as np

from pokerlab.core import ConvergenceError, SettingError
from pokerlab.core.arrays import Floats
from pokerlab.games import Profile, SequenceForm
from pokerlab.games.sweeps import plans_of
from pokerlab.games.worth import gradients
from pokerlab.solvers.memory_state import MemoryState, Strategies
from pokerlab.solvers.protocol import check_game, check_start, check_step, largest_utility
from pokerlab.solvers.search.best_response import BestResponse
from pokerlab.solvers.search.heuristic import (
    SearchHeuristic,
    check_heuristic,
    own_utilities,
    proposed,
    pure_behaviour,
)
from pokerlab.solvers.subgame.mixture import SubgameSolver, check_subgame_solver
from pokerlab.solvers.subgame.payoffs import grown_payoffs
from pokerlab.solvers.subgame.zero_sum import ZeroSumProgram

ROUNDING = 1e-6
"""By how much known strategies may beat the mixes of a solved subgame, in units of the largest utility."""


class ParallelNashMemory:
    """The memory, with a search heuristic and a way to solve subgames.

    With the exact best response it finds an equilibrium in finitely many rounds.

    Parameters
    ----------
    game : SequenceForm
        Two players, zero-sum; others with a `subgame` solver that is made for them.
    heuristic : SearchHeuristic, optional
        Where tests come from; `BestResponse()` if left out.
    subgame : SubgameSolver, optional
        How mixes are found; the paper's linear program, `ZeroSumProgram()`, if left out.
    start : Profile, optional
        The pure strategies in N at first; everybody's first action (in poker: pass, fold) if left out.

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
        game: SequenceForm,
        *,
        heuristic: SearchHeuristic | None = None,
        subgame: SubgameSolver | None = None,
        start: Profile | None = None,
    ) -> None:
        check_game(game)
        self.game = game
        self.heuristic: SearchHeuristic = BestResponse() if heuristic is None else heuristic
        self.subgame: SubgameSolver = ZeroSumProgram() if subgame is None else subgame
        self.start = start
        check_heuristic(self.heuristic)
        check_subgame_solver(self.subgame, game)
        check_pure(game, start)

    def init(self) -> MemoryState:
        """Return the memory that holds the start."""
        return settled(first_memory(self.game, self.start), self.least_gain)

    def step(self, state: MemoryState, count: int = 1) -> MemoryState:
        """Return the memory `count` rounds after `state`, or where it converged before."""
        for _ in range(check_step(self.game, state, count, MemoryState)):
            if state.converged:
                break
            state = self.round(state)
        return state

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
            self.check_rounding(won)
            return dataclasses.replace(state, converged=True)
        return self.solved(enlarged)

    @property
    def least_gain(self) -> float:
        """What tests must win together to be winners, in the game's unit."""
        return least_gain(self.game, self.subgame)

    def tests(self, state: MemoryState) -> Floats:
        """Return the heuristic's tests, T: a pure strategy of every player, (S - n,)."""
        return proposed(self.heuristic, state.game, state.plan, state.iteration)

    def won(self, state: MemoryState, tests: Floats) -> float:
        """Return what the tests win together against the mixes, as one compound strategy.

        E(T, N) = sum over players of u_i(T_i, the others' mixes) - u_i(mixes) (section 4.2).
        """
        plan = plans_of(self.game.block, tests)
        won = own_utilities(self.game, plan, gradients(self.game.block, state.plan))
        return float((won - state.values).sum())

    def enlarged(self, state: MemoryState, tests: Floats) -> MemoryState:
        """Return the memory that holds `tests` too, with their payoffs; sets hold nothing twice."""
        plans = split(self.game, plans_of(self.game.block, tests))
        pools = tuple(
            pool if is_known(pool, test) else np.vstack([pool, test])
            for pool, test in zip(state.strategies, plans, strict=True)
        )
        return with_strategies(state, pools)

    def check_rounding(self, won: float) -> None:
        """Refuse mixes that known strategies beat by more than rounding."""
        if won > ROUNDING * largest_utility(self.game):
            raise ConvergenceError(
                f"strategies that the memory holds already win {won:.3g} {self.game.unit} against its"
                f" mixes in {self.game.name}: {type(self.subgame).__name__} did not find an equilibrium"
                " of the subgame. If it is not meant to, use solvers.PSRO; otherwise payoffs may differ"
                " too much in size: scale them."
            )

    def solved(self, state: MemoryState) -> MemoryState:
        """Return the memory one round on: with mixes that solve the subgame."""
        return settled(remixed(state, self.subgame), self.least_gain)


def check_pure(game: SequenceForm, start: Profile | None) -> None:
    """Refuse a start that is no pure profile of `game`."""
    check_start(game, start)
    if start is not None and not np.isin(start.probabilities, (0.0, 1.0)).all():
        raise SettingError(
            f"the start mixes actions of {game.name}; one begins with a pure strategy for each player."
            " Give a profile of zeros and ones."
        )


def first_memory(game: SequenceForm, start: Profile | None) -> MemoryState:
    """Return the memory that holds `start`, or everybody's first action everywhere."""
    if start is None:
        behaviour = pure_behaviour(game, np.zeros(len(game.num_actions), dtype=np.int64))
    else:
        behaviour = start.probabilities
    pools = tuple(plan[None, :] for plan in split(game, plans_of(game.block, behaviour)))
    return MemoryState.begin(game, pools, grown_payoffs(game, pools))


def least_gain(game: SequenceForm, subgame: SubgameSolver) -> float:
    """Return what must be gained in a round, in the game's unit: more than the subgame's solver misses."""
    return float(subgame.tolerance * largest_utility(game))


def settled(state: MemoryState, least_gain: float) -> MemoryState:
    """Return the memory, converged if nobody gains more than `least_gain` by a best response."""
    converged = state.gains.max() <= least_gain
    return dataclasses.replace(state, converged=True) if converged else state


def with_strategies(state: MemoryState, pools: tuple[Strategies, ...]) -> MemoryState:
    """Return the memory with `pools`, which begin with the present ones; new strategies have weight 0."""
    mixes = tuple(
        np.append(mix, np.zeros(len(pool) - len(mix)))
        for mix, pool in zip(state.mixes, pools, strict=True)
    )
    payoffs = grown_payoffs(state.game, pools, state.payoffs)
    return dataclasses.replace(state, strategies=pools, mixes=mixes, payoffs=payoffs)


def remixed(state: MemoryState, subgame: SubgameSolver) -> MemoryState:
    """Return the memory one round on, mixed as `subgame` does."""
    mixture = subgame(state.game.name, state.payoffs, state.basis)
    return dataclasses.replace(
        state,
        iteration=state.iteration + 1,
        mixes=mixture.mixes,
        basis=mixture.basis or state.basis,
    )


def split(game: SequenceForm, plan: Floats) -> tuple[Strategies, ...]:
    """Return each player's part of pure plans (S,): zeros and ones, (S_i,), the empty sequence first."""
    n = game.num_players
    return tuple(np.append(1.0, plan[n:][mine]).astype(np.int8) for mine in game.player_sequences)


def is_known(pool: Strategies, strategy: Strategies) -> bool:
    """Return whether a pool, (K_i, S_i), holds a strategy, (S_i,)."""
    return bool((pool == strategy).all(axis=1).any())
