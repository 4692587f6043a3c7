"""The types of arrays that the whole package uses, and functions that check arrays and make them read-only."""

from numbers import Real
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokerlab.core.errors import PokerlabError, SettingError

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Bools: TypeAlias = NDArray[np.bool_]
READABLE = "biufOUS"
"""The kinds of numpy's types that may hold real numbers, also as objects or text."""


def freeze(*values: object) -> None:
    """Make arrays read-only, in place; other values are left as they are."""
    for value in values:
        if isinstance(value, np.ndarray):
            value.setflags(write=False)


def view_read_only(array: NDArray[Any]) -> NDArray[Any]:
    """Return a read-only view of an array, so that a kernel is not compiled twice, for writable arrays as well."""
    view = array.view()
    view.setflags(write=False)
    return view


def fill_missing(values: ArrayLike) -> Any:
    """Return values with NaN in each masked cell, which a conversion to an array would unmask silently.

    Returns
    -------
    array_like
        The values as they are if none is masked, otherwise an array of objects.
    """
    if isinstance(values, list | tuple) and any(np.ma.isMaskedArray(row) for row in values):
        values = np.ma.array(values)
    if isinstance(values, np.ma.MaskedArray):
        return np.ma.filled(values.astype(object), np.nan)
    return values


def is_one_number(answer: object) -> bool:
    """Return whether the answer of a user's function is a real number, or an array of no dimensions with one."""
    if isinstance(answer, np.ndarray):
        return answer.ndim == 0 and answer.dtype.kind in "biuf"
    return isinstance(answer, Real | np.bool_)


def checked_numbers(
    values: ArrayLike, name: str, error: type[PokerlabError] = SettingError
) -> Floats:
    """Return values as a new array of floats, or raise; None and masked cells become NaN.

    Parameters
    ----------
    values : array_like
        Numbers, or text that numpy reads as numbers.
    name : str
        Their name in the error, in the plural: 'shares'.
    error : type
        The type of the error that is raised if they are not an array of real numbers.
    """
    try:
        given = np.asarray(fill_missing(values))
        if given.dtype.kind not in READABLE:
            raise TypeError(f"they are {given.dtype}")
        return np.array(given, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as reason:
        raise error(
            f"{name} are not an array of real numbers ({reason}). Give numbers, in rows of equal length."
        ) from None
