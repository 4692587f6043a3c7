"""The parts of a population's coevolution, each a function, and what one hands to the next.

In every generation

1. the pairings let all players play and return their `Results`;
2. the fitness function turns results into a `Fitness`;
3. the selection says who survives and who may become a parent: `Survivors`;
4. at the beginning of the next generation the hall of fame says which players of the past play on (`Hall`), and the
   variation replaces those who did not survive by `Children`.

Each part is a function of the form shown below. Ours are small frozen dataclasses that can be called, so that their
parameters can be written down; your own may be a plain function. The optional attributes of a part are listed with it.

The order of players is that of the populations, one after the other, and then of the halls of fame.
In shapes, M is the number of all players; P populations have N strategies with G genes each; a hall has H places.
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
        """The length of a genome, G."""

    def draw_genomes(self, generator: Generator, count: int) -> Genomes:
        """Return random genomes, one a row, for a first generation; those that follow have their type."""

    def make_players(self, genomes: Genomes) -> Sequence[Any]:
        """Return a player for each row of genomes, as the game seats them."""


class Results(NamedTuple):
    """The results of M players in one generation; an array that the pairings do not count is empty.

    Attributes
    ----------
    num_hands : int
        Hands played at all tables.
    profit : array of shape (M,)
        Chips won by each player.
    hands, hands_won : array of shape (M,)
        Hands that each player played, and those in which it won chips.
    actions : array of shape (M, 4)
        How often each player took each of `KINDS_OF_ACTION`.
    ranks : array of shape (T, M)
        The rank of each player in each of T tournaments, 1 for the winner.
    won_from : array of shape (M, M)
        Chips that the row's player won from the column's, pot by pot, less those lost to it.
    won_in_shared_games : array of shape (M, M)
        Chips that the row's player won in all games in which the column's player took part as well.
    shared_hands : array of shape (M, M)
        Hands of those games.
    """

    num_hands: int
    profit: Ints | Floats
    hands: Ints
    hands_won: Ints
    actions: Ints
    ranks: Floats
    won_from: Ints | Floats
    won_in_shared_games: Ints | Floats
    shared_hands: Ints


def sum_results(parts: Sequence[Results]) -> Results:
    """Return the results of a generation that was played in several parts."""
    counts = [name for name in Results._fields if name != "ranks"]
    sums: dict[str, Any] = {name: sum(getattr(part, name) for part in parts) for name in counts}
    return Results(**sums, ranks=np.concatenate([part.ranks for part in parts]))


class Fitness(NamedTuple):
    """The fitness of M players, by which selection decides.

    Attributes
    ----------
    values : array of shape (M,)
        The fitness of each player; larger is better.
    matrix : array of shape (M, M) or (0, 0)
        The fitness of the row's player against the column's, NaN for a pair that does not count; empty if the
        fitness function compares no pairs.
    """

    values: Floats
    matrix: Floats = NO_MATRIX


class Survivors(NamedTuple):
    """The survivors of a population of N strategies, and how likely each becomes a parent.

    Attributes
    ----------
    survives : array of shape (N,)
        Whether a strategy stays unchanged; children replace the others.
    parent_probabilities : array of shape (N,)
        The probability of each strategy to be drawn as a parent; they sum to 1.
    """

    survives: Bools
    parent_probabilities: Floats


class Children(NamedTuple):
    """The children of one generation.

    Attributes
    ----------
    genomes : array of shape (C, G)
        The genome of each of C children.
    parents : array of shape (C, K)
        The indices of each child's parents; -1 where it has fewer than K.
    """

    genomes: Genomes
    parents: Ints


class Hall(NamedTuple):
    """The halls of fame of P populations, with H places each.

    Attributes
    ----------
    genomes : array of shape (P, H, G)
        The genomes of the members.
    entered : array of shape (P, H)
        The generation in which each member entered, 0 for the start; -1 for an empty place.
    is_playing : array of shape (P, H)
        Whether the member plays in this generation.
    """

    genomes: Genomes
    entered: Ints
    is_playing: Bools


class Pairings(Protocol):
    """Decide who plays whom, and let them play.

    Optional attributes: `counts`, those of 'ranks', 'won_from' and 'won_in_shared_games' that its results
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
        work_divider: WorkDivider,
    ) -> Results:
        """Return the results of one generation.

        Parameters
        ----------
        game : object
            The game that is played.
        encoding : PlayerEncoding
            What the genomes mean.
        genomes : array of shape (M, G)
            The genomes of all players.
        seed, generation : int
            They name all random numbers.
        work_divider : WorkDivider
            Divides the work among workers. Results must not depend on how it does so.
        """


class FitnessFunction(Protocol):
    """Computes fitness from results.

    Optional attributes: `has_matrix`, whether it compares players with each opponent (False, if it is left out); and
    `reads`, the one of 'ranks', 'won_from' and 'won_in_shared_games' that it needs.
    """

    def __call__(self, results: Results, population_of: Ints) -> Fitness:
        """Return the fitness of all players.

        Parameters
        ----------
        results : Results
            The results of the generation.
        population_of : array of shape (M,)
            The index of each player's population; members of a hall belong to that of their hall.
        """


class Selection(Protocol):
    """Selects survivors and parents.

    Optional attribute: `needs_matrix`, whether it reads the fitness against each opponent (False, if it is left out).
    """

    def __call__(
        self, fitness: Fitness, members: slice, genomes: Genomes, ages: Ints, generator: Generator
    ) -> Survivors:
        """Return the survivors of one population.

        Parameters
        ----------
        fitness : Fitness
            The fitness of all players.
        members : slice
            The population's players among all.
        genomes : array of shape (N, G)
            Their genomes.
        ages : array of shape (N,)
            For how many generations each has survived.
        generator : Generator
            The source of all random numbers.
        """


class Variation(Protocol):
    """Makes children.

    Optional attributes: `num_parents`, K, how many parents of a child are recorded (1, if it is left out); and
    `check(encoding)`, which raises if it does not suit the genomes of an encoding.
    """

    def __call__(
        self,
        encoding: Any,
        genomes: Genomes,
        parent_probabilities: Floats,
        count: int,
        generator: Generator,
    ) -> Children:
        """Return children of randomly drawn parents.

        Parameters
        ----------
        encoding : object
            What the genomes mean.
        genomes : array of shape (R, G)
            The genomes of all candidates for parents.
        parent_probabilities : array of shape (R,)
            The probability of each to be drawn.
        count : int
            How many children are made.
        generator : Generator
            The source of all random numbers.
        """


class EvaluatedGeneration(Protocol):
    """A generation as a hall of fame sees it: P populations of N strategies whose fitness is known, and P halls.

    The first axis of all arrays is the population, and the second the strategy or the member of a hall.
    """

    @property
    def iteration(self) -> int:
        """The index of the generation, from 1."""

    @property
    def population(self) -> Genomes:
        """The genomes of all populations."""

    @property
    def fitness(self) -> Floats:
        """The fitness of each strategy."""

    @property
    def front(self) -> Bools:
        """Whether each strategy survives."""

    @property
    def champions(self) -> Genomes:
        """The genome of the fittest strategy of each population."""

    @property
    def hall(self) -> Hall:
        """The halls as they played."""

    @property
    def hall_fitness(self) -> Floats:
        """The fitness of the halls' members where they played."""


class HallRule(Protocol):
    """Decides which players of the past play on; the one part that is two functions."""

    @property
    def size(self) -> int:
        """The largest number of a hall's members that play in one generation."""

    @property
    def grows(self) -> bool:
        """Whether a hall may have more places than `size`."""

    @property
    def breeds(self) -> bool:
        """Whether playing members may become parents, each with the mean probability of its population's parents."""

    def open_halls(self, encoding: PlayerEncoding, population: Genomes, seed: int) -> Hall:
        """Return the halls of the first generation, given the genomes of all its populations."""

    def update_halls(self, evaluated: EvaluatedGeneration, seed: int) -> Hall:
        """Return the halls of the next generation."""
