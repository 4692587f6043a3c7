"""`make dash`: pages without code that move, a kernel for each visit, and a terminal that stays quiet."""

import os
import signal
import subprocess
from collections.abc import Iterator
from contextlib import suppress
from pathlib import Path

import psutil
import pytest
from playwright.sync_api import Browser, Page

from pokerlab.workbench.dash.pages import PAGES
from tests.browser.lab import changes
from tests.browser.server import DASH_LOG, running_dash, wait_for
from tests.hangs import HANG_SECONDS, wait_until

pytest.importorskip("voila", reason="voila is not installed; make setup installs it")
pytestmark = pytest.mark.browser

Served = tuple[str, subprocess.Popen[bytes]]
"""Seconds in which a busy machine starts a kernel and opens a page."""


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, notebooks: Path) -> Path:
    """Return a folder with the lessons."""
    made = tmp_path_factory.mktemp("dash")
    (made / "notebooks").symlink_to(notebooks)
    return made


@pytest.fixture(scope="module")
def served(folder: Path, chromium: Path) -> Iterator[Served]:
    """Return the address of the pages, and the process that serves them."""
    with running_dash(folder) as (address, server):
        wait_for(address, server, folder / DASH_LOG)
        yield address, server


def kernels(server: subprocess.Popen[bytes]) -> list[psutil.Process]:
    """Return the kernels that live: forks of a child of the server, or children that say so."""
    children = psutil.Process(server.pid).children(recursive=True)
    return [child for child in children if is_kernel(child, server.pid)]


def is_kernel(child: psutil.Process, server: int) -> bool:
    """Return whether a process is a kernel; one that has just ended is none."""
    with suppress(psutil.Error):
        lives = child.status() != psutil.STATUS_ZOMBIE
        return lives and (
            child.ppid() != server or any("ipykernel_launcher" in word for word in child.cmdline())
        )
    return False


def status(page: Page) -> str:
    """Return the words below the picture."""
    return page.locator(".pokerlab-live .pokerlab-status").inner_text()


def test_pages_say_what_they_are_and_lead_to_lessons(browser: Browser, served: Served) -> None:
    page = browser.new_page()
    page.goto(served[0])
    assert page.locator("dt a").count() == len(PAGES)
    assert "Lesson 02" in page.locator("dd", has_text="multiply").inner_text()
    page.locator("dd a", has_text="Lesson 02").click()
    assert page.locator("h1").first.inner_text().startswith("Populations")
    page.locator("a[href^='glossary.md']").first.click()
    assert page.locator("h1").first.inner_text().startswith("Glossary")
    page.close()


def test_a_page_asks_no_other_host_for_anything(browser: Browser, served: Served) -> None:
    page = browser.new_page()
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(f"{served[0]}voila/render/replicator.ipynb", timeout=HANG_SECONDS * 1000)
    page.locator(".pokerlab-live .pokerlab-status").wait_for(timeout=HANG_SECONDS * 1000)
    own = ("data:", "blob:", served[0])
    assert len(asked) > 3
    assert [url for url in asked if not url.startswith(own)] == []
    page.close()


def test_a_table_is_played_at(browser: Browser, served: Served) -> None:
    page = browser.new_page()
    page.goto(f"{served[0]}voila/render/holdem.ipynb", timeout=HANG_SECONDS * 1000)
    deal = page.locator("button.jupyter-button", has_text="Deal")
    deal.wait_for(timeout=HANG_SECONDS * 1000)
    assert page.locator("h1").first.inner_text().startswith("Limit hold'em")
    picture = page.locator(".pokerlab-live img")
    changes(lambda: picture.get_attribute("src"), deal.click, "cards are dealt")
    page.get_by_role("link", name="All pages").click()
    wait_until(lambda: kernels(served[1]) == [], "the kernel ends with the visit")
    page.close()


def test_a_bench_is_chosen_runs_and_says_when_its_kernel_is_gone(
    browser: Browser, served: Served, screenshots: Path
) -> None:
    address, server = served
    page = browser.new_page(viewport={"width": 1280, "height": 900})
    page.goto(address)
    page.locator("dt a", has_text="Replicator dynamics").click(timeout=HANG_SECONDS * 1000)
    page.locator(".pokerlab-live .pokerlab-status").wait_for(timeout=HANG_SECONDS * 1000)
    picture = page.locator(".pokerlab-live .pokerlab-canvas")
    assert picture.count() == 1
    assert page.locator("img").filter(visible=True).count() == 0  # what stays for files is hidden
    assert page.locator("pre, .jp-Editor").filter(visible=True).count() == 0
    panel, beside = page.locator(".pokerlab-panel").bounding_box(), picture.bounding_box()
    assert panel["x"] + panel["width"] <= beside["x"]

    run = page.locator("button.jupyter-button", has_text="Run")
    changes(lambda: picture.get_attribute("data-iteration"), run.click, "the picture moves")
    wait_until(lambda: not status(page).startswith("t = 1 "), "iterations pass")
    page.screenshot(path=screenshots / "dash.png")

    for kernel in kernels(server):
        kernel.kill()
    dead = page.locator(".pokerlab-dead")
    dead.wait_for(state="visible")
    assert dead.inner_text().endswith("dead. Load this page again.")
    page.close()


def test_a_kernel_ends_with_its_visit_and_ctrl_c_says_a_last_word(
    browser: Browser, served: Served, folder: Path
) -> None:
    address, server = served
    page = browser.new_page()
    page.goto(f"{address}voila/render/replicator.ipynb", timeout=HANG_SECONDS * 1000)
    page.locator(".pokerlab-live .pokerlab-status").wait_for(timeout=HANG_SECONDS * 1000)
    (first,) = kernels(server)
    page.reload(timeout=HANG_SECONDS * 1000)
    page.locator(".pokerlab-live .pokerlab-status").wait_for(timeout=HANG_SECONDS * 1000)
    wait_until(lambda: len(kernels(server)) == 1, "one kernel is left")
    (second,) = kernels(server)
    assert second != first
    page.close()
    wait_until(lambda: kernels(server) == [], "a closed tab leaves none")
    page = browser.new_page()
    page.goto(f"{address}voila/render/kuhn.ipynb", timeout=HANG_SECONDS * 1000)
    (last,) = kernels(server)
    os.killpg(server.pid, signal.SIGINT)
    assert server.wait(HANG_SECONDS) == 0
    wait_until(lambda: not last.is_running(), "the kernel ends with the server")
    *announced, _, said = (folder / DASH_LOG).read_text(encoding="utf-8").splitlines()
    assert said == "dash: stopping"
    assert [line[:4] for line in announced] == ["dash", "http"]  # and nothing for all the visits
    page.close()


def test_ctrl_c_is_heard_while_modules_are_imported(tmp_path: Path) -> None:
    with running_dash(tmp_path) as (_, server):
        process = psutil.Process(server.pid)
        wait_until(lambda: any("numpy" in each.path for each in process.memory_maps()), "imports")
        os.killpg(server.pid, signal.SIGINT)
        assert server.wait(HANG_SECONDS) == 0
    assert (tmp_path / DASH_LOG).read_text(encoding="utf-8").split() == ["dash:", "stopping"]
