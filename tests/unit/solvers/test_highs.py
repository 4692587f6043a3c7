"""HiGHS prints nothing, whatever its version would print by itself."""

import os
import subprocess
import sys

import pytest

PRINTS_A_BANNER = """
import ctypes, os, sys, types

class Highs:
    made = 0

    def __init__(self):
        Highs.made += 1
        if Highs.made == 1:
            {print_banner}

    def silent(self): ...
    def setOptionValue(self, name, value): ...

sys.modules["highspy"] = types.SimpleNamespace(Highs=Highs)
from pokerlab.solvers.linear_program import make_highs
print("before", flush=True)
make_highs()
make_highs()
print("after")
"""


BY_C = pytest.mark.skipif(sys.platform == "win32", reason="needs the C library of POSIX")
BANNERS = (
    'os.write(1, b"Running HiGHS\\n")',
    # What C prints waits in its buffer.
    pytest.param('ctypes.CDLL(None).puts(b"Running HiGHS")', marks=BY_C),
)


@pytest.mark.parametrize("banner", BANNERS)
def test_new_highs_prints_no_banner(banner: str) -> None:
    """As of version 1.16 its constructor prints one in each process, before any option can be set."""
    command = [sys.executable, "-c", PRINTS_A_BANNER.replace("{print_banner}", banner)]
    buffered = {name: value for name, value in os.environ.items() if name != "PYTHONUNBUFFERED"}
    ended = subprocess.run(command, capture_output=True, text=True, check=True, env=buffered)
    assert ended.stdout.splitlines() == ["before", "after"]


def test_linear_program_prints_nothing() -> None:
    solve = "import pokerlab as pl; pl.solvers.SequenceFormLP(pl.games.kuhn()).solve()"
    ended = subprocess.run(
        [sys.executable, "-c", solve], capture_output=True, text=True, check=True
    )
    assert (ended.stdout, ended.stderr) == ("", "")
