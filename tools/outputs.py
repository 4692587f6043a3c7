"""What is committed and derived from other files: from what, by which command, how long it takes, and if it is current.

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

from pokerlab.core.files import replace_file
from pokerlab.workbench.text import tabulate
from tools.figures import list_notebooks, name_of

LEDGER = Path("tools/outputs.csv")
RETIRED = Path("data/runs/retired.csv")
SECONDS_AN_HOUR = 3600.0
LEAST_HOURS = 0.05  # of what is called "minutes"
FIGURES = "{python} -m tools.figures --scale {scale} --write"
LONG_RUN = "{python} -m studies.nicolai2009.long_run"


@dataclass(frozen=True)
class Output:
    """Files that are derived from others."""

    name: str
    files: tuple[str, ...]  # patterns, seen from the root
    sources: tuple[str, ...]  # likewise
    command: str
    hours: float
    is_recorded: bool = False  # made again only where it is missing

    def paths(self, root: Path) -> list[Path]:
        """Return its files."""
        return find_matching(root, self.files)

    def remove(self, root: Path) -> None:
        """Remove its files, except those that no program can make again."""
        with (root / RETIRED).open(encoding="utf-8", newline="") as lines:
            retired = {row["file"] for row in csv.DictReader(lines)}
        for path in self.paths(root):
            if path.name not in retired:
                path.unlink()


@dataclass(frozen=True)
class Recorded:
    """Recordings of one paper: their files, the code that makes them, and the notebooks that show them."""

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
        ("05_replicator_in_trees", "05b_the_long_run", "audits/lanctot_2014"),
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
    """Return everything that is derived, in the order in which it has to be made."""
    return [*list_recordings(root), *list_tables(), *list_executed(root), *list_pages()]


def list_recordings(root: Path) -> Iterator[Output]:
    """Yield the recordings of each paper."""
    for each in RECORDED:
        files = (f"data/runs/{each.prefix}*.npz", f"data/runs/longer/{each.prefix}*.npz")
        shown = f"{FIGURES.format(python=sys.executable, scale='paper')} notebooks/{each.notebooks[-1]}.ipynb"
        yield Output(
            f"recordings: {each.paper}",
            files,
            each.code,
            each.command.format(python=sys.executable, scale="paper") or shown,
            sum(read_seconds(path) for path in find_matching(root, files)) / SECONDS_AN_HOUR,
            is_recorded=True,
        )


def list_tables() -> Iterator[Output]:
    """Yield what benchmarks measure."""
    yield Output(
        "scoreboard",
        ("data/scoreboard.csv",),
        ("benchmarks/standings.py",),
        f"{sys.executable} -m benchmarks.standings",
        0.5,
    )
    yield Output(
        "benchmark page",
        ("figures/benchmark.*",),
        ("CITATION.cff",),  # it is measured anew for each release
        f"{sys.executable} -m benchmarks.run",
        0.3,
    )


def list_executed(root: Path) -> Iterator[Output]:
    """Yield the notebooks with their outputs: derived from their own code and from their papers' recordings."""
    of_notebook = {
        notebook: f"data/runs/{each.prefix}*.npz"
        for each in RECORDED
        for notebook in each.notebooks
    }
    for path in list_notebooks(root / "notebooks"):
        name = name_of(path)
        scale = "paper" if name.startswith("audits/") else "lab"
        file = path.relative_to(root).as_posix()
        command = f"{FIGURES.format(python=sys.executable, scale=scale)} {file}"
        sources = (file, *filter(None, [of_notebook.get(name)]))
        yield Output(f"notebook: {name}", (file,), sources, command, HOURS[scale])


def list_pages() -> Iterator[Output]:
    """Yield what is drawn from all of that."""
    yield Output(
        "gallery",
        ("figures/README.md", "figures/*_*.png"),
        ("notebooks/audits/*.ipynb",),
        f"{sys.executable} -m tools.figures --gallery",
        0.0,
    )
    yield Output(
        "moving picture",
        ("figures/table_and_bench.gif",),
        ("tools/moving_picture.py",),
        f"{sys.executable} -m tools.moving_picture",
        LEAST_HOURS,
    )


def find_matching(root: Path, patterns: Iterable[str]) -> list[Path]:
    """Return the files that match any of the patterns, in order."""
    return sorted({path for pattern in patterns for path in root.glob(pattern) if path.is_file()})


def read_seconds(path: Path) -> float:
    """Return how long a recording says that it took; zero if it does not say."""
    with np.load(path) as arrays:
        about = json.loads(arrays["about"].tobytes())
    provenance = about.get("provenance") or {}
    return float(about.get("seconds") or provenance.get("seconds") or 0.0)


def compute_digest(root: Path, output: Output) -> str:
    """Return a digest of what the sources of an output say."""
    total = hashlib.sha256()
    for path in find_matching(root, output.sources):
        total.update(f"{path.relative_to(root).as_posix()}\n{read_content(path)}\n".encode())
    return total.hexdigest()[:16]


def read_content(path: Path) -> str:
    """Return what a source says: of code what it does, of other files their bytes' digest."""
    if path.suffix == ".py":
        return strip_words(path.read_text(encoding="utf-8"))
    if path.suffix == ".ipynb":
        cells = json.loads(path.read_text(encoding="utf-8"))["cells"]
        code = ("".join(cell["source"]) for cell in cells if cell["cell_type"] == "code")
        return "\n".join(strip_words(text) for text in code)
    return hashlib.sha256(path.read_bytes()).hexdigest()


def strip_words(code: str) -> str:
    """Return a program as a text that comments, docstrings, imports and layout do not change."""
    tree = ast.parse("\n".join(line for line in code.splitlines() if line[:1] not in ("%", "!")))
    for node in ast.walk(tree):
        if isinstance(body := getattr(node, "body", None), list):
            node.body = [each for each in body if not is_words(each)] or [ast.Pass()]  # type: ignore[attr-defined]
    return ast.dump(tree)


def is_words(statement: ast.stmt) -> bool:
    """Return whether a statement is an import, or a text that stands by itself."""
    if isinstance(statement, ast.Import | ast.ImportFrom):
        return True
    return isinstance(statement, ast.Expr) and isinstance(statement.value, ast.Constant)


def read_ledger(path: Path) -> dict[str, dict[str, str]]:
    """Return what the sources of each output said when it was made."""
    with path.open(encoding="utf-8", newline="") as lines:
        return {row["output"]: row for row in csv.DictReader(lines)}


def write_ledger(path: Path, rows: Mapping[str, Mapping[str, str]]) -> None:
    """Write the ledger, whole or not at all."""
    lines = ["output,digest,made", *(f'"{n}",{r["digest"]},{r["made"]}' for n, r in rows.items())]
    with replace_file(path) as file:
        file.write(("\n".join(lines) + "\n").encode())


def find_out_of_date(root: Path, ledger: Mapping[str, Mapping[str, str]]) -> list[Output]:
    """Return the outputs whose sources say something else than when they were made."""
    return [
        each
        for each in list_outputs(root)
        if ledger.get(each.name, {}).get("digest") != compute_digest(root, each)
    ]


def write_table(root: Path, ledger: Mapping[str, Mapping[str, str]]) -> str:
    """Return what is derived from what, as a table."""
    late = {each.name for each in find_out_of_date(root, ledger)}
    rows = [
        [
            each.name,
            ", ".join(each.sources),
            each.command.replace(f"{sys.executable} ", "python "),
            "minutes" if each.hours < LEAST_HOURS else f"{each.hours:.1f} hours",
            "OUT OF DATE" if each.name in late else f"current, {ledger[each.name]['made']}",
        ]
        for each in list_outputs(root)
    ]
    return tabulate(["output", "derived from", "made by", "takes", "state"], rows)


def make(root: Path, output: Output) -> bool:
    """Run the command of an output; return whether it has ended well."""
    print(f"outputs: {output.name}, some {output.hours:.1f} hours: {output.command}", flush=True)
    if output.is_recorded:
        output.remove(root)
    done = subprocess.run(["bash", "-c", output.command], cwd=root, check=False).returncode == 0
    if not done:
        files = " ".join(shlex.quote(pattern) for pattern in output.files)
        print(
            f"outputs: {output.name} failed; `git checkout -- {files}` brings back what was there"
        )
    return done


def main(arguments: Sequence[str] | None = None, root: Path | None = None) -> int:
    """Print the table, make or accept; return 1 if something failed."""
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
    everything = {each.name: each for each in list_outputs(root)}
    if unknown := [name for name in options.names if name not in everything]:
        print(f"outputs: there is no {', '.join(unknown)}; there are {', '.join(everything)}.")
        return 1
    if not (options.make or options.accept):
        print(write_table(root, ledger))
        print("The site is no output: make site draws it from all of this each time.")
        return 0
    done = 0
    for name, output in everything.items():  # in order: what is made may outdate what follows
        is_current = ledger.get(name, {}).get("digest") == compute_digest(root, output)
        if name not in options.names if options.names else is_current:
            continue
        if options.make and not make(root, output):
            return 1
        today = datetime.now(UTC).date().isoformat()
        ledger[name] = {"digest": compute_digest(root, output), "made": today}
        write_ledger(root / LEDGER, {each: ledger[each] for each in everything if each in ledger})
        done += 1
    print(f"outputs: {done} {'made' if options.make else 'accepted'}")
    return 0


if __name__ == "__main__":
    sys.exit(main())
