"""Draw how many times faster pokerlab is: two bars a row, told apart by hatching and shade."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from pokerlab.workbench.pictures.legends import legend, move_legends
from pokerlab.workbench.style import (
    BLUE,
    INK,
    ORANGE,
    PAPER,
    SMALL_SIZE,
    TITLE_SIZE,
    figure,
    logarithmic,
    to_png,
)
from tests.benchmarks.result import Result, three_digits
from tests.benchmarks.rows import LITEEFG, OPENSPIEL

BAR = 0.38
LOOK: dict[str, dict[str, Any]] = {
    LITEEFG: {"facecolor": BLUE, "edgecolor": BLUE},
    OPENSPIEL: {"facecolor": PAPER, "edgecolor": ORANGE, "hatch": "////"},
}
OFFSET = {LITEEFG: -BAR / 2, OPENSPIEL: BAR / 2}


def draw(results: Sequence[Result], title: str, path: Path) -> bool:
    """Write the plot and say whether there is one: none where no peer took part."""
    rows = [result for result in results if any(result.times_faster(peer) for peer in LOOK)]
    if not rows:
        return False
    made, axes = figure(9.0, 1.6 + 0.5 * len(rows))
    logarithmic(axes, "x")
    for peer, look in LOOK.items():
        bars = [
            (y + OFFSET[peer], ratio)
            for y, result in enumerate(rows)
            if (ratio := result.times_faster(peer)) is not None
        ]
        places, lengths = zip(*bars, strict=True) if bars else ((), ())
        # From 1 on: a bar to the left of the line says that the peer is faster.
        widths = [ratio - 1.0 for ratio in lengths]
        axes.barh(places, widths, BAR, left=1.0, label=f"than {peer}", **look)
        for place, ratio in bars:
            axes.annotate(
                f"{three_digits(ratio)}×",
                (ratio, place),
                xytext=(4 if ratio >= 1 else -4, 0),
                textcoords="offset points",
                va="center",
                ha="left" if ratio >= 1 else "right",
                fontsize=SMALL_SIZE,
                color=INK,
            )
    axes.axvline(1.0, color=INK, linewidth=0.8)
    axes.set_yticks(range(len(rows)), [f"{r.row.what}\n{r.row.where}" for r in rows])
    axes.invert_yaxis()
    axes.margins(x=0.12)
    axes.grid(False, axis="y")
    axes.set_xlabel("times faster than the peer (log); left of 1 the peer is faster")
    axes.set_title(title.rstrip("."), loc="left", fontsize=TITLE_SIZE, wrap=True)
    legend(axes, loc="lower right")
    move_legends(made)
    path.write_bytes(to_png(made))
    return True
