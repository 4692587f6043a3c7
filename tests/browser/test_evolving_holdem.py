"""Evolving hold'em in a real JupyterLab: an agent evolves while one watches, and one plays against an agent."""

import time
from pathlib import Path

import pytest

from tests.browser.lab import Lab, wait_until
from tests.browser.test_bench import ANSWER, assert_standing

pytestmark = pytest.mark.browser

MAKING = 200.0
"""Seconds in which a busy machine makes another number of buckets; afterward they are kept."""


def test_an_agent_evolves_is_watched_and_paused(lab: Lab, screenshots: Path) -> None:
    lab.open("evolution.ipynb")
    lab.run_all()
    assert lab.errors() == []
    lab.to_the_bench()
    assert lab.status().startswith("t = 10 of 200")
    assert lab.sideways() == 0
    assert lab.clipped() == []
    lab.screenshot(screenshots / "evolution-begun.png")

    still = lab.picture()
    lab.button("Run").click()
    wait_until(lambda: lab.picture() != still, ANSWER, "the picture moves")
    lab.screenshot(screenshots / "evolution-running.png")
    wait_until(lambda: not lab.status().startswith("t = 10 "), ANSWER, "generations pass")
    lab.button("Pause").click()
    wait_until(lambda: lab.button("Run").count() == 1, ANSWER, "the bench says it is paused")
    time.sleep(0.5)
    assert_standing(lab)

    for setting in ("Buckets", "Population", "Generations"):
        lab.nudge(setting, "ArrowLeft")
    wait_until(lambda: "One moment" in lab.status(), ANSWER, "what takes long is said")
    wait_until(lambda: "reset to t = 0" in lab.status(), MAKING, "moved sliders reset the run")
    lab.settle()
    assert lab.clipped() == []  # their labels are marked now
    lab.screenshot(screenshots / "evolution-marked.png")


def test_a_hand_is_played_to_its_end(lab: Lab, screenshots: Path) -> None:
    lab.open("opponent.ipynb")
    lab.run_all()
    assert lab.errors() == []
    deal = lab.page.locator("button.jupyter-button", has_text="Deal").last
    deal.evaluate("button => button.scrollIntoView()")
    lab.screenshot(screenshots / "opponent-begun.png")
    deal.click()
    for _ in range(12):
        time.sleep(0.5)
        calls = lab.page.locator("button.jupyter-button:enabled", has_text="Call")
        checks = lab.page.locator("button.jupyter-button:enabled", has_text="Check")
        if calls.count():
            calls.last.click()
        elif checks.count():
            checks.last.click()
        else:
            break
    else:
        pytest.fail("a hand of checks and calls has at most eight turns of one's own")
    another = lab.page.locator("button.jupyter-button:enabled", has_text="Next hand")
    wait_until(lambda: another.count() > 0, ANSWER, "another hand can be dealt")
    lab.screenshot(screenshots / "opponent-done.png")
    assert lab.errors() == []
    assert lab.sideways() == 0
