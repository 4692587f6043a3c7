"""A rule genome under the fingers: a control for each locus, its words, and at once what it wins from each group."""

import html
from collections.abc import Mapping
from dataclasses import dataclass
from functools import cached_property
from typing import Any

import numpy as np
import scipy
from ipywidgets import BoundedIntText, Checkbox, Dropdown, FloatSlider
from numpy.typing import ArrayLike

from pokerlab.core import Floats, validate_integer
from pokerlab.holdem.cards import STREETS
from pokerlab.holdem.hand_rankings import CATEGORIES
from pokerlab.holdem.rule_genome import FIRST_OF_STREETS, GENES_A_STREET, LOCI, RANK_WORDS, Locus
from pokerlab.papers.noble2001 import BAD, GROUPS, PRINTED, REASONABLE, Opponent, assess_strategies
from pokerlab.solvers.population_coevolution import PopulationState
from pokerlab.strategies.encoding import FLAG, PROBABILITY
from pokerlab.workbench.live.explorer import Control, Explorer, Plot, Values
from pokerlab.workbench.picture import BELOW, Axis, Curve, Curves, Level, Picture, Strip
from pokerlab.workbench.style import GRAY, INK, RED
from pokerlab.workbench.text import put_true_minus

HEIGHT = 3.2  # inches of the picture
WIDE = 0.5  # of a group's column, how much the lines of its rivals take
ROOM = 0.05  # above and below all that is drawn, as a share of its height
UNIT = "chips per 1,000 hands"
MINE, OTHERS = "your strategy", "one that evolution kept"
LINE: Any = {"color": GRAY, "linewidth": 1.2}
ERROR: Any = {"color": RED, "linewidth": 1.6}
DIAMOND: Any = {"color": RED, "linestyle": "none", "marker": "D", "markersize": 8.0}
HANDS, SEQUENCES = 300, 20  # played with each group after each change, always the same deals
ROW = {"width": "97%", "height": "28px", "margin": "1px 0"}
LABEL = {"description_width": "84px"}
OF_A_STREET = (
    *("plays: hand", "plays: rank", "strong: hand", "strong: rank", "bet"),
    *("call", "bets all", "board bit", "straight", "flush"),
)
LABELS = ("bluff", "check-raise", *OF_A_STREET * len(STREETS))
"""What the control of each locus is called; its street stands above."""
HEADINGS = ("",) * FIRST_OF_STREETS + tuple(
    f"<b>{street}</b>" for street in STREETS for _ in range(GENES_A_STREET)
)


def draw_winnings_by_group(won: Mapping[str, Floats], rivals: Mapping[str, Floats]) -> Curves:
    """Return winnings by group, (sequences,), with an error bar each, and its rivals', (N,)."""
    curves = []
    for place, group in enumerate(won):
        others = rivals[group]
        across = np.tile([place - WIDE / 2, place + WIDE / 2, np.nan], len(others))
        label = OTHERS * (place == 0)
        curves.append(
            Curve(across, np.repeat(others, 3), f"{OTHERS}, against {group}", label, LINE, UNIT)
        )
    for place, (group, mine) in enumerate(won.items()):
        mean, error = float(mine.mean()), float(scipy.stats.sem(mine))
        here = np.full(2, float(place))
        curves.append(Curve(here, mean + np.array([-error, error]), look=ERROR))
        unit = f"± {error:,.0f} {UNIT}"
        label = MINE * (place == 0)
        curves.append(
            Curve(here[:1], np.array([mean]), f"{MINE}, against {group}", label, DIAMOND, unit)
        )
    shown = np.concatenate([curve.y for curve in curves])
    room = ROOM * (float(np.ptp(shown)) or 1.0)
    return Curves(
        Axis(
            "", (-0.5, len(won) - 0.5), ticks=tuple((k, f"against {g}") for k, g in enumerate(won))
        ),
        Axis(f"won ({UNIT})", (float(shown.min()) - room, float(shown.max()) + room)),
        tuple(curves),
        f"It wins {', '.join(f'{round_mean(mine)} against {group}' for group, mine in won.items())}",
        levels=(Level(0.0, look={"color": INK, "linewidth": 0.8}),),
        legend=BELOW,
    )


def caption_winnings(won: Mapping[str, Floats], rivals: Mapping[str, Floats]) -> str:
    """Return what there is to see: how many of the front win less."""
    shares = {group: np.mean(rivals[group] < mine.mean()) for group, mine in won.items()}
    beaten = (f"{share:.0%} against {group}" for group, share in shares.items())
    return (
        "The diamond is your strategy, ± one standard error; gray lines are those that evolution kept,"
        f" with the same deals. The share of them that wins less than yours: {', '.join(beaten)}."
    )


def round_mean(mine: Floats) -> str:
    """Return a mean in whole chips, with a true minus."""
    return format_whole(mine.mean())


def format_whole(chips: Any) -> str:
    """Return whole chips with their sign, a true minus."""
    return put_true_minus(f"{chips:+,.0f}")


@dataclass(frozen=True, eq=False)
class RuleReading:
    """A genome, and what it wins."""

    genome: Floats  # (42,)
    won: Mapping[str, Floats]  # by group, (sequences,), in chips per 1,000 hands
    rivals: Mapping[str, Floats]  # the same of all that evolution has kept, (N,)
    words: str  # the strategy in words
    big_blind: int

    def __str__(self) -> str:
        wins = ", ".join(f"{won.mean():+,.0f} against {name}" for name, won in self.won.items())
        return f"{wins}, in chips per 1,000 hands"


@dataclass(frozen=True, eq=False)
class Company:
    """The groups against which a strategy plays, always with the same deals."""

    game: Any
    encoding: Any
    seed: int
    groups: Mapping[str, tuple[Opponent, ...]]
    evolved: Floats  # (N, 42), those that evolution has kept, or its population
    evolved_name: str

    @classmethod
    def gather(cls, state: PopulationState, seed: int) -> "Company":
        """Return the paper's groups, and what an evolution has kept."""
        population, front = state.population[0], state.front[0]
        fills = front.sum() >= state.game.num_seats - 1
        evolved = population[front] if fills else population
        name = "the front" if fills else "its population"
        rivals = (Opponent(f"evolved {n}", "evolved", "", g) for n, g in enumerate(evolved))
        groups = GROUPS | {name: tuple(rivals)}
        return cls(state.game, state.encoding, seed, groups, evolved, name)

    def compute_winnings(self, genomes: Floats, group: str) -> Floats:
        """Return what strategies win from a group, (sequences, N), in chips per 1,000 hands."""
        played = {"hands": HANDS, "sequences": SEQUENCES, "seed": self.seed}
        return assess_strategies(self.game, self.encoding, genomes, self.groups[group], **played)

    @cached_property
    def rivals(self) -> dict[str, Floats]:
        """What each that evolution has kept wins from each group."""
        return {
            name: self.compute_winnings(self.evolved, name).mean(axis=0) for name in self.groups
        }

    @cached_property
    def starts(self) -> dict[str, Floats]:
        """Strategies to begin with, by name."""
        best = self.evolved[np.mean([self.rivals[name] for name in GROUPS], axis=0).argmax()]
        named = {"as the paper prints one": PRINTED.genome, f"best of {self.evolved_name}": best}
        return named | {one.name: one.genome for one in (*REASONABLE, *BAD)}

    def read(self, values: Values) -> RuleReading:
        """Return what the strategy of the controls does and wins."""
        genome = np.array([float(values[name]) for name in NAMES])
        won = {name: self.compute_winnings(genome[None], name)[:, 0] for name in self.groups}
        words = self.encoding.describe(genome)
        return RuleReading(genome, won, self.rivals, words, self.game.structure.big_blind)

    def follow(self, values: Values, name: str) -> Values:
        """Return the values after a control has moved: another strategy to begin with moves all loci."""
        return (
            values | convert_genes_to_values(self.starts[values[START]])
            if name == START
            else values
        )

    def make_controls(self) -> list[Control]:
        """Return a menu of strategies to begin with, and a control for each locus."""
        names = list(self.starts)
        look = {"style": LABEL, "options": names}
        menu = Control(START, names[0], Dropdown, "Start from", widget_arguments=look)
        ends = self.encoding.low, self.encoding.high
        loci = zip(NAMES, LOCI, LABELS, HEADINGS, *ends, strict=True)
        return [menu, *(make_control(*each) for each in loci)]


START = "start"
NAMES = tuple(f"gene {number}" for number in range(len(LOCI)))


def convert_genes_to_values(genes: Floats) -> Values:
    """Return the values of the controls for a genome."""
    kinds = {PROBABILITY: float, FLAG: bool}
    return {
        name: kinds.get(locus.kind, int)(gene)
        for name, locus, gene in zip(NAMES, LOCI, genes.tolist(), strict=True)
    }


def make_control(
    name: str, locus: Locus, label: str, heading: str, low: float, high: float
) -> Control:
    """Return the control of a locus."""
    look: dict[str, Any] = {"style": LABEL, "layout": ROW}
    late = {"continuous_update": False}  # it answers when it is let go
    about = label, locus.name, heading
    if locus.kind == PROBABILITY:
        look |= {"min": low, "max": high, "step": 0.01, "layout": {"width": "260px"}} | late
        return Control(name, float(low), FloatSlider, *about, widget_arguments=look)
    if locus.kind == FLAG:
        return Control(name, bool(low), Checkbox, *about, widget_arguments=look)
    if "category" in locus.name:
        options = [(word, c) for c, word in enumerate(CATEGORIES) if c <= high]
    elif locus.name.startswith("rank"):
        options = [(word, rank) for rank, word in enumerate(RANK_WORDS, int(low))]
    else:
        look |= {"min": int(low), "max": int(high)} | late
        return Control(name, int(low), BoundedIntText, *about, widget_arguments=look)
    return Control(name, int(low), Dropdown, *about, widget_arguments={**look, "options": options})


def plot_reading(reading: RuleReading) -> Plot:
    """Return the picture of a reading, with what the strategy does in words."""
    caption = caption_winnings(reading.won, reading.rivals)
    means = (
        f"{put_true_minus(f'{mine.mean() / reading.big_blind:+,.1f}')} against {group}"
        for group, mine in reading.won.items()
    )
    blinds = f"In thousandths of a big blind a hand (mbb/hand) it wins {', '.join(means)}."
    shown = "".join(
        f'<p style="line-height: 1.45;">{html.escape(said)}</p>'
        for said in (reading.words, f"{caption} {blinds}")
    )
    panel = draw_winnings_by_group(reading.won, reading.rivals)
    words = f"{reading.words}\n{caption} {blinds}"
    ranges = (
        f"from {format_whole(others.min())} to {format_whole(others.max())} against {group}"
        for group, others in reading.rivals.items()
    )
    seen = f"{panel.title}, in {UNIT}; those that evolution kept win {', '.join(ranges)}."
    picture = Picture((Strip("winnings", HEIGHT, ((panel,),)),), words=seen)
    return Plot(picture, shown, words, f"{panel.title}. {caption}")


class RuleExplorer(Explorer[RuleReading]):
    """Controls that say a `genome`, (42,), and what it has `won` by group; make it with `rule_explorer`."""

    @property
    def genome(self) -> Floats:
        """What the controls say."""
        return self.reading.genome

    @property
    def won(self) -> Mapping[str, Floats]:
        """What it wins from each group, (sequences,), in chips per 1,000 hands."""
        return self.reading.won


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
    company = Company.gather(state, validate_integer("seed", seed, 0))
    (genes,) = company.encoding.validate_genomes(PRINTED.genome if start is None else start)
    return RuleExplorer(
        "Rule explorer", company.make_controls(), company.read, plot_reading,
        start=convert_genes_to_values(genes), adjust_values=company.follow, is_plot=True,
    ).open()  # fmt: skip
