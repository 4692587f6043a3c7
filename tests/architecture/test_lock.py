"""requirements.lock pins what pyproject.toml asks for, and nothing that has an address."""

import tomllib
from pathlib import Path

import pytest
from packaging.requirements import Requirement
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


def test_every_requirement_is_pinned_within_its_range(
    root: Path, pins: dict[str, Requirement]
) -> None:
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    extras = project["optional-dependencies"]
    for text in project["dependencies"] + extras["lab"] + extras["test"]:
        wanted = Requirement(text)
        pin = pins[canonicalize_name(wanted.name)]
        (exact,) = pin.specifier
        assert wanted.specifier.contains(exact.version), f"{pin} does not fit {wanted}"


def test_the_heavy_extras_are_not_pinned(pins: dict[str, Requirement]) -> None:
    assert [name for name in TOO_HEAVY if name in pins] == []


def test_the_citation_names_the_version(root: Path) -> None:
    lines = (root / "CITATION.cff").read_text(encoding="utf-8").splitlines()
    project = tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]
    assert f"version: {project['version']}" in lines
