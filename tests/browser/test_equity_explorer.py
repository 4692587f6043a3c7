"""The equity explorer in a real JupyterLab: streets are dealt, cards are written, mistakes are told."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator

from tests.browser.lab import Lab, changes
from tests.hangs import wait_until

pytestmark = pytest.mark.browser

FIRST, BOARD = 0, 2
"""Places of player 1's cards and of the board among the fields."""


@pytest.fixture
def explorer(lab: Lab) -> Locator:
    """Return the explorer on the page: two hands and no board."""
    lab.show("equity")
    place = lab.page.locator(".jp-OutputArea:has(button:has-text('Deal new hands'))").last
    place.evaluate("place => place.scrollIntoView()")
    return place


def picture(explorer: Locator) -> str:
    """Return the drawing on show."""
    return str(explorer.locator(".jp-RenderedSVG, .jp-RenderedHTML").last.inner_html())


def redraws(explorer: Locator, what: str, act: Callable[[], None]) -> None:
    """Act, and wait until the drawing is another one."""
    changes(lambda: picture(explorer), act, what)


def values(explorer: Locator) -> list[str]:
    """Return what stands in the fields."""
    return [field.input_value() for field in explorer.locator("input[type=text]").all()]


def write(explorer: Locator, place: int, text: str) -> None:
    """Write into a field and press Enter."""
    field = explorer.locator("input[type=text]").nth(place)
    field.fill(text)
    field.press("Enter")


def button(explorer: Locator, words: str) -> Locator:
    """Return one of the buttons."""
    return explorer.locator("button.jupyter-button", has_text=words)


def test_streets_and_new_hands_are_dealt(lab: Lab, explorer: Locator, screenshots: Path) -> None:
    for street, size in (("flop", 3), ("turn", 4), ("river", 5)):
        redraws(explorer, street, button(explorer, f"Deal the {street}").click)
        wait_until(lambda n=size: len(values(explorer)[BOARD].split()) == n, street)
    out = button(explorer, "All cards are out")
    wait_until(out.is_disabled, "nothing is left to deal")
    lab.screenshot(screenshots / "equity-river.png")
    redraws(explorer, "the board is cleared", button(explorer, "Clear the board").click)
    wait_until(lambda: values(explorer)[BOARD] == "", "the field is empty")
    anew = button(explorer, "Deal new hands")
    changes(lambda: values(explorer)[:BOARD], anew.click, "new hands are told")
    assert lab.sideways() == 0
    assert lab.errors() == []


def test_cards_are_written_and_mistakes_told_without_moving_the_picture(
    lab: Lab, explorer: Locator, screenshots: Path
) -> None:
    redraws(explorer, "a board is written", lambda: write(explorer, BOARD, "Td 9d 2c"))
    shown, top = picture(explorer), explorer.locator("img, svg").last.bounding_box()
    write(explorer, FIRST, "Td Ts")
    alert = explorer.locator("[role=alert]")
    alert.wait_for()
    assert alert.inner_text() == "player 1 and board both have Td; one deck has each card once."
    lab.screenshot(screenshots / "equity-alert.png")
    time.sleep(0.5)
    assert picture(explorer) == shown
    assert explorer.locator("img, svg").last.bounding_box() == top
    redraws(explorer, "a hand is written", lambda: write(explorer, FIRST, "jh JS"))
    wait_until(lambda: values(explorer)[FIRST] == "Jh Js", "it is written properly")
    assert alert.count() == 0
    assert lab.errors() == lab.faults() == []
