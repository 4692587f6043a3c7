"""A tournament of one table in the notebook: play against networks and others, and see what they thought."""

from collections.abc import Sequence
from html import escape

import ipywidgets
from IPython.display import Markdown

from pokerlab.core import SettingError, whole
from pokerlab.holdem.hand import CALL, FOLD, MOST_SEATS, Hand, no_limit
from pokerlab.holdem.impressions import Aggressiveness
from pokerlab.holdem.players import Company, Player
from pokerlab.holdem.tournament_game import MOST_HANDS, Schedule, Tournament, doubling, tournament
from pokerlab.workbench.drawings.svg import Picture
from pokerlab.workbench.pictures.text import either
from pokerlab.workbench.tables.match import READER, SitAndGo
from pokerlab.workbench.tables.play_table import PlayTable, show_ready
from pokerlab.workbench.tables.tournament_picture import (
    as_html,
    as_markdown,
    draw_tournament,
    thoughts_of,
    winner_of,
)

DEMONSTRATION = 3
RAISES = {"small": 0.5, "medium": 1.0, "large": 3.0}
"""How much each button raises above the call, in pots after it."""
MOVES = {
    "fold": "Fold",
    "call": "Check",
    **{size: f"Bet {size}" for size in RAISES},
    "all-in": "All-in",
}


class TournamentTable(PlayTable):
    """Hands of a tournament with buttons; make it with `play_tournament`."""

    match: SitAndGo
    before: SitAndGo | None

    def __init__(self, game: Tournament, opponents: Company, seed: int) -> None:
        self.game, self.opponents = game, opponents
        super().__init__(seed, {**MOVES, "amount": "Raise to"})
        self.amount = ipywidgets.IntSlider(
            description="Amount", continuous_update=False, layout={"width": "360px"},
            readout_format=",d",
        )  # fmt: skip
        self.amount.observe(lambda _: self.name_amount(), "value")
        words = "Deal on after a fold"
        self.quick = ipywidgets.Checkbox(value=True, indent=False, description=words)
        self.hand_shown = ipywidgets.Dropdown(
            description="What they thought in", style={"description_width": "initial"},
            layout={"width": "260px"},
        )  # fmt: skip
        self.hand_shown.observe(lambda _: self.show_thoughts(), "value")
        self.new_button.description = "New tournament"
        for button in (self.deal_button, *self.moves.values()):
            button.layout.width = "116px"
        self.new_button.layout.width = "140px"
        first = [self.deal_button, *(self.moves[move] for move in MOVES), self.new_button]
        second = [self.amount, self.moves["amount"], self.quick, self.hand_shown]
        rows = [ipywidgets.HBox(row, layout={"flex_flow": "row wrap"}) for row in (first, second)]
        self.controls.layout.flex_flow, self.controls.layout.align_items = "column", "stretch"
        self.controls.children = rows
        self.match = self.begun().play(folding, DEMONSTRATION)
        self.refresh()

    def begun(self) -> SitAndGo:
        """Return the next tournament, before its first hand."""
        seed = self.seed + self.matches
        return SitAndGo(game=self.game, opponents=self.opponents, seed=seed)

    def new_match(self) -> SitAndGo:
        """Return a tournament with its first hand."""
        return self.begun().deal()

    def actions(self) -> dict[str, int]:
        """Return what the reader may do, by the names of the buttons; no two raises are the same."""
        if not self.match.is_waiting:
            return {}
        hand = self.match.hands[-1]
        legal = hand.legal
        actions = {"fold": FOLD} if legal.can_fold else {}
        actions["call"] = CALL
        if legal.min_raise_to is not None and legal.max_raise_to is not None:
            unit = sum(hand.paid) + legal.to_call
            for move, share in RAISES.items():
                wanted = max(legal.min_raise_to, hand.bet + int(share * unit))
                if wanted < legal.max_raise_to and wanted not in actions.values():
                    actions[move] = wanted
            actions["all-in"] = legal.max_raise_to
            actions["amount"] = min(max(self.amount.value, legal.min_raise_to), legal.max_raise_to)
        return actions

    def move_labels(self) -> dict[str, str]:
        """Return what the reader may do, and what its button says."""
        if not self.match.is_waiting:
            return {}
        hand = self.match.hands[-1]
        owed, verb = hand.legal.to_call, "Raise to" if hand.bet else "Bet"
        labels = {move: f"{verb} {to:,}" for move, to in self.actions().items()}
        labels |= {"call": f"Call {owed:,}" if owed else "Check"}
        if "fold" in labels:
            labels["fold"] = "Fold"
        if "all-in" in labels:
            labels["all-in"] = f"All-in {hand.legal.max_raise_to:,}"
        return labels

    def act(self, move: str | int) -> None:
        """Do one of the buttons' moves for the reader, or raise to so many chips."""
        actions = self.actions()
        if isinstance(move, str) and move not in actions:
            known = ", ".join(actions) or "none: no hand is under way"
            raise SettingError(f"move is '{move}'; what can be done: {known}.")
        action = actions[move] if isinstance(move, str) else move
        match = self.match.act(action)
        if action == FOLD and self.quick.value:
            while not (match.is_waiting or match.is_out or match.is_over):
                match = match.deal()
        self.match = match
        self.refresh()

    def deal(self) -> None:
        """Deal a hand; who is out sees the tournament played to its end."""
        if not self.is_demonstration and self.match.is_out and not self.match.is_over:
            self.match = self.match.play(folding, MOST_HANDS)
            self.refresh()
            return
        super().deal()

    def headline(self) -> str:
        """Return what is to be done next."""
        match, hand = self.match, self.match.hands[-1]
        if self.is_demonstration:
            return f"{len(match.hands)} hands played for you, folding all the way. Press Deal to play your own"
        if match.is_waiting:
            labels = self.move_labels()
            words = [labels[move].lower() for move in ("fold", "call") if move in labels]
            words += ["raise" if hand.bet else "bet"] * ("all-in" in labels)
            before = ""
            if match.finished:
                before = f"Hand {hand.number}: {winner_of(match.finished[-1], match.names)}. "
            return f"{before}Hand {hand.number + 1}, your turn: {either(words)}?"
        ended = f"Hand {hand.number + 1}: {winner_of(hand, match.names)}"
        if match.is_over or match.is_out:
            return f"{ended}. You are number {match.ranks[READER]:g} of {len(match.names)}"
        return ended

    def draw(self) -> Picture:
        """Return the picture of the table; after the first deal the next one is for the next hand."""
        after = "Play it out" if self.match.is_out else "Next hand"
        self.deal_button.description = "Deal" if self.is_demonstration else after
        return draw_tournament(self.match, self.headline())

    def refresh(self) -> None:
        """Enable what can be pressed, draw the table, and show what was thought in the last hand."""
        super().refresh()
        if self.match.is_over and not self.is_demonstration:
            show_ready(self.deal_button, False)
        legal = self.match.hands[-1].legal if self.match.is_waiting else None
        can_raise = legal is not None and legal.min_raise_to is not None
        self.amount.disabled = not can_raise
        if can_raise:
            low, high = legal.min_raise_to, legal.max_raise_to  # type: ignore[union-attr]
            self.amount.min, self.amount.max = 0, high  # in an order that never crosses
            self.amount.min, self.amount.value = low, low
        self.name_amount()
        hands = [(f"hand {hand.number + 1}", hand.number) for hand in self.match.finished]
        self.hand_shown.options = hands[::-1]
        self.hand_shown.value = hands[-1][1] if hands else None
        self.hand_shown.layout.display = None if hands else "none"
        self.show_thoughts()

    def name_amount(self) -> None:
        """Let the button of the slider say the amount."""
        labels = self.move_labels()
        self.moves["amount"].description = labels.get("amount", "Raise to")

    def show_thoughts(self) -> None:
        """Show below the table what was thought in the hand that is chosen."""
        number: int | None = self.hand_shown.value
        if number is None or number >= len(self.match.finished):
            return
        thoughts = thoughts_of(self.match, number)
        caption = f'<p style="line-height: 1.45;">{escape(self.picture.caption)}</p>'
        shown = as_html(thoughts, number)
        self.screen.say(f"{caption}{shown}")
        # The picture that stays in the notebook has the caption already.
        self.screen.put("words", ({"text/html": shown, "text/plain": as_markdown(thoughts)}, {}))

    def thoughts(self, hand: int) -> Markdown:
        """Return what everybody thought in a finished hand, by its number from 1."""
        whole("hand", hand, 1, max(len(self.match.finished), 1))
        return Markdown(as_markdown(thoughts_of(self.match, hand - 1)))  # type: ignore[no-untyped-call]

    def __repr__(self) -> str:
        ranks, chips = self.match.ranks, self.match.stacks[READER]
        where = f"number {ranks[READER]:g}" if READER in ranks else f"{chips:,} chips"
        return f"<Tournament table: {len(self.match.finished)} hands, {where}>"


def folding(hand: Hand) -> int:
    """Return the action of the demonstration."""
    return FOLD if hand.legal.can_fold else CALL


def play_tournament(
    opponents: Sequence[Player],
    *,
    seed: int,
    schedule: Schedule | None = None,
    stacks: int = 1000,
) -> TournamentTable:
    """Show a no-limit tournament of one table to play at, and after each hand what the others thought.

    A few hands have been played already, so that there is something to see where nobody can press
    a button; the reader's own tournament begins with the first deal. The reader sits below, in seat 0; cards,
    luck and blinds are those of `Tournament.play` with the same seed.

    Parameters
    ----------
    opponents : sequence of Player
        1 to 9 players: networks from `TableNetwork.players`, players by rote, functions of a `SeatView`.
    seed : int
        Decides cards and the players' luck.
    schedule : Schedule, optional
        Blinds; if not given, 5/10, doubled every ten hands.
    stacks : int
        Chips of each at the start.

    Returns
    -------
    TournamentTable
        What is shown; `match` is what has been played, `thoughts(hand)` what was thought in a hand.

    Raises
    ------
    SettingError
        If there are too few or too many opponents, or blinds that never end a tournament.

    Examples
    --------
    >>> from pokerlab.holdem import ALWAYS_CALL, ALWAYS_FOLD
    >>> table = play_tournament([ALWAYS_CALL, ALWAYS_FOLD], seed=1)
    >>> table.deal()
    >>> table.act("all-in")
    >>> table.match.hands[0].actions[:2]
    (-1, 1000)
    """
    company = Company(opponents)
    whole("opponents", len(company), 1, MOST_SEATS - 1)
    seats = 1 + len(company)
    blinds = doubling(no_limit(5, 10), 10, chips=seats * stacks) if schedule is None else schedule
    game = tournament(blinds, seats, seats, stacks, aggressiveness=Aggressiveness())
    return TournamentTable(game, company, seed).open()
