"""Drawings as SVG: elements, a drawing with its caption for notebooks, players' marks, and playing cards."""

import math
import re
import textwrap
from base64 import b64encode
from collections.abc import Sequence
from dataclasses import dataclass
from html import escape
from typing import Any

from pokerlab.core import UnknownNameError
from pokerlab.core.settings import check_item_types
from pokerlab.workbench.style import BLUE, INK, PALETTE, PAPER

FONT = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
WIDTH_PER_SIZE = 0.56
"""The mean width of a letter over the size of the font, from which the width of a label is estimated."""
MOST_WIDTH_PER_SIZE = 0.6  # in the widest of common fonts in bold: DejaVu Sans, Verdana


def write_element(name: str, content: str = "", /, **attributes: Any) -> str:
    """Return an SVG element as text.

    Parameters
    ----------
    name : str
        The name of the element, such as 'rect'.
    content : str
        What is between the tags, as SVG. Text must be escaped.
    **attributes
        Its attributes. `stroke_width=2` becomes the attribute stroke-width; numbers are written with five digits.
    """
    written = "".join(
        f' {key.strip("_").replace("_", "-")}="{value if isinstance(value, str) else f"{value:.5g}"}"'
        for key, value in attributes.items()
    )
    return f"<{name}{written}>{content}</{name}>" if content else f"<{name}{written}/>"


def draw_text(
    words: str, x: float, y: float, size: float = 11, fill: str = INK,
    *, anchor: str = "", bold: bool = False, **attributes: Any,
) -> str:  # fmt: skip
    """Return a line of text as SVG, whose base line begins at (x, y).

    Parameters
    ----------
    words : str
        The text, which is escaped.
    x, y : float
        The place in pixels from the upper left corner of the drawing.
    size : float
        The size of the font in pixels.
    fill : str
        The color.
    anchor : str
        'middle' or 'end', if this point of the text is at x instead of its beginning.
    bold : bool
        Whether the letters are bold.
    **attributes
        Further attributes of the element.
    """
    look = ({"text_anchor": anchor} if anchor else {}) | ({"font_weight": "bold"} if bold else {})
    return write_element(
        "text", escape(words), x=x, y=y, font_size=size, fill=fill, **look, **attributes
    )


def draw_line(x1: float, y1: float, x2: float, y2: float, **attributes: Any) -> str:
    """Return a straight line from (x1, y1) to (x2, y2) as SVG."""
    return write_element("line", x1=x1, y1=y1, x2=x2, y2=y2, **attributes)


def estimate_width(words: str, size: float) -> float:
    """Return an estimate of the width of a line of text, in pixels."""
    return len(words) * size * WIDTH_PER_SIZE


def draw_paragraph(
    words: str, x: float, y: float, size: float, room: float, pitch: float = 1.3, **look: Any
) -> tuple[str, float]:
    """Return a text wrapped into lines, and where the line after them would stand.

    Parameters
    ----------
    words : str
        The text.
    x, y : float
        The beginning of the first base line, in pixels.
    size : float
        The size of the font in pixels.
    room : float
        The most pixels that a line should take, by an estimate for a wide font.
    pitch : float
        The distance of two base lines, as a multiple of the size.
    **look
        Further arguments of `draw_text`.

    Returns
    -------
    str
        The lines as SVG.
    float
        The base line after them, in pixels from above.
    """
    letters = max(int(room / (size * MOST_WIDTH_PER_SIZE)), 1)
    lines = textwrap.wrap(words, letters, break_on_hyphens=False)
    elements = [
        draw_text(line, x, y + pitch * size * k, size, **look) for k, line in enumerate(lines)
    ]
    return "".join(elements), y + pitch * size * len(lines)


def draw_headline(words: str, x: float, y: float, size: float, room: float) -> str:
    """Return a bold line of text as SVG, in smaller letters than `size` if it would need more than `room` pixels."""
    return draw_text(words, x, y, min(size, room / (len(words) * MOST_WIDTH_PER_SIZE)), bold=True)


@dataclass(frozen=True)
class SvgDrawing:
    """An SVG drawing, which a notebook displays if it is the last line of a cell.

    Attributes
    ----------
    width, height : float
        The size in pixels.
    body : str
        The SVG elements.
    text : str
        What is drawn as lines of text, for terminals.
    caption : str
        A description, which is shown below the drawing and is its alternative text.
    news : str
        The part of `text` that is new, for screen readers; all of it if empty.
    pieces : tuple of SvgDrawing
        Drawings of the same for narrow places, which are shown beside or below each other.
    """

    width: float
    height: float
    body: str
    text: str
    caption: str = ""
    news: str = ""
    pieces: tuple["SvgDrawing", ...] = ()

    def _repr_svg_(self) -> str:
        about = write_element("title", escape(self.caption)) if self.caption else ""
        page = write_element("rect", width=self.width, height=self.height, fill=PAPER)
        return write_element(
            "svg",
            about + page + self.body,
            xmlns="http://www.w3.org/2000/svg",
            width=self.width,
            height=self.height,
            viewBox=f"0 0 {self.width:.5g} {self.height:.5g}",
            font_family=FONT,
        )

    def _repr_html_(self) -> str:
        # An image in HTML is shown in a notebook that is not yet trusted; SVG by itself is not.
        data = b64encode(self._repr_svg_().encode()).decode()
        about = escape(self.caption)
        below = f"<p>{about}</p>" if about else ""
        return (
            f'<img src="data:image/svg+xml;base64,{data}" width="{self.width:.0f}"'
            f' height="{self.height:.0f}" alt="{about}">{below}'
        )

    def __repr__(self) -> str:
        return self.text


RADIUS = 9.0
DEALER = "#999999"
CORNERS = {1: (4, 45), 2: (3, -90), 3: (4, 0), 4: (3, 90), 5: (5, -90)}
"""The number of corners of a player's shape and its rotation in degrees, by player index. Player 0 has a circle."""


def choose_color(player: int | None) -> str:
    """Return the color of a player (0-based), or of the dealer for None."""
    return DEALER if player is None else PALETTE[player % len(PALETTE)]


def draw_mark(player: int | None, x: float, y: float) -> str:
    """Return the mark of a player (0-based), a numbered shape with its middle at (x, y), as SVG.

    The mark of the dealer (None) is a gray dot.
    """
    if player is None:
        return write_element("circle", cx=x, cy=y, r=4.5, fill=DEALER)
    color = choose_color(player)
    base_line = y + 3.8
    size = 10.5
    if player in CORNERS:
        corners, rotation = CORNERS[player]
        radius = RADIUS * (1.2 if corners == 4 else 1.35)
        angles = [math.radians(rotation + 360 * k / corners) for k in range(corners)]
        points = " ".join(
            f"{x + radius * math.cos(a):.1f},{y + radius * math.sin(a):.1f}" for a in angles
        )
        if corners == 3:  # the number moves to where the triangle is wide
            base_line = base_line + {-90: 0.8, 90: -1.6}[rotation]
            size = 8.5
        shape = write_element("polygon", points=points, fill=color)
    else:
        shape = write_element("circle", cx=x, cy=y, r=RADIUS, fill=color)
    return shape + draw_text(str(player + 1), x, base_line, size, PAPER, anchor="middle", bold=True)


CARD_WIDTH, CARD_HEIGHT, CORNER, BETWEEN = 64.0, 90.0, 7.0, 12.0
RANKS = ("A", "K", "Q", "J", "T", "9", "8", "7", "6", "5", "4", "3", "2")
RED_SUIT, PALE, EDGE = "#b3202a", "#9cc6e3", "#9a9a9a"
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


def draw_card(name: str, x: float = 0.0, y: float = 0.0) -> str:
    """Return a playing card as SVG, with its upper left corner at (x, y).

    Parameters
    ----------
    name : str
        The rank and, if it has one, the suit, such as 'Ks' or 'K'; or '?' for a card face down.
    x, y : float
        The corner, in pixels.

    Raises
    ------
    UnknownNameError
        If there is no such rank or suit.
    """
    edge = {"x": 0.5, "y": 0.5, "width": CARD_WIDTH - 1, "height": CARD_HEIGHT - 1, "rx": CORNER}
    front = write_element("rect", **edge, fill=PAPER, stroke=EDGE)
    if name == FACE_DOWN:
        size = {"width": CARD_WIDTH - 12, "height": CARD_HEIGHT - 12}
        back = write_element("rect", x=6, y=6, **size, rx=4, fill=BLUE)
        pattern = (draw_pip("d", x, y, 6, PALE) for x in (18, 32, 46) for y in (17, 31, 45, 59, 73))
        return shift_elements(front + back + "".join(pattern), x, y)
    rank, suit, color = read_card_face(name)
    corner = draw_text(rank, 7, 22, 19, color, bold=True)
    if suit:
        corner += draw_pip(suit, 14, 32, 5, color)
        middle = draw_pip(suit, CARD_WIDTH / 2, CARD_HEIGHT / 2, 14, color)
    else:
        middle = draw_text(rank, CARD_WIDTH / 2, CARD_HEIGHT / 2 + 15, 40, color, anchor="middle")
    turned = write_element(
        "g", corner, transform=f"rotate(180 {CARD_WIDTH / 2:g} {CARD_HEIGHT / 2:g})"
    )
    return shift_elements(front + corner + turned + middle, x, y)


def read_card_face(name: str) -> tuple[str, str, str]:
    """Return what is printed on a card: its rank, such as '10', its suit or '', and their color."""
    rank, suit = name[:1], name[1:]
    UnknownNameError.check("rank", rank, RANKS)
    UnknownNameError.check("suit", suit, ("", *SUITS))
    return rank.replace("T", "10"), suit, RED_SUIT if suit in ("h", "d") else INK


def draw_pip(suit: str, x: float, y: float, size: float, color: str) -> str:
    """Return the symbol of a suit as SVG, with its middle at (x, y) and a height of `2 * size` pixels."""
    place = f"translate({x:g} {y:g}) scale({size:g})"
    return write_element("path", d=SUITS[suit], fill=color, transform=place)


def shift_elements(elements: str, x: float, y: float) -> str:
    """Return SVG elements moved by x pixels to the right and y pixels down."""
    return write_element("g", elements, transform=f"translate({x:g} {y:g})")


def speak_card(name: str) -> str:
    """Return a card's name in words: 'K of spades', 'a card face down'."""
    if name == FACE_DOWN:
        return "a card face down"
    return f"{name[:1]} of {NAMES[name[1:]]}" if name[1:] else name


def speak_cards(text: str) -> str:
    """Return a text whose cards are written in words: 'K of diamonds 2 of spades' for 'Kd 2s'."""
    return re.sub(r"\b[2-9TJQKA][shdc]\b", lambda found: speak_card(found[0]), text)


def card_row(names: Sequence[str], caption: str = "") -> SvgDrawing:
    """Draw a row of cards.

    Parameters
    ----------
    names : sequence of str
        The names of the cards: a rank such as 'K', a rank with a suit such as 'Ks', or '?' for a card face down.
    caption : str
        The words below the cards.

    Examples
    --------
    >>> card_row(["Ks", "?"])
    K of spades, a card face down
    """
    check_item_types("names", names, str, "the names of cards, such as ['As', 'Td']")
    body = "".join(draw_card(name, k * (CARD_WIDTH + BETWEEN)) for k, name in enumerate(names))
    width = len(names) * (CARD_WIDTH + BETWEEN) - BETWEEN
    return SvgDrawing(
        max(width, 1.0), CARD_HEIGHT, body, ", ".join(map(speak_card, names)), caption
    )


SMALL_WIDTH, SMALL_HEIGHT, SMALL_BETWEEN = 28.0, 40.0, 3.0


def draw_small_card(name: str, x: float, y: float, size: float = 1.0) -> str:
    """Return a small card as SVG, with its upper left corner at (x, y).

    Parameters
    ----------
    name : str
        The rank and the suit, such as 'Ks'; '?' for a card face down; '' for the dashed place of a card to come.
    x, y : float
        The corner, in pixels.
    size : float
        The factor by which the card is enlarged.
    """
    edge = {"x": 0.5, "y": 0.5, "width": SMALL_WIDTH - 1, "height": SMALL_HEIGHT - 1, "rx": 3.5}
    if not name:
        elements = write_element("rect", **edge, fill="none", stroke=EDGE, stroke_dasharray="2 3")
    elif name == FACE_DOWN:
        back = {"width": SMALL_WIDTH - 6, "height": SMALL_HEIGHT - 6}
        elements = write_element("rect", **edge, fill=PAPER, stroke=EDGE)
        elements += write_element("rect", x=3, y=3, **back, rx=2, fill=BLUE)
        elements += "".join(
            draw_pip("d", SMALL_WIDTH / 2, pip_y, 4, PALE) for pip_y in (11, 20, 29)
        )
    else:
        rank, suit, color = read_card_face(name)
        elements = write_element("rect", **edge, fill=PAPER, stroke=EDGE)
        elements += draw_text(rank, SMALL_WIDTH / 2, 18, 17, color, anchor="middle", bold=True)
        elements += draw_pip(suit, SMALL_WIDTH / 2, 28.5, 7, color)
    return write_element("g", elements, transform=f"translate({x:g} {y:g}) scale({size:g})")


def draw_small_cards(names: Sequence[str], x: float, y: float, size: float = 1.0) -> str:
    """Return a row of small cards as SVG, from the corner (x, y) to the right."""
    step = (SMALL_WIDTH + SMALL_BETWEEN) * size
    return "".join(draw_small_card(name, x + step * k, y, size) for k, name in enumerate(names))


def measure_row(count: int, size: float = 1.0) -> float:
    """Return the width of a row of `count` small cards in pixels."""
    return ((SMALL_WIDTH + SMALL_BETWEEN) * count - SMALL_BETWEEN) * size
