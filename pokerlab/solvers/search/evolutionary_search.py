"""Evolution as a search heuristic: a (1 + lambda) strategy over pure strategies.

Like this, any coevolutionary algorithm can feed a memory (Oliehoek et al. 2006, section 5).
"""

from dataclasses import dataclass
from typing import Any

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import stream
from pokerlab.core.arrays import Floats
from pokerlab.core.settings import LARGEST_COUNT, whole
from pokerlab.evolution.protocol import MOST_OFFSPRING
from pokerlab.games import SequenceForm
from pokerlab.games.sequence_form.sweeps import plans_of
from pokerlab.games.sequence_form.worth import gradients
from pokerlab.solvers.search.heuristic import own_utilities, pure_behavior


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
