"""The figures of the audit of Samothrakis & Lucas (2011): recorded runs and tables go in, figures come out.

How near do the agents of section 4.2 come to equilibrium, and what does the search overlook that judges them? Most
functions return a figure and its caption, because the caption has the same numbers.
"""

from collections.abc import Mapping

import numpy as np
from matplotlib.axes import Axes
from matplotlib.figure import Figure

from pokerlab.core.arrays import Floats
from pokerlab.holdem import BucketedProfile
from pokerlab.holdem.betting_tree import Situation
from pokerlab.papers import samothrakis2011_holdem as holdem
from pokerlab.papers.samothrakis2011_holdem import STEP_SIZES, read_evolution
from pokerlab.runs import History
from pokerlab.workbench import figure, legend, look, nth_look, plot_intensity, style
from studies.audit import read_figure_points
from studies.samothrakis2011.holdem_runs import (
    AS_DRAWN,
    BUDGET,
    read_figure_6_best_values,
    read_runs_judged_by_search,
    read_runs_of_interpretation,
)
from studies.samothrakis2011.tables import load_recorded_table

RUN_LABELS = {
    "playouts-100": "100 playouts",
    "playouts-1000": "1,000 playouts",
    "sampled-1000": "sampled deals",
    "csa-1000": "CSA-ES",
    "unmerged-1000": "states apart",
}
"""The label of searched runs, by how their names begin."""
ALWAYS_FOLD = 1.5
"""The exploitability of always folding, in small bets."""
PRINTED_EXPLOITABILITY = 0.84
"""The exploitability that the paper prints for its agent after 200 generations, in small bets (section 4.2)."""
FIRST_DRAWN_EVALUATION = 700
"""Figure 6 shows the best of a generation from 720 evaluations on."""
GENE_SCALE = 0.5
"""Our genes begin at 1, and those of Figure 6 at 0.5; only their ratios matter."""
SEARCH_DEPTHS = (8, 9, 10)
"""The depths whose largest winnings are in the caption of `draw_search_winnings_by_exploration`."""
DRAWN_PLAYOUTS = 1000
"""The number of playouts of the searches that `draw_search_winnings_by_exploration` shows."""
NUM_DRAWN_POINTS = 81
"""The number of points of a curve in `draw_median_and_range`."""
LEAST_DRAWN = 1e-11
"""The smallest exploitability on the axis of `draw_final_exploitability`, in points."""


def draw_exploitability_by_judge() -> tuple[Figure, str]:
    """Draw the exploitability of evolved limit hold'em agents over evaluations, by what gives them their fitness.

    In the left panel exact best responses judge the agents. There is a curve for each way in which genes become
    non-negative. In the right panel a tree search judges them, with a curve for each kind of search.

    Returns
    -------
    picture : Figure
        The figure.
    caption : str
        How to read it.
    """
    picture, (left, right) = figure(7.6, 3.6, columns=2, sharey=True)
    for index, positive in enumerate(STEP_SIZES):
        run = read_evolution(f"exact-{positive}")
        left.plot(run["evaluations"], run["nash_conv"], label=positive, **nth_look(index))
    left.set(ylabel="exploitability (small bets)", ylim=(0, 6), title="judged exactly")

    all_searched_runs = read_runs_judged_by_search()
    for index, (prefix, label) in enumerate(RUN_LABELS.items()):
        runs = [run for name, run in all_searched_runs.items() if name.startswith(f"{prefix}-")]
        draw_median_and_range(right, runs, "nash_conv", index, "-")
        draw_median_and_range(right, runs, "worst_case", index, ":")

        # The solid and the dotted curve share an entry in the legend, which belongs to an empty curve.
        legend_style = nth_look(index) | {"linestyle": "-", "markevery": 1}
        right.plot([], [], label=f"{label} ({len(runs)})", **legend_style)
    right.set(title="judged by search: median, range")

    for axes in (left, right):
        axes.axhline(ALWAYS_FOLD, **look("bound"))
        axes.plot(BUDGET, PRINTED_EXPLOITABILITY, **look("published"))
        axes.set_xlabel("evaluations")
        legend(axes)
    caption = (
        "Left: an exact judge, by how genes become non-negative. Right, solid: exact exploitability of the champion;"
        " dotted: what the search reports (number of seeds). Line: always folding. Open circle: the paper's 0.84."
    )
    return picture, caption


def draw_median_and_range(
    axes: Axes, runs: list[History], column: str, index: int, linestyle: str
) -> None:
    """Draw the median of a column over several runs as a curve, and its range as a shaded area.

    The horizontal axis has the number of agents that were evaluated, from the first one to the paper's budget.

    Parameters
    ----------
    axes : Axes
        Where to draw.
    runs : list of History
        The recorded evolutions. Between records their values are interpolated linearly.
    column : str
        The name of the column.
    index : int
        The index of the color and of the kind of marker in our series of looks.
    linestyle : str
        The style of the curve, such as '-'.
    """
    evaluations = np.linspace(1, BUDGET + 1, NUM_DRAWN_POINTS)
    curves = [np.interp(evaluations, run["evaluations"], run[column]) for run in runs]

    # The first marker of each curve is at another point, so that markers of several curves do not overlap.
    marked_points = (24 + 5 * index, 20)
    curve_style = nth_look(index) | {"linestyle": linestyle, "markevery": marked_points}
    axes.plot(evaluations, np.median(curves, axis=0), **curve_style)
    area_style = {"color": curve_style["color"], "alpha": 0.15, "linewidth": 0}
    axes.fill_between(evaluations, np.min(curves, axis=0), np.max(curves, axis=0), **area_style)


def draw_runs_over_figure_6() -> tuple[Figure, str]:
    """Draw recorded evolutions over the points that were read off Figure 6 of Samothrakis & Lucas (2011).

    The evolutions follow the procedure that the paper's figures show. The left panel has the best value of a generation
    over evaluations, the right one the smallest and the largest gene.

    Returns
    -------
    picture : Figure
        The figure.
    caption : str
        How to read it.
    """
    points = read_figure_points("samothrakis-2011-figure-6")
    printed = read_figure_6_best_values()
    picture, (left, right) = figure(7.6, 3.6, columns=2)

    # Figure 6 has no unit, so all curves of the left panel are multiples of the lowest value.
    left.plot(
        printed["evaluations"], printed["value"] / printed["value"].min(), **look("published")
    )
    for index, run in enumerate(read_runs_of_interpretation(AS_DRAWN)):
        curve_style = nth_look(index) | {"linestyle": "-", "markevery": (4 * index, 12)}

        is_drawn = run["evaluations"] > FIRST_DRAWN_EVALUATION
        evaluations = run["evaluations"][is_drawn]
        reported = run["generation_value"][is_drawn]
        exact = run["nash_conv"][is_drawn]
        lowest = reported.min()
        left.plot(evaluations, reported / lowest, label=f"seed {index + 1}", **curve_style)
        left.plot(evaluations, exact / lowest, **curve_style | {"linestyle": ":"})

        for column in ("least_gene", "largest_gene"):
            right.plot(run["evaluations"], run[column] * GENE_SCALE, **curve_style)
    for gene in ("least gene", "largest gene"):
        points_of_gene = points[points["what"] == gene]
        right.plot(points_of_gene["evaluations"], points_of_gene["value"], **look("published"))
    left.set(xlabel="evaluations", ylabel="times the lowest", title="best of a generation")
    right.set(xlabel="evaluations", title="least and largest gene")
    legend(left)
    caption = (
        "Circles: Figure 6. Solid: a generation's best as the search reports it; dotted: the exact exploitability of"
        " the champion, in that unit."
    )
    return picture, caption


def draw_strategy_of_figure_4() -> Figure:
    """Draw the strategy that was read off Figure 4 of Samothrakis & Lucas (2011) as an intensity plot in our colors.

    Figure 4 shows the probabilities of fold, call and raise of the button before it has raised. They depend on the
    street, the bucket (a set of hands of similar strength) and the number of the opponent's raises. Where the figure
    shows nothing, the strategy is uniform.
    """
    game = holdem.make_game(6, deals="sampled", betting="as drawn")
    points = read_figure_points("samothrakis-2011-figure-4")
    streets = list(dict.fromkeys(points["street"].tolist()))  # each once, in the order of play

    table = game.uniform().table.copy()
    for point in points:
        situation = Situation(
            street=streets.index(point["street"]),
            button=True,
            own_raises=0,
            other_raises=int(point["raises"]),
        )
        row = game.tree.situations.index(situation)

        # Probabilities were read with an error, so they are divided by their sum.
        probabilities = np.array([point["fold"], point["call"], point["raise"]])
        table[row, point["bucket"]] = probabilities / probabilities.sum()
    return plot_intensity(BucketedProfile(game, table), title="Figure 4 as read off the print")


def draw_search_winnings_by_exploration() -> tuple[Figure, str]:
    """Draw what tree searches win from an evolved agent, over the exploration constant C, with a curve for each depth.

    C weighs exploration in the rule by which a search selects actions (Samothrakis & Lucas 2011, equation 4).

    Returns
    -------
    picture : Figure
        The figure.
    caption : str
        How to read it, with the largest winnings by depth.
    """
    table = load_recorded_table("search")
    is_of_first_agent = table["agent"] == 0
    merges_states = table["merged"] == 1
    is_drawn = is_of_first_agent & merges_states & (table["playouts"] == DRAWN_PLAYOUTS)
    picture, axes = figure(7.2, 3.0)
    deepest_first = np.unique(table["depth"])[::-1]
    for index, depth in enumerate(deepest_first):
        is_on_curve = is_drawn & (table["depth"] == depth)
        curve_style = nth_look(index) | {"markevery": 1, "label": f"depth {depth:.0f}"}
        axes.plot(table["exploration"][is_on_curve], table["found"][is_on_curve], **curve_style)
    style.set_logarithmic(axes, "x")
    axes.axhline(table["exact"][0], **look("bound"))
    axes.set(xlabel="C of Eq. 4 (small bets, log)", ylabel="found (small bets)", ylim=(0.0, 0.85))
    axes.set_title(
        "All searches read low, and with a large C they miss a third or more", loc="left"
    )
    legend(axes, loc="lower left", ncols=2)

    largest_winnings = []
    for depth in SEARCH_DEPTHS:
        winnings = table["found"][is_drawn & (table["depth"] == depth)]
        largest_winnings.append(f"{winnings.max():.2f} at {depth}")
    caption = (
        "1,000 playouts against one evolved agent; dotted: what a best response wins. The usual C for results between"
        " 0 and 1 is √2. Times the range of a hand's results, 48 small bets, that is 68. By depth searches find at"
        f" most {', '.join(largest_winnings)}."
    )
    return picture, caption


def draw_final_exploitability(
    final_exploitability: Mapping[str, Floats], target: float, title: str
) -> Figure:
    """Draw the exploitability at which runs in rock-paper-scissors end, with a mark for each run.

    There is a row of marks for each evolution strategy. Its label has the number of runs that end within a target.

    Parameters
    ----------
    final_exploitability : mapping of str to ndarray, shape (runs,)
        The exploitability of each run at its end, in points, by evolution strategy.
    target : float
        The largest exploitability within the target; the area up to it is shaded.
    title : str
        The title of the figure.
    """
    picture, axes = figure(4.2, 3.5)
    axes.axvspan(LEAST_DRAWN, target, color="#eeeeee", linewidth=0)
    labels = []
    for index, (strategy, exploitability) in enumerate(final_exploitability.items()):
        num_runs = len(exploitability)
        heights = index + np.linspace(-0.2, 0.2, num_runs)  # so that marks do not overlap
        dots = nth_look(index) | {"linestyle": "none", "markevery": 1, "markersize": 4}
        axes.plot(exploitability, heights, **dots)

        name_in_lines = strategy.replace(", ", ",\n").replace(" CMA", "\nCMA")
        num_arrived = (exploitability <= target).sum()
        labels.append(f"{name_in_lines}:\n{num_arrived} of {num_runs}")
    style.set_logarithmic(axes, "x")
    axes.set(xlim=(LEAST_DRAWN, 30), xlabel="exploitability at the end (points, log)")
    axes.set_yticks(range(len(final_exploitability)), labels)
    axes.invert_yaxis()
    axes.set_title(title, loc="left")
    return picture
