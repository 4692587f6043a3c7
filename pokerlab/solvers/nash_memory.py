"""The Nash Memory for symmetric zero-sum games (Ficici & Pollack 2003; Oliehoek et al. 2006, section 3).

One set of encountered strategies for both players: N, the support of the mix that everybody plays, and M, the rest.
In each round a heuristic, which sees that one mix, proposes tests; those that beat the mix, the winners, join, and a
linear program over all of them gives the new mix, which nothing in the memory beats.
"""

import dataclasses
from collections.abc import Sequence
from dataclasses import dataclass, field
from functools import cached_property
from typing import Any, ClassVar, Protocol

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokerlab.core import (
    Floats,
    GameError,
    SettingError,
    ShapeError,
    UnknownNameError,
    freeze,
    stream,
)
from pokerlab.core.errors import in_short
from pokerlab.core.settings import LARGEST_COUNT, check_items, check_part, has_method, whole
from pokerlab.evolution.evolution_strategies import MOST_OFFSPRING
from pokerlab.evolution.population.encoded_contest import EncodedContest
from pokerlab.games import Contest, Profile, SequenceForm
from pokerlab.games.symmetric import CompiledSymmetric, Strategies, SymmetricGame, self_play
from pokerlab.solvers.linear_program import NO_BASIS, Statuses
from pokerlab.solvers.protocol import check_game, check_step
from pokerlab.solvers.search import BestResponse, SearchHeuristic, check_heuristic, proposal
from pokerlab.solvers.subgame import solve_matrix_game

PARENTS = ("mix", "latest")


class MemoryHeuristic(Protocol):
    """Proposes strategies; the same memory in the same round brings the same proposals."""

    def __call__(
        self, game: SymmetricGame, strategies: Strategies, mix: Floats, round_: int
    ) -> Strategies:
        """Return tests, (T, d), against the `mix`, (K,), of `strategies`, (K, d), after `round_` rounds."""


def check_memory_heuristic(heuristic: Any) -> None:
    """Check that `heuristic` is one of a symmetric memory."""
    check_part(
        heuristic,
        "heuristic of a symmetric memory",
        ("game", "strategies", "mix", "round_"),
        "Give solvers.Replies(), solvers.Mutants(seed=1), or solvers.Searches(search=...) with what"
        " searches for solvers.ParallelNashMemory.",
    )


def no_encoding(game: Any, encoding: Any) -> None:
    """Refuse an encoding where strategies are the game's own."""
    if encoding is not None:
        raise SettingError(
            f"encoding is {in_short(encoding)}, which is for contests; strategies of {game.name} are its own."
        )


def checked_start(game: SymmetricGame, start: ArrayLike | None) -> Strategies | None:
    """Return the one strategy, (d,), that a memory begins with, if there is one."""
    checked = None if start is None else game.checked(start)
    if checked is not None and checked.ndim != 1:
        raise ShapeError(
            f"the start has shape {checked.shape}; a memory begins with one strategy, (d,)."
        )
    return checked


def searched(
    game: Any, encoding: Any, heuristic: MemoryHeuristic | None
) -> tuple[SymmetricGame, MemoryHeuristic]:
    """Return the symmetric game in which a memory searches, and how: a contest becomes one between genomes."""
    if isinstance(game, Contest):
        game, encoding = EncodedContest(game, encoding), None
        if heuristic is None:
            raise SettingError(
                f"nobody knows the best reply in {game.name}, a contest; give a heuristic=, such as"
                " solvers.Mutants(seed=1, offspring=10)."
            )
    if not has_method(game, "mutant"):
        check_game(game)  # which says what a game is
    no_encoding(game, encoding)
    usual = Searches() if isinstance(game, CompiledSymmetric) else Replies()
    heuristic = usual if heuristic is None else heuristic
    check_memory_heuristic(heuristic)
    return game, heuristic


@dataclass(frozen=True, kw_only=True)
class Replies:
    """One test: the game's own best response, by its own rule for ties."""

    def __call__(
        self, game: SymmetricGame, strategies: Strategies, mix: Floats, round_: int
    ) -> Strategies:
        """Return the best response, (1, d)."""
        return game.best_response(strategies, mix)[None, :]


@dataclass(frozen=True, kw_only=True)
class Searches:
    """One test: what a search heuristic proposes in the compiled game.

    Attributes
    ----------
    search : SearchHeuristic
        Any that serves `ParallelNashMemory`.
    """

    search: SearchHeuristic = field(default_factory=BestResponse)

    def __post_init__(self) -> None:
        check_heuristic(self.search)

    def __call__(
        self, game: SymmetricGame, strategies: Strategies, mix: Floats, round_: int
    ) -> Strategies:
        """Return the strategy, (1, d), that makes the proposed choices."""
        played = as_compiled(game)
        plan = played.plan(strategies, mix)
        return played.strategy(proposal(self.search, played.game, plan, round_))[None, :]


@dataclass(frozen=True, kw_only=True)
class Mutants:
    """Mutants of strategies in memory: a hill climber, with the memory's mix as its opponent.

    Attributes
    ----------
    seed : int
        Decides parents and mutations.
    offspring : int
        Tests a round, 1 to 100,000.
    parents : {'mix', 'latest'}
        Each drawn by the mix; or the strategy met last.
    """

    seed: int
    offspring: int = 1
    parents: str = "mix"

    def __post_init__(self) -> None:
        whole("seed", self.seed, 0)
        whole("offspring", self.offspring, 1, MOST_OFFSPRING)
        UnknownNameError.check("choice of parents", self.parents, PARENTS)

    def __call__(
        self, game: SymmetricGame, strategies: Strategies, mix: Floats, round_: int
    ) -> Strategies:
        """Return as many mutants as `offspring` says, (offspring, d)."""
        rng = stream(self.seed, "mutants", round_)
        parents = np.full(self.offspring, len(mix) - 1)
        if self.parents == "mix":
            parents = rng.choice(len(mix), size=self.offspring, p=mix)
        return np.array([game.mutant(strategies[parent], rng) for parent in parents])


def as_compiled(game: SymmetricGame) -> CompiledSymmetric:
    """Return `game`, after checking that it was made from a compiled one."""
    if not isinstance(game, CompiledSymmetric):
        raise GameError(
            f"{game.name} is not made from a compiled game, and has neither information sets nor"
            " profiles. Use games.self_play(game) or games.compound(game); to search elsewhere,"
            " solvers.Replies() or solvers.Mutants(seed=1)."
        )
    return game


TOLERANCE = 1e-11
"""A winner gains more, in the game's unit; below lies the linear program's rounding."""


@dataclass(frozen=True, eq=False)
class NashMemoryState:
    """Where a symmetric memory stands after `iteration` rounds.

    A round takes tests, and if some win adds these and solves the subgame; round 0 holds the start.
    """

    game: SymmetricGame
    iteration: int
    strategies: Strategies  # (K, d): the strategies in memory, in the order met
    payoffs: Floats  # (K, K): what each wins against each; antisymmetric
    mix: Floats  # (K,): probabilities: N is where they are positive, M where they are zero
    last_used: NDArray[np.int64]  # (K,): the last round in N, or that of entry
    converged: bool  # whether no strategy of the game beats the mix, where that can be told
    basis: tuple[Statuses, Statuses]  # what the linear program begins with next time
    GROWS: ClassVar[tuple[str, ...]] = ("",)

    def __post_init__(self) -> None:
        size = len(self.mix)
        if self.payoffs.shape != (size, size) or {len(self.strategies), len(self.last_used)} != {
            size
        }:
            raise ShapeError(
                f"a memory with a mix of {size} has {len(self.strategies)} strategies, payoffs of shape"
                f" {self.payoffs.shape} and {len(self.last_used)} rounds of last use; all must agree."
            )
        freeze(self.strategies, self.payoffs, self.mix, self.last_used, *self.basis)

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
        freeze(reply)
        return reply

    @cached_property
    def security_level(self) -> float:
        """What the mix wins at least: zero at an equilibrium, else less."""
        return 0.0 - float(won_against(self, self.best_response[None, :])[0])

    @cached_property
    def profile(self) -> Profile:
        """The behavior of the mix in both roles, in a game made from a compiled one."""
        return as_compiled(self.game).profile(self.strategies, self.mix)


class NashMemory:
    """The memory, with a heuristic and perhaps a bound.

    Without a bound nothing encountered ever beats the mix again, and with best responses it finds an
    equilibrium in finitely many rounds. With a bound neither is sure.

    Parameters
    ----------
    game : SymmetricGame, SequenceForm or Contest
        Such as `games.compound(game)` or `games.intransitive_numbers()`; a compiled game that is
        symmetric itself, such as rock-paper-scissors, may be given as it is.
    encoding : RealVector, optional
        In a contest: what genomes are, such as `strategies.RealVector(5)`.
    heuristic : MemoryHeuristic, optional
        Where tests come from. If left out, best responses, which contests do not have: `Searches()`, the same as
        `ParallelNashMemory` finds, in games made from compiled ones, `Replies()` in others.
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
    >>> state.converged, state.iteration, (16 * state.mix).round(9).tolist()
    (True, 2, [1.0, 10.0, 5.0])
    """

    def __init__(
        self,
        game: SymmetricGame | SequenceForm | Contest,
        *,
        encoding: Any = None,
        heuristic: MemoryHeuristic | None = None,
        capacity: int | None = None,
        start: ArrayLike | None = None,
    ) -> None:
        played = self_play(game) if isinstance(game, SequenceForm) else game
        self.game, self.heuristic = searched(played, encoding, heuristic)
        if isinstance(self.game, CompiledSymmetric):
            check_game(self.game.game)
        if capacity is not None:
            whole("capacity", capacity, 1, LARGEST_COUNT)
        self.capacity = capacity
        self.start = checked_start(self.game, start)

    def init(self) -> NashMemoryState:
        """Return the memory that holds the start."""
        start = self.game.start if self.start is None else self.start
        state = NashMemoryState(
            game=self.game,
            iteration=0,
            strategies=start[None, :].copy(),
            payoffs=np.zeros((1, 1)),
            mix=np.ones(1),
            last_used=np.zeros(1, dtype=np.int64),
            converged=False,
            basis=(NO_BASIS, NO_BASIS),
        )
        return with_convergence(state)

    def step(self, state: NashMemoryState, count: int = 1) -> NashMemoryState:
        """Return the memory `count` rounds after `state`, or where it converged before."""
        for _ in range(check_step(self.game, state, count, NashMemoryState)):
            if state.converged:
                break
            state = self.round(state)
        return state

    def round(self, state: NashMemoryState) -> NashMemoryState:
        """Return the memory after one round: tests, winners, and if there are any a new mix."""
        winners = self.winners(state, self.tests(state))
        if len(winners):
            return self.solved(self.enlarged(state, winners))
        return self.with_round_counted(state)

    def tests(self, state: NashMemoryState) -> Strategies:
        """Return the heuristic's tests, T, (T, d)."""
        tests = self.heuristic(self.game, state.strategies, state.mix, state.iteration)
        return np.atleast_2d(self.game.checked(tests))

    def winners(self, state: NashMemoryState, tests: Strategies) -> Strategies:
        """Return W, the tests t with E(t, mix) > 0, without those that are in memory already."""
        beating = tests[won_against(state, tests) > TOLERANCE]
        fresh: dict[bytes, Any] = {test.tobytes(): test for test in beating}
        for known in state.strategies:
            fresh.pop(known.astype(tests.dtype).tobytes(), None)
        return np.array(list(fresh.values())).reshape(len(fresh), tests.shape[1])

    def enlarged(self, state: NashMemoryState, winners: Strategies) -> NashMemoryState:
        """Return the memory with the winners, which have weight 0 as yet."""
        strategies = np.vstack([state.strategies, winners.astype(state.strategies.dtype)])
        old, size = state.pool_size, len(strategies)
        payoffs = np.zeros((size, size))
        payoffs[:old, :old] = state.payoffs
        won = self.game.payoffs(winners, strategies)
        payoffs[old:, :old], payoffs[:old, old:] = won[:, :old], -won[:, :old].T
        payoffs[old:, old:] = (won[:, old:] - won[:, old:].T) / 2.0  # exactly antisymmetric
        met = np.full(len(winners), state.iteration + 1)
        return dataclasses.replace(
            state,
            strategies=strategies,
            payoffs=payoffs,
            mix=np.append(state.mix, np.zeros(len(winners))),
            last_used=np.append(state.last_used, met),
        )

    def solved(self, state: NashMemoryState) -> NashMemoryState:
        """Return the memory one round on: the mix solves the subgame, and no more than allowed is kept."""
        optimum = solve_matrix_game(self.game.name, state.payoffs, *state.basis)
        basis = (optimum.column_status, optimum.row_status)
        solved = self.with_round_counted(
            dataclasses.replace(state, mix=optimum.row_mix, basis=basis)
        )
        return with_convergence(
            solved if self.capacity is None else within_capacity(solved, self.capacity)
        )

    def with_round_counted(self, state: NashMemoryState) -> NashMemoryState:
        """Return the memory with one more round done, in which the mix was used."""
        iteration = state.iteration + 1
        last_used = np.where(state.mix > 0.0, iteration, state.last_used)
        return dataclasses.replace(state, iteration=iteration, last_used=last_used)


def with_convergence(state: NashMemoryState) -> NashMemoryState:
    """Return the memory, converged where nothing beats the mix and best responses can tell.

    What strategies in memory gain is the linear program's rounding; a best response that gains no more gains nothing.
    """
    if not state.game.exact_replies:
        return state
    in_memory = float((state.mix @ state.payoffs).min())
    converged = state.security_level >= in_memory - TOLERANCE
    return dataclasses.replace(state, converged=True) if converged else state


def within_capacity(state: NashMemoryState, capacity: int) -> NashMemoryState:
    """Return the memory without what has not been in N for longest, where it holds too much."""
    if state.support_size > capacity:
        raise SettingError(
            f"in round {state.iteration} the mix of {state.game.name} needs {state.support_size} strategies; the"
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
        strategies=state.strategies[kept],
        payoffs=state.payoffs[np.ix_(kept, kept)],
        mix=state.mix[kept],
        last_used=state.last_used[kept],
        basis=(NO_BASIS, NO_BASIS),  # a basis without some of its strategies may be none
    )


def won_against(state: NashMemoryState, tests: Strategies) -> Floats:
    """Return what each of `tests`, (T, d), wins against the mix, (T,)."""
    used = state.support
    return state.game.payoffs(tests, state.strategies[used]) @ state.mix[used]


def tournament(states: Sequence[NashMemoryState]) -> Floats:
    """Return what the mix of each state wins against the mix of each other, (k, k).

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
                f"a tournament is between states of one game; these belong to {game.name} and {state.game.name}."
            )
    pools = [state.strategies[state.support] for state in states]
    mixes = [state.mix[state.support] for state in states]
    won = np.zeros((len(states), len(states)))
    for i in range(len(states)):
        for j in range(i):
            won[i, j] = mixes[i] @ game.payoffs(pools[i], pools[j]) @ mixes[j]
    return won - won.T
