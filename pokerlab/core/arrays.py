"""The types of arrays that the whole package shares, how arrays are read, and how they become read-only."""

from numbers import Real
from typing import Any, TypeAlias

import numpy as np
from numpy.typing import ArrayLike, NDArray

from pokerlab.core.errors import PokerlabError, SettingError

Floats: TypeAlias = NDArray[np.float64]
Ints: TypeAlias = NDArray[np.int64]
Bools: TypeAlias = NDArray[np.bool_]
READABLE = "biufOUS"
"""Kinds of numpy's types that may hold numbers, also as objects or text; complex numbers and dates do not."""


def freeze(*values: object) -> None:
    """Make arrays read-only, in place; what is no array is left as it is."""
    for value in values:
        if isinstance(value, np.ndarray):
            value.setflags(write=False)


def read_only(array: NDArray[Any]) -> NDArray[Any]:
    """Return a read-only view of an array, so that a kernel is not compiled for arrays of both kinds."""
    view = array.view()
    view.setflags(write=False)
    return view


def fill_missing(values: ArrayLike) -> Any:
    """Return `values` with NaN in place of each masked cell, which conversions would otherwise unmask silently."""
    if isinstance(values, list | tuple) and any(np.ma.isMaskedArray(row) for row in values):
        values = np.ma.array(values)
    if isinstance(values, np.ma.MaskedArray):
        return np.ma.filled(values.astype(object), np.nan)
    return values


def is_one_number(answer: object) -> bool:
    """Return whether a user's function answered with a real number, or an array of no dimensions; '3' is a text."""
    if isinstance(answer, np.ndarray):
        return answer.ndim == 0 and answer.dtype.kind in "biuf"
    return isinstance(answer, Real | np.bool_)


def read_numbers(values: ArrayLike, name: str, error: type[PokerlabError] = SettingError) -> Floats:
    """Return a new array of floats; what is missing, None or masked, is NaN.

    Parameters
    ----------
    values : array_like
        Numbers, or text that numpy reads as numbers.
    name : str
        What the error calls them, in the plural: 'shares'.
    error : type
        Of the error that is raised if they are no array of real numbers.
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
