"""Samothrakis & Lucas (2011): the figures of the audit, each with its caption."""

from collections.abc import Mapping

import numpy as np
from matplotlib.figure import Figure

from pokerlab.core.arrays import Floats
from pokerlab.holdem import BucketedProfile
from pokerlab.papers import samothrakis2011_holdem as holdem
from pokerlab.papers.samothrakis2011_holdem import STEP_SIZES, read_evolution
from pokerlab.workbench import figure, legend, look, nth_look, plot_intensity, style
from studies.audit import read_curves
from studies.samothrakis2011.holdem_runs import (
    BUDGET,
    DRAWN,
    read_best_of_figure_6,
    read_group,
    read_searched_runs,
)
from studies.samothrakis2011.tables import load_table

KINDS = {
    "playouts-100": "100 playouts",
    "playouts-1000": "1,000 playouts",
    "sampled-1000": "sampled deals",
    "csa-1000": "CSA-ES",
    "unmerged-1000": "states apart",
}
"""Labels of searched runs, by the beginning of their names."""
LEAST_DRAWN = 1e-11
"""The smallest exploitability on the axis of `draw_ends`, in points."""


def draw_judged_runs() -> tuple[Figure, str]:
    """Draw what champions lose while evolution is judged exactly, and by search."""
    picture, (left, right) = figure(7.6, 3.6, columns=2, sharey=True)
    for index, kind in enumerate(STEP_SIZES):
        run = read_evolution(f"exact-{kind}")
        left.plot(run["evaluations"], run["nash_conv"], label=kind, **nth_look(index))
    left.set(ylabel="exploitability (small bets)", ylim=(0, 6), title="judged exactly")
    grid = np.linspace(1, BUDGET + 1, 81)
    for n, (kind, label) in enumerate(KINDS.items()):
        alike = [r for name, r in read_searched_runs().items() if name.startswith(f"{kind}-")]
        for column, line in (("nash_conv", "-"), ("worst_case", ":")):
            curves = [np.interp(grid, run["evaluations"], run[column]) for run in alike]
            drawn = nth_look(n) | {"linestyle": line, "markevery": (24 + 5 * n, 20)}
            right.plot(grid, np.median(curves, axis=0), **drawn)
            area = {"color": drawn["color"], "alpha": 0.15, "linewidth": 0}
            right.fill_between(grid, np.min(curves, axis=0), np.max(curves, axis=0), **area)
        marked = nth_look(n) | {"linestyle": "-", "markevery": 1}
        right.plot([], [], label=f"{label} ({len(alike)})", **marked)
    right.set(title="judged by search: median, range")
    for axes in (left, right):
        axes.axhline(1.5, **look("bound"))
        axes.plot(BUDGET, 0.84, **look("published"))
        axes.set_xlabel("evaluations")
        legend(axes)
    return picture, (
        "Left: an exact judge, by how genes become non-negative. Right, solid: exact exploitability of the champion;"
        " dotted: what the search reports (number of seeds). Line: always folding. Open circle: the paper's 0.84."
    )


def draw_figure_6() -> tuple[Figure, str]:
    """Draw runs as the figures show the procedure, over what was read from Figure 6."""
    printed, best = read_curves("samothrakis-2011-figure-6"), read_best_of_figure_6()
    picture, (left, right) = figure(7.6, 3.6, columns=2)
    left.plot(best["evaluations"], best["value"] / best["value"].min(), **look("published"))
    for index, run in enumerate(read_group(DRAWN)):
        at, drawn = run["evaluations"] > 700, nth_look(index) | {"linestyle": "-"}
        drawn["markevery"] = (4 * index, 12)
        reported, there = run["generation_value"][at], run["evaluations"][at]
        left.plot(there, reported / reported.min(), label=f"seed {index + 1}", **drawn)
        lost = run["nash_conv"][at] / reported.min()
        left.plot(there, lost, **drawn | {"linestyle": ":"})
        for end in ("least_gene", "largest_gene"):
            right.plot(run["evaluations"], run[end] / 2, **drawn)
    for end in ("least gene", "largest gene"):
        points = printed[printed["what"] == end]
        right.plot(points["evaluations"], points["value"], **look("published"))
    left.set(xlabel="evaluations", ylabel="times the lowest", title="best of a generation")
    right.set(xlabel="evaluations", title="least and largest gene")
    legend(left)
    return picture, (
        "Circles: Figure 6. Solid: a generation's best as the search reports it; dotted: the exact exploitability of"
        " the champion, in that unit."
    )


def draw_figure_4() -> Figure:
    """Draw the intensities that were read from Figure 4, in the colors of ours."""
    game, read = (
        holdem.make_game(6, deals="sampled", betting="as drawn"),
        read_curves("samothrakis-2011-figure-4"),
    )
    table, streets = game.uniform().table.copy(), list(dict.fromkeys(read["street"].tolist()))
    for raises, street, bucket, *chances, _ in read.tolist():
        where = game.tree.situations.index((streets.index(street), True, 0, raises))
        table[where, bucket] = np.array(chances) / sum(chances)
    return plot_intensity(BucketedProfile(game, table), title="Figure 4 as read off the print")


def draw_searches() -> tuple[Figure, str]:
    """Draw what searches of several depths and constants find against one agent."""
    table = load_table("search")
    picture, axes = figure(7.2, 3.0)
    seen = (table["agent"] == 0) & (table["merged"] == 1) & (table["playouts"] == 1000)
    for index, depth in enumerate(np.unique(table["depth"])[::-1]):
        at = seen & (table["depth"] == depth)
        drawn = nth_look(index) | {"markevery": 1, "label": f"depth {depth:.0f}"}
        axes.plot(table["exploration"][at], table["found"][at], **drawn)
    style.set_logarithmic(axes, "x")
    axes.axhline(table["exact"][0], **look("bound"))
    axes.set(xlabel="C of Eq. 4 (small bets, log)", ylabel="found (small bets)", ylim=(0.0, 0.85))
    axes.set_title(
        "All searches read low, and with a large C they miss a third or more", loc="left"
    )
    legend(axes, loc="lower left", ncols=2)
    most = [f"{table['found'][seen & (table['depth'] == d)].max():.2f} at {d}" for d in (8, 9, 10)]
    return picture, (
        "1,000 playouts against one evolved agent; dotted: what a best response wins. The usual C for results between"
        " 0 and 1 is √2. Times the range of a hand's results, 48 small bets, that is 68. By depth searches find at"
        f" most {', '.join(most)}."
    )


def draw_ends(ends: Mapping[str, Floats], target: float, title: str) -> Figure:
    """Draw at which exploitability runs in rock-paper-scissors end, by strategy, and count those in the target."""
    picture, axes = figure(4.2, 3.5)
    axes.axvspan(LEAST_DRAWN, target, color="#eeeeee", linewidth=0)
    names = []
    for index, (name, left) in enumerate(ends.items()):
        spread = index + np.linspace(-0.2, 0.2, len(left))
        dots = nth_look(index) | {"linestyle": "none", "markevery": 1, "markersize": 4}
        axes.plot(left, spread, **dots)
        words = name.replace(", ", ",\n").replace(" CMA", "\nCMA")
        names.append(f"{words}:\n{(left <= target).sum()} of {len(left)}")
    style.set_logarithmic(axes, "x")
    axes.set(xlim=(LEAST_DRAWN, 30), xlabel="exploitability at the end (points, log)")
    axes.set_yticks(range(len(ends)), names)
    axes.invert_yaxis()
    axes.set_title(title, loc="left")
    return picture
