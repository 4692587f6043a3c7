"""Two hands to explore: deal a board street by street, and see the equity move."""

from collections.abc import Mapping
from itertools import combinations

import ipywidgets
import numpy as np

from pokerlab.core import CardError, stream
from pokerlab.holdem.cards.deck import (
    BOARD_SIZES,
    NUM_CARDS,
    STREETS,
    Cards,
    card_text,
    parse_cards,
)
from pokerlab.workbench.live.screen import OnScreen, Screen, alert
from pokerlab.workbench.pictures.equity_picture import EquityReading, draw_reading

TWO = ((2,), "two cards, such as 'As Kd'")
SIZES = {"player 1": TWO, "player 2": TWO, "board": (BOARD_SIZES, "no card, or three to five")}
"""How many cards each place has, and the same in words."""


class EquityExplorer(OnScreen):
    """Two hands, a board and their equity: the `reading`, drawn as `picture`; make it with `equity_explorer`."""

    def __init__(self, reading: EquityReading, seed: int) -> None:
        self.seed, self.deals = seed, 0
        self.screen = Screen("svg+xml")
        narrow = ipywidgets.Layout(width="170px")
        self.holes = [
            ipywidgets.Text(description=f"player {player + 1}", continuous_update=False,
                            layout=narrow, style={"description_width": "58px"},
                            tooltip="two cards, such as As Kd; press Enter")
            for player in range(2)
        ]  # fmt: skip
        self.board = ipywidgets.Text(
            description="board", continuous_update=False, layout=ipywidgets.Layout(width="230px"),
            style={"description_width": "45px"}, tooltip="nothing, or three to five cards",
        )  # fmt: skip
        self.next_button = ipywidgets.Button(button_style="primary")
        self.board_button = ipywidgets.Button(description="Clear the board")
        self.hands_button = ipywidgets.Button(description="Deal new hands")
        # Its space is kept, so that nothing moves when there is something to say.
        self.message = ipywidgets.HTML(layout=ipywidgets.Layout(min_height="28px"))
        for text in (*self.holes, self.board):
            text.observe(lambda _: self.show_fields(), "value")
        self.next_button.on_click(lambda _: self.deal_street())
        self.board_button.on_click(lambda _: self.show(self.reading.holes, parse_cards("")))
        self.hands_button.on_click(lambda _: self.deal_hands())
        fields = ipywidgets.HBox([*self.holes, self.board])
        buttons = ipywidgets.HBox([self.next_button, self.board_button, self.hands_button])
        self.controls = ipywidgets.VBox([fields, buttons, self.message])
        self.take(reading)

    def take(self, reading: EquityReading) -> None:
        """Put a reading on the screen and into the fields."""
        self.reading = reading
        self.picture = draw_reading(reading)
        with self.quietly():
            for text, cards in zip(self.holes, reading.holes, strict=True):
                text.value = card_text(cards)
            self.board.value = cards_text(reading.board)
        self.message.value = ""
        street = len(reading.streets)
        self.next_button.disabled = street == len(STREETS)
        self.next_button.description = (
            "All cards are out" if self.next_button.disabled else f"Deal the {STREETS[street]}"
        )
        self.screen.draw(self.picture)

    def show(self, holes: Cards, board: Cards) -> None:
        """Show other cards."""
        self.take(EquityReading.of(holes, board))

    def show_fields(self) -> None:
        """Show the cards in the fields; if they are impossible, say all that is wrong and change nothing."""
        if self.moving:
            return
        read: dict[str, Cards] = {}
        wrong = []
        for field in (*self.holes, self.board):
            try:
                read[field.description] = read_cards(field.description, field.value)
            except CardError as error:
                wrong.append(str(error))
        wrong += shared_cards(read)
        if wrong:
            self.message.value = alert(" ".join(wrong))
        else:
            *holes, board = read.values()
            self.show(np.stack(holes), board)

    def shuffled(self, without: Cards) -> Cards:
        """Return the other cards, in a new order each time."""
        self.deals += 1
        rest = np.setdiff1d(np.arange(NUM_CARDS, dtype=np.uint8), without)
        return stream(self.seed, "cards to explore", self.deals).permutation(rest)

    def deal_street(self) -> None:
        """Deal the flop, the turn or the river; nothing when all cards are out."""
        holes, board = self.reading.holes, self.reading.board
        if len(board) < 5:
            many = 1 if len(board) else 3
            cards = self.shuffled(np.append(holes, board))[:many]
            self.show(holes, np.append(board, cards))

    def deal_hands(self) -> None:
        """Deal both players new cards, and no board yet."""
        self.show(self.shuffled(parse_cards(""))[:4].reshape(2, 2), parse_cards(""))

    def __repr__(self) -> str:
        first, second = (card_text(cards) for cards in self.reading.holes)
        board = cards_text(self.reading.board) or "no board"
        return f"<Equity explorer: {first} against {second} on {board}, {self.reading.equity:.4f}>"


def read_cards(place: str, text: str) -> Cards:
    """Read a player's cards, or the board."""
    cards = parse_cards(text)
    sizes, words = SIZES[place]
    if len(cards) not in sizes:
        raise CardError(f"{place} has {words}; '{text}' has {len(cards)}.")
    return cards


def shared_cards(read: Mapping[str, Cards]) -> list[str]:
    """Return in words which cards are in two places."""
    shared = {
        f"{one} and {other}": np.intersect1d(read[one], read[other])
        for one, other in combinations(read, 2)
    }
    return [
        f"{places} both have {card_text(cards)}; one deck has each card once."
        for places, cards in shared.items()
        if cards.size
    ]


def cards_text(cards: Cards) -> str:
    """Return cards as text; nothing for none."""
    return card_text(cards) if len(cards) else ""


def equity_explorer(
    first: str = "As Ah", second: str = "8d 7d", board: str = "", *, seed: int
) -> EquityExplorer:
    """Show two hands whose board can be dealt street by street, and their exact equity.

    Parameters
    ----------
    first, second : str
        Hole cards of both players, such as 'As Kd'.
    board : str
        The board at the start: nothing, or three to five cards.
    seed : int
        Decides what is dealt.

    Returns
    -------
    EquityExplorer
        What is shown; `reading` holds its numbers.

    Raises
    ------
    CardError
        If these cards cannot come from one deck.

    Examples
    --------
    >>> explorer = equity_explorer("As Ah", "8d 7d", "Td 9d 2c", seed=1)
    >>> explorer.reading.streets[-1]
    Comparisons(wins=433, ties=0, losses=557)
    """
    *holes, dealt = map(read_cards, SIZES, (first, second, board))
    explorer = EquityExplorer(EquityReading.of(np.stack(holes), dealt), seed)
    return explorer.open()
