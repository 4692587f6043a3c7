"""Playing cards as SVG: large ones, ones small enough for a table with ten seats, a row of cards."""

from collections.abc import Sequence

from pokerlab.core import UnknownNameError
from pokerlab.workbench.pictures.svg import Picture, label, tag
from pokerlab.workbench.style import BLUE, INK, PAPER

WIDTH, HEIGHT, CORNER, BETWEEN = 64.0, 90.0, 7.0, 12.0
RANKS = ("A", "K", "Q", "J", "T", "9", "8", "7", "6", "5", "4", "3", "2")
RED_SUIT, PALE = "#b3202a", "#9cc6e3"
# Outlines in a square from (-1, -1) to (1, 1), so that no font needs to have the symbols.
SUITS = {
    "s": "M0 -1C.3 -.5 .95 -.2 .95 .3C.95 .75 .4 .85 .12 .5Q.15 .85 .4 1H-.4Q-.15 .85 -.12 .5"
    "C-.4 .85 -.95 .75 -.95 .3C-.95 -.2 -.3 -.5 0 -1Z",
    "h": "M0 .95C-.4 .45 -1 .1 -1 -.4C-1 -.95 -.25 -1.05 0 -.45C.25 -1.05 1 -.95 1 -.4C1 .1 .4 .45 0 .95Z",
    "d": "M0 -1Q.3 -.4 .75 0Q.3 .4 0 1Q-.3 .4 -.75 0Q-.3 -.4 0 -1Z",
    "c": "M-.42 -.55A.42 .42 0 1 1 .42 -.55Q.42 -.3 .2 -.08A.42 .42 0 1 1 .12 .42Q.15 .85 .4 1"
    "H-.4Q-.15 .85 -.12 .42A.42 .42 0 1 1 -.2 -.08Q-.42 -.3 -.42 -.55Z",
}
NAMES = {"s": "spades", "h": "hearts", "d": "diamonds", "c": "clubs"}
FACE_DOWN = "?"


def card(name: str, x: float = 0.0, y: float = 0.0) -> str:
    """Return a card with its upper left corner at (x, y): 'K', 'Ks', or '?' face down."""
    rank, suit = name[:1], name[1:]
    edge = {"x": 0.5, "y": 0.5, "width": WIDTH - 1, "height": HEIGHT - 1, "rx": CORNER}
    front = tag("rect", **edge, fill=PAPER, stroke="#9a9a9a")
    if name == FACE_DOWN:
        back = tag("rect", x=6, y=6, width=WIDTH - 12, height=HEIGHT - 12, rx=4, fill=BLUE)
        places = [(x, y) for x in (18, 32, 46) for y in (17, 31, 45, 59, 73)]
        weave = "".join(pip("d", *place, 6, PALE) for place in places)
        return shift(front + back + weave, x, y)
    UnknownNameError.check("rank", rank, RANKS)
    if suit and suit not in SUITS:
        raise UnknownNameError.among("suit", suit, SUITS)
    color = RED_SUIT if suit in ("h", "d") else INK
    written = "10" if rank == "T" else rank
    corner = label(written, 7, 22, 19, color, font_weight="bold")
    if suit:
        corner += pip(suit, 14, 32, 5, color)
        middle = pip(suit, WIDTH / 2, HEIGHT / 2, 14, color)
    else:
        middle = label(written, WIDTH / 2, HEIGHT / 2 + 15, 40, color, text_anchor="middle")
    turned = tag("g", corner, transform=f"rotate(180 {WIDTH / 2:g} {HEIGHT / 2:g})")
    return shift(front + corner + turned + middle, x, y)


def pip(suit: str, x: float, y: float, size: float, color: str) -> str:
    """Return a suit's symbol with its middle at (x, y), `2 * size` high."""
    return tag(
        "path", d=SUITS[suit], fill=color, transform=f"translate({x:g} {y:g}) scale({size:g})"
    )


def shift(elements: str, x: float, y: float) -> str:
    """Return `elements` moved by (x, y)."""
    return tag("g", elements, transform=f"translate({x:g} {y:g})")


def spoken(name: str) -> str:
    """Return a card's name in words: 'K of spades', 'a card face down'."""
    if name == FACE_DOWN:
        return "a card face down"
    return f"{name[:1]} of {NAMES[name[1:]]}" if name[1:] else name


def card_row(names: Sequence[str], caption: str = "") -> Picture:
    """Return a row of cards.

    Parameters
    ----------
    names : sequence of str
        Each 'K', 'Ks' or '?', as in `card`.
    caption : str
        Shown below.

    Examples
    --------
    >>> card_row(["Ks", "?"])
    K of spades, a card face down
    """
    body = "".join(card(name, k * (WIDTH + BETWEEN)) for k, name in enumerate(names))
    width = len(names) * (WIDTH + BETWEEN) - BETWEEN
    return Picture(max(width, 1.0), HEIGHT, body, ", ".join(map(spoken, names)), caption)


SMALL_WIDTH, SMALL_HEIGHT, SMALL_BETWEEN = 28.0, 40.0, 3.0
EDGE = "#9a9a9a"


def small_card(name: str, x: float, y: float, size: float = 1.0) -> str:
    """Return a small card with its corner at (x, y): 'Ks', '?' face down, '' for one to come."""
    edge = {"x": 0.5, "y": 0.5, "width": SMALL_WIDTH - 1, "height": SMALL_HEIGHT - 1, "rx": 3.5}
    if not name:
        drawn = tag("rect", **edge, fill="none", stroke=EDGE, stroke_dasharray="2 3")
    elif name == FACE_DOWN:
        drawn = tag("rect", **edge, fill=PAPER, stroke=EDGE)
        drawn += tag(
            "rect", x=3, y=3, width=SMALL_WIDTH - 6, height=SMALL_HEIGHT - 6, rx=2, fill=BLUE
        )
        drawn += "".join(pip("d", SMALL_WIDTH / 2, at, 4, PALE) for at in (11, 20, 29))
    else:
        rank, suit = name[:1], name[1:]
        UnknownNameError.check("rank", rank, RANKS)
        UnknownNameError.check("suit", suit, SUITS)
        color = RED_SUIT if suit in ("h", "d") else INK
        written = "10" if rank == "T" else rank
        drawn = tag("rect", **edge, fill=PAPER, stroke=EDGE)
        drawn += label(
            written, SMALL_WIDTH / 2, 18, 17, color, text_anchor="middle", font_weight="bold"
        )
        drawn += pip(suit, SMALL_WIDTH / 2, 28.5, 7, color)
    return tag("g", drawn, transform=f"translate({x:g} {y:g}) scale({size:g})")


def small_cards(names: Sequence[str], x: float, y: float, size: float = 1.0) -> str:
    """Return a row of small cards from (x, y) to the right."""
    step = (SMALL_WIDTH + SMALL_BETWEEN) * size
    return "".join(small_card(name, x + step * k, y, size) for k, name in enumerate(names))


def row_width(count: int, size: float = 1.0) -> float:
    """Return how wide a row of small cards is, in pixels."""
    return ((SMALL_WIDTH + SMALL_BETWEEN) * count - SMALL_BETWEEN) * size
