"""Each kind of prediction has its control; the first guess counts, and none after the answer."""

from typing import Any

import ipywidgets as widgets
import pytest

import pokerlab as pl
from pokerlab.classroom import guesses
from pokerlab.classroom.guesses import PREDICTIONS
from pokerlab.workbench import guess_controls
from pokerlab.workbench.guess_controls import (
    AFTER_ANSWER,
    BEFORE_ANSWER,
    GuessControls,
    GuessInput,
    LessonGuesses,
    Question,
)
from pokerlab.workbench.live.screen import PressButton, things_by_place

ENTER = {"event": "submit"}
CLICK = {"event": "click"}


@pytest.fixture(autouse=True)
def nothing_guessed(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(guesses, "GUESSES", {})
    monkeypatch.setattr(guesses, "ANSWERED", set())
    monkeypatch.delenv(guesses.CLASS_VARIABLE, raising=False)


def open_one(prediction: str) -> GuessControls:
    return GuessInput([prediction]).guess_controls[0]


def send(widget: widgets.Widget, message: dict[str, Any]) -> None:
    """Let a widget get a message as from the page."""
    widget._handle_custom_msg(message, [])


@pytest.mark.parametrize("name", PREDICTIONS)
def test_guess_controls_fit_the_kind_of_prediction(name: str) -> None:
    asked, shown = PREDICTIONS[name], open_one(name)
    *others, last = shown.inputs
    assert isinstance(last, PressButton)
    if asked.kind == "choice":
        assert [each.description for each in shown.inputs] == list(asked.allowed)
    else:
        (given,) = others
        assert last.description == "Guess"
        assert isinstance(given, widgets.FloatSlider if asked.kind == "share" else widgets.Text)
        assert given.description.startswith("Your guess")
        assert asked.unit in given.description
    if asked.kind == "share":
        assert (others[0].min, others[0].max) == tuple(asked.allowed)
    assert guesses.GUESSES == {}


def test_button_of_a_choice_stores_it_and_no_second_one() -> None:
    shown = open_one("02.2")
    hawks, doves, *_ = shown.inputs
    send(doves, CLICK)
    assert guesses.GUESSES == {"02.2": "doves"}
    assert shown.status.value == f"Your guess: doves. {BEFORE_ANSWER}"
    assert [each.icon for each in shown.inputs] == ["", "check", "", ""]
    assert all(each.disabled for each in shown.inputs)
    send(hawks, CLICK)
    assert guesses.GUESSES == {"02.2": "doves"}


def test_slider_stores_its_value_when_guess_is_pressed() -> None:
    shown = open_one("09.1")
    slider, press = shown.inputs
    slider.value = 0.3
    assert guesses.GUESSES == {}
    send(press, CLICK)
    assert guesses.GUESSES == {"09.1": 0.3}
    assert shown.status.value.startswith("Your guess: 0.3. ")
    assert slider.disabled


def test_number_box_takes_enter_and_refuses_nonsense_in_the_words_of_predict() -> None:
    shown = open_one("01b.1")
    box, press = shown.inputs
    for typed, quoted in (("six", "the text &#x27;six&#x27;"), ("31", "31"), ("", "the text")):
        box.value = typed
        send(box, ENTER)
        assert "Not recorded: " in shown.status.value
        assert quoted in shown.status.value
        assert "Your guess must be a number from 1 to 30." in shown.status.value
    assert 'role="alert"' in shown.status.value
    assert guesses.GUESSES == {}
    assert not press.disabled
    box.value = "25/2"
    send(box, ENTER)
    assert guesses.GUESSES == {"01b.1": 12.5}
    assert box.disabled
    assert "alert" not in shown.status.value


def test_controls_of_one_prediction_agree() -> None:
    first, second, other = GuessInput(["09.3", "09.3", "09.2"]).guess_controls
    send(first.inputs[0], CLICK)
    assert second.status.value == first.status.value
    assert second.inputs[0].disabled
    assert not other.inputs[0].disabled


def test_guess_in_code_shows_in_the_controls() -> None:
    shown = open_one("09.1")
    note = guess_controls.predict("09.1", "1/4")
    assert note.text.endswith("Your guess: 1/4.")
    assert shown.inputs[0].value == 0.25
    assert shown.inputs[0].disabled


def test_control_after_the_answer_refuses_in_words() -> None:
    shown = open_one("09.3")
    pl.predictions("09", {"09.3": "no"})
    send(shown.inputs[0], CLICK)
    assert guesses.GUESSES == {}
    assert shown.status.value == AFTER_ANSWER
    assert open_one("09.3").status.value == AFTER_ANSWER
    assert all(each.disabled for each in shown.inputs)


def test_cell_that_runs_again_has_one_control_and_the_guess(
    monkeypatch: pytest.MonkeyPatch,
) -> None:
    execution = iter((101, 102))
    module = "pokerlab.workbench.live.screen"
    monkeypatch.setattr(f"{module}.find_present_cell", lambda: "a cell with a prediction")
    monkeypatch.setattr(f"{module}.read_execution_count", lambda: next(execution))
    first = GuessInput(["09.1"]).open()
    send(first.guess_controls[0].inputs[1], CLICK)
    second = GuessInput(["09.1"]).open()
    assert first.box.comm is None
    assert second.guess_controls[0].status.value.startswith("Your guess: 0.5.")
    assert things_by_place["a cell with a prediction"][1] == [second]
    second.close()
    assert "a cell with a prediction" not in things_by_place


def test_words_that_stay_are_those_of_predict_and_follow_the_guess() -> None:
    shown = GuessInput(["09.3"])
    data, _ = shown.make_saved_output()
    note = pl.classroom.predict("09.3", ...)
    assert data["text/plain"] == repr(note)
    assert note._repr_html_() in data["text/html"]
    send(shown.guess_controls[0].inputs[1], CLICK)
    assert shown.make_saved_output()[0]["text/plain"].endswith("Your guess: no.")
    assert shown.news_widget.value.startswith("Your guess: no.")


def test_predict_returns_a_note_that_is_displayed_with_controls() -> None:
    note = guess_controls.predict("09.3", ...)
    assert isinstance(note, Question)
    assert repr(note) == repr(pl.classroom.predict("09.3", ...))
    unknown = guess_controls.predict("09.9", ...)
    assert not isinstance(unknown, Question)
    assert unknown.mark == "✗"


def test_lesson_guesses_show_the_questions_of_the_chosen_lesson() -> None:
    page = LessonGuesses()
    menu = page.box.children[2]
    assert [each.prediction for each in page.guess_controls] == ["00.1", "00.2", "00.3"]
    before = page.controls_box.children
    menu.value = "15"
    assert [each.prediction for each in page.guess_controls] == ["15.1", "15.2", "15.3"]
    assert all(each.comm is None for each in before)
    page.close()


def test_guesses_for_a_class_say_that_they_are_kept(
    monkeypatch: pytest.MonkeyPatch, tmp_path: Any
) -> None:
    monkeypatch.setenv(guesses.CLASS_VARIABLE, str(tmp_path))
    shown = open_one("09.3")
    send(shown.inputs[0], CLICK)
    assert "It is kept for your class, without your name." in shown.status.value
    assert pl.classroom.read_class(tmp_path).guesses == {"09.3": ["yes"]}
