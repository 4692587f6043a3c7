"""What remains of benches, tables and explorers when a page is reloaded or a kernel is gone."""

from pathlib import Path

import pytest

from pokerlab.workbench.live.screen import RESTART_HINTS, RUN_THIS_CELL
from tests.browser.lab import Lab, changes
from tests.browser.test_bench import goes_on
from tests.hangs import wait_until

pytestmark = pytest.mark.browser

MORE = 5  # pictures
SESSION = "window.jupyterapp.shell.currentWidget.sessionContext"
CLOSE = f"""
const kernel = {SESSION}.session.kernel;
window.heard = [];
kernel.connectionStatusChanged.connect((_, status) => window.heard.push(status));
kernel._ws.close();
"""
"""Close the connection as a network would, and note what the page hears of it; it may be back in a moment."""


def test_after_a_reload_a_bench_goes_on_and_shows_it(lab: Lab, screenshots: Path) -> None:
    lab.show("tiny")
    lab.save()
    lab.reload()
    lab.panel.wait_for()
    changes(lab.picture, lab.button("Run").click, "the picture moves")
    goes_on(lab)
    lab.button("Pause").click()
    wait_until(lambda: lab.button("Run").count() == 1, "the bench says it is paused")
    lab.screenshot(screenshots / "reloaded.png")
    assert lab.page.get_by_text(RUN_THIS_CELL).filter(visible=True).count() == 0


def test_after_a_reload_a_table_shows_the_hand_that_is_played(lab: Lab) -> None:
    lab.show("table")
    lab.save()
    lab.reload()
    deal = lab.page.locator("button.jupyter-button", has_text="Deal").last
    deal.wait_for()
    picture = lab.page.locator(".pokerlab-live img").first
    changes(lambda: picture.get_attribute("src"), deal.click, "the hand is shown")


def test_bench_whose_cell_ran_twice_answers_after_a_reload(lab: Lab) -> None:
    lab.show("tiny")
    lab.run_all()
    lab.save()
    lab.reload()
    lab.panel.wait_for()
    assert lab.page.locator(".pokerlab-panel").count() == 1
    before = lab.status()
    lab.nudge("Payoff shift", "ArrowRight")
    wait_until(lambda: lab.status() != before, "the status line reports the new setting")
    changes(lab.picture, lab.button("Run").click, "the picture moves")


SLOW = (pytest.param(each, marks=pytest.mark.slow) for each in ("kuhn", "network", "tournament"))


@pytest.mark.parametrize("notebook", ["tiny", *SLOW])
def test_with_a_new_kernel_a_sentence_stands_for_the_controls_and_the_picture_stays(
    notebook: str, lab: Lab, screenshots: Path
) -> None:
    lab.show(notebook)
    lab.save()
    lab.end_kernel()
    lab.open(f"{notebook}.ipynb")
    sentence = lab.page.get_by_text(RUN_THIS_CELL)
    sentence.wait_for()
    lab.screenshot(screenshots / f"{notebook}-new-kernel.png")
    assert lab.page.get_by_text("model not found").filter(visible=True).count() == 0
    assert lab.page.locator(".jp-OutputArea-output img").filter(visible=True).count() == 1


def test_after_a_restart_the_controls_say_that_they_are_dead(lab: Lab, screenshots: Path) -> None:
    lab.show("tiny")
    dead = lab.page.locator(".pokerlab-dead")
    assert not dead.is_visible()
    lab.restart()
    dead.wait_for(state="visible")
    assert dead.inner_text().endswith(f"dead. {RESTART_HINTS['cell']}")
    lab.screenshot(screenshots / "restarted.png")
    lab.run_all()
    wait_until(lambda: not lab.page.locator(".pokerlab-dead").is_visible(), "it lives")
    assert lab.page.locator(".pokerlab-panel").count() == 1


@pytest.mark.parametrize("notebook", ["tiny", "table"])
def test_shut_down_kernel_marks_the_controls_as_dead(notebook: str, lab: Lab) -> None:
    lab.show(notebook)
    dead = lab.page.locator(".pokerlab-dead")
    assert not dead.is_visible()
    lab.end_kernel()
    dead.wait_for(state="visible")
    assert dead.inner_text().endswith(f"dead. {RESTART_HINTS['cell']}")


def test_lost_connection_comes_back_and_the_bench_goes_on(lab: Lab) -> None:
    lab.show("tiny")
    lab.button("Run").click()
    wait_until(lambda: lab.frames() > MORE, "the bench runs")
    lab.page.evaluate(f"() => {{{CLOSE}}}")
    lab.page.wait_for_function(
        "heard.some(status => status !== 'connected') && heard.at(-1) === 'connected'"
    )
    before = lab.frames()
    wait_until(lambda: lab.frames() > before + MORE, "pictures arrive again")
    assert not lab.page.locator(".pokerlab-dead").is_visible()
    lab.button("Pause").click()
    wait_until(lambda: lab.button("Run").count() == 1, "the bench hears the page again")
