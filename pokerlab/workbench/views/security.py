"""Security sets: against which pure strategies of the whole game each mixture of a memory is secure, round by round.

In a symmetric game S(mix) = {s : E(mix, s) >= 0} (Oliehoek et al. 2006, section 3).
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle

from pokerlab.core import Bools, Floats, SettingError
from pokerlab.games.symmetric import CompiledSymmetric
from pokerlab.strategies.pure_strategies import list_pure_plans
from pokerlab.workbench.matplotlib_painter import paint_panel
from pokerlab.workbench.picture import Axis, ColorScale, Curve, HeatMap, name_places
from pokerlab.workbench.plots import legend
from pokerlab.workbench.style import INK, PAPER, RED
from pokerlab.workbench.views.memory_round import name_strategies

ROUNDING = 1e-9  # what a mix may fall short by, in the game's unit: the linear program's rounding
MOST_NUMBERS = 12  # strategies up to which probabilities are written into the cells
MOST_PURE_STRATEGIES = 64  # pure strategies that fit side by side


class Security(NamedTuple):
    """What is secure against what; R rounds, K pure strategies."""

    rounds: tuple[int, ...]  # after which the mixes were found
    names: tuple[str, ...]  # of the strategies
    secure: Bools  # (R, K), whether the mix is secure against the strategy
    met: Bools  # (R, K), whether the strategy is in memory
    weights: Floats  # (R, K), their probabilities

    @property
    def lost(self) -> Bools:
        """Where a mix is not secure although the one before was, (R, K)."""
        before = np.vstack([np.zeros((1, self.secure.shape[1]), dtype=bool), self.secure[:-1]])
        return np.asarray(before & ~self.secure)

    @property
    def has_numbers(self) -> bool:
        """Whether there is room for probabilities."""
        return len(self.names) <= MOST_NUMBERS


def find_security(states: Sequence[Any]) -> Security:
    """Return which pure strategies each mix is secure against."""
    if not states:
        raise SettingError("no states to look at; give the states of a memory, one a round.")
    game = states[0].game
    if not isinstance(game, CompiledSymmetric) or len(game.roles) != 1:
        words = "security sets are drawn of compiled symmetric games."
        raise SettingError(f"{game.name} cannot list its strategies; {words}")
    everyone = list_pure_plans(game.game, game.roles[0]).astype(np.int8)
    if len(everyone) > MOST_PURE_STRATEGIES:
        raise SettingError(
            f"{game.name} has {len(everyone)} pure strategies to be secure against; up to"
            f" {MOST_PURE_STRATEGIES} can be drawn. Try a matrix game."
        )
    held = [(everyone[:, None] == state.strategies).all(axis=2) for state in states]
    won = [state.mixture @ game.payoffs(state.strategies, everyone) for state in states]
    return Security(
        tuple(int(state.iteration) for state in states),
        name_strategies(game, everyone),
        np.array(won) >= -ROUNDING,
        np.array([each.any(axis=1) for each in held]),
        np.array([each @ state.mixture for each, state in zip(held, states, strict=True)]),
    )


SECURE, OPEN = "#9cc8e6", "#f3f1ec"
CROSS: Any = {
    "color": RED,
    "marker": "x",
    "linestyle": "none",
    "markersize": 8.0,
    "markeredgewidth": 2.0,
}


def plot_security(axes: Axes, states: Sequence[Any]) -> Security:
    """Draw which pure strategies each mix is secure against, round after round.

    Filled cells are secure: the mix leaves its player at least the subgame's value. Framed cells are
    strategies met; the title says if a mix is not secure against one of them. A cross is a strategy that the mix
    before was secure against.

    Parameters
    ----------
    axes : Axes
        Where to draw.
    states : sequence
        States of one `NashMemory`, one a round; in a symmetric game of up to 64 pure strategies.
    """
    security = find_security(states)
    paint_panel(axes, draw_security(security))
    for row, column in np.argwhere(security.met):
        look: Any = {"fill": False, "edgecolor": INK, "lw": 1.4}
        axes.add_patch(Rectangle((column - 0.42, row - 0.42), 0.84, 0.84, **look))
    add_key(axes, with_numbers=security.has_numbers)
    return security


def draw_security(security: Security) -> HeatMap:
    """Return what each mixture is secure against as a heat map, with a cross where the one before was secure."""
    rows, columns = security.secure.shape
    lost = np.argwhere(security.lost).astype(np.float64)
    numbers = np.char.mod("%.2f", security.weights)
    words = np.where(security.weights > 0.0, np.char.lstrip(numbers, "0"), "")
    names = [name.removeprefix("no. ") for name in security.names]
    return HeatMap(
        security.secure.astype(np.float64),
        Axis("pure strategy of the opponent", (-0.5, columns - 0.5), ticks=name_places(names, 0.0)),
        Axis("round", (rows - 0.5, -0.5), ticks=name_places([*map(str, security.rounds)], 0.0)),
        ColorScale((OPEN, SECURE)),
        title=describe_security(security),
        rows=tuple(f"round {number}" for number in security.rounds),
        columns=security.names,
        words=words if security.has_numbers else None,
        gap=1.0,
        curves=(Curve(lost[:, 1], lost[:, 0], look=CROSS),),
    )


def describe_security(security: Security) -> str:
    """Return the title: whether a stored strategy beats a later mixture, and whether security was lost."""
    if not (security.secure | ~security.met).all():
        return "A stored strategy beats a later mixture"
    others = "; other strategies can" if security.lost.any() else ""
    return f"Stored strategies never beat a later mixture{others}"


def add_key(axes: Axes, *, with_numbers: bool) -> None:
    """Add the legend, to the right of the table."""
    marks: list[Any] = [
        Patch(facecolor=SECURE, label="secure"),
        Patch(facecolor=OPEN, label="not secure"),
        Patch(facecolor=PAPER, edgecolor=INK, label="stored" + ", its probability" * with_numbers),
        Line2D([], [], color=RED, marker="x", linestyle="none", label="secure before"),
    ]
    legend(axes, handles=marks, loc="upper left", bbox_to_anchor=(1.01, 1.0), handlelength=1.4)
