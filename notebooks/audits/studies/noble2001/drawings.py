"""The figures of the audit of Noble & Watson (2001). Each function returns a picture; the audit says what it shows."""

from collections.abc import Mapping, Sequence
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from scipy import stats

from pokerlab.core.arrays import Bools, Floats
from pokerlab.papers.noble2001 import GROUPS, PARETO, ROULETTE
from pokerlab.runs import History
from pokerlab.workbench import figure, legend, look, nth_look
from studies.noble2001.analysis import Conclusion, LongRuns
from studies.noble2001.dominance import BUDGET, RULES, select_by_population
from studies.noble2001.recordings import THAT_MEET

PAPERS = (PARETO, ROULETTE)
"""The regimes of the paper."""
DOTS: dict[str, Any] = {"linestyle": "none", "markevery": 1}
TITLE: dict[str, Any] = {"x": 0.01, "ha": "left", "fontsize": 10}
SHORT = {
    "Largest amount before the turn: 40, Largest amount from the turn on: 40": "Largest amounts: 40",
    "Pairs that never met: does not count": "Pairs that never met: not counted",
    "No cap when: two were left before": "No cap: two were left before",
}
"""Names of settings that are too long for a figure."""


def draw_profits(profit: Mapping[str, Floats], title: str) -> Figure:
    """Draw Figure 2: profits by regime, (runs, 2 groups), with mean, standard error and median."""
    picture, panels = figure(4.2, 3.5, columns=2, sharex=True, sharey=True)
    for column, (axes, group) in enumerate(zip(panels, GROUPS, strict=True)):
        for place, values in enumerate(profit.values()):
            runs = values[:, column]
            spread = place + 0.08 * np.resize([-1, 0, 1], len(runs))
            drawn = nth_look(place) | DOTS | {"alpha": 0.5, "markersize": 4}
            axes.plot(runs, spread, **drawn)
            mean, error, below = runs.mean(), stats.sem(runs), place + 0.33
            axes.errorbar(mean, below, xerr=error, fmt="|k", markersize=7, capsize=3)
            axes.plot(np.median(runs), place - 0.33, "|k", markersize=7)
        axes.axvline(0, **look("bound"))
        axes.set_title(group, loc="left")
    panels[0].set_yticks(range(len(profit)), [name.replace(" by ", "\nby ") for name in profit])
    panels[0].invert_yaxis()
    strokes = "stroke above: median; below: mean and standard error"
    picture.supxlabel(f"chips per 1,000 hands\n({strokes})", fontsize=9)
    picture.suptitle(title, **TITLE)
    return picture


def draw_courses(runs: LongRuns, title: str) -> Figure:
    """Draw Figure 3: profit by generation, in run zero and on average over all seeds."""
    picture, panels = figure(7.2, 3.8, columns=2, sharey=True)
    for axes, seed in zip(panels, (0, None), strict=True):
        for index, (regime, group) in enumerate((r, g) for r in PAPERS for g in GROUPS):
            line = runs.read_course(regime, group, seed).mean(axis=0)
            axes.plot(runs.measured, line, label=f"{regime}, {group}", **nth_look(index))
        axes.axhline(0, **look("bound"))
        axes.set(xlabel="generation", ylim=(-1500, 1100))
        axes.set_title("run zero" if seed == 0 else "mean over seeds", loc="left")
    panels[0].set_ylabel("chips per 1,000 hands")
    legend(panels[1])
    picture.suptitle(title, **TITLE)
    return picture


def draw_front(cars: Floats, best: Bools) -> Figure:
    """Draw Figure 1: designs by top speed and price, (N, 2), and which of them are Pareto-optimal."""
    picture, axes = figure(6.4, 3.0)
    for chosen, label, index in ((best, "Pareto-optimal", 0), (~best, "inferior", 1)):
        axes.plot(*cars[chosen].T, label=label, **nth_look(index) | DOTS)
    axes.set(xlabel="top speed (mph)", ylabel="price ($1,000)")
    axes.set_title(
        "A car that is slower and more expensive than another is never the best choice", loc="left"
    )
    legend(axes)
    return picture


def draw_leads(again: History, crowds: Sequence[str], budgets: Floats, title: str) -> Figure:
    """Draw how far the front and the best half are above the mean of all, by the hands of a generation."""
    picture, panels = figure(7.2, 3.2, columns=len(crowds))
    for axes, crowd in zip(panels, crowds, strict=True):
        for index, rule in enumerate(RULES):
            leads = [select_by_population(again, f"{rule} lead", crowd, hands=h) for h in budgets]
            means, errors = [one.mean() for one in leads], [stats.sem(one) for one in leads]
            style = nth_look(index) | {"markevery": 1}
            axes.errorbar(budgets, means, errors, label=rule, capsize=3, **style)
        axes.axvline(BUDGET, **look("bound"))
        axes.axhline(0, **look("bound"))
        axes.set(xlabel="hands (log)", xscale="log", title=f"{crowd} population")
    panels[0].set_ylabel("lead, chips per 1,000 hands")
    legend(panels[0], loc="upper left")
    picture.suptitle(title, **TITLE)
    return picture


def draw_bluffing(bluff: Mapping[str, Floats], won: Mapping[str, Floats], title: str) -> Figure:
    """Draw what each run's last population wins, (runs,) by regime, by its mean chance to bluff."""
    picture, axes = figure(6.4, 3.6)
    for index, regime in enumerate(bluff):
        axes.plot(bluff[regime], won[regime], label=regime, **nth_look(index) | DOTS)
    axes.set(xlabel="mean chance to bluff", ylabel="chips per 1,000 hands")
    axes.set_title(title, loc="left")
    legend(axes)
    return picture


def draw_ages(ages: Floats, title: str) -> Figure:
    """Draw which share of the front has survived how many generations."""
    picture, axes = figure(5.6, 3.0)
    counts = np.bincount(ages.astype(int))
    color = look("average")["color"]
    axes.bar(range(len(counts)), counts / counts.sum(), color=color, hatch="//", edgecolor="w")
    axes.set(xlabel="generations survived so far", ylabel="share of the front")
    axes.set_title(title, loc="left")
    return picture


def draw_wins_from_ancestors(runs: LongRuns, title: str) -> Figure:
    """Draw what later generations win from earlier ones, on average over seeds, and the mean by earlier generation."""
    picture, axes = figure(6.4, 3.4)
    olds = THAT_MEET[:-1]
    for index, regime in enumerate(PAPERS):
        wins = {pair: won.mean() for pair, won in runs.compare_generations(regime).items()}
        style = nth_look(index)
        across = [olds.index(old) + 0.16 * index - 0.08 for old, _ in wins]
        axes.plot(across, [*wins.values()], **style | DOTS | {"alpha": 0.5})
        axes.plot(range(len(olds)), runs.wins_by_ancestor(regime), label=regime, **style)
    axes.axhline(0, **look("bound"))
    axes.set_xticks(range(len(olds)), [f"{old:.0f}" for old in olds])
    axes.set_yscale("symlog", linthresh=500)
    axes.set_yticks([-500, 0, 500, 5000], ["\u2212500", "0", "500", "5,000"])
    axes.set(xlabel="the earlier generation", ylabel="chips per 1,000 hands")
    axes.set_title(title, loc="left")
    legend(axes)
    return picture


def draw_sensitivity(lead: Sequence[Conclusion], clear: Sequence[bool], title: str) -> Figure:
    """Draw the difference of the regimes under each change of a setting, and which differences are clear."""
    picture, axes = figure(7.2, 0.2 * len(lead) + 1.0)
    for place, (one, is_clear) in enumerate(zip(lead, clear, strict=True)):
        style = nth_look((0 if one.mean > 0 else 1) if is_clear else 6)
        drawn = {"fmt": style["marker"], "color": style["color"]}
        axes.errorbar(one.mean, place, xerr=one.error, capsize=2, markersize=5, **drawn)
    names = [SHORT.get(one.change, one.change) for one in lead]
    axes.set_yticks(range(len(lead)), names, fontsize=7.5)
    axes.axvline(0, **look("bound"))
    axes.set_xticks([-1000, -500, 0, 500, 1000], ["\u22121,000", "\u2212500", "0", "500", "1,000"])
    axes.set_xlabel("Pareto minus roulette, chips per 1,000 hands")
    picture.suptitle(title, **TITLE)
    return picture
