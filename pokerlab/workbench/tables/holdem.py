"""A table of hold'em in the notebook: buttons, a picture with a column beside the seats, and what the others thought.

`HoldemTable` plays any `HoldemMatch`. A `Variant` says what differs between a limit match and a no-limit tournament:
how it begins, by how much one can raise, what stands beside the seats, and how a hand ends in words.
"""

from collections.abc import Callable, Mapping, Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

import ipywidgets
from IPython.display import Markdown

from pokerlab.core import SettingError, validate_integer
from pokerlab.holdem.hand import CALL, FOLD, Hand
from pokerlab.holdem.tournament_game import MOST_ROUNDS
from pokerlab.workbench.drawings.svg import SvgDrawing, shift_elements
from pokerlab.workbench.drawings.table_drawing import draw_table, list_story_rows, summarize_news
from pokerlab.workbench.tables.match import READER, HoldemMatch
from pokerlab.workbench.tables.play_table import PlayTable, show_ready
from pokerlab.workbench.text import count_in_words, join_choices

AMOUNT, ALL_IN = "amount", "all-in"
"""Buttons that raise to what the slider says, and as far as one can."""


@dataclass(frozen=True)
class SidePart:
    """A part of the picture beside the seats or below them, which stands by itself in a narrow place."""

    left: float
    top: float
    width: float
    height: float
    body: str  # SVG elements

    def cut_out(self) -> SvgDrawing:
        """Return the part by itself."""
        body = shift_elements(self.body, -self.left, -self.top)
        return SvgDrawing(self.width, self.height, body, "")


@dataclass(frozen=True)
class SideColumn:
    """What stands beside the seats."""

    width: float  # of the whole picture
    height: float
    parts: Sequence[SidePart]
    above: Sequence[str]  # lines of text between the headline and the seats
    below: Sequence[str]
    caption: str  # what follows the table's caption


@dataclass(frozen=True, kw_only=True)
class Variant:
    """What differs between the matches that can be played at the table."""

    name: str
    begin: Callable[[int], Any]  # from a seed to a match before its first hand
    choose: Callable[[Hand], Any]  # acts for the reader in the demonstration
    demonstration: int  # hands played for the reader
    how: str  # they are played, in words
    raises: Mapping[str, str]  # buttons that raise, and what they say before there is a hand
    find_raises: Callable[
        [Hand, int], dict[str, int]
    ]  # to how many chips they raise, with the slider's amount
    draw_column: Callable[[Any], SideColumn]
    say_outcome: Callable[[Any], str]  # of the last finished hand
    say_before: Callable[
        [Any, Any], str
    ]  # what a turn's headline begins with: by the match and the one before
    brief: Callable[[Any], str]
    report: Callable[[Any], str]  # in Markdown
    explain: Callable[[Any, int], tuple[str, str]] | None = (
        None  # a hand's thoughts, as HTML and Markdown
    )


def draw_match(match: HoldemMatch, headline: str, column: SideColumn) -> SvgDrawing:
    """Return the picture of a match that has begun, the present hand in front."""
    hand = match.hands[-1]
    names = match.names
    shown = range(hand.num_seats) if hand.is_over else [READER]
    table = draw_table(hand, shown, names=names, title=headline)
    text = "\n".join([headline, *column.above, table.text, *column.below])
    news = summarize_news(headline, table.text, list_story_rows(hand, names))
    body = table.body + "".join(part.body for part in column.parts)
    caption = table.caption + column.caption
    pieces = (*table.pieces, *(part.cut_out() for part in column.parts))
    return SvgDrawing(column.width, column.height, body, text, caption, news, pieces)


class HoldemTable(PlayTable):
    """Hands of hold'em with buttons; make it with `play_holdem` or `play_tournament`."""

    match: Any
    amount: (
        Any  # the slider of raises, a box to deal on after a fold, and a menu of finished hands:
    )
    quick: Any  # only where raises have several sizes
    hand_shown: Any

    def __init__(self, variant: Variant, seed: int) -> None:
        self.variant = variant
        super().__init__(seed, {"fold": "Fold", "call": "Check", **variant.raises})
        if self.has_sizes:
            self.add_controls()
        self.match = variant.begin(seed).play(variant.choose, variant.demonstration)
        self.refresh()

    @property
    def has_sizes(self) -> bool:
        """Whether the reader chooses by how much to raise."""
        return AMOUNT in self.variant.raises

    def add_controls(self) -> None:
        """Add a slider of amounts, a box for folded hands, and a menu of hands whose thoughts are shown."""
        self.amount = ipywidgets.IntSlider(
            description="Amount", continuous_update=False, readout_format=",d",
            layout={"width": "360px", "max_width": "100%"},
        )  # fmt: skip
        self.amount.observe(lambda _: self.name_amount(), "value")
        words = "Deal the next hand when I fold"
        self.quick = ipywidgets.Checkbox(value=True, indent=False, description=words)
        self.hand_shown = ipywidgets.Dropdown(
            description="Show decisions of", style={"description_width": "initial"},
            layout={"width": "260px"},
        )  # fmt: skip
        self.hand_shown.observe(lambda _: self.answer(self.show_thoughts), "value")
        self.new_button.description = f"New {self.variant.name}"
        self.new_button.layout.width = "140px"
        others = [pressed for move, pressed in self.moves.items() if move != AMOUNT]
        for pressed in (self.deal_button, *self.moves.values()):
            pressed.layout.width = "116px"
        first = [self.deal_button, *others, self.new_button]
        second = [self.amount, self.moves[AMOUNT], self.quick, self.hand_shown]
        self.controls.layout.flex_flow, self.controls.layout.align_items = "column", "stretch"
        self.controls.children = [
            ipywidgets.HBox(row, layout={"flex_flow": "row wrap"}) for row in (first, second)
        ]

    def make_match(self) -> Any:
        """Return a match with its first hand."""
        return self.variant.begin(self.seed + self.matches).deal()

    def list_actions(self) -> dict[str, int]:
        """Return what the reader may do, by the names of the buttons; no two raises are the same."""
        if not self.match.is_waiting:
            return {}
        hand = self.match.hands[-1]
        fold = {"fold": FOLD} if hand.legal_actions.can_fold else {}
        wanted = self.amount.value if self.has_sizes else 0
        return fold | {"call": CALL} | self.variant.find_raises(hand, wanted)

    def move_labels(self) -> dict[str, str]:
        """Return what the reader may do, and what its button says."""
        if not self.match.is_waiting:
            return {}
        hand = self.match.hands[-1]
        owed = hand.legal_actions.to_call
        verb = "Raise to" if hand.bet else "Bet"
        labels = {move: f"{verb} {to:,}" for move, to in self.list_actions().items()}
        fixed = {
            "fold": "Fold",
            "call": f"Call {owed:,}" if owed else "Check",
            ALL_IN: f"All-in {hand.legal_actions.max_raise_to or 0:,}",
        }
        return labels | {move: words for move, words in fixed.items() if move in labels}

    def act(self, move: str | int) -> None:
        """Do one of the buttons' moves for the reader, or raise to so many chips."""
        actions = self.list_actions()
        if isinstance(move, str) and move not in actions:
            known = ", ".join(actions) or "none: no hand is under way"
            raise SettingError(f"move is '{move}'; what can be done: {known}.")
        action = actions[move] if isinstance(move, str) else move
        match = self.match.act(action)
        if action == FOLD and self.has_sizes and self.quick.value:
            while not (match.is_waiting or match.is_out or match.is_over):
                match = match.deal()
        self.match = match
        self.refresh()

    def deal(self) -> None:
        """Deal a hand; a reader who is out sees the rest played to its end."""
        if not self.is_demonstration and self.match.is_out and not self.match.is_over:
            self.match = self.match.play(self.variant.choose, MOST_ROUNDS)
            self.refresh()
            return
        super().deal()

    def write_headline(self) -> str:
        """Return what is to be done next."""
        match = self.match
        number = len(self.match.hands)
        if self.is_demonstration:
            played = count_in_words(number, "hand")
            return f"{played} played for you, {self.variant.how}. Press Deal to play your own"
        if match.is_waiting:
            labels = self.move_labels()
            raises = [move for move in self.variant.raises if move in labels]
            words = [labels[move] for move in ("fold", "call") if move in labels]
            if raises and self.has_sizes:
                words.append("raise" if match.hands[-1].bet else "bet")
            words += [] if self.has_sizes else [labels[move] for move in raises]
            before = self.variant.say_before(match, self.before)
            return f"{before}Hand {number}, your turn: {join_choices(words).lower()}?"
        return f"Hand {number}: {self.variant.say_outcome(match)}"

    def draw(self) -> SvgDrawing:
        """Return the picture of the table; after the first deal the next one is for the next hand."""
        after = "Play it out" if self.match.is_out else "Next hand"
        self.deal_button.description = "Deal" if self.is_demonstration else after
        return draw_match(self.match, self.write_headline(), self.variant.draw_column(self.match))

    def refresh(self) -> None:
        """Enable what can be pressed, draw the table, and show what was thought in the last hand."""
        super().refresh()
        if self.match.is_over and not self.is_demonstration:
            show_ready(self.deal_button, False)
        if not self.has_sizes:
            return
        legal = self.match.hands[-1].legal_actions if self.match.is_waiting else None
        low, high = (legal.min_raise_to, legal.max_raise_to) if legal else (None, None)
        self.amount.disabled = low is None
        if low is not None:
            self.amount.min, self.amount.max = 0, high  # in an order that never crosses
            self.amount.min, self.amount.value = low, low
        self.name_amount()
        hands = [(f"hand {k + 1}", k) for k in range(len(self.match.finished))]
        self.hand_shown.options = hands[::-1]
        self.hand_shown.value = hands[-1][1] if hands else None
        self.hand_shown.layout.display = None if hands else "none"
        self.show_thoughts()

    def name_amount(self) -> None:
        """Let the button of the slider say the amount."""
        self.moves[AMOUNT].description = self.move_labels().get(AMOUNT, "Raise to")

    def show_thoughts(self) -> None:
        """Show below the table what was thought in the hand that is chosen."""
        number: int | None = self.hand_shown.value
        if number is None or number >= len(self.match.finished):
            return
        shown, written = self.explain(number)
        caption = f'<p style="line-height: 1.45;">{escape(self.picture.caption)}</p>'
        self.screen.write_words(f"{caption}{shown}")
        # The picture that stays in the notebook has the caption already.
        self.screen.replace_output(
            "words", lambda: ({"text/html": shown, "text/plain": written}, {})
        )

    def explain(self, number: int) -> tuple[str, str]:
        """Return as HTML and Markdown what everybody thought in a finished hand, by its number from 0."""
        if self.variant.explain is None:
            raise SettingError("the picture of a limit hand already shows what the agent thought.")
        return self.variant.explain(self.match, number)

    def list_thoughts(self, hand: int) -> Markdown:
        """Return what everybody thought in a finished hand, by its number from 1."""
        validate_integer("hand", hand, 1, max(len(self.match.finished), 1))
        return Markdown(self.explain(hand - 1)[1])  # type: ignore[no-untyped-call]

    def report(self) -> Markdown:
        """Return the result so far, or of the match before."""
        return Markdown(self.variant.report(self.reported))  # type: ignore[no-untyped-call]

    def __repr__(self) -> str:
        return f"<{self.variant.name.capitalize()} table: {self.variant.brief(self.match)}>"
