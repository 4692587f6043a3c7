"""Run notebooks again at a chosen scale, and write their figures and the gallery of the audits' figures.

`python -m tools.figures --scale lab` executes the notebooks. When a whole notebook has run, the figures that it
names are written into `figures/lab`, each as PNG, SVG and JSON; git ignores the folders of the three scales. An audit
that has run at the scale `paper` also renews its section of the gallery, `figures/README.md`, and the pictures
beside it, which are committed. A command that was interrupted says how to go on. `--write` also keeps the outputs in
the notebooks, but only what belongs in a commit: results, not the session they came from. Two options run nothing:
`--check` names the notebooks that hold what does not belong in a commit, `--gallery` renews the gallery from
`figures/paper`.
"""

import argparse
import asyncio
import base64
import csv
import json
import os
import re
import shutil
import signal
import sys
import tempfile
from collections.abc import Iterable, Mapping, Sequence
from contextlib import suppress
from io import BytesIO
from itertools import chain
from pathlib import Path
from typing import Any

import nbformat
from jupyter_client.manager import AsyncKernelManager
from nbclient import NotebookClient
from nbclient.exceptions import CellExecutionError, DeadKernelError
from nbformat import NotebookNode
from PIL import Image
from tqdm import tqdm
from traitlets import default
from traitlets.config import Config

from pokerlab.core.files import DATA, open_replacement_file
from pokerlab.papers.experiment import SCALES, Published, read_published_numbers
from pokerlab.workbench.dash.sockets import SocketFiles
from pokerlab.workbench.kept_figures import FIGURES_VARIABLE, NOTEBOOK_VARIABLE
from pokerlab.workbench.style import reduce_colors
from pokerlab.workbench.text import tabulate

WIDGET = "application/vnd.jupyter.widget-view+json"
KERNEL = {"display_name": "Python 3 (ipykernel)", "language": "python", "name": "python3"}
LANGUAGE = {
    "codemirror_mode": {"name": "ipython", "version": 3},
    "file_extension": ".py",
    "mimetype": "text/x-python",
    "name": "python",
    "nbconvert_exporter": "python",
    "pygments_lexer": "ipython3",
}
"""As JupyterLab writes it, but for Python's version."""
PROGRESS = re.compile(r"\d%\||\dit \[|\[\d+:\d\d")  # of a line that tqdm writes
ADDRESS = re.compile(r"\b0x[0-9a-f]{6,}\b")
SCALE_VARIABLE = "POKERLAB_SCALE"
VERSION = 4
INTERRUPTED = 130


def remove_session_traces(notebook: NotebookNode, root: Path) -> NotebookNode:
    """Remove from a notebook, in place, what would differ on another machine or day, and return the notebook.

    Widgets, progress bars, timings, Python's version, addresses in memory, and paths of this machine are removed.
    Pictures get a palette, because a bench or an explorer paints them with all colors, to be quick.

    Parameters
    ----------
    notebook : NotebookNode
        The notebook with its outputs.
    root : Path
        The project's folder, whose path is removed from outputs.
    """
    notebook.metadata.clear()
    notebook.metadata.update(kernelspec=dict(KERNEL), language_info=dict(LANGUAGE))
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        if cell.cell_type == "code":
            kept_outputs = [output for output in cell.outputs if not is_transient_output(output)]
            cell.outputs = [
                reduce_picture_to_palette(remove_local_names(output, root))
                for output in kept_outputs
            ]
    return notebook


def is_transient_output(output: NotebookNode) -> bool:
    """Return whether an output has a meaning only while the kernel lives, such as a widget or a progress bar."""
    is_widget = WIDGET in output.get("data", {})
    is_progress_bar = output.output_type == "stream" and "\r" in output.text
    return is_widget or bool(is_progress_bar)


def list_error_lines(outputs: Iterable[NotebookNode]) -> list[str]:
    """Return the lines that the outputs of cells have on stderr, such as warnings, without progress bars."""
    texts = [output.text for output in outputs if output.get("name") == "stderr"]
    lines = chain(*(re.split(r"[\r\n]", text) for text in texts))
    return [line for line in lines if line.strip() and not PROGRESS.search(line)]


def remove_local_names(output: NotebookNode, root: Path) -> NotebookNode:
    """Remove paths of this machine and addresses in memory from an output of a cell, in place, and return it."""
    if "text" in output:
        output.text = remove_local_paths(output.text, root)
    for kind, content in output.get("data", {}).items():
        if isinstance(content, str) and not kind.startswith("image/png"):
            output.data[kind] = remove_local_paths(content, root)
    return output


def reduce_picture_to_palette(output: NotebookNode) -> NotebookNode:
    """Reduce the PNG picture of a cell's output, if it has one, to a palette of colors, in place; return the output."""
    png = output.get("data", {}).get("image/png")
    if png:
        image = Image.open(BytesIO(base64.b64decode(png)))
        if image.mode != "P":
            buffer = BytesIO()
            reduce_colors(image).save(buffer, format="png", compress_level=9)
            output.data["image/png"] = base64.b64encode(buffer.getvalue()).decode()
    return output


def remove_local_paths(text: str, root: Path) -> str:
    """Return a text in which the project's folder, the home folder and addresses in memory are replaced.

    The paths become relative to the project's folder `root` or begin with '~', and addresses become '0x...'.
    """
    text = text.replace(f"{root}/", "").replace(str(root), ".")
    return ADDRESS.sub("0x...", text.replace(str(Path.home()), "~"))


class NotebookWarning(Exception):
    """Cells of a notebook write to stderr, such as warnings, which would be committed with it."""


class NotebookKernel(SocketFiles, AsyncKernelManager):
    """The kernel of a notebook that is run."""


class Client(NotebookClient):
    """Executes the cells of a notebook in a kernel. Ctrl-C and SIGTERM raise KeyboardInterrupt.

    nbclient by itself kills the kernel and reports that it died, as if the notebook had failed.
    """

    interrupted = False

    @default("kernel_manager_class")
    def _choose_manager(self) -> type[NotebookKernel]:
        return NotebookKernel

    async def async_start_new_kernel(self, **kwargs: Any) -> None:
        """Start the notebook's kernel, and let Ctrl-C and SIGTERM interrupt its execution.

        This replaces the signal handlers that nbclient has just set. `kwargs` are those of nbclient's method.
        """
        loop, task = asyncio.get_running_loop(), asyncio.current_task()
        with suppress(RuntimeError):  # as in nbclient: on Windows and outside the main thread
            for number in (signal.SIGINT, signal.SIGTERM):
                loop.add_signal_handler(number, self.interrupt, task)
        await super().async_start_new_kernel(**kwargs)

    def interrupt(self, task: Any) -> None:
        """Cancel the execution and let nbclient kill the kernel without waiting for it."""
        self.interrupted = True
        self.shutdown_kernel = "immediate"
        task.cancel()

    def execute(self, **kwargs: Any) -> Any:
        """Execute all cells and return the notebook. KeyboardInterrupt is raised if it was interrupted."""
        try:
            return super().execute(**kwargs)
        except (asyncio.CancelledError, DeadKernelError):
            if self.interrupted:
                raise KeyboardInterrupt from None
            raise


def main(arguments: Sequence[str] | None = None) -> int:
    """Run notebooks, look at their outputs, or renew the gallery, as the command line says, and return an exit status.

    It is 0, or 1 if a notebook is missing or failed, or 130 after Ctrl-C.
    """
    options = parse_options(arguments)
    notebooks = [Path(name) for name in options.names] or list_notebooks(options.notebooks)
    if not notebooks:
        print(f"figures: no notebooks in {options.notebooks}/")
        return 1
    missing = [str(path) for path in notebooks if path.suffix != ".ipynb" or not path.is_file()]
    if missing:
        print(
            f"figures: no notebook {', '.join(missing)}; a name is the path of an .ipynb file seen from"
            f" {Path.cwd()}. Name one that is there, or none to run all in {options.notebooks}/."
        )
        return 1
    if options.check:
        return report_session_traces(notebooks)
    if options.gallery:
        audits = ", ".join(update_gallery(options)) or "no audit"
        print(
            f"figures: renewed the tables of {options.figures / PAGE}, and the figures of {audits}"
        )
        return 0
    return run_notebooks(notebooks, options)


def run_notebooks(notebooks: Sequence[Path], options: argparse.Namespace) -> int:
    """Run notebooks with a progress bar, write their figures, and return an exit status.

    Parameters
    ----------
    notebooks : sequence of Path
        The notebooks, in the order in which they are run. The failure of one does not keep the others from running.
    options : argparse.Namespace
        The options of `parse_options`: the scale, the folders, and whether outputs are kept.

    Returns
    -------
    int
        1 if a notebook failed, 130 after Ctrl-C, otherwise 0.
    """
    failures = []
    notebooks_by_path = {path: read_notebook(path) for path in notebooks}
    total = sum(len(list_code_cells(notebooks_by_path[path])) for path in notebooks)
    with tqdm(total=total, unit=" cells", disable=options.quiet) as progress_bar:
        for path in notebooks:
            notebook = notebooks_by_path[path]
            progress_bar.set_description(path.stem)
            cells_before = progress_bar.n
            try:
                written = run_notebook(path, notebook, options.scale, options.figures, progress_bar)
            except KeyboardInterrupt:
                remaining = " ".join(map(str, notebooks[notebooks.index(path) :]))
                progress_bar.close()
                print(
                    f"figures: interrupted; go on by adding the names: {remaining}", file=sys.stderr
                )
                return INTERRUPTED
            except (CellExecutionError, DeadKernelError, NotebookWarning) as error:
                failures.append(path)
                progress_bar.write(f"figures: {path} failed:\n{error}", file=sys.stderr)
                cells_after = cells_before + len(list_code_cells(notebook))
                progress_bar.update(cells_after - progress_bar.n)
                continue

            folder = options.figures / options.scale
            progress_bar.write(
                f"figures: {path.name}: {', '.join(written) or 'no figures'} in {folder}/"
            )
            if options.write:
                write_without_session(path, notebook)
            if options.scale == GALLERY_SCALE and get_notebook_name(path).startswith(AUDITS):
                update_gallery(options, get_notebook_name(path))
    return 1 if failures else 0


def parse_options(arguments: Sequence[str] | None) -> argparse.Namespace:
    """Return the options on the command line."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.figures", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("names", nargs="*", help="notebooks to run; all if none is named")
    parser.add_argument("--scale", choices=SCALES, default="quick", help="how much work")
    parser.add_argument("--notebooks", type=Path, default=Path("notebooks"), help="their folder")
    parser.add_argument("--figures", type=Path, default=Path("figures"), help="where figures go")
    parser.add_argument("--ledgers", type=Path, default=LEDGERS, help="the audits' ledgers")
    parser.add_argument("--write", action="store_true", help="keep the outputs in the notebooks")
    parser.add_argument("--check", action="store_true", help="run nothing; look at the outputs")
    parser.add_argument("--gallery", action="store_true", help="run nothing; renew the gallery")
    parser.add_argument("--quiet", action="store_true", help="no progress bar")
    return parser.parse_args(arguments)


def read_notebook(path: Path) -> NotebookNode:
    """Return the notebook of a file."""
    notebook: NotebookNode = nbformat.read(path, as_version=VERSION)  # type: ignore[no-untyped-call]
    return notebook


def format_notebook(notebook: NotebookNode) -> str:
    """Return the text of a notebook's file."""
    return f"{nbformat.writes(notebook)}\n"  # type: ignore[no-untyped-call]


def list_code_cells(notebook: NotebookNode) -> list[NotebookNode]:
    """Return the cells that are executed."""
    return [cell for cell in notebook.cells if cell.cell_type == "code" and cell.source.strip()]


def run_notebook(
    path: Path, notebook: NotebookNode, scale: str, figures: Path, progress_bar: tqdm
) -> list[str]:
    """Execute a notebook in its folder, and return the file names of the PNG figures that it has written.

    New figures replace the notebook's old ones only when it has ended, so a failure leaves the old ones.

    Parameters
    ----------
    path : Path
        The notebook's file.
    notebook : NotebookNode
        Its content, whose outputs are overwritten.
    scale : {'quick', 'lab', 'paper'}
        How much work the notebook does.
    figures : Path
        The folder that holds a folder of figures for each scale.
    progress_bar : tqdm
        Advanced by one for each cell.

    Raises
    ------
    NotebookWarning
        If a cell writes to stderr.
    CellExecutionError, DeadKernelError
        If a cell raises an error, or the kernel dies.
    KeyboardInterrupt
        After Ctrl-C or SIGTERM.
    """
    figures = figures / scale
    sockets = tempfile.TemporaryDirectory(prefix="pokerlab-sockets-", ignore_cleanup_errors=True)
    with tempfile.TemporaryDirectory() as new_figures, sockets as folder:
        client = Client(
            notebook, timeout=None, kernel_name="python3", record_timing=False,
            config=Config({"SocketFiles": {"socket_folder": folder}}),
            extra_arguments=["--IPKernelApp.log_level=ERROR"],
            resources={"metadata": {"path": str(path.parent.resolve())}},
            on_cell_executed=lambda cell, cell_index, execute_reply: progress_bar.update(),
        )  # fmt: skip
        variables = {
            SCALE_VARIABLE: scale,
            FIGURES_VARIABLE: new_figures,
            NOTEBOOK_VARIABLE: get_notebook_name(path),
        }
        client.execute(env=os.environ | variables)
        outputs = (output for cell in list_code_cells(notebook) for output in cell.outputs)
        if error_lines := list_error_lines(outputs):
            raise NotebookWarning("\n".join(error_lines))

        figures.mkdir(parents=True, exist_ok=True)
        for name, description in read_figure_descriptions(figures).items():
            if description["notebook"] == get_notebook_name(path):
                for file in figures.glob(f"{name}.*"):
                    file.unlink()
        written = sorted(file for file in Path(new_figures).rglob("*") if file.is_file())
        for file in written:
            shutil.move(file, figures / file.name)
    return [file.name for file in written if file.suffix == ".png"]


def write_without_session(path: Path, notebook: NotebookNode) -> None:
    """Write a notebook with its outputs to its file, without what belongs to the session in which it ran."""
    remove_session_traces(notebook, find_project_folder(path))
    with open_replacement_file(path) as file:
        file.write(format_notebook(notebook).encode())


def report_session_traces(notebooks: Sequence[Path]) -> int:
    """Print which notebooks hold traces of a session, which do not belong in a commit.

    The result is an exit status: 1 if there is such a notebook, otherwise 0.
    """
    status = 0
    for path in notebooks:
        notebook = read_notebook(path)
        before = format_notebook(notebook)
        remove_session_traces(notebook, find_project_folder(path))
        if format_notebook(notebook) != before:
            print(f"figures: {path} holds traces of a session; run it with --write")
            status = 1
    return status


def list_notebooks(folder: Path) -> list[Path]:
    """Return the notebooks of a folder in order, those in folders within it last."""
    return [*sorted(folder.glob("*.ipynb")), *sorted(folder.glob("[!.]*/*.ipynb"))]


def get_notebook_name(path: Path) -> str:
    """Return the name of a notebook in the gallery, such as '05_replicator_in_trees' or 'audits/noble_2001'."""
    folder = path.resolve().parent
    return path.stem if folder.name == "notebooks" else f"{folder.name}/{path.stem}"


def find_project_folder(path: Path) -> Path:
    """Return the folder of the project to which a notebook belongs.

    It holds the folder 'notebooks'. The notebook lies in that folder, or in a folder within it.
    """
    folder = path.resolve().parent
    return folder.parent.parent if folder.parent.name == "notebooks" else folder.parent


PAGE = "README.md"
GALLERY_SCALE, AUDITS = "paper", "audits/"
"""What the gallery shows: the figures of notebooks whose names begin so, from runs at this scale."""
PAPERS = sorted(
    path.stem for path in (DATA / "published").glob("*.csv") if "-figure-" not in path.stem
)
UNKNOWN = ("", "", "", "of another name in data/published by now; run the notebook again")
HEAD = """# Figures

Each section has the figures of one audit. A table below a figure sets the published numbers that it shows beside ours,
with the verdict of the audit. `make figures SCALE=paper` runs the audits, writes this page and the pictures beside it,
and puts each figure into `figures/paper` as SVG, too, and as JSON with its settings and versions. Figures of the
lessons are in the lessons. [Speed beside other libraries](benchmark.md) has a page of its own.
"""
HEADS = ("published", "where", "printed", "ours", "verdict")
TABLE = re.compile(r"^\| published \| where .*\n.*\n(?P<rows>(?:\|.*\n)*)", re.MULTILINE)
SECTION = re.compile(r"^## (?P<title>.+)\n(?P<body>(?:(?!## ).*\n)*)", re.MULTILINE)
PICTURE = re.compile(r"^!\[.*\]\((\w+)\.png\)$", re.MULTILINE)
LINK = re.compile(r"\[([^\]]*)\]\([^)]*\)")
Verdicts = dict[str, tuple[str, str]]
"""Our number and the audit's verdict, by the key of a printed number."""
LEDGERS = DATA / "verdicts"


def update_gallery(options: argparse.Namespace, audit: str | None = None) -> list[str]:
    """Write sections of the gallery and their pictures anew, and return the names of the audits to which they belong.

    Parameters
    ----------
    options : argparse.Namespace
        The options of `parse_options`: the folders of figures and of ledgers.
    audit : str, optional
        The audit whose section is written. By default these are all audits that have figures of the scale 'paper', and
        the tables of all other sections are brought up to date.
    """
    path, made = options.figures / PAGE, options.figures / GALLERY_SCALE
    sections = split_gallery(path.read_text(encoding="utf-8")) if path.exists() else {}
    pictures_before = list_pictures(*sections.values())
    printed, verdicts = read_all_printed_numbers(), read_verdicts(options.ledgers)
    descriptions = read_figure_descriptions(made)
    if audit is None:
        notebooks = {description["notebook"] for description in descriptions.values()}
        renewed = sorted(name for name in notebooks if name.startswith(AUDITS))
        sections = {
            name: update_tables_of_section(text, printed, verdicts)
            for name, text in sections.items()
        }
    else:
        renewed = [audit]

    for name in renewed:
        sections.pop(name, None)
        own_descriptions = {
            figure: description
            for figure, description in descriptions.items()
            if description["notebook"] == name
        }
        if own_descriptions:
            sections[name] = format_section(name, own_descriptions, printed, verdicts)
        for figure in own_descriptions:
            with open_replacement_file(options.figures / f"{figure}.png") as file:
                file.write((made / f"{figure}.png").read_bytes())

    # Pictures that no section shows anymore are deleted.
    for figure in set(pictures_before) - set(list_pictures(*sections.values())):
        (options.figures / f"{figure}.png").unlink(missing_ok=True)
    with open_replacement_file(path) as file:
        file.write(format_gallery(sections).encode())
    return renewed


def format_gallery(sections: Mapping[str, str]) -> str:
    """Return the page of the gallery in Markdown, given the text of each section by its title."""
    titles = sorted(sections)
    index = " · ".join(f"[{title}](#{title.replace('/', '')})" for title in titles)
    return "\n".join([HEAD, f"{index}\n", *(f"## {title}\n{sections[title]}" for title in titles)])


def split_gallery(text: str) -> dict[str, str]:
    """Return the text of each section of a gallery, by its title. It is the inverse of `format_gallery`."""
    return {found["title"]: found["body"].rstrip("\n") + "\n" for found in SECTION.finditer(text)}


def list_pictures(*sections: str) -> list[str]:
    """Return the names of the figures that sections of the gallery show."""
    return [name for text in sections for name in PICTURE.findall(text)]


def format_section(
    notebook: str,
    descriptions: Mapping[str, Mapping[str, Any]],
    printed: Mapping[str, Published],
    verdicts: Verdicts,
) -> str:
    """Return the section of the gallery that shows an audit's figures, in Markdown and without its title.

    Parameters
    ----------
    notebook : str
        The name of the audit, such as 'audits/noble_2001'.
    descriptions : mapping of str to mapping
        The description of each figure by its name, from `read_figure_descriptions`.
    printed : mapping of str to Published
        The printed numbers by key.
    verdicts : Verdicts
        Our number and the verdict by key.
    """
    head = f"\nFrom [{notebook}](../notebooks/{notebook}.ipynb).\n"
    figures = [
        format_figure(name, description, printed, verdicts)
        for name, description in descriptions.items()
    ]
    return "\n".join([head, *figures])


def read_figure_descriptions(figures: Path) -> dict[str, dict[str, Any]]:
    """Return the content of the JSON beside each figure, by the figure's name."""
    paths = sorted(figures.glob("[!.]*.json"))
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in paths}


def format_figure(
    name: str, description: Mapping[str, Any], printed: Mapping[str, Published], verdicts: Verdicts
) -> str:
    """Return the part of a gallery's section that shows one figure, in Markdown.

    It has a title, the picture, the caption, scale and seed, and a table of the printed numbers that the figure shows.

    Parameters
    ----------
    name : str
        The name of the figure.
    description : mapping
        The content of the JSON file beside the figure: 'caption', 'scale', 'seed' and 'published', the keys of printed
        numbers.
    printed : mapping of str to Published
        The printed numbers by key.
    verdicts : Verdicts
        Our number and the verdict by key.
    """
    caption = description["caption"]
    alternative_text = LINK.sub(r"\1", caption) or name
    settings = f"Scale {description['scale']}, seed {description['seed']}."
    lines = [f"### {name}", "", f"![{alternative_text}]({name}.png)", "", caption, "", settings, ""]
    if description["published"]:
        lines += [format_table_of_numbers(description["published"], printed, verdicts), ""]
    return "\n".join(lines)


def format_table_of_numbers(
    keys: Iterable[str], printed: Mapping[str, Published], verdicts: Verdicts
) -> str:
    """Return a table in Markdown of printed numbers beside ours, with the verdicts of the audit.

    Parameters
    ----------
    keys : iterable of str
        The keys of the printed numbers. The row of an unknown key says so.
    printed : mapping of str to Published
        The printed numbers by key.
    verdicts : Verdicts
        Our number and the verdict by key.
    """
    rows = []
    for key in keys:
        if key in printed:
            rows.append(format_printed_number(printed[key], verdicts))
        else:
            rows.append([key, *UNKNOWN])
    return tabulate(HEADS, rows)


def update_tables_of_section(
    text: str, printed: Mapping[str, Published], verdicts: Verdicts
) -> str:
    """Return a section of the gallery whose tables have the present printed numbers, our numbers and verdicts."""

    def format_table_again(table: re.Match[str]) -> str:
        """Return a table of the same keys as one that was found in the section."""
        keys = [row.split(" | ")[0].strip("| ") for row in table["rows"].splitlines()]
        return f"{format_table_of_numbers(keys, printed, verdicts)}\n"

    return TABLE.sub(format_table_again, text)


def read_all_printed_numbers() -> dict[str, Published]:
    """Return the published numbers of all papers, by their keys."""
    return {row.key: row for paper in PAPERS for row in read_published_numbers(paper)}


def format_printed_number(row: Published, verdicts: Verdicts) -> list[str]:
    """Return a row of the gallery's tables: key, source and value of a printed number, our number, and the verdict."""
    below = "below " if row.relation == "<" else ""
    printed = f"{below}{row.value:.6g} {row.unit}".strip()
    return [row.key, row.source, printed, *verdicts.get(row.key, ("", "no audit yet"))]


def read_verdicts(ledgers: Path) -> Verdicts:
    """Return our number and the audit's verdict for each statement, by its key, from a folder of ledgers."""
    verdicts: Verdicts = {}
    for path in sorted(ledgers.glob("*-*.csv")):
        with path.open(encoding="utf-8", newline="") as lines:
            for row in csv.DictReader(lines):
                verdicts[row["key"]] = row["ours"], row["verdict"]
    return verdicts


if __name__ == "__main__":
    sys.exit(main())
