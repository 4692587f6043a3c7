"""The figures of the audit of Noble & Watson (2001). Each function returns a figure, which the audit shows.

J. Noble, R. A. Watson, "Pareto Coevolution: Using Performance Against Coevolved Opponents in a Game as Dimensions for
Pareto Selection", GECCO 2001, pages 493-500. The numbers to draw go in, measured by the other modules of this folder,
and a Matplotlib figure comes out. Alpha and beta are two groups of opponents.
"""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from scipy import stats

from pokerlab.core.arrays import Bools, Floats
from pokerlab.papers.noble2001 import GROUPS, PARETO, ROULETTE
from pokerlab.runs import History
from pokerlab.workbench import figure, legend, look, nth_look
from studies.noble2001.analysis import DifferenceUnderChange, LongRuns
from studies.noble2001.dominance import PAPER_HANDS, RULES, select_reliability_column
from studies.noble2001.recordings import COMPARED_GENERATIONS

PAPER_REGIMES = (PARETO, ROULETTE)
POINTS_ONLY: dict[str, Any] = {"linestyle": "none", "markevery": 1}
TITLE_STYLE: dict[str, Any] = {"x": 0.01, "ha": "left", "fontsize": 10}
SHORT_NAMES = {
    "Largest amount before the turn: 40, Largest amount from the turn on: 40": "Largest amounts: 40",
    "Pairs that never met: does not count": "Pairs that never met: not counted",
    "No cap when: two were left before": "No cap: two were left before",
}
"""Short names for descriptions of changes that are too long for a figure."""


def draw_profits_of_runs(profits: Mapping[str, Floats], title: str) -> Figure:
    """Return our version of Figure 2 of Noble and Watson (2001): the profits of runs, in a panel for each group.

    Each run is a point, in a row for its regime. A regime is a way to select parents. Below the points of a row are
    their mean and its standard error, and above them the median.

    Parameters
    ----------
    profits : mapping of str to array of shape (runs, 2)
        The profits of each regime's runs against the opponents alpha and beta, in chips per 1,000 hands.
    title : str
        The title of the figure.
    """
    picture, panels = figure(4.2, 3.5, columns=2, sharex=True, sharey=True)
    for group_index, (axes, group) in enumerate(zip(panels, GROUPS, strict=True)):
        for row, profits_of_regime in enumerate(profits.values()):
            profits_of_runs = profits_of_regime[:, group_index]
            # Points are on three lines next to each other, so that they do not cover each other.
            heights = row + 0.08 * np.resize([-1, 0, 1], len(profits_of_runs))
            style = nth_look(row) | POINTS_ONLY | {"alpha": 0.5, "markersize": 4}
            axes.plot(profits_of_runs, heights, **style)

            # The vertical axis is inverted below, so a larger height is further down.
            mean, error = profits_of_runs.mean(), stats.sem(profits_of_runs)
            axes.errorbar(mean, row + 0.33, xerr=error, fmt="|k", markersize=7, capsize=3)
            axes.plot(np.median(profits_of_runs), row - 0.33, "|k", markersize=7)
        axes.axvline(0, **look("bound"))
        axes.set_title(group, loc="left")
    panels[0].set_yticks(range(len(profits)), [name.replace(" by ", "\nby ") for name in profits])
    panels[0].invert_yaxis()
    strokes = "stroke above: median; below: mean and standard error"
    picture.supxlabel(f"chips per 1,000 hands\n({strokes})", fontsize=9)
    picture.suptitle(title, **TITLE_STYLE)
    return picture


def draw_profits_by_generation(runs: LongRuns, title: str) -> Figure:
    """Return our version of Figure 3 of Noble and Watson (2001): the profit of the population by generation.

    There is a curve for each regime (way to select parents) and each group of opponents, in chips per 1,000 hands. The
    left panel has the runs of seed 0, and the right panel the means over seeds.

    Parameters
    ----------
    runs : LongRuns
        The recorded long runs of both regimes.
    title : str
        The title of the figure.
    """
    picture, panels = figure(7.2, 3.8, columns=2, sharey=True)
    for axes, seed in zip(panels, (0, None), strict=True):
        curves = [(regime, group) for regime in PAPER_REGIMES for group in GROUPS]
        for index, (regime, group) in enumerate(curves):
            profits = runs.select_curves(regime, group, seed).mean(axis=0)
            axes.plot(runs.measured, profits, label=f"{regime}, {group}", **nth_look(index))
        axes.axhline(0, **look("bound"))
        axes.set(xlabel="generation", ylim=(-1500, 1100))
        axes.set_title("run zero" if seed == 0 else "mean over seeds", loc="left")
    panels[0].set_ylabel("chips per 1,000 hands")
    legend(panels[1])
    picture.suptitle(title, **TITLE_STYLE)
    return picture


def draw_pareto_front_of_cars(cars: Floats, is_optimal: Bools) -> Figure:
    """Return our version of Figure 1 of Noble and Watson (2001): designs of cars, and which are Pareto-optimal.

    Parameters
    ----------
    cars : array of shape (N, 2)
        The top speed in miles per hour and the price in $1,000 of each design.
    is_optimal : array of bool of shape (N,)
        Whether each design is Pareto-optimal.
    """
    picture, axes = figure(6.4, 3.0)
    for is_drawn, label, index in ((is_optimal, "Pareto-optimal", 0), (~is_optimal, "inferior", 1)):
        speeds, prices = cars[is_drawn].T
        axes.plot(speeds, prices, label=label, **nth_look(index) | POINTS_ONLY)
    axes.set(xlabel="top speed (mph)", ylabel="price ($1,000)")
    axes.set_title(
        "A car that is slower and more expensive than another is never the best choice", loc="left"
    )
    legend(axes)
    return picture


def draw_leads_of_selection_rules(
    reliability: History, populations: Sequence[str], hand_counts: Floats, title: str
) -> Figure:
    """Return a figure of how much more the strategies that a selection rule keeps win than their population does.

    The rules keep the Pareto front or the best half by profit. The horizontal axis is the number of hands by which the
    population is judged. Profits are won from opponents outside the population, in chips per 1,000 hands.

    Parameters
    ----------
    reliability : History
        The recording of `measure_reliability_of_judgments`.
    populations : sequence of str
        The populations, 'random' and 'evolved', each of which has a panel.
    hand_counts : sequence of int
        The numbers of hands by which populations were judged.
    title : str
        The title of the figure.
    """
    picture, panels = figure(7.2, 3.2, columns=len(populations))
    for axes, population in zip(panels, populations, strict=True):
        for index, rule in enumerate(RULES):
            leads_by_hands = [
                select_reliability_column(reliability, f"{rule} lead", population, hands=num_hands)
                for num_hands in hand_counts
            ]
            means = [leads_of_runs.mean() for leads_of_runs in leads_by_hands]
            errors = [stats.sem(leads_of_runs) for leads_of_runs in leads_by_hands]
            style = nth_look(index) | {"markevery": 1}
            axes.errorbar(hand_counts, means, errors, label=rule, capsize=3, **style)
        axes.axvline(PAPER_HANDS, **look("bound"))
        axes.axhline(0, **look("bound"))
        axes.set(xlabel="hands (log)", xscale="log", title=f"{population} population")
    panels[0].set_ylabel("lead, chips per 1,000 hands")
    legend(panels[0], loc="upper left")
    picture.suptitle(title, **TITLE_STYLE)
    return picture


def draw_profit_by_bluffing(
    bluff_probabilities: Mapping[str, Floats], profits: Mapping[str, Floats], title: str
) -> Figure:
    """Return a figure of the profit of each run's last population against its mean probability to bluff.

    Parameters
    ----------
    bluff_probabilities : mapping of str to array of shape (runs,)
        The mean probability to bluff in the last population of each run, by the regime, which is the way to select
        parents.
    profits : mapping of str to array of shape (runs,)
        The profit of these populations in chips per 1,000 hands, by the regime.
    title : str
        The title of the figure.
    """
    picture, axes = figure(6.4, 3.6)
    for index, regime in enumerate(bluff_probabilities):
        style = nth_look(index) | POINTS_ONLY
        axes.plot(bluff_probabilities[regime], profits[regime], label=regime, **style)
    axes.set(xlabel="mean chance to bluff", ylabel="chips per 1,000 hands")
    axes.set_title(title, loc="left")
    legend(axes)
    return picture


def draw_ages_on_front(ages: Floats, title: str) -> Figure:
    """Return a bar chart of the ages of the strategies on the Pareto front, as shares of the front.

    Parameters
    ----------
    ages : array of shape (strategies,)
        The number of generations that each strategy has survived, from 0.
    title : str
        The title of the figure.
    """
    picture, axes = figure(5.6, 3.0)
    counts = np.bincount(ages.astype(int))
    color = look("average")["color"]
    axes.bar(range(len(counts)), counts / counts.sum(), color=color, hatch="//", edgecolor="w")
    axes.set(xlabel="generations survived so far", ylabel="share of the front")
    axes.set_title(title, loc="left")
    return picture


def draw_wins_from_ancestors(runs: LongRuns, title: str) -> Figure:
    """Return a figure of what later generations win from earlier ones of the same run, by the earlier generation.

    There is a point for each pair of generations, the mean over seeds in chips per 1,000 hands, and a curve of the
    means of the points.

    Parameters
    ----------
    runs : LongRuns
        The recorded long runs of both regimes.
    title : str
        The title of the figure.
    """
    picture, axes = figure(6.4, 3.4)
    ancestors = COMPARED_GENERATIONS[:-1]
    for index, regime in enumerate(PAPER_REGIMES):
        style = nth_look(index)
        # The points of the two regimes are beside each other.
        offset = 0.16 * index - 0.08
        positions, mean_profits = [], []
        for (earlier, _), profits_of_seeds in runs.collect_profits_from_ancestors(regime).items():
            positions.append(ancestors.index(earlier) + offset)
            mean_profits.append(profits_of_seeds.mean())
        axes.plot(positions, mean_profits, **style | POINTS_ONLY | {"alpha": 0.5})

        means = runs.average_profits_from_ancestors(regime)
        axes.plot(range(len(ancestors)), means, label=regime, **style)
    axes.axhline(0, **look("bound"))
    axes.set_xticks(range(len(ancestors)), [f"{ancestor:.0f}" for ancestor in ancestors])
    axes.set_yscale("symlog", linthresh=500)
    axes.set_yticks([-500, 0, 500, 5000], ["\u2212500", "0", "500", "5,000"])
    axes.set(xlabel="the earlier generation", ylabel="chips per 1,000 hands")
    axes.set_title(title, loc="left")
    legend(axes)
    return picture


def draw_lead_by_change(
    leads: Sequence[DifferenceUnderChange], is_clear: Sequence[bool], title: str
) -> Figure:
    """Return a figure of how much more Pareto selection wins than the roulette, for each change of a setting.

    Parameters
    ----------
    leads : sequence of DifferenceUnderChange
        The profit of Pareto selection minus that of the roulette, in chips per 1,000 hands.
    is_clear : sequence of bool
        Whether each lead is clearly different from zero. The others have a marker of their own.
    title : str
        The title of the figure.
    """
    picture, axes = figure(7.2, 0.2 * len(leads) + 1.0)
    ahead_style, behind_style, unclear_style = nth_look(0), nth_look(1), nth_look(6)
    for row, (lead, lead_is_clear) in enumerate(zip(leads, is_clear, strict=True)):
        style = unclear_style
        if lead_is_clear:
            style = ahead_style if lead.mean > 0 else behind_style
        axes.errorbar(
            lead.mean,
            row,
            xerr=lead.error,
            capsize=2,
            markersize=5,
            fmt=style["marker"],
            color=style["color"],
        )
    names = [SHORT_NAMES.get(lead.change, lead.change) for lead in leads]
    axes.set_yticks(range(len(leads)), names, fontsize=7.5)
    axes.axvline(0, **look("bound"))
    axes.set_xticks([-1000, -500, 0, 500, 1000], ["\u22121,000", "\u2212500", "0", "500", "1,000"])
    axes.set_xlabel("Pareto minus roulette, chips per 1,000 hands")
    picture.suptitle(title, **TITLE_STYLE)
    return picture
