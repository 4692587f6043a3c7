"""The types of arrays that the whole package uses, and functions that check arrays and make them read-only."""

from numbers import Real
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokerlab.core.errors import PokerlabError, SettingError

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Bools: TypeAlias = NDArray[np.bool_]
NUMBER_KINDS = "biuf"
"""The `kind` codes of the NumPy types of real numbers: booleans, signed and unsigned integers, and floats."""
CONVERTIBLE_KINDS = f"{NUMBER_KINDS}OUS"
"""The `kind` codes of the NumPy types that can contain real numbers: numbers, objects and text."""


def freeze(*values: object) -> None:
    """Make NumPy arrays read-only, in place.

    Parameters
    ----------
    *values : object
        The arrays. Values of other types are ignored, so all fields of an object can be passed.
    """
    for value in values:
        if isinstance(value, np.ndarray):
            value.setflags(write=False)


def view_read_only(array: NDArray[Any]) -> NDArray[Any]:
    """Return a read-only view of an array, which shares the memory of the array.

    Numba compiles a function separately for writable arrays and for read-only arrays. A compiled function that always
    gets read-only views is compiled only once.

    Parameters
    ----------
    array : ndarray
        The array, which itself stays writable.

    Returns
    -------
    ndarray
        The view.
    """
    view = array.view()
    view.setflags(write=False)
    return view


def fill_masked_with_nan(numbers: ArrayLike) -> Any:
    """Return values in which each masked cell of a NumPy masked array is replaced by NaN.

    Without this step, a conversion to an ordinary array would silently use the number under the mask.

    Parameters
    ----------
    numbers : array_like
        The values: a masked array, a list or tuple that has masked arrays as its rows, or anything else.

    Returns
    -------
    array_like
        An array of Python objects if there was a masked array, so that integers can be next to NaN. Otherwise the given
        values.
    """
    has_masked_rows = isinstance(numbers, list | tuple) and any(
        np.ma.isMaskedArray(row) for row in numbers
    )
    if has_masked_rows:
        numbers = np.ma.array(numbers)
    if isinstance(numbers, np.ma.MaskedArray):
        return np.ma.filled(numbers.astype(object), np.nan)
    return numbers


def is_scalar_number(value: object) -> bool:
    """Return whether a value, such as the result of a user's function, is a single real number.

    True and False count as numbers. So does a zero-dimensional array of one number.
    """
    if isinstance(value, np.ndarray):
        return value.ndim == 0 and value.dtype.kind in NUMBER_KINDS
    return isinstance(value, Real | np.bool_)


def validate_numbers(
    numbers: ArrayLike, name: str, error: type[PokerlabError] = SettingError
) -> Floats:
    """Return values as a new array of floats, or raise an error if they are not real numbers.

    None and the masked cells of masked arrays become NaN.

    Parameters
    ----------
    numbers : array_like
        The values: numbers, or text that NumPy can convert to numbers.
    name : str
        What the error message calls the values, in the plural, such as 'shares'.
    error : type
        The class of the exception that is raised.

    Returns
    -------
    array of float
        The numbers, in the shape of the values.

    Raises
    ------
    PokerlabError
        If the values are not real numbers, or if their rows differ in length. The exception has the type `error`.
    """
    try:
        array = np.asarray(fill_masked_with_nan(numbers))
        if array.dtype.kind not in CONVERTIBLE_KINDS:
            # For example complex numbers, whose imaginary parts NumPy would drop.
            raise TypeError(f"they are {array.dtype}")
        return np.array(array, dtype=np.float64)
    except (TypeError, ValueError, OverflowError) as reason:
        # Without `from None` a user would also see the traceback of the conversion.
        raise error(
            f"{name} are not an array of real numbers ({reason}). Give numbers, in rows of equal length."
        ) from None
