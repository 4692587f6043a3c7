"""Tables of results as people have them, read as what the row wins from the column; when two numbers are equal.

Two numbers of a table of results are equal if they differ by at most `EQUAL` of its largest magnitude. Everything in
`metrics` that asks who wins, who is best, or who dominates whom asks by this rule, so that rounding breaks no tie.
"""

import numpy as np
from numpy.typing import ArrayLike

from pokerlab.core import Floats, SettingError, ShapeError
from pokerlab.core.arrays import read_numbers

EQUAL = 1e-9
"""Numbers that differ by at most this share of the largest magnitude are equal."""
TOTALS = (0.0, 1.0, 100.0)
"""What two cells that mirror each other add up to: winnings, chances, percent."""
DIGITS = range(2, 9)
"""To how many decimals a chance may be rounded, so that two that mirror each other need not add up to one."""


def drop_rounding(values: Floats, largest: float | None = None) -> Floats:
    """Return numbers with zero in place of those that are equal to zero.

    Parameters
    ----------
    values : array of float
        Of any shape.
    largest : float, optional
        The magnitude that rounding is relative to; if not given, the largest of the values.
    """
    if largest is None:
        largest = float(np.abs(values).max(initial=0.0))
    return np.where(np.abs(values) <= EQUAL * largest, 0.0, values)


def scale_to_one(values: Floats) -> Floats:
    """Return numbers divided by their largest magnitude; zeros stay zeros."""
    return np.asarray(values / (np.abs(values).max(initial=0.0) or 1.0))


def winnings_in(table: ArrayLike) -> Floats:
    """Return what the row wins from the column, (N, N), exactly antisymmetric, where what is equal to zero is zero.

    Of chances and percent these are wins less losses, from -1 to 1; `read_results` says which tables are taken.
    """
    return read_results(table)[0]


def read_results(table: ArrayLike) -> tuple[Floats, float]:
    """Return what the row wins from the column, (N, N), and what two cells that mirror each other add up to.

    Parameters
    ----------
    table : array_like, shape (N, N)
        Winnings, where such cells add up to 0, chances to win (1) or percent (100), which may be rounded to two or more
        decimals of a chance. The diagonal, on which a player meets itself, may be missing (NaN or masked), zero, or of
        chances and percent a half or the whole.

    Raises
    ------
    SettingError
        If the table is none of these, or a cell off the diagonal is missing.
    ShapeError
        If it is not square, or has fewer than two rows.
    """
    given = read_square(table, "table of results")
    own = np.diag(given).copy()
    np.fill_diagonal(given, 0.0)
    total = next((total for total in TOTALS if adds_up(given, total)), None)
    if total is None:
        raise SettingError(
            "the table is neither antisymmetric, what the row wins from the column, nor one of chances to win that"
            " sum to one, or to 100 percent, with those that mirror them. Subtract its transpose and halve it, if seats"
            " differ."
        )
    largest = total or float(np.abs(given).max())
    known = own[~np.isnan(own)]
    allowed = np.array([0.0, total / 2.0, total])
    if strange := known[(np.abs(known[:, None] - allowed) > EQUAL * largest).all(axis=1)].tolist():
        raise SettingError(
            f"the table has {strange[0]:g} on its diagonal, where a player meets itself. Give NaN or"
            f" {' or '.join(f'{value:g}' for value in sorted({*allowed.tolist()}))}."
        )
    won = (given - given.T) / (total or 2.0)
    return drop_rounding(won, 1.0 if total else None), total


def adds_up(given: Floats, total: float) -> bool:
    """Return whether cells off the diagonal and those that mirror them add up to `total`, but for rounding."""
    sums = (given + given.T)[~np.eye(len(given), dtype=np.bool_)]
    if not total:
        return bool(np.abs(sums).max() <= EQUAL * np.abs(given).max())
    chances, off = given / total, np.abs(sums / total - 1.0).max()
    if chances.min() < -EQUAL or chances.max() > 1.0 + EQUAL:
        return False
    rounded = (10.0**-n for n in DIGITS if np.abs(chances.round(n) - chances).max() <= EQUAL)
    return bool(off <= next(rounded, 0.0) + EQUAL)


def read_square(values: ArrayLike, name: str) -> Floats:
    """Return a square matrix whose numbers off the diagonal are finite; refuse anything else."""
    matrix = read_numbers(values, f"numbers of the {name}")
    if matrix.ndim != 2 or len(matrix) != matrix.shape[1] or len(matrix) < 2:
        raise ShapeError(f"the {name} has shape {matrix.shape}; give (N, N) with N at least 2.")
    missing = ~np.isfinite(matrix) & ~np.eye(len(matrix), dtype=np.bool_)
    if missing.any() or np.isinf(np.diag(matrix)).any():
        row, column = np.argwhere(missing | np.isinf(matrix))[0]
        raise SettingError(
            f"the {name} has {matrix[row, column]} in row {row}, column {column}: the cell is missing or not finite."
            " All pairs must have met; only the diagonal may be missing."
        )
    return matrix
