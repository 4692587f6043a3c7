"""What the parts of a population's coevolution are, and what each hands to the next.

In each generation everybody plays (`Matches` gives `Met`), is judged (`Worth` gives `Judged`), and some
are kept and allowed to breed (`Selection` gives `Chosen`); at the beginning of the next generation
`Variation` fills the places of the others with `Children`. Players are numbered through: first the
populations, one after the other, then the halls of fame in the same order.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.typing import NDArray

from pokerlab.core.arrays import Bools, Floats, Ints
from pokerlab.holdem.table.players import CompiledPlayer

Genomes: TypeAlias = NDArray[Any]
"""Rows of genes, of an encoding's type."""


class PlayerEncoding(Protocol):
    """Turns genomes into players at a table.

    Attributes
    ----------
    num_genes : int
        G, the length of a genome.
    """

    @property
    def num_genes(self) -> int:
        """G, the length of a genome."""

    def random(self, generator: np.random.Generator, count: int) -> Genomes:
        """Return genomes of a first generation, (count, G); their type is that of all that follow."""

    def players(self, genomes: Genomes) -> Sequence[CompiledPlayer]:
        """Return a player for each genome, (k, G)."""


class Met(NamedTuple):
    """What came of the matches of a generation, for M players.

    Attributes
    ----------
    num_hands : int
        Hands in all, each counted once for a table.
    profit : ndarray of int64, shape (M,)
        Chips won.
    hands : ndarray of int64, shape (M,)
        Hands played.
    won_from : ndarray of int64, shape (M, M)
        Chips that the player of the row won from the player of the column, pot by pot, less those
        lost to it. Antisymmetric; its row sums are the profits. Empty if it was not counted.
    together : ndarray of int64, shape (M, M)
        What the player of the row won in the games that the player of the column played as well.
    shared_hands : ndarray of int64, shape (M, M)
        Hands of those games.
    """

    num_hands: int
    profit: Ints
    hands: Ints
    won_from: Ints
    together: Ints
    shared_hands: Ints


class Judged(NamedTuple):
    """What players are worth.

    Attributes
    ----------
    score : ndarray of float64, shape (M,)
        One number a player; the larger, the better.
    matrix : ndarray of float64, shape (M, M)
        One number for each opponent: the player of the row against that of the column. NaN where an
        opponent does not count; of shape (0, 0) if worth is the score alone.
    """

    score: Floats
    matrix: Floats


class Chosen(NamedTuple):
    """Who of a population of N stays, and who breeds.

    Attributes
    ----------
    kept : ndarray of bool, shape (N,)
        Who stays, unchanged and in its place. Children take the places of the others.
    chances : ndarray of float64, shape (N,)
        The chance of each to be drawn as a parent; they sum to 1.
    """

    kept: Bools
    chances: Floats


class Children(NamedTuple):
    """New genomes, and where they come from.

    Attributes
    ----------
    genomes : ndarray, shape (C, G)
        The children.
    parents : ndarray of int64, shape (C, K)
        For each child the rows of its parents.
    """

    genomes: Genomes
    parents: Ints


class Hall(NamedTuple):
    """Halls of fame, one for each of P populations.

    Attributes
    ----------
    genomes : ndarray, shape (P, H, G)
        The members.
    since : ndarray of int64, shape (P, H)
        The generation in which each was judged worthy; -1 for an empty place.
    """

    genomes: Genomes
    since: Ints


class Matches(Protocol):
    """Says who meets whom, and lets them play."""

    def check(self, game: Any, num_players: int) -> None:
        """Refuse a game or a number of players with which no match can be held."""

    def play(
        self,
        game: Any,
        players: Sequence[CompiledPlayer],
        *,
        seed: int,
        generation: int,
        workers: int,
    ) -> Met:
        """Play the matches of a generation; the numbers do not depend on `workers`."""


class Worth(Protocol):
    """Says what players are worth, from what came of their matches.

    Attributes
    ----------
    has_matrix : bool
        Whether there is a number for each opponent.
    """

    @property
    def has_matrix(self) -> bool:
        """Whether there is a number for each opponent."""

    def judge(self, met: Met) -> Judged:
        """Return what all players are worth."""


class Selection(Protocol):
    """Says who stays and who breeds.

    One that reads the matrix of what it is given has the attribute `needs_matrix`, which is True.
    """

    def choose(
        self,
        judged: Judged,
        members: slice,
        genomes: Genomes,
        ages: Ints,
        generator: np.random.Generator,
    ) -> Chosen:
        """Choose among the population whose rows of `judged` are `members`.

        `genomes`, (N, G), are theirs; `ages`, (N,), say for how many generations each has been kept.
        """


class Variation(Protocol):
    """Makes children.

    Attributes
    ----------
    num_parents : int
        K, how many parents a child has.
    """

    @property
    def num_parents(self) -> int:
        """K, how many parents a child has."""

    def children(
        self,
        encoding: Any,
        genomes: Genomes,
        chances: Floats,
        count: int,
        generator: np.random.Generator,
    ) -> Children:
        """Return `count` children of parents drawn from `genomes`, (R, G), with these chances."""
