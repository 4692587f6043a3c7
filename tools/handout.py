"""Write copies of the lessons for a class: without outputs, and without solutions if the teacher keeps those.

`make handout` runs `python -m tools.handout`, which writes lessons, pages, audits, what audits run, and the contest
into the folder `handout`. With `--no-solutions` (`make handout SOLUTIONS=no`) folded solutions and answers stay out
of it, and everything with its solutions stands in `handout-solutions`, for the teacher.
"""

import argparse
import re
import shutil
from collections.abc import Sequence
from pathlib import Path

import nbformat
from nbformat import NotebookNode

SOLUTION = re.compile(r"<summary>Solution</summary>.*?```python\n(.*?)```", re.DOTALL)
CALL = re.compile(r"^# (pl\.check\(\"(.*?)\", .*\))$", re.MULTILINE)
FOLDED = re.compile(r"\s*<details>.*?</details>\s*", re.DOTALL)
KEPT_BACK, COURSE = "handout-solutions", "handout-nbgrader"
"""The folders for the teacher: everything with its solutions, and a course of nbgrader."""
CONFIG = """c = get_config()
c.CourseDirectory.course_id = "pokerlab"
c.ClearSolutions.code_stub = {"python": "# Your answer ends here."}  # the scaffold stays
c.ExecutePreprocessor.timeout = 600
"""


def main(arguments: Sequence[str] | None = None) -> int:
    """Write the handout, and without solutions also the teacher's folders, as the command line says; return 0."""
    parser = argparse.ArgumentParser(
        prog="python -m tools.handout", description=(__doc__ or "").split("\n")[0]
    )
    parser.add_argument("--root", type=Path, default=Path(), help="the project's folder")
    parser.add_argument("--out", type=Path, default=Path("handout"), help="where it goes")
    parser.add_argument("--no-solutions", action="store_true", help="keep folded answers back")
    options = parser.parse_args(arguments)
    notebooks = options.root / "notebooks"
    write_handout(notebooks, options.out, solutions=not options.no_solutions)
    if options.no_solutions:
        write_handout(notebooks, options.out.with_name(KEPT_BACK), solutions=True)
        write_nbgrader_course(notebooks, options.out.with_name(COURSE))
    return 0


def write_handout(notebooks: Path, out: Path, *, solutions: bool) -> None:
    """Write the lessons without outputs into a folder, and pages and audits as they are.

    Parameters
    ----------
    notebooks : Path
        The folder with the lessons.
    out : Path
        The folder that is written.
    solutions : bool
        Whether folded solutions and answers stay in lessons and pages.
    """
    not_copied = shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints")
    for folder in ("audits", "teaching"):
        shutil.copytree(notebooks / folder, out / folder, dirs_exist_ok=True, ignore=not_copied)
    for page in notebooks.glob("*.md"):
        text = page.read_text(encoding="utf-8")
        if not solutions:
            text = FOLDED.sub("\n\n", text)
        (out / page.name).write_text(text, encoding="utf-8")
    for path in sorted(notebooks.glob("*.ipynb")):
        lesson = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
        text = nbformat.writes(remove_outputs_and_solutions(lesson, solutions))  # type: ignore[no-untyped-call]
        (out / path.name).write_text(f"{text}\n", encoding="utf-8")


def write_nbgrader_course(notebooks: Path, out: Path) -> None:
    """Write a course of nbgrader into a folder, with an assignment for each lesson, in place of an older one."""
    for path in sorted(notebooks.glob("[0-9]*.ipynb")):
        lesson = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
        folder = out / "source" / path.stem
        folder.mkdir(parents=True, exist_ok=True)
        for page in ("glossary.md", "references.md"):
            shutil.copy(notebooks / page, folder)

        lesson = add_solutions_and_tests(lesson)
        lesson = remove_outputs_and_solutions(lesson, keep_solutions=False)
        text = nbformat.writes(lesson)  # type: ignore[no-untyped-call]
        (folder / path.name).write_text(f"{text}\n", encoding="utf-8")
    (out / "nbgrader_config.py").write_text(CONFIG, encoding="utf-8")


def add_solutions_and_tests(lesson: NotebookNode) -> NotebookNode:
    """Add to each exercise of a lesson its solution, as nbgrader marks it, and a cell that tests it; return the lesson.

    The solution is taken from the folded text below the exercise, and the test from the call of `pl.check` in it.
    """
    cells = []
    following_cells = [*lesson.cells[1:], None]
    for cell, following_cell in zip(lesson.cells, following_cells, strict=True):
        cells.append(cell)
        if "exercise" not in cell.metadata.get("tags", []):
            continue
        ((call, name),) = CALL.findall(cell.source)
        (solution,) = SOLUTION.findall(following_cell.source)
        mark = name.replace(".", "_")  # no dot is allowed; a dash would name an exercise of 1.0
        cell.source += f"\n\n### BEGIN SOLUTION\n{solution}### END SOLUTION"
        cell.metadata["nbgrader"] = make_nbgrader_metadata(f"answer-{mark}", solution=True)

        test = f"result = {call}\nassert result, result"
        marks = make_nbgrader_metadata(f"check-{mark}", grade=True, locked=True, points=1)
        metadata = {"nbgrader": marks}
        test_cell = nbformat.v4.new_code_cell(test, id=f"check{mark}", metadata=metadata)  # type: ignore[no-untyped-call]
        cells.append(test_cell)
    lesson.cells = cells
    return lesson


def make_nbgrader_metadata(grade_id: str, **properties: bool | int) -> dict[str, str | int]:
    """Return the metadata by which nbgrader (its third schema) knows the role of a cell.

    Parameters
    ----------
    grade_id : str
        The name of the cell, which no other cell has.
    **properties
        'grade', 'solution', 'locked' or 'task' that are true, and the 'points' of a graded cell.
    """
    defaults = dict.fromkeys(("grade", "solution", "locked", "task"), False)
    return {"schema_version": 3, "grade_id": grade_id, **defaults, **properties}


def remove_outputs_and_solutions(lesson: NotebookNode, keep_solutions: bool) -> NotebookNode:
    """Remove the outputs of a lesson, and its folded solutions unless they are to be kept.

    The lesson is changed in place. Cells of text that become empty are removed.

    Parameters
    ----------
    lesson : NotebookNode
        The lesson.
    keep_solutions : bool
        Whether folded texts stay, which contain the solutions of exercises.

    Returns
    -------
    NotebookNode
        The same lesson.
    """
    for cell in lesson.cells:
        if cell.cell_type == "code":
            cell.outputs = []
            cell.execution_count = None
        elif not keep_solutions:
            cell.source = FOLDED.sub("\n\n", cell.source).strip()
    lesson.cells = [cell for cell in lesson.cells if cell.source or cell.cell_type == "code"]
    return lesson


if __name__ == "__main__":
    raise SystemExit(main())
