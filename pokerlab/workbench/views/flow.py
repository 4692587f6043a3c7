"""The flow of a population's shares and its rest points: on a line for two strategies, in a triangle for three."""

from collections.abc import Iterable, Sequence
from fractions import Fraction
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from numpy.typing import ArrayLike

from pokerlab.core import Floats, ShapeError
from pokerlab.core.settings import check_kind
from pokerlab.solvers import find_rest_points
from pokerlab.solvers.stability import RestPoints
from pokerlab.workbench.matplotlib_painter import paint_panel
from pokerlab.workbench.picture import CORNERS, Arrows, Axis, Curve, Curves, Level, Path, Triangle
from pokerlab.workbench.plots import legend
from pokerlab.workbench.style import BLUE, GRAY, INK, PAPER, SKY, check_axes

MARK_LOOK: Any = {
    "color": INK,
    "markersize": 7.0,
    "linestyle": "none",
    "zorder": 5,
    "clip_on": False,
}
MARKS: dict[str, dict[str, Any]] = {
    "attracting": {"marker": "o"},
    "center": {"marker": "P", "markerfacecolor": SKY},
    "saddle": {"marker": "D", "markerfacecolor": SKY, "markersize": 5.5},
    "repelling": {"marker": "o", "markerfacecolor": PAPER},
    "undecided": {"marker": "X", "markerfacecolor": PAPER},
    "evolutionarily stable": {"marker": "o", "markerfacecolor": "none", "markersize": 12.0},
}
"""The looks of rest points by kind: filled if all shares near by come to the point, white if none do."""
CONTINUUM_LOOK: Any = {"color": INK, "linewidth": 3.0, "alpha": 0.5}
ARROWS = 12  # along each side of the triangle
ARROW_LENGTH = 0.05
AXIS_ARROWS = np.linspace(0.05, 0.95, 10)
ROUNDED_SPEED = 1e-12  # a smaller speed is a rounding error
ROOM = 0.05  # above and below the curve, as a share of its height


def plot_flow(
    axes: Axes,
    payoff: ArrayLike,
    names: Sequence[str] = (),
    paths: Iterable[ArrayLike] = (),
    *,
    mark_stable: bool = True,
) -> RestPoints:
    """Draw the replicator flow of a symmetric game, and return its rest points.

    Parameters
    ----------
    axes : Axes
        Where to draw.
    payoff : array_like, shape (K, K)
        The payoff of the row's strategy against the column's, for two or three strategies. Two give a curve of the
        growth of the first one's share, with the flow as arrows below. Three give a triangle of arrows.
    names : sequence of str
        The names of the strategies, which are numbered by default.
    paths : iterable of array_like, shape (T, K)
        Shares over time, which are drawn into the triangle.
    mark_stable : bool
        Whether evolutionarily stable points get a ring.
    """
    check_axes(axes)
    rest_points = find_rest_points(payoff)
    matrix = np.asarray(payoff, dtype=np.float64)
    check_kind("names", names, Sequence, "a list with a name for each strategy")
    words = tuple(names) or tuple(f"strategy {k + 1}" for k in range(len(matrix)))
    if len(words) != len(matrix):
        raise ShapeError(f"{len(words)} names are given for {len(matrix)} strategies.")
    if len(matrix) == 2:
        paint_panel(axes, draw_growth(matrix, words[0], rest_points, mark_stable))
    else:
        shown = [np.asarray(path, dtype=np.float64) for path in paths]
        paint_panel(axes, draw_flow(matrix, words, rest_points, shown, mark_stable))
    return rest_points


def draw_growth(
    matrix: Floats, name: str, rest_points: RestPoints, mark_stable: bool = True
) -> Curves:
    """Return a curve of the growth of the first of two strategies' share, with the flow as arrows on the axis."""
    x = np.linspace(0, 1, 201)
    growth = compute_replicator_flow(matrix, np.stack([x, 1 - x], axis=1))[:, 0]
    marks = [
        Curve(shares[:, 0], 0.0 * shares[:, 0], label=label, look=look)
        for label, shares, look in list_rest_points(rest_points, mark_stable)
    ]
    rest_shares = [float(point.shares[0]) for point in rest_points.points]
    distances = np.abs(AXIS_ARROWS[:, None] - rest_shares).min(axis=1)
    arrow_shares = AXIS_ARROWS[distances > ARROW_LENGTH / 2]
    both_shares = np.stack([arrow_shares, 1 - arrow_shares], axis=1)
    arrow_growth = compute_replicator_flow(matrix, both_shares)[:, 0]
    is_moving = np.abs(arrow_growth) > ROUNDED_SPEED
    arrow_shares = arrow_shares[is_moving]
    arrow_steps = ARROW_LENGTH * np.sign(arrow_growth[is_moving])
    places, steps = (np.stack([x, 0.0 * x], axis=1) for x in (arrow_shares, arrow_steps))
    room = ROOM * float(np.ptp(growth)) or ROOM
    return Curves(
        Axis(f"share of {name}", (0.0, 1.0)),
        Axis(f"growth of {name}", (float(growth.min()) - room, float(growth.max()) + room)),
        (Curve(x, growth, look={"color": BLUE, "linewidth": 1.8}), *marks),
        levels=(Level(0.0, look={"color": GRAY, "linewidth": 1.0, "zorder": 1.5}),),
        arrows=Arrows(places, steps, np.ones(len(arrow_shares)), width=1.8),
    )


def draw_flow(
    matrix: Floats,
    names: Sequence[str],
    rest_points: RestPoints,
    paths: Sequence[Floats] = (),
    mark_stable: bool = True,
) -> Triangle:
    """Return a triangle with the flow of three strategies' shares as arrows, which are darker where it is faster."""
    counts = [(i, j) for i in range(ARROWS + 1) for j in range(ARROWS + 1 - i)]
    shares = np.array([[i, j, ARROWS - i - j] for i, j in counts]) + 1 / 3
    shares /= shares.sum(axis=1, keepdims=True)
    growth = compute_replicator_flow(matrix, shares)
    speed = np.linalg.norm(growth @ CORNERS, axis=1)
    is_moving = speed > ROUNDED_SPEED
    shares, growth, speed = shares[is_moving], growth[is_moving], speed[is_moving]
    steps = ARROW_LENGTH * growth / speed[:, None]
    first, second, third = names
    return Triangle(
        (first, second, third),
        (
            *(Path(path, {"color": BLUE, "linewidth": 1.3}) for path in paths),
            *(
                Path(shares, look, label=label)
                for label, shares, look in list_rest_points(rest_points, mark_stable)
            ),
        ),
        arrows=Arrows(shares, steps, speed / speed.max(initial=ROUNDED_SPEED)),
    )


def compute_replicator_flow(matrix: Floats, shares: Floats) -> Floats:
    """Return the growth rates of shares, both arrays of shape (n, K)."""
    fitness = shares @ matrix.T
    return np.asarray(shares * (fitness - (shares * fitness).sum(axis=1, keepdims=True)))


def list_rest_points(
    rest_points: RestPoints, mark_stable: bool = True
) -> list[tuple[str, Floats, dict[str, Any]]]:
    """Return the rest points: for each kind its name, an array of shares of shape (n, K), and their look."""
    rests = [
        ("rests all along", close_polygon(ends), CONTINUUM_LOOK) for ends in rest_points.continua
    ]
    for kind, look in MARKS.items():
        is_stability = kind == "evolutionarily stable"
        if is_stability and not mark_stable:
            continue
        points = [
            p.shares
            for p in rest_points.points
            if (p.is_stable if is_stability else p.kind == kind)
        ]
        if points:
            rests.append((kind, np.array(points, dtype=np.float64), {**MARK_LOOK, **look}))
    return rests


def close_polygon(ends: Sequence[Sequence[Fraction]]) -> Floats:
    """Return the corners of a set of rest points, of shape (n, K). A triangle is closed by its first corner."""
    corners = np.array(ends, dtype=np.float64)
    return corners if len(corners) == 2 else np.vstack([corners, corners[:1]])


def add_flow_legend(axes: Axes, **place: Any) -> None:
    """Add a legend of the marks of `plot_flow`."""
    handles, labels = axes.get_legend_handles_labels()
    one_each = dict(zip(labels, handles, strict=True))
    legend(axes, handles=one_each.values(), labels=one_each, handlelength=1.2, **place)
