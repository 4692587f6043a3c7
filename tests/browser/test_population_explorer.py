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
    fields = place.locator("input[type=text]")
    lab.screenshot(screenshots / "population-open.png")
    keyboard = lab.page.keyboard

    def type_payoffs() -> None:
        fields.first.fill("0 -1 1; 1 0 -1; -1 1 0")
        fields.first.press("Enter")

    changes(lab.painted, type_payoffs, "a triangle is drawn")
    assert [field.input_value() for field in fields.all()][1:] == ["A, B, C", "0.6 0.3 0.1", "2"]
    center = "A 1/3, B 1/3, C 1/3: center"
    wait_until(lambda: center in place.inner_text(), "the words follow their picture")

    def tab_to_names() -> None:
        fields.first.focus()
        keyboard.press("Tab")
        keyboard.press("Control+A")
        keyboard.type("rock, paper, scissors")
        keyboard.press("Enter")

    changes(lab.painted, tab_to_names, "the corners have names")
    lab.screenshot(screenshots / "population-typed.png")
    fields.first.fill("0 -1 1; 1 0")
    fields.first.press("Enter")
    alert = place.locator("[role=alert]")
    alert.wait_for()
    assert "write as many rows as columns" in alert.inner_text()
    lab.screenshot(screenshots / "population-alert.png")

    def choose() -> None:
        place.locator("select").first.select_option("stag hunt")

    changes(lab.painted, choose, "another game is shown")
    wait_until(lambda: alert.count() == 0, "the alert is gone")
    assert lab.sideways() == 0
    assert lab.errors() == lab.faults() == []


def test_start_is_chosen_in_the_picture_by_mouse_and_keys(lab: Lab, screenshots: Path) -> None:
    lab.show("population")
    place = lab.page.locator(".pokerlab-live").last
    start = place.locator("input[type=text]").nth(2)
    canvas, tip = place.locator("canvas"), place.locator(".pokerlab-tip")
    box = canvas.bounding_box()
    canvas.click(position={"x": box["width"] / 4, "y": box["height"] / 4})
    wait_until(lambda: start.input_value() != "0.1 0.9", "it starts where the reader clicks")
    place.locator("select").first.select_option("Zeeman's game")
    wait_until(lambda: start.input_value() == "0.6 0.3 0.1", "a triangle is shown")
    canvas.hover(position={"x": box["width"] / 4, "y": box["height"] / 2})
    wait_until(lambda: "click to start here" in tip.inner_text(), "the pointer names a mixture")
    lab.screenshot(screenshots / "population-pointed.png")
    canvas.click(position={"x": box["width"] / 4, "y": box["height"] / 2})
    wait_until(lambda: start.input_value() != "0.6 0.3 0.1", "it starts there")
    before = start.input_value()
    for key in ("ArrowUp", "ArrowUp", "Enter"):
        canvas.press(key)
    wait_until(lambda: start.input_value() != before, "keys choose a start, too")
    assert lab.page.locator(".pokerlab-controls button:visible").all_inner_texts() == ["Large"]
    with lab.page.expect_download() as download:
        place.locator(".pokerlab-save").select_option("columns")
    assert Path(download.value.path()).read_text(encoding="utf-8").startswith("curve,across,up")
    assert lab.errors() == lab.faults() == []


def test_large_explorer_keeps_its_controls_above_the_picture(lab: Lab, screenshots: Path) -> None:
    lab.show("population")
    place = lab.page.locator(".pokerlab-live").last
    canvas, large = place.locator("canvas"), place.locator(".pokerlab-button", has_text="Large")
    large.click()
    wait_until(lambda: place.locator("button", has_text="Small").count() == 1, "it is large")
    wait_until(lambda: canvas.bounding_box()["width"] > 1200, "it fills the window")
    lab.screenshot(screenshots / "population-large.png")
    controls = place.locator("select, input[type=text], .noUi-target, button.jupyter-button")
    boxes = [each.bounding_box() for each in controls.all() if each.is_visible()]
    fields = [box for box in boxes if box["y"] < canvas.bounding_box()["y"]]
    assert len(fields) == 7
    assert all(box["y"] >= 0 for box in fields)
    assert max(box["y"] + box["height"] for box in fields) <= canvas.bounding_box()["y"]
    other = place.locator(".pokerlab-beside > *").first
    assert other.evaluate("box => box.scrollHeight <= box.clientHeight + 1")
