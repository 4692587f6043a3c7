"""Cards small enough for a table with ten seats: a rank above the symbol of a suit."""

from collections.abc import Sequence

from pokerlab.core import UnknownNameError
from pokerlab.workbench.pictures.cards import FACE_DOWN, PALE, RANKS, RED_SUIT, SUITS, pip
from pokerlab.workbench.pictures.svg import label, tag
from pokerlab.workbench.style import BLUE, INK, PAPER

WIDTH, HEIGHT, BETWEEN = 28.0, 40.0, 3.0
EDGE = "#9a9a9a"


def small_card(name: str, x: float, y: float, size: float = 1.0) -> str:
    """Return a small card with its corner at (x, y): 'Ks', '?' face down, '' for one to come."""
    edge = {"x": 0.5, "y": 0.5, "width": WIDTH - 1, "height": HEIGHT - 1, "rx": 3.5}
    if not name:
        drawn = tag("rect", **edge, fill="none", stroke=EDGE, stroke_dasharray="2 3")
    elif name == FACE_DOWN:
        drawn = tag("rect", **edge, fill=PAPER, stroke=EDGE)
        drawn += tag("rect", x=3, y=3, width=WIDTH - 6, height=HEIGHT - 6, rx=2, fill=BLUE)
        drawn += "".join(pip("d", WIDTH / 2, at, 4, PALE) for at in (11, 20, 29))
    else:
        rank, suit = name[:1], name[1:]
        UnknownNameError.check("rank", rank, RANKS)
        UnknownNameError.check("suit", suit, SUITS)
        color = RED_SUIT if suit in ("h", "d") else INK
        written = "10" if rank == "T" else rank
        drawn = tag("rect", **edge, fill=PAPER, stroke=EDGE)
        drawn += label(written, WIDTH / 2, 18, 17, color, text_anchor="middle", font_weight="bold")
        drawn += pip(suit, WIDTH / 2, 28.5, 7, color)
    return tag("g", drawn, transform=f"translate({x:g} {y:g}) scale({size:g})")


def small_cards(names: Sequence[str], x: float, y: float, size: float = 1.0) -> str:
    """Return a row of small cards from (x, y) to the right."""
    step = (WIDTH + BETWEEN) * size
    return "".join(small_card(name, x + step * k, y, size) for k, name in enumerate(names))


def row_width(count: int, size: float = 1.0) -> float:
    """Return how wide a row of small cards is, in pixels."""
    return ((WIDTH + BETWEEN) * count - BETWEEN) * size
