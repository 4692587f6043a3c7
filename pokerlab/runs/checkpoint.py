"""Checkpoints, which store the state of a solver in a file, as arrays and numbers.

A state is a tree of dataclasses and tuples. Its *leaves* are the arrays and numbers at the ends, named by the way to
them, such as 'part.name'. When a checkpoint is loaded, its leaves are compared with those of the solver's first state,
so that the state is one from which this solver can continue.
"""

import dataclasses
import math
import warnings
from collections.abc import Mapping, Sequence
from pathlib import Path
from typing import Any, NamedTuple
from weakref import WeakKeyDictionary

import numpy as np

from pokerlab.core import CheckpointError, FileFormatError, PokerlabError, SettingError
from pokerlab.core.arrays import Floats, freeze
from pokerlab.core.errors import quote_value
from pokerlab.core.old_names import STATE_FIELDS, rename_keys
from pokerlab.core.saved_files import SavedFile, check_identity
from pokerlab.runs.history import list_parameters

FORMAT = "pokerlab checkpoint 2"
STATE = "state."  # the prefix of the names of a state's arrays in the file
FIRST_STATES: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()
"""The first state of each solver, which is made only once. All other states must have the same parts."""
# The types of values that a state may have besides arrays.
NUMBERS = (bool, int, float, str, type(None))
BOUND_TO = ("game", "encoding")  # parts of a state that are not saved, because the solver has them
MOST_ITERATIONS = 2**53
"""The largest iteration, since larger integers cannot be distinguished as floats in a history."""
ROUNDING = 1e-9
"""The largest rounding error by which a probability may be outside of [0, 1]."""


class Checkpoint(NamedTuple):
    """The contents of a checkpoint.

    Attributes
    ----------
    state : Any
        The state of the solver.
    rows : array
        The rows that were recorded before the checkpoint was saved, with a column for each measurement.
    seconds : float
        The computing time of the solver before the checkpoint was saved.
    disturbances : list of (int, str)
        The iteration of each change from outside, and what it was in words.
    """

    state: Any
    rows: Floats
    seconds: float
    disturbances: list[tuple[int, str]]


def identify_solver(solver: Any) -> dict[str, Any]:
    """Return the solver's name, game and parameters, which must be the same when a run continues from a checkpoint."""
    return {
        "solver": type(solver).__name__,
        "game": solver.game.name,
        "fingerprint": solver.game.fingerprint,
        "parameters": list_parameters(solver),
    }


def save_checkpoint(
    path: str | Path,
    solver: Any,
    state: Any,
    names: tuple[str, ...] = (),
    rows: Any = (),
    seconds: float = 0.0,
    disturbances: Sequence[tuple[int, str]] = (),
) -> Path:
    """Write the state of a solver, the recorded rows and the computing time to a file, and return its path.

    Parameters
    ----------
    path : str or Path
        The file, which is written completely or not at all.
    solver : Solver
        The solver that made the state.
    state : Any
        The state.
    names : tuple of str
        The names of the columns of `rows`.
    rows : array_like
        The rows recorded so far.
    seconds : float
        The computing time of the solver.
    disturbances : sequence of (int, str)
        The iteration of each change from outside, and what it was in words.
    """
    leaves = collect_leaves(state)
    table = np.array(rows, np.float64).reshape(len(rows), len(names))
    checked_state(solver, leaves, names, table)
    arrays = {STATE + k: v for k, v in leaves.items() if isinstance(v, np.ndarray)}
    about = {
        "format": FORMAT,
        "identity": identify_solver(solver),
        "numbers": {k: v for k, v in leaves.items() if not isinstance(v, np.ndarray)},
        "names": list(names),
        "seconds": float(seconds),
        "disturbances": [list(each) for each in disturbances],
    }
    return SavedFile(about, {**arrays, "rows": table}).save(path)


def load_checkpoint(path: str | Path, solver: Any, names: tuple[str, ...] = ()) -> Checkpoint:
    """Return a checkpoint that `save_checkpoint` wrote.

    Raises
    ------
    CheckpointError
        If the file is damaged, if it belongs to another solver, game or setting, or if it recorded other columns than
        `names`.
    """
    try:
        kept = SavedFile.load(path, FORMAT, identity=dict, names=list, numbers=dict, seconds=float)
    except FileFormatError as error:
        raise CheckpointError(str(error)) from error
    about = kept.about
    leaves = kept.select_arrays(STATE)
    check_identity(path, about["identity"], identify_solver(solver))
    if about["names"] != list(names):
        raise CheckpointError(
            f"{path} recorded {about['names']}; this run records {list(names)}."
            " Record the same columns, or delete the file to begin again."
        )
    leaves = rename_leaves(leaves | about["numbers"], collect_leaves(make_first_state(solver)))
    fill_missing_leaves(path, leaves, solver)
    try:
        state, rows = checked_state(solver, leaves, names, kept.arrays.get("rows"))
        if not 0.0 <= about["seconds"] < math.inf:
            raise CheckpointError(f"it took {about['seconds']} seconds.")
    except PokerlabError as error:
        raise CheckpointError(
            f"{path} does not fit this run: {error} Delete it to begin again."
        ) from None
    return Checkpoint(state, rows, about["seconds"], checked_disturbances(path, about))


def checked_disturbances(path: str | Path, about: Mapping[str, Any]) -> list[tuple[int, str]]:
    """Return the disturbances in a checkpoint, of which files of earlier versions have none."""
    given = about.get("disturbances", [])
    try:
        found = [(iteration, words) for iteration, words in given]
    except (TypeError, ValueError):
        found = [(given, "")]
    if not all(type(t) is int and t >= 0 and isinstance(words, str) for t, words in found):
        raise CheckpointError(
            f"{path} names the disturbances {quote_value(given)}; they must be pairs of an iteration and a text. Delete"
            " the file to begin again."
        )
    return found


def checked_state(
    solver: Any, leaves: dict[str, Any], names: tuple[str, ...], rows: Any
) -> tuple[Any, Floats]:
    """Return the state with the given arrays and numbers, and the recorded rows, after checking both.

    Raises
    ------
    CheckpointError
        If they cannot be those of a run of the solver.
    """
    first_state = make_first_state(solver)
    check_leaves(
        leaves, collect_leaves(first_state), growing_prefixes=getattr(first_state, "GROWS", ())
    )
    freeze(*leaves.values())
    state = replace_leaves(first_state, leaves)
    return state, checked_rows(rows, names, getattr(state, "iteration", math.inf))


def make_first_state(solver: Any) -> Any:
    """Return the first state of a solver, which is made only once. Its other states have the same parts."""
    if solver not in FIRST_STATES:
        FIRST_STATES[solver] = solver.init()
    return FIRST_STATES[solver]


def fill_missing_leaves(path: str | Path, leaves: dict[str, Any], solver: Any) -> None:
    """Add the leaves that a file of an earlier version lacks, and warn about them.

    The attribute `REPLACED` of a state says which other array takes the place of a missing one.
    """
    replaced = find_replaced_leaves(make_first_state(solver))
    missing = {new: old for new, old in replaced.items() if new not in leaves and old in leaves}
    if missing:
        leaves |= {new: leaves[old] for new, old in missing.items()}
        warnings.warn(
            f"{path} was written by an earlier version of pokerlab. Until the next iteration"
            f" {', '.join(missing.values())} is taken for {', '.join(missing)}. In discrete time the rows that it"
            " recorded of current profiles are one iteration later than those that follow. Delete it to begin again.",
            stacklevel=4,
        )


def rename_leaves(leaves: Mapping[str, Any], first_leaves: Mapping[str, Any]) -> dict[str, Any]:
    """Return the leaves of a file by their present names, which are those of the leaves of the solver's first state.

    Where an earlier version had a single array, there may now be several, of which it is the first.
    """
    present_names = {}
    for name in leaves:
        new = ".".join(STATE_FIELDS.get(part, part) for part in name.split("."))
        present_names[name] = new if new in first_leaves else f"{new}.0"
    return rename_keys(leaves, first_leaves, present_names)


def find_replaced_leaves(state: Any, prefix: str = "") -> dict[str, str]:
    """Return, for each leaf of a state that older files lack, the name of the leaf that replaces it."""
    own = getattr(state, "REPLACED", {})
    replaced = {prefix + new: prefix + old for new, old in own.items()}
    for name, part in (list_parts(state) or {}).items():
        replaced |= find_replaced_leaves(part, f"{prefix}{name}.")
    return replaced


def checked_rows(rows: Any, names: tuple[str, ...], iteration: float) -> Floats:
    """Return recorded rows, or raise a CheckpointError unless their iterations increase and are at most `iteration`."""
    if rows is None:
        raise CheckpointError("there are no rows.")
    if rows.dtype != np.float64 or rows.ndim != 2 or rows.shape[1] != len(names):
        raise CheckpointError(
            f"the rows are {rows.dtype} of shape {rows.shape}; they must be float64, {len(names)} to a row."
        )
    if "iteration" in names:
        when = rows[:, names.index("iteration")]
        whole = np.isfinite(when) & (when == np.floor(when))
        if not whole.all() or (np.diff(when, prepend=-1.0) <= 0).any() or (when > iteration).any():
            raise CheckpointError(
                f"the rows were recorded at iterations {when.tolist()}; they must rise from 0 at"
                f" the earliest to {iteration} at the latest."
            )
    return np.asarray(rows, dtype=np.float64)


def list_parts(state: Any) -> dict[str, Any] | None:
    """Return the parts of a dataclass, named tuple or tuple by name, or None for any other object.

    Parts whose names are in `BOUND_TO` are left out.
    """
    if dataclasses.is_dataclass(state):
        names = [field.name for field in dataclasses.fields(state)]
    elif hasattr(state, "_fields"):
        names = list(state._fields)
    elif isinstance(state, tuple):
        return {str(index): part for index, part in enumerate(state)}
    else:
        return None
    return {name: getattr(state, name) for name in names if name not in BOUND_TO}


def collect_leaves(state: Any, prefix: str = "") -> dict[str, Any]:
    """Return the leaves of a state by name; a leaf in a nested part is named 'part.name'.

    Parameters
    ----------
    state : Any
        A dataclass, a named tuple or a tuple, whose parts are arrays, numbers or further states. Any other object has
        no leaves.
    prefix : str
        What the names begin with, such as 'part.' for the leaves of a nested part.

    Raises
    ------
    SettingError
        If a part is neither an array, nor a number, nor a state.
    """
    leaves: dict[str, Any] = {}
    for name, value in (list_parts(state) or {}).items():
        if isinstance(value, np.generic):
            value = value.item()
        if list_parts(value) is not None:
            leaves |= collect_leaves(value, f"{prefix}{name}.")
        elif isinstance(value, (np.ndarray, *NUMBERS)):
            leaves[prefix + name] = value
        else:
            raise SettingError(
                f"a {type(state).__name__} holds a {type(value).__name__} as '{name}', which no"
                " checkpoint can keep; hold arrays and numbers, or run without a checkpoint."
            )
    return leaves


def replace_leaves(state: Any, leaves: Mapping[str, Any], prefix: str = "") -> Any:
    """Return a copy of a state with other leaves.

    Parameters
    ----------
    state : Any
        The state to copy.
    leaves : mapping of str to array or number
        A new value for each leaf, by the names that `collect_leaves` gives.
    prefix : str
        What the names of this state's leaves begin with.
    """
    changes = {}
    for name, value in (list_parts(state) or {}).items():
        if list_parts(value) is None:
            changes[name] = leaves[prefix + name]
        else:
            changes[name] = replace_leaves(value, leaves, f"{prefix}{name}.")

    if dataclasses.is_dataclass(state) and not isinstance(state, type):
        return dataclasses.replace(state, **changes)
    if hasattr(state, "_replace"):
        return state._replace(**changes)
    return tuple(changes.values())


def check_leaves(
    leaves: Mapping[str, Any],
    first_leaves: Mapping[str, Any],
    *,
    growing_prefixes: tuple[str, ...] = (),
) -> None:
    """Raise a CheckpointError if leaves have other names, types or shapes than those of the solver's first state.

    Parameters
    ----------
    leaves : mapping of str to array or number
        The leaves to check.
    first_leaves : mapping of str to array or number
        The leaves of the solver's first state.
    growing_prefixes : tuple of str
        An array whose name begins with one of these prefixes may be larger than that of the first state. The state
        itself checks whether its arrays fit together.
    """
    missing = sorted(first_leaves.keys() - leaves.keys())
    if missing:
        raise CheckpointError(f"the state lacks {missing}.")
    unknown = sorted(leaves.keys() - first_leaves.keys())
    if unknown:
        raise CheckpointError(f"the state has {unknown}, which no state of this solver has.")

    for name, value in leaves.items():
        first = first_leaves[name]
        if isinstance(first, np.ndarray):
            check_array(name, value, first, can_grow=name.startswith(growing_prefixes))
        else:
            check_number(name, value, first)


def check_array(name: str, value: Any, first: np.ndarray[Any, Any], *, can_grow: bool) -> None:
    """Raise a CheckpointError if a leaf cannot take the place of an array of the first state.

    It must be an array of the same type and shape, or of a larger shape if `can_grow`. All numbers must be finite, and
    those of an array whose name ends with 'behavior' must be probabilities.
    """
    if not isinstance(value, np.ndarray):
        raise CheckpointError(f"'{name}' is {value!r}; it must be an array.")
    fits = value.shape == first.shape
    if can_grow and value.ndim == first.ndim:
        fits = bool(np.all(np.greater_equal(value.shape, first.shape)))
    if value.dtype != first.dtype or not fits:
        raise CheckpointError(
            f"'{name}' is {value.dtype} of shape {value.shape}; it must be {first.dtype} of shape"
            f" {first.shape}{' or larger' if can_grow else ''}."
        )
    if not np.isfinite(value).all():
        raise CheckpointError(f"'{name}' holds numbers that are not finite.")
    if name.endswith("behavior") and (np.abs(value - 0.5) > 0.5 + ROUNDING).any():
        raise CheckpointError(f"'{name}' holds probabilities outside [0, 1].")


def check_number(name: str, value: Any, first: Any) -> None:
    """Raise a CheckpointError if a leaf cannot take the place of a number of the first state.

    It must have the same type and be finite. A leaf that is called 'iteration', in whatever part, must be from 0 to
    `MOST_ITERATIONS`.
    """
    if type(value) is not type(first):
        given = repr(value) if isinstance(value, NUMBERS) else "an array"
        raise CheckpointError(f"'{name}' is {given}; it must be of type {type(first).__name__}.")
    if isinstance(value, float) and not math.isfinite(value):
        raise CheckpointError(f"'{name}' is {value}; it must be finite.")
    part_name = name.split(".")[-1]
    if part_name == "iteration" and not 0 <= value <= MOST_ITERATIONS:
        raise CheckpointError(f"'{name}' is {value}; it must be 0 to {MOST_ITERATIONS}.")
