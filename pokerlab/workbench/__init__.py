"""What draws: figures, the live bench, explorers; everything else in pokerlab only computes.

Parts load when they are first used, so that importing the workbench is quick.
"""

import importlib
from typing import TYPE_CHECKING, Any

if TYPE_CHECKING:
    from pokerlab.workbench.plots import compare, convergence, heat_map, legend, published
    from pokerlab.workbench.style import figure, look, nth_look, show

_HOMES = {
    "compare": "plots",
    "convergence": "plots",
    "figure": "style",
    "heat_map": "plots",
    "legend": "plots",
    "look": "style",
    "nth_look": "style",
    "published": "plots",
    "show": "style",
}
__all__ = [
    "compare",
    "convergence",
    "figure",
    "heat_map",
    "legend",
    "look",
    "nth_look",
    "published",
    "show",
]


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        return getattr(importlib.import_module(f"pokerlab.workbench.{_HOMES[name]}"), name)
    raise AttributeError(f"module 'pokerlab.workbench' has no attribute '{name}'")


def __dir__() -> list[str]:
    return sorted([*globals(), *__all__])
