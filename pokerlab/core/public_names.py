"""The face of a package: its public names, and where those went that it had before."""

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any

import lazy_loader

MOVED = {
    "pokerlab.strategies": (
        "Activations",
        "Habits",
        "MatrixEncoding",
        "RuleEncoding",
        "TableNetwork",
        "TupleTable",
        "decision",
        "features",
        "habits",
        "inputs_at",
        "rules",
        "street",
    ),
    "pokerlab.solvers": ("BucketedCFR", "ExploitabilityDescent"),
    "pokerlab.evolution.population": ("RingGames", "Tournaments"),
}
"""What each of these packages had in pokerlab 1.0, and `pokerlab.holdem` has today under the same name."""


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

    def find_or_say_where(name: str) -> Any:
        if name in MOVED.get(package, ()):
            old, new = (
                f"{place}.{name}".replace("pokerlab", "pl", 1)
                for place in (package, "pokerlab.holdem")
            )
            raise ImportError(f"{old} is {new} since pokerlab 2; nothing else has changed in it.")
        if name not in public:
            raise AttributeError(
                f"module '{package}' has no attribute '{name}'", name=name, obj=sys.modules[package]
            )
        return find(name)

    return find_or_say_where, names, public
