"""A notebook that fails is reported by its first failed cell alone."""

import os
import re
import subprocess
import sys
from pathlib import Path

import nbformat
import pytest

ROOT = Path(__file__).resolve().parents[2]


@pytest.mark.notebook
def test_notebook_with_a_failing_cell_reports_that_cell_and_skips_the_rest(tmp_path: Path) -> None:
    for name, codes in {"broken": ["x = 1", "x / 0", "y = x", "y / 0"], "sound": ["1 + 1"]}.items():
        cells = [nbformat.v4.new_code_cell(code) for code in codes]
        kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
        written = nbformat.v4.new_notebook(cells=cells, metadata=kernel)
        nbformat.write(written, tmp_path / f"{name}.ipynb")
    command = [sys.executable, "-m", "pytest", "-p", "tests.first_failure", "--nbval-lax", "-rfs"]
    ended = subprocess.run(
        [*command, "-p", "no:cacheprovider", str(tmp_path)],
        cwd=ROOT,
        env=os.environ,
        capture_output=True,
        text=True,
        check=False,
    )
    assert re.findall(r"^FAILED .*::Cell (\d)", ended.stdout, re.MULTILINE) == ["1"]
    assert "SKIPPED [2]" in ended.stdout
    assert "1 failed, 2 passed, 2 skipped" in ended.stdout
