"""A notebook that fails is reported by its first failed cell alone; a warning is a failure."""

import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).resolve().parents[2]


def run_notebooks(folder: Path, notebooks: dict[str, list[str]]) -> str:
    for name, codes in notebooks.items():
        cells = [nbformat.v4.new_code_cell(code) for code in codes]
        kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
        written = nbformat.v4.new_notebook(cells=cells, metadata=kernel)
        nbformat.write(written, folder / f"{name}.ipynb")
    command = [sys.executable, "-m", "pytest", "-p", "tests.first_failure", "--nbval-lax", "-rfs"]
    ended = subprocess.run(
        [*command, "-p", "no:cacheprovider", str(folder)],
        cwd=ROOT,
        env=os.environ,
        capture_output=True,
        text=True,
        check=False,
    )
    return ended.stdout


@pytest.mark.notebook
def test_notebook_with_a_failing_cell_reports_that_cell_and_skips_the_rest(tmp_path: Path) -> None:
    codes = {"broken": ["x = 1", "x / 0", "y = x", "y / 0"], "sound": ["1 + 1"]}
    said = run_notebooks(tmp_path, codes)
    assert re.findall(r"^FAILED .*::Cell (\d)", said, re.MULTILINE) == ["1"]
    assert "SKIPPED [2]" in said
    assert "1 failed, 2 passed, 2 skipped" in said


COLLAPSED = """from pokerlab.workbench import figure, show
made, axes = figure(7.2, 3.6)
axes.text(0.0, 0.5, 'w' * 45, ha='right', transform=axes.transAxes)
show(made, "What to see.")"""
BARS = "from tqdm import tqdm\nfor _ in tqdm(range(3)): pass\nfor _ in tqdm(iter('abc')): pass"


@pytest.mark.notebook
def test_notebook_with_a_warning_fails_and_with_a_progress_bar_passes(tmp_path: Path) -> None:
    said = run_notebooks(tmp_path, {"warned": [COLLAPSED], "bars": [BARS]})
    assert re.findall(r"^FAILED .*/(\w+).ipynb::Cell 0", said, re.MULTILINE) == ["warned"]
    assert "the axes of a figure have" in said
    assert "1 failed, 1 passed" in said
