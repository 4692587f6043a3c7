"""Without numba, as in a browser, numbers are the same."""

import json
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from tests.as_in_a_browser import MISSING

ROOT = Path(__file__).resolve().parents[2]
NUMBERS = """
import numpy as np
import pokerlab as pl
from pokerlab.core.compiler import NUMBA
from pokerlab.papers import lanctot2014

kuhn, eight = pl.games.kuhn(), pl.games.one_card_poker(8)
memory = pl.solvers.ParallelNashMemory(eight)
remembered = memory.step(memory.init(), 4)
three = pl.solvers.CFRPlus(pl.games.kuhn(3))
cards = pl.holdem.parse_cards("Ac Ad 7h 2c 2d Th 9s")
ring = pl.holdem.ring_game(pl.holdem.no_limit(1, 2), 2, 20)
played = ring.play([pl.holdem.RANDOM, pl.holdem.ALWAYS_CALL], 3, seed=1)
bench = pl.workbench.bench(lanctot2014.replicator, lanctot2014.Config(iterations=9, seed=1), first=5)
bench.step()
numbers = {
    "games": [kuhn.fingerprint, eight.fingerprint],
    "gains": [kuhn.gains(kuhn.uniform()).tolist(), pl.metrics.nash_conv(eight, remembered.profile)],
    "three": three.step(three.init(), 5).average.probabilities.tolist(),
    "table": [int(pl.holdem.evaluate_hand(cards)), played.chips.tolist()],
    "bench": bench.run.rows,
}
"""
IN_A_BROWSER = """
import json
print(json.dumps(numbers))
assert bench.run.provenance["numba"] == NUMBA == "absent"
try:
    pl.solvers.LemkeHowson().solve(np.ones((2, 1, 1)))
except pl.core.SettingError as error:
    print(error)
"""


@pytest.fixture
def blocked(tmp_path: Path) -> dict[str, str]:
    """Return the variables of a process that finds no numba, nor what a browser lacks."""
    for name in MISSING:
        error = f"raise ModuleNotFoundError('No module named {name}', name='{name}')"
        (tmp_path / f"{name}.py").write_text(error, encoding="utf-8")
    return os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), str(ROOT)])}


def run(*command: Any, **options: Any) -> subprocess.CompletedProcess[str]:
    return subprocess.run(
        [sys.executable, *command], capture_output=True, encoding="utf-8", check=True, **options
    )


def test_without_numba_the_numbers_are_the_same_and_one_line_says_what_is_missing(blocked) -> None:
    mine: dict[str, Any] = {}
    exec(NUMBERS, mine)
    quietly = ("-W", "error", "-W", "default::UserWarning")
    done = run(*quietly, "-c", NUMBERS + IN_A_BROWSER, env=blocked)
    theirs = json.loads(done.stdout.splitlines()[0])
    assert theirs["games"] == mine["numbers"]["games"]
    assert theirs["table"] == mine["numbers"]["table"]
    for name in ("gains", "three", "bench"):
        for one, other in zip(theirs[name], mine["numbers"][name], strict=True):
            np.testing.assert_allclose(one, other, rtol=1e-12, atol=1e-12)
    assert done.stderr.count("kernels run interpreted") == done.stderr.count("Warning") == 1
    assert "LemkeHowson needs quantecon" in done.stdout
