"""Draw how many times faster pokerlab is: two bars a row, told apart by hatching and shade."""

from collections.abc import Sequence
from pathlib import Path
from typing import Any

from matplotlib.backends.backend_agg import FigureCanvasAgg
from matplotlib.figure import Figure

from tests.benchmarks.result import Result, three_digits
from tests.benchmarks.rows import LITEEFG, OPENSPIEL

BAR = 0.38
LOOK: dict[str, dict[str, Any]] = {
    LITEEFG: {"facecolor": "#1f3b57", "edgecolor": "#1f3b57"},
    OPENSPIEL: {"facecolor": "#f3d9a4", "edgecolor": "#6b4e12", "hatch": "///"},
}
OFFSET = {LITEEFG: -BAR / 2, OPENSPIEL: BAR / 2}


def draw(results: Sequence[Result], title: str, path: Path) -> bool:
    """Write the plot and say whether there is one: none where no peer took part."""
    rows = [result for result in results if any(result.times_faster(peer) for peer in LOOK)]
    if not rows:
        return False
    figure = Figure(figsize=(9.0, 1.6 + 0.5 * len(rows)), layout="constrained")
    axes = figure.add_subplot()
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
                (max(ratio, 1.0), place),
                xytext=(4, 0),
                textcoords="offset points",
                va="center",
                fontsize=8,
            )
    axes.set_xscale("log")
    axes.xaxis.set_major_formatter("{x:g}")
    axes.axvline(1.0, color="black", linewidth=0.8)
    axes.set_yticks(
        range(len(rows)), [f"{result.row.what}\n{result.row.where}" for result in rows], fontsize=8
    )
    axes.invert_yaxis()
    axes.margins(x=0.12)
    axes.grid(axis="x", which="major", alpha=0.3)
    axes.set_axisbelow(True)
    axes.spines[["top", "right"]].set_visible(False)
    axes.set_xlabel("times faster than the peer (log scale); left of 1: the peer is faster")
    axes.set_title(title.rstrip("."), fontsize=11, loc="left", wrap=True)
    axes.legend(frameon=False, loc="lower right")
    FigureCanvasAgg(figure)
    figure.savefig(path)
    return True
