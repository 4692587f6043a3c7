"""The genomes of a population as an intensity plot. Of rules, the genes that describe their play are shown."""

from collections.abc import Mapping
from dataclasses import dataclass

import numpy as np
from matplotlib.ticker import MaxNLocator

from pokerlab.core.arrays import Floats, Ints
from pokerlab.evolution.population.protocol import PlayerEncoding
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

STREET_GENES = {"hand": 0, "bet": 4, "call": 5}
"""The labels of the shown genes of a street, and the position of each among the genes of the street."""
LABELS = ("bluff", "check-\nraise", *(*STREET_GENES,) * len(STREETS))
FIRST_GENES = FIRST_OF_STREETS + GENES_A_STREET * np.arange(len(STREETS))
SHOWN_GENES = np.r_[BLUFF, CHECK_RAISE, (FIRST_GENES[:, None] + [*STREET_GENES.values()]).ravel()]
"""The indices of the shown genes."""
GENE_COLUMNS = np.arange(len(SHOWN_GENES)) + (np.arange(len(SHOWN_GENES)) + 1) // len(STREET_GENES)
"""The column of each shown gene. A column before each street is empty."""
NUM_COLUMNS = int(GENE_COLUMNS[-1]) + 1
ORDERS = {"age": "ages", "profit": "profit"}
"""The orders of the rows, and for each the attribute of the state that has the numbers."""
STREET_GROUPS = tuple(
    Group(street, int(first), int(first) + len(STREET_GENES))
    for street, first in zip(
        STREETS, GENE_COLUMNS[FIRST_OF_STREETS :: len(STREET_GENES)], strict=True
    )
)
LEAST_AGE_LIMIT = 4  # the first end of the axis of ages, in generations
RULES_CAPTION = (
    "Heat map: a row for each strategy, survivors above, a column for each of 14 genes: how often it bluffs"
    " and check-raises, and on each street the least hand that it plays on with, what it bets, and what it calls;"
    " the darker, the larger within its range. Bars show ages, in generations."
)
"""The caption for genomes of rules."""
GENES_CAPTION = (
    "Heat map: a row for each strategy, survivors above, a column for each gene; the darker, the larger. Where"
    " strategies survive, bars show their ages, in generations."
)
"""The caption for other genomes."""


@dataclass(frozen=True)
class PopulationView:
    """The genes of the first population, with the strategies that were kept above the others, and their ages.

    If the genomes are rules (`is_of_rules`), the genes that describe their play are shown.
    """

    is_of_rules: bool = False
    name = "population"
    height = 3.7
    choice_label = "Rows by"

    @property
    def caption(self) -> str:
        """A sentence on how to read the strip."""
        return RULES_CAPTION if self.is_of_rules else GENES_CAPTION

    def list_choices(self, frame: Frame) -> Mapping[str, str]:
        """Return the orders of the rows."""
        return ORDERS

    def draw(self, frame: Frame, chosen: str) -> Strip:
        """Return the strip with the genes and the ages of the first population."""
        state: PopulationState = frame.state
        rows = order_rows(state, chosen)
        genes, scale, ends = scale_genes(state.population[0][rows], state.encoding)
        ages = state.ages[0][rows]
        num_strategies = len(rows)
        num_kept = int(state.front[0].sum())
        shown = place_genes(genes) if self.is_of_rules else genes
        width = shown.shape[1]

        names = tuple(state.encoding.gene_labels) if hasattr(state.encoding, "gene_labels") else ()
        groups = (Group("kept", 0, num_kept), Group("replaced", num_kept, num_strategies))
        # Where each generation replaces the one before, all are replaced, and all ages are zero.
        keeps_strategies = bool(num_kept) or not state.iteration
        heat_map = HeatMap(
            shown,
            name_loci(width) if self.is_of_rules else number_genes(width),
            Axis("", (num_strategies, 0.0), ticks=()),
            scale,
            "genes",
            write_finding(state, ages),
            columns=name_columns(names) if self.is_of_rules else names,
            # Beside the bars there is no room for it.
            scale_label="" if keeps_strategies else "value of the gene",
            scale_ticks=ends,
            text_size=SMALL_SIZE - 1,
            row_groups=tuple(g for g in groups if g.end > g.first) if keeps_strategies else (),
            column_groups=STREET_GROUPS if self.is_of_rules else (),
            width=9.0,
        )
        if not keeps_strategies:
            return Strip(self.name, self.height, ((heat_map,),))
        oldest = LEAST_AGE_LIMIT
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


def scale_genes(
    genes: Floats, encoding: PlayerEncoding
) -> tuple[Floats, ColorScale, tuple[tuple[float, str], ...]]:
    """Return what is shown of genes: their values, the colors of these, and the names of the two ends of the colors.

    Parameters
    ----------
    genes : array of shape (N, L)
        N genomes of L genes.
    encoding : PlayerEncoding
        Their encoding, with the ranges of the genes, `low` to `high`.

    Returns
    -------
    shown : array of shape (N, L)
        The genes if all have the same range; otherwise, each is shown as a share of its own range.
    scale : ColorScale
        The colors from one end of the range to the other.
    ends : tuple of (float, str)
        The two ends of the range, and their names.
    """
    lows, highs = np.unique(encoding.low), np.unique(encoding.high)  # type: ignore[attr-defined]
    if len(lows) == len(highs) == 1:
        low, high = float(lows[0]), float(highs[0])
        return (
            genes,
            ColorScale(PROBABILITY_COLORS, low, high),
            ((low, f"{low:g}"), (high, f"{high:g}")),
        )
    shares = (genes - encoding.low) / (encoding.high - encoding.low)  # type: ignore[attr-defined]
    return shares, ColorScale(PROBABILITY_COLORS), ((0.0, "least"), (1.0, "largest"))


def place_genes(genes: Floats) -> Floats:
    """Return the shown genes of rules, of shape (N, columns), with an empty column before each street."""
    shown = np.full((len(genes), NUM_COLUMNS), np.nan)
    shown[:, GENE_COLUMNS] = genes[:, SHOWN_GENES]
    return shown


def name_columns(names: tuple[str, ...]) -> tuple[str, ...]:
    """Return the full names of the columns of genes of rules."""
    columns = [""] * NUM_COLUMNS
    for place, gene in zip(GENE_COLUMNS, SHOWN_GENES, strict=True):
        columns[place] = names[gene] if names else ""
    return tuple(columns)


def order_rows(state: PopulationState, attribute: str) -> Ints:
    """Return the order of the first population's rows: those kept first, then by decreasing values of an attribute."""
    return np.lexsort((-getattr(state, attribute)[0], ~state.front[0]))


def write_finding(state: PopulationState, ages: Ints) -> str:
    """Return the title: the number of strategies that stay, and their mean age."""
    num_kept = int(state.front[0].sum())
    num_strategies = len(ages)
    if not state.iteration:
        return f"{num_strategies} random strategies that have not played yet"
    words = f"the children of {num_strategies} strategies replace all of them"
    if num_kept:
        stay = f"{num_kept} of {num_strategies} strategies stay"
        words = f"{stay}; kept for {ages[:num_kept].mean():.1f} generations so far, on average"
    return f"Generation {state.iteration:,}: {words}"


def number_genes(width: int) -> Axis:
    """Return an axis with the numbers of genes, from 1."""
    places = MaxNLocator(12, integer=True).tick_values(1, width)
    ticks = tuple((place - 0.5, f"{place:g}") for place in places if 1 <= place <= width)
    return Axis("gene", (0.0, width), ticks=ticks)


def name_loci(width: int) -> Axis:
    """Return an axis with the labels of the shown genes of rules."""
    ticks = tuple((place + 0.5, label) for place, label in zip(GENE_COLUMNS, LABELS, strict=True))
    return Axis("", (0.0, width), ticks=ticks)
