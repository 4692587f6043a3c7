"""`make dash`: each bench is a page without code, which moves, and says what to do when its kernel is gone."""

import os
import signal
import subprocess
import sys
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from playwright.sync_api import Browser, Page

from tests.browser.lab import changes, wait_until
from tests.browser.server import free_port, stop, wait_for

pytest.importorskip("voila", reason="voila is not installed; make setup installs it")
pytestmark = pytest.mark.browser

Served = tuple[str, subprocess.Popen[bytes]]
OPENING = 60.0
"""Seconds in which a busy machine starts a kernel and opens a page."""


@pytest.fixture
def served(tmp_path: Path, chromium: Path) -> Iterator[Served]:
    """Return the address of the benches, and the process that serves them."""
    port, log = free_port(), tmp_path / "dash.log"
    command = [sys.executable, "-m", "pokerlab.workbench.dash", "--no-browser", f"--port={port}"]
    root = str(Path(__file__).resolve().parents[2])
    # Jobs in a shell's background ignore Ctrl-C, and so would what they start.
    signal.signal(signal.SIGINT, signal.default_int_handler)
    with log.open("w", encoding="utf-8") as written:
        how = {"stdout": written, "stderr": subprocess.STDOUT, "start_new_session": True}
        env = os.environ | {"PYTHONPATH": root}
        server = subprocess.Popen(command, cwd=tmp_path, env=env, **how)
        try:
            wait_for(f"http://127.0.0.1:{port}/", server, log)
            yield f"http://127.0.0.1:{port}/", server
        finally:
            stop(server)


def kernels(server: subprocess.Popen[bytes]) -> list[psutil.Process]:
    """Return the kernels that live."""
    return [child for child in psutil.Process(server.pid).children(recursive=True) if lives(child)]


def lives(child: psutil.Process) -> bool:
    """Return whether a process is a kernel; one that has just ended is none."""
    with suppress(psutil.Error):
        return any("ipykernel" in word for word in child.cmdline())
    return False


def status(page: Page) -> str:
    """Return the words below the picture."""
    return page.locator(".pokerlab-live .pokerlab-status").inner_text()


def test_a_bench_is_chosen_runs_and_says_when_its_kernel_is_gone(
    browser: Browser, served: Served, screenshots: Path
) -> None:
    address, server = served
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(address)
    assert page.locator("li a").count() == 6
    page.locator("li a").first.click(timeout=OPENING * 1000)
    page.locator(".pokerlab-live .pokerlab-status").wait_for(timeout=OPENING * 1000)
    picture = page.locator(".pokerlab-live img")
    assert picture.count() == 1
    assert page.locator("img").filter(visible=True).count() == 1  # what stays for files is hidden
    assert page.locator("pre, .jp-Editor").filter(visible=True).count() == 0
    panel, beside = page.locator(".pokerlab-panel").bounding_box(), picture.bounding_box()
    assert panel["x"] + panel["width"] <= beside["x"]

    run = page.locator("button.jupyter-button", has_text="Run")
    changes(lambda: picture.get_attribute("src"), run.click, "the picture moves")
    wait_until(lambda: not status(page).startswith("t = 1 "), "iterations pass")
    page.screenshot(path=screenshots / "dash.png")

    for kernel in kernels(server):
        kernel.kill()
    dead = page.locator(".pokerlab-dead")
    dead.wait_for(state="visible")
    assert dead.inner_text().endswith("dead. Load this page again.")
    page.close()


def test_a_kernel_ends_with_its_visit_and_ctrl_c_says_a_last_word(
    browser: Browser, served: Served, tmp_path: Path
) -> None:
    address, server = served
    page = browser.new_page()
    page.goto(f"{address}voila/render/bench_1.ipynb", timeout=OPENING * 1000)
    page.locator(".pokerlab-live .pokerlab-status").wait_for(timeout=OPENING * 1000)
    (first,) = kernels(server)
    page.reload(timeout=OPENING * 1000)
    page.locator(".pokerlab-live .pokerlab-status").wait_for(timeout=OPENING * 1000)
    wait_until(lambda: len(kernels(server)) == 1, "one kernel is left")
    assert kernels(server) != [first]
    page.go_back()
    wait_until(lambda: kernels(server) == [], "no kernel is left")
    page.close()
    os.killpg(server.pid, signal.SIGINT)
    assert server.wait(OPENING) == 0
    assert (tmp_path / "dash.log").read_text(encoding="utf-8").splitlines()[-1] == "dash: stopping"
