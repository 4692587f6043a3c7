"""What stands on the page can be read: whole in a window of 1280 x 900, in the dark theme, at 200% zoom."""

from pathlib import Path

import pytest
from playwright.sync_api import Locator

from tests.browser.lab import LEAST_LETTERS, Lab
from tests.hangs import wait_until

pytestmark = pytest.mark.browser

ROOM = """() => document.querySelector('.jp-NotebookPanel-notebook').clientHeight"""
READABLE = 4.5
"""The contrast that WCAG 2 asks of text."""
CONTRAST = """element => {
    const numbers = text => (text.match(/[\\d.]+/g) || []).map(Number);
    const light = ([r, g, b]) => [r, g, b]
        .map(c => c / 255).map(c => c <= 0.04045 ? c / 12.92 : ((c + 0.055) / 1.055) ** 2.4)
        .reduce((sum, c, i) => sum + c * [0.2126, 0.7152, 0.0722][i], 0);
    let behind = element, color;
    do {
        color = numbers(getComputedStyle(behind).backgroundColor);
        behind = behind.parentElement;
    } while (color[3] === 0 && behind);
    const [a, b] = [light(numbers(getComputedStyle(element).color)), light(color)];
    return (Math.max(a, b) + 0.05) / (Math.min(a, b) + 0.05);
}"""


def contrasts(words: Locator) -> dict[str, float]:
    """Return the contrast of each visible text."""
    found = [each for each in words.all() if each.is_visible()]
    assert found
    return {each.inner_text()[:40]: each.evaluate(CONTRAST) for each in found}


@pytest.mark.fonts
def test_benches_and_explorers_can_be_read(lab: Lab, screenshots: Path) -> None:
    page = lab.page
    page.set_viewport_size({"width": 1280, "height": 900})
    lab.show(
        "all"
    )  # with the second fonts in a kernel that has run it, and closes eight things at once
    benches = page.locator(".pokerlab-live:has(.pokerlab-panel)")
    wait_until(lambda: benches.count() == 6, "each bench is there")
    assert lab.clipped() == []
    room = page.evaluate(ROOM)
    heights = [bench.bounding_box()["height"] for bench in benches.all()]
    assert max(heights) <= room, (heights, room)

    cards = page.locator(".pokerlab-live input[type=text]").nth(-3)
    cards.fill("As As")
    cards.press("Enter")
    alert = page.locator("[role=alert]").last
    alert.wait_for()
    for theme in ("JupyterLab Light", "JupyterLab Dark"):
        page.evaluate(
            "theme => window.jupyterapp.commands.execute('apputils:change-theme', {theme})", theme
        )
        dark = f"document.body.dataset.jpThemeLight === '{str('Light' in theme).lower()}'"
        page.wait_for_function(dark)
        marked = page.locator(".pokerlab-changed > .widget-label")
        shown = contrasts(alert) | contrasts(marked) | contrasts(benches.locator("b"))
        assert {text: ratio for text, ratio in shown.items() if ratio < READABLE} == {}
    lab.screenshot(screenshots / "dark.png")

    page.set_viewport_size({"width": 640, "height": 450})
    wait_until(lambda: benches.last.bounding_box()["width"] < 640, "the page is laid out")
    assert lab.sideways() == 0
    for bench in benches.all():
        panel = bench.locator(".pokerlab-panel").bounding_box()
        picture = bench.locator(".pokerlab-canvas").bounding_box()
        assert picture["y"] >= panel["y"] + panel["height"]
        assert picture["width"] > panel["width"]
    benches.first.locator(".pokerlab-canvas").scroll_into_view_if_needed()
    lab.screenshot(screenshots / "zoomed.png")
    page.locator(".pokerlab-live img").filter(visible=True).first.scroll_into_view_if_needed()
    lab.screenshot(screenshots / "zoomed-explorer.png")


SHOWN = ("population", "rules", "equity", "network", "watch", "tournament", "table", "genes")


@pytest.mark.parametrize("notebook", SHOWN)
def test_letters_of_live_pictures_are_read_on_a_phone(
    notebook: str, lab: Lab, screenshots: Path
) -> None:
    lab.page.set_viewport_size({"width": 400, "height": 900})
    lab.show(notebook)
    place = lab.page.locator(".pokerlab-live").last
    pictures = place.locator("img, canvas").filter(visible=True)
    wait_until(lambda: pictures.count() > 0 and min(lab.letters()) > 0, "it is drawn in letters")
    assert min(lab.letters()) >= LEAST_LETTERS
    assert lab.sideways() == 0
    assert lab.clipped() == []
    pictures.last.evaluate("picture => picture.scrollIntoView()")
    lab.screenshot(screenshots / f"phone-{notebook}.png")
