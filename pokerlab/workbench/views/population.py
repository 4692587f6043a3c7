"""A population: its genomes as an intensity plot, of rules those genes that say how they play; and who wins what."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import SubFigure
from matplotlib.ticker import MaxNLocator

from pokerlab.core.arrays import Floats, Ints
from pokerlab.holdem import RuleEncoding
from pokerlab.holdem.cards import STREETS
from pokerlab.holdem.rule_genome import (
    BLUFF,
    CHECK_RAISE,
    FIRST_OF_STREETS,
    GENES_A_STREET,
)
from pokerlab.metrics.match_results import measure_transitivity
from pokerlab.solvers.population_coevolution import PopulationState
from pokerlab.workbench.live.view import Frame, Painted, leave_margins
from pokerlab.workbench.pictures.shaded_table import SHADES
from pokerlab.workbench.style import (
    INK,
    SMALL_SIZE,
    TITLE_SIZE,
    WINNINGS,
    color_scale,
    dress,
    place_beside,
)

OF_A_STREET = {"hand": 0, "bet": 4, "call": 5}
"""What the axis calls the genes of a street that are shown, and where each stands among them."""
LABELS = ("bluff", "check-\nraise", *(*OF_A_STREET,) * len(STREETS))
FIRST = FIRST_OF_STREETS + GENES_A_STREET * np.arange(len(STREETS))
SHOWN = np.r_[BLUFF, CHECK_RAISE, (FIRST[:, None] + [*OF_A_STREET.values()]).ravel()]
"""The loci that are shown."""
PLACES = np.arange(len(SHOWN)) + (np.arange(len(SHOWN)) + 1) // len(OF_A_STREET)
"""The column of each; one stays empty before each street."""
WIDTH = int(PLACES[-1]) + 1
ORDERS = {"age": "ages", "profit": "profit"}
"""By what rows can be ordered, and the attribute of the state that holds it."""
OLDEST = 4  # generations that the axis of ages has room for at first
OF_RULES = (
    "Shades: a row for each strategy, those that stay above, a column for each of 14 genes: how often it bluffs"
    " and check-raises, and on each street the least hand that it plays on with, what it bets, and what it calls;"
    " the darker, the larger within its range. Bars are ages, in generations."
)
"""What there is to see of rules."""
LEAST = 2.0**-30  # where the scale of winnings begins


class PopulationView:
    """The first population, gene by gene: those kept above the others, and how long they have been."""

    name = "population"
    height = 3.7
    choice = "Rows by"
    caption = (
        "Shades: a row for each strategy, those that stay above, a column for each gene; the darker, the larger within"
        " its range. Bars are ages, in generations."
    )

    def choices(self, frame: Frame) -> Mapping[str, str]:
        """Return the orders of the rows."""
        return ORDERS

    def lay_out(self, figure: SubFigure, frame: Frame, chosen: str) -> list[Artist]:
        """Make the axes of genes and ages."""
        self.order = chosen
        genes, ages = figure.subplots(1, 2, sharey=True, width_ratios=[9, 1])
        state: PopulationState = frame.state
        of_rules = isinstance(state.encoding, RuleEncoding)
        bottom = 0.56 if of_rules else 0.46
        leave_margins(figure, self.height, left=0.66, right=0.2, top=0.52, bottom=bottom)
        figure.subplots_adjust(wspace=0.03)
        many = state.population.shape[1]
        self.low, self.high = state.encoding.low, state.encoding.high  # type: ignore[attr-defined]
        self.genes: Ints = SHOWN if of_rules else np.arange(state.encoding.num_genes)
        self.places: Ints = PLACES if of_rules else self.genes
        self.caption = OF_RULES if of_rules else type(self).caption
        width = int(self.places[-1]) + 1
        self.shown = np.full((many, width), np.nan)
        self.image = genes.imshow(
            self.shown, cmap=SHADES, vmin=0.0, vmax=1.0,
            aspect="auto", interpolation="nearest", extent=(0, width, many, 0),
        )  # fmt: skip
        (name_loci if of_rules else number_genes)(genes)
        dress(ages)
        ages.set_xlabel("age", fontsize=SMALL_SIZE)
        ages.tick_params(labelsize=SMALL_SIZE - 1)
        ages.spines[["left", "bottom"]].set_visible(False)
        self.ages, self.oldest = ages, OLDEST
        ages.set(xlim=(0, OLDEST), xticks=(0, OLDEST))
        look: dict[str, Any] = {"orientation": "horizontal", "fill": True, "color": INK}
        self.bars = ages.stairs(np.zeros(many), np.arange(many + 1), **look)
        (self.border,) = genes.plot([0, width], [0, 0], color=INK, linewidth=1.2, clip_on=False)
        look = {"ha": "right", "va": "center", "rotation": 90, "fontsize": SMALL_SIZE, "color": INK}
        look["transform"] = genes.get_yaxis_transform()
        self.names = [genes.text(-0.013, 0, words, **look) for words in ("kept", "replaced")]
        self.title = genes.set_title(" ", loc="left", y=1.0, pad=18, fontsize=TITLE_SIZE)
        return [self.image, self.bars, self.border, *self.names, self.title]

    def paint(self, frame: Frame) -> tuple[Painted, bool]:
        """Show the population as it has just been judged."""
        state: PopulationState = frame.state
        rows = ordered(state, self.order)
        genes = (state.population[0][rows] - self.low) / (self.high - self.low)
        ages = state.ages[0][rows]
        self.shown[:, self.places] = genes[:, self.genes]
        self.image.set_data(self.shown)
        self.bars.set_data(ages)
        kept, many = int(state.front[0].sum()), len(rows)
        self.border.set_ydata([kept, kept])
        for text, first, last in zip(self.names, (0, kept), (kept, many), strict=True):
            text.set_y((first + last) / 2)
            text.set_visible(last - first > many / 8)
        self.title.set_text(finding(state, ages))
        grown = ages.max() > self.oldest
        if grown:
            self.oldest = 2 * int(ages.max())
            self.ages.set(xlim=(0, self.oldest), xticks=(0, self.oldest))
        return {"genes": genes, "ages": ages.astype(np.float64)}, grown


class MeetingsView:
    """Who won what from whom in the first population, the best above; and how far an order says it."""

    name = "meetings"
    height = 2.6
    choice = "Meetings of"
    caption = (
        "Meetings: the lighter a cell, the more the row won from the column; rows and columns stand in the order of"
        " what each won in all. Where one number for each explains little, there is no best strategy."
    )

    def choices(self, frame: Frame) -> Mapping[str, bool]:
        """Return whether only those that stay are shown."""
        return {"everybody": False, "those that stay": True}

    def lay_out(self, figure: SubFigure, frame: Frame, chosen: bool) -> list[Artist]:
        """Make the axes and the scale."""
        self.only_kept, self.most = chosen, LEAST
        self.axes = figure.subplots()
        leave_margins(figure, self.height, left=0.66, right=0.95, top=0.3, bottom=0.46)
        dress(self.axes)
        self.axes.grid(False)
        self.axes.set(
            xlabel="from whom, the best on the left", ylabel="who won", xticks=[], yticks=[]
        )
        self.image = self.axes.imshow(np.zeros((1, 1)), cmap=WINNINGS, aspect="auto")
        label = f"won, {frame.state.game.unit}"
        color_scale(self.image, label, cax=place_beside(self.axes, figure))
        self.title = self.axes.set_title(" ", loc="left", y=1.0, fontsize=TITLE_SIZE)
        return [self.image, self.title]

    def paint(self, frame: Frame) -> tuple[Painted, bool]:
        """Show the meetings of the last generation."""
        state: PopulationState = frame.state
        won = meetings(state, only_kept=self.only_kept)
        self.image.set_data(won)
        self.image.set_extent((0, len(won), len(won), 0))
        most = float(2.0 ** np.ceil(np.log2(max(np.abs(won).max(initial=0.0), LEAST))))
        grown, self.most = most != self.most, most
        self.image.set_clim(-most, most)
        explained, cycles = measure_transitivity(won)
        threes = f"{f'{cycles:,}' if cycles else 'no'} cycle{'s' * (cycles != 1)} of three"
        said = f"One number for each explains {explained:.0%} of what was won; {threes}"
        self.title.set_text(said if state.iteration else "Nobody has met yet")
        return {"won": won}, grown


def meetings(state: PopulationState, *, only_kept: bool = False) -> Floats:
    """Return what members of the first population won from each other, those who won most first.

    Where nobody stays, everybody is shown.
    """
    front = state.front[0]
    rows = np.flatnonzero(front if only_kept and front.any() else np.ones_like(front))
    won = state.matrix[np.ix_(rows, rows)]
    order = np.argsort(-won.sum(axis=1), kind="stable")
    return np.asarray(won[np.ix_(order, order)])


def ordered(state: PopulationState, by: str) -> Ints:
    """Return the rows of the first population, those kept first, the largest of `by` first."""
    return np.lexsort((-getattr(state, by)[0], ~state.front[0]))


def finding(state: PopulationState, ages: Ints) -> str:
    """Return the title: how many stay, and for how long they have."""
    kept, many = int(state.front[0].sum()), len(ages)
    if not state.iteration:
        return f"{many} random strategies that have not played yet"
    said = f"the children of {many} strategies replace all of them"
    if kept:
        stay = f"{kept} of {many} strategies stay"
        said = f"{stay}; kept for {ages[:kept].mean():.1f} generations so far, on average"
    return f"Generation {state.iteration:,}: {said}"


def number_genes(axes: Axes) -> None:
    """Write numbers of genes below, from 1."""
    bare(axes)
    axes.set_xlabel("gene", fontsize=SMALL_SIZE)
    numbers = MaxNLocator(12, integer=True).tick_values(1, axes.get_xlim()[1])
    shown = [number for number in numbers if 1 <= number <= axes.get_xlim()[1]]
    axes.set_xticks(np.array(shown) - 0.5, [f"{number:g}" for number in shown])


def bare(axes: Axes) -> None:
    """Take away what an image needs no axes for."""
    dress(axes)
    axes.grid(False)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    axes.set_yticks([])


def name_loci(axes: Axes) -> None:
    """Name the genes below, and their streets above."""
    bare(axes)
    axes.set_xticks(PLACES + 0.5, LABELS, fontsize=SMALL_SIZE - 1)
    for number, street in enumerate(STREETS):
        first = PLACES[FIRST_OF_STREETS + len(OF_A_STREET) * number]
        axes.annotate(
            street, (first + len(OF_A_STREET) / 2, 1.0), xycoords=("data", "axes fraction"),
            xytext=(0, 3), textcoords="offset points", ha="center", fontsize=SMALL_SIZE, color=INK,
        )  # fmt: skip
