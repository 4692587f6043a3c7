"""Copies of the lessons for a class: without outputs, and without solutions if the teacher keeps those.

`make handout` runs `python -m tools.handout`, which writes lessons, pages, audits, and what audits run into the
folder `handout`. With `--no-solutions` (`make handout SOLUTIONS=no`) folded solutions and answers stay out of
the lessons, and whole lessons with their solutions stand in `handout-solutions`, for the teacher.
"""

import argparse
import re
import shutil
from collections.abc import Sequence
from pathlib import Path
from typing import Any

import nbformat

FOLDED = re.compile(r"\s*<details>.*?</details>\s*", re.DOTALL)
KEPT_BACK = "handout-solutions"


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
    return 0


def write(notebooks: Path, out: Path, *, solutions: bool) -> None:
    """Write lessons without outputs, and pages and audits as they are."""
    shutil.copytree(
        notebooks / "audits", out / "audits", dirs_exist_ok=True,
        ignore=shutil.ignore_patterns("__pycache__", ".ipynb_checkpoints"),
    )  # fmt: skip
    for page in notebooks.glob("*.md"):
        shutil.copy(page, out)
    for path in sorted(notebooks.glob("*.ipynb")):
        lesson = nbformat.read(path, as_version=4)  # type: ignore[no-untyped-call]
        text = nbformat.writes(for_class(lesson, solutions))  # type: ignore[no-untyped-call]
        (out / path.name).write_text(f"{text}\n", encoding="utf-8")


def for_class(lesson: Any, solutions: bool) -> Any:
    """Return a lesson without outputs and, unless it has `solutions`, without what is folded in its text."""
    for cell in lesson.cells:
        if cell.cell_type == "code":
            cell.outputs, cell.execution_count = [], None
        elif not solutions:
            cell.source = FOLDED.sub("\n\n", cell.source).strip()
    lesson.cells = [cell for cell in lesson.cells if cell.source or cell.cell_type == "code"]
    return lesson


if __name__ == "__main__":
    raise SystemExit(main())
