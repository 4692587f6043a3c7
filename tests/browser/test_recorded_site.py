"""The site without Python: recorded runs play on every page, and explorers have the library's numbers."""

import json
import re
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from axe_playwright_python.sync_playwright import Axe
from playwright.sync_api import Browser, Locator, Page
from scipy.integrate import solve_ivp

import pokerlab as pl
from pokerlab.workbench.drawings.kuhn_picture import KuhnReading, make_profile
from pokerlab.workbench.explorers.kuhn import KEYS
from tests.hangs import HANG_SECONDS, wait_until
from tools.recorded_runs import BENCHES, FOLDER, RecordedBench
from tools.starting_hands import NAMES, NUM_BOARDS, compare_starting_hands

pytestmark = pytest.mark.browser
MOST_BYTES = 100_000
PHONE = {"width": 400, "height": 800}
LEAST_TARGET = 24
"""Pixels that a finger or an unsteady hand needs."""
NUMBER = r"\d+\.\d\d(?=%)"


def open_page(browser: Browser, site: Path, lesson: str, **options: Any) -> Page:
    """Open a lesson's page without a network; an error in its scripts fails the test."""
    page = browser.new_context(offline=True, **options).new_page()
    page.on("pageerror", lambda error: pytest.fail(str(error)))
    page.goto((site / "notebooks" / f"{lesson}.html").as_uri())
    return page


def wait_for_run(bench: Locator, name: str) -> Locator:
    """Wait until a run is on show; return the canvas."""
    shown = bench.page.locator(f'.pokerlab-recorded[data-shown="{name}"] canvas[data-iteration]')
    shown.wait_for(timeout=HANG_SECONDS * 1000)
    return shown


@pytest.mark.parametrize("bench", BENCHES, ids=[bench.lesson[:2] for bench in BENCHES])
def test_every_run_of_a_bench_is_shown_and_scrubbed(
    site: Path, browser: Browser, bench: RecordedBench
) -> None:
    page = open_page(browser, site, bench.lesson, viewport=PHONE)
    (root,) = page.locator(".pokerlab-recorded").all()
    menus = root.locator(".pokerlab-menus select").all()
    names = str(root.get_attribute("data-runs")).split()
    sizes = [*map(len, bench.menus.values())]
    for index, name in enumerate(names):
        for menu, place in zip(menus, np.unravel_index(index, sizes), strict=True):
            if menu.evaluate("menu => menu.selectedIndex") != place:
                menu.select_option(index=int(place))
        canvas = wait_for_run(root, name)
        last = int(str(canvas.get_attribute("data-iteration")))
        assert 0 < last <= bench.config.iterations
        slider = root.locator("input[type=range]")
        slider.evaluate("it => { it.value = 0; it.dispatchEvent(new Event('input')); }")
        page.wait_for_function(
            "canvas => canvas.dataset.iteration === '0'", arg=canvas.element_handle()
        )
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    page.context.close()


LISTEN = """root => {
    window.heard = [];
    new MutationObserver(changes => changes.forEach(({target}) => {
        const live = (target.parentElement ?? target).closest('[aria-live], [role=status], output') ?? target;
        if (live.matches('[aria-live=polite], [role=status]')) heard.push(live.textContent);
    })).observe(root, {subtree: true, childList: true, characterData: true});
}"""
"""Keeps what a screen reader is given to read out."""


def test_recorded_run_is_found_and_heard_with_the_keyboard_alone(
    site: Path, browser: Browser
) -> None:
    page = open_page(browser, site, "09b_judges_that_err")
    keys = page.keyboard
    root = page.get_by_role("group", name="A recorded run: Minimax coevolution")
    names = str(root.get_attribute("data-runs")).split()
    wait_for_run(root, names[0])
    root.evaluate(LISTEN)

    def hear() -> list[str]:
        return [*page.evaluate("() => heard.splice(0)")]

    def press(key: str) -> list[str]:
        keys.press(key)
        return hear()

    # A run is chosen.
    root.get_by_role("combobox", name="Inner generations").focus()
    keys.press("ArrowDown")
    wait_for_run(root, names[2])
    wait_until(lambda: root.get_by_role("status").last.inner_text() != "", "it is said")
    (said,) = hear()
    assert said.startswith(
        "Inner generations 3, Second look no: at the end, t = 40: Exploitability"
    )

    # Its moments: the slider says each, and nothing else does.
    slider = root.get_by_role("slider")
    moments = []
    slider.focus()
    for key in ("ArrowLeft", "Home", "End"):
        assert press(key) == []
        moments.append(str(slider.get_attribute("aria-valuetext")))
    assert moments[0].startswith("t = 3")
    assert moments[1].startswith("t = 0: Exploitability of the best genome: ")
    assert moments[2].startswith("at the end, t = 40: Exploitability of the best genome: ")
    root.get_by_role("button", name="Play again").press("Enter")
    wait_until(lambda: slider.get_attribute("aria-valuetext") != moments[2], "it plays")
    wait_until(lambda: slider.get_attribute("aria-valuetext") == moments[2], "to its end")
    assert hear() == [moments[2].removeprefix("at the end, ")]

    # Its parts: curves of a measure, curves of genes, a triangle, bars.
    root.get_by_role("application").focus()
    assert ". exact: won by best responses: " in press("ArrowRight")[0]
    parts = [press("PageDown")[0] for _ in range(4)]
    assert parts[0].startswith("The 3 genes of the best")
    assert parts[1].startswith("Player 1 plays")
    assert "click to start" not in root.locator(".pokerlab-tip").inner_text()
    assert parts[2].startswith("rock: probability ")
    assert parts[3].startswith("Exploitability of the best genome")

    # Its pictures: no entry of the menu is saved on the way to another.
    downloads: list[str] = []
    page.on("download", lambda each: downloads.append(each.suggested_filename))
    root.get_by_role("combobox", name="Save").focus()
    keys.press("ArrowDown")
    keys.press("ArrowDown")
    keys.press("ArrowUp")
    with page.expect_download() as download:
        keys.press("Enter")
    assert download.value.suggested_filename == "picture-40.png"
    assert len(downloads) == 1
    found = Axe().run(page, context=".pokerlab-recorded").response["violations"]
    assert [each["id"] for each in found] == []
    page.context.close()


def test_runs_are_small(site: Path) -> None:
    sizes = {path.name: path.stat().st_size for path in (site / "_static" / FOLDER).iterdir()}
    assert {name: size for name, size in sizes.items() if size > MOST_BYTES} == {}
    assert sum(sizes.values()) < 15e6


def test_kuhn_on_a_page_has_the_numbers_of_the_library(site: Path, browser: Browser) -> None:
    page = open_page(browser, site, "00_start_here")
    profiles = np.random.default_rng(1).random((1000, len(KEYS)))
    profiles[:100] = profiles[:100].round()  # pure ones, with ties
    measured = page.evaluate("profiles => profiles.map(measureKuhn)", profiles.tolist())
    for bets, found in zip(profiles, measured, strict=True):
        reading = KuhnReading.compute(
            make_profile(dict(zip(KEYS.values(), bets.tolist(), strict=True)))
        )
        wanted = {
            "values": reading.values,
            "best": reading.best_values,
            "gains": reading.gains,
            "exploitability": reading.exploitability,
            "better": [reading.bet_advantages[key] for key in KEYS.values()],
        }
        for name, numbers in wanted.items():
            assert np.allclose(found[name], numbers, atol=1e-12), name
    page.context.close()


def test_flow_on_a_page_is_that_of_the_replicator_equation(site: Path, browser: Browser) -> None:
    page = open_page(browser, site, "03b_finite_populations")
    root = page.locator('.pokerlab-explorer[data-kind="population"]')
    about = json.loads(str(root.get_attribute("data-about")))
    start = np.array([0.6, 0.3, 0.1])
    for game in about["games"].values():
        payoffs = np.array(game["payoffs"])
        path = page.evaluate(
            "([a, x]) => integrateReplicator(a, x)", [payoffs.tolist(), start.tolist()]
        )
        scaled = payoffs / np.abs(payoffs).max()

        def change(_: float, x: Any, scaled: Any = scaled) -> Any:
            return x * (scaled @ x - x @ scaled @ x)

        solved = solve_ivp(change, (0, 10), start, rtol=1e-10, atol=1e-12).y[:, -1]
        assert np.allclose(path[500], solved, atol=1e-6)
    root.locator("canvas").click(position={"x": 200, "y": 250})
    assert "comes to" in root.locator("p[role=status]").inner_text()
    page.context.close()


def test_a_slider_of_kuhn_changes_what_is_said(site: Path, browser: Browser) -> None:
    page = open_page(browser, site, "00_start_here", viewport=PHONE)
    root = page.locator('.pokerlab-explorer[data-kind="kuhn"]')
    said = root.locator("[role=status]")
    assert said.inner_text().startswith("An equilibrium")
    root.get_by_role("button", name="never bet").click()
    never = pl.metrics.nash_conv(pl.games.kuhn(), make_profile(dict.fromkeys(KEYS.values(), 0.0)))
    assert f"Exploitability {never:.4f} chips" in said.inner_text()
    page.context.close()


def test_starting_hands_on_a_page_have_the_numbers_of_the_library(
    site: Path, browser: Browser
) -> None:
    page = open_page(browser, site, "10_real_cards", viewport=PHONE, color_scheme="dark")
    root = page.locator('.pokerlab-explorer[data-kind="hands"]')
    said, menus = root.get_by_role("status"), root.get_by_role("combobox")
    counted = compare_starting_hands()

    def expected(one: str, other: str) -> str:
        place = NAMES.index(one), NAMES.index(other)
        pairs = counted.pairs[place] * NUM_BOARDS
        win, tie = counted.wins[place] / pairs, counted.ties[place] / pairs
        loss, equity = 1 - win - tie, win + tie / 2
        told = f"{one} against {other}: wins {win:.2%}, ties {tie:.2%}, loses {loss:.2%}."
        return f"{told} Equity {equity:.2%}."

    def check(one: str, other: str) -> None:
        told, right = said.inner_text(), expected(one, other)
        assert re.sub(NUMBER, "", told) == re.sub(NUMBER, "", right)
        shown = [[float(each) for each in re.findall(NUMBER, text)] for text in (told, right)]
        assert np.allclose(*shown, atol=0.0101)  # percent; the file has steps of 0.0015

    said.filter(has_text="against").wait_for(timeout=HANG_SECONDS * 1000)
    check("AA", "87s")
    for one, other in [("22", "AKs"), ("AKo", "AKs"), ("72o", "AA"), ("JTs", "JTs")]:
        for menu, name in zip(menus.all(), (one, other), strict=True):
            menu.select_option(name)
        check(one, other)
    root.get_by_role("button", name="Swap").click()

    # The square, by keys and by a touch.
    square = root.get_by_role("grid", name="Equity of JTs against each starting hand")
    square.get_by_role("gridcell", selected=True).focus()
    for key in ("ArrowUp", "ArrowUp", "ArrowLeft", "Enter"):
        page.keyboard.press(key)
    check("JTs", "KJs")
    square.get_by_role("gridcell", name="AA:").click()
    check("JTs", "AA")
    assert square.locator("[tabindex='0']").count() == 1
    assert root.locator("td").first.bounding_box()["width"] >= LEAST_TARGET
    assert page.evaluate("document.documentElement.scrollWidth") <= PHONE["width"]
    found = Axe().run(page, context=".pokerlab-explorer").response["violations"]
    assert [each["id"] for each in found] == []
    page.context.close()
