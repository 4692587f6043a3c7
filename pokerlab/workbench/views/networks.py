"""Evolved networks: what they do by their chance to win and the price."""

from collections.abc import Mapping
from typing import Any, NamedTuple

import numpy as np
from matplotlib.artist import Artist
from matplotlib.axes import Axes
from matplotlib.figure import SubFigure

from pokerlab.core.arrays import Floats, Ints
from pokerlab.holdem import TableNetwork, habits
from pokerlab.holdem.network_genome import NUM_GRID_POINTS, Floats32
from pokerlab.solvers.population_coevolution import PopulationState
from pokerlab.workbench.live.view import Frame, Painted, leave_margins
from pokerlab.workbench.pictures.shaded_table import SHADES
from pokerlab.workbench.pictures.text import percent
from pokerlab.workbench.style import INK, RED, SMALL_SIZE, TITLE_SIZE, dress

COLUMNS = ("fold", "check or call", "bet or raise")
VERBS = ("fold", "call", "raise")
POT, STACK, BIG_BLIND, SEATS = 100, 1000, 10, 10
"""The situation: one opponent of ten bets into this pot."""
MOST_SHOWN = 100  # networks of which the mean is shown
WEAK, STRONG = 0.4, 0.6  # chances to win that a title calls weak and strong hands
MATTERS = 0.15  # a smaller difference is none for a title
SIZE = (7.6, 2.9)
BREAK_EVEN = {"color": RED, "linewidth": 1.2, "linestyle": "--"}
CAPTION = (
    f"Shades: the darker, the likelier. A player of {SEATS} with the button and {STACK:,} chips faces a bet into a"
    f" pot of {POT} by the only opponent left; blinds {BIG_BLIND // 2}/{BIG_BLIND}, everybody's aggressiveness is 1."
    " The price is what a call pays of the pot after it: right of the dashed line a call wins chips against a"
    " random hand. The highest price is all-in, where no raise is possible. Titles call chances to win below"
    f" {WEAK} weak, above {STRONG} strong."
)


def asked_prices() -> Ints:
    """Return bets b, in whole chips up to all-in, with evenly spaced prices, b / (p + 2 b) with a pot of p."""
    most = STACK - POT
    shares = np.linspace(0.0, most / (POT + 2 * most), NUM_GRID_POINTS)
    return np.unique(np.round(POT * shares / (1 - 2 * shares)).astype(np.int64))


class MeanHabits(NamedTuple):
    """What networks do on the average."""

    wins: Floats  # (W,), chances to win
    shares: Floats  # (P,), prices, as a share of the pot after the call
    chances: Floats  # (3, P, W), how likely they fold, check or call, bet or raise

    @classmethod
    def of(cls, encoding: TableNetwork, genomes: Floats32) -> "MeanHabits":
        """Return the mean over networks, (k, G)."""
        how = {"seats": SEATS, "stack": STACK, "big_blind": BIG_BLIND, "pot": POT}
        found = habits(encoding, genomes, **how, prices=asked_prices())
        chances = np.stack([each.mean(axis=0).T for each in (found.fold, found.call, found.bet)])
        return cls(found.wins, found.prices / (POT + 2 * found.prices), chances)

    def finding(self) -> str:
        """Return what depends most on the cards, and on the price: neither free nor all-in."""
        bets = self.chances[:, (self.shares > 0) & (self.shares < self.shares[-1])]
        by_hand, by_price = bets.mean(axis=1), bets.mean(axis=2)
        weak, strong = by_hand[:, self.wins < WEAK], by_hand[:, self.wins > STRONG]
        verb, low, high = largest_change(weak.mean(axis=1), strong.mean(axis=1))
        if abs(high - low) >= MATTERS:
            said = f"{verb} {percent(low)} of weak hands, {percent(high)} of strong ones"
        else:
            means = zip(VERBS, bets.mean(axis=(1, 2)), strict=True)
            said = ", ".join(f"{verb} {percent(mean)}" for verb, mean in means)
            said += ", whatever the cards"
        verb, cheap, high = largest_change(by_price[:, 0], by_price[:, -1])
        if abs(high - cheap) < MATTERS:
            return f"{said}, at any price below all-in"
        return f"{said}; {verb} {percent(cheap)} if cheap, {percent(high)} if expensive"


def largest_change(before: Floats, after: Floats) -> tuple[str, float, float]:
    """Return which of `VERBS` changes most, the first of equals, and from what to what."""
    most = int(np.abs(after - before).round(6).argmax())
    return VERBS[most], float(before[most]), float(after[most])


def edges(middles: Floats) -> Floats:
    """Return the borders of cells around unevenly spaced points; the outer ones lie at the ends."""
    between = (middles[1:] + middles[:-1]) / 2
    return np.concatenate([[middles[0]], between, [middles[-1]]])


class HabitsPicture:
    """Three axes that show habits, painted again and again."""

    def __init__(self, axes: Any) -> None:
        bets = asked_prices()
        shares = bets / (POT + 2 * bets)
        wins = np.linspace(0.0, 1.0, NUM_GRID_POINTS)
        plots = zip(axes, COLUMNS, strict=True)
        self.meshes = [lay_out(each, wins, shares, words) for each, words in plots]
        lines = [each.plot(shares, shares, **BREAK_EVEN)[0] for each in axes]
        self.artists: list[Artist] = [*self.meshes, *lines]
        axes[0].set_ylabel("price (share of the pot)", fontsize=SMALL_SIZE)
        for each in axes[1:]:
            each.tick_params(labelleft=False)

    def paint(self, shown: MeanHabits) -> None:
        """Show habits."""
        for mesh, chances in zip(self.meshes, shown.chances, strict=True):
            mesh.set_array(chances)


def lay_out(axes: Axes, wins: Floats, shares: Floats, words: str) -> Any:
    """Return the cells of one plot."""
    axes.grid(False)
    cells = np.zeros((shares.size, wins.size))
    mesh = axes.pcolormesh(edges(wins), edges(shares), cells, cmap=SHADES, vmin=0.0, vmax=1.0)
    axes.set_title(words, loc="left", fontsize=TITLE_SIZE - 1)
    axes.set_xlabel("chance to win", fontsize=SMALL_SIZE)
    axes.set_xticks([0.0, 0.5, 1.0], ["0", "0.5", "1"])
    axes.tick_params(labelsize=SMALL_SIZE)
    return mesh


class Shown(NamedTuple):
    """Whose habits a view shows."""

    population: int  # of which population
    champion: int  # 1 for its champion, 0 for the mean of those that stay


class HabitsView:
    """Fold, call and raise by chance to win and price, of a champion or of all that stay."""

    name = "habits"
    height = 2.75
    choice = "Habits of"
    caption = CAPTION

    def choices(self, frame: Frame) -> Mapping[str, Shown]:
        """Return champions and those that stay, of each population."""
        state: PopulationState = frame.state
        many = len(state.population)
        return {
            f"{who}{f' of population {n + 1}' * (many > 1)}": Shown(n, champion)
            for champion, who in enumerate(("those that stay", "the champion"))
            for n in range(many)
        }

    def lay_out(self, figure: SubFigure, frame: Frame, chosen: Shown) -> list[Artist]:
        """Make the three plots."""
        self.chosen = chosen
        axes = figure.subplots(1, 3, sharey=True)
        for each in axes:
            dress(each)
        leave_margins(figure, self.height, left=0.66, right=0.12, top=0.56, bottom=0.46)
        figure.subplots_adjust(wspace=0.06)
        self.picture = HabitsPicture(axes)
        look = {"ha": "left", "fontsize": TITLE_SIZE, "color": INK}
        self.title = figure.suptitle(" ", x=0.012, y=0.985, **look)
        return [*self.picture.artists, self.title]

    def paint(self, frame: Frame) -> tuple[Painted, bool]:
        """Show the networks of the state."""
        state: PopulationState = frame.state
        genomes, who = shown_networks(state, self.chosen)
        shown = MeanHabits.of(state.encoding, genomes)  # type: ignore[arg-type]
        self.picture.paint(shown)
        self.title.set_text(f"{who}: {shown.finding()}")
        return dict(zip(COLUMNS, shown.chances, strict=True)), False


def shown_networks(state: PopulationState, chosen: Shown) -> tuple[Floats32, str]:
    """Return the networks to show, (k, G), and what a title calls them."""
    population, front = state.population[chosen.population], state.front[chosen.population]
    if chosen.champion and state.iteration:
        return state.champions[chosen.population][None], "The champion"
    stay = population[front] if front.any() else population
    return stay[:MOST_SHOWN], "Those that stay" if front.any() else "All"
