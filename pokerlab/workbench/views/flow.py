"""How a population's shares flow, and where they rest: on a line for two strategies, in a triangle for three."""

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
ALL_ALONG: Any = {"color": INK, "linewidth": 3.0, "alpha": 0.5}
ARROWS = 12  # along each side of the triangle
ARROW_LENGTH = 0.05
AXIS_ARROWS = np.linspace(0.05, 0.95, 10)
STILL = 1e-12  # a speed that is rounding
ROOM = 0.05  # above and below the curve, as a share of its height


def plot_flow(
    axes: Axes,
    payoff: ArrayLike,
    names: Sequence[str] = (),
    paths: Iterable[ArrayLike] = (),
    *,
    mark_stable: bool = True,
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
    mark_stable : bool
        Whether evolutionarily stable points get a ring.
    """
    check_axes(axes)
    found = find_rest_points(payoff)
    matrix = np.asarray(payoff, dtype=np.float64)
    check_kind("names", names, Sequence, "a list with a name for each strategy")
    words = tuple(names) or tuple(f"strategy {k + 1}" for k in range(len(matrix)))
    if len(words) != len(matrix):
        raise ShapeError(f"{len(words)} names are given for {len(matrix)} strategies.")
    if len(matrix) == 2:
        paint_panel(axes, draw_growth(matrix, words[0], found, mark_stable))
    else:
        shown = [np.asarray(path, dtype=np.float64) for path in paths]
        paint_panel(axes, draw_flow(matrix, words, found, shown, mark_stable))
    return found


def draw_growth(matrix: Floats, name: str, found: RestPoints, mark_stable: bool = True) -> Curves:
    """Return how fast the share of the first of two strategies grows, with arrows on the axis."""
    x = np.linspace(0, 1, 201)
    growth = compute_replicator_flow(matrix, np.stack([x, 1 - x], axis=1))[:, 0]
    marks = [
        Curve(shares[:, 0], 0.0 * shares[:, 0], label=label, look=look)
        for label, shares, look in list_rest_points(found, mark_stable)
    ]
    rest = [float(point.shares[0]) for point in found.points]
    at = AXIS_ARROWS[np.abs(AXIS_ARROWS[:, None] - rest).min(axis=1) > ARROW_LENGTH / 2]
    here = compute_replicator_flow(matrix, np.stack([at, 1 - at], axis=1))[:, 0]
    at = at[np.abs(here) > STILL]
    ways = ARROW_LENGTH * np.sign(here[np.abs(here) > STILL])
    places, ways = (np.stack([across, 0.0 * across], axis=1) for across in (at, ways))
    room = ROOM * float(np.ptp(growth)) or ROOM
    return Curves(
        Axis(f"share of {name}", (0.0, 1.0)),
        Axis(f"growth of {name}", (float(growth.min()) - room, float(growth.max()) + room)),
        (Curve(x, growth, look={"color": BLUE, "linewidth": 1.8}), *marks),
        levels=(Level(0.0, look={"color": GRAY, "linewidth": 1.0, "zorder": 1.5}),),
        arrows=Arrows(places, ways, np.ones(len(at)), width=1.8),
    )


def draw_flow(
    matrix: Floats,
    names: Sequence[str],
    found: RestPoints,
    paths: Sequence[Floats] = (),
    mark_stable: bool = True,
) -> Triangle:
    """Return how the shares of three strategies flow: arrows of equal length, the faster the darker."""
    counts = [(i, j) for i in range(ARROWS + 1) for j in range(ARROWS + 1 - i)]
    shares = np.array([[i, j, ARROWS - i - j] for i, j in counts]) + 1 / 3
    shares /= shares.sum(axis=1, keepdims=True)
    growth = compute_replicator_flow(matrix, shares)
    speed = np.linalg.norm(growth @ CORNERS, axis=1)
    moving = speed > STILL
    shares, growth, speed = shares[moving], growth[moving], speed[moving]
    steps = ARROW_LENGTH * growth / speed[:, None]
    first, second, third = names
    return Triangle(
        (first, second, third),
        (
            *(Path(path, {"color": BLUE, "linewidth": 1.3}) for path in paths),
            *(
                Path(shares, look, label=label)
                for label, shares, look in list_rest_points(found, mark_stable)
            ),
        ),
        arrows=Arrows(shares, steps, speed / speed.max(initial=STILL)),
    )


def compute_replicator_flow(matrix: Floats, shares: Floats) -> Floats:
    """Return how fast shares, (n, K), change."""
    fitness = shares @ matrix.T
    return np.asarray(shares * (fitness - (shares * fitness).sum(axis=1, keepdims=True)))


def list_rest_points(
    found: RestPoints, mark_stable: bool = True
) -> list[tuple[str, Floats, dict[str, Any]]]:
    """Return what rests: for each kind its name, the shares, (n, K), and how they look."""
    rests = [("rests all along", close_polygon(ends), ALL_ALONG) for ends in found.continua]
    for kind, look in MARKS.items():
        stable = kind == "evolutionarily stable"
        if stable and not mark_stable:
            continue
        points = [p.shares for p in found.points if (p.is_stable if stable else p.kind == kind)]
        if points:
            rests.append((kind, np.array(points, dtype=np.float64), {**MARK, **look}))
    return rests


def close_polygon(ends: Sequence[Sequence[Fraction]]) -> Floats:
    """Return the corners of a set at which the flow rests, (n, K), the first of a triangle once more."""
    corners = np.array(ends, dtype=np.float64)
    return corners if len(corners) == 2 else np.vstack([corners, corners[:1]])


def add_flow_legend(axes: Axes, **place: Any) -> None:
    """Say what the marks of `plot_flow` mean."""
    handles, labels = axes.get_legend_handles_labels()
    one_each = dict(zip(labels, handles, strict=True))
    legend(axes, handles=one_each.values(), labels=one_each, handlelength=1.2, **place)
