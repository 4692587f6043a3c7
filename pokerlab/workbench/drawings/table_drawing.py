"""Drawings of hold'em: a table at one moment with seats, cards, bets and pots, and a whole hand.

A whole hand is a strip: the seats with their cards on the left, then the actions of each street in a column.
"""

import math
import re
from collections.abc import Collection, Sequence
from dataclasses import dataclass

import numpy as np

from pokerlab.holdem.cards import BOARD_SIZES, STREETS, format_cards
from pokerlab.holdem.hand import Hand
from pokerlab.holdem.hand_history import (
    describe_action,
    describe_structure,
    get_actor,
    iterate_posts,
    replay_actions,
    rewind_hand,
    validate_names,
)
from pokerlab.holdem.hand_rankings import name_category
from pokerlab.holdem.pots import compute_uncalled_chips, find_pot_winners
from pokerlab.workbench.drawings.svg import (
    FACE_DOWN,
    SMALL_HEIGHT,
    SvgDrawing,
    draw_line,
    draw_mark,
    draw_paragraph,
    draw_small_cards,
    draw_text,
    estimate_width,
    measure_row,
    write_element,
)
from pokerlab.workbench.style import GRAY, INK, ORANGE, PAPER
from pokerlab.workbench.text import capitalize, signed

PLATE_WIDTH, PLATE_HEIGHT = 156.0, 38.0
OVERLAP = 2.0  # pixels by which the plate covers the cards
BLOCK_HEIGHT = PLATE_HEIGHT + SMALL_HEIGHT - OVERLAP
VEIL_OPACITY = 0.55  # of the paper that is laid over seats which have folded
TURN_COLOR, WON_COLOR = "#fff3d6", "#dff0e8"  # of the seat to act, and of seats that have won


@dataclass(frozen=True)
class SeatState:
    """A seat at one moment of a hand, as it is drawn."""

    index: int
    name: str
    cards: list[str]  # such as 'As', or '?' for a card face down; empty if none were dealt
    chips: str  # its stack as text
    status: str  # 'to act', 'folded', 'all-in', 'no chips, sits out', the category of its hand, or empty
    won: int  # the chips won minus the chips paid; 0 while the hand is under way

    @classmethod
    def read(cls, hand: Hand, seat: int, name: str, cards: list[str]) -> "SeatState":
        """Return a seat of a hand.

        Parameters
        ----------
        hand : Hand
            The hand, at one moment.
        seat : int
            The index of the seat.
        name : str
            The name of the seat.
        cards : list of str
            Its cards as they are shown, which may be '?' for a card face down.
        """
        if not hand.starting_stacks[seat]:
            return cls(seat, name, [], "", "no chips, sits out", 0)
        won = int(hand.payoffs[seat]) if hand.is_over else 0
        stack = hand.starting_stacks[seat] + won if hand.is_over else hand.stacks[seat]
        return cls(seat, name, cards, f"{stack:,}", describe_status(hand, seat), won)

    @property
    def is_out(self) -> bool:
        """Whether the seat can no longer win the hand."""
        return self.status in ("folded", "no chips, sits out")

    def __str__(self) -> str:
        won = format_gain(self.won) if self.won else ""
        parts = [" ".join(self.cards), self.chips, self.status, won]
        return f"{self.name}: {', '.join(filter(None, parts))}"


def describe_status(hand: Hand, seat: int) -> str:
    """Return the status of a seat that was dealt cards: 'to act', 'folded', 'all-in', its category, or ''."""
    if seat == hand.actor:
        return "to act"
    if hand.folded[seat]:
        return "folded"
    if is_shown_down(hand):
        return str(name_category(hand.strengths[seat]))
    return "" if hand.stacks[seat] or hand.is_over else "all-in"


def read_seats(hand: Hand, names: Sequence[str], shown: Collection[int] | None) -> list[SeatState]:
    """Return all seats of a hand with the cards that are shown.

    Parameters
    ----------
    hand : Hand
        The hand, at one moment.
    names : sequence of str
        The names of the seats.
    shown : collection of int or None
        The seats whose cards are shown, or None for all. A showdown also shows those that have not folded.
    """
    shown_seats = range(hand.num_seats) if shown is None else shown
    seats = []
    for seat in range(hand.num_seats):
        is_open = seat in shown_seats or (is_shown_down(hand) and seat in hand.live_seats)
        cards = format_cards(hand.get_hole_cards(seat)).split() if is_open else [FACE_DOWN] * 2
        seats.append(SeatState.read(hand, seat, names[seat], cards))
    return seats


def draw_seat(seat_state: SeatState, x: float, y: float) -> str:
    """Return a seat as SVG: cards above a plate, and the middle of both at (x, y)."""
    left, top = x - PLATE_WIDTH / 2, y - BLOCK_HEIGHT / 2
    begin = x - measure_row(len(seat_state.cards)) / 2
    below = top + SMALL_HEIGHT - OVERLAP
    fill = (
        TURN_COLOR if seat_state.status == "to act" else WON_COLOR if seat_state.won > 0 else PAPER
    )
    is_highlighted = seat_state.status == "to act" or seat_state.won > 0
    plate = write_element("rect", x=left, y=below, width=PLATE_WIDTH, height=PLATE_HEIGHT, rx=7, fill=fill,
                stroke=INK if is_highlighted else "#9a9a9a", stroke_width=2.2 if is_highlighted else 1.0)  # fmt: skip
    short_name = cut_words(
        seat_state.name, 12, PLATE_WIDTH - 41 - estimate_width(seat_state.chips, 12)
    )
    words = draw_mark(seat_state.index, left + 15, below + 13) + draw_text(
        short_name, left + 30, below + 16, 12
    )
    right = left + PLATE_WIDTH - 7
    words += draw_text(seat_state.chips, right, below + 16, 12, anchor="end", bold=True)
    words += draw_text(seat_state.status, left + 8, below + 32, 11, "#444444")
    if seat_state.won:
        words += draw_text(
            format_gain(seat_state.won), right, below + 32, 11.5, INK, anchor="end", bold=True
        )
    block = draw_small_cards(seat_state.cards, begin, top) + plate + words
    if seat_state.is_out:
        block += draw_veil(left, below, PLATE_WIDTH, PLATE_HEIGHT)
        block += draw_veil(begin, top, measure_row(2), SMALL_HEIGHT - OVERLAP) * bool(
            seat_state.cards
        )
    return block


def cut_words(words: str, size: float, room: float) -> str:
    """Return words, shortened with an ellipsis if they would need more than `room` pixels at a font size."""
    if estimate_width(words, size) <= room:
        return words
    letters = max(int(room / estimate_width("x", size)) - 1, 1)
    return f"{words[:letters]}…"


def draw_veil(x: float, y: float, width: float, height: float) -> str:
    """Return a rectangle as SVG that makes what is below it pale."""
    return write_element(
        "rect", x=x, y=y, width=width, height=height, fill=PAPER, fill_opacity=VEIL_OPACITY
    )


def format_gain(chips: int) -> str:
    """Return chips with their sign, and commas between thousands: '+1,500'."""
    return signed(chips) if abs(chips) < 1000 else f"{'−' if chips < 0 else '+'}{abs(chips):,}"


def draw_bet(chips: int, x: float, y: float) -> str:
    """Return a stack of chips with its number as SVG, the middle at (x, y)."""
    words = f"{chips:,}"
    begin = x - (18 + 7 * len(words)) / 2
    parts = [
        write_element(
            "ellipse", cx=begin + 7, cy=y + 3 - 4 * k, rx=7, ry=4, fill=ORANGE, stroke=INK
        )
        for k in range(1 + int(np.log10(chips)))  # one more for each factor of ten
    ]
    return "".join(parts) + draw_text(words, begin + 18, y + 4, 12, bold=True)


def draw_button(x: float, y: float) -> str:
    """Return the dealer's button as SVG, with its middle at (x, y)."""
    disc = write_element("circle", cx=x, cy=y, r=9, fill=PAPER, stroke=GRAY, stroke_width=1.5)
    return disc + draw_text("D", x, y + 4, 11, anchor="middle", bold=True)


WIDTH, HEIGHT, LOW_HEIGHT, TOP = 800.0, 452.0, 240.0, 26.0
"""The size of the picture, its height for few seats, and the room above the table for the title, in pixels."""
FELT, SEATS, BETS, BUTTON = (330.0, 172.0), (318.0, 168.0), (208.0, 92.0), (222.0, 108.0)
"""The half axes of ellipses, in pixels: the edge of the felt, the seats, the bets, and the button."""
Point = tuple[float, float]
BUTTON_ANGLE = 15.0  # degrees between the button and the bet of its seat
FEW_SEATS: dict[int, tuple[Point, ...]] = {
    2: ((-1, 0), (1, 0)),
    3: ((-1, 0), (0.8, -1), (0.8, 1)),
    4: ((-0.8, 1), (-0.8, -1), (0.8, -1), (0.8, 1)),
}
"""The places of two to four seats: from -1 to 1 across and down, clockwise from the first seat."""
FELT_OF_FEW, SEATS_OF_FEW, BETS_OF_FEW = (330.0, 92.0), (290.0, 62.0), (168.0, 72.0)
BOARD_SIZE = 1.3


def draw_table(
    hand: Hand,
    shown: Collection[int] | None = None,
    *,
    names: Sequence[str] | None = None,
    title: str = "",
) -> SvgDrawing:
    """Draw the table at one moment of a hand.

    The drawing has a piece for narrow places, in which the seats stand one below the other.

    Parameters
    ----------
    hand : Hand
        The hand, at any moment.
    shown : collection of int, optional
        The seats whose hole cards are shown, such as `[0]`, or `[]` for none. A showdown also shows those of the
        seats that have not folded. By default all are shown.
    names : sequence of str, optional
        The names of the seats. By default they are 'player 1' and so on.
    title : str
        The words above the table.

    Examples
    --------
    >>> from pokerlab.holdem.betting_structure import no_limit
    >>> from pokerlab.holdem.cards import parse_cards
    >>> deal = parse_cards("As Ad Ks Kd 2c 3d 7h 8s Jc")
    >>> draw_table(Hand.begin(no_limit(1, 2), [100, 50], button=0, deal=deal), shown=[0])
    preflop; board: none
    player 1: As Ad, 99, to act, button, bet 1
    player 2: ? ?, 48, bet 2
    """
    seat_names = validate_names(hand, names)
    seats = read_seats(hand, seat_names, shown)
    parts = [draw_text(title, 8, 18, 14, bold=True)] if title else []
    height = LOW_HEIGHT if hand.num_seats in FEW_SEATS else HEIGHT
    x = WIDTH / 2
    y = (TOP + height) / 2
    across, down = FELT_OF_FEW if hand.num_seats in FEW_SEATS else FELT
    parts.append(write_element("ellipse", cx=x, cy=y, rx=across, ry=down, fill="#eef5f1",
                     stroke="#b9c9c0", stroke_width=3))  # fmt: skip
    board = name_board_cards(hand, hand.street)
    parts.append(draw_small_cards(board, x - measure_row(5, BOARD_SIZE) / 2, y - 44, BOARD_SIZE))
    for k, pot_words in enumerate(list_pots(hand, seat_names)):
        parts.append(draw_text(pot_words, x, y + 26 + 15 * k, 12, "#333333", anchor="middle"))
    places = place_few_seats(hand) if hand.num_seats in FEW_SEATS else place_many_seats(hand)
    for seat_state, (middle, bet, _) in zip(seats, places, strict=True):
        parts.append(draw_seat(seat_state, x + middle[0], y + middle[1]))
        if hand.bets[seat_state.index]:
            parts.append(draw_bet(hand.bets[seat_state.index], x + bet[0], y + bet[1]))
    button = places[hand.button][2]
    parts.append(draw_button(x + button[0], y + button[1]))
    text, caption = write_table(hand, seats), write_table_caption(hand, seats)
    pieces = (draw_seat_list(hand, seats, title),)
    return SvgDrawing(WIDTH, height, "".join(parts), text, caption, pieces=pieces)


NARROW = 340.0
"""The width of a piece for narrow places in pixels, so that its letters can be read on a phone of 400 pixels."""
LINE_HEIGHT, POTS_LEFT = 16.0, 212.0
BET_LEFT = 214.0


def draw_seat_list(hand: Hand, seats: Sequence[SeatState], title: str) -> SvgDrawing:
    """Return the table for narrow places: the board, the pots beside it, and the seats below each other."""
    headline, y = draw_paragraph(title, 4, 18, 14, NARROW - 8, bold=True)
    y -= 8 if title else 12
    parts = [headline, draw_small_cards(name_board_cards(hand, hand.street), 4, y, BOARD_SIZE)]
    below = y + 14
    for pot_words in list_pots(hand, [seat_state.name for seat_state in seats]):
        lines, below = draw_paragraph(
            pot_words, POTS_LEFT, below, 12, NARROW - POTS_LEFT, fill="#333333"
        )
        parts.append(lines)
    y = max(y + SMALL_HEIGHT * BOARD_SIZE, below - LINE_HEIGHT) + 8
    for seat_state in seats:
        parts.append(draw_framed_row(hand, seat_state, y))
        y += SEAT_HEIGHT
    return SvgDrawing(NARROW, y, "".join(parts), write_table(hand, seats))


def draw_framed_row(hand: Hand, seat_state: SeatState, y: float) -> str:
    """Return a seat of the list for narrow places as SVG: cards, name, chips, status, bet, and the button."""
    fill = (
        TURN_COLOR if seat_state.status == "to act" else WON_COLOR if seat_state.won > 0 else PAPER
    )
    is_highlighted = seat_state.status == "to act" or seat_state.won > 0
    frame = write_element("rect", x=2, y=y + 1, width=NARROW - 4, height=SEAT_HEIGHT - 4, rx=6, fill=fill,
                stroke=INK if is_highlighted else "#9a9a9a", stroke_width=2.2 if is_highlighted else 1.0)  # fmt: skip
    parts = [frame, draw_row_words(seat_state, y, NARROW - 10, seat_state.chips, 13, hand.button)]
    if hand.bets[seat_state.index]:
        parts.append(draw_bet(hand.bets[seat_state.index], BET_LEFT, y + 32))
    if seat_state.is_out:
        parts.append(draw_veil(2, y + 1, NARROW - 4, SEAT_HEIGHT - 4))
    return "".join(parts)


Places = list[tuple[Point, Point, Point]]
"""The places of each seat, of its bet and of its button, in pixels from the middle of the table."""


def place_few_seats(hand: Hand) -> Places:
    """Return the places of two to four seats on the left and right of the board, so that the table is low."""
    places = []
    for across, down in FEW_SEATS[hand.num_seats]:
        seat = across * SEATS_OF_FEW[0], down * SEATS_OF_FEW[1]
        bet = across * BETS_OF_FEW[0], down * BETS_OF_FEW[1]
        places.append((seat, bet, (seat[0] + 56.0, seat[1] - 20.0)))
    return places


def place_many_seats(hand: Hand) -> Places:
    """Return the places of seats on ellipses around the board, clockwise from the first seat at the bottom."""

    def find_point(ellipse: Point, seat: int, degrees: float = 0.0) -> Point:
        angle = math.radians(90.0 + 360.0 * seat / hand.num_seats + degrees)
        return ellipse[0] * math.cos(angle), ellipse[1] * math.sin(angle)

    seats = range(hand.num_seats)
    return [
        (find_point(SEATS, seat), find_point(BETS, seat), find_point(BUTTON, seat, BUTTON_ANGLE))
        for seat in seats
    ]


def write_table(hand: Hand, seats: Sequence[SeatState]) -> str:
    """Return the table as text: a line with street, board and pots, then a line for each seat."""
    board = " ".join(filter(None, name_board_cards(hand, hand.street))) or "none"
    pots = list_pots(hand, [seat_state.name for seat_state in seats])
    lines = ["; ".join([STREETS[hand.street], f"board: {board}", *pots])]
    for seat_state in seats:
        parts = [str(seat_state)]
        parts += ["button"] if seat_state.index == hand.button else []
        parts += [f"bet {hand.bets[seat_state.index]:,}"] if hand.bets[seat_state.index] else []
        lines.append(", ".join(parts))
    return "\n".join(lines)


def write_table_caption(hand: Hand, seats: Sequence[SeatState]) -> str:
    """Return the caption of the picture of a table: who is to act, or how the hand ended."""
    if not hand.is_over:
        assert hand.actor is not None
        where = f"{STREETS[hand.street]}, {seats[hand.actor].name} to act (heavy frame)."
        return (
            f"{capitalize(where)} D is the button; chips in front of a seat are its bet of"
            " this round, the number on its plate is what it has left."
        )
    winners = ", ".join(
        f"{seat_state.name} win{'s' * (seat_state.name != 'you')} {seat_state.won:,}"
        for seat_state in seats
        if seat_state.won > 0
    )
    end = "by showdown" if is_shown_down(hand) else "because everybody else folded"
    return f"The hand is over, {end}: {winners or 'all players get their chips back'}. Stacks are those after it."


@dataclass(frozen=True)
class Step:
    """An action of a seat, or its posts of blinds and antes."""

    street: int
    seat: int
    words: str  # such as 'checks' or 'raises to 6, all-in'
    pot: int  # the chips on the table after it, without those that no other seat has matched


def list_steps(hand: Hand) -> list[Step]:
    """Return the posts and actions of a hand in order.

    All posts of a seat are one step, whose pot is the one after the posts of all seats.
    """
    posted: dict[int, list[str]] = {}
    for seat, post in iterate_posts(hand):
        posted.setdefault(seat, []).append(post)
    pot = count_matched_chips(rewind_hand(hand))
    steps = [Step(0, seat, " and ".join(posts), pot) for seat, posts in posted.items()]
    for hand_before, action in replay_actions(hand):
        words = describe_action(hand_before, action)
        pot = count_matched_chips(hand_before.after(action))
        steps.append(Step(hand_before.street, get_actor(hand_before), words, pot))
    return steps


THOUSANDS = re.compile(r"(?<=\d)(?=(\d{3})+\b)")  # the places of commas in large numbers


def list_story_rows(hand: Hand, names: Sequence[str]) -> list[list[str]]:
    """Return a row of texts for each post and action of a hand: the street, the name of the seat, and the action."""
    return [
        [STREETS[step.street], names[step.seat], THOUSANDS.sub(",", step.words)]
        for step in list_steps(hand)
    ]


def format_story_row(row: Sequence[str]) -> str:
    """Return a row of `list_story_rows` as text: 'flop, you: checks'."""
    street, name, words = row
    return f"{street}, {name}: {words}"


def summarize_news(headline: str, table_text: str, story: Sequence[Sequence[str]]) -> str:
    """Return the news for the reader in the first seat, 'you', as lines of text for a screen reader.

    Parameters
    ----------
    headline : str
        What the reader can do.
    table_text : str
        The table as text. Its first two lines are part of the news: the board and pots, and the reader's seat.
    story : sequence of sequences of str
        The rows of `list_story_rows`. Those after the last action of the reader are part of the news.
    """
    last_own = max((k for k, (_, name, _) in enumerate(story) if name == "you"), default=-1)
    new_rows = story[last_own + 1 :]
    return "\n".join([headline, *table_text.splitlines()[:2], *map(format_story_row, new_rows)])


def draw_story(
    story: Sequence[Sequence[str]],
    left: float,
    top: float,
    pitch: float,
    size: float,
    columns: tuple[float, float],
) -> str:
    """Return the actions of a hand as lines of SVG.

    Parameters
    ----------
    story : sequence of sequences of str
        The rows of `list_story_rows`: street, name of the seat, and action.
    left, top : float
        The beginning of the first base line, in pixels.
    pitch : float
        The distance of two base lines, in pixels.
    size : float
        The size of the font, in pixels.
    columns : tuple of two floats
        Where names and actions begin, in pixels from `left`. Names are shortened to the room between the two.
    """
    parts = []
    names_at, actions_at = columns
    for k, (street, name, action) in enumerate(story):
        y = top + pitch * k
        parts += [draw_text(street, left, y, size, GRAY)] * bool(street)
        short_name = cut_words(name, size, actions_at - names_at - 4)
        parts.append(draw_text(short_name, left + names_at, y, size))
        parts.append(draw_text(action, left + actions_at, y, size))
    return "".join(parts)


def count_matched_chips(hand: Hand) -> int:
    """Return the chips on the table that another seat has matched, and those in the pots."""
    return sum(hand.paid) - sum(compute_uncalled_chips(hand.paid_without_big_blind_ante))


def is_shown_down(hand: Hand) -> bool:
    """Return whether the hand ended by a showdown of two seats or more."""
    return hand.is_over and len(hand.live_seats) > 1


def name_board_cards(hand: Hand, street: int) -> list[str]:
    """Return the names of the five cards of the board on a street; '' is a card to come."""
    cards = hand.deal[2 * hand.num_seats :][: BOARD_SIZES[street]]
    return [format_cards(card) for card in cards] + [""] * (5 - len(cards))


def list_pots(hand: Hand, names: Sequence[str]) -> list[str]:
    """Return a line for each pot: its chips, and the seats that can win it or have won it.

    The seats are left out while there is a single pot and the hand is under way.
    """
    lines = []
    for k, pot in enumerate(hand.pots):
        name = "pot" if len(hand.pots) == 1 else "main pot" if k == 0 else f"side pot {k}"
        seats = pot.seats
        verb = "for"
        if hand.is_over:
            seats = find_pot_winners(pot, hand.strengths)
            verb = "won by" if len(seats) == 1 else "shared by"
        has_seats = hand.is_over or len(hand.pots) > 1
        winners = f", {verb} {' and '.join(names[seat] for seat in seats)}"
        lines.append(f"{name}: {pot.chips:,}{winners * has_seats}")
    return lines


STRIP_TOP = 26.0
SEATS_WIDTH, COLUMN_WIDTH = 242.0, 164.0
SEAT_HEIGHT, STEP_HEIGHT, HEAD_HEIGHT, POT_HEIGHT, TERM_HEIGHT = 48.0, 22.0, 58.0, 17.0, 12.0
STRIP_BOARD_SIZE = 0.72


def draw_hand(
    hand: Hand,
    shown: Collection[int] | None = None,
    *,
    names: Sequence[str] | None = None,
    title: str = "",
) -> SvgDrawing:
    """Draw a hand from its first blind to its last action, street by street.

    Parameters
    ----------
    hand : Hand
        The hand, finished or under way.
    shown, names, title
        As in `draw_table`.

    Examples
    --------
    >>> from pokerlab.holdem.betting_structure import no_limit
    >>> from pokerlab.holdem.hand import CALL
    >>> from pokerlab.holdem.cards import parse_cards
    >>> deal = parse_cards("As Ad Ks Kd 2c 3d 7h 8s Jc")
    >>> begun = Hand.begin(no_limit(1, 2), [100, 50], button=0, deal=deal)
    >>> draw_hand(begun.after(50).after(CALL))
    player 1: As Ad, 150, pair, +50, had 100, button
    player 2: Ks Kd, 0, pair, −50, had 50
    preflop: player 1 posts 1; player 2 posts 2; player 1 raises to 50; player 2 calls 48, all-in
    flop 2c 3d 7h
    turn 2c 3d 7h 8s
    river 2c 3d 7h 8s Jc
    pot: 100, won by player 1
    """
    seat_names = validate_names(hand, names)
    seats = read_seats(hand, seat_names, shown)
    columns = [[] for _ in range(hand.street + 1)]  # type: list[list[Step]]
    for step in list_steps(hand):
        columns[step.street].append(step)
    pots = list_pots(hand, seat_names) if hand.is_over else []
    head = max(
        HEAD_HEIGHT, 22.0 + TERM_HEIGHT * len(describe_structure(hand.structure).split(", "))
    )
    longest = head + STEP_HEIGHT * max(map(len, columns))
    bottom = STRIP_TOP + max(longest, SEAT_HEIGHT * len(seats))
    parts = [draw_text(title, 8, 18, 14, bold=True)] if title else []
    parts += [
        draw_row(hand, seat_state, STRIP_TOP + SEAT_HEIGHT * seat_state.index)
        for seat_state in seats
    ]
    for street, steps in enumerate(columns):
        x = SEATS_WIDTH + COLUMN_WIDTH * street
        parts.append(draw_line(x - 6, STRIP_TOP, x - 6, bottom, stroke="#d9d9d9"))
        pot = next((before[-1].pot for before in reversed(columns[:street]) if before), 0)
        parts.append(draw_street(hand, street, steps, pot, x, head))
    for k, pot_words in enumerate(pots):
        parts.append(
            draw_text(pot_words, SEATS_WIDTH + 2, bottom + 16 + POT_HEIGHT * k, 12, bold=True)
        )
    return SvgDrawing(
        SEATS_WIDTH + COLUMN_WIDTH * max(len(columns), 3),
        bottom + 8 + POT_HEIGHT * len(pots),
        "".join(parts),
        write_strip(hand, seats, columns, pots),
        write_strip_caption(hand),
    )


def draw_row(hand: Hand, seat_state: SeatState, y: float) -> str:
    """Return a seat on the left of a strip as SVG: cards, name, stack before the hand, status, and chips won."""
    won = write_element(
        "rect", x=2, y=y + 1, width=SEATS_WIDTH - 14, height=SEAT_HEIGHT - 4, rx=6, fill=WON_COLOR
    )
    parts = [won] if seat_state.won > 0 else []
    stack = f"{hand.starting_stacks[seat_state.index]:,}"
    parts.append(draw_row_words(seat_state, y, SEATS_WIDTH - 20, stack, 12, hand.button))
    if seat_state.is_out:
        parts.append(draw_veil(2, y + 1, SEATS_WIDTH - 14, SEAT_HEIGHT - 4))
    return "".join(parts)


def draw_row_words(
    seat_state: SeatState, y: float, right: float, chips: str, size: float, button: int
) -> str:
    """Return the cards and words of a row of a seat as SVG, without its frame.

    Parameters
    ----------
    seat_state : SeatState
        The seat.
    y : float
        The top of the row, in pixels.
    right : float
        Where the chips end, in pixels.
    chips : str
        The chips that are written.
    size : float
        The size of the font of the name and the chips, in pixels.
    button : int
        The seat with the button.
    """
    short_name = cut_words(seat_state.name, size, right - 105 - estimate_width(chips, size))
    parts = [draw_small_cards(seat_state.cards, 8, y + 3)]
    parts.append(draw_mark(seat_state.index, 84, y + 14) + draw_text(short_name, 100, y + 18, size))
    if seat_state.index == button:
        parts.append(draw_button(84, y + 35))
    parts.append(draw_text(chips, right, y + 18, size, anchor="end", bold=True))
    parts.append(draw_text(seat_state.status, 100, y + 36, size - 1, "#444444"))
    if seat_state.won:
        parts.append(
            draw_text(format_gain(seat_state.won), right, y + 36, size, anchor="end", bold=True)
        )
    return "".join(parts)


def draw_street(
    hand: Hand, street: int, steps: Sequence[Step], pot: int, x: float, head: float
) -> str:
    """Return the column of a street as SVG.

    Parameters
    ----------
    hand : Hand
        The hand.
    street : int
        The street: 0 for preflop, whose head has the betting structure. Others have the board and the pot.
    steps : sequence of Step
        The posts and actions of the street.
    pot : int
        The chips in the pot when the street begins.
    x : float
        The left edge of the column, in pixels.
    head : float
        The height of the head above the steps, in pixels.
    """
    parts = [draw_text(STREETS[street], x + 2, STRIP_TOP + 12, 12.5, bold=True)]
    if street:
        words = f"pot {pot:,}"
        parts.append(
            draw_text(words, x + COLUMN_WIDTH - 16, STRIP_TOP + 12, 11.5, GRAY, anchor="end")
        )
        board = [name for name in name_board_cards(hand, street) if name]
        parts.append(draw_small_cards(board, x + 2, STRIP_TOP + 20, STRIP_BOARD_SIZE))
    else:
        for k, words in enumerate(describe_structure(hand.structure).split(", ")):
            parts.append(draw_text(words, x + 2, STRIP_TOP + 28 + TERM_HEIGHT * k, 11, GRAY))
    y = STRIP_TOP + head
    for k, step in enumerate(steps):
        top = y + STEP_HEIGHT * k
        parts.append(
            draw_mark(step.seat, x + 12, top + 11) + draw_text(step.words, x + 28, top + 15, 11.5)
        )
    if not steps:
        parts.append(draw_text("no more betting", x + 2, y + 15, 11.5, GRAY))
    return "".join(parts)


def write_strip(
    hand: Hand, seats: Sequence[SeatState], columns: Sequence[Sequence[Step]], pots: Sequence[str]
) -> str:
    """Return a hand as text: a line for each seat, for each street with its board and actions, and for each pot."""
    lines = []
    for seat_state in seats:
        parts = [str(seat_state), f"had {hand.starting_stacks[seat_state.index]:,}"]
        lines.append(", ".join([*parts, *["button"] * (seat_state.index == hand.button)]))
    for street, steps in enumerate(columns):
        board = " ".join(filter(None, name_board_cards(hand, street)))
        actions = "; ".join(f"{seats[step.seat].name} {step.words}" for step in steps)
        lines.append(f"{STREETS[street]} {board}".strip() + (f": {actions}" if actions else ""))
    return "\n".join([*lines, *pots])


def write_strip_caption(hand: Hand) -> str:
    """Return the caption of the picture of a hand: how to read it, and how the hand ended."""
    words = (
        "Read from left to right, each street from above. On the left, the stacks before the hand"
    )
    if not hand.is_over:
        return f"{words}. The hand is under way."
    ending = "what was shown down" if is_shown_down(hand) else "who folded"
    return f"{words}, {ending}, and what everybody has won (green) or lost. D is the button."
