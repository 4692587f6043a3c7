"""An evolution that was written down, or killed, goes on as if nothing had been, in another process too."""

import json
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any, ClassVar

import numpy as np
import pytest

import pokerlab as pl
from pokerlab.core import CheckpointError
from pokerlab.evolution import CMAES, CSAES, GradientES
from pokerlab.runs.checkpoint import load_checkpoint, save_checkpoint
from pokerlab.runs.leaves import leaves_of

LAST = 40


@dataclass(frozen=True)
class Climb:
    """A solver that does nothing but evolve."""

    evolution: Any
    game: ClassVar[Any] = pl.games.kuhn()

    def init(self):
        return self.evolution.init(np.linspace(-1.0, 2.0, 12), seed=11, index=(4,))

    def step(self, state, count=1):
        for _ in range(count):
            offspring = self.evolution.ask(state)
            state = self.evolution.tell(state, offspring, fitness(offspring))
        return state


def fitness(offspring):
    return -(offspring**2 @ 10.0 ** np.linspace(0.0, 4.0, 12))


CLIMBS = {
    "full": Climb(CMAES()),
    "diagonal": Climb(CMAES(diagonal=True)),
    "two points": Climb(CMAES(diagonal=True, steps="two points")),
    "equal": Climb(CSAES()),
    "pycma": Climb(CSAES(weights="pycma")),
    "gradient": Climb(GradientES()),
}

TO_THE_END = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from test_resume import CLIMBS, LAST, load_checkpoint, save_checkpoint
folder = Path(sys.argv[2])
for name, climb in CLIMBS.items():
    state = load_checkpoint(folder / f"{name}.npz", climb).state
    save_checkpoint(folder / f"{name}.npz", climb, climb.step(state, LAST - state.generation))
"""
UNTIL_KILLED = """
import sys
from pathlib import Path
sys.path.insert(0, sys.argv[1])
from test_resume import CLIMBS, save_checkpoint
folder = Path(sys.argv[2])
states = {name: climb.init() for name, climb in CLIMBS.items()}
while True:
    for name, climb in CLIMBS.items():
        states[name] = climb.step(states[name])
        save_checkpoint(folder / f"{name}.npz", climb, states[name])
    (folder / "rounds").write_text(str(states["full"].generation))
"""


def started(code: str, folder: Path) -> "subprocess.Popen[bytes]":
    environment = os.environ | {"PYTHONPATH": str(Path(pl.__file__).parent.parent)}
    here = str(Path(__file__).parent)
    return subprocess.Popen([sys.executable, "-c", code, here, str(folder)], env=environment)


def assert_same(one, other):
    these, those = leaves_of(one), leaves_of(other)
    assert json.dumps(sorted(these)) == json.dumps(sorted(those))
    for name, value in these.items():
        np.testing.assert_array_equal(value, those[name], err_msg=name)


def test_another_process_goes_on_from_a_checkpoint(tmp_path: Path) -> None:
    for name, climb in CLIMBS.items():
        half = climb.step(climb.init(), LAST // 2)
        save_checkpoint(tmp_path / f"{name}.npz", climb, half)
    assert started(TO_THE_END, tmp_path).wait(timeout=100) == 0
    for name, climb in CLIMBS.items():
        resumed = load_checkpoint(tmp_path / f"{name}.npz", climb).state
        assert_same(resumed, climb.step(climb.init(), LAST))


def test_an_evolution_that_was_killed_goes_on_as_if_it_had_not_been(tmp_path: Path) -> None:
    child = started(UNTIL_KILLED, tmp_path)
    rounds = tmp_path / "rounds"
    try:
        while not rounds.exists() or int(rounds.read_text(encoding="utf-8") or 0) < 5:
            assert child.poll() is None
            time.sleep(0.02)
    finally:
        child.send_signal(signal.SIGKILL)
        assert child.wait(timeout=20) == -signal.SIGKILL
    for name, climb in CLIMBS.items():
        state = load_checkpoint(tmp_path / f"{name}.npz", climb).state
        assert state.generation >= 5
        last = max(LAST, state.generation)
        resumed = climb.step(state, last - state.generation)
        assert_same(resumed, climb.step(climb.init(), last))


def test_another_strategys_checkpoint_is_refused(tmp_path: Path) -> None:
    climb = CLIMBS["equal"]
    path = save_checkpoint(tmp_path / "run.npz", climb, climb.init())
    with pytest.raises(CheckpointError, match=r"'weights': 'equal'.*asked for is .*'pycma'"):
        load_checkpoint(path, CLIMBS["pycma"])
