"""Paired comparisons of several players: means, standard errors, t-tests and Holm's correction.

Each of T trials gives every one of n players a number, such as its mean rank at one duplicate table. The numbers of a
trial are not independent, so players are compared by their differences in each trial. This needs only the sums of the
numbers and of their products, which add up over batches. They are whole numbers and therefore exact, so that no result
depends on the batches.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike
from scipy import special

from pokerlab.core import (
    Floats,
    Ints,
    SettingError,
    ShapeError,
    checked_integer,
    checked_number,
    freeze,
)
from pokerlab.core.arrays import checked_numbers, fill_missing
from pokerlab.core.errors import quote_value
from pokerlab.core.old_names import explain_renamed_attributes

LEVEL = 0.95
"""The default level of confidence intervals."""
LARGEST_SQUARES = 2**61 - 1
"""The largest sum of squares of a player's numbers in all trials."""
MOST_COMPARED = 10_000
"""The most players: their table of products takes 800 megabytes."""


class PairedTests(NamedTuple):
    """Two-tailed paired t-tests of K pairs of players; each array has an entry for each pair.

    Attributes
    ----------
    first, second : array of int
        The two players of each pair.
    difference : array
        The first player's mean minus the second player's.
    error : array
        The standard error of the difference.
    t : array
        Student's t, with T - 1 degrees of freedom; 0 if the players are equal in every trial.
    p : array
        The probability of a t as large without a difference; 1 if the players are equal.
    adjusted : array
        `p` after Holm's correction for K pairs.
    """

    first: Ints
    second: Ints
    difference: Floats
    error: Floats
    t: Floats
    p: Floats
    adjusted: Floats


@explain_renamed_attributes
@dataclass(frozen=True, eq=False)
class PairedSums:
    """Sums over T trials of n players; `from_trials` computes them, and + joins batches.

    Attributes
    ----------
    count : int
        The number of trials, T.
    sums : array of int, shape (n,)
        The sum of each player's numbers.
    products : array of int, shape (n, n)
        The sums of the products of two players' numbers.
    parts : int
        How many units of the numbers make one: with 2 they count halves.

    Examples
    --------
    >>> first = PairedSums.from_trials([[2, 1], [4, 1]])
    >>> both = first + PairedSums.from_trials([[3, 4]])
    >>> both.mean.tolist(), both.compute_t_tests().difference.tolist()
    ([3.0, 2.0], [1.0])
    """

    count: int
    sums: Ints
    products: Ints
    parts: int = 1

    def __post_init__(self) -> None:
        for name in ("sums", "products"):
            given = getattr(self, name)
            if not isinstance(given, np.ndarray) or not holds_integers(given):
                raise SettingError(
                    f"{name} are {quote_value(given)}; give an array of whole numbers, or use"
                    " PairedSums.from_trials(numbers)."
                )
        if self.sums.ndim != 1 or self.products.shape != self.sums.shape * 2:
            raise ShapeError(
                f"sums have shape {self.sums.shape} and products {self.products.shape}; they must be (n,) and (n, n)."
            )
        checked_integer("count", self.count, 0, LARGEST_SQUARES)
        checked_integer("parts", self.parts, 1, LARGEST_SQUARES)
        freeze(self.sums, self.products)

    @classmethod
    def from_trials(cls, numbers: ArrayLike, parts: int = 1) -> "PairedSums":
        """Sum up the numbers of all trials.

        Parameters
        ----------
        numbers : array_like of int, shape (T, n)
            The number of each player in each trial.
        parts : int
            How many units of the numbers make one: with 2 they count halves.
        """
        given = checked_array(numbers, "the numbers")
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
        check_exact_sums(len(given) * largest**2)
        table = given.astype(np.int64)
        return cls(len(table), table.sum(axis=0), table.T @ table, parts)

    @classmethod
    def zeros(cls, num_players: int, parts: int = 1) -> "PairedSums":
        """Return the sums over no trials, to which those of batches can be added."""
        checked_integer("num_players", num_players, 0, MOST_COMPARED)
        return cls.from_trials(np.zeros((0, num_players), np.int64), parts)

    def __add__(self, other: "PairedSums") -> "PairedSums":
        if not isinstance(other, PairedSums):
            return NotImplemented
        if (len(self.sums), self.parts) != (len(other.sums), other.parts):
            raise ShapeError(
                f"sums of {len(self.sums)} players in {self.parts} parts and of {len(other.sums)} in"
                f" {other.parts} do not add up."
            )
        own_largest = int(self.products.max(initial=0))
        other_largest = int(other.products.max(initial=0))
        check_exact_sums(own_largest + other_largest)
        return PairedSums(
            count=self.count + other.count,
            sums=self.sums + other.sums,
            products=self.products + other.products,
            parts=self.parts,
        )

    @property
    def mean(self) -> Floats:
        """The mean of each player's numbers; NaN without trials."""
        if not self.count:
            return np.full(len(self.sums), np.nan)
        return np.asarray(self.sums / (self.parts * self.count))

    @property
    def standard_deviation(self) -> Floats:
        """The standard deviation of each player's numbers; NaN for fewer than two trials."""
        return np.asarray(np.sqrt(self.compute_variances(self.sums, np.diag(self.products))))

    @property
    def standard_error(self) -> Floats:
        """The standard error of each player's mean; NaN for fewer than two trials."""
        return np.asarray(self.standard_deviation / np.sqrt(max(self.count, 1)))

    def compute_half_width(self, level: float = LEVEL) -> Floats:
        """Return half the width of the confidence interval of each player's mean."""
        return self.standard_error * self.compute_quantile(level)

    def compute_quantile(self, level: float = LEVEL) -> float:
        """Return half the width of a confidence interval in standard errors, a quantile of Student's distribution."""
        checked_number("level", level, 0.0, 1.0)
        if self.count < 2:
            return float("nan")
        return float(special.stdtrit(self.count - 1, 0.5 + level / 2.0))

    def compute_t_tests(self, pairs: ArrayLike | None = None) -> PairedTests:
        """Compare pairs of players by paired t-tests over two trials or more.

        Parameters
        ----------
        pairs : array_like of int, shape (K, 2), optional
            Pairs of players, as indices from 0; by default all pairs.
        """
        num_players = len(self.sums)
        if pairs is None:
            first, second = np.triu_indices(num_players, k=1)
        else:
            first, second = checked_pairs(pairs, num_players).T
        if self.count < 2:
            raise SettingError(f"a t-test needs two trials or more; there are {self.count}.")

        squares = np.diag(self.products)
        sums = self.sums[first] - self.sums[second]  # of the differences in each trial
        sums_of_squares = squares[first] + squares[second] - 2 * self.products[first, second]
        difference = sums / (self.parts * self.count)
        error = np.sqrt(self.compute_variances(sums, sums_of_squares) / self.count)
        with np.errstate(divide="ignore", invalid="ignore"):
            t = np.where(sums == 0, 0.0, difference / error)
        p = 2.0 * special.stdtr(self.count - 1, -np.abs(t))
        return PairedTests(first, second, difference, error, t, p, apply_holm_correction(p))

    def compute_variances(self, sums: Ints, sums_of_squares: Ints) -> Floats:
        """Return the variances of numbers over trials from their sums and sums of squares; NaN below two trials."""
        if self.count < 2:
            return np.full(len(sums), np.nan)
        scale = self.count * (self.count - 1) * self.parts**2
        variances = []
        for total, total_of_squares in zip(sums.tolist(), sums_of_squares.tolist(), strict=True):
            # Python's integers neither round nor overflow before the division.
            variances.append((self.count * total_of_squares - total**2) / scale)
        return np.array(variances, np.float64)


def holds_integers(given: Any) -> bool:
    """Return whether an array holds integers: numpy's, or Python's, which never overflow."""
    if given.dtype == object:
        return all(isinstance(value, int) for value in given.flat)
    return bool(given.dtype.kind in "iu")


def checked_pairs(pairs: ArrayLike, num_players: int) -> Ints:
    """Return pairs of players as an array with a row for each, or raise if one is not a player's index."""
    chosen = checked_array(pairs, "pairs")
    if chosen.ndim != 2 or chosen.shape[1] != 2:
        raise ShapeError(f"pairs have shape {chosen.shape}; give (K, 2).")
    if chosen.dtype.kind not in "iu":
        raise SettingError(f"pairs are {chosen.dtype}; give the players' whole numbers.")
    if chosen.size and not (chosen.min() >= 0 and chosen.max() < num_players):
        raise SettingError(
            f"pairs name players {chosen.min()} to {chosen.max()}; there are 0 to {num_players - 1}."
        )
    return np.asarray(chosen)


def checked_array(values: ArrayLike, name: str) -> Any:
    """Return `values` as an array of the type that numpy chooses, or raise ShapeError if rows differ in length."""
    try:
        return np.asarray(fill_missing(values))
    except (TypeError, ValueError) as reason:
        raise ShapeError(f"{name} are no array ({reason}). Give rows of equal length.") from None


def check_exact_sums(sum_of_squares: int) -> None:
    """Raise SettingError if a sum of squares is too large for int64; that of differences may be four times as large."""
    if sum_of_squares > LARGEST_SQUARES:
        raise SettingError(
            f"the squares of the numbers add up to {sum_of_squares:.3g}; exact results allow at most"
            f" {LARGEST_SQUARES:.3g}. Use smaller numbers, such as thousands instead of units."
        )


def apply_holm_correction(p: ArrayLike) -> Floats:
    """Adjust p-values so that the probability of any false rejection stays below the level (Holm's correction).

    The smallest of K is multiplied by K, the next one by K - 1, and so on. No adjusted value is smaller than one before
    it, or larger than 1.

    Parameters
    ----------
    p : array_like of float, shape (K,)
        The p-values, from 0 to 1.

    Returns
    -------
    array of shape (K,)
        The adjusted p-values, in the order of `p`.

    References
    ----------
    .. [1] S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of
       Statistics 6 (2), 1979.

    Examples
    --------
    >>> apply_holm_correction([0.01, 0.04, 0.03]).round(2).tolist()
    [0.03, 0.06, 0.06]
    """
    given = checked_numbers(p, "p-values")
    if given.ndim != 1 or not ((given >= 0.0) & (given <= 1.0)).all():
        raise SettingError(f"p-values are {quote_value(p)}; give a row of numbers from 0 to 1.")
    order = np.argsort(given, kind="stable")
    steps = np.arange(len(given), 0, -1) * given[order]
    adjusted = np.empty_like(given)
    adjusted[order] = np.minimum(np.maximum.accumulate(steps), 1.0)
    return adjusted
