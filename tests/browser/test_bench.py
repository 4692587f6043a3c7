"""A bench in a real JupyterLab: it moves when run, stands when paused, and fits the page."""

import time
from pathlib import Path

import pytest

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
