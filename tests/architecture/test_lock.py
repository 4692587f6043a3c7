"""requirements.lock pins what pyproject.toml asks for, and nothing that has an address; a browser has what it asks for.

`data/pyodide.csv` has versions of a release of Pyodide, the Python of browsers, from the `pyodide-lock.json` in the
release's npm package.
"""

import csv
import re
import sys
import tomllib
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

from tools.doors import WIDGETS
from tools.lite import CARRIED, EXTENSIONS, read_pyodide

ALSO_PURE = ("psygnal",)  # compiled here; `make lite` carries its wheel in pure Python
OF_THE_KERNEL = ("widgetsnbextension",)  # its page has its own
FETCHED = re.compile(r"pyodide/v([\d.]+)/full")
TOO_HEAVY = ("liteefg", "jax", "pygambit")  # benchmark and slow-test extras, never in `make test`


@pytest.fixture(scope="module")
def pins(root: Path) -> dict[str, Requirement]:
    lines = (root / "requirements.lock").read_text(encoding="utf-8").splitlines()
    requirements = [Requirement(line) for line in lines if not line.startswith("#")]
    return {canonicalize_name(requirement.name): requirement for requirement in requirements}


def test_each_pin_is_one_exact_version(pins: dict[str, Requirement]) -> None:
    for requirement in pins.values():
        assert requirement.url is None
        assert [specifier.operator for specifier in requirement.specifier] == ["=="]


def test_every_requirement_is_pinned_in_its_range(root: Path, pins: dict[str, Requirement]) -> None:
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    for text in project["dependencies"] + extras["lab"] + extras["test"]:
        wanted = Requirement(text)
        pin = pins[canonicalize_name(wanted.name)]
        (exact,) = pin.specifier
        assert wanted.specifier.contains(exact.version), f"{pin} does not fit {wanted}"


def test_a_browser_gets_all_that_pokerlab_needs_there(root: Path) -> None:
    """From Pyodide, from what the site of `make lite` carries, or from the kernel; and nothing is there in vain."""
    has = read_pyodide(root)
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    python = has.pop("python")
    assert SpecifierSet(project["requires-python"]).contains(python)
    browser = {
        "sys_platform": "emscripten",
        "python_version": python.rpartition(".")[0],
        "extra": "",
    }
    lab = map(Requirement, project["optional-dependencies"]["lab"])
    todo = [
        *map(Requirement, project["dependencies"]),
        *(each for each in lab if each.name in WIDGETS),
    ]
    needed, left_out = set(), []
    while todo:
        wanted = todo.pop()
        name = canonicalize_name(wanted.name)
        if wanted.marker is not None and not wanted.marker.evaluate(browser):
            left_out += [name] if "emscripten" in str(wanted.marker) else []
        elif name in has:
            assert wanted.specifier.contains(has[name]), wanted
        elif name in CARRIED and name not in needed:
            found = distribution(name)
            todo += map(Requirement, found.requires or ())
            kinds = {file.suffix for file in found.files or ()} & {".py", ".so", ".pyd"}
            assert kinds == {".py"} or name in ALSO_PURE, f"no browser has {name}"
        else:
            assert name in {*CARRIED, *OF_THE_KERNEL}, f"no browser has {name}"
        needed.add(name)
    assert left_out == ["numba"]
    assert {*has, *CARRIED} <= needed, "rows that nothing needs"
    assert {*has} & {*CARRIED} == set(), "packages that Pyodide has need not be carried"


def test_lite_fetches_the_pyodide_that_ranges_are_held_against(root: Path) -> None:
    """What the kernel of `make lite` fetches stands in its own package, where that is installed."""
    with (root / "data" / "pyodide.csv").open(newline="", encoding="utf-8") as file:
        (release,) = {row["release"] for row in csv.DictReader(file)}
    pytest.importorskip("jupyterlite_pyodide_kernel")
    kernel = Path(sys.prefix, "share", "jupyter", "labextensions", EXTENSIONS[1], "static")
    scripts = [path.read_text(encoding="utf-8") for path in kernel.glob("*.js")]
    fetched = {each for script in scripts for each in FETCHED.findall(script)}
    assert fetched == {release}


def test_the_heavy_extras_are_not_pinned(pins: dict[str, Requirement]) -> None:
    assert [name for name in TOO_HEAVY if name in pins] == []


def test_the_citation_names_the_version(root: Path) -> None:
    lines = (root / "CITATION.cff").read_text(encoding="utf-8").splitlines()
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert f"version: {project['version']}" in lines
