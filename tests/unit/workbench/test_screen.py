"""A screen shows every picture alive, and keeps the latest for the saved notebook."""

import threading
from typing import Any

import ipywidgets as widgets
import pytest

from pokerlab.workbench.drawings.svg import SvgDrawing
from pokerlab.workbench.live import picture_screen
from pokerlab.workbench.live import screen as module
from pokerlab.workbench.live.picture_screen import PictureScreen
from pokerlab.workbench.live.screen import (
    IDLE_CLASS,
    KERNEL_ENDED,
    LIVE_CLASS,
    RUN_CELLS_ABOVE,
    RUN_THIS_CELL,
    Fold,
    Screen,
    ignore_dollars,
    make_button,
)
from pokerlab.workbench.picture import Picture
from tests.hangs import HANG_SECONDS, wait_until


class Handle:
    """An output that can be replaced."""

    def __init__(self, data: dict[str, str]) -> None:
        self.shown = [data]

    def update(self, data: dict[str, str], metadata: Any, raw: bool) -> None:
        self.shown.append(data)


@pytest.fixture
def outputs(monkeypatch: pytest.MonkeyPatch) -> list[Handle]:
    """Return the outputs of a cell in the order in which they are displayed."""
    made: list[Handle] = []

    def display(data: dict[str, str], **how: Any) -> Handle:
        made.append(Handle(data))
        return made[-1]

    monkeypatch.setattr(module, "get_ipython", object)
    monkeypatch.setattr(module, "display", display)
    return made


def inside(widget: widgets.Widget) -> list[widgets.Widget]:
    """Return a widget and all that it contains."""
    children = widget.children if isinstance(widget, widgets.Box) else ()
    return [widget, *(each for child in children for each in inside(child))]


def png(number: int) -> tuple[bytes, float, module.Bundle]:
    return bytes([number]), 700.0, ({"image/png": str(number)}, {})


def test_controls_and_live_picture_are_one_widget(outputs: list[Handle]) -> None:
    screen, controls = Screen("png", has_controls_beside=True), widgets.Button()
    screen.show_image(*png(1))
    screen.write_words("<b>one</b>", "one")
    screen.open(controls)
    assert LIVE_CLASS in screen.box._dom_classes
    assert {controls, screen.image, screen.words_widget} <= set(inside(screen.box))
    assert any(KERNEL_ENDED in w.value for w in inside(screen.box) if isinstance(w, widgets.HTML))
    words = f"{RUN_THIS_CELL} {RUN_CELLS_ABOVE}"
    assert [handle.shown[0].get("text/plain") for handle in outputs] == ["", words, None, "one"]


def test_every_picture_is_live_and_the_saved_one_follows_now_and_then(
    outputs: list[Handle], monkeypatch: pytest.MonkeyPatch
) -> None:
    now = 100.0
    monkeypatch.setattr(module.time, "monotonic", lambda: now)
    screen = Screen("png")
    screen.show_image(*png(0))
    screen.open(widgets.Button())
    saved = outputs[2].shown
    for number in range(1, 30):
        now += 0.1
        screen.show_image(*png(number))
        assert screen.image.value == bytes([number])
    assert 2 <= len(saved) <= 4
    screen.save_outputs()
    assert saved[-1] == {"image/png": "29"}
    kept = len(saved)
    screen.save_outputs()
    assert len(saved) == kept  # nothing new


def test_a_drawing_is_kept_at_once_with_its_caption(outputs: list[Handle]) -> None:
    screen = Screen("svg+xml")
    screen.show_drawing(SvgDrawing(90.0, 40.0, "<g/>", "in letters", "Here < there."))
    screen.open(widgets.Button())
    assert b"<svg" in bytes(screen.image.value)
    assert screen.image.layout.max_width == "90px"
    assert "Here &lt; there." in screen.words_widget.value
    screen.show_drawing(SvgDrawing(90.0, 40.0, "<circle/>", "changed"))
    (picture,) = outputs[2:]
    assert "<circle/>" in picture.shown[-1]["image/svg+xml"]
    assert picture.shown[-1]["text/plain"] == "changed"


def test_whoever_hears_it_is_told_what_is_new_and_has_the_picture_in_words() -> None:
    screen = Screen("svg+xml")
    screen.show_drawing(SvgDrawing(90.0, 40.0, "<g/>", "pot < 3\nK, Q", news="you win"))
    assert screen.news_widget.value == "you win<span hidden>pot &lt; 3\nK, Q</span>"
    assert screen.news_widget in inside(screen.lay_out(widgets.Button()))


def test_a_button_that_cannot_be_pressed_keeps_the_focus_as_the_browser_does_not_know() -> None:
    pressed: list[str] = []
    made = make_button("Deal", lambda: pressed.append("Deal"))
    made.disabled = True
    made.click()
    assert (pressed, "disabled" in made.get_state(), made._dom_classes) == (
        [],
        False,
        (IDLE_CLASS,),
    )
    made.disabled = False
    made.click()
    assert (pressed, made._dom_classes) == (["Deal"], ())


def test_folded_rows_are_shown_and_hidden_by_a_button() -> None:
    fold = Fold("More", [widgets.Text()])
    for is_open, display in ((True, None), (False, "none")):
        fold.switch.value = is_open
        assert fold.rows.layout.display == display


def test_closing_takes_the_widgets_away_and_keeps_the_picture(outputs: list[Handle]) -> None:
    screen, controls = Screen("png"), widgets.Button()
    screen.show_image(*png(1))
    screen.open(controls)
    screen.save_outputs()
    screen.show_image(*png(2))
    screen.close()
    assert outputs[2].shown[-1] == {"image/png": "2"}
    assert [each.comm for each in (controls, screen.box, screen.image)] == [None] * 3


def test_saved_words_with_dollar_signs_begin_no_formula(outputs: list[Handle]) -> None:
    screen = Screen("png")
    screen.write_words("$1/$2 reg folds", "$1/$2 reg folds")
    screen.show_image(*png(0))
    screen.open(widgets.Button())
    assert ignore_dollars(screen.still_makers["words"]())[0] == {
        "text/html": '<div class="mathjax_ignore">$1/$2 reg folds</div>',
        "text/plain": "$1/$2 reg folds",
    }


def test_leave_dollars_leaves_what_it_is_given_as_it_was() -> None:
    data = {"text/html": "$1", "text/plain": "$1"}
    shown, _ = ignore_dollars((data, {}))
    assert data == {"text/html": "$1", "text/plain": "$1"}
    assert shown["text/html"] == '<div class="mathjax_ignore">$1</div>'


def test_press_does_not_wait_for_the_picture_in_the_saved_notebook(
    outputs: list[Handle], monkeypatch: pytest.MonkeyPatch
) -> None:
    is_painted, painting = threading.Event(), threading.Event()

    def paint(shown: Picture) -> module.Bundle:
        painting.set()
        assert is_painted.wait(HANG_SECONDS)
        return {"image/png": shown.words}, {}

    screen = PictureScreen()
    screen.still_makers["picture"] = lambda: ({"image/png": "first"}, {})
    screen.open(widgets.Button())
    monkeypatch.setattr(picture_screen, "paint_still", paint)
    screen.soon_seconds = 0.0
    screen.show_picture(Picture((), words="second"))
    screen.save_outputs_soon()
    assert painting.wait(HANG_SECONDS)
    assert outputs[-1].shown == [{"image/png": "first"}]
    is_painted.set()
    wait_until(lambda: outputs[-1].shown[-1] == {"image/png": "second"}, "it is kept")


def test_end_of_a_cell_keeps_the_picture_in_the_saved_notebook(outputs: list[Handle]) -> None:
    screen = PictureScreen()
    screen.still_makers["picture"] = lambda: ({"image/png": "first"}, {})
    screen.open(widgets.Button())
    screen.soon_seconds = HANG_SECONDS
    screen.replace_output("picture", lambda: ({"image/png": "second"}, {}))
    screen.save_outputs_soon()
    assert outputs[-1].shown == [{"image/png": "first"}]
    picture_screen.save_waiting_screens(None)
    assert outputs[-1].shown[-1] == {"image/png": "second"}
    assert screen.timer is None


def test_page_that_nobody_saves_draws_no_picture_to_be_saved(
    outputs: list[Handle], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(module.Screen, "is_page_saved", False)
    for screen in (PictureScreen(), module.Screen("svg+xml")):
        screen.still_makers["picture"] = lambda: ({"image/png": "first"}, {})
        screen.open(widgets.Button())
        screen.replace_output("picture", lambda: pytest.fail("drawn for nobody"))
        screen.save_outputs_soon()
        screen.save_outputs()
        assert outputs[-1].shown == [{"image/png": "first"}]
