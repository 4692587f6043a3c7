"""The map of the field with its lessons, and the scoreboard of the results of their methods."""

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

COLUMNS = (
    "all payoffs",
    "a best\nresponse",
    "the worst\ncase",
    "the worst case\nof a simpler game",
    "who beat\nwhom",
    "who is left\nat the table",
)
ROWS = (
    "for all methods\nbelow",
    "a profile or\nan average",
    "a mixture",
    "a front",
    "one agent",
)
ROW_HEIGHTS = (3.0, 5.0, 3.4, 1.2, 3.0)  # from the top


class Place(NamedTuple):
    """The place of a method on the map."""

    column: int  # an index of `COLUMNS`: what the method must know about the others
    row: int  # an index of `ROWS`: what it returns
    lesson: str  # the number of its lesson, such as '05'; empty if it has none
    method: str
    source: str  # the authors and the year


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
"""The lessons on all methods from a column on: lesson, first column, and words. They are bars in the top row."""
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
    """Draw the map.

    Parameters
    ----------
    axes : Axes
        Where to draw.
    here : str or None
        The number of the lesson that is marked with 'you are here', or None for no mark.

    Returns
    -------
    dict of str to Text
        The label of each lesson by its number, and of each method without a lesson by its name.
    """
    bottoms = [sum(ROW_HEIGHTS[row + 1 :]) for row in range(len(ROW_HEIGHTS))]
    labels = {}
    for place in PLACES:
        places_in_cell = [other for other in PLACES if other[:2] == place[:2]]
        height = ROW_HEIGHTS[place.row] / len(places_in_cell)
        middle = (
            bottoms[place.row]
            + ROW_HEIGHTS[place.row]
            - height * (places_in_cell.index(place) + 0.5)
        )
        color, line_style = (INK, "-") if place.lesson else (GRAY, "--")
        words = f"{place.lesson} {place.method}".strip() + f"\n{place.source}"
        is_here = bool(place.lesson) and place.lesson == here
        frame = {"boxstyle": "round,pad=0.3", "edgecolor": color, "linestyle": line_style}
        position = place.column + 0.5, middle
        labels[place.lesson or place.method] = write_label(axes, position, words, is_here, frame)
    for index, (lesson, first, words) in enumerate(SPANS):
        middle = bottoms[0] + ROW_HEIGHTS[0] * (1 - (index + 0.5) / len(SPANS))
        shade = INK if lesson == here else GRID
        bar_size = len(COLUMNS) - first - 0.2, 0.72 * ROW_HEIGHTS[0] / len(SPANS)
        corner = first + 0.1, middle - bar_size[1] / 2
        axes.add_patch(Rectangle(corner, *bar_size, facecolor=shade, edgecolor=INK, linewidth=0.8))
        position = first + len(COLUMNS[first:]) / 2, middle
        labels[lesson] = write_label(axes, position, words, lesson == here)
    axes.set(xlim=(0, len(COLUMNS)), ylim=(0, sum(ROW_HEIGHTS)))
    axes.set_xticks([column + 0.5 for column in range(len(COLUMNS))], COLUMNS)
    middles = [bottom + height / 2 for bottom, height in zip(bottoms, ROW_HEIGHTS, strict=True)]
    axes.set_yticks(middles, ROWS)
    axes.grid(False)
    for line in bottoms[:-1]:
        axes.axhline(line, color=GRID, linewidth=0.6)
    axes.tick_params(length=0, labelsize=SMALL_SIZE)
    axes.set(xlabel="what must be known about the others", ylabel="what comes out")
    axes.set_title("How much must you know about the others?", loc="left")
    return labels


def write_label(
    axes: Axes,
    position: tuple[float, float],
    words: str,
    is_here: bool,
    frame: Mapping[str, Any] | None = None,
) -> Text:
    """Write the label of a lesson on the map, and return it.

    Parameters
    ----------
    axes : Axes
        Where to write.
    position : tuple of two floats
        The middle of the label, in units of columns and rows.
    words : str
        The label.
    is_here : bool
        Whether 'you are here' stands before the words, in light letters on a dark ground.
    frame : mapping, optional
        Keywords of matplotlib for a frame around the label.
    """
    box = None if frame is None else {"facecolor": INK if is_here else PAPER, **frame}
    separator = "\n" if frame else ", "
    text, color = (f"you are here{separator}{words}", PAPER) if is_here else (words, INK)
    return axes.text(*position, text, color=color, ha="center", va="center", fontsize=6.8, bbox=box)


SCORES = DATA / "scoreboard.csv"  # written by `python -m benchmarks.standings`
UNITS = {"Kuhn poker": "chips", "hold'em in six buckets": "small bets"}
HEADS = (
    "lesson", "method", "game", "NashConv", "payoff evaluations", "seconds", "its answer", "guarantee",
)  # fmt: skip
NOTE = (
    "NashConv is that of the answer, computed by exact best responses. A *payoff evaluation* goes once"
    " through all payoffs of the game: a best response is one, and so is a player's update, or a meeting of"
    " two strategies in either seat. Seconds are those of one core, on the machine that measured them."
)
ROUNDING = 1e-9  # in the unit of the game; a smaller NashConv is written as 0


class Score(NamedTuple):
    """The result of a method and its cost.

    Attributes
    ----------
    nash_conv : float
        The NashConv of its answer, in the unit of the game.
    evaluations : int
        The number of payoff evaluations.
    seconds : float
        The time on one core.
    answer : str
        What it returns, such as an average profile.
    guarantee : str
        What is proven about the answer.
    """

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
        The number of the lesson, such as '08'. Rows of later lessons are left out.

    Returns
    -------
    dict of str to Score
        The result of each method, by its name.

    Raises
    ------
    UnknownNameError
        If no lesson on the map has this number.
    """
    with SCORES.open(encoding="utf-8", newline="") as file:
        rows = list(csv.DictReader(file))
    UnknownNameError.check("lesson on the map", lesson, LESSONS)
    scores, cells = {}, []
    for row in (row for row in rows if row["lesson"] <= lesson):
        numbers = float(row["nash_conv"]), int(row["evaluations"]), float(row["seconds"])
        score = Score(*numbers, row["answer"], row["guarantee"])
        scores[row["method"]] = score
        distance = f"{score.nash_conv:.2g}" if score.nash_conv > ROUNDING else "0"
        method = f"{row['method']} ({row['paper']})"
        distance_with_unit = f"{distance} {UNITS[row['game']]}"
        cost = [f"{score.evaluations:,}", f"{score.seconds:.1g}"]
        results = [distance_with_unit, *cost, row["answer"], row["guarantee"]]
        cells.append([row["lesson"], method, row["game"], *results])
    say(tabulate(HEADS, cells))
    say(NOTE)
    return scores
