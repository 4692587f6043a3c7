"""The figures of the audit of Oliehoek et al. (2006). Each function returns a picture; the audit says what it shows."""

from collections.abc import Mapping, Sequence
from itertools import product
from typing import Any

import numpy as np
from matplotlib.figure import Figure
from numpy.typing import NDArray

from pokerlab import workbench
from pokerlab.core.arrays import Bools, Floats
from pokerlab.papers.experiment import Published
from pokerlab.runs import History, Run
from pokerlab.workbench import figure, legend, look, nth_look
from pokerlab.workbench.style import set_logarithmic
from studies.oliehoek2006.memories import RULES, TimeSpent

NAMES = {"security_level_1": "gambler", "security_level_2": "dealer"}
LINES = ("total", "gambler", "dealer")
"""What is read from Figure 3."""
RULED = {"uniform": "slips", "random": "slips drawn by round"}
"""What the audit calls rules for information sets that the other player's mix never reaches."""
PARTS = {
    "best_responses": ("#0072b2", ""),
    "payoffs": ("#9cc8e6", "//"),
    "linear_programs": ("#eeeeee", ".."),
}
"""Color and hatch of the parts of a memory's time, which are attributes of `TimeSpent`."""


def draw_figure_3_top(history: History, points: NDArray[Any], value: float, title: str) -> Figure:
    """Draw both players' security levels and their sum by iteration over the points that were read from Figure 3.

    The dotted lines are what an equilibrium has, whose value to player 1 is `value`.
    """
    picture, axes = figure(4.2, 3.5)
    at = history["iteration"] + 1
    for index, (column, label) in enumerate(NAMES.items()):
        axes.plot(at, history[column], label=label, **nth_look(index))
        dotted = look("bound") | {"color": nth_look(index)["color"]}
        axes.axhline(value * (-1) ** index, **dotted, label=("equilibrium", None)[index])
    axes.plot(at, history["security_level_sum"], label="sum", **nth_look(2))
    circles = look("published") | {"markersize": 6}
    for line, words in zip(LINES, ("read from Figure 3", None, None), strict=True):
        axes.plot(points["iteration"], points[line], label=words, **circles)
    axes.set(xlabel="iteration", ylabel="worst-case payoff (chips)")
    axes.set(xlim=(0.5, len(points) + 0.5))
    axes.set_title(title, loc="left")
    legend(axes, loc="lower right")
    return picture


def draw_figure_3_bottom(
    histories: Mapping[str, History], points: NDArray[Any], values: Mapping[str, float]
) -> Figure:
    """Draw security levels with six cards, a row for each deck, over the curves of Figure 3; dotted: equilibrium."""
    columns = (*NAMES, "security_level_sum")
    picture, grid = figure(8.6, 5.0, rows=len(histories), columns=3, sharey=True, sharex=True)
    for row, (name, history) in zip(grid, histories.items(), strict=True):
        zero = (values[name], -values[name], 0.0)
        for k, line in enumerate(("gambler", "dealer", "total")):
            row[k].plot(
                points["iteration"], points[line], color="#8a8a8a", lw=2.2, label="Figure 3"
            )
            row[k].plot(history["iteration"] + 1, history[columns[k]], label="ours", **nth_look(k))
            row[k].axhline(zero[k], **look("bound"))
            row[k].set(ylim=(-1.0, 0.2), xlim=(0, 153), title=f"{name[14:]}: {line}")
        row[0].set_ylabel("chips")
    picture.supxlabel("iteration")
    legend(grid[0, 0], loc="lower right")
    return picture


def draw_mixes(run: Run, rows: Sequence[Published]) -> tuple[Figure, Bools]:
    """Draw how many strategies are stored and in use, and the weights of player 1; return who has weight when, too."""
    picture, axes = figure(8.6, 3.2, columns=2)
    workbench.plot_set_sizes(axes[0], run.history, rows=rows)
    axes[0].set_title("Few of the strategies stored are in use", loc="left")
    weights = workbench.plot_mixes(axes[1], run, player=0)
    return picture, weights > 0


def draw_open_choices(
    choices: History, decks: Sequence[str], as_top: tuple[Sequence[float], Floats]
) -> Figure:
    """Draw the sum of security levels by support for each open choice, and for those that give Figure 3, top.

    Parameters
    ----------
    choices : History
        The recording 'oliehoek-2006-open'.
    decks : sequence of str
        The 6-card games, a panel each.
    as_top : pair of sequences
        Support and sum of the settings that give Figure 3, top, with the first deck.
    """
    total, is_random = choices["security_level_sum"], choices["start"] == "random"
    supports = (choices["support_1"] + choices["support_2"]) / 2
    picture, axes = figure(8.6, 3.6, columns=2, sharey=True, sharex=True)
    for face, which, size in (("none", is_random, 5), ("full", ~is_random, 7)):
        for (panel, name), (k, rule) in product(zip(axes, decks, strict=True), enumerate(RULES)):
            style = nth_look(k) | {"linestyle": "none", "markersize": size, "markevery": 1}
            mask = (choices["game"] == name) & (choices["unreached"] == rule) & which
            label = RULED.get(rule, rule) if face == "full" else None
            panel.plot(supports[mask], total[mask], fillstyle=face, label=label, **style)
    axes[0].plot(*as_top, "x", color="k", markersize=8, label="as Figure 3, top")
    for panel, name in zip(axes, decks, strict=True):
        panel.plot(29, -0.027, label="published", **look("published") | {"markersize": 12})
        panel.set_xlabel("support, mean of both players")
        panel.set_title(name[14:].capitalize(), loc="left")
        legend(panel, loc="lower right")
    axes[0].set_ylabel("sum of security levels (chips)")
    return picture


def draw_naive(curves: Mapping[str, Sequence[float] | Floats], title: str) -> Figure:
    """Draw NashConv by round of a parallel and of a naive memory."""
    picture, axes = figure(7.2, 3.2)
    for index, (label, curve) in enumerate(curves.items()):
        axes.plot(curve, label=label, **nth_look(index))
    set_logarithmic(axes, "y")
    axes.set(xlabel="round", ylabel="NashConv (chips, log)", ylim=(0.01, 10))
    axes.set_title(title, loc="left")
    legend(axes)
    return picture


def draw_time(seconds: Mapping[str, TimeSpent], title: str) -> Figure:
    """Draw where the time of each game's memory goes, as a multiple of that of the sequence-form program."""
    picture, axes = figure(7.2, 2.6)
    labels = [f"{name}, {each.state.iteration} rounds" for name, each in seconds.items()]
    left = np.zeros(len(seconds))
    for part, (shade, hatch) in PARTS.items():
        width = np.array([getattr(each, part) / each.sequence_form for each in seconds.values()])
        line = {"hatch": hatch, "edgecolor": "#444444", "linewidth": 0.6}
        axes.barh(labels, width, left=left, label=part.replace("_", " "), color=shade, **line)
        left += width
    axes.axvline(1, **look("bound"), label="sequence form, all of it")
    axes.set_xlabel("time, as a multiple of the sequence-form program's")
    axes.set_title(title, loc="left")
    legend(axes, loc="upper center", bbox_to_anchor=(0.4, -0.25), ncols=4)
    return picture
