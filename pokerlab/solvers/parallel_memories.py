"""Memories with a pool of strategies for each player: the Parallel Nash Memory and PSRO.

- `ParallelNashMemory` (Oliehoek, de Jong & Vlassis 2006, section 4.2) adds the test strategies of a round if the sum of
  their gains against the mixtures is positive.
- `PSRO`, policy-space response oracles (Lanctot et al. 2017), adds every test strategy, even one that the pool already
  contains or that gains nothing. Apart from these, with Nash mixtures it does what the Parallel Nash Memory does. With
  uniform mixtures it is fictitious play.

Both extend the double oracle of McMahan, Gordon & Blum (2003), which is for matrix games, to extensive games.

The module `memories` explains what a memory is, and has the base classes of all memories.
"""

import dataclasses
from dataclasses import dataclass
from functools import cached_property

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import ConvergenceError, Floats, GameError, kernel, validate_number
from pokerlab.core.old_names import explain_renamed_attributes, reject_renamed_parameters
from pokerlab.games import Profile, SequenceForm
from pokerlab.games.contests import Contest
from pokerlab.games.symmetric import Strategies, SymmetricGame
from pokerlab.games.tree_passes import compute_behavior, compute_gradients, compute_plans
from pokerlab.solvers.linear_program import NO_BASIS
from pokerlab.solvers.memories import Memory, MemoryState
from pokerlab.solvers.protocol import check_game_of_solver, find_utility_scale
from pokerlab.solvers.search_heuristics import (
    LARGEST_TREMBLE,
    SearchHeuristic,
    compute_utilities,
    make_start_behavior,
)
from pokerlab.solvers.strategy_pools import append_strategies, contains_strategy
from pokerlab.solvers.subgame import SubgameSolver, ZeroSumProgram, check_subgame_solver
from pokerlab.solvers.subgame_payoffs import extend_payoffs
from pokerlab.strategies.vectors import RealVector


@dataclass(frozen=True, eq=False)
class ParallelMemoryState(MemoryState):
    """The stored strategies and mixtures of a memory after `iteration` rounds, with a pool for each player."""

    def mix_pool_plans(self, mixtures: tuple[Floats, ...]) -> Floats:
        """Return the realization plans of all players when they play the given mixtures of their pools.

        Plans are averaged rather than behaviors. So the weight of a strategy at an information set is its probability
        in the mixture times its probability of reaching this set (Oliehoek et al. 2006, section 5).

        Parameters
        ----------
        mixtures : tuple of arrays of shape (K_i,)
            The probability of each of the K_i strategies of player i.

        Returns
        -------
        array of shape (S,)
            The realization weight of each of the game's S sequences, beginning with the players' empty sequences.

        Raises
        ------
        GameError
            If the game is not compiled, so that its strategies are not realization plans.
        """
        check_game_of_solver(self.game)

        # The plan of each player begins with its empty sequence. In the result all empty sequences come first.
        nonempty_weights = []
        for pool, mixture in zip(self.pools, mixtures, strict=True):
            nonempty_weights.append(mix_plans(pool, mixture)[1:])
        empty_weights = np.ones(len(self.pools))
        return np.concatenate([empty_weights, *nonempty_weights])

    @cached_property
    def profile(self) -> Profile:
        """The profile of behavior strategies that is equivalent to the mixtures, in a compiled game.

        At an information set that a player's mixture never reaches, the behavior is uniform.
        """
        check_game_of_solver(self.game)
        return Profile.from_unchecked(self.game, compute_behavior(self.game.block, self.plan))

    @cached_property
    def values(self) -> Floats:
        """The expected payoff of each player when all players play their mixtures, an array of shape (n,)."""
        # The matrix product sums over the last axis, which belongs to the last player whose strategies are left.
        values = self.payoffs
        for mixture in reversed(self.mixtures):
            values = values @ mixture
        return np.asarray(values)

    @property
    def value(self) -> float:
        """The expected payoff of player 1 when all players play their mixtures.

        In a zero-sum game with optimal mixtures it is the value of the subgame.
        """
        return float(self.values[0])

    @cached_property
    def gains(self) -> Floats:
        """The gain of each player from a best response among all strategies of the game, an array of shape (n,)."""
        if isinstance(self.game, SequenceForm):
            return self.game.gains(self.profile)

        best_values = []
        for player, opponent in enumerate(self.opponents):
            response = self.game.best_response(opponent.strategies, opponent.mixture)
            best_values.append(self.evaluate_strategies(player, response[None, :])[0])
        return np.array(best_values) - self.values

    @property
    def security_levels(self) -> tuple[float, ...]:
        """The smallest expected payoff of each player's mixture against any strategy of the opponent.

        Raises
        ------
        GameError
            If the game is not a two-player zero-sum or constant-sum game.
        """
        payoff_sum = self.game.payoff_sum if isinstance(self.game, SequenceForm) else 0.0
        if len(self.mixtures) != 2 or payoff_sum is None:
            raise GameError(
                f"security levels follow from best responses in two-player zero-sum games only;"
                f" {self.game.name} is another. Use gains."
            )

        # The opponent's best response wins this much, and leaves the rest of the constant sum to the player.
        first_best_value, second_best_value = self.values + self.gains
        first_level = payoff_sum - second_best_value
        second_level = payoff_sum - first_best_value
        return float(first_level), float(second_level)


@kernel
def mix_plans(pool: Strategies, mixture: Floats) -> Floats:
    """Return the realization plan of a mixture of one player's strategies: the weighted mean of their plans.

    Strategies with probability zero are skipped, because most strategies of a pool are not played. The sum is computed
    in the order of the pool, so that its rounding does not depend on the machine. The rounding of a matrix product
    depends on it.

    Parameters
    ----------
    pool : array of shape (K, S)
        K strategies, each a realization plan of S sequences.
    mixture : array of shape (K,)
        The probability of each strategy.

    Returns
    -------
    array of shape (S,)
        The realization weight of each sequence.
    """
    num_strategies, num_sequences = pool.shape
    plan = np.zeros(num_sequences)
    for strategy in range(num_strategies):
        if mixture[strategy] > 0.0:
            for sequence in range(num_sequences):
                plan[sequence] += mixture[strategy] * pool[strategy, sequence]
    return plan


@explain_renamed_attributes
class ParallelMemory(Memory[ParallelMemoryState]):
    """The base class of memories with a pool for each player.

    In each round the search heuristic proposes a test strategy (candidate for the pool) of each player. A subclass
    defines `play_round`, which decides when the test strategies are added to the pools.

    Parameters
    ----------
    game : SequenceForm, SymmetricGame or Contest
        The game for which strategies are stored.
    subgame : SubgameSolver
        The solver that computes a mixture of each player from the payoffs of the stored strategies.
    encoding : RealVector, optional
        The encoding, which maps vectors of numbers to strategies of a contest. Other games need none.
    heuristic : SearchHeuristic, optional
        The heuristic that proposes test strategies; `BestResponse()` by default. A contest needs another one.
    start : Profile or array_like, optional
        The starting strategies: a profile of a compiled game, or one vector that both players use in any other game.
        The default is the game's own start.
    tremble : float
        A small probability, from 0 to 0.1, which is divided equally among all strategies of a pool in the mixtures that
        the heuristic receives. So the players tremble, as with the `tremble` of `BestResponse`. But they deviate to
        stored strategies, and not to single actions.
    """

    STATE = ParallelMemoryState
    tremble: float = 0.0

    def __init__(
        self,
        game: SequenceForm | SymmetricGame | Contest,
        *,
        subgame: SubgameSolver,
        encoding: RealVector | None = None,
        heuristic: SearchHeuristic | None = None,
        start: Profile | ArrayLike | None = None,
        tremble: float = 0.0,
    ) -> None:
        validate_number("tremble", tremble, 0.0, LARGEST_TREMBLE)
        super().__init__(game, encoding=encoding, heuristic=heuristic, start=start)
        check_subgame_solver(subgame, self.game)
        self.subgame, self.tremble = subgame, tremble

    @property
    def least_gain(self) -> float:
        """The gain that strategies must exceed to be added to the pools, in the game's unit.

        A smaller gain can be an error of the subgame solver, whose mixtures are optimal only up to its tolerance.
        """
        return float(self.subgame.tolerance * find_utility_scale(self.game))

    def init(self) -> ParallelMemoryState:
        """Return the state before the first round, in which the pool of each player contains only one strategy.

        It is the strategy of the parameter `start`, or by default the game's own starting strategy. The state is
        already marked as converged if these strategies are an equilibrium.

        Returns
        -------
        ParallelMemoryState
            The state of round 0.
        """
        game, start = self.game, self.start
        if isinstance(game, SequenceForm):
            first_strategies = make_start_behavior(game, start)
        else:
            # Strategies are vectors. Both players begin with the same one.
            first_strategy = game.default_start if start is None else start
            first_strategies = np.stack([first_strategy, first_strategy])

        pools = tuple(strategy[None, :] for strategy in self.split_by_player(first_strategies))
        state = ParallelMemoryState(
            game=game,
            iteration=0,
            pools=pools,
            payoffs=extend_payoffs(game, pools),
            mixtures=tuple(np.ones(1) for _ in pools),
            converged=False,
            basis=(NO_BASIS,) * len(pools),  # no linear program has been solved yet
        )
        return self.update_convergence(state)

    def propose_test_strategies(self, state: ParallelMemoryState) -> Floats:
        """Return a test strategy (candidate for the pool) of each player, which the search heuristic proposes.

        If `tremble` is positive, the heuristic receives mixtures that give every strategy of a pool a small
        positive probability.

        Parameters
        ----------
        state : ParallelMemoryState
            The state, against whose mixtures the heuristic searches.

        Returns
        -------
        array of shape (S - n,) or (2, d)
            In a compiled game of n players and S sequences: the probabilities of all nonempty sequences. In any other
            game: a vector of d numbers for each of two players.
        """
        return self.run_heuristic(state, is_perturbed=self.tremble > 0.0)

    def run_heuristic(self, state: ParallelMemoryState, *, is_perturbed: bool) -> Floats:
        """Return one test strategy (candidate for the pool) of each player, which the search heuristic proposes.

        Where strategies are vectors, the heuristic may propose several for a player. Then only the one with the largest
        payoff against the state's own mixtures is returned.

        Parameters
        ----------
        state : ParallelMemoryState
            The state.
        is_perturbed : bool
            Whether the heuristic receives the mixtures after `perturb_mixtures`, instead of the state's own mixtures.

        Returns
        -------
        array of shape (S - n,) or (2, d)
            In a compiled game of n players and S sequences: the probabilities of all nonempty sequences. In any other
            game: a vector of d numbers for each of two players.
        """
        searched_state = self.perturb_mixtures(state) if is_perturbed else state
        test_strategies = super().propose_test_strategies(searched_state)
        if not isinstance(test_strategies, list):
            return test_strategies  # of a compiled game, with one strategy of each player

        best_test_strategies = []
        for player, vectors in enumerate(test_strategies):
            best = np.argmax(state.evaluate_strategies(player, vectors))
            best_test_strategies.append(vectors[best])
        return np.stack(best_test_strategies)

    def perturb_mixtures(self, state: ParallelMemoryState) -> ParallelMemoryState:
        """Return the state with mixtures that give every strategy of a pool a positive probability.

        The mixtures of `state` are multiplied by 1 - `tremble`, and the rest of the probability is divided
        equally among the strategies of each pool.

        Parameters
        ----------
        state : ParallelMemoryState
            The state, which is not changed.

        Returns
        -------
        ParallelMemoryState
            A copy with the perturbed mixtures.
        """
        tremble = self.tremble
        mixtures = tuple(
            (1.0 - tremble) * mixture + tremble / len(mixture) for mixture in state.mixtures
        )
        return dataclasses.replace(state, mixtures=mixtures)

    def split_by_player(self, strategies: Floats) -> tuple[Strategies, ...]:
        """Return the strategy of each player separately, in the form in which the player's pool stores it.

        Parameters
        ----------
        strategies : array of shape (S - n,) or (2, d)
            One strategy of each player. In a compiled game of n players and S sequences: the probabilities of all
            nonempty sequences. In any other game: a vector of d numbers for each of two players.

        Returns
        -------
        tuple of arrays
            In a compiled game: a player's realization plan, which begins with 1, the weight of the empty sequence.
            In any other game: a player's vector.
        """
        if not isinstance(self.game, SequenceForm):
            return tuple(strategies)

        plan = compute_plans(self.game.block, strategies)
        weights = plan[self.game.num_players :]  # without the empty sequences, which come first
        return tuple(
            np.append(1.0, weights[own_sequences]) for own_sequences in self.game.player_sequences
        )

    def extend_pools(
        self, state: ParallelMemoryState, pools: tuple[Strategies, ...]
    ) -> ParallelMemoryState:
        """Return the state with larger pools, in which the new strategies have probability 0.

        Parameters
        ----------
        state : ParallelMemoryState
            The state, which is not changed.
        pools : tuple of arrays
            The strategies of each player: first those in the present pool, and then the new ones.

        Returns
        -------
        ParallelMemoryState
            The state with the given pools and their payoffs, but without new mixtures.
        """
        mixtures = []
        for mixture, pool in zip(state.mixtures, pools, strict=True):
            num_new = len(pool) - len(mixture)
            mixtures.append(np.append(mixture, np.zeros(num_new)))
        payoffs = extend_payoffs(self.game, pools, state.payoffs)
        return dataclasses.replace(state, pools=pools, mixtures=tuple(mixtures), payoffs=payoffs)

    def complete_round(self, state: ParallelMemoryState) -> ParallelMemoryState:
        """Return the state at the end of a round, with the mixtures that the subgame solver computes.

        The subgame is the game in which each player may play only the strategies in its pool. If no strategy of the
        whole game beats the mixtures, the state is marked as converged.

        Parameters
        ----------
        state : ParallelMemoryState
            The state with the strategies of this round in its pools. It is not changed.

        Returns
        -------
        ParallelMemoryState
            The state after the round, whose `iteration` is larger by one.

        Raises
        ------
        ConvergenceError
            If the solver finds no solution.
        """
        solution = self.subgame.solve(state.payoffs, state.basis, name=self.game.name)
        solved_state = dataclasses.replace(
            state,
            iteration=state.iteration + 1,
            mixtures=solution.mixtures,
            basis=solution.basis or state.basis,  # not every solver returns a basis
        )
        return self.update_convergence(solved_state)

    def update_convergence(self, state: ParallelMemoryState) -> ParallelMemoryState:
        """Return the state, marked as converged if no player gains more than `least_gain` from a best response.

        In a game whose best responses cannot be computed, the state is never marked.

        Parameters
        ----------
        state : ParallelMemoryState
            The state, which is not changed.

        Returns
        -------
        ParallelMemoryState
            The state itself, or a copy whose `converged` is True.
        """
        if self.has_best_responses and state.gains.max() <= self.least_gain:
            return dataclasses.replace(state, converged=True)
        return state


LARGEST_ROUNDING_ERROR = 1e-6
"""The largest gain of stored strategies that can be a rounding error, in units of the game's largest utility."""


@reject_renamed_parameters
class ParallelNashMemory(ParallelMemory):
    """The Parallel Nash Memory (Oliehoek et al. 2006), which has a pool of strategies for each player.

    In each round a search heuristic proposes a test strategy (candidate for the pool) of each player. If together
    they gain something against the mixtures, they are stored, and new mixtures are computed. In a two-player zero-sum
    game, with the exact best response as the heuristic, the memory finds an equilibrium in finitely many rounds.

    Parameters
    ----------
    game : SequenceForm, SymmetricGame or Contest
        A two-player zero-sum or constant-sum game. Other games need a `subgame` solver that accepts them.
    encoding : RealVector, optional
        The encoding of a contest's strategies.
    heuristic : SearchHeuristic, optional
        The heuristic that proposes test strategies; `BestResponse()` by default. In a symmetric game or a contest it
        may propose several strategies for a player. Only the best one is used.
    subgame : SubgameSolver, optional
        The solver that computes mixtures; the paper's linear program, `ZeroSumProgram()`, by default.
    start : Profile or array_like, optional
        The starting strategies. By default every player chooses its first action everywhere (in poker: pass or fold),
        or the symmetric game's own `start`. In a symmetric game it is one vector, which both players use.
    tremble : float
        A small probability, from 0 to 0.1, which is divided equally among all strategies of a pool in the mixtures that
        the heuristic receives. It determines what a best response does at information sets that the mixtures never
        reach. If such a response gains nothing, a response to the mixtures themselves is used instead.

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
        encoding: RealVector | None = None,
        heuristic: SearchHeuristic | None = None,
        subgame: SubgameSolver | None = None,
        start: Profile | ArrayLike | None = None,
        tremble: float = 0.0,
    ) -> None:
        super().__init__(
            game,
            subgame=ZeroSumProgram() if subgame is None else subgame,
            encoding=encoding,
            heuristic=heuristic,
            start=start,
            tremble=tremble,
        )

    def play_round(self, state: ParallelMemoryState) -> ParallelMemoryState:
        """Return the state after one more round, in which test strategies are stored if together they gain something.

        The heuristic proposes a test strategy (candidate for the pool) of each player. If the sum of their gains
        against the mixtures is not positive, the pools and mixtures stay as they are. Test strategies that are all in
        the pools already cannot gain anything, unless the mixtures are not exact. Such a gain is a rounding error. If
        exact best responses gain no more than that, the state is marked as converged.

        Parameters
        ----------
        state : ParallelMemoryState
            The state before the round, which is not changed.

        Returns
        -------
        ParallelMemoryState
            The state after the round. The round is not counted if it only marks the state.

        Raises
        ------
        ConvergenceError
            If stored strategies beat the mixtures by more than rounding can explain, or if the subgame solver finds no
            solution.
        """
        test_strategies = self.propose_test_strategies(state)
        gain = self.measure_gain(state, test_strategies)
        if not gain > self.least_gain:
            return dataclasses.replace(state, iteration=state.iteration + 1)

        extended_state = self.add_test_strategies(state, test_strategies)
        has_new_strategies = extended_state.pool_sizes != state.pool_sizes
        if has_new_strategies:
            return self.complete_round(extended_state)
        if not self.has_best_responses:
            return dataclasses.replace(state, iteration=state.iteration + 1)
        self.check_gain_is_rounding_error(gain)

        # A heuristic that is not exact may have missed a strategy that gains more than the stored ones.
        if state.gains.sum() > gain + self.least_gain:
            return dataclasses.replace(state, iteration=state.iteration + 1)
        return dataclasses.replace(state, converged=True)

    def propose_test_strategies(self, state: ParallelMemoryState) -> Floats:
        """Return a test strategy (candidate for the pool) of each player, which the search heuristic proposes.

        If `tremble` is positive, the heuristic first receives mixtures that give every strategy of a pool a
        small positive probability. If the strategies that it proposes gain nothing against the state's own mixtures,
        it is called again with these.

        Parameters
        ----------
        state : ParallelMemoryState
            The state, against whose mixtures the heuristic searches.

        Returns
        -------
        array of shape (S - n,) or (2, d)
            In a compiled game of n players and S sequences: the probabilities of all nonempty sequences. In any other
            game: a vector of d numbers for each of two players.
        """
        test_strategies = super().propose_test_strategies(state)
        if self.tremble == 0.0 or self.measure_gain(state, test_strategies) > self.least_gain:
            return test_strategies
        return self.run_heuristic(state, is_perturbed=False)

    def measure_gain(self, state: ParallelMemoryState, test_strategies: Floats) -> float:
        """Return the total gain of test strategies (candidates for the pools) against the mixtures.

        With the test strategies T and the mixtures N of all players i, it is
        `E(T, N) = sum_i [u_i(T_i, N_-i) - u_i(N)]` (Oliehoek et al. 2006, section 4.2). In a symmetric game or a
        contest u_1(N) + u_2(N) = 0, so the second term is left out.

        Parameters
        ----------
        state : ParallelMemoryState
            The state with the mixtures.
        test_strategies : array of shape (S - n,) or (2, d)
            A test strategy of each player. In a compiled game of n players and S sequences: the probabilities of all
            nonempty sequences. In any other game: a vector of d numbers for each of two players.

        Returns
        -------
        float
            The sum over all players, in the game's unit.
        """
        game = self.game
        if isinstance(game, SequenceForm):
            test_plans = compute_plans(game.block, test_strategies)
            gradient = compute_gradients(game.block, state.plan)
            utilities = compute_utilities(game, test_plans, gradient)
            return float((utilities - state.values).sum())

        gains = [
            state.evaluate_strategies(player, test_strategy[None, :])[0]
            for player, test_strategy in enumerate(test_strategies)
        ]
        return float(sum(gains))

    def add_test_strategies(
        self, state: ParallelMemoryState, test_strategies: Floats
    ) -> ParallelMemoryState:
        """Return the state with test strategies (candidates for the pools) added to its pools.

        A test strategy that the player's pool already contains is not added.

        Parameters
        ----------
        state : ParallelMemoryState
            The state, which is not changed.
        test_strategies : array of shape (S - n,) or (2, d)
            A test strategy of each player. In a compiled game of n players and S sequences: the probabilities of all
            nonempty sequences. In any other game: a vector of d numbers for each of two players.

        Returns
        -------
        ParallelMemoryState
            The state, in which the new strategies have probability 0 for now.
        """
        pools = []
        test_strategy_of_player = self.split_by_player(test_strategies)
        for pool, test_strategy in zip(state.pools, test_strategy_of_player, strict=True):
            is_stored = contains_strategy(pool, test_strategy)
            pools.append(pool if is_stored else append_strategies(pool, test_strategy[None, :]))
        return self.extend_pools(state, tuple(pools))

    def check_gain_is_rounding_error(self, gain: float) -> None:
        """Raise a ConvergenceError if stored strategies gain more against the mixtures than rounding can explain.

        Parameters
        ----------
        gain : float
            The sum of the gains of all players, in the game's unit.

        Raises
        ------
        ConvergenceError
            If the gain is larger than a rounding error can be.
        """
        if gain > LARGEST_ROUNDING_ERROR * find_utility_scale(self.game):
            raise ConvergenceError(
                f"strategies that the memory holds already win {gain:.3g} {self.game.unit} against its mixtures in"
                f" {self.game.name}: {type(self.subgame).__name__} did not find an equilibrium of the subgame. If it"
                " is not meant to, use solvers.PSRO; otherwise payoffs may differ too much in size: scale them."
            )


@reject_renamed_parameters
class PSRO(ParallelMemory):
    """Policy-space response oracles (Lanctot et al. 2017), which add a strategy of each player in every round.

    The oracle, a search heuristic, proposes a test strategy (candidate for the pool) of each player. It is added even
    if the pool already contains it. Then the subgame solver computes new mixtures.

    Parameters
    ----------
    game : SequenceForm, SymmetricGame or Contest
        A game whose subgames the solver `subgame` accepts.
    subgame : SubgameSolver
        The meta-strategy solver, which computes the mixtures, such as `UniformMixture()`, `ZeroSumProgram()` or
        `ProjectedReplicator()`.
    encoding, heuristic, start
        The same as in `ParallelNashMemory`. The heuristic is the paper's oracle, which proposes new strategies.
    tremble : float
        A small probability, from 0 to 0.1, which is divided equally among all strategies of a pool in the mixtures that
        the oracle receives.
    """

    def play_round(self, state: ParallelMemoryState) -> ParallelMemoryState:
        """Return the state after one more round, in which each pool has one more strategy.

        Parameters
        ----------
        state : ParallelMemoryState
            The state before the round, which is not changed.

        Returns
        -------
        ParallelMemoryState
            The state after the round, with new mixtures.

        Raises
        ------
        ConvergenceError
            If the subgame solver finds no solution.
        """
        test_strategies = self.split_by_player(self.propose_test_strategies(state))
        pools = tuple(
            append_strategies(pool, test_strategy[None, :])
            for pool, test_strategy in zip(state.pools, test_strategies, strict=True)
        )
        return self.complete_round(self.extend_pools(state, pools))
