"""Security sets: the pure strategies of the whole game against which each mixture of a memory is secure.

In a symmetric game S(mix) = {s : E(mix, s) >= 0} (Oliehoek et al. 2006, section 3).
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle

from pokerlab.core import Bools, Floats, SettingError
from pokerlab.core.old_names import explain_renamed_attributes
from pokerlab.games.symmetric import CompiledSymmetric
from pokerlab.strategies.pure_strategies import list_pure_plans
from pokerlab.workbench.matplotlib_painter import paint_panel
from pokerlab.workbench.picture import Axis, ColorScale, Curve, HeatMap, make_named_ticks
from pokerlab.workbench.plots import legend
from pokerlab.workbench.style import INK, PAPER, RED
from pokerlab.workbench.views.memory_round import name_strategies

ROUNDING = 1e-9  # the largest rounding error of the linear program, in the game's unit
MOST_NUMBERS = 12  # the most strategies for which probabilities are written into the cells
MOST_PURE_STRATEGIES = 64  # the most pure strategies that fit side by side


@explain_renamed_attributes
class Security(NamedTuple):
    """The security of mixtures after R rounds against K pure strategies.

    Attributes
    ----------
    rounds : tuple of R int
        The rounds after which the mixtures were found.
    names : tuple of K str
        The names of the strategies.
    is_secure : array of bool, shape (R, K)
        Whether the mixture is secure against the strategy.
    is_stored : array of bool, shape (R, K)
        Whether the strategy is stored in the memory.
    weights : array of shape (R, K)
        The probabilities of the strategies in the mixtures.
    """

    rounds: tuple[int, ...]
    names: tuple[str, ...]
    is_secure: Bools
    is_stored: Bools
    weights: Floats

    @property
    def is_lost(self) -> Bools:
        """Whether a mixture is not secure although the one before it was, of shape (R, K)."""
        was_secure = np.vstack(
            [np.zeros((1, self.is_secure.shape[1]), dtype=bool), self.is_secure[:-1]]
        )
        return np.asarray(was_secure & ~self.is_secure)

    @property
    def has_numbers(self) -> bool:
        """Whether the cells have room for probabilities."""
        return len(self.names) <= MOST_NUMBERS


def find_security(states: Sequence[Any]) -> Security:
    """Return the security of the mixtures of states against all pure strategies.

    Parameters
    ----------
    states : sequence
        States of one `NashMemory`, one a round.

    Raises
    ------
    SettingError
        If there are no states, or the pure strategies of the game cannot be listed or are too many.
    """
    if not states:
        raise SettingError("no states to look at; give the states of a memory, one a round.")
    game = states[0].game
    if not isinstance(game, CompiledSymmetric) or len(game.roles) != 1:
        words = "security sets are drawn of compiled symmetric games."
        raise SettingError(f"{game.name} cannot list its strategies; {words}")
    pure_strategies = list_pure_plans(game.game, game.roles[0]).astype(np.int8)
    if len(pure_strategies) > MOST_PURE_STRATEGIES:
        raise SettingError(
            f"{game.name} has {len(pure_strategies)} pure strategies to be secure against; up to"
            f" {MOST_PURE_STRATEGIES} can be drawn. Try a matrix game."
        )
    is_stored_as = [(pure_strategies[:, None] == state.strategies).all(axis=2) for state in states]
    payoffs = [state.mixture @ game.payoffs(state.strategies, pure_strategies) for state in states]
    return Security(
        tuple(int(state.iteration) for state in states),
        name_strategies(game, pure_strategies),
        np.array(payoffs) >= -ROUNDING,
        np.array([each.any(axis=1) for each in is_stored_as]),
        np.array([each @ state.mixture for each, state in zip(is_stored_as, states, strict=True)]),
    )


SECURE, NOT_SECURE = "#9cc8e6", "#f3f1ec"
CROSS: Any = {
    "color": RED,
    "marker": "x",
    "linestyle": "none",
    "markersize": 8.0,
    "markeredgewidth": 2.0,
}


def plot_security(axes: Axes, states: Sequence[Any]) -> Security:
    """Draw the pure strategies against which each mixture is secure, round after round.

    Filled cells are secure: the mixture wins at least the value of the subgame. Framed cells are stored strategies. The
    title says whether a mixture is not secure against one of them. A cross is a strategy against which only the mixture
    before was secure.

    Parameters
    ----------
    axes : Axes
        Where to draw.
    states : sequence
        States of one `NashMemory`, one a round; in a symmetric game of up to 64 pure strategies.
    """
    security = find_security(states)
    paint_panel(axes, draw_security(security))
    for row, column in np.argwhere(security.is_stored):
        look: Any = {"fill": False, "edgecolor": INK, "lw": 1.4}
        axes.add_patch(Rectangle((column - 0.42, row - 0.42), 0.84, 0.84, **look))
    add_legend(axes, with_numbers=security.has_numbers)
    return security


def draw_security(security: Security) -> HeatMap:
    """Return the security of mixtures as a heat map, with a cross where only the mixture before was secure."""
    rows, columns = security.is_secure.shape
    lost = np.argwhere(security.is_lost).astype(np.float64)
    numbers = np.char.mod("%.2f", security.weights)
    words = np.where(security.weights > 0.0, np.char.lstrip(numbers, "0"), "")
    names = [name.removeprefix("no. ") for name in security.names]
    return HeatMap(
        security.is_secure.astype(np.float64),
        Axis(
            "pure strategy of the opponent",
            (-0.5, columns - 0.5),
            ticks=make_named_ticks(names, 0.0),
        ),
        Axis(
            "round", (rows - 0.5, -0.5), ticks=make_named_ticks([*map(str, security.rounds)], 0.0)
        ),
        ColorScale((NOT_SECURE, SECURE)),
        title=describe_security(security),
        rows=tuple(f"round {number}" for number in security.rounds),
        columns=security.names,
        words=words if security.has_numbers else None,
        gap=1.0,
        curves=(Curve(lost[:, 1], lost[:, 0], look=CROSS),),
    )


def describe_security(security: Security) -> str:
    """Return the title: whether a stored strategy beats a later mixture, and whether security was lost."""
    if not (security.is_secure | ~security.is_stored).all():
        return "A stored strategy beats a later mixture"
    others = "; other strategies can" if security.is_lost.any() else ""
    return f"Stored strategies never beat a later mixture{others}"


def add_legend(axes: Axes, *, with_numbers: bool) -> None:
    """Add the legend to the right of the table."""
    marks: list[Any] = [
        Patch(facecolor=SECURE, label="secure"),
        Patch(facecolor=NOT_SECURE, label="not secure"),
        Patch(facecolor=PAPER, edgecolor=INK, label="stored" + ", its probability" * with_numbers),
        Line2D([], [], color=RED, marker="x", linestyle="none", label="secure before"),
    ]
    legend(axes, handles=marks, loc="upper left", bbox_to_anchor=(1.01, 1.0), handlelength=1.4)
