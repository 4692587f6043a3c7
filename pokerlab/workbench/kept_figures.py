"""What is displayed and kept: sentences, figures that have a name, and what a bench saves."""

import dataclasses
import io
import json
import os
import re
import shutil
import tempfile
from collections.abc import Mapping
from itertools import count
from pathlib import Path
from typing import Any

import matplotlib
from IPython.core.getipython import get_ipython
from IPython.display import DisplayHandle, Markdown, display
from matplotlib.figure import Figure

from pokerlab.core import FileFormatError
from pokerlab.core.files import open_replacement_file
from pokerlab.runs import History
from pokerlab.runs.history import convert_to_json_values, describe_versions
from pokerlab.workbench.plots import find_published_keys, move_legends
from pokerlab.workbench.style import COMPRESSION, convert_to_png, make_display_data
from pokerlab.workbench.text import remove_emphasis

FIGURES_VARIABLE = "POKERLAB_FIGURES"
"""Names the folder into which figures that have a name are written."""
NOTEBOOK_VARIABLE = "POKERLAB_NOTEBOOK"  # names the notebook that runs, as 'audits/noble_2001'
MOST_BYTES = 200_000  # of an SVG; what would be larger has its curves and shades as pixels
SVG: Any = {
    "svg.fonttype": "none",  # text stays text
    "svg.hashsalt": "pokerlab",  # the same file for the same figure
    "font.sans-serif": ["DejaVu Sans", "Verdana", "sans-serif"],
}
SAVED = "saved"  # where a bench saves if no folder is named, below the notebook's
PROGRAMS = ("pokerlab", "python", "numpy", "scipy", "numba", "matplotlib")


def say(markdown: str, place: DisplayHandle | None = None) -> None:
    """Display a paragraph of Markdown, as a rule an f-string with computed numbers.

    It stands here, or in a `place` further up that `reserve` has made, instead of what stood there.
    """
    if place is None:
        display(Markdown(markdown))  # type: ignore[no-untyped-call]
    else:
        place.update(Markdown(markdown))  # type: ignore[no-untyped-call]


def reserve(markdown: str) -> DisplayHandle:
    """Display a paragraph that `say` replaces later, such as by a summary of what follows."""
    place = DisplayHandle()  # type: ignore[no-untyped-call]
    place.display(Markdown(markdown))  # type: ignore[no-untyped-call]
    return place


def show(figure: Figure, caption: str, name: str | None = None) -> None:
    """Display the figure, and below it what to see; outside a notebook only write it.

    A legend that covers data moves to a free corner, or beside the axes.

    Parameters
    ----------
    figure : Figure
        What `figure` has made.
    caption : str
        What there is to see, in Markdown; it is the picture's alternative text as well.
    name : str, optional
        If given, and if the environment variable POKERLAB_FIGURES names a folder, the figure is
        also kept there, as `keep` says.
    """
    move_legends(figure)
    png = convert_to_png(figure, compression=COMPRESSION)
    if name:
        keep(figure, png, name, caption, {}, {})
    if get_ipython() is not None:
        data, metadata = make_display_data(png, figure, remove_emphasis(caption))
        display(data, metadata=metadata, raw=True)  # type: ignore[no-untyped-call]
        say(caption)


def keep(
    figure: Figure,
    png: bytes,
    name: str,
    caption: str,
    settings: Mapping[str, Any],
    metrics: Mapping[str, float],
) -> None:
    """Write `<name>.png`, `.svg` and `.json` into the folder that POKERLAB_FIGURES names, if it names one."""
    folder = os.environ.get(FIGURES_VARIABLE)
    if not folder:
        return
    programs = describe_versions() | {"matplotlib": matplotlib.__version__}
    about = {
        "notebook": os.environ.get(NOTEBOOK_VARIABLE, ""),
        "caption": caption,
        "scale": find_variable("SCALE"),
        "seed": find_variable("SEED"),
        "settings": settings,
        "versions": {name: programs[name] for name in PROGRAMS},
        "metrics": metrics,
        "published": sorted({*find_published_keys(figure)}),
    }
    text = json.dumps(convert_to_json_values(about), indent=1, ensure_ascii=False) + "\n"
    for kind, content in {"png": png, "svg": convert_to_svg(figure), "json": text.encode()}.items():
        with open_replacement_file(Path(folder) / f"{name}.{kind}") as file:
            file.write(content)


def convert_to_svg(figure: Figure) -> bytes:
    """Return the figure as SVG, the same bytes for the same figure, `MOST_BYTES` where that is possible."""
    with matplotlib.rc_context(SVG):
        made = write_svg(figure)
        if len(made) > MOST_BYTES:
            for axes in figure.axes:
                for artist in (*axes.lines, *axes.collections, *axes.patches, *axes.images):
                    artist.set_rasterized(True)
            made = write_svg(figure)
    return made


def write_svg(figure: Figure) -> bytes:
    """Return the figure as SVG without the date."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None})
    return b"".join(line.rstrip() + b"\n" for line in buffer.getvalue().splitlines())


def find_variable(name: str) -> Any:
    """Return a variable of the notebook that runs; None if there is none."""
    shell = get_ipython()
    return None if shell is None else shell.user_ns.get(name)


def save_run(
    folder: str | Path | None, title: str, config: Any, history: History, png: bytes
) -> Path:
    """Write figure, history and config into a new folder, such as 'saved/replicator-dynamics-1'; return it."""
    name = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
    free = (path for n in count(1) if not (path := Path(SAVED) / f"{name}-{n}").exists())
    target = Path(folder) if folder is not None else next(free)
    if target.exists():
        raise FileFormatError(f"{target} exists already; name another folder, or delete it.")
    target.parent.mkdir(parents=True, exist_ok=True)
    unfinished = Path(tempfile.mkdtemp(prefix=f".{target.name}.", dir=target.parent))
    try:
        (unfinished / "figure.png").write_bytes(png)
        text = json.dumps(dataclasses.asdict(config), indent=2)
        (unfinished / "config.json").write_text(f"{text}\n", encoding="utf-8")
        history.save(unfinished / "history.npz")
        unfinished.chmod(0o755)
        unfinished.rename(target)
    finally:
        shutil.rmtree(unfinished, ignore_errors=True)
    return target
