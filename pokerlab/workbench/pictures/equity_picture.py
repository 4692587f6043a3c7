"""What the equity explorer shows of two hands and a board: a bar for each street, and the next cards."""

from dataclasses import dataclass
from functools import lru_cache
from itertools import combinations

import numpy as np

from pokerlab.core import CardError
from pokerlab.core.arrays import Floats
from pokerlab.holdem.cards.deck import (
    BOARD_SIZES,
    NUM_CARDS,
    RANKS,
    STREETS,
    SUITS,
    Cards,
    card_text,
    check_cards,
)
from pokerlab.holdem.equity.against import showdowns
from pokerlab.holdem.equity.exact import Comparisons
from pokerlab.holdem.strength.evaluation import category, strength
from pokerlab.workbench.pictures.cards import RED_SUIT, card, pip
from pokerlab.workbench.pictures.cards import WIDTH as CARD_WIDTH
from pokerlab.workbench.pictures.svg import Picture, color_of, label, mark, tag
from pokerlab.workbench.style import BLUE, GRAY, INK, PAPER


@dataclass(frozen=True, eq=False)
class EquityReading:
    """What is known of two hands on a board."""

    holes: Cards  # (2, 2), both players' hole cards
    board: Cards  # (0,), (3,), (4,) or (5,)
    # the first player's wins, ties and losses over all boards to come: before the flop, and on
    # each street up to now
    streets: tuple[Comparisons, ...]
    # how many cards were on the board before the next single card; 0 before the flop
    next_from: int
    # (52,), the first player's equity after each card that could come then; NaN where none could
    next_equity: Floats

    @classmethod
    def of(cls, holes: Cards, board: Cards) -> "EquityReading":
        """Compute the equity of two hands."""
        if holes.shape != (2, 2):
            raise CardError(
                f"hole cards have shape {holes.shape}; give two for each of two players."
            )
        if len(board) not in BOARD_SIZES:
            raise CardError(f"the board has {len(board)} cards; give 0, 3, 4 or 5.")
        check_cards(np.concatenate([holes.ravel(), board]))
        known = [tuple(board[:size].tolist()) for size in BOARD_SIZES if size <= len(board)]
        streets = tuple(compare(*map(tuple, holes.tolist()), each) for each in known)
        next_from = min(len(board), 4)
        equities = after_next(holes, board[:next_from]) if next_from else np.full(NUM_CARDS, np.nan)
        return cls(holes, board, streets, next_from, equities)

    @property
    def equity(self) -> float:
        """The first player's equity now."""
        return float(self.streets[-1].value())

    def made_hand(self, player: int) -> str:
        """Return the category of what a player holds; empty before the flop."""
        if not len(self.board):
            return ""
        return str(category(strength(np.append(self.holes[player], self.board))))


compare = lru_cache(maxsize=256)(showdowns)
"""Wins, ties and losses over all boards to come, at once where asked before: earlier streets stay as they are."""


def after_next(holes: Cards, board: Cards) -> Floats:
    """Return the first player's equity after each card that may come next; NaN where none may."""
    rest = np.setdiff1d(np.arange(NUM_CARDS), np.append(holes, board))
    to_come = np.array(list(combinations(rest, 5 - len(board))))
    boards = np.hstack([np.broadcast_to(board, (len(to_come), len(board))), to_come])
    own, other = (
        strength(np.hstack([np.broadcast_to(hole, (len(boards), 2)), boards])) for hole in holes
    )
    share = (own > other) + 0.5 * (own == other)
    equities = np.full(NUM_CARDS, np.nan)
    for number in rest:
        equities[number] = share[(to_come == number).any(axis=1)].mean()
    return equities


WIDTH, HEIGHT = 900.0, 434.0
CARDS_TOP, STEP = 26.0, CARD_WIDTH + 6.0
HOLES_AT, BOARD_AT = (8.0, WIDTH - 2 * STEP - 2), WIDTH / 2 - 2.5 * STEP + 3
BARS_TOP, BAR_AT, BAR_WIDTH, BAR_STEP, BAR_HEIGHT = 166.0, 72.0, 598.0, 27.0, 20.0
EQUITY_AT = BAR_AT + BAR_WIDTH + 14
GRID_TOP, GRID_AT, CELL_WIDTH, CELL_HEIGHT = 310.0, 72.0, 46.0, 25.0
OTHER = "#f3d3bb"
"""The second player's part of a bar: pale, so that it differs from the first's without color."""
ROOM_FOR_NUMBER = 40.0
"""Pixels of a bar's part that holds its number."""
HEADS = (
    ("player 1 wins", BAR_AT, "start"),
    ("the pot is shared", BAR_AT + BAR_WIDTH / 2, "middle"),
    ("player 2 wins", BAR_AT + BAR_WIDTH, "end"),
    ("player 1's equity", EQUITY_AT, "start"),
    ("boards to come", WIDTH - 6, "end"),
)
"""What stands above the bars and the numbers beside them, where, and how it is aligned."""
CAPTION = (
    "Bars: of all boards still possible, the share on which player 1 wins (dark), the pot is shared (white)"
    " and player 2 wins (pale). Squares: player 1's equity in percent after each card that may come"
    " next; a frame marks the one that came."
)


def draw_reading(reading: EquityReading) -> Picture:
    """Return the picture of a reading."""
    parts = [draw_hole(reading, player) for player in range(2)]
    names = card_text(reading.board).split() if len(reading.board) else []
    for place in range(5):
        x = BOARD_AT + STEP * place
        if place < len(names):
            parts.append(card(names[place], x, CARDS_TOP))
        else:
            parts.append(tag("rect", x=x + 0.5, y=CARDS_TOP + 0.5, width=CARD_WIDTH - 1, height=89,
                             rx=7, fill="none", stroke="#9a9a9a", stroke_dasharray="3 4"))  # fmt: skip
    for words, at, anchor in HEADS:
        parts.append(label(words, at, BARS_TOP - 7, 11, "#444444", text_anchor=anchor))
    for row in range(len(BOARD_SIZES)):
        now = reading.streets[row] if row < len(reading.streets) else None
        parts.append(draw_bar(STREETS[row], now, BARS_TOP + BAR_STEP * row))
    parts.append(draw_next(reading))
    text = f"player 1's equity on {card_text(reading.board) or 'no board'}: {reading.equity:.4f}"
    return Picture(WIDTH, HEIGHT, "".join(parts), text, CAPTION)


def draw_hole(reading: EquityReading, player: int) -> str:
    """Return a player's cards, and what they make."""
    x = HOLES_AT[player]
    names = card_text(reading.holes[player]).split()
    parts = [card(name, x + STEP * k, CARDS_TOP) for k, name in enumerate(names)]
    parts.append(mark(player, x + 10, 12) + label(f"player {player + 1}", x + 25, 16, 12.5))
    parts.append(label(reading.made_hand(player), x + 2, CARDS_TOP + 107, 12.5, font_weight="bold"))
    return "".join(parts)


def draw_bar(street: str, now: Comparisons | None, y: float) -> str:
    """Return a street's bar, with its numbers inside and the first player's equity beside it."""
    base = y + BAR_HEIGHT - 5.5
    parts = [label(street, 8, base, 12)]
    if now is None:
        parts.append(tag("rect", x=BAR_AT, y=y, width=BAR_WIDTH, height=BAR_HEIGHT, fill="none",
                         stroke="#c9c9c9", stroke_dasharray="3 4"))  # fmt: skip
        return "".join(parts)
    begin = BAR_AT
    looks = ((now.wins, color_of(0), PAPER), (now.ties, PAPER, INK), (now.losses, OTHER, INK))
    for count, fill, ink in looks:
        width = BAR_WIDTH * count / sum(now)
        if count:
            parts.append(tag("rect", x=begin, y=y, width=width, height=BAR_HEIGHT, fill=fill,
                             stroke=INK, stroke_width=0.8))  # fmt: skip
        if width > ROOM_FOR_NUMBER:
            words = f"{100 * count / sum(now):.1f}%"
            parts.append(label(words, begin + width / 2, base, 11.5, ink, text_anchor="middle"))
        begin += width
    parts.append(label(f"{now.value():.4f}", EQUITY_AT, base, 12.5, font_weight="bold"))
    parts.append(label(f"{sum(now):,}", WIDTH - 6, base, 11, GRAY, text_anchor="end"))
    return "".join(parts)


def draw_next(reading: EquityReading) -> str:
    """Return the table of cards that may come next, with the equity after each."""
    if not reading.next_from:
        words = "The flop is next: three cards at once. Then each single card has its square here."
        return label(words, 8, GRID_TOP - 14, 12, "#444444")
    name = STREETS[BOARD_SIZES.index(reading.next_from) + 1]
    came = int(reading.board[reading.next_from]) if len(reading.board) > reading.next_from else None
    title = f"Player 1's equity, in percent, after each card that the {name} may bring"
    parts = [label(title, 8, GRID_TOP - 14, 12.5, font_weight="bold")]
    for suit, letter in enumerate(reversed(SUITS)):
        y = GRID_TOP + CELL_HEIGHT * suit
        ink = RED_SUIT if letter in "hd" else INK
        parts.append(pip(letter, GRID_AT - 20, y + CELL_HEIGHT / 2, 7, ink))
        for column, rank in enumerate(reversed(RANKS)):
            number = 4 * RANKS.index(rank) + SUITS.index(letter)
            x = GRID_AT + CELL_WIDTH * column
            parts.append(draw_cell(rank, float(reading.next_equity[number]), x, y, number == came))
    return "".join(parts)


def draw_cell(rank: str, equity: float, x: float, y: float, came: bool) -> str:
    """Return one card's square."""
    room = {"x": x + 1, "y": y + 1, "width": CELL_WIDTH - 2, "height": CELL_HEIGHT - 2, "rx": 3}
    base = y + CELL_HEIGHT / 2 + 4
    written = "10" if rank == "T" else rank
    if np.isnan(equity):
        gone = tag("rect", **room, fill="none", stroke="#dddddd")
        return gone + label(written, x + 5, base, 11, "#b0b0b0")
    frame = {"stroke": INK, "stroke_width": 2.5} if came else {}
    shade = tag("rect", **room, fill=BLUE, fill_opacity=0.06 + 0.44 * equity, **frame)
    number = label(f"{100 * equity:.0f}", x + CELL_WIDTH - 4, base, 11, text_anchor="end")
    return shade + label(written, x + 5, base, 11, "#444444") + number
