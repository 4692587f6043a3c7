"""A bench in a real JupyterLab: it moves when run, stands when paused, and fits the page."""

import re
import time
from pathlib import Path

import pytest
from playwright.sync_api import Locator

from tests.browser.lab import Lab, changes
from tests.hangs import wait_until

pytestmark = pytest.mark.browser

MORE = 5
"""Pictures."""
STANDING_SECONDS = 0.5
"""Seconds after which the stop button must have taken effect."""


def goes_on(lab: Lab) -> None:
    """Wait until a running bench has shown some more pictures; how many a second is no test's business."""
    before = lab.frames()
    wait_until(lambda: lab.frames() >= before + MORE, "the picture goes on moving")


def test_a_traceback_on_the_page_is_seen(lab: Lab) -> None:
    lab.open("wrong.ipynb")
    lab.run_all()
    wait_until(lab.errors, "the error is on the page")
    assert "SettingError" in lab.errors()[0]


def test_a_bench_is_moved_run_paused_and_stopped(lab: Lab, screenshots: Path) -> None:
    lab.show("00_start_here")
    lab.to_the_bench()
    assert lab.sideways() == 0
    assert lab.clipped() == []

    lab.nudge("Steps a second", "ArrowLeft")  # 10,000, so that there is time to watch
    lab.nudge("Iterations", "End")
    lab.nudge("Payoff shift", "ArrowRight", times=3)
    wait_until(lambda: "reset to t = 0" in lab.status(), "the moved slider resets the run")
    lab.settle()
    changes(lab.picture, lab.button("Run").click, "the picture moves")
    goes_on(lab)
    lab.screenshot(screenshots / "running.png")

    lab.button("Pause").click()
    wait_until(lambda: lab.button("Run").count() == 1, "the bench says it is paused")
    lab.settle()
    assert_standing(lab)
    lab.screenshot(screenshots / "paused.png")

    lab.button("Run").click()
    wait_until(lambda: lab.button("Pause").count() == 1, "the bench runs again")
    lab.interrupt()
    wait_until(lambda: lab.button("Run").count() == 1, "the stop button pauses the bench")
    lab.settle()
    assert_standing(lab)


def assert_standing(lab: Lab) -> None:
    """Check that neither the frame counter nor the status line moves."""
    before = (lab.frames(), lab.status())
    time.sleep(STANDING_SECONDS)
    assert (lab.frames(), lab.status()) == before


def test_a_wrong_setting_is_said_below_the_picture(lab: Lab, screenshots: Path) -> None:
    lab.show("refusing")
    lab.panel.locator("select").filter(has_text="Leduc").select_option("KP(3)")
    wait_until(lambda: "not this game" in lab.status(), "the error is shown")
    assert lab.button("Run").is_disabled()
    lab.screenshot(screenshots / "error.png")
    shift = lab.row("Payoff shift").locator(".widget-readout")
    shift.fill("7.77")
    shift.press("Enter")
    lab.panel.locator("select").filter(has_text="Leduc").select_option("KP(2)")
    wait_until(lambda: "payoff shift 7.77" in lab.status(), "what was typed is run")
    assert shift.inner_text() == "7.77"


@pytest.mark.fonts
def test_the_panel_stands_beside_the_picture_and_nothing_is_clipped(lab: Lab) -> None:
    lab.show("genes")
    lab.to_the_bench()
    refused = lab.panel.locator("[role=alert]").filter(visible=True)
    seed = lab.row("Seed").locator("input")
    for typed in ("12.5", "-5", "1e3"):
        seed.fill(typed)
        seed.press("Enter")
        wait_until(lambda t=typed: t in "".join(refused.all_inner_texts()), typed)
        assert seed.input_value() == typed
    seed.fill("7")
    seed.press("Enter")
    wait_until(lambda: refused.count() == 0, "a seed is accepted")
    wait_until(lambda: "seed 7: reset" in lab.status(), "and taken")
    lab.nudge("Steps a second", "ArrowLeft")
    menu = lab.panel.locator("select").filter(has_text="3 genes")
    menu.select_option("Section 4.1: biased RPS, 3 genes")
    lab.nudge("Population", "ArrowLeft")
    wait_until(lambda: menu.input_value().startswith("near Section 4.1: biased"), "near it")
    lab.settle()
    forms = lab.panel.locator("select").filter(has_text="shades")
    changes(lab.picture, lambda: forms.select_option("shades"), "what a view offers is shown")
    panel, picture = lab.panel.bounding_box(), lab.image.bounding_box()
    words = lab.page.locator(".pokerlab-live .pokerlab-status").bounding_box()
    assert panel["x"] + panel["width"] <= picture["x"]
    assert abs(panel["y"] - picture["y"]) < 20
    assert picture["x"] + picture["width"] <= 1280
    assert words["y"] >= picture["y"] + picture["height"] - 1
    assert lab.clipped() == []
    assert lab.faults() == []


KINDS_OF_CELLS = """() => Array.from(
    window.jupyterapp.shell.currentWidget.content.widgets, cell => cell.model.type
)"""


def test_keys_on_a_slider_move_it_and_leave_the_cells_alone(lab: Lab) -> None:
    lab.show("tiny")
    lab.run_all()  # what the first run has left on the page is removed
    handle = lab.row("Payoff shift").locator(".noUi-handle").last
    handle.focus()
    before = lab.row("Payoff shift").inner_text()
    handle.press("ArrowRight")
    wait_until(lambda: lab.row("Payoff shift").inner_text() != before, "the slider is moved")
    for key in "mxdd":
        lab.page.keyboard.press(key)
        lab.settle()
        assert lab.page.evaluate(KINDS_OF_CELLS) == ["markdown", "code"]


@pytest.fixture
def ran(lab: Lab) -> Lab:
    """Return a page whose bench has run for a while and is paused."""
    lab.show("tiny")
    lab.button("Run").click()
    wait_until(lambda: looks(lab) > 20, "there is something to look at again")
    lab.button("Pause").click()
    wait_until(lambda: lab.button("Run").count() == 1, "the bench is paused")
    lab.settle()
    return lab


def slider(lab: Lab) -> Locator:
    """Return the slider below the picture."""
    return lab.page.locator(".pokerlab-controls input[type=range]")


def looks(lab: Lab) -> int:
    """Return how many looks can be seen again beside the last."""
    return int(slider(lab).get_attribute("max") or 0)


def iteration(lab: Lab) -> int:
    """Return the iteration of the picture on show."""
    return int(lab.image.get_attribute("data-iteration") or 0)


def test_earlier_looks_are_seen_with_the_keyboard_and_the_last_one_again(ran: Lab) -> None:
    last, pixels = iteration(ran), ran.picture()
    slider(ran).focus()
    slider(ran).press("Home")
    wait_until(lambda: iteration(ran) == 1_000, "the first look is shown")
    slider(ran).press("End")
    wait_until(lambda: iteration(ran) == last, "the last look is shown")
    assert ran.picture() == pixels
    ran.page.locator(".pokerlab-button", has_text="Play again").click()
    wait_until(lambda: iteration(ran) < last, "it plays from the beginning")
    wait_until(lambda: iteration(ran) == last, "until the end")
    assert ran.faults() == []


def test_a_point_is_named_with_its_value_by_mouse_and_keyboard(ran: Lab) -> None:
    box = ran.image.bounding_box()
    ran.page.mouse.move(box["x"] + 0.25 * box["width"], box["y"] + 0.65 * box["height"])
    tip = ran.page.locator(".pokerlab-tip")
    wait_until(lambda: tip.is_visible(), "a cell is named")
    assert re.fullmatch(
        r"[AKQJ], [\w-]+: bet or call: probability 0\.\d+|.*: probability \d", tip.inner_text()
    )
    ran.image.focus()
    ran.image.press("ArrowRight")
    said = ran.page.locator(".pokerlab-spoken")
    wait_until(lambda: ". of the average profile: " in said.inner_text(), "a point is read")
    before = said.inner_text()
    ran.image.press("ArrowRight")
    wait_until(lambda: said.inner_text() != before, "and the next one")


def test_a_pinned_run_is_compared_and_unpinned(ran: Lab, screenshots: Path) -> None:
    height = ran.image.bounding_box()["height"]
    ran.page.locator(".pokerlab-button", has_text="Pin").click()
    pin = ran.page.locator(".pokerlab-pin")
    pin.wait_for()
    ran.nudge("Payoff shift", "ArrowRight", times=2)
    wait_until(lambda: "payoff shift 3" in pin.inner_text(), "the pin says what differs")
    assert ran.image.bounding_box()["height"] > height
    ran.screenshot(screenshots / "pinned.png")
    pin.get_by_role("button").click()
    wait_until(lambda: pin.count() == 0, "it is gone")


def test_a_reader_takes_home_what_is_on_show(ran: Lab) -> None:
    endings = {"film": "webm", "columns": "csv", "strategy": "csv", "code": "py"}
    for kind in ("png", "svg", "columns", "strategy", "code", "film"):
        with ran.page.expect_download() as download:
            ran.page.locator(".pokerlab-save").select_option(kind)
        assert download.value.suggested_filename.endswith(endings.get(kind, kind))
        assert Path(download.value.path()).stat().st_size > 100


def test_a_large_picture_fills_the_window_and_goes_back(ran: Lab, screenshots: Path) -> None:
    before = ran.image.bounding_box()["width"]
    ran.page.locator(".pokerlab-button", has_text="Large").click()
    wait_until(lambda: ran.image.bounding_box()["width"] > 1_150, "it is as wide as the window")
    ran.screenshot(screenshots / "large.png")
    ran.page.locator(".pokerlab-button", has_text="Small").click()
    wait_until(lambda: ran.image.bounding_box()["width"] == before, "it is as before")
