"""Evolved networks: what they do by their chance to win and the pot odds."""

from collections.abc import Mapping
from dataclasses import dataclass
from typing import NamedTuple

import numpy as np

from pokerlab.core.arrays import Floats, Ints
from pokerlab.holdem import TableNetwork, habits
from pokerlab.holdem.network_habits import NUM_GRID_POINTS
from pokerlab.holdem.network_passes import Floats32
from pokerlab.solvers.population_coevolution import PopulationState
from pokerlab.workbench.live.view import Frame
from pokerlab.workbench.picture import Axis, ColorScale, Curve, HeatMap, Strip
from pokerlab.workbench.style import PROBABILITY_COLORS, RED
from pokerlab.workbench.text import format_percent

COLUMNS = ("fold", "check or call", "bet or raise")
VERBS = ("fold", "call", "raise")
POT, STACK, BIG_BLIND, SEATS = 100, 1000, 10, 10
"""The situation: one opponent of ten bets into this pot."""
MOST_SHOWN = 100  # networks of which the mean is shown
WEAK, STRONG = 0.4, 0.6  # chances to win that a title calls weak and strong hands
MATTERS = 0.15  # a smaller difference is none for a title
BREAK_EVEN = {"color": RED, "linewidth": 1.2, "linestyle": "--"}
CAPTION = (
    "Heat maps: how likely each action is, from 0% (white) to 100% (darkest blue). A player of"
    f" {SEATS} with the button and {STACK:,} chips faces a bet into a pot of {POT} by the only opponent left; blinds"
    f" {BIG_BLIND // 2}/{BIG_BLIND}, everybody's aggressiveness is 1. The pot odds are the cost of a call as a share of"
    " the pot after it: right of the dashed line a call wins chips against a random hand. Pot odds of 0 are a free"
    " check. The highest pot odds are all-in, where no raise is possible. A title that speaks of weak or strong hands"
    f" means chances to win below {WEAK} or above {STRONG}."
)


def list_prices() -> Ints:
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
    def compute(cls, encoding: TableNetwork, genomes: Floats32) -> "MeanHabits":
        """Return the mean over networks, (k, G)."""
        how = {"seats": SEATS, "stack": STACK, "big_blind": BIG_BLIND, "pot": POT}
        found = habits(encoding, genomes, **how, prices=list_prices())
        chances = np.stack([each.mean(axis=0).T for each in (found.fold, found.call, found.bet)])
        return cls(found.wins, found.prices / (POT + 2 * found.prices), chances)

    def write_finding(self) -> str:
        """Return what depends most on the cards, and on the price: neither free nor all-in."""
        bets = self.chances[:, (self.shares > 0) & (self.shares < self.shares[-1])]
        by_hand, by_price = bets.mean(axis=1), bets.mean(axis=2)
        weak = by_hand[:, self.wins < WEAK]
        strong = by_hand[:, self.wins > STRONG]
        verb, low, high = find_largest_change(weak.mean(axis=1), strong.mean(axis=1))
        if abs(high - low) >= MATTERS:
            said = (
                f"{verb} {format_percent(low)} of weak hands, {format_percent(high)} of strong ones"
            )
        else:
            means = zip(VERBS, bets.mean(axis=(1, 2)), strict=True)
            said = ", ".join(f"{verb} {format_percent(mean)}" for verb, mean in means)
            said += ", whatever the cards"
        verb, cheap, high = find_largest_change(by_price[:, 0], by_price[:, -1])
        if abs(high - cheap) < MATTERS:
            return f"{said}, at any pot odds below all-in"
        return (
            f"{said}; {verb} {format_percent(cheap)} if cheap, {format_percent(high)} if expensive"
        )


def find_largest_change(before: Floats, after: Floats) -> tuple[str, float, float]:
    """Return which of `VERBS` changes most, the first of equals, and from what to what."""
    most = int(np.abs(after - before).round(6).argmax())
    return VERBS[most], float(before[most]), float(after[most])


def find_cell_edges(middles: Floats) -> Floats:
    """Return the borders of cells around unevenly spaced points; the outer ones lie at the ends."""
    between = (middles[1:] + middles[:-1]) / 2
    return np.concatenate([[middles[0]], between, [middles[-1]]])


def draw_habits(shown: MeanHabits) -> tuple[HeatMap, ...]:
    """Return how often networks fold, call and raise: chances to win across, prices up."""
    x_edges, y_edges = find_cell_edges(shown.wins), find_cell_edges(shown.shares)
    ticks = ((0.0, "0"), (0.5, "0.5"), (1.0, "1"))
    break_even = Curve(shown.shares, shown.shares, look=BREAK_EVEN)

    def draw_action(index: int, words: str) -> HeatMap:
        label = "pot odds" if index == 0 else ""
        return HeatMap(
            shown.chances[index],
            Axis("chance to win", (float(x_edges[0]), float(x_edges[-1])), ticks=ticks),
            Axis(
                label,
                (float(y_edges[0]), float(y_edges[-1])),
                ticks=None if index == 0 else (),
            ),
            ColorScale(PROBABILITY_COLORS),
            words,
            words,
            x_edges=x_edges,
            y_edges=y_edges,
            value_word="probability",
            curves=(break_even,),
        )

    return tuple(draw_action(index, words) for index, words in enumerate(COLUMNS))


class Shown(NamedTuple):
    """Whose habits a view shows."""

    population: int  # of which population
    champion: int  # 1 for its champion, 0 for the mean of the elites


@dataclass(frozen=True)
class HabitsView:
    """Fold, call and raise by chance to win and pot odds, of a champion or of the elites."""

    name = "habits"
    height = 2.75
    choice = "Habits of"
    caption = CAPTION

    def list_choices(self, frame: Frame) -> Mapping[str, Shown]:
        """Return champions and elites, of each population."""
        state: PopulationState = frame.state
        many = len(state.population)
        return {
            f"{who}{f' of population {n + 1}' * (many > 1)}": Shown(n, champion)
            for champion, who in enumerate(("the elites", "the champion"))
            for n in range(many)
        }

    def draw(self, frame: Frame, chosen: Shown) -> Strip:
        """Return the habits of the networks of the state; the title is the finding."""
        state: PopulationState = frame.state
        genomes, who = choose_networks(state, chosen)
        shown = MeanHabits.compute(state.encoding, genomes)  # type: ignore[arg-type]
        return Strip(
            self.name, self.height, (draw_habits(shown),), f"{who}: {shown.write_finding()}"
        )


def choose_networks(state: PopulationState, chosen: Shown) -> tuple[Floats32, str]:
    """Return the networks to show, (k, G), and what a title calls them."""
    population, front = state.population[chosen.population], state.front[chosen.population]
    if chosen.champion and state.iteration:
        return state.champions[chosen.population][None], "The champion"
    stay = population[front] if front.any() else population
    return stay[:MOST_SHOWN], "Elites" if front.any() else "All"
