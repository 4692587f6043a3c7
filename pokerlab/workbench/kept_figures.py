"""Display sentences and figures in a notebook, keep figures with names in files, and save the runs of a bench."""

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
"""The environment variable with the folder into which figures with names are written."""
NOTEBOOK_VARIABLE = "POKERLAB_NOTEBOOK"  # has the notebook that runs, such as 'audits/noble_2001'
MOST_BYTES = 200_000  # of an SVG; in a larger one curves and shades become pixels
SVG_STYLE: Any = {
    "svg.fonttype": "none",  # text stays text
    "svg.hashsalt": "pokerlab",  # the same file for the same figure
    "font.sans-serif": ["DejaVu Sans", "Verdana", "sans-serif"],
}
SAVED = "saved"  # the folder, below that of the notebook, in which a bench saves by default
PROGRAMS = ("pokerlab", "python", "numpy", "scipy", "numba", "matplotlib")


def say(markdown: str, place: DisplayHandle | None = None) -> None:
    """Display a paragraph of Markdown, usually an f-string with computed numbers.

    Parameters
    ----------
    markdown : str
        The paragraph.
    place : DisplayHandle, optional
        A place further up, which `reserve` has returned. The paragraph replaces the one there.
    """
    if place is None:
        display(Markdown(markdown))  # type: ignore[no-untyped-call]
    else:
        place.update(Markdown(markdown))  # type: ignore[no-untyped-call]


def reserve(markdown: str) -> DisplayHandle:
    """Display a paragraph of Markdown that `say` can replace later, and return its place."""
    place = DisplayHandle()  # type: ignore[no-untyped-call]
    place.display(Markdown(markdown))  # type: ignore[no-untyped-call]
    return place


def show(figure: Figure, caption: str, name: str | None = None) -> None:
    """Display a figure with its caption below it. Outside a notebook nothing is displayed.

    A legend that covers data moves to a free corner, or beside the axes.

    Parameters
    ----------
    figure : Figure
        The figure.
    caption : str
        A description in Markdown, which is also the alternative text of the picture.
    name : str, optional
        If given, and if the environment variable POKERLAB_FIGURES has a folder, the figure is also written there, as
        `<name>.png`, `.svg` and `.json`.
    """
    move_legends(figure)
    png = convert_to_png(figure, compression=COMPRESSION)
    if name:
        keep_figure(figure, png, name, caption, {}, {})
    if get_ipython() is not None:
        data, metadata = make_display_data(png, figure, remove_emphasis(caption))
        display(data, metadata=metadata, raw=True)  # type: ignore[no-untyped-call]
        say(caption)


def keep_figure(
    figure: Figure,
    png: bytes,
    name: str,
    caption: str,
    settings: Mapping[str, Any],
    metrics: Mapping[str, float],
) -> None:
    """Write a figure into the folder of the environment variable POKERLAB_FIGURES; nothing if it is not set.

    Parameters
    ----------
    figure : Figure
        The figure, which is written as `<name>.svg`.
    png : bytes
        Its picture, which is written as `<name>.png`.
    name : str
        The name of the files.
    caption : str
        The description of the figure. This and all further arguments are written into `<name>.json`, with the
        notebook, its scale and seed, the versions of programs, and the keys of published numbers in the figure.
    settings : mapping
        The settings of the run that it shows.
    metrics : mapping of str to float
        Numbers of the run that it shows.
    """
    folder = os.environ.get(FIGURES_VARIABLE)
    if not folder:
        return
    programs = describe_versions() | {"matplotlib": matplotlib.__version__}
    about = {
        "notebook": os.environ.get(NOTEBOOK_VARIABLE, ""),
        "caption": caption,
        "scale": read_notebook_variable("SCALE"),
        "seed": read_notebook_variable("SEED"),
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
    """Return a figure as SVG, the same bytes for the same figure.

    If the result would have more than `MOST_BYTES`, curves and areas become pixels, in the figure as well.
    """
    with matplotlib.rc_context(SVG_STYLE):
        svg = write_svg(figure)
        if len(svg) > MOST_BYTES:
            for axes in figure.axes:
                for artist in (*axes.lines, *axes.collections, *axes.patches, *axes.images):
                    artist.set_rasterized(True)
            svg = write_svg(figure)
    return svg


def write_svg(figure: Figure) -> bytes:
    """Return the figure as SVG without the date."""
    buffer = io.BytesIO()
    figure.savefig(buffer, format="svg", metadata={"Date": None})
    return b"".join(line.rstrip() + b"\n" for line in buffer.getvalue().splitlines())


def read_notebook_variable(name: str) -> Any:
    """Return the value of a variable of the notebook that runs, or None if there is none."""
    shell = get_ipython()
    return None if shell is None else shell.user_ns.get(name)


def save_run(
    folder: str | Path | None, title: str, config: Any, history: History, png: bytes
) -> Path:
    """Write the picture, the history and the settings of a run into a new folder, and return its path.

    The folder appears with all files or not at all.

    Parameters
    ----------
    folder : str, Path or None
        The folder, or None for the first free one of the names 'saved/replicator-dynamics-1', and so on.
    title : str
        The title of the experiment, from which these names are made.
    config : dataclass
        The settings.
    history : History
        The history.
    png : bytes
        The picture.

    Raises
    ------
    FileFormatError
        If the folder exists already.
    """
    name = re.sub(r"[^a-z0-9]+", "-", title.lower()).strip("-")
    free_folders = (path for n in count(1) if not (path := Path(SAVED) / f"{name}-{n}").exists())
    target = Path(folder) if folder is not None else next(free_folders)
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
