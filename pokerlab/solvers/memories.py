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
    find_largest_utility,
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
    """The mixture of strategies that one pool's strategies play against.

    Attributes
    ----------
    strategies : array of shape (K, d)
        The opponent's strategies.
    mixture : array of shape (K,)
        Their probabilities.
    search_index : int
        Another one for each player and round, so that searches in both draw different random numbers.
    """

    strategies: Strategies
    mixture: Floats
    search_index: int


@dataclass(frozen=True, eq=False)
class MemoryState(ABC):
    """A memory after `iteration` rounds, with one pool for all players or one for each.

    Round 0 holds the start. A memory that has converged takes no more rounds.

    Attributes
    ----------
    game : SequenceForm or SymmetricGame
        The game; in a symmetric game strategies are vectors.
    iteration : int
        The number of rounds.
    pools : tuple of arrays of shape (K_i, d_i)
        The strategies of each pool, in the order in which they joined.
    payoffs : array of shape (n, K_1, ..., K_n)
        The payoff of each player for each choice of strategies; in a symmetric memory of shape (K, K).
    mixtures : tuple of arrays of shape (K_i,)
        The probabilities of each pool's strategies, positive in N and zero in M.
    converged : bool
        Whether no player gains by a best response, apart from rounding, as far as one can be computed.
    basis : tuple
        The statuses from which the subgame solver begins next time.
    """

    GROWS: ClassVar[tuple[str, ...]] = ("",)

    game: Any
    iteration: int
    pools: tuple[Strategies, ...]
    payoffs: Floats
    mixtures: tuple[Floats, ...]
    converged: bool
    basis: tuple[Statuses, ...]

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
        """The number of strategies that each mixture plays: the size of N."""
        return tuple(int(np.count_nonzero(mixture)) for mixture in self.mixtures)

    @property
    def pool_sizes(self) -> tuple[int, ...]:
        """The number of strategies in each pool: the size of N and M together."""
        return tuple(len(pool) for pool in self.pools)

    @property
    def opponents(self) -> tuple[OpponentMixture, ...]:
        """The opponents of each pool in a symmetric game: the mixture of the other pool, or of the same one."""
        num_pools = len(self.pools)
        return tuple(
            OpponentMixture(
                self.pools[pool - 1], self.mixtures[pool - 1], num_pools * self.iteration + pool
            )
            for pool in range(num_pools)
        )

    @cached_property
    def plan(self) -> Floats:
        """The realization plans of all players when they play their mixtures, the empty sequences first."""
        plan = self.mix_pool_plans(self.mixtures)
        freeze(plan)
        return plan

    @abstractmethod
    def mix_pool_plans(self, mixtures: tuple[Floats, ...]) -> Floats:
        """Return the realization plans of all players when they play some mixtures of their pools.

        Parameters
        ----------
        mixtures : tuple of arrays of shape (K_i,)
            The probabilities of each pool's strategies.

        Returns
        -------
        array of shape (S,)
            The empty sequences come first.
        """

    @property
    @abstractmethod
    def gains(self) -> Floats:
        """The gain of each player by a best response in the whole game; in a symmetric memory one number."""

    def evaluate_strategies(self, player: int, strategies: Strategies) -> Floats:
        """Return the expected payoffs of a player's strategies against the opponent's mixture.

        The first player always comes first in `game.payoffs`, so that payoffs of both are computed alike.

        Parameters
        ----------
        player : int
            The player's index.
        strategies : array of shape (T, d)
            Strategies of the player.

        Returns
        -------
        array of shape (T,)
            The payoff of each strategy.
        """
        opponent = self.opponents[player]
        is_played = opponent.mixture > 0.0
        played, weights = opponent.strategies[is_played], opponent.mixture[is_played]
        if player == 0:
            return np.asarray(self.game.payoffs(strategies, played) @ weights)
        return np.asarray(-self.game.payoffs(played, strategies).T @ weights)


S = TypeVar("S", bound=MemoryState)


class Memory(ABC, Generic[S]):
    """The base of all memories: a start, a search heuristic and a subgame solver.

    A subclass decides in `play_round` which tests join.
    """

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
        self.game: Any = choose_game(game, encoding, heuristic)
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
        """Return the tests that the heuristic proposes.

        Returns
        -------
        array of shape (S - n,) or list of arrays of shape (T, d)
            In a compiled game the behavior of one strategy for every player. Where strategies are vectors, T of them
            for each pool.
        """
        tests = self.heuristic(state)
        if isinstance(self.game, SequenceForm):
            return checked_behavior(self.heuristic, self.game, tests, pure=False)
        tests_by_pool = [tests] if len(state.pools) == 1 else tests
        return [np.atleast_2d(self.game.checked_strategies(vectors)) for vectors in tests_by_pool]


def choose_game(game: Any, encoding: Any, heuristic: Any) -> Any:
    """Return the game in which a memory searches; for a contest, the symmetric game between genomes.

    Returns
    -------
    SequenceForm or SymmetricGame
        An `EncodedContest` if the game is a contest, else the game itself.

    Raises
    ------
    SettingError
        If a contest has no heuristic, or another game an encoding.
    """
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
    """Return the first strategy of a memory of a symmetric game; raise if it is not one strategy."""
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

    Attributes
    ----------
    last_used : array of shape (K,)
        For each strategy the last round in which it was in N, or the round in which it joined.
    """

    last_used: NDArray[np.int64]

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
        """The strategies in the pool, one in each row, in the order in which they joined."""
        return self.pools[0]

    @property
    def mixture(self) -> Floats:
        """The probability of each strategy."""
        return self.mixtures[0]

    @property
    def support(self) -> NDArray[np.intp]:
        """The indices of the strategies that the mixture plays: the set N."""
        return np.flatnonzero(self.mixture)

    @property
    def memory(self) -> NDArray[np.intp]:
        """The indices of the strategies that are stored but not played: the set M."""
        return np.flatnonzero(self.mixture == 0.0)

    @property
    def support_size(self) -> int:
        """The number of strategies that the mixture plays."""
        return len(self.support)

    @property
    def pool_size(self) -> int:
        """The number of strategies in the pool: N and M together."""
        return len(self.mixture)

    @cached_property
    def best_response(self) -> Strategies:
        """A strategy that wins most against the mixture."""
        best: Strategies = self.game.best_response(self.strategies, self.mixture)
        freeze(best)
        return best

    @cached_property
    def gains(self) -> Floats:
        """The payoff of a best response against the mixture, as an array of one number."""
        return self.evaluate_strategies(0, self.best_response[None, :])

    @property
    def security_level(self) -> float:
        """The least that the mixture wins: zero at an equilibrium, else less."""
        return 0.0 - float(self.gains[0])

    def mix_pool_plans(self, mixtures: tuple[Floats, ...]) -> Floats:
        """Return the realization plans of both players when both play a mixture, in a game made from a compiled one."""
        return checked_compiled(self.game).mix_pool_plans(self.strategies, *mixtures)

    @cached_property
    def profile(self) -> Profile:
        """The behavior of the mixture in both roles, in a game made from a compiled one."""
        game = checked_compiled(self.game).game
        return Profile.from_unchecked(game, compute_behavior(game.block, self.plan))


class NashMemory(Memory[NashMemoryState]):
    """The Nash Memory of a symmetric zero-sum game, with a search heuristic and perhaps a bound on its size.

    Without a bound nothing encountered ever beats the mixture again, and with best responses the memory finds an
    equilibrium in finitely many rounds. With a bound neither is certain.

    Parameters
    ----------
    game : SymmetricGame, SequenceForm or Contest
        Such as `games.compound(game)` or `games.intransitive_numbers()`; a compiled game that is
        symmetric itself, such as rock-paper-scissors, may be given as it is.
    encoding : RealVector, optional
        The encoding of a contest's strategies, such as `strategies.RealVector(5)`.
    heuristic : SearchHeuristic, optional
        Proposes tests; `BestResponse()` if left out. A contest has no exact best response and needs another.
    capacity : int, optional
        The largest number of strategies in N and M together. Those that have not been in N for longest are dropped
        first, and of these the earliest; strategies in N are not dropped, and an error says if there are more.
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
        """Return the winners W among the tests: those that win from the mixture and are not in the pool yet."""
        winners = tests[state.evaluate_strategies(0, tests) > TOLERANCE]
        new: dict[bytes, Any] = {winner.tobytes(): winner for winner in winners}
        for known in state.strategies:
            new.pop(known.astype(tests.dtype).tobytes(), None)
        return np.array(list(new.values())).reshape(len(new), tests.shape[1])

    def add_strategies(self, state: NashMemoryState, winners: Strategies) -> NashMemoryState:
        """Return the memory whose pool holds the winners as well, with probability 0 as yet."""
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
        """Return the memory after one more round: the mixture solves the subgame, within the memory's capacity."""
        solution = self.subgame.solve(state.payoffs[None], state.basis, name=self.game.name)
        solved = count_round(
            dataclasses.replace(state, mixtures=solution.mixtures[:1], basis=solution.basis)
        )
        if self.capacity is not None:
            solved = drop_strategies(solved, self.capacity)
        return mark_convergence(solved)


def count_round(state: NashMemoryState) -> NashMemoryState:
    """Return the memory after one more round, in which its mixture was used."""
    iteration = state.iteration + 1
    last_used = np.where(state.mixture > 0.0, iteration, state.last_used)
    return dataclasses.replace(state, iteration=iteration, last_used=last_used)


def mark_convergence(state: NashMemoryState) -> NashMemoryState:
    """Return the memory, marked as converged if best responses can be computed and none wins from the mixture.

    Strategies of the pool win from the mixture only by the rounding of the linear program. A best response that
    wins no more than they do wins nothing.
    """
    if not state.game.has_best_responses:
        return state
    least_in_pool = float((state.mixture @ state.payoffs).min())
    converged = state.security_level >= least_in_pool - TOLERANCE
    return dataclasses.replace(state, converged=True) if converged else state


def drop_strategies(state: NashMemoryState, capacity: int) -> NashMemoryState:
    """Return the memory without the strategies above its capacity, those that have been out of N for longest."""
    if state.support_size > capacity:
        raise SettingError(
            f"in round {state.iteration} the mixture of {state.game.name} needs {state.support_size} strategies; the"
            f" memory holds {capacity}. Give a capacity of at least {state.support_size}, or None for no bound."
        )
    excess = state.pool_size - capacity
    if excess <= 0:
        return state
    unplayed = state.memory
    oldest = unplayed[np.argsort(state.last_used[unplayed], kind="stable")][:excess]
    remaining = np.delete(np.arange(state.pool_size), oldest)
    return dataclasses.replace(
        state,
        pools=(state.strategies[remaining],),
        payoffs=state.payoffs[np.ix_(remaining, remaining)],
        mixtures=(state.mixture[remaining],),
        last_used=state.last_used[remaining],
        basis=(NO_BASIS, NO_BASIS),  # a basis without some of its strategies may be none
    )


def compare_mixtures(states: Sequence[NashMemoryState]) -> Floats:
    """Return the payoff of each state's mixture against the mixture of each other state.

    With the states of one run in order, the entries below the diagonal have the present against the past:
    for a memory without a bound they are never negative.

    Parameters
    ----------
    states : list of NashMemoryState
        States of the same game.

    Returns
    -------
    array of shape (k, k)
        What the mixture of the row's state wins from that of the column's.
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

    def mix_pool_plans(self, mixtures: tuple[Floats, ...]) -> Floats:
        """Return the realization plans of all players when they play some mixtures of their pools.

        At an information set a strategy counts by its probability of having led there (section 5).
        """
        check_compiled_game(self.game)
        plans = [
            mix_plans(pool, mixture)[1:] for pool, mixture in zip(self.pools, mixtures, strict=True)
        ]
        return np.concatenate([np.ones(len(plans)), *plans])

    @cached_property
    def profile(self) -> Profile:
        """The behavior of the mixtures; uniform at information sets that they never reach."""
        check_compiled_game(self.game)
        return Profile.from_unchecked(self.game, compute_behavior(self.game.block, self.plan))

    @cached_property
    def values(self) -> Floats:
        """The payoff of each player when all play their mixtures."""
        values = self.payoffs
        for mixture in reversed(self.mixtures):
            values = values @ mixture
        return np.asarray(values)

    @property
    def value(self) -> float:
        """The payoff of player 1 when all play their mixtures; in a zero-sum game the value of the subgame."""
        return float(self.values[0])

    @cached_property
    def gains(self) -> Floats:
        """The gain of each player by a best response in the whole game."""
        if isinstance(self.game, SequenceForm):
            return self.game.gains(self.profile)
        best_values = []
        for player, opponent in enumerate(self.opponents):
            response = self.game.best_response(opponent.strategies, opponent.mixture)
            best_values.append(self.evaluate_strategies(player, response[None, :])[0])
        return np.array(best_values) - self.values

    @property
    def security_levels(self) -> tuple[float, ...]:
        """The least that each player's mixture wins, in a two-player zero-sum or constant-sum game."""
        total = self.game.payoff_sum if isinstance(self.game, SequenceForm) else 0.0
        if len(self.mixtures) != 2 or total is None:
            raise GameError(
                f"security levels follow from best responses in two-player zero-sum games only;"
                f" {self.game.name} is another. Use gains."
            )
        first, second = total - (self.values[::-1] + self.gains[::-1])
        return float(first), float(second)


@kernel
def mix_plans(pool: Strategies, mixture: Floats) -> Floats:
    """Return the realization plan of a mixture of one player's strategies.

    Parameters
    ----------
    pool : array of shape (K, S)
        In each row the realization plan of one strategy.
    mixture : array of shape (K,)
        The probability of each strategy.
    """
    num_strategies, num_sequences = pool.shape
    plan = np.zeros(num_sequences)
    for strategy in range(num_strategies):
        if mixture[strategy] > 0.0:
            for sequence in range(num_sequences):
                plan[sequence] += mixture[strategy] * pool[strategy, sequence]
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
        """The least gain of tests in a round, in the game's unit: what the subgame solver may miss."""
        return float(self.subgame.tolerance * find_largest_utility(self.game))

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
        """Return the tests that the heuristic proposes against mixtures with the vanishing weight.

        Returns
        -------
        array of shape (S - n,) or (2, d)
            In a compiled game the behavior of one strategy for every player. Where strategies are vectors, one for
            each player.
        """
        weight = self.vanishing_weight
        if not weight:
            return self.run_heuristic(state, state)
        mixtures = tuple(
            (1.0 - weight) * mixture + weight / len(mixture) for mixture in state.mixtures
        )
        return self.run_heuristic(state, dataclasses.replace(state, mixtures=mixtures))

    def run_heuristic(self, state: ParallelMemoryState, shown: ParallelMemoryState) -> Any:
        """Return the tests that the heuristic proposes when it is shown a state.

        Where strategies are vectors, the one of a player's tests that wins most against `state` is taken.

        Parameters
        ----------
        state, shown : ParallelMemoryState
            The memory, and the memory with the mixtures that the heuristic sees.

        Returns
        -------
        array of shape (S - n,) or (2, d)
            As from `propose_tests`.
        """
        tests = super().propose_tests(shown)
        if isinstance(self.game, SequenceForm):
            return tests
        return np.stack(
            [
                vectors[np.argmax(state.evaluate_strategies(player, vectors))]
                for player, vectors in enumerate(tests)
            ]
        )

    def split_tests(self, tests: Any) -> tuple[Strategies, ...]:
        """Return the strategy of each player in the tests: a realization plan, or a vector.

        Parameters
        ----------
        tests : array of shape (S - n,) or (2, d)
            As from `propose_tests`.
        """
        if not isinstance(self.game, SequenceForm):
            return tuple(tests)
        plan, n = compute_plans(self.game.block, tests), self.game.num_players
        return tuple(np.append(1.0, plan[n:][own]) for own in self.game.player_sequences)

    def extend_pools(
        self, state: ParallelMemoryState, pools: tuple[Strategies, ...]
    ) -> ParallelMemoryState:
        """Return the memory with longer pools, which begin with the present ones; new strategies have probability 0."""
        mixtures = tuple(
            np.append(mixture, np.zeros(len(pool) - len(mixture)))
            for mixture, pool in zip(state.mixtures, pools, strict=True)
        )
        payoffs = extend_payoffs(self.game, pools, state.payoffs)
        return dataclasses.replace(state, pools=pools, mixtures=mixtures, payoffs=payoffs)

    def solve_subgame(self, state: ParallelMemoryState) -> ParallelMemoryState:
        """Return the memory after one more round, with the mixtures that the subgame solver finds."""
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
        """Return the memory, marked as converged if no player gains more than `least_gain` by a best response."""
        converged = self.exact and state.gains.max() <= self.least_gain
        return dataclasses.replace(state, converged=True) if converged else state


ROUNDING = 1e-6
"""By how much known strategies may beat the mixtures of a solved subgame, in units of the largest utility."""


class ParallelNashMemory(ParallelMemory):
    """The Parallel Nash Memory, with a pool for each player.

    With the exact best response as its search heuristic it finds an equilibrium in finitely many rounds.

    Parameters
    ----------
    game : SequenceForm, SymmetricGame or Contest
        Two players, zero-sum or constant-sum; others with a `subgame` solver that is made for them.
    encoding : RealVector, optional
        The encoding of a contest's strategies.
    heuristic : SearchHeuristic, optional
        Proposes tests; `BestResponse()` if left out. In a symmetric game or a contest the best of a
        player's tests counts.
    subgame : SubgameSolver, optional
        Finds mixtures; the paper's linear program, `ZeroSumProgram()`, if left out.
    start : Profile or array_like, optional
        The strategies in N at first; the first action of every player (in poker: pass, fold) if left out. In a
        symmetric game one vector for both.
    vanishing_weight : float
        The total weight, spread evenly over all strategies of a pool, in the mixtures that the heuristic sees, 0 to
        0.1. A small one decides what a best response does where the mixtures never lead. If such a response does not
        win, one without the weight is sought.

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
        """Return the heuristic's tests; if they do not win, those without the vanishing weight.

        Returns
        -------
        array of shape (S - n,) or (2, d)
            As in `ParallelMemory.propose_tests`.
        """
        tests = super().propose_tests(state)
        if not self.vanishing_weight or self.measure_gain(state, tests) > self.least_gain:
            return tests
        return self.run_heuristic(state, state)

    def measure_gain(self, state: ParallelMemoryState, tests: Any) -> float:
        """Return the total gain of the tests T, of all players together, against the mixtures N.

        E(T, N) = sum over players i of u_i(T_i, the others' mixtures) - u_i(mixtures) (section 4.2).
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
        """Return the memory whose pools hold the tests as well; a pool holds no strategy twice."""
        pools = tuple(
            pool if (pool == test).all(axis=1).any() else np.vstack([pool, test])
            for pool, test in zip(state.pools, self.split_tests(tests), strict=True)
        )
        return self.extend_pools(state, pools)

    def check_rounding(self, gain: float) -> None:
        """Raise if known strategies beat the mixtures by more than rounding."""
        if gain > ROUNDING * find_largest_utility(self.game):
            raise ConvergenceError(
                f"strategies that the memory holds already win {gain:.3g} {self.game.unit} against its mixtures in"
                f" {self.game.name}: {type(self.subgame).__name__} did not find an equilibrium of the subgame. If it"
                " is not meant to, use solvers.PSRO; otherwise payoffs may differ too much in size: scale them."
            )


class PSRO(ParallelMemory):
    """Policy-space response oracles: in every round each player adds a strategy, known or not, and all mix anew.

    Parameters
    ----------
    game : SequenceForm, SymmetricGame or Contest
        Any game whose subgames `subgame` can solve.
    subgame : SubgameSolver
        The meta-strategy solver, which finds the mixtures, such as `UniformMixture()`, `ZeroSumProgram()` or
        `ProjectedReplicator()`.
    encoding, heuristic, start
        As in `ParallelNashMemory`; the heuristic is the oracle, which makes new strategies.
    vanishing_weight : float
        The total weight of all strategies in the mixtures that the oracle sees, as in `ParallelNashMemory`.
    """

    def play_round(self, state: ParallelMemoryState) -> ParallelMemoryState:
        """Return the memory after one round."""
        tests = self.split_tests(self.propose_tests(state))
        pools = tuple(
            np.vstack([pool, test]) for pool, test in zip(state.pools, tests, strict=True)
        )
        return self.solve_subgame(self.extend_pools(state, pools))
