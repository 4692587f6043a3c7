"""Where a lesson stands: on the map of the field, and on the scoreboard of what its method reaches."""

import csv
from collections.abc import Mapping
from typing import Any, NamedTuple

from matplotlib.axes import Axes
from matplotlib.patches import Rectangle
from matplotlib.text import Text

from pokerlab.core import UnknownNameError
from pokerlab.core.files import DATA
from pokerlab.workbench.kept_figures import say, show
from pokerlab.workbench.style import GRAY, GRID, INK, PAPER, SMALL_SIZE, figure
from pokerlab.workbench.text import tabulate

KNOWN = (
    "all payoffs",
    "a best\nresponse",
    "the worst\ncase",
    "the worst case\nof a simpler game",
    "who beat\nwhom",
    "who is left\nat the table",
)
COMES_OUT = (
    "for all methods\nbelow",
    "a profile or\nan average",
    "a mixture",
    "a front",
    "one agent",
)
HEIGHTS = (3.0, 5.0, 3.4, 1.2, 3.0)  # of the rows, the first at the top


class Place(NamedTuple):
    """A method on the map: column and row, lesson ('' for a neighbor of the five papers), name, source."""

    column: int
    row: int
    lesson: str
    method: str
    source: str


PLACES = (
    Place(0, 1, "02", "populations", "Taylor & Jonker 1978"),
    Place(0, 1, "03", "steps and averages", "Hofbauer et al. 2009"),
    Place(0, 1, "04", "linear program", "Koller et al. 1994"),
    Place(0, 1, "05", "replicators in trees", "Lanctot 2014"),
    Place(0, 1, "06", "learning by regret", "Zinkevich et al. 2007"),
    Place(1, 2, "08", "Nash memory", "Oliehoek et al. 2006"),
    Place(1, 2, "", "double oracle", "McMahan et al. 2003"),
    Place(1, 2, "", "PSRO", "Lanctot et al. 2017"),
    Place(2, 4, "09", "minimax coevolution", "Samothrakis\n& Lucas 2011"),
    Place(3, 4, "11", "limit hold'em", "Samothrakis\n& Lucas 2011"),
    Place(3, 4, "12", "what forgetting costs", "Lockhart et al. 2019"),
    Place(4, 3, "13", "Pareto coevolution", "Noble & Watson 2001"),
    Place(5, 4, "14", "neuroevolution", "Nicolai\n& Hilderman 2009"),
    Place(5, 4, "14b", "halls of fame", "Rosin & Belew 1997"),
)
SPANS = (
    ("01", 0, "01 games and equilibria, 01b hidden cards: how all methods are measured"),
    ("07", 2, "07 coevolution: opponents evolve, too"),
    ("10", 3, "10 real cards: from here on, 52 of them"),
    ("15", 0, "15 who is best: all methods on the same games"),
)
"""Lessons that belong to all methods from a column on, in the top row."""
LESSONS = tuple(sorted({*(p.lesson for p in PLACES), *(lesson for lesson, *_ in SPANS)} - {""}))
CAPTION = (
    "The further right, the less a method must know about the others. Solid frames: the methods of the lessons;"
    " dashed frames: their neighbors in the field. The bars at the top span the methods that a lesson is about."
)


def field_map(here: str | None = None) -> None:
    """Show the map of the field, with 'you are here'.

    Parameters
    ----------
    here : str, optional
        The number of a lesson, such as '05'.
    """
    if here is not None:
        UnknownNameError.check("lesson on the map", here, LESSONS)
    picture, axes = figure(9.0, 6.4)
    draw_map(axes, here)
    show(picture, CAPTION, name="field_map" if here is None else None)


def draw_map(axes: Axes, here: str | None) -> dict[str, Text]:
    """Draw the map and return the labels by lesson; those of neighbors by method."""
    bottoms = [sum(HEIGHTS[row + 1 :]) for row in range(len(HEIGHTS))]
    labels = {}
    for place in PLACES:
        together = [p for p in PLACES if p[:2] == place[:2]]
        step = HEIGHTS[place.row] / len(together)
        up = bottoms[place.row] + HEIGHTS[place.row] - step * (together.index(place) + 0.5)
        color, dash = (INK, "-") if place.lesson else (GRAY, "--")
        words = f"{place.lesson} {place.method}".strip() + f"\n{place.source}"
        is_here = bool(place.lesson) and place.lesson == here
        frame = {"boxstyle": "round,pad=0.3", "edgecolor": color, "linestyle": dash}
        at = place.column + 0.5, up
        labels[place.lesson or place.method] = write(axes, at, words, is_here, frame)
    for index, (lesson, first, words) in enumerate(SPANS):
        up = bottoms[0] + HEIGHTS[0] * (1 - (index + 0.5) / len(SPANS))
        shade = INK if lesson == here else GRID
        size = len(KNOWN) - first - 0.2, 0.72 * HEIGHTS[0] / len(SPANS)
        corner = first + 0.1, up - size[1] / 2
        axes.add_patch(Rectangle(corner, *size, facecolor=shade, edgecolor=INK, linewidth=0.8))
        at = first + len(KNOWN[first:]) / 2, up
        labels[lesson] = write(axes, at, words, lesson == here)
    axes.set(xlim=(0, len(KNOWN)), ylim=(0, sum(HEIGHTS)))
    axes.set_xticks([column + 0.5 for column in range(len(KNOWN))], KNOWN)
    middles = [bottom + height / 2 for bottom, height in zip(bottoms, HEIGHTS, strict=True)]
    axes.set_yticks(middles, COMES_OUT)
    axes.grid(False)
    for line in bottoms[:-1]:
        axes.axhline(line, color=GRID, linewidth=0.6)
    axes.tick_params(length=0, labelsize=SMALL_SIZE)
    axes.set(xlabel="what must be known about the others", ylabel="what comes out")
    axes.set_title("How much must you know about the others?", loc="left")
    return labels


def write(
    axes: Axes,
    at: tuple[float, float],
    words: str,
    is_here: bool,
    frame: Mapping[str, Any] | None = None,
) -> Text:
    """Write words, in a frame if there is one; they are dark where the reader is."""
    box = None if frame is None else {"facecolor": INK if is_here else PAPER, **frame}
    mark = "\n" if frame else ", "
    said, color = (f"you are here{mark}{words}", PAPER) if is_here else (words, INK)
    return axes.text(*at, said, color=color, ha="center", va="center", fontsize=6.8, bbox=box)


SCORES = DATA / "scoreboard.csv"  # what `python -m benchmarks.standings` has measured
UNITS = {"Kuhn poker": "chips", "hold'em in six buckets": "small bets"}
HEADS = (
    "lesson", "method", "game", "NashConv", "payoff evaluations", "seconds", "its answer", "guarantee",
)  # fmt: skip
NOTE = (
    "NashConv is that of the answer, computed by exact best responses. A *payoff evaluation* goes once"
    " through all payoffs of the game: a best response is one, and so is a player's update, or a meeting of"
    " two strategies in either seat. Seconds are those of one core, on the machine that measured them."
)
NOTHING = 1e-9  # of the game's unit; a smaller NashConv is rounding


class Score(NamedTuple):
    """What a method has reached, in the game's unit, its price, and what its answer is, with what is sure of it."""

    nash_conv: float
    evaluations: int
    seconds: float
    answer: str
    guarantee: str


def scoreboard(lesson: str) -> dict[str, Score]:
    """Display the scoreboard up to a lesson, and return its rows by method.

    Parameters
    ----------
    lesson : str
        Its number, such as '08'; rows of later lessons are left out.
    """
    with SCORES.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    UnknownNameError.check("lesson on the map", lesson, LESSONS)
    scores, cells = {}, []
    for row in (row for row in rows if row["lesson"] <= lesson):
        measured = float(row["nash_conv"]), int(row["evaluations"]), float(row["seconds"])
        score = Score(*measured, row["answer"], row["guarantee"])
        scores[row["method"]] = score
        distance = f"{score.nash_conv:.2g}" if score.nash_conv > NOTHING else "0"
        method, reached = f"{row['method']} ({row['paper']})", f"{distance} {UNITS[row['game']]}"
        price = [f"{score.evaluations:,}", f"{score.seconds:.1g}"]
        cells.append(
            [row["lesson"], method, row["game"], reached, *price, row["answer"], row["guarantee"]]
        )
    say(tabulate(HEADS, cells))
    say(NOTE)
    return scores
