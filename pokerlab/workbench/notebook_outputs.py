"""The part of an executed notebook that belongs in a commit: results, not the session they came from."""

import re
from pathlib import Path
from typing import Any

WIDGET = "application/vnd.jupyter.widget-view+json"
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
ADDRESS = re.compile(r"\b0x[0-9a-f]{6,}\b")


def clean(notebook: Any, root: Path) -> Any:
    """Take out of a notebook, in place, what would differ on another machine or day; return it.

    Widgets go, with their state: where nothing runs they are empty boxes. So do progress bars,
    timings, Python's version, addresses in memory, and the absolute paths of `root` and home.

    Parameters
    ----------
    notebook : NotebookNode
        Executed.
    root : Path
        The repository's folder; paths inside become relative to it.
    """
    notebook.metadata.clear()
    notebook.metadata.update(kernelspec=dict(KERNEL), language_info={"name": "python"})
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        if cell.cell_type == "code":
            cell.outputs = [impersonal(out, root) for out in cell.outputs if not passing(out)]
    return notebook


def passing(output: Any) -> bool:
    """Return whether an output has a meaning only while the kernel lives: widgets, progress bars."""
    return WIDGET in output.get("data", {}) or bool(
        output.output_type == "stream" and "\r" in output.text
    )


def impersonal(output: Any, root: Path) -> Any:
    """Replace in an output, in place, what names this machine; return it."""
    if "text" in output:
        output.text = without_places(output.text, root)
    for kind, content in output.get("data", {}).items():
        if isinstance(content, str) and not kind.startswith("image/png"):
            output.data[kind] = without_places(content, root)
    return output


def without_places(text: str, root: Path) -> str:
    """Replace the repository's folder, the home folder and addresses in memory."""
    text = text.replace(f"{root}/", "").replace(str(root), ".")
    return ADDRESS.sub("0x...", text.replace(str(Path.home()), "~"))
