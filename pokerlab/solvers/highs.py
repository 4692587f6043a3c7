"""HiGHS, always called in the same way: one thread, strict tolerances, bases as plain numbers."""

import ctypes
import os
from functools import cache
from typing import TYPE_CHECKING

import numpy as np
from numpy.typing import NDArray

from pokerlab.core import ConvergenceError

if TYPE_CHECKING:
    import highspy

Statuses = NDArray[np.int8]
NO_BASIS: Statuses = np.empty(0, dtype=np.int8)
"""What stands for a basis before anything has been solved."""
LOWER, BASIC, UPPER = 0, 1, 2
"""How HiGHS numbers the status of a variable or constraint: at a bound, or in the basis."""
OPTIONS: dict[str, str | int | float] = {
    "solver": "simplex",
    "threads": 1,
    "primal_feasibility_tolerance": 1e-9,
    "dual_feasibility_tolerance": 1e-9,
}
"""1e-9 is the strictest tolerance at which HiGHS still ends on thousands of games."""


@cache
def silence_banner() -> None:
    """Make the first HiGHS of this process without the banner that version 1.16 prints as it is made.

    C code prints it, before any option can be set, so standard output leads nowhere for that moment.
    """
    import highspy

    flush = ctypes.CDLL(None).fflush if os.name == "posix" else lambda _: None
    flush(None)
    kept, nowhere = os.dup(1), os.open(os.devnull, os.O_WRONLY)
    try:
        os.dup2(nowhere, 1)
        highspy.Highs()  # type: ignore[no-untyped-call]
        flush(None)
    finally:
        os.dup2(kept, 1)
        os.close(kept)
        os.close(nowhere)


def new_highs(**options: str | int | float) -> "highspy.Highs":
    """Return HiGHS without a program; `options` beside, or instead of, the usual ones."""
    import highspy

    silence_banner()
    highs = highspy.Highs()  # type: ignore[no-untyped-call]
    highs.silent()
    for option, value in {**OPTIONS, **options}.items():
        highs.setOptionValue(option, value)
    return highs


def begin(highs: "highspy.Highs", columns: Statuses, rows: Statuses) -> None:
    """Let the simplex method begin at a basis: the statuses of variables and of constraints."""
    import highspy

    basis = highspy.HighsBasis()
    basis.col_status, basis.row_status = (
        [highspy.HighsBasisStatus(status) for status in statuses.tolist()]
        for statuses in (columns, rows)
    )
    basis.valid = True
    highs.setBasis(basis)


def basis_of(highs: "highspy.Highs") -> tuple[Statuses, Statuses]:
    """Return the statuses of variables and of constraints at the optimum."""
    basis = highs.getBasis()
    columns, rows = (
        np.array([int(status) for status in statuses], dtype=np.int8)
        for statuses in (basis.col_status, basis.row_status)
    )
    return columns, rows


def run(highs: "highspy.Highs", program: str, advice: str) -> None:
    """Find the optimum; where there is none the error names the `program` and gives the `advice`."""
    import highspy

    highs.run()
    status = highs.getModelStatus()
    if status != highspy.HighsModelStatus.kOptimal:
        raise ConvergenceError(
            f"HiGHS ended with '{highs.modelStatusToString(status)}' on {program}. {advice}"
        )
