"""The face of a package: the names that its `__init__` imports as themselves, each said once."""

from collections.abc import Callable
from types import ModuleType
from typing import Any


def shown(names: dict[str, Any]) -> tuple[list[str], Callable[[], list[str]]]:
    """Return the `__all__` and the `__dir__` of a package, from its `globals()` once all is imported."""
    public = sorted(
        name
        for name, found in names.items()
        if not name.startswith("_") and found is not shown and not isinstance(found, ModuleType)
    )
    return public, lambda: public
