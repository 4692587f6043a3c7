"""Where numbers come from: what made them, with which settings, and how long it took."""

import dataclasses
import platform
from collections.abc import Mapping
from datetime import UTC, datetime
from fractions import Fraction
from functools import cached_property
from importlib.metadata import version
from typing import Any

import numpy as np

import pokerlab
from pokerlab.core import SettingError
from pokerlab.core.compiler import NUMBA
from pokerlab.core.errors import in_short

LIBRARIES = ("numpy", "scipy")


def provenance(solver: Any, settings: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return what identifies a run of `solver`, as plain values that JSON can hold."""
    game = solver.game
    return {
        "solver": type(solver).__name__,
        "parameters": parameters_of(solver),
        "game": game.name,
        "game_fingerprint": game.fingerprint,
        "settings": plain_values(settings or {}),
        **made_with(),
    }


def made_with() -> dict[str, str]:
    """Return when, on what machine and with which versions something was made."""
    return {
        "pokerlab": pokerlab.__version__,
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "machine": platform.machine(),
        **{name: version(name) for name in LIBRARIES},
        "numba": NUMBA,
    }


def parameters_of(solver: Any) -> dict[str, Any]:
    """Return a solver's parameters, without its game and what it caches; a start as its probabilities.

    A solver that drives another has that one's name and parameters among its own. A solver lists in
    `ASIDE` what changes no number, such as how many workers there are.
    """
    own = {
        name: value
        for name, value in vars(solver).items()
        if name not in ("game", *getattr(type(solver), "ASIDE", ()))
        and not isinstance(getattr(type(solver), name, None), cached_property)
    }
    return plain_values(own)


def plain_values(values: Mapping[str, Any]) -> dict[str, Any]:
    """Return `values` as JSON can hold them; the error names the one that it cannot."""
    made = {}
    for name, value in values.items():
        try:
            made[str(name)] = plain(value)
        except TypeError:
            raise SettingError(
                f"'{name}' is {in_short(value)}, which no file can hold; give a number, a text, or lists"
                " and dictionaries of these."
            ) from None
    return made


def plain(value: Any) -> Any:
    """Return `value` as something JSON can hold and compare; raise TypeError if that is impossible."""
    if isinstance(value, np.generic | np.ndarray):
        value = value.tolist()
    if hasattr(value, "_asdict"):
        value = value._asdict()
    if dataclasses.is_dataclass(value) and hasattr(value, "probabilities"):
        return [float(p) for p in value.probabilities]
    if hasattr(value, "init") and hasattr(value, "step") and hasattr(value, "game"):
        return {"solver": type(value).__name__, **parameters_of(value)}
    if dataclasses.is_dataclass(value) and not isinstance(value, type):
        names = (field.name for field in dataclasses.fields(value) if field.name != "game")
        parts = {name: plain(getattr(value, name)) for name in names}
        return {"kind": type(value).__name__, **parts}
    if isinstance(value, Mapping):
        return {str(name): plain(item) for name, item in value.items()}
    if isinstance(value, list | tuple):
        return [plain(item) for item in value]
    if isinstance(value, float) and not np.isfinite(value):
        return str(value)
    if isinstance(value, Fraction):
        return str(value)
    if value is None or isinstance(value, bool | int | float | str):
        return value
    raise TypeError(type(value).__name__)
