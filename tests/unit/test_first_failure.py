"""A notebook that fails is reported by its first failed cell alone; a warning is a failure."""

import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).resolve().parents[2]


COLLAPSED = """from pokerlab.workbench import figure, show
made, axes = figure(7.2, 3.6)
axes.text(0.0, 0.5, 'w' * 45, ha='right', transform=axes.transAxes)
show(made, "What to see.")"""
BARS = "from tqdm import tqdm\nfor _ in tqdm(range(3)): pass\nfor _ in tqdm(iter('abc')): pass"
TRANSPORT = """from ipykernel.connect import get_connection_info
assert get_connection_info(unpack=True)['transport'] == 'ipc'"""
NOTEBOOKS = {
    "bars": [BARS],
    "broken": ["x = 1", "x / 0", "y = x", "y / 0"],
    "connected": [TRANSPORT],
    "warned": [COLLAPSED],
}


@pytest.fixture(scope="module")
def said(tmp_path_factory: pytest.TempPathFactory) -> str:
    """Return what pytest says of the four notebooks, run one after the other."""
    folder = tmp_path_factory.mktemp("notebooks")
    for name, codes in NOTEBOOKS.items():
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
def test_notebook_with_a_failing_cell_reports_that_cell_and_skips_the_rest(said: str) -> None:
    assert re.findall(r"^FAILED .*/broken.ipynb::Cell (\d)", said, re.MULTILINE) == ["1"]
    assert "SKIPPED [2]" in said
    assert "2 failed, 3 passed, 2 skipped" in said


@pytest.mark.notebook
def test_notebook_with_a_warning_fails_and_with_a_progress_bar_passes(said: str) -> None:
    failed = re.findall(r"^FAILED .*/(\w+).ipynb::Cell 0", said, re.MULTILINE)
    assert failed == ["warned"]
    assert "the axes of a figure have" in said


@pytest.mark.notebook
def test_kernel_of_a_notebook_has_socket_files_and_no_port_that_another_can_take(said: str) -> None:
    assert not re.search(r"^FAILED .*/connected.ipynb", said, re.MULTILINE)
    assert "3 passed" in said
