"""A module is one idea, a class name stands for one thing, and importing the package stays cheap."""

import ast
import inspect
import pkgutil
import re
import subprocess
import sys
from collections import Counter
from importlib import import_module
from pathlib import Path
from types import ModuleType

import pytest

import pokerlab as pl

MOST_LINES = 1000  # beyond this a module holds two ideas
MOST_NAMES = 275  # different ones in the `__all__` of all packages and papers
MOST_PARAMETERS = 9
DRAWING = ("matplotlib", "ipywidgets", "IPython", "jupyterlab")


def sources(root: Path) -> list[Path]:
    """Return the modules of the package, of the studies, of contests for a class, and of what only a clone can do."""
    folders = ("pokerlab", "notebooks/audits/studies", "notebooks/teaching/contests", "tools")
    return [path for folder in folders for path in root.glob(f"{folder}/**/*.py")]


def test_no_module_is_longer_than_one_idea(root: Path) -> None:
    modules = [*sources(root), *root.glob("tests/**/*.py")]
    lengths = {
        str(p.relative_to(root)): len(p.read_text(encoding="utf-8").splitlines()) for p in modules
    }
    assert {name: lines for name, lines in lengths.items() if lines > MOST_LINES} == {}


def test_module_names_say_what_they_hold(root: Path) -> None:
    empty_words = {"utils", "util", "helpers", "helper", "common", "misc"}
    for path in root.glob("pokerlab/**/*.py"):
        functions = ast.parse(path.read_text(encoding="utf-8")).body
        taken = {path.parent.name, *(f.name for f in functions if isinstance(f, ast.FunctionDef))}
        assert path.stem not in empty_words | taken, path


def test_a_class_name_stands_for_one_thing(root: Path) -> None:
    trees = (ast.parse(path.read_text(encoding="utf-8")) for path in sources(root))
    names = Counter(n.name for tree in trees for n in ast.walk(tree) if isinstance(n, ast.ClassDef))
    assert {name for name, count in names.items() if count > 1} == {"Config"}  # one a paper


def test_text_files_are_read_and_written_in_a_named_encoding(root: Path) -> None:
    found = [
        f"{path.relative_to(root)}:{call.lineno}"
        for path in (*sources(root), *root.glob("tests/**/*.py"))
        if re.search("(read|write)_text", text := path.read_text(encoding="utf-8"))
        for call in ast.walk(ast.parse(text))
        if isinstance(call, ast.Call)
        and getattr(call.func, "attr", "") in ("read_text", "write_text")
        and "encoding" not in [keyword.arg for keyword in call.keywords]
    ]
    assert found == []


def test_importing_pokerlab_does_not_import_what_draws() -> None:
    question = f"import sys, pokerlab; print([name for name in {DRAWING!r} if name in sys.modules])"
    answer = subprocess.run(
        [sys.executable, "-c", question], capture_output=True, check=True, text=True
    )
    assert answer.stdout.strip() == "[]"


@pytest.mark.parametrize(
    "package", ["", *(name for name in dir(pl) if isinstance(getattr(pl, name), ModuleType))]
)
def test_dir_lists_the_public_names_once(package: str) -> None:
    module = import_module(f"pokerlab.{package}".rstrip("."))
    assert dir(module) == sorted(set(module.__all__))
    assert all(hasattr(module, name) for name in dir(module))


def test_the_front_doors_can_be_read() -> None:
    modules = list(pkgutil.walk_packages(pl.__path__, "pokerlab."))
    packages = [m.name for m in modules if m.ispkg]
    papers = [f"pokerlab.papers.{name}" for name in dir(pl.papers) if name[-4:].isdigit()]
    doors = [import_module(name) for name in (*packages, *papers)]
    public = {name: getattr(door, name) for door in doors for name in getattr(door, "__all__", ())}
    print(f"{len(public)} public names")
    assert len(public) <= MOST_NAMES
    functions = {name: each for name, each in public.items() if inspect.isfunction(each)}
    takes = {name: len(inspect.signature(each).parameters) for name, each in functions.items()}
    assert [name for name, number in takes.items() if number > MOST_PARAMETERS] == []


def test_python_m_pokerlab_says_how_to_begin() -> None:
    command = [sys.executable, "-m", "pokerlab"]
    told = subprocess.run(command, capture_output=True, check=True, text=True).stdout
    assert len(told.splitlines()) < 20
    for word in (*(f"pl.{name}" for name in dir(pl)[1:]), "make lab", "help(pl)", pl.__version__):
        assert word in told
