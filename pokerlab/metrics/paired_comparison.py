"""Paired comparisons of several players from sums alone: means, errors, t-tests, Holm's correction.

How to read it. Each of T trials gives every player a number, such as its mean rank at one duplicate
table. The numbers of one trial are not independent, so players are compared by their differences in
each trial. All this needs are the sums of the numbers and of their products, which add up over
batches; as whole numbers they are exact, so that no result depends on the batches.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from pokerlab.core import Floats, Ints, SettingError, ShapeError, freeze, number, whole
from pokerlab.core.arrays import fill_missing, read_numbers
from pokerlab.core.errors import in_short

LEVEL = 0.95  # of confidence intervals, where nothing else is said
LARGEST_SQUARES = 2**61 - 1  # of a player's numbers in all trials
MOST_COMPARED = 10_000  # players, whose table of products takes 800 megabytes


class PairedTests(NamedTuple):
    """Two-tailed paired t-tests of K pairs of players; all arrays of shape (K,)."""

    first: Ints  # the players
    second: Ints
    difference: Floats  # the first one's mean less the second one's
    error: Floats  # its standard error
    t: Floats  # Student's, with T - 1 degrees of freedom; 0 where players are alike in every trial
    p: Floats  # the chance of a t as large without a difference; 1 where players are alike
    adjusted: Floats  # p by Holm's correction for K pairs


@dataclass(frozen=True, eq=False)
class PairedSums:
    """Sums over T trials that n players share; `of` makes them, and + joins batches.

    Examples
    --------
    >>> first = PairedSums.of([[2, 1], [4, 1]])
    >>> both = first + PairedSums.of([[3, 4]])
    >>> both.mean.tolist(), both.tests().difference.tolist()
    ([3.0, 2.0], [1.0])
    """

    count: int  # T
    sums: Ints  # (n,): of each player's numbers
    products: Ints  # (n, n): of the products of two players' numbers
    parts: int = 1  # that the numbers count: a half is 1 of 2 parts

    def __post_init__(self) -> None:
        for name in ("sums", "products"):
            given = getattr(self, name)
            if not isinstance(given, np.ndarray) or not holds_integers(given):
                raise SettingError(
                    f"{name} are {in_short(given)}; give an array of whole numbers, or use PairedSums.of(numbers)."
                )
        if self.sums.ndim != 1 or self.products.shape != self.sums.shape * 2:
            raise ShapeError(
                f"sums have shape {self.sums.shape} and products {self.products.shape}; they must be (n,) and (n, n)."
            )
        whole("count", self.count, 0, LARGEST_SQUARES)
        whole("parts", self.parts, 1, LARGEST_SQUARES)
        freeze(self.sums, self.products)

    @classmethod
    def of(cls, numbers: ArrayLike, parts: int = 1) -> "PairedSums":
        """Return the sums of whole numbers, shape (T, n), that count parts of what is meant."""
        given = read_array(numbers, "the numbers")
        if given.ndim != 2:
            raise ShapeError(
                f"the numbers have shape {given.shape}; give (T, n), a row for each trial."
            )
        if given.dtype.kind not in "iu":
            raise SettingError(
                f"the numbers are {given.dtype}; give whole numbers, so that sums are exact: halves as"
                " twice their value, with parts=2."
            )
        largest = max(abs(int(given.max())), abs(int(given.min()))) if given.size else 0
        check_exact(len(given) * largest**2)
        table = given.astype(np.int64)
        return cls(len(table), table.sum(axis=0), table.T @ table, parts)

    @classmethod
    def none(cls, num_players: int, parts: int = 1) -> "PairedSums":
        """Return the sums of no trials."""
        whole("num_players", num_players, 0, MOST_COMPARED)
        return cls.of(np.zeros((0, num_players), np.int64), parts)

    def __add__(self, other: "PairedSums") -> "PairedSums":
        if not isinstance(other, PairedSums):
            return NotImplemented
        if (len(self.sums), self.parts) != (len(other.sums), other.parts):
            raise ShapeError(
                f"sums of {len(self.sums)} players in {self.parts} parts and of {len(other.sums)} in"
                f" {other.parts} do not add up."
            )
        check_exact(*(int(of.products.max(initial=0)) for of in (self, other)))
        sums, products = self.sums + other.sums, self.products + other.products
        return PairedSums(self.count + other.count, sums, products, self.parts)

    @property
    def mean(self) -> Floats:
        """Each player's mean, shape (n,); NaN without trials."""
        return self.sums / (self.parts * self.count if self.count else np.nan)

    @property
    def standard_deviation(self) -> Floats:
        """Of each player's number in a trial, shape (n,); NaN for fewer than two trials."""
        return np.asarray(np.sqrt(self.squares(self.sums, np.diag(self.products))))

    @property
    def standard_error(self) -> Floats:
        """Of `mean`, shape (n,); NaN for fewer than two trials."""
        return np.asarray(self.standard_deviation / np.sqrt(max(self.count, 1)))

    def half_width(self, level: float = LEVEL) -> Floats:
        """Return what the confidence intervals of `mean` reach up and down, shape (n,)."""
        return self.standard_error * self.quantile(level)

    def quantile(self, level: float = LEVEL) -> float:
        """Return how many standard errors a confidence interval reaches up and down."""
        number("level", level, 0.0, 1.0)
        if self.count < 2:
            return float("nan")
        return float(special.stdtrit(self.count - 1, 0.5 + level / 2.0))

    def tests(self, pairs: ArrayLike | None = None) -> PairedTests:
        """Return the t-tests of all pairs, or of `pairs`, shape (K, 2), over two trials or more."""
        num_players = len(self.sums)
        if pairs is None:
            first, second = np.triu_indices(num_players, k=1)
        else:
            chosen = read_array(pairs, "pairs")
            if chosen.ndim != 2 or chosen.shape[1] != 2:
                raise ShapeError(f"pairs have shape {chosen.shape}; give (K, 2).")
            if chosen.dtype.kind not in "iu":
                raise SettingError(f"pairs are {chosen.dtype}; give the players' whole numbers.")
            if chosen.size and not (chosen.min() >= 0 and chosen.max() < num_players):
                raise SettingError(
                    f"pairs name players {chosen.min()} to {chosen.max()}; there are 0 to {num_players - 1}."
                )
            first, second = chosen.T
        if self.count < 2:
            raise SettingError(f"a t-test needs two trials or more; there are {self.count}.")
        squares = np.diag(self.products)
        apart = self.sums[first] - self.sums[second]
        apart_squares = squares[first] + squares[second] - 2 * self.products[first, second]
        difference = apart / (self.parts * self.count)
        error = np.sqrt(self.squares(apart, apart_squares) / self.count)
        with np.errstate(divide="ignore", invalid="ignore"):
            t = np.where(apart == 0, 0.0, difference / error)
        p = 2.0 * special.stdtr(self.count - 1, -np.abs(t))
        return PairedTests(first, second, difference, error, t, p, holm(p))

    def squares(self, sums: Ints, squared: Ints) -> Floats:
        """Return variances of numbers in a trial from their sums and sums of squares, exactly."""
        if self.count < 2:
            return np.full(len(sums), np.nan)
        # Python's integers: nothing is rounded or overflows before the division.
        excess = [self.count * int(q) - int(s) ** 2 for s, q in zip(sums, squared, strict=True)]
        scale = self.count * (self.count - 1) * self.parts**2
        return np.array([part / scale for part in excess], np.float64)


def holds_integers(given: Any) -> bool:
    """Return whether an array holds integers: numpy's, or Python's, which never overflow."""
    if given.dtype == object:
        return all(isinstance(number, int) for number in given.flat)
    return bool(given.dtype.kind in "iu")


def read_array(values: ArrayLike, name: str) -> Any:
    """Return `values` as an array of numpy's own choice; refuse rows of different lengths."""
    try:
        return np.asarray(fill_missing(values))
    except (TypeError, ValueError) as reason:
        raise ShapeError(f"{name} are no array ({reason}). Give rows of equal length.") from None


def check_exact(*squares: int) -> None:
    """Refuse sums of squares too large for int64; a difference needs up to four times as much."""
    if sum(squares) > LARGEST_SQUARES:
        raise SettingError(
            f"the squares of the numbers add up to {sum(squares):.3g}; exact results allow at most"
            f" {LARGEST_SQUARES:.3g}. Use smaller numbers, such as thousands instead of units."
        )


def holm(p: ArrayLike) -> Floats:
    """Return p-values, (K,), adjusted so that the chance of any false rejection stays below the level.

    The smallest of K is multiplied by K, the next by K - 1, and so on; none becomes smaller than one
    before it, or larger than 1.

    Parameters
    ----------
    p : array_like of float, shape (K,)
        From 0 to 1.

    References
    ----------
    .. [1] S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of
       Statistics 6 (2), 1979.

    Examples
    --------
    >>> holm([0.01, 0.04, 0.03]).round(2).tolist()
    [0.03, 0.06, 0.06]
    """
    given = read_numbers(p, "p-values")
    if given.ndim != 1 or not ((given >= 0.0) & (given <= 1.0)).all():
        raise SettingError(f"p-values are {in_short(p)}; give a row of numbers from 0 to 1.")
    order = np.argsort(given, kind="stable")
    steps = np.arange(len(given), 0, -1) * given[order]
    adjusted = np.empty_like(given)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return adjusted
