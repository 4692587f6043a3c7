"""On a cluster of separate processes, one of them killed in the middle, a sweep finds what it finds here."""

import os
import signal
from functools import partial
from pathlib import Path
from typing import Any

import pytest

from pokerlab.core import SettingError
from pokerlab.core import workers as core_cluster
from pokerlab.papers import samothrakis2011
from pokerlab.runs import SweepError, sweep

distributed = pytest.importorskip("distributed")
pytestmark = [pytest.mark.slow, pytest.mark.filterwarnings("default")]

CONFIG = samothrakis2011.Config(iterations=4, seed=1)
quiet = partial(sweep, progress=False)


def test_a_killed_worker_changes_nothing(client: Any, tmp_path: Path) -> None:
    died = tmp_path / "died"
    rows = samothrakis2011.minimax_coevolution.record_rows

    def once_deadly(config: Any) -> Any:
        if config.seed == 3 and not died.exists():
            died.touch()
            os.kill(os.getpid(), signal.SIGKILL)
        return rows(config)

    there = quiet(once_deadly, {}, config=CONFIG, seeds=range(6), workers=client)
    here = quiet(once_deadly, {}, config=CONFIG, seeds=range(6))
    assert died.exists()
    assert list(there.columns) == list(here.columns)
    for name, column in here.columns.items():
        assert there[name].tobytes() == column.tobytes(), name


def test_what_kills_every_worker_is_named(client: Any, tmp_path: Path) -> None:
    def deadly(setting: dict[str, Any]) -> dict[str, float]:
        if setting["a"] == 2:
            os._exit(1)
        return {"x": setting["a"]}

    with pytest.raises(SweepError, match=r"at \{'a': 2\}: KilledWorker") as caught:
        quiet(deadly, {"a": [1, 2, 3]}, workers=client, folder=tmp_path)
    assert caught.value.finished is not None
    assert caught.value.finished["x"].tolist() == [1, 3]


def test_an_address_is_enough(client: Any) -> None:
    address = client.scheduler.address
    table = quiet(lambda setting: {"x": setting["a"]}, {"a": [1, 2]}, workers=address)
    assert table["x"].tolist() == [1, 2]


def test_a_cluster_without_workers_is_given_up(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(core_cluster, "CLUSTER_TIMEOUT", 0.5)
    with (
        distributed.LocalCluster(n_workers=0, processes=True, dashboard_address=":0") as cluster,
        distributed.Client(cluster) as client,
        pytest.raises(SettingError, match="no worker"),
    ):
        quiet(lambda setting: {"x": 1}, {"a": [1, 2]}, workers=client)
