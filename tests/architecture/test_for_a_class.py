"""What the teachers' page and Binder's files name exists, and says the same as the project; so do the pages."""

import os
import re
import tomllib
from importlib.util import find_spec
from pathlib import Path

import pytest
from packaging.specifiers import SpecifierSet

from pokerlab.workbench.dash.pages import PAGE_OPENERS, PAGES


@pytest.fixture(scope="module")
def project(root: Path) -> dict:
    """Return what the project says about itself."""
    return tomllib.loads((root / "pyproject.toml").read_text(encoding="utf-8"))["project"]


def test_binder_installs_locked_versions_and_compiles_kernels(root: Path, project: dict) -> None:
    folder = root / ".binder"
    said = (folder / "requirements.txt").read_text(encoding="utf-8")
    constraint, installed = (line.split()[1] for line in said.splitlines() if line[0] == "-")
    assert (folder / constraint).samefile(root / "requirements.lock")
    extra = re.fullmatch(r"\.\[(\w+)\]", installed)
    assert extra is not None
    assert extra[1] in project["optional-dependencies"]
    python = (folder / "runtime.txt").read_text(encoding="utf-8").strip().removeprefix("python-")
    assert SpecifierSet(project["requires-python"]).contains(python)
    assert f"Programming Language :: Python :: {python}" in project["classifiers"]
    assert os.access(folder / "postBuild", os.X_OK)
    assert "python -m pokerlab.warm" in (folder / "postBuild").read_text(encoding="utf-8")


def test_commands_on_the_teachers_page_exist(root: Path, project: dict) -> None:
    page = (root / "notebooks" / "README.md").read_text(encoding="utf-8")
    makefile = (root / "Makefile").read_text(encoding="utf-8")
    targets = set(re.findall(r"(?:`|    )make ([a-z]+)", page))
    assert {"dash", "handout", "lab"} <= targets
    assert [target for target in targets if f"\n{target}:" not in makefile] == []
    modules = set(re.findall(r"python -m ([\w.]+)", page)) - {"pip"}
    assert "pokerlab.warm" in modules
    assert [module for module in modules if not find_spec(module)] == []
    for requirement in re.findall(r'"(ipywidgets[^"]*)"', page):
        assert requirement in project["optional-dependencies"]["lab"]


def test_every_page_is_explained_by_a_lesson_and_opens(root: Path) -> None:
    assert list(PAGE_OPENERS) == list(PAGES)
    for page in PAGES.values():
        assert (root / "notebooks" / f"{page['lesson']}.ipynb").is_file()
        assert page["sentence"].endswith(".")


def test_every_page_but_the_guesses_has_a_picture_from_a_lesson(
    root: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    pytest.importorskip("voila", reason="voila is not installed; make setup installs it")
    from pokerlab.workbench.dash import server

    monkeypatch.chdir(root)
    server.find_picture.cache_clear()
    pictures = {page: server.find_picture(page) for page in PAGES}
    assert [page for page, found in pictures.items() if found is None] == ["predictions"]
    assert len({found[1] for found in pictures.values() if found}) == len(PAGES) - 1
