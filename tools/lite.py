"""Build a JupyterLab that runs in the browser itself, with the lessons, for readers who install nothing.

`make lite` runs `python -m tools.lite`, which writes into the folder `lite` what JupyterLite makes of the lessons and
of our wheel. Any server of files can publish this folder. Beside our wheel it holds those that Pyodide, the Python of
browsers, lacks; the page fetches Pyodide itself, with NumPy and the like, from Pyodide's public host.

Pyodide has no numba, so kernels are interpreted there. It starts no threads either, so the event loop drives a bench.
`doors.RUNNING` names the lessons that run so within minutes; the other notebooks are there to read.
"""

import argparse
import csv
import json
import subprocess
import sys
import tempfile
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import nbformat

from tools.doors import RUNNING
from tools.handout import write_handout
from tools.site import replace_folder

CARRIED = (
    "anywidget",
    "cma",
    "comm",
    "filelock",
    "ipywidgets",
    "jupyterlab-widgets",
    "loky",
    "psygnal",
)
"""What pokerlab and its widgets need, and Pyodide has not; in the versions of requirements.lock."""
EXTENSIONS = (
    "@jupyter-widgets/jupyterlab-manager",
    "@jupyterlite/pyodide-kernel-extension",
    "anywidget",
)
"""What the page needs of JupyterLab's extensions."""
INSTALL = """# This cell installs pokerlab in the browser: a minute the first time, and again in each new kernel.
%pip install -q pokerlab=={version} ipywidgets anywidget"""
TO_READ = """> **To read.** In the browser this notebook would take too long, so it stands here with its outputs.
> These lessons run in the browser: {running}."""
BUILT = "jupyter-lite.json"
"""What JupyterLite leaves in a folder that it has built."""


def main(arguments: Sequence[str] | None = None) -> int:
    """Build the JupyterLab that runs in a browser into a folder, and return an exit status.

    It is 0, or 1 if a folder of another kind is in its place.
    """
    parser = argparse.ArgumentParser(
        prog="python -m tools.lite", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--root", type=Path, default=Path(), help="the project's folder")
    parser.add_argument("--out", type=Path, default=Path("lite"), help="where it goes")
    parser.add_argument("--pyodide", default="", help="an archive of Pyodide, to publish it too")
    options = parser.parse_args(arguments)
    if options.out.exists() and not (options.out / BUILT).exists():
        print(f"lite: {options.out}/ is there and is no JupyterLite; name another by --out.")
        return 1
    with tempfile.TemporaryDirectory(prefix="pokerlab-lite-") as folder:
        lessons, wheels, pages = (Path(folder, name) for name in ("lessons", "wheels", "pages"))
        version = build_wheel(options.root, wheels)
        download_wheels(options.root, wheels)
        write_notebooks_for_browser(options.root / "notebooks", lessons, version)
        config = make_build_config(lessons, wheels, pages, options.pyodide)
        Path(folder, "jupyter_lite_config.json").write_text(json.dumps(config), encoding="utf-8")
        build = [sys.executable, "-m", "jupyterlite_core", "build", "--lite-dir", folder]
        subprocess.run(build, cwd=folder, check=True)
        replace_folder(pages, options.out)
    print(f"lite: to try it, run `python -m http.server 8000 --directory {options.out}` and open")
    print(f"      http://localhost:8000/lab/index.html?path={RUNNING[0]}.ipynb")
    return 0


def build_wheel(root: Path, wheels: Path) -> str:
    """Build pokerlab's wheel into the folder `wheels`, and return its version."""
    options = ["--no-build-isolation", "--no-deps", "--quiet", "--wheel-dir", str(wheels)]
    run_pip("wheel", *options, str(root))
    (wheel,) = wheels.iterdir()
    return wheel.name.split("-")[1]


def download_wheels(root: Path, wheels: Path) -> None:
    """Download into the folder `wheels` the packages that pokerlab needs and Pyodide lacks.

    All are in pure Python, and have the versions of `requirements.lock` in the project's folder `root`.
    """
    python_version = read_pyodide(root)["python"].rpartition(".")[0]  # without its last number
    pure = ["--only-binary=:all:", "--implementation", "py", "--abi", "none", "--platform", "any"]
    pins = ["--python-version", python_version, "--constraint", str(root / "requirements.lock")]
    run_pip("download", "--quiet", "--no-deps", *pure, *pins, "--dest", str(wheels), *CARRIED)


def read_pyodide(root: Path) -> dict[str, str]:
    """Return the versions of Python and of packages in Pyodide, by name, from `data/pyodide.csv`.

    They are those of the release that the page loads.
    """
    with (root / "data" / "pyodide.csv").open(newline="", encoding="utf-8") as file:
        return {row["name"]: row["version"] for row in csv.DictReader(file)}


def run_pip(command: str, *options: str) -> None:
    """Run a command of pip with some options; CalledProcessError is raised if it fails."""
    subprocess.run(
        [sys.executable, "-m", "pip", command, "--disable-pip-version-check", *options], check=True
    )


def write_notebooks_for_browser(notebooks: Path, lessons: Path, version: str) -> None:
    """Write the notebooks of the JupyterLab that runs in a browser into the new folder `lessons`.

    Lessons that run there within minutes have a cell that installs pokerlab of the given version. All others keep their
    outputs, and begin with a note that they are to be read.
    """
    lessons.mkdir()
    write_handout(notebooks, lessons, solutions=True)
    for path in sorted(lessons.glob("*.ipynb")):
        runs_in_browser = path.stem in RUNNING
        source = path if runs_in_browser else notebooks / path.name
        notebook = nbformat.read(source, as_version=4)  # type: ignore[no-untyped-call]
        add_first_cell(notebook, version if runs_in_browser else "")
        path.write_text(nbformat.writes(notebook), encoding="utf-8")  # type: ignore[no-untyped-call]


def add_first_cell(notebook: Any, version: str) -> None:
    """Insert a cell below a notebook's title, which installs pokerlab.

    If `version` is empty, the cell is a note that the notebook is to be read instead.
    """
    if version:
        code = INSTALL.format(version=version)
        cell = nbformat.v4.new_code_cell(code, id="install")  # type: ignore[no-untyped-call]
    else:
        words = TO_READ.format(running=", ".join(name.partition("_")[0] for name in RUNNING))
        cell = nbformat.v4.new_markdown_cell(words, id="to-read")  # type: ignore[no-untyped-call]
    notebook.cells.insert(1, cell)


def make_build_config(lessons: Path, wheels: Path, pages: Path, pyodide: str) -> dict[str, Any]:
    """Return the configuration of JupyterLite's build, as its configuration file has it.

    Parameters
    ----------
    lessons, wheels : Path
        The folders with the notebooks and the wheels.
    pages : Path
        The folder that is built.
    pyodide : str
        The path or address of an archive of Pyodide to publish, or '' to load Pyodide from its public host.
    """
    extensions = Path(sys.prefix, "share", "jupyter", "labextensions")
    return {
        "LiteBuildConfig": {
            "apps": ["lab"],
            "contents": [str(lessons)],
            "federated_extensions": [str(extensions / name) for name in EXTENSIONS],
            "ignore_sys_prefix": ["federated_extensions"],
            "no_sourcemaps": True,
            "output_dir": str(pages),
        },
        "PipliteAddon": {"piplite_urls": [str(wheel) for wheel in sorted(wheels.iterdir())]},
        "PyodideAddon": {"pyodide_url": pyodide} if pyodide else {},
    }


if __name__ == "__main__":
    sys.exit(main())
