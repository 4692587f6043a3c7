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
from pokerlab.workbench.dash.sockets import can_hold_sockets
from pokerlab.workbench.live.settings_fold import MOST_ROWS
from tests.browser.lab import changes
from tests.browser.server import DASH_LOG, TEMPORARY, running_dash, wait_for
from tests.hangs import HANG_SECONDS, wait_until

pytest.importorskip("voila", reason="voila is not installed; make setup installs it")
pytestmark = pytest.mark.browser

Served = tuple[str, subprocess.Popen[bytes]]


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory, notebooks: Path) -> Path:
    """Return a folder with the lessons."""
    made = tmp_path_factory.mktemp("dash")
    for name in ("notebooks", "figures"):
        (made / name).symlink_to(notebooks.parent / name)
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
    assert page.locator("li > b > a").count() == len(PAGES)
    assert "Lesson 02" in page.locator("li", has_text="multiply").inner_text()
    page.locator("li a", has_text="Lesson 02").click()
    assert page.locator("h1").first.inner_text().startswith("Stable populations")
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
    picture = page.locator(".pokerlab-live img").first
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
    page.locator("li > b > a", has_text="Replicator dynamics").click(timeout=HANG_SECONDS * 1000)
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


WIDEST = """() => Math.max(...Array.from(
    document.querySelectorAll('.jp-RenderedMarkdown p, .pokerlab-words p, .pokerlab-words .pokerlab-status'),
    text => text.getBoundingClientRect().width / parseFloat(getComputedStyle(text).fontSize)))"""
"""The longest line of text, in em."""


BROKEN = "Array.from(document.images).filter(each => each.complete && !each.naturalWidth).map(each => each.src)"
"""The pictures of a page that did not come."""


@pytest.fixture
def page(browser: Browser) -> Iterator[Page]:
    """Return a page, which is closed whatever becomes of the test."""
    made = browser.new_page(viewport={"width": 1280, "height": 900})
    yield made
    made.close()


def open_bench(page: Page, served: Served, address: str) -> Page:
    """Open a page with a bench and wait until it is there."""
    page.set_default_timeout(HANG_SECONDS * 1000)
    page.goto(f"{served[0]}voila/render/{address}")
    page.locator(".pokerlab-live .pokerlab-status").wait_for()
    return page


def test_address_of_a_page_holds_the_settings_of_its_bench(page: Page, served: Served) -> None:
    open_bench(page, served, "replicator.ipynb?game=KP(3)&payoff_shift=30")
    wait_until(lambda: "game KP(3), payoff shift 30" in status(page), "the settings are taken")
    shift = page.locator(".pokerlab-panel .widget-slider", has_text="Payoff shift")
    assert shift.locator(".widget-readout").inner_text() == "30"
    shift.locator(".noUi-handle").press("ArrowRight")
    # Waiting without a question to the page, `page.url` would never change.
    said = "?game=KP(3)&payoff_shift=30.1"
    wait_until(lambda: page.evaluate("() => location.search") == said, "the address follows")
    page.reload()
    wait_until(lambda: "payoff shift 30.1" in status(page), "and opens the same bench")


def test_nonsense_in_an_address_is_answered_in_words(page: Page, served: Served) -> None:
    open_bench(page, served, "replicator.ipynb?payoff_shift=banana")
    wait_until(lambda: "payoff_shift is 'banana' in the address" in status(page), "it is refused")
    page.locator("button.jupyter-button", has_text="Defaults").click()
    run = page.locator("button.jupyter-button", has_text="Run")
    wait_until(lambda: run.get_attribute("aria-disabled") == "false", "the bench can be run")
    run.click()
    wait_until(lambda: not status(page).startswith("t = 1 "), "iterations pass")


def test_two_visits_of_a_page_have_runs_of_their_own(
    page: Page, browser: Browser, served: Served
) -> None:
    one, other = (
        open_bench(each, served, "replicator.ipynb") for each in (page, browser.new_page())
    )
    wait_until(lambda: len(kernels(served[1])) == 2, "each has a kernel of its own")
    for each in (one, other):
        each.locator("button.jupyter-button", has_text="Run").click()
        wait_until(lambda each=each: not status(each).startswith("t = 1 "), "iterations pass")
    other.close()
    wait_until(lambda: len(kernels(served[1])) == 1, "the kernel of the closed page ends")
    before = status(one)
    wait_until(lambda: status(one) != before, "the other visit goes on")


def test_each_kernel_has_socket_files_until_its_visit_ends(
    page: Page, served: Served, folder: Path
) -> None:
    (sockets,) = (folder / TEMPORARY).glob("pokerlab-sockets-*")
    assert can_hold_sockets(str(sockets))
    wait_until(lambda: list(sockets.iterdir()) == [], "earlier visits have ended")
    open_bench(page, served, "replicator.ipynb")
    assert len({path.name.rpartition("-")[0] for path in sockets.iterdir()}) == 1
    assert len(list(sockets.iterdir())) == 5
    page.close()
    wait_until(lambda: list(sockets.iterdir()) == [], "they are removed")


def test_kernel_of_a_page_that_is_left_while_it_opens_ends(page: Page, served: Served) -> None:
    wait_until(lambda: kernels(served[1]) == [], "earlier visits have ended")
    page.goto(f"{served[0]}voila/render/networks.ipynb", wait_until="commit")
    wait_until(lambda: len(kernels(served[1])) == 1, "the kernel is made")
    page.close()
    wait_until(lambda: kernels(served[1]) == [], "and ends")


def test_kernel_of_a_page_whose_program_never_came_ends(page: Page, served: Served) -> None:
    wait_until(lambda: kernels(served[1]) == [], "earlier visits have ended")
    page.route("**/voila.js*", lambda route: route.abort())
    page.goto(f"{served[0]}voila/render/networks.ipynb")
    assert len(kernels(served[1])) == 1
    page.goto("about:blank")
    wait_until(lambda: kernels(served[1]) == [], "the kernel ends")


def test_visitor_takes_a_run_home_and_nothing_is_written_here(
    page: Page, served: Served, folder: Path
) -> None:
    before = sorted(folder.iterdir())
    open_bench(page, served, "replicator.ipynb")
    assert page.locator("button, select").filter(has_text="Save").count() == 1
    for kind in ("png", "columns"):
        with page.expect_download() as download:
            page.locator(".pokerlab-save").select_option(kind)
        assert Path(download.value.path()).stat().st_size > 100
    assert sorted(folder.iterdir()) == before


def test_panel_of_networks_opens_with_ten_settings_and_finds_the_others(
    page: Page, served: Served, screenshots: Path
) -> None:
    open_bench(page, served, "networks.ipynb")
    rows = page.locator(
        ".pokerlab-panel :is(.pokerlab-paper, .pokerlab-changed, .pokerlab-ours, .pokerlab-silent)"
    ).filter(visible=True)
    assert rows.count() == 10
    page.locator(".pokerlab-fold", has_text="More settings").click()
    wait_until(lambda: rows.count() == 10 + MOST_ROWS, "a few more are shown")
    page.keyboard.press("Tab")
    page.keyboard.type("raise")
    found = page.get_by_role("status").filter(has_text="with 'raise'")
    found.wait_for()
    wait_until(lambda: rows.count() == 10 + int(found.inner_text().split()[0]), "only these stay")
    page.screenshot(path=screenshots / "find.png")


@pytest.mark.parametrize(
    "address", ["voila/render/networks.ipynb", "lesson/05_replicator_in_trees.ipynb"]
)
def test_text_of_pages_is_at_most_46_em_wide(address: str, page: Page, served: Served) -> None:
    page.set_viewport_size({"width": 1600, "height": 900})
    page.goto(served[0] + address, timeout=HANG_SECONDS * 1000)
    if "lesson" not in address:
        page.locator(".pokerlab-live .pokerlab-status").wait_for(timeout=HANG_SECONDS * 1000)
    assert page.evaluate(WIDEST) <= 46.01


@pytest.mark.parametrize("colors", ["light", "dark"])
def test_a_page_has_the_colors_that_the_browser_prefers(
    colors: str, browser: Browser, served: Served, screenshots: Path
) -> None:
    page = browser.new_context(color_scheme=colors).new_page()  # type: ignore[arg-type]
    page.goto(served[0] + "voila/render/replicator.ipynb", timeout=HANG_SECONDS * 1000)
    page.locator(".pokerlab-live .pokerlab-status").wait_for(timeout=HANG_SECONDS * 1000)
    background = "getComputedStyle(document.body).backgroundColor"
    red, *_ = page.evaluate(f"{background}.match(/\\d+/g).map(Number)")
    page.screenshot(path=screenshots / f"{colors}.png")
    page.context.close()
    assert red > 200 if colors == "light" else red < 60


@pytest.mark.parametrize("colors", ["light", "dark"])
def test_a_lesson_has_these_colors_and_formulas_from_no_other_host(
    colors: str, browser: Browser, served: Served, screenshots: Path
) -> None:
    page = browser.new_context(color_scheme=colors).new_page()  # type: ignore[arg-type]
    asked: list[str] = []
    page.on("request", lambda request: asked.append(request.url))
    page.goto(served[0] + "lesson/audits/lanctot_2014.ipynb", timeout=HANG_SECONDS * 1000)
    formulas = page.locator("mjx-container")
    formulas.first.wait_for(timeout=HANG_SECONDS * 1000)
    background = "getComputedStyle(document.body).backgroundColor"
    red, *_ = page.evaluate(f"{background}.match(/\\d+/g).map(Number)")
    formulas.first.scroll_into_view_if_needed()
    page.screenshot(path=screenshots / f"lesson-{colors}.png")
    assert page.title().startswith("Audit: Lanctot (2014)")
    assert page.evaluate(BROKEN) == []
    page.context.close()
    assert red > 200 if colors == "light" else red < 60
    assert [url for url in asked if not url.startswith(("data:", "blob:", served[0]))] == []


def test_a_page_in_a_browser_without_cookies_is_loaded_once(
    browser: Browser, served: Served
) -> None:
    page = browser.new_context(color_scheme="dark").new_page()
    page.add_init_script(
        "Object.defineProperty(document, 'cookie', {get: () => '', set: () => {}})"
    )
    loads: list[str] = []
    page.on("domcontentloaded", lambda loaded: loads.append(loaded.url))
    page.goto(served[0], timeout=HANG_SECONDS * 1000)
    page.wait_for_timeout(1000)
    page.context.close()
    assert loads == [served[0]]


def test_a_kernel_ends_with_its_visit_and_ctrl_c_says_a_last_word(
    browser: Browser, served: Served, folder: Path
) -> None:
    address, server = served
    wait_until(lambda: kernels(server) == [], "earlier visits have ended")
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
    begins = [line[:4] for line in announced]
    assert begins == ["dash", "dash", "http"]  # and nothing for all the visits
    assert list((folder / TEMPORARY).iterdir()) == []
    page.close()


def test_ctrl_c_is_heard_while_modules_are_imported(tmp_path: Path) -> None:
    with running_dash(tmp_path) as (_, server):
        process = psutil.Process(server.pid)
        wait_until(lambda: any("numpy" in each.path for each in process.memory_maps()), "imports")
        os.killpg(server.pid, signal.SIGINT)
        assert server.wait(HANG_SECONDS) == 0
    assert (tmp_path / DASH_LOG).read_text(encoding="utf-8").split() == ["dash:", "stopping"]
