"""Pictures as SVG: a few elements, the players' marks, and a picture that shows itself with its caption."""

import math
from base64 import b64encode
from dataclasses import dataclass
from html import escape
from typing import Any

from pokerlab.workbench.style import INK, PALETTE, PAPER

FONT = "Helvetica, Arial, 'Liberation Sans', 'DejaVu Sans', sans-serif"
WIDTH_PER_SIZE = 0.56
"""Mean width of a letter over the size of the font; labels are given room by it."""
WIDEST = 0.6
"""The same where it is widest among common fonts, in bold: DejaVu Sans, Verdana."""


def tag(name: str, content: str = "", /, **attributes: Any) -> str:
    """Return an element; `stroke_width=2` becomes the attribute stroke-width."""
    written = "".join(
        f' {key.strip("_").replace("_", "-")}="{value if isinstance(value, str) else f"{value:.5g}"}"'
        for key, value in attributes.items()
    )
    return f"<{name}{written}>{content}</{name}>" if content else f"<{name}{written}/>"


def label(
    words: str, x: float, y: float, size: float = 11, fill: str = INK, **attributes: Any
) -> str:
    """Return `words` with the left end of their base line at (x, y)."""
    return tag("text", escape(words), x=x, y=y, font_size=size, fill=fill, **attributes)


def line(x1: float, y1: float, x2: float, y2: float, **attributes: Any) -> str:
    """Return a straight line."""
    return tag("line", x1=x1, y1=y1, x2=x2, y2=y2, **attributes)


def room_for(words: str, size: float) -> float:
    """Return about how wide `words` will be, in pixels."""
    return len(words) * size * WIDTH_PER_SIZE


def headline(words: str, x: float, y: float, size: float, room: float) -> str:
    """Return `words` in bold, smaller than `size` if they would need more than `room` pixels."""
    return label(words, x, y, min(size, room / (len(words) * WIDEST)), font_weight="bold")


@dataclass(frozen=True)
class Picture:
    """An SVG drawing; the last line of a cell shows it."""

    width: float  # size in pixels
    height: float
    body: str  # SVG elements
    text: str  # the same in letters, for terminals
    caption: str = ""  # what there is to see; shown below the picture, and its alternative text

    def _repr_svg_(self) -> str:
        about = tag("title", escape(self.caption)) if self.caption else ""
        page = tag("rect", width=self.width, height=self.height, fill=PAPER)
        return tag(
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
"""Corners of each player's shape and its turn in degrees; player 1 has a circle."""


def color_of(player: int | None) -> str:
    """Return a player's color; None is the dealer."""
    return DEALER if player is None else PALETTE[player % len(PALETTE)]


def mark(player: int | None, x: float, y: float) -> str:
    """Return a numbered shape for a player (0-based), a gray dot for the dealer (None)."""
    if player is None:
        return tag("circle", cx=x, cy=y, r=4.5, fill=DEALER)
    color, base = color_of(player), y + 3.8
    if player in CORNERS:
        corners, turned = CORNERS[player]
        reach = RADIUS * (1.2 if corners == 4 else 1.35)
        angles = [math.radians(turned + 360 * k / corners) for k in range(corners)]
        points = " ".join(
            f"{x + reach * math.cos(a):.1f},{y + reach * math.sin(a):.1f}" for a in angles
        )
        base += {-90: 2.2, 90: -2.2}.get(turned, 0.0) * (corners == 3)
        drawn = tag("polygon", points=points, fill=color)
    else:
        drawn = tag("circle", cx=x, cy=y, r=RADIUS, fill=color)
    look = {"text_anchor": "middle", "font_weight": "bold"}
    return drawn + label(str(player + 1), x, base, 10.5, PAPER, **look)
