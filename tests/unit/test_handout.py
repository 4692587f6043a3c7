"""What a class gets: lessons without outputs, whole, and without a word of the solutions if these are kept back."""

import re
from pathlib import Path

import nbformat
import pytest

from tools.handout import COURSE, KEPT_BACK, main

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
    folded = [cell for _, cell in given if "<details>" in cell.source]
    assert [cell.source for cell in folded if cell.cell_type == "markdown"] == []
    assert [
        page for page in handout.glob("*.md") if "<details>" in page.read_text(encoding="utf-8")
    ] == []
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


def test_nbgraders_course_has_scaffold_solution_and_test_of_every_exercise(handout: Path) -> None:
    assignments = sorted(handout.with_name(COURSE).glob("source/*/*.ipynb"))
    assert [path.parent.name for path in assignments] == sorted(
        {name[:-6] for name, _ in cells(handout) if name[0].isdigit()}
    )
    for path in assignments:
        lesson = nbformat.read(path, as_version=4).cells
        folded = [cell for cell in lesson if "<details>" in cell.source]
        assert [cell.source for cell in folded if cell.cell_type == "markdown"] == []
        marked = [cell for cell in lesson if "nbgrader" in cell.metadata]
        for answer, test in zip(marked[::2], marked[1::2], strict=True):
            assert lesson.index(test) == lesson.index(answer) + 1
            assert "# Your answer" in answer.source.partition("### BEGIN SOLUTION")[0]
            call = test.source.removeprefix("result = ").partition("\n")[0]
            assert f"\n{call}\n### END SOLUTION" in answer.source
            compile(test.source, path.name, "exec")
            names = [cell.metadata.nbgrader.pop("grade_id") for cell in (answer, test)]
            exercise = call.partition('"')[2].partition('"')[0].replace(".", "_")
            assert names == [f"{kind}-{exercise}" for kind in ("answer", "check")]
            kind = {"schema_version": 3, "task": False}
            solution = {"solution": True, "grade": False, "locked": False}
            assert answer.metadata.nbgrader == kind | solution
            grade = {"solution": False, "grade": True, "locked": True, "points": 1}
            assert test.metadata.nbgrader == kind | grade


def test_nbgrader_finds_nothing_wrong_with_its_course(handout: Path) -> None:
    nbgrader = pytest.importorskip("nbgrader.nbgraderformat", reason="nbgrader is not installed")
    for path in handout.with_name(COURSE).glob("source/*/*.ipynb"):
        nbgrader.read(str(path), as_version=4)
