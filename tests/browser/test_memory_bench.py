"""A memory's bench in a real JupyterLab: rounds pass while one watches, and everything fits the page."""

import time
from pathlib import Path

import pytest

from tests.browser.lab import Lab, wait_until
from tests.browser.test_bench import ANSWER, assert_standing, goes_on

pytestmark = pytest.mark.browser

ROOM = 800
"""Pixels of the page's height: the picture of a memory must not be taller."""


def test_a_memory_is_run_watched_and_paused(lab: Lab, screenshots: Path) -> None:
    lab.open("memory.ipynb")
    lab.run_all()
    assert lab.errors() == []
    lab.to_the_bench()
    assert lab.status().startswith("t = 12 of 1,000")
    assert lab.sideways() == 0
    assert lab.clipped() == []
    lab.screenshot(screenshots / "memory-begun.png")

    still = lab.picture()
    lab.button("Run").click()
    wait_until(lambda: lab.picture() != still, ANSWER, "the picture moves")
    goes_on(lab)
    lab.screenshot(screenshots / "memory-running.png")

    lab.button("Pause").click()
    wait_until(lambda: lab.button("Run").count() == 1, ANSWER, "the bench says it is paused")
    time.sleep(0.5)
    assert_standing(lab)
    box = lab.image.bounding_box()
    assert box is not None
    assert box["height"] <= ROOM
    assert box["x"] + box["width"] <= 1280


def test_a_memory_shows_what_is_chosen(lab: Lab, screenshots: Path) -> None:
    lab.open("memory.ipynb")
    lab.run_all()
    lab.to_the_bench()
    still = lab.picture()
    lab.panel.locator("select").filter(has_text="NashConv").select_option("NashConv")
    wait_until(lambda: lab.picture() != still, ANSWER, "NashConv is shown")
    still = lab.picture()
    lab.panel.locator("select").filter(has_text="all players").select_option("player 2")
    wait_until(lambda: lab.picture() != still, ANSWER, "the mixes of player 2 are shown")
    lab.screenshot(screenshots / "memory-chosen.png")
    assert lab.errors() == []
