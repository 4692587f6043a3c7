"""The folded solutions of notebook 03b run and are right."""

import re
from pathlib import Path

import nbformat
import pytest

NOTEBOOK = Path(__file__).resolve().parents[3] / "notebooks" / "03b_real_cards.ipynb"
BLOCK = re.compile(r"<summary>Solution</summary>.*?```python\n(.*?)```", re.DOTALL)
TAG = "solutions"
"""On the cells of the notebook whose names its solutions use."""


@pytest.fixture(scope="module")
def cells() -> list[nbformat.NotebookNode]:
    return list(nbformat.read(NOTEBOOK, as_version=4).cells)


@pytest.fixture
def known(cells: list[nbformat.NotebookNode]) -> dict[str, object]:
    names: dict[str, object] = {}
    for cell in cells:
        if TAG in cell.metadata.get("tags", []):
            exec(compile(cell.source, NOTEBOOK.name, "exec"), names)
    return names


def solutions(cells: list[nbformat.NotebookNode]) -> list[str]:
    return [code for cell in cells for code in BLOCK.findall(cell.source)]


@pytest.mark.parametrize("number", range(3))
def test_solution(
    number: int, cells: list[nbformat.NotebookNode], known: dict[str, object]
) -> None:
    code = solutions(cells)[number]
    assert "assert" in code
    exec(compile(code, f"solution {number + 1}", "exec"), known)


def test_every_solution_is_tried(cells: list[nbformat.NotebookNode]) -> None:
    assert len(solutions(cells)) == 3
