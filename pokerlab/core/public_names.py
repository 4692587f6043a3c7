"""The face of a package: its public names, found when they are first used."""

from collections.abc import Callable
from types import ModuleType
from typing import Any

import lazy_loader

from pokerlab.core.old_names import explain_public_name


def shown(names: dict[str, Any]) -> tuple[list[str], Callable[[], list[str]]]:
    """Return the `__all__` and the `__dir__` of a package, from its `globals()` once all is imported."""
    public = sorted(
        name
        for name, found in names.items()
        if not name.startswith("_") and found is not shown and not isinstance(found, ModuleType)
    )
    return public, lambda: public


def load_on_first_use(
    package: str, file: str
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return the `__getattr__`, `__dir__` and `__all__` of a package whose stub says what is in it.

    Parameters
    ----------
    package, file : str
        Its `__name__` and `__file__`; the stub, `__init__.pyi`, stands beside the file.
    """
    find, names, public = lazy_loader.attach_stub(package, file)

    def find_or_explain(name: str) -> Any:
        return find(name) if name in public else explain_public_name(package, name)

    return find_or_explain, names, public
