"""A contest with an encoding of its strategies, which is a symmetric game between genomes.

Solvers such as the Nash memory and minimax coevolution use it like any other symmetric game.
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
        """Raise a GameError if the encoding is not a vector of real numbers, integers or bits."""
        expected = "an encoding= such as strategies.RealVector(3), Integers or BitString"
        check_kind(f"encoding of {self.game.name}", self.encoding, RealVector, expected, GameError)

    @property
    def name(self) -> str:
        """The name of the contest."""
        return self.game.name

    @property
    def unit(self) -> Unit:
        """The unit of payoffs, such as points."""
        return self.game.unit

    @cached_property
    def fingerprint(self) -> str:
        """A digest that identifies the contest and the encoding, as 16 hexadecimal digits."""
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
        """Return the strategy that plays the contest: the genes of a genome, after moving each of them into its range.

        Parameters
        ----------
        genome : array_like of shape (G,)
            The genome. A gene outside its range is reflected at the bounds, because evolution strategies ignore ranges.

        Returns
        -------
        array of shape (G,)
            The strategy.
        """
        return self.encoding.reflect_into_range(np.asarray(genome))

    def validate_strategies(self, strategies: ArrayLike) -> Floats:
        """Return one or several strategies as an array of floats, after checking them.

        Parameters
        ----------
        strategies : array_like of shape (G,) or (k, G)
            One strategy, or k strategies. A strategy is a genome of G genes.

        Returns
        -------
        array of shape (G,) or (k, G)
            The strategies, in the shape in which they were given.

        Raises
        ------
        SettingError
            If a gene is outside its range, or not an integer although it must be one.
        ShapeError
            If a genome does not have G genes.
        """
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
            The amount that the row's genome wins from the column's genome.

        Raises
        ------
        GameError
            If the contest is not repeatable, or favors a position although it is symmetric. Only the first call checks
            this.
        """
        shape = (len(row_strategies), len(column_strategies))
        row_indices, column_indices = np.indices(shape)
        first, second = row_indices.ravel(), column_indices.ravel()
        seeds = np.zeros_like(first)

        row_vectors = self.encoding.reflect_into_range(row_strategies)
        column_vectors = self.encoding.reflect_into_range(column_strategies)
        self.game.check_pairings(row_vectors, column_vectors, first, second, seeds)
        winnings = self.game.play_pairings(row_vectors, column_vectors, first, second, seeds)
        return winnings.reshape(shape)

    def best_response(self, strategies: Floats, mixture: Floats) -> Floats:
        """Raise a GameError, because a best response in a contest cannot be computed exactly.

        Other symmetric games return a best response from this method, so solvers may call it.

        Parameters
        ----------
        strategies : array of shape (k, G)
            The k strategies of the opponent, which are not used.
        mixture : array of shape (k,)
            The probability of each of these strategies, which is not used.

        Raises
        ------
        GameError
            Always. The message names ways to search for a good response.
        """
        raise GameError(
            f"{self.name} is a contest and has no exact best response. Use solvers.Mutants(seed=1) or"
            " solvers.InnerEvolution() to search for one."
        )

    def draw_mutant(self, strategy: Floats, rng: np.random.Generator) -> Floats:
        """Return a mutated copy of a genome.

        Each gene mutates with probability 0.05, or 1 / G if this is larger. So at least one gene mutates on average.

        Parameters
        ----------
        strategy : array of shape (G,)
            The genome, which is not changed.
        rng : Generator
            The source of all random numbers.

        Returns
        -------
        array of shape (G,)
            The mutant.
        """
        rate = max(1.0 / self.num_genes, Crossover.mutation)
        mutation = Crossover(mutation=rate, widths=self.encoding.widths, sexual=False)
        # A crossover without a second parent: one child of one parent, which is drawn with probability 1.
        children = mutation(self.encoding, strategy[None, :], np.ones(1), 1, rng)
        return np.asarray(children.genomes[0])

    def __repr__(self) -> str:
        """Return the name of the contest with its encoding."""
        return f"<{self.name} between genomes of {self.encoding!r}>"
