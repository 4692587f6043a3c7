"""Pages are opened before they are announced, and sent whole; one that is left while its kernel speaks is silent."""

import asyncio
import gc
import os
import subprocess
import sys
from pathlib import Path
from typing import Any

import pytest

pytest.importorskip("voila", reason="voila is not installed; make setup installs it")
from jupyter_server.services.kernels.connection.base import serialize_binary_message
from nbformat import v4
from tornado.websocket import WebSocketClosedError
from traitlets.config import Config
from voila.execute import VoilaExecutor

from pokerlab.workbench.dash.server import (
    HAS_FORKS,
    MOST_WAITING_SECONDS,
    NICENESS,
    PROTOCOL,
    SETTINGS,
    Visit,
    write_pages,
)
from pokerlab.workbench.live.screen import Screen

LEAST_PRIORITY = 19  # the largest niceness that a process can have


class Connection:
    """A websocket that closes while a message is sent, or is closed before."""

    def __init__(self, closed: bool, selected_subprotocol: str | None = PROTOCOL) -> None:
        self.is_closing = lambda: closed
        self.selected_subprotocol = selected_subprotocol
        self.sent: list[Any] = []

    def write_message(self, message: Any, binary: bool) -> asyncio.Task[None]:
        async def send() -> None:
            raise WebSocketClosedError

        self.sent.append(message)
        return asyncio.ensure_future(send())


@pytest.mark.parametrize("connection", [None, Connection(True), Connection(False)])
def test_a_message_to_a_page_that_is_left_is_dropped_in_silence(
    connection: Connection | None,
) -> None:
    said: list[Any] = []

    async def send() -> None:
        asyncio.get_running_loop().set_exception_handler(lambda _, context: said.append(context))
        visit = Visit.__new__(Visit)
        visit.ws_connection = connection
        visit.write_message({"header": {"msg_type": "stream"}})
        await asyncio.sleep(0)
        await asyncio.sleep(0)
        gc.collect()

    asyncio.run(send())
    assert said == []


@pytest.mark.parametrize(
    ("connection", "is_sent"),
    [(None, False), (Connection(True, None), False), (Connection(False, None), True)],
)
def test_picture_in_the_older_protocol_is_sent_or_dropped_at_once(
    connection: Connection | None, is_sent: bool
) -> None:
    picture = serialize_binary_message({"header": {"msg_type": "comm_msg"}, "buffers": [b"look"]})

    async def send() -> None:
        visit = Visit.__new__(Visit)
        visit.ws_connection = connection
        visit.write_message(picture, binary=True)

    asyncio.run(send())
    assert (connection.sent if connection else []) == [picture] * is_sent


def test_code_of_a_page_says_that_nobody_saves_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(Screen, "is_page_saved", True)
    write_pages(tmp_path)
    cells = v4.reads((tmp_path / "rules.ipynb").read_text(encoding="utf-8")).cells
    names: dict[str, Any] = {}
    exec(cells[-1].source, names)
    names["opened"].close()
    assert not Screen.is_page_saved


@pytest.mark.skipif(not HAS_FORKS, reason="kernels start from nothing here")
def test_prepare_returns_when_all_pages_have_been_opened(tmp_path: Path) -> None:
    opened = tmp_path / "opened"
    slow = f"import pathlib, time\ntime.sleep(1)\npathlib.Path({str(opened)!r}).touch()\n"
    (tmp_path / "slow_pages.py").write_text(slow, encoding="utf-8")
    code = (
        "import os\n"
        "from pokerlab.workbench.dash import server\n"
        "server.PRELOADED = ['slow_pages']\n"
        "server.prepare_forks()\n"
        f"print(os.path.exists({str(opened)!r}))\n"
    )
    where = os.environ | {"PYTHONPATH": os.pathsep.join([str(tmp_path), *sys.path])}
    command = [sys.executable, "-c", code]
    ran = subprocess.run(command, env=where, capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "True"


@pytest.mark.skipif(not HAS_FORKS, reason="kernels start from nothing here")
def test_dash_with_a_long_path_of_temporary_files_asks_for_a_shorter_one(tmp_path: Path) -> None:
    folder = tmp_path / ("long" * 25)
    folder.mkdir()
    where = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path), "TMPDIR": str(folder)}
    command = [sys.executable, "-m", "pokerlab.workbench.dash"]
    ran = subprocess.run(command, env=where, capture_output=True, text=True)
    assert ran.returncode == 1
    assert ran.stderr.startswith(f"dash: {folder}")
    assert ran.stderr.endswith("Set TMPDIR to a folder with a shorter path.\n")
    assert "Traceback" not in ran.stderr


@pytest.mark.skipif(not HAS_FORKS, reason="kernels start from nothing here")
def test_kernels_leave_the_processor_to_the_server(tmp_path: Path) -> None:
    code = (
        "import os, time\n"
        "from pokerlab.workbench.dash import server\n"
        "server.PRELOADED = [server.__name__]\n"
        "server.prepare_forks()\n"
        f"fork = server.Fork({str(tmp_path / 'kernel.json')!r}, {{}})\n"
        "fork.start()\n"
        "nice = lambda: os.getpriority(os.PRIO_PROCESS, fork.pid)\n"
        "own = os.getpriority(os.PRIO_PROCESS, 0)\n"
        "while nice() == own and fork.poll() is None: time.sleep(0.01)\n"
        "print(nice() - own)\n"
        "fork.kill()\n"
    )
    where = os.environ | {"PYTHONPATH": os.pathsep.join(sys.path)}
    command = [sys.executable, "-c", code]
    ran = subprocess.run(command, env=where, capture_output=True, text=True, check=True)
    own = os.getpriority(os.PRIO_PROCESS, 0)
    assert ran.stdout.splitlines()[-1] == str(min(NICENESS, LEAST_PRIORITY - own))


def test_a_page_waits_for_its_kernel_longer_than_a_class_needs() -> None:
    page = VoilaExecutor(v4.new_notebook(), config=Config(SETTINGS))
    assert page.startup_timeout == page.iopub_timeout == MOST_WAITING_SECONDS


READ_LATE = """
import asyncio, time
from nbformat import v4
from traitlets.config import Config
from voila.execute import VoilaExecutor
from pokerlab.workbench.dash.server import SETTINGS
from tests.kernels import SocketFileKernelManager

cell = v4.new_code_cell("print('a bench')")
page = v4.new_notebook(cells=[cell])
manager = SocketFileKernelManager(client_class="jupyter_client.asynchronous.AsyncKernelClient")
executor = VoilaExecutor(page, km=manager, config=Config(SETTINGS))

async def open_page():
    async with executor.async_setup_kernel():
        read_reply, read_output = executor.kc.shell_channel.get_msg, executor.kc.iopub_channel.get_msg
        answered = asyncio.Event()

        async def read_reply_and_serve_others(*args, **options):
            message = await read_reply(*args, **options)
            answered.set()
            asyncio.get_running_loop().call_soon(time.sleep, 5)
            return message

        async def read_output_late(*args, **options):
            await answered.wait()
            return await read_output(*args, **options)

        executor.kc.shell_channel.get_msg = read_reply_and_serve_others
        executor.kc.iopub_channel.get_msg = read_output_late
        await executor.execute_cell(cell, None, 0)

asyncio.run(open_page())
print([output.text for output in cell.outputs])
"""
"""Opens a page on a server that is busy for five seconds with others before it reads what the kernel has printed."""


def test_a_page_that_a_busy_server_opens_is_sent_with_its_outputs() -> None:
    where = os.environ | {"PYTHONPATH": os.pathsep.join([str(Path.cwd()), *sys.path])}
    command = [sys.executable, "-c", READ_LATE]
    ran = subprocess.run(command, env=where, capture_output=True, text=True, check=True)
    assert ran.stdout.splitlines()[-1] == "['a bench\\n']"
