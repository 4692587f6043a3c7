"""A set of strategies as a box: names, and probabilities as bars and numbers."""

from collections.abc import Sequence
from typing import Any, NamedTuple

from matplotlib.axes import Axes
from matplotlib.patches import FancyBboxPatch, Rectangle

from pokerlab.workbench.style import BLUE, GREY, INK, RED, SMALL_SIZE

LINE, HEAD = 0.2, 0.26
"""Inches of a line and of the heading."""
MARGIN, BAR_AT, NUMBER = 0.08, 0.78, 0.46
"""Inches beside the words, from the left end to the bar, of a number."""
MOST_LISTED = 6
"""Strategies that are listed; more are counted."""
FACES = {"N": "#e3f0f9", "M": "#efece6", "T": "#ffffff"}
"""A box's colour by the letter of its set; tests are dashed besides."""


class Line(NamedTuple):
    """A strategy in a set: its name, its probability if it has one, whether it is new, and a remark."""

    name: str
    probability: float | None
    is_new: bool
    remark: str = ""


def draw_set(
    canvas: Axes,
    title: str,
    letter: str,
    lines: Sequence[Line],
    corner: tuple[float, float],
    width: float,
) -> float:
    """Draw a set as a box with its strategies; return where the box ends."""
    x, top = corner
    height = height_for(len(lines))
    box = FancyBboxPatch(
        (x, top - height),
        width,
        height,
        boxstyle="round,pad=0,rounding_size=0.06",
        facecolor=FACES[letter],
        edgecolor=GREY,
        linestyle="--" if letter == "T" else "-",
        linewidth=0.9,
    )
    canvas.add_patch(box)
    canvas.text(x + MARGIN, top - HEAD / 2, title, fontsize=SMALL_SIZE, color=GREY, va="center")
    listed = lines if len(lines) <= MOST_LISTED else heaviest(lines)
    for number, each in enumerate(listed):
        write_line(canvas, each, (x, top - HEAD - LINE * (number + 0.5)), width)
    unlisted = f"and {len(lines) - len(listed)} more" if lines else "nothing"
    if len(listed) < len(lines) or not lines:
        y = top - HEAD - LINE * (len(listed) + 0.5)
        canvas.text(x + MARGIN, y, unlisted, fontsize=SMALL_SIZE, color=GREY, va="center")
    return top - height


def write_line(canvas: Axes, line: Line, at: tuple[float, float], width: float) -> None:
    """Write a strategy's name, bold if it is new, with its probability as bar and number, or a remark."""
    x, y = at
    weight = "bold" if line.is_new else "normal"
    look: dict[str, Any] = {"fontsize": SMALL_SIZE + 0.5, "color": INK, "va": "center"}
    canvas.text(x + MARGIN, y, line.name, weight=weight, **look)
    if line.remark:
        canvas.text(x + width - MARGIN, y, line.remark, ha="right", **{**look, "color": RED})
    if line.probability is not None:
        canvas.text(x + width - MARGIN, y, f"{line.probability:.3f}", ha="right", **look)
        room = (x + BAR_AT, width - BAR_AT - NUMBER)
        canvas.add_patch(
            Rectangle((room[0], y - 0.05), room[1] * line.probability, 0.1, color=BLUE)
        )


def heaviest(lines: Sequence[Line]) -> list[Line]:
    """Return the likeliest lines that there is room for, in the order met, and the new ones."""
    order = sorted(lines, key=lambda line: (not line.is_new, -(line.probability or 0.0)))
    kept = order[: MOST_LISTED - 1]
    return [line for line in lines if line in kept]


def height_for(number: int) -> float:
    """Return the inches of a box with so many strategies."""
    return HEAD + LINE * min(max(number, 1), MOST_LISTED) + 0.05
