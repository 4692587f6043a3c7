"""Kernels are reached over socket files in a folder of their own, which no other program takes."""

import sys
import tempfile
from collections.abc import Iterator
from pathlib import Path

import pytest
from jupyter_client.blocking.client import BlockingKernelClient
from jupyter_client.manager import KernelManager
from traitlets.config import Config

pytest.importorskip("voila", reason="voila is not installed; make setup installs it")

from pokerlab.workbench.dash.sockets import MOST_PATH_BYTES, SocketFiles, can_hold_sockets
from tests.hangs import HANG_SECONDS

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="kernels use TCP there")


class Kernel(SocketFiles, KernelManager):
    """A kernel that a test starts."""


@pytest.fixture
def folder() -> Iterator[Path]:
    with tempfile.TemporaryDirectory(prefix="sockets-") as made:
        yield Path(made)


def make(folder: str) -> Kernel:
    return Kernel(config=Config({"SocketFiles": {"socket_folder": folder}}))


def test_kernel_answers_over_five_files_and_leaves_none(folder: Path) -> None:
    manager = make(str(folder))
    manager.start_kernel()
    try:
        client: BlockingKernelClient = manager.client()
        client.start_channels()
        client.wait_for_ready(timeout=HANG_SECONDS)
        assert manager.get_connection_info()["transport"] == "ipc"
        assert len(list(folder.iterdir())) == 5
        client.stop_channels()
    finally:
        manager.shutdown_kernel(now=True)
    assert list(folder.iterdir()) == []


def test_kernels_of_one_folder_have_different_names(folder: Path) -> None:
    assert len({make(str(folder)).ip for _ in range(100)}) == 100


def test_folder_with_a_path_too_long_for_sockets_falls_back_to_tcp() -> None:
    short = "/" + "f" * (MOST_PATH_BYTES - 21)
    assert can_hold_sockets(short)
    assert not can_hold_sockets(short + "f")
    assert [make(each).transport for each in (short, short + "f", "")] == ["ipc", "tcp", "tcp"]
    assert make("").ip == "127.0.0.1"


def test_transport_that_is_chosen_by_hand_is_kept(folder: Path) -> None:
    config = Config(
        {"SocketFiles": {"socket_folder": str(folder)}, "KernelManager": {"transport": "tcp"}}
    )
    manager = Kernel(config=config)
    assert (manager.transport, manager.ip) == ("tcp", "127.0.0.1")
