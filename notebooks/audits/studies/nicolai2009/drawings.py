"""The figures of the audit of Nicolai & Hilderman (2009). Each function returns a figure; the audit explains it.

Evaluations, measurements of lineages, and ranks of methods go in, with a title that states what they show.

*The thesis* is Nicolai's (2008). Its figures have the ranks of the same champions as the paper's, and open circles show
them. A *champion* is the best agent of a population, and a *lineage* has the champions of all generations of one
population (see `lineages`). At the *tables of a champion* it plays against eight opponents.
"""

import math
from collections.abc import Mapping, Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure
from numpy.typing import ArrayLike

from pokerlab.core.arrays import Floats
from pokerlab.papers import nicolai2009 as paper
from pokerlab.papers.nicolai2009 import METHODS, NUM_SEATS
from pokerlab.runs import History
from pokerlab.workbench import figure, legend, look, nth_look
from studies.nicolai2009 import comparison, lineages, methods, tables
from studies.nicolai2009.champions import get_method_of_champion
from studies.nicolai2009.comparison import CHAMPION_NAME
from studies.nicolai2009.evaluation import CHAMPION, Evaluation
from studies.nicolai2009.interpretations import EARLIER, THESIS
from studies.nicolai2009.lineages import Lineage

BEST_RANK = 1
"""Bars of ranks begin at the best rank instead of zero."""
BARS_WIDTH = 0.84
"""The width of all bars of an agent together, if two agents are at a distance of 1."""
HATCHES = ("", "//", "..", "xx", "--")
"""The hatches of the bars of several champions."""
BAR_STYLE: dict[str, Any] = {
    "edgecolor": "w",
    "ecolor": "#444444",
    "capsize": 1.5,
    "error_kw": {"elinewidth": 0.8},
}
DIAMOND_STYLE: dict[str, Any] = {
    "linestyle": "none",
    "marker": "D",
    "color": "k",
    "markersize": 4,
    "zorder": 5,
}
STAR_STYLE: dict[str, Any] = {
    "linestyle": "none",
    "marker": "*",
    "color": "k",
    "markersize": 8,
}
DOTS: dict[str, Any] = {"linestyle": "none", "markevery": 1}
TITLE: dict[str, Any] = {"x": 0.01, "ha": "left", "fontsize": 10}
TICK_LABELS = {
    "CallOrRaise": "CallOr\nRaise",
    "OldScratch": "Old\nScratch",
    "OldStart": "Old\nStart",
    "LargeHOF": "Large\nHOF",
    "SmallHOF": "Small\nHOF",
    "HOF2Pop-1": "HOF\n2Pop-1",
    "HOF2Pop-2": "HOF\n2Pop-2",
}
"""How long names of agents are written on an axis, in two lines."""
LINEAGES_PER_ROW = 4
MOST_RANKS_AHEAD = 3
"""The number of ranks at the ends of the color scale of `draw_leads_over_ancestors`."""
THESIS_MEASURES = {"by hands won": "Hands100", "by chips": "MeanMoney"}
"""What the thesis calls the measures by which two experiments of `methods.STAGE_EXPERIMENTS` breed."""


class FoldingAgent(NamedTuple):
    """Results of an agent that folds much, which `draw_ranks_by_folding_and_wins` draws as a point.

    Attributes
    ----------
    folds : float
        The share of its decisions in which it folds, from 0 to 1.
    wins : float
        The share of tournaments that it wins, from 0 to 1.
    rank : float
        Its mean rank; 1 is the best.
    """

    folds: float
    wins: float
    rank: float


def order_agents_as_in_figures(evaluation: Evaluation, values: Floats) -> Floats:
    """Return values of nine agents in the order in which the paper's figures have the agents.

    The figures have the eight opponents in the order of `tables.OPPONENTS`, and then the champion.

    Parameters
    ----------
    evaluation : Evaluation
        The results of the agents, which have the champion first.
    values : ndarray, shape (9,)
        A value for each agent, in the order of the evaluation.

    Returns
    -------
    ndarray, shape (9,)
        The same values in the order of the figures.
    """
    values_of_opponents = [values[evaluation.names.index(agent)] for agent in tables.OPPONENTS]
    return np.array([*values_of_opponents, values[CHAMPION]])


def draw_ranks_of_nine_agents(
    champions: Sequence[str],
    evaluations: Mapping[str, Evaluation],
    earlier_evaluations: Mapping[str, Evaluation],
    title: str,
) -> Figure:
    """Draw the mean ranks of nine agents at the tables of each of several champions, beside the ranks of the thesis.

    The nine agents are a champion, the best agent of an evolution, and its eight opponents. Bars are our mean ranks by
    the settings of the thesis (Nicolai 2008), with standard deviations over duplicate tables. Open circles are the
    ranks that the thesis prints. Diamonds are our ranks by the settings that we guessed earlier.

    Parameters
    ----------
    champions : sequence of str
        The champions. Each agent has a bar for each of them.
    evaluations, earlier_evaluations : mapping of str to Evaluation
        The evaluations by champion, by the settings of the thesis (bars) and by our earlier settings (diamonds).
        `earlier_evaluations` may lack champions.
    title : str
        The title of the figure.
    """
    picture, axes = figure(7.2, 3.6)
    agents = (*tables.OPPONENTS, CHAMPION_NAME)
    width = BARS_WIDTH / len(champions)
    for index, champion in enumerate(champions):
        is_first = index == 0  # the legend has each kind of mark once
        # The bars of an agent stand side by side, and their middle is at the agent's number.
        positions = np.arange(NUM_SEATS) + (index - (len(champions) - 1) / 2) * width

        evaluation = evaluations[champion]
        mean_ranks = order_agents_as_in_figures(evaluation, evaluation.ranks.mean)
        deviations = order_agents_as_in_figures(evaluation, evaluation.ranks.standard_deviation)
        axes.bar(
            positions,
            mean_ranks - BEST_RANK,
            width,
            BEST_RANK,
            yerr=deviations,
            label=champion,
            color=nth_look(index)["color"],
            hatch=HATCHES[index],
            **BAR_STYLE,
        )

        thesis_ranks = comparison.load_thesis_mean_ranks(champion)
        circles = look("published") | {"markersize": 5.5, "label": "the thesis" if is_first else ""}
        axes.plot(positions, [thesis_ranks[agent] for agent in agents], **circles)

        if champion in earlier_evaluations:
            earlier = earlier_evaluations[champion]
            earlier_ranks = order_agents_as_in_figures(earlier, earlier.ranks.mean)
            label = "earlier settings" if is_first else ""
            axes.plot(positions, earlier_ranks, **DIAMOND_STYLE, label=label)

    labels = [TICK_LABELS.get(agent, agent) for agent in agents]
    axes.set_xticks(range(NUM_SEATS), labels)
    axes.set(ylim=(1, 9), ylabel="mean rank (1 is best)")
    legend(axes, ncols=7, loc="lower left", bbox_to_anchor=(-0.01, 0.99), borderaxespad=0.2)
    axes.set_title(title, loc="left", pad=20)
    return picture


def draw_champion_ranks(
    evaluations: Mapping[str, Evaluation], earlier_evaluations: Mapping[str, Evaluation], title: str
) -> Figure:
    """Draw the mean ranks of all champions, as Figure 6 of the paper does.

    A *champion* is the best agent of an evolution. Champions are ordered by their ranks in the thesis (Nicolai 2008),
    the worst first. Open circles show these ranks.

    Parameters
    ----------
    evaluations, earlier_evaluations : mapping of str to Evaluation
        The evaluations by champion, by the settings of the thesis (bars) and by our earlier settings (diamonds).
        `earlier_evaluations` may lack champions.
    title : str
        The title of the figure.
    """
    thesis_ranks = {
        champion: comparison.load_thesis_mean_ranks(champion)[CHAMPION_NAME]
        for champion in evaluations
    }
    worst_first = sorted(thesis_ranks, key=lambda champion: -thesis_ranks[champion])

    picture, axes = figure(7.2, 3.4)
    for position, champion in enumerate(worst_first):
        height = evaluations[champion].champion_rank - BEST_RANK
        axes.bar(position, height, 0.7, BEST_RANK, color=nth_look(0)["color"])
        if champion in earlier_evaluations:
            axes.plot(position, earlier_evaluations[champion].champion_rank, **DIAMOND_STYLE)
    positions = range(len(worst_first))
    ranks_in_order = [thesis_ranks[champion] for champion in worst_first]
    axes.plot(positions, ranks_in_order, **look("published"))

    axes.set_xticks(positions, [TICK_LABELS.get(champion, champion) for champion in worst_first])
    axes.set(ylim=(1, 7), ylabel="mean rank of the champion (1 is best)")
    axes.set_title(title, loc="left")
    return picture


def draw_ranks_by_folding_and_wins(
    small_evolutions: History,
    evaluations: Sequence[Evaluation],
    folding_agent: FoldingAgent,
    title: str,
) -> Figure:
    """Draw the mean ranks of champions over the share of their folds, and over the share of tournaments that they win.

    A *champion* is the best agent of an evolution.

    Parameters
    ----------
    small_evolutions : History
        The champions of evolutions a tenth as large as the paper's: the table of `methods.sweep_methods`.
    evaluations : sequence of Evaluation
        The evaluations of champions of evolutions of the paper's size.
    folding_agent : FoldingAgent
        The scripted agent Folder, which only folds and checks; it is drawn as a star.
    title : str
        The title of the figure.
    """
    picture, (left, right) = figure(4.2, 3.5, columns=2, sharey=True)
    small_ranks = np.asarray(small_evolutions["rank"])
    ranks = [evaluation.champion_rank for evaluation in evaluations]

    # The first of the four kinds of action is a fold.
    fold_shares = [
        evaluation.action_shares[evaluation.names[CHAMPION]][0] for evaluation in evaluations
    ]
    points_by_folds = PointsByKind(
        small=(np.asarray(small_evolutions["folds"]), small_ranks),
        full_size=(fold_shares, ranks),
        folding_agent=(folding_agent.folds, folding_agent.rank),
    )
    draw_points_by_kind(left, points_by_folds)

    win_shares = [evaluation.wins.mean[CHAMPION] for evaluation in evaluations]
    points_by_wins = PointsByKind(
        small=(np.asarray(small_evolutions["first"]), small_ranks),
        full_size=(win_shares, ranks),
        folding_agent=(folding_agent.wins, folding_agent.rank),
    )
    draw_points_by_kind(right, points_by_wins)

    left.set(xlabel="decisions that fold (%)", ylabel="mean rank (1 is best)")
    left.invert_yaxis()  # the best rank at the top, in both panels
    right.set_xlabel("tournaments won (%)")
    legend(left, loc="upper left")
    picture.suptitle(title, **TITLE)
    return picture


class PointsByKind(NamedTuple):
    """The points of a scatter plot of mean ranks over a share, in three groups.

    The share is of folds among decisions, or of tournaments that are won. A *champion* is the best agent of an
    evolution.

    Attributes
    ----------
    small, full_size : (array_like, array_like), shape (champions,) each
        The shares, from 0 to 1, and the mean ranks of champions of small evolutions, and of evolutions of the paper's
        size.
    folding_agent : (float, float)
        The share and the mean rank of the scripted agent Folder.
    """

    small: tuple[ArrayLike, ArrayLike]
    full_size: tuple[ArrayLike, ArrayLike]
    folding_agent: tuple[float, float]


def draw_points_by_kind(axes: Axes, points: PointsByKind) -> None:
    """Draw mean ranks over shares in percent: champions of two sizes as dots, and the agent Folder as a star.

    A *champion* is the best agent of an evolution, and its size is that of the evolution.

    Parameters
    ----------
    axes : Axes
        Where to draw.
    points : PointsByKind
        The shares, from 0 to 1, and the mean ranks of the three groups.
    """
    dots = DOTS | {"markersize": 3.5}
    small_shares, small_ranks = points.small
    axes.plot(
        100 * np.asarray(small_shares),
        small_ranks,
        label="evolved at a tenth of the size",
        **nth_look(0) | dots,
    )
    shares, ranks = points.full_size
    axes.plot(100 * np.asarray(shares), ranks, label="at the paper's size", **nth_look(1) | dots)
    agent_share, agent_rank = points.folding_agent
    axes.plot(100 * agent_share, agent_rank, label="Folder: only folds and checks", **STAR_STYLE)


def select_thesis_lineages(values_by_lineage: Mapping[Lineage, Any]) -> dict[str, Any]:
    """Return the values of those lineages that evolved by the settings of the thesis (Nicolai 2008).

    A *lineage* has the champions, the best agents, of all generations of one evolved population.

    Parameters
    ----------
    values_by_lineage : mapping of (str, str) to any
        A value for each lineage, which is named by the source of its settings and its last champion.

    Returns
    -------
    dict of str to any
        The values by the name of the last champion, such as '2Pop-1'.
    """
    return {
        champion: value
        for (source, champion), value in values_by_lineage.items()
        if source == THESIS
    }


def draw_ranks_by_generation(
    columns_by_lineage: Mapping[Lineage, Mapping[str, Any]], title: str
) -> Figure:
    """Draw how champions rank against eight opponents, and how many tournaments they win, over generations.

    A *champion* is the best agent of a population in a generation. There is a curve for each population that evolved by
    the settings of the thesis (Nicolai 2008). Open circles are the ranks of the thesis, and a line is one win in nine.

    Parameters
    ----------
    columns_by_lineage : mapping of (str, str) to mapping of str to ndarray
        The columns of `lineages.measure_ranks_against_eight_opponents` for each lineage. A lineage has the champions of
        one population, and is named by the source of its settings and its last champion.
    title : str
        The title of the figure.
    """
    picture, (left, right) = figure(7.2, 3.4, columns=2)
    by_champion = select_thesis_lineages(columns_by_lineage)
    for index, (champion, columns) in enumerate(by_champion.items()):
        style = nth_look(index) | {"markevery": 1}
        left.plot(lineages.RATED_GENERATIONS, columns["rank"], label=champion, **style)
        right.plot(lineages.RATED_GENERATIONS, columns["first"], **style)

    # The ranks of the thesis stand to the right of the last generation.
    thesis_ranks = [
        comparison.load_thesis_mean_ranks(champion)[CHAMPION_NAME] for champion in by_champion
    ]
    position = lineages.RATED_GENERATIONS[-1] * 1.25
    left.plot([position] * len(thesis_ranks), thesis_ranks, label="the thesis", **look("published"))
    right.axhline(1 / NUM_SEATS, **look("bound"))

    left.set(xlabel="generation (log)", xscale="log", ylabel="mean rank (1 is best)")
    right.set(xlabel="generation (log)", xscale="log", ylabel="share of tournaments won")
    picture.suptitle(title, **TITLE)
    legend(left, ncols=2, fontsize=7)
    return picture


def draw_places_by_generation(places_by_lineage: Mapping[Lineage, Floats], title: str) -> Figure:
    """Draw the places of champions in tournaments with the champions of all generations of their population.

    A *champion* is the best agent of a population in a generation. Thin curves have the mean places of single
    champions, thick ones the means of fifty successive champions.

    Parameters
    ----------
    places_by_lineage : mapping of (str, str) to ndarray, shape (T,)
        The mean places of the champions of generations 1 to T, for each lineage. A lineage has the champions of one
        population, and is named by the source of its settings and its last champion.
    title : str
        The title of the figure.
    """
    picture, axes = figure(7.2, 3.2)
    for index, ((_, champion), places) in enumerate(places_by_lineage.items()):
        axes.plot(places, color=nth_look(index)["color"], alpha=0.35, linewidth=0.6)

        # The mean of fifty places is drawn in the middle of their generations.
        num_averaged = tables.AVERAGED_GENERATIONS
        middles = np.arange(num_averaged // 2, len(places), num_averaged)
        means = tables.average_places_over_fifty_generations(places)
        style = nth_look(index) | {"markevery": 1}
        axes.plot(middles, means, label=champion, **style)
    axes.invert_yaxis()
    axes.set(xlabel="generation of the champion", ylabel="mean place of 500 (1 is best)")
    axes.set_title(title, loc="left")
    legend(axes, ncols=5, loc="upper center", bbox_to_anchor=(0.5, -0.16))
    return picture


def draw_rank_changes_without_inputs(
    ranks_by_lineage: Mapping[Lineage, Mapping[str, float]], title: str
) -> Figure:
    """Draw by how much the mean rank of a champion changes if its network does not see a group of its inputs.

    A *champion* is the best agent of the last generation of a population. There is a mark for each champion that
    evolved by the settings of the thesis (Nicolai 2008), and for each group of inputs.

    Parameters
    ----------
    ranks_by_lineage : mapping of (str, str) to mapping of str to float
        The mean rank of the last champion of each lineage, by the group of inputs that it does not see, or
        `lineages.NO_INPUTS`. A lineage has the champions of one population, and is named by the source of its settings
        and its last champion.
    title : str
        The title of the figure.
    """
    picture, axes = figure(7.2, 3.6)
    by_champion = select_thesis_lineages(ranks_by_lineage)
    num_groups = len(paper.INPUT_GROUPS)
    for index, (champion, champion_ranks) in enumerate(by_champion.items()):
        rank_with_all = champion_ranks[lineages.NO_INPUTS]
        changes = [champion_ranks[group] - rank_with_all for group in paper.INPUT_GROUPS]
        heights = np.arange(num_groups) + 0.08 * (index - (len(by_champion) - 1) / 2)
        style = nth_look(index) | {"linestyle": "", "markevery": 1}
        axes.plot(changes, heights, label=champion, **style)
    axes.axvline(0.0, **look("bound"))
    axes.set_yticks(range(num_groups), paper.INPUT_GROUPS)
    axes.invert_yaxis()
    axes.set(
        xlabel="change of the mean rank (to the left it is better)", ylabel="what it cannot see"
    )
    picture.suptitle(title, **TITLE)
    legend(axes, ncols=4)
    return picture


def draw_ranks_by_method(
    rank_table: methods.RankTable, labels: Mapping[str, str], title: str
) -> Figure:
    """Draw the mean rank of each evolution of each of the paper's methods, by interpretation of the paper.

    There are four panels. The upper two have the first interpretation, the lower two all others. The left ones have the
    rank of the best champion (best agent of a population) of each evolution, the right ones the mean of its champions.
    A vertical stroke is the mean over evolutions.

    Parameters
    ----------
    rank_table : Mapping or History
        The ranks of champions, as `methods.join_method_and_stage_studies` returns them.
    labels : mapping of str to str
        The name of each interpretation in the legend, in the order in which they are drawn.
    title : str
        The title of the figure.
    """
    interpretations = list(labels)
    picture, panels = figure(7.2, 6.2, rows=2, columns=2, sharey=True, sharex=True)
    interpretations_by_row = (interpretations[:1], interpretations[1:])
    for row, shown in zip(panels, interpretations_by_row, strict=True):
        for axes, summary in zip(row, methods.SUMMARIES, strict=True):
            is_left, is_lower = axes is row[0], axes in panels[1]
            for index_in_panel, interpretation in enumerate(shown):
                ranks_of_methods = [
                    methods.compute_evolution_ranks(rank_table, method, interpretation, summary)
                    for method in METHODS
                ]
                draw_ranks_in_bands(
                    axes,
                    ranks_of_methods,
                    depth_in_band=(index_in_panel + 0.5) / len(shown),
                    look_index=interpretations.index(interpretation),
                    label=labels[interpretation] if is_left else "",  # in the legend once
                )
            axes.set_yticks([-index for index in range(len(METHODS))], METHODS)
            axes.set_xlabel(f"mean rank, {summary.removeprefix('the ')}" if is_lower else "")
    picture.suptitle(title, **TITLE)
    picture.legend(loc="outside lower center", ncols=2, frameon=False, fontsize=8)
    return picture


def draw_ranks_in_bands(
    axes: Axes,
    ranks_of_methods: Sequence[Floats],
    depth_in_band: float,
    look_index: int,
    label: str,
) -> None:
    """Draw the ranks of several evolutions of each method as a row of dots, with a vertical stroke at their mean.

    Each method has a horizontal *band* of height 0.8, in which several rows of dots may be drawn below each other. The
    middle of the band is at minus the index of the method, so the first method is at the top.

    Parameters
    ----------
    axes : Axes
        Where to draw.
    ranks_of_methods : sequence of ndarray, shape (S,) each
        For each method, the ranks of its S evolutions.
    depth_in_band : float
        How far below the upper edge of its band each row of dots is, as a share of the band's height.
    look_index : int
        The index of the color and of the kind of mark in our series of looks.
    label : str
        The name of the dots in the legend, or '' if they have no entry in it.
    """
    style = nth_look(look_index) | DOTS
    for method_index, ranks in enumerate(ranks_of_methods):
        height = 0.4 - method_index - 0.8 * depth_in_band
        label_once = label if method_index == 0 else ""
        axes.plot(ranks, np.full(len(ranks), height), **style, label=label_once)
        if len(ranks):
            axes.plot([ranks.mean()], [height], "k|", ms=10)


def draw_best_and_worst_ranks_by_experiment(
    ranks_by_experiment: Mapping[str, Floats], title: str
) -> Figure:
    """Draw the mean ranks of the best and the worst champion of each evolution, beside champions of the thesis.

    A *champion* is the best agent of a population. A dot is the best champion of an evolution, and a horizontal stroke
    the worst. Open circles are champions of the thesis (Nicolai 2008).

    Parameters
    ----------
    ranks_by_experiment : mapping of str to ndarray, shape (S, 2)
        The smallest and the largest mean rank among the champions of each of S evolutions, by the experiments of
        `methods.STAGE_EXPERIMENTS`.
    title : str
        The title of the figure.
    """
    picture, axes = figure(7.2, 3.4)
    thesis_ranks_by_measure = comparison.load_thesis_ranks_by_fitness_measure()
    color = nth_look(0)["color"]
    for position, (experiment, ranks) in enumerate(ranks_by_experiment.items()):
        best, worst = ranks.T
        axes.plot([position] * len(ranks), best, "o", color=color)
        axes.plot([position] * len(ranks), worst, "_", color=color)

        # Other experiments are methods of the paper, whose champions the thesis has.
        if experiment in THESIS_MEASURES:
            thesis_ranks = [thesis_ranks_by_measure[THESIS_MEASURES[experiment]]]
        else:
            thesis_ranks = [
                comparison.load_thesis_mean_ranks(champion)[CHAMPION_NAME]
                for champion in comparison.CHAMPIONS
                if get_method_of_champion(champion) == experiment
            ]
        axes.plot([position + 0.25] * len(thesis_ranks), thesis_ranks, **look("published"))
    axes.set_xticks(range(len(ranks_by_experiment)), [*ranks_by_experiment], fontsize=8)
    axes.set(ylabel="mean rank (1 is best)", title=title)
    return picture


def draw_leads_over_ancestors(
    columns_by_lineage: Mapping[Lineage, Mapping[str, Any]], title: str
) -> Figure:
    """Draw by how many ranks later champions lead over earlier ones, as a heat map for each evolved population.

    A *champion* is the best agent of a population in a generation. A cross marks pairs in which the later champion is
    ahead, and a star those in which it is significantly behind. The title of each heat map has the number of stars.

    Parameters
    ----------
    columns_by_lineage : mapping of (str, str) to mapping of str to ndarray
        The columns of `lineages.compare_champions_with_ancestors` for each lineage. A lineage has the champions of one
        population, and is named by the source of its settings and its last champion.
    title : str
        The title of the figure.
    """
    num_rows = math.ceil(len(columns_by_lineage) / LINEAGES_PER_ROW)
    picture, panels = figure(7.2, 2.1 * num_rows, rows=num_rows, columns=LINEAGES_PER_ROW)
    size = len(lineages.COMPARED_GENERATIONS)
    later, earlier = lineages.list_later_earlier_pairs(size).T
    # The last row may have more panels than there are lineages.
    for ((source, champion), columns), axes in zip(
        columns_by_lineage.items(), panels.flat, strict=False
    ):
        leads = np.full((size, size), np.nan)  # nothing is drawn on and above the diagonal
        leads[later, earlier] = columns["ahead"]
        is_significant_loss = np.zeros((size, size), bool)
        is_significant_loss[later, earlier] = columns["lost"] > 0

        axes.imshow(leads, cmap="PuOr_r", vmin=-MOST_RANKS_AHEAD, vmax=MOST_RANKS_AHEAD)
        mark_cells(axes, leads > 0, "w+")
        mark_cells(axes, is_significant_loss, "k*")
        label_axes_by_generation(axes)
        source_note = ", earlier" if source == EARLIER else ""
        axes.set_title(f"{champion}{source_note}: {is_significant_loss.sum()}", fontsize=8)

    for index, axes in enumerate(panels.flat):
        axes.grid(False)
        axes.set_visible(index < len(columns_by_lineage))
    picture.supxlabel("generation of the ancestor", fontsize=8)
    picture.supylabel("generation of the later champion", fontsize=8)
    picture.suptitle(title, **TITLE)
    return picture


def mark_cells(axes: Axes, is_marked: np.ndarray, style: str) -> None:
    """Draw a small mark on some cells of a heat map.

    Parameters
    ----------
    axes : Axes
        The axes of the heat map.
    is_marked : ndarray of bool, shape (rows, columns)
        Whether a cell gets a mark.
    style : str
        The color and the kind of the mark, as matplotlib writes them, such as 'k*'.
    """
    rows, columns = np.nonzero(is_marked)
    axes.plot(columns, rows, style, markersize=4)


def label_axes_by_generation(axes: Axes) -> None:
    """Label the rows and the columns of a heat map with the generations in `lineages.COMPARED_GENERATIONS`."""
    positions = range(len(lineages.COMPARED_GENERATIONS))
    labels = [str(generation) for generation in lineages.COMPARED_GENERATIONS]
    axes.set_xticks(positions, labels, fontsize=6, rotation=90)
    axes.set_yticks(positions, labels, fontsize=6)
