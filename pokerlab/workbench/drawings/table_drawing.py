"""A table of hold'em as a drawing: seats around an oval, cards, bets and pots at one moment; and a hand in words.

A whole hand is a strip: who holds what, then street by street what was done.
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
    draw_paragraph,
    draw_small_cards,
    draw_text,
    estimate_width,
    mark,
    measure_row,
    write_element,
)
from pokerlab.workbench.style import GRAY, INK, ORANGE, PAPER
from pokerlab.workbench.text import capitalize, signed

PLATE_WIDTH, PLATE_HEIGHT = 156.0, 38.0
OVERLAP = 2.0  # pixels of the cards behind the plate
BLOCK_HEIGHT = PLATE_HEIGHT + SMALL_HEIGHT - OVERLAP
VEIL = 0.55  # opacity of the paper laid over who has folded
TURN, WON = "#fff3d6", "#dff0e8"


@dataclass(frozen=True)
class SeatNow:
    """What is known of a seat at some moment of a hand."""

    seat: int
    name: str
    cards: list[str]  # 'As', or '?' face down; empty where none were dealt
    chips: str  # its stack, in words
    state: str  # 'to act', 'folded', 'all-in', what it showed down, or nothing
    won: int  # chips won less paid; 0 while the hand is under way

    @classmethod
    def read(cls, hand: Hand, seat: int, name: str, cards: list[str]) -> "SeatNow":
        """Return the seat of `hand`, whose cards are seen as `cards`."""
        if not hand.starting_stacks[seat]:
            return cls(seat, name, [], "", "no chips, sits out", 0)
        won = int(hand.payoffs[seat]) if hand.is_over else 0
        stack = hand.starting_stacks[seat] + won if hand.is_over else hand.stacks[seat]
        return cls(seat, name, cards, f"{stack:,}", describe_state(hand, seat), won)

    @property
    def is_out(self) -> bool:
        """Whether it cannot win any more."""
        return self.state in ("folded", "no chips, sits out")

    def __str__(self) -> str:
        won = format_gain(self.won) if self.won else ""
        said = [" ".join(self.cards), self.chips, self.state, won]
        return f"{self.name}: {', '.join(filter(None, said))}"


def describe_state(hand: Hand, seat: int) -> str:
    """Return in words what a seat that was dealt in is doing."""
    if seat == hand.actor:
        return "to act"
    if hand.folded[seat]:
        return "folded"
    if is_shown_down(hand):
        return str(name_category(hand.strengths[seat]))
    return "" if hand.stacks[seat] or hand.is_over else "all-in"


def read_seats(hand: Hand, names: Sequence[str], shown: Collection[int] | None) -> list[SeatNow]:
    """Return all seats; the cards of those `shown` are open, or all, at a showdown those of who is left."""
    open_to = range(hand.num_seats) if shown is None else shown
    seats = []
    for seat in range(hand.num_seats):
        is_open = seat in open_to or (is_shown_down(hand) and seat in hand.live_seats)
        cards = format_cards(hand.get_hole_cards(seat)).split() if is_open else [FACE_DOWN] * 2
        seats.append(SeatNow.read(hand, seat, names[seat], cards))
    return seats


def draw_seat(now: SeatNow, x: float, y: float) -> str:
    """Return a seat whose block of cards and plate has its middle at (x, y)."""
    left, top = x - PLATE_WIDTH / 2, y - BLOCK_HEIGHT / 2
    begin = x - measure_row(len(now.cards)) / 2
    below = top + SMALL_HEIGHT - OVERLAP
    fill = TURN if now.state == "to act" else WON if now.won > 0 else PAPER
    wide = now.state == "to act" or now.won > 0
    plate = write_element("rect", x=left, y=below, width=PLATE_WIDTH, height=PLATE_HEIGHT, rx=7, fill=fill,
                stroke=INK if wide else "#9a9a9a", stroke_width=2.2 if wide else 1.0)  # fmt: skip
    called = cut_words(now.name, 12, PLATE_WIDTH - 41 - estimate_width(now.chips, 12))
    words = mark(now.seat, left + 15, below + 13) + draw_text(called, left + 30, below + 16, 12)
    right = left + PLATE_WIDTH - 7
    words += draw_text(now.chips, right, below + 16, 12, anchor="end", bold=True)
    words += draw_text(now.state, left + 8, below + 32, 11, "#444444")
    if now.won:
        words += draw_text(
            format_gain(now.won), right, below + 32, 11.5, INK, anchor="end", bold=True
        )
    block = draw_small_cards(now.cards, begin, top) + plate + words
    if now.is_out:
        block += draw_veil(left, below, PLATE_WIDTH, PLATE_HEIGHT)
        block += draw_veil(begin, top, measure_row(2), SMALL_HEIGHT - OVERLAP) * bool(now.cards)
    return block


def cut_words(words: str, size: float, room: float) -> str:
    """Return words, cut where they would need more than `room` pixels."""
    if estimate_width(words, size) <= room:
        return words
    letters = max(int(room / estimate_width("x", size)) - 1, 1)
    return f"{words[:letters]}…"


def draw_veil(x: float, y: float, width: float, height: float) -> str:
    """Return paper laid over what no longer matters."""
    return write_element(
        "rect", x=x, y=y, width=width, height=height, fill=PAPER, fill_opacity=VEIL
    )


def format_gain(chips: int) -> str:
    """Return chips won, with sign, and commas between thousands."""
    return signed(chips) if abs(chips) < 1000 else f"{'−' if chips < 0 else '+'}{abs(chips):,}"


def draw_bet(chips: int, x: float, y: float) -> str:
    """Return a stack of chips with its number, the middle at (x, y)."""
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
    """Return the dealer's button with its middle at (x, y)."""
    disc = write_element("circle", cx=x, cy=y, r=9, fill=PAPER, stroke=GRAY, stroke_width=1.5)
    return disc + draw_text("D", x, y + 4, 11, anchor="middle", bold=True)


WIDTH, HEIGHT, LOW, TOP = 800.0, 452.0, 240.0, 26.0
"""Size of a table, and its height where few sit at it; what stands above it."""
FELT, SEATS, BETS, BUTTON = (330.0, 172.0), (318.0, 168.0), (208.0, 92.0), (222.0, 108.0)
"""Half axes of ellipses: the felt's edge, where seats sit, where bets lie, and the button."""
Point = tuple[float, float]
BUTTON_TURN = 15.0  # degrees by which the button lies beside its seat's bet
FEW: dict[int, tuple[Point, ...]] = {
    2: ((-1, 0), (1, 0)),
    3: ((-1, 0), (0.8, -1), (0.8, 1)),
    4: ((-0.8, 1), (-0.8, -1), (0.8, -1), (0.8, 1)),
}
"""Where few players sit, beside the board: from -1 to 1 across and down, clockwise from the first."""
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
        At any moment.
    shown : collection of int, optional
        Seats whose hole cards lie open, such as `[0]`, or `[]` for none; a showdown opens those
        of all who have not folded. If not given, all are open.
    names : sequence of str, optional
        What the seats are called, instead of 'player 1' and so on.
    title : str
        Written above.

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
    called = validate_names(hand, names)
    seats = read_seats(hand, called, shown)
    parts = [draw_text(title, 8, 18, 14, bold=True)] if title else []
    height = LOW if hand.num_seats in FEW else HEIGHT
    x = WIDTH / 2
    y = (TOP + height) / 2
    across, down = FELT_OF_FEW if hand.num_seats in FEW else FELT
    parts.append(write_element("ellipse", cx=x, cy=y, rx=across, ry=down, fill="#eef5f1",
                     stroke="#b9c9c0", stroke_width=3))  # fmt: skip
    board = name_board_cards(hand, hand.street)
    parts.append(draw_small_cards(board, x - measure_row(5, BOARD_SIZE) / 2, y - 44, BOARD_SIZE))
    for k, said in enumerate(list_pots(hand, called)):
        parts.append(draw_text(said, x, y + 26 + 15 * k, 12, "#333333", anchor="middle"))
    places = place_few_seats(hand) if hand.num_seats in FEW else place_many_seats(hand)
    for now, (at, bet, _) in zip(seats, places, strict=True):
        parts.append(draw_seat(now, x + at[0], y + at[1]))
        if hand.bets[now.seat]:
            parts.append(draw_bet(hand.bets[now.seat], x + bet[0], y + bet[1]))
    button = places[hand.button][2]
    parts.append(draw_button(x + button[0], y + button[1]))
    text, caption = write_table(hand, seats), write_table_caption(hand, seats)
    pieces = (draw_seat_list(hand, seats, title),)
    return SvgDrawing(WIDTH, height, "".join(parts), text, caption, pieces=pieces)


NARROW = 340.0
"""Width of a piece for narrow places, whose letters are read on a phone of 400 pixels."""
LINE_HEIGHT, POTS_AT = 16.0, 212.0
BET_AT = 214.0


def draw_seat_list(hand: Hand, seats: Sequence[SeatNow], title: str) -> SvgDrawing:
    """Return the table for a narrow place: the board, the pots beside it, and the seats one below the other."""
    headline, y = draw_paragraph(title, 4, 18, 14, NARROW - 8, bold=True)
    y -= 8 if title else 12
    parts = [headline, draw_small_cards(name_board_cards(hand, hand.street), 4, y, BOARD_SIZE)]
    below = y + 14
    for said in list_pots(hand, [now.name for now in seats]):
        drawn, below = draw_paragraph(said, POTS_AT, below, 12, NARROW - POTS_AT, fill="#333333")
        parts.append(drawn)
    y = max(y + SMALL_HEIGHT * BOARD_SIZE, below - LINE_HEIGHT) + 8
    for now in seats:
        parts.append(draw_framed_row(hand, now, y))
        y += SEAT_HEIGHT
    return SvgDrawing(NARROW, y, "".join(parts), write_table(hand, seats))


def draw_framed_row(hand: Hand, now: SeatNow, y: float) -> str:
    """Return a seat of the list: cards, name, chips, what it does, its bet, and the button."""
    fill = TURN if now.state == "to act" else WON if now.won > 0 else PAPER
    wide = now.state == "to act" or now.won > 0
    frame = write_element("rect", x=2, y=y + 1, width=NARROW - 4, height=SEAT_HEIGHT - 4, rx=6, fill=fill,
                stroke=INK if wide else "#9a9a9a", stroke_width=2.2 if wide else 1.0)  # fmt: skip
    parts = [frame, draw_row_words(now, y, NARROW - 10, now.chips, 13, hand.button)]
    if hand.bets[now.seat]:
        parts.append(draw_bet(hand.bets[now.seat], BET_AT, y + 32))
    if now.is_out:
        parts.append(draw_veil(2, y + 1, NARROW - 4, SEAT_HEIGHT - 4))
    return "".join(parts)


Places = list[tuple[Point, Point, Point]]
"""From the middle of the table, where each seat sits, and where its bet and its button lie."""


def place_few_seats(hand: Hand) -> Places:
    """Return the places beside the board, so that the table is low; the button is beside a seat's cards."""
    places = []
    for across, down in FEW[hand.num_seats]:
        seat = across * SEATS_OF_FEW[0], down * SEATS_OF_FEW[1]
        bet = across * BETS_OF_FEW[0], down * BETS_OF_FEW[1]
        places.append((seat, bet, (seat[0] + 56.0, seat[1] - 20.0)))
    return places


def place_many_seats(hand: Hand) -> Places:
    """Return the places on ellipses around the board: the first seat is below, the others follow clockwise."""

    def on(ellipse: Point, seat: int, turned: float = 0.0) -> Point:
        angle = math.radians(90.0 + 360.0 * seat / hand.num_seats + turned)
        return ellipse[0] * math.cos(angle), ellipse[1] * math.sin(angle)

    seats = range(hand.num_seats)
    return [(on(SEATS, seat), on(BETS, seat), on(BUTTON, seat, BUTTON_TURN)) for seat in seats]


def write_table(hand: Hand, seats: Sequence[SeatNow]) -> str:
    """Return the table as lines of text."""
    board = " ".join(filter(None, name_board_cards(hand, hand.street))) or "none"
    pots = list_pots(hand, [now.name for now in seats])
    lines = ["; ".join([STREETS[hand.street], f"board: {board}", *pots])]
    for now in seats:
        said = [str(now)]
        said += ["button"] if now.seat == hand.button else []
        said += [f"bet {hand.bets[now.seat]:,}"] if hand.bets[now.seat] else []
        lines.append(", ".join(said))
    return "\n".join(lines)


def write_table_caption(hand: Hand, seats: Sequence[SeatNow]) -> str:
    """Return what to see."""
    if not hand.is_over:
        assert hand.actor is not None
        where = f"{STREETS[hand.street]}, {seats[hand.actor].name} to act (heavy frame)."
        return (
            f"{capitalize(where)} D is the button; chips in front of a seat are its bet of"
            " this round, the number on its plate is what it has left."
        )
    takers = ", ".join(
        f"{now.name} win{'s' * (now.name != 'you')} {now.won:,}" for now in seats if now.won > 0
    )
    end = "by showdown" if is_shown_down(hand) else "because everybody else folded"
    return f"The hand is over, {end}: {takers or 'all players get their chips back'}. Stacks are those after it."


@dataclass(frozen=True)
class Step:
    """What a seat did."""

    street: int
    seat: int
    words: str  # what is said at the table: 'checks', 'raises to 6, all-in'
    pot: int  # chips on the table afterward, but for those of a bet that nobody else has matched


def list_steps(hand: Hand) -> list[Step]:
    """Return what was posted and done, in order."""
    posted: dict[int, list[str]] = {}
    for seat, said in iterate_posts(hand):
        posted.setdefault(seat, []).append(said)
    pot = count_matched_chips(rewind_hand(hand))
    done = [Step(0, seat, " and ".join(said), pot) for seat, said in posted.items()]
    for now, action in replay_actions(hand):
        done.append(
            Step(
                now.street,
                get_actor(now),
                describe_action(now, action),
                count_matched_chips(now.after(action)),
            )
        )
    return done


THOUSANDS = re.compile(r"(?<=\d)(?=(\d{3})+\b)")  # where a large number has a comma


def list_story_rows(hand: Hand, names: Sequence[str]) -> list[list[str]]:
    """Return for each action so far: street, who, what was said."""
    return [
        [STREETS[step.street], names[step.seat], THOUSANDS.sub(",", step.words)]
        for step in list_steps(hand)
    ]


def format_story_row(step: Sequence[str]) -> str:
    """Return one action of a story as text: 'flop, you: checks'."""
    return f"{step[0]}, {step[1]}: {step[2]}"


def summarize_news(headline: str, table: str, story: Sequence[Sequence[str]]) -> str:
    """Return the news for the first seat, 'you': what to do, board and own cards, what others did since it acted."""
    acted = max((k for k, (_, who, _) in enumerate(story) if who == "you"), default=-1)
    return "\n".join(
        [headline, *table.splitlines()[:2], *map(format_story_row, story[acted + 1 :])]
    )


def draw_story(
    story: Sequence[Sequence[str]],
    left: float,
    top: float,
    pitch: float,
    size: float,
    columns: tuple[float, float],
) -> str:
    """Return lines of how a hand went; `columns` say how far to the right names and words begin."""
    parts = []
    (named, said) = columns
    for k, (street, who, did) in enumerate(story):
        y = top + pitch * k
        parts += [draw_text(street, left, y, size, GRAY)] * bool(street)
        parts.append(draw_text(cut_words(who, size, said - named - 4), left + named, y, size))
        parts.append(draw_text(did, left + said, y, size))
    return "".join(parts)


def count_matched_chips(hand: Hand) -> int:
    """Return the chips on the table that are matched, or in the pots already."""
    return sum(hand.paid) - sum(compute_uncalled_chips(hand.paid_without_big_blind_ante))


def is_shown_down(hand: Hand) -> bool:
    """Return whether two hands or more were compared at the end."""
    return hand.is_over and len(hand.live_seats) > 1


def name_board_cards(hand: Hand, street: int) -> list[str]:
    """Return the five places of the board on a street; '' is a card to come."""
    cards = hand.deal[2 * hand.num_seats :][: BOARD_SIZES[street]]
    return [format_cards(card) for card in cards] + [""] * (5 - len(cards))


def list_pots(hand: Hand, names: Sequence[str]) -> list[str]:
    """Return a line for each pot: its chips, and who can win it or has."""
    lines = []
    for k, pot in enumerate(hand.pots):
        name = "pot" if len(hand.pots) == 1 else "main pot" if k == 0 else f"side pot {k}"
        who = pot.seats
        verb = "for"
        if hand.is_over:
            who = find_pot_winners(pot, hand.strengths)
            verb = "won by" if len(who) == 1 else "shared by"
        says_who = hand.is_over or len(hand.pots) > 1
        takers = f", {verb} {' and '.join(names[seat] for seat in who)}"
        lines.append(f"{name}: {pot.chips:,}{takers * says_who}")
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
        Finished or under way.
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
    called = validate_names(hand, names)
    seats = read_seats(hand, called, shown)
    columns = [[] for _ in range(hand.street + 1)]  # type: list[list[Step]]
    for step in list_steps(hand):
        columns[step.street].append(step)
    pots = list_pots(hand, called) if hand.is_over else []
    head = max(
        HEAD_HEIGHT, 22.0 + TERM_HEIGHT * len(describe_structure(hand.structure).split(", "))
    )
    longest = head + STEP_HEIGHT * max(map(len, columns))
    bottom = STRIP_TOP + max(longest, SEAT_HEIGHT * len(seats))
    parts = [draw_text(title, 8, 18, 14, bold=True)] if title else []
    parts += [draw_row(hand, now, STRIP_TOP + SEAT_HEIGHT * now.seat) for now in seats]
    for street, done in enumerate(columns):
        x = SEATS_WIDTH + COLUMN_WIDTH * street
        parts.append(draw_line(x - 6, STRIP_TOP, x - 6, bottom, stroke="#d9d9d9"))
        pot = next((before[-1].pot for before in reversed(columns[:street]) if before), 0)
        parts.append(draw_street(hand, street, done, pot, x, head))
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


def draw_row(hand: Hand, now: SeatNow, y: float) -> str:
    """Return a seat on the left: cards, name, stack, and how it ended."""
    won = write_element(
        "rect", x=2, y=y + 1, width=SEATS_WIDTH - 14, height=SEAT_HEIGHT - 4, rx=6, fill=WON
    )
    parts = [won] if now.won > 0 else []
    stack = f"{hand.starting_stacks[now.seat]:,}"
    parts.append(draw_row_words(now, y, SEATS_WIDTH - 20, stack, 12, hand.button))
    if now.is_out:
        parts.append(draw_veil(2, y + 1, SEATS_WIDTH - 14, SEAT_HEIGHT - 4))
    return "".join(parts)


def draw_row_words(
    now: SeatNow, y: float, right: float, chips: str, size: float, button: int
) -> str:
    """Return what stands in a row of a seat from its cards to `right`; the chips are in letters of `size`."""
    called = cut_words(now.name, size, right - 105 - estimate_width(chips, size))
    parts = [draw_small_cards(now.cards, 8, y + 3)]
    parts.append(mark(now.seat, 84, y + 14) + draw_text(called, 100, y + 18, size))
    if now.seat == button:
        parts.append(draw_button(84, y + 35))
    parts.append(draw_text(chips, right, y + 18, size, anchor="end", bold=True))
    parts.append(draw_text(now.state, 100, y + 36, size - 1, "#444444"))
    if now.won:
        parts.append(draw_text(format_gain(now.won), right, y + 36, size, anchor="end", bold=True))
    return "".join(parts)


def draw_street(
    hand: Hand, street: int, done: Sequence[Step], pot: int, x: float, head: float
) -> str:
    """Return a column: the board of the street, the first pot, and `head` pixels below what was done."""
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
    for k, step in enumerate(done):
        at = y + STEP_HEIGHT * k
        parts.append(
            mark(step.seat, x + 12, at + 11) + draw_text(step.words, x + 28, at + 15, 11.5)
        )
    if not done:
        parts.append(draw_text("no more betting", x + 2, y + 15, 11.5, GRAY))
    return "".join(parts)


def write_strip(
    hand: Hand, seats: Sequence[SeatNow], columns: Sequence[Sequence[Step]], pots: Sequence[str]
) -> str:
    """Return the hand as lines of text."""
    lines = []
    for now in seats:
        said = [str(now), f"had {hand.starting_stacks[now.seat]:,}"]
        lines.append(", ".join([*said, *["button"] * (now.seat == hand.button)]))
    for street, done in enumerate(columns):
        board = " ".join(filter(None, name_board_cards(hand, street)))
        actions = "; ".join(f"{seats[step.seat].name} {step.words}" for step in done)
        lines.append(f"{STREETS[street]} {board}".strip() + (f": {actions}" if actions else ""))
    return "\n".join([*lines, *pots])


def write_strip_caption(hand: Hand) -> str:
    """Return what to see."""
    words = (
        "Read from left to right, each street from above. On the left, the stacks before the hand"
    )
    if not hand.is_over:
        return f"{words}. The hand is under way."
    how = "what was shown down" if is_shown_down(hand) else "who folded"
    return f"{words}, {how}, and what everybody has won (green) or lost. D is the button."
