"""A table of hold'em in the notebook: buttons, a picture with a column beside the seats, and the players' decisions.

`HoldemTable` plays any `HoldemMatch`. A `Variant` has what differs between a limit match and a no-limit tournament:
how it begins, by how much one can raise, what is drawn beside the seats, and the words for how a hand ends.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import ipywidgets
from IPython.display import Markdown

from pokerlab.core import SettingError, validate_integer
from pokerlab.core.old_names import explain_renamed_attributes
from pokerlab.holdem.hand import CALL, FOLD, Hand
from pokerlab.holdem.tournament_game import MOST_ROUNDS
from pokerlab.workbench.drawings.svg import SvgDrawing, shift_elements
from pokerlab.workbench.drawings.table_drawing import draw_table, list_story_rows, summarize_news
from pokerlab.workbench.tables.match import READER, HoldemMatch
from pokerlab.workbench.tables.play_table import PlayTable, enable_button
from pokerlab.workbench.text import count_in_words, join_choices

AMOUNT, ALL_IN = "amount", "all-in"
"""The buttons that raise to the amount on the slider, and to all chips of the reader."""


@dataclass(frozen=True)
class SidePart:
    """A part of the picture beside the seats or below them, which is shown by itself in a narrow place."""

    left: float  # its place and size in the whole picture, in pixels
    top: float
    width: float
    height: float
    body: str  # SVG elements

    def make_drawing(self) -> SvgDrawing:
        """Return the part as a drawing of its own, whose upper left corner is the corner of the part."""
        body = shift_elements(self.body, -self.left, -self.top)
        return SvgDrawing(self.width, self.height, body, "")


@dataclass(frozen=True)
class SideColumn:
    """What is drawn beside the seats and below them."""

    width: float  # of the whole picture, in pixels
    height: float  # of the whole picture, in pixels
    parts: Sequence[SidePart]
    text_above: Sequence[str]  # lines between the headline and the seats, in the picture as text
    text_below: Sequence[str]  # lines after the seats, in the picture as text
    caption: str  # is appended to the caption of the table


@dataclass(frozen=True, kw_only=True)
class Variant:
    """What differs between the matches that can be played at the table. All functions take a match, unless noted."""

    name: str  # of the kind of match, such as "tournament"
    begin_match: Callable[[int], Any]  # returns the match of a seed before its first hand
    choose_action: Callable[[Hand], Any]  # acts for the reader in the demonstration, given a hand
    num_demonstration_hands: int  # hands that are played for the reader
    demonstration_style: str  # how they are played, such as "folding all the way"
    raise_labels: Mapping[
        str, str
    ]  # the buttons that raise, and their labels before the first hand
    # the chips to which each button raises, given a hand and the amount on the slider
    find_raises: Callable[[Hand, int], dict[str, int]]
    draw_column: Callable[[Any], SideColumn]
    describe_outcome: Callable[[Any], str]  # of the last finished hand
    # the beginning of the headline at the reader's turn, given the match and the previous match
    describe_previous: Callable[[Any, Any], str]
    summarize_match: Callable[[Any], str]  # the result so far in a few words
    write_report: Callable[[Any], str]  # the result so far in Markdown
    # the decisions of a finished hand as HTML and Markdown, given the match and the index of the hand
    explain_hand: Callable[[Any, int], tuple[str, str]] | None = None


def draw_match(match: HoldemMatch, headline: str, column: SideColumn) -> SvgDrawing:
    """Return the picture of a match with at least one hand: its last hand, with a headline and a column beside it."""
    hand = match.hands[-1]
    names = match.seat_names
    shown = range(hand.num_seats) if hand.is_over else [READER]
    table = draw_table(hand, shown, names=names, title=headline)
    text = "\n".join([headline, *column.text_above, table.text, *column.text_below])
    news = summarize_news(headline, table.text, list_story_rows(hand, names))
    body = table.body + "".join(part.body for part in column.parts)
    caption = table.caption + column.caption
    pieces = (*table.pieces, *(part.make_drawing() for part in column.parts))
    return SvgDrawing(column.width, column.height, body, text, caption, news, pieces)


@explain_renamed_attributes
class HoldemTable(PlayTable):
    """Hands of hold'em with buttons. `play_holdem` and `play_tournament` make such tables."""

    match: Any
    # Only if the reader chooses the size of raises: a slider of amounts, a box to deal the next hand after a fold,
    # and a menu of the finished hands.
    amount_slider: Any
    deal_after_fold_box: Any
    hand_menu: Any

    def __init__(self, variant: Variant, seed: int) -> None:
        self.variant = variant
        super().__init__(seed, {"fold": "Fold", "call": "Check", **variant.raise_labels})
        if self.has_raise_sizes:
            self.add_size_controls()
        self.match = variant.begin_match(seed).play(
            variant.choose_action, variant.num_demonstration_hands
        )
        self.refresh_table()

    @property
    def has_raise_sizes(self) -> bool:
        """Whether the reader chooses by how much to raise."""
        return AMOUNT in self.variant.raise_labels

    def add_size_controls(self) -> None:
        """Add a slider of amounts, a box to deal the next hand after a fold, and a menu of finished hands."""
        self.amount_slider = ipywidgets.IntSlider(
            description="Amount", continuous_update=False, readout_format=",d",
            layout={"width": "360px", "max_width": "100%"},
        )  # fmt: skip
        self.amount_slider.observe(lambda _: self.label_amount_button(), "value")
        words = "Deal the next hand when I fold"
        self.deal_after_fold_box = ipywidgets.Checkbox(value=True, indent=False, description=words)
        self.hand_menu = ipywidgets.Dropdown(
            description="Show decisions of", style={"description_width": "initial"},
            layout={"width": "260px"},
        )  # fmt: skip
        self.hand_menu.observe(lambda _: self.run_action(self.show_thoughts), "value")
        self.new_button.description = f"New {self.variant.name}"
        self.new_button.layout.width = "140px"
        other_buttons = [button for move, button in self.move_buttons.items() if move != AMOUNT]
        for button in (self.deal_button, *self.move_buttons.values()):
            button.layout.width = "116px"
        first_row = [self.deal_button, *other_buttons, self.new_button]
        second_row = [
            self.amount_slider,
            self.move_buttons[AMOUNT],
            self.deal_after_fold_box,
            self.hand_menu,
        ]
        self.controls.layout.flex_flow, self.controls.layout.align_items = "column", "stretch"
        self.controls.children = [
            ipywidgets.HBox(row, layout={"flex_flow": "row wrap"})
            for row in (first_row, second_row)
        ]

    def make_match(self) -> Any:
        """Return a match with its first hand. Each match has a seed of its own, the next whole number."""
        return self.variant.begin_match(self.seed + self.num_own_matches).deal()

    def list_actions(self) -> dict[str, int]:
        """Return the possible actions of the reader by the names of the buttons: FOLD, CALL, or the chips to raise to.

        No two raises have the same amount. The result is empty while no hand is under way.
        """
        if not self.match.is_waiting:
            return {}
        hand = self.match.hands[-1]
        fold = {"fold": FOLD} if hand.legal_actions.can_fold else {}
        wanted_amount = self.amount_slider.value if self.has_raise_sizes else 0
        return fold | {"call": CALL} | self.variant.find_raises(hand, wanted_amount)

    def list_move_labels(self) -> dict[str, str]:
        """Return the labels of the buttons of possible actions, such as 'Call 20', by the names of the buttons."""
        if not self.match.is_waiting:
            return {}
        hand = self.match.hands[-1]
        to_call = hand.legal_actions.to_call
        verb = "Raise to" if hand.bet else "Bet"
        labels = {move: f"{verb} {amount:,}" for move, amount in self.list_actions().items()}
        other_labels = {
            "fold": "Fold",
            "call": f"Call {to_call:,}" if to_call else "Check",
            ALL_IN: f"All-in {hand.legal_actions.max_raise_to or 0:,}",
        }
        return labels | {move: words for move, words in other_labels.items() if move in labels}

    def act(self, move: str | int) -> None:
        """Make a move for the reader, and let the others act until it is the reader's turn or the hand ends.

        After a fold further hands are dealt if the box for this is ticked.

        Parameters
        ----------
        move : str or int
            The name of a button, FOLD, CALL, or the chips to raise to.

        Raises
        ------
        SettingError
            If the move is not possible now.
        """
        actions = self.list_actions()
        if isinstance(move, str) and move not in actions:
            possible = ", ".join(actions) or "none: no hand is under way"
            raise SettingError(f"move is '{move}'; what can be done: {possible}.")
        action = actions[move] if isinstance(move, str) else move
        match = self.match.act(action)
        if action == FOLD and self.has_raise_sizes and self.deal_after_fold_box.value:
            while not (match.is_waiting or match.is_reader_out or match.is_over):
                match = match.deal()
        self.match = match
        self.refresh_table()

    def deal(self) -> None:
        """Deal a hand. If the reader has no chips left, play the rest of the tournament to its end."""
        if not self.is_demonstration and self.match.is_reader_out and not self.match.is_over:
            self.match = self.match.play(self.variant.choose_action, MOST_ROUNDS)
            self.refresh_table()
            return
        super().deal()

    def write_headline(self) -> str:
        """Return a line on what the reader can do next, or how the last hand ended."""
        match = self.match
        number = len(self.match.hands)
        if self.is_demonstration:
            played = count_in_words(number, "hand")
            return f"{played} played for you, {self.variant.demonstration_style}. Press Deal to play your own"
        if match.is_waiting:
            labels = self.list_move_labels()
            raises = [move for move in self.variant.raise_labels if move in labels]
            words = [labels[move] for move in ("fold", "call") if move in labels]
            if raises and self.has_raise_sizes:
                words.append("raise" if match.hands[-1].bet else "bet")
            words += [] if self.has_raise_sizes else [labels[move] for move in raises]
            previous = self.variant.describe_previous(match, self.previous_match)
            return f"{previous}Hand {number}, your turn: {join_choices(words).lower()}?"
        return f"Hand {number}: {self.variant.describe_outcome(match)}"

    def draw_picture(self) -> SvgDrawing:
        """Return the picture of the table, and label the button that deals."""
        after = "Play it out" if self.match.is_reader_out else "Next hand"
        self.deal_button.description = "Deal" if self.is_demonstration else after
        return draw_match(self.match, self.write_headline(), self.variant.draw_column(self.match))

    def refresh_table(self) -> None:
        """Enable the buttons that can be pressed now, draw the table, and explain the last finished hand below it."""
        super().refresh_table()
        if self.match.is_over and not self.is_demonstration:
            enable_button(self.deal_button, False)
        if not self.has_raise_sizes:
            return
        legal = self.match.hands[-1].legal_actions if self.match.is_waiting else None
        low, high = (legal.min_raise_to, legal.max_raise_to) if legal else (None, None)
        self.amount_slider.disabled = low is None
        if low is not None:
            self.amount_slider.min, self.amount_slider.max = (
                0,
                high,
            )  # in an order that never crosses
            self.amount_slider.min, self.amount_slider.value = low, low
        self.label_amount_button()
        hands = [(f"hand {k + 1}", k) for k in range(len(self.match.finished))]
        self.hand_menu.options = hands[::-1]
        self.hand_menu.value = hands[-1][1] if hands else None
        self.hand_menu.layout.display = None if hands else "none"
        self.show_thoughts()

    def label_amount_button(self) -> None:
        """Write the amount on the slider on the button that raises by it."""
        self.move_buttons[AMOUNT].description = self.list_move_labels().get(AMOUNT, "Raise to")

    def show_thoughts(self) -> None:
        """Show below the table the decisions of the finished hand that is chosen in the menu."""
        hand_index: int | None = self.hand_menu.value
        if hand_index is None or hand_index >= len(self.match.finished):
            return
        html, markdown = self.explain_hand(hand_index)
        caption = f'<p style="line-height: 1.45;">{escape(self.picture.caption)}</p>'
        self.screen.write_words(f"{caption}{html}")
        # The picture that stays in the notebook has the caption already.
        self.screen.replace_output(
            "words", lambda: ({"text/html": html, "text/plain": markdown}, {})
        )

    def explain_hand(self, hand_index: int) -> tuple[str, str]:
        """Return the decisions of a finished hand as HTML and Markdown.

        Parameters
        ----------
        hand_index : int
            The index of the hand in the match, from 0.

        Raises
        ------
        SettingError
            If it is a limit match, whose picture already has the decisions.
        """
        if self.variant.explain_hand is None:
            raise SettingError("the picture of a limit hand already shows what the agent thought.")
        return self.variant.explain_hand(self.match, hand_index)

    def list_thoughts(self, hand: int) -> Markdown:
        """Return a table of all decisions of a finished hand: what each seat saw, its probabilities, and what it did.

        Parameters
        ----------
        hand : int
            The number of the hand in the match, from 1.

        Raises
        ------
        SettingError
            If there is no such hand, or if it is a limit match, whose picture already has the decisions.
        """
        validate_integer("hand", hand, 1, max(len(self.match.finished), 1))
        return Markdown(self.explain_hand(hand - 1)[1])  # type: ignore[no-untyped-call]

    def report(self) -> Markdown:
        """Return the result so far, or of the previous match until a hand of the present one is over."""
        return Markdown(self.variant.write_report(self.reported_match))  # type: ignore[no-untyped-call]

    def __repr__(self) -> str:
        return (
            f"<{self.variant.name.capitalize()} table: {self.variant.summarize_match(self.match)}>"
        )
