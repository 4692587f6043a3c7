"""Search heuristics of the symmetric memory: they see one mix and propose strategies against it."""

from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import Floats, GameError, SettingError, ShapeError, UnknownNameError, stream
from pokerlab.core.errors import in_short
from pokerlab.core.settings import check_part, whole
from pokerlab.evolution.population.contenders import Contenders
from pokerlab.evolution.protocol import MOST_OFFSPRING
from pokerlab.games import Contest
from pokerlab.games.symmetric import CompiledSymmetric, Strategies, SymmetricGame
from pokerlab.solvers.protocol import check_game
from pokerlab.solvers.search import BestResponse, SearchHeuristic, check_heuristic, proposal

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
        game, encoding = Contenders(game, encoding), None
        if heuristic is None:
            raise SettingError(
                f"nobody knows the best reply in {game.name}, a contest; give a heuristic=, such as"
                " solvers.Mutants(seed=1, offspring=10)."
            )
    if not hasattr(game, "mutant"):
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
