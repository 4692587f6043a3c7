"""The folded solutions of all notebooks' exercises run and are right."""

import re
from functools import cache
from pathlib import Path

import nbformat
import pytest

NOTEBOOKS = Path(__file__).resolve().parents[2] / "notebooks"
BLOCK = re.compile(r"<summary>Solution</summary>.*?```python\n(.*?)```", re.DOTALL)
TAG = "solutions"
"""On the cells of a notebook whose names its solutions use."""


@cache
def cells(name: str) -> tuple[nbformat.NotebookNode, ...]:
    return tuple(nbformat.read(NOTEBOOKS / name, as_version=4).cells)


def solutions(name: str) -> list[str]:
    texts = [cell.source for cell in cells(name) if cell.cell_type == "markdown"]
    return [code for text in texts for code in BLOCK.findall(text)]


NAMES = sorted(path.name for path in NOTEBOOKS.glob("*.ipynb"))
EVERY = [(name, number) for name in NAMES for number in range(len(solutions(name)))]


@pytest.mark.parametrize(("name", "number"), EVERY)
def test_solution(name: str, number: int) -> None:
    known: dict[str, object] = {}
    for cell in cells(name):
        if TAG in cell.metadata.get("tags", []):
            exec(compile(cell.source, name, "exec"), known)
    code = solutions(name)[number]
    assert "assert" in code
    exec(compile(code, f"{name}, solution {number + 1}", "exec"), known)


@pytest.mark.parametrize("name", NAMES)
def test_every_solution_in_code_is_found(name: str) -> None:
    texts = [cell.source for cell in cells(name) if cell.cell_type == "markdown"]
    folded = sum(text.partition("<summary>Solution")[2].count("```python") for text in texts)
    assert len(solutions(name)) == folded >= 2
