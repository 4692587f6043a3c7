"""Predictions of a lesson in a real JupyterLab and on a page: a button, a slider, and what stays of them."""

import json
from pathlib import Path

import nbformat
import pytest
from playwright.sync_api import Browser

from tests.browser.lab import Lab
from tests.browser.server import DASH_LOG, running_dash, wait_for
from tests.hangs import HANG_SECONDS, wait_until

pytestmark = pytest.mark.browser

SLIDER, BUTTONS = 'pl.predict("09.1"', 'pl.predict("09.3"'


def test_lesson_takes_a_moved_slider_and_a_pressed_button(
    lab: Lab, notebooks: Path, screenshots: Path
) -> None:
    lab.open("09_minimax_coevolution.ipynb")
    lab.run_alone("import pokerlab as pl")
    for cell in (SLIDER, BUTTONS, SLIDER):  # the slider's cell twice
        lab.run_alone(cell)
    live = lab.page.locator(".pokerlab-words-alone")
    wait_until(lambda: live.count() == 2, "both questions are there, each once")
    stills = lab.page.locator(".pokerlab-prediction").filter(visible=True)
    assert [stills.filter(has_text=words).count() for words in ("play rock", "CSA-ES")] == [0, 0]

    share, choice = live.filter(has_text="play rock"), live.filter(has_text="CSA-ES")
    handle, press = share.locator("[role=slider]"), share.get_by_role("button", name="Guess")
    assert handle.get_attribute("aria-label").startswith("Your guess: How often")
    for _ in range(3):
        handle.press("ArrowLeft")
    handle.press("Tab")
    share.locator(".widget-readout").press("Tab")
    press.press("Enter")
    said = share.locator("text=Your guess: 0.47.").first
    said.wait_for(timeout=HANG_SECONDS * 1000)
    no = choice.get_by_role("button", name="no")
    no.click()
    choice.locator("text=Your guess: no.").first.wait_for(timeout=HANG_SECONDS * 1000)
    assert no.get_attribute("aria-disabled") == "true"
    assert lab.faults() == []
    lab.screenshot(screenshots / "predictions.png")

    lab.run_alone(SLIDER)
    said.wait_for(timeout=HANG_SECONDS * 1000)
    wait_until(lambda: live.count() == 2, "both questions are there, each once")
    lab.save()
    lab.reload()  # not every cell has run, so the page does not trust the notebook, and words stand alone
    lab.page.locator(".pokerlab-prediction", has_text="Your guess: 0.47.").wait_for()
    assert lab.page.get_by_text("model not found").filter(visible=True).count() == 0
    saved = nbformat.read(notebooks / "09_minimax_coevolution.ipynb", as_version=4)
    kept = [
        output["data"]["text/plain"]
        for cell in saved.cells
        if cell.source.startswith((SLIDER, BUTTONS))
        for output in cell.outputs
        if output["data"].get("text/html")
    ]
    assert [each.split("? ")[1] for each in kept] == ["Your guess: 0.47.", "Your guess: no."]
    assert lab.errors() == []


def test_page_of_the_dash_keeps_guesses_for_the_class(
    browser: Browser, chromium: Path, tmp_path: Path, screenshots: Path
) -> None:
    pytest.importorskip("voila", reason="voila is not installed; make setup installs it")
    with running_dash(tmp_path, "--guesses=class") as (address, server):
        wait_for(address, server, tmp_path / DASH_LOG)
        page = browser.new_page()
        page.goto(f"{address}voila/render/predictions.ipynb", timeout=HANG_SECONDS * 1000)
        lesson = page.get_by_role("combobox")
        lesson.wait_for(timeout=HANG_SECONDS * 1000)
        lesson.select_option("Lesson 01b")
        box = page.get_by_role("textbox", name="Your guess (information sets)")
        box.fill("many")
        box.press("Enter")
        page.locator("text=Not recorded: the text 'many'").first.wait_for()
        box.fill("12")
        box.press("Enter")
        page.locator("text=It is kept for your class, without your name.").first.wait_for()
        page.screenshot(path=screenshots / "dash-predictions.png")
        page.close()
        (file,) = (tmp_path / "class").iterdir()
        wait_until(file.is_file, "the guess is kept")
        assert json.loads(file.read_text(encoding="utf-8")) == {"01b.1": {"guess": 12.0}}
