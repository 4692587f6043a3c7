"""A contest together with an encoding of its strategies: a symmetric game between genomes.

Memories and minimax coevolution play it, as they play other symmetric games.
"""

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import Floats, GameError, Unit
from pokerlab.core.settings import check_kind
from pokerlab.evolution.population.variation import Crossover
from pokerlab.games.contests import Contest
from pokerlab.strategies.vectors import RealVector


@dataclass(frozen=True, eq=False)
class EncodedContest:
    """A contest between genomes of an encoding.

    Parameters
    ----------
    game : Contest
        What is played.
    encoding : RealVector
        What genomes are: also `Integers` and `BitString`.
    """

    game: Contest
    encoding: RealVector
    has_best_responses: ClassVar[bool] = False

    def __post_init__(self) -> None:
        instead = "an encoding= such as strategies.RealVector(3), Integers or BitString"
        check_kind(f"encoding of {self.game.name}", self.encoding, RealVector, instead, GameError)

    @property
    def name(self) -> str:
        """The contest's name."""
        return self.game.name

    @property
    def unit(self) -> Unit:
        """The unit of what is won."""
        return self.game.unit

    @cached_property
    def fingerprint(self) -> str:
        """A digest of the contest and the encoding."""
        parts = (self.game.fingerprint, repr(self.encoding))
        return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]

    @property
    def num_genes(self) -> int:
        """G, the length of a genome."""
        return self.encoding.num_genes

    @property
    def gene_labels(self) -> tuple[str, ...]:
        """The genes, numbered from 1."""
        return tuple(f"gene {number}" for number in range(1, self.num_genes + 1))

    @cached_property
    def start(self) -> Floats:
        """The genome, (G,), to begin with where none is given: the middle of the range."""
        middle = (self.encoding.low + self.encoding.high) / 2.0
        return self.encoding.folded(np.full(self.num_genes, middle))

    def profile(self, genome: ArrayLike) -> Floats:
        """Return the genome that a vector, (G,), stands for."""
        return self.encoding.folded(np.asarray(genome))

    def checked_strategies(self, strategies: ArrayLike) -> Floats:
        """Return genomes, (G,) or (k, G); refuse others."""
        rows = self.encoding.checked(strategies)
        return rows if np.ndim(strategies) > 1 else rows[0]

    def payoffs(self, row_strategies: Floats, column_strategies: Floats) -> Floats:
        """Return what each row genome wins from each column genome, in one play with seed 0.

        Parameters
        ----------
        row_strategies : array of shape (k, G)
            The genomes whose payoffs are returned, one a row.
        column_strategies : array of shape (m, G)
            The genomes that they play against, one a row.

        Returns
        -------
        array of shape (k, m)
            The payoffs, in the contest's unit.
        """
        num_rows, num_columns = len(row_strategies), len(column_strategies)
        rows, columns = np.indices((num_rows, num_columns))
        first, second = rows.ravel(), columns.ravel()
        seeds = np.zeros_like(first)
        own = self.encoding.folded(row_strategies)
        other = self.encoding.folded(column_strategies)
        self.game.check_pairings(own, other, first, second, seeds)
        won = self.game.play_pairings(own, other, first, second, seeds)
        return won.reshape(num_rows, num_columns)

    def best_response(self, strategies: Floats, mix: Floats) -> Floats:
        """Raise, because a contest has no exact best response."""
        raise GameError(
            f"{self.name} is a contest and has no exact best response. Use solvers.Mutants(seed=1) or"
            " solvers.InnerEvolution() to search for one."
        )

    def draw_mutant(self, strategy: Floats, rng: np.random.Generator) -> Floats:
        """Return a mutated copy, (G,), of a genome, (G,)."""
        rate = max(1.0 / self.num_genes, Crossover.mutation)
        mutation = Crossover(mutation=rate, widths=self.encoding.widths, sexual=False)
        children = mutation(self.encoding, strategy[None, :], np.ones(1), 1, rng)
        return np.asarray(children.genomes[0])

    def __repr__(self) -> str:
        return f"<{self.name} between genomes of {self.encoding!r}>"
