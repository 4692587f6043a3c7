"""Encodings whose genomes are vectors of real numbers, of integers or of bits, for contests and your own games."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import Floats, Ints, SettingError, validate_integer, validate_number
from pokerlab.core.old_names import explain_renamed_attributes
from pokerlab.strategies.encoding import FLAG, PROBABILITY, RANK, validate_genomes

MOST_GENES = 10**6
LARGEST_BOUND = 1e12  # the largest absolute value of a gene
MUTATION_WIDTH = 0.1  # the standard deviation of a mutation, as a fraction of the range


@explain_renamed_attributes
@dataclass(frozen=True)
class RealVector:
    """The encoding whose genomes are vectors of `n` real numbers from `low` to `high`.

    Parameters
    ----------
    n : int
        The length of a genome, 1 to 1,000,000.
    low, high : float
        The range of each gene, where `low` is below `high`.

    Examples
    --------
    >>> encoding = RealVector(3, low=0, high=1)
    >>> encoding.draw_genomes(np.random.default_rng(1), count=2).shape
    (2, 3)
    """

    n: int
    low: float = 0.0
    high: float = 1.0
    kind: ClassVar[int] = PROBABILITY

    def __post_init__(self) -> None:
        """Raise a SettingError if a parameter is outside its range, or if `low` is not below `high`."""
        validate_integer("n", self.n, 1, MOST_GENES)
        validate_number("low", self.low, -LARGEST_BOUND, LARGEST_BOUND)
        validate_number("high", self.high, -LARGEST_BOUND, LARGEST_BOUND)
        if not self.low < self.high:
            raise SettingError(f"low is {self.low} and high {self.high}; low must be below high.")

    @property
    def num_genes(self) -> int:
        """The number of genes of a genome, n."""
        return self.n

    @property
    def kinds(self) -> Ints:
        """The kind of each gene, which decides how it mutates: `PROBABILITY`, `RANK` or `FLAG`, array of shape (n,)."""
        return np.full(self.n, self.kind)

    @property
    def widths(self) -> tuple[float, float, float]:
        """The standard deviations with which `Crossover` mutates real numbers, integers and amounts.

        For real numbers it is a tenth of the range, and for integers also at least 1. There are no amounts.
        """
        deviation = MUTATION_WIDTH * (self.high - self.low)
        return deviation, max(deviation, 1.0), 0.0

    def draw_genomes(self, generator: np.random.Generator, count: int) -> Floats:
        """Return random genomes, whose genes are uniform from `low` to `high`.

        Parameters
        ----------
        generator : Generator
            The source of all random numbers.
        count : int
            The number of genomes.

        Returns
        -------
        array of shape (count, n)
            The genomes, one in each row.

        Raises
        ------
        SettingError
            If `count` is not an integer of at least 0.
        """
        size = (validate_integer("count", count, 0), self.n)
        return generator.uniform(self.low, self.high, size)

    def reflect_into_range(self, vectors: Floats) -> Floats:
        """Return genomes whose genes are in the range, by reflecting numbers outside the range at its bounds.

        Evolution strategies do not respect ranges. If numbers were clipped instead, evolution strategies could search
        on a plateau beyond a bound. Integers are rounded to the nearest one after the reflection.

        Parameters
        ----------
        vectors : array of shape (n,) or (k, n)
            The numbers to reflect, a vector of n numbers for each genome.

        Returns
        -------
        array of shape (n,) or (k, n)
            The genomes.
        """
        # The reflections at both bounds repeat after twice the span. Within that period the distance from `high` first
        # falls from the span to 0, and then rises to it again.
        span = self.high - self.low
        distance_from_high = np.abs((vectors - self.low) % (2.0 * span) - span)
        inside = self.high - distance_from_high
        return inside if self.kind == PROBABILITY else np.rint(inside)

    def validate_genomes(self, genomes: ArrayLike) -> Floats:
        """Return one or several genomes as the rows of an array, after checking them.

        Parameters
        ----------
        genomes : array_like of shape (n,) or (k, n)
            One genome or k genomes.

        Returns
        -------
        array of shape (k, n)
            The genomes as numbers, where k is 1 for a single genome.

        Raises
        ------
        SettingError
            If a gene is not a number from `low` to `high`, or not an integer although it must be one.
        ShapeError
            If a genome does not have n genes.
        """
        return validate_genomes(
            genomes,
            self.n,
            repr(self),
            low=self.low,
            high=self.high,
            is_whole=self.kind != PROBABILITY,
        )


@dataclass(frozen=True)
class Integers(RealVector):
    """The encoding whose genomes are vectors of `n` whole numbers from `low` to `high`, both included."""

    low: int = 0
    high: int = 1
    kind: ClassVar[int] = RANK

    def __post_init__(self) -> None:
        """Raise a SettingError if a parameter is outside its range, or if a bound is not an integer."""
        super().__post_init__()
        # The largest absolute value has been checked above.
        validate_integer("low", self.low, -int(LARGEST_BOUND))
        validate_integer("high", self.high, -int(LARGEST_BOUND))

    def draw_genomes(self, generator: np.random.Generator, count: int) -> Floats:
        """Return random genomes, in which every whole number from `low` to `high` is equally likely.

        Parameters
        ----------
        generator : Generator
            The source of all random numbers.
        count : int
            The number of genomes.

        Returns
        -------
        array of shape (count, n)
            The genomes, one in each row, as floats.

        Raises
        ------
        SettingError
            If `count` is not an integer of at least 0.
        """
        size = (validate_integer("count", count, 0), self.n)
        return generator.integers(self.low, self.high, size, endpoint=True).astype(np.float64)


@dataclass(frozen=True)
class BitString(Integers):
    """The encoding whose genomes are vectors of `n` zeros and ones, which mutations flip.

    Examples
    --------
    >>> sorted(set(BitString(20).draw_genomes(np.random.default_rng(1), count=2).ravel().tolist()))
    [0.0, 1.0]
    """

    low: ClassVar[int] = 0  # type: ignore[misc]
    high: ClassVar[int] = 1  # type: ignore[misc]
    kind: ClassVar[int] = FLAG
