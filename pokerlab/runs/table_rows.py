"""Rows of a table of results: what a sweep measures with one combination of settings.

A sweep is the call of a measuring function with many combinations of settings.
"""

from collections.abc import Mapping
from typing import Any, NamedTuple, TypeAlias

import numpy as np

from pokerlab.core import SettingError
from pokerlab.core.errors import quote_value

RESERVED = ("about", "file")  # names that no column can have: they are a file's own
LARGEST_INTEGER = 2**63 - 1  # the largest integer that an array of integers can contain
Row: TypeAlias = dict[str, bool | int | float | str]
"""A row of a table: a value for the name of each column."""


class Outcome(NamedTuple):
    """What was measured with one combination of settings.

    Attributes
    ----------
    rows : list of Row
        The measured values, at least one row. All rows have the same names.
    seconds : float
        The time that the measurement took.
    """

    rows: list[Row]
    seconds: float


class Failure(NamedTuple):
    """The reason why a combination of settings could not be measured.

    Attributes
    ----------
    error : str
        The type and the message of the error.
    traceback : str
        The traceback of the error as text; empty if there is none.
    """

    error: str
    traceback: str


def validate_row(mapping: Mapping[Any, Any]) -> Row:
    """Return values by name as a row of a table of results, after checking that a table can contain them.

    Parameters
    ----------
    mapping : mapping of str to bool, int, float or str
        The values by name. An integer must fit into 64 bits.

    Returns
    -------
    dict of str to bool, int, float or str
        The row, in which numbers of NumPy's types are converted to those of Python.

    Raises
    ------
    SettingError
        If `mapping` is not a mapping, if a value is of another type or too large, or if a name is not a text or is one
        of the reserved names 'about' and 'file'.
    """
    if not isinstance(mapping, Mapping):
        raise SettingError(
            f"{quote_value(mapping)} is not a row; give a dictionary of names and values."
        )

    row: Row = {}
    for name, value in mapping.items():
        if isinstance(value, np.generic | np.ndarray) and np.ndim(value) == 0:
            value = value.item()
        is_scalar = isinstance(value, bool | int | float | str)
        is_too_large = isinstance(value, int) and abs(value) > LARGEST_INTEGER
        if not is_scalar or is_too_large:
            raise SettingError(
                f"'{name}' is {quote_value(value)}; a table holds numbers and texts."
            )
        if not isinstance(name, str) or name in RESERVED:
            raise SettingError(
                f"a value is called {quote_value(name)}; give it another name, a text."
            )
        row[name] = value

    return row


def validate_table_rows(measured: Any) -> list[Row]:
    """Return the result of a measuring function as a list of rows of a table, after checking it.

    Parameters
    ----------
    measured : mapping, or list or tuple of mappings
        One row or several rows, each with values by name.

    Returns
    -------
    list of dict
        The rows, at least one.

    Raises
    ------
    SettingError
        If the result is something else, if there is no row, or if a table cannot contain a row.
    """
    rows = [measured] if isinstance(measured, Mapping) else measured
    if not isinstance(rows, list | tuple) or not rows:
        raise SettingError(
            f"{quote_value(measured)} was measured; return a dictionary, or a list of them."
        )
    return [validate_row(row) for row in rows]


def describe_columns(row: Row) -> str:
    """Return a text that lists the names in a row and the types of their values, such as "'seed' (a number)".

    Parameters
    ----------
    row : dict of str to bool, int, float or str
        A row of a table of results. Its values are not part of the text.
    """
    type_names = {bool: "True or False", str: "a text"}
    described_values = []
    for name, value in row.items():
        described_values.append(f"'{name}' ({type_names.get(type(value), 'a number')})")
    return ", ".join(described_values)
