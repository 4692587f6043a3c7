"""Genomes that are vectors: of real numbers, of bits, or of whole numbers, for contests and games of your own."""

from dataclasses import dataclass
from typing import ClassVar

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import Floats, Ints, SettingError, number, whole
from pokerlab.core.old_names import explain_renamed_methods
from pokerlab.strategies.encoding import FLAG, PROBABILITY, RANK, checked_genomes

MOST_GENES = 10**6
FARTHEST = 1e12  # of a range's ends from zero
STEP = 0.1  # the standard deviation of a mutation, as a share of the range


@explain_renamed_methods
@dataclass(frozen=True)
class RealVector:
    """A genome is `n` real numbers from `low` to `high`.

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
        whole("n", self.n, 1, MOST_GENES)
        number("low", self.low, -FARTHEST, FARTHEST)
        number("high", self.high, -FARTHEST, FARTHEST)
        if not self.low < self.high:
            raise SettingError(f"low is {self.low} and high {self.high}; low must be below high.")

    @property
    def num_genes(self) -> int:
        """G: n."""
        return self.n

    @property
    def kinds(self) -> Ints:
        """The kind of each gene, (G,): a real number, a whole number or a flag."""
        return np.full(self.n, self.kind)

    @property
    def widths(self) -> tuple[float, float, float]:
        """Standard deviations of mutations for `Crossover`: a tenth of the range, of whole numbers at least 1."""
        step = STEP * (self.high - self.low)
        return step, max(step, 1.0), 0.0

    def draw_genomes(self, generator: np.random.Generator, count: int) -> Floats:
        """Return `count` genomes, (count, G), uniform in the range."""
        return generator.uniform(self.low, self.high, (whole("count", count, 0), self.n))

    def reflect_into_range(self, vectors: Floats) -> Floats:
        """Return vectors of any numbers as genomes: they are reflected at the ends of the range.

        So evolution strategies, which have no ranges, never search on a plateau beyond an end.
        """
        span = self.high - self.low
        inside = self.high - np.abs((vectors - self.low) % (2.0 * span) - span)
        return inside if self.kind == PROBABILITY else np.rint(inside)

    def checked_genomes(self, genomes: ArrayLike) -> Floats:
        """Return genomes, (G,) or (k, G), as rows, (k, G); raise if they are none."""
        rows: Floats = checked_genomes(
            genomes,
            self.n,
            repr(self),
            low=self.low,
            high=self.high,
            is_whole=self.kind != PROBABILITY,
        )
        return rows


@dataclass(frozen=True)
class Integers(RealVector):
    """A genome is `n` whole numbers from `low` to `high`, both included."""

    low: int = 0
    high: int = 1
    kind: ClassVar[int] = RANK

    def __post_init__(self) -> None:
        super().__post_init__()
        whole("low", self.low, -int(FARTHEST))
        whole("high", self.high, -int(FARTHEST))

    def draw_genomes(self, generator: np.random.Generator, count: int) -> Floats:
        """Return `count` genomes, (count, G), of which every number is equally likely."""
        size = (whole("count", count, 0), self.n)
        return generator.integers(self.low, self.high, size, endpoint=True).astype(np.float64)


@dataclass(frozen=True)
class BitString(Integers):
    """A genome is `n` zeros and ones, which mutations flip.

    Examples
    --------
    >>> sorted(set(BitString(20).draw_genomes(np.random.default_rng(1), count=2).ravel().tolist()))
    [0.0, 1.0]
    """

    low: ClassVar[int] = 0  # type: ignore[misc]
    high: ClassVar[int] = 1  # type: ignore[misc]
    kind: ClassVar[int] = FLAG
