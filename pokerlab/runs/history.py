"""What a run has measured: named columns of equal length, with units and provenance."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass
from pathlib import Path
from typing import Any, Self

import numpy as np

from pokerlab.core import FileFormatError, Floats, SettingError, ShapeError, UnknownNameError
from pokerlab.core.kept import Kept
from pokerlab.core.settings import check_kind
from pokerlab.runs.origin import plain_values

FORMAT = "pokerlab history 1"


@dataclass(frozen=True, eq=False)
class History:
    """Columns of numbers, one row for each recording."""

    columns: Mapping[str, Floats]  # read-only, (rows,) each; the first is usually 'iteration'
    units: Mapping[str, str]  # what each column counts; empty for pure numbers
    provenance: Mapping[str, Any]  # where the numbers come from: version, config, duration

    def __post_init__(self) -> None:
        lengths = {name: len(column) for name, column in self.columns.items()}
        if len(set(lengths.values())) > 1:
            raise ShapeError(f"columns have lengths {lengths}; all must be equal.")
        units: Any = self.units
        if not isinstance(units, Mapping) or not all(
            name in self.columns and isinstance(unit, str) for name, unit in units.items()
        ):
            raise SettingError(
                f"units are {self.units!r}; give a dictionary from the columns {', '.join(self.columns)} to texts."
            )
        check_kind("provenance", self.provenance, Mapping, "a dictionary of numbers and texts")
        plain_values(self.provenance)  # refuses what no file could hold
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
        """Return the history with one row for each of `rows`."""
        try:
            table = np.array(rows, dtype=np.float64).reshape(len(rows), len(names))
        except (TypeError, ValueError) as error:
            raise ShapeError(
                f"the rows are not a table of numbers with the columns {', '.join(names)}: {error}"
            ) from None
        return cls({name: table[:, i].copy() for i, name in enumerate(names)}, units, provenance)

    def __getitem__(self, name: str) -> Floats:
        if name not in self.columns:
            raise UnknownNameError.among("column", name, self.columns)
        return self.columns[name]

    def __len__(self) -> int:
        return len(next(iter(self.columns.values()), ()))

    def at(self, iteration: int) -> dict[str, float]:
        """Return the row recorded at `iteration`."""
        rows = np.flatnonzero(self["iteration"] == iteration)
        if not rows.size:
            near = self["iteration"][np.argmin(np.abs(self["iteration"] - iteration))]
            raise UnknownNameError(
                f"nothing was recorded at iteration {iteration}; the nearest recording is {near:g}."
            )
        return {name: float(column[rows[0]]) for name, column in self.columns.items()}

    def save(self, path: str | Path) -> Path:
        """Write the history to `path`, a single .npz file of plain arrays, whole or not at all."""
        about = {"format": FORMAT, "units": dict(self.units), "provenance": dict(self.provenance)}
        return Kept(about, self.columns).save(path)

    @classmethod
    def load(cls, path: str | Path) -> Self:
        """Return the history that `save` wrote.

        Raises
        ------
        FileFormatError
            If the file is damaged, or holds something other than a history.
        """
        about, columns = Kept.load(path, FORMAT, units=dict, provenance=dict)
        shapes = {name: column.shape for name, column in columns.items()}
        if len(set(shapes.values())) > 1 or any(len(shape) != 1 for shape in shapes.values()):
            raise FileFormatError(
                f"{path} has columns of shapes {shapes}; all must be rows of equal length. Delete it and run again."
            )
        return cls(columns, about["units"], about["provenance"])
