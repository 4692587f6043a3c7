"""requirements.lock pins what pyproject.toml asks for, and nothing that has an address; a browser has what it asks for.

`data/pyodide.csv` has versions of a release of Pyodide, the Python of browsers, from the `pyodide-lock.json` in the
release's npm package.
"""

import csv
import tomllib
from importlib.metadata import distribution
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.specifiers import SpecifierSet
from packaging.utils import canonicalize_name

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


def test_a_browser_has_what_pokerlab_needs_there(root: Path) -> None:
    with (root / "data" / "pyodide.csv").open(newline="", encoding="utf-8") as file:
        has = {row["name"]: row["version"] for row in csv.DictReader(file)}
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    python = has.pop("python")
    assert SpecifierSet(project["requires-python"]).contains(python)
    browser = {"sys_platform": "emscripten", "python_version": python.rpartition(".")[0]}
    left_out = []
    for wanted in map(Requirement, project["dependencies"]):
        if wanted.marker is not None and not wanted.marker.evaluate(browser):
            left_out.append(wanted.name)
        elif wanted.name in has:
            assert wanted.specifier.contains(has.pop(wanted.name)), wanted
        else:
            kinds = {file.suffix for file in distribution(wanted.name).files or ()}
            assert kinds & {".py", ".so", ".pyd"} == {".py"}, f"no browser has {wanted.name}"
    assert left_out == ["numba"]
    assert not has, "rows that nothing needs"


def test_the_heavy_extras_are_not_pinned(pins: dict[str, Requirement]) -> None:
    assert [name for name in TOO_HEAVY if name in pins] == []


def test_the_citation_names_the_version(root: Path) -> None:
    lines = (root / "CITATION.cff").read_text(encoding="utf-8").splitlines()
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert f"version: {project['version']}" in lines
