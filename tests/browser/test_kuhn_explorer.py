"""The Kuhn explorer in a real JupyterLab: a padlock is clicked, and the best answer is there at once."""

from pathlib import Path

import pytest

from tests.browser.lab import Lab, changes
from tests.hangs import wait_until

pytestmark = pytest.mark.browser


def test_a_padlock_is_answered_at_once(lab: Lab, screenshots: Path) -> None:
    lab.show("kuhn")
    place = lab.page.locator(".pokerlab-live").last
    place.evaluate("place => place.scrollIntoView()")

    def said() -> str:
        return place.inner_text()

    padlocks = place.locator("button.jupyter-button:has(i.fa-unlock)")
    answer = place.locator("button.jupyter-button", has_text="best while locked")
    wait_until(lambda: padlocks.count() == 12, "each probability has its padlock")
    handles = place.locator(".pokerlab-marked .noUi-handle")
    wait_until(lambda: handles.count() == 12, "each probability has its slider")
    assert place.locator("img").count() == 0  # the sliders are the picture
    assert answer.is_disabled()
    lab.screenshot(screenshots / "kuhn-open.png")
    changes(said, padlocks.nth(2).click, "the habit is locked")
    handle = place.locator(".noUi-handle").nth(3)  # player 1's jack, after the slider of alpha
    for _ in range(3):
        changes(said, lambda: handle.press("PageUp"), "it answers")
    assert place.locator("button:has(i.fa-lock)").count() == 1
    lab.screenshot(screenshots / "kuhn-locked.png")
    changes(said, answer.click, "the others play their best")
    assert lab.faults() == []
    assert "player 1 with J, acts first: bet?" in (handle.get_attribute("aria-label") or "")
    handle.evaluate("handle => handle.removeAttribute('aria-label')")
    assert [name for name, _ in lab.faults()] == ["aria-input-field-name"]
    lab.screenshot(screenshots / "kuhn-answered.png")
