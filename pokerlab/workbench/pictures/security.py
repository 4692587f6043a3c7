"""Security sets: against which pure strategies of the whole game each mix is secure, round after round.

In a symmetric game that is S(mix) = {s : E(mix, s) >= 0} (Oliehoek et al. 2006, section 3).
"""

from collections.abc import Sequence
from typing import Any, NamedTuple

import numpy as np
from matplotlib.axes import Axes
from matplotlib.lines import Line2D
from matplotlib.patches import Patch, Rectangle

from pokerlab.core import Bools, Floats, SettingError
from pokerlab.games import SequenceForm
from pokerlab.games.symmetric import CompiledSymmetric
from pokerlab.strategies.normal_form import pure_plans
from pokerlab.workbench.pictures.plots import legend
from pokerlab.workbench.style import INK, PAPER, RED, SMALL_SIZE

FEW_NUMBERS = 3  # numbers of a strategy that can be written out


def names_of(game: Any, strategies: Any, player: int = 0) -> tuple[str, ...]:
    """Return a name for each of `strategies`, (K, d): its action in each role, its few numbers, or its place."""
    numbered = tuple(f"no. {number + 1}" for number in range(len(strategies)))
    if isinstance(game, CompiledSymmetric):
        whole, roles = game.game, game.roles
    elif isinstance(game, SequenceForm):
        whole, roles = game, (player,)
    elif strategies.shape[1] <= FEW_NUMBERS:
        return tuple(f"({', '.join(map(str, strategy))})" for strategy in strategies.tolist())
    else:
        return numbered
    if any(whole.num_infosets[role] != 1 for role in roles):
        return numbered
    ends = np.cumsum([whole.num_sequences[role] for role in roles])[:-1]
    chosen = []
    for role, plans in zip(roles, np.split(strategies, ends, axis=1), strict=True):
        actions = whole.action_label[int(whole.infoset_start[role])]
        names = actions if len(roles) == 1 else brief(actions)
        chosen.append([names[action] for action in plans[:, 1:].argmax(axis=1)])
    return tuple(" + ".join(names) for names in zip(*chosen, strict=True))


def brief(actions: Sequence[str]) -> tuple[str, ...]:
    """Return the first letters of actions, or their numbers where these do not tell them apart."""
    letters = tuple(action[0].upper() for action in actions)
    numbers = tuple(str(number + 1) for number in range(len(letters)))
    return letters if len(set(letters)) == len(letters) else numbers


ROUNDING = 1e-9  # what a mix may fall short by, in the game's unit: the linear program's rounding
MOST_STRATEGIES = 64  # pure strategies that fit side by side


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


def security_of(states: Sequence[Any]) -> Security:
    """Return which pure strategies each mix is secure against."""
    if not states:
        raise SettingError("no states to look at; give the states of a memory, one a round.")
    game = states[0].game
    if not isinstance(game, CompiledSymmetric) or len(game.roles) != 1:
        words = "security sets are drawn of compiled symmetric games."
        raise SettingError(f"{game.name} cannot list its strategies; {words}")
    everyone = pure_plans(game.game, game.roles[0]).astype(np.int8)
    if len(everyone) > MOST_STRATEGIES:
        raise SettingError(
            f"{game.name} has {len(everyone)} pure strategies to be secure against; up to"
            f" {MOST_STRATEGIES} can be drawn. Try a matrix game."
        )
    held = [(everyone[:, None] == state.strategies).all(axis=2) for state in states]
    won = [state.mix @ game.payoffs(state.strategies, everyone) for state in states]
    return Security(
        tuple(int(state.iteration) for state in states),
        names_of(game, everyone),
        np.array(won) >= -ROUNDING,
        np.array([each.any(axis=1) for each in held]),
        np.array([each @ state.mix for each, state in zip(held, states, strict=True)]),
    )


SECURE, OPEN = "#9cc8e6", "#f3f1ec"
MOST_NUMBERS = 12  # strategies up to which probabilities are written into the cells


def plot_security(axes: Axes, states: Sequence[Any]) -> Security:
    """Draw which pure strategies each mix is secure against, round after round.

    Filled cells are secure: the mix leaves its player at least the subgame's value. Framed cells are
    strategies met, which always are. A cross is a strategy that the mix before was secure against.

    Parameters
    ----------
    axes : Axes
        Where to draw.
    states : sequence
        States of one `NashMemory`, one a round; in a symmetric game of up to 64 pure strategies.
    """
    security = security_of(states)
    rows, columns = security.secure.shape
    for row, column in np.ndindex(rows, columns):
        face = SECURE if security.secure[row, column] else OPEN
        axes.add_patch(Rectangle((column - 0.5, row - 0.5), 1, 1, facecolor=face, edgecolor=PAPER))
    for row, column in np.argwhere(security.met):
        look: Any = {"fill": False, "edgecolor": INK, "lw": 1.4}
        axes.add_patch(Rectangle((column - 0.42, row - 0.42), 0.84, 0.84, **look))
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
    """Return the title: whether what was met wins again, and whether security was lost."""
    if not (security.secure | ~security.met).all():
        return "Something that was met wins again"
    others = "; what was not met can" if security.lost.any() else ""
    return f"What was met never wins again{others}"


def add_key(axes: Axes, *, with_numbers: bool) -> None:
    """Add what cells mean, below the table."""
    marks: list[Any] = [
        Patch(facecolor=SECURE, label="secure"),
        Patch(facecolor=OPEN, label="not secure"),
        Patch(facecolor=PAPER, edgecolor=INK, label="met" + ", its probability" * with_numbers),
        Line2D([], [], color=RED, marker="x", linestyle="none", label="secure before"),
    ]
    legend(axes, handles=marks, loc="upper left", bbox_to_anchor=(1.01, 1.0), handlelength=1.4)
