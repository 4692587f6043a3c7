"""What the Kuhn table shows: cards, pot, what was said, and the score beside the expected one."""

from itertools import accumulate

from pokerlab.workbench.drawings.cards import FACE_DOWN, card
from pokerlab.workbench.drawings.svg import Picture, label, line, mark, tag
from pokerlab.workbench.kuhn.kuhn_match import Match, PlayedHand
from pokerlab.workbench.style import BLUE, GRAY, GREEN, INK, ORANGE
from pokerlab.workbench.text import signed

WIDTH, HEIGHT = 900.0, 262.0
CARD_AT, CARD_TOP = (16.0, 126.0), 46.0
STORY_AT, LOG_TOP, LOG_LINES = 236.0, 182.0, 4
CHART_AT, CHART_TOP, CHART_WIDTH, CHART_HEIGHT = 580.0, 34.0, 300.0, 116.0
CAPTION = (
    "Black: the chips you have won. Blue, dashed: what your choices so far are worth against this"
    " opponent on average. Green, dotted: what the best response to it would expect. The distance"
    " from black to blue is luck, from blue to green skill."
)


def draw_table(match: Match, headline: str) -> Picture:
    """Return the picture of a match, the present hand in front."""
    parts = [label(headline, 16, 20, 14, font_weight="bold")]
    if match.hands:
        parts.append(draw_hand(match.hands[-1]))
    log = [str(hand) for hand in match.finished]
    for k, words in enumerate(log[-LOG_LINES:]):
        parts.append(label(words, 16, LOG_TOP + 18 * k, 11.5, "#444444"))
    parts.append(draw_score(match))
    return Picture(WIDTH, HEIGHT, "".join(parts), "\n".join([headline, *log]), CAPTION)


def draw_hand(hand: PlayedHand) -> str:
    """Return both cards, the pot and what was said."""
    over = hand.won is not None
    faces = ["JQK"[c] + "s" for c in hand.history.cards]
    shown = [faces[hand.seat], faces[1 - hand.seat] if over else FACE_DOWN]
    parts = []
    for x, face, player, words in zip(
        CARD_AT, shown, (hand.seat, 1 - hand.seat), ("you", "opponent"), strict=True
    ):
        parts.append(card(face, x, CARD_TOP))
        parts.append(
            mark(player, x + 10, CARD_TOP + 104) + label(words, x + 23, CARD_TOP + 108, 11)
        )
    paid = 2 + hand.history.actions.count("bet")
    parts.append(label(f"pot: {paid} chips", STORY_AT, CARD_TOP + 12, 12))
    for k in range(paid):
        parts.append(tag("circle", cx=STORY_AT + 90 + 16 * k, cy=CARD_TOP + 8, r=7, fill=ORANGE,
                         stroke=INK, stroke_dasharray="3 2"))  # fmt: skip
    for k, words in enumerate(hand.story):
        parts.append(label(words, STORY_AT, CARD_TOP + 36 + 18 * k, 12.5))
    return "".join(parts)


def draw_score(match: Match) -> str:
    """Return the chips won so far, and two lines of what could be expected."""
    seats = [hand.seat for hand in match.finished]
    curves = (
        ("won", [float(hand.won or 0) for hand in match.finished], INK, "none"),
        ("your play expects", [match.worth(match.observed, s) for s in seats], BLUE, "6 3"),
        ("best response", [match.worth(match.best_response, s) for s in seats], GREEN, "1.5 3"),
    )
    sums = [list(accumulate(steps, initial=0.0)) for _, steps, _, _ in curves]
    low, high = min(-2.0, *map(min, sums)), max(2.0, *map(max, sums))
    across = CHART_WIDTH / max(len(seats), 1)
    bottom = CHART_TOP + CHART_HEIGHT

    def y(chips: float) -> float:
        return bottom - CHART_HEIGHT * (chips - low) / (high - low)

    parts = [label(f"chips after {len(seats)} hands", CHART_AT, 20, 12, font_weight="bold")]
    for chips in sorted({0, round(low), round(high)}):
        at = y(chips)
        parts.append(line(CHART_AT, at, CHART_AT + CHART_WIDTH, at, stroke="#d9d9d9"))
        parts.append(label(signed(chips), CHART_AT - 5, at + 4, 10, GRAY, text_anchor="end"))
    for row, ((words, _, color, dashes), heights) in enumerate(zip(curves, sums, strict=True)):
        points = " ".join(f"{CHART_AT + across * k:.1f},{y(h):.1f}" for k, h in enumerate(heights))
        look = {"stroke": color, "stroke_width": 2, "stroke_dasharray": dashes}
        parts.append(tag("polyline", points=points, fill="none", **look))
        at = bottom + 26 + 18 * row
        parts.append(line(CHART_AT, at - 4, CHART_AT + 28, at - 4, **look))
        parts.append(label(words, CHART_AT + 36, at, 11.5))
        number = signed(heights[-1], 1)
        parts.append(label(number, CHART_AT + 210, at, 11.5, text_anchor="end", font_weight="bold"))
    return "".join(parts)
