"""What a strategy wins from each group, among the strategies of a front that met the same."""

from collections.abc import Mapping

import numpy as np
from matplotlib.figure import Figure
from scipy import stats

from pokerlab.core.arrays import Floats
from pokerlab.workbench.style import GRAY, INK, RED, SMALL_SIZE, figure
from pokerlab.workbench.text import with_minus

SIZE = (7.6, 2.5)
TALL = 0.5
"""Of a group's row, how much the marks of the front take."""


def draw_winnings(
    won: Mapping[str, Floats], rivals: Mapping[str, Floats], big_blind: int
) -> Figure:
    """Draw winnings by group; the second scale is in thousandths of a big blind a hand.

    Parameters
    ----------
    won : Mapping[str, ndarray of shape (sequences,)]
        For each group what the strategy wins, in chips per 1,000 hands.
    rivals : Mapping[str, ndarray of shape (N,)]
        What each strategy of the front wins there.
    big_blind : int
        In chips.
    """
    made, axes = figure(*SIZE)
    axes.axvline(0.0, color=INK, linewidth=0.8)
    for row, (group, mine) in enumerate(won.items()):
        axes.vlines(rivals[group], row - TALL / 2, row + TALL / 2, color=GRAY, linewidth=1.2)
        error = stats.sem(mine)
        axes.errorbar(
            mine.mean(), row, xerr=error, color=RED, marker="D", markersize=8, capsize=4, zorder=3
        )
    axes.set_yticks(range(len(won)), [f"against {group}" for group in won])
    axes.set_ylim(len(won) - 0.5, -0.5)
    axes.set_xlabel("won (chips per 1,000 hands)")
    upper = axes.secondary_xaxis(
        "top", functions=(lambda x: x / big_blind, lambda x: x * big_blind)
    )
    upper.set_xlabel("mbb/hand", fontsize=SMALL_SIZE)
    upper.tick_params(labelsize=SMALL_SIZE, length=2)
    title = ", ".join(f"{rounded(mine)} against {group}" for group, mine in won.items())
    axes.set_title(f"It wins {title}", loc="left")
    return made


def caption_of(won: Mapping[str, Floats], rivals: Mapping[str, Floats]) -> str:
    """Return what there is to see: how many of the front win less."""
    beaten = [
        f"{np.mean(rivals[group] < mine.mean()):.0%} against {group}" for group, mine in won.items()
    ]
    return (
        "The diamond is your strategy, ± one standard error; gray lines are those that evolution kept,"
        f" with the same deals. The share of them that wins less than yours: {', '.join(beaten)}."
    )


def rounded(mine: Floats) -> str:
    """Return a mean in whole chips, with a true minus."""
    return with_minus(f"{mine.mean():+,.0f}")
