"""A page that is slow to load a bench, as on a computer where many others compute, gets all of it in the end."""

from collections.abc import Iterator

import pytest
from playwright.sync_api import Browser, Page

from tests.browser.conftest import PAGE
from tests.browser.lab import Lab
from tests.hangs import wait_until

pytestmark = pytest.mark.browser

TOO_LATE = """
const given = AbortSignal.timeout.bind(AbortSignal);
AbortSignal.timeout = milliseconds => given(milliseconds === 2000 ? 0 : milliseconds);
"""
"""anywidget waits two seconds for the code of a widget; on this page they are over at once."""
SHOWN = ".pokerlab-canvas[data-iteration]"


@pytest.fixture
def late(browser: Browser, address: str) -> Iterator[Lab]:
    """Return JupyterLab on a page that is too late with each widget's code."""
    page = browser.new_page(viewport=PAGE)
    page.add_init_script(TOO_LATE)
    yield Lab(page, address)
    page.close()


def iteration(page: Page) -> int:
    """Return the iteration of the picture on show."""
    return int(page.locator(SHOWN).last.get_attribute("data-iteration") or 0)


def test_picture_whose_code_comes_late_moves(late: Lab) -> None:
    errors: list[str] = []
    late.page.on("pageerror", lambda error: errors.append(str(error)))
    late.show("tiny")
    wait_until(lambda: any("Failed to initialize" in each for each in errors), "it is late")
    moves_on(late)
    late.save()
    late.reload()
    moves_on(late)
    late.button("Pause").click()
    wait_until(lambda: late.button("Run").count() == 1, "the bench is paused")
    wait_until(lambda: f"t = {iteration(late.page):,} of" in late.status(), "the last one is shown")


def moves_on(lab: Lab) -> None:
    """Run the bench, unless it runs, and wait until its picture moves."""
    wait_until(lambda: lab.page.locator(SHOWN).count() == 1, "the picture is there")
    if lab.button("Run").count():
        lab.button("Run").click()
    before = iteration(lab.page)
    wait_until(lambda: iteration(lab.page) > before, "the picture moves")
