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
"""The `kind` codes of the NumPy types that can contain real numbers: numbers, objects and text."""


def freeze(*values: object) -> None:
    """Make arrays read-only in place. Values that are not arrays are ignored."""
    for value in values:
        if isinstance(value, np.ndarray):
            value.setflags(write=False)


def view_read_only(array: NDArray[Any]) -> NDArray[Any]:
    """Return a read-only view of an array.

    Numba compiles a kernel separately for writable and for read-only arrays. If a kernel is always called with
    read-only views, it is compiled only once.
    """
    view = array.view()
    view.setflags(write=False)
    return view


def fill_masked_cells(values: ArrayLike) -> Any:
    """Return values in which each masked cell is replaced by NaN.

    Without this step, a conversion to an ordinary array would silently use the number under the mask.

    Returns
    -------
    array_like
        The given values if they contain no masked array, otherwise an array of objects.
    """
    if isinstance(values, list | tuple) and any(np.ma.isMaskedArray(row) for row in values):
        values = np.ma.array(values)
    if isinstance(values, np.ma.MaskedArray):
        return np.ma.filled(values.astype(object), np.nan)
    return values


def is_scalar_number(value: object) -> bool:
    """Return whether a value, such as the result of a user's function, is a single real number.

    True and False count as numbers, and so does a zero-dimensional array of one number.
    """
    if isinstance(value, np.ndarray):
        return value.ndim == 0 and value.dtype.kind in "biuf"
    return isinstance(value, Real | np.bool_)


def validate_numbers(
    values: ArrayLike, name: str, error: type[PokerlabError] = SettingError
) -> Floats:
    """Return values as a new array of floats, in which None and masked cells become NaN.

    Parameters
    ----------
    values : array_like
        The values: numbers, or text that NumPy can convert to numbers.
    name : str
        What the error message calls the values, in the plural, such as 'shares'.
    error : type
        The type of the error that is raised if the values are not real numbers, or their rows differ in length.

    Returns
    -------
    array of float
        The numbers, in the shape of the values.
    """
    try:
        array = np.asarray(fill_masked_cells(values))
        if array.dtype.kind not in READABLE:
            raise TypeError(f"they are {array.dtype}")
        return np.array(array, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as reason:
        raise error(
            f"{name} are not an array of real numbers ({reason}). Give numbers, in rows of equal length."
        ) from None
