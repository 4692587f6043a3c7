"""The population explorer in a real JupyterLab: a game is typed in with the keyboard alone, and mistakes are told."""

from pathlib import Path

import pytest

from tests.browser.lab import Lab, changes
from tests.hangs import wait_until

pytestmark = pytest.mark.browser


def test_a_game_is_typed_in(lab: Lab, screenshots: Path) -> None:
    lab.show("population")
    place = lab.page.locator(".pokerlab-live").last
    place.evaluate("place => place.scrollIntoView()")
    drawn, fields = place.locator("img"), place.locator("input[type=text]")
    lab.screenshot(screenshots / "population-open.png")
    keyboard = lab.page.keyboard

    def type_payoffs() -> None:
        fields.first.fill("0 -1 1; 1 0 -1; -1 1 0")
        fields.first.press("Enter")

    changes(lambda: drawn.get_attribute("src"), type_payoffs, "a triangle is drawn")
    assert [field.input_value() for field in fields.all()][1:] == ["A, B, C", "0.6 0.3 0.1", "2"]
    center = "A 1/3, B 1/3, C 1/3: center"
    wait_until(lambda: center in place.inner_text(), "the words follow their picture")

    def tab_to_names() -> None:
        fields.first.focus()
        keyboard.press("Tab")
        keyboard.press("Control+A")
        keyboard.type("rock, paper, scissors")
        keyboard.press("Enter")

    changes(lambda: drawn.get_attribute("src"), tab_to_names, "the corners have names")
    lab.screenshot(screenshots / "population-typed.png")
    fields.first.fill("0 -1 1; 1 0")
    fields.first.press("Enter")
    alert = place.locator("[role=alert]")
    alert.wait_for()
    assert "write as many rows as columns" in alert.inner_text()
    lab.screenshot(screenshots / "population-alert.png")

    def choose() -> None:
        place.locator("select").select_option("stag hunt")

    changes(lambda: drawn.get_attribute("src"), choose, "another game is shown")
    wait_until(lambda: alert.count() == 0, "the alert is gone")
    assert lab.sideways() == 0
    assert lab.errors() == lab.faults() == []
