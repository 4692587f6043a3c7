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

TOO_SOON = 0.4
"""Seconds after a button got other words within which a press was meant for the words before."""


class MoveButton(PressButton):
    """A button for a move, whose words change: a double press on *Check* must not press *Fold*."""

    renamed_at = -TOO_SOON

    @observe("description")
    def note_time(self, change: Any) -> None:
        """Note when the words have changed."""
        self.renamed_at = time.monotonic()

    def _handle_button_msg(self, widget: Any, content: dict[str, Any], buffers: Any) -> None:
        """Answer a press on a page, unless it comes too soon after the words have changed."""
        if time.monotonic() - self.renamed_at >= TOO_SOON:
            super()._handle_button_msg(widget, content, buffers)


class PlayTable(OnScreen, ABC):
    """Hands of a match, with buttons to deal, to make `moves` and to begin a new match."""

    match: Any  # all that has been played; the demonstration until the reader deals a first hand
    before: Any = None  # the reader's match before this one, if there is one

    def __init__(self, seed: int, moves: Mapping[str, str], *choices: Any) -> None:
        self.seed, self.matches, self.is_demonstration = validate_integer("seed", seed, 0), 0, True
        self.screen = Screen("svg+xml")
        self.action_lock = threading.RLock()
        self.deal_button = make_button("Deal", lambda: self.answer(partial(self.on_press, "deal")))
        self.moves = {move: self.make_move_button(move, words) for move, words in moves.items()}
        self.new_button = make_button("New match", lambda: self.answer(self.begin))
        buttons = [self.deal_button, *self.moves.values(), self.new_button]
        layout = {"flex_flow": "row wrap"}
        self.controls = ipywidgets.HBox([*choices, *buttons], layout=layout)

    @abstractmethod
    def make_match(self) -> Any:
        """Return a match with cards of its own; its first hand may be dealt."""

    @abstractmethod
    def move_labels(self) -> dict[str, str]:
        """Return what the buttons of possible moves say."""

    @abstractmethod
    def write_headline(self) -> str:
        """Return what is to be done next."""

    @abstractmethod
    def draw(self) -> SvgDrawing:
        """Return the picture of the table."""

    def make_move_button(self, move: str, words: str) -> MoveButton:
        """Return the button of a move."""
        made = MoveButton(description=words)
        made.on_click(lambda _: self.answer(partial(self.on_press, move)))
        return made

    def answer(self, action: Callable[[], None]) -> None:
        """Do what a reader has asked for; say what goes wrong, such as an error of a player, and play nothing."""
        with self.action_lock:  # JupyterLab answers widgets in two threads
            try:
                action()
            except Exception as error:
                known = isinstance(error, PokerlabError)
                self.refuse(str(error) if known else f"{type(error).__name__}: {error}")
            except KeyboardInterrupt:
                self.refuse("the kernel was interrupted.")
                raise

    def refuse(self, words: str) -> None:
        """Say below the table why nothing was played."""
        words = f"Nothing was played: {words}"
        caption = f'<p style="line-height: 1.45;">{escape(self.picture.caption)}</p>'
        self.screen.write_words(f"<p>{make_alert(words)}</p>{caption}")
        self.screen.write_news(words, speak_cards(self.picture.text))

    def begin(self) -> None:
        """Begin a new match; nothing changes where that fails."""
        self.matches += 1
        match = self.make_match()
        if not self.is_demonstration and self.match.finished:
            self.before = self.match
        self.is_demonstration, self.match = False, match
        self.refresh()

    @property
    def reported(self) -> Any:
        """The match to report: the one before until a hand of a new one is over."""
        return self.match if self.match.finished or self.before is None else self.before

    def on_press(self, action: str) -> None:
        """Do what a button says; a second click that comes too late changes nothing."""
        if action == "deal" and not self.match.is_waiting:
            self.deal()
        elif action != "deal" and self.match.is_waiting and not self.moves[action].disabled:
            self.act(action)

    def deal(self) -> None:
        """Deal a hand; the first one ends the demonstration."""
        if self.is_demonstration:
            self.begin()
            if self.match.hands:
                return
        self.match = self.match.deal()
        self.refresh()

    def act(self, move: str) -> None:
        """Do one of `moves` for the reader."""
        self.match = self.match.act(move)
        self.refresh()

    def refresh(self) -> None:
        """Enable what can be pressed and draw the table."""
        waiting = self.match.is_waiting
        labels = self.move_labels() if waiting else {}
        for move, pressed in self.moves.items():
            show_ready(pressed, waiting and move in labels)
            pressed.description = labels.get(move, pressed.description)
        show_ready(self.deal_button, not waiting)
        self.picture = self.draw()
        self.screen.show_drawing(self.picture)
        self.screen.write_news(speak_cards(self.picture.news), speak_cards(self.picture.text))


def show_ready(pressed: Any, is_ready: bool) -> None:
    """Let a button be pressed, and stand out, or not."""
    pressed.disabled = not is_ready
    pressed.button_style = "primary" * is_ready
