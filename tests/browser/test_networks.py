"""Networks in a real JupyterLab: one decision under sliders, a tournament to play, an evolution of habits."""

from pathlib import Path

import pytest
from playwright.sync_api import Locator

from tests.browser.lab import Lab, wait_until
from tests.browser.test_bench import ANSWER

pytestmark = pytest.mark.browser


def live(lab: Lab) -> Locator:
    """Return the controls and the picture of the only cell."""
    return lab.page.locator(".pokerlab-live").last


def source(lab: Lab) -> str:
    """Return the picture on show."""
    return str(live(lab).locator("img").get_attribute("src"))


def words(lab: Lab) -> str:
    """Return what stands below the picture."""
    return live(lab).locator(".widget-html").last.inner_text()


def press(lab: Lab, description: str) -> None:
    """Press a button, and wait until the picture is another one."""
    before = source(lab)
    live(lab).locator("button.jupyter-button", has_text=description).first.click()
    wait_until(lambda: source(lab) != before, ANSWER, description)


@pytest.mark.fonts
def test_a_slider_and_cards_move_the_decision(lab: Lab, screenshots: Path) -> None:
    lab.open("network.ipynb")
    lab.run_all()
    assert lab.errors() == []
    place = live(lab)
    place.evaluate("place => place.closest('.jp-OutputArea').scrollIntoView()")
    picture, controls = (
        place.locator("img").bounding_box(),
        place.locator("input").first.bounding_box(),
    )
    assert picture is not None
    assert controls is not None
    assert picture["x"] > controls["x"] + controls["width"]  # beside each other
    assert lab.sideways() == 0
    lab.screenshot(screenshots / "network.png")
    before = source(lab)
    lab.nudge("To call", "ArrowRight")
    wait_until(lambda: source(lab) != before, ANSWER, "the slider is answered")
    before, seat, joint = source(lab), "overall, 3 to the left", lab.row("Aggressiveness")
    assert not lab.row(seat).is_visible()
    place.get_by_text("Seat by seat").click()
    lab.row(seat).scroll_into_view_if_needed()
    lab.nudge(seat, "ArrowRight", 10)
    wait_until(lambda: "1.10" in joint.inner_text(), ANSWER, "the slider of all shows the mean")
    wait_until(lambda: source(lab) != before, ANSWER, "the slider of a seat is answered")
    assert lab.sideways() == 0
    lab.screenshot(screenshots / "network-seats.png")
    assert lab.clipped() == []
    before = source(lab)
    cards = place.locator("input[type=text]").first
    cards.fill("7h 2c")
    cards.press("Enter")
    wait_until(lambda: source(lab) != before, ANSWER, "the cards are answered")
    before = source(lab)
    cards.fill("7h 7h")
    cards.press("Enter")
    place.locator("[role=alert]").wait_for(timeout=ANSWER * 1000)
    assert source(lab) == before
    place.locator("select").select_option("another")
    wait_until(lambda: source(lab) != before, ANSWER, "the other network is shown")
    assert lab.errors() == []


@pytest.mark.fonts
def test_a_tournament_is_played_and_thoughts_are_shown(lab: Lab, screenshots: Path) -> None:
    lab.open("tournament.ipynb")
    lab.run_all()
    assert lab.errors() == []
    live(lab).evaluate("place => place.closest('.jp-OutputArea').scrollIntoView()")
    assert "All decisions of hand 3:" in words(lab)
    assert lab.sideways() == 0
    press(lab, "Deal")
    assert lab.clipped() == []
    lab.screenshot(screenshots / "tournament.png")
    press(lab, "Fold")
    wait_until(lambda: "All decisions of hand" in words(lab), ANSWER, "the others' thoughts")
    press(lab, "All-in")
    lab.screenshot(screenshots / "tournament-thoughts.png")
    press(lab, "New tournament")
    assert lab.errors() == []
