"""Lessons and what moves in them for those who do not see it, or have no mouse."""

from pathlib import Path

import pytest

from pokerlab.workbench.tables.play_table import READING_SECONDS
from tests.browser.conftest import ROOT
from tests.browser.lab import Lab
from tests.hangs import wait_until

pytestmark = pytest.mark.browser

LESSONS = sorted(path.name for path in (ROOT / "notebooks").glob("[01]*.ipynb"))
OPEN = """async path => {
    const app = window.jupyterapp, before = app.shell.currentWidget;
    const kernelPreference = {shouldStart: false, autoStartDefault: false};
    const opened = await app.commands.execute(
        'docmanager:open', {path, factory: 'Notebook', kernelPreference}
    );
    await opened.context.ready;
    if (before && before !== opened) before.dispose();
}"""
AREAS = "() => document.querySelectorAll('.jp-Cell-outputArea').length > 5"
FOCUSED = "() => document.activeElement.innerText"
RING = "() => parseFloat(getComputedStyle(document.activeElement).outlineWidth)"


@pytest.mark.parametrize(
    "lessons", [LESSONS[::8], pytest.param(LESSONS, marks=pytest.mark.slow)], ids=["some", "all"]
)
def test_lessons_as_they_open_have_no_faults_of_accessibility(lessons: list[str], lab: Lab) -> None:
    assert len(LESSONS) == 36
    base, _, query = lab.address.replace("/lab", "/doc").partition("?")
    lab.page.goto(f"{base}/tree/{lessons[0]}?reset&{query}")
    lab.page.wait_for_function("() => Boolean(window.jupyterapp?.shell.currentWidget)")
    for lesson in lessons:
        lab.page.evaluate(OPEN, lesson)
        lab.page.wait_for_function(AREAS)
        assert (lesson, lab.faults()) == (lesson, [])


def test_a_hand_is_played_and_heard_with_the_keyboard_alone(lab: Lab, screenshots: Path) -> None:
    lab.show("table")
    page, keys = lab.page, lab.page.keyboard
    live = page.locator(".pokerlab-live").last
    told, picture = live.locator(".pokerlab-told"), live.locator("img").first
    assert told.get_attribute("role") == "status"
    live.locator("select").focus()
    keys.press("Tab")
    keys.press("Enter")
    wait_until(lambda: "Hand 1, your turn: check or bet?" in told.inner_text(), "it is heard")
    assert "you are player 1 with Q" in told.inner_text()
    assert "you are player 1 with Q" in (picture.get_attribute("alt") or "")
    assert page.evaluate(FOCUSED) == "Deal"
    keys.press("Enter")  # does nothing: the hand is not over
    for _ in range(2):
        keys.press("Tab")
    assert (page.evaluate(FOCUSED), page.evaluate(RING) >= 2.0) == ("Bet", True)
    page.emulate_media(forced_colors="active")
    lab.screenshot(screenshots / "keyboard-forced-colors.png")
    page.wait_for_timeout(
        1000 * READING_SECONDS
    )  # a press that comes sooner was meant for other words
    keys.press("Enter")
    wait_until(lambda: "Hand 1: you win 2" in told.inner_text(), "the end is heard")
    assert page.evaluate(FOCUSED) == "Bet"
    assert live.locator("button", has_text="Bet").is_disabled()
    assert lab.faults() == []
