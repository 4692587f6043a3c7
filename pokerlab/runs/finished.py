"""What is measured at one setting of a sweep, the small file that keeps it, and how it is known again."""

import hashlib
import json
import time
import traceback
import warnings
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import partial
from inspect import unwrap
from pathlib import Path
from types import FunctionType, MethodType, ModuleType
from typing import Any, NamedTuple, TypeAlias

import numpy as np
from threadpoolctl import threadpool_limits

import pokerlab
from pokerlab.core import CheckpointError, PokerlabError, SettingError, number
from pokerlab.core.errors import in_short
from pokerlab.core.files import UNFINISHED
from pokerlab.core.function_identity import code_text, name_of, referred
from pokerlab.core.kept import Kept
from pokerlab.runs.origin import plain, plain_values

FORMAT = "pokerlab sweep 2"
RESERVED = ("about", "file")  # names that no column can have: they are a file's own
LARGEST_WHOLE = 2**63 - 1  # of what an array of integers can hold
Row: TypeAlias = dict[str, bool | int | float | str]


class Outcome(NamedTuple):
    """What was measured at one setting: rows of the same names, and the seconds that it took."""

    rows: list[Row]
    seconds: float


class Failure(NamedTuple):
    """Why something could not be measured: the error, and where it happened."""

    error: str
    where: str


def row_of(values: Mapping[Any, Any]) -> Row:
    """Return names and values as a table can hold them."""
    if not isinstance(values, Mapping):
        raise SettingError(
            f"{in_short(values)} is not a row; give a dictionary of names and values."
        )
    row: Row = {}
    for name, value in values.items():
        if isinstance(value, np.generic | np.ndarray) and np.ndim(value) == 0:
            value = value.item()
        if not isinstance(value, bool | int | float | str) or (
            isinstance(value, int) and abs(value) > LARGEST_WHOLE
        ):
            raise SettingError(f"'{name}' is {in_short(value)}; a table holds numbers and texts.")
        if not isinstance(name, str) or name in RESERVED:
            raise SettingError(f"a value is called {in_short(name)}; give it another name, a text.")
        row[name] = value
    return row


def rows_of(found: Any) -> list[Row]:
    """Return what was found as rows of a table, at least one."""
    several = [found] if isinstance(found, Mapping) else found
    if not isinstance(several, list | tuple) or not several:
        raise SettingError(
            f"{in_short(found)} was measured; return a dictionary, or a list of them."
        )
    return [row_of(row) for row in several]


def kinds(row: Row) -> str:
    """Return the names in a row and the kinds of their values, in words."""
    words = {bool: "True or False", str: "a text"}
    return ", ".join(f"'{name}' ({words.get(type(v), 'a number')})" for name, v in row.items())


def measured(measure: Callable[[Any], Any], given: Any) -> Outcome | Failure:
    """Return what `measure` finds, or why it fails; this runs where the workers are."""
    threadpool_limits(1, "blas")
    begin = time.perf_counter()
    try:
        rows = rows_of(measure(given))
    except Exception as error:
        where = "".join(traceback.format_exception(error))
        return Failure(f"{type(error).__name__}: {error}", where)
    return Outcome(rows, time.perf_counter() - begin)


class Finished:
    """The folder of what a sweep has finished; files of other settings may lie in it.

    What is measured is known by its name, its code, that of the functions of its module which it calls, and the
    values that it refers to; the rest of pokerlab by its version.
    """

    def __init__(self, folder: Path, measure: Any) -> None:
        self.folder = folder
        try:
            text = json.dumps(
                described(measure, function_of(measure).__module__, []), sort_keys=True
            )
        except TypeError as error:
            raise SettingError(
                f"{measure_name(measure)} uses {error}, which no file can name: the folder could hold"
                " what another one has found. Make it from the settings, or give no folder."
            ) from None
        self.identity = {
            "measure": measure_name(measure),
            "fingerprint": hashlib.sha256(text.encode()).hexdigest(),
            "pokerlab": pokerlab.__version__,
        }

    def remove_unfinished(self) -> None:
        """Remove what a killed process was writing; for whoever alone uses the folder."""
        for left in self.folder.glob(f".*.npz.*{UNFINISHED}"):
            left.unlink(missing_ok=True)

    def path(self, given: Any) -> Path:
        """Return the file of one setting."""
        text = json.dumps(plain_values({"setting": given}), sort_keys=True)
        return self.folder / f"{hashlib.sha256(text.encode()).hexdigest()[:24]}.npz"

    def about(self, given: Any) -> dict[str, Any]:
        """Return what must agree for a file to be that of this setting."""
        return {"format": FORMAT, **self.identity, **plain_values({"setting": given})}

    def read(self, given: Any) -> Outcome | None:
        """Return what was measured at a setting; None if nothing was, or its file is damaged."""
        path = self.path(given)
        if not path.exists():
            return None
        try:
            about = Kept.load(path, FORMAT, self.about(given), rows=list).about
            return Outcome(rows_of(about["rows"]), number("seconds", about.get("seconds"), 0.0))
        except CheckpointError:
            raise
        except PokerlabError as error:
            warnings.warn(f"{path} is damaged ({error}); it is made again.", stacklevel=4)
            return None

    def write(self, given: Any, measured: Outcome) -> None:
        """Keep what was measured at a setting."""
        Kept(self.about(given) | measured._asdict(), {}).save(self.path(given))


def measure_name(measure: Any) -> str:
    """Return where the function stands that measures."""
    return name_of(function_of(measure))


def function_of(measure: Any) -> Any:
    """Return the function below partial ones, methods and wrappers; of other objects their class."""
    if isinstance(measure, partial):
        return function_of(measure.func)
    if isinstance(measure, MethodType):
        return function_of(measure.__func__)
    return unwrap(measure) if hasattr(measure, "__qualname__") else type(measure)


def described(value: Any, home: str, seen: list[Any]) -> Any:
    """Return plain values that differ where a measure that refers to `value` may differ.

    `home` is the module whose functions are described with all that they use; `seen` are those that have been.
    """
    if isinstance(value, partial):
        parts = (value.func, value.args, value.keywords)
        return ["partial", *(described(part, home, seen) for part in parts)]
    if isinstance(value, MethodType):
        parts_of_method = (value.__func__, value.__self__)
        return ["method", *(described(part, home, seen) for part in parts_of_method)]
    value = getattr(value, "py_func", unwrap(value) if callable(value) else value)
    if hasattr(value, "__qualname__") or isinstance(value, ModuleType | np.ufunc):
        name = (
            f"{getattr(value, '__module__', '')} {getattr(value, '__qualname__', value.__name__)}"
        )
        local = isinstance(value, FunctionType) and (value.__module__ == home or "<" in name)
        if not local or value in seen:
            return name
        seen.append(value)
        uses = {
            used: described(part, home, seen)
            for used, part in referred(value)
            if "." not in used  # the rest of pokerlab is known by its version
        }
        return [code_text(value), described(value.__defaults__, home, seen), uses]
    if isinstance(value, Path):
        return str(value)
    if hasattr(value, "fingerprint") and hasattr(value, "name"):
        return [value.name, value.fingerprint]
    if isinstance(value, Mapping):
        return {str(name): described(part, home, seen) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [described(part, home, seen) for part in value]
    if is_dataclass(value):
        parts_of = {field.name: getattr(value, field.name) for field in fields(value)}
        return [type(value).__qualname__, described(parts_of, home, seen)]
    try:
        return plain(value)
    except TypeError:
        raise TypeError(f"a value of type {type(value).__name__}") from None
