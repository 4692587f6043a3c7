"""Memories of strategies, and the Nash Memory of a symmetric game.

A memory stores the strategies found so far in *pools*, and for each pool it stores a *mixture*, which is a probability
distribution over the strategies of the pool. The papers call the support of the mixture N, and the other strategies of
the pool M. In each round a search heuristic proposes new strategies, the *tests*. Some of the tests are added to the
pools. Then a subgame solver computes new mixtures.

`NashMemory` (Ficici & Pollack 2003; Oliehoek, de Jong & Vlassis 2006, section 3) has one pool for both players of a
symmetric zero-sum game. It adds each test that beats the mixture, so no strategy of the pool beats the next mixture.
The memories in `parallel_memories` have a pool for each player.

In a compiled game strategies are realization plans, usually pure ones. In a symmetric game or a contest strategies are
vectors, and if each player has a pool, both pools begin with the same vector.
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
    Floats,
    GameError,
    SettingError,
    ShapeError,
    freeze,
    validate_integer,
)
from pokerlab.core.errors import quote_value
from pokerlab.core.settings import LARGEST_COUNT, check_item_types, has_method
from pokerlab.evolution.population.encoded_contest import EncodedContest
from pokerlab.games import Contest, Profile, SequenceForm
from pokerlab.games.symmetric import CompiledSymmetric, Strategies, SymmetricGame, self_play
from pokerlab.games.tree_passes import compute_behavior
from pokerlab.solvers.linear_program import NO_BASIS, Statuses
from pokerlab.solvers.protocol import (
    check_compiled_game,
    check_start,
    validate_count,
)
from pokerlab.solvers.search import (
    BestResponse,
    SearchHeuristic,
    check_heuristic,
    validate_compiled_symmetric_game,
    validate_proposed_behavior,
)
from pokerlab.solvers.strategy_pools import append_strategies
from pokerlab.solvers.subgame import (
    SubgameSolver,
    ZeroSumProgram,
    extend_symmetric_payoffs,
)


class OpponentMixture(NamedTuple):
    """The opponent's mixture of K strategies, against which a player searches for a new strategy.

    Attributes
    ----------
    strategies : array of shape (K, d)
        The opponent's strategies, which are vectors of d numbers.
    mixture : array of shape (K,)
        The probability of each strategy.
    search_index : int
        An index that differs between players and between rounds, so that no two searches draw the same random numbers.
    """

    strategies: Strategies
    mixture: Floats
    search_index: int


@dataclass(frozen=True, eq=False)
class MemoryState(ABC):
    """A memory after `iteration` rounds, with one pool for all players or one pool for each player.

    At iteration 0 each pool contains only the starting strategy. A memory that has converged does not change anymore.

    Attributes
    ----------
    game : SequenceForm or SymmetricGame
        The game that is played. In a symmetric game strategies are vectors, in a compiled game realization plans.
    iteration : int
        The number of rounds that have been played.
    pools : tuple of arrays of shape (K_i, d_i)
        The K_i strategies of pool i, each of d_i numbers, in the order in which they were added.
    payoffs : array of shape (n, K_1, ..., K_n)
        The payoff of each of n players for each combination of strategies. If both players share one pool of K
        strategies, the shape is (K, K), and an entry is the payoff of the row's strategy against the column's.
    mixtures : tuple of arrays of shape (K_i,)
        The probability of each strategy: positive for strategies in N, and zero for those in M.
    converged : bool
        Whether no player can gain by a best response, apart from rounding. It stays False in a game in which best
        responses cannot be computed.
    basis : tuple
        The basis of the last linear program, from which the subgame solver begins in the next round.
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
        pool_sizes = self.pool_sizes
        mixture_sizes = tuple(len(mixture) for mixture in self.mixtures)
        lengths = tuple(pool.shape[1] for pool in self.pools)
        if isinstance(self.game, SequenceForm):
            expected_lengths = self.game.num_sequences
        else:
            expected_lengths = (self.game.default_start.size,) * len(pool_sizes)

        # The last axes of the payoffs are those of the pools. If all players share a pool, there are two such axes, of
        # which the last is compared here.
        payoff_sizes = self.payoffs.shape[-len(pool_sizes) :]
        sizes = (lengths, mixture_sizes, payoff_sizes)
        if sizes != (expected_lengths, pool_sizes, pool_sizes):
            raise ShapeError(
                f"a memory of {self.game.name} with {pool_sizes} strategies of {lengths} numbers has mixtures"
                f" of {mixture_sizes} and payoffs of shape {self.payoffs.shape}; all must fit."
            )
        freeze(self.payoffs, *self.pools, *self.mixtures, *self.basis)

    @property
    def support_sizes(self) -> tuple[int, ...]:
        """The number of strategies with positive probability in each mixture: the size of N."""
        return tuple(int(np.count_nonzero(mixture)) for mixture in self.mixtures)

    @property
    def pool_sizes(self) -> tuple[int, ...]:
        """The number of strategies in each pool: the size of N and M together."""
        return tuple(len(pool) for pool in self.pools)

    @property
    def opponents(self) -> tuple[OpponentMixture, ...]:
        """The opponent's mixture for each pool, in a symmetric game.

        With two pools it is the mixture of the other pool; with one pool it is the mixture of that pool itself.
        """
        num_pools = len(self.pools)
        opponents = []
        for pool in range(num_pools):
            # With two pools this is the other one, and with one pool the pool itself: index -1 is the last pool.
            opposing_pool = pool - 1
            opponents.append(
                OpponentMixture(
                    strategies=self.pools[opposing_pool],
                    mixture=self.mixtures[opposing_pool],
                    search_index=num_pools * self.iteration + pool,
                )
            )
        return tuple(opponents)

    @cached_property
    def plan(self) -> Floats:
        """The realization plans of all players when they play their mixtures, beginning with the empty sequences."""
        plan = self.mix_pool_plans(self.mixtures)
        freeze(plan)
        return plan

    @abstractmethod
    def mix_pool_plans(self, mixtures: tuple[Floats, ...]) -> Floats:
        """Return the realization plans of all players when they play the given mixtures of their pools.

        Parameters
        ----------
        mixtures : tuple of arrays of shape (K_i,)
            The probability of each of the K_i strategies of pool i.

        Returns
        -------
        array of shape (S,)
            The realization weight of each of the game's S sequences, beginning with the players' empty sequences.
        """

    @property
    @abstractmethod
    def gains(self) -> Floats:
        """The gain of each player from a best response in the whole game; one number if all players share a pool."""

    def evaluate_strategies(self, player: int, strategies: Strategies) -> Floats:
        """Return the expected payoffs of a player's strategies against the opponent's mixture.

        `game.payoffs` is always called with the first player's strategies first, so that a payoff is rounded in the
        same way, whichever player asks for it.

        Parameters
        ----------
        player : int
            The player's index.
        strategies : array of shape (T, d)
            T strategies of the player, each a vector of d numbers.

        Returns
        -------
        array of shape (T,)
            The payoff of each strategy.
        """
        opponent = self.opponents[player]
        is_played = opponent.mixture > 0.0
        played_strategies = opponent.strategies[is_played]
        probabilities = opponent.mixture[is_played]
        if player == 0:
            return np.asarray(self.game.payoffs(strategies, played_strategies) @ probabilities)
        return np.asarray(-self.game.payoffs(played_strategies, strategies).T @ probabilities)


S = TypeVar("S", bound=MemoryState)


class Memory(ABC, Generic[S]):
    """The base class of memories, which have a starting strategy, a search heuristic and a subgame solver.

    A subclass defines `play_round`, which decides which of the proposed strategies are added to the pools.
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
        self.game: Any = choose_searched_game(game, encoding, heuristic)
        self.heuristic: Any = BestResponse() if heuristic is None else heuristic
        check_heuristic(self.heuristic, self.game)
        self.start: Any = start
        if isinstance(self.game, SequenceForm):
            check_start(self.game, start)  # type: ignore[arg-type]
        elif start is not None:
            self.start = validate_strategy(self.game, start)  # type: ignore[arg-type]

    @property
    def exact(self) -> bool:
        """Whether exact best responses can be computed in the game."""
        return isinstance(self.game, SequenceForm) or self.game.has_best_responses

    @abstractmethod
    def init(self) -> S:
        """Return the memory before the first round, in which each pool contains only the starting strategy."""

    def step(self, state: S, count: int = 1) -> S:
        """Return the memory `count` rounds after `state`, or the converged memory if it converges earlier."""
        for _ in range(validate_count(self.game, state, count, self.STATE)):
            if state.converged:
                break
            state = self.play_round(state)
        return state

    @abstractmethod
    def play_round(self, state: S) -> S:
        """Return the memory after one round."""

    def propose_tests(self, state: S) -> Any:
        """Return the new strategies that the search heuristic proposes.

        Returns
        -------
        array of shape (S - n,) or list of arrays of shape (T, d)
            In a compiled game of n players and S sequences: one strategy of each player, as the probabilities of all
            nonempty sequences. In any other game: for each pool, T strategies that are vectors of d numbers.
        """
        tests = self.heuristic(state)
        if isinstance(self.game, SequenceForm):
            return validate_proposed_behavior(self.heuristic, self.game, tests, pure=False)
        tests_by_pool = [tests] if len(state.pools) == 1 else tests
        return [np.atleast_2d(self.game.validate_strategies(vectors)) for vectors in tests_by_pool]


def choose_searched_game(game: Any, encoding: Any, heuristic: Any) -> Any:
    """Return the game in which a memory searches for strategies.

    Parameters
    ----------
    game : SequenceForm, SymmetricGame or Contest
        The game that was given to the memory.
    encoding : RealVector or None
        The encoding of a contest's strategies; None for other games.
    heuristic : SearchHeuristic or None
        The search heuristic, which a contest needs.

    Returns
    -------
    SequenceForm or SymmetricGame
        If the game is a contest, an `EncodedContest`, the symmetric game between genomes. Otherwise the game itself.

    Raises
    ------
    SettingError
        If the game is a contest and no heuristic is given, or if an encoding is given for a game that is not a contest.
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


def validate_strategy(game: SymmetricGame, start: ArrayLike) -> Strategies:
    """Return the starting strategy of a memory as a valid strategy of a symmetric game.

    Raises
    ------
    ShapeError
        If `start` is not one vector.
    """
    strategy = game.validate_strategies(start)
    if strategy.ndim != 1:
        raise ShapeError(
            f"the start has shape {strategy.shape}; a memory begins with one strategy, (d,)."
        )
    return strategy


# One pool: the Nash Memory.

TOLERANCE = 1e-11
"""A test wins if its payoff is larger than this, in the game's unit. Smaller payoffs can be rounding errors."""


@dataclass(frozen=True, eq=False)
class NashMemoryState(MemoryState):
    """A Nash Memory after `iteration` rounds, with one pool of K strategies for both players of a symmetric game.

    Attributes
    ----------
    last_used : array of shape (K,)
        For each strategy, the last round in which its probability was positive. If it never was, the round in which
        the strategy was added.
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
        """The strategies in the pool, one in each row, in the order in which they were added."""
        return self.pools[0]

    @property
    def mixture(self) -> Floats:
        """The probability of each strategy."""
        return self.mixtures[0]

    @property
    def support(self) -> NDArray[np.intp]:
        """The indices of the strategies with positive probability: the set N."""
        return np.flatnonzero(self.mixture)

    @property
    def memory(self) -> NDArray[np.intp]:
        """The indices of the stored strategies with probability zero: the set M."""
        return np.flatnonzero(self.mixture == 0.0)

    @property
    def support_size(self) -> int:
        """The number of strategies with positive probability: the size of N."""
        return len(self.support)

    @property
    def pool_size(self) -> int:
        """The number of strategies in the pool: N and M together."""
        return len(self.mixture)

    @cached_property
    def best_response(self) -> Strategies:
        """A strategy with the largest expected payoff against the mixture."""
        best: Strategies = self.game.best_response(self.strategies, self.mixture)
        freeze(best)
        return best

    @cached_property
    def gains(self) -> Floats:
        """The payoff of a best response against the mixture, as an array of one number."""
        return self.evaluate_strategies(0, self.best_response[None, :])

    @property
    def security_level(self) -> float:
        """The smallest expected payoff of the mixture against any strategy: zero at an equilibrium, else negative."""
        return 0.0 - float(self.gains[0])

    def mix_pool_plans(self, mixtures: tuple[Floats, ...]) -> Floats:
        """Return the realization plans of both players when both play the given mixture of the pool.

        The symmetric game must have been made from a compiled game, because only a compiled game has realization plans.
        """
        return validate_compiled_symmetric_game(self.game).compute_mixture_plans(
            self.strategies, *mixtures
        )

    @cached_property
    def profile(self) -> Profile:
        """The behavior of the mixture in both seats of the compiled game from which the symmetric game was made."""
        game = validate_compiled_symmetric_game(self.game).game
        return Profile.from_unchecked(game, compute_behavior(game.block, self.plan))


class NashMemory(Memory[NashMemoryState]):
    """The Nash Memory of a symmetric zero-sum game, with an optional bound on the number of stored strategies.

    Without a bound, no strategy that was ever added can beat a later mixture, and if the heuristic is the best
    response, the memory finds an equilibrium in finitely many rounds. With a bound neither is guaranteed.

    Parameters
    ----------
    game : SymmetricGame, SequenceForm or Contest
        A symmetric game such as `games.compound(game)` or `games.intransitive_numbers()`. A compiled game that is
        itself symmetric, such as rock-paper-scissors, needs no conversion.
    encoding : RealVector, optional
        The encoding of a contest's strategies, such as `strategies.RealVector(5)`.
    heuristic : SearchHeuristic, optional
        The heuristic that proposes new strategies; `BestResponse()` by default. A contest has no exact best response,
        so it needs another heuristic.
    capacity : int, optional
        The largest number of stored strategies, N and M together; unbounded by default. If there are more, the
        strategies that have had probability zero for the longest time are dropped, and of several such strategies the
        one that was added first. A strategy with positive probability is never dropped: if more than `capacity`
        strategies have one, `step` raises a SettingError.
    start : array_like of shape (d,), optional
        The starting strategy, a vector of d numbers; the game's own `start` by default.

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
            validate_integer("capacity", capacity, 1, LARGEST_COUNT)
        self.capacity = capacity

    def init(self) -> NashMemoryState:
        """Return the memory before the first round, whose pool contains only the starting strategy."""
        start = self.game.default_start if self.start is None else self.start
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
        """Return the memory after one round, in which the proposed strategies that win are added to the pool.

        If none of them wins, the pool and the mixture stay as they are.
        """
        tests_by_pool = self.propose_tests(state)
        winners = self.select_winners(state, tests_by_pool[0])  # there is only one pool
        if len(winners):
            return self.solve_subgame(self.add_strategies(state, winners))
        return finish_round(state)

    def select_winners(self, state: NashMemoryState, tests: Strategies) -> Strategies:
        """Return the winners W: the tests that beat the mixture and are not in the pool yet, each of them once.

        Parameters
        ----------
        state : NashMemoryState
            The memory.
        tests : array of shape (T, d)
            The T strategies that the heuristic proposed, which are vectors of d numbers.

        Returns
        -------
        array of shape (W, d)
            The winners, in the order of the tests.
        """
        winners = tests[state.evaluate_strategies(0, tests) > TOLERANCE]

        # Strategies are compared by their bytes, since a dictionary needs keys that have a hash.
        new_winners: dict[bytes, Any] = {winner.tobytes(): winner for winner in winners}
        for stored_strategy in state.strategies:
            new_winners.pop(stored_strategy.astype(tests.dtype).tobytes(), None)

        # Without any winner the array would have no second axis.
        return np.array(list(new_winners.values())).reshape(len(new_winners), tests.shape[1])

    def add_strategies(self, state: NashMemoryState, winners: Strategies) -> NashMemoryState:
        """Return the memory with the winners added to its pool, where they have probability 0 for now.

        `winners` has a strategy in each row.
        """
        strategies = append_strategies(state.strategies, winners)
        no_probability = np.zeros(len(winners))
        round_added = np.full(len(winners), state.iteration + 1)
        return dataclasses.replace(
            state,
            pools=(strategies,),
            payoffs=extend_symmetric_payoffs(self.game, strategies, winners, state.payoffs),
            mixtures=(np.append(state.mixture, no_probability),),
            last_used=np.append(state.last_used, round_added),
        )

    def solve_subgame(self, state: NashMemoryState) -> NashMemoryState:
        """Return the memory at the end of a round: with an optimal mixture of the strategies in the pool.

        If the pool is larger than the memory's capacity, strategies with probability zero are dropped. If nothing can
        win anymore, the memory is marked as converged.

        Raises
        ------
        SettingError
            If more strategies have a positive probability than the memory can store.
        """
        # The solver takes an array with the payoffs of all players, and needs those of the first one only.
        payoffs_of_first_player = state.payoffs[None]
        solution = self.subgame.solve(payoffs_of_first_player, state.basis, name=self.game.name)

        # Both players have the same optimal mixtures, so that of the first player is kept.
        first_mixture, _ = solution.mixtures
        solved = finish_round(
            dataclasses.replace(state, mixtures=(first_mixture,), basis=solution.basis)
        )
        if self.capacity is not None:
            solved = drop_strategies(solved, self.capacity)
        return mark_convergence(solved)


def finish_round(state: NashMemoryState) -> NashMemoryState:
    """Return the memory with its number of rounds increased by one, and `last_used` updated by its mixture."""
    iteration = state.iteration + 1
    last_used = np.where(state.mixture > 0.0, iteration, state.last_used)
    return dataclasses.replace(state, iteration=iteration, last_used=last_used)


def mark_convergence(state: NashMemoryState) -> NashMemoryState:
    """Return the memory, marked as converged if no strategy beats the mixture.

    In exact arithmetic no strategy of the pool beats the mixture, so what one of them wins is the rounding error of the
    linear program. A best response that wins no more than that does not beat the mixture either. Where best responses
    cannot be computed, the memory is returned as it is.
    """
    if not state.game.has_best_responses:
        return state
    least_in_pool = float((state.mixture @ state.payoffs).min())
    converged = state.security_level >= least_in_pool - TOLERANCE
    return dataclasses.replace(state, converged=True) if converged else state


def drop_strategies(state: NashMemoryState, capacity: int) -> NashMemoryState:
    """Return the memory after dropping as many strategies as needed to fit its capacity.

    The strategies that have had probability zero for the longest time are dropped first.

    Parameters
    ----------
    state : NashMemoryState
        The memory.
    capacity : int
        The largest number of stored strategies.

    Raises
    ------
    SettingError
        If more than `capacity` strategies have positive probability.
    """
    if state.support_size > capacity:
        raise SettingError(
            f"in round {state.iteration} the mixture of {state.game.name} needs {state.support_size} strategies; the"
            f" memory holds {capacity}. Give a capacity of at least {state.support_size}, or None for no bound."
        )

    num_dropped = state.pool_size - capacity
    if num_dropped <= 0:
        return state

    unplayed = state.memory  # the indices of strategies with probability zero
    longest_unused_first = np.argsort(state.last_used[unplayed], kind="stable")
    dropped = unplayed[longest_unused_first][:num_dropped]
    remaining = np.delete(np.arange(state.pool_size), dropped)
    return dataclasses.replace(
        state,
        pools=(state.strategies[remaining],),
        payoffs=state.payoffs[np.ix_(remaining, remaining)],
        mixtures=(state.mixture[remaining],),
        last_used=state.last_used[remaining],
        # After strategies are dropped, the old basis may no longer be a basis.
        basis=(NO_BASIS, NO_BASIS),
    )


def compare_mixtures(states: Sequence[NashMemoryState]) -> Floats:
    """Return the payoff of each state's mixture against the mixture of every other state.

    If the states are those of one run in order of time, an entry below the diagonal is the payoff of a later mixture
    against an earlier one. In a memory without a bound such an entry is never negative.

    Parameters
    ----------
    states : list of NashMemoryState
        k states of the same game.

    Returns
    -------
    array of shape (k, k)
        The expected payoff of the mixture of the row's state against the mixture of the column's state.
    """
    check_item_types("states", states, NashMemoryState, "a list of what NashMemory.step() returned")
    if len(states) == 0:
        return np.zeros((0, 0))
    game = states[0].game
    for state in states:
        if state.game.fingerprint != game.fingerprint:
            raise GameError(
                f"mixtures are compared in one game; these states belong to {game.name} and {state.game.name}."
            )
    played_strategies = [state.strategies[state.support] for state in states]
    mixtures = [state.mixture[state.support] for state in states]

    # The game is symmetric and zero-sum, so payoffs above the diagonal are minus those below it.
    payoffs = np.zeros((len(states), len(states)))
    for i in range(len(states)):
        for j in range(i):
            payoffs_of_pair = game.payoffs(played_strategies[i], played_strategies[j])
            payoffs[i, j] = mixtures[i] @ payoffs_of_pair @ mixtures[j]
    return payoffs - payoffs.T
