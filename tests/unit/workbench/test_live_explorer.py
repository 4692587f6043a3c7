"""Any explorer says errors in words, stands once in a cell that runs twice, and leaves a still picture."""

import threading
from collections.abc import Iterator, Sequence
from typing import Any

import ipywidgets
import numpy as np
import pytest

from pokerlab.core import SettingError, UnknownNameError
from pokerlab.workbench.drawings.svg import SvgDrawing
from pokerlab.workbench.live import screen as screens
from pokerlab.workbench.live.explorer import (
    Button,
    Control,
    Explorer,
    Plot,
    SliderMark,
    Values,
)
from pokerlab.workbench.live.screen import LIVE_CLASS
from pokerlab.workbench.live.take_home import File
from pokerlab.workbench.picture import Axis, Curve, Curves, Picture, Strip


class Handle:
    """An output that can be replaced."""

    def __init__(self, data: dict[str, str]) -> None:
        self.shown = data

    def update(self, data: dict[str, str], metadata: Any, raw: bool) -> None:
        self.shown = data


@pytest.fixture
def outputs(monkeypatch: pytest.MonkeyPatch) -> list[Handle]:
    """Return the outputs of a cell in the order in which they are displayed."""
    made: list[Handle] = []

    def display(data: dict[str, str], **how: Any) -> Handle:
        made.append(Handle(data))
        return made[-1]

    monkeypatch.setattr(screens, "things_by_place", {})
    monkeypatch.setattr(screens, "find_present_cell", lambda: "cell")
    monkeypatch.setattr(screens, "read_execution_count", lambda: 1)
    monkeypatch.setattr(screens, "get_ipython", object)
    monkeypatch.setattr(screens, "display", display)
    return made


CONTROLS = (
    Control(
        "x",
        0.5,
        ipywidgets.FloatSlider,
        "x",
        group="numbers",
        widget_arguments={"min": 0.0, "max": 1.0},
    ),
    Control("lock x", False, ipywidgets.ToggleButton, left_neighbor="x"),
    Control(
        "n", 3, ipywidgets.IntSlider, "n", group="numbers", widget_arguments={"min": 1, "max": 9}
    ),
    Control("words", "one", ipywidgets.Text, "words"),
    Control("draws", 0),
)


def read(values: Values) -> Values:
    if not values["words"]:
        raise SettingError("write <something>.")
    if values["words"] == "bug":
        raise ZeroDivisionError("division by zero")
    return values


def draw(values: Values) -> SvgDrawing:
    return SvgDrawing(100, 20, "<g/>", f"x {values['x']:g}, draws {values['draws']}", "What it is.")


def again(values: Values, reading: Values) -> Values:
    return values | {"draws": reading["draws"] + 1}


def plot(values: Values) -> Plot:
    line = Curve(np.array([0.0, 1.0]), np.array([0.0, values["x"]]), "line")
    panel = Curves(Axis("across"), Axis("up"), (line,))
    picture = Picture((Strip("one", 2.0, ((panel,),)),), words="a line")
    return Plot(picture, "<b>half</b>", "half", "a line to one half")


def make(**how: Any) -> Explorer[Values]:
    buttons = [Button("Again", again, lambda reading: reading["draws"] < 2)]
    return Explorer("Trial", CONTROLS, read, draw, buttons=buttons, **how)


@pytest.mark.parametrize(
    ("text", "said"),
    [
        ("", "write &lt;something&gt;."),
        ("bug", "This cannot be shown: ZeroDivisionError: division"),
    ],
)
def test_explorer_of_a_reading_with_an_error_says_it_and_lives_on(text: str, said: str) -> None:
    explorer = make()
    before, picture = explorer.reading, explorer.picture
    explorer.rows["words"].value = text
    assert said in explorer.message.value
    assert 'role="alert"' in explorer.message.value
    assert (explorer.reading, explorer.picture) == (before, picture)
    explorer.buttons["Again"].click()  # reads the same wrong words
    assert said in explorer.message.value
    explorer.rows["words"].value = "two"
    assert explorer.message.value == ""
    assert explorer.reading["words"] == "two"
    explorer.rows["x"].value = 0.25
    assert str(explorer.picture) == "x 0.25, draws 0"


def refuse_nine(values: Values) -> None:
    if values["n"] == 9:
        raise SettingError("nine is too many.")


@pytest.mark.parametrize("fails", ["follow", "draw"])
def test_explorer_says_errors_of_all_its_functions(fails: str) -> None:
    def follow(values: Values, name: str) -> Values:
        if fails == "follow":
            refuse_nine(values)
        return values

    def draw_few(values: Values) -> SvgDrawing:
        refuse_nine(values)
        return draw(values)

    explorer = Explorer("Trial", CONTROLS, read, draw_few, adjust_values=follow)
    before = explorer.reading
    explorer.rows["n"].value = 9
    assert "nine is too many." in explorer.message.value
    assert explorer.reading is before


def test_explorer_moved_by_code_raises_what_a_reader_is_told() -> None:
    explorer = make()
    with pytest.raises(SettingError, match="something"):
        explorer.move_controls(words="")
    with pytest.raises(SettingError, match="n is 10"):
        explorer.move_controls(n=10)
    with pytest.raises(UnknownNameError, match="no control 'y'"):
        explorer.move_controls(y=1)
    with pytest.raises(UnknownNameError, match="no button 'Once'"):
        explorer.press_button("Once")
    explorer.move_controls(n=4, x=0.125)
    assert (explorer.rows["n"].value, explorer.reading["x"]) == (4, 0.125)


def test_explorer_moves_what_goes_with_a_control_with_one_reading() -> None:
    readings: list[Values] = []

    def follow(values: Values, name: str) -> Values:
        return values | {"x": values["n"] / 10} if name == "n" else values

    def read_all(values: Values) -> Values:
        readings.append(values)
        return values

    explorer = Explorer("Trial", CONTROLS, read_all, draw, adjust_values=follow)
    explorer.rows["n"].value = 7
    assert (explorer.rows["x"].value, len(readings)) == (0.7, 2)
    explorer.rows["x"].value = 0.1
    assert (explorer.rows["n"].value, len(readings)) == (7, 3)


def test_explorer_button_is_idle_where_it_cannot_be_pressed() -> None:
    explorer = make()
    for draws in (1, 2, 2):
        explorer.buttons["Again"].click()
        assert explorer.values["draws"] == draws
    assert explorer.buttons["Again"].disabled
    explorer.press_button("Again")
    assert explorer.values["draws"] == 2


def test_explorer_whose_cell_runs_twice_stands_once(
    outputs: list[Handle], monkeypatch: pytest.MonkeyPatch
) -> None:
    first = make().open()
    monkeypatch.setattr(screens, "read_execution_count", lambda: 2)
    second = make().open()
    assert screens.things_by_place["cell"][1] == [second]
    assert first.screen.box.comm is None
    assert all(row.comm is None for row in first.rows.values())
    assert all(row.comm is not None for row in second.rows.values())
    second.close()
    assert screens.things_by_place == {}


def test_explorer_leaves_a_still_picture_without_a_browser(outputs: list[Handle]) -> None:
    explorer = make().open()
    live, sentence, still = (handle.shown for handle in outputs)
    assert LIVE_CLASS in explorer.screen.box._dom_classes
    assert "application/vnd.jupyter.widget-view+json" in live
    assert sentence["text/plain"].startswith("Run this cell")
    assert still["text/plain"] == "x 0.5, draws 0"
    assert "data:image/svg+xml;base64" in still["text/html"]
    explorer.rows["x"].value = 1.0
    assert outputs[2].shown["text/plain"] == "x 1, draws 0"
    explorer.rows["words"].value = ""  # an error leaves the picture
    explorer.close()
    assert outputs[2].shown["text/plain"] == "x 1, draws 0"


def test_explorer_of_plots_keeps_figure_and_words(outputs: list[Handle]) -> None:
    explorer = Explorer("Trial", CONTROLS, read, plot, is_plot=True).open()
    *_, picture, words = (handle.shown for handle in outputs)
    assert picture["text/plain"] == "a line"
    assert picture["image/png"]
    assert words["text/plain"] == "half"
    assert explorer.screen.news_widget.value == "a line to one half<span hidden>half</span>"
    before = picture["image/png"]
    explorer.move_controls(x=0.25)
    explorer.close()
    assert outputs[2].shown["image/png"] != before


def test_explorer_of_plots_saves_them_and_starts_where_a_reader_clicks(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    def start_at(values: Values, shares: Sequence[float]) -> Values:
        if shares[0] > 1.0:
            raise SettingError("a share is at most 1.")
        return values | {"x": shares[0]}

    explorer = Explorer("First trial", CONTROLS, read, plot, is_plot=True, move_start=start_at)
    sent: list[File] = []
    monkeypatch.setattr(explorer.screen, "send_file", sent.append)
    for kind in ("svg", "columns"):
        explorer.handle_request({"save": kind})
    picture, columns = sent
    assert (picture.name, columns.name) == ("first-trial.svg", "first-trial.csv")
    assert b"<svg" in picture.content
    assert columns.content.decode() == "curve,across,up\nline,0.0,0.0\nline,1.0,0.5\n"
    explorer.handle_request({"start": [0.25, 0.75]})
    assert explorer.reading["x"] == 0.25
    explorer.handle_request({"start": [2.0, -1.0]})
    assert "at most 1" in explorer.message.value
    explorer.handle_request({"save": "film"})
    assert "no thing to save" in explorer.message.value
    assert len(sent) == 2


def texts(explorer: Explorer[Any]) -> Iterator[str]:
    """Yield all HTML that stands among the controls."""
    todo = [explorer.controls]
    while todo:
        widget = todo.pop()
        todo.extend(getattr(widget, "children", ()))
        if isinstance(widget, ipywidgets.HTML):
            yield widget.value


def test_explorer_with_marks_shows_each_number_once_beside_its_slider(
    outputs: list[Handle],
) -> None:
    def mark(values: Values) -> dict[str, SliderMark]:
        part, point = ((0.25, 0.5), None) if values["n"] < 5 else (None, 7.0)
        return {
            "x": SliderMark("#336699", values["x"], "best: <bet>", interval=part),
            "n": SliderMark("#336699", 0.0, "nothing", point=point),
        }

    explorer = make(
        mark_sliders=mark, write_live_html=lambda values: f"<i>worth {values['x']:g}</i>"
    ).open()
    said = "".join(texts(explorer))
    assert "<p>best: &lt;bet&gt;</p>" in said
    assert "left: calc(25.0% - 3px); width: calc(25.0% + 6px)" in said
    assert said.count("color-mix(in srgb, #336699 27%, transparent)") == 1
    assert not explorer.screen.has_image
    assert explorer.screen.words_widget.value == "<i>worth 0.5</i>"
    assert outputs[2].shown["text/plain"] == "x 0.5, draws 0"
    explorer.move_controls(n=7)
    assert "left: calc(75.0% - 6px)" in "".join(texts(explorer))


def test_explorer_beside_its_picture_folds_what_stands_under_a_heading() -> None:
    explorer = make(has_controls_beside=True)
    *_, fold, again_button, _ = explorer.controls.children
    assert fold.switch.description == "numbers"
    assert fold.rows.layout.display == "none"
    assert explorer.rows["n"] in fold.rows.children
    assert again_button is explorer.buttons["Again"]
    assert repr(explorer).startswith("<Trial: {'x': 0.5")


def test_explorer_answers_nothing_while_code_moves_its_controls() -> None:
    explorer = make()
    before = explorer.reading
    with explorer.ignore_moves():
        explorer.rows["x"].value = 0.75
    assert explorer.reading is before


def test_explorer_whose_reading_is_interrupted_moves_its_controls_back() -> None:
    is_slow = []

    def read_long(values: Values) -> Values:
        if is_slow:
            raise KeyboardInterrupt
        return read(values)

    explorer = Explorer("Trial", CONTROLS, read_long, draw)
    is_slow.append(True)
    with pytest.raises(KeyboardInterrupt):
        explorer.rows["n"].value = 5
    assert "The kernel was interrupted" in explorer.message.value
    assert explorer.values == explorer.shown_values
    is_slow.clear()
    explorer.rows["n"].value = 5
    assert (explorer.message.value, explorer.reading["n"]) == ("", 5)


def test_explorer_moved_in_two_threads_shows_the_later_move() -> None:
    is_reading, may_go_on = threading.Event(), threading.Event()

    def read_late(values: Values) -> Values:
        if values["n"] == 5:
            is_reading.set()
            may_go_on.wait(1.0)
        return read(values)

    explorer = Explorer("Trial", CONTROLS, read_late, draw)
    first = threading.Thread(target=lambda: setattr(explorer.rows["n"], "value", 5))
    first.start()
    assert is_reading.wait(1.0)
    later = threading.Thread(target=lambda: setattr(explorer.rows["x"], "value", 0.25))
    later.start()
    later.join(0.2)
    may_go_on.set()
    for thread in (first, later):
        thread.join()
    assert (explorer.values["n"], explorer.values["x"]) == (5, 0.25)
    assert str(explorer.picture) == "x 0.25, draws 0"
