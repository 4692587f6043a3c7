"""The parts of a population's coevolution, each a function, and what one hands to the next.

In every generation

1. the pairings let all players play and return their `Results`;
2. the fitness function turns results into a `Fitness`;
3. the selection says who survives and who may become a parent: `Survivors`;
4. at the beginning of the next generation the hall of fame says which players of the past play on (`Hall`), and the
   variation fills the places of those who did not survive with `Children`.

Each part is a function of the form shown below. Ours are small frozen dataclasses that can be called, so that their
parameters can be written down; your own may be a plain function. What else a part may say of itself stands with it.

Players are numbered through: first the populations, one after the other, then the halls of fame in the same order.
Shapes: M players in all; P populations of N strategies with G genes each; H places in a hall.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from pokerlab.core.arrays import Bools, Floats, Ints
from pokerlab.core.workers import WorkDivider

Genomes: TypeAlias = NDArray[Any]  # rows of genes, of an encoding's type
KINDS_OF_ACTION = ("fold", "check", "call", "raise")
NO_MATRIX = np.zeros((0, 0))


class PlayerEncoding(Protocol):
    """Turns genomes into players at a table."""

    @property
    def num_genes(self) -> int:
        """G, the length of a genome."""

    def draw_genomes(self, generator: Generator, count: int) -> Genomes:
        """Return genomes of a first generation, (count, G); their type is that of all that follow."""

    def make_players(self, genomes: Genomes) -> Sequence[Any]:
        """Return a player for each genome, (k, G), as the game seats them."""


class Results(NamedTuple):
    """How M players did in one generation; an array that was not counted is empty."""

    num_hands: int  # hands played at all tables
    profit: Ints | Floats  # (M,): chips won
    hands: Ints  # (M,): hands played
    hands_won: Ints  # (M,): hands in which the player won chips
    actions: Ints  # (M, 4): how often each player took each of `KINDS_OF_ACTION`
    ranks: Floats  # (T, M): places in T tournaments, 1 for the winner
    # (M, M): chips that the row won from the column, pot by pot, less those lost to it
    won_from: Ints | Floats
    won_in_shared_games: (
        Ints | Floats
    )  # (M, M): what the row won in the games that the column played, too
    shared_hands: Ints  # (M, M): hands of those games


def sum_results(parts: Sequence[Results]) -> Results:
    """Return the results of a generation that was played in several parts."""
    counts = [name for name in Results._fields if name != "ranks"]
    sums: dict[str, Any] = {name: sum(getattr(part, name) for part in parts) for name in counts}
    return Results(**sums, ranks=np.concatenate([part.ranks for part in parts]))


class Fitness(NamedTuple):
    """What selection goes by."""

    values: Floats  # (M,): the larger, the better
    matrix: Floats = (
        NO_MATRIX  # (M, M): against each opponent, NaN where a pair does not count; (0, 0) for none
    )


class Survivors(NamedTuple):
    """Who of a population of N survives, and who may become a parent."""

    kept: Bools  # (N,): those who stay unchanged; children take the places of the others
    chances: Floats  # (N,): the probability of each to be drawn as a parent; they sum to 1


class Children(NamedTuple):
    """New genomes and their parents."""

    genomes: Genomes  # (C, G)
    parents: Ints  # (C, K): the rows of each child's parents; -1 where it has fewer than K


class Hall(NamedTuple):
    """Halls of fame, one for each of P populations."""

    genomes: Genomes  # (P, H, G): the members
    since: (
        Ints  # (P, H): the generation in which each entered, 0 for the start; -1 for an empty place
    )
    plays: Bools  # (P, H): whether a member takes part in this generation


class Pairings(Protocol):
    """Decide who plays whom, and let them play.

    Optional attributes: `counts`, the names of 'ranks', 'won_from' and 'won_in_shared_games' that its results
    have (all, if it is left out); `winnings`, the type of profits (64-bit integers, if it is left out);
    `check(game, fewest, most)`, which raises if `fewest` to `most` players cannot play the game; and
    `check_encoding(game, encoding)`, which raises if genomes cannot play it.
    """

    def __call__(
        self,
        game: Any,
        encoding: PlayerEncoding,
        genomes: Genomes,
        *,
        seed: int,
        generation: int,
        share: WorkDivider,
    ) -> Results:
        """Return the results of a generation of players with these `genomes`, (M, G).

        `share` divides the work among workers. Results must not depend on how it does so.
        """


class FitnessFunction(Protocol):
    """Computes fitness from results.

    Optional attributes: `has_matrix`, whether there is a number for each opponent (False, if it is left out); and
    `reads`, the one of 'ranks', 'won_from' and 'won_in_shared_games' that it needs.
    """

    def __call__(self, results: Results, population_of: Ints) -> Fitness:
        """Return the fitness of all players.

        `population_of`, (M,), is the population of each; members of a hall belong to their own.
        """


class Selection(Protocol):
    """Selects survivors and parents.

    Optional attribute: `needs_matrix`, whether it reads the fitness against each opponent (False, if it is left out).
    """

    def __call__(
        self, fitness: Fitness, members: slice, genomes: Genomes, ages: Ints, generator: Generator
    ) -> Survivors:
        """Return the survivors of the population whose rows of `fitness` are `members`.

        `genomes`, (N, G), are theirs; `ages`, (N,), is for how many generations each has been kept.
        """


class Variation(Protocol):
    """Makes children.

    Optional attributes: `num_parents`, K, how many parents of a child are recorded (1, if it is left out); and
    `check(encoding)`, which raises if it does not suit the genomes of an encoding.
    """

    def __call__(
        self, encoding: Any, genomes: Genomes, chances: Floats, count: int, generator: Generator
    ) -> Children:
        """Return `count` children of parents drawn from `genomes`, (R, G), with the probabilities `chances`, (R,)."""


class EvaluatedGeneration(Protocol):
    """What a hall of fame sees: P populations of N whose fitness is known, and P halls."""

    @property
    def iteration(self) -> int:
        """The generation, from 1."""

    @property
    def population(self) -> Genomes:
        """The genomes, (P, N, G)."""

    @property
    def fitness(self) -> Floats:
        """The fitness of each, (P, N)."""

    @property
    def front(self) -> Bools:
        """Who survives, (P, N)."""

    @property
    def champions(self) -> Genomes:
        """The fittest of each population, (P, G)."""

    @property
    def hall(self) -> Hall:
        """The halls as they played."""

    @property
    def hall_fitness(self) -> Floats:
        """The fitness of their members, (P, H), where they played."""


class HallRule(Protocol):
    """Decides which players of the past play on; the one part that is two functions."""

    @property
    def size(self) -> int:
        """How many of a population's hall play at most."""

    @property
    def grows(self) -> bool:
        """Whether a hall may have more places than `size`."""

    @property
    def breeds(self) -> bool:
        """Whether members who play may become parents, each with the mean chance of its population's parents."""

    def open_halls(self, encoding: PlayerEncoding, population: Genomes, seed: int) -> Hall:
        """Return the halls of the first generation, whose genomes are `population`, (P, N, G)."""

    def update_halls(self, evaluated: EvaluatedGeneration, seed: int) -> Hall:
        """Return the halls of the next generation."""
