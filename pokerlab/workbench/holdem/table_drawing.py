"""A table of hold'em as a drawing: seats around an oval, cards, bets and pots at one moment."""

import math
from collections.abc import Collection, Sequence

from pokerlab.holdem.betting.hand import Hand
from pokerlab.holdem.betting.structure import STREETS
from pokerlab.holdem.table.history import names_of
from pokerlab.workbench.drawings.svg import Picture, label, tag
from pokerlab.workbench.holdem.seat_drawing import SeatNow, draw_bet, draw_button, draw_seat
from pokerlab.workbench.holdem.small_cards import row_width, small_cards
from pokerlab.workbench.holdem.told import (
    board_names,
    hole_names,
    is_shown_down,
    pot_lines,
)

WIDTH, HEIGHT, TOP = 800.0, 452.0, 26.0
MIDDLE = (WIDTH / 2, TOP + (HEIGHT - TOP) / 2)
FELT, SEATS, BETS, BUTTON = (330.0, 172.0), (318.0, 168.0), (208.0, 92.0), (222.0, 108.0)
"""Half axes of ellipses: the felt's edge, where seats sit, where bets lie, and the button."""
BUTTON_TURN = 15.0
"""Degrees by which the button lies beside its seat's bet."""
BOARD_SIZE = 1.3


def draw_table(
    hand: Hand,
    shown: Collection[int] | None = None,
    *,
    names: Sequence[str] | None = None,
    title: str = "",
) -> Picture:
    """Draw the table at one moment of a hand.

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

    Returns
    -------
    Picture
        The last line of a cell shows it.

    Raises
    ------
    SettingError
        If there are not as many names as seats.

    Examples
    --------
    >>> from pokerlab.holdem.betting.hand import no_limit
    >>> from pokerlab.holdem.cards.cards import parse_cards
    >>> deal = parse_cards("As Ad Ks Kd 2c 3d 7h 8s Jc")
    >>> draw_table(Hand.begin(no_limit(1, 2), [100, 50], button=0, deal=deal), shown=[0])
    preflop; board: none; pot 3
    player 1: As Ad, 99, to act, button, bet 1
    player 2: ? ?, 48, bet 2
    """
    called = names_of(hand, names)
    seats = [
        SeatNow.of(hand, seat, called[seat], hole_names(hand, seat, shown))
        for seat in range(hand.num_seats)
    ]
    parts = [label(title, 8, 18, 14, font_weight="bold")] if title else []
    x, y = MIDDLE
    parts.append(tag("ellipse", cx=x, cy=y, rx=FELT[0], ry=FELT[1], fill="#eef5f1",
                     stroke="#b9c9c0", stroke_width=3))  # fmt: skip
    parts.append(draw_middle(hand, called))
    for now in seats:
        parts.append(draw_seat(now, *place(hand, now.seat, SEATS)))
        if hand.bets[now.seat]:
            parts.append(draw_bet(hand.bets[now.seat], *place(hand, now.seat, BETS)))
    parts.append(draw_button(*place(hand, hand.button, BUTTON, BUTTON_TURN)))
    return Picture(WIDTH, HEIGHT, "".join(parts), in_words(hand, seats), caption(hand, seats))


def place(
    hand: Hand, seat: int, ellipse: tuple[float, float], turned: float = 0.0
) -> tuple[float, float]:
    """Return where a seat's things lie: the first seat is below, the others follow clockwise."""
    angle = math.radians(90.0 + 360.0 * seat / hand.num_seats + turned)
    return MIDDLE[0] + ellipse[0] * math.cos(angle), MIDDLE[1] + ellipse[1] * math.sin(angle)


def draw_middle(hand: Hand, names: Sequence[str]) -> str:
    """Return the board, and below it the pots."""
    x, y = MIDDLE
    cards = board_names(hand, hand.street)
    parts = [small_cards(cards, x - row_width(5, BOARD_SIZE) / 2, y - 44, BOARD_SIZE)]
    for k, words in enumerate(pot_lines(hand, names)):
        parts.append(label(words, x, y + 26 + 15 * k, 12, "#333333", text_anchor="middle"))
    return "".join(parts)


def in_words(hand: Hand, seats: Sequence[SeatNow]) -> str:
    """Return the table as lines of text."""
    board = " ".join(filter(None, board_names(hand, hand.street))) or "none"
    lines = [f"{STREETS[hand.street]}; board: {board}; pot {sum(hand.paid) - sum(hand.uncalled)}"]
    for now in seats:
        said = [str(now)]
        said += ["button"] if now.seat == hand.button else []
        said += [f"bet {hand.bets[now.seat]:,}"] if hand.bets[now.seat] else []
        lines.append(", ".join(said))
    return "\n".join(lines)


def caption(hand: Hand, seats: Sequence[SeatNow]) -> str:
    """Return what to see."""
    if not hand.is_over:
        assert hand.actor is not None
        where = f"{STREETS[hand.street]}, {seats[hand.actor].name} to act (heavy frame)."
        return (
            f"{where[0].upper()}{where[1:]} D is the button; chips in front of a seat are its bet of"
            " this round, the number on its plate is what it has left."
        )
    takers = ", ".join(f"{now.name} wins {now.won:,}" for now in seats if now.won > 0)
    end = "by showdown" if is_shown_down(hand) else "because everybody else folded"
    return f"The hand is over, {end}: {takers or 'everybody gets back what was paid'}. Stacks are those after it."
