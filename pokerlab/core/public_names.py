"""The face of a package: its public names, and where those went that it had before."""

import sys
from collections.abc import Callable
from types import ModuleType
from typing import Any, NoReturn

import lazy_loader

HOLDEM = "pl.holdem"
MOVED: dict[str, dict[str, str]] = {
    "pokerlab.strategies": dict.fromkeys(
        (
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
        HOLDEM,
    ),
    "pokerlab.solvers": {
        "BucketedCFR": HOLDEM,
        "ExploitabilityDescent": HOLDEM,
        "PolynomialWeights": "studies.lanctot2014.polynomial_weights",
    },
    "pokerlab.evolution.population": {"RingGames": HOLDEM, "Tournaments": HOLDEM},
    "pokerlab.games": {"open_cards": "studies.samothrakis2011.open_cards"},
}
"""What each of these packages had in pokerlab 1.0, and where it stands today under the same name.

What only audits run is in their studies, beside them in `notebooks/audits`.
"""


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
        return find(name) if name in public else say_where(package, name)

    return find_or_say_where, names, public


def say_where(package: str, name: str) -> NoReturn:
    """Raise the error about a name that a package does not have, or has no longer."""
    new = MOVED.get(package, {}).get(name)
    if new is None:
        raise AttributeError(
            f"module '{package}' has no attribute '{name}'", name=name, obj=sys.modules[package]
        )
    old = f"{package}.{name}".replace("pokerlab", "pl", 1)
    where = "" if new.startswith("pl.") else ", in notebooks/audits,"
    raise ImportError(
        f"{old} is {new}.{name}{where} since pokerlab 2; nothing else has changed in it."
    )
