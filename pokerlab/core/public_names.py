"""Functions that declare the public names of a package, so that an old name raises an error with the new name."""

from collections.abc import Callable, Collection
from functools import partial
from types import ModuleType
from typing import Any

import lazy_loader

from pokerlab.core.old_names import reject_missing_name


def declare_public_names(module: dict[str, Any], internal: Collection[str] = ()) -> None:
    """Set the `__all__`, `__dir__` and `__getattr__` of a package, in place.

    All names that the package imports are public, except for modules, names that begin with an underscore, and the
    names in `internal`. The use of a public name of pokerlab 1.0 that was changed raises an error with the new name.

    Parameters
    ----------
    module : dict of str to Any
        The `globals()` of the package after all its imports, in which the three names are set.
    internal : collection of str
        Names that other packages of pokerlab import from this one, but that users do not need.
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
    module["__getattr__"] = partial(reject_missing_name, module["__name__"])


def make_lazy_attributes(
    package: str, file: str
) -> tuple[Callable[[str], Any], Callable[[], list[str]], list[str]]:
    """Return the `__getattr__`, `__dir__` and `__all__` with which a package imports its public names lazily.

    A public name is imported when it is first used, so importing the package itself is fast. The stub file
    `__init__.pyi` of the package lists its public names.

    Parameters
    ----------
    package, file : str
        The `__name__` and `__file__` of the package. The stub file must be in the same folder as the file.

    Returns
    -------
    find_or_reject : callable
        The `__getattr__`, which imports a public name on its first use and raises an error for any other name.
    list_names : callable
        The `__dir__`, which returns the public names.
    public : list of str
        The `__all__`, which is the list of the public names.
    """
    find_name, list_names, public = lazy_loader.attach_stub(package, file)

    def find_or_reject(name: str) -> Any:
        """Return the object with a public name, or raise an error about a name that the package does not have."""
        return find_name(name) if name in public else reject_missing_name(package, name)

    return find_or_reject, list_names, public
