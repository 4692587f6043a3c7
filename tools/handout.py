"""Copies of the lessons for a class: without outputs, and without solutions if the teacher keeps those.

`make handout` runs `python -m tools.handout`, which writes lessons, pages, audits, what audits run, and the contest
into the folder `handout`. With `--no-solutions` (`make handout SOLUTIONS=no`) folded solutions and answers stay out
of it, and everything with its solutions stands in `handout-solutions`, for the teacher.
"""

import argparse
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import nbformat

SOLUTION = re.compile(r"<summary>Solution</summary>.*?```python\n(.*?)```", re.DOTALL)
CALL = re.compile(r"^# (pl\.check\(\"(.*?)\", .*\))$", re.MULTILINE)
FOLDED = re.compile(r"\s*<details>.*?</details>\s*", re.DOTALL)
KEPT_BACK, COURSE = "handout-solutions", "handout-nbgrader"
CONFIG = """c = get_config()
c.CourseDirectory.course_id = "pokerlab"
c.ClearSolutions.code_stub = {"python": "# Your answer ends here."}  # the scaffold stays
c.ExecutePreprocessor.timeout = 600
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Write what the command line says."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.handout", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--root", type=Path, default=Path(), help="the project's folder")
    parser.add_argument("--out", type=Path, default=Path("handout"), help="where it goes")
    parser.add_argument("--no-solutions", action="store_true", help="keep folded answers back")
    options = parser.parse_args(arguments)
    notebooks = options.root / "notebooks"
    write(notebooks, options.out, solutions=not options.no_solutions)
    if options.no_solutions:
        write(notebooks, options.out.with_name(KEPT_BACK), solutions=True)
        write_course(notebooks, options.out.with_name(COURSE))
    return 0


def write(notebooks: Path, out: Path, *, solutions: bool) -> None:
    """Write lessons without outputs, and pages and audits as they are."""
    passing = shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints")
    for folder in ("audits", "teaching"):
        shutil.copytree(notebooks / folder, out / folder, dirs_exist_ok=True, ignore=passing)
    for page in notebooks.glob("*.md"):
        text = page.read_text(encoding="utf-8")
        kept = text if solutions else FOLDED.sub("\n\n", text)
        (out / page.name).write_text(kept, encoding="utf-8")
    for path in sorted(notebooks.glob("*.ipynb")):
        lesson = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
        text = nbformat.writes(prepare_for_class(lesson, solutions))  # type: ignore[no-untyped-call]
        (out / path.name).write_text(f"{text}\n", encoding="utf-8")


def write_course(notebooks: Path, out: Path) -> None:
    """Write what nbgrader makes assignments from, one for each lesson, in place of an older one."""
    for path in sorted(notebooks.glob("[0-9]*.ipynb")):
        lesson = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
        folder = out / "source" / path.stem
        folder.mkdir(parents=True, exist_ok=True)
        for page in ("glossary.md", "references.md"):
            shutil.copy(notebooks / page, folder)
        text = nbformat.writes(prepare_for_class(mark_for_grading(lesson), solutions=False))  # type: ignore[no-untyped-call]
        (folder / path.name).write_text(f"{text}\n", encoding="utf-8")
    (out / "nbgrader_config.py").write_text(CONFIG, encoding="utf-8")


def mark_for_grading(lesson: Any) -> Any:
    """Return a lesson whose exercises hold their solutions, as nbgrader marks them, and a test after each."""
    cells = []
    for cell, after in zip(lesson.cells, [*lesson.cells[1:], None], strict=True):
        cells.append(cell)
        if "exercise" in cell.metadata.get("tags", []):
            ((call, name),) = CALL.findall(cell.source)
            (solution,) = SOLUTION.findall(after.source)
            mark = name.replace(".", "_")  # no dot is allowed; a dash would name an exercise of 1.0
            cell.source += f"\n\n### BEGIN SOLUTION\n{solution}### END SOLUTION"
            cell.metadata["nbgrader"] = make_marks(f"answer-{mark}", solution=True)
            test = f"result = {call}\nassert result, result"
            metadata = {"nbgrader": make_marks(f"check-{mark}", grade=True, locked=True, points=1)}
            cells.append(nbformat.v4.new_code_cell(test, id=f"check{mark}", metadata=metadata))  # type: ignore[no-untyped-call]
    lesson.cells = cells
    return lesson


def make_marks(grade_id: str, **given: Any) -> dict[str, Any]:
    """Return the metadata by which nbgrader knows a cell, of its third schema."""
    no = dict.fromkeys(("grade", "solution", "locked", "task"), False)
    return {"schema_version": 3, "grade_id": grade_id, **no, **given}


def prepare_for_class(lesson: Any, solutions: bool) -> Any:
    """Return a lesson without outputs and, unless it has `solutions`, without what is folded in its text."""
    for cell in lesson.cells:
        if cell.cell_type == "code":
            cell.outputs = []
            cell.execution_count = None
        elif not solutions:
            cell.source = FOLDED.sub("\n\n", cell.source).strip()
    lesson.cells = [cell for cell in lesson.cells if cell.source or cell.cell_type == "code"]
    return lesson


if __name__ == "__main__":
    raise SystemExit(main())
