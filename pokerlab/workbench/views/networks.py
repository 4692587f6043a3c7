"""Evolved networks: the probabilities of their actions by win probability and pot odds."""

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
"""The situation: at a table of ten, the last opponent bets into this pot."""
MOST_SHOWN = 100  # the most networks whose mean is shown
WEAK, STRONG = (
    0.4,
    0.6,
)  # the win probabilities below and above which a title calls hands weak and strong
LEAST_DIFFERENCE = 0.15  # a title does not mention a smaller difference
BREAK_EVEN = {"color": RED, "linewidth": 1.2, "linestyle": "--"}
CAPTION = (
    "Heat maps: how likely each action is, from 0% (white) to 100% (darkest blue). A player of"
    f" {SEATS} with the button and {STACK:,} chips faces a bet into a pot of {POT} by the only opponent left; blinds"
    f" {BIG_BLIND // 2}/{BIG_BLIND}, everybody's aggressiveness is 1. The pot odds are the cost of a call as a share of"
    " the pot after it: right of the dashed line a call wins chips against a random hand. Pot odds of 0 are a free"
    " check. The highest pot odds are all-in, where no raise is possible. A title that speaks of weak or strong hands"
    f" means chances to win below {WEAK} or above {STRONG}."
)


def list_bets() -> Ints:
    """Return bets b in whole chips, up to all-in, whose pot odds b / (p + 2 b) with a pot of p are evenly spaced."""
    largest_bet = STACK - POT
    pot_odds = np.linspace(0.0, largest_bet / (POT + 2 * largest_bet), NUM_GRID_POINTS)
    return np.unique(np.round(POT * pot_odds / (1 - 2 * pot_odds)).astype(np.int64))


class MeanHabits(NamedTuple):
    """The mean habits of networks.

    Attributes
    ----------
    win_probabilities : array of shape (W,)
        The W win probabilities of a hand.
    pot_odds : array of shape (P,)
        The P pot odds: the cost of a call as a share of the pot after it.
    action_probabilities : array of shape (3, P, W)
        The mean probabilities of folding, checking or calling, and betting or raising.
    """

    win_probabilities: Floats
    pot_odds: Floats
    action_probabilities: Floats

    @classmethod
    def compute(cls, encoding: TableNetwork, genomes: Floats32) -> "MeanHabits":
        """Return the mean habits of k networks, whose genomes are an array of shape (k, G)."""
        situation = {"seats": SEATS, "stack": STACK, "big_blind": BIG_BLIND, "pot": POT}
        found = habits(encoding, genomes, **situation, prices=list_bets())
        probabilities = (found.fold, found.call, found.bet)
        mean_probabilities = np.stack([each.mean(axis=0).T for each in probabilities])
        return cls(found.wins, found.prices / (POT + 2 * found.prices), mean_probabilities)

    def write_finding(self) -> str:
        """Return a sentence on the actions that depend most on the cards and on the pot odds, for bets below all-in."""
        bets = self.action_probabilities[
            :, (self.pot_odds > 0) & (self.pot_odds < self.pot_odds[-1])
        ]
        by_hand, by_pot_odds = bets.mean(axis=1), bets.mean(axis=2)
        weak = by_hand[:, self.win_probabilities < WEAK]
        strong = by_hand[:, self.win_probabilities > STRONG]
        verb, low, high = find_largest_change(weak.mean(axis=1), strong.mean(axis=1))
        if abs(high - low) >= LEAST_DIFFERENCE:
            words = (
                f"{verb} {format_percent(low)} of weak hands, {format_percent(high)} of strong ones"
            )
        else:
            means = zip(VERBS, bets.mean(axis=(1, 2)), strict=True)
            words = ", ".join(f"{verb} {format_percent(mean)}" for verb, mean in means)
            words += ", whatever the cards"
        verb, cheap, high = find_largest_change(by_pot_odds[:, 0], by_pot_odds[:, -1])
        if abs(high - cheap) < LEAST_DIFFERENCE:
            return f"{words}, at any pot odds below all-in"
        return (
            f"{words}; {verb} {format_percent(cheap)} if cheap, {format_percent(high)} if expensive"
        )


def find_largest_change(before: Floats, after: Floats) -> tuple[str, float, float]:
    """Return the action of `VERBS` whose probability changes most, with its probabilities before and after.

    Of equal changes the first one counts.
    """
    index = int(np.abs(after - before).round(6).argmax())
    return VERBS[index], float(before[index]), float(after[index])


def find_cell_edges(middles: Floats) -> Floats:
    """Return the edges of cells around unevenly spaced points. The outer edges are the first and the last point."""
    between = (middles[1:] + middles[:-1]) / 2
    return np.concatenate([[middles[0]], between, [middles[-1]]])


def draw_habits(mean_habits: MeanHabits) -> tuple[HeatMap, ...]:
    """Return heat maps of folding, calling and raising, with win probabilities across and pot odds upward."""
    x_edges, y_edges = (
        find_cell_edges(mean_habits.win_probabilities),
        find_cell_edges(mean_habits.pot_odds),
    )
    ticks = ((0.0, "0"), (0.5, "0.5"), (1.0, "1"))
    break_even = Curve(mean_habits.pot_odds, mean_habits.pot_odds, look=BREAK_EVEN)

    def draw_action(index: int, words: str) -> HeatMap:
        label = "pot odds" if index == 0 else ""
        return HeatMap(
            mean_habits.action_probabilities[index],
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


class HabitsChoice(NamedTuple):
    """The choice of the networks whose habits a view shows.

    Attributes
    ----------
    population : int
        The index of the population.
    champion : int
        1 for its champion, 0 for the mean of its elites.
    """

    population: int
    champion: int


@dataclass(frozen=True)
class HabitsView:
    """Folding, calling and raising of a champion or of the elites, by win probability and pot odds."""

    name = "habits"
    height = 2.75
    choice_label = "Habits of"
    caption = CAPTION

    def list_choices(self, frame: Frame) -> Mapping[str, HabitsChoice]:
        """Return the elites and the champion of each population."""
        state: PopulationState = frame.state
        num_populations = len(state.population)
        return {
            f"{who}{f' of population {n + 1}' * (num_populations > 1)}": HabitsChoice(n, champion)
            for champion, who in enumerate(("the elites", "the champion"))
            for n in range(num_populations)
        }

    def draw(self, frame: Frame, chosen: HabitsChoice) -> Strip:
        """Return the strip with the habits of the chosen networks, and a title on how they depend on cards and bets."""
        state: PopulationState = frame.state
        genomes, who = choose_networks(state, chosen)
        mean_habits = MeanHabits.compute(state.encoding, genomes)  # type: ignore[arg-type]
        return Strip(
            self.name,
            self.height,
            (draw_habits(mean_habits),),
            f"{who}: {mean_habits.write_finding()}",
        )


def choose_networks(state: PopulationState, chosen: HabitsChoice) -> tuple[Floats32, str]:
    """Return the genomes of the chosen networks, of shape (k, G), and their name in a title."""
    population, front = state.population[chosen.population], state.front[chosen.population]
    if chosen.champion and state.iteration:
        return state.champions[chosen.population][None], "The champion"
    elites = population[front] if front.any() else population
    return elites[:MOST_SHOWN], "Elites" if front.any() else "All"
