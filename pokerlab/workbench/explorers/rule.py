"""A rule genome under the fingers: a control for each locus, its words, and at once what it wins from each group."""

import html
from collections.abc import Mapping
from typing import Any

import ipywidgets
import numpy as np
import scipy
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from pokerlab.core import Floats, checked_integer
from pokerlab.holdem.cards import STREETS
from pokerlab.holdem.hand_rankings import CATEGORIES
from pokerlab.holdem.rule_genome import FIRST_OF_STREETS, GENES_A_STREET, LOCI, RANK_WORDS, Locus
from pokerlab.papers.noble2001 import BAD, GROUPS, PRINTED, REASONABLE, Opponent, assess_strategies
from pokerlab.solvers.population_coevolution import PopulationState
from pokerlab.strategies.encoding import FLAG, PROBABILITY
from pokerlab.workbench.live.screen import OnScreen, Screen
from pokerlab.workbench.style import (
    GRAY,
    INK,
    PIXELS_PER_INCH,
    RED,
    SMALL_SIZE,
    figure,
    picture,
    to_png,
)
from pokerlab.workbench.text import with_minus

SIZE = (7.6, 2.5)
TALL = 0.5  # of a group's row, how much the marks of the front take
HANDS, SEQUENCES = 300, 20  # played with each group after each change, always the same deals
ROW = {"width": "97%", "height": "28px", "margin": "1px 0"}
LABEL = {"description_width": "84px"}
OF_A_STREET = (
    *("plays: hand", "plays: rank", "strong: hand", "strong: rank", "bet"),
    *("call", "bets all", "board bit", "straight", "flush"),
)
LABELS = ("bluff", "check-raise", *OF_A_STREET * len(STREETS))
"""What the control of each locus is called; its street stands above."""


def draw_winnings(
    won: Mapping[str, Floats], rivals: Mapping[str, Floats], big_blind: int
) -> Figure:
    """Draw winnings by group, (sequences,), and its rivals', (N,); above in thousandths of a big blind a hand."""
    made, axes = figure(*SIZE)
    axes.axvline(0.0, color=INK, linewidth=0.8)
    for row, (group, mine) in enumerate(won.items()):
        axes.vlines(rivals[group], row - TALL / 2, row + TALL / 2, color=GRAY, linewidth=1.2)
        error = scipy.stats.sem(mine)
        look = {"color": RED, "marker": "D", "markersize": 8, "capsize": 4, "zorder": 3}
        axes.errorbar(mine.mean(), row, xerr=error, **look)
    axes.set_yticks(range(len(won)), [f"against {group}" for group in won])
    axes.set_ylim(len(won) - 0.5, -0.5)
    axes.set_xlabel("won (chips per 1,000 hands)")
    there_and_back = (lambda x: x / big_blind, lambda x: x * big_blind)
    upper = axes.secondary_xaxis("top", functions=there_and_back)
    upper.set_xlabel("mbb/hand", fontsize=SMALL_SIZE)
    upper.tick_params(labelsize=SMALL_SIZE, length=2)
    title = ", ".join(f"{rounded(mine)} against {group}" for group, mine in won.items())
    axes.set_title(f"It wins {title}", loc="left")
    return made


def caption_of(won: Mapping[str, Floats], rivals: Mapping[str, Floats]) -> str:
    """Return what there is to see: how many of the front win less."""
    shares = {group: np.mean(rivals[group] < mine.mean()) for group, mine in won.items()}
    beaten = (f"{share:.0%} against {group}" for group, share in shares.items())
    return (
        "The diamond is your strategy, ± one standard error; gray lines are those that evolution kept,"
        f" with the same deals. The share of them that wins less than yours: {', '.join(beaten)}."
    )


def rounded(mine: Floats) -> str:
    """Return a mean in whole chips, with a true minus."""
    return with_minus(f"{mine.mean():+,.0f}")


class RuleExplorer(OnScreen):
    """Controls that say a `genome`, (42,), and what it has `won` by group; make it with `rule_explorer`."""

    def __init__(self, state: PopulationState, seed: int) -> None:
        self.game, self.encoding, self.seed = state.game, state.encoding, seed
        population, front = state.population[0], state.front[0]
        fills = front.sum() >= state.game.num_seats - 1
        evolved = population[front] if fills else population
        self.evolved_name = "the front" if fills else "its population"
        rivals = (Opponent(f"evolved {n}", "evolved", "", g) for n, g in enumerate(evolved))
        self.groups = GROUPS | {self.evolved_name: tuple(rivals)}
        self.rivals = {name: self.winnings(evolved, name).mean(axis=0) for name in self.groups}
        best = evolved[np.mean([self.rivals[name] for name in GROUPS], axis=0).argmax()]
        printed = {"as the paper prints one": PRINTED.genome}
        self.starts = printed | {f"best of {self.evolved_name}": best}
        self.starts |= {one.name: one.genome for one in (*REASONABLE, *BAD)}
        self.screen = Screen("png")
        names = list(self.starts)
        self.start = ipywidgets.Dropdown(options=names, description="Start from", style=LABEL)
        self.start.observe(self.start_chosen, "value")
        ends = self.encoding.low, self.encoding.high  # type: ignore[attr-defined]
        self.rows = [row_for(*each) for each in zip(LOCI, LABELS, *ends, strict=True)]
        for row in self.rows:
            row.observe(self.answer, "value")
        self.controls = self.lay_out()

    def lay_out(self) -> ipywidgets.VBox:
        """Return the two probabilities, and a column of controls for each street."""
        wrapping = {"flex_flow": "row wrap"}
        columns = []
        for number, street in enumerate(STREETS):
            first = FIRST_OF_STREETS + GENES_A_STREET * number
            rows = self.rows[first : first + GENES_A_STREET]
            head = ipywidgets.HTML(f"<b>{street}</b>")
            layout = {"flex": "1 1 210px", "max_width": "250px"}
            columns.append(ipywidgets.VBox([head, *rows], layout=layout))
        head = ipywidgets.HBox([self.start, *self.rows[:FIRST_OF_STREETS]], layout=wrapping)
        return ipywidgets.VBox([head, ipywidgets.HBox(columns, layout=wrapping)])

    def start_chosen(self, change: Any) -> None:
        """Begin with the strategy that was chosen."""
        self.genome = self.starts[self.start.value]

    @property
    def genome(self) -> Floats:
        """What the controls say."""
        return np.array([float(row.value) for row in self.rows])

    @genome.setter
    def genome(self, genome: ArrayLike) -> None:
        (genes,) = self.encoding.checked_genomes(genome)  # type: ignore[attr-defined]
        with self.quietly():
            for row, gene, locus in zip(self.rows, genes.tolist(), LOCI, strict=True):
                row.value = gene if locus.kind == PROBABILITY else type(row.value)(gene)
        self.refresh()

    def winnings(self, genomes: Floats, group: str) -> Floats:
        """Return what strategies win from a group, (sequences, N), in chips per 1,000 hands."""
        played = {"hands": HANDS, "sequences": SEQUENCES, "seed": self.seed}
        return assess_strategies(self.game, self.encoding, genomes, self.groups[group], **played)

    def refresh(self) -> None:
        """Let the strategy play, and show what it does and wins."""
        genome = self.genome
        self.won = {name: self.winnings(genome[None], name)[:, 0] for name in self.groups}
        drawn = draw_winnings(self.won, self.rivals, self.game.structure.big_blind)
        png, caption = to_png(drawn), caption_of(self.won, self.rivals)
        self.screen.show(png, SIZE[0] * PIXELS_PER_INCH, picture(png, drawn, caption))
        words = self.encoding.describe(genome)  # type: ignore[attr-defined]
        shown = "".join(
            f'<p style="line-height: 1.45;">{html.escape(said)}</p>' for said in (words, caption)
        )
        self.screen.say(shown, f"{words}\n{caption}")
        self.screen.tell(caption, f"{words}\n{caption}")

    def __repr__(self) -> str:
        wins = ", ".join(f"{won.mean():+,.0f} against {name}" for name, won in self.won.items())
        return f"<Rule explorer: {wins}, in chips per 1,000 hands>"


def row_for(locus: Locus, label: str, low: float, high: float) -> Any:
    """Return the control of a locus."""
    shared: dict[str, Any] = {"description": label, "tooltip": locus.name, "style": LABEL}
    still = {"continuous_update": False}  # a slider answers when it is let go
    if locus.kind == PROBABILITY:
        shared["layout"] = {"width": "260px"}
        return ipywidgets.FloatSlider(min=low, max=high, step=0.01, **shared, **still)
    shared["layout"] = ROW
    if locus.kind == FLAG:
        return ipywidgets.Checkbox(indent=True, **shared)
    if "category" in locus.name:
        categories = [(name, c) for c, name in enumerate(CATEGORIES) if c <= high]
        return ipywidgets.Dropdown(options=categories, **shared)
    if locus.name.startswith("rank"):
        ranks = [(name, rank) for rank, name in enumerate(RANK_WORDS, int(low))]
        return ipywidgets.Dropdown(options=ranks, **shared)
    return ipywidgets.BoundedIntText(min=int(low), max=int(high), **shared, **still)


def rule_explorer(
    state: PopulationState, start: ArrayLike | None = None, *, seed: int
) -> RuleExplorer:
    """Show a control for each of the 42 loci of a strategy, and what it wins at the table.

    After each change the strategy plays alpha, beta, and the strategies that an evolution has kept,
    always with the same deals.

    Parameters
    ----------
    state : PopulationState
        Where an evolution of rule genomes stands. If too few are kept to fill a table, its whole population plays.
    start : array_like, shape (42,), optional
        The genome to begin with; if not given, the one that the paper prints in words.
    seed : int
        Of the deals, and of the players' luck.

    Returns
    -------
    RuleExplorer
        What is shown; `genome` and `won` are what is on the screen.
    """
    explorer = RuleExplorer(state, checked_integer("seed", seed, 0))
    explorer.genome = PRINTED.genome if start is None else start
    return explorer.open()
