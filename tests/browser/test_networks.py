"""Networks in a real JupyterLab: one decision under sliders, a tournament to play, an evolution of habits."""

from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest
from playwright.sync_api import Locator

from pokerlab.workbench.tables.play_table import READING_SECONDS
from tests.browser.conftest import PAGE
from tests.browser.lab import LEAST_LETTERS, Lab, changes
from tests.hangs import wait_until

pytestmark = pytest.mark.browser


def live(lab: Lab) -> Locator:
    """Return the controls and the picture of the only cell."""
    return lab.page.locator(".pokerlab-live").last


def source(lab: Lab) -> str:
    """Return the picture on show."""
    return str(live(lab).locator("img").first.get_attribute("src"))


def words(lab: Lab) -> str:
    """Return what stands below the picture."""
    return live(lab).locator(".widget-html").last.inner_text()


def press(lab: Lab, description: str) -> None:
    """Press a button, no sooner than a reader who has read its words; the picture changes."""
    lab.page.wait_for_timeout(
        1000 * READING_SECONDS
    )  # a press that comes sooner was meant for other words
    button = live(lab).locator("button.jupyter-button", has_text=description).first
    redraws(lab, button.click, description)


def redraws(lab: Lab, act: Callable[[], Any], what: str) -> None:
    """Act, and wait until the picture is another one."""
    changes(lambda: source(lab), act, what)


@pytest.mark.fonts(slow=True)
def test_a_slider_and_cards_move_the_decision(lab: Lab, screenshots: Path) -> None:
    lab.show("network")
    place = live(lab)
    place.evaluate("place => place.closest('.jp-OutputArea').scrollIntoView()")
    picture = place.locator("img").first.bounding_box()
    controls = place.locator("input").first.bounding_box()
    assert picture["x"] > controls["x"] + controls["width"]  # beside each other
    assert lab.sideways() == 0
    lab.screenshot(screenshots / "network.png")
    redraws(lab, lambda: lab.nudge("To call", "ArrowRight"), "the slider is answered")
    seat, joint = "overall, 3 to the left", lab.row("Aggressiveness")
    assert not lab.row(seat).is_visible()
    place.locator("button", has_text="Seat by seat").press("Enter")
    lab.row(seat).scroll_into_view_if_needed()
    redraws(lab, lambda: lab.nudge(seat, "ArrowRight", 10), "the slider of a seat is answered")
    wait_until(lambda: "1.10" in joint.inner_text(), "the slider of all shows the mean")
    assert lab.sideways() == 0
    lab.screenshot(screenshots / "network-seats.png")
    assert lab.clipped() == []
    cards = place.locator("input[type=text]").first
    cards.fill("7h 2c")
    redraws(lab, lambda: cards.press("Enter"), "the cards are answered")
    before = source(lab)
    cards.fill("7h 7h")
    cards.press("Enter")
    place.locator("[role=alert]").wait_for()
    assert source(lab) == before
    menu = place.locator("select")
    redraws(lab, lambda: menu.select_option("another"), "the other network is shown")
    assert lab.errors() == lab.faults() == []


@pytest.mark.fonts(slow=True)
def test_a_tournament_is_played_and_thoughts_are_shown(lab: Lab, screenshots: Path) -> None:
    lab.show("tournament")
    live(lab).evaluate("place => place.closest('.jp-OutputArea').scrollIntoView()")
    assert "All decisions of hand 3:" in words(lab)
    assert lab.sideways() == 0
    press(lab, "Deal")
    assert lab.clipped() == []
    lab.screenshot(screenshots / "tournament.png")
    press(lab, "Fold")
    wait_until(lambda: "All decisions of hand" in words(lab), "the others' thoughts")
    press(lab, "All-in")
    lab.screenshot(screenshots / "tournament-thoughts.png")
    press(lab, "New tournament")
    assert lab.errors() == lab.faults() == []


@pytest.mark.parametrize(
    ("notebook", "presses"),
    [("tournament", ("Deal", "New ", "New ", "New ")), ("table", ("Deal", "New ", "Deal", "New "))],
)
def test_a_table_is_read_and_played_by_keys_at_all_widths(
    notebook: str, presses: tuple[str, ...], lab: Lab, screenshots: Path
) -> None:
    lab.show(notebook)
    place, keys = live(lab), lab.page.keyboard
    pictures = place.locator("img")
    wide = ((400, 2), (760, 2), (1280, 0), (1920, 0))
    for (width, pieces), press in zip(wide, presses, strict=True):
        lab.page.set_viewport_size({"width": width, "height": 900})
        whole = int(pieces == 0)
        wait_until(lambda n=pieces + whole: pictures.filter(visible=True).count() == n, "it fits")
        assert min(lab.letters()) >= LEAST_LETTERS
        assert lab.sideways() == 0
        assert lab.clipped() == lab.faults() == []
        before = place.locator(".pokerlab-told").inner_text()
        lab.page.locator("button", has_text=press).last.focus()
        keys.press("Enter")
        wait_until(lambda b=before: place.locator(".pokerlab-told").inner_text() != b, "a hand")
        heard = [each.get_attribute("alt") for each in pictures.filter(visible=True).all()]
        assert "Hand 1, your turn" in heard[0] or "Press Deal" in heard[0]
        assert heard[1:] == [""] * (len(heard) - 1)
        lab.screenshot(screenshots / f"{notebook}-{width}.png")


def test_a_large_table_fills_the_window_and_goes_back(lab: Lab, screenshots: Path) -> None:
    lab.show("tournament")
    picture, large = live(lab).locator("img").first, live(lab).locator(".pokerlab-enlarge")
    before = picture.bounding_box()["width"]
    large.focus()
    lab.page.keyboard.press("Enter")
    wait_until(lambda: large.inner_text() == "Small", "it is large")
    assert picture.bounding_box()["width"] > PAGE["width"] - 50
    assert picture.bounding_box()["height"] < PAGE["height"]
    lab.screenshot(screenshots / "large-table.png")
    press(lab, "Deal")
    lab.page.keyboard.press("Tab")
    large.press("Enter")
    wait_until(lambda: large.inner_text() == "Large", "it is as before")
    wait_until(lambda: picture.bounding_box()["width"] == before, "and as wide")
    assert lab.errors() == lab.faults() == []
