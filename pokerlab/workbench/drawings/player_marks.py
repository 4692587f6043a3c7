"""Marks of players in drawings: a colour and a shape each, the same as in plots, and the player's number."""

import math

from pokerlab.workbench.drawings.svg import label, tag
from pokerlab.workbench.style import PALETTE, PAPER

RADIUS = 9.0
DEALER = "#999999"
CORNERS = {1: (4, 45), 2: (3, -90), 3: (4, 0), 4: (3, 90), 5: (5, -90)}
"""Corners of each player's shape and its turn in degrees; player 1 has a circle."""


def colour_of(player: int | None) -> str:
    """Return a player's colour; None is the dealer."""
    return DEALER if player is None else PALETTE[player % len(PALETTE)]


def mark(player: int | None, x: float, y: float) -> str:
    """Return a numbered shape for a player (0-based), a grey dot for the dealer (None)."""
    if player is None:
        return tag("circle", cx=x, cy=y, r=4.5, fill=DEALER)
    colour, base = colour_of(player), y + 3.8
    if player in CORNERS:
        corners, turned = CORNERS[player]
        reach = RADIUS * (1.2 if corners == 4 else 1.35)
        angles = [math.radians(turned + 360 * k / corners) for k in range(corners)]
        points = " ".join(
            f"{x + reach * math.cos(a):.1f},{y + reach * math.sin(a):.1f}" for a in angles
        )
        base += {-90: 2.2, 90: -2.2}.get(turned, 0.0) * (corners == 3)
        drawn = tag("polygon", points=points, fill=colour)
    else:
        drawn = tag("circle", cx=x, cy=y, r=RADIUS, fill=colour)
    look = {"text_anchor": "middle", "font_weight": "bold"}
    return drawn + label(str(player + 1), x, base, 10.5, PAPER, **look)
