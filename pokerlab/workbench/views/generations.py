"""A generation table: what each generation of a population wins from each generation of its opponents.

It holds the plots of current individuals against ancestral opponents of Cliff & Miller (1995). With whole generations
in place of champions it is the plot of Bader-Natal & Pollack (2004).
"""

from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from pokerlab.core import Floats, SettingError, ShapeError
from pokerlab.core.arrays import validate_numbers
from pokerlab.core.settings import LARGEST_COUNT, check_kind, validate_bool, validate_integer
from pokerlab.workbench.matplotlib_painter import paint_panel
from pokerlab.workbench.picture import Axis, ColorScale, Curve, HeatMap
from pokerlab.workbench.style import BLUE, WINNING_COLORS, check_axes

ALL_LOST, ALL_WON = 0.0, 1.0
BEHIND_DIAGONAL: Any = {"color": "white", "linewidth": 3.0}
"""The look of the line below the diagonal, which sets it off from dark and from light entries."""
SAME_TIME: Any = {"color": BLUE, "linewidth": 1.8, "linestyle": "--"}
"""The look of the diagonal, where both generations are of the same time."""
SCALE_TICKS = (
    (ALL_LOST, "0 (all lost)"),
    (0.25, "1/4"),
    (0.5, "1/2"),
    (0.75, "3/4"),
    (ALL_WON, "1 (all won)"),
)


def plot_generations(
    axes: Axes, shares: ArrayLike, every: int = 1, *, title: str = "", with_scale: bool = True
) -> None:
    """Draw what each generation of one population wins from each generation of the other, the lighter the more.

    Below the dashed diagonal the opponents are ancestors of those that the generation really played. On the diagonal
    they are of the same time.

    Parameters
    ----------
    axes : Axes
        Where to draw.
    shares : array_like of shape (G, G)
        The share of its contests that a generation of the first population (row) wins against one of the second
        (column), from 0 to 1. A draw counts one half. The generations are 0, `every`, 2 `every` and so on.
    every : int
        The number of generations from one row to the next.
    title : str, optional
        What the table shows.
    with_scale : bool
        Whether the colors are explained beside the table.
    """
    check_axes(axes)
    table = validate_numbers(shares, "shares")
    if table.ndim != 2 or table.shape[0] != table.shape[1] or not table.size:
        raise ShapeError(
            f"shares have shape {table.shape}; a generation table has a row and a column for each generation, (G, G)."
        )
    is_share = (table >= ALL_LOST) & (table <= ALL_WON)
    if not is_share.all():
        raise SettingError(
            f"shares are {table.min():g} to {table.max():g}; give shares of contests won, from 0 to 1."
        )
    step = validate_integer("every", every, 1, LARGEST_COUNT)
    check_kind("title", title, str, "a text")
    validate_bool("with_scale", with_scale)
    paint_panel(axes, draw_generations(table, step, title, with_scale=with_scale))
    axes.set_aspect("equal")


def draw_generations(shares: Floats, every: int, title: str, *, with_scale: bool) -> HeatMap:
    """Return a generation table as a heat map with its diagonal; `plot_generations` describes the parameters."""
    first = -0.5 * every
    end = (len(shares) - 0.5) * every
    along = np.array([first, end])
    return HeatMap(
        shares,
        Axis("opponents: generation of population 2", (first, end)),
        Axis("generation of population 1", (end, first)),
        ColorScale(WINNING_COLORS, ALL_LOST, ALL_WON),
        title=title,
        curves=(Curve(along, along, look=BEHIND_DIAGONAL), Curve(along, along, look=SAME_TIME)),
        scale_label="share of points that population 1 gets" if with_scale else "",
        scale_ticks=SCALE_TICKS if with_scale else (),
    )
