"""Memories with a pool of strategies for each player: the Parallel Nash Memory and PSRO.

- `ParallelNashMemory` (Oliehoek, de Jong & Vlassis 2006, section 4.2) adds the tests of a round if the sum of their
  gains against the mixtures is positive.
- `PSRO`, policy-space response oracles (Lanctot et al. 2017), adds every test, even one that the pool already contains.
  With Nash mixtures it is the Parallel Nash Memory, which is the double oracle of McMahan, Gordon & Blum (2003) in an
  extensive game. With uniform mixtures it is fictitious play.

What they share with the Nash Memory, and what a memory is, is in `memories`.
"""

import dataclasses
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import ConvergenceError, Floats, GameError, kernel, validate_number
from pokerlab.games import Contest, Profile, SequenceForm
from pokerlab.games.symmetric import Strategies, SymmetricGame
from pokerlab.games.tree_passes import compute_behavior, compute_gradients, compute_plans
from pokerlab.solvers.linear_program import NO_BASIS
from pokerlab.solvers.memories import Memory, MemoryState
from pokerlab.solvers.protocol import check_compiled_game, find_largest_utility
from pokerlab.solvers.search import (
    LARGEST_TREMBLE,
    SearchHeuristic,
    compute_utilities,
    make_start_behavior,
)
from pokerlab.solvers.strategy_pools import append_strategies, contains_strategy
from pokerlab.solvers.subgame import (
    SubgameSolver,
    ZeroSumProgram,
    check_subgame_solver,
    extend_payoffs,
)


@dataclass(frozen=True, eq=False)
class ParallelMemoryState(MemoryState):
    """A memory after `iteration` rounds, with a pool for each player."""

    def mix_pool_plans(self, mixtures: tuple[Floats, ...]) -> Floats:
        """Return the realization plans of all players when they play the given mixtures of their pools.

        Because plans are averaged rather than behaviors, a strategy's weight at an information set is its probability
        in the mixture times its probability of reaching that set (section 5).
        """
        check_compiled_game(self.game)
        plans = [
            mix_plans(pool, mixture)[1:] for pool, mixture in zip(self.pools, mixtures, strict=True)
        ]
        return np.concatenate([np.ones(len(plans)), *plans])

    @cached_property
    def profile(self) -> Profile:
        """The behavior that is equivalent to the mixtures; uniform at information sets that they never reach."""
        check_compiled_game(self.game)
        return Profile.from_unchecked(self.game, compute_behavior(self.game.block, self.plan))

    @cached_property
    def values(self) -> Floats:
        """The expected payoff of each player when all players play their mixtures."""
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
        """What each player would gain by a best response among all strategies, not only those in the pools."""
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

        The game must be a two-player zero-sum or constant-sum game.
        """
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
    """Return the realization plan of a mixture of one player's strategies: the weighted mean of their plans.

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


class ParallelMemory(Memory[ParallelMemoryState]):
    """The base class of memories with a pool for each player."""

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
        validate_number("vanishing_weight", vanishing_weight, 0.0, LARGEST_TREMBLE)
        super().__init__(game, encoding=encoding, heuristic=heuristic, start=start)
        check_subgame_solver(subgame, self.game)
        self.subgame, self.vanishing_weight = subgame, vanishing_weight

    @property
    def least_gain(self) -> float:
        """The gain that new strategies must exceed, in the game's unit: the error that the subgame solver may make."""
        return float(self.subgame.tolerance * find_largest_utility(self.game))

    def init(self) -> ParallelMemoryState:
        """Return the memory before the first round, in which each player's pool contains only its first strategy.

        The first strategies are those of the parameter `start`, or by default those of the game.
        """
        game, start = self.game, self.start
        if isinstance(game, SequenceForm):
            first_strategies = make_start_behavior(game, start)
        else:
            # Strategies are vectors. Both players begin with the same one.
            first_strategy = game.default_start if start is None else start
            first_strategies = np.stack([first_strategy, first_strategy])

        # They have the same form as the tests of a round.
        pools = tuple(strategy[None, :] for strategy in self.split_tests(first_strategies))
        state = ParallelMemoryState(
            game=game,
            iteration=0,
            pools=pools,
            payoffs=extend_payoffs(game, pools),
            mixtures=tuple(np.ones(1) for _ in pools),
            converged=False,
            basis=(NO_BASIS,) * len(pools),  # no linear program has been solved yet
        )
        return self.mark_convergence(state)

    def propose_tests(self, state: ParallelMemoryState) -> Any:
        """Return the tests of a round: a candidate strategy of each player, which the search heuristic proposes.

        If `vanishing_weight` is positive, the heuristic sees mixtures that give every strategy of a pool a small
        positive probability.

        Returns
        -------
        array of shape (S - n,) or (2, d)
            In a compiled game of n players and S sequences: the probabilities of all nonempty sequences. In any other
            game: a vector of d numbers for each of two players.
        """
        weight = self.vanishing_weight
        if not weight:
            return self.run_heuristic(state, state)
        mixtures = tuple(
            (1.0 - weight) * mixture + weight / len(mixture) for mixture in state.mixtures
        )
        return self.run_heuristic(state, dataclasses.replace(state, mixtures=mixtures))

    def run_heuristic(self, state: ParallelMemoryState, visible_state: ParallelMemoryState) -> Any:
        """Return one new strategy of each player, which the heuristic proposes for the mixtures of `visible_state`.

        The memory itself is `state`, and `visible_state` may have other mixtures. Where strategies are vectors, the
        heuristic may propose several for a player. Then the one with the largest payoff against the mixtures of `state`
        is returned. The result has the form that `propose_tests` describes.
        """
        tests = super().propose_tests(visible_state)
        if isinstance(self.game, SequenceForm):
            return tests
        best_tests = []
        for player, vectors in enumerate(tests):
            best = np.argmax(state.evaluate_strategies(player, vectors))
            best_tests.append(vectors[best])
        return np.stack(best_tests)

    def split_tests(self, tests: Any) -> tuple[Strategies, ...]:
        """Return each player's strategy separately, in the form in which its pool stores it.

        Parameters
        ----------
        tests : array of shape (S - n,) or (2, d)
            One strategy of each player, as `propose_tests` returns them.

        Returns
        -------
        tuple of arrays
            In a compiled game: a player's realization plan, which begins with 1, the weight of the empty sequence.
            In any other game: a player's vector.
        """
        if not isinstance(self.game, SequenceForm):
            return tuple(tests)
        plan = compute_plans(self.game.block, tests)
        n = self.game.num_players
        return tuple(
            np.append(1.0, plan[n:][own_sequences]) for own_sequences in self.game.player_sequences
        )

    def extend_pools(
        self, state: ParallelMemoryState, pools: tuple[Strategies, ...]
    ) -> ParallelMemoryState:
        """Return the memory with longer pools, in which the new strategies have probability 0.

        In `pools` each player's array has the strategies of its present pool, followed by the new ones.
        """
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
        """Return the memory, marked as converged if no player gains more than `least_gain` from a best response.

        Where best responses cannot be computed, the memory is returned as it is.
        """
        converged = self.has_best_responses and state.gains.max() <= self.least_gain
        return dataclasses.replace(state, converged=True) if converged else state


ROUNDING = 1e-6
"""The largest gain of stored strategies that counts as rounding, in units of the game's largest utility."""


class ParallelNashMemory(ParallelMemory):
    """The Parallel Nash Memory (Oliehoek et al. 2006), which has a pool of strategies for each player.

    In a two-player zero-sum game, with the exact best response as its search heuristic, it finds an equilibrium in
    finitely many rounds.

    Parameters
    ----------
    game : SequenceForm, SymmetricGame or Contest
        A two-player zero-sum or constant-sum game. Other games need a `subgame` solver that accepts them.
    encoding : RealVector, optional
        The encoding of a contest's strategies.
    heuristic : SearchHeuristic, optional
        The heuristic that proposes new strategies; `BestResponse()` by default. In a symmetric game or a contest it may
        propose several strategies for a player, of which only the best one is used.
    subgame : SubgameSolver, optional
        The solver that computes mixtures; the paper's linear program, `ZeroSumProgram()`, by default.
    start : Profile or array_like, optional
        The starting strategies. By default every player chooses its first action everywhere (in poker: pass or fold),
        or the symmetric game's own `start`. In a symmetric game it is one vector, which both players use.
    vanishing_weight : float
        A small probability, from 0 to 0.1, which is divided equally among all strategies of a pool in the mixtures that
        the heuristic sees. It determines what a best response does at information sets that the mixtures never reach.
        If such a response does not win, a response to the mixtures themselves is used instead.

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
        """Return the memory after one round, in which the proposed strategies are added if together they win.

        If they do not win, the pools and mixtures stay as they are. If they win but are all stored already, then in an
        exact game their gain is a rounding error, and the memory is marked as converged.

        Raises
        ------
        ConvergenceError
            If stored strategies beat the mixtures by more than rounding can explain.
        """
        tests = self.propose_tests(state)
        gain = self.measure_gain(state, tests)
        if not gain > self.least_gain:
            return dataclasses.replace(state, iteration=state.iteration + 1)
        extended = self.add_tests(state, tests)
        if extended.pool_sizes == state.pool_sizes:
            if not self.has_best_responses:
                return dataclasses.replace(state, iteration=state.iteration + 1)
            self.check_rounding(gain)
            return dataclasses.replace(state, converged=True)
        return self.solve_subgame(extended)

    def propose_tests(self, state: ParallelMemoryState) -> Any:
        """Return the tests of a round: a candidate strategy of each player, which the search heuristic proposes.

        If `vanishing_weight` is positive, the heuristic first sees mixtures that give every strategy of a pool a small
        positive probability. If what it proposes does not win, it is called again with the mixtures as they are.
        """
        tests = super().propose_tests(state)
        if not self.vanishing_weight or self.measure_gain(state, tests) > self.least_gain:
            return tests
        return self.run_heuristic(state, state)

    def measure_gain(self, state: ParallelMemoryState, tests: Any) -> float:
        """Return the sum over all players of what each gains by its test against the other players' mixtures.

        With the tests T and the mixtures N it is `E(T, N) = sum_i [u_i(T_i, N_-i) - u_i(N)]` (section 4.2). In a
        symmetric game or a contest u_1(N) + u_2(N) = 0, so the second term is left out.
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
        """Return the memory with the tests added to its pools, except those that a pool already contains."""
        pools = tuple(
            pool if contains_strategy(pool, test) else append_strategies(pool, test[None, :])
            for pool, test in zip(state.pools, self.split_tests(tests), strict=True)
        )
        return self.extend_pools(state, pools)

    def check_rounding(self, gain: float) -> None:
        """Raise a ConvergenceError if stored strategies gain more against the mixtures than rounding can explain."""
        if gain > ROUNDING * find_largest_utility(self.game):
            raise ConvergenceError(
                f"strategies that the memory holds already win {gain:.3g} {self.game.unit} against its mixtures in"
                f" {self.game.name}: {type(self.subgame).__name__} did not find an equilibrium of the subgame. If it"
                " is not meant to, use solvers.PSRO; otherwise payoffs may differ too much in size: scale them."
            )


class PSRO(ParallelMemory):
    """Policy-space response oracles (Lanctot et al. 2017), which add a strategy of each player in every round.

    A strategy is added even if the pool already contains it. Then the subgame solver computes new mixtures.

    Parameters
    ----------
    game : SequenceForm, SymmetricGame or Contest
        A game whose subgames the solver `subgame` accepts.
    subgame : SubgameSolver
        The meta-strategy solver, which computes the mixtures, such as `UniformMixture()`, `ZeroSumProgram()` or
        `ProjectedReplicator()`.
    encoding, heuristic, start
        The same as in `ParallelNashMemory`. The heuristic is the paper's oracle, which proposes new strategies.
    vanishing_weight : float
        A small probability, from 0 to 0.1, which is divided equally among all strategies of a pool in the mixtures that
        the oracle sees.
    """

    def play_round(self, state: ParallelMemoryState) -> ParallelMemoryState:
        """Return the memory after one round, in which each pool has one more strategy."""
        tests = self.split_tests(self.propose_tests(state))
        pools = tuple(
            append_strategies(pool, test[None, :])
            for pool, test in zip(state.pools, tests, strict=True)
        )
        return self.solve_subgame(self.extend_pools(state, pools))
