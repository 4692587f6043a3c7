"""Controls for the predictions of lessons: buttons, sliders and number boxes, each with words for the saved notebook.

The first guess that is made with a control counts, and the control is then disabled. So a student who has seen the
answer cannot go back and improve the guess. `pokerlab.classroom` stores the guesses and does not use widgets.
"""

from collections.abc import Callable, Sequence
from dataclasses import dataclass
from functools import partial
from html import escape
from typing import Any, Self
from weakref import WeakSet

import ipywidgets as widgets
from IPython.core.getipython import get_ipython
from IPython.display import display

from pokerlab import classroom
from pokerlab.classroom import guesses
from pokerlab.classroom.answers import is_known
from pokerlab.classroom.checks import Note, find_current_name
from pokerlab.classroom.guesses import PREDICTIONS, Prediction, format_guess, record_first_guess
from pokerlab.workbench.live.screen import (
    LOST_WIDGET_SELECTOR,
    NEWS_CLASS,
    OUTPUT,
    WORDS_CLASS,
    OnScreen,
    close_widget,
    ignore_dollars,
    leave_place,
    make_alert,
    make_button,
    make_live_box,
    take_place,
)

WRAPPING = {"display": "flex", "flex_flow": "row wrap", "align_items": "center"}
AUTO_WIDTH = {"width": "auto", "margin": "2px 8px 2px 0"}
LABEL_STYLE = {"description_width": "initial"}
SLIDER_STEPS = 100  # from the lowest value of a slider to its highest
GUESS_LABEL = "Your guess"
SAVED_CLASS = "pokerlab-prediction"
LOST_OUTPUT = f"{OUTPUT}:has(> {LOST_WIDGET_SELECTOR})"
SAVED_STYLE = f"<style>{LOST_OUTPUT}:has(+ {OUTPUT} .{SAVED_CLASS}) {{ display: none; }}</style>"
"""Hides the output of a widget that no longer exists, if the saved words follow it."""
BEFORE_ANSWER = "Your first guess counts. The answer is shown later."
AFTER_ANSWER = "The answer has been shown, and only a guess before it counts."


class GuessControls:
    """The question of a prediction, the controls to guess with, and words about the guess.

    Attributes
    ----------
    prediction : str
        The name of the prediction: the lesson and a number, such as '05.1'.
    announce : callable
        The function that is called with the words about each guess.
    box : VBox
        The widget with all the others in it.
    inputs : list of widgets
        The buttons, the slider or the number box, in the order of the Tab key.
    status : HTML
        The words below: the guess that was stored, or why a guess was not stored.
    """

    def __init__(self, prediction: str, announce: Callable[[str], None]) -> None:
        self.prediction, self.announce = prediction, announce
        definition = PREDICTIONS[prediction]
        make_inputs = {
            "choice": self.make_buttons,
            "share": self.make_slider,
            "number": self.make_number_box,
        }[definition.kind]
        self.inputs: list[Any] = make_inputs(definition)
        self.status = widgets.HTML()
        question = widgets.HTML(f"<b>{escape(definition.question)}</b>")
        limits = []
        if definition.kind != "choice":
            limits.append(widgets.HTML(f"{definition.choices}&emsp;"))
        row = widgets.Box([*self.inputs[:-1], *limits, self.inputs[-1]], layout=WRAPPING)
        self.box = widgets.VBox([question, row, self.status])
        OPEN_CONTROLS.add(self)
        self.show_final_guess()

    def make_buttons(self, definition: Prediction) -> list[Any]:
        """Return a button for each allowed phrase, which makes the guess."""
        button_options = {"tooltip": definition.question, "layout": AUTO_WIDTH}
        return [
            make_button(phrase, partial(self.record_guess, phrase), **button_options)
            for phrase in definition.allowed
        ]

    def make_slider(self, definition: Prediction) -> list[Any]:
        """Return a slider, and the button that makes its value the guess."""
        low, high = map(float, definition.allowed)
        slider = widgets.FloatSlider(
            (low + high) / 2,
            min=low,
            max=high,
            step=(high - low) / SLIDER_STEPS,
            description=GUESS_LABEL,
            tooltip=definition.question,
            continuous_update=False,
            style=LABEL_STYLE,
        )
        return [slider, self.make_guess_button(lambda: round(slider.value, 12))]

    def make_number_box(self, definition: Prediction) -> list[Any]:
        """Return a box for a number, and a button. The Enter key and the button make the number the guess."""
        low, high = definition.allowed
        box = widgets.Text(
            description=f"{GUESS_LABEL} ({definition.unit})",
            placeholder=f"{low} to {high}",
            tooltip=definition.question,
            style=LABEL_STYLE,
            layout={"width": "auto"},
        )

        def handle_enter(_: Any, message: dict[str, Any], __: Any) -> None:
            if message.get("event") == "submit":
                self.record_guess(box.value)

        box.on_msg(handle_enter)
        return [box, self.make_guess_button(lambda: box.value)]

    def make_guess_button(self, read_value: Callable[[], Any]) -> Any:
        """Return the button that makes the value of another control the guess.

        Parameters
        ----------
        read_value : callable
            A function without arguments that returns this value.
        """
        button_options = {"tooltip": "Make this your guess", "layout": AUTO_WIDTH}
        return make_button("Guess", lambda: self.record_guess(read_value()), **button_options)

    def record_guess(self, guess: Any) -> None:
        """Store a guess if it is allowed and the first one, and show whether it was stored.

        All controls of the same prediction show a stored guess and are disabled.
        """
        if self.is_final():  # by another control of this prediction, or by code
            self.show_final_guess()
            return
        note = record_first_guess(self.prediction, guess)
        words = note.text.removeprefix(PREDICTIONS[self.prediction].question).strip()
        if self.is_final():
            if PREDICTIONS[self.prediction].kind == "number":
                self.inputs[-1].focus()  # the box loses it where it is disabled
            for each in list(OPEN_CONTROLS):
                if each.prediction == self.prediction:
                    each.show_final_guess(words)
        else:
            self.status.value = make_alert(words)
            self.announce(words)

    def is_final(self) -> bool:
        """Return whether no further guess counts: one is stored, or the answer has been shown."""
        return self.prediction in guesses.GUESSES or self.prediction in guesses.ANSWERED

    def show_final_guess(self, words: str = "") -> None:
        """Disable the controls and show the stored guess, if no further guess counts; otherwise do nothing.

        Parameters
        ----------
        words : str
            The words about a guess that was stored just now. By default they quote the stored guess.
        """
        if not self.is_final():
            return
        guess = guesses.GUESSES.get(self.prediction)
        kind = PREDICTIONS[self.prediction].kind
        for each in self.inputs:
            each.disabled = True
            if kind == "choice":
                each.icon = "check" if each.description == guess else ""
        if kind == "share" and guess is not None:
            self.inputs[0].value = guess
        elif kind == "number" and guess is not None:
            self.inputs[0].value = format_guess(guess)
        if guess is None:
            words = AFTER_ANSWER
        else:
            note = AFTER_ANSWER if self.prediction in guesses.ANSWERED else BEFORE_ANSWER
            words = f"{words or f'Your guess: {format_guess(guess)}.'} {note}"
        self.status.value = escape(words)
        self.announce(words)


OPEN_CONTROLS: WeakSet[GuessControls] = WeakSet()
"""All controls that exist. Those of the same prediction show the same guess."""


class GuessInput(OnScreen):
    """The controls of predictions in the output of a cell, and below them words for the saved notebook."""

    def __init__(self, predictions: Sequence[str]) -> None:
        self.news_widget = widgets.HTML()
        self.news_widget.add_class(NEWS_CLASS)
        self.display_handle: Any = None
        self.guess_controls: list[GuessControls] = []
        self.controls_box = widgets.VBox()
        self.box = make_live_box([*self.make_top_widgets(), self.controls_box, self.news_widget])
        self.box.add_class(WORDS_CLASS)
        self.replace_questions(predictions)

    def make_top_widgets(self) -> list[Any]:
        """Return the widgets above the questions."""
        return []

    def replace_questions(self, predictions: Sequence[str]) -> None:
        """Replace the questions and their controls by those of other predictions."""
        old_boxes = self.controls_box.children
        self.guess_controls = [GuessControls(each, self.announce) for each in predictions]
        self.controls_box.children = [each.box for each in self.guess_controls]
        for box in old_boxes:
            close_widget(box)
        self.update_saved_output()

    def announce(self, words: str) -> None:
        """Let a screen reader read out words about a guess, and update the words in the saved notebook."""
        self.news_widget.value = escape(words)
        self.update_saved_output()

    def make_saved_output(self) -> tuple[dict[str, str], dict[str, Any]]:
        """Return the output for the saved notebook: the note of `classroom.predict` about each question.

        Returns
        -------
        dict of str to str
            The output by MIME type.
        dict
            Its metadata.
        """
        notes = [classroom.predict(each.prediction, ...) for each in self.guess_controls]
        html = "".join(note._repr_html_() for note in notes)
        plain = "\n".join(map(repr, notes))
        return ignore_dollars(
            (
                {
                    "text/html": f'{SAVED_STYLE}<div class="{SAVED_CLASS}">{html}</div>',
                    "text/plain": plain,
                },
                {},
            )
        )

    def open(self) -> Self:
        """Display the controls in place of the cell's earlier ones, and return this object.

        Nothing is displayed outside a notebook.
        """
        take_place(self, None)
        if not is_in_notebook():
            return self
        data, metadata = self.make_saved_output()
        live_output = {**self.box._repr_mimebundle_(), "text/plain": ""}
        display(live_output, raw=True)  # type: ignore[no-untyped-call]
        self.display_handle = display(data, metadata=metadata, raw=True, display_id=True)  # type: ignore[no-untyped-call]
        return self

    def update_saved_output(self) -> None:
        """Replace the words in the saved notebook, if the controls are displayed."""
        if self.display_handle is not None:
            data, metadata = self.make_saved_output()
            self.display_handle.update(data, metadata=metadata, raw=True)

    def close(self) -> None:
        """Remove the controls. The words for the saved notebook stay."""
        for each in self.guess_controls:
            OPEN_CONTROLS.discard(each)
        close_widget(self.box)
        leave_place(self)


class LessonGuesses(GuessInput):
    """The controls of all predictions of a lesson, with a menu of the lessons above them."""

    def __init__(self) -> None:
        self.lessons = sorted({name.partition(".")[0] for name in PREDICTIONS})
        super().__init__(self.find_predictions(self.lessons[0]))

    def make_top_widgets(self) -> list[Any]:
        """Return the menu of the lessons."""
        options = [(f"Lesson {lesson}", lesson) for lesson in self.lessons]
        menu = widgets.Dropdown(options=options, description="Predictions of", style=LABEL_STYLE)
        menu.observe(
            lambda change: self.replace_questions(self.find_predictions(change["new"])), "value"
        )
        return [menu]

    def find_predictions(self, lesson: str) -> list[str]:
        """Return the names of a lesson's predictions, such as ['05.1', '05.2']."""
        return [name for name in PREDICTIONS if name.partition(".")[0] == lesson]


@dataclass(frozen=True, eq=False, repr=False)
class Question(Note):
    """A note with the question of a prediction, which a notebook displays with controls for the guess.

    Attributes
    ----------
    prediction : str
        The lesson and the number of the prediction.
    """

    prediction: str = ""

    def _ipython_display_(self) -> None:
        if is_in_notebook():
            GuessInput([self.prediction]).open()
        else:
            display({"text/plain": repr(self)}, raw=True)  # type: ignore[no-untyped-call]


def is_in_notebook() -> bool:
    """Return whether the code runs in a kernel of Jupyter."""
    return getattr(get_ipython(), "kernel", None) is not None


def predict(prediction: str, guess: Any) -> Note:
    """Record a student's guess, or display controls for it, and return a note with the question.

    With `...` in place of a guess, a notebook displays buttons for a choice, a slider for a share, and a number box
    for any other number. The first guess that is made with them counts. A guess that is given as an argument is
    recorded as `pokerlab.classroom.predict` does: a new one replaces an earlier one. No guess is recorded after
    `predictions` has shown the truth.

    Parameters
    ----------
    prediction : str
        The lesson and the number of the prediction, such as '05.1'.
    guess : float or str
        A number in the range that the question allows, one of the allowed phrases, or `...`.

    Examples
    --------
    >>> predict("01b.1", ...)
    How many information sets does each player have? Your guess: from 1 to 30?
    """
    note = classroom.predict(prediction, guess)
    prediction = find_current_name("predictions", prediction)
    if guess is ... and is_known(prediction, PREDICTIONS):
        return Question(note.text, prediction=prediction)
    for each in list(OPEN_CONTROLS):
        if each.prediction == prediction:
            each.show_final_guess()
    return note
