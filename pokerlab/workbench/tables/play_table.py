"""A table to play at in the notebook: buttons to deal, to move and to begin a new match, above a picture."""

import threading
import time
from abc import ABC, abstractmethod
from collections.abc import Callable, Mapping
from functools import partial
from html import escape
from typing import Any

import ipywidgets
from traitlets import observe

from pokerlab.core import PokerlabError, validate_integer
from pokerlab.workbench.drawings.svg import SvgDrawing, speak_cards
from pokerlab.workbench.live.screen import OnScreen, PressButton, Screen, make_alert, make_button

READING_SECONDS = 0.4
"""The time after a change of a button's label in which presses are ignored. They were meant for the old label."""


class MoveButton(PressButton):
    """A button for a move, whose label changes with the possible moves.

    Presses that come too soon after a change are ignored, so a double press on *Check* does not press *Fold*.
    """

    label_changed_at = -READING_SECONDS  # seconds of the monotonic clock

    @observe("description")
    def note_label_change(self, change: Any) -> None:
        """Store the time at which the label changed."""
        self.label_changed_at = time.monotonic()

    def click(self) -> None:
        """Call the action of the button, unless it is disabled or its label has changed a moment ago."""
        if time.monotonic() - self.label_changed_at >= READING_SECONDS:
            super().click()


class PlayTable(OnScreen, ABC):
    """Hands of a match, with buttons to deal, to move and to begin a new match.

    Parameters
    ----------
    seed : int
        Decides the cards and the random choices of the opponents.
    move_labels : mapping of str to str
        The moves, and the labels of their buttons before the first hand.
    *first_controls : widgets
        Further controls, which are shown before the buttons.
    """

    match: Any  # all hands so far; those of the demonstration until the reader deals a first hand
    previous_match: Any = (
        None  # the reader's match before this one, if one of its hands was finished
    )

    def __init__(self, seed: int, move_labels: Mapping[str, str], *first_controls: Any) -> None:
        self.seed = validate_integer("seed", seed, 0)
        self.num_own_matches = 0
        self.is_demonstration = True
        self.screen = Screen("svg+xml")
        self.action_lock = threading.RLock()
        self.deal_button = make_button(
            "Deal", lambda: self.run_action(partial(self.handle_press, "deal"))
        )
        self.move_buttons = {
            move: self.make_move_button(move, label) for move, label in move_labels.items()
        }
        self.new_button = make_button("New match", lambda: self.run_action(self.begin_match))
        buttons = [self.deal_button, *self.move_buttons.values(), self.new_button]
        layout = {"flex_flow": "row wrap"}
        self.controls = ipywidgets.HBox([*first_controls, *buttons], layout=layout)

    @abstractmethod
    def make_match(self) -> Any:
        """Return a match with cards of its own. Its first hand may already be dealt."""

    @abstractmethod
    def list_move_labels(self) -> dict[str, str]:
        """Return the labels of the buttons, by the moves that are possible now."""

    @abstractmethod
    def write_headline(self) -> str:
        """Return a line on what the reader can do next, or how the last hand ended."""

    @abstractmethod
    def draw_picture(self) -> SvgDrawing:
        """Return the picture of the table."""

    def make_move_button(self, move: str, label: str) -> MoveButton:
        """Return the button of a move."""
        button = MoveButton(description=label)
        button.on_click(lambda _: self.run_action(partial(self.handle_press, move)))
        return button

    def run_action(self, action: Callable[[], None]) -> None:
        """Call `action`, or show its error below the table, such as the error of a player.

        Raises
        ------
        KeyboardInterrupt
            If the kernel is interrupted while the action runs. It is shown, too.
        """
        with self.action_lock:  # JupyterLab handles the messages of widgets in two threads
            try:
                action()
            except Exception as error:
                is_explained = isinstance(error, PokerlabError)
                self.show_refusal(
                    str(error) if is_explained else f"{type(error).__name__}: {error}"
                )
            except KeyboardInterrupt:
                self.show_refusal("the kernel was interrupted.")
                raise

    def show_refusal(self, reason: str) -> None:
        """Show below the table why nothing was played."""
        words = f"Nothing was played: {reason}"
        caption = f'<p style="line-height: 1.45;">{escape(self.picture.caption)}</p>'
        self.screen.write_words(f"<p>{make_alert(words)}</p>{caption}")
        self.screen.write_news(words, speak_cards(self.picture.text))

    def begin_match(self) -> None:
        """Begin a new match. If its first hand raises an error, the present match stays."""
        self.num_own_matches += 1
        match = self.make_match()
        if not self.is_demonstration and self.match.finished:
            self.previous_match = self.match
        self.is_demonstration, self.match = False, match
        self.refresh_table()

    @property
    def reported_match(self) -> Any:
        """The match to report: the present one, or the previous one until a hand of the present one is over."""
        has_result = self.match.finished or self.previous_match is None
        return self.match if has_result else self.previous_match

    def handle_press(self, action: str) -> None:
        """Deal a hand or make a move for the reader, or do nothing if that is not possible now.

        Parameters
        ----------
        action : str
            'deal', or the move of the button that was pressed.
        """
        if action == "deal" and not self.match.is_waiting:
            self.deal()
        elif action != "deal" and self.match.is_waiting and not self.move_buttons[action].disabled:
            self.act(action)

    def deal(self) -> None:
        """Deal a hand. The first call ends the demonstration and begins the reader's own match."""
        if self.is_demonstration:
            self.begin_match()
            if self.match.hands:
                return
        self.match = self.match.deal()
        self.refresh_table()

    def act(self, move: str) -> None:
        """Make a move for the reader, one of the keys of `move_buttons`."""
        self.match = self.match.act(move)
        self.refresh_table()

    def refresh_table(self) -> None:
        """Enable the buttons that can be pressed now, label them, and draw the table."""
        is_waiting = self.match.is_waiting
        labels = self.list_move_labels() if is_waiting else {}
        for move, button in self.move_buttons.items():
            enable_button(button, is_waiting and move in labels)
            button.description = labels.get(move, button.description)
        enable_button(self.deal_button, not is_waiting)
        self.picture = self.draw_picture()
        self.screen.show_drawing(self.picture)
        self.screen.write_news(speak_cards(self.picture.news), speak_cards(self.picture.text))


def enable_button(button: Any, is_enabled: bool) -> None:
    """Enable a button and highlight it, or disable it and remove the highlight."""
    button.disabled = not is_enabled
    button.button_style = "primary" * is_enabled
