"""The measurements of a run: named columns of equal length, with their units and their provenance."""

import dataclasses
import platform
from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from fractions import Fraction
from functools import cached_property
from importlib.metadata import version
from pathlib import Path
from typing import Any, Self

import numpy as np

import pokerlab
from pokerlab.core import FileFormatError, Floats, SettingError, ShapeError, UnknownNameError
from pokerlab.core.arrays import validate_numbers
from pokerlab.core.compiler import NUMBA
from pokerlab.core.errors import quote_value
from pokerlab.core.files import validate_path
from pokerlab.core.old_names import explain_renamed_attributes
from pokerlab.core.saved_files import SavedFile
from pokerlab.core.settings import LARGEST_COUNT, check_item_types, check_kind, validate_number

FORMAT = "pokerlab history 1"


@explain_renamed_attributes
@dataclass(frozen=True, eq=False)
class History:
    """The measurements of a run, as columns with one row for each recording.

    Attributes
    ----------
    columns : mapping of str to array
        The columns by name, which are read-only and have equal lengths. The first one is usually 'iteration'.
    units : mapping of str to str
        The unit of each column; empty for pure numbers.
    provenance : mapping of str to Any
        The origin of the numbers, such as versions, settings and duration.
    """

    columns: Mapping[str, Floats]
    units: Mapping[str, str]
    provenance: Mapping[str, Any]

    def __post_init__(self) -> None:
        """Make all columns read-only, after checking that columns, units and provenance can be saved in a file."""
        check_kind("columns", self.columns, Mapping, "a dictionary from names to rows of numbers")
        for name, column in self.columns.items():
            check_kind("the name of a column", name, str, "a text")
            check_kind(f"column {name}", column, np.ndarray, "an array of shape (rows,)")
            if column.ndim != 1:
                raise ShapeError(
                    f"column {name} is {quote_value(column)}; give an array of shape (rows,)."
                )

        lengths = {name: len(column) for name, column in self.columns.items()}
        if len(set(lengths.values())) > 1:
            raise ShapeError(f"columns have lengths {lengths}; all must be equal.")

        units: Any = self.units
        if not isinstance(units, Mapping) or not all(
            name in self.columns and isinstance(unit, str) for name, unit in units.items()
        ):
            raise SettingError(
                f"units are {quote_value(self.units)}; give a dictionary from the columns"
                f" {', '.join(self.columns)} to texts."
            )

        check_kind("provenance", self.provenance, Mapping, "a dictionary of numbers and texts")
        convert_to_json_values(self.provenance)  # raises an error if a file could not hold a value
        for column in self.columns.values():
            column.setflags(write=False)

    @classmethod
    def from_rows(
        cls,
        names: Sequence[str],
        rows: Sequence[Sequence[float]],
        units: Mapping[str, str],
        provenance: Mapping[str, Any],
    ) -> Self:
        """Return a history with the numbers of given rows, one row for each recording.

        Parameters
        ----------
        names : sequence of str
            The names of the C columns.
        rows : sequence of sequences of C numbers
            The rows, one for each recording.
        units : mapping of str to str
            The unit of each column, by name; empty for pure numbers.
        provenance : mapping of str to Any
            The origin of the numbers, such as versions and settings, by name.

        Returns
        -------
        History
            A history with a column for each name. It is empty if there are no rows.

        Raises
        ------
        ShapeError
            If a row does not have one number for each column.
        """
        check_item_types("names", names, str, "a list of texts")
        table = validate_numbers(rows, f"the rows with the columns {', '.join(names)}", ShapeError)
        if table.size == 0:
            table = table.reshape(0, len(names))
        if table.ndim != 2 or table.shape[1] != len(names):
            raise ShapeError(
                f"the rows have shape {table.shape}; with the columns {', '.join(names)} give (rows, {len(names)})."
            )
        return cls({name: table[:, i].copy() for i, name in enumerate(names)}, units, provenance)

    def __getitem__(self, name: str) -> Floats:
        """Return the column `name`, or raise an UnknownNameError if there is none."""
        UnknownNameError.check("column", name, self.columns)
        return self.columns[name]

    def __len__(self) -> int:
        """Return the number of rows, which is the length of every column, or 0 if there are no columns."""
        first_column = next(iter(self.columns.values()), ())
        return len(first_column)

    def select_row(self, iteration: int) -> dict[str, float]:
        """Return the row that was recorded at an iteration, as a dictionary from column names to numbers.

        Parameters
        ----------
        iteration : int
            The iteration, which must be in the column 'iteration'.

        Returns
        -------
        dict of str to float
            The numbers of all columns, also that of the column 'iteration'. If an iteration occurs several times, the
            first row is returned.

        Raises
        ------
        UnknownNameError
            If nothing was recorded at this iteration. The message names the nearest iteration with a recording.
        """
        validate_number("iteration", iteration, 0, LARGEST_COUNT)
        recorded_iterations = self["iteration"]
        if not len(self):
            raise UnknownNameError(
                f"nothing was recorded at iteration {iteration}, nor at any other."
            )
        rows = np.flatnonzero(recorded_iterations == iteration)
        if not rows.size:
            distances = np.abs(recorded_iterations - iteration)
            nearest = recorded_iterations[np.argmin(distances)]
            raise UnknownNameError(
                f"nothing was recorded at iteration {iteration}; the nearest recording is {nearest:g}."
            )

        return {name: float(column[rows[0]]) for name, column in self.columns.items()}

    def save(self, path: str | Path) -> Path:
        """Write the history to an .npz file of plain arrays, completely or not at all.

        Parameters
        ----------
        path : str or Path
            The file, whose folder is created if it does not exist.

        Returns
        -------
        Path
            The path of the file.

        Raises
        ------
        StorageError
            If the file cannot be written.
        """
        description = {
            "format": FORMAT,
            "units": dict(self.units),
            "provenance": dict(self.provenance),
        }
        return SavedFile(description, self.columns).save(validate_path("path", path))

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Read a history from a file that `save` wrote.

        Parameters
        ----------
        path : str or Path
            The file.

        Returns
        -------
        History
            The columns, their units and their provenance.

        Raises
        ------
        FileFormatError
            If the file does not exist or is damaged, or does not contain a history.
        """
        description, columns = SavedFile.load(
            validate_path("path", path), FORMAT, units=dict, provenance=dict
        )
        shapes = {name: column.shape for name, column in columns.items()}
        has_single_shape = len(set(shapes.values())) <= 1
        if not has_single_shape or any(len(shape) != 1 for shape in shapes.values()):
            raise FileFormatError(
                f"{path} has columns of shapes {shapes}; all must be rows of equal length. Delete it and run again."
            )
        return cls(columns, description["units"], description["provenance"])


LIBRARIES = ("numpy", "scipy")


def describe_provenance(solver: Any, settings: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return the solver, game, settings and versions of a run, as values that can be written to JSON.

    Parameters
    ----------
    solver : Solver
        The solver that is run.
    settings : dict of str to Any, optional
        The settings of the experiment, by name; none by default.

    Returns
    -------
    dict
        The name and the parameters of the solver, the name and the fingerprint of its game, the settings, the present
        time, the machine, and the versions of Python and of libraries.
    """
    game = solver.game
    return {
        "solver": type(solver).__name__,
        "parameters": list_solver_parameters(solver),
        "game": game.name,
        "game_fingerprint": game.fingerprint,
        "settings": convert_to_json_values(settings or {}),
        **describe_versions(),
    }


def describe_versions() -> dict[str, str]:
    """Return the current time, the type of the machine, and the versions of Python and libraries, by name.

    Returns
    -------
    dict of str to str
        The entries 'pokerlab', 'started' (the time in UTC), 'python', 'machine', 'numba', and one for each of
        `LIBRARIES`.
    """
    return {
        "pokerlab": pokerlab.__version__,
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "machine": platform.machine(),
        **{name: version(name) for name in LIBRARIES},
        "numba": NUMBA,
    }


def list_solver_parameters(solver: Any) -> dict[str, Any]:
    """Return the parameters of a solver on which its results depend, by name, in a form that can be written to JSON.

    Parameters
    ----------
    solver : Solver
        The solver, whose attributes are its parameters. The game and cached properties are left out. So are the
        attributes that the solver's class lists in `ASIDE`, such as the number of workers.

    Returns
    -------
    dict of str to Any
        The parameters. A starting profile is a list of its probabilities. For a parameter that is itself a solver, its
        name and parameters are included.

    Raises
    ------
    SettingError
        If a parameter cannot be written to JSON.
    """
    solver_class = type(solver)
    left_out = ("game", *getattr(solver_class, "ASIDE", ()))
    parameters = {}
    for name, value in vars(solver).items():
        is_cached = isinstance(getattr(solver_class, name, None), cached_property)
        if name not in left_out and not is_cached:
            parameters[name] = value
    return convert_to_json_values(parameters)


def convert_to_json_values(mapping: Mapping[str, Any]) -> dict[str, Any]:
    """Return a copy of a mapping whose values are in a form that can be written to JSON.

    Parameters
    ----------
    mapping : mapping of str to Any
        The values, by name. `convert_to_json_value` describes what they may be.

    Returns
    -------
    dict of str to Any
        The converted values, by the same names.

    Raises
    ------
    SettingError
        If a value has no such form. The message contains its name.
    """
    converted = {}
    for name, value in mapping.items():
        try:
            converted[str(name)] = convert_to_json_value(value)
        except TypeError:
            raise SettingError(
                f"'{name}' is {quote_value(value)}, which no file can hold; give a number, a text, or lists"
                " and dictionaries of these."
            ) from None
    return converted


def convert_to_json_value(value: Any) -> Any:
    """Return a value in a form that can be written to JSON.

    Parameters
    ----------
    value : Any
        A number, text or None; an array; a profile, solver or other dataclass; or a tuple, list or mapping of these.

    Returns
    -------
    None, bool, int, float, str, list or dict
        Solvers, settings and profiles become dictionaries or lists. Fractions and infinite numbers become strings.

    Raises
    ------
    TypeError
        If the value has no such form.
    """
    if isinstance(value, np.generic | np.ndarray):
        value = value.tolist()
    if hasattr(value, "_asdict"):  # a named tuple
        value = value._asdict()

    # A profile is also a dataclass, and so may a solver be. So both come before other dataclasses.
    if dataclasses.is_dataclass(value) and hasattr(value, "probabilities"):
        return [float(p) for p in value.probabilities]
    if hasattr(value, "init") and hasattr(value, "step") and hasattr(value, "game"):
        return {"solver": type(value).__name__, **list_solver_parameters(value)}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = (field.name for field in dataclasses.fields(value) if field.name != "game")
        parts = {name: convert_to_json_value(getattr(value, name)) for name in names}
        return {"kind": type(value).__name__, **parts}

    if isinstance(value, Mapping):
        return {str(name): convert_to_json_value(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [convert_to_json_value(item) for item in value]
    if isinstance(value, float) and not np.isfinite(value):
        return str(value)
    if isinstance(value, Fraction):
        return str(value)
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise TypeError(type(value).__name__)
