"""A population of rule genomes as an intensity plot: rows are strategies, columns genes that say how it plays."""

from collections.abc import Mapping
from typing import Any

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import SubFigure

from pokerlab.core.arrays import Ints
from pokerlab.holdem.cards.deck import STREETS
from pokerlab.solvers import PopulationState
from pokerlab.strategies.players.rule_decision import (
    BLUFF,
    CHECK_RAISE,
    FIRST_OF_STREETS,
    GENES_A_STREET,
)
from pokerlab.workbench.live.view import Frame, Painted, leave_margins
from pokerlab.workbench.pictures.shaded_table import SHADES
from pokerlab.workbench.style import INK, SMALL_SIZE, TITLE_SIZE, dress

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
OLDEST = 4
"""Generations that the axis of ages has room for at first."""


class PopulationView:
    """The first population, gene by gene: those kept above the others, and how long they have been."""

    name = "population"
    height = 3.7
    choice = "Rows by"
    caption = (
        "Shades: a row for each strategy, those that stay above, a column for each of 14 genes: how often it bluffs"
        " and check-raises, and on each street the least hand that it plays on with, what it bets, and what it calls;"
        " the darker, the larger within its range. Bars are ages, in generations."
    )

    def choices(self, frame: Frame) -> Mapping[str, str]:
        """Return the orders of the rows."""
        return ORDERS

    def lay_out(self, figure: SubFigure, frame: Frame, chosen: str) -> list[Artist]:
        """Make the axes of genes and ages."""
        self.order = chosen
        genes, ages = figure.subplots(1, 2, sharey=True, width_ratios=[9, 1])
        leave_margins(figure, self.height, left=0.66, right=0.2, top=0.52, bottom=0.56)
        figure.subplots_adjust(wspace=0.03)
        state: PopulationState = frame.state
        many = state.population.shape[1]
        self.low, self.high = state.encoding.low, state.encoding.high  # type: ignore[attr-defined]
        self.shown = np.full((many, WIDTH), np.nan)
        self.image = genes.imshow(
            self.shown, cmap=SHADES, vmin=0.0, vmax=1.0,
            aspect="auto", interpolation="nearest", extent=(0, WIDTH, many, 0),
        )  # fmt: skip
        name_loci(genes)
        dress(ages)
        ages.set_xlabel("age", fontsize=SMALL_SIZE)
        ages.tick_params(labelsize=SMALL_SIZE - 1)
        ages.spines[["left", "bottom"]].set_visible(False)
        self.ages, self.oldest = ages, OLDEST
        ages.set(xlim=(0, OLDEST), xticks=(0, OLDEST))
        look: dict[str, Any] = {"orientation": "horizontal", "fill": True, "color": INK}
        self.bars = ages.stairs(np.zeros(many), np.arange(many + 1), **look)
        (self.border,) = genes.plot([0, WIDTH], [0, 0], color=INK, linewidth=1.2, clip_on=False)
        look = {"ha": "right", "va": "center", "rotation": 90, "fontsize": SMALL_SIZE, "color": INK}
        self.names = [genes.text(-0.6, 0, words, **look) for words in ("kept", "replaced")]
        self.title = genes.set_title(" ", loc="left", y=1.0, pad=18, fontsize=TITLE_SIZE)
        return [self.image, self.bars, self.border, *self.names, self.title]

    def paint(self, frame: Frame) -> tuple[Painted, bool]:
        """Show the population as it has just been judged."""
        state: PopulationState = frame.state
        rows = ordered(state, self.order)
        genes = (state.population[0][rows] - self.low) / (self.high - self.low)
        ages = state.ages[0][rows]
        self.shown[:, PLACES] = genes[:, SHOWN]
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


def name_loci(axes: Axes) -> None:
    """Name the genes below, and their streets above."""
    dress(axes)
    axes.grid(False)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    axes.set_yticks([])
    axes.set_xticks(PLACES + 0.5, LABELS, fontsize=SMALL_SIZE - 1)
    for number, street in enumerate(STREETS):
        first = PLACES[FIRST_OF_STREETS + len(OF_A_STREET) * number]
        axes.annotate(
            street, (first + len(OF_A_STREET) / 2, 1.0), xycoords=("data", "axes fraction"),
            xytext=(0, 3), textcoords="offset points", ha="center", fontsize=SMALL_SIZE, color=INK,
        )  # fmt: skip
