"""What the parts of a population's coevolution are, and what each hands to the next.

In each generation everybody plays (`Matches` gives `Met`), is judged (`Worth` gives `Judged`), and some are kept and
allowed to breed (`Selection` gives `Chosen`); at the beginning of the next generation a `HallRule` says who of the
past plays on, and `Variation` fills the places of those who were not kept with `Children`. Players are numbered
through: first the populations, one after the other, then the halls of fame in the same order.
"""

from collections.abc import Sequence
from typing import Any, NamedTuple, Protocol, TypeAlias

import numpy as np
from numpy.random import Generator
from numpy.typing import NDArray

from pokerlab.core.arrays import Bools, Floats, Ints
from pokerlab.core.workers import Share

Genomes: TypeAlias = NDArray[Any]  # rows of genes, of an encoding's type
KINDS_OF_ACTION = ("fold", "check", "call", "raise")


class PlayerEncoding(Protocol):
    """Turns genomes into players at a table."""

    @property
    def num_genes(self) -> int:
        """G, the length of a genome."""

    def random(self, generator: Generator, count: int) -> Genomes:
        """Return genomes of a first generation, (count, G); their type is that of all that follow."""

    def players(self, genomes: Genomes) -> Sequence[Any]:
        """Return a player for each genome, (k, G), as the game seats them."""


class Met(NamedTuple):
    """What came of the matches of a generation, for M players; what was not counted is empty."""

    num_hands: int  # in all, each counted once for a table
    profit: Ints | Floats  # (M,): chips won
    hands: Ints  # (M,): that each played
    hands_won: Ints  # (M,): in which it won chips
    actions: Ints  # (M, 4): how often each did each of `KINDS_OF_ACTION`
    ranks: Floats  # (T, M): in T tournaments, 1 for the winner
    # (M, M): chips that the row won from the column, pot by pot, less those lost to it
    won_from: Ints | Floats
    together: Ints | Floats  # (M, M): what the row won in the games that the column played as well
    shared_hands: Ints  # (M, M): hands of those games


def joined(parts: Sequence[Met]) -> Met:
    """Return what came of matches that were played in parts."""
    counts = [name for name in Met._fields if name != "ranks"]
    sums: dict[str, Any] = {name: sum(getattr(part, name) for part in parts) for name in counts}
    return Met(**sums, ranks=np.concatenate([part.ranks for part in parts]))


class Judged(NamedTuple):
    """What players are worth."""

    score: Floats  # (M,): the larger, the better
    matrix: Floats  # (M, M): row against column, NaN where a pair does not count; (0, 0) if there is none


class Chosen(NamedTuple):
    """Who of a population of N stays, and who breeds."""

    kept: Bools  # (N,): who stays, unchanged; children take the places of the others
    chances: Floats  # (N,): of each to be drawn as a parent; they sum to 1


class Children(NamedTuple):
    """New genomes, and where they come from."""

    genomes: Genomes  # (C, G)
    parents: Ints  # (C, K): the rows of each child's parents; -1 where it has fewer than K


class Hall(NamedTuple):
    """Halls of fame, one for each of P populations."""

    genomes: Genomes  # (P, H, G): the members
    since: Ints  # (P, H): when each was judged worthy, 0 for the start; -1 for an empty place
    plays: Bools  # (P, H): who takes part in the matches


class Matches(Protocol):
    """Says who meets whom, and lets them play.

    One that leaves some of 'ranks', 'won_from' and 'together' in `Met` empty has the attribute `counts`, which names
    those that it fills. One whose winnings are no whole chips has the attribute `winnings`, their type.
    """

    def check(self, game: Any, fewest: int, most: int) -> None:
        """Refuse a game with which `fewest` to `most` players cannot hold matches."""

    def play(
        self,
        game: Any,
        encoding: PlayerEncoding,
        genomes: Genomes,
        *,
        seed: int,
        generation: int,
        share: Share,
    ) -> Met:
        """Play the matches of a generation, by parts that `share` divides.

        The numbers do not depend on how it does so. `genomes`, (M, G), are those of all players.
        """


class Worth(Protocol):
    """Says what players are worth, from what came of their matches.

    One that reads 'ranks', 'won_from' or 'together' has the attribute `reads`, which names it.
    """

    @property
    def has_matrix(self) -> bool:
        """Whether there is a number for each opponent."""

    def judge(self, met: Met, population_of: Ints) -> Judged:
        """Return what all players are worth.

        `population_of`, (M,), says to which population each belongs, members of halls to their own.
        """


class Selection(Protocol):
    """Says who stays and who breeds.

    One that reads the matrix of what it is given has the attribute `needs_matrix`, which is True.
    """

    def choose(
        self, judged: Judged, members: slice, genomes: Genomes, ages: Ints, generator: Generator
    ) -> Chosen:
        """Choose among the population whose rows of `judged` are `members`.

        `genomes`, (N, G), are theirs; `ages`, (N,), say for how many generations each has been kept.
        """


class Variation(Protocol):
    """Makes children.

    One that does not suit every encoding has a method `check`, which is given an encoding and refuses
    those that it does not suit.
    """

    @property
    def num_parents(self) -> int:
        """K, how many parents of a child are written down."""

    def children(
        self, encoding: Any, genomes: Genomes, chances: Floats, count: int, generator: Generator
    ) -> Children:
        """Return `count` children of parents drawn from `genomes`, (R, G), with these chances."""


class JudgedGeneration(Protocol):
    """What a hall's rule sees: P populations of N that have played and been judged, and P halls."""

    @property
    def iteration(self) -> int:
        """The generation, from 1."""

    @property
    def population(self) -> Genomes:
        """The genomes, (P, N, G)."""

    @property
    def score(self) -> Floats:
        """What each is worth, (P, N); the larger, the better."""

    @property
    def front(self) -> Bools:
        """Who stays, (P, N)."""

    @property
    def champions(self) -> Genomes:
        """Those with the largest scores, (P, G)."""

    @property
    def hall(self) -> Hall:
        """The halls as they played."""

    @property
    def hall_score(self) -> Floats:
        """What their members are worth, (P, H), where they played."""


class HallRule(Protocol):
    """Says who of the past plays."""

    @property
    def size(self) -> int:
        """How many of a population's hall play at most."""

    @property
    def grows(self) -> bool:
        """Whether a hall may have more places than `size`."""

    @property
    def breeds(self) -> bool:
        """Whether those who play breed, each with the mean chance of those of its population that may."""

    def opened(self, encoding: PlayerEncoding, population: Genomes, seed: int) -> Hall:
        """Return the halls of the first generation, whose genomes are `population`, (P, N, G)."""

    def updated(self, judged: JudgedGeneration, seed: int) -> Hall:
        """Return the halls of the next generation."""
