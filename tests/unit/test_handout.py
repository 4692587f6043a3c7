"""What a class gets: lessons without outputs, whole, and without a word of the solutions if these are kept back."""

import re
from pathlib import Path

import nbformat
import pytest

from tools.handout import KEPT_BACK, main

ROOT = Path(__file__).resolve().parents[2]
LINK = re.compile(r"\]\((?!https?:)([^)#\s<]+)")


@pytest.fixture(scope="module")
def handout(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("class") / "handout"
    assert main(["--root", str(ROOT), "--out", str(out), "--no-solutions"]) == 0
    return out


def cells(folder: Path) -> list[tuple[str, nbformat.NotebookNode]]:
    return [
        (path.name, cell)
        for path in sorted(folder.glob("*.ipynb"))
        for cell in nbformat.read(path, as_version=4).cells
    ]


def test_lessons_have_no_outputs_and_no_solutions(handout: Path) -> None:
    given, whole = cells(handout), cells(ROOT / "notebooks")
    assert [cell.source for _, cell in given if cell.get("outputs")] == []
    assert [cell.source for _, cell in given if "<details>" in cell.source] == []
    kept = [(name, cell.source) for name, cell in whole if "<details>" not in cell.source]
    assert [each for each in kept if each not in {(n, c.source) for n, c in given}] == []


def test_the_teacher_has_the_solutions(handout: Path) -> None:
    teacher = cells(handout.with_name(KEPT_BACK))
    assert [(name, cell.source) for name, cell in teacher] == [
        (name, cell.source) for name, cell in cells(ROOT / "notebooks")
    ]


def test_no_link_is_dead(handout: Path) -> None:
    texts = [(name, cell.source) for name, cell in cells(handout) if cell.cell_type == "markdown"]
    texts += [(page.name, page.read_text(encoding="utf-8")) for page in handout.glob("*.md")]
    links = [(name, link) for name, text in texts for link in LINK.findall(text)]
    assert len(links) > 50
    assert [(name, link) for name, link in links if not (handout / link).exists()] == []
