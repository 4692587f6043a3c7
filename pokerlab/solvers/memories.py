"""Memories of strategies: the Nash Memory, the Parallel Nash Memory, and policy-space response oracles (PSRO).

A memory holds *pools* of the strategies encountered so far, and for each pool a *mixture* of them. N is the support of
the mixture, M the rest of the pool. In each round a search heuristic proposes *tests*, some of these join the pools,
and a subgame solver finds new mixtures.

- `NashMemory` (Ficici & Pollack 2003; Oliehoek, de Jong & Vlassis 2006, section 3) has one pool for both players of a
  symmetric zero-sum game. Each test that beats the mixture joins, so nothing in the pool ever beats it again.
- `ParallelNashMemory` (Oliehoek et al. 2006, section 4.2) has a pool for each player. The tests of a round join if
  together they beat the mixtures.
- `PSRO` (Lanctot et al. 2017) has a pool for each player, and adds every test, known or not. With Nash mixtures it is
  the Parallel Nash Memory, which is the double oracle of McMahan, Gordon & Blum (2003) in an extensive game; with
  uniform mixtures it is fictitious play.

In a compiled game strategies are realization plans, as a rule pure ones. In a symmetric game or a contest they are
vectors, and with a pool for each player both players begin with the same one.
"""

import dataclasses
from abc import ABC, abstractmethod
from collections.abc import Sequence
from dataclasses import dataclass
from functools import cached_property
from typing import Any, ClassVar, Generic, NamedTuple, TypeVar

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokerlab.core import (
    ConvergenceError,
    Floats,
    GameError,
    SettingError,
    ShapeError,
    checked_integer,
    checked_number,
    freeze,
    kernel,
)
from pokerlab.core.errors import quote_value
from pokerlab.core.settings import LARGEST_COUNT, check_items, has_method
from pokerlab.evolution.population.encoded_contest import EncodedContest
from pokerlab.games import Contest, Profile, SequenceForm
from pokerlab.games.symmetric import CompiledSymmetric, Strategies, SymmetricGame, self_play
from pokerlab.games.tree_passes import compute_behavior, compute_gradients, compute_plans
from pokerlab.solvers.linear_program import NO_BASIS, Statuses
from pokerlab.solvers.protocol import (
    check_compiled_game,
    check_start,
    checked_count,
    largest_utility,
)
from pokerlab.solvers.search import (
    LARGEST_TREMBLE,
    BestResponse,
    SearchHeuristic,
    check_heuristic,
    checked_behavior,
    checked_compiled,
    compute_utilities,
    make_start_behavior,
)
from pokerlab.solvers.subgame import (
    SubgameSolver,
    ZeroSumProgram,
    check_subgame_solver,
    extend_payoffs,
    extend_symmetric_payoffs,
)


class OpponentMixture(NamedTuple):
    """What the strategies of one pool play against."""

    strategies: Strategies  # (K, d)
    mixture: Floats  # (K,): probabilities of these strategies
    search_number: int  # another for each player and round: names the random numbers of the search


@dataclass(frozen=True, eq=False)
class MemoryState(ABC):
    """A memory after `iteration` rounds, with one pool for all players or one for each.

    Round 0 holds the start. A memory that has converged takes no more rounds.
    """

    GROWS: ClassVar[tuple[str, ...]] = ("",)

    game: Any  # a SequenceForm or, where strategies are vectors, a SymmetricGame
    iteration: int
    pools: tuple[Strategies, ...]  # (K_i, d_i): strategies in the order met
    payoffs: Floats  # (n, K_1, ..., K_n): what each player wins; in a symmetric memory (K, K)
    mixtures: tuple[Floats, ...]  # (K_i,): probabilities; positive in N, zero in M
    converged: bool  # whether nobody gains by a best response, apart from rounding, as far as one can be computed
    basis: tuple[Statuses, ...]  # where the subgame solver begins next time

    def __post_init__(self) -> None:
        pools, mixed = self.pool_sizes, tuple(len(mixture) for mixture in self.mixtures)
        lengths = tuple(pool.shape[1] for pool in self.pools)
        if isinstance(self.game, SequenceForm):
            expected = self.game.num_sequences
        else:
            expected = (self.game.start.size,) * len(pools)
        payoffs = self.payoffs.shape[-len(pools) :]
        if (lengths, mixed, payoffs) != (expected, pools, pools):
            raise ShapeError(
                f"a memory of {self.game.name} with {pools} strategies of {lengths} numbers has mixtures"
                f" of {mixed} and payoffs of shape {self.payoffs.shape}; all must fit."
            )
        freeze(self.payoffs, *self.pools, *self.mixtures, *self.basis)

    @property
    def support_sizes(self) -> tuple[int, ...]:
        """Number of strategies that each mixture plays: the size of N."""
        return tuple(int(np.count_nonzero(mixture)) for mixture in self.mixtures)

    @property
    def pool_sizes(self) -> tuple[int, ...]:
        """Number of strategies in each pool: the size of N and M together."""
        return tuple(len(pool) for pool in self.pools)

    @property
    def opponents(self) -> tuple[OpponentMixture, ...]:
        """For each pool what its strategies play against, in a symmetric game: the other pool, or the only one."""
        count = len(self.pools)
        return tuple(
            OpponentMixture(self.pools[k - 1], self.mixtures[k - 1], count * self.iteration + k)
            for k in range(count)
        )

    @cached_property
    def plan(self) -> Floats:
        """The mixtures as realization plans of all players, (S,), the empty sequences first."""
        plan = self.average_plans(self.mixtures)
        freeze(plan)
        return plan

    @abstractmethod
    def average_plans(self, mixtures: tuple[Floats, ...]) -> Floats:
        """Return the realization plans of all players, (S,), for any mixtures, (K_i,) each, of the pools."""

    @property
    @abstractmethod
    def gains(self) -> Floats:
        """What each player would gain by a best response in the whole game, one number a pool."""

    def evaluate_strategies(self, player: int, strategies: Strategies) -> Floats:
        """Return the expected payoffs, (T,), of a player's `strategies`, (T, d), against the opponent's mixture.

        The first player always comes first in `game.payoffs`, so that payoffs of both are computed alike.
        """
        opponent = self.opponents[player]
        support = opponent.mixture > 0.0
        played = opponent.strategies[support]
        pair = (strategies, played) if player == 0 else (played, strategies)
        payoffs = self.game.payoffs(*pair)
        return np.asarray((payoffs if player == 0 else -payoffs.T) @ opponent.mixture[support])


S = TypeVar("S", bound=MemoryState)


class Memory(ABC, Generic[S]):
    """What memories share: a start, a search heuristic, a subgame solver. `play_round` says which tests join."""

    STATE: ClassVar[type[MemoryState]]
    subgame: SubgameSolver = ZeroSumProgram()
    vanishing_weight: float = 0.0

    def __init__(
        self,
        game: SequenceForm | SymmetricGame | Contest,
        *,
        encoding: Any = None,
        heuristic: SearchHeuristic | None = None,
        start: Profile | ArrayLike | None = None,
    ) -> None:
        self.game: Any = checked_game(game, encoding, heuristic)
        self.heuristic: Any = BestResponse() if heuristic is None else heuristic
        check_heuristic(self.heuristic, self.game)
        self.start: Any = start
        if isinstance(self.game, SequenceForm):
            check_start(self.game, start)  # type: ignore[arg-type]
        elif start is not None:
            self.start = checked_strategy(self.game, start)  # type: ignore[arg-type]

    @property
    def exact(self) -> bool:
        """Whether best responses can be computed."""
        return isinstance(self.game, SequenceForm) or self.game.has_best_responses

    @abstractmethod
    def init(self) -> S:
        """Return the memory that holds the start."""

    def step(self, state: S, count: int = 1) -> S:
        """Return the memory `count` rounds after `state`, or where it converged before."""
        for _ in range(checked_count(self.game, state, count, self.STATE)):
            if state.converged:
                break
            state = self.play_round(state)
        return state

    @abstractmethod
    def play_round(self, state: S) -> S:
        """Return the memory after one round."""

    def propose_tests(self, state: S) -> Any:
        """Return the heuristic's tests, T: a strategy of every player, (S - n,), or, as vectors, (T, d) a pool."""
        tests = self.heuristic(state)
        if isinstance(self.game, SequenceForm):
            return checked_behavior(self.heuristic, self.game, tests, pure=False)
        per_pool = [tests] if len(state.pools) == 1 else tests
        return [np.atleast_2d(self.game.checked_strategies(each)) for each in per_pool]


def checked_game(game: Any, encoding: Any, heuristic: Any) -> Any:
    """Return the game in which a memory searches: of a contest, the symmetric game between genomes."""
    if isinstance(game, Contest):
        if heuristic is None:
            raise SettingError(
                f"{game.name} is a contest and has no exact best response. Give a heuristic=, such as"
                " solvers.Mutants(seed=1, offspring=10)."
            )
        return EncodedContest(game, encoding)
    if not has_method(game, "draw_mutant"):
        check_compiled_game(game)  # its error says what a game is
    if encoding is not None:
        raise SettingError(
            f"encoding is {quote_value(encoding)}, which is for contests; strategies of {game.name} are its own."
        )
    return game


def checked_strategy(game: SymmetricGame, start: ArrayLike) -> Strategies:
    """Return the one strategy, (d,), of a symmetric game that a memory begins with."""
    strategy = game.checked_strategies(start)
    if strategy.ndim != 1:
        raise ShapeError(
            f"the start has shape {strategy.shape}; a memory begins with one strategy, (d,)."
        )
    return strategy


# One pool: the Nash Memory.

TOLERANCE = 1e-11
"""A winner gains more, in the game's unit; below lies the rounding of the linear program."""


@dataclass(frozen=True, eq=False)
class NashMemoryState(MemoryState):
    """A symmetric memory after `iteration` rounds: one pool for both players.

    A round takes tests, and if some win it adds these and solves the subgame; round 0 holds the start.
    """

    last_used: NDArray[np.int64]  # (K,): the last round in N, or the round of joining

    def __post_init__(self) -> None:
        if len(self.pools) != 1 or self.payoffs.shape != 2 * self.last_used.shape:
            raise ShapeError(
                f"a symmetric memory with {self.pool_sizes} strategies has payoffs of shape {self.payoffs.shape} and"
                f" {len(self.last_used)} rounds of last use; all must fit."
            )
        super().__post_init__()
        freeze(self.last_used)

    @property
    def strategies(self) -> Strategies:
        """The strategies in memory, (K, d), in the order met."""
        return self.pools[0]

    @property
    def mixture(self) -> Floats:
        """Their probabilities, (K,)."""
        return self.mixtures[0]

    @property
    def support(self) -> NDArray[np.intp]:
        """N: the indices of the strategies that the mixture plays."""
        return np.flatnonzero(self.mixture)

    @property
    def memory(self) -> NDArray[np.intp]:
        """M: the indices of the strategies that are kept without being played."""
        return np.flatnonzero(self.mixture == 0.0)

    @property
    def support_size(self) -> int:
        """Number of strategies that the mixture plays."""
        return len(self.support)

    @property
    def pool_size(self) -> int:
        """Number of strategies in memory: N and M together."""
        return len(self.mixture)

    @cached_property
    def best_response(self) -> Strategies:
        """A strategy, (d,), that wins most against the mixture."""
        best: Strategies = self.game.best_response(self.strategies, self.mixture)
        freeze(best)
        return best

    @cached_property
    def gains(self) -> Floats:
        """What a best response wins from the mixture, (1,)."""
        return self.evaluate_strategies(0, self.best_response[None, :])

    @property
    def security_level(self) -> float:
        """What the mixture wins at least: zero at an equilibrium, else less."""
        return 0.0 - float(self.gains[0])

    def average_plans(self, mixtures: tuple[Floats, ...]) -> Floats:
        """Return the realization plans, (S,), when both play a mixture, in a game made from a compiled one."""
        return checked_compiled(self.game).average_plans(self.strategies, *mixtures)

    @cached_property
    def profile(self) -> Profile:
        """The behavior of the mixture in both roles, in a game made from a compiled one."""
        game = checked_compiled(self.game).game
        return Profile.from_unchecked(game, compute_behavior(game.block, self.plan))


class NashMemory(Memory[NashMemoryState]):
    """The memory of a symmetric zero-sum game, with a heuristic and perhaps a bound.

    Without a bound nothing encountered ever beats the mixture again, and with best responses the memory finds an
    equilibrium in finitely many rounds. With a bound neither is sure.

    Parameters
    ----------
    game : SymmetricGame, SequenceForm or Contest
        Such as `games.compound(game)` or `games.intransitive_numbers()`; a compiled game that is
        symmetric itself, such as rock-paper-scissors, may be given as it is.
    encoding : RealVector, optional
        In a contest: what genomes are, such as `strategies.RealVector(5)`.
    heuristic : SearchHeuristic, optional
        Where tests come from; `BestResponse()` if left out. A contest has no exact best response and needs another.
    capacity : int, optional
        The most strategies N and M hold together. What has not been in N for longest is dropped first,
        and of those what was met first; strategies in N are not dropped, and an error says if there are more.
    start : array_like of shape (d,), optional
        The strategy in N at first; the game's `start` if left out.

    Examples
    --------
    >>> import pokerlab as pl
    >>> memory = NashMemory(pl.games.biased_rps())
    >>> state = memory.step(memory.init(), 10)
    >>> state.converged, state.iteration, (16 * state.mixture).round(9).tolist()
    (True, 2, [1.0, 10.0, 5.0])
    """

    STATE = NashMemoryState

    def __init__(
        self,
        game: SymmetricGame | SequenceForm | Contest,
        *,
        encoding: Any = None,
        heuristic: SearchHeuristic | None = None,
        capacity: int | None = None,
        start: ArrayLike | None = None,
    ) -> None:
        symmetric = self_play(game) if isinstance(game, SequenceForm) else game
        super().__init__(symmetric, encoding=encoding, heuristic=heuristic, start=start)
        if isinstance(self.game, CompiledSymmetric):
            check_compiled_game(self.game.game)
        if capacity is not None:
            checked_integer("capacity", capacity, 1, LARGEST_COUNT)
        self.capacity = capacity

    def init(self) -> NashMemoryState:
        """Return the memory that holds the start."""
        start = self.game.start if self.start is None else self.start
        state = NashMemoryState(
            game=self.game,
            iteration=0,
            pools=(start[None, :].copy(),),
            payoffs=np.zeros((1, 1)),
            mixtures=(np.ones(1),),
            converged=False,
            basis=(NO_BASIS, NO_BASIS),
            last_used=np.zeros(1, dtype=np.int64),
        )
        return mark_convergence(state)

    def play_round(self, state: NashMemoryState) -> NashMemoryState:
        """Return the memory after one round: tests, winners, and if there are any a new mixture."""
        (tests,) = self.propose_tests(state)
        winners = self.select_winners(state, tests)
        if len(winners):
            return self.solve_subgame(self.add_strategies(state, winners))
        return count_round(state)

    def select_winners(self, state: NashMemoryState, tests: Strategies) -> Strategies:
        """Return W, the tests t with E(t, mixture) > 0, (W, d), without those that are in memory already."""
        beating = tests[state.evaluate_strategies(0, tests) > TOLERANCE]
        new: dict[bytes, Any] = {test.tobytes(): test for test in beating}
        for known in state.strategies:
            new.pop(known.astype(tests.dtype).tobytes(), None)
        return np.array(list(new.values())).reshape(len(new), tests.shape[1])

    def add_strategies(self, state: NashMemoryState, winners: Strategies) -> NashMemoryState:
        """Return the memory with the winners, (W, d), which have weight 0 as yet."""
        strategies = np.vstack([state.strategies, winners.astype(state.strategies.dtype)])
        joined = np.full(len(winners), state.iteration + 1)
        return dataclasses.replace(
            state,
            pools=(strategies,),
            payoffs=extend_symmetric_payoffs(self.game, strategies, winners, state.payoffs),
            mixtures=(np.append(state.mixture, np.zeros(len(winners))),),
            last_used=np.append(state.last_used, joined),
        )

    def solve_subgame(self, state: NashMemoryState) -> NashMemoryState:
        """Return the memory one round on: the mixture solves the subgame, and no more than allowed is kept."""
        solution = self.subgame.solve(state.payoffs[None], state.basis, name=self.game.name)
        solved = count_round(
            dataclasses.replace(state, mixtures=solution.mixtures[:1], basis=solution.basis)
        )
        if self.capacity is not None:
            solved = drop_strategies(solved, self.capacity)
        return mark_convergence(solved)


def count_round(state: NashMemoryState) -> NashMemoryState:
    """Return the memory with one more round done, in which the mixture was used."""
    iteration = state.iteration + 1
    last_used = np.where(state.mixture > 0.0, iteration, state.last_used)
    return dataclasses.replace(state, iteration=iteration, last_used=last_used)


def mark_convergence(state: NashMemoryState) -> NashMemoryState:
    """Return the memory, converged where nothing beats the mixture and best responses can tell.

    What strategies in memory gain is the linear program's rounding; a best response that gains no more gains nothing.
    """
    if not state.game.has_best_responses:
        return state
    in_memory = float((state.mixture @ state.payoffs).min())
    converged = state.security_level >= in_memory - TOLERANCE
    return dataclasses.replace(state, converged=True) if converged else state


def drop_strategies(state: NashMemoryState, capacity: int) -> NashMemoryState:
    """Return the memory without what has not been in N for longest, where it holds more than `capacity`."""
    if state.support_size > capacity:
        raise SettingError(
            f"in round {state.iteration} the mixture of {state.game.name} needs {state.support_size} strategies; the"
            f" memory holds {capacity}. Give a capacity of at least {state.support_size}, or None for no bound."
        )
    excess = state.pool_size - capacity
    if excess <= 0:
        return state
    idle = state.memory
    oldest = idle[np.argsort(state.last_used[idle], kind="stable")][:excess]
    kept = np.delete(np.arange(state.pool_size), oldest)
    return dataclasses.replace(
        state,
        pools=(state.strategies[kept],),
        payoffs=state.payoffs[np.ix_(kept, kept)],
        mixtures=(state.mixture[kept],),
        last_used=state.last_used[kept],
        basis=(NO_BASIS, NO_BASIS),  # a basis without some of its strategies may be none
    )


def compare_mixtures(states: Sequence[NashMemoryState]) -> Floats:
    """Return what the mixture of each state wins against the mixture of each other, (k, k).

    With the states of one run in order, what lies below the diagonal is the present against the past:
    for a memory without a bound it is never negative.
    """
    check_items("states", states, NashMemoryState, "a list of what NashMemory.step() returned")
    if len(states) == 0:
        return np.zeros((0, 0))
    game = states[0].game
    for state in states:
        if state.game.fingerprint != game.fingerprint:
            raise GameError(
                f"mixtures are compared in one game; these states belong to {game.name} and {state.game.name}."
            )
    played = [state.strategies[state.support] for state in states]
    mixtures = [state.mixture[state.support] for state in states]
    payoffs = np.zeros((len(states), len(states)))
    for i in range(len(states)):
        for j in range(i):
            payoffs[i, j] = mixtures[i] @ game.payoffs(played[i], played[j]) @ mixtures[j]
    return payoffs - payoffs.T


# A pool for each player: the Parallel Nash Memory and PSRO.


@dataclass(frozen=True, eq=False)
class ParallelMemoryState(MemoryState):
    """A memory after `iteration` rounds, with a pool for each player."""

    def average_plans(self, mixtures: tuple[Floats, ...]) -> Floats:
        """Return the realization plans, (S,), of any mixtures, (K_i,) each, of the pools, in a compiled game.

        Averages weigh each strategy by its probability of having led to an information set (section 5).
        """
        check_compiled_game(self.game)
        parts = [
            average_plan(pool, mixture)[1:]
            for pool, mixture in zip(self.pools, mixtures, strict=True)
        ]
        return np.concatenate([np.ones(len(parts)), *parts])

    @cached_property
    def profile(self) -> Profile:
        """The behavior of the mixtures; uniform at information sets that they never reach."""
        check_compiled_game(self.game)
        return Profile.from_unchecked(self.game, compute_behavior(self.game.block, self.plan))

    @cached_property
    def values(self) -> Floats:
        """What each player wins when all play their mixtures, (n,)."""
        values = self.payoffs
        for mixture in reversed(self.mixtures):
            values = values @ mixture
        return np.asarray(values)

    @property
    def value(self) -> float:
        """What player 1 wins when all play their mixtures; in a zero-sum game the value of the subgame."""
        return float(self.values[0])

    @cached_property
    def gains(self) -> Floats:
        """What each player would gain by a best response in the whole game, (n,)."""
        if isinstance(self.game, SequenceForm):
            return self.game.gains(self.profile)
        best = [
            self.evaluate_strategies(player, self.game.best_response(*opponent[:2])[None, :])[0]
            for player, opponent in enumerate(self.opponents)
        ]
        return np.array(best) - self.values

    @property
    def security_levels(self) -> tuple[float, ...]:
        """What each player's mixture wins at least, in a two-player zero-sum or constant-sum game."""
        total = self.game.payoff_sum if isinstance(self.game, SequenceForm) else 0.0
        if len(self.mixtures) != 2 or total is None:
            raise GameError(
                f"security levels follow from best responses in two-player zero-sum games only;"
                f" {self.game.name} is another. Use gains."
            )
        first, second = total - (self.values[::-1] + self.gains[::-1])
        return float(first), float(second)


@kernel
def average_plan(pool: Strategies, mixture: Floats) -> Floats:
    """Return the realization plan, (S_i,), of a mixture, (K_i,), of a pool, (K_i, S_i)."""
    plan = np.zeros(pool.shape[1])
    for k in range(pool.shape[0]):
        if mixture[k] > 0.0:
            for q in range(pool.shape[1]):
                plan[q] += mixture[k] * pool[k, q]
    return plan


class ParallelMemory(Memory[ParallelMemoryState]):
    """A memory with a pool for each player."""

    STATE = ParallelMemoryState

    def __init__(
        self,
        game: SequenceForm | SymmetricGame | Contest,
        *,
        subgame: SubgameSolver,
        encoding: Any = None,
        heuristic: SearchHeuristic | None = None,
        start: Profile | ArrayLike | None = None,
        vanishing_weight: float = 0.0,
    ) -> None:
        checked_number("vanishing_weight", vanishing_weight, 0.0, LARGEST_TREMBLE)
        super().__init__(game, encoding=encoding, heuristic=heuristic, start=start)
        check_subgame_solver(subgame, self.game)
        self.subgame, self.vanishing_weight = subgame, vanishing_weight

    @property
    def least_gain(self) -> float:
        """What tests must gain in a round, in the game's unit: more than the subgame solver misses."""
        return float(self.subgame.tolerance * largest_utility(self.game))

    def init(self) -> ParallelMemoryState:
        """Return the memory that holds the start."""
        game, start = self.game, self.start
        if isinstance(game, SequenceForm):
            tests = make_start_behavior(game, start)
        else:
            tests = np.stack([game.start if start is None else start] * 2)
        pools = tuple(strategy[None, :] for strategy in self.split_tests(tests))
        state = ParallelMemoryState(
            game=game,
            iteration=0,
            pools=pools,
            payoffs=extend_payoffs(game, pools),
            mixtures=tuple(np.ones(1) for _ in pools),
            converged=False,
            basis=(NO_BASIS,) * len(pools),
        )
        return self.mark_convergence(state)

    def propose_tests(self, state: ParallelMemoryState) -> Any:
        """Return the heuristic's tests, T: a strategy of every player, (S - n,), or, as vectors, (2, d).

        The heuristic sees mixtures in which all strategies met share the vanishing weight.
        """
        weight = self.vanishing_weight
        if not weight:
            return self.run_heuristic(state, state)
        mixtures = tuple(
            (1.0 - weight) * mixture + weight / len(mixture) for mixture in state.mixtures
        )
        return self.run_heuristic(state, dataclasses.replace(state, mixtures=mixtures))

    def run_heuristic(self, state: ParallelMemoryState, shown: ParallelMemoryState) -> Any:
        """Return the tests that the heuristic proposes when it is `shown` a state.

        Where strategies are vectors, the one of a player's tests that wins most against `state` is taken.
        """
        tests = super().propose_tests(shown)
        if isinstance(self.game, SequenceForm):
            return tests
        return np.stack(
            [
                each[np.argmax(state.evaluate_strategies(player, each))]
                for player, each in enumerate(tests)
            ]
        )

    def split_tests(self, tests: Any) -> tuple[Strategies, ...]:
        """Return each player's strategy, (d_i,): of a behavior, (S - n,), the plans; of vectors, (2, d), the rows."""
        if not isinstance(self.game, SequenceForm):
            return tuple(tests)
        plan, n = compute_plans(self.game.block, tests), self.game.num_players
        return tuple(np.append(1.0, plan[n:][own]) for own in self.game.player_sequences)

    def extend_pools(
        self, state: ParallelMemoryState, pools: tuple[Strategies, ...]
    ) -> ParallelMemoryState:
        """Return the memory with `pools`, which begin with the present ones; new strategies have weight 0."""
        mixtures = tuple(
            np.append(mixture, np.zeros(len(pool) - len(mixture)))
            for mixture, pool in zip(state.mixtures, pools, strict=True)
        )
        payoffs = extend_payoffs(self.game, pools, state.payoffs)
        return dataclasses.replace(state, pools=pools, mixtures=mixtures, payoffs=payoffs)

    def solve_subgame(self, state: ParallelMemoryState) -> ParallelMemoryState:
        """Return the memory one round on, with the mixtures of the subgame solver."""
        solution = self.subgame.solve(state.payoffs, state.basis, name=self.game.name)
        return self.mark_convergence(
            dataclasses.replace(
                state,
                iteration=state.iteration + 1,
                mixtures=solution.mixtures,
                basis=solution.basis or state.basis,
            )
        )

    def mark_convergence(self, state: ParallelMemoryState) -> ParallelMemoryState:
        """Return the memory, converged if nobody gains more than `least_gain` by a best response."""
        converged = self.exact and state.gains.max() <= self.least_gain
        return dataclasses.replace(state, converged=True) if converged else state


ROUNDING = 1e-6
"""By how much known strategies may beat the mixtures of a solved subgame, in units of the largest utility."""


class ParallelNashMemory(ParallelMemory):
    """The memory with a pool for each player, a search heuristic and a way to solve subgames.

    With the exact best response it finds an equilibrium in finitely many rounds.

    Parameters
    ----------
    game : SequenceForm, SymmetricGame or Contest
        Two players, zero-sum or constant-sum; others with a `subgame` solver that is made for them.
    encoding : RealVector, optional
        In a contest: what genomes are.
    heuristic : SearchHeuristic, optional
        Where tests come from; `BestResponse()` if left out. In a symmetric game or a contest the best of a
        player's tests counts.
    subgame : SubgameSolver, optional
        How mixtures are found; the paper's linear program, `ZeroSumProgram()`, if left out.
    start : Profile or array_like, optional
        The strategies in N at first; everybody's first action (in poker: pass, fold) if left out. In a symmetric game
        one strategy, (d,), for both.
    vanishing_weight : float
        What all strategies met share in the mixtures that the heuristic sees, 0 to 0.1. A little decides what a best
        response does where the mixtures never lead; a best response that would cost is sought again without it.

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
        heuristic: SearchHeuristic | None = None,
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

    def play_round(self, state: ParallelMemoryState) -> ParallelMemoryState:
        """Return the memory after one round.

        Raises
        ------
        ConvergenceError
            If strategies that the memory holds already beat its mixtures.
        """
        tests = self.propose_tests(state)
        gain = self.measure_gain(state, tests)
        if not gain > self.least_gain:
            return dataclasses.replace(state, iteration=state.iteration + 1)
        extended = self.add_tests(state, tests)
        if extended.pool_sizes == state.pool_sizes:
            if not self.exact:
                return dataclasses.replace(state, iteration=state.iteration + 1)
            self.check_rounding(gain)
            return dataclasses.replace(state, converged=True)
        return self.solve_subgame(extended)

    def propose_tests(self, state: ParallelMemoryState) -> Any:
        """Return the heuristic's tests; if they do not win, those without the vanishing weight."""
        tests = super().propose_tests(state)
        if not self.vanishing_weight or self.measure_gain(state, tests) > self.least_gain:
            return tests
        return self.run_heuristic(state, state)

    def measure_gain(self, state: ParallelMemoryState, tests: Any) -> float:
        """Return what the tests win together against the mixtures, as one compound strategy.

        E(T, N) = sum over players of u_i(T_i, the others' mixtures) - u_i(mixtures) (section 4.2).
        """
        if not isinstance(self.game, SequenceForm):
            gains = [
                state.evaluate_strategies(player, test[None, :])[0]
                for player, test in enumerate(tests)
            ]
            return float(sum(gains))
        plan = compute_plans(self.game.block, tests)
        utilities = compute_utilities(
            self.game, plan, compute_gradients(self.game.block, state.plan)
        )
        return float((utilities - state.values).sum())

    def add_tests(self, state: ParallelMemoryState, tests: Any) -> ParallelMemoryState:
        """Return the memory that holds `tests` too, with their payoffs; a pool holds nothing twice."""
        pools = tuple(
            pool if (pool == test).all(axis=1).any() else np.vstack([pool, test])
            for pool, test in zip(state.pools, self.split_tests(tests), strict=True)
        )
        return self.extend_pools(state, pools)

    def check_rounding(self, gain: float) -> None:
        """Check that known strategies beat the mixtures by no more than rounding."""
        if gain > ROUNDING * largest_utility(self.game):
            raise ConvergenceError(
                f"strategies that the memory holds already win {gain:.3g} {self.game.unit} against its mixtures in"
                f" {self.game.name}: {type(self.subgame).__name__} did not find an equilibrium of the subgame. If it"
                " is not meant to, use solvers.PSRO; otherwise payoffs may differ too much in size: scale them."
            )


class PSRO(ParallelMemory):
    """A memory in which every player adds a strategy in every round, known or not, and all mix anew.

    Parameters
    ----------
    game : SequenceForm, SymmetricGame or Contest
        Any game that `subgame` can mix for.
    subgame : SubgameSolver
        The meta-strategy: how strategies are mixed, such as `UniformMixture()`, `ZeroSumProgram()` or
        `ProjectedReplicator()`.
    encoding, heuristic, start
        As in `ParallelNashMemory`; the heuristic is the oracle, where new strategies come from.
    vanishing_weight : float
        What all strategies met share in the mixtures that the oracle sees, as in `ParallelNashMemory`.
    """

    def play_round(self, state: ParallelMemoryState) -> ParallelMemoryState:
        """Return the memory after one round."""
        tests = self.split_tests(self.propose_tests(state))
        pools = tuple(
            np.vstack([pool, test]) for pool, test in zip(state.pools, tests, strict=True)
        )
        return self.solve_subgame(self.extend_pools(state, pools))
