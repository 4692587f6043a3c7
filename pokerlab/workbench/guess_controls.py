"""The predictions of lessons as buttons, sliders and number boxes, each with the words that stay in the saved notebook.

The first guess that is made with a control counts, and the control then takes no other. So a student who runs on to
the answer cannot go back and improve the guess. Guesses are stored by `pokerlab.classroom`, which knows no widget.
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
AS_LONG_AS_IT_IS = {"width": "auto", "margin": "2px 8px 2px 0"}
LABEL = {"description_width": "initial"}
STEPS = 100  # of a slider from its lowest to its highest value
LABELED = "Your guess"
KEPT_CLASS = "pokerlab-prediction"
KEPT_SHEET = f"<style>{OUTPUT}:has(> {LOST_WIDGET_SELECTOR}):has(+ {OUTPUT} .{KEPT_CLASS}) {{ display: none; }}</style>"
"""It hides an output whose widget no longer exists."""
BEFORE = "Your first guess counts. The answer is shown later."
TOO_LATE = "The answer has been shown, and only a guess before it counts."


class GuessControls:
    """The question of a prediction, what takes a guess, and words about the guess.

    Attributes
    ----------
    prediction : str
        The lesson and the number of the prediction.
    box : VBox
        The widget that holds everything.
    inputs : list of widgets
        The buttons, the slider or the number box, in the order of the Tab key.
    said : HTML
        The words below: the guess that was stored, or what is wrong with one that was not.
    """

    def __init__(self, prediction: str, answer: Callable[[str], None]) -> None:
        """Make the controls of a prediction; `answer` is called with the words about each guess."""
        self.prediction, self.answer = prediction, answer
        asked = PREDICTIONS[prediction]
        make_inputs = {
            "choice": self.make_buttons,
            "share": self.make_slider,
            "number": self.make_number_box,
        }[asked.kind]
        self.inputs: list[Any] = make_inputs(asked)
        self.said = widgets.HTML()
        question = widgets.HTML(f"<b>{escape(asked.question)}</b>")
        limits = [] if asked.kind == "choice" else [widgets.HTML(f"{asked.choices}&emsp;")]
        row = widgets.Box([*self.inputs[:-1], *limits, self.inputs[-1]], layout=WRAPPING)
        self.box = widgets.VBox([question, row, self.said])
        OPEN.add(self)
        self.settle()

    def make_buttons(self, asked: Prediction) -> list[Any]:
        """Return a button for each phrase, which makes the guess."""
        look = {"tooltip": asked.question, "layout": AS_LONG_AS_IT_IS}
        return [
            make_button(each, partial(self.record_guess, each), **look) for each in asked.allowed
        ]

    def make_slider(self, asked: Prediction) -> list[Any]:
        """Return a slider and the button that makes the guess."""
        low, high = map(float, asked.allowed)
        slider = widgets.FloatSlider(
            (low + high) / 2,
            min=low,
            max=high,
            step=(high - low) / STEPS,
            description=LABELED,
            tooltip=asked.question,
            continuous_update=False,
            style=LABEL,
        )
        return [slider, self.make_press(lambda: round(slider.value, 12))]

    def make_number_box(self, asked: Prediction) -> list[Any]:
        """Return a box for a number, in which Enter makes the guess, and the button that does so, too."""
        low, high = asked.allowed
        box = widgets.Text(
            description=f"{LABELED} ({asked.unit})",
            placeholder=f"{low} to {high}",
            tooltip=asked.question,
            style=LABEL,
            layout={"width": "auto"},
        )

        def enter(_: Any, message: dict[str, Any], __: Any) -> None:
            if message.get("event") == "submit":
                self.record_guess(box.value)

        box.on_msg(enter)
        return [box, self.make_press(lambda: box.value)]

    def make_press(self, read_value: Callable[[], Any]) -> Any:
        """Return the button that makes the guess which another control has."""
        look = {"tooltip": "Make this your guess", "layout": AS_LONG_AS_IT_IS}
        return make_button("Guess", lambda: self.record_guess(read_value()), **look)

    def record_guess(self, guess: Any) -> None:
        """Store a guess if it is allowed and the first, and say what has become of it."""
        if self.is_settled():  # by another control of this prediction, or by code
            self.settle()
            return
        note = record_first_guess(self.prediction, guess)
        words = note.text.removeprefix(PREDICTIONS[self.prediction].question).strip()
        if self.is_settled():
            if PREDICTIONS[self.prediction].kind == "number":
                self.inputs[-1].focus()  # the box loses it where it is disabled
            for each in list(OPEN):
                if each.prediction == self.prediction:
                    each.settle(words)
        else:
            self.said.value = make_alert(words)
            self.answer(words)

    def is_settled(self) -> bool:
        """Return whether there is a guess, or the answer has been shown."""
        return self.prediction in guesses.GUESSES or self.prediction in guesses.ANSWERED

    def settle(self, words: str = "") -> None:
        """Show the stored guess and take no other, if there is one or the answer has been shown.

        `words` say what has been stored, if that is new.
        """
        if not self.is_settled():
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
            words = TOO_LATE
        else:
            rest = TOO_LATE if self.prediction in guesses.ANSWERED else BEFORE
            words = f"{words or f'Your guess: {format_guess(guess)}.'} {rest}"
        self.said.value = escape(words)
        self.answer(words)


OPEN: WeakSet[GuessControls] = WeakSet()
"""All controls that there are: those of one prediction agree."""


class GuessInput(OnScreen):
    """The controls of predictions in a cell, and the words that stay of them in the saved notebook."""

    def __init__(self, predictions: Sequence[str]) -> None:
        self.told = widgets.HTML()
        self.told.add_class(NEWS_CLASS)
        self.handle: Any = None
        self.questions: list[GuessControls] = []
        self.rows = widgets.VBox()
        self.box = make_live_box([*self.make_head(), self.rows, self.told])
        self.box.add_class(WORDS_CLASS)
        self.ask(predictions)

    def make_head(self) -> list[Any]:
        """Return the widgets above the questions."""
        return []

    def ask(self, predictions: Sequence[str]) -> None:
        """Replace the questions by others."""
        before = self.rows.children
        self.questions = [GuessControls(each, self.tell) for each in predictions]
        self.rows.children = [each.box for each in self.questions]
        for each in before:
            close_widget(each)
        self.keep()

    def tell(self, words: str) -> None:
        """Let a screen reader read out words, and let the saved notebook have the guess."""
        self.told.value = escape(words)
        self.keep()

    def describe(self) -> tuple[dict[str, str], dict[str, Any]]:
        """Return the words that stay in the saved notebook: of each question what `classroom.predict` says."""
        notes = [classroom.predict(each.prediction, ...) for each in self.questions]
        html = "".join(note._repr_html_() for note in notes)
        plain = "\n".join(map(repr, notes))
        return ignore_dollars(
            (
                {
                    "text/html": f'{KEPT_SHEET}<div class="{KEPT_CLASS}">{html}</div>',
                    "text/plain": plain,
                },
                {},
            )
        )

    def open(self) -> Self:
        """Display the controls in place of the cell's earlier ones; nothing is displayed outside a notebook."""
        take_place(self, None)
        if not is_in_notebook():
            return self
        data, metadata = self.describe()
        live = {**self.box._repr_mimebundle_(), "text/plain": ""}
        display(live, raw=True)  # type: ignore[no-untyped-call]
        self.handle = display(data, metadata=metadata, raw=True, display_id=True)  # type: ignore[no-untyped-call]
        return self

    def keep(self) -> None:
        """Update the words that the saved notebook has."""
        if self.handle is not None:
            data, metadata = self.describe()
            self.handle.update(data, metadata=metadata, raw=True)

    def close(self) -> None:
        """Take the controls away; the words stay."""
        for each in self.questions:
            OPEN.discard(each)
        close_widget(self.box)
        leave_place(self)


class LessonGuesses(GuessInput):
    """The controls of all predictions of a lesson, with a menu of the lessons above them."""

    def __init__(self) -> None:
        self.lessons = sorted({name.partition(".")[0] for name in PREDICTIONS})
        super().__init__(self.find_predictions(self.lessons[0]))

    def make_head(self) -> list[Any]:
        """Return the menu of the lessons."""
        options = [(f"Lesson {lesson}", lesson) for lesson in self.lessons]
        menu = widgets.Dropdown(options=options, description="Predictions of", style=LABEL)
        menu.observe(lambda change: self.ask(self.find_predictions(change["new"])), "value")
        return [menu]

    def find_predictions(self, lesson: str) -> list[str]:
        """Return the names of a lesson's predictions."""
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
    """Return whether this is a kernel, whose outputs a page shows."""
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
    for each in list(OPEN):
        if each.prediction == prediction:
            each.settle()
    return note
