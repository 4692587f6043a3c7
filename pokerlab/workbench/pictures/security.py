"""Security sets: against which pure strategies of the whole game each mix is secure, round after round.

A mix is secure against a strategy if it leaves its player at least the value of the subgame it was
found in; in a symmetric game that is S(mix) = {s : E(mix, s) >= 0} (Oliehoek et al. 2006, section 3).
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle

from pokerlab.core import SettingError
from pokerlab.core.arrays import Bools, Floats
from pokerlab.games.symmetric import CompiledSymmetric
from pokerlab.solvers.memories.memory import MemoryState
from pokerlab.strategies.normal_form import pure_plans
from pokerlab.workbench.pictures.one_round import names_of
from pokerlab.workbench.pictures.plots import legend
from pokerlab.workbench.style import INK, PAPER, RED, SMALL_SIZE

ROUNDING = 1e-9
"""What a mix may fall short by, in the game's unit: the linear program's rounding."""
MOST_STRATEGIES = 64
"""Pure strategies that fit side by side."""


class Security(NamedTuple):
    """What is secure against what; R rounds, K pure strategies of the opponent."""

    rounds: tuple[int, ...]  # after which the mixes were found
    names: tuple[str, ...]  # of the strategies
    secure: Bools  # (R, K), whether the mix is secure against the strategy
    met: Bools  # (R, K), whether the strategy is in memory
    weights: Floats  # (R, K), the opponent's probabilities; in a symmetric game everybody's

    @property
    def lost(self) -> Bools:
        """Where a mix is not secure although the one before was, (R, K)."""
        before = np.vstack([np.zeros((1, self.secure.shape[1]), dtype=bool), self.secure[:-1]])
        return np.asarray(before & ~self.secure)


def security_of(states: Sequence[Any], player: int = 0) -> Security:
    """Return which pure strategies each mix is secure against."""
    if not states:
        raise SettingError("no states to look at; give the states of a memory, one a round.")
    game = states[0].game
    everyone = all_strategies(states[0], player)
    if len(everyone) > MOST_STRATEGIES:
        raise SettingError(
            f"{game.name} has {len(everyone)} pure strategies to be secure against; up to"
            f" {MOST_STRATEGIES} can be drawn. Try a matrix game."
        )
    parts = [against(state, everyone, player) for state in states]
    won, met, weights = (np.array(part) for part in zip(*parts, strict=True))
    return Security(
        tuple(int(state.iteration) for state in states),
        names_of(game, 1 - player if isinstance(states[0], MemoryState) else 0, everyone),
        won >= -ROUNDING,
        met,
        weights,
    )


def all_strategies(state: Any, player: int) -> Any:
    """Return all pure strategies that `player` may meet, (K, d)."""
    game = state.game
    if isinstance(state, MemoryState):
        if game.num_players != 2:
            raise SettingError(
                f"{game.name} has {game.num_players} players; security sets are for two."
            )
        return pure_plans(game, 1 - player).astype(np.int8)
    if isinstance(game, CompiledSymmetric):
        first, second = (pure_plans(game.game, p).astype(np.int8) for p in range(2))
        if len(game.roles) == 1:
            return first
        pairs = np.repeat(first, len(second), axis=0), np.tile(second, (len(first), 1))
        return np.hstack(pairs)
    raise SettingError(
        f"{game.name} cannot list its strategies; security sets are drawn of compiled games."
    )


def against(state: Any, everyone: Any, player: int) -> tuple[Floats, Bools, Floats]:
    """Return what the mix wins beyond the subgame's value, what has been met, and how it is weighed."""
    if isinstance(state, MemoryState):
        mine = state.mixes[player] @ state.strategies[player].astype(np.float64)
        matrix = state.game.payoff_matrix(player)
        won = everyone @ (matrix.T @ mine if player == 0 else matrix @ mine) - state.values[player]
        pool, mix = state.strategies[1 - player], state.mixes[1 - player]
    else:
        won = state.mix @ state.game.payoffs(state.strategies, everyone)
        pool, mix = state.strategies, state.mix
    held = (everyone[:, None, :] == pool[None, :, :]).all(axis=2)
    return won, held.any(axis=1), held @ mix


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
        Where to draw.
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
    security = security_of(states, player)
    rows, columns = security.secure.shape
    for row, column in np.ndindex(rows, columns):
        face = SECURE if security.secure[row, column] else OPEN
        axes.add_patch(Rectangle((column - 0.5, row - 0.5), 1, 1, facecolor=face, edgecolor=PAPER))
    for row, column in np.argwhere(security.met):
        axes.add_patch(
            Rectangle((column - 0.42, row - 0.42), 0.84, 0.84, fill=False, edgecolor=INK, lw=1.4)
        )
    lost = np.argwhere(security.lost)
    if len(lost):
        axes.plot(lost[:, 1], lost[:, 0], "x", color=RED, markersize=8, markeredgewidth=2.0)
    if columns <= MOST_NUMBERS:
        for row, column in np.argwhere(security.weights > 0.0):
            said = f"{security.weights[row, column]:.2f}".removeprefix("0")
            axes.text(column, row, said, ha="center", va="center", fontsize=SMALL_SIZE, color=INK)
    axes.set(xlim=(-0.5, columns - 0.5), ylim=(rows - 0.5, -0.5))
    axes.grid(False)
    axes.spines[:].set_visible(False)
    axes.tick_params(length=0)
    upright = sum(map(len, security.names)) > 60
    labels = [name.removeprefix("no. ") for name in security.names]
    axes.set_xticks(range(columns), labels, rotation=90 if upright else 0)
    axes.set_yticks(range(rows), list(map(str, security.rounds)))
    axes.set_xlabel("pure strategy of the opponent")
    axes.set_ylabel("round")
    axes.set_title(finding(security), loc="left")
    add_key(axes, with_numbers=columns <= MOST_NUMBERS)
    return security


def finding(security: Security) -> str:
    """Return the title: whether all that was met is secure, and how often security was lost."""
    if not (security.secure | ~security.met).all():
        return "Not secure against all that was met"
    lost = int(security.lost.sum())
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
