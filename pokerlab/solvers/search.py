"""Search heuristics: where a memory's new strategies come from, exactly, at random, or by evolution.

A search heuristic is a function of one argument, the state of a memory or of a double oracle. It sees what everybody
plays and returns *tests*, strategies that might beat it. Your own is such a function:

    def always_bet(state):
        return make_pure_behavior(state.game, np.ones(len(state.game.num_actions), dtype=int))

What it sees: `state.game`, `state.iteration`, in a compiled game `state.plan`, (S,), the realization plans of all
players, and in a symmetric game or a contest `state.opponents`, one for each pool of the memory, with the `strategies`,
(K, d), that a test is played against, and their `mixture`, (K,).

What it returns: in a compiled game the action probabilities of all players, (S - n,); in a symmetric game or a contest
strategies, (T, d), and where each player has a pool of its own a list of such arrays, one for each player. The same
state brings the same tests.

A memory converges with every heuristic that proposes a best response now and then (Oliehoek et al. 2006, section 7),
and any coevolutionary algorithm can feed one (section 5).
"""

from abc import ABC, abstractmethod
from collections.abc import Callable
from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import (
    Floats,
    GameError,
    SettingError,
    ShapeError,
    UnknownNameError,
    kernel,
    random_stream,
)
from pokerlab.core.settings import (
    LARGEST_COUNT,
    check_callable,
    check_kind,
    checked_integer,
    checked_number,
    has_method,
)
from pokerlab.evolution.evolution_strategies import MOST_OFFSPRING
from pokerlab.games import Profile, SequenceForm
from pokerlab.games.symmetric import CompiledSymmetric, Strategies, SymmetricGame
from pokerlab.games.tree_passes import (
    compute_behavior,
    compute_best_responses,
    compute_gradients,
    compute_plans,
    unpack_workspace,
)
from pokerlab.solvers.protocol import largest_utility

RULES = ("uniform", "first", "random")
TIES = ("first", "evenly")
PARENTS = ("mix", "latest")
SHORTFALL = 1e-12  # what a best response may miss, and by how much probabilities may miss their sum: rounding
TIED = 1e-14
"""By how much the values of choices that are equally good may differ, in units of the largest utility."""
SMALLEST_TREMBLE = 1e-15  # a tremble below it is lost in rounding
LARGEST_TREMBLE = 0.1


class SearchHeuristic(Protocol):
    """Proposes strategies that might beat what a memory plays."""

    def __call__(self, state: Any) -> Any:
        """Return tests against `state`, as the top of this module describes them."""


def check_heuristic(heuristic: Any, game: Any) -> None:
    """Check that `heuristic` is a search heuristic, and one for `game`."""
    check_callable(
        heuristic,
        "search heuristic",
        ("state",),
        "Give one such as solvers.BestResponse() or solvers.Mutants(seed=1).",
    )
    if has_method(heuristic, "check"):
        heuristic.check(game)


def checked_behavior(
    heuristic: Any, game: SequenceForm, proposal: Any, *, pure: bool = True
) -> Floats:
    """Return what `heuristic` proposed as floats, (S - n,), after checking that it is a strategy of every player.

    Only a memory that mixes whole strategies can hold one that is not `pure`.
    """
    given = np.asarray(proposal)
    name, size = type(heuristic).__name__, game.num_probabilities
    if given.dtype.kind not in "biuf" or given.shape != (size,):
        raise ShapeError(
            f"{name} proposed {given.dtype} of shape {given.shape} in {game.name}; a search"
            f" heuristic returns ({size},) probabilities: a strategy of every player."
        )
    behavior = given.astype(np.float64)
    choices = game.first_sequence - game.num_players
    proper = bool((behavior >= 0.0).all())
    if proper and choices.size:
        sums = np.add.reduceat(behavior, choices)
        proper = bool((np.abs(sums - 1.0) <= SHORTFALL).all())
    if not proper:
        raise SettingError(
            f"{name} proposed something other than strategies in {game.name}: a search heuristic gives the"
            " actions of every information set probabilities that sum to 1."
        )
    if pure and not np.isin(behavior, (0.0, 1.0)).all():
        raise SettingError(
            f"{name} proposed mixed strategies in {game.name}, where only pure ones can be kept. Use"
            " solvers.ParallelNashMemory or solvers.PSRO, or BestResponse(ties='first')."
        )
    return behavior


def checked_compiled(game: Any) -> CompiledSymmetric:
    """Return a symmetric `game`, after checking that it was made from a compiled one."""
    if not isinstance(game, CompiledSymmetric):
        raise GameError(
            f"{game.name} is not made from a compiled game, and has neither information sets nor"
            " profiles. Use games.self_play(game) or games.compound(game); to search elsewhere,"
            " solvers.BestResponse() or solvers.Mutants(seed=1)."
        )
    return game


def search_pools(state: Any, search: Callable[[Strategies, Floats, int], Strategies]) -> Any:
    """Return the tests, (T, d), of a `search` against what each pool plays against: one array, or a list of them.

    The search is given strategies, (K, d), their mixture, (K,), and a number that names its random numbers.
    """
    tests = [search(*opponent) for opponent in state.opponents]
    return tests[0] if len(tests) == 1 else tests


def make_pure_behavior(game: SequenceForm, choices: NDArray[Any]) -> Floats:
    """Return the behavior, (S - n,), that takes action `choices[I]` at each information set I."""
    behavior = np.zeros(game.num_probabilities)
    behavior[game.first_sequence - game.num_players + choices] = 1.0
    return behavior


def make_start_behavior(game: SequenceForm, start: Profile | None) -> Floats:
    """Return the behavior, (S - n,), of a start; without one, everybody's first action."""
    if start is not None:
        return start.probabilities
    first_actions = np.zeros(len(game.num_actions), dtype=np.int64)
    return make_pure_behavior(game, first_actions)


def compute_utilities(game: SequenceForm, plan: Floats, gradient: Floats) -> Floats:
    """Return what each player wins, (n,), by its part of `plan`, (S,), given the `gradient`, (S,), of the others'."""
    n = game.num_players
    products = plan[n:] * gradient[n:]
    return np.array(
        [gradient[player] + products[own].sum() for player, own in enumerate(game.player_sequences)]
    )


class PlanSearch(ABC):
    """A search heuristic for compiled games, and for symmetric games made from these."""

    def __call__(self, state: Any) -> Any:
        """Return tests against `state`: what `propose` finds against the realization plans."""
        game = state.game
        if isinstance(game, SequenceForm):
            return self.propose(game, state.plan, state.iteration)

        def search(strategies: Strategies, mixture: Floats, index: int) -> Strategies:
            proposal = self.propose(game.game, game.average_plans(strategies, mixture), index)
            strategy: Strategies = game.make_strategy(checked_behavior(self, game.game, proposal))
            return strategy[None, :]

        return search_pools(state, search)

    @abstractmethod
    def propose(self, game: SequenceForm, plan: Floats, index: int) -> Floats:
        """Return a strategy of every player, (S - n,), against all of `plan`, (S,); `index` names random numbers."""

    def check(self, game: Any) -> None:
        """Check that `game` has information sets."""
        if not isinstance(game, SequenceForm):
            checked_compiled(game)


@dataclass(frozen=True, kw_only=True)
class BestResponse(PlanSearch):
    """The best response to what the others play, by one backward pass over the information sets.

    At information sets that the others' mixtures never reach, everything is equally good. The paper's
    text does not say what it does there; it decides how fast a memory converges. In a symmetric game that is not made
    from a compiled one, it is the game's own best response.

    Attributes
    ----------
    unreached : {'uniform', 'first', 'random'}
        What a best response does there. 'uniform': what is best if the others slip now and then, to every action
        equally often; 'random': what is best if they slip to a profile drawn anew in each round; 'first': the first
        action.
    tremble : float
        Probability of a slip at each information set, 1e-15 to 0.1. A slip decides only between
        strategies that are otherwise equally good. For none there is 'first'.
    ties : {'first', 'evenly'}
        What a best response does where several actions are best nevertheless: it takes the first, or all
        equally often. With 'evenly' and unreached='first' that is so at unreached information sets, too.
    seed : int, optional
        Decides the slips of 'random', which needs it; the other rules draw nothing.
    """

    unreached: str = "uniform"
    tremble: float = 1e-6
    ties: str = "first"
    seed: int | None = None

    def __post_init__(self) -> None:
        UnknownNameError.check("rule for ties", self.ties, TIES)
        UnknownNameError.check("rule for unreached information sets", self.unreached, RULES)
        if self.unreached == "random" or self.seed is not None:
            checked_integer("seed", self.seed, 0)
        checked_number("tremble", self.tremble, SMALLEST_TREMBLE, LARGEST_TREMBLE)

    def __call__(self, state: Any) -> Any:
        """Return everybody's best response to `state`."""
        game = state.game
        if isinstance(game, SequenceForm | CompiledSymmetric):
            return super().__call__(state)

        def search(strategies: Strategies, mixture: Floats, index: int) -> Strategies:
            response: Strategies = game.best_response(strategies, mixture)
            return response[None, :]

        return search_pools(state, search)

    def check(self, game: Any) -> None:
        """Check that best responses can be computed in `game`."""
        if not isinstance(game, SequenceForm) and not game.has_best_responses:
            raise SettingError(
                f"{game.name} has no best response that can be computed. Use another heuristic, such as"
                " solvers.Mutants(seed=1)."
            )

    def propose(self, game: SequenceForm, plan: Floats, index: int) -> Floats:
        """Return everybody's best response to `plan`, (S,), as a behavior, (S - n,).

        A best response to others who slip may miss as much as they slip. When that shows, they slip a thousand times
        less.
        """
        behavior = compute_behavior(game.block, plan)
        best_utilities, response = self.respond(game, behavior)
        if self.unreached == "first":
            return response
        slip = self.make_slip(game, index)
        gradient = compute_gradients(game.block, plan)
        tremble = self.tremble
        while tremble >= SMALLEST_TREMBLE:
            slipping = (1.0 - tremble) * behavior + tremble * slip
            _, careful = self.respond(game, slipping)
            utilities = compute_utilities(game, compute_plans(game.block, careful), gradient)
            if (best_utilities - utilities).max() <= SHORTFALL:
                return careful
            tremble /= 1000.0
        return response

    def respond(self, game: SequenceForm, behavior: Floats) -> tuple[Floats, Floats]:
        """Return what best responses to `behavior`, (S - n,), win, (n,), and their behavior, (S - n,)."""
        _, best, response = compute_best_responses(game.block, behavior, 0, game.num_players)
        if self.ties == "evenly":
            gradient = compute_gradients(game.block, compute_plans(game.block, behavior))
            response = respond_evenly(game.block, gradient, TIED * largest_utility(game))
        return best, response

    def make_slip(self, game: SequenceForm, index: int) -> Floats:
        """Return the behavior, (S - n,), to which everybody slips."""
        if self.unreached == "uniform" or self.seed is None:
            return game.uniform().probabilities
        weights = random_stream(self.seed, "slip", index).exponential(size=game.num_probabilities)
        sums = np.add.reduceat(weights, game.first_sequence - game.num_players)
        return np.asarray(weights / np.repeat(sums, game.num_actions))


@kernel
def respond_evenly(block: Floats, gradient: Floats, tied: float) -> Floats:
    """Return everybody's best response, (S - n,), that takes all best actions equally often.

    `gradient`, (S,), is what the others' plans give; values that differ by no more than `tied` are equal.
    """
    game, value = unpack_workspace(block), gradient.copy()
    response = np.zeros(value.size)
    for infoset in range(game.first.size - 1, -1, -1):
        begin = game.first[infoset]
        end = begin + game.size[infoset]
        best = value[begin:end].max()
        count = np.count_nonzero(value[begin:end] >= best - tied)
        for q in range(begin, end):
            response[q] = 1.0 / count if value[q] >= best - tied else 0.0
        value[game.parent[infoset]] += best
    return response[game.ids[0] :]


@dataclass(frozen=True, kw_only=True)
class RandomSearch(PlanSearch):
    """A random pure strategy for each player, and sometimes everybody's best response.

    Attributes
    ----------
    seed : int
        Decides what is drawn.
    best_response_share : float
        Probability of the best response in a round, 0 to 1; above 0 a memory still converges.
    best_response : BestResponse
        How it is found.
    """

    seed: int
    best_response_share: float = 0.1
    best_response: BestResponse = field(default_factory=BestResponse)

    def __post_init__(self) -> None:
        checked_integer("seed", self.seed, 0)
        checked_number("best_response_share", self.best_response_share, 0.0, 1.0)
        check_kind("best_response", self.best_response, BestResponse, "one such as BestResponse()")

    def propose(self, game: SequenceForm, plan: Floats, index: int) -> Floats:
        """Return one random pure strategy a player, or everybody's best response, (S - n,)."""
        rng = random_stream(self.seed, "search", index)
        if rng.random() < self.best_response_share:
            return self.best_response.propose(game, plan, index)
        return make_pure_behavior(game, rng.integers(game.num_actions))


@dataclass(frozen=True, kw_only=True)
class EvolutionarySearch(PlanSearch):
    """For each player one parent, whose mutants replace it when they win no less.

    Mutation draws every choice anew with probability one in their number, and at least one. Since every
    strategy can become every other, a best response has a chance in each round.

    Attributes
    ----------
    seed : int
        Decides first parents and mutations.
    generations : int
        Generations in each round.
    offspring : int
        Mutants a generation, 1 to 100,000.
    """

    seed: int
    generations: int = 50
    offspring: int = 10

    def __post_init__(self) -> None:
        checked_integer("seed", self.seed, 0)
        checked_integer("generations", self.generations, 1, LARGEST_COUNT)
        checked_integer("offspring", self.offspring, 1, MOST_OFFSPRING)

    def propose(self, game: SequenceForm, plan: Floats, index: int) -> Floats:
        """Return the fittest strategy that evolved for each player against what the others play, (S - n,)."""
        gradient = compute_gradients(game.block, plan)
        choices = random_stream(self.seed, "first genome", index).integers(game.num_actions)
        for player in range(game.num_players):
            self.evolve_player(game, player, gradient, choices, index)
        return make_pure_behavior(game, choices)

    def evolve_player(
        self, game: SequenceForm, player: int, gradient: Floats, choices: NDArray[Any], index: int
    ) -> None:
        """Overwrite one player's part of `choices`, (I,), by what evolves from it."""
        own = slice(*game.infoset_start[player : player + 2])
        best_fitness = pure_utility(game, player, gradient, choices)
        for generation in range(self.generations):
            rng = random_stream(self.seed, "mutation", index, player, generation)
            mutants = np.tile(choices, (self.offspring, 1))
            mutants[:, own] = mutate_choices(rng, mutants[:, own], game.num_actions[own])
            fitness = [pure_utility(game, player, gradient, mutant) for mutant in mutants]
            fittest = int(np.argmax(fitness))
            if fitness[fittest] >= best_fitness:
                best_fitness = fitness[fittest]
                choices[own] = mutants[fittest, own]


def pure_utility(game: SequenceForm, player: int, gradient: Floats, choices: NDArray[Any]) -> float:
    """Return what a player wins with `choices`, (I,), where the others' plans give `gradient`, (S,)."""
    plan = compute_plans(game.block, make_pure_behavior(game, choices))
    return float(compute_utilities(game, plan, gradient)[player])


def mutate_choices(
    rng: np.random.Generator, parents: NDArray[Any], num_actions: NDArray[Any]
) -> NDArray[Any]:
    """Return `parents`, (k, I_i), with each choice drawn anew with probability 1 / I_i, at least one a row."""
    count, size = parents.shape
    is_drawn = rng.random((count, size)) < 1.0 / max(size, 1)
    if size:
        is_drawn[np.arange(count), rng.integers(size, size=count)] = True
    return np.where(is_drawn, rng.integers(num_actions, size=(count, size)), parents)


@dataclass(frozen=True, kw_only=True)
class Mutants:
    """Mutants of strategies in memory: a hill climber, for symmetric games and contests.

    Attributes
    ----------
    seed : int
        Decides parents and mutations.
    offspring : int
        Tests a round, 1 to 100,000.
    parents : {'mix', 'latest'}
        Each drawn by its probability in the mixture; or the strategy met last.
    """

    seed: int
    offspring: int = 1
    parents: str = "mix"

    def __post_init__(self) -> None:
        checked_integer("seed", self.seed, 0)
        checked_integer("offspring", self.offspring, 1, MOST_OFFSPRING)
        UnknownNameError.check("choice of parents", self.parents, PARENTS)

    def __call__(self, state: Any) -> Any:
        """Return mutants, (offspring, d), of the strategies that each pool plays against."""
        game = state.game

        def search(strategies: Strategies, mixture: Floats, index: int) -> Strategies:
            return self.mutate(game, strategies, mixture, index)

        return search_pools(state, search)

    def mutate(
        self, game: SymmetricGame, strategies: Strategies, mixture: Floats, index: int
    ) -> Strategies:
        """Return mutants, (offspring, d), of `strategies`, (K, d); `index` names their random numbers."""
        rng = random_stream(self.seed, "mutants", index)
        parents = np.full(self.offspring, len(mixture) - 1)
        if self.parents == "mix":
            parents = rng.choice(len(mixture), size=self.offspring, p=mixture)
        return np.array([game.draw_mutant(strategies[parent], rng) for parent in parents])

    def check(self, game: Any) -> None:
        """Check that strategies of `game` are vectors, which can be mutated."""
        if not has_method(game, "draw_mutant"):
            raise GameError(
                f"Mutants are of strategies of a symmetric game or a contest; {game.name} is neither. Use"
                " solvers.EvolutionarySearch(seed=1)."
            )
