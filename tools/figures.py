"""Run every notebook again at a chosen scale and write its figures.

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
from PIL import Image
from tqdm import tqdm
from traitlets import default
from traitlets.config import Config

from pokerlab.core.files import DATA, replace_file
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


def clean(notebook: Any, root: Path) -> Any:
    """Take out of a notebook, in place, what would differ on another machine or day; return it.

    Widgets go, progress bars, timings, Python's version, addresses in memory, the paths of `root` and home. Pictures
    get a palette: what a bench or an explorer leaves behind was painted with all colors, to be quick.
    """
    notebook.metadata.clear()
    notebook.metadata.update(kernelspec=dict(KERNEL), language_info=dict(LANGUAGE))
    for cell in notebook.cells:
        cell.metadata.pop("execution", None)
        if cell.cell_type == "code":
            cell.outputs = [
                give_palette(remove_machine(out, root))
                for out in cell.outputs
                if not is_passing(out)
            ]
    return notebook


def is_passing(output: Any) -> bool:
    """Return whether an output has a meaning only while the kernel lives: widgets, progress bars."""
    return WIDGET in output.get("data", {}) or bool(
        output.output_type == "stream" and "\r" in output.text
    )


def list_complaints(outputs: Iterable[Any]) -> list[str]:
    """Return what outputs say on stderr, line by line, such as warnings; not progress bars."""
    said = [out.text for out in outputs if out.get("name") == "stderr"]
    lines = (re.split(r"[\r\n]", text) for text in said)
    return [line for line in chain(*lines) if line.strip() and not PROGRESS.search(line)]


def remove_machine(output: Any, root: Path) -> Any:
    """Replace in an output, in place, what names this machine; return it."""
    if "text" in output:
        output.text = remove_places(output.text, root)
    for kind, content in output.get("data", {}).items():
        if isinstance(content, str) and not kind.startswith("image/png"):
            output.data[kind] = remove_places(content, root)
    return output


def give_palette(output: Any) -> Any:
    """Give the picture of an output a palette, in place, unless it has one; return the output."""
    png = output.get("data", {}).get("image/png")
    if png:
        image = Image.open(BytesIO(base64.b64decode(png)))
        if image.mode != "P":
            smaller = BytesIO()
            reduce_colors(image).save(smaller, format="png", compress_level=9)
            output.data["image/png"] = base64.b64encode(smaller.getvalue()).decode()
    return output


def remove_places(text: str, root: Path) -> str:
    """Replace the repository's folder, the home folder and addresses in memory."""
    text = text.replace(f"{root}/", "").replace(str(root), ".")
    return ADDRESS.sub("0x...", text.replace(str(Path.home()), "~"))


class NotebookWarning(Exception):
    """Cells of a notebook write to stderr, such as warnings, which would be committed with it."""


class NotebookKernel(SocketFiles, AsyncKernelManager):
    """The kernel of a notebook that is run."""


class Client(NotebookClient):
    """Executes a notebook; Ctrl-C and SIGTERM raise KeyboardInterrupt.

    nbclient by itself kills the kernel and reports that it died, as if the notebook had failed.
    """

    interrupted = False

    @default("kernel_manager_class")
    def _choose_manager(self) -> type[NotebookKernel]:
        return NotebookKernel

    async def async_start_new_kernel(self, **kwargs: Any) -> None:
        """Start the kernel, after replacing the signal handlers that nbclient has just set."""
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
        """Run all cells."""
        try:
            return super().execute(**kwargs)
        except (asyncio.CancelledError, DeadKernelError):
            if self.interrupted:
                raise KeyboardInterrupt from None
            raise


def main(arguments: Sequence[str] | None = None) -> int:
    """Do what the command line says; return 0, 1 if a notebook failed, 130 after Ctrl-C."""
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
        return check(notebooks)
    if options.gallery:
        audits = ", ".join(write_gallery(options)) or "no audit"
        print(
            f"figures: renewed the tables of {options.figures / PAGE}, and the figures of {audits}"
        )
        return 0
    return make(notebooks, options)


def make(notebooks: Sequence[Path], options: argparse.Namespace) -> int:
    """Run the notebooks; return 1 if one failed, 130 after Ctrl-C, else 0."""
    failures = []
    loaded = [(path, load(path)) for path in notebooks]
    total = sum(len(list_code_cells(notebook)) for _, notebook in loaded)
    with tqdm(total=total, unit=" cells", disable=options.quiet) as bar:
        for path, notebook in loaded:
            bar.set_description(path.stem)
            before = bar.n
            try:
                written = run(path, notebook, options.scale, options.figures, bar)
            except KeyboardInterrupt:
                rest = " ".join(map(str, notebooks[notebooks.index(path) :]))
                bar.close()
                print(f"figures: interrupted; go on by adding the names: {rest}", file=sys.stderr)
                return INTERRUPTED
            except (CellExecutionError, DeadKernelError, NotebookWarning) as error:
                failures.append(path)
                bar.write(f"figures: {path} failed:\n{error}", file=sys.stderr)
                bar.update(before + len(list_code_cells(notebook)) - bar.n)
                continue
            where = options.figures / options.scale
            bar.write(f"figures: {path.name}: {', '.join(written) or 'no figures'} in {where}/")
            if options.write:
                write(path, notebook)
            if options.scale == GALLERY_SCALE and name_of(path).startswith(AUDITS):
                write_gallery(options, name_of(path))
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


def load(path: Path) -> Any:
    """Return the notebook of a file."""
    return nbformat.read(path, as_version=VERSION)  # type: ignore[no-untyped-call]


def write_text(notebook: Any) -> str:
    """Return the text of a notebook's file."""
    return f"{nbformat.writes(notebook)}\n"  # type: ignore[no-untyped-call]


def list_code_cells(notebook: Any) -> list[Any]:
    """Return the cells that are executed."""
    return [cell for cell in notebook.cells if cell.cell_type == "code" and cell.source.strip()]


def run(path: Path, notebook: Any, scale: str, figures: Path, bar: Any) -> list[str]:
    """Execute a notebook in its folder; return the names of the figures that it has written.

    They are moved in place of its old ones when it has ended: a failure leaves those.
    """
    figures = figures / scale
    sockets = tempfile.TemporaryDirectory(prefix="pokerlab-sockets-", ignore_cleanup_errors=True)
    with tempfile.TemporaryDirectory() as aside, sockets as folder:
        client = Client(
            notebook, timeout=None, kernel_name="python3", record_timing=False,
            config=Config({"SocketFiles": {"socket_folder": folder}}),
            extra_arguments=["--IPKernelApp.log_level=ERROR"],
            resources={"metadata": {"path": str(path.parent.resolve())}},
            on_cell_executed=lambda cell, cell_index, execute_reply: bar.update(),
        )  # fmt: skip
        places = {FIGURES_VARIABLE: aside, NOTEBOOK_VARIABLE: name_of(path)}
        client.execute(env=os.environ | {SCALE_VARIABLE: scale} | places)
        said = list_complaints(out for cell in list_code_cells(notebook) for out in cell.outputs)
        if said:
            raise NotebookWarning("\n".join(said))
        figures.mkdir(parents=True, exist_ok=True)
        for old, about in read_descriptions(figures).items():
            if about["notebook"] == name_of(path):
                for file in figures.glob(f"{old}.*"):
                    file.unlink()
        written = sorted(file for file in Path(aside).rglob("*") if file.is_file())
        for file in written:
            shutil.move(file, figures / file.name)
    return [file.name for file in written if file.suffix == ".png"]


def write(path: Path, notebook: Any) -> None:
    """Write a notebook with its outputs, without what belongs to the session."""
    clean(notebook, find_root(path))
    with replace_file(path) as file:
        file.write(write_text(notebook).encode())


def check(notebooks: Sequence[Path]) -> int:
    """Say which notebooks hold what does not belong in a commit."""
    unclean = 0
    for path in notebooks:
        notebook = load(path)
        before = write_text(notebook)
        if write_text(clean(notebook, find_root(path))) != before:
            print(f"figures: {path} holds traces of a session; run it with --write")
            unclean = 1
    return unclean


def list_notebooks(folder: Path) -> list[Path]:
    """Return the notebooks of a folder in order, those in folders within it last."""
    return [*sorted(folder.glob("*.ipynb")), *sorted(folder.glob("[!.]*/*.ipynb"))]


def name_of(path: Path) -> str:
    """Return what the gallery calls a notebook: '05_replicator_in_trees', 'audits/noble_2001'."""
    folder = path.resolve().parent
    return path.stem if folder.name == "notebooks" else f"{folder.name}/{path.stem}"


def find_root(path: Path) -> Path:
    """Return the folder that holds the notebooks' folder; a notebook may lie in a folder within that."""
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


def write_gallery(options: argparse.Namespace, audit: str | None = None) -> list[str]:
    """Write an audit's section of the gallery and its pictures anew, and leave the others; return its name in a list.

    If none is named, these are all audits that have figures in figures/paper, and the tables of the other sections
    take over what the audits print now.
    """
    path, made = options.figures / PAGE, options.figures / GALLERY_SCALE
    sections = split_sections(path.read_text(encoding="utf-8")) if path.exists() else {}
    printed, verdicts = load_printed_numbers(), read_verdicts(options.ledgers)
    figures, before = read_descriptions(made), list_pictures(*sections.values())
    if audit is None:
        found = {each["notebook"] for each in figures.values()}
        renewed = sorted(name for name in found if name.startswith(AUDITS))
        sections = {k: renew_verdicts(text, printed, verdicts) for k, text in sections.items()}
    else:
        renewed = [audit]
    for name in renewed:
        sections.pop(name, None)
        about = {figure: each for figure, each in figures.items() if each["notebook"] == name}
        if about:
            sections[name] = write_section(name, about, printed, verdicts)
        for figure in about:
            with replace_file(options.figures / f"{figure}.png") as file:
                file.write((made / f"{figure}.png").read_bytes())
    for figure in set(before) - set(list_pictures(*sections.values())):
        (options.figures / f"{figure}.png").unlink(missing_ok=True)
    with replace_file(path) as file:
        file.write(join_sections(sections).encode())
    return renewed


def join_sections(sections: Mapping[str, str]) -> str:
    """Return the gallery that has these sections, in Markdown."""
    titles = sorted(sections)
    index = " · ".join(f"[{title}](#{title.replace('/', '')})" for title in titles)
    return "\n".join([HEAD, f"{index}\n", *(f"## {title}\n{sections[title]}" for title in titles)])


def split_sections(text: str) -> dict[str, str]:
    """Return what follows each title of a gallery, without the empty line at its end."""
    return {found["title"]: found["body"].rstrip("\n") + "\n" for found in SECTION.finditer(text)}


def list_pictures(*sections: str) -> list[str]:
    """Return the names of the figures that sections of the gallery show."""
    return [name for text in sections for name in PICTURE.findall(text)]


def write_section(
    notebook: str,
    about: Mapping[str, Mapping[str, Any]],
    printed: Mapping[str, Published],
    verdicts: Verdicts,
) -> str:
    """Return the part of the gallery that shows an audit's figures, without its title."""
    head = f"\nFrom [{notebook}](../notebooks/{notebook}.ipynb).\n"
    return "\n".join([head, *(write_entry(name, about[name], printed, verdicts) for name in about)])


def read_descriptions(figures: Path) -> dict[str, dict[str, Any]]:
    """Return the content of the JSON beside each figure, by the figure's name."""
    paths = sorted(figures.glob("[!.]*.json"))
    return {path.stem: json.loads(path.read_text(encoding="utf-8")) for path in paths}


def write_entry(
    name: str, about: Mapping[str, Any], printed: Mapping[str, Published], verdicts: Verdicts
) -> str:
    """Return a figure's part of a section."""
    made = f"Scale {about['scale']}, seed {about['seed']}."
    words = LINK.sub(r"\1", about["caption"]) or name
    lines = [f"### {name}", "", f"![{words}]({name}.png)", "", about["caption"], "", made, ""]
    if about["published"]:
        lines += [write_table(about["published"], printed, verdicts), ""]
    return "\n".join(lines)


def write_table(keys: Iterable[str], printed: Mapping[str, Published], verdicts: Verdicts) -> str:
    """Return the table of the printed numbers with these keys."""
    rows = [write_row(printed[k], verdicts) if k in printed else [k, *UNKNOWN] for k in keys]
    return tabulate(HEADS, rows)


def renew_verdicts(text: str, printed: Mapping[str, Published], verdicts: Verdicts) -> str:
    """Return a section whose tables have the numbers that are printed and the verdicts that are given now."""

    def renewed(table: re.Match[str]) -> str:
        keys = [row.split(" | ")[0].strip("| ") for row in table["rows"].splitlines()]
        return f"{write_table(keys, printed, verdicts)}\n"

    return TABLE.sub(renewed, text)


def load_printed_numbers() -> dict[str, Published]:
    """Return the published numbers of all papers, by their keys."""
    return {row.key: row for paper in PAPERS for row in read_published_numbers(paper)}


def write_row(row: Published, verdicts: Verdicts) -> list[str]:
    """Return a printed number with our number and the audit's verdict."""
    below = "below " if row.relation == "<" else ""
    printed = f"{below}{row.value:.6g} {row.unit}".strip()
    return [row.key, row.source, printed, *verdicts.get(row.key, ("", "no audit yet"))]


def read_verdicts(ledgers: Path) -> Verdicts:
    """Return our number and the verdict for each key of the audits' ledgers."""
    found: Verdicts = {}
    for path in sorted(ledgers.glob("*-*.csv")):
        with path.open(encoding="utf-8", newline="") as lines:
            found |= {row["key"]: (row["ours"], row["verdict"]) for row in csv.DictReader(lines)}
    return found


if __name__ == "__main__":
    sys.exit(main())
