"""How a population's shares flow, and where they rest: on a line for two strategies, in a triangle for three."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.patches import Polygon
from numpy.typing import ArrayLike

from pokerlab.core import Floats, ShapeError
from pokerlab.solvers import find_rest_points
from pokerlab.solvers.stability import RestPoints
from pokerlab.workbench.pictures.plots import legend
from pokerlab.workbench.style import BLUE, GRAY, INK, PAPER, SKY, SMALL_SIZE, wrapped

CORNERS = np.array([[0.0, 0.0], [1.0, 0.0], [0.5, np.sqrt(3) / 2]])
NAMES_AT = np.array([[-0.03, -0.02], [1.03, -0.02], [0.5, np.sqrt(3) / 2 + 0.05]])
SIDES = (("right", "top"), ("left", "top"), ("center", "bottom"))
CORNER_LETTERS = 14  # of a line of a corner's name
MARK: Any = {"color": INK, "markersize": 7.0, "linestyle": "none", "zorder": 5, "clip_on": False}
MARKS: dict[str, dict[str, Any]] = {
    "attracting": {"marker": "o"},
    "center": {"marker": "P", "markerfacecolor": SKY},
    "saddle": {"marker": "D", "markerfacecolor": SKY, "markersize": 5.5},
    "repelling": {"marker": "o", "markerfacecolor": PAPER},
    "undecided": {"marker": "X", "markerfacecolor": PAPER},
    "evolutionarily stable": {"marker": "o", "markerfacecolor": "none", "markersize": 12.0},
}
"""How rest points look, by kind: filled where everything near by comes to them, white where nothing does."""
ALL_ALONG: Any = {"facecolor": "none", "edgecolor": INK, "linewidth": 3.0, "alpha": 0.5}
ARROWS = 12  # along each side of the triangle
ARROW_LENGTH = 0.05
AXIS_ARROWS = np.linspace(0.05, 0.95, 10)
STILL = 1e-12  # a speed that is rounding


def draw_triangle(axes: Axes, names: Sequence[str]) -> None:
    """Draw the triangle whose points are mixes of three, with a name at each corner."""
    axes.set(xlim=(-0.2, 1.2), ylim=(-0.12, 1.0), aspect="equal")
    axes.axis("off")
    axes.add_patch(Polygon(CORNERS, closed=True, facecolor="none", edgecolor=GRAY))
    for name, (x, y), (ha, va) in zip(names, NAMES_AT, SIDES, strict=True):
        axes.text(x, y, wrapped(name, CORNER_LETTERS), ha=ha, va=va, fontsize=SMALL_SIZE)


def plot_flow(
    axes: Axes, payoff: ArrayLike, names: Sequence[str] = (), paths: Iterable[ArrayLike] = ()
) -> RestPoints:
    """Draw where the replicator flow of a symmetric game leads, and where it rests.

    Parameters
    ----------
    axes : Axes
        Where to draw.
    payoff : array_like, shape (K, K)
        What the row's strategy earns from the column's, of two or three strategies. Two give a curve, how
        fast the first one's share grows, with the flow as arrows below; three a triangle of arrows.
    names : sequence of str
        Of the strategies; numbers, if left out.
    paths : iterable of array_like, shape (T, K)
        Shares over time, drawn into a triangle.
    """
    found, matrix = find_rest_points(payoff), np.asarray(payoff, dtype=np.float64)
    words = tuple(names) or tuple(f"strategy {k + 1}" for k in range(len(matrix)))
    if len(words) != len(matrix):
        raise ShapeError(f"{len(words)} names are given for {len(matrix)} strategies.")
    if len(matrix) == 2:
        lay_line(axes, matrix, words[0], [float(point.shares[0]) for point in found.points])
    else:
        lay_arrows(axes, matrix, words)
        for path in paths:
            axes.plot(*(np.asarray(path) @ CORNERS).T, color=BLUE, linewidth=1.3)
    for ends in found.continua:
        axes.fill(*placed(ends).T, label="rests all along", **ALL_ALONG)
    for kind, look in MARKS.items():
        stable = kind == "evolutionarily stable"
        points = [p.shares for p in found.points if (p.is_stable if stable else p.kind == kind)]
        if points:
            axes.plot(*placed(points).T, label=kind, **{**MARK, **look})
    return found


def placed(shares: Sequence[Sequence[Fraction]]) -> Floats:
    """Return where shares, (n, K), stand on the axes, (n, 2)."""
    given = np.array(shares, dtype=np.float64)
    return np.asarray(given @ CORNERS if given.shape[1] == 3 else given * [1.0, 0.0])


def flow(matrix: Floats, shares: Floats) -> Floats:
    """Return how fast shares, (n, K), change."""
    fitness = shares @ matrix.T
    return np.asarray(shares * (fitness - (shares * fitness).sum(axis=1, keepdims=True)))


def lay_line(axes: Axes, matrix: Floats, name: str, rest: Sequence[float]) -> None:
    """Draw how fast the share of the first of two strategies grows, and arrows on the axis."""
    x = np.linspace(0, 1, 201)
    growth = flow(matrix, np.stack([x, 1 - x], axis=1))[:, 0]
    axes.axhline(0.0, color=GRAY, linewidth=1.0)
    axes.plot(x, growth, color=BLUE, linewidth=1.8)
    at = AXIS_ARROWS[np.abs(AXIS_ARROWS[:, None] - rest).min(axis=1) > ARROW_LENGTH / 2]
    here = flow(matrix, np.stack([at, 1 - at], axis=1))[:, 0]
    at, ways = at[np.abs(here) > STILL], ARROW_LENGTH * np.sign(here[np.abs(here) > STILL])
    axes.quiver(
        at - ways / 2, 0 * ways, ways, 0 * ways, angles="xy", scale_units="xy",
        scale=1, units="inches", width=0.025, headwidth=4.5, color=INK, zorder=3,
    )  # fmt: skip
    axes.set(xlabel=f"share of {name}", ylabel=f"growth of {name}", xlim=(0, 1))


def lay_arrows(axes: Axes, matrix: Floats, names: Sequence[str]) -> None:
    """Draw the triangle with arrows of equal length, darker where the flow is faster."""
    draw_triangle(axes, names)
    counts = [(i, j) for i in range(ARROWS + 1) for j in range(ARROWS + 1 - i)]
    shares = np.array([[i, j, ARROWS - i - j] for i, j in counts]) + 1 / 3
    shares /= shares.sum(axis=1, keepdims=True)
    ways = flow(matrix, shares) @ CORNERS
    speed = np.linalg.norm(ways, axis=1)
    moving = speed > STILL
    if not moving.any():
        return
    shares, ways, speed = shares[moving], ways[moving], speed[moving]
    steps = ARROW_LENGTH * ways / speed[:, None]
    axes.quiver(
        *(shares @ CORNERS - steps / 2).T, *steps.T, speed, angles="xy", scale_units="xy", scale=1,
        units="inches", width=0.018, headwidth=4.0, headlength=4.5, cmap="binary",
        clim=(-0.6 * speed.max(), speed.max()), zorder=1.5,
    )  # fmt: skip


def flow_legend(axes: Axes, **place: Any) -> None:
    """Say what the marks of `plot_flow` mean."""
    handles, labels = axes.get_legend_handles_labels()
    one_each = dict(zip(labels, handles, strict=True))
    legend(axes, handles=one_each.values(), labels=one_each, handlelength=1.2, **place)
