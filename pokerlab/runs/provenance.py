"""Where numbers come from: what made them, with which settings, and how long it took."""

import dataclasses
import platform
from datetime import UTC, datetime
from importlib.metadata import version
from typing import Any

import numpy as np

import pokerlab

LIBRARIES = ("numpy", "scipy", "numba")


def provenance(solver: Any, settings: dict[str, Any] | None = None) -> dict[str, Any]:
    """Return what identifies a run of `solver`, as plain values that JSON can hold."""
    game = solver.game
    return {
        "pokerlab": pokerlab.__version__,
        "solver": type(solver).__name__,
        "parameters": parameters_of(solver),
        "game": game.name,
        "game_fingerprint": game.fingerprint,
        "settings": settings or {},
        "started": datetime.now(UTC).isoformat(timespec="seconds"),
        "python": platform.python_version(),
        "machine": platform.machine(),
        **{name: version(name) for name in LIBRARIES},
    }


def parameters_of(solver: Any) -> dict[str, Any]:
    """Return a solver's own numbers, without its game and with a start profile as its digest."""
    return {name: plain(value) for name, value in vars(solver).items() if name != "game"}


def plain(value: Any) -> Any:
    """Return `value` as something JSON can hold and compare."""
    if hasattr(value, "_asdict"):
        return {name: plain(item) for name, item in value._asdict().items()}
    if dataclasses.is_dataclass(value) and hasattr(value, "probabilities"):
        return [float(p) for p in value.probabilities]
    if isinstance(value, np.generic):
        return value.item()
    if isinstance(value, float) and not np.isfinite(value):
        return str(value)
    return value
