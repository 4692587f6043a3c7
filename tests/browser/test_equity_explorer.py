"""The equity explorer in a real JupyterLab: streets are dealt, cards are written, mistakes are told."""

import time
from collections.abc import Callable
from pathlib import Path

import pytest
from playwright.sync_api import Locator

from tests.browser.lab import Lab, wait_until

pytestmark = pytest.mark.browser

ANSWER = 20.0
"""Seconds in which a busy machine answers."""
FIRST, BOARD = 0, 2
"""Places of player 1's cards and of the board among the fields."""


@pytest.fixture
def explorer(lab: Lab) -> Locator:
    """Return the explorer on the page: two hands and no board."""
    lab.open("equity.ipynb")
    lab.run_all()
    assert lab.errors() == []
    place = lab.page.locator(".jp-OutputArea:has(button:has-text('Deal new hands'))").last
    place.evaluate("place => place.scrollIntoView()")
    return place


def picture(explorer: Locator) -> str:
    """Return the drawing on show."""
    return str(explorer.locator(".jp-RenderedSVG, .jp-RenderedHTML").last.inner_html())


def changes(explorer: Locator, what: str, act: Callable[[], None]) -> None:
    """Act, and wait until the drawing is another one."""
    before = picture(explorer)
    act()
    wait_until(lambda: picture(explorer) != before, ANSWER, what)


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


def test_streets_are_dealt_and_hands_are_new(
    lab: Lab, explorer: Locator, screenshots: Path
) -> None:
    for street, size in (("flop", 3), ("turn", 4), ("river", 5)):
        changes(explorer, street, button(explorer, f"Deal the {street}").click)
        wait_until(lambda n=size: len(values(explorer)[BOARD].split()) == n, ANSWER, street)
    out = button(explorer, "All cards are out")
    wait_until(out.is_disabled, ANSWER, "nothing is left to deal")
    lab.screenshot(screenshots / "equity-river.png")
    changes(explorer, "the board is cleared", button(explorer, "Clear the board").click)
    wait_until(lambda: values(explorer)[BOARD] == "", ANSWER, "the field is empty")
    before = values(explorer)
    changes(explorer, "new hands", button(explorer, "Deal new hands").click)
    wait_until(lambda: values(explorer)[:BOARD] != before[:BOARD], ANSWER, "they are told")
    assert lab.sideways() == 0
    assert lab.errors() == []


def test_cards_are_written_and_mistakes_told_without_moving_the_picture(
    lab: Lab, explorer: Locator, screenshots: Path
) -> None:
    changes(explorer, "a board is written", lambda: write(explorer, BOARD, "Td 9d 2c"))
    shown, top = picture(explorer), explorer.locator("img, svg").last.bounding_box()
    write(explorer, FIRST, "Td Ts")
    alert = explorer.locator("[role=alert]")
    alert.wait_for(timeout=ANSWER * 1000)
    assert alert.inner_text() == "player 1 and board both have Td; one deck has each card once."
    lab.screenshot(screenshots / "equity-alert.png")
    time.sleep(0.5)
    assert picture(explorer) == shown
    assert explorer.locator("img, svg").last.bounding_box() == top
    changes(explorer, "a hand is written", lambda: write(explorer, FIRST, "jh JS"))
    wait_until(lambda: values(explorer)[FIRST] == "Jh Js", ANSWER, "it is written properly")
    assert alert.count() == 0
    assert lab.errors() == []
