"""Memories of strategies, and the Nash Memory of a symmetric game.

The words are those of the papers on the Nash Memory:

- A *memory* is a solver, such as `NashMemory`. Its *state*, a `MemoryState`, is what it has found after a number of
  rounds. No method changes a state: each returns another one.
- A state stores all strategies that were found so far in *pools*, the papers' *encountered strategies*.
- For each pool the state has a *mixture*, a probability distribution over the strategies of the pool.
- The *support* of a mixture, the set N, contains the strategies with positive probability. The papers call the set of
  the other strategies, which have probability zero, M. Here they are the *unused strategies*.
- In each *round* a *search heuristic* proposes *test strategies*, the set T, which are candidates for the pools. Those
  that beat the mixture are the *winners*, the set W. They are added to the pools.
- The *subgame* is the game in which only the strategies in the pools may be played. A *subgame solver* computes the new
  mixtures from its payoffs.

`NashMemory` (Ficici & Pollack 2003; Oliehoek, de Jong & Vlassis 2006, section 3) has one pool for both players of a
symmetric zero-sum game. It adds each test strategy that beats the mixture. The next mixture is optimal in the larger
pool, so no stored strategy beats it. The memories in `parallel_memories` have a pool for each player.

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
from pokerlab.core.old_names import explain_renamed_attributes
from pokerlab.core.settings import LARGEST_COUNT, check_item_types, has_method
from pokerlab.evolution.population.encoded_contest import EncodedContest
from pokerlab.games import Profile, SequenceForm
from pokerlab.games.contests import Contest
from pokerlab.games.symmetric import CompiledSymmetric, Strategies, SymmetricGame, self_play
from pokerlab.games.tree_passes import compute_behavior
from pokerlab.solvers.linear_program import NO_BASIS, Statuses
from pokerlab.solvers.protocol import (
    check_game_of_solver,
    check_start,
    validate_count,
)
from pokerlab.solvers.search_heuristics import (
    BestResponse,
    SearchHeuristic,
    check_heuristic,
    validate_compiled_symmetric_game,
    validate_proposed_behavior,
)
from pokerlab.solvers.strategy_pools import append_strategies
from pokerlab.solvers.subgame import SubgameSolver, ZeroSumProgram
from pokerlab.solvers.subgame_payoffs import extend_symmetric_payoffs
from pokerlab.strategies.vectors import RealVector


class OpponentMixture(NamedTuple):
    """The opponent's mixture of K strategies, against which a player searches for a new strategy.

    Attributes
    ----------
    strategies : array of shape (K, d)
        The opponent's strategies, which are vectors of d numbers.
    mixture : array of shape (K,)
        The probability of each strategy.
    search_index : int
        An index that differs between players and between rounds, so that their searches draw different random numbers.
    """

    strategies: Strategies
    mixture: Floats
    search_index: int


@dataclass(frozen=True, eq=False)
class MemoryState(ABC):
    """The stored strategies and mixtures of a memory after `iteration` rounds.

    All players share one pool of strategies, or each player has its own pool. At iteration 0 each pool contains only
    the starting strategy. After a converged state no more rounds are played.

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
        The probability of each strategy. The papers call the set of strategies with positive probability N, and the
        set of strategies with probability zero M.
    converged : bool
        Whether no player can gain by a best response, apart from rounding. It stays False in a game in which best
        responses cannot be computed.
    basis : tuple
        The basis of the last linear program, from which the subgame solver begins in the next round.
    GROWS : tuple of str
        The beginnings of the names of arrays that grow from round to round, so that a checkpoint may have any number of
        rows of them. The empty text stands for all names.
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
        num_pools = len(self.pools)
        if isinstance(self.game, SequenceForm):
            expected_lengths = self.game.num_sequences
        else:
            expected_lengths = (self.game.default_start.size,) * num_pools

        # If all players share one pool, it has both axes of the payoffs, of which only the last is compared here.
        strategy_lengths = tuple(pool.shape[1] for pool in self.pools)
        mixture_sizes = tuple(len(mixture) for mixture in self.mixtures)
        payoff_sizes = self.payoffs.shape[-num_pools:]
        are_lengths_right = strategy_lengths == expected_lengths
        are_sizes_right = mixture_sizes == payoff_sizes == self.pool_sizes
        if not are_lengths_right or not are_sizes_right:
            raise ShapeError(
                f"a memory of {self.game.name} with {self.pool_sizes} strategies of {strategy_lengths} numbers has"
                f" mixtures of {mixture_sizes} and payoffs of shape {self.payoffs.shape}; all must fit."
            )

        freeze(self.payoffs, *self.pools, *self.mixtures, *self.basis)

    @property
    def support_sizes(self) -> tuple[int, ...]:
        """The number of strategies with positive probability in each mixture."""
        return tuple(int(np.count_nonzero(mixture)) for mixture in self.mixtures)

    @property
    def pool_sizes(self) -> tuple[int, ...]:
        """The number of strategies in each pool, with positive or zero probability."""
        return tuple(len(pool) for pool in self.pools)

    @property
    def opponents(self) -> tuple[OpponentMixture, ...]:
        """The mixture that is played against the strategies of each pool, in a symmetric game.

        With two pools it is the mixture of the other pool. With one pool, which both players share, it is the mixture
        of that pool itself.
        """
        num_pools = len(self.pools)
        opponents = []
        for own_index in range(num_pools):
            # With two pools this is the other one, and with one pool the pool itself: index -1 is the last pool.
            opponent_index = own_index - 1
            opponents.append(
                OpponentMixture(
                    strategies=self.pools[opponent_index],
                    mixture=self.mixtures[opponent_index],
                    search_index=num_pools * self.iteration + own_index,
                )
            )
        return tuple(opponents)

    @cached_property
    def plan(self) -> Floats:
        """The realization plans of all players when they play their mixtures.

        It is an array of shape (S,): the realization weight of each of the game's S sequences, beginning with the
        players' empty sequences. Only a compiled game has realization plans.
        """
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
        """The gain of each player from a best response among all strategies of the game, not only the stored ones.

        It is an array with one number for each player, or with a single number if all players share a pool.
        """

    def evaluate_strategies(self, player: int, strategies: Strategies) -> Floats:
        """Return the expected payoffs of a player's strategies against the opponent's mixture, in a symmetric game.

        `game.payoffs` is always called with the first player's strategies first, so that a payoff is rounded in the
        same way for both players.

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

        # The payoffs against strategies with probability 0 are not needed, and they can be costly to compute.
        is_played = opponent.mixture > 0.0
        played_strategies = opponent.strategies[is_played]
        probabilities = opponent.mixture[is_played]
        if player == 0:
            return np.asarray(self.game.payoffs(strategies, played_strategies) @ probabilities)
        return np.asarray(-self.game.payoffs(played_strategies, strategies).T @ probabilities)


StateT = TypeVar("StateT", bound=MemoryState)


class Memory(ABC, Generic[StateT]):
    """The base class of memories, which store strategies of a game and mix them.

    In each round a search heuristic proposes test strategies (candidates for the pools). A subclass defines
    `play_round`, which decides which of them are added to the pools, and `init`, the state before the first round.

    Parameters
    ----------
    game : SequenceForm, SymmetricGame or Contest
        The game for which strategies are stored.
    encoding : RealVector, optional
        The encoding, which maps vectors of numbers to strategies of a contest. Other games need none.
    heuristic : SearchHeuristic, optional
        The heuristic that proposes test strategies; `BestResponse()` by default. A contest needs another one.
    start : Profile or array_like, optional
        The starting strategies: a profile of a compiled game, or one vector of numbers in any other game. The default
        is the game's own start.

    Attributes
    ----------
    STATE : class
        The class of the memory's states.
    subgame : SubgameSolver
        The solver that computes the mixtures from the payoffs of the stored strategies.
    """

    STATE: ClassVar[type[MemoryState]]
    subgame: SubgameSolver = ZeroSumProgram()

    def __init__(
        self,
        game: SequenceForm | SymmetricGame | Contest,
        *,
        encoding: RealVector | None = None,
        heuristic: SearchHeuristic | None = None,
        start: Profile | ArrayLike | None = None,
    ) -> None:
        self.game: Any = prepare_game(game, encoding, heuristic)
        self.heuristic: SearchHeuristic = BestResponse() if heuristic is None else heuristic
        check_heuristic(self.heuristic, self.game)
        self.start: Any = start  # a Profile in a compiled game, otherwise an array
        if isinstance(self.game, SequenceForm):
            check_start(self.game, start)  # type: ignore[arg-type]
        elif start is not None:
            self.start = validate_start_strategy(self.game, start)  # type: ignore[arg-type]

    @property
    def has_best_responses(self) -> bool:
        """Whether exact best responses can be computed in the game."""
        return isinstance(self.game, SequenceForm) or self.game.has_best_responses

    @abstractmethod
    def init(self) -> StateT:
        """Return the state before the first round, in which each pool contains only the starting strategy.

        Returns
        -------
        MemoryState
            The state of round 0.
        """

    def step(self, state: StateT, count: int = 1) -> StateT:
        """Return the state after `count` more rounds, or the converged state if the memory converges earlier.

        Parameters
        ----------
        state : MemoryState
            The state with which the first of these rounds begins. It is not changed.
        count : int
            The number of rounds.

        Returns
        -------
        MemoryState
            The state after the last round.

        Raises
        ------
        SettingError
            If `count` is negative or not a whole number.
        GameError
            If the state belongs to another game or another solver.
        """
        num_rounds = validate_count(self.game, state, count, self.STATE)
        for _ in range(num_rounds):
            if state.converged:
                break
            state = self.play_round(state)
        return state

    @abstractmethod
    def play_round(self, state: StateT) -> StateT:
        """Return the state after one more round of the search for strategies.

        In a round the heuristic proposes test strategies (candidates for the pools). Some of them are added to the
        pools, and new mixtures are computed.

        Parameters
        ----------
        state : MemoryState
            The state before the round, which is not changed.

        Returns
        -------
        MemoryState
            The state after the round, whose `iteration` is larger by one, unless the round only marks it as converged.
        """

    def propose_test_strategies(self, state: StateT) -> Floats | list[Strategies]:
        """Return the test strategies (candidates for the pools) that the search heuristic proposes.

        Parameters
        ----------
        state : MemoryState
            The state, against whose mixtures the heuristic searches.

        Returns
        -------
        array of shape (S - n,) or list of arrays of shape (T, d)
            In a compiled game of n players and S sequences: one strategy of each player, as the probabilities of all
            nonempty sequences. In any other game: for each pool, T strategies that are vectors of d numbers.

        Raises
        ------
        ShapeError
            If the heuristic returns an array of another shape.
        SettingError
            If the heuristic returns something other than strategies of the game.
        """
        test_strategies = self.heuristic(state)
        if isinstance(self.game, SequenceForm):
            return validate_proposed_behavior(
                self.heuristic, self.game, test_strategies, pure=False
            )

        # If there is only one pool, the heuristic returns its array without a list around it.
        test_strategies_by_pool = [test_strategies] if len(state.pools) == 1 else test_strategies
        return [
            np.atleast_2d(self.game.validate_strategies(vectors))
            for vectors in test_strategies_by_pool
        ]


def prepare_game(
    game: Any, encoding: RealVector | None, heuristic: SearchHeuristic | None
) -> SequenceForm | SymmetricGame:
    """Return the game in the form in which a memory uses it, after checking its encoding.

    A contest becomes a symmetric game, whose strategies are the genomes of an encoding. Other games stay as they are.

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
    GameError
        If the game is neither a compiled game, a symmetric game nor a contest.
    """
    if isinstance(game, Contest):
        if heuristic is None:
            raise SettingError(
                f"{game.name} is a contest and has no exact best response. Give a heuristic=, such as"
                " solvers.Mutants(seed=1, offspring=10)."
            )
        return EncodedContest(game, encoding)  # type: ignore[arg-type]  # it rejects None

    is_symmetric_game = has_method(game, "draw_mutant")
    if not is_symmetric_game:
        check_game_of_solver(game)
    if encoding is not None:
        raise SettingError(
            f"encoding is {quote_value(encoding)}, which is for contests; strategies of {game.name} are its own."
        )

    prepared_game: SequenceForm | SymmetricGame = game
    return prepared_game


def validate_start_strategy(game: SymmetricGame, start: ArrayLike) -> Strategies:
    """Return the starting strategy of a memory as an array, after checking that it is a strategy of the game.

    Parameters
    ----------
    game : SymmetricGame
        The game, in which strategies are vectors of d numbers.
    start : array_like of shape (d,)
        The starting strategy.

    Returns
    -------
    array of shape (d,)
        The strategy, with the data type of the game's strategies.

    Raises
    ------
    ShapeError
        If `start` is not one vector of d numbers.
    """
    strategy = game.validate_strategies(start)
    if strategy.ndim != 1:
        raise ShapeError(
            f"the start has shape {strategy.shape}; a memory begins with one strategy, (d,)."
        )
    return strategy


# One pool: the Nash Memory.

TOLERANCE = 1e-11
"""A test strategy beats a mixture if it wins more than this, in the game's unit. Less can be a rounding error."""


@explain_renamed_attributes
@dataclass(frozen=True, eq=False)
class NashMemoryState(MemoryState):
    """The state of a Nash Memory after `iteration` rounds, with one pool of K strategies for both players.

    Attributes
    ----------
    last_used : array of shape (K,)
        For each strategy, the last round in which its probability was positive. If it never was, the round in which
        the strategy was added.
    """

    last_used: NDArray[np.int64]

    def __post_init__(self) -> None:
        num_strategies = len(self.last_used)
        if len(self.pools) != 1 or self.payoffs.shape != (num_strategies, num_strategies):
            raise ShapeError(
                f"a symmetric memory with {self.pool_sizes} strategies has payoffs of shape {self.payoffs.shape} and"
                f" {num_strategies} rounds of last use; all must fit."
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
        """The indices of the strategies with positive probability, which the papers call the set N."""
        return np.flatnonzero(self.mixture)

    @property
    def unused_strategies(self) -> NDArray[np.intp]:
        """The indices of the stored strategies with probability zero, which the papers call the set M."""
        return np.flatnonzero(self.mixture == 0.0)

    @property
    def support_size(self) -> int:
        """The number of strategies with positive probability."""
        return len(self.support)

    @property
    def pool_size(self) -> int:
        """The number of strategies in the pool, with positive or zero probability."""
        return len(self.mixture)

    @cached_property
    def best_response(self) -> Strategies:
        """A strategy with the largest expected payoff against the mixture."""
        best_response: Strategies = self.game.best_response(self.strategies, self.mixture)
        freeze(best_response)
        return best_response

    @cached_property
    def gains(self) -> Floats:
        """The payoff of a best response against the mixture, as an array of one number.

        It is also the gain of the best response, because the payoff of the mixture against itself is zero.
        """
        return self.evaluate_strategies(0, self.best_response[None, :])

    @property
    def security_level(self) -> float:
        """The smallest expected payoff of the mixture against any strategy: zero at an equilibrium, else negative."""
        # Unlike a minus sign, the subtraction never returns -0.0.
        return 0.0 - float(self.gains[0])

    def mix_pool_plans(self, mixtures: tuple[Floats, ...]) -> Floats:
        """Return the realization plans of both players when both play the same mixture of the pool.

        Parameters
        ----------
        mixtures : tuple of one array of shape (K,)
            The probability of each of the K strategies in the pool.

        Returns
        -------
        array of shape (S,)
            The realization weight of each of the game's S sequences, beginning with the players' empty sequences.

        Raises
        ------
        GameError
            If the symmetric game was not made from a compiled game, so that it has no realization plans.
        """
        (mixture,) = mixtures
        game = validate_compiled_symmetric_game(self.game)
        return game.compute_mixture_plans(self.strategies, mixture)

    @cached_property
    def profile(self) -> Profile:
        """The profile in which both players play the mixture, if the symmetric game was made from a compiled game.

        It is a profile of this compiled game.
        """
        game = validate_compiled_symmetric_game(self.game).game
        return Profile.from_unchecked(game, compute_behavior(game.block, self.plan))


class NashMemory(Memory[NashMemoryState]):
    """The Nash Memory of a symmetric zero-sum game, with an optional bound on the number of stored strategies.

    In each round a search heuristic proposes test strategies (candidates for the pools). A test strategy that beats
    the present mixture is stored, and then an optimal mixture of the stored strategies is computed. Without a bound, no
    strategy that was ever added can beat a later mixture. If the heuristic also finds best responses, the memory finds
    an equilibrium in finitely many rounds. With a bound neither is guaranteed.

    Parameters
    ----------
    game : SymmetricGame, SequenceForm or Contest
        A symmetric game such as `games.compound(game)` or `games.intransitive_numbers()`. A compiled game that is
        itself symmetric, such as rock-paper-scissors, needs no conversion.
    encoding : RealVector, optional
        The encoding of a contest's strategies, such as `strategies.RealVector(5)`.
    heuristic : SearchHeuristic, optional
        The heuristic that proposes test strategies; `BestResponse()` by default. A contest has no exact best response,
        so it needs another heuristic.
    capacity : int, optional
        The largest number of stored strategies; unbounded by default. If there are more, the strategies that have had
        probability zero for the longest time are dropped, and of several such strategies the one that was added first.
        A strategy with positive probability is never dropped. If more than `capacity` strategies have positive
        probabilities, `step` raises a SettingError.
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
        encoding: RealVector | None = None,
        heuristic: SearchHeuristic | None = None,
        capacity: int | None = None,
        start: ArrayLike | None = None,
    ) -> None:
        symmetric_game = self_play(game) if isinstance(game, SequenceForm) else game
        super().__init__(symmetric_game, encoding=encoding, heuristic=heuristic, start=start)
        if isinstance(self.game, CompiledSymmetric):
            check_game_of_solver(self.game.game)
        if capacity is not None:
            validate_integer("capacity", capacity, 1, LARGEST_COUNT)
        self.capacity = capacity

    def init(self) -> NashMemoryState:
        """Return the state before the first round, whose pool contains only the starting strategy.

        It is already marked as converged if no strategy beats the starting strategy.

        Returns
        -------
        NashMemoryState
            The state of round 0, in which the starting strategy has probability 1.
        """
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
        return update_convergence(state)

    def play_round(self, state: NashMemoryState) -> NashMemoryState:
        """Return the state after one more round, in which test strategies that beat its mixture are added to its pool.

        The test strategies (candidates for the pools) are those that the heuristic proposes. If none of them beats the
        mixture, the pool and the mixture stay as they are.

        Parameters
        ----------
        state : NashMemoryState
            The state before the round, which is not changed.

        Returns
        -------
        NashMemoryState
            The state after the round, with an optimal mixture of the strategies in its pool.

        Raises
        ------
        SettingError
            If more strategies have positive probability than the memory can store.
        """
        # There is one pool, so the list has one array.
        (test_strategies,) = self.propose_test_strategies(state)
        winners = self.select_winners(state, test_strategies)
        if len(winners) == 0:
            return finish_round(state)
        return self.complete_round(self.add_strategies(state, winners))

    def select_winners(self, state: NashMemoryState, test_strategies: Strategies) -> Strategies:
        """Return the test strategies that beat the mixture and are not in the pool yet, each of them once.

        Parameters
        ----------
        state : NashMemoryState
            The state with the mixture and the pool.
        test_strategies : array of shape (T, d)
            T test strategies (candidates for the pools), which are vectors of d numbers.

        Returns
        -------
        array of shape (W, d)
            The W winning strategies, in the order of the test strategies.
        """
        winners = test_strategies[state.evaluate_strategies(0, test_strategies) > TOLERANCE]

        # Strategies are compared by their bytes, because a dictionary needs keys that have a hash. Both must have the
        # same data type, or equal numbers would have different bytes.
        new_winners: dict[bytes, Strategies] = {winner.tobytes(): winner for winner in winners}
        for stored_strategy in state.strategies:
            new_winners.pop(stored_strategy.astype(test_strategies.dtype).tobytes(), None)

        # Without any winner the array would have no second axis.
        num_winners, length = len(new_winners), test_strategies.shape[1]
        return np.array(list(new_winners.values())).reshape(num_winners, length)

    def add_strategies(self, state: NashMemoryState, strategies: Strategies) -> NashMemoryState:
        """Return the state with more strategies in its pool, which have probability 0 for now.

        The number of rounds does not change.

        Parameters
        ----------
        state : NashMemoryState
            The state, which is not changed.
        strategies : array of shape (W, d)
            The W strategies to add, which are vectors of d numbers.

        Returns
        -------
        NashMemoryState
            The state with the larger pool and its payoffs, but without a new mixture.
        """
        pool = append_strategies(state.strategies, strategies)
        zero_probabilities = np.zeros(len(strategies))
        rounds_added = np.full(len(strategies), state.iteration + 1)
        return dataclasses.replace(
            state,
            pools=(pool,),
            payoffs=extend_symmetric_payoffs(self.game, pool, strategies, state.payoffs),
            mixtures=(np.append(state.mixture, zero_probabilities),),
            last_used=np.append(state.last_used, rounds_added),
        )

    def complete_round(self, state: NashMemoryState) -> NashMemoryState:
        """Solve the subgame, and return the state at the end of a round, with an optimal mixture of its pool.

        The subgame is the game in which both players may play only the strategies in the pool. If the pool is larger
        than the memory's capacity, strategies with probability zero are dropped. If no strategy of the whole game beats
        the mixture, the state is marked as converged.

        Parameters
        ----------
        state : NashMemoryState
            The state with the strategies of this round in its pool. It is not changed.

        Returns
        -------
        NashMemoryState
            The state after the round, whose `iteration` is larger by one.

        Raises
        ------
        ConvergenceError
            If the linear program of the subgame cannot be solved.
        SettingError
            If more strategies have a positive probability than the memory can store.
        """
        # The solver takes an array with the payoffs of all players, and needs those of the first one only.
        payoffs_of_first_player = state.payoffs[None]
        solution = self.subgame.solve(payoffs_of_first_player, state.basis, name=self.game.name)

        # The game is symmetric, so an optimal mixture of one player is optimal for both. The first one is stored.
        first_mixture, _ = solution.mixtures
        solved_state = finish_round(
            dataclasses.replace(state, mixtures=(first_mixture,), basis=solution.basis)
        )
        if self.capacity is not None:
            solved_state = drop_unused_strategies(solved_state, self.capacity)
        return update_convergence(solved_state)


def finish_round(state: NashMemoryState) -> NashMemoryState:
    """Return the state at the end of a round, with its number of rounds increased by one.

    In addition, this round becomes the last one in which the strategies with positive probability were used.

    Parameters
    ----------
    state : NashMemoryState
        The state with the mixture of this round. It is not changed.

    Returns
    -------
    NashMemoryState
        The state with another `iteration` and another `last_used`.
    """
    iteration = state.iteration + 1
    is_used = state.mixture > 0.0
    last_used = np.where(is_used, iteration, state.last_used)
    return dataclasses.replace(state, iteration=iteration, last_used=last_used)


def update_convergence(state: NashMemoryState) -> NashMemoryState:
    """Return the state, marked as converged if no strategy of the game beats its mixture.

    In exact arithmetic, no strategy of the pool beats an optimal mixture of the pool. So if one of them seems to win,
    its payoff shows how large the rounding error of the linear program is. A best response that wins no more than this
    does not beat the mixture either. In a game whose best responses cannot be computed, the state is never marked.

    Parameters
    ----------
    state : NashMemoryState
        The state, which is not changed.

    Returns
    -------
    NashMemoryState
        The state itself, or a copy whose `converged` is True.
    """
    if not state.game.has_best_responses:
        return state

    least_payoff_in_pool = float((state.mixture @ state.payoffs).min())
    if state.security_level >= least_payoff_in_pool - TOLERANCE:
        return dataclasses.replace(state, converged=True)
    return state


def drop_unused_strategies(state: NashMemoryState, capacity: int) -> NashMemoryState:
    """Return the state after dropping as many strategies with probability zero as needed to fit its capacity.

    The strategies that have had probability zero for the longest time are dropped first.

    Parameters
    ----------
    state : NashMemoryState
        The state, which is not changed.
    capacity : int
        The largest number of stored strategies.

    Returns
    -------
    NashMemoryState
        The state itself if it fits, or a state with a smaller pool and the same mixture.

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

    unused = state.unused_strategies
    longest_unused_first = np.argsort(state.last_used[unused], kind="stable")
    dropped_strategies = unused[longest_unused_first][:num_dropped]
    kept_strategies = np.delete(np.arange(state.pool_size), dropped_strategies)
    return dataclasses.replace(
        state,
        pools=(state.strategies[kept_strategies],),
        payoffs=state.payoffs[np.ix_(kept_strategies, kept_strategies)],
        mixtures=(state.mixture[kept_strategies],),
        last_used=state.last_used[kept_strategies],
        # The old basis has entries for the dropped strategies, and without them it may no longer be a basis.
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

    Raises
    ------
    SettingError
        If an element of `states` is not a state of a `NashMemory`.
    GameError
        If the states belong to different games.
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

    # Strategies with probability zero do not affect the payoffs.
    played_strategies = [state.strategies[state.support] for state in states]
    mixtures = [state.mixture[state.support] for state in states]

    # The game is symmetric and zero-sum, so the payoffs above the diagonal are minus those below it, and those on the
    # diagonal are zero.
    payoffs = np.zeros((len(states), len(states)))
    for i in range(len(states)):
        for j in range(i):
            payoffs_of_pair = game.payoffs(played_strategies[i], played_strategies[j])
            payoffs[i, j] = mixtures[i] @ payoffs_of_pair @ mixtures[j]
    return payoffs - payoffs.T
