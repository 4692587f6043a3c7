"""The subgame's payoffs as shades: what strategies win against each other, and which are in the mixes."""

from collections.abc import Sequence
from typing import Any

import numpy as np
from matplotlib.axes import Axes
from matplotlib.colors import LinearSegmentedColormap, Normalize
from matplotlib.image import AxesImage
from matplotlib.ticker import FuncFormatter, MaxNLocator

from pokerlab.core import SettingError
from pokerlab.core.arrays import Floats
from pokerlab.solvers import MemoryState
from pokerlab.workbench.memory.one_round import names_of
from pokerlab.workbench.style import BLUE, INK, PAPER, SMALL_SIZE

WINNINGS = LinearSegmentedColormap.from_list(
    "winnings", ["#23234a", "#55597f", "#948e9c", "#dcbb88", "#fdeab4"]
)
"""Lightness alone tells more from less."""
MOST_NUMBERS = 8
"""Rows or columns up to which payoffs are written as numbers."""
MOST_NAMES = 12
"""Rows or columns up to which strategies are named."""
LETTER = 0.068
"""Inches of a letter of a label."""
BARS = 0.14
"""Height of the bars of a mix over that of the table."""


def plot_payoff_matrix(axes: Axes, state: Any, player: int = 0) -> Floats:
    """Show what strategies in memory win against each other, with the mixes beside them as bars.

    Parameters
    ----------
    axes : Axes
        Where to draw; the bars stand beside and above.
    state
        Of a memory for two players, or of a symmetric one.
    player : int
        Whose payoffs, 0-based; player 1's strategies are the rows in either case.

    Returns
    -------
    ndarray of shape (K_1, K_2)
        The payoffs shown, in the game's unit.
    """
    if isinstance(state, MemoryState):
        if state.payoffs.ndim != 3:
            raise SettingError(
                f"{state.game.name} has {state.game.num_players} players; payoffs of two can be drawn."
            )
        payoffs, mixes, pools = state.payoffs[player], state.mixes, state.strategies
    else:
        payoffs, mixes, pools = state.payoffs, (state.mix,) * 2, (state.strategies,) * 2
    rows, columns = (names_of(state.game, p, pool) for p, pool in enumerate(pools))
    image = draw_payoffs(axes, payoffs, rows, columns)
    add_bars(axes, mixes[0], mixes[1])
    is_pair = isinstance(state, MemoryState)
    axes.set_ylabel(f"{'player 1: ' * is_pair}strategy, in the order met")
    axes.set_xlabel(f"{'player 2: ' * is_pair}strategy, in the order met")
    figure = axes.get_figure()
    assert figure is not None
    bar = figure.colorbar(image, ax=axes, pad=BARS + 0.02, shrink=0.9)
    bar.outline.set_visible(False)
    bar.ax.tick_params(labelsize=SMALL_SIZE, length=2)
    winner = f"player {player + 1}" if is_pair else "the row"
    bar.set_label(f"what {winner} wins ({state.game.unit.plural})", fontsize=SMALL_SIZE)
    distinct = mixes if is_pair else mixes[:1]
    used = " × ".join(str(np.count_nonzero(mix)) for mix in distinct)
    met = " × ".join(str(len(mix)) for mix in distinct)
    axes.set_title(f"In N: {used} of {met} met", loc="left", y=1.0 + BARS + 0.02)
    return np.asarray(payoffs)


def draw_payoffs(
    axes: Axes, payoffs: Floats, rows: Sequence[str], columns: Sequence[str]
) -> AxesImage:
    """Show payoffs as shades, as numbers too if there are few; light is much, dark is little."""
    low, high = float(payoffs.min()), float(payoffs.max())
    norm = Normalize(low, high if high > low else low + 1.0)
    image = axes.imshow(payoffs, cmap=WINNINGS, norm=norm, aspect="auto", interpolation="nearest")
    axes.grid(False)
    axes.tick_params(length=0, labelsize=SMALL_SIZE)
    axes.spines[:].set_visible(False)
    for axis, names in ((axes.xaxis, columns), (axes.yaxis, rows)):
        if len(names) <= MOST_NAMES:
            labels = [name.removeprefix("no. ") for name in names]
            axis.set_ticks(range(len(names)), labels=labels)
        else:
            axis.set_major_locator(MaxNLocator(6, integer=True))
            axis.set_major_formatter(FuncFormatter(lambda index, _: f"{index + 1:.0f}"))
    written = [label.get_text() for label in axes.get_xticklabels()]
    room = axes.get_window_extent().width / axes.figure.dpi
    if len(columns) <= MOST_NAMES and max(map(len, written)) * len(written) * LETTER > room:
        axes.tick_params(axis="x", labelrotation=90)
    if max(payoffs.shape) <= MOST_NUMBERS:
        for (row, column), payoff in np.ndenumerate(payoffs):
            color = PAPER if norm(payoff) < 0.5 else INK
            words = f"{payoff:.2g}".replace("-", "−")
            look: dict[str, Any] = {"ha": "center", "va": "center", "fontsize": SMALL_SIZE}
            axes.text(column, row, words, color=color, **look)
    return image


def add_bars(axes: Axes, row_mix: Floats, column_mix: Floats) -> None:
    """Add the mixes as bars: the rows' on the right, the columns' above."""
    right = axes.inset_axes((1.02, 0.0, BARS, 1.0), sharey=axes)
    above = axes.inset_axes((0.0, 1.02, 1.0, BARS), sharex=axes)
    right.barh(np.arange(len(row_mix)), row_mix, color=BLUE, height=0.8)
    above.bar(np.arange(len(column_mix)), column_mix, color=BLUE, width=0.8)
    for bars in (right, above):
        bars.axis("off")
