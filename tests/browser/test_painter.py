"""The page paints the panels of stills, too: arrows, words in cells, and rest points of every kind."""

import base64
import io
import json
from dataclasses import replace
from pathlib import Path
from typing import Any

import numpy as np
import pytest
from numpy.typing import NDArray
from PIL import Image
from playwright.sync_api import Browser, Page

from pokerlab.games import kuhn
from pokerlab.solvers import find_rest_points
from pokerlab.workbench import browser_painter
from pokerlab.workbench.browser_painter import encode_picture
from pokerlab.workbench.picture import Axis, Curve, Curves, Panel, Picture, Strip
from pokerlab.workbench.views.flow import draw_flow, draw_growth
from pokerlab.workbench.views.results import draw_winnings
from pokerlab.workbench.views.strategies import draw_strategy, make_strategy_table

pytestmark = pytest.mark.browser

MODULE, STYLE = (
    Path(browser_painter.__file__).with_suffix(kind).read_text(encoding="utf-8")
    for kind in (".js", ".css")
)
PAGE = """<body style="width: %dpx"><div id="place"></div><script type="module">
%s
const message = %s;
for (const array of message.arrays) {
  array.data = new DataView(Uint8Array.from(atob(array.data), (letter) => letter.charCodeAt(0)).buffer);
}
const listeners = {};
window.sent = []; // what the page has sent to the kernel
window.receive = (number) => { message.number = number; listeners['change:picture'](); };
const model = {
  get: (name) => (name === 'picture' ? message : undefined),
  on(event, listener) { listeners[event] = listener; },
  off() {},
  send(wish) { window.sent.push(wish); },
};
painter.render({ model, el: document.getElementById('place') });
</script></body>"""
FEWEST = 50  # pixels of arrows, marks or words
HAWKS = np.array([[-2.0, 2.0], [0.0, 1.0]])
ZEEMAN = np.array([[0.0, 6.0, -4.0], [-3.0, 0.0, 5.0], [-1.0, 3.0, 0.0]])
GROWTH = draw_growth(HAWKS, "hawks", find_rest_points(HAWKS))
FLOW = draw_flow(ZEEMAN, ("A", "B", "C"), find_rest_points(ZEEMAN))
WON = draw_winnings(np.array([[0.0, 1.0], [-1.0, 0.0]]), Axis(), Axis(), ("hawk", "dove"))


@pytest.fixture
def page(browser: Browser) -> Any:
    """Return an empty page; a program on it that fails makes the test fail."""
    errors: list[str] = []
    opened = browser.new_page(viewport={"width": 800, "height": 600})
    opened.on("pageerror", lambda error: errors.append(str(error)))
    yield opened
    opened.close()
    assert errors == []


def paint(page: Page, panel: Panel, width: int = 760, looks: int = 1) -> NDArray[np.uint8]:
    """Return what a page so many pixels wide paints for a panel, (height, width, 3)."""
    message = encode_picture(Picture((Strip("one", 4.0, ((panel,),)),)))
    for array in message["arrays"]:
        array["data"] = base64.b64encode(bytes(array["data"])).decode()
    message |= {"looks": looks, "pins": [], "address": ""}
    module = MODULE.replace("export default", "const painter =")
    page.set_content(PAGE % (width, module, json.dumps(message)))
    page.wait_for_function("document.querySelector('canvas')?.height > 200")
    png = page.evaluate("document.querySelector('canvas').toDataURL('image/png')")
    content = base64.b64decode(png.partition(",")[2])
    return np.asarray(Image.open(io.BytesIO(content)).convert("RGB"))


@pytest.mark.parametrize(
    ("panel", "bare"),
    [
        (GROWTH, replace(GROWTH, arrows=None)),
        (FLOW, replace(FLOW, arrows=None)),
        (FLOW, replace(FLOW, paths=())),
        (WON, replace(WON, words=None)),
    ],
    ids=["arrows on an axis", "arrows in a triangle", "rest points", "words in cells"],
)
def test_page_paints_what_a_panel_has(page: Page, panel: Panel, bare: Panel) -> None:
    whole, less = paint(page, panel), paint(page, bare)
    assert whole.shape == less.shape
    assert (whole != less).any(axis=2).sum() > FEWEST


NARROW = 376


def test_legend_of_many_curves_stands_below_a_narrow_panel(page: Page) -> None:
    places = np.linspace(0.0, 1.0, 5)
    axes = Axis("share", (0.0, 1.0)), Axis("value", (0.0, 1.0))
    curves = tuple(
        Curve(places, np.full(5, gene / 6), f"gene {gene}", f"gene {gene}") for gene in range(1, 6)
    )
    panel = Curves(*axes, curves, "Five genes")
    named = paint(page, replace(panel, legend="upper left", legend_columns=3), NARROW)
    bare = paint(page, panel, NARROW)
    assert len(named) > len(bare)
    np.testing.assert_array_equal(named[: len(bare)], bare)


def test_probability_is_named_under_the_pointer_and_by_keys(page: Page) -> None:
    profile = kuhn().uniform()
    paint(page, draw_strategy(make_strategy_table(profile.game, 0), profile))
    canvas = page.locator("canvas")
    canvas.focus()
    canvas.press("ArrowRight")
    said = page.locator(".pokerlab-spoken").inner_text()
    assert said.endswith(": probability 0.5")
    size = canvas.bounding_box()
    assert size is not None
    canvas.hover(position={"x": size["width"] / 2, "y": size["height"] / 2})
    assert page.locator(".pokerlab-tip").inner_text().endswith(": probability 0.5")


ANSWERING = """<body><div id="place"></div><script type="module">
%s
const message = {picture: {iteration: 1, words: '', strips: []}, arrays: [], looks: 1, number: 3};
const listeners = {};
window.sent = [];
const on = (event, answer) => { listeners[event] = answer; };
const model = { get: () => message, on, off() {}, send: (wish) => sent.push(wish.arrived) };
painter.render({ model, el: document.getElementById('place') });
for (message.number = 4; message.number <= 12; message.number++) listeners['change:picture']();
</script></body>"""


def test_page_answers_the_first_and_every_fifth_picture(page: Page) -> None:
    page.set_content(ANSWERING % MODULE.replace("export default", "const painter ="))
    page.wait_for_function("() => window.sent?.length === 3")
    assert page.evaluate("sent") == [3, 5, 10]


def test_pin_is_hidden_until_a_run_has_two_looks(page: Page) -> None:
    paint(page, GROWTH)
    page.add_style_tag(content=STYLE)
    pin = page.locator(".pokerlab-button", has_text="Pin")
    assert not pin.is_visible()
    paint(page, GROWTH, looks=2)
    page.add_style_tag(content=STYLE)
    assert pin.is_visible()


def test_page_that_lost_pictures_answers_the_next_one(page: Page) -> None:
    """Otherwise a kernel that waits for an answer would keep back the last picture of a run that was paused."""
    paint(page, GROWTH)
    for number in (3, 4, 12, 13, 17):  # those from 5 to 11 were lost
        page.evaluate("number => window.receive(number)", number)
    assert page.evaluate("window.sent") == [{"arrived": number} for number in (3, 12, 17)]
