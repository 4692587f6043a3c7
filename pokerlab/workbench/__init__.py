"""Everything that draws: figures, the live bench, explorers; the rest of pokerlab only computes.

A picture is data (`picture`). `matplotlib_painter` paints it for figures and saved notebooks, `browser_painter` on a
page while a run goes on. Begin with `picture`, then `views.curves`, then `live.bench`.

- `views`: functions that make panels and pictures of runs and of results, the same for stills and for live pictures.
- `drawings`: what is not made of panels: cards, tables, trees and networks in SVG, and the map of the field.
- `style`, `plots` and `text`: helpers for the plots that lessons draw by hand; `kept_figures` shows and keeps figures.
- `live`: the bench, with its panel, its runner and its screens; `benches` says which views an experiment has.
- `explorers`, `tables` and `dash`: pages with sliders, tables to play at, and both as pages without code.

The public names are listed in `__init__.pyi`, once, for type checkers and for this file. Their modules load when they
are first used, so that importing the workbench is quick, and plots need nothing that the extra `lab` brings.
"""

import ast
import importlib
from pathlib import Path
from typing import Any

from pokerlab.core import SettingError
from pokerlab.core.old_names import reject_missing_name

_STUB = ast.parse(Path(__file__).with_suffix(".pyi").read_text(encoding="utf-8"))
_HOMES = {
    alias.name: str(node.module)
    for node in _STUB.body
    if isinstance(node, ast.ImportFrom)
    for alias in node.names
}
__all__ = sorted(_HOMES)


def __getattr__(name: str) -> Any:
    if name in _HOMES:
        try:
            home = importlib.import_module(_HOMES[name])
        except ModuleNotFoundError as error:
            if str(error.name).startswith("pokerlab"):
                raise
            raise SettingError(
                f"workbench.{name} needs {error.name}; install it: pip install 'pokerlab[lab]'."
            ) from error
        globals()[name] = getattr(home, name)
        return globals()[name]
    return reject_missing_name(__name__, name)


def __dir__() -> list[str]:
    return sorted(__all__)
