"""Two hands to explore: deal a board street by street, and see the equity move: a bar a street, the next cards."""

from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from functools import lru_cache, partial
from itertools import combinations
from typing import NamedTuple

import numpy as np
from ipywidgets import Text

from pokerlab.core import CardError, Floats, random_stream
from pokerlab.holdem.cards import (
    BOARD_SIZES,
    NUM_CARDS,
    RANKS,
    STREETS,
    SUITS,
    Cards,
    format_cards,
    parse_cards,
    validate_cards,
)
from pokerlab.holdem.equity import Comparisons
from pokerlab.holdem.equity_against import count_showdowns
from pokerlab.holdem.hand_rankings import evaluate_hand, name_category
from pokerlab.workbench.drawings.svg import (
    CARD_WIDTH,
    RED_SUIT,
    SvgDrawing,
    choose_color,
    draw_card,
    draw_mark,
    draw_paragraph,
    draw_pip,
    draw_text,
    shift_elements,
    write_element,
)
from pokerlab.workbench.drawings.table_drawing import NARROW
from pokerlab.workbench.live.explorer import Button, Control, Explorer, Values
from pokerlab.workbench.style import BLUE, GRAY, INK, PAPER


@dataclass(frozen=True, eq=False)
class EquityReading:
    """What is known of two hands on a board."""

    holes: Cards  # (2, 2), both players' hole cards
    board: Cards  # (0,), (3,), (4,) or (5,)
    # preflop and up to now, the first player's over all boards to come
    streets: tuple[Comparisons, ...]
    next_from: int  # cards on the board before the next single card; 0 before the flop
    next_equity: Floats  # (52,), the first player's after each card that could come then, or NaN

    @classmethod
    def compute(cls, holes: Cards, board: Cards) -> "EquityReading":
        """Compute the equity of two hands."""
        validate_cards(np.concatenate([holes.ravel(), board]))
        known = [tuple(board[:size].tolist()) for size in BOARD_SIZES if size <= len(board)]
        streets = tuple(compare(*map(tuple, holes.tolist()), each) for each in known)
        next_from = min(len(board), 4)
        equities = (
            compute_next_equities(holes, board[:next_from])
            if next_from
            else np.full(NUM_CARDS, np.nan)
        )
        return cls(holes, board, streets, next_from, equities)

    @property
    def equity(self) -> float:
        """The first player's equity now."""
        return float(self.streets[-1].find_win_share())

    def name_made_hand(self, player: int) -> str:
        """Return the category of what a player holds; empty before the flop."""
        if not len(self.board):
            return ""
        return str(name_category(evaluate_hand(np.append(self.holes[player], self.board))))


compare = lru_cache(maxsize=256)(count_showdowns)
"""Wins, ties and losses over all boards to come, at once where asked before: earlier streets stay as they are."""


def compute_next_equities(holes: Cards, board: Cards) -> Floats:
    """Return the first player's equity after each card that may come next; NaN where none may."""
    rest = np.setdiff1d(np.arange(NUM_CARDS), np.append(holes, board))
    to_come = np.array(list(combinations(rest, 5 - len(board))))
    boards = np.hstack([np.broadcast_to(board, (len(to_come), len(board))), to_come])
    dealt = (np.hstack([np.broadcast_to(hole, (len(boards), 2)), boards]) for hole in holes)
    own, other = map(evaluate_hand, dealt)
    share = (own > other) + 0.5 * (own == other)
    equities = np.full(NUM_CARDS, np.nan)
    for number in rest:
        equities[number] = share[(to_come == number).any(axis=1)].mean()
    return equities


WIDTH, HEIGHT = 900.0, 434.0
CARDS_TOP = 26.0
STEP = CARD_WIDTH + 6.0
HOLES_AT = (8.0, WIDTH - 2 * STEP - 2)
BOARD_AT = WIDTH / 2 - 2.5 * STEP + 3
BARS_TOP, BAR_AT, BAR_WIDTH, BAR_STEP, BAR_HEIGHT = 166.0, 72.0, 598.0, 27.0, 20.0
EQUITY_AT = BAR_AT + BAR_WIDTH + 14
GRID_TOP, GRID_AT, CELL_WIDTH, CELL_HEIGHT = 310.0, 72.0, 46.0, 25.0
OTHER = "#f3d3bb"
"""The second player's part of a bar: pale, so that it differs from the first's without color."""
ROOM_FOR_NUMBER = 40.0  # pixels of a bar's part that holds its number
HEADS = (
    ("player 1 wins", BAR_AT, "start"),
    ("the pot is shared", BAR_AT + BAR_WIDTH / 2, "middle"),
    ("player 2 wins", BAR_AT + BAR_WIDTH, "end"),
    ("player 1's equity", EQUITY_AT, "start"),
    ("boards to come", WIDTH - 6, "end"),
)
"""What stands above the bars and the numbers beside them, where, and how it is aligned."""


class BarRoom(NamedTuple):
    """Where bars and the numbers beside them stand, and what stands above them."""

    bar_at: float
    bar_width: float
    equity_at: float
    right: float
    heads: tuple[tuple[str, float, str], ...]


WHOLE = BarRoom(BAR_AT, BAR_WIDTH, EQUITY_AT, WIDTH - 6, HEADS)
PIECE = BarRoom(
    54.0, 170.0, 230.0, NARROW - 2,
    (("1 wins", 54.0, "start"), ("shared", 139.0, "middle"), ("2 wins", 224.0, "end"),
     ("equity", 230.0, "start"), ("boards", NARROW - 2, "end")),
)  # fmt: skip
NARROW_HOLES_AT = (4.0, NARROW - 2 * STEP + 2)
NARROW_BOARD_TOP, NARROW_BARS_TOP, BOARD_SIZE = 146.0, 252.0, 0.94
FLOP_NEXT = "The flop is next: three cards at once. Then each single card has its square here."
CAPTION = (
    "Bars: of all boards still possible, the share on which player 1 wins (left), the pot is shared (middle)"
    " and player 2 wins (right). Squares: player 1's equity in percent after each card that may come"
    " next; a frame marks the one that came."
)


def draw_equity(reading: EquityReading) -> SvgDrawing:
    """Return the picture of a reading."""
    parts = [draw_hole(reading, player, HOLES_AT[player]) for player in range(2)]
    parts.append(shift_elements(draw_board(reading), BOARD_AT, CARDS_TOP))
    parts.append(shift_elements(draw_bars(reading, WHOLE), 0, BARS_TOP))
    parts.append(draw_next(reading))
    now = reading.streets[-1]
    wins, ties, losses = (f"{100 * count / sum(now):.1f}%" for count in now)
    hands = [
        f"{format_cards(hole)} {reading.name_made_hand(p)}".rstrip()
        for p, hole in enumerate(reading.holes)
    ]
    text = (
        f"player 1's equity on {format_cards(reading.board) or 'no board'}: {reading.equity:.4f}. Player 1"
        f" with {hands[0]} wins {wins}, player 2 with {hands[1]} {losses}; {ties} are shared."
    )
    return SvgDrawing(
        WIDTH, HEIGHT, "".join(parts), text, CAPTION, pieces=draw_equity_in_pieces(reading, text)
    )


def draw_equity_in_pieces(reading: EquityReading, text: str) -> tuple[SvgDrawing, ...]:
    """Return the picture for narrow places: the cards above the bars, and the cards to come."""
    parts = [draw_hole(reading, player, NARROW_HOLES_AT[player]) for player in range(2)]
    board = write_element("g", draw_board(reading), transform=f"scale({BOARD_SIZE:g})")
    parts.append(shift_elements(board, 4, NARROW_BOARD_TOP))
    parts.append(shift_elements(draw_bars(reading, PIECE), 0, NARROW_BARS_TOP))
    bars_height = BAR_STEP * len(BOARD_SIZES)
    first = SvgDrawing(NARROW, NARROW_BARS_TOP + bars_height, "".join(parts), text)
    if not reading.next_from:
        words, y = draw_paragraph(FLOP_NEXT, 4, 18, 12, NARROW - 8, fill="#444444")
        return first, SvgDrawing(NARROW, y, words, "")
    title, y = draw_paragraph(name_next(reading), 4, 18, 12.5, NARROW - 8, bold=True)
    cells = "".join(
        draw_card_to_come(rank, equity, 30 + CELL_WIDTH * row, y + 4 + CELL_HEIGHT * column, came)
        for row, column, rank, equity, came in list_next(reading)
    )
    pips = "".join(
        draw_pip(letter, 30 + CELL_WIDTH * (row + 0.5), y - 4, 7, choose_suit_color(letter))
        for row, letter in enumerate(reversed(SUITS))
    )
    return first, SvgDrawing(NARROW, y + 8 + CELL_HEIGHT * len(RANKS), title + pips + cells, "")


def draw_board(reading: EquityReading) -> str:
    """Return the cards of the board, and places for those to come."""
    names = format_cards(reading.board).split()
    parts = []
    for place in range(5):
        x = STEP * place
        if place < len(names):
            parts.append(draw_card(names[place], x, 0))
        else:
            parts.append(write_element("rect", x=x + 0.5, y=0.5, width=CARD_WIDTH - 1, height=89,
                             rx=7, fill="none", stroke="#9a9a9a", stroke_dasharray="3 4"))  # fmt: skip
    return "".join(parts)


def draw_bars(reading: EquityReading, room: "BarRoom") -> str:
    """Return the bars of all streets, with their heads above."""
    parts = [
        draw_text(words, at, -7, 11, "#444444", anchor=anchor) for words, at, anchor in room.heads
    ]
    for row in range(len(BOARD_SIZES)):
        now = reading.streets[row] if row < len(reading.streets) else None
        parts.append(draw_bar(STREETS[row], now, BAR_STEP * row, room))
    return "".join(parts)


def draw_hole(reading: EquityReading, player: int, x: float) -> str:
    """Return a player's cards, and what they make."""
    names = format_cards(reading.holes[player]).split()
    parts = [draw_card(name, x + STEP * k, CARDS_TOP) for k, name in enumerate(names)]
    parts.append(
        draw_mark(player, x + 10, 12) + draw_text(f"player {player + 1}", x + 25, 16, 12.5)
    )
    parts.append(draw_text(reading.name_made_hand(player), x + 2, CARDS_TOP + 107, 12.5, bold=True))
    return "".join(parts)


def draw_bar(street: str, now: Comparisons | None, y: float, room: "BarRoom") -> str:
    """Return a street's bar, with its numbers inside and the first player's equity beside it."""
    base = y + BAR_HEIGHT - 5.5
    parts = [draw_text(street, 8, base, 12)]
    if now is None:
        parts.append(write_element("rect", x=room.bar_at, y=y, width=room.bar_width, height=BAR_HEIGHT, fill="none",
                         stroke="#c9c9c9", stroke_dasharray="3 4"))  # fmt: skip
        return "".join(parts)
    begin = room.bar_at
    looks = ((now.wins, choose_color(0), PAPER), (now.ties, PAPER, INK), (now.losses, OTHER, INK))
    for count, fill, ink in looks:
        width = room.bar_width * count / sum(now)
        if count:
            parts.append(write_element("rect", x=begin, y=y, width=width, height=BAR_HEIGHT, fill=fill,
                             stroke=INK, stroke_width=0.8))  # fmt: skip
        if width > ROOM_FOR_NUMBER:
            words = f"{100 * count / sum(now):.1f}%"
            parts.append(draw_text(words, begin + width / 2, base, 11.5, ink, anchor="middle"))
        begin += width
    parts.append(draw_text(f"{now.find_win_share():.4f}", room.equity_at, base, 12.5, bold=True))
    parts.append(draw_text(f"{sum(now):,}", room.right, base, 11, GRAY, anchor="end"))
    return "".join(parts)


def draw_next(reading: EquityReading) -> str:
    """Return the table of cards that may come next, with the equity after each."""
    if not reading.next_from:
        return draw_text(FLOP_NEXT, 8, GRID_TOP - 14, 12, "#444444")
    parts = [draw_text(name_next(reading), 8, GRID_TOP - 14, 12.5, bold=True)]
    for suit, letter in enumerate(reversed(SUITS)):
        y = GRID_TOP + CELL_HEIGHT * (suit + 0.5)
        parts.append(draw_pip(letter, GRID_AT - 20, y, 7, choose_suit_color(letter)))
    for row, column, rank, equity, came in list_next(reading):
        x, y = GRID_AT + CELL_WIDTH * column, GRID_TOP + CELL_HEIGHT * row
        parts.append(draw_card_to_come(rank, equity, x, y, came))
    return "".join(parts)


def choose_suit_color(suit: str) -> str:
    """Return the color of a suit's symbol."""
    return RED_SUIT if suit in "hd" else INK


def name_next(reading: EquityReading) -> str:
    """Return the title of the table of cards that may come next."""
    name = STREETS[BOARD_SIZES.index(reading.next_from) + 1]
    return f"Player 1's equity, in percent, after each card that the {name} may bring"


def list_next(reading: EquityReading) -> Iterator[tuple[int, int, str, float, bool]]:
    """Yield for each card its row by suit, its column by rank, its rank, the equity after it, and whether it came."""
    came = int(reading.board[reading.next_from]) if len(reading.board) > reading.next_from else None
    for row, letter in enumerate(reversed(SUITS)):
        for column, rank in enumerate(reversed(RANKS)):
            number = 4 * RANKS.index(rank) + SUITS.index(letter)
            yield row, column, rank, float(reading.next_equity[number]), number == came


def draw_card_to_come(rank: str, equity: float, x: float, y: float, came: bool) -> str:
    """Return one card's square."""
    room = {"x": x + 1, "y": y + 1, "width": CELL_WIDTH - 2, "height": CELL_HEIGHT - 2, "rx": 3}
    base = y + CELL_HEIGHT / 2 + 4
    written = "10" if rank == "T" else rank
    if np.isnan(equity):
        gone = write_element("rect", **room, fill="none", stroke="#dddddd")
        return gone + draw_text(written, x + 5, base, 11, "#b0b0b0")
    frame = {"stroke": INK, "stroke_width": 2.5} if came else {}
    shade = write_element("rect", **room, fill=BLUE, fill_opacity=0.06 + 0.44 * equity, **frame)
    number = draw_text(f"{100 * equity:.0f}", x + CELL_WIDTH - 4, base, 11, anchor="end")
    return shade + draw_text(written, x + 5, base, 11, "#444444") + number


PLACES = ("player 1", "player 2", "board")
TWO = ((2,), "two cards, such as 'As Kd'")
SIZES = dict(zip(PLACES, (TWO, TWO, (BOARD_SIZES, "no card, or three to five")), strict=True))
"""How many cards each place has, and the same in words."""
DEALS = "deals"


def make_equity_controls(first: str, second: str, board: str) -> list[Control]:
    """Return a field for each player's cards and for the board, and the number of deals so far."""
    two = "two cards, such as As Kd; press Enter"
    fields = (
        (first, two, "170px", "58px"), (second, two, "170px", "58px"),
        (board, "nothing, or three to five cards", "230px", "45px"),
    )  # fmt: skip
    controls = [Control(DEALS, 0)]
    for place, (cards, about, width, label_width) in zip(PLACES, fields, strict=True):
        look = {
            "layout": {"width": width}, "style": {"description_width": label_width},
            "continuous_update": False,
        }  # fmt: skip
        controls.append(Control(place, cards, Text, place, about, widget_arguments=look))
    return controls


def read_cards(values: Values) -> list[Cards]:
    """Return both players' cards and the board; refuse impossible cards, and say all that is wrong."""
    read: dict[str, Cards] = {}
    wrong = []
    for place in PLACES:
        try:
            read[place] = read_place_cards(place, values[place])
        except CardError as error:
            wrong.append(str(error))
    wrong += describe_shared_cards(read)
    if wrong:
        raise CardError(" ".join(wrong))
    return [*read.values()]


def read_equity(values: Values) -> EquityReading:
    """Return the equity of what stands in the fields."""
    *holes, board = read_cards(values)
    return EquityReading.compute(np.stack(holes), board)


def write_cards(values: Values, *cards: Cards) -> Values:
    """Return the values with the cards of both players and of the board."""
    return values | dict(zip(PLACES, map(format_cards, cards), strict=True))


def read_place_cards(place: str, text: str) -> Cards:
    """Read a player's cards, or the board."""
    cards = parse_cards(text)
    sizes, words = SIZES[place]
    if len(cards) not in sizes:
        raise CardError(f"{place} has {words}; '{text}' has {len(cards)}.")
    return cards


def describe_shared_cards(read: Mapping[str, Cards]) -> list[str]:
    """Return in words which cards are in two places."""
    shared = {
        f"{one} and {other}": np.intersect1d(read[one], read[other])
        for one, other in combinations(read, 2)
    }
    return [
        f"{places} both have {format_cards(cards)}; one deck has each card once."
        for places, cards in shared.items()
        if cards.size
    ]


def shuffle_others(values: Values, seed: int, without: Cards) -> tuple[Values, Cards]:
    """Return the values after one more deal, and the other cards, in a new order each time."""
    deals = values[DEALS] + 1
    rest = np.setdiff1d(np.arange(NUM_CARDS, dtype=np.uint8), without)
    shuffled = random_stream(seed, "cards to explore", deals).permutation(rest)
    return values | {DEALS: deals}, shuffled


def deal_street(seed: int, values: Values, now: EquityReading) -> Values:
    """Return the values after the flop, the turn or the river."""
    values, cards = shuffle_others(values, seed, np.append(now.holes, now.board))
    return write_cards(
        values, *now.holes, np.append(now.board, cards[: 1 if len(now.board) else 3])
    )


def deal_new_hands(seed: int, values: Values, now: EquityReading) -> Values:
    """Return the values after both players have new cards, and no board yet."""
    values, cards = shuffle_others(values, seed, parse_cards(""))
    return write_cards(values, cards[:2], cards[2:4], parse_cards(""))


def name_street(now: EquityReading) -> str:
    """Return what the button says that deals the next street."""
    street = len(now.streets)
    return "All cards are out" if street == len(STREETS) else f"Deal the {STREETS[street]}"


def say_briefly(now: EquityReading) -> str:
    """Return the hands, the board and the first player's equity in a line."""
    first, second = map(format_cards, now.holes)
    return f"{first} against {second} on {format_cards(now.board) or 'no board'}, {now.equity:.4f}"


def equity_explorer(
    first: str = "As Ah", second: str = "8d 7d", board: str = "", *, seed: int
) -> Explorer[EquityReading]:
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
    Explorer
        What is shown; `reading` holds its numbers.

    Examples
    --------
    >>> explorer = equity_explorer("As Ah", "8d 7d", "Td 9d 2c", seed=1)
    >>> explorer.reading.streets[-1]
    Comparisons(wins=433, ties=0, losses=557)
    """
    given = map(format_cards, map(read_place_cards, PLACES, (first, second, board)))
    return Explorer(
        "Equity explorer", make_equity_controls(*given), read_equity, draw_equity,
        adjust_values=lambda values, name: write_cards(values, *read_cards(values)),
        buttons=[
            Button("deal", partial(deal_street, seed), lambda now: len(now.streets) < len(STREETS),
                   write_label=name_street, is_primary=True),
            Button("Clear the board", lambda values, now: values | {"board": ""}),
            Button("Deal new hands", partial(deal_new_hands, seed)),
        ],
        write_summary=say_briefly,
    ).open()  # fmt: skip
