"""The files that a reader can save from a bench: the picture, its columns, the shown strategy, and its code."""

import csv
import io
import re
import sys
from collections.abc import Sequence
from dataclasses import MISSING, fields
from typing import Any, NamedTuple

import numpy as np
from PIL import Image

from pokerlab.core import SettingError, UnknownNameError
from pokerlab.games import Profile
from pokerlab.games.profile_tables import format_table_csv
from pokerlab.papers.experiment import Experiment
from pokerlab.runs import History
from pokerlab.workbench.kept_figures import convert_to_svg
from pokerlab.workbench.matplotlib_painter import paint_picture
from pokerlab.workbench.picture import Curves, HeatMap, Picture

GIF_COLORS = 64
FILM_MILLISECONDS, LAST_MILLISECONDS = 8000, 2000
"""The time of all pictures of a film but the last, and the time of the last one."""
LEAST_MILLISECONDS, MOST_MILLISECONDS = 40, 400
"""The limits of the time of each picture but the last."""


class File(NamedTuple):
    """A file for the browser to download.

    Attributes
    ----------
    name : str
        The name of the file, with its ending.
    mime_type : str
        The MIME type of its content.
    content : bytes
        The content.
    """

    name: str
    mime_type: str
    content: bytes


KINDS = ("svg", "columns", "strategy", "code")
"""The kinds of files that can be saved from a bench. The page itself makes a PNG and a film."""
PICTURE_KINDS = KINDS[:2]
"""The kinds of files that can be saved from a picture that shows no run."""


def make_file(
    kind: str,
    experiment: Experiment,
    config: Any,
    history: History,
    picture: Picture,
    profile: Profile | None = None,
) -> File:
    """Return a file of a bench.

    Parameters
    ----------
    kind : str
        'svg' for the picture, 'columns' for the recorded columns, 'strategy' for the shown profile (or the heat maps if
        there is none), and 'code' for the code that makes the same bench.
    experiment, config, history, picture
        The experiment of the bench, its settings, the history of its run, and its picture.
    profile : Profile, optional
        The first shown profile of a compiled game. `Profile.from_csv` reads its file.

    Returns
    -------
    File
        The file, whose name begins with the title of the experiment.

    Raises
    ------
    SettingError
        If the picture has no heat map, or if the experiment has no name in a module.
    """
    UnknownNameError.check("thing to save", kind, KINDS)
    if kind == "svg":
        return make_picture_file(kind, experiment.title, picture)
    name = make_file_name(experiment.title)
    if kind == "columns":
        return File(f"{name}.csv", "text/csv", write_columns(history).encode())
    if kind == "strategy":
        table = (
            write_heat_maps(picture) if profile is None else format_table_csv(profile.to_table())
        )
        return File(f"{name}-strategy.csv", "text/csv", table.encode())
    code = write_code(experiment, config, history.provenance.get("disturbances", ()))
    return File(f"{name}.py", "text/x-python", code.encode())


def make_file_name(title: str) -> str:
    """Return the name of a file without its ending, such as 'population-explorer' for 'Population explorer'."""
    return re.sub(r"\W+", "-", title.lower().replace("'", "")).strip("-")


def make_picture_file(kind: str, title: str, picture: Picture) -> File:
    """Return a picture as an SVG file if `kind` is 'svg', or its curves as a CSV file if it is 'columns'."""
    UnknownNameError.check("thing to save", kind, PICTURE_KINDS)
    name = make_file_name(title)
    if kind == "svg":
        return File(f"{name}.svg", "image/svg+xml", convert_to_svg(paint_picture(picture)))
    return File(f"{name}.csv", "text/csv", write_curves(picture).encode())


def join_frames(frames: Sequence[bytes]) -> bytes:
    """Return an animated GIF of pictures, which lasts about as long as *Play again*.

    The last picture is shown longer than the others.

    Parameters
    ----------
    frames : sequence of bytes
        The pictures in PNG format. All get the size of the first.
    """
    images = [Image.open(io.BytesIO(frame)).convert("RGB") for frame in frames]
    first_image, *other_images = (
        image.resize(images[0].size).quantize(GIF_COLORS, dither=Image.Dither.NONE)
        for image in images
    )
    milliseconds = FILM_MILLISECONDS // len(images)
    milliseconds = min(max(LEAST_MILLISECONDS, milliseconds), MOST_MILLISECONDS)
    durations = [milliseconds] * len(other_images) + [LAST_MILLISECONDS]
    buffer = io.BytesIO()
    first_image.save(
        buffer, "GIF", save_all=True, append_images=other_images, duration=durations, loop=0
    )
    return buffer.getvalue()


def write_columns(history: History) -> str:
    """Return a history as CSV with a row for each recording. The names of columns are followed by their units."""
    column_names = [
        f"{name} ({history.units[name]})" if history.units[name] else name
        for name in history.columns
    ]
    rows = zip(*(history[name].tolist() for name in history.columns), strict=True)
    return write_csv([column_names, *rows])


def write_heat_maps(picture: Picture) -> str:
    """Return the heat maps of a picture as CSV: a row for each cell, with its plot, row, column and value."""
    rows: list[Sequence[Any]] = [("plot", "row", "column", "value")]
    for strip in picture.strips:
        for panel in strip.panels:
            if isinstance(panel, HeatMap):
                rows += list_cells(panel)
    if len(rows) == 1:
        raise SettingError("the picture shows no strategy. Save its columns instead.")
    return write_csv(rows)


def list_cells(panel: HeatMap) -> list[Sequence[Any]]:
    """Return the name of the plot, the row, the column and the value of each cell of a heat map that has a value."""
    rows, columns = panel.values.shape
    row_names = panel.rows or tuple(str(row + 1) for row in range(rows))
    column_names = panel.columns or tuple(str(column + 1) for column in range(columns))
    name = panel.title or panel.key
    return [
        (name, row_names[row], column_names[column], repr(float(panel.values[row, column])))
        for row in range(rows)
        for column in range(columns)
        if panel.values[row, column] == panel.values[row, column]
    ]


def write_curves(picture: Picture) -> str:
    """Return the measured curves of a picture as CSV: a row for each point, with the name of its curve."""
    rows: list[Sequence[Any]] = [("curve", "across", "up")]
    for strip in picture.strips:
        for panel in strip.panels:
            for name, (x, y) in panel.numbers.items() if isinstance(panel, Curves) else ():
                rows += [(name, *point) for point in np.transpose([x, y]).tolist()]
    return write_csv(rows)


def write_csv(rows: Sequence[Sequence[Any]]) -> str:
    """Return rows as text in CSV format."""
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerows(rows)
    return buffer.getvalue()


def write_code(
    experiment: Experiment, config: Any, disturbances: Sequence[tuple[int, str]] = ()
) -> str:
    """Return code that makes the same bench.

    Settings with their default value are left out. Comments state the changes of the run by hand.

    Parameters
    ----------
    experiment : Experiment
        The experiment, which must be in a module of `pokerlab.papers`.
    config : Any
        Its settings.
    disturbances : sequence of (int, str)
        The iteration and the words of each change of the run by hand.
    """
    module, name = find_module_and_name(experiment)
    config_type = type(config)
    settings = ", ".join(
        f"{field.name}={getattr(config, field.name)!r}"
        for field in fields(config)
        if field.default is MISSING or getattr(config, field.name) != field.default
    )
    if config_type.__module__ == module:
        imports = f"from {module} import {config_type.__name__}, {name}"
    else:
        imports = f"from {config_type.__module__} import {config_type.__name__}\nfrom {module} import {name}"
    comments = "".join(
        f"# At t = {iteration:,} this run was changed by hand: {words}.\n"
        for iteration, words in disturbances
    )
    return (
        f"import pokerlab as pl\n{imports}\n\n{comments}"
        f"bench = pl.workbench.bench({name}, {config_type.__name__}({settings}))\n"
    )


def find_module_and_name(experiment: Experiment) -> tuple[str, str]:
    """Return the module of `pokerlab.papers` that has an experiment, and the name of the experiment in it."""
    papers = [name for name in sys.modules if name.startswith("pokerlab.papers.")]
    # The module that defines the settings comes first: others may only import the experiment.
    papers.sort(key=lambda name: name != experiment.config_type.__module__)
    for module in papers:
        for name, value in vars(sys.modules[module]).items():
            if value is experiment:
                return module, name
    raise SettingError(
        f"'{experiment.title}' is defined in this notebook, so code elsewhere cannot import it. Copy its cell."
    )
