"""The parts of a coevolution of populations, which are functions, and the data that they exchange.

In every generation

1. the pairings let all players play and return their `Results`;
2. the fitness function computes a `Fitness` from the results;
3. the selection returns the `Survivors`, and the probability of each strategy to become a parent;
4. at the beginning of the next generation, the hall of fame returns the `Hall` of players from earlier generations,
   and the variation makes `Children`, which replace the strategies that did not survive.

Each part is a function of the form shown below. Ours are small frozen dataclasses that can be called, so that their
parameters can be recorded. Your own part may be a plain function. Optional attributes are described with each part.

Players are ordered by population, and the members of the halls of fame come last. In this module M is the number of all
players. There are P populations of N strategies with G genes each, and each hall has H places.
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
    """A map from genomes to players at a poker table."""

    @property
    def num_genes(self) -> int:
        """The length of a genome, G."""

    def draw_genomes(self, generator: Generator, count: int) -> Genomes:
        """Return random genomes for the first generation. All later genomes have the same number type.

        Parameters
        ----------
        generator : Generator
            The source of all random numbers.
        count : int
            The number of genomes.

        Returns
        -------
        array of shape (count, G)
            The genomes, of G genes each.
        """

    def make_players(self, genomes: Genomes) -> Sequence[Any]:
        """Return the players that genomes encode, in the form that the game needs.

        Parameters
        ----------
        genomes : array of shape (M, G)
            The M genomes, of G genes each.

        Returns
        -------
        sequence of M players
            The player of each genome.
        """


class Results(NamedTuple):
    """The results of M players in one generation. An array is empty if the pairings do not compute it.

    Attributes
    ----------
    num_hands : int
        The number of hands played at all tables.
    profit : array of shape (M,)
        The number of chips that each player won.
    hands, hands_won : array of shape (M,)
        The number of hands that each player played, and the number of those in which it won chips.
    actions : array of shape (M, 4)
        The number of times that each player took each of the four `KINDS_OF_ACTION`.
    ranks : array of shape (T, M)
        The rank of each player in each of T tournaments, where 1 is the winner.
    won_from : array of shape (M, M)
        The chips that went from the column's player to the row's player, summed over all pots, minus those that went
        the other way.
    won_in_shared_games : array of shape (M, M)
        The chips that the row's player won in all games in which the column's player also took part.
    shared_hands : array of shape (M, M)
        The number of hands in these games.
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


def sum_results(partial_results: Sequence[Results]) -> Results:
    """Return the results of a generation that was played in several parts, such as groups of tournaments.

    Parameters
    ----------
    partial_results : sequence of Results
        The results of each part, in the order in which they were played. All parts have results of the same M players.

    Returns
    -------
    Results
        The sums over all parts, and the ranks in all tournaments one after the other.
    """
    sums: dict[str, Any] = {}
    for name in Results._fields:
        if name != "ranks":  # ranks are not added, since each tournament has its own
            sums[name] = sum(getattr(partial_result, name) for partial_result in partial_results)
    return Results(
        **sums, ranks=np.concatenate([partial_result.ranks for partial_result in partial_results])
    )


class Fitness(NamedTuple):
    """The fitness of M players, on which selection is based.

    Attributes
    ----------
    values : array of shape (M,)
        The fitness of each player; larger is better.
    matrix : array of shape (M, M) or (0, 0)
        The fitness of the row's player against the column's, which is NaN for a pair that does not count. It is empty
        if the fitness function does not compare pairs.
    """

    values: Floats
    matrix: Floats = NO_MATRIX


class Survivors(NamedTuple):
    """The survivors of a population of N strategies, and the probabilities of parents.

    Attributes
    ----------
    survives : array of shape (N,)
        Whether each strategy stays in the population. Children replace those that do not.
    parent_probabilities : array of shape (N,)
        The probability that each strategy is drawn as a parent. The probabilities sum to 1.
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
        The indices of the parents of each child; -1 if a child has fewer than K parents.
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
        The generation in which each member entered; 0 for members from the start, and -1 for an empty place.
    is_playing : array of shape (P, H)
        Whether each member plays in this generation.
    """

    genomes: Genomes
    entered: Ints
    is_playing: Bools


class Pairings(Protocol):
    """A function that determines who plays whom, and lets the players play.

    It may have these attributes and methods:

    - `counts` has the names of those of 'ranks', 'won_from' and 'won_in_shared_games' that its results contain; without
      this attribute they contain all.
    - `winnings` is the number type of profits; without it profits are 64-bit integers.
    - `check_game(game, fewest_players, most_players)` raises an error if so many players cannot play the game.
    - `check_encoding(game, encoding)` raises an error if genomes of the encoding cannot play the game.
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
        """Let the players of one generation play, and return their results.

        Parameters
        ----------
        game : object
            The game that is played.
        encoding : PlayerEncoding
            The encoding, which maps genomes to players.
        genomes : array of shape (M, G)
            The genomes of all M players, of G genes each.
        seed, generation : int
            The seed and the generation, which determine all random numbers.
        work_divider : WorkDivider
            A function that divides the work among workers. Results must not depend on how the work is divided.

        Returns
        -------
        Results
            The results of all M players. The attribute `counts` names the optional fields that are computed.
        """


class FitnessFunction(Protocol):
    """A function that computes fitness from the results of play.

    It may have the attribute `has_matrix`, which says whether it computes the fitness against each opponent (False by
    default), and the attribute `reads`, the name of the one of 'ranks', 'won_from' and 'won_in_shared_games' that it
    needs.
    """

    def __call__(self, results: Results, population_of: Ints) -> Fitness:
        """Return the fitness of all players of a generation.

        Parameters
        ----------
        results : Results
            The results of M players in the generation.
        population_of : array of shape (M,)
            The index of each player's population. A member of a hall of fame belongs to the population of this hall.

        Returns
        -------
        Fitness
            The fitness of the M players, where larger is better. If `has_matrix` is True, it includes the fitness
            against each opponent.
        """


class Selection(Protocol):
    """A function that selects survivors and parents.

    It may have the attribute `needs_matrix`, which says whether it needs the fitness against each opponent (False by
    default).
    """

    def __call__(
        self, fitness: Fitness, members: slice, genomes: Genomes, ages: Ints, generator: Generator
    ) -> Survivors:
        """Return the survivors of one population, and the probability of each strategy to become a parent.

        Parameters
        ----------
        fitness : Fitness
            The fitness of all players.
        members : slice
            The indices of the population's members among all players.
        genomes : array of shape (N, G)
            The genomes of the population, N strategies of G genes.
        ages : array of shape (N,)
            The number of generations that each strategy has survived.
        generator : Generator
            The source of all random numbers.

        Returns
        -------
        Survivors
            Whether each of the N strategies survives, and its probability to be drawn as a parent. A strategy may do
            both.
        """


class Variation(Protocol):
    """A function that makes children.

    It may have the attribute `num_parents`, the number of parents that are recorded for each child (1 by default), and
    the method `check_encoding(encoding)`, which raises an error if the function is not defined for genomes of the
    encoding.
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
            The encoding of the genomes.
        genomes : array of shape (R, G)
            The genomes of R candidates for parents, of G genes each. They are not changed.
        parent_probabilities : array of shape (R,)
            The probability that each candidate is drawn.
        count : int
            The number of children.
        generator : Generator
            The source of all random numbers.

        Returns
        -------
        Children
            The genomes of the children, one in each row, and the candidates that are their parents.
        """


class EvaluatedGeneration(Protocol):
    """A generation whose fitness has been computed, with the attributes that a hall of fame needs.

    In all arrays the first axis is the population, and the second axis is the strategy or the member of a hall.
    """

    @property
    def iteration(self) -> int:
        """The number of this generation, counted from 1."""

    @property
    def population(self) -> Genomes:
        """The genomes of all P populations, of N strategies with G genes each: an array of shape (P, N, G)."""

    @property
    def fitness(self) -> Floats:
        """The fitness of each of N strategies in P populations, array of shape (P, N)."""

    @property
    def front(self) -> Bools:
        """Whether each of N strategies in P populations survives, array of shape (P, N)."""

    @property
    def champions(self) -> Genomes:
        """The genome of the fittest strategy of each of P populations, array of shape (P, G)."""

    @property
    def hall(self) -> Hall:
        """The halls of fame that played in this generation, one for each population."""

    @property
    def hall_fitness(self) -> Floats:
        """The fitness of each member of the P halls with H places, array of shape (P, H); 0 if it did not play."""


class HallRule(Protocol):
    """The rule that determines which players from earlier generations play. It consists of two functions."""

    @property
    def size(self) -> int:
        """The largest number of members of a hall of fame that play in one generation."""

    @property
    def grows(self) -> bool:
        """Whether the number of places in a hall of fame may become larger than `size`."""

    @property
    def breeds(self) -> bool:
        """Whether members of a hall that play may become parents, each with the mean probability of other parents."""

    def open_halls(self, encoding: PlayerEncoding, population: Genomes, seed: int) -> Hall:
        """Return the halls of fame of the first generation.

        Parameters
        ----------
        encoding : PlayerEncoding
            The encoding of the genomes.
        population : array of shape (P, N, G)
            The genomes of all P populations, of N strategies with G genes each.
        seed : int
            The seed of all random numbers.

        Returns
        -------
        Hall
            A hall for each population, all with the same number of places.
        """

    def update_halls(self, evaluated: EvaluatedGeneration, seed: int) -> Hall:
        """Return the halls of fame of the next generation.

        Parameters
        ----------
        evaluated : EvaluatedGeneration
            The generation whose fitness has been computed, with its halls. It is not changed.
        seed : int
            The seed of all random numbers.

        Returns
        -------
        Hall
            New halls, which play in the next generation.
        """
