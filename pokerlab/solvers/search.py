"""Search heuristics: where a memory's new strategies come from, exactly, at random, or by evolution.

A search heuristic is a function of one argument, the state of a memory or of a double oracle. It sees what all players
play and returns *tests*, strategies that might beat it. Your own is such a function:

    def always_bet(state):
        return make_pure_behavior(state.game, np.ones(len(state.game.num_actions), dtype=int))

It can read `state.game` and `state.iteration`; in a compiled game `state.plan`, the realization plans of all players,
of shape (S,); and in a symmetric game or a contest `state.opponents`, one for each pool of the memory, with the
`strategies` that a test is played against, of shape (K, d), and their `mixture`, of shape (K,).

In a compiled game it returns the action probabilities of all players, of shape (S - n,). In a symmetric game or a
contest it returns T strategies, of shape (T, d), and where each player has a pool a list of such arrays, one for each
player. For the same state it returns the same tests.

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
from pokerlab.solvers.protocol import find_largest_utility

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
    """Raise unless `heuristic` is a search heuristic that accepts the game."""
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
    """Return what a heuristic proposed as an array of probabilities; raise unless it is a strategy of every player.

    Parameters
    ----------
    heuristic : SearchHeuristic
        The heuristic, for errors.
    game : SequenceForm
        The game that is played.
    proposal : object
        What the heuristic returned.
    pure : bool
        Whether the strategies must be pure. Only a memory that mixes realization plans can hold others.

    Returns
    -------
    array of shape (S - n,)
        The action probabilities of all players.
    """
    given = np.asarray(proposal)
    name, size = type(heuristic).__name__, game.num_probabilities
    if given.dtype.kind not in "biuf" or given.shape != (size,):
        raise ShapeError(
            f"{name} proposed {given.dtype} of shape {given.shape} in {game.name}; a search"
            f" heuristic returns ({size},) probabilities: a strategy of every player."
        )
    behavior = given.astype(np.float64)
    first_actions = game.first_sequence - game.num_players
    is_proper = bool((behavior >= 0.0).all())
    if is_proper and first_actions.size:
        sums = np.add.reduceat(behavior, first_actions)
        is_proper = bool((np.abs(sums - 1.0) <= SHORTFALL).all())
    if not is_proper:
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
    """Return a symmetric game; raise unless it was made from a compiled game."""
    if not isinstance(game, CompiledSymmetric):
        raise GameError(
            f"{game.name} is not made from a compiled game, and has neither information sets nor"
            " profiles. Use games.self_play(game) or games.compound(game); to search elsewhere,"
            " solvers.BestResponse() or solvers.Mutants(seed=1)."
        )
    return game


def search_pools(
    state: Any, search: Callable[[Strategies, Floats, int], Strategies]
) -> Strategies | list[Strategies]:
    """Return the tests that a search finds against the opponents of each pool.

    Parameters
    ----------
    state : MemoryState
        The state of a memory of a symmetric game.
    search : callable
        `search(strategies, mixture, index)` returns tests against a mixture of strategies, with random numbers
        that the index names.

    Returns
    -------
    array of shape (T, d) or list of such arrays
        Where the memory has several pools, one array for each.
    """
    tests = [search(*opponent) for opponent in state.opponents]
    return tests[0] if len(tests) == 1 else tests


def make_pure_behavior(game: SequenceForm, choices: NDArray[Any]) -> Floats:
    """Return the behavior of pure strategies.

    Parameters
    ----------
    game : SequenceForm
        The game that is played.
    choices : array of shape (I,)
        The index of the action that is taken at each information set.

    Returns
    -------
    array of shape (S - n,)
        The action probabilities of all players: ones and zeros.
    """
    behavior = np.zeros(game.num_probabilities)
    behavior[game.first_sequence - game.num_players + choices] = 1.0
    return behavior


def make_start_behavior(game: SequenceForm, start: Profile | None) -> Floats:
    """Return the action probabilities of a start; without one, those of every player's first actions."""
    if start is not None:
        return start.probabilities
    first_actions = np.zeros(len(game.num_actions), dtype=np.int64)
    return make_pure_behavior(game, first_actions)


def compute_utilities(game: SequenceForm, plan: Floats, gradient: Floats) -> Floats:
    """Return the payoff of each player by its own realization plan, given the gradient that the others' plans make.

    Parameters
    ----------
    game : SequenceForm
        The game that is played.
    plan, gradient : array of shape (S,)
        The realization plans of all players, and the gradient of each player's payoff in its own plan.

    Returns
    -------
    array of shape (n,)
        The payoff of each player.
    """
    n = game.num_players
    products = plan[n:] * gradient[n:]
    return np.array(
        [gradient[player] + products[own].sum() for player, own in enumerate(game.player_sequences)]
    )


class PlanSearch(ABC):
    """A search heuristic for compiled games, and for symmetric games made from these."""

    def __call__(self, state: Any) -> Any:
        """Return the tests that `propose_behavior` finds against the plans of a state.

        Returns
        -------
        array of shape (S - n,) or (T, d), or list of the latter
            As `pokerlab.solvers.search` describes them.
        """
        game = state.game
        if isinstance(game, SequenceForm):
            return self.propose_behavior(game, state.plan, state.iteration)

        def search(strategies: Strategies, mixture: Floats, index: int) -> Strategies:
            proposal = self.propose_behavior(
                game.game, game.mix_pool_plans(strategies, mixture), index
            )
            strategy: Strategies = game.make_strategy(checked_behavior(self, game.game, proposal))
            return strategy[None, :]

        return search_pools(state, search)

    @abstractmethod
    def propose_behavior(self, game: SequenceForm, plan: Floats, index: int) -> Floats:
        """Return a strategy of every player against the strategies of all others.

        Parameters
        ----------
        game : SequenceForm
            The game that is played.
        plan : array of shape (S,)
            The realization plans of all players.
        index : int
            Names the random numbers of this search.

        Returns
        -------
        array of shape (S - n,)
            The action probabilities of all players.
        """

    def check(self, game: Any) -> None:
        """Raise if the game has no information sets."""
        if not isinstance(game, SequenceForm):
            checked_compiled(game)


@dataclass(frozen=True, kw_only=True)
class BestResponse(PlanSearch):
    """The best response of each player to the others, by one backward pass over the information sets.

    At information sets that the others' mixtures never reach, all actions are equally good. The paper's text does not
    say which one it takes there, and the rule decides how fast a memory converges. In a symmetric game that is not
    made from a compiled one, it is the game's own best response.

    Attributes
    ----------
    unreached : {'uniform', 'first', 'random'}
        The action at such information sets. 'uniform': the best if the others tremble, which means that they slip
        now and then, to every action equally often; 'random': the best if they slip to a profile drawn anew in each
        round; 'first': the first action.
    tremble : float
        The probability of a slip at each information set, 1e-15 to 0.1. A slip decides only between
        strategies that are otherwise equally good. Without slips, use 'first'.
    ties : {'first', 'evenly'}
        The actions where several are best nevertheless: the first, or all equally often. With 'evenly' and
        unreached='first' this holds at unreached information sets as well.
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
        """Return the best response of every player to the others.

        Returns
        -------
        array of shape (S - n,) or (1, d), or list of the latter
            As `pokerlab.solvers.search` describes tests.
        """
        game = state.game
        if isinstance(game, SequenceForm | CompiledSymmetric):
            return super().__call__(state)

        def search(strategies: Strategies, mixture: Floats, index: int) -> Strategies:
            response: Strategies = game.best_response(strategies, mixture)
            return response[None, :]

        return search_pools(state, search)

    def check(self, game: Any) -> None:
        """Raise if best responses cannot be computed in the game."""
        if not isinstance(game, SequenceForm) and not game.has_best_responses:
            raise SettingError(
                f"{game.name} has no best response that can be computed. Use another heuristic, such as"
                " solvers.Mutants(seed=1)."
            )

    def propose_behavior(self, game: SequenceForm, plan: Floats, index: int) -> Floats:
        """Return the best response of every player to the others, as in `PlanSearch.propose_behavior`.

        A best response to players who tremble may lose against those who do not. If it does, the tremble becomes a
        thousand times smaller.
        """
        behavior = compute_behavior(game.block, plan)
        best_utilities, response = self.compute_responses(game, behavior)
        if self.unreached == "first":
            return response

        slip = self.make_slip(game, index)
        gradient = compute_gradients(game.block, plan)
        tremble = self.tremble
        while tremble >= SMALLEST_TREMBLE:
            trembling = (1.0 - tremble) * behavior + tremble * slip
            _, careful_response = self.compute_responses(game, trembling)
            careful_plan = compute_plans(game.block, careful_response)
            utilities = compute_utilities(game, careful_plan, gradient)
            if (best_utilities - utilities).max() <= SHORTFALL:
                return careful_response
            tremble /= 1000.0
        return response

    def compute_responses(self, game: SequenceForm, behavior: Floats) -> tuple[Floats, Floats]:
        """Return the payoffs of best responses to a behavior, one for each player, and their action probabilities."""
        _, best_utilities, response = compute_best_responses(
            game.block, behavior, 0, game.num_players
        )
        if self.ties == "evenly":
            gradient = compute_gradients(game.block, compute_plans(game.block, behavior))
            response = respond_evenly(game.block, gradient, TIED * find_largest_utility(game))
        return best_utilities, response

    def make_slip(self, game: SequenceForm, index: int) -> Floats:
        """Return the action probabilities of players when they slip."""
        if self.unreached == "uniform" or self.seed is None:
            return game.uniform().probabilities
        weights = random_stream(self.seed, "slip", index).exponential(size=game.num_probabilities)
        sums = np.add.reduceat(weights, game.first_sequence - game.num_players)
        return np.asarray(weights / np.repeat(sums, game.num_actions))


@kernel
def respond_evenly(block: Floats, gradient: Floats, tied: float) -> Floats:
    """Return the best response of every player that takes all best actions equally often.

    Parameters
    ----------
    block : array
        The game's block, as in `pokerlab.games.tree_passes`.
    gradient : array of shape (S,)
        The gradient of each player's payoff in its own plan.
    tied : float
        Values that differ by no more than this are equal.

    Returns
    -------
    array of shape (S - n,)
        The action probabilities of all players.
    """
    game, value = unpack_workspace(block), gradient.copy()
    response = np.zeros(value.size)
    for infoset in range(game.first.size - 1, -1, -1):  # from the last, since parents come first
        begin = game.first[infoset]
        end = begin + game.size[infoset]
        best = value[begin:end].max()
        num_best = np.count_nonzero(value[begin:end] >= best - tied)
        for sequence in range(begin, end):
            response[sequence] = 1.0 / num_best if value[sequence] >= best - tied else 0.0
        value[game.parent[infoset]] += best
    return response[game.ids[0] :]


@dataclass(frozen=True, kw_only=True)
class RandomSearch(PlanSearch):
    """A random pure strategy for each player, and in some rounds the best response of every player.

    Attributes
    ----------
    seed : int
        Decides all random numbers.
    best_response_share : float
        The probability of the best responses in a round, 0 to 1; above 0 a memory still converges.
    best_response : BestResponse
        The heuristic that finds them.
    """

    seed: int
    best_response_share: float = 0.1
    best_response: BestResponse = field(default_factory=BestResponse)

    def __post_init__(self) -> None:
        checked_integer("seed", self.seed, 0)
        checked_number("best_response_share", self.best_response_share, 0.0, 1.0)
        check_kind("best_response", self.best_response, BestResponse, "one such as BestResponse()")

    def propose_behavior(self, game: SequenceForm, plan: Floats, index: int) -> Floats:
        """Return a random pure strategy of every player, or their best responses."""
        rng = random_stream(self.seed, "search", index)
        if rng.random() < self.best_response_share:
            return self.best_response.propose_behavior(game, plan, index)
        return make_pure_behavior(game, rng.integers(game.num_actions))


@dataclass(frozen=True, kw_only=True)
class EvolutionarySearch(PlanSearch):
    """A hill climber for each player, whose mutants replace their parent if they win no less.

    Mutation draws each of a player's I choices anew with probability 1 / I, and at least one of them. Since every
    strategy can become every other, a best response has a positive probability in each round.

    Attributes
    ----------
    seed : int
        Decides first parents and mutations.
    generations : int
        The number of generations in each round.
    offspring : int
        The number of mutants in a generation, 1 to 100,000.
    """

    seed: int
    generations: int = 50
    offspring: int = 10

    def __post_init__(self) -> None:
        checked_integer("seed", self.seed, 0)
        checked_integer("generations", self.generations, 1, LARGEST_COUNT)
        checked_integer("offspring", self.offspring, 1, MOST_OFFSPRING)

    def propose_behavior(self, game: SequenceForm, plan: Floats, index: int) -> Floats:
        """Return the fittest strategy that evolved for each player against the others."""
        gradient = compute_gradients(game.block, plan)
        choices = random_stream(self.seed, "first genome", index).integers(game.num_actions)
        for player in range(game.num_players):
            self.evolve_player(game, player, gradient, choices, index)
        return make_pure_behavior(game, choices)

    def evolve_player(
        self, game: SequenceForm, player: int, gradient: Floats, choices: NDArray[Any], index: int
    ) -> None:
        """Overwrite one player's choices with the fittest that evolve from them.

        Parameters
        ----------
        game : SequenceForm
            The game that is played.
        player : int
            The player's index.
        gradient : array of shape (S,)
            The gradient of each player's payoff in its own plan.
        choices : array of shape (I,)
            The actions at all information sets; those of the player are overwritten.
        index : int
            Names the random numbers.
        """
        own = slice(*game.infoset_start[player : player + 2])
        best_fitness = compute_pure_utility(game, player, gradient, choices)
        for generation in range(self.generations):
            rng = random_stream(self.seed, "mutation", index, player, generation)
            mutants = np.tile(choices, (self.offspring, 1))
            mutants[:, own] = mutate_choices(rng, mutants[:, own], game.num_actions[own])
            fitness = [compute_pure_utility(game, player, gradient, mutant) for mutant in mutants]
            fittest = int(np.argmax(fitness))
            if fitness[fittest] >= best_fitness:
                best_fitness = fitness[fittest]
                choices[own] = mutants[fittest, own]


def compute_pure_utility(
    game: SequenceForm, player: int, gradient: Floats, choices: NDArray[Any]
) -> float:
    """Return the payoff of one player's pure strategy, given the gradient of its payoff in its own plan."""
    plan = compute_plans(game.block, make_pure_behavior(game, choices))
    return float(compute_utilities(game, plan, gradient)[player])


def mutate_choices(
    rng: np.random.Generator, parents: NDArray[Any], num_actions: NDArray[Any]
) -> NDArray[Any]:
    """Return mutated copies of pure strategies: each choice is drawn anew with the same probability, and at least one.

    Parameters
    ----------
    rng : Generator
        The source of all random numbers.
    parents : array of shape (k, I)
        In each row the actions of one strategy at I information sets. The probability of a new draw is 1 / I.
    num_actions : array of shape (I,)
        The number of actions at each information set.

    Returns
    -------
    array of shape (k, I)
        The mutants.
    """
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
        The number of tests in a round, 1 to 100,000.
    parents : {'mix', 'latest'}
        Whether each parent is drawn by its probability in the mixture, or is the strategy that joined last.
    """

    seed: int
    offspring: int = 1
    parents: str = "mix"

    def __post_init__(self) -> None:
        checked_integer("seed", self.seed, 0)
        checked_integer("offspring", self.offspring, 1, MOST_OFFSPRING)
        UnknownNameError.check("choice of parents", self.parents, PARENTS)

    def __call__(self, state: Any) -> Any:
        """Return mutants of the opponents' strategies, for each pool.

        Returns
        -------
        array of shape (offspring, d) or list of such arrays
            As `pokerlab.solvers.search` describes tests.
        """
        game = state.game

        def search(strategies: Strategies, mixture: Floats, index: int) -> Strategies:
            return self.draw_mutants(game, strategies, mixture, index)

        return search_pools(state, search)

    def draw_mutants(
        self, game: SymmetricGame, strategies: Strategies, mixture: Floats, index: int
    ) -> Strategies:
        """Return `offspring` mutants of strategies in a mixture, one in each row; the index names random numbers."""
        rng = random_stream(self.seed, "mutants", index)
        parents = np.full(self.offspring, len(mixture) - 1)
        if self.parents == "mix":
            parents = rng.choice(len(mixture), size=self.offspring, p=mixture)
        return np.array([game.draw_mutant(strategies[parent], rng) for parent in parents])

    def check(self, game: Any) -> None:
        """Raise unless strategies of the game are vectors, which can be mutated."""
        if not has_method(game, "draw_mutant"):
            raise GameError(
                f"Mutants are of strategies of a symmetric game or a contest; {game.name} is neither. Use"
                " solvers.EvolutionarySearch(seed=1)."
            )
