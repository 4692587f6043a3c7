"""A solver's state taken apart into named arrays and numbers, and put together again."""

import dataclasses
import math
from collections.abc import Mapping
from typing import Any

import numpy as np

from pokerlab.core import CheckpointError, SettingError

NUMBERS = (bool, int, float, str, type(None))
"""What a state may hold besides arrays."""
BOUND_TO = ("game", "encoding")
"""Parts of a state that are not saved: its solver has them."""
MOST_ITERATIONS = 2**53
"""Above this, the floats of a history's first column could not tell iterations apart."""
ROUNDING = 1e-9
"""By how much a product of many rounded factors may leave [0, 1] and still be a probability."""


def parts_of(state: Any) -> dict[str, Any] | None:
    """Return the named parts of a dataclass, named tuple or tuple, without `BOUND_TO`; None for others."""
    if dataclasses.is_dataclass(state):
        names = [field.name for field in dataclasses.fields(state)]
    elif hasattr(state, "_fields"):
        names = list(state._fields)
    elif isinstance(state, tuple):
        return {str(index): part for index, part in enumerate(state)}
    else:
        return None
    return {name: getattr(state, name) for name in names if name not in BOUND_TO}


def leaves_of(state: Any, prefix: str = "") -> dict[str, Any]:
    """Return the arrays and numbers of `state`, those of nested parts as 'part.name'."""
    leaves: dict[str, Any] = {}
    for name, value in (parts_of(state) or {}).items():
        if isinstance(value, np.generic):
            value = value.item()
        if parts_of(value) is not None:
            leaves |= leaves_of(value, f"{prefix}{name}.")
        elif isinstance(value, (np.ndarray, *NUMBERS)):
            leaves[prefix + name] = value
        else:
            raise SettingError(
                f"a {type(state).__name__} holds a {type(value).__name__} as '{name}', which no"
                " checkpoint can keep; hold arrays and numbers, or run without a checkpoint."
            )
    return leaves


def with_leaves(blank: Any, leaves: Mapping[str, Any], prefix: str = "") -> Any:
    """Return a state like `blank` with the arrays and numbers that `leaves_of` returned."""
    changes = {
        name: leaves[prefix + name]
        if parts_of(value) is None
        else with_leaves(value, leaves, f"{prefix}{name}.")
        for name, value in (parts_of(blank) or {}).items()
    }
    if dataclasses.is_dataclass(blank) and not isinstance(blank, type):
        return dataclasses.replace(blank, **changes)
    if hasattr(blank, "_replace"):
        return blank._replace(**changes)
    return tuple(changes.values())


def check_leaves(
    leaves: Mapping[str, Any], blank: Mapping[str, Any], *, grows: tuple[str, ...] = ()
) -> None:
    """Refuse leaves that cannot be a state of the solver whose first state has the leaves `blank`.

    Arrays whose names begin with one of `grows` may be larger than at first; the state itself checks
    whether they fit together.
    """
    if leaves.keys() != blank.keys():
        missing, extra = sorted(blank.keys() - leaves.keys()), sorted(leaves.keys() - blank.keys())
        raise CheckpointError(f"the state lacks {missing} and has {extra} too many.")
    for name, value in leaves.items():
        if isinstance(blank[name], np.ndarray):
            check_array(name, value, blank[name], grows=name.startswith(grows))
        else:
            check_number(name, value, blank[name])


def check_array(name: str, value: Any, blank: np.ndarray[Any, Any], *, grows: bool) -> None:
    """Refuse an array of another type or shape, or with numbers that no state has."""
    if not isinstance(value, np.ndarray):
        raise CheckpointError(f"'{name}' is {value!r}; it must be an array.")
    grown = (
        grows and value.ndim == blank.ndim and np.all(np.greater_equal(value.shape, blank.shape))
    )
    if value.dtype != blank.dtype or not (grown or value.shape == blank.shape):
        raise CheckpointError(
            f"'{name}' is {value.dtype} of shape {value.shape}; it must be {blank.dtype} of shape"
            f" {blank.shape}{' or larger' if grows else ''}."
        )
    if not np.isfinite(value).all():
        raise CheckpointError(f"'{name}' holds numbers that are not finite.")
    if name.split(".")[-1] == "behavior" and (np.abs(value - 0.5) > 0.5 + ROUNDING).any():
        raise CheckpointError(f"'{name}' holds probabilities outside [0, 1].")


def check_number(name: str, value: Any, blank: Any) -> None:
    """Refuse a number of another type, or iterations below 0."""
    if type(value) is not type(blank):
        raise CheckpointError(
            f"'{name}' is {value if isinstance(value, NUMBERS) else 'an array'!r}; it must be of"
            f" type {type(blank).__name__}."
        )
    if isinstance(value, float) and not math.isfinite(value):
        raise CheckpointError(f"'{name}' is {value}; it must be finite.")
    if name.split(".")[-1] == "iteration" and not 0 <= value <= MOST_ITERATIONS:
        raise CheckpointError(f"'{name}' is {value}; it must be 0 to {MOST_ITERATIONS}.")
