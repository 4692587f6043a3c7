"""A contest with an encoding of its strategies, which is a symmetric game between genomes.

Memories and minimax coevolution use it like any other symmetric game.
"""

import hashlib
from dataclasses import dataclass
from functools import cached_property
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import Floats, GameError, Unit
from pokerlab.core.old_names import explain_renamed_attributes
from pokerlab.core.settings import check_kind
from pokerlab.evolution.population.variation import Crossover
from pokerlab.games.contests import Contest
from pokerlab.strategies.vectors import RealVector


@explain_renamed_attributes
@dataclass(frozen=True, eq=False)
class EncodedContest:
    """The symmetric game in which genomes of an encoding play a contest.

    Parameters
    ----------
    game : Contest
        The contest that is played.
    encoding : RealVector
        The encoding of its strategies, which may also be `Integers` or a `BitString`.
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
        """The unit of payoffs."""
        return self.game.unit

    @cached_property
    def fingerprint(self) -> str:
        """A digest of the contest and the encoding."""
        parts = (self.game.fingerprint, repr(self.encoding))
        return hashlib.sha256(repr(parts).encode()).hexdigest()[:16]

    @property
    def num_genes(self) -> int:
        """The length of a genome, G."""
        return self.encoding.num_genes

    @property
    def gene_labels(self) -> tuple[str, ...]:
        """The labels of the genes, counted from 1."""
        return tuple(f"gene {index}" for index in range(1, self.num_genes + 1))

    @cached_property
    def default_start(self) -> Floats:
        """The default first genome, in which every gene is the middle of its range."""
        middle = (self.encoding.low + self.encoding.high) / 2.0
        return self.encoding.reflect_into_range(np.full(self.num_genes, middle))

    def make_profile(self, genome: ArrayLike) -> Floats:
        """Return the strategy of a genome: its genes, where those outside their range are reflected at the bounds."""
        return self.encoding.reflect_into_range(np.asarray(genome))

    def validate_strategies(self, strategies: ArrayLike) -> Floats:
        """Return one genome, or several in rows, as an array of floats; raise an error if a gene is not allowed."""
        rows = self.encoding.validate_genomes(strategies)
        return rows if np.ndim(strategies) > 1 else rows[0]

    def payoffs(self, row_strategies: Floats, column_strategies: Floats) -> Floats:
        """Return the payoff of each row genome against each column genome, where each pair plays once with seed 0.

        Parameters
        ----------
        row_strategies : array of shape (k, G)
            The k genomes, of G genes each, whose payoffs are returned.
        column_strategies : array of shape (m, G)
            The m genomes against which they play.

        Returns
        -------
        array of shape (k, m)
            The amount that the row's genome wins from the column's.
        """
        shape = (len(row_strategies), len(column_strategies))
        rows, columns = np.indices(shape)
        first, second = rows.ravel(), columns.ravel()
        seeds = np.zeros_like(first)
        row_vectors = self.encoding.reflect_into_range(row_strategies)
        opponents = self.encoding.reflect_into_range(column_strategies)
        self.game.check_pairings(row_vectors, opponents, first, second, seeds)
        return self.game.play_pairings(row_vectors, opponents, first, second, seeds).reshape(shape)

    def best_response(self, strategies: Floats, mixture: Floats) -> Floats:
        """Raise a GameError, because a contest has no exact best response."""
        raise GameError(
            f"{self.name} is a contest and has no exact best response. Use solvers.Mutants(seed=1) or"
            " solvers.InnerEvolution() to search for one."
        )

    def draw_mutant(self, strategy: Floats, rng: np.random.Generator) -> Floats:
        """Return a mutated copy of a genome."""
        rate = max(1.0 / self.num_genes, Crossover.mutation)
        mutation = Crossover(mutation=rate, widths=self.encoding.widths, sexual=False)
        children = mutation(self.encoding, strategy[None, :], np.ones(1), 1, rng)
        return np.asarray(children.genomes[0])

    def __repr__(self) -> str:
        return f"<{self.name} between genomes of {self.encoding!r}>"
