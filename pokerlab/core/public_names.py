"""The face of a package: its public names, found when they are first used."""

from collections.abc import Callable, Collection
from functools import partial
from types import ModuleType
from typing import Any

import lazy_loader

from pokerlab.core.old_names import explain_public_name


def declare_public_names(module: dict[str, Any], internal: Collection[str] = ()) -> None:
    """Set the `__all__`, `__dir__` and `__getattr__` of a package.

    Public is what the package imports, except for modules and private names. Old public names raise an error that says
    the new one.

    Parameters
    ----------
    module : dict of str to Any
        The package's `globals()`, once everything is imported.
    internal : collection of str
        Names that other packages import from here, but users do not need.
    """
    public = sorted(
        name
        for name, value in module.items()
        if not name.startswith("_")
        and name not in internal
        and value is not declare_public_names
        and not isinstance(value, ModuleType)
    )
    module["__all__"] = public
    module["__dir__"] = lambda: public
    module["__getattr__"] = partial(explain_public_name, module["__name__"])


def load_on_first_use(
    package: str, file: str
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return the `__getattr__`, `__dir__` and `__all__` of a package whose stub lists its public names.

    Parameters
    ----------
    package, file : str
        Its `__name__` and `__file__`; the stub, `__init__.pyi`, lies beside the file.

    Returns
    -------
    find_or_explain : callable
        The `__getattr__`, which imports a public name on its first use.
    list_names : callable
        The `__dir__`.
    public : list of str
        The `__all__`.
    """
    find, list_names, public = lazy_loader.attach_stub(package, file)

    def find_or_explain(name: str) -> Any:
        return find(name) if name in public else explain_public_name(package, name)

    return find_or_explain, list_names, public
