"""`make lab` serves the notebooks on any machine and prints the address that opens them."""

import json
import os
import shutil
import signal
import socket
import subprocess
import sys
import urllib.error
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import timedelta
from pathlib import Path
from types import SimpleNamespace
from urllib.parse import urlsplit
from urllib.request import Request, urlopen

import nbformat
import pytest
from jupyter_client.blocking import BlockingKernelClient
from jupyter_server._tz import utcnow
from playwright.sync_api import Browser

from pokerlab.core.cache import get_user_cache_folder
from pokerlab.workbench.live.screen import RUN_CELLS_ABOVE
from tests.browser.conftest import PAGE
from tests.browser.lab import Lab
from tests.browser.server import stop
from tests.hangs import HANG_SECONDS, wait_until
from tools.lab import LessonKernels, main

pytestmark = pytest.mark.skipif(sys.platform == "win32", reason="needs the signals of POSIX")

ROOT = Path(__file__).resolve().parents[2]
FIRST = "00_start_here.ipynb"
LAB = [sys.executable, "-m", "tools.lab"]
LEFT_OUT = ("JUPYTER", "IPYTHON", "MPL", "XDG", "BROWSER", "DISPLAY", "WAYLAND", "MAKE", "PYTHON")
"""Beginnings of the variables that say where things are on this machine."""
LEAST_WIDTH = 700
"""Of a bench's picture, in pixels, on a page of 1280; its letters are 11 pixels high at 760."""


@dataclass(frozen=True)
class Started:
    """A server that has been started, and the lines that it has printed."""

    process: subprocess.Popen[str]
    lines: list[str]

    def line_with(self, words: str) -> str:
        """Wait for a line that holds `words`; return it."""
        while not (found := [line for line in self.lines if words in line]):
            line = self.process.stdout.readline()
            assert line, f"ended with {self.process.wait()}: {self.lines}"
            self.lines.append(line.rstrip())
        return found[0]

    @property
    def address(self) -> str:
        """The address printed."""
        return self.line_with("token=")

    def ask(self, path: str, method: str = "GET", token: bool = True) -> dict[str, object]:
        """Send a request to the server's interface; return the answer."""
        address = urlsplit(self.address)
        query = address.query if token else ""
        url = address._replace(path=f"/api/{path}", query=query).geturl()
        with urlopen(Request(url, method=method), timeout=HANG_SECONDS) as answer:
            return json.load(answer)

    def interrupt(self) -> list[str]:
        """Press Ctrl-C; return the lines not read so far."""
        os.killpg(self.process.pid, signal.SIGINT)
        return self.process.communicate(timeout=HANG_SECONDS)[0].splitlines()


@contextmanager
def started(command: list[str], folder: Path, **variables: object) -> Iterator[Started]:
    """Start a command that serves the notebooks in `folder`, and end it."""
    kept = {key: value for key, value in os.environ.items() if not key.startswith(LEFT_OUT)}
    with subprocess.Popen(
        command,
        cwd=folder,
        env=kept | {key: str(value) for key, value in variables.items()},
        stdout=subprocess.PIPE,
        stderr=subprocess.STDOUT,
        text=True,
        start_new_session=True,
    ) as process:
        try:
            yield Started(process, [])
        finally:
            stop(process)


def with_notebook(folder: Path) -> Path:
    """Put the first notebook where the command looks for it; return the folder."""
    (folder / "notebooks").mkdir(parents=True)
    shutil.copy(ROOT / "notebooks" / FIRST, folder / "notebooks")
    return folder


def test_no_home_no_browser_a_taken_port_and_a_path_with_spaces(tmp_path: Path) -> None:
    folder, home = tmp_path / "a path with spaces", tmp_path / "home"
    home.write_text("a file in its place, where even root cannot make a folder", encoding="utf-8")
    spare, empty = tmp_path / "spare", tmp_path / "bin"
    for made in (spare, empty):
        made.mkdir()
    with socket.socket() as taken:
        taken.bind(("127.0.0.1", 0))
        taken.listen()
        port = taken.getsockname()[1]
        places = {"HOME": home, "PATH": empty, "TMPDIR": spare, "PYTHONPATH": ROOT}
        with started([*LAB, f"--port={port}"], with_notebook(folder), **places) as lab:
            address = urlsplit(lab.address)
            assert address.hostname == "127.0.0.1"
            assert address.port != port
            assert any("running as root" in line for line in lab.lines) == (os.geteuid() == 0)
            with urlopen(lab.address) as page:
                assert page.url == lab.address
            assert lab.ask(f"contents/{FIRST}")["type"] == "notebook"
            with pytest.raises(urllib.error.HTTPError, match="403"):
                lab.ask(f"contents/{FIRST}", token=False)
            with pytest.raises(OSError, match=r"refused|timed out|unreachable"):
                socket.create_connection(("127.0.0.2", address.port), timeout=1)
            kernel = lab.ask("kernels", "POST")["id"]
            (connection,) = spare.rglob(f"kernel-{kernel}.json")
            client = BlockingKernelClient(connection_file=str(connection))
            client.load_connection_file()
            client.start_channels(hb=False)  # a slow start is not a dead kernel
            client.wait_for_ready(timeout=HANG_SECONDS)
            client.stop_channels()
            assert lab.interrupt() == ["", "lab: stopping"]
            assert lab.process.returncode == 0
        assert list(spare.iterdir()) == []


def test_a_browser_opens_the_address_and_options_reach_jupyterlab(tmp_path: Path) -> None:
    home = tmp_path / "home"
    home.mkdir()
    places = {"HOME": home, "BROWSER": "echo opening %s", "PYTHONPATH": ROOT}
    with started([*LAB, "--ip=0.0.0.0"], with_notebook(tmp_path), **places) as lab:
        assert urlsplit(lab.address).hostname == "127.0.0.1"
        assert not any("cannot be written" in line for line in lab.lines)
        assert lab.ask(f"contents/{FIRST}")["type"] == "notebook"
        assert lab.line_with("opening file:").endswith(".html")


@pytest.mark.browser
def test_what_is_opened_has_room_for_a_bench_that_is_run_alone(
    tmp_path: Path, browser: Browser, screenshots: Path
) -> None:
    home = tmp_path / "home"
    home.mkdir()
    command = [*LAB, "--no-browser", "--LabApp.expose_app_in_browser=True"]
    with started(command, with_notebook(tmp_path), HOME=home, PYTHONPATH=ROOT) as server:
        page = browser.new_page(viewport=PAGE)
        lab = Lab(page, server.address)
        page.goto(server.address)
        lab.wait_until_ready()
        lab.save()
        saved, committed = tmp_path / "notebooks" / FIRST, ROOT / "notebooks" / FIRST
        assert saved.read_bytes() == committed.read_bytes()
        lab.run_alone("pl.workbench.bench(")
        assert lab.errors() == []
        wait_until(lambda: lab.image.bounding_box()["width"] >= LEAST_WIDTH, "it is wide")
        lab.button("Run").click()
        lab.button("Pause").click()
        lab.settle()
        lab.to_the_bench()
        lab.screenshot(screenshots / "opened.png")
        assert page.locator(".Toastify__toast").count() == 0
        label = "() => window.jupyterapp.commands.label('notebook:run-all-above')"
        assert page.evaluate(label) in RUN_CELLS_ABOVE
        page.close()


@pytest.mark.browser
def test_links_open_beside_the_lesson_and_show_definitions(
    tmp_path: Path, browser: Browser, screenshots: Path
) -> None:
    shutil.copytree(ROOT / "notebooks", tmp_path / "notebooks")
    command = [*LAB, "--no-browser", "--LabApp.expose_app_in_browser=True"]
    with started(command, tmp_path, HOME=make_folder(tmp_path / "home"), PYTHONPATH=ROOT) as server:
        page = browser.new_page(viewport=PAGE)
        lab = Lab(page, server.address)
        page.goto(server.address)
        lab.wait_until_ready()
        link = page.locator("a[title^='ante (00): chips that each player puts in']").first
        assert page.locator(".jp-FileBrowser:visible").count() == 0
        link.click()
        glossary = page.locator(".jp-MarkdownViewer")
        glossary.wait_for()
        lab.screenshot(screenshots / "glossary.png")
        tabs = page.locator("#jp-main-dock-panel .lm-TabBar-tabLabel")
        assert tabs.all_inner_texts() == [FIRST, "glossary.md"]
        tabs.first.click()
        page.locator("a[href*='01_games']").first.click()
        wait_until(lambda: tabs.count() == 3, "the next lesson is in a tab of its own")
        page.close()


CULLING = ("--MappingKernelManager.cull_idle_timeout=3", "--MappingKernelManager.cull_interval=1")
BENCH = """
import pokerlab as pl
from pokerlab.papers.lanctot2014 import Config, replicator
bench = pl.workbench.bench(replicator, Config(game="KP(3)", iterations=10_000_000, seed=1))
"""


@pytest.mark.browser
def test_kernels_without_a_page_end_except_one_whose_bench_runs(
    tmp_path: Path, browser: Browser
) -> None:
    for name, code in {FIRST: "1 + 1", "bench.ipynb": BENCH}.items():
        cells = [nbformat.v4.new_code_cell(code.strip())]
        kernel = {"kernelspec": {"name": "python3", "display_name": "Python 3"}}
        notebook = nbformat.v4.new_notebook(cells=cells, metadata=kernel)
        nbformat.write(notebook, make_folder(tmp_path / "notebooks") / name)
    command = [*LAB, "--no-browser", "--LabApp.expose_app_in_browser=True", *CULLING]
    with started(command, tmp_path, HOME=make_folder(tmp_path / "home"), PYTHONPATH=ROOT) as server:
        page = browser.new_page(viewport=PAGE)
        lab = Lab(page, server.address)
        page.goto(server.address.replace(FIRST, "bench.ipynb"))
        lab.wait_until_ready()
        lab.run_all()
        lab.button("Run").click()
        page.goto(f"{server.address}&reset")  # without the tab of the bench
        lab.wait_until_ready()
        assert len(server.ask("kernels")) == 2
        page.close()
        ended = server.line_with("its kernel has ended")
        assert ended == f"lab: {FIRST} was not open for 0.05 minutes; its kernel has ended."
        for _ in range(3):
            server.ask("kernels", "POST")
            wait_until(lambda: len(server.ask("kernels")) == 1, "another idle kernel ends")
        (left,) = server.ask("sessions")
        assert left["name"] == "bench.ipynb"


def make_folder(path: Path) -> Path:
    """Make a folder, if it is not there; return it."""
    path.mkdir(exist_ok=True)
    return path


def test_idle_time_counts_from_the_closing_of_the_page(monkeypatch: pytest.MonkeyPatch) -> None:
    kernel = SimpleNamespace(last_activity=utcnow() - timedelta(hours=1))
    monkeypatch.setattr(LessonKernels, "__contains__", lambda _, name: name == "open")
    monkeypatch.setattr(LessonKernels, "get_kernel", lambda *_: kernel)
    kernels, closed = LessonKernels(), utcnow()
    kernels.notify_disconnect("ended")  # a page whose kernel is no more
    assert kernel.last_activity < closed
    kernels.notify_disconnect("open")
    assert closed <= kernel.last_activity <= utcnow()


def test_without_notebooks_the_command_says_where_to_start_it(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.chdir(tmp_path)
    assert main([]) == 1
    assert "in the folder of pokerlab" in capsys.readouterr().out


@pytest.mark.slow
@pytest.mark.timeout(3600)
def test_make_lab_sets_up_an_unpacked_archive_in_a_path_with_spaces(tmp_path: Path) -> None:
    folder, home = tmp_path / "an unpacked archive", tmp_path / "home"
    home.write_text("a file in its place, where even root cannot make a folder", encoding="utf-8")
    shutil.copytree(ROOT, folder, ignore=shutil.ignore_patterns(".*", "__pycache__"))
    command = ["make", "lab", f"PYTHON={sys.executable}", "OPTIONS=--no-browser"]
    with started(command, folder, HOME=home, POKERLAB_CACHE=get_user_cache_folder().parent) as lab:
        assert lab.ask(f"contents/{FIRST}")["type"] == "notebook"
        assert "lab: stopping" in lab.interrupt()
        assert (folder / ".venv" / "home").is_dir()
    # Pytest keeps the rest for a while. What is compiled behind the page may still write its mark here.
    shutil.rmtree(folder / ".venv", ignore_errors=True)
