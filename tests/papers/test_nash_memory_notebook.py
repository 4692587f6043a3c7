"""The folded solutions of notebook 03 run and are right."""

import re
from pathlib import Path

import nbformat
import pytest

NOTEBOOK = Path(__file__).resolve().parents[2] / "notebooks" / "03_nash_memory.ipynb"
BLOCK = re.compile(r"<summary>Solution</summary>.*?```python\n(.*?)```", re.DOTALL)


@pytest.fixture(scope="module")
def cells() -> list[nbformat.NotebookNode]:
    return list(nbformat.read(NOTEBOOK, as_version=4).cells)


def solutions(cells: list[nbformat.NotebookNode]) -> list[str]:
    texts = [cell.source for cell in cells if cell.cell_type == "markdown"]
    return [code for text in texts for code in BLOCK.findall(text)]


@pytest.mark.parametrize("number", range(4))
def test_solution(number: int, cells: list[nbformat.NotebookNode]) -> None:
    known: dict[str, object] = {}
    for cell in cells:
        if "solutions" in cell.metadata.get("tags", []):
            exec(compile(cell.source, NOTEBOOK.name, "exec"), known)
    code = solutions(cells)[number]
    assert "assert" in code
    exec(compile(code, f"solution {number + 1}", "exec"), known)


def test_every_solution_is_tried(cells: list[nbformat.NotebookNode]) -> None:
    assert len(solutions(cells)) == 4
