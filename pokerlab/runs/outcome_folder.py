"""The folder in which a sweep saves what it has measured, and the identity of the measuring function.

An outcome in the folder is used again only if it was measured by the same function with the same settings.
"""

import hashlib
import json
import warnings
from collections.abc import Callable, Mapping
from dataclasses import fields, is_dataclass
from functools import partial
from inspect import unwrap
from pathlib import Path
from types import FunctionType, MethodType, ModuleType
from typing import Any

import numpy as np

import pokerlab
from pokerlab.core import CheckpointError, PokerlabError, SettingError, validate_number
from pokerlab.core.files import UNFINISHED
from pokerlab.core.function_identity import (
    describe_function_code,
    get_qualified_name,
    iterate_referenced_values,
)
from pokerlab.core.saved_files import SavedFile
from pokerlab.runs.history import convert_to_json_value, convert_to_json_values
from pokerlab.runs.table_rows import Outcome, validate_table_rows

FORMAT = "pokerlab sweep 2"


class OutcomeFolder:
    """The folder in which a sweep saves its outcomes. It may also contain outcomes of other sweeps.

    A measuring function is identified by its name, its code, the code of the functions of its module that it calls, and
    the values to which it refers. The rest of pokerlab is identified by its version. So an outcome is read only if it
    was measured in the same way.

    Parameters
    ----------
    folder : Path
        The folder.
    measure : callable
        The measuring function.

    Raises
    ------
    SettingError
        If the function refers to a value that cannot be described in a file.
    """

    def __init__(self, folder: Path, measure: Any) -> None:
        """Compute the identity of the measuring function, or raise a SettingError if it cannot be described."""
        self.folder = folder
        home_module = unwrap_function(measure).__module__
        try:
            text = json.dumps(describe_reference(measure, home_module, []), sort_keys=True)
        except TypeError as error:
            raise SettingError(
                f"{get_measure_name(measure)} uses {error}, which no file can name: the folder could hold"
                " what another one has found. Make it from the settings, or give no folder."
            ) from None

        self.identity = {
            "measure": get_measure_name(measure),
            "fingerprint": hashlib.sha256(text.encode()).hexdigest(),
            "pokerlab": pokerlab.__version__,
        }

    def remove_unfinished_outcomes(self) -> None:
        """Remove the temporary files that killed processes left.

        The caller must have locked the folder, so that no other process is writing there.
        """
        for unfinished_file in self.folder.glob(f".*.npz.*{UNFINISHED}"):
            unfinished_file.unlink(missing_ok=True)

    def get_outcome_path(self, argument: Any) -> Path:
        """Return the path of the file with the outcome for an argument of the measuring function.

        The name of the file is a digest of the argument.

        Parameters
        ----------
        argument : Any
            The argument of the measuring function: a Config, or a dictionary of settings.

        Returns
        -------
        Path
            The path. The file exists only if the outcome has been saved.
        """
        text = json.dumps(convert_to_json_values({"setting": argument}), sort_keys=True)
        return self.folder / f"{hashlib.sha256(text.encode()).hexdigest()[:24]}.npz"

    def describe_file(self, argument: Any) -> dict[str, Any]:
        """Return the entries that identify the outcome for an argument, and that its file must contain.

        They are the format of the file, the identity of the measuring function, and the argument.

        Parameters
        ----------
        argument : Any
            The argument of the measuring function: a Config, or a dictionary of settings.

        Returns
        -------
        dict of str to Any
            The entries, which can be written to JSON.
        """
        setting = convert_to_json_values({"setting": argument})
        return {"format": FORMAT, **self.identity, **setting}

    def read_outcome(self, argument: Any) -> Outcome | None:
        """Return the saved outcome for an argument of the measuring function, or None if there is none.

        If the file of the outcome is damaged, a warning is given and the result is None, too.

        Parameters
        ----------
        argument : Any
            The argument.

        Returns
        -------
        Outcome or None
            The measured rows, and the seconds that the measurement took.

        Raises
        ------
        CheckpointError
            If the file has the outcome of another function or argument.
        """
        path = self.get_outcome_path(argument)
        if not path.exists():
            return None

        try:
            file = SavedFile.load(path, FORMAT, self.describe_file(argument), rows=list)
            return Outcome(
                validate_table_rows(file.about["rows"]),
                validate_number("seconds", file.about.get("seconds"), 0.0),
            )
        except CheckpointError:
            raise
        except PokerlabError as error:
            warnings.warn(f"{path} is damaged ({error}); it is made again.", stacklevel=4)
            return None

    def write_outcome(self, argument: Any, outcome: Outcome) -> None:
        """Write the outcome for an argument of the measuring function to its file.

        Parameters
        ----------
        argument : Any
            The argument of the measuring function.
        outcome : Outcome
            What was measured. An earlier outcome for the same argument is overwritten.
        """
        description = self.describe_file(argument) | outcome._asdict()
        SavedFile(description, {}).save(self.get_outcome_path(argument))


def get_measure_name(measure: Callable[..., Any]) -> str:
    """Return the name of a measuring function with its module, such as 'module.function'.

    A partial function, method or wrapper has the name of the function inside it.

    Parameters
    ----------
    measure : callable
        The measuring function of a sweep.
    """
    return get_qualified_name(unwrap_function(measure))


def unwrap_function(measure: Any) -> Any:
    """Return the function that is inside a partial function, a method or a wrapper.

    Parameters
    ----------
    measure : Any
        A callable object.

    Returns
    -------
    function or type
        The function, or the class of the object if it is another kind of callable object.
    """
    if isinstance(measure, partial):
        return unwrap_function(measure.func)
    if isinstance(measure, MethodType):
        return unwrap_function(measure.__func__)
    return unwrap(measure) if hasattr(measure, "__qualname__") else type(measure)


def describe_reference(value: Any, home_module: str, already_described: list[Any]) -> Any:
    """Return a description of a value to which a measuring function refers, which differs if the value differs.

    The descriptions of all such values identify the function, so that outcomes that were saved by another version of it
    are not used.

    Parameters
    ----------
    value : Any
        The value, such as a function or a setting.
    home_module : str
        The name of the module of the measuring function. Its functions are described with all that they use.
    already_described : list
        The functions that have been described already, to which new ones are added. Each is described only once.

    Returns
    -------
    None, bool, int, float, str, list or dict
        A description that can be converted to JSON.

    Raises
    ------
    TypeError
        If the value cannot be described.
    """

    def describe(part: Any) -> Any:
        """Return the description of a part of the value."""
        return describe_reference(part, home_module, already_described)

    if isinstance(value, partial):
        return ["partial", describe(value.func), describe(value.args), describe(value.keywords)]
    if isinstance(value, MethodType):
        return ["method", describe(value.__func__), describe(value.__self__)]

    # A kernel of numba has the function that it compiles in `py_func`.
    value = getattr(value, "py_func", unwrap(value) if callable(value) else value)
    if hasattr(value, "__qualname__") or isinstance(value, ModuleType | np.ufunc):
        return describe_named_object(value, home_module, already_described)

    if isinstance(value, Path):
        return str(value)
    if hasattr(value, "fingerprint") and hasattr(value, "name"):  # a game
        return [value.name, value.fingerprint]
    if isinstance(value, Mapping):
        return {str(name): describe(part) for name, part in value.items()}
    if isinstance(value, list | tuple):
        return [describe(part) for part in value]
    if is_dataclass(value):
        values_of_fields = {field.name: getattr(value, field.name) for field in fields(value)}
        return [type(value).__qualname__, describe(values_of_fields)]
    try:
        return convert_to_json_value(value)
    except TypeError:
        raise TypeError(f"a value of type {type(value).__name__}") from None


def describe_named_object(value: Any, home_module: str, already_described: list[Any]) -> Any:
    """Return a description of a function, class or module, to which a measuring function refers.

    A function of the module of the measuring function is described by its code and by the values that it uses. So is a
    lambda, and a function inside another one. Anything else is identified by its name.

    Parameters
    ----------
    value : Any
        The function, class or module.
    home_module : str
        The name of the module of the measuring function.
    already_described : list
        The functions that have been described already, to which `value` may be added. For these the name is enough.

    Returns
    -------
    str or list
        The name with its module, or a list with the code, the defaults of parameters, and the values that are used.

    Raises
    ------
    TypeError
        If a value that the function uses cannot be described.
    """
    qualified_name = getattr(value, "__qualname__", value.__name__)
    name = f"{getattr(value, '__module__', '')} {qualified_name}"

    # A name with "<" is that of a lambda, or of a function inside another one.
    is_function = isinstance(value, FunctionType)
    is_own_function = is_function and (value.__module__ == home_module or "<" in name)
    if not is_own_function or value in already_described:
        return name

    already_described.append(value)
    descriptions_of_uses = {}
    for used_name, used_value in iterate_referenced_values(value):
        is_attribute_of_module = "." in used_name
        if not is_attribute_of_module:  # the rest of pokerlab is identified by its version
            descriptions_of_uses[used_name] = describe_reference(
                used_value, home_module, already_described
            )
    defaults = describe_reference(value.__defaults__, home_module, already_described)
    return [describe_function_code(value), defaults, descriptions_of_uses]
