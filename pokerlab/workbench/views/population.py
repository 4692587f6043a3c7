"""The genomes of a population as an intensity plot; of rules those genes that say how they play."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from matplotlib.ticker import MaxNLocator

from pokerlab.core.arrays import Floats, Ints
from pokerlab.holdem.cards import STREETS
from pokerlab.holdem.rule_genome import (
    BLUFF,
    CHECK_RAISE,
    FIRST_OF_STREETS,
    GENES_A_STREET,
)
from pokerlab.solvers.population_coevolution import PopulationState
from pokerlab.workbench.live.view import Frame
from pokerlab.workbench.picture import Axis, Bars, ColorScale, Group, HeatMap, Strip
from pokerlab.workbench.style import INK, PROBABILITY_COLORS, SMALL_SIZE

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
STREET_GROUPS = tuple(
    Group(street, int(first), int(first) + len(OF_A_STREET))
    for street, first in zip(STREETS, PLACES[FIRST_OF_STREETS :: len(OF_A_STREET)], strict=True)
)
OLDEST = 4  # generations that the axis of ages has room for at first
OF_RULES = (
    "Heat map: a row for each strategy, survivors above, a column for each of 14 genes: how often it bluffs"
    " and check-raises, and on each street the least hand that it plays on with, what it bets, and what it calls;"
    " the darker, the larger within its range. Bars are ages, in generations."
)
"""What there is to see of rules."""
OF_GENES = (
    "Heat map: a row for each strategy, survivors above, a column for each gene; the darker, the larger within"
    " its range. Bars are ages, in generations."
)
"""What there is to see of other genomes."""


@dataclass(frozen=True)
class PopulationView:
    """The first population, gene by gene: those kept above the others, and how long they have been.

    Of rules (`is_of_rules`) those genes are shown that say how they play.
    """

    is_of_rules: bool = False
    name = "population"
    height = 3.7
    choice = "Rows by"

    @property
    def caption(self) -> str:
        """How to read it."""
        return OF_RULES if self.is_of_rules else OF_GENES

    def list_choices(self, frame: Frame) -> Mapping[str, str]:
        """Return the orders of the rows."""
        return ORDERS

    def draw(self, frame: Frame, chosen: str) -> Strip:
        """Return the population as it has just been judged."""
        state: PopulationState = frame.state
        rows = order_rows(state, chosen)
        low, high = state.encoding.low, state.encoding.high  # type: ignore[attr-defined]
        genes = (state.population[0][rows] - low) / (high - low)
        ages = state.ages[0][rows]
        many = len(rows)
        kept = int(state.front[0].sum())
        shown = place_genes(genes) if self.is_of_rules else genes
        width = shown.shape[1]

        names = tuple(state.encoding.gene_labels) if hasattr(state.encoding, "gene_labels") else ()
        groups = (Group("kept", 0, kept), Group("replaced", kept, many))
        heat_map = HeatMap(
            shown,
            name_loci(width) if self.is_of_rules else number_genes(width),
            Axis("", (many, 0.0), ticks=()),
            ColorScale(PROBABILITY_COLORS),
            "genes",
            write_finding(state, ages),
            columns=name_columns(names) if self.is_of_rules else names,
            text_size=SMALL_SIZE - 1,
            row_groups=tuple(group for group in groups if group.end > group.first),
            column_groups=STREET_GROUPS if self.is_of_rules else (),
            width=9.0,
        )
        oldest = OLDEST
        while oldest < ages.max():
            oldest *= 2
        bars = Bars(
            ages.astype(np.float64),
            Axis("age", (0.0, oldest), ticks=((0.0, "0"), (float(oldest), str(oldest)))),
            "ages",
            is_horizontal=True,
            look={"color": INK},
        )
        return Strip(self.name, self.height, ((heat_map, bars),))


def place_genes(genes: Floats) -> Floats:
    """Return the genes of rules that are shown, (N, columns), with an empty column before each street."""
    shown = np.full((len(genes), WIDTH), np.nan)
    shown[:, PLACES] = genes[:, SHOWN]
    return shown


def name_columns(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the names in full of the columns of genes of rules."""
    columns = [""] * WIDTH
    for place, gene in zip(PLACES, SHOWN, strict=True):
        columns[place] = names[gene] if names else ""
    return tuple(columns)


def order_rows(state: PopulationState, by: str) -> Ints:
    """Return the rows of the first population, those kept first, the largest of `by` first."""
    return np.lexsort((-getattr(state, by)[0], ~state.front[0]))


def write_finding(state: PopulationState, ages: Ints) -> str:
    """Return the title: how many stay, and for how long they have."""
    kept = int(state.front[0].sum())
    many = len(ages)
    if not state.iteration:
        return f"{many} random strategies that have not played yet"
    said = f"the children of {many} strategies replace all of them"
    if kept:
        stay = f"{kept} of {many} strategies stay"
        said = f"{stay}; kept for {ages[:kept].mean():.1f} generations so far, on average"
    return f"Generation {state.iteration:,}: {said}"


def number_genes(width: int) -> Axis:
    """Return an axis of genes, from 1."""
    places = MaxNLocator(12, integer=True).tick_values(1, width)
    ticks = tuple((place - 0.5, f"{place:g}") for place in places if 1 <= place <= width)
    return Axis("gene", (0.0, width), ticks=ticks)


def name_loci(width: int) -> Axis:
    """Return an axis of the genes of rules that are shown."""
    ticks = tuple((place + 0.5, label) for place, label in zip(PLACES, LABELS, strict=True))
    return Axis("", (0.0, width), ticks=ticks)
