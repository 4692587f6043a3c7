"""What a reader takes home from a bench: the picture, its columns, the strategy on show, and the code that makes it."""

import csv
import io
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
from pokerlab.workbench.matplotlib_painter import paint
from pokerlab.workbench.picture import Curves, HeatMap, Picture

GIF_COLORS = 64
FILM_MILLISECONDS, LAST_MILLISECONDS = 8000, 2000
"""Of a whole film, and of its last picture."""
LEAST_MILLISECONDS, MOST_MILLISECONDS = 40, 400  # of every other picture


class File(NamedTuple):
    """Something to download."""

    name: str
    kind: str  # its MIME type
    content: bytes


KINDS = ("svg", "columns", "strategy", "code")
"""What can be taken home; a PNG and a film are made by the page."""
KINDS_OF_PICTURES = KINDS[:2]
"""The same of a picture that shows no run."""


def make_file(
    kind: str,
    experiment: Experiment,
    config: Any,
    history: History,
    picture: Picture,
    profile: Profile | None = None,
) -> File:
    """Return what a reader has asked for.

    Parameters
    ----------
    kind : str
        'svg': the picture; 'columns': what has been recorded; 'strategy': the profile on show, or the heat maps where
        there is none; 'code': what makes the same bench.
    experiment, config, history, picture
        Of the bench.
    profile : Profile, optional
        The first profile on show, of a compiled game; `Profile.from_csv` reads its file.

    Raises
    ------
    SettingError
        If the picture has no heat map, or if the experiment has no name in a module.
    """
    UnknownNameError.check("thing to save", kind, KINDS)
    if kind == "svg":
        return make_picture_file(kind, experiment.title, picture)
    name = write_name(experiment.title)
    if kind == "columns":
        return File(f"{name}.csv", "text/csv", write_columns(history).encode())
    if kind == "strategy":
        if profile is None:
            written = write_heat_maps(picture)
        else:
            written = format_table_csv(profile.to_table())
        return File(f"{name}-strategy.csv", "text/csv", written.encode())
    written = write_code(experiment, config, history.provenance.get("disturbances", ()))
    return File(f"{name}.py", "text/x-python", written.encode())


def write_name(title: str) -> str:
    """Return the name of a file without its ending: 'Population explorer' becomes 'population-explorer'."""
    return "-".join(title.lower().replace("'", "").split())


def make_picture_file(kind: str, title: str, picture: Picture) -> File:
    """Return a picture as SVG (`kind` is 'svg'), or its measurements as CSV ('columns')."""
    UnknownNameError.check("thing to save", kind, KINDS_OF_PICTURES)
    name = write_name(title)
    if kind == "svg":
        return File(f"{name}.svg", "image/svg+xml", convert_to_svg(paint(picture)))
    return File(f"{name}.csv", "text/csv", write_curves(picture).encode())


def join_frames(frames: Sequence[bytes]) -> bytes:
    """Return an animated GIF of pictures in PNG format, which lasts about as long as *Play again*; the last one stays.

    All frames get the size of the first.
    """
    images = [Image.open(io.BytesIO(frame)).convert("RGB") for frame in frames]
    first, *others = (
        image.resize(images[0].size).quantize(GIF_COLORS, dither=Image.Dither.NONE)
        for image in images
    )
    even = FILM_MILLISECONDS // len(images)
    each = min(max(LEAST_MILLISECONDS, even), MOST_MILLISECONDS)
    durations = [each] * len(others) + [LAST_MILLISECONDS]
    buffer = io.BytesIO()
    first.save(buffer, "GIF", save_all=True, append_images=others, duration=durations, loop=0)
    return buffer.getvalue()


def write_columns(history: History) -> str:
    """Return the recordings as CSV, a row each; names of columns have the unit behind them."""
    heads = [
        f"{name} ({history.units[name]})" if history.units[name] else name
        for name in history.columns
    ]
    rows = zip(*(history[name].tolist() for name in history.columns), strict=True)
    return write_csv([heads, *rows])


def write_heat_maps(picture: Picture) -> str:
    """Return the heat maps of a picture as CSV: a row for each cell, with what it is about and its value."""
    rows: list[Sequence[Any]] = [("plot", "row", "column", "value")]
    for strip in picture.strips:
        for panel in strip.panels:
            if isinstance(panel, HeatMap):
                rows += list_cells(panel)
    if len(rows) == 1:
        raise SettingError("the picture shows no strategy. Save its columns instead.")
    return write_csv(rows)


def list_cells(panel: HeatMap) -> list[Sequence[Any]]:
    """Return the cells of a heat map that have a value."""
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
    """Return the curves of a picture that are measurements as CSV: a row for each point, with its curve's name."""
    rows: list[Sequence[Any]] = [("curve", "across", "up")]
    for strip in picture.strips:
        for panel in strip.panels:
            for name, (x, y) in panel.numbers.items() if isinstance(panel, Curves) else ():
                rows += [(name, *point) for point in np.transpose([x, y]).tolist()]
    return write_csv(rows)


def write_csv(rows: Sequence[Sequence[Any]]) -> str:
    """Return rows as CSV."""
    buffer = io.StringIO()
    csv.writer(buffer, lineterminator="\n").writerows(rows)
    return buffer.getvalue()


def write_code(
    experiment: Experiment, config: Any, disturbances: Sequence[tuple[int, str]] = ()
) -> str:
    """Return the lines that make the same bench; settings that have their default are left out.

    What was done to the run by hand is named in comments.
    """
    module, name = find_name(experiment)
    kind = type(config)
    settings = ", ".join(
        f"{field.name}={getattr(config, field.name)!r}"
        for field in fields(config)
        if field.default is MISSING or getattr(config, field.name) != field.default
    )
    if kind.__module__ == module:
        imports = f"from {module} import {kind.__name__}, {name}"
    else:
        imports = f"from {kind.__module__} import {kind.__name__}\nfrom {module} import {name}"
    by_hand = "".join(
        f"# At t = {when:,} this run was changed by hand: {words}.\n"
        for when, words in disturbances
    )
    return (
        f"import pokerlab as pl\n{imports}\n\n{by_hand}"
        f"bench = pl.workbench.bench({name}, {kind.__name__}({settings}))\n"
    )


def find_name(experiment: Experiment) -> tuple[str, str]:
    """Return the module of the papers in which an experiment stands, and its name there."""
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
