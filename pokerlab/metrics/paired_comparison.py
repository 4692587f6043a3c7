"""Paired comparisons of several players: means, standard errors, t-tests and Holm's correction.

In each of T trials every one of n players gets a number, such as its mean rank at a duplicate table. The numbers of a
trial are not independent, so players are compared by their differences in each trial. For this only the sums of the
numbers and of their products are needed, and those of several batches can be added. All numbers are integers, so that
sums are exact and results do not depend on how trials are divided into batches.
"""

from dataclasses import dataclass
from typing import Any, NamedTuple

import numpy as np
from numpy.typing import ArrayLike, NDArray
from scipy import special

from pokerlab.core import (
    Floats,
    Ints,
    SettingError,
    ShapeError,
    freeze,
    validate_integer,
    validate_number,
)
from pokerlab.core.arrays import fill_masked_with_nan, validate_numbers
from pokerlab.core.errors import quote_value
from pokerlab.core.old_names import explain_renamed_attributes

CONFIDENCE_LEVEL = 0.95
"""The default level of confidence intervals."""
LARGEST_SQUARES = 2**61 - 1
"""The largest sum of squares of a player's numbers in all trials."""
MOST_COMPARED = 10_000
"""The largest number of players, whose matrix of products takes 800 megabytes."""


class PairedTests(NamedTuple):
    """Two-tailed paired t-tests of K pairs of players; each array has an entry for each pair.

    Attributes
    ----------
    first, second : array of int
        The indices of the two players of each pair.
    difference : array
        The mean of the first player minus the mean of the second player.
    error : array
        The standard error of the difference.
    t : array
        Student's t, with T - 1 degrees of freedom for T trials. It is 0 if the sums of the two players are equal.
    p : array
        The p-value: the probability that |t| is at least this large if the players' expected values are equal.
    adjusted : array
        The p-values after Holm's correction for K pairs.
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
    """Sums over T trials of n players, which `from_trials` computes. The operator + adds the sums of two batches.

    Attributes
    ----------
    count : int
        The number of trials, T.
    sums : array of int, shape (n,)
        The sum of each player's numbers over all trials.
    products : array of int, shape (n, n)
        For each pair of players, the sum over all trials of the product of their numbers.
    parts : int
        The number by which the integers must be divided to get the real values. For example, with 2 they count halves.

    Raises
    ------
    SettingError
        If `sums` or `products` are not arrays of integers, or if a number is not in its range.
    ShapeError
        If the shapes are not (n,) and (n, n), or if sums of other players or other parts are added.

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
            array = getattr(self, name)
            if not isinstance(array, np.ndarray) or not has_only_integers(array):
                raise SettingError(
                    f"{name} are {quote_value(array)}; give an array of whole numbers, or use"
                    " PairedSums.from_trials(numbers)."
                )

        if self.sums.ndim != 1 or self.products.shape != self.sums.shape * 2:
            raise ShapeError(
                f"sums have shape {self.sums.shape} and products {self.products.shape}; they must be (n,) and (n, n)."
            )

        validate_integer("count", self.count, 0, LARGEST_SQUARES)
        validate_integer("parts", self.parts, 1, LARGEST_SQUARES)
        freeze(self.sums, self.products)

    @classmethod
    def from_trials(cls, numbers: ArrayLike, parts: int = 1) -> "PairedSums":
        """Return the sums over trials of each player's numbers, and of the products of two players' numbers.

        Parameters
        ----------
        numbers : array_like of int, shape (T, n)
            The number of each of n players in each of T trials.
        parts : int
            The number by which the integers must be divided to get the real values. For example, with 2 they count
            halves.

        Returns
        -------
        PairedSums
            The sums over all trials.

        Raises
        ------
        ShapeError
            If `numbers` is not a matrix.
        SettingError
            If the numbers are not integers, or are so large that sums of squares would not be exact.
        """
        array = validate_array(numbers, "the numbers")
        if array.ndim != 2:
            raise ShapeError(
                f"the numbers have shape {array.shape}; give (T, n), a row for each trial."
            )
        if array.dtype.kind not in "iu":
            raise SettingError(
                f"the numbers are {array.dtype}; give whole numbers, so that sums are exact: halves as"
                " twice their value, with parts=2."
            )

        largest = max(abs(int(array.max())), abs(int(array.min()))) if array.size else 0
        check_sums_are_exact(len(array) * largest**2)
        table = array.astype(np.int64)
        return cls(len(table), table.sum(axis=0), table.T @ table, parts)

    @classmethod
    def zeros(cls, num_players: int, parts: int = 1) -> "PairedSums":
        """Return the sums over no trials, to which the sums of batches of trials can be added.

        Parameters
        ----------
        num_players : int
            The number of players, n.
        parts : int
            The number by which the integers must be divided to get the real values. For example, with 2 they count
            halves.

        Returns
        -------
        PairedSums
            The sums, which are all zero.

        Raises
        ------
        SettingError
            If `num_players` is not an integer from 0 to `MOST_COMPARED`.
        """
        validate_integer("num_players", num_players, 0, MOST_COMPARED)
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
        check_sums_are_exact(own_largest + other_largest)
        return PairedSums(
            count=self.count + other.count,
            sums=self.sums + other.sums,
            products=self.products + other.products,
            parts=self.parts,
        )

    @property
    def mean(self) -> Floats:
        """The mean of each player's numbers, an array of shape (n,); NaN if there are no trials."""
        if not self.count:
            return np.full(len(self.sums), np.nan)
        return np.asarray(self.sums / (self.parts * self.count))

    @property
    def standard_deviation(self) -> Floats:
        """The standard deviation of each player's numbers, an array of shape (n,); NaN for fewer than two trials."""
        return np.asarray(np.sqrt(self.compute_variances(self.sums, np.diag(self.products))))

    @property
    def standard_error(self) -> Floats:
        """The standard error of each player's mean, an array of shape (n,); NaN for fewer than two trials."""
        return np.asarray(self.standard_deviation / np.sqrt(max(self.count, 1)))

    def compute_half_width(self, level: float = CONFIDENCE_LEVEL) -> Floats:
        """Return half of the width of the confidence interval of each player's mean result.

        Parameters
        ----------
        level : float
            The level of the intervals, such as 0.95. With a level of 1 they are infinitely wide.

        Returns
        -------
        array of shape (n,)
            The half-widths, in the unit of the results; NaN for fewer than two trials.

        Raises
        ------
        SettingError
            If the level is not a number from 0 to 1.
        """
        return self.standard_error * self.compute_t_quantile(level)

    def compute_t_quantile(self, level: float = CONFIDENCE_LEVEL) -> float:
        """Return the quantile of Student's distribution that belongs to a level of confidence.

        Half of the width of a confidence interval is this quantile times the standard error. It is the quantile at (1 +
        level) / 2 for T - 1 degrees of freedom, for T trials.

        Parameters
        ----------
        level : float
            The level of the interval, from 0 to 1.

        Returns
        -------
        float
            The quantile; NaN for fewer than two trials.

        Raises
        ------
        SettingError
            If the level is not a number from 0 to 1.
        """
        validate_number("level", level, 0.0, 1.0)
        if self.count < 2:
            return float("nan")
        return float(special.stdtrit(self.count - 1, 0.5 + level / 2.0))

    def compute_t_tests(self, pairs: ArrayLike | None = None) -> PairedTests:
        """Return the two-tailed paired t-tests of pairs of players.

        Parameters
        ----------
        pairs : array_like of int, shape (K, 2), optional
            K pairs of player indices, counted from 0; by default all pairs.

        Returns
        -------
        PairedTests
            The differences of means, their standard errors, and the p-values, with an entry for each pair.

        Raises
        ------
        ShapeError
            If `pairs` does not have the shape (K, 2).
        SettingError
            If there are fewer than two trials, or if a pair has a number that is not the index of a player.
        """
        num_players = len(self.sums)
        if pairs is None:
            first, second = np.triu_indices(num_players, k=1)
        else:
            first, second = validate_pairs(pairs, num_players).T
        if self.count < 2:
            raise SettingError(f"a t-test needs two trials or more; there are {self.count}.")

        # The sums over trials of the differences between both players, and of their squares, (x - y)^2.
        squares = np.diag(self.products)
        sums = self.sums[first] - self.sums[second]
        sums_of_squares = squares[first] + squares[second] - 2 * self.products[first, second]

        difference = sums / (self.parts * self.count)
        error = np.sqrt(self.compute_variances(sums, sums_of_squares) / self.count)
        with np.errstate(divide="ignore", invalid="ignore"):  # an error of 0 makes t infinite, or 0
            t = np.where(sums == 0, 0.0, difference / error)
        p = 2.0 * special.stdtr(self.count - 1, -np.abs(t))  # both tails of Student's distribution
        return PairedTests(first, second, difference, error, t, p, apply_holm_correction(p))

    def compute_variances(self, sums: Ints, sums_of_squares: Ints) -> Floats:
        """Return the sample variance of each of K numbers over T trials.

        It is (T times the sum of squares - the square of the sum) / (T (T - 1)).

        Parameters
        ----------
        sums, sums_of_squares : array of int, shape (K,)
            The sum over trials of each of K numbers, and of its square. The numbers are counted in whole parts, so that
            these sums are exact. One unit has `self.parts` parts.

        Returns
        -------
        array of shape (K,)
            The variances of the real values; NaN for fewer than two trials.
        """
        if self.count < 2:
            return np.full(len(sums), np.nan)
        scale = self.count * (self.count - 1) * self.parts**2
        variances = []
        for total, total_of_squares in zip(sums.tolist(), sums_of_squares.tolist(), strict=True):
            # Python's integers neither round nor overflow before the division.
            variances.append((self.count * total_of_squares - total**2) / scale)
        return np.array(variances, np.float64)


def has_only_integers(array: NDArray[Any]) -> bool:
    """Return whether an array has only integers, which may be NumPy's integers or Python objects.

    Parameters
    ----------
    array : array
        The array, of any shape.

    Returns
    -------
    bool
        Whether its type is an integer type, or all its objects are of the type int.
    """
    if array.dtype == object:
        return all(isinstance(value, int) for value in array.flat)
    return bool(array.dtype.kind in "iu")  # signed and unsigned integers


def validate_pairs(pairs: ArrayLike, num_players: int) -> Ints:
    """Return pairs of players as an array of integers, after checking that these are players.

    Parameters
    ----------
    pairs : array_like of int, shape (K, 2)
        K pairs of player indices, counted from 0.
    num_players : int
        The number of players.

    Returns
    -------
    array of int, shape (K, 2)
        The pairs.

    Raises
    ------
    ShapeError
        If the pairs do not have the shape (K, 2).
    SettingError
        If they are not integers, or if one is not the index of a player.
    """
    player_pairs = validate_array(pairs, "pairs")
    if player_pairs.ndim != 2 or player_pairs.shape[1] != 2:
        raise ShapeError(f"pairs have shape {player_pairs.shape}; give (K, 2).")
    if player_pairs.dtype.kind not in "iu":
        raise SettingError(f"pairs are {player_pairs.dtype}; give the players' whole numbers.")
    if player_pairs.size and not (player_pairs.min() >= 0 and player_pairs.max() < num_players):
        raise SettingError(
            f"pairs name players {player_pairs.min()} to {player_pairs.max()}; there are 0 to {num_players - 1}."
        )
    return np.asarray(player_pairs)


def validate_array(values: ArrayLike, name: str) -> NDArray[Any]:
    """Return values as an array of the type that NumPy chooses, after checking that all rows have the same length.

    Parameters
    ----------
    values : array_like
        The values. Masked cells become NaN.
    name : str
        What the error message calls the values, such as 'pairs'.

    Returns
    -------
    array
        The values.

    Raises
    ------
    ShapeError
        If rows have different lengths.
    """
    try:
        return np.asarray(fill_masked_with_nan(values))
    except (TypeError, ValueError) as reason:
        raise ShapeError(f"{name} are no array ({reason}). Give rows of equal length.") from None


def check_sums_are_exact(sum_of_squares: int) -> None:
    """Raise a SettingError if a sum of squares is so large that later sums could overflow 64-bit integers.

    The sum of squares of differences between two players can be four times as large as that of one player's numbers.

    Parameters
    ----------
    sum_of_squares : int
        The largest possible sum of squares of one player's numbers.

    Raises
    ------
    SettingError
        If it is larger than `LARGEST_SQUARES`.
    """
    if sum_of_squares > LARGEST_SQUARES:
        raise SettingError(
            f"the squares of the numbers add up to {sum_of_squares:.3g}; exact results allow at most"
            f" {LARGEST_SQUARES:.3g}. Use smaller numbers, such as thousands instead of units."
        )


def apply_holm_correction(p: ArrayLike) -> Floats:
    """Return p-values after Holm's correction for multiple tests.

    If a hypothesis is rejected when its adjusted p-value is at most a level, the probability of any false rejection is
    at most this level. The smallest of K p-values is multiplied by K, the second smallest by K - 1, and so on. An
    adjusted value is then replaced by the adjusted value of the next smaller p-value, if this one is larger. No
    adjusted value is larger than 1.

    Parameters
    ----------
    p : array_like of float, shape (K,)
        The K p-values, from 0 to 1.

    Returns
    -------
    array of shape (K,)
        The adjusted p-values, in the order of `p`.

    Raises
    ------
    SettingError
        If `p` is not a row of numbers from 0 to 1.

    References
    ----------
    .. [1] S. Holm, "A simple sequentially rejective multiple test procedure", Scandinavian Journal of
       Statistics 6 (2), 1979.

    Examples
    --------
    >>> apply_holm_correction([0.01, 0.04, 0.03]).round(2).tolist()
    [0.03, 0.06, 0.06]
    """
    p_values = validate_numbers(p, "p-values")
    if p_values.ndim != 1 or not ((p_values >= 0.0) & (p_values <= 1.0)).all():
        raise SettingError(f"p-values are {quote_value(p)}; give a row of numbers from 0 to 1.")
    ascending_order = np.argsort(
        p_values, kind="stable"
    )  # from the smallest p-value to the largest
    holm_factors = np.arange(len(p_values), 0, -1)  # K, K - 1, ..., 1
    multiplied_p_values = holm_factors * p_values[ascending_order]
    increasing_p_values = np.maximum.accumulate(multiplied_p_values)

    adjusted_p_values = np.empty_like(p_values)
    adjusted_p_values[ascending_order] = np.minimum(increasing_p_values, 1.0)
    return adjusted_p_values
