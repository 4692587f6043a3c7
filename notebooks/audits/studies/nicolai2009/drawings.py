"""The figures of the audit of Nicolai & Hilderman (2009). Each function returns a picture; the audit explains it."""

from collections.abc import Mapping, Sequence
from typing import Any, TypeAlias

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from pokerlab.core.arrays import Floats
from pokerlab.papers import nicolai2009 as paper
from pokerlab.papers.nicolai2009 import METHODS
from pokerlab.runs import History
from pokerlab.workbench import figure, legend, look, nth_look
from studies.nicolai2009 import comparison, lines, methods, tables
from studies.nicolai2009.evaluation import Evaluation
from studies.nicolai2009.interpretations import EARLIER, THESIS

HATCHES = ("", "//", "..", "xx", "--")
FILL: dict[str, Any] = {
    "edgecolor": "w",
    "ecolor": "#444444",
    "capsize": 1.5,
    "error_kw": {"elinewidth": 0.8},
}
MARK: dict[str, Any] = {
    "linestyle": "none",
    "marker": "D",
    "color": "k",
    "markersize": 4,
    "zorder": 5,
}
DOTS: dict[str, Any] = {"linestyle": "none", "markevery": 1}
TITLE: dict[str, Any] = {"x": 0.01, "ha": "left", "fontsize": 10}
Line: TypeAlias = tuple[str, str]
"""The settings of an evolution, the thesis's or our earlier ones, and the name of the champion's line."""


def of_nine(one: Evaluation, values: Floats) -> Floats:
    """Return numbers by agent in the order of the figures: the others, then the champion."""
    return np.array([values[one.names.index(agent)] for agent in tables.OTHERS] + [values[0]])


def draw_bars(
    names: Sequence[str],
    mine: Mapping[str, Evaluation],
    before: Mapping[str, Evaluation],
    title: str,
) -> Figure:
    """Draw the mean ranks of all nine agents beside each of some champions, with those of the thesis."""
    picture, axes = figure(7.2, 3.6)
    wide = 0.84 / len(names)
    for index, name in enumerate(names):
        at = np.arange(9) + (index - (len(names) - 1) / 2) * wide
        one, theirs = mine[name], comparison.load_thesis_ranks(name)
        fill = {**FILL, "color": nth_look(index)["color"], "hatch": HATCHES[index]}
        spread = of_nine(one, one.ranks.standard_deviation)
        axes.bar(at, of_nine(one, one.ranks.mean) - 1, wide, 1, yerr=spread, label=name, **fill)
        circles = look("published") | {"markersize": 5.5, "label": "the thesis" * (not index)}
        axes.plot(at, [theirs[agent] for agent in (*tables.OTHERS, "champion")], **circles)
        if name in before:
            marks = of_nine(before[name], before[name].ranks.mean)
            axes.plot(at, marks, **MARK, label="earlier settings" * (not index))
    words = [name.replace("CallOr", "CallOr\n").replace("OldS", "Old\nS") for name in tables.OTHERS]
    axes.set_xticks(range(9), [*words, "champion"])
    axes.set(ylim=(1, 9), ylabel="mean rank (1 is best)")
    legend(axes, ncols=7, loc="lower left", bbox_to_anchor=(-0.01, 0.99), borderaxespad=0.2)
    axes.set_title(title, loc="left", pad=20)
    return picture


def draw_champions(
    mine: Mapping[str, Evaluation], before: Mapping[str, Evaluation], title: str
) -> Figure:
    """Draw the mean ranks of all champions in the order of the paper's Figure 6, the worst first."""
    theirs = {name: comparison.load_thesis_ranks(name)["champion"] for name in mine}
    worst_first = sorted(theirs, key=lambda name: -theirs[name])
    picture, axes = figure(7.2, 3.4)
    for place, name in enumerate(worst_first):
        height = comparison.find_champion_rank(mine[name]) - 1
        axes.bar(place, height, 0.7, 1, color=nth_look(0)["color"])
        if name in before:
            axes.plot(place, comparison.find_champion_rank(before[name]), **MARK)
    axes.plot(range(len(theirs)), [theirs[n] for n in worst_first], **look("published"))
    words = [name.replace("eHOF", "e\nHOF").replace("lHOF", "l\nHOF") for name in worst_first]
    axes.set_xticks(range(len(theirs)), [name.replace("HOF2", "HOF\n2") for name in words])
    axes.set(ylim=(1, 7), ylabel="mean rank of the champion (1 is best)")
    axes.set_title(title, loc="left")
    return picture


def draw_folding(
    study: History, whole: Sequence[Evaluation], folder: tuple[float, float, float], title: str
) -> Figure:
    """Draw the ranks of champions by how often they fold, and by how often they win.

    Parameters
    ----------
    study : History
        Of evolutions a tenth as large as the paper's.
    whole : sequence of Evaluation
        Of champions of evolutions as large as the paper's.
    folder : tuple of float
        How often Folder folds, which never bets, how often it wins, and its mean rank.
    title : str
        Of the picture.
    """
    picture, panels = figure(4.2, 3.5, columns=2, sharey=True)
    folds = [one.action_shares[one.names[0]][0] for one in whole]
    firsts = [one.wins.mean[0] for one in whole]
    ranks = [comparison.find_champion_rank(one) for one in whole]
    small = DOTS | {"markersize": 3.5}
    columns, *still, still_rank = (("folds", folds), ("first", firsts)), *folder
    for axes, (column, ours), share in zip(panels, columns, still, strict=True):
        shares = 100 * np.asarray(study[column])
        axes.plot(
            shares, study["rank"], label="evolved at a tenth of the size", **nth_look(0) | small
        )
        axes.plot(100 * np.asarray(ours), ranks, label="at the paper's size", **nth_look(1) | small)
        never = {"marker": "*", "color": "k", "linestyle": "none", "markersize": 8}
        axes.plot(100 * share, still_rank, label="Folder: only folds and checks", **never)
    panels[0].set(xlabel="decisions that fold (%)", ylabel="mean rank (1 is best)")
    panels[0].invert_yaxis()
    panels[1].set_xlabel("tournaments won (%)")
    legend(panels[0], loc="upper left")
    picture.suptitle(title, **TITLE)
    return picture


def draw_progress(ratings: Mapping[Line, History | Mapping[str, Floats]], title: str) -> Figure:
    """Draw the rank of champions of several generations among the eight others, and how often they win."""
    picture, panels = figure(7.2, 3.4, columns=2)
    mine = {name: of for (source, name), of in ratings.items() if source == THESIS}
    for index, (name, of) in enumerate(mine.items()):
        style = nth_look(index) | {"markevery": 1}
        panels[0].plot(lines.GENERATIONS, of["rank"], label=name, **style)
        panels[1].plot(lines.GENERATIONS, of["first"], **style)
    theirs = [comparison.load_thesis_ranks(name)["champion"] for name in mine]
    at = [lines.GENERATIONS[-1] * 1.25] * len(theirs)
    panels[0].plot(at, theirs, label="the thesis", **look("published"))
    panels[1].axhline(1 / 9, **look("bound"))
    words = ("mean rank (1 is best)", "share of tournaments won")
    for axes, label in zip(panels, words, strict=True):
        axes.set(xlabel="generation (log)", xscale="log", ylabel=label)
    picture.suptitle(title, **TITLE)
    legend(panels[0], ncols=2, fontsize=7)
    return picture


def draw_fields(fields: Mapping[Line, Floats], title: str) -> Figure:
    """Draw the mean place of each champion in a field of all champions of its line, and means of fifty."""
    picture, axes = figure(7.2, 3.2)
    for index, ((_, name), places) in enumerate(fields.items()):
        axes.plot(places, color=nth_look(index)["color"], alpha=0.35, linewidth=0.6)
        middle = np.arange(tables.FIFTY // 2, len(places), tables.FIFTY)
        style = nth_look(index) | {"markevery": 1}
        axes.plot(middle, tables.average_by_fifty(places), label=name, **style)
    axes.invert_yaxis()
    axes.set(xlabel="generation of the champion", ylabel="mean place of 500 (1 is best)")
    axes.set_title(title, loc="left")
    legend(axes, ncols=5, loc="upper center", bbox_to_anchor=(0.5, -0.16))
    return picture


def draw_blind(blind: Mapping[Line, Mapping[str, float]], title: str) -> Figure:
    """Draw by how much the ranks of champions change when they cannot see a group of their inputs."""
    picture, axes = figure(7.2, 3.6)
    mine = {name: ranks for (source, name), ranks in blind.items() if source == THESIS}
    for index, (name, ranks) in enumerate(mine.items()):
        across = [ranks[group] - ranks[lines.NOTHING] for group in paper.INPUT_GROUPS]
        down = np.arange(len(across)) + 0.08 * (index - (len(mine) - 1) / 2)
        axes.plot(across, down, label=name, **nth_look(index) | {"linestyle": "", "markevery": 1})
    axes.axvline(0.0, **look("bound"))
    axes.set_yticks(range(len(paper.INPUT_GROUPS)), paper.INPUT_GROUPS)
    axes.invert_yaxis()
    axes.set(
        xlabel="change of the mean rank (to the left it is better)", ylabel="what it cannot see"
    )
    picture.suptitle(title, **TITLE)
    legend(axes, ncols=4)
    return picture


def draw_methods(runs: History, held: Mapping[str, str], title: str) -> Figure:
    """Draw the mean rank of each evolution of each method, by interpretation; `held` has what each is called."""
    names = [*held]
    picture, panels = figure(7.2, 6.2, rows=2, columns=2, sharey=True, sharex=True)
    for row, shown in zip(panels, (names[:1], names[1:]), strict=True):
        for axes, taken in zip(row, methods.TAKEN, strict=True):
            for index, place in np.ndindex(len(shown), len(METHODS)):
                style = nth_look(names.index(shown[index])) | {"linestyle": "none", "markevery": 1}
                ranks = methods.list_ranks_by_evolution(runs, METHODS[place], shown[index], taken)
                height = 0.4 - place - 0.8 * (index + 0.5) / len(shown)
                label = "" if place or axes is row[1] else held[shown[index]]
                axes.plot(ranks, np.full(len(ranks), height), **style, label=label)
                if len(ranks):
                    axes.plot([ranks.mean()], [height], "k|", ms=10)
            axes.set_yticks([-k for k in range(len(METHODS))], METHODS)
            axes.set_xlabel(f"mean rank, {taken.removeprefix('the ')}" if axes in panels[1] else "")
    picture.suptitle(title, **TITLE)
    picture.legend(loc="outside lower center", ncols=2, frameon=False, fontsize=8)
    return picture


def draw_stages(ends: Mapping[str, Floats], title: str) -> Figure:
    """Draw the best and the worst champion of each evolution of `methods.stages`, (S, 2) by line."""
    picture, axes = figure(7.2, 3.4)
    for place, (line, of) in enumerate(ends.items()):
        for column, marker in enumerate("o_"):
            axes.plot([place] * len(of), of[:, column], marker, color=nth_look(0)["color"])
        own = [name for name in comparison.CHAMPIONS if name.split("-")[0] == line]
        theirs = [comparison.load_thesis_ranks(name)["champion"] for name in own]
        axes.plot([place + 0.25] * len(own), theirs, **look("published"))
    fitness = [comparison.load_thesis_fitness()[key] for key in ("Hands100", "MeanMoney")]
    axes.plot([6.25, 7.25], fitness, **look("published"))
    axes.set_xticks(range(len(ends)), [*ends], fontsize=8)
    axes.set(ylabel="mean rank (1 is best)", title=title)
    return picture


def draw_ancestors(duels: Mapping[Line, History], title: str) -> Figure:
    """Draw for each line which later champions are ahead of which earlier ones, and which clearly lose."""
    rows = -(-len(duels) // 4)
    picture, panels = figure(7.2, 2.1 * rows, rows=rows, columns=4)
    later, earlier = np.tril_indices(len(lines.AGES), -1)
    for ((source, name), of), axes in zip(duels.items(), panels.flat, strict=False):
        ahead = np.full((len(lines.AGES), len(lines.AGES)), np.nan)
        ahead[later, earlier] = of["ahead"]
        lost = np.zeros(ahead.shape, bool)
        lost[later, earlier] = of["lost"] > 0
        axes.imshow(ahead, cmap="PuOr_r", vmin=-3, vmax=3)
        axes.plot(*np.argwhere(ahead > 0).T[::-1], "w+", markersize=4)
        axes.plot(*np.argwhere(lost).T[::-1], "k*", markersize=4)
        set_generations(axes)
        label = f"{name}{', earlier' * (source == EARLIER)}: {lost.sum()}"
        axes.set_title(label, fontsize=8)
    for place, axes in enumerate(panels.flat):
        axes.grid(False)
        axes.set_visible(place < len(duels))
    picture.supxlabel("generation of the ancestor", fontsize=8)
    picture.supylabel("generation of the later champion", fontsize=8)
    picture.suptitle(title, **TITLE)
    return picture


def set_generations(axes: Axes) -> None:
    """Label both axes by the generations of `lines.AGES`."""
    axes.set_xticks(range(len(lines.AGES)), [*map(str, lines.AGES)], fontsize=6, rotation=90)
    axes.set_yticks(range(len(lines.AGES)), [*map(str, lines.AGES)], fontsize=6)
