"""Where a memory's new strategies come from: search heuristics, exact, blind, or by evolution.

A search heuristic sees what everybody plays and proposes a strategy for each player. A memory
converges with every heuristic that proposes a best response now and then (Oliehoek et al. 2006, section 7),
and any coevolutionary algorithm can feed one (section 5).
"""

from dataclasses import dataclass, field
from typing import Any, Protocol

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import Floats, SettingError, ShapeError, UnknownNameError, kernel, stream
from pokerlab.core.settings import LARGEST_COUNT, check_part, number, whole
from pokerlab.evolution.evolution_strategies import MOST_OFFSPRING
from pokerlab.games import Profile, SequenceForm
from pokerlab.games.tree_passes import (
    behavior_of,
    gradients,
    plans_of,
    utilities_and_replies,
    workspace,
)
from pokerlab.solvers.protocol import largest_utility

RULES = ("uniform", "first", "random")
TIES = ("first", "evenly")
SHORTFALL = 1e-12  # what a reply may miss of the best one: rounding
TIED = 1e-14
"""By how much the values of choices that are equally good may differ, in units of the largest utility."""
SMALLEST_TREMBLE = 1e-15  # a tremble below it is lost in rounding
LARGEST_TREMBLE = 0.1


class SearchHeuristic(Protocol):
    """Proposes strategies; the same plans in the same round bring the same proposals."""

    def __call__(self, game: SequenceForm, plan: Floats, round_: int) -> Floats:
        """Return a strategy of every player, (S - n,), against all of `plan`, (S,), after `round_` rounds."""


def check_heuristic(heuristic: Any) -> None:
    """Check that `heuristic` is a search heuristic."""
    check_part(
        heuristic,
        "search heuristic",
        ("game", "plan", "round_"),
        "Give one such as solvers.BestResponse() or solvers.EvolutionarySearch(seed=1).",
    )


def proposal(
    heuristic: SearchHeuristic, game: SequenceForm, plan: Floats, round_: int, *, pure: bool = True
) -> Floats:
    """Return what `heuristic` proposes, (S - n,), after checking that it is a strategy of every player.

    Only a memory that mixes whole strategies can hold one that is not `pure`.
    """
    answer = np.asarray(heuristic(game, plan, round_))
    who, need = type(heuristic).__name__, game.num_probabilities
    if answer.dtype.kind not in "biuf" or answer.shape != (need,):
        raise ShapeError(
            f"{who} proposed {answer.dtype} of shape {answer.shape} in {game.name}; a search"
            f" heuristic returns ({need},) probabilities: a strategy of every player."
        )
    behavior = answer.astype(np.float64)
    choices = game.first_sequence - game.num_players
    proper = bool((behavior >= 0.0).all())
    if proper and choices.size:
        sums = np.add.reduceat(behavior, choices)
        proper = bool((np.abs(sums - 1.0) <= SHORTFALL).all())
    if not proper:
        raise SettingError(
            f"{who} proposed something other than strategies in {game.name}: a search heuristic gives the"
            " actions of every information set probabilities that sum to 1."
        )
    if pure and not np.isin(behavior, (0.0, 1.0)).all():
        raise SettingError(
            f"{who} proposed mixed strategies in {game.name}, where only pure ones can be kept. Use"
            " solvers.ParallelNashMemory or solvers.PSRO, or BestResponse(ties='first')."
        )
    return behavior


def pure_behavior(game: SequenceForm, choices: NDArray[Any]) -> Floats:
    """Return the behavior, (S - n,), that takes action `choices[I]` at each information set I."""
    behavior = np.zeros(game.num_probabilities)
    behavior[game.first_sequence - game.num_players + choices] = 1.0
    return behavior


def first_choices(game: SequenceForm, start: Profile | None) -> Floats:
    """Return the behavior, (S - n,), of a start; without one, everybody's first action."""
    none = np.zeros(len(game.num_actions), dtype=np.int64)
    return pure_behavior(game, none) if start is None else start.probabilities


def own_utilities(game: SequenceForm, plan: Floats, gradient: Floats) -> Floats:
    """Return what each player wins, (n,), by its part of `plan`, (S,), given the `gradient`, (S,), of the others'."""
    n = game.num_players
    won = plan[n:] * gradient[n:]
    return np.array([gradient[p] + won[mine].sum() for p, mine in enumerate(game.player_sequences)])


@dataclass(frozen=True, kw_only=True)
class BestResponse:
    """The best response to what the others play, by one backward pass over the information sets.

    At information sets that the others' mixes never reach, everything is equally good. The paper's
    text does not say what it does there; it decides how fast a memory converges.

    Attributes
    ----------
    unreached : {'uniform', 'first', 'random'}
        What a reply does there. 'uniform': what is best if the others slip now and then, to every action equally
        often; 'random': what is best if they slip to a profile drawn anew in each round; 'first': the first action.
    tremble : float
        Probability of a slip at each information set, 1e-15 to 0.1. A slip decides only between
        replies that are otherwise equally good. For none there is 'first'.
    ties : {'first', 'evenly'}
        What a reply does where several actions are best nevertheless: it takes the first, or all
        equally often. With 'evenly' and unreached='first' that is so wherever nobody comes, too.
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
            whole("seed", self.seed, 0)
        number("tremble", self.tremble, SMALLEST_TREMBLE, LARGEST_TREMBLE)

    def __call__(self, game: SequenceForm, plan: Floats, round_: int) -> Floats:
        """Return everybody's best response.

        A reply to others who slip may miss as much as they slip. When that shows, they slip a thousand times less.
        """
        behavior = behavior_of(game.block, plan)
        best, reply = self.reply(game, behavior)
        if self.unreached == "first":
            return reply
        slip = self.slip(game, round_)
        gradient = gradients(game.block, plan)
        tremble = self.tremble
        while tremble >= SMALLEST_TREMBLE:
            slipping = (1.0 - tremble) * behavior + tremble * slip
            _, careful = self.reply(game, slipping)
            won = own_utilities(game, plans_of(game.block, careful), gradient)
            if (best - won).max() <= SHORTFALL:
                return careful
            tremble /= 1000.0
        return reply

    def reply(self, game: SequenceForm, behavior: Floats) -> tuple[Floats, Floats]:
        """Return what best responses to `behavior`, (S - n,), win, (n,), and what they do, (S - n,)."""
        _, best, reply = utilities_and_replies(game.block, behavior, 0, game.num_players)
        if self.ties == "evenly":
            gradient = gradients(game.block, plans_of(game.block, behavior))
            reply = even_reply(game.block, gradient, TIED * largest_utility(game))
        return best, reply

    def slip(self, game: SequenceForm, round_: int) -> Floats:
        """Return the behavior, (S - n,), to which everybody slips."""
        if self.unreached == "uniform" or self.seed is None:
            return game.uniform().probabilities
        weights = stream(self.seed, "slip", round_).exponential(size=game.num_probabilities)
        sums = np.add.reduceat(weights, game.first_sequence - game.num_players)
        return np.asarray(weights / np.repeat(sums, game.num_actions))


@kernel
def even_reply(block: Floats, gradient: Floats, tied: float) -> Floats:
    """Return everybody's best response, (S - n,), that takes all best actions equally often.

    `gradient`, (S,), is what the others' plans give; values that differ by no more than `tied` are equal.
    """
    game, value = workspace(block), gradient.copy()
    reply = np.zeros(value.size)
    for infoset in range(game.first.size - 1, -1, -1):
        begin = game.first[infoset]
        end = begin + game.size[infoset]
        best = value[begin:end].max()
        count = np.count_nonzero(value[begin:end] >= best - tied)
        for q in range(begin, end):
            reply[q] = 1.0 / count if value[q] >= best - tied else 0.0
        value[game.parent[infoset]] += best
    return reply[game.ids[0] :]


@dataclass(frozen=True, kw_only=True)
class RandomSearch:
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
        whole("seed", self.seed, 0)
        number("best_response_share", self.best_response_share, 0.0, 1.0)
        check_heuristic(self.best_response)

    def __call__(self, game: SequenceForm, plan: Floats, round_: int) -> Floats:
        """Return one random pure strategy a player, or everybody's best response."""
        rng = stream(self.seed, "search", round_)
        if rng.random() < self.best_response_share:
            return self.best_response(game, plan, round_)
        return pure_behavior(game, rng.integers(game.num_actions))


@dataclass(frozen=True, kw_only=True)
class EvolutionarySearch:
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
        whole("seed", self.seed, 0)
        whole("generations", self.generations, 1, LARGEST_COUNT)
        whole("offspring", self.offspring, 1, MOST_OFFSPRING)

    def __call__(self, game: SequenceForm, plan: Floats, round_: int) -> Floats:
        """Return the fittest strategy that evolved for each player against what the others play."""
        gradient = gradients(game.block, plan)
        choices = stream(self.seed, "first genome", round_).integers(game.num_actions)
        for player in range(game.num_players):
            self.evolve(game, player, gradient, choices, round_)
        return pure_behavior(game, choices)

    def evolve(
        self, game: SequenceForm, player: int, gradient: Floats, choices: NDArray[Any], round_: int
    ) -> None:
        """Overwrite one player's part of `choices`, (I,), by what evolves from it."""
        mine = slice(*game.infoset_start[player : player + 2])
        fittest = fitness(game, player, gradient, choices)
        for generation in range(self.generations):
            rng = stream(self.seed, "mutation", round_, player, generation)
            mutants = np.tile(choices, (self.offspring, 1))
            mutants[:, mine] = mutated(rng, mutants[:, mine], game.num_actions[mine])
            won = [fitness(game, player, gradient, mutant) for mutant in mutants]
            best = int(np.argmax(won))
            if won[best] >= fittest:
                fittest, choices[mine] = won[best], mutants[best, mine]


def fitness(game: SequenceForm, player: int, gradient: Floats, choices: NDArray[Any]) -> float:
    """Return what a player wins with `choices`, (I,), where the others' plans give `gradient`, (S,)."""
    plan = plans_of(game.block, pure_behavior(game, choices))
    return float(own_utilities(game, plan, gradient)[player])


def mutated(
    rng: np.random.Generator, parents: NDArray[Any], num_actions: NDArray[Any]
) -> NDArray[Any]:
    """Return `parents`, (k, I_i), with each choice drawn anew with probability 1 / I_i, at least one a row."""
    count, size = parents.shape
    change = rng.random((count, size)) < 1.0 / max(size, 1)
    if size:
        change[np.arange(count), rng.integers(size, size=count)] = True
    return np.where(change, rng.integers(num_actions, size=(count, size)), parents)
