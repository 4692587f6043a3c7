"""Security sets as a table: rounds down, strategies across; filled is secure, framed is met."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle

from pokerlab.workbench.memory.security import Security, security_of
from pokerlab.workbench.plots import legend
from pokerlab.workbench.style import INK, PAPER, RED, SMALL_SIZE

SECURE, OPEN = "#9cc8e6", "#f3f1ec"
MOST_NUMBERS = 12
"""Strategies up to which probabilities are written into the cells."""


def plot_security(axes: Axes, states: Sequence[Any], player: int = 0) -> Security:
    """Draw which pure strategies each mix is secure against, round after round.

    Filled cells are secure: the mix leaves its player at least the subgame's value. Framed cells are
    strategies met, which always are. A cross is a strategy that the mix before was secure against.

    Parameters
    ----------
    axes : Axes
        Where.
    states : sequence
        States of one memory for two players, or of a symmetric one, one a round; in a game with up to
        64 pure strategies.
    player : int
        Whose mix, 0-based; the strategies across are the opponent's.

    Returns
    -------
    Security
        The numbers drawn.
    """
    shown = security_of(states, player)
    rows, columns = shown.secure.shape
    for row, column in np.ndindex(rows, columns):
        face = SECURE if shown.secure[row, column] else OPEN
        axes.add_patch(Rectangle((column - 0.5, row - 0.5), 1, 1, facecolor=face, edgecolor=PAPER))
    for row, column in np.argwhere(shown.met):
        axes.add_patch(
            Rectangle((column - 0.42, row - 0.42), 0.84, 0.84, fill=False, edgecolor=INK, lw=1.4)
        )
    lost = np.argwhere(shown.lost)
    if len(lost):
        axes.plot(lost[:, 1], lost[:, 0], "x", color=RED, markersize=8, markeredgewidth=2.0)
    if columns <= MOST_NUMBERS:
        for row, column in np.argwhere(shown.weights > 0.0):
            said = f"{shown.weights[row, column]:.2f}".removeprefix("0")
            axes.text(column, row, said, ha="center", va="center", fontsize=SMALL_SIZE, color=INK)
    axes.set(xlim=(-0.5, columns - 0.5), ylim=(rows - 0.5, -0.5))
    axes.grid(False)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    upright = sum(map(len, shown.names)) > 60
    labels = [name.removeprefix("no. ") for name in shown.names]
    axes.set_xticks(range(columns), labels, rotation=90 if upright else 0)
    axes.set_yticks(range(rows), list(map(str, shown.rounds)))
    axes.set_xlabel("pure strategy of the opponent")
    axes.set_ylabel("round")
    axes.set_title(finding(shown), loc="left")
    add_key(axes, with_numbers=columns <= MOST_NUMBERS)
    return shown


def finding(shown: Security) -> str:
    """Return the title: whether all that was met is secure, and how often security was lost."""
    if not (shown.secure | ~shown.met).all():
        return "Not secure against all that was met"
    lost = int(shown.lost.sum())
    others = f"; {lost} other{'s' * (lost > 1)} lost again" if lost else ""
    return f"Secure against all met{others}"


def add_key(axes: Axes, *, with_numbers: bool) -> None:
    """Add what cells mean, below the table."""
    marks: list[Any] = [
        Patch(facecolor=SECURE, label="secure"),
        Patch(facecolor=OPEN, label="not secure"),
        Patch(facecolor=PAPER, edgecolor=INK, label="met" + ", its probability" * with_numbers),
        Line2D([], [], color=RED, marker="x", linestyle="none", label="secure before"),
    ]
    legend(axes, handles=marks, loc="upper left", bbox_to_anchor=(1.01, 1.0), handlelength=1.4)
