"""Checkpoints, which store the state of a solver in a file, as arrays and numbers.

A state is a dataclass or tuple whose fields are arrays, numbers, or again dataclasses and tuples. All the arrays and
numbers in it are the *values* of the state. Their names contain the names of the fields that lead to them, such as
'part.name'. When a checkpoint is loaded, its values are compared with those of the solver's first state, so that the
state is one from which this solver can continue.
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
from pokerlab.core.saved_files import SavedFile, check_file_description
from pokerlab.runs.history import list_solver_parameters

FORMAT = "pokerlab checkpoint 2"
STATE = "state."  # the prefix of the names of a state's arrays in the file
FIRST_STATES: WeakKeyDictionary[Any, Any] = WeakKeyDictionary()
"""The first state of each solver, which is made only once. All other states must have the same fields."""
# The types of values that a state may have besides arrays.
NUMBERS = (bool, int, float, str, type(None))
BOUND_TO = ("game", "encoding")  # fields of a state that are not saved, because the solver has them
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


def describe_solver(solver: Any) -> dict[str, Any]:
    """Return the name, game and parameters of a solver, which must be the same when a run continues.

    Parameters
    ----------
    solver : Solver
        The solver.

    Returns
    -------
    dict of str to Any
        The name of the solver's class, the name and the fingerprint of its game, and its parameters, in a form that can
        be written to JSON.
    """
    return {
        "solver": type(solver).__name__,
        "game": solver.game.name,
        "fingerprint": solver.game.fingerprint,
        "parameters": list_solver_parameters(solver),
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
    """Write the state of a solver, the recorded rows and the computing time to a file.

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
        The rows recorded so far, with one number for each column.
    seconds : float
        The computing time of the solver.
    disturbances : sequence of (int, str)
        The iteration of each change of the state from outside, and a text that describes it.

    Returns
    -------
    Path
        The path of the file.

    Raises
    ------
    SettingError
        If a field of the state is neither an array, nor a number, nor a state.
    CheckpointError
        If the state or the rows could not be loaded again.
    StorageError
        If the file cannot be written.
    """
    state_values = collect_state_values(state)
    table = np.array(rows, np.float64).reshape(len(rows), len(names))
    # This raises an error if the file could not be loaded again.
    rebuild_state_and_rows(solver, state_values, names, table)

    arrays, numbers = {}, {}
    for name, value in state_values.items():
        if isinstance(value, np.ndarray):
            arrays[STATE + name] = value
        else:
            numbers[name] = value
    description = {
        "format": FORMAT,
        "identity": describe_solver(solver),
        "numbers": numbers,
        "names": list(names),
        "seconds": float(seconds),
        "disturbances": [list(disturbance) for disturbance in disturbances],
    }
    return SavedFile(description, {**arrays, "rows": table}).save(path)


def load_checkpoint(path: str | Path, solver: Any, names: tuple[str, ...] = ()) -> Checkpoint:
    """Return the state, the recorded rows and the computing time from a file that `save_checkpoint` wrote.

    Parameters
    ----------
    path : str or Path
        The file.
    solver : Solver
        The solver that will continue from the checkpoint.
    names : tuple of str
        The names of the columns that the run records.

    Returns
    -------
    Checkpoint
        The state, the recorded rows, the computing time in seconds, and the changes from outside. An array that
        a file of an earlier version lacks is replaced by another one, with a warning.

    Raises
    ------
    CheckpointError
        If the file is damaged, if it belongs to another solver, game or setting, or if it recorded other columns than
        `names`.
    """
    try:
        file = SavedFile.load(path, FORMAT, identity=dict, names=list, numbers=dict, seconds=float)
    except FileFormatError as error:
        raise CheckpointError(str(error)) from error
    description = file.about
    check_file_description(path, description["identity"], describe_solver(solver))
    if description["names"] != list(names):
        raise CheckpointError(
            f"{path} recorded {description['names']}; this run records {list(names)}."
            " Record the same columns, or delete the file to begin again."
        )

    # Files of earlier versions may have other names, and may lack some values.
    stored_values = file.select_arrays(STATE) | description["numbers"]
    first_values = collect_state_values(get_first_state(solver))
    state_values = rename_state_values(stored_values, first_values)
    add_missing_values(path, state_values, solver)
    try:
        state, rows = rebuild_state_and_rows(solver, state_values, names, file.arrays.get("rows"))
        if not 0.0 <= description["seconds"] < math.inf:
            raise CheckpointError(f"it took {description['seconds']} seconds.")
    except PokerlabError as error:
        raise CheckpointError(
            f"{path} does not fit this run: {error} Delete it to begin again."
        ) from None
    return Checkpoint(state, rows, description["seconds"], validate_disturbances(path, description))


def validate_disturbances(
    path: str | Path, description: Mapping[str, Any]
) -> list[tuple[int, str]]:
    """Return the disturbances of a run, which are changes of its state from outside, from the description in a file.

    Parameters
    ----------
    path : str or Path
        The file, for the error message.
    description : mapping of str to Any
        The description that the file has. In a file of an earlier version it has no entry 'disturbances'.

    Returns
    -------
    list of (int, str)
        The iteration of each disturbance, and a text that describes it.

    Raises
    ------
    CheckpointError
        If the entry is not a list of such pairs.
    """
    disturbances = description.get("disturbances", [])
    pairs: list[tuple[int, str]] = []
    try:
        pairs = [(iteration, text) for iteration, text in disturbances]
        are_valid = all(
            type(iteration) is int and iteration >= 0 and isinstance(text, str)
            for iteration, text in pairs
        )
    except (TypeError, ValueError):  # these are not pairs
        are_valid = False
    if not are_valid:
        raise CheckpointError(
            f"{path} names the disturbances {quote_value(disturbances)}; they must be pairs of an iteration and a text."
            " Delete the file to begin again."
        )

    return pairs


def rebuild_state_and_rows(
    solver: Any, state_values: dict[str, Any], column_names: tuple[str, ...], rows: Any
) -> tuple[Any, Floats]:
    """Return the state with given arrays and numbers, and the recorded rows, after checking both.

    Parameters
    ----------
    solver : Solver
        The solver that the state belongs to.
    state_values : dict of str to array or number
        The arrays and numbers of the state, by the names that `collect_state_values` gives. The arrays are made
        read-only.
    column_names : tuple of str
        The names of the columns of `rows`.
    rows : array or None
        The recorded rows; None if the file has none.

    Returns
    -------
    state : Any
        The state.
    rows : array of shape (recordings, columns)
        The recorded rows.

    Raises
    ------
    CheckpointError
        If a run of the solver cannot have such a state or such rows.
    """
    first_state = get_first_state(solver)
    growing_prefixes = getattr(first_state, "GROWS", ())
    check_state_values(
        state_values, collect_state_values(first_state), growing_prefixes=growing_prefixes
    )
    freeze(*state_values.values())
    state = replace_state_values(first_state, state_values)

    # A state without iterations does not limit the iterations in the rows.
    last_iteration = getattr(state, "iteration", math.inf)
    return state, validate_rows(rows, column_names, last_iteration)


def get_first_state(solver: Any) -> Any:
    """Return the state of a solver before its first iteration. It is remembered as long as the solver exists.

    Parameters
    ----------
    solver : Solver
        The solver, whose method `init` is called only the first time.

    Returns
    -------
    Any
        The state. Every call with the same solver returns the same object, so the caller must not change it.
    """
    if solver not in FIRST_STATES:
        FIRST_STATES[solver] = solver.init()
    return FIRST_STATES[solver]


def add_missing_values(path: str | Path, state_values: dict[str, Any], solver: Any) -> None:
    """Add, in place, the arrays of a state that a file of an earlier version lacks, and warn about them.

    A missing array becomes the same as another array of the state, which the attribute `REPLACED` of the state names.

    Parameters
    ----------
    path : str or Path
        The file, for the warning.
    state_values : dict of str to array or number
        The arrays and numbers that the file has, by name, to which the missing ones are added.
    solver : Solver
        The solver that will continue from the file.
    """
    substitutes = {
        name: substitute
        for name, substitute in find_substitutes_of_missing_arrays(get_first_state(solver)).items()
        if name not in state_values and substitute in state_values
    }
    if not substitutes:
        return

    for name, substitute in substitutes.items():
        state_values[name] = state_values[substitute]
    warnings.warn(
        f"{path} was written by an earlier version of pokerlab. Until the next iteration"
        f" {', '.join(substitutes.values())} is taken for {', '.join(substitutes)}. In discrete time the rows that it"
        " recorded of current profiles are one iteration later than those that follow. Delete it to begin again.",
        stacklevel=4,
    )


def rename_state_values(
    state_values: Mapping[str, Any], first_values: Mapping[str, Any]
) -> dict[str, Any]:
    """Return the arrays and numbers of a state by their present names, which may differ from the names in a file.

    Parameters
    ----------
    state_values : mapping of str to array or number
        The arrays and numbers in the file, by the names in the file, such as 'part.name'.
    first_values : mapping of str to array or number
        The arrays and numbers of the solver's first state, by the present names.

    Returns
    -------
    dict of str to array or number
        The arrays and numbers in the file, by the present names.
    """
    present_names = {}
    for name in state_values:
        present_name = ".".join(STATE_FIELDS.get(part, part) for part in name.split("."))
        if present_name not in first_values:
            # Instead of a single array, a state may now have a tuple of arrays, the first of which is this array.
            present_name = f"{present_name}.0"
        present_names[name] = present_name
    return rename_keys(state_values, first_values, present_names)


def find_substitutes_of_missing_arrays(state: Any, prefix: str = "") -> dict[str, str]:
    """Return the names of arrays that files of earlier versions lack, each with the name of the array to use instead.

    Parameters
    ----------
    state : Any
        The state. Its attribute `REPLACED`, if there is one, has these names, and so have the states inside it.
    prefix : str
        The beginning of the names of the state's arrays, such as 'part.' if it is inside another state.

    Returns
    -------
    dict of str to str
        For the name of each array that may be missing, the name of the array to use instead.
    """
    own_substitutes = getattr(state, "REPLACED", {})
    substitutes = {
        prefix + name: prefix + substitute for name, substitute in own_substitutes.items()
    }
    for name, part in (get_state_parts(state) or {}).items():
        substitutes |= find_substitutes_of_missing_arrays(part, f"{prefix}{name}.")
    return substitutes


def validate_rows(rows: Any, names: tuple[str, ...], iteration: float) -> Floats:
    """Return the recorded rows of a checkpoint, after checking them.

    Parameters
    ----------
    rows : array of shape (recordings, columns), or None
        The rows; None if the file has none.
    names : tuple of str
        The names of the columns.
    iteration : float
        The iteration of the state in the checkpoint, which is the last that can be recorded.

    Returns
    -------
    array of shape (recordings, columns)
        The rows.

    Raises
    ------
    CheckpointError
        If there are no rows, if they have another type or shape, or if the recorded iterations are not whole numbers
        from 0 to `iteration`, each larger than the one before.
    """
    if rows is None:
        raise CheckpointError("there are no rows.")
    if rows.dtype != np.float64 or rows.ndim != 2 or rows.shape[1] != len(names):
        raise CheckpointError(
            f"the rows are {rows.dtype} of shape {rows.shape}; they must be float64, {len(names)} to a row."
        )

    if "iteration" in names:
        recorded_iterations = rows[:, names.index("iteration")]
        are_whole = (
            np.isfinite(recorded_iterations)
            & (recorded_iterations == np.floor(recorded_iterations))
        ).all()
        # The first difference is to -1, so it is positive only if the first iteration is 0 or more.
        are_increasing = (np.diff(recorded_iterations, prepend=-1.0) > 0).all()
        if not are_whole or not are_increasing or (recorded_iterations > iteration).any():
            raise CheckpointError(
                f"the rows were recorded at iterations {recorded_iterations.tolist()}; they must rise from 0 at"
                f" the earliest to {iteration} at the latest."
            )

    return np.asarray(rows, dtype=np.float64)


def get_state_parts(state: Any) -> dict[str, Any] | None:
    """Return the fields of a dataclass, named tuple or tuple by name, or None for any other object.

    The items of a plain tuple are named '0', '1' and so on. Fields whose names are in `BOUND_TO` are left out.

    Parameters
    ----------
    state : Any
        The state of a solver, or a part of one.

    Returns
    -------
    dict of str to Any or None
        The values of the fields, in the order of the fields. They are not copied.
    """
    if dataclasses.is_dataclass(state):
        names = [field.name for field in dataclasses.fields(state)]
    elif hasattr(state, "_fields"):  # a named tuple
        names = list(state._fields)
    elif isinstance(state, tuple):
        return {str(index): part for index, part in enumerate(state)}
    else:
        return None
    return {name: getattr(state, name) for name in names if name not in BOUND_TO}


def collect_state_values(state: Any, prefix: str = "") -> dict[str, Any]:
    """Return all arrays and numbers in a state, including those in the states inside it, by name.

    Parameters
    ----------
    state : Any
        A dataclass, a named tuple or a tuple, whose fields are arrays, numbers or further states. Any other object has
        no values.
    prefix : str
        The beginning of all names, such as 'part.' for the values of a state in the field 'part'.

    Returns
    -------
    dict of str to array or number
        The values. A value in a state inside another has a name such as 'part.name'.

    Raises
    ------
    SettingError
        If a field is neither an array, nor a number, nor a state.
    """
    state_values: dict[str, Any] = {}
    for name, value in (get_state_parts(state) or {}).items():
        if isinstance(value, np.generic):
            value = value.item()
        if get_state_parts(value) is not None:
            state_values |= collect_state_values(value, f"{prefix}{name}.")
        elif isinstance(value, (np.ndarray, *NUMBERS)):
            state_values[prefix + name] = value
        else:
            raise SettingError(
                f"a {type(state).__name__} holds a {type(value).__name__} as '{name}', which no"
                " checkpoint can keep; hold arrays and numbers, or run without a checkpoint."
            )

    return state_values


def replace_state_values(state: Any, state_values: Mapping[str, Any], prefix: str = "") -> Any:
    """Return a copy of a state with other arrays and numbers.

    Parameters
    ----------
    state : Any
        The state to copy: a dataclass, a named tuple or a tuple.
    state_values : mapping of str to array or number
        The new arrays and numbers, by the names that `collect_state_values` gives.
    prefix : str
        The beginning of the names of this state's values, such as 'part.' if it is the field 'part' of another state.

    Returns
    -------
    Any
        A new object of the same type. States that are fields of this state are copied, too.
    """
    changes = {}
    for name, value in (get_state_parts(state) or {}).items():
        if get_state_parts(value) is None:
            changes[name] = state_values[prefix + name]
        else:
            changes[name] = replace_state_values(value, state_values, f"{prefix}{name}.")

    if dataclasses.is_dataclass(state) and not isinstance(state, type):
        return dataclasses.replace(state, **changes)
    if hasattr(state, "_replace"):  # a named tuple
        return state._replace(**changes)
    return tuple(changes.values())


def check_state_values(
    state_values: Mapping[str, Any],
    first_values: Mapping[str, Any],
    *,
    growing_prefixes: tuple[str, ...] = (),
) -> None:
    """Raise a CheckpointError if a solver cannot have a state with given arrays and numbers.

    They must have the same names, types and shapes as in the solver's first state.

    Parameters
    ----------
    state_values : mapping of str to array or number
        The arrays and numbers to check, by name.
    first_values : mapping of str to array or number
        The arrays and numbers of the solver's first state, by name.
    growing_prefixes : tuple of str
        An array whose name begins with one of these prefixes may be larger than in the first state. The state itself
        checks whether its arrays fit together.

    Raises
    ------
    CheckpointError
        If a value is missing, unknown or of another type, or has a shape or number that is not allowed.
    """
    missing_names = sorted(first_values.keys() - state_values.keys())
    if missing_names:
        raise CheckpointError(f"the state lacks {missing_names}.")
    unknown_names = sorted(state_values.keys() - first_values.keys())
    if unknown_names:
        raise CheckpointError(f"the state has {unknown_names}, which no state of this solver has.")

    for name, value in state_values.items():
        first_value = first_values[name]
        if isinstance(first_value, np.ndarray):
            check_state_array(name, value, first_value, can_grow=name.startswith(growing_prefixes))
        else:
            check_state_number(name, value, first_value)


def check_state_array(
    name: str, value: Any, first_array: np.ndarray[Any, Any], *, can_grow: bool
) -> None:
    """Raise a CheckpointError if a value in a checkpoint cannot be an array of a solver's state.

    Parameters
    ----------
    name : str
        The name of the array in the state. If it ends with 'behavior', the numbers must be probabilities.
    value : Any
        The value from the checkpoint, which must be an array of finite numbers.
    first_array : array
        The array of this name in the solver's first state, whose type and shape the value must have.
    can_grow : bool
        Whether `value` may have a larger shape than `first_array`.

    Raises
    ------
    CheckpointError
        If the value has another type, shape, or range of numbers.
    """
    if not isinstance(value, np.ndarray):
        raise CheckpointError(f"'{name}' is {value!r}; it must be an array.")

    has_allowed_shape = value.shape == first_array.shape
    if can_grow and value.ndim == first_array.ndim:
        has_allowed_shape = bool(np.all(np.greater_equal(value.shape, first_array.shape)))
    if value.dtype != first_array.dtype or not has_allowed_shape:
        raise CheckpointError(
            f"'{name}' is {value.dtype} of shape {value.shape}; it must be {first_array.dtype} of shape"
            f" {first_array.shape}{' or larger' if can_grow else ''}."
        )
    if not np.isfinite(value).all():
        raise CheckpointError(f"'{name}' holds numbers that are not finite.")

    # A probability is at most 1/2 away from 1/2.
    if name.endswith("behavior") and (np.abs(value - 0.5) > 0.5 + ROUNDING).any():
        raise CheckpointError(f"'{name}' holds probabilities outside [0, 1].")


def check_state_number(name: str, value: Any, first_number: Any) -> None:
    """Raise a CheckpointError if a value in a checkpoint cannot be a number of a solver's state.

    Parameters
    ----------
    name : str
        The name of the number, such as 'part.name'. If its last part is 'iteration', the number must be from 0 to
        `MOST_ITERATIONS`.
    value : Any
        The value from the checkpoint.
    first_number : bool, int, float, str or None
        The value of this name in the solver's first state, which has the same type.

    Raises
    ------
    CheckpointError
        If the value has another type, or is not finite, or is not in its range.
    """
    if type(value) is not type(first_number):
        value_text = repr(value) if isinstance(value, NUMBERS) else "an array"
        raise CheckpointError(
            f"'{name}' is {value_text}; it must be of type {type(first_number).__name__}."
        )
    if isinstance(value, float) and not math.isfinite(value):
        raise CheckpointError(f"'{name}' is {value}; it must be finite.")
    field_name = name.split(".")[-1]
    if field_name == "iteration" and not 0 <= value <= MOST_ITERATIONS:
        raise CheckpointError(f"'{name}' is {value}; it must be 0 to {MOST_ITERATIONS}.")
