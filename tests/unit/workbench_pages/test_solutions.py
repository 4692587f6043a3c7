"""The folded solutions of the notebooks' exercises run and are right."""

import re
from pathlib import Path

import nbformat
import pytest

NOTEBOOKS = Path(__file__).resolve().parents[3] / "notebooks"
BLOCK = re.compile(r"<summary>Solution</summary>.*?```python\n(.*?)```", re.DOTALL)
TAG = "solutions"
"""On the cells of a notebook whose names its solutions use."""


def solutions(name: str) -> list[str]:
    cells = nbformat.read(NOTEBOOKS / name, as_version=4).cells
    return [
        code
        for cell in cells
        if cell.cell_type == "markdown"
        for code in BLOCK.findall(cell.source)
    ]


@pytest.mark.parametrize("number", range(3))
def test_solution(number: int) -> None:
    name = "01_games_and_equilibria.ipynb"
    cells = nbformat.read(NOTEBOOKS / name, as_version=4).cells
    known: dict[str, object] = {}
    for cell in cells:
        if TAG in cell.metadata.get("tags", []):
            exec(compile(cell.source, name, "exec"), known)
    code = solutions(name)[number]
    assert "assert" in code
    exec(compile(code, f"solution {number + 1}", "exec"), known)


def test_every_solution_is_tried() -> None:
    assert len(solutions("01_games_and_equilibria.ipynb")) == 3
