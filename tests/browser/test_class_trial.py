"""`make trial` plays a class in browsers and says what it took."""

import re
import subprocess
import sys
from pathlib import Path

import pytest

from tests.hangs import HANG_SECONDS

pytest.importorskip("voila", reason="voila is not installed; make setup installs it")
pytestmark = [
    pytest.mark.browser,
    pytest.mark.skipif(sys.platform != "linux", reason="memory is measured as Linux counts it"),
]
ROOT = Path(__file__).resolve().parents[2]
NUMBER = r"([\d.,]+)"


@pytest.mark.parametrize("kind", ["dash", pytest.param("lab", marks=pytest.mark.slow)])
def test_class_of_two_runs_the_bench_and_comes_back(chromium: Path, kind: str) -> None:
    sizes = ["--students=2", "--at-once=2", "--seconds=3"]
    command = [sys.executable, "-m", "tools.class_trial", kind, *sizes]
    ran = subprocess.run(
        command, cwd=ROOT, capture_output=True, text=True, timeout=2 * HANG_SECONDS, check=False
    )
    assert ran.returncode == 0, ran.stdout + ran.stderr
    assert re.findall(r"^student \d+: .*", ran.stdout, re.M) == []  # no faults
    for line in ("pictures a second", "iterations of a run", "closed page there again (s)"):
        (least,) = re.findall(rf"^{re.escape(line)}: median .*, from {NUMBER}", ran.stdout, re.M)
        assert float(least.replace(",", "")) > 0
    (kernels,) = re.findall(r"^kernels: .* (\d+) processes", ran.stdout, re.M)
    assert int(kernels) == 2
