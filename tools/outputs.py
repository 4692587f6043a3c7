"""Whether files that are committed and derived from others are current, and by which command each is made again.

`make outputs` prints it. An output is current if its sources say the same as when it was made; comments, docstrings,
imports and layout do not count, and neither do changes of the library, which tests hold to the same numbers. What the
sources said then stands in `tools/outputs.csv` as a digest, with the date.

`make outputs OPTIONS=--make` makes whatever is out of date. Recordings are deleted before they are made again, except
those in `data/runs/retired.csv`, whose programs are gone. `make outputs OPTIONS="--accept 'notebook: 02_populations'"`
says of a change that it alters nothing in an output, as tests that run the beginnings of recordings again may show.
"""

import argparse
import ast
import csv
import hashlib
import json
import shlex
import subprocess
import sys
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from datetime import UTC, datetime
from pathlib import Path

import numpy as np

from pokerlab.core.files import open_replacement_file
from pokerlab.workbench.text import tabulate
from tools.figures import get_notebook_name, list_notebooks

LEDGER = Path("tools/outputs.csv")
RETIRED = Path("data/runs/retired.csv")
SECONDS_AN_HOUR = 3600.0
LEAST_HOURS = 0.05  # of what is called "minutes"
FIGURES = "{python} -m tools.figures --scale {scale} --write"
LONG_RUN = "{python} -m studies.nicolai2009.long_run"


@dataclass(frozen=True)
class Output:
    """Committed files that one command derives from other files.

    Attributes
    ----------
    name : str
        The name by which the command line knows them, such as 'notebook: 02_populations'.
    files, sources : tuple of str
        Patterns of the derived files and of the files that they are derived from, seen from the project's folder.
    command : str
        The command that makes them, for bash.
    hours : float
        How long it takes.
    is_recorded : bool
        Whether the command makes only what is missing, so that the files must be removed before.
    """

    name: str
    files: tuple[str, ...]
    sources: tuple[str, ...]
    command: str
    hours: float
    is_recorded: bool = False

    def paths(self, root: Path) -> list[Path]:
        """Return the derived files that exist in the project's folder `root`."""
        return find_matching_files(root, self.files)

    def remove(self, root: Path) -> None:
        """Remove the derived files from the project's folder, except those that no program can make again."""
        with (root / RETIRED).open(encoding="utf-8", newline="") as lines:
            retired = {row["file"] for row in csv.DictReader(lines)}
        for path in self.paths(root):
            if path.name not in retired:
                path.unlink()


@dataclass(frozen=True)
class Recorded:
    """Recorded runs of one paper: their files, the code that makes them, and the notebooks that show them.

    Attributes
    ----------
    paper : str
        The authors.
    prefix : str
        The beginning of the files' names in `data/runs`.
    code : tuple of str
        Patterns of the modules that make the recordings.
    notebooks : tuple of str
        The names of the notebooks that show them.
    command : str
        The command that makes them; if empty, the last notebook records what is missing.
    """

    paper: str
    prefix: str
    code: tuple[str, ...]
    notebooks: tuple[str, ...]
    command: str = ""


RECORDED = (
    Recorded(
        "Lanctot",
        "lanctot-2014-",
        ("pokerlab/papers/lanctot2014.py", "pokerlab/solvers/dynamics.py"),
        ("05_replicator_in_trees", "05c_the_average_of_a_loop", "audits/lanctot_2014"),
    ),
    Recorded(
        "Nicolai & Hilderman",
        "nicolai-2009-",
        ("pokerlab/papers/nicolai2009*.py", "notebooks/audits/studies/nicolai2009/*.py"),
        ("14b_halls_of_fame", "audits/nicolai_2009"),
        "for method in Control 2Pop 4Pop LargeHOF SmallHOF HOF2Pop; do PYTHONPATH=notebooks/audits"
        f" {LONG_RUN} $method 1 data/runs/unfinished/$method-1 --keep; done &&"
        f" {FIGURES} notebooks/audits/nicolai_2009.ipynb",
    ),
    Recorded(
        "Noble & Watson",
        "noble-2001-",
        ("pokerlab/papers/noble2001.py", "notebooks/audits/studies/noble2001/*.py"),
        ("13_pareto_coevolution", "13b_dominance_or_elitism", "audits/noble_2001"),
    ),
    Recorded(
        "Oliehoek and others",
        "oliehoek-2006-",
        ("pokerlab/papers/oliehoek2006.py", "notebooks/audits/studies/oliehoek2006/*.py"),
        ("08_nash_memory", "audits/oliehoek_2006"),
    ),
    Recorded(
        "Samothrakis & Lucas",
        "samothrakis-2011-",
        ("pokerlab/papers/samothrakis2011*.py", "notebooks/audits/studies/samothrakis2011/*.py"),
        (
            "09_minimax_coevolution",
            "09b_judges_that_err",
            "11_limit_holdem",
            "11b_fooled_judges",
            "12_what_forgetting_costs",
            "12b_what_buckets_hide",
            "12c_finer_abstractions",
            "audits/samothrakis_2011",
        ),
    ),
    Recorded(
        "every method in buckets",
        "populations-in-buckets",
        ("pokerlab/papers/methods.py",),
        ("methods",),
    ),
)
"""Where no command is given, the last notebook records what is missing when it runs at the scale 'paper'."""
HOURS = {"lab": 0.1, "paper": 1.0}
"""That a notebook takes with its recordings."""


def list_outputs(root: Path) -> list[Output]:
    """Return all derived files of the project's folder `root`, in the order in which they have to be made."""
    return [
        *list_recordings(root),
        *list_benchmark_outputs(),
        *list_executed_notebooks(root),
        *list_drawn_outputs(),
    ]


def list_recordings(root: Path) -> Iterator[Output]:
    """Yield the recorded runs of each paper as an Output."""
    for recorded in RECORDED:
        files = (f"data/runs/{recorded.prefix}*.npz", f"data/runs/longer/{recorded.prefix}*.npz")
        own_command = recorded.command.format(python=sys.executable, scale="paper")
        run_notebook = FIGURES.format(python=sys.executable, scale="paper")
        last_notebook = f"notebooks/{recorded.notebooks[-1]}.ipynb"
        seconds = sum(read_recording_seconds(path) for path in find_matching_files(root, files))
        yield Output(
            name=f"recordings: {recorded.paper}",
            files=files,
            sources=recorded.code,
            command=own_command or f"{run_notebook} {last_notebook}",
            hours=seconds / SECONDS_AN_HOUR,
            is_recorded=True,
        )


def list_benchmark_outputs() -> Iterator[Output]:
    """Yield the files that benchmarks write: the scoreboard of the lessons' methods, and the page on speed."""
    yield Output(
        name="scoreboard",
        files=("data/scoreboard.csv",),
        sources=("benchmarks/standings.py",),
        command=f"{sys.executable} -m benchmarks.standings",
        hours=0.5,
    )
    yield Output(
        name="benchmark page",
        files=("figures/benchmark.*",),
        sources=("CITATION.cff",),  # it is measured anew for each release
        command=f"{sys.executable} -m benchmarks.run",
        hours=0.3,
    )


def list_executed_notebooks(root: Path) -> Iterator[Output]:
    """Yield each notebook with its outputs, which are derived from its own code and from its paper's recorded runs."""
    recordings_by_notebook = {
        notebook: f"data/runs/{recorded.prefix}*.npz"
        for recorded in RECORDED
        for notebook in recorded.notebooks
    }
    for path in list_notebooks(root / "notebooks"):
        name = get_notebook_name(path)
        scale = "paper" if name.startswith("audits/") else "lab"
        file = path.relative_to(root).as_posix()
        sources = [file]
        if name in recordings_by_notebook:
            sources.append(recordings_by_notebook[name])
        yield Output(
            name=f"notebook: {name}",
            files=(file,),
            sources=tuple(sources),
            command=f"{FIGURES.format(python=sys.executable, scale=scale)} {file}",
            hours=HOURS[scale],
        )


def list_drawn_outputs() -> Iterator[Output]:
    """Yield the pictures that are made of notebooks: the gallery, and the moving picture of the README."""
    yield Output(
        name="gallery",
        files=("figures/README.md", "figures/*_*.png"),
        sources=("notebooks/audits/*.ipynb",),
        command=f"{sys.executable} -m tools.figures --gallery",
        hours=0.0,
    )
    yield Output(
        name="moving picture",
        files=("figures/table_and_bench.gif",),
        sources=("tools/moving_picture.py",),
        command=f"{sys.executable} -m tools.moving_picture",
        hours=LEAST_HOURS,
    )


def find_matching_files(root: Path, patterns: Iterable[str]) -> list[Path]:
    """Return the files that match any of the patterns, in order."""
    return sorted({path for pattern in patterns for path in root.glob(pattern) if path.is_file()})


def read_recording_seconds(path: Path) -> float:
    """Return the computing time in seconds that is stored in a recording; zero if none is stored."""
    with np.load(path) as arrays:
        about = json.loads(arrays["about"].tobytes())
    provenance = about.get("provenance") or {}
    return float(about.get("seconds") or provenance.get("seconds") or 0.0)


def compute_sources_digest(root: Path, output: Output) -> str:
    """Return a digest of the sources of an output, 16 hexadecimal digits, which changes only if their meaning does."""
    digest = hashlib.sha256()
    for path in find_matching_files(root, output.sources):
        name = path.relative_to(root).as_posix()
        digest.update(f"{name}\n{read_source(path)}\n".encode())
    return digest.hexdigest()[:16]


def read_source(path: Path) -> str:
    """Return a text that changes if the meaning of a source file does.

    For a module or a notebook it is the normalized program, without comments and outputs. For any other file it is a
    digest of its bytes.
    """
    if path.suffix == ".py":
        return normalize_program(path.read_text(encoding="utf-8"))
    if path.suffix == ".ipynb":
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        code = ("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
        return "\n".join(normalize_program(text) for text in code)
    return hashlib.sha256(path.read_bytes()).hexdigest()


def normalize_program(code: str) -> str:
    """Return a program as a text that does not change with comments, docstrings, imports and layout."""
    # Lines that begin so are commands of IPython, which Python cannot parse.
    lines = [line for line in code.splitlines() if not line.startswith(("%", "!"))]
    tree = ast.parse("\n".join(lines))
    for node in ast.walk(tree):
        body = getattr(node, "body", None)
        if isinstance(body, list):
            statements = [statement for statement in body if not is_import_or_text(statement)]
            node.body = statements or [ast.Pass()]  # type: ignore[attr-defined]
    return ast.dump(tree)


def is_import_or_text(statement: ast.stmt) -> bool:
    """Return whether a statement is an import, or a text that stands by itself."""
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return True
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def read_ledger(path: Path) -> dict[str, dict[str, str]]:
    """Return the rows of the ledger of outputs, by the name of the output.

    A row has the digest of the output's sources when it was made, and the date.
    """
    with path.open(encoding="utf-8", newline="") as lines:
        return {row["output"]: row for row in csv.DictReader(lines)}


def write_ledger(path: Path, rows: Mapping[str, Mapping[str, str]]) -> None:
    """Write the ledger of outputs, whole or not at all, from its rows by the name of the output."""
    lines = ["output,digest,made"]
    for name, row in rows.items():
        lines.append(f'"{name}",{row["digest"]},{row["made"]}')
    with open_replacement_file(path) as file:
        file.write(("\n".join(lines) + "\n").encode())


def find_outdated_outputs(root: Path, ledger: Mapping[str, Mapping[str, str]]) -> list[Output]:
    """Return the outputs whose sources have changed since they were made, as the ledger's digests show."""
    outdated = []
    for output in list_outputs(root):
        digest_when_made = ledger.get(output.name, {}).get("digest")
        if digest_when_made != compute_sources_digest(root, output):
            outdated.append(output)
    return outdated


def format_table(root: Path, ledger: Mapping[str, Mapping[str, str]]) -> str:
    """Return a table in Markdown of all outputs: sources, command, time, and whether each is current."""
    outdated = {output.name for output in find_outdated_outputs(root, ledger)}
    rows = []
    for output in list_outputs(root):
        sources = ", ".join(output.sources)
        command = output.command.replace(f"{sys.executable} ", "python ")
        time = "minutes" if output.hours < LEAST_HOURS else f"{output.hours:.1f} hours"
        state = "OUT OF DATE"
        if output.name not in outdated:
            state = f"current, {ledger[output.name]['made']}"
        rows.append([output.name, sources, command, time, state])
    return tabulate(["output", "derived from", "made by", "takes", "state"], rows)


def make_output(root: Path, output: Output) -> bool:
    """Run the command that makes an output, and return whether it succeeded."""
    print(f"outputs: {output.name}, some {output.hours:.1f} hours: {output.command}", flush=True)
    if output.is_recorded:
        output.remove(root)
    process = subprocess.run(["bash", "-c", output.command], cwd=root, check=False)
    succeeded = process.returncode == 0
    if not succeeded:
        files = " ".join(shlex.quote(pattern) for pattern in output.files)
        print(
            f"outputs: {output.name} failed; `git checkout -- {files}` brings back what was there"
        )
    return succeeded


def main(arguments: Sequence[str] | None = None, root: Path | None = None) -> int:
    """Print which outputs are current, make outdated ones, or accept them, as the command line says.

    Parameters
    ----------
    arguments : sequence of str, optional
        The command line, by default that of the process.
    root : Path, optional
        The project's folder, by default the working directory.

    Returns
    -------
    int
        1 if a name is unknown or a command failed, otherwise 0.
    """
    parser = argparse.ArgumentParser(
        prog="python -m tools.outputs", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument(
        "names", nargs="*", help="outputs; all that are out of date if none is named"
    )
    parser.add_argument("--make", action="store_true", help="make what is out of date")
    parser.add_argument("--accept", action="store_true", help="say that changes alter nothing")
    options = parser.parse_args(arguments)
    root = Path.cwd() if root is None else root
    ledger = read_ledger(root / LEDGER)
    outputs = {output.name: output for output in list_outputs(root)}
    if unknown := [name for name in options.names if name not in outputs]:
        print(f"outputs: there is no {', '.join(unknown)}; there are {', '.join(outputs)}.")
        return 1
    if not (options.make or options.accept):
        print(format_table(root, ledger))
        print("The site is no output: make site draws it from all of this each time.")
        return 0

    num_done = 0
    for name, output in outputs.items():  # in order: what is made may outdate what follows
        is_current = ledger.get(name, {}).get("digest") == compute_sources_digest(root, output)
        is_wanted = name in options.names if options.names else not is_current
        if not is_wanted:
            continue
        if options.make and not make_output(root, output):
            return 1
        today = datetime.now(UTC).date().isoformat()
        ledger[name] = {"digest": compute_sources_digest(root, output), "made": today}
        write_ledger(root / LEDGER, {known: ledger[known] for known in outputs if known in ledger})
        num_done += 1
    print(f"outputs: {num_done} {'made' if options.make else 'accepted'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
