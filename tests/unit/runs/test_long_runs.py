"""Long runs: killed and resumed, on a full disk, on a cluster whose worker dies: the same result, or a clear error."""

import errno
import io
import os
import signal
import subprocess
import sys
import time
from dataclasses import dataclass
from pathlib import Path
from typing import Any

import numpy as np
import pytest

from pokerlab import holdem
from pokerlab.core import StorageError
from pokerlab.evolution import population as parts
from pokerlab.holdem import make_doubling_schedule, no_limit, tournament
from pokerlab.holdem.players import CompiledPlayer
from pokerlab.holdem.table_view import HAND
from pokerlab.runs import Column, Run
from pokerlab.runs.checkpoint import load_checkpoint
from pokerlab.solvers import PopulationCoevolution
from tests.unit.evolution.thresholds import Thresholds, by_thresholds
from tests.unit.solvers.any_state import assert_identical

RANK = Column("rank", "rank of the champion", "", lambda state: float(state.mean_rank.max()))
GAME = tournament(
    make_doubling_schedule(no_limit(5, 10), 4, chips=2000), entrants=9, seats=9, stacks=200
)


def coevolution(encoding: Any = None, **given: Any) -> PopulationCoevolution:
    return PopulationCoevolution(
        GAME,
        Thresholds() if encoding is None else encoding,
        seed=5,
        size=6,
        hall_of_fame=parts.HallOfElites(size=3),
        pairings=holdem.Tournaments(count=12),
        fitness=parts.MeanRank(),
        selection=parts.Elites(share=0.4),
        variation=parts.WeightedSum(),
        **given,
    )


UNDER_WAY = """
import sys
from pokerlab.runs import Run
from tests.unit.runs.test_long_runs import RANK, coevolution
Run(coevolution(), [RANK], per_decade=1000, checkpoint=sys.argv[1]).to(10**9, progress=False)
"""


def test_a_killed_run_goes_on_to_the_same_result(tmp_path: Path) -> None:
    path = tmp_path / "run.npz"
    with subprocess.Popen([sys.executable, "-c", UNDER_WAY, str(path)]) as process:
        generation = 0
        while generation < 2:
            time.sleep(0.1)
            assert process.poll() is None
            if path.exists():
                generation = load_checkpoint(path, coevolution(), names()).state.iteration
        process.send_signal(signal.SIGKILL)
    resumed = Run(coevolution(workers=2), [RANK], per_decade=1000, checkpoint=path)
    until = resumed.iteration + 3
    assert resumed.iteration >= generation
    resumed.to(until, progress=False)
    straight = Run(coevolution(), [RANK], per_decade=1000).to(until, progress=False)
    assert_identical(resumed.state, straight.state)
    assert resumed.rows == straight.rows
    del resumed
    assert list(tmp_path.iterdir()) == [path]


def names() -> tuple[str, ...]:
    return ("iteration", RANK.name)


class FullDisk(io.FileIO):
    """A file on a disk that has room for a thousand bytes."""

    def write(self, data: Any, /) -> int:
        if self.tell() + memoryview(data).nbytes > 1000:
            raise OSError(errno.ENOSPC, os.strerror(errno.ENOSPC))
        return super().write(data)


def test_a_full_disk_is_said_and_the_last_good_checkpoint_stays(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    path = tmp_path / "run.npz"
    run = Run(coevolution(), [RANK], checkpoint=path).to(3, progress=False)
    good = path.read_bytes()
    with monkeypatch.context() as patched:
        patched.setattr(Path, "open", lambda self, mode: FullDisk(self, mode.strip("b")))
        with pytest.raises(StorageError, match=r"No space left on device\). Make room there"):
            run.to(5, progress=False)
    assert path.read_bytes() == good
    assert list(tmp_path.glob("*.part")) == []
    assert run.iteration == 5  # the run itself has lost nothing, and saves once there is room
    run.save()
    del run
    again = Run(coevolution(), [RANK], checkpoint=path).to(6, progress=False)
    straight = Run(coevolution(), [RANK]).to(6, progress=False)
    assert_identical(again.state, straight.state)


@dataclass(frozen=True)
class Deadly(Thresholds):
    """An encoding whose players kill the first worker process in which a tournament comes to its sixth hand."""

    died: str

    def make_players(self, genomes: np.ndarray) -> Any:
        return [CompiledPlayer(self.write_actions, genome) for genome in genomes]

    def write_actions(self, views: Any, asked: Any, *given: Any) -> None:
        path = Path(self.died)
        if views[asked, HAND].max() >= 5 and not path.exists():
            path.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        by_thresholds(views, asked, *given)


@pytest.mark.slow
@pytest.mark.filterwarnings("default")
def test_a_cluster_with_a_killed_worker_changes_nothing(client: Any, tmp_path: Path) -> None:
    died = tmp_path / "died"
    there = coevolution(Deadly(str(died)), workers=client)
    state = there.step(there.init(), 3)
    assert died.exists()
    here = coevolution()
    assert_identical(state, here.step(here.init(), 3))
