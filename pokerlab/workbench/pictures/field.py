"""A map of the field: methods by what must be known to use them, and by what comes out."""

from typing import Any, NamedTuple

from matplotlib.axes import Axes

from pokerlab.core import UnknownNameError
from pokerlab.workbench.pictures.kept_figures import show
from pokerlab.workbench.style import GRAY, INK, PAPER, SMALL_SIZE, figure

KNOWN = (
    "all payoffs",
    "a best\nresponse",
    "the worst\ncase",
    "the worst case\nof a simpler game",
    "who beat\nwhom",
    "who is left\nat the table",
)
COMES_OUT = ("a profile or\nan average", "a mixture", "a front", "one agent")
HEIGHTS = (3.0, 3.0, 1.2, 1.5)
"""Of the rows, the first at the top."""


class Place(NamedTuple):
    """A method on the map: column and row, lesson ('' for a neighbor of the five papers), name, source."""

    column: int
    row: int
    lesson: str
    method: str
    source: str

    @property
    def words(self) -> str:
        """What is written."""
        return f"{self.lesson} {self.method}".strip() + f"\n{self.source}"


PLACES = (
    Place(0, 0, "01", "linear program", "Koller et al. 1994"),
    Place(0, 0, "02", "replicator dynamics", "Lanctot 2014"),
    Place(0, 0, "", "CFR", "Zinkevich et al. 2007"),
    Place(1, 1, "03", "Nash memory", "Oliehoek et al. 2006"),
    Place(1, 1, "", "double oracle", "McMahan et al. 2003"),
    Place(1, 1, "", "PSRO", "Lanctot et al. 2017"),
    Place(2, 3, "04", "minimax coevolution", "Samothrakis\n& Lucas 2011"),
    Place(3, 3, "06", "limit hold'em", "Samothrakis\n& Lucas 2011"),
    Place(4, 2, "07", "Pareto coevolution", "Noble & Watson 2001"),
    Place(5, 3, "08", "neuroevolution", "Nicolai\n& Hilderman 2009"),
)
LESSONS = tuple(place.lesson for place in PLACES if place.lesson)
CARDS, FIRST_WITH_CARDS = "05", 3
"""The lesson on real cards has no method; from this column on the methods play with 52 cards."""
CAPTION = (
    "The further right, the less a method must know about the others. Solid frames: the methods of the lessons;"
    " dashed frames: their neighbors in the field."
)


def field_map(here: str | None = None) -> None:
    """Show the map of the field, with 'you are here'.

    Parameters
    ----------
    here : str, optional
        The number of a lesson, such as '02'.

    Raises
    ------
    UnknownNameError
        If that lesson has no place on the map.
    """
    if here is not None:
        UnknownNameError.check("lesson on the map", here, sorted([*LESSONS, CARDS]))
    picture, axes = figure(9.0, 4.8)
    draw_map(axes, here)
    show(picture, CAPTION, name="field_map" if here is None else None)


def draw_map(axes: Axes, here: str | None) -> list[Any]:
    """Draw the map and return the labels of the methods, in the order of `PLACES`, last that of lesson 05."""
    bottoms = [sum(HEIGHTS[row + 1 :]) for row in range(len(HEIGHTS))]
    labels = []
    for place in PLACES:
        together = [p for p in PLACES if p[:2] == place[:2]]
        step = HEIGHTS[place.row] / len(together)
        up = bottoms[place.row] + HEIGHTS[place.row] - step * (together.index(place) + 0.5)
        is_here = here is not None and place.lesson == here
        frame = {
            "boxstyle": "round,pad=0.3",
            "facecolor": INK if is_here else PAPER,
            "edgecolor": INK if place.lesson else GRAY,
            "linestyle": "-" if place.lesson else "--",
        }
        words = f"you are here\n{place.words}" if is_here else place.words
        labels.append(
            axes.text(
                place.column + 0.5, up, words, ha="center", va="center", fontsize=6.8, bbox=frame,
                color=PAPER if is_here else INK,
            )
        )  # fmt: skip
    axes.set(xlim=(0, len(KNOWN)), ylim=(0, sum(HEIGHTS)))
    axes.set_xticks([column + 0.5 for column in range(len(KNOWN))], KNOWN)
    middles = [bottom + height / 2 for bottom, height in zip(bottoms, HEIGHTS, strict=True)]
    axes.set_yticks(middles, COMES_OUT)
    axes.grid(False)
    for line in bottoms[:-1]:
        axes.axhline(line, color="#d9d9d9", linewidth=0.6)
    if here == CARDS:
        frame = {"boxstyle": "round,pad=0.3", "facecolor": INK}
        words, middle = "you are here\n05 real cards:\n52 from here on", bottoms[1] + HEIGHTS[1] / 2
        axes.axvline(FIRST_WITH_CARDS, color=INK, linewidth=1.2)
        labels.append(
            axes.text(
                FIRST_WITH_CARDS, middle, words, ha="center", va="center", fontsize=6.8, bbox=frame,
                color=PAPER,
            )
        )  # fmt: skip
    axes.tick_params(length=0, labelsize=SMALL_SIZE)
    axes.set(xlabel="what must be known about the others", ylabel="what comes out")
    axes.set_title("How much must you know about the others?", loc="left")
    return labels
