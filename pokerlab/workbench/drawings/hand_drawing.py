"""A whole hand as a strip: who holds what, then street by street what was done."""

from collections.abc import Collection, Sequence

from pokerlab.holdem.cards import STREETS
from pokerlab.holdem.hand import Hand, names_of, terms
from pokerlab.workbench.drawings.svg import Picture, label, line, mark, room_for, small_cards, tag
from pokerlab.workbench.drawings.table_drawing import (
    WON,
    SeatNow,
    Step,
    board_names,
    draw_button,
    fit,
    gain,
    is_shown_down,
    pot_lines,
    seats_now,
    steps,
    veil,
)
from pokerlab.workbench.style import GRAY

TOP = 26.0
SEATS_WIDTH, COLUMN_WIDTH = 242.0, 164.0
SEAT_HEIGHT, STEP_HEIGHT, HEAD_HEIGHT, POT_HEIGHT, TERM_HEIGHT = 48.0, 22.0, 58.0, 17.0, 12.0
BOARD_SIZE = 0.72


def draw_hand(
    hand: Hand,
    shown: Collection[int] | None = None,
    *,
    names: Sequence[str] | None = None,
    title: str = "",
) -> Picture:
    """Draw a hand from its first blind to its last action, street by street.

    Parameters
    ----------
    hand : Hand
        Finished or under way.
    shown, names, title
        As in `draw_table`.

    Examples
    --------
    >>> from pokerlab.holdem.hand import CALL, no_limit
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
    called = names_of(hand, names)
    seats = seats_now(hand, called, shown)
    columns = [[] for _ in range(hand.street + 1)]  # type: list[list[Step]]
    for step in steps(hand):
        columns[step.street].append(step)
    pots = pot_lines(hand, called) if hand.is_over else []
    head = max(HEAD_HEIGHT, 22.0 + TERM_HEIGHT * len(terms(hand).split(", ")))
    longest = head + STEP_HEIGHT * max(map(len, columns))
    bottom = TOP + max(longest, SEAT_HEIGHT * len(seats))
    parts = [label(title, 8, 18, 14, bold=True)] if title else []
    parts += [draw_row(hand, now, TOP + SEAT_HEIGHT * now.seat) for now in seats]
    for street, done in enumerate(columns):
        x = SEATS_WIDTH + COLUMN_WIDTH * street
        parts.append(line(x - 6, TOP, x - 6, bottom, stroke="#d9d9d9"))
        pot = next((before[-1].pot for before in reversed(columns[:street]) if before), 0)
        parts.append(draw_street(hand, street, done, pot, x, head))
    for k, words in enumerate(pots):
        parts.append(label(words, SEATS_WIDTH + 2, bottom + 16 + POT_HEIGHT * k, 12, bold=True))
    return Picture(
        SEATS_WIDTH + COLUMN_WIDTH * max(len(columns), 3),
        bottom + 8 + POT_HEIGHT * len(pots),
        "".join(parts),
        as_text(hand, seats, columns, pots),
        caption(hand),
    )


def draw_row(hand: Hand, now: SeatNow, y: float) -> str:
    """Return a seat on the left: cards, name, stack, and how it ended."""
    won = tag("rect", x=2, y=y + 1, width=SEATS_WIDTH - 14, height=SEAT_HEIGHT - 4, rx=6, fill=WON)
    parts = [won] if now.won > 0 else []
    parts.append(small_cards(now.cards, 8, y + 3))
    stack = f"{hand.starting_stacks[now.seat]:,}"
    called = fit(now.name, 12, SEATS_WIDTH - 125 - room_for(stack, 12))
    parts.append(mark(now.seat, 84, y + 14) + label(called, 100, y + 18, 12))
    if now.seat == hand.button:
        parts.append(draw_button(84, y + 35))
    right = SEATS_WIDTH - 20
    parts.append(label(stack, right, y + 18, 12, anchor="end", bold=True))
    parts.append(label(now.state, 100, y + 36, 11, "#444444"))
    if now.won:
        parts.append(label(gain(now.won), right, y + 36, 12, anchor="end", bold=True))
    if now.is_out:
        parts.append(veil(2, y + 1, SEATS_WIDTH - 14, SEAT_HEIGHT - 4))
    return "".join(parts)


def draw_street(
    hand: Hand, street: int, done: Sequence[Step], pot: int, x: float, head: float
) -> str:
    """Return a column: the board of the street, the first pot, and `head` pixels below what was done."""
    parts = [label(STREETS[street], x + 2, TOP + 12, 12.5, bold=True)]
    if street:
        words = f"pot {pot:,}"
        parts.append(label(words, x + COLUMN_WIDTH - 16, TOP + 12, 11.5, GRAY, anchor="end"))
        board = [name for name in board_names(hand, street) if name]
        parts.append(small_cards(board, x + 2, TOP + 20, BOARD_SIZE))
    else:
        for k, words in enumerate(terms(hand).split(", ")):
            parts.append(label(words, x + 2, TOP + 28 + TERM_HEIGHT * k, 11, GRAY))
    y = TOP + head
    for k, step in enumerate(done):
        at = y + STEP_HEIGHT * k
        parts.append(mark(step.seat, x + 12, at + 11) + label(step.words, x + 28, at + 15, 11.5))
    if not done:
        parts.append(label("no more betting", x + 2, y + 15, 11.5, GRAY))
    return "".join(parts)


def as_text(
    hand: Hand, seats: Sequence[SeatNow], columns: Sequence[Sequence[Step]], pots: Sequence[str]
) -> str:
    """Return the hand as lines of text."""
    lines = []
    for now in seats:
        said = [str(now), f"had {hand.starting_stacks[now.seat]:,}"]
        lines.append(", ".join([*said, *["button"] * (now.seat == hand.button)]))
    for street, done in enumerate(columns):
        board = " ".join(filter(None, board_names(hand, street)))
        actions = "; ".join(f"{seats[step.seat].name} {step.words}" for step in done)
        lines.append(f"{STREETS[street]} {board}".strip() + (f": {actions}" if actions else ""))
    return "\n".join([*lines, *pots])


def caption(hand: Hand) -> str:
    """Return what to see."""
    words = (
        "Read from left to right, each street from above. On the left, the stacks before the hand"
    )
    if not hand.is_over:
        return f"{words}. The hand is under way."
    how = "what was shown down" if is_shown_down(hand) else "who folded"
    return f"{words}, {how}, and what everybody has won (green) or lost. D is the button."
